"""Where the bands of curves lie in a picture."""

from __future__ import annotations

from bisect import bisect_left, bisect_right

from sqlmetrics.charts.lines import Rows
from sqlmetrics.charts.parts import number

STRIPS = 200  #: of a region, each about as narrow as a pixel


def beside_fpr(lines: dict[str, Rows]) -> Rows:
    """The band of a ROC curve: the ends of the true positive rate at each false positive rate."""
    return [
        {
            "model": model,
            "x": number(row["fpr"]),
            "low": number(row["tpr_low"]),
            "high": number(row["tpr_high"]),
        }
        for model, rows in lines.items()
        for row in rows
        if row.get("tpr_low") is not None
    ]


def region(lines: dict[str, Rows]) -> Rows:
    """The region of a precision-recall curve: where precision and recall of some threshold may lie together.

    Each threshold has an interval of both, a rectangle. A reader of the picture looks up a recall, not a threshold, so
    the ends at a recall are the lowest and the highest of all rectangles there.
    """
    found: Rows = []
    for model, rows in lines.items():
        known = [row for row in rows if None not in (row.get("precision_low"), row.get("recall_low"))]
        left, right = ([row[end] for row in known] for end in ("recall_low", "recall_high"))
        for strip in range(STRIPS + 1):
            x = strip / STRIPS
            there = known[bisect_left(right, x) : bisect_right(left, x)]
            if there:
                low, high = (
                    min(row["precision_low"] for row in there),
                    max(row["precision_high"] for row in there),
                )
                found.append({"model": model, "x": x, "low": number(low), "high": number(high)})
    return found
