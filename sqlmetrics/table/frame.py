"""A small table for terminals and notebooks that converts to any frame library."""

from __future__ import annotations

import json
import math
import shutil
import sys
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any, overload

from sqlmetrics.errors import SqlMetricsError, counted, did_you_mean, printable
from sqlmetrics.table.cells import Cells, column_of_counts, column_of_data, shown

if TYPE_CHECKING:
    import pandas
    import polars
    import pyarrow as pa
    from rich.table import Table

#: how a text begins that a spreadsheet would compute; the last four are =, +, - and @ in full width
FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "\uff1d", "\uff0b", "\uff0d", "\uff20")


class Frame:
    """An Arrow table with conversions. Frame libraries can also read it through the Arrow C stream.

    The printed table shows the first and the last rows of a long one; in a terminal that is too narrow for it, it is
    in parts. Conversions, files and `to_text` have all rows, and no parts.
    """

    SHOWN = 50  #: the number of rows that are printed
    _spelled: Callable[[str], str] = (
        str  #: a note as the caller writes options, who may be on the command line
    )

    def __init__(self, table: pa.Table, given: Iterable[str] = (), whole: Iterable[str] = ()) -> None:
        """A table.

        Args:
            table: the table.
            given: the columns whose values are those of the data, such as slices. They are shown as they are.
            whole: the columns of counts. They are shown as integers, unless weights make them fractions.
        """
        self._table = table
        self._given = frozenset(given)
        self._whole = frozenset(whole)

    @classmethod
    def from_dicts(cls, rows: list[dict[str, Any]]) -> Frame:
        """A table from a list of rows."""
        import pyarrow as pa

        return Frame(pa.Table.from_pylist(rows))

    @property
    def columns(self) -> list[str]:
        """The names of the columns."""
        return list(self._table.column_names)

    def __len__(self) -> int:
        return int(self._table.num_rows)

    def __iter__(self) -> Iterator[dict[str, Any]]:
        """The rows, a dict each."""
        return iter(self.to_dicts())

    def __contains__(self, name: object) -> bool:
        """Whether a column has this name."""
        return name in self.columns

    def __eq__(self, other: object) -> bool:
        """Whether another result is of the same kind and has the same table."""
        return isinstance(other, Frame) and type(self) is type(other) and self._table.equals(other._table)

    @overload
    def __getitem__(self, name: str) -> list[Any]: ...

    @overload
    def __getitem__(self, name: int) -> dict[str, Any]: ...

    def __getitem__(self, name: str | int) -> Any:
        """The values of the column of this name, one for each row; or the row of this number, as a dict.

        Raises:
            SqlMetricsError: no column has this name, or no row this number.
        """
        if isinstance(name, int) and not isinstance(name, bool):
            if -len(self) <= name < len(self):
                return self._table.slice(name % len(self), 1).to_pylist()[0]
            raise SqlMetricsError(f"There is no row {name}; the table has {len(self):,} rows")
        if name not in self.columns:
            near = did_you_mean(str(name), self.columns)
            raise SqlMetricsError(f"No column is named '{name}'.{near} Columns: {counted(self.columns)}")
        return self._table.column(name).to_pylist()

    def to_arrow(self, total: bool = True) -> pa.Table:
        """The table as a `pyarrow.Table`. False as `total` leaves out the rows for all slices together."""
        if total or "is_total" not in self.columns:
            return self._table
        import pyarrow.compute

        return self._table.filter(pyarrow.compute.invert(self._table.column("is_total")))

    def to_pandas(self, total: bool = True) -> pandas.DataFrame:
        """The table as a pandas DataFrame; needs pandas. `total` as for `to_arrow`."""
        try:
            return self.to_arrow(total).to_pandas()
        except ImportError as error:
            raise SqlMetricsError("to_pandas() needs pandas: pip install pandas") from error

    def to_polars(self, total: bool = True) -> polars.DataFrame:
        """The table as a polars DataFrame; needs polars. `total` as for `to_arrow`."""
        try:
            import polars
        except ImportError as error:
            raise SqlMetricsError("to_polars() needs polars: pip install polars") from error
        return polars.DataFrame(self.to_arrow(total))

    def to_dicts(self, total: bool = True) -> list[dict[str, Any]]:
        """The table as a list of dicts, one for each row. `total` as for `to_arrow`."""
        return list(self.to_arrow(total).to_pylist())

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return self._table.__arrow_c_stream__(requested_schema)

    def to_csv(self, excel: bool = False) -> str:
        r"""The table as CSV with a header, in full precision.

        Args:
            excel: True writes what Excel and other spreadsheets read as it is meant. The text begins with a byte
                order mark, since Excel takes a file without one for another encoding. Every text is in quotes. One
                that would be computed as a formula, since it begins with `=`, `+`, `-` or `@`, gets an apostrophe
                before it.

        >>> Frame.from_dicts([{"query": "=1+1", "auc": -0.5}]).to_csv(excel=True)
        '\ufeff"query","auc"\r\n"\'=1+1",-0.5\r\n'
        """
        import csv
        import io

        def safe(value: Any) -> Any:
            return f"'{value}" if excel and isinstance(value, str) and value.startswith(FORMULA) else value

        out = io.StringIO()
        quoted: Any = (
            {"quoting": csv.QUOTE_NONNUMERIC, "lineterminator": "\r\n"} if excel else {"lineterminator": "\n"}
        )
        writer = csv.writer(out, **quoted)
        table = self._with_counts()
        writer.writerow(map(safe, table.column_names))
        writer.writerows(map(safe, row.values()) for row in table.to_pylist())
        return ("\ufeff" if excel else "") + out.getvalue()

    def to_json(self) -> str:
        """The rows as a JSON list of objects, in full precision."""
        return in_json(self._rows_in_json())

    def to_markdown(self) -> str:
        """All rows as Markdown, with rounded values as they are printed, and the notes below."""
        return self._cells().markdown()

    def to_latex(self) -> str:
        r"""All rows as a LaTeX `tabular`, with rounded values as they are printed, and the notes below.

        It needs `\usepackage{booktabs}`.
        """
        return self._cells().latex()

    def to_text(self) -> str:
        """All rows as they are printed: `print(report.to_text())`."""
        return self._cells().text()

    def _to_html(self) -> str:
        """All rows as HTML, for files; a notebook shows fewer of a long table."""
        return self._cells().html()

    def _with_counts(self) -> pa.Table:
        """The table of CSV and JSON, which has the counts as columns."""
        return self._table

    def _rows_in_json(self) -> list[dict[str, Any]]:
        """The rows, with text for NaN and infinity, which a slice may be and JSON lacks."""
        return [
            {
                name: str(value) if isinstance(value, float) and not math.isfinite(value) else value
                for name, value in row.items()
            }
            for row in self._with_counts().to_pylist()
        ]

    def _visible(self) -> list[str]:
        return self.columns

    def _head(self, name: str) -> str:
        """What stands above a column."""
        return name

    def _numeric(self, name: str) -> bool:
        import pyarrow.types as types

        kind = self._table.schema.field(name).type
        return bool(types.is_integer(kind) or types.is_floating(kind) or types.is_decimal(kind))

    def _texts(self, rows: pa.Table) -> dict[str, list[str]]:
        """The visible columns of some rows as text."""
        return {name: self._text_of(name, rows.column(name).to_pylist()) for name in self._visible()}

    def _text_of(self, name: str, values: list[Any]) -> list[str]:
        if name in self._given:
            return column_of_data(values)
        return column_of_counts(values) if name in self._whole else list(map(shown, values))

    def _intervals(self, rows: pa.Table) -> dict[str, list[str]]:
        """The intervals of some rows as text, by the column that they belong to."""
        return {}

    def notes(self) -> list[str]:
        """The notes below the table, one line each."""
        return []

    def below(self) -> list[str]:
        """The lines below the printed table: what it does not show, and the notes."""
        return [printable(line) for line in (*self._hidden(), *self._spelled_notes())]

    def _spelled_notes(self) -> list[str]:
        return [self._spelled(note) for note in self.notes()]

    def _hidden(self) -> list[str]:
        """What is not printed, in lines."""
        hidden = len(self) - self.SHOWN
        return [f"... {hidden:,} more rows; conversions and files have all"] if hidden > 0 else []

    def _last(self) -> int:
        """How many of the printed rows of a long table are its last rows."""
        return self.SHOWN // 2

    def _cells(self, all_rows: bool = True) -> Cells:
        """The texts of all rows, or of those that are printed."""
        import pyarrow as pa

        cut = not all_rows and len(self) > self.SHOWN
        table, first = self._table, self.SHOWN - self._last()
        if cut:
            table = pa.concat_tables([table.slice(0, first), table.slice(len(self) - self._last())])
        texts, intervals = self._texts(table), self._intervals(table)
        empty = [""] * len(table)
        rows = [list(row) for row in zip(*texts.values(), strict=True)]
        beside = [list(row) for row in zip(*(intervals.get(name, empty) for name in texts), strict=True)]
        if cut:
            rows.insert(first, ["..."] * len(texts))
            beside.insert(first, [""] * len(texts))
        notes = [printable(note) for note in self._spelled_notes()] if all_rows else self.below()
        right = [self._numeric(name) for name in texts]
        names = [name in self._given or not number for name, number in zip(texts, right, strict=True)]
        keys = next((place for place, of_row in enumerate(names) if not of_row), 0)
        header = [printable(self._head(name)) for name in texts]
        return Cells(header, rows, beside, right, notes, keys=max(keys, 1))

    def __rich__(self) -> Table:
        from rich import box
        from rich.table import Table
        from rich.text import Text  # since a user's name may look like markup

        cells = self._cells(all_rows=False)
        table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False)
        for name, right in zip(cells.header, cells.right, strict=True):
            justify: Any = "right" if right else "left"
            table.add_column(Text(name), justify=justify, overflow="fold")
        for row in cells.joined:
            table.add_row(*map(Text, row))
        return table

    def __repr__(self) -> str:
        window = sys.stdout is not None and sys.stdout.isatty()
        return self._cells(all_rows=False).text(shutil.get_terminal_size().columns if window else math.inf)

    def _repr_html_(self) -> str:
        return self._cells(all_rows=False).html()


def in_json(value: Any) -> str:
    """A value in JSON. Dates and other values that JSON lacks are texts."""
    return json.dumps(value, indent=2, default=str, ensure_ascii=False)
