"""`bradley_terry`: models ranked from battles. The win matrix is a statement; the fit reads its few cells."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from sqlmetrics.book.plan import builtin, planned, written
from sqlmetrics.book.templates import macros
from sqlmetrics.errors import SqlMetricsError, counted
from sqlmetrics.given.advice import expression
from sqlmetrics.given.facts import named_facts, opened
from sqlmetrics.given.opened import Opened
from sqlmetrics.given.reads import reads_of
from sqlmetrics.options import OnBadRows, Options, with_options
from sqlmetrics.results.battles import Battles
from sqlmetrics.results.checks import checked_points
from sqlmetrics.results.few import of_few
from sqlmetrics.results.strengths import (
    Fit,
    clustered,
    fitted,
    half_widths,
    linked_parts,
    rank_bounds,
    strong_parts,
)

CALLED = {"label": "model_a", "prediction": "model_b"}
#: battles won, lost and tied
Counts = tuple[float, float, float]
ELO = 1000  # of a model of strength 0, with which arenas of chat models begin


@with_options
def bradley_terry(
    options: Options,
    data: Any,
    *,
    model_a: str = "model_a",
    model_b: str = "model_b",
    winner: str = "winner",
    cluster: str | None = None,
    interval: float = 0.95,
    weight: str | None = None,
    where: str | None = None,
    on_bad_rows: OnBadRows = "error",
    connection: Any = None,
    dialect: str | None = None,
) -> Battles:
    """Ranks models from battles, such as votes of an arena (Bradley and Terry 1952; ties: Davidson 1970).

    Args:
        data: as for `evaluate`, as are `where`, `connection` and `dialect`. A row is a battle.
        model_a: the column of the first model.
        model_b: the column of the second model.
        winner: the column that holds model_a, model_b or tie. `tie (bothbad)` and `both_bad` are ties, too.
        cluster: the column of what battles share, such as their prompt or user; without it they are independent.
            Intervals and ranks are then by Student's t, and null without more clusters than models and ties need.
        interval: the confidence level of the intervals, and of all ranks together.
        weight: the column of counts, if a row stands for several battles.
        on_bad_rows: `drop` leaves out battles without two models, with one model twice or without such a winner.

    Returns:
        One row for each model, the strongest first: `model`, `strength` (log odds; the mean is 0), `low` and `high`
        (its interval), `elo` (1000 + 400 / ln(10) * strength), `rank`, `rank_low` and `rank_high` (1 + the models
        that are significantly better, and the models less those significantly worse; Holm over all pairs),
        `n_battles`, `wins`, `losses` and `ties`. A model without a finite strength has nulls and a note.

    Raises:
        SqlMetricsError: fewer than two models; no path of battles between some models; bad rows.

    >>> votes = [{"model_a": "x", "model_b": "y", "winner": "model_a", "n": 30}]
    >>> votes += [{"model_a": "x", "model_b": "y", "winner": "model_b", "n": 10}]
    >>> [(row["model"], round(row["strength"], 4)) for row in bradley_terry(votes, weight="n")]
    [('x', 0.5493), ('y', -0.5493)]
    """
    interval = builtin(interval)
    macros("duckdb")["check_level"](interval, "sqlmetrics.bradley_terry: ")
    for name, column in {"model_a": model_a, "model_b": model_b, "winner": winner}.items():
        if column is None:
            raise SqlMetricsError(f"{name}= takes a column name or sm.sql(...), got None")
    asked = replace(options, label=model_a, prediction=model_b, group=cluster, total=False)
    with opened(data, asked, reads=reads_of(asked, apart=[winner]), called=CALLED) as given:
        columns = given.labels.columns
        by = {"sql": columns.text(winner, "winner"), "name": "winner", "alias": columns.alias("winner")}
        given = replace(given, facts={**given.facts, "by": [by]})
        table, statement = given.run(given.plan("bradley_terry_plan"))
        said = {
            "label": f"value of column '{model_a}'",
            "prediction": f"value of column '{model_b}'",
            "group": f"value of column '{cluster}' (cluster=)",
        }
        bad_rows = {count: said.get(role, role) for count, role in statement.bad_rows.items()}
        named = replace(statement, bad_rows=bad_rows)
        table, audited = checked_points(table, ["winner"], named, options.drops_bad_rows)
        rows = table.to_pylist()
        named_columns = [columns[name] for name in (winner, model_a, model_b)]
        _refuse_names(rows, winner, named_columns, given.session.dialect)
        matrix = _Matrix(rows, winner, options.drops_bad_rows)
        matrix.notes += [
            f"rows left out: {audited.count(name):,} without a {said}"
            for name, said in bad_rows.items()
            if audited.count(name)
        ]
        part, fit = _fitted(matrix)
        spread = fit
        if fit is not None and cluster is not None:
            spread = _of_clusters(given, matrix, part, fit)
    return _result(matrix, part, fit, spread, interval, statement.text, weight is not None)


@with_options
def render_bradley_terry(
    options: Options,
    relation: str,
    *,
    model_a: str = "model_a",
    model_b: str = "model_b",
    winner: str = "winner",
    cluster: str | None = None,
    dialect: str = "duckdb",
    weight: str | None = None,
    where: str | None = None,
) -> str:
    """Returns the statement whose win matrix `bradley_terry` fits, in any dialect.

    The relation need not exist yet. The other arguments are those of `bradley_terry`.

    >>> render_bradley_terry("battles").splitlines()[-1].split(", ")[-1]
    'sm_points.sm_predicted asc'
    """
    by = {"winner": winner} | ({} if cluster is None else {"cluster": cluster})
    asked = replace(options, label=model_a, prediction=model_b, by=by, total=False)
    facts = named_facts(relation, asked)
    return written(planned(dialect, "bradley_terry_plan", **facts)).text


def _refuse_names(rows: list[dict[str, Any]], winner: str, columns: list[str], dialect: str) -> None:
    """Refuses battles whose winner is the name of a model."""
    for row in rows:
        if row["n_battles"] and row["winner"] in (row["model_a"], row["model_b"]):
            by_name = macros(dialect)["winner_by_name"](*columns)
            raise SqlMetricsError(
                f"Column '{winner}' has names of models, such as {row['winner']!r}, and takes model_a, model_b or tie;"
                f" write winner={expression(str(by_name))}"
            )


class _Matrix:
    """The win matrix, as counts of each pair of models."""

    def __init__(self, rows: list[dict[str, Any]], winner: str, drop: bool) -> None:
        rows = [row for row in rows if row["n_battles"]]
        outcomes = macros("duckdb")["outcomes_of_battles"]()
        bad: Counter[str] = Counter()
        kept = []
        for row in rows:
            if row["winner"] not in outcomes:
                bad[
                    f"have {_said(row['winner'])} in column '{winner}', which takes model_a, model_b or tie"
                ] += row["n_battles"]
            elif row["model_a"] == row["model_b"]:
                bad[f"are of {row['model_a']!r} with itself"] += row["n_battles"]
            else:
                kept.append(row)
        if bad and not drop:
            said, number = next(iter(bad.items()))
            raise SqlMetricsError(
                f"Of the battles {number:,} {said}; pass on_bad_rows='drop' to leave them out"
            )
        self.notes = [f"battles left out: {number:,} {said}" for said, number in bad.items()]
        self.models = sorted({row[side] for row in kept for side in ("model_a", "model_b")}, key=_order)
        places = {model: place for place, model in enumerate(self.models)}
        self.cells: dict[tuple[int, int], Counts] = {}
        for row in kept:
            i, j, outcome = places[row["model_a"]], places[row["model_b"]], outcomes[row["winner"]]
            if i > j:
                i, j, outcome = j, i, (1, 0, 2)[outcome]
            _count(self.cells, (i, j), outcome, row["n_battles"])
        #: the number that the statement gave to a model -> its place; without clusters they have none
        self.places = {
            row[f"place_{side}"]: places[row[f"model_{side}"]]
            for row in kept
            for side in "ab"
            if "place_a" in row
        }

    def among(self, models: list[int]) -> dict[tuple[int, int], Counts]:
        """The cells of battles between some of the models, which are numbered anew."""
        places = {model: place for place, model in enumerate(models)}
        return {
            (places[i], places[j]): counts
            for (i, j), counts in self.cells.items()
            if i in places and j in places
        }


def _count(cells: dict[tuple[int, int], Counts], pair: tuple[int, int], outcome: int, n: float) -> None:
    won, lost, tied = cells.get(pair, (0, 0, 0))
    cells[pair] = (won + n * (outcome == 0), lost + n * (outcome == 1), tied + n * (outcome == 2))


def _said(value: Any) -> str:
    return "NULL" if value is None else repr(value)


def _order(model: Any) -> tuple[str, Any]:
    return type(model).__name__, model


def _fitted(matrix: _Matrix) -> tuple[list[int], Fit | None]:
    """The models that have strengths, and their fit; None without one."""
    models, n = matrix.models, len(matrix.models)
    if n < 2:
        raise SqlMetricsError(f"Strengths need battles of two models or more, and the data have {n} models")
    apart = linked_parts(n, matrix.cells)
    if len(apart) > 1:
        named = " | ".join(counted(str(models[i]) for i in part) for part in apart[:3])
        raise SqlMetricsError(
            f"No battles link these models, which have no common scale: {named}; leave some out by where="
        )
    part, *others = strong_parts(n, matrix.cells)
    fit = fitted(len(part), matrix.among(part)) if len(part) > 1 else None
    if others:
        out = counted(str(models[i]) for i in range(n) if fit is None or i not in part)
        matrix.notes.append(
            f"no finite strength, since a model or a set of models won or lost every battle with the others: {out}"
        )
    elif fit is None:
        matrix.notes.append("no finite strengths, since too few battles are won beside those that are tied")
    return part, fit


def _of_clusters(given: Opened, matrix: _Matrix, part: list[int], fit: Fit) -> Fit | None:
    """The fit with the covariance of clusters, whose sums are a second statement; None for too few clusters."""
    columns = {number: part.index(at) for number, at in matrix.places.items() if at in part}
    strengths = {number: fit.strengths[at] for number, at in sorted(columns.items())}
    nu = None if fit.log_nu is None else math.exp(fit.log_nu)
    rows = given.run(given.plan("bradley_terry_clusters_plan", strengths=strengths, nu=nu))[0].to_pylist()
    number = rows[0]["n_clusters"]
    if number <= fit.parameters:
        matrix.notes.append(
            f"no intervals from so few clusters: {number}; the fit has {fit.parameters} parameters, and needs more"
            " clusters than that"
        )
        return None
    matrix.notes += of_few("clusters", [number], 1)
    columns[0] = len(part)  # log(nu)
    products = {(columns[row["place_a"]], columns[row["place_b"]]): row["product"] for row in rows}
    return clustered(fit, products, number)


def _result(
    matrix: _Matrix,
    part: list[int],
    fit: Fit | None,
    spread: Fit | None,
    level: float,
    text: str,
    weighted: bool,
) -> Battles:
    import pyarrow as pa

    models, n = matrix.models, len(matrix.models)
    widths = half_widths(spread, level) if spread else [math.nan] * n
    bounds = rank_bounds(spread, level) if spread else [(None, None)] * n
    tallies = _tallies(matrix.cells, n)
    rows = []
    for i, model in enumerate(models):
        row = dict.fromkeys(("strength", "low", "high", "elo", "rank", "rank_low", "rank_high"))
        if fit is not None and i in part:
            at = part.index(i)
            strength = fit.strengths[at]
            low, high = (strength - widths[at], strength + widths[at]) if spread else (None, None)
            row = {
                "strength": strength, "low": low, "high": high, "elo": ELO + 400 / math.log(10) * strength,
                "rank": 1 + sum(other > strength + 1e-9 for other in fit.strengths),
                "rank_low": bounds[at][0], "rank_high": bounds[at][1],
            }  # fmt: skip
        won, lost, tied = tallies[i]
        counts = {"n_battles": won + lost + tied, "wins": won, "losses": lost, "ties": tied}
        rows.append({"model": model, **row, **counts})
    rows.sort(key=lambda row: (row["rank"] is None, row["rank"] or 0))
    number = pa.float64() if weighted else pa.int64()
    types = {name: pa.float64() for name in ("strength", "low", "high", "elo")}
    types |= dict.fromkeys(("rank", "rank_low", "rank_high"), pa.int64())
    types |= dict.fromkeys(("n_battles", "wins", "losses", "ties"), number)
    columns = {name: pa.array([row[name] for row in rows], types.get(name)) for name in rows[0]}
    return Battles(pa.table(columns), text, matrix.notes)


def _tallies(cells: Mapping[tuple[int, int], Counts], n: int) -> list[Counts]:
    """The wins, losses and ties of each model."""
    tallies: list[Counts] = [(0, 0, 0)] * n
    for (i, j), (won, lost, tied) in cells.items():
        for model, wins, losses in ((i, won, lost), (j, lost, won)):
            known = tallies[model]
            tallies[model] = (known[0] + wins, known[1] + losses, known[2] + tied)
    return tallies
