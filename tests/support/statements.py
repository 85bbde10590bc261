"""A fingerprint of every statement, in every dialect: the first guard of a refactoring.

A statement is kept only if its stages have what is read, and no more (support/columns.py), and one of CALLS or of a
later metric only if sqlglot parses it in its dialect. So tests do not parse what did not change.

In tests/, or by `make statements`:
python -m support.statements             writes tests/statements.json anew; without the file all are parsed
python -m support.statements --dump DIR  writes the statements themselves, to be compared with diff -r
"""

from __future__ import annotations

import argparse
import hashlib
import json
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any
from unittest import mock

from sqlmetrics import __version__
from sqlmetrics.book.catalog import catalog
from sqlmetrics.book.templates import dialects, macros
from sqlmetrics.errors import SqlMetricsError
from sqlmetrics.shell import install as shell
from support.calls import CALLS, unstamped
from support.columns import PARSERS, spare, undefined
from support.frozen import TOGETHER
from support.paths import TESTS

KEPT = TESTS / "statements.json"
#: call -> hash; the calls of a metric alone are grouped by the way in which it is asked for
Fingerprints = dict[str, dict[str, str]]
ROWS: dict[str, Any] = {"relation": "predictions", "label": "y", "score": "s", "positive": 1}
LISTS = {**ROWS, "group": "g", "item": "i", "max_grade": 4}
ITEMS = {**LISTS, "prediction": "p", "catalog": "c", "history": "h", "category": "t"}
TRUTH = {**LISTS, "truth": "j", "subtopic": "a"}
STATE = {**LISTS, "period": "day", "by": "country"}
PAIRS = {
    **{fact: value for fact, value in LISTS.items() if fact != "score"},
    "baseline": "s",
    "candidate": "t",
}
POLICIES = {"on_duplicate": "first", "unjudged": "drop", "ties": "worst"}
#: Ways to ask for a single metric: name -> macro and facts. A call that is refused has its refusal as its statement.
#: Calls of several metrics, with intervals and comparisons of every kind, are in CALLS.
WAYS: dict[str, tuple[str, dict[str, Any]]] = {
    "rows, by": ("evaluate", {**ROWS, "by": "country"}),
    "lists, by": ("evaluate", {**LISTS, "by": "country"}),
    "lists, policies": ("evaluate", {**LISTS, "by": "day", **POLICIES}),
    "items": ("evaluate", {**ITEMS, "by": "country"}),
    "truth": ("evaluate", {**TRUTH, "by": "country"}),
    "weighted lists, ties": ("evaluate", {**LISTS, "ties": "item", "weight": "w"}),
    "weighted rows of models": ("evaluate", {**ROWS, "weight": "w", "score": {"a": "s", "b": "t"}}),
    "per group": ("per_group", {**LISTS, "by": "country"}),
    "state": ("state", STATE),
    "finish": ("finish", STATE),
    "rows, interval": ("evaluate", {**ROWS, "interval": 0.95}),
    "lists, interval": ("evaluate", {**LISTS, "interval": 0.95}),
    "compare": ("compare", PAIRS),
}
#: Dialects in which every metric is asked for alone: DuckDB ranks lists first, PostgreSQL counts their grades.
#: A statement with an interval takes ten times as long to write as one without, hence once.
EVERY_METRIC = {"duckdb": list(WAYS), "postgres": list(WAYS)[:5]}
#: In the others those alone that CALLS does not ask for together; a refusal where one of the two does not serve.
LATER = ["items", "truth"]


def calls(dialect: str) -> Iterator[tuple[str, str, tuple[str, dict[str, Any]]]]:
    """How, what, and the macro with its arguments."""
    for call, asked in CALLS.items():
        yield "calls", call, asked
    every = dialect in EVERY_METRIC
    alone = [metric.example for metric in catalog().values() if every or metric.example not in TOGETHER]
    for way in EVERY_METRIC.get(dialect, LATER):
        macro, facts = WAYS[way]
        for notation in alone:
            asked = (macro, {**facts, "metrics": [notation]})
            yield (way, notation, asked) if every else ("calls", f"{notation}, {way}", asked)


def is_alone(call: str) -> bool:
    """Whether a call asks for one metric in one way; those of CALLS have all metrics, and every option."""
    return call not in CALLS and call != "shell" and not call.endswith(", measures")


