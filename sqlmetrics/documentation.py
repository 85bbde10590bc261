"""`describe` and `conventions`: what stands in `sql/` of a metric, and what other libraries mean by it."""

from __future__ import annotations

import re
from collections.abc import Iterable

from sqlmetrics.catalog import Metric, catalog, curves, find, written
from sqlmetrics.conventions import convention_names, options_of, ties_of
from sqlmetrics.errors import SqlMetricsError
from sqlmetrics.frame import Frame
from sqlmetrics.signatures import signature, takers


def conventions() -> Frame:
    """What each convention says of each metric that its library has: one row a convention and metric.

    >>> conventions().to_dicts()[0]["convention"]
    'trec_eval'
    """
    return Frame.from_dicts(
        [
            {"convention": name, "metric": metric.notation, "ties": _ties(name, metric), "options": text}
            for name in convention_names()
            for metric in sorted(catalog().values(), key=lambda metric: metric.notation)
            if (text := _conventional(name, metric)) is not None
        ]
    )


def _ties(name: str, metric: Metric) -> str | None:
    """The policy of ties of a convention, for a metric that reads one."""
    return ties_of(name) if metric.grain == "lists" else None


def _conventional(name: str, metric: Metric) -> str | None:
    """What a convention says of a metric, as its notation has it."""
    options = options_of(name, metric.macro)
    if options is None:
        return None
    return ", ".join(f"{option}={written(value)}" for option, value in options.items())


def describe(name: str) -> str:
    """The documentation of a metric or a curve: what it is, arguments, range, when it is undefined, errors, source.

    Args:
        name: a metric such as `ndcg`; `recall@10` or `recall@k` for the list metric beside `recall`; or a
            curve such as `roc`.

    Raises:
        SqlMetricsError: no metric of that name.

    >>> print(describe("brier").splitlines()[0])
    brier
    """
    if not isinstance(name, str):
        raise SqlMetricsError(f"A metric is text such as 'auc' or 'ndcg@10', got {name!r}")
    plain, at, _ = name.lower().replace("[", "").replace("]", "").partition("@")  # as the catalog writes it
    if at:
        found = [find(plain.split("(")[0].strip(), with_cutoff=True)]
    else:
        entries = [*catalog().values(), *curves().values()]
        found = [entry for entry in entries if entry.name == plain.split("(")[0].strip()] or [find(plain)]
    return "\n\n".join(f"{metric.notation}\n\n{_documentation(metric)}" for metric in found)


def _documentation(metric: Metric) -> str:
    """What stands above a metric's macro, and above those that take its further parameters."""
    explained = [line for macro in takers(metric.macro) for line in _explained(macro, metric.shared)]
    defaults = [
        f"  {name}" + ("" if default is ... else f" = {written(default)}")
        for name, default in metric.parameters.items()
    ]
    others = [
        f"  {name}: {text or 'the same'}" + (f", ties={ties}" if (ties := _ties(name, metric)) else "")
        for name in convention_names()
        if (text := _conventional(name, metric)) is not None
    ]
    return "\n".join(
        [metric.doc]
        + (["", f"Options of metrics over {metric.grain}:", *explained] if explained else [])
        + (["", "Parameters and defaults:", *defaults] if defaults else [])
        + (["", "Defaults under a convention:", *others] if others else [])
    )


def _explained(macro: str, names: Iterable[str]) -> list[str]:
    """The lines of a macro's documentation that explain arguments."""
    doc = signature(macro).doc
    return re.findall(rf"^  (?:{'|'.join(names)}): .*(?:\n    .*)*", doc, flags=re.MULTILINE) if names else []
