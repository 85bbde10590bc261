"""The tables that pages and README have from `sql/`: metrics by grain, conventions, what intervals are called."""

from __future__ import annotations

import math
import re

from generate.headers import cell, text
from sqlmetrics.book.catalog import Metric, by_grain, by_task, catalog, curves, written
from sqlmetrics.book.conventions import convention_names
from sqlmetrics.book.templates import macros

#: What intervals are called, by what the plan calls them; that of a mean in a closed range is a score interval.
INTERVALS = {
    "mean": "t",
    "share": "Wilson",
    "correlation": "correlation",
    "auc": "score",
    "bootstrap": "bootstrap",
}


def interval_of(metric: Metric) -> str | None:
    """What the interval of a metric is called; None if it has none."""
    closed = math.isfinite(metric.range.low) and math.isfinite(metric.range.high)
    return "score" if metric.interval == "mean" and closed else INTERVALS.get(metric.interval or "")


def page_name(metric: Metric) -> str:
    """The file of a metric's page; a list metric beside a metric of rows ends in `_at`."""
    return f"{metric.macro.removeprefix('metric_').removeprefix('curve_of_')}.md"


def metrics_table() -> str:
    """The metrics under their tasks, then the curves: notation, options with defaults, what they are."""
    lines = []
    for task, metrics in by_task().items():
        lines += [
            f"## {task}\n",
            "| metric | over | options | interval | what it is |",
            "|---|---|---|---|---|",
        ]
        for metric in metrics:
            # what every list metric takes, the page of metrics says once
            options = " ".join(f"`{name}={written(value)}`" for name, value in metric.options.items())
            lines.append(
                f"| {_link(metric)} | {metric.grain} | {options} | {interval_of(metric) or ''} |"
                f" {cell(text(metric.summary))} |"
            )
        lines.append("")
    lines += ["## Curves\n", "| curve | options | what it is |", "|---|---|---|"]
    for curve in curves().values():
        options = " ".join(f"`{name}={written(value)}`" for name, value in curve.options.items())
        lines.append(f"| {_link(curve, '../curves/')} | {options} | {cell(text(curve.summary))} |")
    return "\n".join(lines)


def searched(metric: Metric) -> str:
    """The title of a page, as people search: by the short name that formulas have, else by the full name.

    >>> searched(catalog()["metric_ndcg"]), searched(catalog()["metric_bpref"])
    ('nDCG in SQL (DuckDB, dbt, Spark)', 'Binary preference (bpref) in SQL (DuckDB, dbt, Spark)')
    """
    full = re.split("[:,;]", metric.summary)[0]
    symbols = [symbol for line in metric.formula for symbol in re.findall(r"\\text\{([^}]*)\}", line)]
    initials = "".join(word[0] for word in full.split()).upper()
    short = next(
        (s for s in [*symbols, initials] if _letters(s) == _letters(metric.name) and s.lower() != s), None
    )
    known = _letters(metric.name) in _letters(full)
    return f"{short or (full if known else f'{full} ({metric.name})')} in SQL (DuckDB, dbt, Spark)"


def _letters(text: str) -> str:
    return re.sub(r"[\W_]", "", text.lower())


def _link(metric: Metric, folder: str = "") -> str:
    return f"[`{metric.notation}`]({folder}{page_name(metric)})"


def names_table() -> str:
    """The names of the metrics, a line a grain."""
    lines = ["| over | metrics |", "|---|---|"]
    for grain, metrics in by_grain().items():
        lines.append(f"| {grain} | {' '.join(f'`{metric.notation}`' for metric in metrics)} |")
    return "\n".join([*lines, f"| curves | {' '.join(f'`{name}`' for name in curves())} |"])


def conventions_table() -> str:
    """A line a convention: its policy of ties, the options of its list metrics, and its metrics in our notation."""
    lines = [
        "| convention | ties in lists | every list metric | lists | rows and score levels |",
        "|---|---|---|---|---|",
    ]
    for name in convention_names():
        stated = macros("duckdb")["convention"](name)
        lists, others = (
            " ".join(
                f"`{_notation(catalog()[f'metric_{metric}'], own)}`"
                for metric, own in sorted(stated[kind].items())
            )
            for kind in ("lists", "others")
        )
        lines.append(f"| `{name}` | {stated['ties']} | {listed(stated['every_list'])} | {lists} | {others} |")
    return "\n".join(lines)


def _notation(metric: Metric, options: dict[str, object]) -> str:
    """A metric's notation with options."""
    between = f"({listed(options)})" if options else ""
    return metric.name + between + metric.notation.removeprefix(metric.name)


def listed(options: dict[str, object]) -> str:
    """Options as a notation has them."""
    return ", ".join(f"{name}={written(value)}" for name, value in options.items())


def example_data(path: str) -> str:
    """A CSV file as a table."""
    header, *rows = [line.split(",") for line in path.splitlines()]
    lines = [header, ["---"] * len(header), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)
