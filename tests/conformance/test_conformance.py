"""Every metric on every case and engine against its formula in plain Python, to 1e-9."""

from __future__ import annotations

import math
from functools import cache
from typing import Any

import pytest

import oracles
import sqlmetrics as sm
from conformance.cases import CASES, Case, Rows
from conformance.parity import record
from engines import Engine
from oracles import DIVERSITY, ITEMS, LISTS
from sqlmetrics.catalog import catalog

ASKED = [
    pytest.param(case, notation, id=f"{case.name} | {notation}")
    for case in CASES
    for notation in case.metrics
]
RESULTS: dict[tuple[str, str], Rows] = {}


def usable(row: dict[str, Any]) -> bool:
    """Whether no role of a row is NULL, NaN or infinite."""
    values = [row[name] for name in ("label", "score", "list", "item", "predicted") if name in row]
    return all(value is not None and (isinstance(value, str) or math.isfinite(value)) for value in values)


def computed(case: Case, engine: Engine) -> Rows:
    """All metrics of a case in one statement, run once an engine."""
    if (case.name, engine.name) not in RESULTS:
        named = {f"m{i}": notation for i, notation in enumerate(case.metrics)}
        tables = {"predictions": case.rows} | ({"judged": case.truth} if case.truth else {}) | case.tables
        statement = sm.render(
            named, "predictions", dialect=engine.dialect, by=case.by,
            truth="judged" if case.truth else None,
            **{"label": "label", "score": "score"} | case.facts | {name: name for name in case.tables},
        )  # fmt: skip
        RESULTS[case.name, engine.name] = engine.query(statement, tables)
    return RESULTS[case.name, engine.name]


@cache
def expected(number: int, notation: str, part: Any) -> float | None:
    case = CASES[number]
    rows = [row for row in case.rows if usable(row) and (part == "all" or row[case.by] == part)]
    facts = {name: fact for name, fact in case.facts.items() if name != "score_levels"}
    return oracles.value(notation, rows, truth=case.truth, **facts, **case.tables)


def same(one: float | None, other: float | None) -> bool:
    if one is None or other is None:
        return one is other
    return math.isclose(one, other, rel_tol=1e-9, abs_tol=1e-12)


@pytest.mark.parametrize(("case", "notation"), ASKED)
def test_metric(case: Case, notation: str, engine: Engine) -> None:
    rows = computed(case, engine)
    parts = {row[case.by] for row in case.rows} | {"all"} if case.by else {"all"}
    assert len(rows) == len(parts)
    for row in rows:
        part = "all" if not case.by or row["is_total"] else row[case.by]
        value = expected(CASES.index(case), notation, part)
        got = row[f"m{case.metrics.index(notation)}"]
        assert same(got, value), part
        if value is not None:
            record(engine.name, got, value)


def test_counts_of_bad_rows(engine: Engine) -> None:
    (row,) = computed(next(case for case in CASES if case.name == "bad rows"), engine)
    counts = {name: value for name, value in row.items() if name.startswith(("n_", "rows_", "groups_"))}
    assert counts == {
        "n_rows": 26, "rows_dropped": 6,
        "rows_bad_label": 1, "rows_bad_score": 3, "rows_bad_group": 1, "rows_bad_item": 1,
        "n_groups": 5, "groups_empty": 1, "groups_single_class": 1, "groups_tied": 4, "rows_duplicate": 0,
        "rows_not_binary": 0, "rows_not_probability": 0, "rows_negative_grade": 0, "rows_above_max_grade": 0,
        "rows_huge_grade": 0,
    }  # fmt: skip


def test_counts_of_truth(engine: Engine) -> None:
    (row,) = computed(next(case for case in CASES if case.name == "truth"), engine)
    assert (row["n_rows"], row["n_groups"], row["groups_missing"]) == (18, 6, 2)
    assert (row["groups_empty"], row["rows_without_truth"], row["rows_dropped"]) == (2, 2, 0)


@pytest.mark.parametrize(
    ("notation", "broken", "count"),
    [
        ("auc", {"label": 2}, "rows_not_binary"),
        ("log_loss", {"score": 1.5}, "rows_not_probability"),
        ("ndcg@3", {"label": -1}, "rows_negative_grade"),
        ("err@3", {"label": 2}, "rows_above_max_grade"),
        ("map(on_empty=error)@3", {}, "groups_undefined"),
    ],
)
def test_broken_data_give_null_and_a_count(
    notation: str, broken: dict[str, Any], count: str, engine: Engine
) -> None:
    rows = [
        {**UNTIED_ROW, "label": float(UNTIED_ROW["label"])},
        {**UNTIED_ROW, "item": "other", "list": "b", "label": 0.0, **broken},
    ]
    statement = sm.render(
        {"value": notation}, "predictions", dialect=engine.dialect, label="label", score="score", group="list",
        item="item", max_grade=1,
    )  # fmt: skip
    (row,) = engine.query(statement, {"predictions": rows})
    assert row["value"] is None
    assert row[count] == 1


UNTIED_ROW = {"list": "a", "item": "i", "label": 1, "score": 0.5}


def test_every_metric_has_an_oracle_and_a_case() -> None:
    asked = {(name, "k" in params) for case in CASES for name, params in map(oracles.parse, case.metrics)}
    for metric in catalog().values():
        known = {"lists": LISTS | DIVERSITY, "items": ITEMS, "classes": oracles.SCORED | oracles.CLASSES}
        assert metric.name in known.get(metric.grain, oracles.ROWS) or metric.name in oracles.SCORED
        assert (metric.name, metric.needs_cutoff) in asked
