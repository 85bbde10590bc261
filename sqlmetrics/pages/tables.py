"""The tables of a page, made of results."""

from __future__ import annotations

import heapq
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Any, TypeVar

from sqlmetrics.book.headers import Better
from sqlmetrics.charts.classes import MOST_CLASSES
from sqlmetrics.charts.parts import MOST_SLICES, Key, key_of, largest, sizes_of, spread
from sqlmetrics.charts.reports import time_of
from sqlmetrics.charts.times import in_time
from sqlmetrics.errors import printable
from sqlmetrics.pages.asked import Asked
from sqlmetrics.pages.verdicts import Outcome, outcome, signed
from sqlmetrics.results.audited import ClassTable, Comparison
from sqlmetrics.results.report import ListReport, Report
from sqlmetrics.table.cells import column_of_names, shown
from sqlmetrics.table.frame import Frame

Slice = TypeVar("Slice")
MOST = 50  #: the slices that a table shows
MOST_NUMBERS = 400  #: the rows of numbers behind a chart
ENDS = 10  #: the lists at either end of the differences

TO = "to\N{NO-BREAK SPACE}"  #: an interval breaks before it alone
COUNTS = {"n_rows": "rows", "n_groups": "lists"}  #: the counts beside the metrics of a slice
#: How a cell marks a difference. The word is there for readers who do not see the colour.
MARKS: dict[Outcome, str] = {"better": "better", "worse": "worse"}


@dataclass(frozen=True)
class Cell:
    """A cell of a table."""

    text: str
    small: str = ""  #: below the text: an interval
    mark: str = ""  #: better or worse


@dataclass(frozen=True)
class Table:
    """A table of a page."""

    caption: str
    header: Sequence[str]
    right: Sequence[bool]  #: whether a column has numbers
    rows: Sequence[Sequence[Cell]]
    heads: int = 1  #: the columns at the left that name a row
    note: str = ""


def of_metrics(report: Report, asked: list[Asked]) -> Table:
    """The metrics of all data: a row for each metric, a column for each model.

    With labels by people each model has two columns more: the value by the judge alone, and by people alone.
    """
    totals = total_rows(report)
    models = [named(row["model"]) for row in totals] if "model" in report.columns else ["value"]
    parts = (
        {"": "", "_judge": "judge alone", "_gold": "people alone"} if "n_gold" in report.columns else {"": ""}
    )
    several = len(models) > 1
    header = [
        f"{model}, {part}" if part and several else part or model
        for model in models
        for part in parts.values()
    ]
    rows = [
        [
            Cell(one.name, _direction(one.better)),
            *(_value(row, f"{one.column}{part}") for row in totals for part in parts),
        ]
        for one in asked
    ]
    return _of_numbers("Metrics of all data", ["metric", *header], rows)


def _of_numbers(
    caption: str, header: Sequence[str], rows: Sequence[Sequence[Cell]], heads: int = 1, note: str = ""
) -> Table:
    """A table of numbers beside the columns that name a row."""
    return Table(caption, header, [place >= heads for place in range(len(header))], rows, heads, note)


def _direction(better: Better) -> str:
    if better.direction == "none":
        return ""
    return f"{better.direction} is better" if better.target is None else f"{better.target:g} is best"


def total_rows(report: Report | Comparison) -> list[dict[str, Any]]:
    """The rows of all data: one for each model."""
    return [row for row in report.to_dicts() if row.get("is_total", True)]


def slice_rows(report: Report | Comparison) -> list[dict[str, Any]]:
    """The rows of slices."""
    return [row for row in report.to_dicts() if not row.get("is_total", True)]


def _value(row: dict[str, Any], column: str) -> Cell:
    low, high = row.get(f"{column}_low"), row.get(f"{column}_high")
    interval = "" if low is None or high is None else f"{shown(low)} {TO}{shown(high)}"
    return Cell(shown(row[column]), interval)


