"""The search of slices with `soft=True`, beside that of two weighted rows for each row."""

from __future__ import annotations

import random
from typing import Any

import pytest

import sqlmetrics as sm
from oracles import soft as oracle
from sqlmetrics.book.templates import macros
from support.engines import Engine


def drawn(seed: int) -> list[dict[str, Any]]:
    """Rows of 60 lists, whose labels are sure, even or anything."""
    draw = random.Random(seed)
    return [
        {
            "id": i % 60, "part": "xyz"[i % 3], "decided": draw.randrange(2),
            "p": draw.choice([0.0, 1.0, 0.5, 0.25, round(draw.random(), 3)]),
            "score": draw.randrange(1, 20) / 20, "other": draw.randrange(1, 20) / 20,
        }
        for i in range(180)
    ]  # fmt: skip


@pytest.mark.parametrize("models", [{"score": "score"}, {"baseline": "score", "candidate": "other"}])
def test_a_search_is_that_of_two_rows(models: dict[str, str], engine: Engine) -> None:
    """Of lists, whose halves are those of the other call; `n_rows` counts a row once."""
    rows = drawn(9)
    metrics, asked = ["log_loss", "auc"], {"by": "part", "min_units": 5, "group": "id", **models}
    statement = macros(engine.dialect).find_slices("given", metrics, label="p", soft=True, **asked)
    found = engine.query(str(statement), {"given": rows})
    two = oracle.outcomes(rows, "p", own="half")
    wanted = sm.find_slices(two, metrics, label="label", weight="half", **asked).to_dicts()
    assert len(found) >= 4
    for one in found:
        [other] = [row for row in wanted if (row["slice"], row["metric"]) == (one["slice"], one["metric"])]
        assert 2 * one["n_rows"] == other["n_rows"]
        for name in ("n_units", "value", "difference", "p_value", "confirmed_difference", "largest_share"):
            assert one[name] == pytest.approx(other[name], rel=1e-7), (one["slice"], one["metric"], name)


def test_a_search_of_rows_has_both_outcomes_of_a_row_in_one_half() -> None:
    """Rows are numbered, as those of auc are, so that sure labels give what labels of 0 and 1 do."""
    rows = drawn(10)
    asked = {"by": "part", "min_units": 20, "score": "score"}
    found = sm.find_slices(rows, "log_loss", label="p", soft=True, **asked).to_dicts()
    counts = {part: sum(row["part"] == part for row in rows) for part in "xyz"}
    assert [row["n_units"] for row in found] == [counts[row["part"]] for row in found]
    sure = [{**row, "p": row["decided"]} for row in rows]
    metrics = ["auc", "log_loss", "precision"]
    soft, hard = (
        sm.find_slices(sure, metrics, label="p", soft=of, **asked).to_dicts() for of in (True, False)
    )
    for one, other in zip(soft, hard, strict=True):
        for name, value in one.items():
            assert value == other[name] or value == pytest.approx(other[name], rel=1e-9), name
