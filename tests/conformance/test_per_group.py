"""The values of single lists on every engine: each is the metric of a table that has that list alone."""

from __future__ import annotations

import pytest

import oracles
from conformance.cases.general import LIST_METRICS, TRUTH_METRICS
from conformance.cases.tables import (
    BAD,
    BINARY,
    GIVEN,
    GRADED,
    GRADES,
    JUDGED,
    RECOMMENDED,
    TIED,
    Case,
    Rows,
    drawn,
)
from sqlmetrics.book.templates import macros
from support.conformance import same, usable
from support.engines import Engine

pytestmark = pytest.mark.sample

# alone in its table a list counts whatever its weight is
UNWEIGHTED = [
    notation for notation in LIST_METRICS if "weight" not in notation and "one, average=micro" not in notation
]
OF_TRUTH = [notation for notation in TRUTH_METRICS if "weight" not in notation]
CASES = [
    Case("tied", UNWEIGHTED, TIED, facts=BINARY),
    Case("graded", UNWEIGHTED, GRADED, facts=GRADES),
    Case("ties=worst", UNWEIGHTED, GRADED, facts={**GRADES, "ties": "worst"}),
    Case("ties=item desc", UNWEIGHTED, GRADED, facts={**GRADES, "ties": "item desc"}),
    Case("drawn", UNWEIGHTED, drawn(3, 4), facts=GRADES),
    Case(
        "slices",
        UNWEIGHTED,
        [{**r, "part": i % 3 or None} for i, r in enumerate(GRADED)],
        facts=GRADES,
        by="part",
    ),
    Case("truth", OF_TRUTH, RECOMMENDED, truth=JUDGED, facts={**GIVEN, "max_grade": 4}),
    Case("bad rows", UNWEIGHTED, [*TIED, *BAD], facts=BINARY),
]


def per_list(case: Case, engine: Engine, metrics: list[str] | None = None) -> Rows:
    named = {f"m{i}": notation for i, notation in enumerate(metrics or case.metrics)}
    tables = {"predictions": case.rows} | ({"judged": case.truth} if case.truth else {})
    statement = macros(engine.dialect)["per_group"](
        "predictions", named, label="label", score="score", by=case.by or [],
        truth="judged" if case.truth else None, **case.facts,
    )  # fmt: skip
    return engine.query(str(statement), tables)


@pytest.mark.slow
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_a_list_alone(case: Case, engine: Engine) -> None:
    rows = [row for row in case.rows if usable(row)]
    got = per_list(case, engine)
    keys = {(row.get(case.by), row["list"]) for row in (rows if case.truth is None else case.truth)}
    assert {(row.get(case.by), row["list"]) for row in got} == keys
    assert len(got) == len(keys)
    for row in got:
        alone = [r for r in rows if r["list"] == row["list"] and r.get(case.by) == row.get(case.by)]
        judged = None if case.truth is None else [r for r in case.truth if r["list"] == row["list"]]
        values = {
            notation: (row[f"m{number}"], oracles.value(notation, alone, truth=judged, **case.facts))
            for number, notation in enumerate(case.metrics)
            if "average=std" not in notation  # a list alone has its value, and no deviation
        }
        assert {notation: pair for notation, pair in values.items() if not same(*pair)} == {}, row["list"]
        labels = [r["label"] for r in (alone if judged is None else judged)]
        scores = [r["score"] for r in alone]
        assert row["n_items"] == len(alone)
        assert row["n_relevant"] == sum(label >= 1 for label in labels)
        if case.facts.get("ties", "average") == "average":
            assert row["n_tied"] == sum(scores.count(score) > 1 for score in scores)


def test_the_order_of_lists(engine: Engine) -> None:
    rows = [{**row, "part": "xy"[i % 2], "other": 1 - row["score"]} for i, row in enumerate(GRADED)]
    statement = macros(engine.dialect)["per_group"](
        "predictions", ["mrr"], label="label", score={"b": "score", "a": "other"}, group="list", by="part"
    )
    got = [
        (row["part"], row["model"], row["list"])
        for row in engine.query(str(statement), {"predictions": rows})
    ]
    assert got == sorted(got, key=lambda key: (key[0], "ba".index(key[1]), key[2]))
    assert len(got) == len({(row["part"], row["list"]) for row in rows}) * 2


def test_counts_are_those_of_all_lists(engine: Engine) -> None:
    """They stand in every row, where nothing else could tell why a value is null."""
    for row in per_list(CASES[-1], engine):
        assert (row["n_rows"], row["rows_dropped"], row["rows_bad_score"]) == (26, 6, 3)
        assert (row["n_groups"], row["groups_empty"], row["groups_tied"]) == (5, 1, 4)
    broken = Case("", ["ndcg@3"], [*GRADED, {**GRADED[0], "item": "x", "label": -1}], facts=GRADES)
    for row in per_list(broken, engine):
        assert (row["m0"], row["rows_negative_grade"]) == (None, 1)


def test_rules_of_empty_and_missing_lists(engine: Engine) -> None:
    case = CASES[6]
    values = {
        "map(on_empty=one)": (0, 1),
        "recall(on_empty=one, average=micro)@3": (0, 1),
        "map(on_missing=skip)": (None, None),
        "map(on_empty=zero)": (0, 0),
        "map": (0, None),
    }
    for row in per_list(case, engine, list(values)):
        for number, (missing, empty) in enumerate(values.values()):
            if row["list"] == "missing":
                assert row[f"m{number}"] == missing
            elif row["list"] == "barren":
                assert row[f"m{number}"] == empty
