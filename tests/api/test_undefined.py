"""The reason of a metric without a value is the one at hand."""

import pytest

import sqlmetrics as sm
from sqlmetrics.book.catalog import catalog
from sqlmetrics.book.headers import lines_of

FACTS = {"label": "y", "score": "p"}
HUGE = [{"y": 1e308, "p": -1e308}, {"y": -1e308, "p": 1e308}]
OVERFLOW = "a sum leaves the floats, as of numbers near 1e308"
ODDS = (
    "fewer than two values have a positive row, or a negative one, or if no positive row is predicted positive, or no"
    " negative one"
)
ONE = [{"y": 1, "p": 0.5, "w": 0, "d": "a"}, {"y": 1, "p": 0.25, "w": 0, "d": "a"}]


@pytest.mark.parametrize(
    ("rows", "metrics", "facts", "reasons"),
    [
        (HUGE, ["mae", "bias"], {}, [f"undefined here: mae, bias: null if {OVERFLOW}"]),
        (HUGE, "r2", {}, [f"undefined here: r2: null if {OVERFLOW}, or if the label is constant"]),
        (ONE, "r2", {}, [f"undefined here: r2: null if {OVERFLOW}, or if the label is constant"]),
        (
            ONE,
            "mae",
            {"weight": "w"},
            [f"undefined here: mae: null if all weights are 0, or if {OVERFLOW}"],
        ),
        (ONE, "auc", {}, ["undefined here: auc: null if only one class is present"]),
        (
            [{"y": y, "p": 0.5, "w": float(y)} for y in (0, 1)],
            "auc",
            {"weight": "w"},
            ["undefined here: auc: null if only one class is present; rows of weight 0 do not count"],
        ),
        (
            [{"y": None, "p": 0.5}],
            "mae",
            {"on_bad_rows": "drop"},
            ["undefined here: mae: null if there are no rows"],
        ),
        (
            [{"y": y, "p": 0.1, "k": k} for k in "ab" for y in (0, 1)],
            {"odds": "equalized_odds_ratio(sensitive=k)"},
            {},
            [f"undefined here: odds: null if {ODDS}"],
        ),
    ],
    ids=str,
)
def test_the_reason_at_hand(rows, metrics, facts, reasons):
    report = sm.evaluate(rows, metrics, **FACTS, **facts)
    assert [note for note in report.notes() if note.startswith("undefined")] == reasons


def test_no_reason_stands_behind_a_semicolon():
    """What is printed ends there; what follows says what else a reader should know."""
    for metric in catalog().values():
        first, *further = lines_of(metric.doc, "Undefined").split(";")
        assert not any("null" in part or part.strip().startswith("if ") for part in further), metric.name
        assert "null" in first or "counts as empty" in first or first in ("", "never"), metric.name
