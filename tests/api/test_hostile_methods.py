"""What no method of a result foresees ends in a value or in one SqlMetricsError, as in `test_hostile_values.py`."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import sqlmetrics as sm
from sqlmetrics.errors import printable

ROWS = [{"u": i // 3, "y": i % 2, "p": i / 18, "q": 1 - i / 18, "c": i // 3 % 2} for i in range(18)]
SCORED: dict[str, Any] = {"label": "y", "score": "p"}
REPORT = sm.evaluate(ROWS, ["auc", "brier"], by="c", **SCORED)
RESULTS = {
    "Report": REPORT,
    "ListReport": sm.per_group(ROWS, "mrr", group="u", **SCORED),
    "State": sm.state(ROWS, "brier", period="c", **SCORED),
    "Curve": sm.curve(ROWS, "roc", **SCORED),
    "Comparison": sm.compare(ROWS, "brier", label="y", baseline="p", candidate="q"),
    "Leaderboard": sm.leaderboard(ROWS, "brier", label="y", score=["p", "q"]),
    "LabelPlan": sm.plan_labels(
        [{**row, "h": row["y"] if i % 2 else None} for i, row in enumerate(ROWS)],
        "brier",
        gold="h",
        by="c",
        budget=2,
        **SCORED,
    ),
    "Sizes": sm.sample_size(ROWS, "brier", label="y", baseline="p", candidate="q", difference=0.1),
    "ClassTable": sm.confusion_matrix(ROWS, label="y", prediction="c"),
    "Agreement": sm.agreement(ROWS, "gwet", raters=["y", "c"]),
    "Battles": sm.bradley_terry(
        [{"model_a": "x", "model_b": "y", "winner": won} for won in ("model_a", "model_b")]
    ),
    "CountTest": sm.chi_square(ROWS, column="y", other="c"),
    "Slices": sm.find_slices(ROWS, "brier", by="c", min_units=2, **SCORED),
    "Change": sm.explain_change(ROWS, "brier", by="y", period="c", before=0, after=1, **SCORED),
    "Drift": sm.drift(ROWS, columns="p", period="c", before=0, after=1),
    "Chart": REPORT.plot(),
    "Page": sm.report(ROWS, "brier", curves=[], progress=False, **SCORED),
}
VALUES = {
    "none": None, "empty": "", "unknown": "nope", "nul": "\0", "surrogate": "\udc80", "lines": "y\n\x1b[31m",
    "number": 7, "negative": -1, "huge": 10**400, "nan": float("nan"), "bytes": b"y", "list": [], "nested": [[None]],
    "dict": {}, "object": object(), "slice": slice(0, 1), "true": True,
}  # fmt: skip
#: of the machinery of results, with our own values alone; `png` and `svg` take seconds and have tests of their own
LEFT = {"from_dicts", "hide", "png", "svg"}


def fault(call: Any) -> str | None:
    """What is wrong with the end of a call; None for a value and for one error of one line."""
    try:
        call()
    except sm.SqlMetricsError as error:
        message = str(error)
        return None if message == printable(message) and len(message) < 1200 else repr(message[:200])
    except Exception as error:
        return f"{type(error).__name__}: {error!s:.200}"
    return None


def calls(name: str) -> Iterator[tuple[str, Any]]:
    """Calls of a result with a hostile value in each parameter of each method; their names and the calls."""
    result: Any = RESULTS[name]
    for method, function in inspect.getmembers(result, callable):
        if method.startswith("_") or method in LEFT:
            continue
        for parameter in inspect.signature(function).parameters.values():
            named = "auc" if parameter.kind is parameter.VAR_KEYWORD else None
            for value, given in VALUES.items():
                words = {"c" if named else parameter.name: given} | ({"name": named} if named else {})
                if parameter.name == "theme":
                    words["path"] = "chart.svg"
                yield (
                    f"{method}({parameter.name}={value})",
                    lambda function=function, words=words: function(**words),
                )
    for value, given in VALUES.items():
        if hasattr(result, "__getitem__"):
            yield f"[{value}]", lambda given=given: result[given]
            yield f"in {value}", lambda given=given: given in result
        yield f"== {value}", lambda given=given: result == given


def test_every_class_of_results_is_tried() -> None:
    classes = {name for name in sm.__all__ if inspect.isclass(getattr(sm, name))}
    assert set(RESULTS) == classes - {
        "SqlMetricsError",
        "DataError",
        "GateError",
        "sql",
        "Data",
        "StoredReport",
    }
    assert {type(result).__name__ for result in RESULTS.values()} == set(RESULTS)
    assert sum(1 for name in RESULTS for _ in calls(name)) > 700


@pytest.mark.parametrize("name", RESULTS)
def test_a_hostile_value_is_one_error(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert [f"{words}: {wrong}" for words, call in calls(name) if (wrong := fault(call))] == []


@pytest.mark.slow
def test_gates_and_expressions() -> None:
    tried = {
        f"{function}({name})": call
        for name, value in VALUES.items()
        for function, call in {
            "gate": lambda value=value: sm.check(REPORT, value),
            "result": lambda value=value: sm.check(value, "auc >= 0"),
            "sql": lambda value=value: sm.evaluate(ROWS, "auc", label=sm.sql(value), score="p"),
            "y": lambda value=value: sm.score_function("auc")(value, [0, 1]),
            "scores": lambda value=value: sm.score_function("auc")([0, 1], value),
        }.items()
    }
    assert [f"{name}: {wrong}" for name, call in tried.items() if (wrong := fault(call))] == []
