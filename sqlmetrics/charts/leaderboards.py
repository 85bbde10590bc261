"""The chart of `leaderboard`: ranks with their intervals."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, Any

from sqlmetrics.charts.chart import Chart, chart
from sqlmetrics.charts.marks import dots
from sqlmetrics.charts.meaning import meaning
from sqlmetrics.charts.parts import (
    MOST_PANELS,
    MOST_SLICES,
    chosen,
    key_of,
    listed,
    names_of,
    of_each,
    text_of,
)

if TYPE_CHECKING:
    from sqlmetrics.results.leaderboard import Leaderboard


def chart_of_leaderboard(board: Leaderboard) -> Chart:
    """The chart of a leaderboard; see `Leaderboard.plot`."""
    panels, said, titles = [], [], []
    metrics = [meaning(board.statement, name) for name in chosen(None, list(board.statement.notations))]
    names = names_of((row["model"],) for row in board)
    slices = {repr(_slice(row, board)): row for row in board}
    named = names_of(key_of(row, board.by) for row in slices.values() if not row.get("is_total"))
    # the board of all rows first, then those of as many slices as there is room for
    boards = sorted(slices, key=lambda key: not slices[key].get("is_total"))[
        : max(1, MOST_PANELS // len(metrics))
    ]
    for metric, key in product(metrics, boards):
        of_slice = slices[key]
        ranked = [
            row for row in board
            if row["metric"] == metric.column and row["rank"] is not None and repr(_slice(row, board)) == key
        ]  # fmt: skip
        shown = ranked[:MOST_SLICES]
        left_out = f"the first {MOST_SLICES} of {len(ranked)} models" if len(ranked) > len(shown) else ""
        panel = dots([_row(row, names[repr((row["model"],))]) for row in shown], [""], "rank")
        lines = [metric.direction, "ranks that the data allow", left_out]
        where = (
            "all" if of_slice.get("is_total") else named[repr(key_of(of_slice, board.by))] if board.by else ""
        )
        titles.append(f"{metric.name}, {where}" if where else metric.name)
        panel["title"] = {"text": titles[-1], "subtitle": [*filter(None, lines)], "limit": 360}
        panels.append(panel)
        said.append(_sentence(ranked))
    title = f"Ranks of {len(names)} models by {listed([metric.name for metric in metrics])}"
    return chart(title, f"{title}: {of_each(titles, said)}", panels)


def _slice(row: dict[str, Any], board: Leaderboard) -> tuple[Any, ...]:
    return row.get("is_total"), *key_of(row, board.by)


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
