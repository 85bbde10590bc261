"""BigQuery's SQL in this process: Google's own analyser and reference evaluator, as WebAssembly."""

import importlib.util
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from support.engines import Engine, NoEngineError, Rows
from support.engines.tables import cells, columns

#: More rows take minutes: a window costs the square of its rows there.
MOST_ROWS = 3000
GAPS = {"test_long_list": "the reference evaluator takes minutes: a window costs the square of its rows"}


@contextmanager
def opened() -> Iterator[Engine]:
    """GoogleSQL in the mode that BigQuery is in."""
    if importlib.util.find_spec("zetasql") is None:
        raise NoEngineError("no zetasql, the analyser and reference evaluator of GoogleSQL")
    keep_compiled()
    from zetasql import types as sql
    from zetasql.api import CatalogBuilder, PreparedQuery, TableBuilder, create_table_content

    kinds = {
        int: sql.TypeKind.TYPE_INT64,
        float: sql.TypeKind.TYPE_DOUBLE,
        bool: sql.TypeKind.TYPE_BOOL,
        str: sql.TypeKind.TYPE_STRING,
    }
    language = sql.LanguageOptions.maximum_features()
    language.product_mode = sql.ProductMode.PRODUCT_EXTERNAL
    options = sql.AnalyzerOptions(language_options=language)
    functions = sql.ZetaSQLBuiltinFunctionOptions(language_options=language)

    def query(statement: str, tables: dict[str, Rows]) -> Rows:
        if any(len(rows) > MOST_ROWS for rows in tables.values()):
            raise ValueError(f"more than {MOST_ROWS:,} rows")
        catalog = CatalogBuilder("tests").with_builtin_functions(functions)
        content = {}
        for name, rows in tables.items():
            table = TableBuilder(name)
            for column, kind in columns(rows).items():
                table.add_column(column, kinds[kind])
            catalog.add_table(table.build())
            content[name] = create_table_content(typed(rows))
        asked = PreparedQuery.builder().set_sql(statement).set_analyzer_options(options)
        with asked.set_catalog(catalog.build()).set_table_content(content).prepare() as prepared:
            names = [column.name for column in prepared.columns]
            found = prepared.execute().content.table_data
            rows = [] if found is None else found.row
            return [dict(zip(names, map(value, row.cell), strict=True)) for row in rows]

    yield Engine("bigquery", "bigquery", query)


def keep_compiled() -> None:
    """Has WebAssembly compiled once a machine: that takes half a minute."""
    import wasmtime
    from zetasql.core import wasm_client

    class Kept(wasmtime.Config):
        def __init__(self) -> None:
            super().__init__()
            self.cache = True

    wasm_client.Config = Kept


def typed(rows: Rows) -> list[list[Any]]:
    """The values of `rows`; a column of floats takes no integer."""
    kinds = columns(rows).values()
    return [
        [cell if cell is None else kind(cell) for cell, kind in zip(row, kinds, strict=True)]
        for row in cells(rows)
    ]


def value(cell: Any) -> Any:
    """What a cell holds."""
    held = (cell.int64_value, cell.double_value, cell.string_value, cell.bool_value)
    return next((kind for kind in held if kind is not None), None)
