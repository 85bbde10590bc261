"""DataFusion in this process."""

import importlib.util
from collections.abc import Iterator
from contextlib import contextmanager

import pyarrow

from support.engines import Engine, NoEngineError, Rows
from support.engines.tables import columns, plain, quoted

GAPS = {"tests/search/": "find_slices is refused: the result has further rows of slices, without names"}


@contextmanager
def opened() -> Iterator[Engine]:
    """DataFusion in this process."""
    if importlib.util.find_spec("datafusion") is None:
        raise NoEngineError("no datafusion")
    from datafusion import SessionConfig, SessionContext

    types = {int: pyarrow.int64(), float: pyarrow.float64(), bool: pyarrow.bool_(), str: pyarrow.string()}
    # one partition: tables are tiny
    context = SessionContext(SessionConfig().with_target_partitions(1))

    def query(sql: str, tables: dict[str, Rows]) -> Rows:
        try:
            for name, rows in tables.items():
                schema = pyarrow.schema([(column, types[kind]) for column, kind in columns(rows).items()])
                batches = pyarrow.Table.from_pylist(rows, schema).to_batches()
                context.register_record_batches(quoted(name), [batches])
            return [
                {column: plain(value) for column, value in row.items()}
                for row in context.sql(sql).to_arrow_table().to_pylist()
            ]
        finally:
            for name in tables:
                context.deregister_table(quoted(name))

    yield Engine("datafusion", "datafusion", query)
