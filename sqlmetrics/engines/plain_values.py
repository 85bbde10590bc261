"""Columns of numpy, pandas and Arrow in types that DuckDB reads, with the values that their library shows."""

from __future__ import annotations

from typing import Any

#: the usual types of wide frames, whose columns need no look
PLAIN = ("float64", "float32", "int64", "bool", "object", "str")


def plain_values(values: Any) -> Any:
    """A list, array or series in a type that Arrow reads; the object itself if it has one."""
    kind = getattr(values, "dtype", None)
    if kind is None:
        known = (value for value in values if value is not None) if isinstance(values, list) else iter(())
        first = next(known, None)
        return _texts(values) if _is_range(first) else values
    if _is_range(kind):
        return _texts(values)
    name = type(kind).__name__
    if name == "CategoricalDtype" and _is_range(kind.categories.dtype):
        return getattr(values, "cat", values).rename_categories(_texts(kind.categories))
    if name == "SparseDtype":
        return values.astype(kind.subtype)
    if hasattr(kind, "newbyteorder") and not kind.isnative:  # a number in the bytes of another machine
        return values.astype(kind.newbyteorder("="))
    if getattr(kind, "kind", "") == "f" and kind.itemsize > 8:
        return values.astype("float64")
    return values


def plain_frame(frame: Any) -> Any:
    """A pandas frame, in which columns that DuckDB cannot read are replaced; the frame itself if there are none."""
    found = frame
    for place, kind in enumerate(frame.dtypes):
        if str(kind) in PLAIN:
            continue
        column = frame.iloc[:, place]
        plain = plain_values(column)
        if plain is not column:
            found = frame.copy(deep=False) if found is frame else found
            found.isetitem(place, plain)
    return found


def plain_table(table: Any) -> Any:
    """An Arrow table, in which columns that DuckDB cannot read are replaced; the table itself if there are none.

    A dataset stays as it is, since its files are not read yet.
    """
    import pyarrow as pa

    for place, field in enumerate(table.schema if isinstance(table, pa.Table) else ()):
        kind = field.type.value_type if pa.types.is_dictionary(field.type) else field.type
        column: Any = None
        if pa.types.is_float16(kind):
            column = table.column(place).cast(pa.float32())
        elif str(getattr(kind, "extension_name", "")).startswith("pandas."):
            column = table.column(place)
            if kind is not field.type:
                column = pa.chunked_array([chunk.dictionary_decode() for chunk in column.chunks], kind)
            column = pa.array(plain_values(column.to_pandas()))
        if column is not None:
            table = table.set_column(place, field.name, column)
    return table


def _is_range(thing: Any) -> bool:
    """Whether a value or type is a pandas interval or period, of which Arrow makes a pair or a number."""
    name = type(thing).__name__.removesuffix("Dtype")
    return name in ("Interval", "Period") and type(thing).__module__.split(".")[0] == "pandas"


def _texts(values: Any) -> list[str | None]:
    """Values as they are printed. A missing one of pandas does not equal itself."""
    return [None if value is None or value != value else str(value) for value in values]
