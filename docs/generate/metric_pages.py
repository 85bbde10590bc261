"""A page for each metric and each curve, made from the comment above its macro and the catalogue."""

from __future__ import annotations

import functools
import inspect
import re
import textwrap
from collections.abc import Iterator
from pathlib import Path

import jinja2

import oracles
from generate.examples import entries, example, plain_notation, shell_examples_of, values_by_convention
from generate.formulas import mathml
from generate.headers import arguments, cell, parts, text
from generate.libraries import names_of
from generate.tables import interval_of, listed, page_name, searched
from sqlmetrics.book.catalog import Metric, catalog, written
from sqlmetrics.book.conventions import convention_names, options_of, ties_of
from sqlmetrics.book.headers import UNITS
from sqlmetrics.book.signatures import signature, takers

DIALECTS = ("duckdb", "postgres", "bigquery")
BETTER = {"higher": "higher", "lower": "lower", "none": "has no direction"}


def pages() -> Iterator[tuple[str, str]]:
    """The pages, each with its path in the site."""
    for macro, metric in entries().items():
        folder = "metrics" if macro in catalog() else "curves"
        yield f"{folder}/{page_name(metric)}", page(metric)


def page(metric: Metric) -> str:
    """The page of a metric or a curve."""
    paragraphs, fields = parts(metric.doc)
    shown = example(metric.macro)
    return _template().render(
        metric=metric,
        title=searched(metric),
        paragraphs=paragraphs,
        fields=fields,
        formula=[mathml(equation, display="block") for equation in metric.formula],
        facts=_facts(metric, fields),
        others=[m for m in catalog().values() if m.name == metric.name and m.macro != metric.macro]
        if metric.macro in catalog()
        else [],
        options=_options(metric, fields),
        example=shown,
        result=str(shown.result).rstrip(),
        shell=shell_examples_of(metric),
        plain=plain_notation(metric.macro) if metric.macro in catalog() else None,
        conventions=_conventions(metric),
        names=_names(metric),
        oracle=_oracle(metric),
        statements={dialect: shown.statement(dialect).strip() for dialect in DIALECTS},
    )


@functools.cache
def _template() -> jinja2.Template:
    folder = jinja2.FileSystemLoader(Path(__file__).parent)
    environment = jinja2.Environment(
        loader=folder, trim_blocks=True, lstrip_blocks=True, keep_trailing_newline=True
    )
    environment.filters |= {"cell": cell, "text": text, "page_name": page_name, "called": _called}
    return environment.get_template("metric.md.jinja")


def _called(call: str) -> str:
    """The macro that a shell example calls."""
    match = re.search(r"(\w+)\(", call)
    assert match is not None, call
    return match[1]


def _facts(metric: Metric, fields: dict[str, str]) -> dict[str, str]:
    """What the head of a page says in a table."""
    if metric.macro not in catalog():
        return {"Columns": text(fields["Returns"])}
    better = metric.better
    called, alike = (
        [
            f"`{alias.name}` ({alias.library})" + (f", which is `{alias.notation}`" if alias.notation else "")
            for alias in names
        ]
        for names in (metric.aliases, metric.namesakes)
    )
    direction = f"nearer to {better.target:g}" if better.target is not None else BETTER[better.direction]
    return {
        "For": metric.task.lower(),
        "Over": metric.grain,
        "Returns": text(fields["Returns"]),
        "Range": f"`{metric.range}`",
        "Better": direction,
        "Unit": f"{metric.unit}: {UNITS[metric.unit]}" if metric.unit != "none" else UNITS["none"],
        "Interval": interval_of(metric) or "none",
        **({"Also called": "; ".join(called)} if called else {}),
        **({"Written alike": "; ".join(alike)} if alike else {}),
    }


def _options(metric: Metric, fields: dict[str, str]) -> dict[str, tuple[str | None, str]]:
    """The options of a metric, those that it shares with its kind last: default and meaning."""
    meanings = {}
    for macro in reversed(takers(metric.macro)):
        meanings |= arguments(parts(signature(macro).doc)[1].get("Args", ""))
    meanings |= arguments(fields.get("Args", ""))
    return {
        name: (None if default is ... else written(default), meanings[name])
        for name, default in metric.parameters.items()
        if name in meanings
    }


def _conventions(metric: Metric) -> list[dict[str, str]]:
    """A row for each convention that has the metric, below one for the defaults; none for a curve."""
    if metric.macro not in catalog():
        return []
    values = values_by_convention().get(metric.macro, {})
    rows = []
    for name in convention_names():
        options = options_of(name, metric.macro)
        if options is not None:
            ties = f"ties={ties_of(name)}" if metric.grain == "lists" else ""
            said = ", ".join(filter(None, [listed(options), ties]))
            rows.append(_convention(f"`{name}`", f"`{said}`" if said else "the defaults", values.get(name)))
    if rows:
        rows.insert(0, _convention("none", "the defaults", values.get("default")))
    return rows


def _convention(name: str, options: str, value: float | None) -> dict[str, str]:
    return {"name": name, "options": options, "value": "refused" if value is None else f"{value:.4f}"}


def _names(metric: Metric) -> list[dict[str, str]]:
    """A row for each name of the metric in another library."""
    return [
        {
            "library": f"[{_library(row.library)}](../coming-from/{row.page})",
            "theirs": f"`{row.theirs}`",
            "ours": f"`{row.ours}`",
            "differs": row.differs or "nothing",
        }
        for row in names_of(metric)
    ]


def _library(name: str) -> str:
    return f"`{name}`" if name in convention_names() else name


def _oracle(metric: Metric) -> str | None:
    """The source of the metric's formula in tests/oracles/; a curve has none."""
    if metric.macro not in catalog():
        return None
    lists = metric.grain == "lists" and metric.name in oracles.LISTS
    known = (
        [oracles.LISTS]
        if lists
        else [oracles.ROWS, oracles.DIVERSITY, oracles.ITEMS, oracles.SCORED, oracles.LISTS]
    )
    formula = next((formulas[metric.name] for formulas in known if metric.name in formulas), None)
    formula = formula[0] if isinstance(formula, tuple) else formula
    return None if formula is None else textwrap.dedent(inspect.getsource(formula)).strip()
