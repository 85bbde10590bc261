"""The chart of a drift of states says what it shows, as that of a drift of rows (tests/api/test_drift.py)."""

import sqlmetrics as sm


def test_a_slice_and_its_columns() -> None:
    rows = [
        {"day": i % 2, "c": "ab"[i % 3 == 0], "d": "xy"[i % 5 < 2], "ok": i % 7 < 3, "y": i % 2, "s": i / 90}
        for i in range(90)
    ]
    state = sm.state(rows, "brier", label="y", score="s", period="day", by=["c", "d", "ok"])
    chart = sm.drift(state, by="ok", before=0, after=1).plot("total_variation")
    assert chart.description.startswith("total_variation of 2 columns")
