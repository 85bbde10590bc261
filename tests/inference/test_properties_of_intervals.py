"""What holds for the interval of every metric, over the small tables of conformance: ties, one class, few units."""

from __future__ import annotations

import math
import random
import time
from dataclasses import replace
from typing import Any

import pytest

import sqlmetrics as sm
from conformance.cases import Case
from sqlmetrics.book.catalog import of_notation
from sqlmetrics.book.plan import planned, written
from support.conformance import named, named_cases
from support.engines import Engine, open_engine

ROLES = {"label": "label", "score": "score", "interval": 0.95, "n_resamples": 20}
#: how many metrics a statement has: ClickHouse takes 262,144 signs
PIECE = 15
#: one of each family
FAMILIES = (
    *("untied", "graded", "weights of rows", "truth", "decisions, tied", "decisions, weights", "numbers 0"),
    *("numbers 0, weights", "amounts 0", "levels, tied", "levels, weights", "lists, tied", "lists, weights"),
    *("pooled, ties=average", "item weights, tied", "text classes 0", "classes, weights", "scored classes 0"),
    *("forecasts", "policies", "costs", "attempts", "labels of examples", "gaps"),
)
#: where there is one class, one row or one value, or all is right
EDGES = (
    *("one row", "decisions, one class", "decisions, all tied", "decisions, certain", "decisions, slices"),
    *("numbers, one constant", "amounts right but for a little", "levels, one class", "lists, all relevant"),
    *("items", "classes, one class", "weights of zero"),
)
Intervals = dict[tuple[Any, str], tuple[float, float | None, float | None]]


def asked(case: Case, **facts: Any) -> dict[str, Any]:
    """The arguments of a case, as the macros take them."""
    truth = {"truth": "judged"} if case.truth else {}
    return {**ROLES, "by": case.by, **truth, **case.facts, **{name: name for name in case.tables}, **facts}


def intervals(case: Case, engine: Engine, **facts: Any) -> Intervals:
    """The value and both ends of each metric that has an interval, by slice and notation."""
    tables = {"predictions": case.rows} | ({"judged": case.truth} if case.truth else {}) | case.tables
    found: Intervals = {}
    for start in range(0, len(case.metrics), PIECE):
        metrics = named(replace(case, metrics=case.metrics[start : start + PIECE]))
        statement = sm.render("predictions", metrics, dialect=engine.dialect, **asked(case, **facts))
        for row in engine.query(statement, tables):
            part = row[case.by] if case.by else None
            found |= {
                (part, notation): (row[name], row[f"{name}_low"], row[f"{name}_high"])
                for name, notation in metrics.items()
                if f"{name}_low" in row
            }
    return found


def of_formulas(case: Case, **facts: Any) -> Intervals:
    """The same on DuckDB without the bootstraps, which draw rows by their places."""
    plan = planned("duckdb", "plan", metrics=named(case), relation="predictions", **asked(case, **facts))
    kinds = {column.name: column.interval for column in written(plan).results}
    kept = [
        notation
        for name, notation in named(case).items()
        if kinds.get(f"{name}_low") not in (None, "bootstrap")
    ]
    with open_engine("duckdb") as engine:
        return intervals(replace(case, metrics=kept), engine, **facts)


def assert_same(one: Intervals, other: Intervals) -> None:
    """Nearly alike: which ends are null, and the numbers."""
    assert one.keys() == other.keys()
    wrong = [
        f"{notation} of {part}: {ends}, {other[part, notation]}"
        for (part, notation), ends in one.items()
        for end, its in zip(ends, other[part, notation], strict=True)
        if (end is not its if None in (end, its) else not math.isclose(end, its, rel_tol=1e-8, abs_tol=1e-9))
    ]
    assert not wrong, "\n".join(wrong)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["numbers 0, weights", "lists, weights"])
def test_an_interval_of_a_low_level_holds_its_value(name: str) -> None:
    """Skewed units move it to one side."""
    for key, (value, low, high) in of_formulas(named_cases()[name], interval=0.05).items():
        assert low is None or low <= value <= high, key


@pytest.mark.sample
@pytest.mark.slow
@pytest.mark.parametrize("name", [*FAMILIES, *EDGES])
def test_an_interval_holds_its_value_within_the_range_and_has_a_width(name: str, engine: Engine) -> None:
    """It has both ends, or none."""
    case, wrong = named_cases()[name], []
    for (part, notation), (value, low, high) in intervals(case, engine).items():
        within = of_notation(notation).range
        if low is None or high is None:
            fine = low is high
        else:
            # a sum that an engine makes in another order may round a value of 1 to a neighbour of 1
            inside = low <= value <= high or math.isclose(value, high, rel_tol=1e-15)
            fine = within.low <= low < high <= within.high and inside
        if not fine:
            wrong.append(f"{notation} of {part}: {value} [{low}, {high}]")
    assert not wrong, "\n".join(wrong)


