"""Output files: each is written whole or not at all."""

from __future__ import annotations

import errno
import os
import stat
import sys
import uuid
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from sqlmetrics.errors import SqlMetricsError

MOST_LINKS = 40  #: one behind the other, as in Linux


@contextmanager
def replaced(path: str | os.PathLike[str]) -> Iterator[BinaryIO]:
    """Opens a file to write that replaces `path` when it is complete.

    The bytes go to a temporary file in the same folder, with the mode of the old file. After an error, such as a
    full disk, the old file is unchanged. A link is followed, but not one that another user left in a folder such as
    /tmp. A device or a pipe is written directly.

    Raises:
        SqlMetricsError: the file cannot be written.
    """
    try:
        given = Path(path)
        if given.exists() and not given.is_file() and not given.is_dir():
            with given.open("wb") as device:
                yield device
            return
        target = _target(given)
        mode = stat.S_IMODE(target.stat().st_mode) if target.exists() else None
        beside = target.parent / f".sqlmetrics-{uuid.uuid4().hex}"
        try:
            with open(beside, "xb", opener=None if mode is None else _for_the_user) as file:
                if mode is not None:
                    beside.chmod(mode)
                yield file
                file.flush()
                os.fsync(file.fileno())
            beside.replace(target)
        finally:
            with suppress(OSError):
                beside.unlink()
    except (OSError, TypeError, ValueError) as error:  # not a path, or a path with a NUL character
        raise SqlMetricsError(f"Cannot write '{path}': {reason(error)}") from error


def _target(path: Path) -> Path:
    """The file that a path names, behind its links.

    Raises:
        OSError: links in a circle, or another user's link in a folder where everybody may write, which may lead to
            any file of the caller. Linux refuses to open such a link.
    """
    for _ in range(MOST_LINKS):
        path = Path(os.path.realpath(path.parent), path.name)
        if not path.is_symlink():
            return path
        above, link = path.parent.stat(), path.lstat()
        if (
            above.st_mode & stat.S_ISVTX
            and above.st_mode & stat.S_IWOTH
            and link.st_uid not in (os.geteuid(), above.st_uid)
        ):
            raise OSError(
                errno.EACCES, f"'{path}' is a link of another user in a folder where everybody may write"
            )
        path = path.parent / path.readlink()
    raise OSError(errno.ELOOP, os.strerror(errno.ELOOP))


def _for_the_user(path: str, flags: int) -> int:
    """Opens a file that nobody else may read."""
    return os.open(path, flags, 0o600)


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
