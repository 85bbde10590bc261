"""A small table that reads well in a terminal and a notebook, and goes into any frame library."""

from __future__ import annotations

import html
import json
from typing import TYPE_CHECKING, Any

from sqlmetrics.errors import SqlMetricsError

if TYPE_CHECKING:
    import pandas
    import polars
    import pyarrow as pa
    from rich.table import Table


def shown(value: Any) -> str:
    """A value for people: four decimals, `-` for null. The table itself is never rounded."""
    if value is None:
        return "-"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int):
        return f"{value:,}"
    if isinstance(value, float):
        return f"{value:,.4f}" if value == 0 or 1e-3 <= abs(value) < 1e9 else f"{value:.4g}"
    return str(value)


class Frame:
    """A table: Arrow inside, converted on request; every frame library that speaks the Arrow C stream takes it."""

    def __init__(self, table: pa.Table) -> None:
        self._table = table

    @classmethod
    def from_dicts(cls, rows: list[dict[str, Any]]) -> Frame:
        """A table of rows."""
        import pyarrow as pa

        return Frame(pa.Table.from_pylist(rows))

    @property
    def columns(self) -> list[str]:
        """The names of the columns."""
        return list(self._table.column_names)

    def __len__(self) -> int:
        return int(self._table.num_rows)

    def to_arrow(self) -> pa.Table:
        """The table as a `pyarrow.Table`."""
        return self._table

    def to_pandas(self) -> pandas.DataFrame:
        """The table as a pandas DataFrame; needs pandas."""
        try:
            return self._table.to_pandas()
        except ImportError as error:
            raise SqlMetricsError("to_pandas() needs pandas: pip install pandas") from error

    def to_polars(self) -> polars.DataFrame:
        """The table as a polars DataFrame; needs polars."""
        try:
            import polars
        except ImportError as error:
            raise SqlMetricsError("to_polars() needs polars: pip install polars") from error
        return polars.DataFrame(self._table)

    def to_dicts(self) -> list[dict[str, Any]]:
        """The table as one dict a row."""
        return list(self._table.to_pylist())

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return self._table.__arrow_c_stream__(requested_schema)

    def to_csv(self) -> str:
        """The table as CSV with a header, in full precision."""
        import csv
        import io

        out = io.StringIO()
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(self.columns)
        writer.writerows(row.values() for row in self._table.to_pylist())
        return out.getvalue()

    def to_json(self) -> str:
        """The table as a JSON list of objects, in full precision."""
        return json.dumps(self.to_dicts(), indent=2, default=str, ensure_ascii=False)

    def to_markdown(self) -> str:
        """The table as Markdown, as people read it."""
        header, rows = self._cells()
        right = self._numeric()
        lines = [header, ["--:" if right[name] else "---" for name in self._visible()], *rows]
        return "\n".join(
            "| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines
        )

    def _visible(self) -> list[str]:
        return self.columns

    def _numeric(self) -> dict[str, bool]:
        import pyarrow.types as types

        return {
            field.name: types.is_integer(field.type) or types.is_floating(field.type)
            for field in self._table.schema
        }

    def _cells(self) -> tuple[list[str], list[list[str]]]:
        visible = self._visible()
        return visible, [[shown(row[name]) for name in visible] for row in self._table.to_pylist()]

    def notes(self) -> list[str]:
        """What is to be said below the table, a line each."""
        return []

    def __rich__(self) -> Table:
        from rich import box
        from rich.table import Table
        from rich.text import Text  # a name of the user's may look like markup

        header, rows = self._cells()
        right = self._numeric()
        table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False)
        for name in header:
            table.add_column(Text(name), justify="right" if right[name] else "left", overflow="fold")
        for row in rows:
            table.add_row(*map(Text, row))
        return table

    def __repr__(self) -> str:
        import io

        from rich.console import Console

        # wide enough for every column: a repr is never cut to the window
        console = Console(file=io.StringIO(), width=100_000, color_system=None)
        with console.capture() as capture:
            console.print(self.__rich__())
        return "\n".join([*(line.rstrip() for line in capture.get().splitlines()), *self.notes()])

    def _repr_html_(self) -> str:
        header, rows = self._cells()
        right = self._numeric()

        def line(tag: str, cells: list[str]) -> str:
            styled = (
                f'<{tag} style="text-align:{"right" if right[name] else "left"}">{html.escape(cell)}</{tag}>'
                for name, cell in zip(header, cells, strict=True)
            )
            return f"<tr>{''.join(styled)}</tr>"

        body = "".join(line("td", row) for row in rows)
        notes = "".join(f"<p>{html.escape(note)}</p>" for note in self.notes())
        return f"<table><thead>{line('th', header)}</thead><tbody>{body}</tbody></table>{notes}"
