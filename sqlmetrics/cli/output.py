"""Output of the command line: a table for people, or a format for programs."""

from __future__ import annotations

import functools
import io
import os
import sys
from collections.abc import Callable
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING

from sqlmetrics.errors import SqlMetricsError
from sqlmetrics.files import print_bytes, replaced, require_standard_output
from sqlmetrics.inputs import refuse_input
from sqlmetrics.table.cells import parts
from sqlmetrics.table.frame import Frame

if TYPE_CHECKING:
    from rich.table import Column


class Format(str, Enum):
    """The formats of a result."""

    table = "table"
    csv = "csv"
    json = "json"
    markdown = "markdown"
    latex = "latex"
    excel_csv = "excel-csv"
    parquet = "parquet"
    html = "html"


SUFFIXES = {
    ".csv": Format.csv,
    ".html": Format.html,
    ".json": Format.json,
    ".md": Format.markdown,
    ".parquet": Format.parquet,
    ".tex": Format.latex,
    ".txt": Format.table,
}
PICTURES = (".svg", ".png", ".pdf")


def chosen(asked: Format | None, output: Path | None, inputs: list[str]) -> Format:
    """The format of the result: the one asked for, else by the output's suffix.

    Args:
        asked: the value of --format.
        output: the file to write; None for standard output.
        inputs: the paths and globs of the files to read, as they were typed.

    Raises:
        SqlMetricsError: the result could not be written. This is checked before the work, not after it.
    """
    if output is None:
        require_standard_output("; pass --output FILE")
        refuse_input(None, inputs)
        if asked is Format.parquet:
            raise SqlMetricsError("Parquet does not go to the screen; write it with --output FILE")
        return asked or Format.table
    if not output.parent.is_dir():
        raise SqlMetricsError(f"Cannot write '{output}': there is no folder '{output.parent}'")
    # the result is written to a new file beside the output, which it then replaces
    places = (
        [output, output.resolve().parent]
        if output.is_file()
        else [output if output.exists() else output.parent]
    )
    if output.is_dir() or not all(os.access(place, os.W_OK) for place in places):
        raise SqlMetricsError(
            f"Cannot write '{output}': it is a folder, or you may not write the file or its folder"
        )
    refuse_input(output, inputs)
    suffix = output.suffix.lower()
    if asked is None and suffix in PICTURES:
        raise SqlMetricsError(
            f"'{output}' is a picture, and a command writes a table; Python draws pictures of a result, with"
            f" .plot().save('{output}'), and sqlmetrics report has them on a page"
        )
    if asked is None and suffix not in SUFFIXES:
        raise SqlMetricsError(
            f"'{output}' does not tell a format; end it in {', '.join(SUFFIXES)}, or pass --format"
        )
    return asked or SUFFIXES[suffix]


def chosen_for_page(output: Path | None, inputs: list[str]) -> Format:
    """The format of a page, which is HTML. `chosen` explains the arguments.

    Raises:
        SqlMetricsError: the page could not be written.
    """
    if output is not None:
        from sqlmetrics.results.page import check_suffix

        check_suffix(output)
    elif sys.stdout is not None and sys.stdout.isatty():
        raise SqlMetricsError("A page does not go to the screen; write it with --output report.html")
    return chosen(Format.html, output, inputs)


def deliver(report: Frame, form: Format, output: Path | None, keys: int) -> None:
    """Writes a report in a format to a file or to standard output.

    Args:
        report: the result of `evaluate` or of another public function.
        form: the format, as returned by `chosen`.
        output: the file; None for standard output.
        keys: the number of columns at the left that identify a row.
    """
    if output is None and form is Format.table and sys.stdout.isatty():
        _show(report, keys)
    else:
        _write(_content(report, form), output)


def deliver_text(text: str, output: Path | None) -> None:
    """Writes a text to a file or to standard output."""
    _write(text.encode(), output)


def _write(content: bytes, output: Path | None) -> None:
    if output is None:
        print_bytes(content)
        return
    with replaced(output) as file:
        file.write(content)


def _content(report: Frame, form: Format) -> bytes:
    if form is Format.parquet:
        import pyarrow.parquet

        buffer = io.BytesIO()
        pyarrow.parquet.write_table(report.to_arrow(), buffer)
        return buffer.getvalue()
    texts: dict[Format, Callable[[], str]] = {
        Format.table: report.to_text,
        Format.csv: report.to_csv,
        Format.json: report.to_json,
        Format.markdown: report.to_markdown,
        Format.latex: report.to_latex,
        Format.excel_csv: functools.partial(report.to_csv, excel=True),
        Format.html: report._to_html,
    }
    # a fragment says nothing of its encoding, so HTML is plain ASCII
    errors = {"encoding": "ascii", "errors": "xmlcharrefreplace"} if form is Format.html else {}
    return (texts[form]().rstrip("\n") + "\n").encode(**errors)


def _show(report: Frame, keys: int) -> None:
    """Prints a report in a terminal: the table in as many parts as the window asks for, then its notes."""
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    console = Console(highlight=False)
    table = report.__rich__()
    for places in parts(list(map(_width, table.columns)), keys, console.width):
        columns = [table.columns[place] for place in places]
        part = Table(box=table.box, show_edge=False, pad_edge=False)
        for column in columns:
            part.add_column(Text(str(column.header)), justify=column.justify, overflow="fold")
        for cells in zip(*(column.cells for column in columns), strict=True):
            part.add_row(*(Text(str(cell)) for cell in cells))
        console.print(part)
    if notes := "\n".join(report.below()):
        console.print(Text(notes, style="dim"))


def _width(column: Column) -> int:
    from rich.cells import cell_len

    return max(cell_len(str(text)) for text in [column.header, *column.cells])
