"""Output files: each is written whole or not at all."""

from __future__ import annotations

import os
import sys
import uuid
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from sqlmetrics.errors import SqlMetricsError


@contextmanager
def replaced(path: str | os.PathLike[str]) -> Iterator[BinaryIO]:
    """Opens a file to write that replaces `path` when it is complete.

    The bytes go to a temporary file in the same folder. After an error, such as a full disk, the old file is
    unchanged. A link is followed. A device or a pipe is written directly.

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
    except (OSError, TypeError, ValueError) as error:  # not a path, or a path with a NUL character
        raise SqlMetricsError(f"Cannot write '{path}': {reason(error)}") from error


def reason(error: Exception) -> str:
    """The system's message about a file, without the error number."""
    return getattr(error, "strerror", None) or str(error)


def require_standard_output(instead: str = "") -> None:
    """Checks that there is a standard output.

    Raises:
        SqlMetricsError: it is closed; `instead` says what else to do.
    """
    if sys.stdout is None:
        raise SqlMetricsError(f"Cannot write to standard output: it is closed{instead}")


def print_bytes(content: bytes) -> None:
    """Writes all bytes to standard output. Stops without an error if the reader closes it.

    Raises:
        SqlMetricsError: standard output is full.
    """
    try:
        sys.stdout.flush()
        left = memoryview(content)
        while left:
            # an unbuffered stream, as under `python -u`, may write only a part
            left = left[sys.stdout.buffer.write(left) :]
        sys.stdout.buffer.flush()
    except BrokenPipeError:
        forget_standard_output()
    except OSError as error:
        forget_standard_output()
        raise SqlMetricsError(f"Cannot write to standard output: {reason(error)}") from error


def forget_standard_output() -> None:
    """Discards unwritten output, so that the interpreter does not fail to flush it at exit."""
    with suppress(OSError, ValueError, AttributeError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
