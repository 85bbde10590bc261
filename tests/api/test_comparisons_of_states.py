"""`compare` over a state that keeps the pairs of its models, and what follows from it: gates, intervals of looks."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import sqlmetrics as sm
from sqlmetrics.errors import SqlMetricsError

ROWS = [
    {
        "day": i % 3,
        "y": i % 5 % 2,
        "p": (i * 7 % 19 + 1) / 21,
        "q": (i * 5 % 17 + 1) / 19,
        "c": "xy"[i % 7 % 2],
    }
    for i in range(120)
]
FACTS: dict[str, Any] = {"label": "y", "score": {"new": "p", "old": "q"}}
METRICS = ["brier", "accuracy", "precision", "rmse"]


def days(metrics: Any = METRICS, **more: Any) -> list[sm.State]:
    """A state of each day."""
    asked = {**FACTS, "period": "day", "intervals": True, **more}
    return [sm.state([row for row in ROWS if row["day"] == day], metrics, **asked) for day in range(3)]


@pytest.fixture(scope="module")
def made() -> list[sm.State]:
    return days(by="c")


@pytest.mark.slow
@pytest.mark.parametrize(
    "asked",
    [
        {"baseline": "old", "by": "c", "margin": 0.1, "correction": "holm"},
        {"baseline": "new", "where": "day > 0", "test": "anytime", "tightest_at": 50},
    ],
    ids=str,
)
def test_as_of_the_rows(made: list[sm.State], asked: dict[str, Any]) -> None:
    found, direct = sm.compare(made, METRICS, **asked), sm.compare(ROWS, METRICS, **FACTS, **asked)
    for row, other in zip(found.to_dicts(), direct.to_dicts(), strict=True):
        for name, value in other.items():
            expected = pytest.approx(value, rel=1e-9) if isinstance(value, float) else value
            assert row[name] == expected, (row["metric"], name)


@pytest.mark.slow
def test_models_alike_do_not_differ() -> None:
    alike = days("brier", score={"new": "p", "old": sm.sql("p + 0")})
    (row,) = sm.compare(alike, "brier", baseline="old").to_dicts()
    assert (row["difference"], row["p_value"], row["ties"]) == (0, None, 120)


@pytest.mark.slow
def test_gates(made: list[sm.State], tmp_path: Path) -> None:
    """An interval of a state keeps limits as that of the rows does."""
    for number, state in enumerate(made):
        state.write(tmp_path / f"{number}.parquet")
    files = str(tmp_path / "*.parquet")
    finished = sm.finish(files, METRICS, interval=0.95)
    low = min(row["brier_low"] for row in finished.to_dicts())
    assert sm.check(finished, f"brier_low >= {low - 1e-6}", slices=False)
    with pytest.raises(sm.GateError, match="brier_low is"):
        sm.check(finished, f"brier_low >= {low + 1e-6}")
    compared = sm.compare(files, "brier", baseline="old")
    [high] = compared["high"]
    assert sm.check(compared, f"brier <= {high + 1e-6}")
    with pytest.raises(sm.GateError, match="brier"):
        sm.check(compared, f"brier <= {high - 1e-6}")


@pytest.mark.slow
def test_intervals_of_looks(made: list[sm.State]) -> None:
    asked: dict[str, Any] = {"interval": 0.9, "interval_method": "anytime", "tightest_at": 100}
    found, direct = sm.finish(made, METRICS, **asked), sm.evaluate(ROWS, METRICS, **FACTS, **asked)
    for row, other in zip(found.to_dicts(), direct.to_dicts(), strict=True):
        for name in (f"{metric}{end}" for metric in METRICS for end in ("_low", "_high")):
            assert row[name] == pytest.approx(other[name], rel=1e-9), name


@pytest.mark.slow
def test_what_is_refused(made: list[sm.State]) -> None:
    asked: dict[str, Any] = {"metrics": "brier", "baseline": "old"}
    for data, more, why in (
        (days(intervals=False), {}, r"make it again by sm\.state\(\.\.\.\) with intervals=True"),
        (days(score="p"), {}, "is a state of one model; compare takes one of several"),
        (made, {"test": "wilcoxon"}, "test='wilcoxon' reads the rows, and a state keeps their sums; leave test= out"),
        (made, {"paired": False}, "paired=False needs the rows"),
        (made, {"metrics": "mae"}, "does not hold what is needed for mae"),
        (made, {"metrics": "auc"}, "no state of periods compares models by it"),
        (made, {"baseline": "third"}, "baseline= names no model: 'third'. Models: new, old"),
        ([*made[:1], *days(by="c", intervals=False)[1:]], {}, "make those periods again"),
    ):  # fmt: skip
        with pytest.raises(SqlMetricsError, match=why):
            sm.compare(data, **{**asked, **more})
    with pytest.raises(SqlMetricsError, match="interval_method=bootstrap draws rows"):
        sm.finish(made, "brier", interval=0.9, interval_method="bootstrap")
    for more, why in (
        ({"of_state": True}, "compare: needs period="),
        ({"period": "day"}, "period= and made_where= are of a state"),
    ):
        with pytest.raises(SqlMetricsError, match=why):
            sm.render_compare("t", "brier", baseline="old", **FACTS, **more)


LISTS = [
    {"day": q % 3, "q": q, "y": (q + i) % 3 % 2, "a": q * i % 5, "b": (q + 2 * i) % 7}
    for q in range(60)
    for i in range(4)
]
LONG = [
    {**{name: row[name] for name in ("day", "q", "y")}, "run": run, "s": row[run]}
    for run in ("b", "a")
    for row in LISTS
]


@pytest.mark.slow
def test_models_that_a_column_names() -> None:
    """States of long and of wide data are finished and compared alike, and as the rows themselves."""
    facts: dict[str, Any] = {"label": "y", "group": "q"}
    of = {**facts, "period": "day", "intervals": True}
    wide = sm.state(LISTS, ["mrr", "ndcg@3"], score=["a", "b"], **of)
    for models in ("run", {"run": ["a", "b"]}):
        long = sm.state(LONG, ["mrr", "ndcg@3"], score="s", models=models, **of)
        asked: dict[str, Any] = {"interval": 0.95, "by": "day"}
        assert_alike(sm.finish(long, "mrr", **asked), sm.finish(wide, "mrr", **asked))
        asked = {"baseline": "b", "pairs": "all", "correction": "holm"}
        found = sm.compare(long, ["mrr", "ndcg@3"], **asked)
        assert_alike(found, sm.compare(wide, ["mrr", "ndcg@3"], **asked))
        assert_alike(
            found, sm.compare(LONG, ["mrr", "ndcg@3"], score="s", models="run", **facts, **asked), 1e-9
        )
    alone = sm.state(LONG, "mrr", score="s", models={"run": ["b"]}, **of)
    assert {row["model"] for row in sm.finish(alone, "mrr").to_dicts()} == {"b"}


def assert_alike(found: Any, expected: Any, tolerance: float = 1e-12) -> None:
    for row, other in zip(found.to_dicts(), expected.to_dicts(), strict=True):
        for name, value in other.items():
            near = pytest.approx(value, rel=tolerance, abs=1e-13) if isinstance(value, float) else value
            assert row[name] == near, name


@pytest.mark.slow
def test_rows_in_long_form_have_no_pairs() -> None:
    made = sm.state(LONG, "mse", score="s", models="run", label="y", period="day", intervals=True)
    wide = sm.state(LISTS, "mse", score=["a", "b"], label="y", period="day", intervals=True)
    assert_alike(sm.finish(made, "mse", interval=0.95), sm.finish(wide, "mse", interval=0.95))
    with pytest.raises(SqlMetricsError, match=r"in long form .models=. metrics of lists alone keep pairs"):
        sm.compare(made, "mse", baseline="a")
