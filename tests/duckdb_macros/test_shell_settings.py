"""The macros of a shell under settings of the user's session: what they order, they order by word."""

from __future__ import annotations

import re
from collections.abc import Iterator

import duckdb
import pytest

import sqlmetrics as sm
from sqlmetrics.shell import shell_macros
from support.shell import asked, close, drawn, kind_of, metric_of, options_of, signatures

SETTINGS = [
    ("set default_order='desc'",),
    ("set default_null_order='nulls_first'",),
    ("set default_order='desc'", "set default_null_order='nulls_first'"),
    ("set default_order='desc'", "set default_null_order='nulls_last_on_asc_first_on_desc'"),
    ("set default_collation='nocase'", "set threads=1", "set preserve_insertion_order=false"),
]


@pytest.fixture(scope="module")
def plain() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as opened:
        sm.install(opened)
        yield opened


@pytest.fixture(params=SETTINGS, ids="; ".join)
def hostile(request: pytest.FixtureRequest) -> Iterator[duckdb.DuckDBPyConnection]:
    """A session whose settings were made before the macros, and stay."""
    with duckdb.connect() as opened:
        for setting in request.param:
            opened.execute(setting)
        sm.install(opened)
        yield opened


def aggregates(kind: str) -> list[str]:
    """A call of every macro that aggregates rows of a kind."""
    calls = []
    for (form, name), arguments in signatures().items():
        if form == "table" or kind_of(metric := metric_of(form, name)) != kind:
            continue
        columns = [
            "label" if each == "grade" else each for each in arguments if each in ("label", "grade", "score")
        ]
        options = [f"{option} := {value}" for option, value in options_of(metric, arguments, {}).items()]
        calls.append(f"{name}({', '.join([*columns, *options])}) as {name}")
    assert len(calls) > 15
    return calls


@pytest.mark.parametrize("kind", ["classes", "numbers", "lists"])
def test_aggregates_are_the_same(
    kind: str, plain: duckdb.DuckDBPyConnection, hostile: duckdb.DuckDBPyConnection
) -> None:
    query = (
        f"select part, {', '.join(aggregates(kind))} from drawn group by part order by part asc nulls last"
    )
    rows = []
    for connection in (plain, hostile):
        connection.register("drawn", drawn(kind, 1))
        rows.append(asked(connection, query))
    wrong = {
        (row["part"], name): (value, other[name])
        for row, other in zip(*rows, strict=True)
        for name, value in row.items()
        if name != "part" and not close(value, other[name])
    }
    assert not wrong


def test_every_order_of_a_list_says_its_direction() -> None:
    text = shell_macros()
    assert not re.findall(r"list_reverse_sort|array_(?:reverse_)?sort|list_grade_up", text)
    sorts = re.findall(r"list_sort\(", text)
    assert len(sorts) == len(re.findall(r", '(?:asc|desc)', 'nulls last'\)", text)) > 50
