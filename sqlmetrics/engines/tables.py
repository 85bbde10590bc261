"""Tables of other libraries, as something that DuckDB can scan more than once."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import duckdb

from sqlmetrics.errors import SqlMetricsError


def as_scannable(data: Any, role: str = "data") -> Any:
    """The object itself where DuckDB scans it in place (Arrow, pandas), else an Arrow table of it.

    Raises:
        SqlMetricsError: no kind of table, one without columns, or one that its own library cannot read.
    """
    try:
        table = _converted(data, role)
    except SqlMetricsError:
        raise
    except Exception as error:  # any library may stand behind `data`, with errors of its own
        reason = str(error).strip().splitlines() or [type(error).__name__]
        raise SqlMetricsError(f"Cannot read data of type {type(data).__name__}: {reason[0]}") from error
    if table is None:
        raise SqlMetricsError(
            f"Cannot read data of type {type(data).__name__}. Pass a path, a list of paths, an Arrow, pandas or polars"
            " table, a DuckDB relation, a list of dicts, or a table name or query together with connection="
        )
    _check_names(table.columns if hasattr(table, "iloc") else table.schema.names, role)
    return table


def _converted(data: Any, role: str) -> Any:
    import pyarrow as pa
    import pyarrow.dataset

    library = type(data).__module__.split(".")[0]
    if isinstance(data, (pa.Table, pyarrow.dataset.Dataset)) or (
        library == "pandas" and hasattr(data, "columns")
    ):
        return data
    if isinstance(data, duckdb.DuckDBPyRelation):
        return data.to_arrow_table()
    if library == "polars" and hasattr(data, "collect"):
        data = data.collect()
    if hasattr(data, "__arrow_c_stream__") or isinstance(data, pa.RecordBatchReader):
        return pa.RecordBatchReader.from_stream(data).read_all()
    if isinstance(data, pa.RecordBatch):
        return pa.Table.from_batches([data])
    if isinstance(data, dict):
        return _of_columns(data)
    if isinstance(data, list) and all(isinstance(row, dict) for row in data):
        if not data:
            raise SqlMetricsError(f"The {role} has no row")
        names = dict.fromkeys(name for row in data for name in row)
        return _of_columns({name: [row.get(name) for row in data] for name in names})
    return None


def _of_columns(columns: dict[Any, Any]) -> Any:
    import pyarrow as pa

    _check_names(columns, "data")
    arrays = {}
    for name, values in columns.items():
        try:
            arrays[name] = pa.array(values)
        except (pa.ArrowException, TypeError, ValueError, OverflowError) as error:
            raise SqlMetricsError(f"Column '{name}' is not one list of one type: {error}") from error
    lengths = {name: len(values) for name, values in arrays.items()}
    if len(set(lengths.values())) > 1:
        raise SqlMetricsError(f"Columns must have one length, got {lengths}")
    return pa.table(arrays)


def _check_names(names: Iterable[object], role: str) -> None:
    """Refuses a table of which a column could be taken for another."""
    seen: dict[str, object] = {}
    for name in names:
        if not isinstance(name, str):
            raise SqlMetricsError(
                f"Columns must be named by text, got {name!r}; in pandas df.columns = df.columns.astype(str)"
            )
        if name.lower() in seen:
            raise SqlMetricsError(f"Two columns are named '{name}'; upper and lower case are the same to SQL")
        seen[name.lower()] = name
    if not seen:
        raise SqlMetricsError(f"The {role} has no column and no row")
