"""Numbers as slices: few values are values, many are bins, and what is printed finds the rows."""

from __future__ import annotations

import random
import re
from typing import Any

import pytest

from sqlmetrics.book.templates import macros
from support.engines import Engine


def rows(n: int = 600) -> list[dict[str, Any]]:
    draw = random.Random(4)
    return [
        {
            "flag": i % 2,
            "stars": draw.choice([None, 1, 2, 3, 4, 5]),
            "month": 1 + i % 12,
            "twenty": i % 20,
            "more": i % 21,
            "tenth": draw.choice([0.1, 0.1 + 0.2, 1e-7, 2.0]),
            "drawn": draw.gauss(0, 1) / 3,
            "huge": draw.choice([1, 2, 3]) * 1e9 + draw.randrange(50) / 7,
            "one": 7,
            "y": int(draw.random() < 0.5),
            "p": draw.random(),
        }
        for i in range(n)
    ]


NUMBERS = ["flag", "stars", "month", "twenty", "more", "tenth", "drawn", "huge", "one"]


def found(engine: Engine, data: list[dict[str, Any]], by: list[str], **asked: Any) -> list[dict[str, Any]]:
    """The slices of single columns, three columns a statement: ClickHouse writes a stage out for each reader."""
    rows: list[dict[str, Any]] = []
    for start in range(0, len(by), 3):
        some = by[start : start + 3]
        given = {"by": some, "label": "y", "score": "p", "depth": 1, "min_units": 2, "numeric": some, **asked}
        rows += engine.query(
            str(macros(engine.dialect).find_slices("given", "mae", **given)), {"given": data}
        )
    return rows


@pytest.mark.sample
@pytest.mark.slow
def test_a_filter_by_what_is_printed_finds_the_rows(engine: Engine) -> None:
    data = rows()
    got = found(engine, data, NUMBERS, bins=3)
    conditions = [re.sub(r"(\w+) in \((.+), (.+)\]", r"\1 > \2 and \1 <= \3", row["slice"]) for row in got]
    sums = [
        f"sum(case when {condition} then 1 else 0 end) as n_{i}" for i, condition in enumerate(conditions)
    ]
    [there] = engine.query(f"select {', '.join(sums)} from given", {"given": data})
    assert {row["slice"]: there[f"n_{i}"] for i, row in enumerate(got)} == {
        row["slice"]: row["n_rows"] for row in got
    }


@pytest.mark.slow
def test_few_values_are_slices(engine: Engine) -> None:
    """Up to 20, or as many as there may be bins; of two values the greater stands for both."""
    data = rows()
    names = [row["slice"] for row in found(engine, data, NUMBERS, bins=3)]
    assert [name for name in names if name.startswith(("flag", "one"))] == ["flag = 1"]
    of = {column: sorted(name for name in names if name.split()[0] == column) for column in NUMBERS}
    assert of["stars"] == ["stars = 1", "stars = 2", "stars = 3", "stars = 4", "stars = 5", "stars is null"]
    assert of["month"] == sorted(f"month = {i}" for i in range(1, 13))
    assert of["twenty"] == sorted(f"twenty = {i}" for i in range(20))
    assert of["more"] == ["more <= 6", "more > 13", "more in (6, 13]"]
    assert len(of["tenth"]) == 4
    tenths = {name.removesuffix(".0") for name in of["tenth"]}  # the stand-in of Snowflake prints 2.0
    assert {"tenth = 0.1", "tenth = 0.30000000000000004", "tenth = 2"} < tenths
    [row] = [row for row in found(engine, data, ["more"], bins=21) if row["slice"] == "more = 20"]
    assert (row["more"], row["n_rows"]) == ("20", sum(one["more"] == 20 for one in data))


@pytest.mark.slow
def test_of_two_values_one_is_a_slice(engine: Engine) -> None:
    """Of a category the rarer; a value rather than NULL; and each of them beside another column."""
    data = [
        {**row, "c": "ab"[i % 3 > 0], "d": "x" if i % 4 else None, "e": "uv"[i % 5 > 0]}
        for i, row in enumerate(rows(300))
    ]
    got = found(engine, data, ["c", "d"], numeric=[])
    assert sorted(row["slice"] for row in got) == ["c = a", "d = x"]
    crossed = found(engine, data, ["c", "e"], numeric=[], depth=2)
    assert {row["slices_looked_at"] for row in crossed} == {2 + 4}
    assert sorted(row["slice"] for row in found(engine, data, ["c"], numeric=[], max_values=1)) == ["c = b"]
