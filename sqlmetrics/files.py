"""Files that are written whole or not at all, and that are none of those that were read."""

from __future__ import annotations

import os
import sys
import uuid
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from sqlmetrics.errors import SqlMetricsError


@contextmanager
def replaced(path: str | os.PathLike[str]) -> Iterator[BinaryIO]:
    """Opens a file to write, which takes its place only when all is written.

    The bytes go to a file beside it. On an error, such as that of a full disk, what was there before stays. A link is
    followed; a device or a pipe is written to as it is.

    Raises:
        SqlMetricsError: the file cannot be written.
    """
    try:
        given = Path(path)
        if given.exists() and not given.is_file() and not given.is_dir():
            with given.open("wb") as device:
                yield device
            return
        target = Path(os.path.realpath(given))
        beside = target.parent / f".sqlmetrics-{uuid.uuid4().hex}"
        try:
            with beside.open("xb") as file:
                yield file
                file.flush()
                os.fsync(file.fileno())
            if target.exists():
                beside.chmod(target.stat().st_mode & 0o7777)
            beside.replace(target)
        finally:
            with suppress(OSError):
                beside.unlink()
    except (OSError, TypeError, ValueError) as error:  # no path, or one with a NUL in it
        raise SqlMetricsError(f"Cannot write '{path}': {reason(error)}") from error


def reason(error: Exception) -> str:
    """What the system says of a file, without its number."""
    return getattr(error, "strerror", None) or str(error)


def print_bytes(content: bytes) -> None:
    """Writes to standard output until all is written; a reader that has seen enough ends it.

    Raises:
        SqlMetricsError: standard output is full.
    """
    try:
        sys.stdout.flush()
        left = memoryview(content)
        while left:
            # a stream without a buffer, as of `python -u`, may take a part
            left = left[sys.stdout.buffer.write(left) :]
        sys.stdout.buffer.flush()
    except BrokenPipeError:
        forget_standard_output()
    except OSError as error:
        forget_standard_output()
        raise SqlMetricsError(f"Cannot write to standard output: {reason(error)}") from error


def forget_standard_output() -> None:
    """Sends what is still to be written there nowhere, so that nothing fails when the interpreter ends."""
    with suppress(OSError, ValueError, AttributeError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def refuse_input(output: Path, inputs: Iterable[str]) -> None:
    """Refuses an output that is one of the files that are read.

    Args:
        output: where a result is to be written.
        inputs: the files; `-` is standard input.

    Raises:
        SqlMetricsError: see there.
    """
    for path in inputs:
        same = False
        with suppress(OSError, ValueError):  # of a file that is not there, or a stream that is none
            read = os.fstat(sys.stdin.fileno()) if path == "-" else Path(path).stat()
            same = os.path.samestat(read, output.stat()) and output.is_file()
        if same:
            raise SqlMetricsError(
                f"--output '{output}' is a file that is read, which the result would replace; write to another file"
            )
