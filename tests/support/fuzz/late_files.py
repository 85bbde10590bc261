"""Files whose columns show late what they are: numbers that become decimals, identities that become text, new fields.

`write` makes the file of some rows behind many others, `table` the same rows in memory, where numbers are doubles and
identities texts.
"""

from __future__ import annotations

import csv
import gzip
import io
import json
from functools import cache
from pathlib import Path
from typing import Any

import pyarrow

from support.fuzz.call import Rows

#: The rows before those that are drawn; readers that guess types look at 20,480.
EARLY = 20_500
#: What names something; several are one number.
IDENTITIES = ("1", "2", "3.1", "3.10", "1e3", "1000", "007", "7", "true", "a", "it's", "2026-06-01")
NUMBERS = ("label", "target", "score", "other", "w", "x")


@cache
def early(missing: frozenset[str]) -> Rows:
    """The rows before: whole numbers, as those of a file in the order of the score."""
    rows = [
        {
            "list": str(i // 100),
            "item": str(i % 100),
            "label": float(i % 3 == 0),
            "score": float(i % 5 == 0),
            "target": float(i % 4),
            "other": float(i % 7 == 0),
            "w": 1.0 + i // 100 % 2,
            "x": float(i % 6),
            "part": "1",
            "version": str(i % 2),
            "day": "1",
            "predicted": str(i % 2),
        }
        for i in range(EARLY)
    ]
    return [{name: None if name in missing else cell for name, cell in row.items()} for row in rows]


def plain(cell: Any) -> Any:
    """A cell as it is written: R and Excel write 1.0 as 1."""
    return int(cell) if isinstance(cell, float) and cell.is_integer() else cell


@cache
def head(form: str, missing: frozenset[str]) -> str:
    """The text of the rows before."""
    return text(form, early(missing))


def text(form: str, rows: Rows) -> str:
    """The text of some rows, without the line of names."""
    if form == "jsonl":
        cells = ({name: plain(cell) for name, cell in row.items() if cell is not None} for row in rows)
        return "".join(json.dumps({name: loose(cell) for name, cell in row.items()}) + "\n" for row in cells)
    found = io.StringIO()
    written = csv.writer(found, delimiter="\t" if form == "tsv" else ",", lineterminator="\n")
    written.writerows([plain(row[name]) for name in early(frozenset())[0]] for row in rows)
    return found.getvalue()


def loose(cell: Any) -> Any:
    """In JSON a whole number that names something is mostly written as a number."""
    return int(cell) if isinstance(cell, str) and cell.isdigit() and cell == str(int(cell)) else cell


def write(path: str | Path, rows: Rows, missing: Any) -> None:
    """Writes the file."""
    form = next(one for one in ("csv", "tsv", "jsonl") if one in Path(path).suffixes[0])
    names = "" if form == "jsonl" else text(form, [{name: name for name in early(frozenset())[0]}])
    whole = (names + head(form, frozenset(missing)) + text(form, rows)).encode()
    Path(path).write_bytes(gzip.compress(whole, 1) if str(path).endswith(".gz") else whole)


def table(rows: Rows, missing: Any) -> pyarrow.Table:
    """The same rows in memory."""
    before = in_memory(frozenset(missing))
    return pyarrow.concat_tables([before, pyarrow.Table.from_pylist(rows, before.schema)])


@cache
def in_memory(missing: frozenset[str]) -> pyarrow.Table:
    """The rows before, of doubles and texts."""
    rows = early(missing)
    types = {name: pyarrow.float64() if name in NUMBERS else pyarrow.string() for name in rows[0]}
    return pyarrow.Table.from_pylist(rows, pyarrow.schema(types))
