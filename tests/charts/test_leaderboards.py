"""The chart and the tables of `leaderboard`: a picture and rows for each slice."""

from __future__ import annotations

import sqlmetrics as sm

ROWS = [
    {
        "model": model,
        "task": task,
        "part": "xy"[task % 2],
        "loss": place + task % 3 / 10 + place * task % 5 / 7,
    }
    for place, model in enumerate("abc")
    for task in range(12)
]
BOARD = sm.leaderboard(
    ROWS, {"loss": "mean(column=loss, better=lower)"}, models="model", group="task", by="part"
)


def test_slices_have_pictures_of_their_own() -> None:
    said = BOARD.plot().description
    assert said.startswith(
        "Ranks of 3 models by loss: loss, all: a is first; not told from it: none. loss, x: a "
    )
    assert "loss, y: a is first" in said


def test_slices_have_rows_of_their_own() -> None:
    lines = [line for line in BOARD.to_latex().splitlines() if " & " in line]
    assert lines[0] == r" & part & model & loss & rank \\"
    assert [line.split(" & ")[1:3] for line in lines[1:]] == [
        [part, model] for part in ("x", "y", "all") for model in "abc"
    ]
    assert "1 to 1" in lines[-3]
