"""Columns of types that their library alone has are taken as it shows them, in each form of data and each role."""

from collections.abc import Callable
from decimal import Decimal
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import sqlmetrics as sm

Y = [1, 0, 1, 0, 1, 0]
S = [0.75, 0.5, 0.25, 0.125, 0.875, 0.0625]  # exact in every width of floats
TIMES = pd.to_datetime(["2026-03-28 20:30", "2026-03-28 23:30"] * 3)

TEXTS: dict[str, tuple[Any, list[str | None]]] = {
    "intervals of cut": (
        pd.cut(pd.Series([0.1, 0.9, np.nan, 0.2, 0.8, 0.3]), [0, 0.5, 1]),
        ["(0.0, 0.5]", "(0.5, 1.0]", None, "(0.0, 0.5]", "(0.5, 1.0]", "(0.0, 0.5]"],
    ),
    "intervals": (
        pd.Series(pd.arrays.IntervalArray.from_breaks(range(7))),
        ["(0, 1]", "(1, 2]", "(2, 3]", "(3, 4]", "(4, 5]", "(5, 6]"],
    ),
    "periods": (
        pd.Series(pd.PeriodIndex(["2026-01", "2026-02", None] * 2, freq="M")),
        ["2026-01", "2026-02", None] * 2,
    ),
    "categories of periods": (
        pd.Series(pd.PeriodIndex(["2026-01", "2026-02"] * 3, freq="M")).astype("category"),
        ["2026-01", "2026-02"] * 3,
    ),
    "categories": (pd.Series(["a", "b", None] * 2, dtype="category"), ["a", "b", None] * 2),
    "strings of pandas": (pd.Series(["a", "b", None] * 2, dtype="string"), ["a", "b", None] * 2),
    "strings of Arrow in pandas": (
        pd.Series(["a", "b", None] * 2, dtype=pd.ArrowDtype(pa.string())),
        ["a", "b", None] * 2,
    ),
    "texts of numpy": (np.array(["a", "b", "c"] * 2), ["a", "b", "c"] * 2),
    "categories of polars": (pl.Series(["a", "b", None] * 2, dtype=pl.Categorical), ["a", "b", None] * 2),
    "enum of polars": (pl.Series(["a", "b", None] * 2, dtype=pl.Enum(["a", "b"])), ["a", "b", None] * 2),
    "dictionary": (pa.array(["a", "b", None] * 2).dictionary_encode(), ["a", "b", None] * 2),
    "views": (pa.array(["a", "b", None] * 2, pa.string_view()), ["a", "b", None] * 2),
}

NUMBERS: dict[str, Callable[[list[float]], Any]] = {
    "the other order of bytes": lambda values: np.array(values, ">f8"),
    "the other order of bytes in pandas": lambda values: pd.Series(np.array(values, ">f8")),
    "half precision": lambda values: np.array(values, "f2"),
    "half precision of Arrow": lambda values: pa.array(np.array(values, "f2")),
    "long floats": lambda values: np.array(values, np.longdouble),
    "floats of pandas": lambda values: pd.Series(values, dtype="Float64"),
    "floats of Arrow in pandas": lambda values: pd.Series(values, dtype=pd.ArrowDtype(pa.float64())),
    "sparse": lambda values: pd.Series(pd.arrays.SparseArray(values)),
    "categories of numbers": lambda values: pd.Series(values, dtype="category"),
    "decimals": lambda values: [Decimal(str(value)) for value in values],
    "decimals of polars": lambda values: pl.Series([Decimal(str(value)) for value in values]),
    "dictionary of numbers": lambda values: pa.array(values).dictionary_encode(),
}

INTEGERS: dict[str, Callable[[list[int]], Any]] = {
    "the other order of bytes": lambda values: np.array(values, ">i4"),
    "integers of pandas": lambda values: pd.Series(values, dtype="Int64"),
    "booleans of pandas": lambda values: pd.Series([value == 1 for value in values], dtype="boolean"),
    "integers of Arrow in pandas": lambda values: pd.Series(values, dtype=pd.ArrowDtype(pa.int8())),
    "categories of numbers": lambda values: pd.Series(values, dtype="category"),
}


