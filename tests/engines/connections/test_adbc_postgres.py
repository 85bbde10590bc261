"""ADBC to PostgreSQL, by value: the cases of conformance in which every notation stands, and calls of evaluate."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing

import pyarrow as pa
import pytest

import sqlmetrics as sm
from conformance.cases import Case
from sqlmetrics.engines import session
from support.conformance import computed, mismatches, named
from support.connections.kinds import adbc_postgres
from support.doors import FACTS, ROWS, measured
from support.engines import Engine, Rows
from support.engines.tables import columns, plain
from support.errors import told
from support.few import few_cases

TYPES = {int: pa.int64(), float: pa.float64(), bool: pa.bool_(), str: pa.string()}


@pytest.fixture(scope="module")
def adbc(postgres: str) -> Iterator[Engine]:
    """PostgreSQL through ADBC: tables are ingested as Arrow, and results come as Arrow."""
    with closing(adbc_postgres(postgres, autocommit=False)) as connection:

        def query(sql: str, tables: dict[str, Rows]) -> Rows:
            try:
                with closing(connection.cursor()) as cursor:
                    for name, rows in tables.items():
                        schema = pa.schema([(column, TYPES[kind]) for column, kind in columns(rows).items()])
                        table = pa.Table.from_pylist(rows, schema)
                        cursor.adbc_ingest(name, table, mode="create", temporary=True)
                with session(connection, None) as opened:
                    found = opened.query(sql, "the case").to_pylist()
                return [{name: plain(value) for name, value in row.items()} for row in found]
            finally:
                connection.rollback()

        yield Engine("postgres", "postgres", query)


@pytest.mark.parametrize("case", few_cases(), ids=lambda case: case.name)
def test_metric(case: Case, adbc: Engine) -> None:
    rows = computed(case, adbc)
    parts = {row[case.by] for row in case.rows} | {"all"} if case.by else {"all"}
    assert len(rows) == len(parts)
    wrong = list(mismatches(case, rows, named(case), adbc.name))
    assert not wrong, "\n".join([f"{len(wrong)} values differ", *wrong])


def test_evaluate_finds_the_dialect_and_leaves_no_trace(postgres: str) -> None:
    with closing(adbc_postgres(postgres, autocommit=False)) as connection:
        with closing(connection.cursor()) as cursor:
            cursor.adbc_ingest("my scores", pa.Table.from_pylist(ROWS), mode="create", temporary=True)
        for data in ("my scores", '"my scores"', 'select * from "my scores"'):
            report = sm.evaluate(data, ["mae", "auc"], connection=connection, **FACTS)
            [row] = report.to_dicts()
            assert {name: row[name] for name in measured(ROWS)} == pytest.approx(measured(ROWS), rel=1e-12)
        connection.rollback()
        message = told(sm.evaluate, "my scores", "auc", connection=connection, **FACTS)
        assert message.startswith("'my scores' is no table of the connection")
