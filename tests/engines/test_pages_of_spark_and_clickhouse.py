"""The examples of the pages of Spark and ClickHouse print what is said, and Spark takes a file of a metric view."""

from __future__ import annotations

import importlib.util
from typing import Any

import duckdb
import pytest

import sqlmetrics as sm
from support.layers import BY, FACTS, METRICS, ROWS, compare, expected
from support.paths import ROOT


def renew(page: str, request: pytest.FixtureRequest) -> None:
    """Compares the outputs of a page; with --snapshots they are written anew."""
    pytest.importorskip("latex2mathml", reason="pages are made with it: pip install '.[engines]'")
    from generate.outputs import renewed

    path = ROOT / "docs" / page
    text = path.read_text(encoding="utf-8")
    made = renewed(text, "py")
    if request.config.getoption("snapshots"):
        path.write_text(made, encoding="utf-8")
    else:
        assert made == text, "write it anew: pytest --snapshots with this test"


def test_tutorial_of_spark(spark: Any, request: pytest.FixtureRequest) -> None:
    del spark  # the session that getOrCreate finds
    renew("tutorials/spark.md", request)


@pytest.mark.skipif(importlib.util.find_spec("chdb") is None, reason="no chdb, ClickHouse as a library")
def test_page_of_clickhouse(request: pytest.FixtureRequest) -> None:
    renew("howto/clickhouse.md", request)


def test_metric_view_of_spark(spark: Any) -> None:
    """The state is a table, the view is made of the file, and its measures are those of `evaluate`."""
    pytest.importorskip("ruamel.yaml", reason="files of layers are made with it: pip install '.[engines]'")
    columns = {name: name.lower().replace(" ", "_") for name in METRICS}
    state = sm.state(duckdb.sql(ROWS), list(METRICS.values()), period="day", by=BY, **FACTS)
    spark.createDataFrame(state.to_arrow()).write.saveAsTable("daily_state")
    try:
        asked: dict[str, Any] = {"table": "daily_state", "format": "metric_view", "connection": spark}
        spark.sql(
            f"create view shop with metrics language yaml as $$\n{sm.semantic('daily_state', METRICS, **asked)}$$"
        )
        for names, by in ((["model"], []), (["country", "device_s_type", "model"], BY)):
            measures = [f"measure({name}) as {name}" for name in (*columns.values(), "n_rows")]
            query = f"select {', '.join([*names, *measures])} from shop group by {', '.join(names)}"
            got = [row.asDict() for row in spark.sql(query).collect()]
            compare(got, names, columns, expected(by))
            assert sum(row["n_rows"] for row in got) == 2 * 10_569
    finally:
        spark.sql("drop view if exists shop")
        spark.sql("drop table daily_state")
