"""`describe` and `conventions`: the documentation of metrics, and their definitions in other libraries."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from sqlmetrics.book.catalog import Metric, catalog, curves, find, written
from sqlmetrics.book.conventions import convention_names, options_of, ties_of
from sqlmetrics.book.notation import parsed
from sqlmetrics.book.signatures import signature, takers
from sqlmetrics.errors import SqlMetricsError, public
from sqlmetrics.table.frame import Frame


def conventions() -> Frame:
    """The options that each convention sets: one row for each convention and each metric of its library.

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
    """The rank of ties under a convention; None for metrics that are not over lists."""
    return ties_of(name) if metric.grain == "lists" else None


def _conventional(name: str, metric: Metric) -> str | None:
    """The options of a metric under a convention, as in a notation; None if the library lacks the metric."""
    options = options_of(name, metric.macro)
    if options is None:
        return None
    return ", ".join(f"{option}={written(value)}" for option, value in options.items())


@public
def describe(name: str) -> str:
    """Returns the documentation of a metric or curve.

    It gives the meaning, arguments, range, undefined cases, errors and source.

    Args:
        name: a metric such as `ndcg`; `recall@10` or `recall@k` for the list metric beside `recall`; a curve
            such as `roc`; or the name of a metric in another library, such as `roc_auc_score`.

    Raises:
        SqlMetricsError: an unknown metric.

    >>> print(describe("brier").splitlines()[0])
    brier
    """
    return "\n\n".join(f"{metric.notation}\n\n{_documentation(metric)}" for metric in _found(name))


def described(name: str) -> list[dict[str, Any]]:
    """What `describe` says, in parts for programs: one object for each metric that the name stands for.

    >>> [metric] = described("brier")
    >>> metric["metric"], metric["grain"], metric["better"], metric["range"]
    ('brier', 'rows', 'lower', '[0, 1]')
    """
    return [
        {
            "metric": metric.notation,
            **({} if (curve := metric.macro.startswith("curve_of_")) else {"grain": metric.grain}),
            "description": metric.summary,
            "parameters": [
                {"name": name, "required": default is ..., "default": None if default is ... else default}
                for name, default in metric.parameters.items()
            ],
            **({} if curve else _judged(metric)),
            "documentation": _documentation(metric),
        }
        for metric in _found(name)
    ]


def _judged(metric: Metric) -> dict[str, Any]:
    """What a metric has and a curve lacks."""
    return {
        "better": str(metric.better),
        "range": str(metric.range),
        "unit": metric.unit,
        "formula": metric.formula,
        "example": metric.example,
        "aliases": [
            {"name": alias.name, "library": alias.library, "notation": alias.notation}
            for alias in metric.aliases
        ],
        "conventions": {
            name: text for name in convention_names() if (text := _conventional(name, metric)) is not None
        },
    }


def _found(name: str) -> list[Metric]:
    """The metrics and curves that a name stands for.

    Raises:
        SqlMetricsError: an unknown metric.
    """
    if not isinstance(name, str):
        raise SqlMetricsError(f"A metric is text such as 'auc' or 'ndcg@10', got {name!r}")
    plain, at, _ = name.lower().replace("[", "").replace("]", "").partition("@")  # as the catalog writes it
    plain = plain.split("(")[0].strip()
    entries = [*catalog().values(), *curves().values()]
    known = any(entry.name == plain for entry in entries)
    found = [] if known else [entry for entry in catalog().values() if _is_called(entry, plain)]
    if not found:
        parsed(plain)  # a name of what is no metric here is answered
        found = [entry for entry in entries if entry.name == plain and not at] or [find(plain, bool(at))]
    return found


def _is_called(metric: Metric, name: str) -> bool:
    """Whether a name is that of a metric in another library; `P` is that of `P@k`, `P_10` and `P.10` of `P_k`."""
    names = {re.sub(r"@k|\(k\)", "", key) for alias in metric.aliases for key in alias.keys}
    return not names.isdisjoint(
        (name, re.sub(r"(?<=_)([\d.]+|k)$", "", name), re.sub(r"\.[\d.]+$", "_", name))
    )


def _documentation(metric: Metric) -> str:
    """A metric's documentation: the comment above its macro, its options, defaults and conventions."""
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
    """The lines of a macro's documentation that explain the arguments `names`."""
    doc = signature(macro).doc
    return re.findall(rf"^  (?:{'|'.join(names)}): .*(?:\n    .*)*", doc, flags=re.MULTILINE) if names else []
