"""Charts of what decisions bring: the decision curve, the Qini curve and the threshold table."""

from __future__ import annotations

from sqlmetrics.charts.lines import Rows, lines_of, quiet_line, word
from sqlmetrics.charts.marks import Layer
from sqlmetrics.charts.parts import number


def net_benefit(lines: dict[str, Rows], models: list[str], side: int) -> Layer:
    """The quiet lines are those of acting on every row and on none. What is far below 0 is cut off."""
    titles = ("threshold", "net benefit")
    known = [
        value for rows in lines.values() for row in rows for value in (row["net_benefit"], row["treat_all"])
    ]
    top = max([value for value in known if value is not None], default=0) or 1
    others: Rows = [
        {"rows": of, "x": number(row["threshold"]), "y": number(row[of])}
        for row in next(iter(lines.values()), [])
        for of in ("treat_all", "treat_none")
    ]
    quiet = quiet_line(others, titles, clip=True)
    quiet["encoding"]["detail"] = {"field": "rows"}
    behind = [quiet]
    below = [row for row in others if row["rows"] == "treat_all" and row["y"] is not None]
    if below:  # the names stand where no model is likely: under 0, and at the greatest threshold
        all_rows = min(below, key=lambda row: abs(row["y"] + top / 8))
        left_of, right_of = {"align": "right", "dx": -5}, {"align": "left", "dx": 5}
        behind += [
            word("treat all", all_rows, titles, **left_of if all_rows["x"] > 0.3 else right_of),
            word("treat none", {"x": below[-1]["x"], "y": 0}, titles, align="right", dy=8),
        ]
    return lines_of(
        lines, models, side, "threshold", "net_benefit", titles, behind,
        heights=(-top / 4, top), clip=True,
    )  # fmt: skip


def qini(lines: dict[str, Rows], models: list[str], side: int) -> Layer:
    """The quiet line ends where all rows are treated: rows in any order."""
    titles = ("share of rows, highest scores first", "added positive rows")
    first = next(iter(lines.values()), [])
    ends = [{"x": number(row["share"]), "y": number(row["random"])} for row in (*first[:1], *first[-1:])]
    known = [number(row["added"]) for rows in lines.values() for row in rows]
    heights = [value for value in known if value is not None] or [0, 1]
    least, most = min(0, *heights), max(0, *heights)
    return lines_of(
        lines, models, side, "share", "added", titles,
        [quiet_line(ends, titles), *(word("any order", end, titles, align="right", dx=-4, dy=10) for end in ends[-1:])],
        heights=(least, most if most > least else least + 1),
    )  # fmt: skip


def thresholds(lines: dict[str, Rows], models: list[str], side: int) -> Layer:
    """F1 of the decision at each threshold."""
    return lines_of(lines, models, side, "threshold", "f1", ("threshold", "F1"), [], heights=(0, 1))
