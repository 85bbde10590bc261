"""Every metric on every case and engine against its formula in plain Python, to 1e-9."""

from __future__ import annotations

from typing import Any

import pytest

import oracles
import sqlmetrics as sm
from conformance.cases import CASES, Case
from oracles import DIVERSITY, EXPOSURE, ITEMS, LISTS, item_weights
from sqlmetrics.book.catalog import catalog
from support.conformance import computed, mismatches, named, named_cases
from support.engines import Engine


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_metric(case: Case, engine: Engine) -> None:
    rows = computed(case, engine)
    parts = {row[case.by] for row in case.rows} | {"all"} if case.by else {"all"}
    assert len(rows) == len(parts)
    wrong = list(mismatches(case, rows, named(case), engine.name))
    assert not wrong, "\n".join([f"{len(wrong)} values differ", *wrong])


@pytest.mark.slow
def test_counts_of_bad_rows(engine: Engine) -> None:
    (row,) = computed(named_cases()["bad rows"], engine)
    counts = {name: value for name, value in row.items() if name.startswith(("n_", "rows_", "groups_"))}
    assert counts == {
        "n_rows": 26, "rows_dropped": 6,
        "rows_bad_label": 1, "rows_bad_score": 3, "rows_bad_group": 1, "rows_bad_item": 1,
        "n_groups": 5, "groups_empty": 1, "groups_single_class": 1, "groups_tied": 4, "rows_duplicate": 0,
        "rows_not_binary": 0, "rows_not_probability": 0, "rows_negative_grade": 0, "rows_above_max_grade": 0,
        "rows_huge_grade": 0, "rows_graded": 0,
    }  # fmt: skip


def test_counts_of_truth(engine: Engine) -> None:
    (row,) = computed(named_cases()["truth"], engine)
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
        "predictions", {"value": notation}, dialect=engine.dialect, label="label", score="score", group="list",
        item="item", max_grade=1,
    )  # fmt: skip
    (row,) = engine.query(statement, {"predictions": rows})
    assert row["value"] is None
    assert row[count] == 1


UNTIED_ROW = {"list": "a", "item": "i", "label": 1, "score": 0.5}


def test_every_metric_has_an_oracle_and_a_case() -> None:
    asked = {(name, "k" in params) for case in CASES for name, params in map(oracles.parse, case.metrics)}
    for metric in catalog().values():
        known = {
            "lists": LISTS | DIVERSITY | EXPOSURE | dict.fromkeys(item_weights.OF_CLICKS),
            "items": ITEMS,
            "classes": oracles.SCORED | oracles.CLASSES,
        }
        known |= dict.fromkeys(("subsets of rows", "rows"), oracles.SUBSETS | oracles.ROWS)
        assert metric.name in known.get(metric.grain, oracles.ROWS) or metric.name in oracles.SCORED
        assert (metric.name, metric.needs_cutoff) in asked


def test_cases_have_names_of_their_own() -> None:
    assert len(named_cases()) == len(CASES)
    assert all(len(set(case.metrics)) == len(case.metrics) for case in CASES)
