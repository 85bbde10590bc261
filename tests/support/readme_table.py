"""README's tables of metrics and conventions, made from `sql/`; run as a script it writes them anew."""

from __future__ import annotations

import re

from sqlmetrics.catalog import Metric, by_grain, catalog, written
from sqlmetrics.conventions import convention_names
from sqlmetrics.templates import macros
from support.paths import ROOT

README = ROOT / "README.md"
#: What intervals are called, by what the plan calls them.
INTERVALS = {
    "mean": "t",
    "share": "Wilson",
    "correlation": "Fisher",
    "auc": "DeLong",
    "bootstrap": "bootstrap",
}
MARKS = "<!-- {}: made by make readme -->\n", "<!-- end of {} -->"


def table() -> str:
    """The metrics under their grains: notation, options with defaults, what they are."""
    lines = []
    for grain, metrics in by_grain().items():
        lines += [
            f"\n**Over {grain}**\n",
            "| metric | options | interval | what it is |",
            "|---|---|---|---|",
        ]
        for metric in metrics:
            # what every list metric takes, README says once
            options = [f"`{name}={written(value)}`" for name, value in metric.options.items()]
            summary = metric.summary.replace("|", "\\|")
            interval = INTERVALS.get(metric.interval, "")
            lines.append(f"| `{metric.notation}` | {' '.join(options)} | {interval} | {summary} |")
    return "\n".join(lines).lstrip("\n") + "\n"


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
                f"`{notation(catalog()[f'metric_{metric}'], own)}`"
                for metric, own in sorted(stated[kind].items())
            )
            for kind in ("lists", "others")
        )
        lines.append(f"| `{name}` | {stated['ties']} | {listed(stated['every_list'])} | {lists} | {others} |")
    return "\n".join(lines) + "\n"


def notation(metric: Metric, options: dict[str, object]) -> str:
    """A metric's notation with options."""
    between = f"({listed(options)})" if options else ""
    return metric.name + between + metric.notation.removeprefix(metric.name)


def listed(options: dict[str, object]) -> str:
    """Options as a notation has them."""
    return ", ".join(f"{name}={written(value)}" for name, value in options.items())


def with_table(readme: str) -> str:
    """README with the tables between their marks."""
    for subject, made in (("metrics", table), ("conventions", conventions_table)):
        start, end = (mark.format(subject) for mark in MARKS)
        before, rest = re.split(f"<!-- {subject}: .* -->\n", readme)
        readme = before + start + "\n" + made() + "\n" + end + rest.split(end)[1]
    return readme


if __name__ == "__main__":
    README.write_text(with_table(README.read_text()))
