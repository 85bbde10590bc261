"""A fingerprint of every statement, in every dialect: the first guard of a refactoring.

python -m support.statements            writes tests/statements.json anew
python -m support.statements --dump DIR writes the statements themselves, to be compared with diff
"""

from __future__ import annotations

import argparse
import hashlib
import json
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

from sqlmetrics.catalog import catalog
from sqlmetrics.errors import SqlMetricsError
from sqlmetrics.shell import shell_macros
from sqlmetrics.templates import dialects, macros
from support.calls import CALLS
from support.paths import TESTS

#: Dialects in which every metric is asked for alone: one that ranks lists first, and one that counts their grades.
EVERY_METRIC = ["duckdb", "postgres"]
KEPT = TESTS / "statements.json"
ROWS: dict[str, Any] = {"relation": "predictions", "label": "y", "score": "s", "positive": 1}
LISTS = {**ROWS, "group": "g", "item": "i", "max_grade": 4}
ITEMS = {**LISTS, "prediction": "p", "catalog": "c", "history": "h", "category": "t"}
TRUTH = {**LISTS, "truth": "j", "subtopic": "a"}
STATE = {**LISTS, "period": "day", "by": "country"}
#: Ways to ask for a single metric: name -> macro and facts. A call that is refused has its refusal as its statement.
WAYS: dict[str, tuple[str, dict[str, Any]]] = {
    "rows, by, interval": ("evaluate", {**ROWS, "by": "country", "interval": 0.95}),
    "weighted rows": ("evaluate", {**ROWS, "weight": "w", "score": {"a": "s", "b": "t"}}),
    "lists, by": ("evaluate", {**LISTS, "by": "country"}),
    "lists, interval": ("evaluate", {**LISTS, "interval": 0.95}),
    "lists, ties": ("evaluate", {**LISTS, "ties": "item", "weight": "w"}),
    "lists, policies": ("evaluate", {**LISTS, "by": "day", "on_duplicate": "first", "unjudged": "drop", "ties": "worst"}),
    "items": ("evaluate", {**ITEMS, "by": "country", "interval": 0.9, "interval_method": "bootstrap"}),
    "truth": ("evaluate", {**TRUTH, "by": "country"}),
    "per group": ("per_group", {**LISTS, "by": "country"}),
    "state": ("state", STATE),
    "finish": ("finish", STATE),
    "compare": ("compare", {**{k: v for k, v in LISTS.items() if k != "score"}, "baseline": "s", "candidate": "t", "by": "day"}),
    "compare rows": (
        "compare",
        {"relation": "predictions", "label": "y", "positive": 1, "baseline": "s", "candidate": "t", "weight": "w"},
    ),
    "compare samples": (
        "compare",
        {"relation": "predictions", "label": "y", "positive": 1, "baseline": "s", "candidate": "s", "other": "o", "paired": False},
    ),
}  # fmt: skip


def statements(dialect: str) -> Iterator[tuple[str, str]]:
    """Every call and its statement, or its refusal."""
    known = macros(dialect)
    calls = dict(CALLS)
    for metric in catalog().values() if dialect in EVERY_METRIC else ():
        for notation in dict.fromkeys(
            [f"{metric.name}@10" if metric.needs_cutoff else metric.name, metric.example]
        ):
            for way, (macro, facts) in WAYS.items():
                calls[f"{notation}: {way}"] = (macro, {**facts, "metrics": [notation]})
    for call, (macro, arguments) in calls.items():
        try:
            yield call, str(known[macro](**arguments))
        except SqlMetricsError as error:
            yield call, f"refused: {error}"
    if dialect == "duckdb":
        yield "shell", shell_macros()


def fingerprints(dialect: str) -> dict[str, str]:
    """The start of each statement's sha256, by call."""
    return {call: hashlib.sha256(text.encode()).hexdigest()[:8] for call, text in statements(dialect)}


def dump(dialect: str, folder: Path) -> None:
    """Writes the statements of a dialect, a file each."""
    (folder / dialect).mkdir(parents=True, exist_ok=True)
    for call, text in statements(dialect):
        (folder / dialect / f"{call.replace('/', ' ')}.sql").write_text(text + "\n", encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--dump", type=Path, help="a folder for the statements themselves")
    folder = parser.parse_args().dump
    # the two with most calls first
    ordered = sorted(dialects(), key=lambda dialect: dialect not in EVERY_METRIC)
    with ProcessPoolExecutor(2) as pool:
        if folder is None:
            found = dict(zip(ordered, pool.map(fingerprints, ordered), strict=True))
            KEPT.write_text(json.dumps(found, indent=0, sort_keys=True) + "\n", encoding="utf-8")
        else:
            list(pool.map(dump, ordered, [folder] * len(ordered)))


if __name__ == "__main__":
    main()
