"""The generic test `no_drift` as SQL on every engine: what it lets pass, and what it says of what fails."""

from __future__ import annotations

from typing import Any

import pytest

from sqlmetrics.book.templates import macros
from sqlmetrics.errors import SqlMetricsError
from support.engines import Engine, Rows

THEN = [{"g": g, "c": c, "x": x} for g in "uv" for c, x in (("a", 1.0), ("a", 2.0), ("b", 3.0), ("b", 4.0))]
NOW = [{**row, "c": "a" if row["g"] == "u" else row["c"]} for row in THEN]
BOTH: dict[str, Any] = {"columns": ["c", "x"], "numeric": "x", "bins": 2}


def failing(
    engine: Engine, *columns: str, rows: Rows = NOW, model: str = "tested", **arguments: Any
) -> list[tuple]:
    call = {"model": model, "reference": "then_rows", **BOTH, **arguments}
    shown = engine.query(macros(engine.dialect)["test_no_drift"](**call), {"tested": rows, "then_rows": THEN})
    lowered = [{name.lower(): value for name, value in row.items()} for row in shown]
    return sorted((tuple(row[column] for column in columns) for row in lowered), key=repr)


@pytest.mark.sample
@pytest.mark.slow
def test_slices_that_moved_fail(engine: Engine) -> None:
    """Of the first slice every b became a: its total variation is 0.5, and that of both slices 0.25."""
    shown = (
        "g",
        "is_total",
        "column_name",
        "n_current",
        "measure",
        "drift_value",
        "upper_limit",
        "vanished_values",
    )
    asked = {"measure": "total_variation", "by": "g"}
    assert failing(engine, *shown, at_most=0.5, **asked) == []
    assert failing(engine, *shown, at_most=0.25, **asked) == [
        ("u", 0, "c", 4, "total_variation", 0.5, 0.25, "b (2)")
    ]
    assert failing(engine, "g", "drift_value", at_most=0.2, total=True, **asked) == [("u", 0.5), (None, 0.25)]


@pytest.mark.slow
def test_psi_has_a_limit_of_its_own(engine: Engine) -> None:
    assert failing(engine, "column_name", rows=THEN) == []
    assert failing(engine, "column_name", "upper_limit") == [("c", 0.25)]
    assert failing(engine, "column_name", at_most=0.5) == []


@pytest.mark.slow
@pytest.mark.parametrize("by", [[], "g"])
def test_nothing_passes_without_rows(engine: Engine, by: Any) -> None:
    none = "(select * from tested where 1 = 0)"
    slices = 3 if by else 1
    assert failing(engine, "n_current", "drift_value", model=none, by=by) == [(0, None)] * (2 * slices)


@pytest.mark.slow
def test_states(engine: Engine) -> None:
    """Days of a state; that it is made of a part of the data has to be said, or no distance passes."""
    days = [{**row, "day": day, "y": 1} for day, rows in ((1, THEN), (2, NOW)) for row in rows]
    facts = {"label": "y", "period": "day", "by": ["g", "c"]}
    macro = macros(engine.dialect)
    tested = engine.query(str(macro.state("given", "base_rate", **facts)), {"given": days})
    part = engine.query(str(macro.state("given", "base_rate", where="y = 1", **facts)), {"given": days})
    asked = {"columns": "c", "reference": None, "numeric": [], "period": "day", "before": 1, "after": 2, "by": "g",
             "of_state": True, "measure": "total_variation", "at_most": 0.25}  # fmt: skip
    shown = ("g", "drift_value", "vanished_values", "states_of_other_facts")
    assert failing(engine, *shown, rows=tested, **asked) == [("u", 0.5, "b (2)", 0)]
    assert failing(engine, *shown, rows=part, made_where="y = 1", **asked) == [("u", 0.5, "b (2)", 0)]
    slices = sum(row["sm_grain"] == "rows" for row in part)
    assert failing(engine, *shown, rows=part, **asked) == [(g, None, None, slices) for g in "uv"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            {"measure": "psy"},
            "no_drift: measure: 'psy' is not known. Allowed: psi, jensen_shannon, hellinger, total_",
        ),
        ({"measure": "ks"}, "no_drift: measure=ks needs at_most=, its limit"),
        (
            {"measure": "ks", "at_most": 0.1},
            "measure=ks is of numbers; name 'c' in numeric=, or leave it out",
        ),
        (
            {"measure": "ks", "at_most": 0.1, "of_state": True, "made_period": "day", "numeric": []},
            "measure=ks is of numbers, and the slices of a state are categories; take psi, jensen_shannon, hellinger",
        ),
        ({"of_state": True}, "reference= of a state needs made_period="),
        ({"at_most": -1}, "sqlmetrics.no_drift: at_most must be a number >= 0, got -1"),
        ({"at_most": "low"}, "sqlmetrics.no_drift: at_most must be a number >= 0, got low"),
        ({"reference": None}, "drift takes reference=, a second table, or period= with before= and after="),
        ({"limit": 1}, "no_drift takes no limit=; leave it out. It takes: by, where, read_once, columns"),
    ],
)
def test_refused(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(SqlMetricsError) as refused:
        macros("duckdb")["test_no_drift"](**{"model": "t", "reference": "r", **BOTH, **arguments})
    assert message in str(refused.value)
