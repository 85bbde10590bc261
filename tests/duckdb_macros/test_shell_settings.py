"""The macros of a shell under settings of the user's session: what they order, they order by word."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import Any

import duckdb
import pytest

import sqlmetrics as sm
from sqlmetrics.shell.install import shell_macros
from support.shell import asked, close, columns_of, drawn, kind_of, metric_of, options_of, signatures

SETTINGS = [
    ("set default_order='desc'",),
    ("set default_null_order='nulls_first'", "set integer_division=true"),
    ("set default_order='desc'", "set default_null_order='nulls_first'"),
    (
        "set default_order='desc'", "set default_null_order='nulls_last_on_asc_first_on_desc'",
        "set default_collation='nocase'", "set threads=1", "set preserve_insertion_order=false",
    ),
]  # fmt: skip


@cache
def plain(kind: str) -> list[dict[str, Any]]:
    """What the macros give in a session without settings."""
    with duckdb.connect() as opened:
        sm.install(opened)
        return rows_of(opened, kind)


def rows_of(connection: duckdb.DuckDBPyConnection, kind: str) -> list[dict[str, Any]]:
    connection.register("drawn", drawn(kind, 1))
    calls = ", ".join(aggregates(kind))
    return asked(connection, f"select part, {calls} from drawn group by part order by part asc nulls last")


@pytest.fixture(scope="module", params=SETTINGS, ids="; ".join)
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
        columns = columns_of(arguments)
        options = [f"{option} := {value}" for option, value in options_of(metric, arguments, {}).items()]
        calls.append(f"{name}({', '.join([*columns, *options])}) as {name}")
    assert len(calls) > 15
    return calls


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["classes", "numbers", "lists"])
def test_aggregates_are_the_same(kind: str, hostile: duckdb.DuckDBPyConnection) -> None:
    rows = (plain(kind), rows_of(hostile, kind))
    wrong = {
        (row["part"], name): (value, other[name])
        for row, other in zip(*rows, strict=True)
        for name, value in row.items()
        if name != "part" and not close(value, other[name])
    }
    assert not wrong


@pytest.mark.slow
def test_every_order_of_a_list_says_its_direction() -> None:
    text = shell_macros()
    assert not re.findall(r"list_reverse_sort|array_(?:reverse_)?sort|list_grade_up", text)
    sorts = re.findall(r"list_sort\(", text)
    assert len(sorts) == len(re.findall(r", '(?:asc|desc)', 'nulls last'\)", text)) > 50
