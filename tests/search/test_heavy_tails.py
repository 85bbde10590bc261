"""Slices of units with heavy tails: none is confirmed where all are alike, and one that differs is."""

from __future__ import annotations

import random
from typing import Any

import pytest

import sqlmetrics as sm
from sqlmetrics.book.templates import macros
from support.engines import Engine


def rows(seed: int, error: Any, n: int = 6000) -> list[dict[str, Any]]:
    """Three columns without an effect, and the error of a row."""
    draw = random.Random(seed)
    return [
        {**{f"c{i}": f"v{draw.randrange(3 + 2 * i)}" for i in range(3)}, "y": 0.0, "p": error(draw), "i": i}
        for i in range(n)
    ]


ASKED: dict[str, Any] = {
    "by": ["c0", "c1", "c2"],
    "label": "y",
    "score": "p",
    "min_units": 100,
}


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
def test_a_slice_that_lacks_the_rare_large_errors_is_not_confirmed(seed: int) -> None:
    """By its own variance it would be: it has a low mean, and that seems certain, in both halves."""
    found = sm.find_slices(rows(seed, lambda draw: draw.lognormvariate(0, 2)), "mae", **ASKED)
    assert found.audit["slices_looked_at"][0] > 60
    assert not any(found["confirmed"])


@pytest.mark.slow
def test_nor_is_one_of_rare_wrong_rows() -> None:
    """A slice without one of them has no variance at all."""
    found = sm.find_slices(rows(1, lambda draw: float(draw.random() < 0.01)), "mae", **ASKED)
    assert not any(found["confirmed"])


@pytest.mark.slow
def test_an_effect_is_found_beside_heavy_tails() -> None:
    data = rows(2, lambda draw: draw.lognormvariate(0, 1))
    for row in data:
        row["p"] *= 2.0 if row["c0"] == "v0" and row["c1"] == "v0" else 1.0
    found = sm.find_slices(data, "mae", **ASKED).to_dicts()
    [planted] = [row for row in found if row["slice"] == "c0 = v0 and c1 = v0"]
    assert planted["confirmed"]


@pytest.mark.slow
def test_a_slice_that_one_unit_decides_is_marked() -> None:
    data = rows(1, lambda draw: draw.random(), 900)
    calm = sm.find_slices(data, "mae", **ASKED)
    assert "largest_share" not in repr(calm)
    assert all(0 < row["largest_share"] < 0.1 for row in calm)
    data[7]["p"] = 500.0
    named = f"c0 = {data[7]['c0']}"
    found = sm.find_slices(data, "mae", **ASKED)
    [decided] = [row for row in found if row["slice"] == named]
    own = [row["p"] for row in data if row["c0"] == data[7]["c0"]]
    assert decided["largest_share"] == pytest.approx(500 / sum(own))
    count = sum(row["largest_share"] > 0.1 for row in found)
    assert f"(largest_share): {count}; that unit decides much of their value" in repr(found)
    assert "largest_share" in repr(found).splitlines()[0]


def test_a_slice_whose_units_are_all_alike_is_found(engine: Engine) -> None:
    """All rows right in the slice and all wrong beside it: no unit varies, and the deal of all units tells."""
    rows = [{"y": i % 2, "p": i % 2 if i % 4 < 2 else 1 - i % 2, "c": "ab"[i % 4 < 2]} for i in range(200)]
    asked = {"label": "y", "prediction": "p", "by": "c", "min_units": 20}
    statement = str(macros(engine.dialect).find_slices("given", ["accuracy"], **asked))
    [found] = engine.query(statement, {"given": rows})
    assert (found["value"], found["rest"], bool(found["confirmed"])) == (1, 0, True)
    assert found["low"] < found["high"] == found["confirmed_high"] == 1
    assert found["p_value"] < 1e-9