def forms(**columns: Any) -> list[Any]:
    """The columns in each form of data that holds them."""
    values = columns["c"]
    if isinstance(values, pl.Series):
        return [columns, pl.DataFrame(columns)]
    if isinstance(values, (pa.Array, pa.ChunkedArray)):
        return [columns, pa.table(columns)]
    found = [columns, frame := pd.DataFrame(columns)]
    try:
        # a missing text is a float among the records of pandas
        records = [] if frame["c"].isna().any() else [frame.to_dict("records")]
        return [*found, pa.Table.from_pandas(frame, preserve_index=False), *records]
    except (pa.ArrowException, TypeError):  # Arrow has no such type
        return found


@pytest.mark.slow
@pytest.mark.parametrize("kind", TEXTS)
def test_texts(kind: str) -> None:
    values, texts = TEXTS[kind]
    wanted = {
        text: sum(y for y, other in zip(Y, texts, strict=True) if other == text) / texts.count(text)
        for text in texts
    }
    for data in forms(y=Y, s=S, c=values):
        report = sm.evaluate(data, "base_rate", by="c", label="y", total=False)
        assert {row["c"]: row["base_rate"] for row in report} == wanted, type(data)
        label = sm.evaluate(data, "base_rate", label="c", positive=texts[0], on_bad_rows="drop")
        known = [text for text in texts if text is not None]
        assert label.value("base_rate") == known.count(texts[0]) / len(known), type(data)
        groups = sm.evaluate(data, "mrr", label="y", score="s", group="c", on_bad_rows="drop")
        assert groups.count("n_groups") == len({*known}), type(data)


@pytest.mark.parametrize("kind", NUMBERS)
def test_scores(kind: str) -> None:
    for data in forms(y=Y, c=NUMBERS[kind](S)):
        wanted = sum((y - s) ** 2 for y, s in zip(Y, S, strict=True)) / 6
        assert sm.evaluate(data, "mse", label="y", score="c").value("mse") == pytest.approx(wanted), type(
            data
        )


@pytest.mark.parametrize("kind", INTEGERS)
def test_labels(kind: str) -> None:
    for data in forms(s=S, c=INTEGERS[kind](Y)):
        assert sm.evaluate(data, "brier", label="c", score="s").value("brier") == pytest.approx(
            sum((y - s) ** 2 for y, s in zip(Y, S, strict=True)) / 6
        ), type(data)


@pytest.mark.parametrize(
    "times",
    [
        pd.Series(TIMES.tz_localize("UTC").tz_convert("Asia/Tokyo")),
        pd.Series(TIMES.tz_localize("UTC"), dtype=pd.ArrowDtype(pa.timestamp("us", tz="UTC"))),
        pl.Series(list(TIMES.tz_localize("UTC"))),
        pa.array(TIMES.tz_localize("UTC").as_unit("s"), pa.timestamp("s", tz="Europe/Rome")),
        TIMES.to_numpy(),
    ],
    ids=["pandas", "Arrow in pandas", "polars", "Arrow", "numpy"],
)
def test_times(times: Any) -> None:
    for data in forms(y=Y, c=times):
        report = sm.evaluate(data, "base_rate", by="c", label="y", total=False)
        found = {row["c"].replace(tzinfo=None): row["base_rate"] for row in report}
        assert found == {TIMES[0].to_pydatetime(): 1, TIMES[1].to_pydatetime(): 0}, type(data)


def test_a_range_leaves_the_connection_whole() -> None:
    """DuckDB gives up its database when it meets a dictionary of intervals."""
    import duckdb

    connection = duckdb.connect()
    frame = pd.DataFrame({"y": Y, "c": pd.cut(S, 2)})
    assert len(sm.evaluate(frame, "base_rate", by="c", label="y", connection=connection)) == 3
    assert connection.execute("select 1").fetchall() == [(1,)]
