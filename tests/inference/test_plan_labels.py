"""`plan_labels` and the draw beside Neyman's formulas in plain Python, on every engine; bad input, and notes."""

from __future__ import annotations

import math
import random
import re
from typing import Any

import duckdb
import pyarrow as pa
import pytest
from scipy.stats import t as student

import sqlmetrics as sm
from oracles import labels as oracle
from sqlmetrics.book.templates import macros
from support.engines import Engine

Rows = list[dict[str, Any]]
RIGHT = {"a": 0.97, "b": 0.75, "c": 0.6, "d": 0.8, "e": 0.5}
UNITS = {"a": 400, "b": 160, "c": 40, "d": 9, "e": 60}
ASKED: dict[str, Any] = {"label": "j", "gold": "g", "score": "p", "by": "c"}


def data() -> Rows:
    """A judge who is good in the largest slice. Slice c is soon labelled whole, d has few rows, e no pilot."""
    draw, rows = random.Random(5), []
    for c in (name for name, units in UNITS.items() for _ in range(units)):
        y = int(draw.random() < 0.6)
        judge = y if draw.random() < RIGHT[c] else 1 - y
        p = round(min(0.95, max(0.05, draw.gauss(0.35 + 0.3 * y, 0.2))), 3)
        rows.append({"c": c, "j": judge, "g": y if c != "e" and draw.random() < 0.15 else None, "p": p})
    draw.shuffle(rows)
    return [{"id": i, "u": i // 3, **row} for i, row in enumerate(rows)]


ROWS = data()


def squared(label: int, p: float) -> float:
    return (label - p) ** 2


def slices(rows: Rows) -> dict[str, oracle.Slice]:
    found = {}
    for c in sorted({row["c"] for row in rows}):
        own = [row for row in rows if row["c"] == c]
        seen = [row for row in own if row["g"] is not None]
        people, judge = ([squared(row[label], row["p"]) for row in seen] for label in ("g", "j"))
        found[c] = oracle.Slice(len(own), people, judge)
    return found


def half_width(
    parts: dict[str, oracle.Slice], of: dict[str, oracle.Moments], n: dict[str, float], level: float
) -> float:
    variance, units = oracle.variance(parts, of, n)
    return float(student.ppf((1 + level) / 2, units - 1)) * math.sqrt(variance)


def test_labels_are_divided_by_the_formulas(engine: Engine) -> None:
    """Slice d is labelled whole, and e has no pilot."""
    budget = 120
    asked = macros(engine.dialect).plan_labels("given", "mse", budget=budget, interval=0.9, **ASKED)
    found = engine.query(str(asked), {"given": ROWS})
    parts = slices(ROWS)
    assert [row["c"] for row in found] == [*parts, None]
    new, alike, sd = oracle.labels(parts, budget), oracle.uniform(parts, budget), oracle.open_sd(parts)
    assert sum(new.values()) == budget
    ways = {
        "half_width": {c: len(part.people) + new[c] for c, part in parts.items()},
        "uniform_half_width": {c: len(part.people) + alike[c] for c, part in parts.items()},
    }
    for row, (c, part) in zip(found, parts.items(), strict=False):
        m = len(part.people)
        assert (row["units"], row["labelled"], row["labels"]) == (part.units, m, new[c])
        assert row["uniform_labels"] == pytest.approx(alike[c], rel=1e-9)
        if m < 2:
            assert row["open_sd"] is row["half_width"] is row["uniform_half_width"] is None
            continue
        assert row["open_sd"] == pytest.approx(sd[c], rel=1e-9)
        own = {c: oracle.moments(part, part, m / (m - 1))}
        for name, n in ways.items():
            assert row[name] == pytest.approx(half_width({c: part}, own, n, 0.9), rel=1e-7), (c, name)
    for name, n in ways.items():
        wanted = half_width(parts, oracle.about_all(parts), n, 0.9)
        assert found[-1][name] == pytest.approx(wanted, rel=1e-7), name
    assert found[-1]["labels"] == budget == pytest.approx(found[-1]["uniform_labels"])
    assert found[-1]["half_width"] <= found[-1]["uniform_half_width"]


@pytest.mark.slow
def test_labels_of_lists_are_divided_by_the_formulas(engine: Engine) -> None:
    """A list counts by its first item, as people and the judge label it. ClickHouse once planned 223 for minutes."""
    first = [{**row, "u": row["id"], "i": 0, "p": 0.9} for row in ROWS]
    second = [{**row, "i": 1, "p": 0.1, "j": 1, "g": None if row["g"] is None else 1} for row in first]
    budget, asked = 60, {**ASKED, "group": "u", "item": "i"}
    statement = macros(engine.dialect).plan_labels(
        "given", "precision@1", budget=budget, interval=0.9, **asked
    )
    found = engine.query(str(statement), {"given": [*first, *second]})
    parts = {}
    for c in UNITS:
        own = [row for row in ROWS if row["c"] == c]
        seen = [row for row in own if row["g"] is not None]
        parts[c] = oracle.Slice(len(own), [row["g"] for row in seen], [row["j"] for row in seen])
    new = oracle.labels(parts, budget)
    assert {row["c"]: (row["units"], row["labels"]) for row in found[:-1]} == {
        c: (part.units, new[c]) for c, part in parts.items()
    }
    n = {c: len(part.people) + new[c] for c, part in parts.items()}
    wanted = half_width(parts, oracle.about_all(parts), n, 0.9)
    assert found[-1]["half_width"] == pytest.approx(wanted, rel=1e-7)


@pytest.mark.parametrize("budget", [3, 20, 600])
def test_bounds_of_slices_hold(budget: int) -> None:
    """Of 3 labels no slice gets one at least, of 20 each gets four, of 600 all units are labelled."""
    found = sm.plan_labels(ROWS, "mse", budget=budget, **ASKED).to_dicts()
    assert {row["c"]: row["labels"] for row in found[:-1]} == oracle.labels(slices(ROWS), budget)
    assert (found[-1]["half_width"] is None) == any(row["labels"] + row["labelled"] == 0 for row in found)


def test_the_same_rows_are_drawn_everywhere(engine: Engine) -> None:
    """As many of each slice as the plan says, by a hash; with the weight of their chance, and that of the pilot."""
    asked = macros(engine.dialect).draw_labels("given", "mse", budget=120, key="id", seed=7, **ASKED)
    found = engine.query(str(asked), {"given": ROWS})
    new = oracle.labels(slices(ROWS), 120)
    for c, n in new.items():
        own = [row for row in ROWS if row["c"] == c]
        ids, labelled = [row["id"] for row in own], [row["g"] is not None for row in own]
        wanted = oracle.drawn(ids, labelled, n, [i + 1 for i in ids], 7)
        of_slice = [row for row in found if row["c"] == c]
        assert {row["id"] for row in of_slice if row["to_label"]} == wanted
        assert {row["id"] for row in of_slice if not row["to_label"]} == {
            i for i, seen in zip(ids, labelled, strict=True) if seen
        }
        weight = len(own) / (sum(labelled) + n)
        assert all(row["gold_weight"] == pytest.approx(weight) for row in of_slice)


def counts(found: Rows, of: str = "c") -> dict[Any, tuple[int, int, int]]:
    """Of each slice of a draw: its units by the weight, those that people labelled, and those to label."""
    slices: dict[Any, Rows] = {}
    for row in found:
        slices.setdefault(row[of], []).append(row)
    return {
        c: (
            round(own[0]["gold_weight"] * len(own)),
            sum(1 - row["to_label"] for row in own),
            sum(row["to_label"] for row in own),
        )
        for c, own in slices.items()
    }


@pytest.mark.parametrize("asked", [{"metrics": "mse", "key": "id"}, {"metrics": "ndcg@2", "group": "u"}])
def test_only_what_the_plan_counts_is_drawn(engine: Engine, asked: dict[str, Any]) -> None:
    """A row without a score, and a list without a relevant item, cannot be used; the slices are those of the plan."""
    rows = [
        {**row, "p": None if row["id"] % 4 == 0 else row["p"], "c": "x" if row["u"] % 3 else "z"}
        for row in ROWS
    ]
    of = {"budget": 40, **ASKED, **asked}
    found = engine.query(str(macros(engine.dialect).draw_labels("given", **of)), {"given": rows})
    of.pop("key", None)
    plan = sm.plan_labels(rows, **of, on_bad_rows="drop").to_dicts()
    assert counts(found) == {
        row["c"]: (row["units"], row["labelled"], row["labels"]) for row in plan if row["c"] is not None
    }
    assert all((row["keys_null"], row["keys_repeated"]) == (0, 0) for row in found)
    if "key" in asked:
        assert not {row["id"] for row in rows if row["p"] is None} & {row["id"] for row in found}
    else:
        useless = {row["u"] for row in rows} - {row["u"] for row in rows if row["j"] and row["p"] is not None}
        assert useless
        assert not useless & {row["u"] for row in found}


@pytest.mark.parametrize(
    ("asked", "wrong"),
    [
        ({"metrics": "mse", "key": "id"}, {"id": lambda row: None if row["id"] < 3 else row["id"]}),
        ({"metrics": "mse", "key": ["u", "c"]}, {"u": lambda row: -row["id"] if row["id"] > 8 else row["u"]}),
        ({"metrics": "ndcg@2", "group": "u"}, {"c": lambda row: "x" if row["id"] > 8 else row["c"]}),
        ({"metrics": "ndcg@2", "group": "u"}, {"c": lambda _: "x", "u": lambda row: row["u"] or None}),
    ],
)
def test_keys_that_name_no_unit_or_several_give_no_weights(
    engine: Engine, asked: dict[str, Any], wrong: dict[str, Any]
) -> None:
    rows = [{**row, **{name: of(row) for name, of in wrong.items()}} for row in ROWS]
    of = {"budget": 120, **ASKED, **asked}
    found = engine.query(str(macros(engine.dialect).draw_labels("given", **of)), {"given": rows})
    keys = [row["id"] if "id" in wrong else (row["u"], row["c"]) for row in rows]
    if asked["metrics"] == "mse":
        null = keys.count(None)
        repeated = len({key for key in keys if key is not None and keys.count(key) > 1})
    else:
        useful = {key for key, row in zip(keys, rows, strict=True) if row["j"]}
        null = int(any(u is None for u, _ in keys))
        repeated = sum(len({c for v, c in useful if v == u}) > 1 for u in {u for u, _ in useful} - {None})
    assert found
    assert null + repeated > 0
    for row in found:
        assert (row["keys_null"], row["keys_repeated"]) == (null, repeated)
        assert row["to_label"] is row["gold_weight"] is None


def test_a_key_that_is_a_slice_is_one_column() -> None:
    """Two columns of a name are an error on ClickHouse, and in a table that is made of the result."""
    given = pa.Table.from_pylist(ROWS)  # noqa: F841  DuckDB finds it by name
    drawn = duckdb.sql(sm.render_draw_labels("given", "mse", budget=120, key=["id", "c"], **ASKED))
    assert drawn.columns == ["id", "c", "to_label", "gold_weight", "keys_null", "keys_repeated"]


@pytest.mark.parametrize(
    ("metric", "more"),
    [("auc", {}), ("rmse", {}), ("ndcg@2", {"group": "u", "by": {"c": sm.sql("u % 3")}})],
)
def test_the_width_is_near_that_of_evaluate(metric: str, more: dict[str, Any]) -> None:
    """One label more changes little, so the standard error is that of the corrected value by the pilot."""
    rows = [{**row, "g": None if row["u"] % 4 else row["y"]} for row in with_truth()]
    plan = sm.plan_labels(rows, metric, budget=1, **{**ASKED, **more}).to_dicts()[-1]
    group = {"group": "u"} if "group" in more else {}
    row = sm.evaluate(rows, metric, label="j", gold="g", score="p", **group).to_dicts()[0]
    name = metric.replace("@", "_")
    width = (row[f"{name}_high"] - row[f"{name}_low"]) / 2
    assert plan["uniform_half_width"] == pytest.approx(width, rel=0.05)


def with_truth() -> Rows:
    draw, rows = random.Random(9), []
    for i in range(1800):
        y = int(draw.random() < 0.5)
        judge = y if draw.random() < 0.85 else 1 - y
        p = round(min(0.95, max(0.05, draw.gauss(0.35 + 0.3 * y, 0.2))), 3)
        rows.append({"u": i // 3, "c": i % 3, "j": judge, "y": y, "p": p})
    return rows


def test_the_labels_that_were_planned_narrow_the_interval() -> None:
    """The whole way: plan, draw, labels, corrected value; the width is about what was expected."""
    import duckdb
    import pyarrow as pa

    rows = [{**row, "id": i, "c": "x" if i < 1400 else "z"} for i, row in enumerate(with_truth())]
    draw = random.Random(2)
    for row in rows:
        if row["c"] == "x":
            row["j"] = row["y"]
        row["g"] = row["y"] if draw.random() < 0.1 else None
    plan = sm.plan_labels(rows, "mse", budget=200, **ASKED)
    given = pa.Table.from_pylist(rows)  # noqa: F841 (DuckDB reads it by name)
    statement = sm.render_draw_labels("given", "mse", budget=200, key="id", **ASKED)
    weights = {row[0]: row[3] for row in duckdb.sql(statement).fetchall()}
    labelled = [
        {**row, "g": row["y"] if row["id"] in weights else None, "w": weights.get(row["id"])} for row in rows
    ]
    row = sm.evaluate(labelled, "mse", label="j", gold="g", gold_weight="w", score="p").to_dicts()[0]
    expected = plan.to_dicts()[-1]
    assert row["n_gold"] == expected["labelled"] + 200
    assert (row["mse_high"] - row["mse_low"]) / 2 == pytest.approx(expected["half_width"], rel=0.2)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (
            {"budget": 0},
            "budget= takes the number of rows (or lists) to label, an integer from 1 to 1e15, got 0",
        ),
        ({"gold": None}, "plan_labels reads a pilot; pass the column of its labels by people as gold="),
        ({"by": None}, "plan_labels divides labels among slices; pass their columns as by="),
        ({"score": ["p", "j"]}, "plan_labels plans for one model"),
        ({"metrics": ["mse", "auc"]}, "plan_labels plans for one metric"),
        ({"group": "u"}, "plan_labels draws single rows for 'mse'; leave group= out"),
        ({"metrics": "ks"}, "'ks' cannot be corrected by gold="),
        ({"metrics": "ndcg@2", "group": "u"}, "lists with rows in several slices of c: at least"),
    ],
)
def test_what_cannot_be_planned_is_refused(given: dict[str, Any], said: str) -> None:
    with pytest.raises(sm.SqlMetricsError, match=re.escape(said)):
        sm.plan_labels(ROWS, **{"metrics": "mse", "budget": 20, **ASKED, **given})


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({}, "pass the column that identifies a row as key="),
        ({"key": "id", "seed": -1}, "seed= takes an integer from 0 to 1e6, got -1"),
        (
            {"key": "id", "metrics": "ndcg@2", "group": "u"},
            "draw_labels draws whole lists by group=; leave key= out",
        ),
    ],
)
def test_draws_that_cannot_be_made_are_refused(given: dict[str, Any], said: str) -> None:
    with pytest.raises(sm.SqlMetricsError, match=re.escape(said)):
        sm.render_draw_labels("t", **{"metrics": "mse", "budget": 20, **ASKED, **given})


def test_notes_name_slices_without_a_pilot() -> None:
    notes = sm.plan_labels(ROWS, "mse", budget=120, **ASKED).notes()
    assert "fewer than two labels by people, planned as all slices are on average: d, e" in notes
    alike = [{**row, "g": None if row["g"] is None else 1, "p": 0.4} for row in ROWS]
    found = sm.plan_labels(alike, "mse", budget=20, **ASKED)
    assert found.to_dicts()[0]["half_width"] is None
    assert any(note.startswith("labels by people do not vary: a") for note in found.notes())
