"""`compare` and `render_compare`: tests the difference of a metric between two models."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial
from typing import Any, Literal

from sqlmetrics.api.evaluate import Metrics, notations
from sqlmetrics.api.states import (
    check_pairs_held,
    one_table,
    opens_state,
    reading,
    refuse_lacking_models,
    refuse_settled,
)
from sqlmetrics.book.plan import planned, written
from sqlmetrics.book.templates import macros
from sqlmetrics.errors import DataError, SqlMetricsError, counted
from sqlmetrics.given.columns import as_list, got
from sqlmetrics.given.facts import named_facts, named_table, opened
from sqlmetrics.given.facts_of_state import period_of, said
from sqlmetrics.given.models import chosen, tables_in
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
from sqlmetrics.results.audited import Comparison, Sizes
from sqlmetrics.results.checks import checked_points

Test = Literal["t", "wilcoxon", "sign", "randomisation", "bootstrap", "anytime"]
Pairs = Literal["baseline", "all"]
Correction = Literal["holm", "bh"]
Family = Literal["metric", "all"]
OnUnpaired = Literal["error", "intersection"]
#: the options that a comparison of the models of a state takes
OF_STATES = (
    "by", "total", "total_of", "total_name", "where", "interval", "n_resamples", "tightest_at", "connection",
    "dialect",
)  # fmt: skip
#: what the plan of a comparison takes besides models, metrics and facts
OF_PLAN = ("paired", "pairs", "test", "correction", "family", "power", "on_unpaired", "margin")


@with_options
def compare(
    options: Options,
    data: Any = None,
    metrics: Metrics = (),
    *,
    baseline: str | None = None,
    y_true: Any = None,
    y_score: Any = None,
    groups: Any = None,
    sample_weight: Any = None,
    candidate: str | Iterable[str] | Mapping[str, str] | None = None,
    score: Score = None,
    models: Models = None,
    other: Any = None,
    paired: bool = True,
    pairs: Pairs = "baseline",
    label: str | None = None,
    gold: str | None = None,
    gold_weight: str | None = None,
    group: Key = None,
    item: str | None = None,
    weight: str | None = None,
    by: Names = None,
    total: bool = True,
    total_of: TotalOf = "rows",
    total_name: str | None = None,
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
    test: Test | None = None,
    correction: Correction | None = None,
    family: Family | None = None,
    margin: float | Mapping[str, float] | None = None,
    power: float = 0.8,
    n_resamples: int = 1000,
    tightest_at: int | None = None,
    on_unpaired: OnUnpaired = "error",
    on_bad_rows: OnBadRows = "error",
    connection: Any = None,
    dialect: str | None = None,
) -> Comparison:
    """Compares a metric of one or more candidates with that of a baseline, or of all models, and tests the difference.

    Metrics of lists (`ndcg@10`, `gauc`) are compared list by list. AUC and metrics made of sums over rows
    (`brier`, `rmse`, `precision`) are compared by the influence of each `group`, or of each row without
    `group`. All other metrics need the bootstrap (`test="bootstrap"`). The arguments not explained here are
    those of `evaluate`.

    Args:
        data: as for `evaluate`, as are `metrics`. Or a state of several models, as for `finish`, that was made with
            `intervals=True`; it already holds its columns and options, and the test is `t` or `anytime`.
        baseline: the model with which others are compared: the column of its score, or its name in `score`, `models`
            or the mapping of tables.
        y_true, y_score, groups, sample_weight: arrays in place of `data`, as for `evaluate`; `y_score` maps the names
            of models to their scores.
        candidate: the column of another score, a list of columns, or a mapping of names to columns. Where models have
            names, the name of one, or several; all others, if it is left out.
        score: the models, as for `evaluate`: a list of columns, or a mapping of names to columns.
        models: the column that names the model of a row, as for `evaluate`; `score` is then one column. What the models
            have is paired by `group`: their lists, or their rows of a user or key, whatever items they list. A group
            that one model lacks is an error, or is left out of both by `on_unpaired="intersection"`; `n_unpaired`
            counts such groups.
        other: second data that hold the candidates, such as the predictions of another run, with the same
            columns of `label` (unless there is a `truth`), `group`, `item`, `weight` and `by`. Its groups are
            paired with those of `data` by their key.
        paired: False if `other` holds other data: other users, another week, the other arm of an experiment.
            The two are then independent samples of units (lists; rows, or their groups), each with a variance
            of its own. The test is Welch's t test, or DeLong's for AUC, by Student's t as well.
        pairs: the models that are compared: `baseline`, each candidate with the baseline, or `all`, each model
            with those named before it, the baseline first. The column `baseline` then names the other model.
        gold: the label by people, NULL in rows where they gave none, as for `evaluate`. The difference is corrected as
            a value of its own and tested by Student's t. Both values take the power of the judge that makes it most
            certain, so they may differ a little from those of `evaluate`. A group of `models` needs rows of both.
        total_of: `rows`, the difference over all rows together; or `slices`, the mean of the differences of the slices,
            each of equal weight, which needs `by`. Slices are strata, and a group that lies in several is one unit. Its
            test is `t` for every metric, AUC and shares of rows, too, or `anytime`.
        interval: the confidence level of the interval of the difference.
        test: the test of the pairs. `t` is Student's, the default; for AUC it is DeLong's, and for shares of
            rows such as accuracy and recall, row by row without `weight`, McNemar's. `wilcoxon` (signed
            ranks), `sign` (for these shares McNemar's exact test) and `randomisation`
            (Fisher's) test the differences of the groups' own values, whatever their weight. Wilcoxon's test
            is exact for up to 25 differences that are not 0, tied or not, and else uses the normal
            approximation. The sign test is always exact. `bootstrap` serves
            every metric: it computes both models in replicates of the data that draw the same groups, or rows.
            Its interval excludes 0 exactly if its p-value is at most 1 - `interval`, and is null with fewer
            than 2 / (1 - `interval`) - 1 draws. `anytime` serves the metrics of `t` where data grow and are compared
            again and again: its interval and p-value hold at all looks together, so that the first look with a small
            p-value may end the comparison.
        correction: correction of the p-values of a family of tests, in `p_adjusted`: `holm`, for the probability
            of any false finding in the family, or `bh` (Benjamini and Hochberg), for the share of false findings.
        family: the tests that are corrected together: `metric`, the pairs of models of each metric and slice (the
            default), or `all`, every row of the result: pairs of models, metrics, slices and the total. Holm's
            over `all` is the family-wise p-value of the whole call.
        margin: the smallest difference that matters, a number above 0 in the unit of the metric, or a mapping of
            metrics to such numbers; adds a verdict for each row. A relative margin is a number of your own, such as
            1 % of the baseline's value.
        power: the probability of detecting a difference of `minimum_detectable`, from 0.5 to 0.999999.
        n_resamples: number of draws of the randomisation test and the bootstrap. The bootstrap costs about
            this many times as much as its metrics, and 200 times more for replicates of replicates.
        tightest_at: with `test="anytime"` the number of groups (rows, without `group`) at which the interval is
            tightest, an integer from 30; None is 400. It is chosen before the data.
        on_unpaired: treatment of groups with a value for only one of two models: `error`, or `intersection`
            to compute both models over the groups with both values. `intersection` needs a metric that is a
            ratio of sums over groups.

    Returns:
        A `Comparison` with one row for each slice, metric and candidate. Its columns:

        - the columns of `by`, `is_total`, `metric`, `candidate` (its name), before it with `pairs="all"` `baseline`
        - `baseline_value`, `candidate_value`, `difference` (the candidate less the baseline),
          `relative_difference` (as a share of the baseline's size), `low` and `high` (the interval of the
          difference)
        - `test` (`delong` for AUC, `mcnemar` for shares of rows; `anytime`; `wilcoxon_exact` or `wilcoxon_normal`),
          `statistic`, `p_value` (two-sided), `p_adjusted`
        - `wins`, `ties` and `losses`: groups (rows, without `group`) in which the candidate's own value is
          better, the same or worse, so for a loss lower, the same or higher; null for a metric that a single
          group does not have, such as `rmse`, and for a bootstrap; `wins` and `losses` are null, too, for a
          metric without a better direction, such as `base_rate` and `bias`
        - `n_pairs`: the groups that count; `n_unpaired`: groups with a value for only one of the two models,
          for a bootstrap those that one model lacks
        - `minimum_detectable`: the smallest difference that this many groups would detect with this power;
          null if it is beyond the range of the metric
        - with `gold`: `difference_judge`, by the machine alone, `difference_gold`, by people alone, and `n_effective`,
          how many labels by people alone would give an interval as narrow; with `group` `n_gold_groups`, the groups
          with such labels; `wins`, `ties` and `losses` are null
        - with `margin`: `margin`; `p_equivalence`, the larger p-value of the two one-sided tests (TOST) that the
          difference is at -margin or below, and at margin or above; and `verdict`

        The verdict is read off the interval [`low`, `high`], whatever `test` is, turned so that a higher difference
        is better. It is the first that holds: `equivalent`, the whole interval lies within (-margin, margin), even if
        it excludes 0; `better`, it lies above 0; `worse`, below 0; `not worse`, above -margin; `undecided`. A metric
        without a better direction is `equivalent`, `differs` or `undecided`. Without an interval the verdict is null,
        and a metric for which `margin` has no number is `better`, `worse` or `undecided`. The level of the verdict is
        `interval`: two one-sided tests at 5 % are `interval=0.9`, and the default, 0.95, asks for more. So a row is
        `equivalent` exactly if `p_equivalence` is at most (1 - `interval`) / 2.

        Interval, statistic and p-value are null for fewer than two pairs, or if all pairs differ by the same
        amount, as those of identical models do; shares of rows have them by the default test. With
        `paired=False`, `test` is `welch` or `delong`, and `n_baseline` and `n_candidate`, the units of each
        model, replace `wins` to `n_unpaired`.

    Raises:
        SqlMetricsError: a metric without a known spread, except with `test="bootstrap"`; the same column as
            baseline and candidate; groups with a value for only one model; a column that `other` lacks; a margin that
            is not above 0, or of a metric that is not compared; the errors of `evaluate`.

    >>> lists = [(1, 0.9, 0.2), (0, 0.8, 0.1)], [(1, 0.3, 0.6), (0, 0.4, 0.5)], [(0, 0.9, 0.1), (1, 0.2, 0.7)]
    >>> rows = [{"u": u, "y": y, "old": a, "new": b} for u, rows in enumerate(lists) for y, a, b in rows]
    >>> compared = compare(rows, "mrr", baseline="old", candidate="new", label="y", group="u").to_dicts()[0]
    >>> compared["candidate_value"], compared["wins"], compared["ties"], round(compared["p_value"], 4)
    (1.0, 2, 1, 0.1835)

    Three models, each with each, with the family-wise p-value of all comparisons:

    >>> rows = [{"y": i % 2, "a": 0.5, "b": 0.5 + (i % 3 - 1) / 9, "c": (i % 5 + 3 * (i % 2)) / 7} for i in range(30)]
    >>> asked = {"score": ["a", "b", "c"], "baseline": "a", "label": "y", "pairs": "all"}
    >>> for row in compare(rows, "mse", correction="holm", family="all", **asked):
    ...     print(row["baseline"], row["candidate"], round(row["difference"], 3), row["p_adjusted"] < 0.05)
    a b 0.008 False
    a c -0.128 True
    b c -0.136 True

    Is a smaller model as good, if 0.1 of its error does not matter?

    >>> rows = [{"y": i % 2, "large": 0.8 * (i % 2), "small": 0.8 * (i % 2) + (i % 3) / 60} for i in range(30)]
    >>> asked = {"baseline": "large", "candidate": "small", "label": "y"}
    >>> compared = compare(rows, "mae", margin=0.1, **asked).to_dicts()[0]
    >>> round(compared["difference"], 4), compared["verdict"], compared["p_equivalence"] < 0.025
    (0.0, 'equivalent', True)

    Runs in long form, a row for each run, query and document:

    >>> runs = {"a": 2, "b": 3}
    >>> rows = [{"run": r, "q": i // 4, "y": i % 4 == 1, "p": i * runs[r] % 5} for r in runs for i in range(80)]
    >>> compared = compare(rows, "mrr", models="run", baseline="a", label="y", score="p", group="q").to_dicts()[0]
    >>> compared["candidate"], compared["n_pairs"], compared["n_unpaired"]
    ('b', 20, 0)

    States of days, whose data are not read again, and the data themselves:

    >>> import sqlmetrics as sm
    >>> days = [[{"day": d, "y": i % 2, "a": 0.5, "b": (i + d) % 3 / 3} for i in range(10)] for d in range(3)]
    >>> facts = {"label": "y", "score": ["a", "b"]}
    >>> states = [sm.state(day, "brier", period="day", intervals=True, **facts) for day in days]
    >>> for data, more in ((states, {}), (sum(days, []), facts)):
    ...     print(round(compare(data, "brier", baseline="a", **more).to_dicts()[0]["p_value"], 4))
    0.1133
    0.1133

    Two arms of an experiment, each with users of its own:

    >>> day = [{"arm": "ab"[u % 2], "clicked": u % 3 == 0, "p": (u % 5 + 1) / 6} for u in range(60)]
    >>> arms = [[row for row in day if row["arm"] == arm] for arm in "ab"]
    >>> compared = compare(arms[0], "brier", baseline="p", other=arms[1], candidate="p", paired=False, label="clicked")
    >>> [compared.to_dicts()[0][name] for name in ("test", "n_baseline", "n_candidate")]
    ['welch', 30, 30]
    """
    asked = {
        "metrics": notations(metrics),
        "paired": paired,
        "test": test,
        "correction": correction,
        "power": power,
        "on_unpaired": on_unpaired,
        "margin": margin,
        "pairs": pairs,
        "family": family,
    }
    if _may_be_a_state(options, data, candidate) and other is None:
        from sqlmetrics.engines.tables import reusable  # which imports DuckDB

        data = reusable(one_table(data))
        if opens_state(data, options):
            refuse_settled(options, OF_STATES)
            return _of_state(data, options, baseline, candidate, asked)
    order: list[str] = []

    def choose(score: Any) -> dict[str, str]:
        found = compared_models(baseline, candidate, other is not None, score)
        given = [*score] if isinstance(score, (Mapping, list, tuple)) else []
        order[:] = given if {*found} <= {*given} else found
        return found

    options = chosen(data, options, choose)
    with opened(
        data, options, reads=reads_of(options, notations=metrics), other=other, choose=choose
    ) as given:
        plan = given.plan("compare_plan", **asked)
        table, statement = given.run(plan)
    table, audited = checked_points(table, given.by, statement, options.drops_bad_rows)
    audited.further += repeated_key(data, options, "a test")
    compared = Comparison(table, audited)
    compared.order = order
    if paired:
        drawn = "rows" if options.group is None else "groups"
        whole = {name for name, units in statement.units.items() if units not in ("lists", "groups")}
        refuse_unpaired(compared, None if other is not None else baseline, on_unpaired, drawn, whole)
    return compared


def _may_be_a_state(options: Options, data: Any, candidate: Any) -> bool:
    """Whether no scores are named, which a state holds."""
    unnamed = options.score is None and (options.label is None or candidate is None)
    return unnamed and options.models is None and not tables_in(data)


def _of_state(
    data: Any, options: Options, baseline: str | None, candidate: Any, asked: dict[str, Any]
) -> Comparison:
    """The comparison of the models of a state."""
    with reading(data, options) as given:
        known = given.facts["score"]
        if not isinstance(known, dict):
            raise SqlMetricsError(
                f"{given.relation.name} is a state of one model; compare takes one of several, which"
                " sm.state(...) makes with score=['a', 'b'] and intervals=True"
            )
        given.facts["score"] = compared_models(baseline, candidate, False, known)
        plan = given.plan("compare_plan", of_state=True, **asked)
        check_pairs_held(given, plan, asked["metrics"])
        refuse_lacking_models(given, given.facts["score"], options.where)
        table, statement = given.run(plan)
        units = "rows" if given.facts["group"] is None else "groups"
    table, audited = checked_points(table, given.by, statement, drop=True)
    compared = Comparison(table, audited)
    compared.order = [*known]
    refuse_unpaired(compared, baseline, asked["on_unpaired"], units, set())
    return compared


@with_options
def render_compare(
    options: Options,
    relation: str | Mapping[str, str],
    metrics: Metrics,
    *,
    baseline: str,
    candidate: str | Iterable[str] | Mapping[str, str] | None = None,
    score: Score = None,
    models: Models = None,
    other: str | None = None,
    paired: bool = True,
    pairs: Pairs = "baseline",
    dialect: str = "duckdb",
    label: str | None = None,
    gold: str | None = None,
    gold_weight: str | None = None,
    group: Key = None,
    item: str | None = None,
    weight: str | None = None,
    by: Names = None,
    total: bool = True,
    total_of: TotalOf = "rows",
    total_name: str | None = None,
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
    test: Test | None = None,
    correction: Correction | None = None,
    family: Family | None = None,
    margin: float | Mapping[str, float] | None = None,
    power: float = 0.8,
    n_resamples: int = 1000,
    tightest_at: int | None = None,
    on_unpaired: OnUnpaired = "error",
    of_state: bool = False,
    period: str | None = None,
    made_where: str | None = None,
) -> str:
    """Returns the statement that `compare` would run, in any dialect. The relation need not exist yet.

    The arguments are those of `compare` and `render`; `other` is a table name or a query, as SQL.

    Args:
        of_state: True for a state. The facts must then be those with which it was made, as for `render_finish`.
        period: of a state, the column of its periods.
        made_where: of a state, the `where` of the call that made it.

    >>> asked = {"baseline": "old", "candidate": "new", "label": "y", "group": "u"}
    >>> render_compare("predictions", "mrr", **asked).splitlines()[-1]
    'order by sm_asked.sm_metric asc, sm_asked.sm_candidate asc'
    """
    facts = named_facts(relation, options, partial(compared_models, baseline, candidate, other is not None))
    if other is not None:
        first, *_ = facts["score"]
        facts["score"] = {
            name: column if name == first else {"sql": column, "relation": named_table(other, "other")}
            for name, column in facts["score"].items()
        }
    if of_state:
        facts |= {"said": said(options), "made_where": made_where}
        facts["period"] = None if period is None else period_of(facts["columns"], period)
    elif period is not None or made_where is not None:
        raise SqlMetricsError("period= and made_where= are of a state; leave them out, or pass of_state=True")
    plan = planned(
        dialect,
        "compare_plan",
        of_state=of_state,
        metrics=notations(metrics),
        paired=paired,
        test=test,
        correction=correction,
        power=power,
        on_unpaired=on_unpaired,
        margin=margin,
        pairs=pairs,
        family=family,
        **facts,
    )
    return written(plan).text


def compared_models(
    baseline: str | None,
    candidate: str | Iterable[str] | Mapping[str, str] | None,
    two_tables: bool,
    score: Any = None,
) -> dict[str, str]:
    """The score columns by model name, the baseline first."""
    if baseline is None:
        models = f" Models: {counted([*score])}" if isinstance(score, Mapping) else ""
        raise SqlMetricsError(
            f"compare needs baseline=, the name of the model with which the others are compared.{models}"
        )
    if not isinstance(baseline, str):
        raise SqlMetricsError(f"baseline= takes a column name or sm.sql(...), got {got(baseline)}")
    candidates = candidate if isinstance(candidate, Mapping) else as_list(candidate, "candidate")
    for column in candidates:
        if not isinstance(column, str):
            raise SqlMetricsError(f"candidate= takes names of columns or sm.sql(...), got {got(column)}")
    return dict(macros("duckdb")["compared_models"](baseline, candidates, two_tables, score))


def refuse_unpaired(
    compared: Comparison | Sizes, baseline: str | None, on_unpaired: str, units: str, whole: set[str]
) -> None:
    """Rejects a comparison that unpaired units left without a value.

    Args:
        compared: the comparison.
        baseline: the baseline's name, for the message; None if the candidates are in a second table.
        on_unpaired: as for `compare`.
        units: "rows" or "groups", for the message.
        whole: the metrics that cannot be computed over a part of the data.
    """
    lacking = [row for row in compared.to_dicts() if row["n_unpaired"] and row["candidate_value"] is None]
    if not lacking:
        return
    pairs = "n_pilot" if isinstance(compared, Sizes) else "n_pairs"
    # the total if it lacks one, otherwise the slice that lacks most
    row = max(lacking, key=lambda row: (row["metric"] in whole, row.get("is_total") or 0, row["n_unpaired"]))
    rest = f"; pass on_unpaired='intersection' to take both over the {units} that have both values"
    if isinstance(compared, Sizes):
        rest = f"; leave those {units} out of the data"
    if on_unpaired == "intersection" and not row[pairs]:
        return  # there is no such group
    if on_unpaired == "intersection" or row["metric"] in whole:
        rest = f", which cannot be taken over a part of the {units}; leave those rows out of the data, as where= does"
    first = row.get("baseline", baseline)
    one = f"for one of '{first}' and '{row['candidate']}'" if baseline else "in one of the two tables"
    slice_ = ", ".join(f"{name}={row[name]!r}" for name in compared.by if not row.get("is_total"))
    there = f"{units} where {slice_}" if slice_ else units
    raise DataError(
        f"{row['n_unpaired']:,} of {row['n_unpaired'] + row[pairs]:,} {there} have a value of"
        f" {row['metric']} {one} alone{rest}"
    )