def of_slices(
    report: Report, asked: list[Asked], model: str | None, worst_first: bool = True, drawn: int | None = None
) -> Table:
    """The metrics of each slice, the worst slice first by the first metric with a direction.

    Args:
        report: the report.
        asked: its metrics.
        model: the model whose values order the slices, if there are several.
        worst_first: False keeps the order of the slices.
        drawn: how many slices a chart draws, which are the largest. By default the worst are shown.
    """
    first = next((one for one in asked if worst_first and one.better.direction != "none"), None)
    found = [
        (key, list(rows)) for key, rows in groupby(slice_rows(report), lambda row: key_of(row, report.by))
    ]
    left_out = _more(len(found), MOST, "slices")
    if drawn is not None:
        kept, fewer = largest([key for key, _ in found], sizes_of(slice_rows(report), report.by), drawn)
        names, left_out = {repr(key) for key in kept}, [f"Shows {fewer}."] if fewer else []
        found = [each for each in found if repr(each[0]) in names]
    if first is not None:
        found.sort(key=lambda each: _badness(each[1], first, model))
    time = time_of(report)
    found = _in_time(found, [key for key, _ in found], time)
    has_models = "model" in report.columns
    counts = [name for name in COUNTS if name in report.columns]
    header = [*report.by, *(["model"] if has_models else [])]
    header += [*(COUNTS[name] for name in counts), *(one.name for one in asked)]
    rows = [
        [
            *(Cell(named(value)) for value in key),
            *([Cell(named(row["model"]))] if has_models else []),
            *(Cell(shown(row[name])) for name in counts),
            *(_value(row, one.column) for one in asked),
        ]
        for key, of_slice in found[: drawn or MOST]
        for row in of_slice
    ]
    of_model = f" of {model}" if model is not None and has_models else ""
    order = f"Worst first by {first.name}{of_model}" if first is not None else ""
    if order and time is not None:
        order = f"{order}, each in the order of {report.by[time]}" if len(report.by) > 1 else ""
    order += "." if order else ""
    note = " ".join(filter(None, [order, *left_out]))
    return _of_numbers("Metrics of each slice", header, rows, len(report.by) + has_models, note)


def _in_time(slices: list[Slice], keys: list[Key], time: int | None) -> list[Slice]:
    """Slices whose times follow each other. What else names a slice keeps its order."""
    if time is None:
        return slices
    times = [repr(value) for value in in_time(key[time] for key in keys)]
    others = [repr(key[:time] + key[time + 1 :]) for key in keys]
    first = {name: place for place, name in reversed([*enumerate(others)])}

    def rank(place: int) -> tuple[int, int]:
        at = repr(keys[place][time])
        return first[others[place]], times.index(at) if at in times else len(times)

    return [slices[place] for place in sorted(range(len(slices)), key=rank)]


def _more(there: int, shown_here: int, things: str) -> list[str]:
    return [f"{shown_here} of {there:,} {things} are shown."] if there > shown_here else []


def _badness(rows: list[dict[str, Any]], one: Asked, model: str | None) -> float:
    """A number that is least for the worst slice; slices without a value come last."""
    values = [row[one.column] for row in rows if model is None or row.get("model") in (model, None)]
    if not values or values[0] is None:
        return math.inf
    return one.better.goodness(float(values[0]))


def of_differences(comparison: Comparison, asked: list[Asked], baseline: str) -> Table:
    """The differences over all data: a row for each metric and candidate."""
    known = {one.column: one for one in asked}
    rows = total_rows(comparison)
    pairs = any(row.get("ties") is not None for row in rows)
    candidates = list(dict.fromkeys(named(row["candidate"]) for row in rows))
    several = len(candidates) > 1
    header = ["metric", *(["model"] if several else []), "difference"]
    header += [baseline, "value" if several else candidates[0], "p-value"]
    header += [*(["better in", "same in", "worse in"] if pairs else []), "smallest detectable"]
    cells = [
        [
            Cell(known[row["metric"]].name),
            *([Cell(named(row["candidate"]))] if several else []),
            _difference(row, known[row["metric"]]),
            Cell(shown(row["baseline_value"])),
            Cell(shown(row["candidate_value"])),
            Cell(_p_value(row["p_value"])),
            *(Cell(shown(row[name])) for name in ("wins", "ties", "losses") if pairs),
            Cell(shown(row["minimum_detectable"])),
        ]
        for row in rows
    ]
    return _of_numbers("Differences over all data", header, cells, 1 + several)


