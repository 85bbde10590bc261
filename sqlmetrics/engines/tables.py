"""Tables of other libraries, in a form that DuckDB can scan more than once."""

from __future__ import annotations

from typing import Any

import duckdb

from sqlmetrics.engines.duckdb_connection import interruptible
from sqlmetrics.engines.plain_values import plain_frame, plain_table, plain_values
from sqlmetrics.errors import DataError, SqlMetricsError


def as_scannable(data: Any, role: str = "data") -> tuple[Any, dict[str, str]]:
    """The table to scan, and why it lacks columns of the data, by name.

    The table is the object itself if DuckDB scans it in place (Arrow, pandas), else an Arrow table of its rows.
    A column that cannot be read is left out, since a call may not use it.

    Raises:
        SqlMetricsError: not a table, a table without columns, or one that its own library cannot read.
    """
    unread: dict[str, str] = {}
    try:
        table = _converted(data, role, unread)
    except SqlMetricsError:
        raise
    except Exception as error:  # `data` may be of any library, with its own error classes
        reason = str(error).strip().splitlines() or [type(error).__name__]
        raise SqlMetricsError(f"Cannot read data of type {type(data).__name__}: {reason[0]}") from error
    if table is None:
        raise SqlMetricsError(
            f"Cannot read data of type {type(data).__name__}. Pass a path, a list of paths, an Arrow, pandas or polars"
            " table, a DuckDB relation, a list of dicts, a mapping of names to arrays, or a table name or query"
            " together with connection="
        )
    return _with_clear_names(table, unread, role), unread


def names_of(table: Any) -> list[Any]:
    """The names of the columns of a pandas or Arrow table or dataset."""
    return list(table.columns if hasattr(table, "iloc") else table.schema.names)


def part_of(table: Any, places: list[int]) -> Any:
    """The columns at some places of a pandas or Arrow table."""
    return table.iloc[:, places] if hasattr(table, "iloc") else table.select(places)


def _converted(data: Any, role: str, unread: dict[str, str]) -> Any:
    import pyarrow as pa
    import pyarrow.dataset

    library = type(data).__module__.split(".")[0]
    if library == "pandas" and hasattr(data, "columns"):
        return plain_frame(data)
    if isinstance(data, (pa.Table, pyarrow.dataset.Dataset)):
        return plain_table(data)
    if isinstance(data, duckdb.DuckDBPyRelation):
        with interruptible():
            return data.to_arrow_table()
    if library == "polars" and hasattr(data, "collect"):
        data = data.collect()
    if hasattr(data, "__arrow_c_stream__"):
        table = pa.RecordBatchReader.from_stream(data).read_all()
        if isinstance(data, pa.RecordBatchReader) and not table.num_rows:
            raise DataError(
                f"The {role} has no row: a RecordBatchReader is read once, and this one is empty or was read already;"
                " pass reader.read_all(), a table, to every call"
            )
        return table
    if isinstance(data, dict):
        return _of_columns(data, unread)
    if isinstance(data, list) and all(isinstance(row, dict) for row in data):
        if not data:
            raise DataError(f"The {role} has no row")
        names = dict.fromkeys(name for row in data for name in row)
        return _of_columns({name: [row.get(name) for row in data] for name in names}, unread)
    return None


def _of_columns(columns: dict[Any, Any], unread: dict[str, str]) -> Any:
    import pyarrow as pa

    arrays = {}
    for name, values in columns.items():
        if not isinstance(name, str):
            continue
        if isinstance(values, (str, bytes, dict)):
            unread[name] = f"is no list of values, got {type(values).__name__}"
            continue
        if (
            getattr(values, "ndim", 1) == 2 and values.shape[1] == 1
        ):  # as regressors of scikit-learn return them
            values = values.iloc[:, 0] if hasattr(values, "iloc") else values[:, 0]
        if getattr(values, "ndim", 1) != 1:
            unread[name] = (
                f"has the shape {tuple(values.shape)} and has to be one list of values{_one_column(values)}"
            )
            continue
        try:
            arrays[name] = _array(values)
        except Exception as error:  # an array may be of any library, with its own error classes
            unread[name] = f"is not one list of one type: {error}"
    if columns and not arrays:
        raise _refused(next(iter(columns)), unread)
    lengths = {name: len(values) for name, values in arrays.items()}
    if len(set(lengths.values())) > 1:
        raise SqlMetricsError(f"Columns must have one length, got {lengths}")
    return pa.table(arrays)


def _one_column(values: Any) -> str:
    """How to pass one column of an array, such as the scores of the second of two classes."""
    if values.ndim != 2 or not values.shape[1]:
        return ""
    form = "frame.iloc" if hasattr(values, "iloc") else "array"
    return f"; pass one column of it, such as {form}[:, 1]"


def _array(values: Any) -> Any:
    """An Arrow array of a list, or of an array or series of any library, without an import of that library."""
    import pyarrow as pa

    values = plain_values(values)
    if hasattr(values, "__arrow_c_stream__"):
        return pa.chunked_array(values)
    # masks and missing values of these Arrow reads itself
    known = type(values).__module__.split(".")[0] in ("numpy", "pandas", "pyarrow")
    if hasattr(values, "__array__") and not known:
        values = values.__array__()
    # NaN is the missing value of numpy and of lists, as a pandas series of them has it
    try:
        array = pa.array(values, from_pandas=True)
    except OverflowError:  # as of hashes
        array = pa.array(values, pa.uint64(), from_pandas=True)
    # DuckDB reads no floats of 16 bits, which models of half precision give
    return array.cast(pa.float32()) if pa.types.is_float16(array.type) else array


def _with_clear_names(table: Any, unread: dict[str, str], role: str) -> Any:
    """The columns of a table whose names are text and differ in more than case."""
    names = names_of(table)
    same: dict[str, list[str]] = {}
    for name in names:
        if isinstance(name, str):
            same.setdefault(name.lower(), []).append(name)
    for several in same.values():
        if len(several) > 1:
            twice = "named twice, as " + " and ".join(f"'{name}'" for name in several)
            unread |= dict.fromkeys(several, f"is {twice}; upper and lower case are the same to SQL")
    kept = [place for place, name in enumerate(names) if isinstance(name, str) and name not in unread]
    if kept and len(kept) < len(names) and (hasattr(table, "iloc") or hasattr(table, "set_column")):
        return part_of(table, kept)
    if len(kept) < len(names):  # nothing is left, or a dataset, which has no part
        raise _refused(next(name for place, name in enumerate(names) if place not in kept), unread)
    if not names:
        raise DataError(f"The {role} has no column and no row")
    return table


def _refused(name: Any, unread: dict[str, str]) -> SqlMetricsError:
    if name in unread:
        return SqlMetricsError(f"Column '{name}' {unread[name]}")
    return SqlMetricsError(
        f"Columns must be named by text, got {name!r}; in pandas df.columns = df.columns.astype(str)"
    )


def reusable(data: Any) -> Any:
    """The data; a stream, which could be read once alone, and a lazy table, computed at each reading, as a table.

    Raises:
        SqlMetricsError: as for `as_scannable`.
    """
    import pyarrow as pa

    lazy = isinstance(data, (pa.RecordBatchReader, duckdb.DuckDBPyRelation)) or (
        type(data).__module__.split(".")[0] == "polars" and hasattr(data, "collect")
    )
    return as_scannable(data)[0] if lazy else data
