"""The chart of a regression's residuals: labels against predictions, and the error of each bin."""

from __future__ import annotations

from sqlmetrics.charts.lines import Rows, diagonal, lines_of
from sqlmetrics.charts.marks import Layer, by_model, quantity, tooltip
from sqlmetrics.charts.parts import number
from sqlmetrics.charts.themes import PALETTE
from sqlmetrics.table.cells import shown


def residuals(lines: dict[str, Rows], models: list[str], side: int) -> Layer:
    """Mean labels against mean predictions beside the diagonal, above the mean absolute error of each bin."""
    titles = ("mean prediction", "mean label")
    known = [
        value
        for rows in lines.values()
        for row in rows
        for name in ("mean_score", "mean_label")
        if (value := number(row[name])) is not None
    ]
    least, most = (min(known), max(known)) if known else (0.0, 1.0)
    ends = (least, most if most > least else least + 1)
    upper = lines_of(
        lines, models, side, "mean_score", "mean_label", titles, diagonal(titles, "perfect", ends),
        widths=ends, heights=ends, point={"size": 40},
    )  # fmt: skip
    bins = [
        {
            "model": model, "lower": number(row["lower"]), "upper": number(row["upper"]), "error": number(row["mae"]),
            "bias": shown(row["bias"]), "rows": shown(row["bin_rows"]),
        }
        for model, rows in lines.items()
        for row in rows
    ]  # fmt: skip
    errors = {
        "data": {"values": bins},
        "width": side,
        "height": 60,
        "mark": {"type": "bar", "opacity": 0.45, "color": PALETTE[0]},
        "encoding": {
            "x": {**quantity("lower", "prediction"), "bin": "binned"},
            "x2": {"field": "upper"},
            "y": {
                "field": "error", "type": "quantitative", "title": "mean error", "stack": None,
                "axis": {"tickCount": 2},
            },
            **by_model(models),
            "tooltip": tooltip(error="mean absolute error", bias="bias", rows="rows"),
        },
    }  # fmt: skip
    return {"vconcat": [upper, errors], "spacing": 10}


def sentence(rows: Rows) -> str:
    """Where the error is greatest."""
    worst = max(rows, key=lambda row: row["mae"] or 0)
    return (
        f"{len(rows)} bins; the mean absolute error is greatest, {shown(worst['mae'])}, where predictions are"
        f" {shown(worst['lower'])} to {shown(worst['upper'])}"
    )
