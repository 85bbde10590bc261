"""Tables as papers print them: names in words; models with the letters of those that they beat."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import product
from string import ascii_lowercase
from typing import TYPE_CHECKING, Any

from sqlmetrics.book.catalog import of_notation
from sqlmetrics.book.headers import Better
from sqlmetrics.book.notation import column_name
from sqlmetrics.table.cells import Cells, shown

if TYPE_CHECKING:
    from sqlmetrics.book.plan import Statement
    from sqlmetrics.results.audited import Comparison
    from sqlmetrics.results.leaderboard import Leaderboard

#: what a note says of options, in Python or on the command line; a paper has none
OPTION = re.compile(r"[;,] change it with \S+| \((?:--)?[\w-]+[= ]'?\w+'?\)")


def in_words(cells: Cells, statement: Statement, by: Sequence[str]) -> Cells:
    """A table whose header has notations and words, such as `ndcg@10` and `rows`, and whose notes name no option."""

    def title(name: str) -> str:
        notation = statement.notations.get(name)
        if notation is not None:
            return notation if column_name(notation) == name else name
        return name if name in by else name.removeprefix("n_").replace("_", " ")

    return replace(
        cells, header=list(map(title, cells.header)), notes=[OPTION.sub("", note) for note in cells.notes]
    )


def table_of_models(comparison: Comparison) -> Cells:
    """A row for each slice and model, a column for each metric, and letters beside values.

    A letter is that of a model whose value is worse, with a p-value (the corrected one, if there is one) of at most 1
    less the level of the interval.

    Args:
        comparison: the result of `compare`.
    """
    statement, by = comparison.statement, comparison.by
    alpha = 1 - (statement.interval or 0.95)
    models = [*statement.scored]
    letters = _letters(models)
    metrics: list[str] = []
    values: dict[tuple[Any, ...], dict[str, str]] = {}
    beaten: dict[tuple[Any, ...], dict[str, set[str]]] = {}
    for row, *key in zip(
        comparison, *(comparison._texts(comparison.to_arrow())[name] for name in by), strict=True
    ):
        metric = row["metric"]
        metrics += [] if metric in metrics else [metric]
        pair = row.get("baseline", models[0]) if "baseline" not in by else models[0], row["candidate"]
        for model, side in zip(pair, ("baseline_value", "candidate_value"), strict=True):
            values.setdefault((*key, model), {})[metric] = shown(row[side])
        p = row.get("p_adjusted", row["p_value"])
        winner = _winner(row, of_notation(statement.notations[metric]).better)
        if p is not None and p <= alpha and winner is not None:
            won, lost = pair[winner], pair[1 - winner]
            beaten.setdefault((*key, won), {}).setdefault(metric, set()).add(letters[lost])
    places = sorted(values, key=lambda place: models.index(place[-1]))
    slices = list(dict.fromkeys(place[:-1] for place in values))
    places.sort(key=lambda place: slices.index(place[:-1]))
    lines = [
        [letters[place[-1]], *map(str, place), *(values[place].get(metric, "") for metric in metrics)]
        for place in places
    ]
    between = _between(models)

    def marks(place: tuple[Any, ...]) -> list[str]:
        of = beaten.get(place, {})
        return [""] * (2 + len(by)) + [between.join(sorted(of.get(metric, ()))) for metric in metrics]

    said = f"beside a value: the models that are worse, with p of at most {alpha:.2g}"
    return Cells(
        ["", *by, "model", *metrics], lines, [[""] * len(line) for line in lines],
        [False] * (2 + len(by)) + [True] * len(metrics), [said, *comparison.notes()], list(map(marks, places)),
    )  # fmt: skip


def table_of_board(board: Leaderboard) -> Cells:
    """A row for each slice and model in the order of the first metric, with values, letters and ranks of each metric.

    A letter is that of a model that is significantly worse.

    Args:
        board: the result of `leaderboard`.
    """
    alpha = round(1 - (board.statement.interval or 0.95), 12)
    by, texts = board.by, board._texts(board.to_arrow())

    def slice_of(row: dict[str, Any]) -> str:
        return repr([row.get("is_total"), *(row[name] for name in by)])

    rows = {(slice_of(row), row["model"], row["metric"]): row for row in board}
    slices = {slice_of(row): [texts[name][place] for name in by] for place, row in enumerate(board)}
    metrics, models = (list(dict.fromkeys(row[name] for row in board)) for name in ("metric", "model"))
    letters, between = _letters(models), _between(models)
    better = {metric: of_notation(board.statement.notations[metric]).better for metric in metrics}
    beaten: dict[tuple[Any, ...], list[str]] = {}
    for pair in board.pairs:
        p, metric = pair["p_adjusted"], pair["metric"]
        ahead = better[metric].direction == "lower"
        if p is not None and p <= alpha and pair["difference"] and (pair["difference"] < 0) == ahead:
            beaten.setdefault((slice_of(pair), pair["model"], metric), []).append(letters[pair["rival"]])
    lines, marks = [], []
    for key, model in dict.fromkeys(place[:2] for place in rows):
        line, above = [letters[model], *slices[key], model], [""] * (2 + len(by))
        for metric in metrics:
            row = rows[key, model, metric]
            ranks = "-" if row["rank"] is None else f"{row['rank_low']} to {row['rank_high']}"
            line += [shown(row["value"]), ranks]
            above += [between.join(sorted(beaten.get((key, model, metric), ()))), ""]
        lines.append(line)
        marks.append(above)
    header = ["", *by, "model", *(name for metric in metrics for name in (metric, "rank"))]
    said = f"beside a value: the models that are worse, with p of at most {alpha:.2g}"
    right = [False] * (2 + len(by)) + [True, False] * len(metrics)
    return Cells(header, lines, [[""] * len(header) for _ in lines], right, [said, *board.notes()], marks)


def _letters(models: list[str]) -> dict[str, str]:
    """A letter for each model: a to z, then aa to zz, then aaa ..., since there may be 1,000 models."""
    names = ("".join(letters) for size in (1, 2, 3) for letters in product(ascii_lowercase, repeat=size))
    return dict(zip(models, names, strict=False))


def _between(models: list[str]) -> str:
    """What stands between two letters."""
    return "" if len(models) <= len(ascii_lowercase) else ","


def _winner(row: dict[str, Any], better: Better) -> int | None:
    """0 if the baseline has the better value, 1 if the candidate has it, None if neither has."""
    if None in (row["baseline_value"], row["candidate_value"]) or better.direction == "none":
        return None
    baseline, candidate = (better.goodness(row[name]) for name in ("baseline_value", "candidate_value"))
    return None if baseline == candidate else int(candidate > baseline)
