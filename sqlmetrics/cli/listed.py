"""The lists of `sqlmetrics list`, and the metrics of `sqlmetrics show` for programs."""

from __future__ import annotations

import itertools
import shutil
import textwrap
from collections.abc import Iterable

from sqlmetrics.api.documentation import described
from sqlmetrics.book.catalog import Metric, by_grain, curves, shortened, table_of, written
from sqlmetrics.book.notation import parsed
from sqlmetrics.cli.output import Format, deliver
from sqlmetrics.errors import SqlMetricsError
from sqlmetrics.files import require_standard_output
from sqlmetrics.table.frame import in_json

Kinds = dict[str, list[Metric]]


def print_catalog(word: str | None = None, over: str | None = None, as_json: bool = False) -> None:
    """Prints the metrics by what they are over: one line for each metric, or some metrics in full.

    Args:
        word: only metrics that have it in their name, an alias or their description; without `over` also what they
            are over, such as lists.
        over: only metrics over rows, levels, lists ...
        as_json: print a list of objects, as `metrics().to_json()` does; it has no curves.

    Raises:
        SqlMetricsError: no metric is left.
    """
    require_standard_output()
    if over is None and word is not None and _over(word):
        word, over = None, word
    kinds = by_grain() if over is None else _over(over)
    if not kinds:
        raise SqlMetricsError(f"No metric is computed over '{over}'. Known: {', '.join(by_grain())}")
    drawn: list[Metric] = []
    if word is not None:
        kinds = {name: found for name, metrics in kinds.items() if (found := _with(word, metrics))}
        drawn = [] if over or as_json else _with(word, curves().values())
        if not kinds and not drawn:
            raise _nothing(word, over)
    if as_json:
        metrics = sorted(itertools.chain(*kinds.values()), key=lambda metric: metric.notation)
        deliver(table_of(metrics), Format.json, None, keys=1)
        return
    _print(kinds, drawn, in_full=word is not None or over is not None)


def print_metric(name: str) -> None:
    """Prints what is known of a metric as a list of JSON objects: one for each metric that the name stands for."""
    require_standard_output()
    print(in_json(described(name)))


def _over(word: str) -> Kinds:
    """The metrics over something, by its name or one of its words: `levels` is `score levels`."""
    return {name: metrics for name, metrics in by_grain().items() if word in (name, *name.split())}


def _with(word: str, metrics: Iterable[Metric]) -> list[Metric]:
    """The metrics with a word in their name, an alias or their description; a space is as good as an underscore."""

    def plain(text: str) -> str:
        return text.lower().replace("_", " ")

    return [
        metric
        for metric in metrics
        if any(
            plain(word) in plain(text)
            for text in (metric.notation, metric.summary, *(alias.name for alias in metric.aliases))
        )
    ]


def _nothing(word: str, over: str | None) -> SqlMetricsError:
    if word.isidentifier():
        parsed(word)  # the name of what is no metric here is answered
    within = f" over '{over}'" if over else ""
    also = "" if over else f", and none is computed over it. Known: {', '.join(by_grain())}"
    return SqlMetricsError(f"No metric{within} has '{word}' in its name, an alias or its description{also}")


def _print(kinds: Kinds, drawn: list[Metric], in_full: bool) -> None:
    width = min(max(shutil.get_terminal_size((100, 24)).columns, 20), 110)
    longest = max((len(metric.notation) for metrics in kinds.values() for metric in metrics), default=0)
    for name, metrics in kinds.items():
        print(f"Over {name}" + (" (with --group)" if name == "lists" else ""))
        for metric in metrics:
            print(_entry(metric, width) if in_full else _line(metric, longest, width))
        print()
    if drawn:
        print("Curves")
        for curve in drawn:
            print(_entry(curve, width))
        print()
    print(f"One in full: sqlmetrics show {'ndcg' if kinds else drawn[0].name}")
    if not in_full:
        print("Those of a kind with their options: sqlmetrics list lists")
        print("Those with a word: sqlmetrics list calibration")
        print(textwrap.fill(f"Curves: {', '.join(curves())}", width, subsequent_indent="  "))


def _line(metric: Metric, longest: int, width: int) -> str:
    name = f"  {metric.notation:<{longest}}   "
    return name + shortened(metric.summary, max(width - len(name), 20))


def _entry(metric: Metric, width: int) -> str:
    options = ", ".join(f"{name}={written(value)}" for name, value in metric.options.items())
    aliases = [alias.name for alias in metric.aliases]
    lines = [metric.summary, *([f"Also called {', '.join(aliases)}"] if aliases else [])]
    indent = " " * 4
    texts = [textwrap.fill(line, width, initial_indent=indent, subsequent_indent=indent) for line in lines]
    head = f"  {metric.notation}" + (f"   {options}" if options else "")
    return "\n".join([textwrap.fill(head, width, subsequent_indent="      ", break_on_hyphens=False), *texts])