def _p_value(value: float | None) -> str:
    """A p-value for readers.

    >>> _p_value(0.0312), _p_value(1e-20), _p_value(None)
    ('0.031', '< 0.001', '-')
    """
    if value is None:
        return "-"
    return "< 0.001" if value < 0.001 else f"{value:.2g}"


def _difference(row: dict[str, Any], one: Asked) -> Cell:
    if row["difference"] is None:
        return Cell("-")
    interval = "" if row["low"] is None else f"{signed(row['low'])} {TO}{signed(row['high'])}"
    return Cell(signed(row["difference"]), interval, MARKS.get(outcome(row, one.better), ""))


def of_slice_differences(comparison: Comparison, asked: list[Asked], candidate: str) -> Table:
    """The differences of one candidate in each slice: the slices in which it does worst come first."""
    known = {one.column: one for one in asked}
    rows = [row for row in slice_rows(comparison) if row["candidate"] == candidate]
    metrics = list(dict.fromkeys(row["metric"] for row in rows))
    slices: dict[str, dict[str, dict[str, Any]]] = {}
    for row in rows:
        slices.setdefault(repr([row[name] for name in comparison.by]), {})[row["metric"]] = row
    ordered = sorted(slices.values(), key=lambda of_slice: _loss(of_slice.get(metrics[0]), known[metrics[0]]))
    keys_of = [key_of(next(iter(of_slice.values())), comparison.by) for of_slice in ordered]
    ordered = _in_time(ordered, keys_of, time_of(comparison))
    cells = []
    for of_slice in ordered[:MOST]:
        keys = next(iter(of_slice.values()))
        cells.append(
            [
                *(Cell(named(keys[name])) for name in comparison.by),
                *(
                    _difference(of_slice[metric], known[metric]) if metric in of_slice else Cell("-")
                    for metric in metrics
                ),
            ]
        )
    header = [*comparison.by, *(known[metric].name for metric in metrics)]
    note = " ".join(_more(len(ordered), MOST, "slices"))
    return _of_numbers(f"Differences of {candidate} in each slice", header, cells, len(comparison.by), note)


def _loss(row: dict[str, Any] | None, one: Asked) -> float:
    """A number that is least where the candidate does worst."""
    if row is None or row["difference"] is None:
        return math.inf
    if one.better.target is not None:
        before, after = (one.better.goodness(row[f"{side}_value"]) for side in ("baseline", "candidate"))
        return after - before
    return one.better.goodness(row["difference"])


def of_lists(lists: ListReport, one: Asked, group: str, baseline: str, candidate: str) -> Table | None:
    """The lists in which two models differ most: those where the candidate does worst, then where it does best."""
    import pyarrow as pa
    import pyarrow.compute as pc

    table = lists.to_arrow().select([group, "model", one.column])
    table = table.filter(pc.is_valid(table.column(one.column)))
    old, new = (
        table.filter(pc.equal(table.column("model"), model))
        .drop_columns("model")
        .rename_columns([group, name])
        for model, name in ((baseline, "sm_old"), (candidate, "sm_new"))
    )
    joined = old.join(new, keys=group, join_type="inner")
    gain = pc.subtract(joined.column("sm_new"), joined.column("sm_old"))
    order = "descending" if one.better.direction == "lower" else "ascending"
    joined = joined.append_column("sm_gain", gain).sort_by([("sm_gain", order), (group, "ascending")])
    count = joined.num_rows
    if not count:
        return None
    note = ""
    if count > 2 * ENDS:
        joined = pa.concat_tables([joined.slice(0, ENDS), joined.slice(count - ENDS)])
        note = f"The {ENDS} lists at either end of {count:,} are shown."
    rows = [
        [
            Cell(named(row[group])),
            Cell(shown(row["sm_old"])),
            Cell(shown(row["sm_new"])),
            Cell(signed(row["sm_gain"])),
        ]
        for row in joined.to_pylist()
    ]
    header = [group, baseline, candidate, "difference"]
    return _of_numbers(f"Lists in which {one.name} differs most", header, rows, note=note)


