"""`leaderboard` against plain Python and single calls, on every engine: ranks, ties, models in three shapes."""

from __future__ import annotations

import math
import random
import re
from functools import cache
from typing import Any

import duckdb
import pyarrow as pa
import pytest

import sqlmetrics as sm
from oracles import boards as oracle
from sqlmetrics.book.templates import macros
from sqlmetrics.results.mean_ranks import chi_square_above, critical_difference
from support.compared import Rows, close
from support.engines import Engine
from support.errors import told

MODELS = ["it's b", "a", "c", "twin", "d"]


def runs(tasks: int = 40) -> Rows:
    """A row for each model and task. One model is a twin of another, and one is far worse."""
    draw, rows = random.Random(3), []
    for task in range(tasks):
        hard = draw.random()
        errors = {model: hard * 0.5 + draw.random() * 0.3 for model in MODELS}
        errors |= {"d": errors["d"] + 0.5, "c": errors["c"] + 0.1}
        errors["twin"] = errors["a"]
        rows += [{"run": run, "task": task, "y": task % 2, "p": errors[run] + task % 2} for run in MODELS]
    return rows


def ran(engine: Engine, rows: Rows, metrics: Any, **facts: Any) -> Rows:
    asked = {"label": "y", "score": "p", "models": {"run": MODELS}, "group": "task", **facts}
    return engine.query(str(macros(engine.dialect).leaderboard("given", metrics, **asked)), {"given": rows})


def test_ranks_are_those_of_the_definition(engine: Engine) -> None:
    rows = runs()
    units = {run: [abs(row["p"] - row["y"]) for row in rows if row["run"] == run] for run in MODELS}
    squares = {run: [error**2 for error in errors] for run, errors in units.items()}
    got = ran(engine, rows, ["mae", "mse"])
    assert [row["metric"] for row in got] == ["mae"] * 5 + ["mse"] * 5
    for metric, expected in (("mae", oracle.places(units, True)), ("mse", oracle.places(squares, True))):
        board = [row for row in got if row["metric"] == metric]
        assert [row["rank"] for row in board] == sorted(row["rank"] for row in board)
        assert {row["n_units"] for row in board} == {40}
        for row in board:
            place = expected[row["model"]]
            close(row["value"], place.value)
            assert row["low"] < row["value"] < row["high"]
            assert (row["rank"], row["rank_low"], row["rank_high"]) == (place.rank, place.low, place.high)
            assert row["tied_with_best"] == place.tied_with_best
    ranks = {row["model"]: row["rank"] for row in got[:5]}
    assert ranks["a"] == ranks["twin"]  # of the same scores
    assert got[4]["model"] == "d"
    assert got[4]["rank_low"] == 5
    assert got[4]["tied_with_best"] == 0


def by_duckdb(call: str, rows: Rows, metrics: Any, **asked: Any) -> Rows:
    """What DuckDB answers to another call: engines agree on it elsewhere, and plan it long."""
    connection = duckdb.connect()
    connection.register("given", pa.Table.from_pylist(rows))
    return connection.sql(str(macros("duckdb")[call]("given", metrics, **asked))).to_arrow_table().to_pylist()


METRICS = ["auc", "f1", "mrr", "rmse", "precision", "average_precision"]


@cache
def shaped() -> tuple[Rows, Rows, Rows]:
    """Rows with the scores of three models, and what `evaluate` and `compare` say of them."""
    draw = random.Random(5)
    better = {"a": 0.1, "b": 0.2, "c": 0.5}
    rows = []
    for u in range(40):
        for y in (1, 0, u % 2):
            scores = {m: min(0.99, max(0.01, draw.gauss(0.3 + k * y, 0.2))) for m, k in better.items()}
            rows.append({"u": u, "y": y, **scores})
    asked: dict[str, Any] = {"label": "y", "score": ["a", "b", "c"], "group": "u"}
    single = {"baseline": "a", "pairs": "all", "correction": "holm", "on_unpaired": "error"}
    return (
        rows,
        by_duckdb("evaluate", rows, METRICS, interval=0.95, **asked),
        by_duckdb("compare", rows, METRICS, **single, **asked),
    )


