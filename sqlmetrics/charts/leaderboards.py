"""The chart of `leaderboard`: ranks with their intervals."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlmetrics.charts.chart import Chart, chart
from sqlmetrics.charts.marks import dots
from sqlmetrics.charts.meaning import meaning
from sqlmetrics.charts.parts import MOST_SLICES, chosen, listed, names_of, of_each, text_of

if TYPE_CHECKING:
    from sqlmetrics.results.leaderboard import Leaderboard


def chart_of_leaderboard(board: Leaderboard) -> Chart:
    """The chart of a leaderboard; see `Leaderboard.plot`."""
    panels, said = [], []
    metrics = [meaning(board.statement, name) for name in chosen(None, list(board.statement.notations))]
    names = names_of((row["model"],) for row in board)
    for metric in metrics:
        ranked = [row for row in board if row["metric"] == metric.column and row["rank"] is not None]
        shown = ranked[:MOST_SLICES]
        left_out = f"the first {MOST_SLICES} of {len(ranked)} models" if len(ranked) > len(shown) else ""
        panel = dots([_row(row, names[repr((row["model"],))]) for row in shown], [""], "rank")
        lines = [metric.direction, "ranks that the data allow", left_out]
        panel["title"] = {"text": metric.name, "subtitle": [*filter(None, lines)], "limit": 360}
        panels.append(panel)
        said.append(_sentence(ranked))
    title = f"Ranks of {len(names)} models by {listed([metric.name for metric in metrics])}"
    return chart(title, f"{title}: {of_each([metric.name for metric in metrics], said)}", panels)


def _row(row: dict[str, Any], name: str) -> dict[str, Any]:
    rank, low, high = (row[column] for column in ("rank", "rank_low", "rank_high"))
    return {
        "slice": name, "model": "", "value": rank, "low": low, "high": high, "text": f"{rank} [{low}, {high}]",
    }  # fmt: skip


def _sentence(ranked: list[dict[str, Any]]) -> str:
    """Who is first, and who may be as good."""
    if not ranked:
        return "no model has a rank"
    first, *others = ranked
    tied = [text_of(row["model"]) for row in others if row["tied_with_best"]]
    return f"{text_of(first['model'])} is first; not told from it: {listed(tied) if tied else 'none'}"