def of_worst_lists(lists: ListReport, one: Asked, group: str) -> Table:
    """The lists in which the metric is worst; its lowest values if it has no better direction."""
    keys = [name for name in (group, "model") if name in lists.columns]
    columns = (lists[name] for name in (*keys, one.column))
    known = [row for row in zip(*columns, strict=True) if row[-1] is not None]
    worst = heapq.nsmallest(2 * ENDS, known, lambda row: one.better.goodness(row[-1]))
    rows = [[*(Cell(named(value)) for value in row[:-1]), Cell(shown(row[-1]))] for row in worst]
    caption = f"Lists of the {'lowest' if one.better.direction == 'none' else 'worst'} {one.name}"
    note = " ".join(_more(len(known), 2 * ENDS, "lists"))
    return _of_numbers(caption, [*keys, one.name], rows, len(keys), note)


def behind_slices(report: Report, one: Asked, model: str | None) -> Table:
    """The numbers behind a chart of slices."""
    dots = len(report.by) != 2 and time_of(report) is None
    return of_slices(report, [one], model, drawn=MOST_SLICES if dots else MOST_NUMBERS)


def in_order(report: Report, one: Asked) -> Table:
    """The numbers behind a line over time."""
    table = of_slices(report, [one], None, worst_first=False, drawn=MOST_NUMBERS)
    return replace(table, caption=f"{one.name} by {report.by[0]}")


def of_counts(report: Report) -> Table:
    """The counts of each slice and model; counts that are 0 everywhere are left out."""
    rows = report.audit.to_dicts()
    keys = [name for name in report.keys if name != "is_total"]
    counts = [name for name in report.audit.columns if name not in report.keys]
    counts = [name for name in counts if name == "n_rows" or any(row[name] for row in rows)]
    cells = [
        [Cell(_key(row, name, report.by)) for name in keys] + [Cell(shown(row[name])) for name in counts]
        for row in rows
    ]
    caption = "Counts of each slice" if report.by else "Counts"
    return _of_numbers(caption, [*keys, *counts], cells, len(keys))


def _key(row: dict[str, Any], name: str, by: list[str]) -> str:
    return "all" if name in by and row.get("is_total") else named(row[name])


def of_frame(frame: Frame, caption: str) -> Table:
    """The points of curves or of another chart. Of very many, each model keeps as many, from its first to its last."""
    of_models: dict[Any, list[int]] = {}
    for place, model in enumerate(frame["model"] if "model" in frame else [None] * len(frame)):
        of_models.setdefault(model, []).append(place)
    kept, note = list(range(len(frame))), ""
    if len(frame) > MOST_NUMBERS:
        each = max(MOST_NUMBERS // len(of_models), 2)
        kept = sorted(place for places in of_models.values() for place in spread(places, each))
        note = f"{len(kept):,} of {len(frame):,} rows are shown, evenly spread"
        note += " over each model." if len(of_models) > 1 else "."
    return _of_rows(frame, caption, kept, note)


def of_matrix(matrix: ClassTable, caption: str) -> Table:
    """The cells of a confusion matrix; those of the most rows if there are more than a picture shows."""
    most, counts = MOST_CLASSES**2, matrix["n"]
    kept = sorted(heapq.nlargest(most, range(len(counts)), key=counts.__getitem__))
    return _of_rows(matrix, caption, kept, " ".join(_more(len(counts), most, "cells")))


def _of_rows(frame: Frame, caption: str, places: list[int], note: str) -> Table:
    cells = frame._cells()
    rows = [[Cell(text) for text in cells.rows[place]] for place in places]
    return Table(caption, cells.header, cells.right, rows, 0, note)


def named(value: Any) -> str:
    """A value that names a row.

    >>> named("DE"), named(""), named(None)
    ('DE', '""', 'null')
    """
    [text] = column_of_names([value])
    return text


def text_of(value: Any) -> str:
    """A value that a caller gave, as text."""
    if isinstance(value, dict):
        return ", ".join(f"{name}: {text_of(each)}" for name, each in value.items())
    if isinstance(value, (list, tuple)):
        return ", ".join(map(text_of, value))
    return printable(str(value).lower() if isinstance(value, bool) else str(value))