@pytest.mark.slow
def test_intervals_of_many_losses_are_planned_soon() -> None:
    """DuckDB 2 took a minute for these 13: conditions went through the polynomials of critical values as copies."""
    case = named_cases()["numbers 0, weights"]
    before = time.process_time()
    with open_engine("duckdb") as engine:
        found = intervals(replace(case, metrics=case.metrics[PIECE : 2 * PIECE]), engine)
    assert len(found) > 20
    assert time.process_time() - before < 10


@pytest.mark.slow
@pytest.mark.parametrize("name", FAMILIES)
def test_the_order_of_rows_and_weights_of_1_move_no_interval(name: str) -> None:
    """Rank correlations take no weights."""
    case = named_cases()[name]
    case = replace(
        case, metrics=[metric for metric in case.metrics if metric not in ("spearman", "kendall_tau")]
    )
    rows, truth = (
        random.Random(1).sample([{**row, "one": 1.0} for row in given], len(given))
        for given in (case.rows, case.truth or [])
    )
    weighted = {} if "weight" in case.facts else {"weight": "one"}
    assert_same(of_formulas(case), of_formulas(replace(case, rows=rows, truth=truth or None), **weighted))


@pytest.mark.slow
@pytest.mark.parametrize("name", FAMILIES)
def test_four_times_the_units_make_an_interval_narrower(name: str) -> None:
    case = named_cases()[name]
    group = case.facts.get("group")
    rows, truth = (
        [{**row, **({group: f"{row[group]} {copy}"} if group else {})} for row in given for copy in range(4)]
        for given in (case.rows, case.truth or [])
    )
    before, after = of_formulas(case), of_formulas(replace(case, rows=rows, truth=truth or None))
    wider = [
        f"{notation} of {part}: [{low}, {high}], [{after[part, notation][1]}, {after[part, notation][2]}]"
        for (part, notation), (_, low, high) in before.items()
        if low is not None and not after[part, notation][2] - after[part, notation][1] < high - low
    ]
    assert not wider, "\n".join(wider)


#: by its test
COMPARED = {
    None: (
        *(
            "auc",
            "gini",
            "average_precision",
            "accuracy",
            "precision",
            "recall",
            "f1",
            "mcc",
            "kappa",
            "balanced_accuracy",
            "log_loss",
        ),
        *("brier", "mae", "mse", "rmse", "r2", "explained_variance", "concordance", "d2_absolute_error"),
    ),
    "bootstrap": ("auc", "average_precision", "ks", "best_f1", "ece"),
}


@pytest.mark.slow
@pytest.mark.parametrize(("test", "paired"), [(None, True), (None, False), ("bootstrap", True)])
def test_an_interval_of_a_difference_has_0_where_p_is_above_5_percent(test: Any, paired: bool) -> None:
    draw = random.Random(2)
    rows = [
        {"part": part, "y": int(draw.random() < 0.4), "noise": draw.random(), "other": draw.random()}
        for part in range(40)
        for _ in range(30)
    ]
    rows = [
        {**row, "a": 0.3 * row["y"] + 0.7 * row["noise"], "b": 0.6 * row["noise"] + 0.4 * row["other"]}
        for row in rows
    ]
    facts: dict[str, Any] = {"n_resamples": 199} if test else {}
    facts |= {} if paired else {"paired": False, "other": rows}
    report = sm.compare(
        rows, list(COMPARED[test]), baseline="a", candidate="b", label="y", by="part", total=False, test=test,
        **facts,
    ).to_dicts()  # fmt: skip
    tested = [row for row in report if row["p_value"] is not None]
    assert {row["p_value"] <= 0.05 for row in tested} == {True, False}
    wrong = [row for row in tested if (row["p_value"] <= 0.05) == (row["low"] <= 0 <= row["high"])]
    assert not wrong, wrong[:3]


CELLS = ("balanced_accuracy", "informedness", "markedness", "g_mean", "mcc", "kappa", "f1", "accuracy", "auc")


@pytest.mark.slow
@pytest.mark.parametrize("group", [None, "g"])
def test_few_rows_of_a_class_leave_a_width(group: str | None, engine: Engine) -> None:
    """One positive row or two, which are right, say little, whatever the others say; by groups, too."""
    for positives, negatives in ((1, 230), (2, 196), (32, 168)):
        rows = [
            {"y": int(i < positives), "p": 0.9 if i < positives or i % 17 == 0 else 0.1, "g": i % 6}
            for i in range(positives + negatives)
        ]
        statement = sm.render(
            "given", [*CELLS], dialect=engine.dialect, label="y", score="p", interval=0.95, group=group
        )
        [row] = engine.query(statement, {"given": rows})
        for name in CELLS:
            value, low, high = row[name], row[f"{name}_low"], row[f"{name}_high"]
            if low is None:  # one list has a positive row
                assert (name, group, positives, high) == ("auc", "g", 1, None)
                continue
            assert of_notation(name).range.low <= low < value < high <= of_notation(name).range.high, name
            if positives < 3 and name == "balanced_accuracy":
                assert high - low > 0.5, (group, positives)