@pytest.mark.slow
@pytest.mark.parametrize("shape", ["columns", "tables"])
def test_models_in_other_shapes(shape: str, engine: Engine) -> None:
    """The pairs are those of `compare`, the values those of `evaluate`."""
    rows, values, pairs = shaped()
    tables = {f"of_{m}": [{"u": row["u"], "y": row["y"], "s": row[m]} for row in rows] for m in "abc"}
    relation: Any = {m: f"of_{m}" for m in "abc"} if shape == "tables" else "given"
    data = tables if shape == "tables" else {"given": rows}
    asked: dict[str, Any] = {
        "label": "y",
        "score": "s" if shape == "tables" else ["a", "b", "c"],
        "group": "u",
    }
    got = engine.query(str(macros(engine.dialect).leaderboard(relation, METRICS, **asked)), data)
    for row in got:
        of_model = next(value for value in values if value["model"] == row["model"])
        for column, name in (("value", ""), ("low", "_low"), ("high", "_high")):
            close(row[column], of_model[row["metric"] + name])
        [first] = [one["model"] for one in got if one["metric"] == row["metric"] and one["rank"] == 1]
        if row["model"] == first:
            assert row["difference"] is None
            assert row["p_adjusted"] is None
            continue
        [pair] = [
            one for one in pairs
            if one["metric"] == row["metric"] and {one["baseline"], one["candidate"]} == {first, row["model"]}
        ]  # fmt: skip
        close(row["difference"], pair["difference"] * (1 if pair["candidate"] == row["model"] else -1))
        close(row["p_adjusted"], pair["p_adjusted"])
        assert row["tied_with_best"] == (pair["p_adjusted"] > 0.05)


def test_rows_without_a_group_and_few_units(engine: Engine) -> None:
    rows = [{"y": i % 2, "a": i % 2, "b": 1 - i % 2, "c": int(i % 3 == 0)} for i in range(30)]
    asked: dict[str, Any] = {"label": "y", "score": ["a", "b", "c"]}
    words = macros(engine.dialect)
    got = engine.query(str(words.leaderboard("given", "accuracy", **asked)), {"given": rows})
    assert [(row["model"], row["rank_low"], row["rank_high"]) for row in got] == [
        ("a", 1, 1),
        ("c", 2, 2),
        ("b", 3, 3),
    ]
    got = engine.query(str(words.leaderboard("given", "mae", **asked)), {"given": rows[:1]})
    assert {(row["rank_low"], row["rank_high"], row["tied_with_best"]) for row in got} == {(1, 3, 1)}
    assert [row["rank"] for row in got] == sorted(
        1 + sum(rows[0][other] < rows[0][model] for other in "abc") for model in "abc"
    )


def test_summaries_of_columns_whose_better_direction_is_said(engine: Engine) -> None:
    """Ranks and verdicts turn with `better=`; without it the error says what to write, and that works."""
    rows = [{**row, "right": row["p"] < 1.2} for row in runs()]
    words, asked = macros(engine.dialect), {"models": {"run": MODELS}, "group": "task"}
    errors = {"low": "mean(column=p, better=lower)", "high": "mean(column=p, better=higher)"}
    got = engine.query(str(words.leaderboard("given", errors, **asked)), {"given": rows})
    ranks = {(row["metric"], row["model"]): row["rank"] for row in got}
    assert (ranks["low", "d"], ranks["high", "d"]) == (5, 1)
    if engine.dialect == "duckdb":
        written = re.search("write (.*) or", told(sm.leaderboard, rows, "mean(column=right)", **asked))
        board = sm.leaderboard(rows, written[1], **asked)
        assert board.to_dicts()[-1]["model"] == "d"
        assert told(sm.evaluate, rows, "accuracy", label="right", **asked).endswith(
            written[1].replace("right", "correct")
        )