def statements(dialect: str, alone: bool | None = None) -> Iterator[tuple[str, str, str]]:
    """Every call and its statement, or its refusal.

    Args:
        alone: those calls only that ask for one metric, or only the others.
    """
    known = macros(dialect)
    for way, call, (macro, arguments) in calls(dialect):
        if alone is not None and is_alone(call) != alone:
            continue
        try:
            yield way, call, unstamped(str(known[macro](**arguments)))
        except SqlMetricsError as error:
            yield way, call, f"refused: {error}"
    if dialect == "duckdb":
        found = {macro: metric.example in TOGETHER for macro, metric in catalog().items()}
        if not alone:
            yield "calls", "shell", library({macro for macro, together in found.items() if together})
        for macro in (macro for macro, together in found.items() if not together and alone is not False):
            yield "calls", f"{catalog()[macro].example}, shell", library({macro})
        for metrics in [] if alone else (["base_rate", "log_loss", "max_error"], ["ndcg@10", "gauc"]):
            plan = known["semantic_plan"](metrics, **LISTS, period="day")
            yield "calls", f"{', '.join(metrics)}, measures", str(known["measured"](plan))


def library(of: set[str]) -> str:
    """The macros of some metrics for a DuckDB shell, and of all curves."""
    metrics = {macro: metric for macro, metric in catalog().items() if macro in of}
    with mock.patch.object(shell, "catalog", return_value=metrics):
        return shell.shell_macros().replace(f" of version {__version__}", "", 1)


def fingerprint(text: str) -> str:
    """The start of a statement's sha256."""
    return hashlib.sha256(text.encode()).hexdigest()[:8]


def fingerprints(dialect: str, alone: bool | None = None) -> Fingerprints:
    """The fingerprint of each statement, or of those of `statements(dialect, alone)`."""
    found: Fingerprints = {}
    for way, call, text in statements(dialect, alone):
        found.setdefault(way, {})[call] = fingerprint(text)
    return found


def parsed(dialect: str) -> Fingerprints:
    """The same; a statement that is not kept yet is checked."""
    known = kept().get(dialect, {}) if KEPT.exists() else {}
    for way, call, text in statements(dialect):
        if (
            text.startswith("refused: ")
            or call.endswith(("shell", "measures"))
            or known.get(way, {}).get(call) == fingerprint(text)
        ):
            continue
        if way == "calls":
            parse(text, dialect)
        if wrong := spare(text, dialect) | undefined(text, dialect):
            raise ValueError(f"{dialect}, {way}, {call}: not read, or not there: {sorted(wrong)}")
    return fingerprints(dialect)


def parse(text: str, dialect: str) -> None:
    """Raises unless sqlglot reads a statement in its dialect as a query, and can write it again.

    On BigQuery, no column may have the name of a relation that it is read from, which stands for the whole row there.
    """
    import sqlglot

    reader = PARSERS[dialect]
    (query,) = sqlglot.parse(text, dialect=reader, error_level=sqlglot.ErrorLevel.RAISE)
    if query is None or query.find(sqlglot.exp.Command):
        raise ValueError(f"sqlglot does not read this as a query of {dialect}: {text[:200]}")
    for column in query.find_all(sqlglot.exp.Column) if dialect == "bigquery" else ():
        select = column.find_ancestor(sqlglot.exp.Select)
        read = (
            [select.args.get("from_"), *select.args.get("joins", [])] if select and not column.table else []
        )
        if any(of and of.this.alias_or_name == column.name for of in read):
            raise ValueError(f"a column has the name of its relation: {column.name}")
    query.sql(dialect=reader, unsupported_level=sqlglot.ErrorLevel.RAISE)


def kept() -> dict[str, Fingerprints]:
    """The fingerprints by dialect, as they were written."""
    found: dict[str, Fingerprints] = json.loads(KEPT.read_text(encoding="utf-8"))
    return found


def differences(before: Fingerprints, now: Fingerprints) -> list[str]:
    """The calls whose statement changed, came or went."""

    def flat(of: Fingerprints) -> set[tuple[str, str, str]]:
        return {(way, call, hashed) for way, found in of.items() for call, hashed in found.items()}

    return sorted({f"{way}: {call}" for way, call, _ in flat(before) ^ flat(now)})


def dump(dialect: str, folder: Path) -> None:
    """Writes the statements of a dialect, a file each."""
    for way, call, text in statements(dialect):
        path = folder / dialect / way / f"{call.replace('/', ' ')}.sql"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text + "\n", encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--dump", type=Path, metavar="DIR", help="a folder for the statements themselves")
    folder = parser.parse_args().dump
    # the two with most calls first
    ordered = sorted(dialects(), key=lambda dialect: dialect not in EVERY_METRIC)
    with ProcessPoolExecutor(2) as pool:
        if folder is None:
            found = dict(zip(ordered, pool.map(parsed, ordered), strict=True))
            KEPT.write_text(json.dumps(found, indent=0, sort_keys=True) + "\n", encoding="utf-8")
        else:
            list(pool.map(dump, ordered, [folder] * len(ordered)))


if __name__ == "__main__":
    main()
