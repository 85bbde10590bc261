"""`sample_size`: how many rows, lists or groups a comparison needs, from a pilot."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial
from typing import Any

from sqlmetrics.api.compare import compared_models, refuse_unpaired
from sqlmetrics.api.evaluate import Metrics, notations
from sqlmetrics.book.plan import planned, written
from sqlmetrics.book.templates import macros
from sqlmetrics.errors import SqlMetricsError
from sqlmetrics.given.columns import got
from sqlmetrics.given.facts import named_facts, opened
from sqlmetrics.given.models import chosen
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
    Unjudged,
    with_options,
)
from sqlmetrics.results.audited import Sizes
from sqlmetrics.results.checks import checked_points


@with_options
def sample_size(
    options: Options,
    data: Any,
    metrics: Metrics = (),
    *,
    baseline: str,
    candidate: str | Iterable[str] | Mapping[str, str] | None = None,
    score: Score = None,
    models: Models = None,
    difference: float | Mapping[str, float] | None = None,
    n: int | None = None,
    power: float = 0.8,
    interval: float = 0.95,
    label: str | None = None,
    group: Key = None,
    item: str | None = None,
    weight: str | None = None,
    by: Names = None,
    total: bool = True,
    total_name: str | None = None,
    where: str | None = None,
    truth: Any = None,
    subtopic: str | None = None,
    max_grade: int | None = None,
    positive: float | str | None = None,
    ties: Ties | None = None,
    convention: Convention | None = None,
    on_extra: OnExtra = "drop",
    on_duplicate: OnDuplicate = "error",
    unjudged: Unjudged | None = None,
    on_bad_rows: OnBadRows = "error",
    connection: Any = None,
    dialect: str | None = None,
) -> Sizes:
    """Plans a comparison: how many rows, lists or groups detect a difference, or which difference so many detect.

    The data are a pilot: data of the same kind, of any size. With a `candidate`, both models score the same units, and
    the number follows from the variance of their difference. Without one, the numbers are for each of two independent
    arms, such as those of an experiment, and follow from the variance of the metric of the one model. The rows of a
    `group` count together, so that the correlation within groups is in the number. The arguments not explained here
    are those of `compare`.

    Args:
        data: the pilot, as for `evaluate`.
        metrics: as for `evaluate`; metrics with a formula for their spread, as for `compare` without a bootstrap.
        baseline: the column of a score, or the name of a model in `score`.
        candidate: the column of another score, a list of columns, or a mapping of names to columns. With `score` the
            name of a model, or several.
        score: the models, as for `compare`.
        models: the column that names the model of a row, as for `compare`.
        difference: the difference to detect, a number above 0 in the unit of the metric, or a mapping of metrics to
            such numbers. A note names metrics whose range has no room for such an improvement.
        n: instead of `difference` a number of units, at least 2: the smallest difference that they detect.
        power: the probability of detecting the difference, from 0.5 to 0.999999.
        interval: 1 - `interval` is the level of the two-sided test.

    Returns:
        One row for each slice, metric and candidate: the columns of `by`, `is_total`, `metric`, `candidate`,
        `baseline_value`, `candidate_value` and `n_pilot` (of the pilot, the units that count), `n_unpaired`,
        `minimum_detectable` (the smallest difference that the pilot itself detects), `difference`, `n` (the units that
        detect it: lists; groups, or rows without `group`) and `rows` (`n` times the rows of the pilot for each of its
        units). Without a candidate `n` and `rows` are those of one arm. They and `minimum_detectable` are null
        where the pilot has fewer than two units, or none that varies. A difference that the range of the metric does
        not hold is null.

    Raises:
        SqlMetricsError: neither `difference` nor `n`, or both; a difference wider than the range of its metric; a
            metric without a known spread; the errors of `compare`.

    >>> rows = [{"y": i % 2, "old": i % 7 / 7, "new": (i % 7 + i % 3) / 9, "u": i // 4} for i in range(84)]
    >>> sized = sample_size(rows, "mae", baseline="old", candidate="new", label="y", difference=0.02)
    >>> sized["n"], sized["rows"]
    ([251], [251])
    >>> sized = sample_size(rows, "mae", baseline="old", candidate="new", label="y", n=1000)
    >>> round(sized["difference"][0], 4)
    0.01

    Users whose rows depend on each other, in two arms:

    >>> sized = sample_size(rows, "mae", baseline="old", label="y", group="u", difference=0.02)
    >>> sized["n"][0], sized["rows"][0] == 4 * sized["n"][0]
    (527, True)
    """
    choose = partial(_models, baseline, candidate)
    options = chosen(data, options, choose)
    with opened(data, options, reads=reads_of(options, notations=metrics), choose=choose) as given:
        plan = given.plan(
            "sample_size_plan", metrics=notations(metrics), difference=difference, n=n, power=power
        )
        table, statement = given.run(plan)
    table, audited = checked_points(table, given.by, statement, options.drops_bad_rows)
    audited.further += repeated_key(data, options, "a size")
    sized = Sizes(table, audited)
    if candidate is not None:
        whole = {name for name, units in statement.units.items() if units not in ("lists", "groups")}
        refuse_unpaired(sized, baseline, "error", "rows" if group is None else "groups", whole)
    return sized


@with_options
def render_sample_size(
    options: Options,
    relation: str | Mapping[str, str],
    metrics: Metrics,
    *,
    baseline: str,
    candidate: str | Iterable[str] | Mapping[str, str] | None = None,
    score: Score = None,
    models: Models = None,
    difference: float | Mapping[str, float] | None = None,
    n: int | None = None,
    power: float = 0.8,
    interval: float = 0.95,
    dialect: str = "duckdb",
    label: str | None = None,
    group: Key = None,
    item: str | None = None,
    weight: str | None = None,
    by: Names = None,
    total: bool = True,
    total_name: str | None = None,
    where: str | None = None,
    truth: str | None = None,
    truth_by: Names = None,
    subtopic: str | None = None,
    max_grade: int | None = None,
    positive: float | str | None = None,
    ties: Ties | None = None,
    convention: Convention | None = None,
    on_extra: OnExtra = "drop",
    on_duplicate: OnDuplicate = "error",
    unjudged: Unjudged | None = None,
) -> str:
    """Returns the statement that `sample_size` would run, in any dialect. The relation need not exist yet.

    The arguments are those of `sample_size` and `render`.

    >>> asked = {"baseline": "old", "candidate": "new", "label": "y", "group": "u", "difference": 0.01}
    >>> render_sample_size("predictions", "mrr", **asked).splitlines()[-1]
    'order by sm_asked.sm_metric asc, sm_asked.sm_candidate asc'
    """
    facts = named_facts(relation, options, partial(_models, baseline, candidate))
    asked = {"metrics": notations(metrics), "difference": difference, "n": n, "power": power}
    return written(planned(dialect, "sample_size_plan", **asked, **facts)).text


def _models(
    baseline: str, candidate: str | Iterable[str] | Mapping[str, str] | None, score: Any
) -> dict[str, str]:
    """The score columns by model name: the baseline, alone or first."""
    if candidate is not None:
        return compared_models(baseline, candidate, two_tables=False, score=score)
    if not isinstance(baseline, str):
        raise SqlMetricsError(f"baseline= takes a column name or sm.sql(...), got {got(baseline)}")
    return dict(macros("duckdb")["sized_models"](baseline, None, score))
