"""`leaderboard` and `render_leaderboard`: models in the order of a metric, each with the ranks that it may have."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sqlmetrics.api.compare import OnUnpaired
from sqlmetrics.api.evaluate import Metrics, notations
from sqlmetrics.book.plan import planned, written
from sqlmetrics.errors import DataError
from sqlmetrics.given.facts import named_facts, opened
from sqlmetrics.given.facts_of_state import refuse_state
from sqlmetrics.given.reads import reads_of
from sqlmetrics.given.repeats import repeated_key
from sqlmetrics.options import (
    Convention,
    Key,
    Models,
    Names,
    OnBadRows,
    OnDuplicate,
    OnExtra,
    Options,
    Score,
    Ties,
    TotalOf,
    Unjudged,
    with_options,
)
from sqlmetrics.results.checks import checked_points
from sqlmetrics.results.leaderboard import Leaderboard


@with_options
def leaderboard(
    options: Options,
    data: Any,
    metrics: Metrics = (),
    *,
    score: Score = None,
    models: Models = None,
    label: str | None = None,
    group: Key = None,
    item: str | None = None,
    weight: str | None = None,
    by: Names = None,
    total: bool = True,
    total_of: TotalOf = "rows",
    where: str | None = None,
    truth: Any = None,
    subtopic: str | None = None,
    max_grade: int | None = None,
    positive: float | str | None = None,
    soft: bool = False,
    ties: Ties | None = None,
    convention: Convention | None = None,
    on_extra: OnExtra = "drop",
    on_duplicate: OnDuplicate = "error",
    unjudged: Unjudged | None = None,
    interval: float = 0.95,
    on_unpaired: OnUnpaired = "error",
    on_bad_rows: OnBadRows = "error",
    connection: Any = None,
    dialect: str | None = None,
) -> Leaderboard:
    """Ranks two or more models on the same data, and says which ranks each of them may have.

    All pairs of models are tested as by `compare` (`pairs="all"`, `correction="holm"`): list by list, group by group,
    or row by row. The arguments are those of `evaluate`, with the models in any of its three shapes: a column of scores
    for each, a column that names them (`models`), or a table for each. The last two need `group`.

    Args:
        metrics: those with a better direction and a known spread; each has a board of its own.
        total_of: `rows`; or `slices`, for a board of the mean of the slices, tested as the total of `compare` is.
        interval: the confidence level of the intervals of values, and of all ranks of a board together.
        on_unpaired: what becomes of groups (rows, without `group`) that some model lacks: `error`, or `intersection`,
            which ranks all models on the groups of which every model has rows that can be used. Their values, too, are
            those of these groups.

    Returns:
        A `Leaderboard` with one row for each metric and model, the best first; with `by` a board for each slice, and
        one of all rows, which `total=False` leaves out. Its columns:

        - `metric`, `model`; `value`, `low` and `high`, those of `evaluate`
        - `rank`: one more than the number of better models; models of the same value share it
        - `rank_low` and `rank_high`: one more than the number of models that are significantly better, and the number
          of models less those that are significantly worse. All true ranks of a board lie in these intervals together
          with the probability `interval`
        - `tied_with_best`: 1 if the model is not significantly worse than the first one
        - `difference`: the value less the value of the first, and `p_adjusted`, of its test, corrected by Holm for all
          pairs of models; null for the first
        - `n_units`: the lists, groups or rows on which the model was tested, `n_unpaired` those of one model alone;
          with `on_unpaired="intersection"` those of the model that are left out, since another one lacks them

        `pairs` has the difference and p-value of each pair. Models that do not differ in how they vary, as where there
        is one unit, are never separated. A model without a value has no rank.

    Raises:
        SqlMetricsError: fewer than two models; a metric without a better direction, such as `bias`, or without a
            known spread; groups with a value for only one of two models; `on_unpaired="intersection"` with `truth`; the
            errors of `evaluate`.

    >>> rows = [{"y": i % 2, "a": i % 2 * 0.9, "b": i % 2 * 0.8 + i % 3 / 30, "c": i % 5 / 5} for i in range(60)]
    >>> for row in leaderboard(rows, "mae", score=["c", "b", "a"], label="y"):
    ...     print(row["model"], round(row["value"], 3), row["rank"], row["rank_low"], row["rank_high"])
    a 0.05 1 1 1
    b 0.1 2 2 2
    c 0.5 3 3 3
    """
    with opened(data, options, reads=reads_of(options, notations=metrics)) as given:
        refuse_state(given)
        plan = given.plan(
            "leaderboard_plan", metrics=notations(metrics), with_rivals=True, on_unpaired=on_unpaired
        )
        table, statement = given.run(plan)
    table, audited = checked_points(table, given.by, statement, options.drops_bad_rows)
    audited.further += repeated_key(data, options, "a test")
    board = Leaderboard(table, audited, "rows" if options.group is None else "groups")
    refuse_apart(board, board.units, on_unpaired == "intersection")
    return board


@with_options
def render_leaderboard(
    options: Options,
    relation: str | Mapping[str, str],
    metrics: Metrics,
    *,
    dialect: str = "duckdb",
    score: Score = None,
    models: Models = None,
    label: str | None = None,
    group: Key = None,
    item: str | None = None,
    weight: str | None = None,
    by: Names = None,
    total: bool = True,
    total_of: TotalOf = "rows",
    where: str | None = None,
    truth: str | None = None,
    truth_by: Names = None,
    subtopic: str | None = None,
    max_grade: int | None = None,
    positive: float | str | None = None,
    soft: bool = False,
    ties: Ties | None = None,
    convention: Convention | None = None,
    on_extra: OnExtra = "drop",
    on_duplicate: OnDuplicate = "error",
    unjudged: Unjudged | None = None,
    interval: float = 0.95,
    on_unpaired: OnUnpaired = "error",
) -> str:
    """Returns a statement with the rows of `leaderboard`, in any dialect. The relation need not exist yet.

    The arguments are those of `leaderboard` and `render`.

    >>> render_leaderboard("runs", "mae", score=["a", "b"], label="y").splitlines()[-1][:67]
    'order by sm_metric asc, case when sm_value is null then 1 else 0 en'
    """
    facts = named_facts(relation, options)
    return written(
        planned(dialect, "leaderboard_plan", metrics=notations(metrics), on_unpaired=on_unpaired, **facts)
    ).text


def refuse_apart(board: Leaderboard, units: str, common: bool) -> None:
    """Rejects models whose values are of other units.

    Args:
        board: the leaderboard.
        units: "rows" or "groups", for the message.
        common: whether they are already those of which every model has rows.
    """
    apart = [row for row in board.pairs if row["n_unpaired"]]
    if not apart:
        return
    row = max(apart, key=lambda row: row["n_unpaired"])
    rest = f"leave those {units} out of the data, as where= does"
    if not common:
        rest = f"pass on_unpaired='intersection' to rank all on the {units} that every model has, or {rest}"
    both = row["n_units"] or 0
    raise DataError(
        f"{row['n_unpaired']:,} of {row['n_unpaired'] + both:,} {units} have a value of {row['metric']} for"
        f" one of '{row['model']}' and '{row['rival']}' alone, and models are ranked on the same {units}; {rest}"
    )
