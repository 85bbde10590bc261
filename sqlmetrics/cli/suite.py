"""The command `check`: runs a suite, writes its outputs, and fails where a limit is missed."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from sqlmetrics.cli.gates import end
from sqlmetrics.files import print_bytes, replaced, require_standard_output
from sqlmetrics.gates import lines_of
from sqlmetrics.suites.outputs import FORMATS
from sqlmetrics.suites.read import suite_of
from sqlmetrics.suites.run import checked, statements


def check(path: Path, form: str, dry_run: bool, settings: Mapping[str, str]) -> None:
    """Runs a suite.

    Args:
        path: the file of the suite.
        form: the format of standard output, one of `FORMATS`.
        dry_run: True prints the statements instead.
        settings: settings of DuckDB.

    Raises:
        SqlMetricsError: the suite is wrong, or its data cannot be read.
        SystemExit: a limit is missed.
    """
    require_standard_output()
    suite = suite_of(path)
    if dry_run:
        texts = [f"-- {name}\n{text.strip()};\n" for name, text in statements(suite, settings)]
        print_bytes("\n".join(texts).encode())
        return
    result = checked(suite, settings)
    for name, output in suite.outputs.items():
        with replaced(output) as file:
            file.write(f"{FORMATS[name](result)}\n".encode())
    print_bytes(f"{FORMATS[form](result)}\n".encode())
    end(
        [
            *(f"Failed: {line}" for line in lines_of(result.outcomes)),
            *(f"Note: {note}" for note in result.notes),
        ]
    )