# in this order ClickHouse takes the second, as it plans auc by slices for a minute
@pytest.mark.parametrize("metrics", [["auc", "mrr"], ["mae", "precision"]], ids=" ".join)
def test_slices_have_boards_of_their_own(metrics: list[str], engine: Engine) -> None:
    """The board of a slice is that of its rows alone, and the last one that of all rows."""
    draw = random.Random(8)
    rows = [
        {
            "u": i // 3,
            "y": i % 2,
            "part": [None, "x"][i // 3 % 2],
            "a": draw.random(),
            "b": (i % 2 + draw.random()) / 2,
        }
        for i in range(120)
    ]
    asked: dict[str, Any] = {"label": "y", "score": ["a", "b"], "group": "u"}
    statement = macros(engine.dialect).leaderboard("given", metrics, by="part", **asked)
    got = engine.query(str(statement), {"given": rows})
    assert [(row["part"], row["is_total"]) for row in got[::4]] == [*sorted(
        [(None, 0), ("x", 0)], key=lambda key: key[0] != got[0]["part"]
    ), (None, 1)]  # fmt: skip
    for where, board in ((None, got[8:]), ("part = 'x'", [row for row in got if row["part"] == "x"])):
        alone = by_duckdb("leaderboard", rows, metrics, where=where, **asked)
        for row, of_slice in zip(alone, board, strict=True):
            for name, value in row.items():
                if isinstance(value, float):
                    close(of_slice[name], value)
                else:
                    assert of_slice[name] == value, (where, row, of_slice)


def test_models_without_a_value_or_a_unit(engine: Engine) -> None:
    """A model that never decides has no precision, and no rank; units of one model alone leave no ranks."""
    rows = [{"y": i % 2, "a": (i % 7) / 7, "b": (i % 5 + i % 2) / 6, "never": 0.1} for i in range(60)]
    asked: dict[str, Any] = {"label": "y", "score": ["never", "a", "b"]}
    got = engine.query(
        str(macros(engine.dialect).leaderboard("given", "precision", **asked)), {"given": rows}
    )
    assert [row["rank"] for row in got] == [1, 2, None]
    assert got[2]["model"] == "never"
    assert got[2]["rank_low"] is got[2]["rank_high"] is got[2]["tied_with_best"] is got[2]["value"] is None
    assert max(row["rank_high"] for row in got[:2]) == 2
    lacking = [row for row in runs() if (row["run"], row["task"]) not in {("a", 3), ("a", 4)}]
    got = ran(engine, lacking, "mae")
    assert {row["rank"] for row in got} == {None}
    assert max(row["n_unpaired"] or 0 for row in got) == 2


def test_mean_ranks_over_tasks() -> None:
    """Friedman's test is scipy's; the critical difference has the constants of table 5 of Demsar (2006)."""
    from scipy import stats

    draw = random.Random(4)
    rows = [
        {"task": task, "run": run, "loss": round(draw.random() + place / 5, 1)}
        for task in range(12) for place, run in enumerate("abcd")
    ]  # fmt: skip
    lacking = [{"task": "lacking", "run": run, "loss": None if run == "a" else 1.0} for run in "abcd"]
    asked: dict[str, Any] = {"models": "run", "by": "task", "group": "task", "on_bad_rows": "drop"}
    metric = "mean(column=loss, better=lower)"
    with pytest.raises(sm.SqlMetricsError, match="a value of"):
        sm.leaderboard([{**row, "task": str(row["task"])} for row in rows] + lacking, metric, **asked)
    found = {row["model"]: row for row in sm.leaderboard(rows, metric, **asked).mean_ranks()}
    losses = [[row["loss"] for row in rows if row["run"] == run] for run in "abcd"]
    ranks = [stats.rankdata(task) for task in zip(*losses, strict=True)]
    for place, run in enumerate("abcd"):
        close(found[run]["mean_rank"], sum(task[place] for task in ranks) / 12)
        close(found[run]["mean_value"], sum(losses[place]) / 12)
    close(found["a"]["friedman_p_value"], float(stats.friedmanchisquare(*losses).pvalue))
    assert found["a"]["critical_difference"] == pytest.approx(2.569 * math.sqrt(20 / 72), abs=1e-3)
    assert critical_difference(10, 1, 0.95) == pytest.approx(3.164 * math.sqrt(110 / 6), abs=1e-2)
    for df in (1, 2, 5, 8):
        assert chi_square_above(3.3, df) == pytest.approx(stats.chi2.sf(3.3, df))
    least = min(row["mean_rank"] for row in found.values())
    for row in found.values():
        assert row["tied_with_best"] == (row["mean_rank"] - least <= row["critical_difference"])
    assert told(sm.leaderboard(rows, metric, models="run", group="task").mean_ranks).startswith(
        "Mean ranks are over"
    )


def test_python_has_the_pairs_and_says_what_is_wrong() -> None:
    rows = runs()
    asked: dict[str, Any] = {"models": "run", "label": "y", "score": "p", "group": "task"}
    board = sm.leaderboard(rows, ["mae", "rmse"], **asked)
    assert len(board) == 10
    assert len(board.pairs) == 40
    assert {(row["model"], row["rival"]) for row in board.pairs if row["difference"] == 0} == {
        ("a", "twin"), ("twin", "a"),
    }  # fmt: skip
    assert board.audit.to_dicts()[0]["n_rows"] == 40
    assert "5 [5, 5]" in str(board)
    assert "at 95 %" in str(board)
    assert r"\textsuperscript{" in board.to_latex()
    assert board.to_latex(models=False).count(r"\\") > 10
    message = told(sm.leaderboard, rows[:-1], "mae", **asked)
    assert message.startswith("1 of 40 groups have a value of mae for one of 'd'"), message
    assert "where=" in message
    told_of = {
        "ranks two models or more": ("mae", {"score": "p", "group": "task"}),
        "neither higher nor lower": ("bias", asked),
        "no formula for its standard error": ("ece", asked),
        "need group=": ("mae", {**asked, "group": None}),
        "interval must be a number": ("mae", {**asked, "interval": 2}),
    }
    for part, (metric, facts) in told_of.items():
        assert part in told(sm.leaderboard, rows, metric, **{"label": "y", **facts})
    assert math.isclose(board.pairs.to_dicts()[0]["p_adjusted"], board.pairs["p_adjusted"][0])


def lacking() -> Rows:
    """Runs of which some models lack tasks, in two parts."""
    lost = {("a", 3), ("a", 4), ("c", 4), ("twin", 7)}
    return [{**row, "part": "xy"[row["task"] % 2]} for row in runs() if (row["run"], row["task"]) not in lost]


@pytest.mark.parametrize("by", [None, "part"])
def test_ranks_on_the_units_that_all_models_have(by: str | None, engine: Engine) -> None:
    """Values and tests are those of the tasks that no model lacks; each model says how many it loses."""
    rows = lacking()
    got = ran(engine, rows, ["mae", "rmse"], by=by or [], on_unpaired="intersection")
    kept = [row for row in rows if row["task"] not in (3, 4, 7)]
    asked: dict[str, Any] = {"label": "y", "score": "p", "models": {"run": MODELS}, "group": "task"}
    alone = by_duckdb("leaderboard", kept, ["mae", "rmse"], by=by or [], **asked)
    lost = {"it's b": {3, 4, 7}, "a": {7}, "c": {3, 7}, "twin": {3, 4}, "d": {3, 4, 7}}
    for row, other in zip(got, alone, strict=True):
        for name in ("metric", "model", "rank", "rank_low", "rank_high", "n_units", *([by] if by else [])):
            assert row[name] == other[name], name
        for name in ("value", "low", "high", "difference", "p_adjusted"):
            close(row[name], other[name], 1e-7)
        of_slice = {
            task for task in lost[row["model"]] if not by or row["is_total"] == 1 or "xy"[task % 2] == row[by]
        }
        assert row["n_unpaired"] == len(of_slice)


@pytest.mark.parametrize("total_of", ["rows", "slices"])
def test_models_without_a_common_unit_are_named(total_of: str) -> None:
    rows = [{"m": m, "c": i % 2, "g": f"{m}{i}", "y": i % 3} for m in "ab" for i in range(8)]
    with pytest.raises(
        sm.SqlMetricsError, match="16 of 16 groups have a value of cost for one of 'a' and 'b' alone"
    ):
        sm.leaderboard(
            rows, {"cost": "mean(column=y, better=lower)"}, models="m", group="g", by="c", total_of=total_of
        )


def test_rows_that_some_model_lacks_and_what_is_said_of_them() -> None:
    """A row whose score one model lacks is left out of all, with its note; lists of a truth are all there."""
    rows = [
        {"y": i % 2, "a": i / 40 if i % 9 else None, "b": i % 7 / 7 if i % 5 else None} for i in range(40)
    ]
    asked: dict[str, Any] = {"label": "y", "score": ["a", "b"], "on_bad_rows": "drop"}
    common = {**asked, "on_unpaired": "intersection"}
    board = sm.leaderboard(rows, ["mae", "auc"], **common)
    whole = [row for row in rows if row["a"] is not None and row["b"] is not None]
    for row, other in zip(board, sm.leaderboard(whole, ["mae", "auc"], **asked), strict=True):
        for name in ("model", "value", "rank", "difference", "n_units"):
            assert row[name] == other[name] or row[name] == pytest.approx(other[name]), name
    lost = {row["model"]: row["n_unpaired"] for row in board}
    assert lost == {"a": 7, "b": 4}
    assert "rows left out, since some model lacks them: 7 of a, 4 of b" in board.notes()
    assert "rows dropped: 8 (on_bad_rows='drop')" in board.notes()
    assert "pass on_unpaired='intersection' to rank all on the rows" in told(
        sm.leaderboard, rows, "mae", **asked
    )
    assert told(sm.leaderboard, rows, "mae", **{**asked, "on_unpaired": "union"}).startswith(
        "on_unpaired: 'union' is not known. Allowed: error, intersection"
    )
    lists = {"label": "y", "score": ["a", "b"], "group": "g", "item": "i", "truth": "judged"}
    assert "does not go with truth=" in told(
        sm.render_leaderboard, "t", "mrr", on_unpaired="intersection", **lists
    )
