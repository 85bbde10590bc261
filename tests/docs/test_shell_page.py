"""The page of the DuckDB shell: the names that differ from those of metrics, the reasons, and the number of macros."""

from __future__ import annotations

import re

import duckdb
import pytest

from generate.site import DOCS
from sqlmetrics.book.catalog import catalog, curves
from sqlmetrics.book.templates import macros
from support.shell import signatures

PAGE = (DOCS / "howto" / "duckdb-shell.md").read_text(encoding="utf-8")
ROW = re.compile(r"^\| `(.+?)` \|(?: `(\w+)` )?(?: )?\|(?: `(\w+)` )?(?: )?\| (.+) \|$", re.MULTILINE)


def differing() -> dict[str, tuple[str, str]]:
    """Notation of a metric -> its aggregate macro and its table macro, if one is missing or has another name."""
    found = {"count": ("", "")}  # `count` of DuckDB
    for metric in catalog().values():
        aggregate = macros("duckdb")["shell_aggregate_name"]({"macro": metric.macro, "name": metric.name})
        table = metric.macro.removeprefix("metric_")
        names = (
            aggregate if ("aggregate", aggregate) in signatures() else "",
            table if ("table", table) in signatures() else "",
        )
        if any(names) and (not names[0] or set(names) - {"", metric.name}):
            found[metric.notation] = names
    return found


def test_names_that_differ() -> None:
    said = {metric: (aggregate, table) for metric, aggregate, table, _ in ROW.findall(PAGE)}
    assert said == differing()
    listed = set(re.findall(r"`(\w+_curve)`", PAGE))
    assert listed == {f"{kind}_curve" for kind in curves()}


def test_the_reasons_are_those_of_duckdb() -> None:
    why = {metric: reason for metric, _, _, reason in ROW.findall(PAGE)}
    with duckdb.connect() as connection:
        functions = (
            "select function_name from duckdb_functions() where function_name in ('map', 'jaccard', 'count')"
        )
        own = {name for (name,) in connection.sql(functions).fetchall()}
        assert own == {name.removesuffix("[@k]") for name, reason in why.items() if "DuckDB's" in reason}
        connection.execute("create macro precision(x) as x")
        with pytest.raises(duckdb.ParserException):
            connection.execute("select precision(1)")
    metrics = {metric.name for metric in catalog().values()}
    assert {"net_benefit", "qini"} == metrics & set(curves()) - {"calibration"}
    assert "least" in signatures()["aggregate", "recall_at_precision"]


def test_number_of_macros() -> None:
    kinds = [kind for kind, _ in signatures()]
    for kind in ("aggregate", "table"):
        assert f"There are {kinds.count(kind)} {kind} macros" in PAGE
    first, *_ = PAGE.split("```")
    assert "Above a million rows in a group, use the table macro" in first
