"""What a call says where people stumble: names of arguments of other tools, groups of several slices, small slices."""

from __future__ import annotations

import re
from typing import Any

import pytest

import sqlmetrics as sm

ROWS = [
    {
        "y": int(i % 3 == 0),
        "p": i * 7 % 13 / 13,
        "q": i * 5 % 13 / 13,
        "user": i // 4 % 10,
        "day": i // 20,
        "s": i % 2,
    }
    for i in range(80)
]
ROLES: dict[str, Any] = {"label": "y", "score": "p"}

ARGUMENTS: list[tuple[Any, str, dict[str, Any], str]] = [
    (sm.evaluate, "auc", {"ci": 0.9, **ROLES}, "Did you mean 'interval'?"),
    (sm.find_slices, "auc", {"sample_weight": "q", **ROLES}, "Did you mean 'weight'?"),
    (sm.evaluate, "auc", {"pos_label": 1, **ROLES}, "Did you mean 'positive'?"),
    (sm.find_slices, "auc", {"y_true": [0, 1], "y_score": [0.1, 0.2]}, "arrays are columns of the data"),
    (sm.find_slices, "auc", {"slices": "s", **ROLES}, "Did you mean 'by'?"),
    (sm.curve, "calibration", {"n_bins": 5, **ROLES}, "'calibration(bins=5)'"),
]


@pytest.mark.parametrize(
    ("function", "asked", "options", "words"), ARGUMENTS, ids=[case[3] for case in ARGUMENTS]
)
def test_what_other_libraries_call_an_argument(
    function: Any, asked: str, options: dict[str, Any], words: str
) -> None:
    with pytest.raises(TypeError, match=re.escape(words)):
        function(ROWS, asked, **options)


def test_groups_of_several_slices_are_counted() -> None:
    """Each of the 10 users has rows on several days; the total makes one list each."""
    lists = {**ROLES, "group": "user"}
    report = sm.evaluate(ROWS, "mrr", by="day", **lists)
    split = sum(row["n_groups"] for row in report if not row["is_total"]) - len({row["user"] for row in ROWS})
    assert split > 0
    note = f"groups with rows in several slices of day, of which the total makes one group each: at least {split}"
    assert note in report.notes()
    own = [{**row, "user": f"{row['day']} {row['user']}"} for row in ROWS]
    assert "several slices" not in " ".join(sm.evaluate(own, "mrr", by="day", **lists).notes())


def test_found_slices_say_which_half_their_values_are_of() -> None:
    assert "half of the units that finds" in " ".join(
        sm.find_slices(ROWS, "mae", by="s", min_units=10, **ROLES).notes()
    )
    none = " ".join(sm.find_slices(ROWS, "mae", by="s", min_units=1000, **ROLES).notes())
    assert "as many units as min_units= asks for" in none
    assert "half of the units" not in none
