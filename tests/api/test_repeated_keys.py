"""A note where rows repeat a key and no group= names it: intervals and tests take rows as independent."""

from __future__ import annotations

from typing import Any

import pytest

import sqlmetrics as sm

ROWS = [
    {
        "y": i % 2,
        "p": i * 7 % 13 / 13,
        "q": i * 5 % 13 / 13,
        "user_id": f"u{i // 4}",
        "w": 1.0,
        "country_id": i % 3,
    }
    for i in range(80)
]
FACTS = {"label": "y", "score": "p"}
TOLD = (
    "20 values of 'user_id' in 80 rows: {} takes rows as independent;"
    " group='user_id' takes the rows of a value together"
)


def tables() -> dict[str, Any]:
    columns = {name: [row[name] for row in ROWS] for name in ROWS[0]}
    return {
        "rows": ROWS,
        "columns": columns,
        "pandas": pytest.importorskip("pandas").DataFrame(columns),
        "polars": pytest.importorskip("polars").DataFrame(columns),
        "Arrow": pytest.importorskip("pyarrow").table(columns),
    }


def told(result: Any) -> list[str]:
    return [line for line in result.notes() if "independent" in line]


@pytest.mark.parametrize("kind", ["rows", "columns", "pandas", "polars", "Arrow"])
def test_tables_in_memory(kind: str) -> None:
    data = tables()[kind]
    assert told(sm.evaluate(data, "auc", interval=0.95, **FACTS)) == [TOLD.format("an interval")]
    assert told(sm.evaluate(data, "auc", **FACTS)) == []
    assert told(sm.evaluate(data, "auc", interval=0.95, group="user_id", **FACTS)) == []


@pytest.mark.slow
def test_tests_of_pairs() -> None:
    models = {"label": "y", "baseline": "p", "candidate": "q"}
    for test in ("t", "bootstrap"):
        few = {"n_resamples": 20} if test == "bootstrap" else {}
        assert told(sm.compare(ROWS, "brier", test=test, **models, **few)) == [TOLD.format("a test")]
    assert told(sm.compare(ROWS, "brier", group="user_id", **models)) == []


@pytest.mark.slow
def test_sizes_bands_and_searches() -> None:
    asked = {"label": "y", "baseline": "p", "difference": 0.1}
    assert told(sm.sample_size(ROWS, "brier", **asked)) == [TOLD.format("a size")]
    assert told(sm.sample_size(ROWS, "brier", group="user_id", **asked)) == []
    assert told(sm.curve(ROWS, "roc", interval=0.95, **FACTS)) == [TOLD.format("a band")]
    assert told(sm.curve(ROWS, "roc", **FACTS)) == []
    rows = [row | {"half": i // 40} for i, row in enumerate(ROWS)]
    search = {"by": "half", "min_units": 5, **FACTS}
    assert told(sm.find_slices(rows, "brier", **search)) == [TOLD.format("a test")]
    assert told(sm.find_slices(rows, "brier", group="user_id", **search)) == []


@pytest.mark.slow
def test_what_is_no_repeated_key() -> None:
    """A few values are a category; a column that the call uses has its role; values may be lists."""
    asked = {"interval": 0.95, **FACTS}
    for change in (
        lambda i, row: {"user_id": i},
        lambda i, row: {"user_id": i % 5},
        lambda i, row: {"user_id": [i // 4]},
        lambda i, row: {"user_id": None},
    ):
        rows = [row | change(i, row) for i, row in enumerate(ROWS)]
        assert told(sm.evaluate(rows, "auc", **asked)) == []
    assert (
        told(sm.evaluate([row | {"paid": row.pop("user_id")} for row in map(dict, ROWS)], "auc", **asked))
        == []
    )
    assert told(sm.evaluate(ROWS, "auc", by="user_id", total=False, **asked)) == []


def test_attempts_of_models_in_long_form() -> None:
    """Each model has rows of a task once, or several attempts, which are not independent."""
    once = [{"task": i, "model": m, "ok": i % 3 % 2} for i in range(40) for m in "xy"]
    asked = {"models": "model", "interval": 0.95}
    assert told(sm.evaluate(once, "mean(column=ok)", **asked)) == []
    for item in (None, "task"):
        [note] = told(sm.evaluate(once * 3, "mean(column=ok)", item=item, **asked))
        assert note.startswith(
            "80 values of 'task' and 'model' in 240 rows: an interval takes rows as independent"
        )
    for models in ("model", {"model": ["x"]}):
        assert (
            told(sm.evaluate(once * 3, "mean(column=ok)", group="task", **asked | {"models": models})) == []
        )
