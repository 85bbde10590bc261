"""Values that are expensive to make, kept between processes in the user's cache folder.

The name of a file contains a digest of everything that determines its value. A file is therefore never out of
date, and processes that start at the same time write the same value. A damaged file is made again.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import importlib.util
import marshal
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

Value = TypeVar("Value")

CHECKSUM = 16  #: bytes at the start of a file


def kept(name: str, make: Callable[[], Value], *sources: str) -> Value:
    """A value from the user's cache folder, or made now and stored there.

    If the folder cannot be read or written, every process makes the value.

    Args:
        name: the kind of value; the name of its file starts with it.
        make: makes the value, of types that `marshal` writes: code, text, numbers, `None`, `...`, lists,
            dicts.
        sources: the texts that determine the value, besides Python and the module of `make`.
    """
    folder = _folder(_caches())
    if folder is None:
        return make()
    file = folder / f"{name}-{_digest(*map(str.encode, (digest_of(make.__module__), *sources))).hex()}"
    with contextlib.suppress(OSError, ValueError):
        found: Value = _read(file)
        return found
    value = make()
    with contextlib.suppress(OSError):
        _write(file, value)
    return value


def _caches() -> Path | None:
    """The user's cache folder, for all programs; None for a user without a home."""
    given = Path(os.environ.get("XDG_CACHE_HOME", ""))
    if given.is_absolute():  # the XDG specification ignores any other
        return given
    if os.name == "nt" and "LOCALAPPDATA" in os.environ:
        return Path(os.environ["LOCALAPPDATA"])
    try:
        return Path.home() / ".cache"
    except RuntimeError:
        return None


@functools.cache
def _folder(caches: Path | None) -> Path | None:
    """The cache folder of this package, created if needed; None if that fails or if others may write to it.

    Only the user may write to it, since its files hold code that will run.
    """
    if caches is None:
        return None
    folder = caches / "sqlmetrics"
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        state = folder.stat()
    except OSError:
        return None
    shared = os.name == "posix" and (state.st_uid != os.geteuid() or state.st_mode & 0o022)
    return None if shared else folder


@functools.cache
def digest_of(module: str) -> str:
    """A digest of a module and of the running Python, since a change of either may change the value."""
    file = sys.modules[module].__file__
    return _digest(importlib.util.MAGIC_NUMBER, Path(file).read_bytes() if file else b"").hex()


def _digest(*parts: bytes) -> bytes:
    digest = hashlib.blake2b(digest_size=CHECKSUM)
    for part in parts:
        digest.update(b"%d:" % len(part) + part)  # the length makes "ab", "c" differ from "a", "bc"
    return digest.digest()


def _read(file: Path) -> Any:
    """The value in a file.

    Raises:
        OSError: no such file.
        ValueError: a damaged file.
    """
    content = file.read_bytes()
    checksum, value = content[:CHECKSUM], content[CHECKSUM:]
    if checksum != _digest(value):
        raise ValueError(file)
    return marshal.loads(value)


def _write(file: Path, value: Any) -> None:
    """Writes a value to a file. Other processes see it complete or not at all."""
    import tempfile

    content = marshal.dumps(value)
    descriptor, temporary = tempfile.mkstemp(dir=file.parent, prefix="new-")
    try:
        with os.fdopen(descriptor, "wb") as out:
            out.write(_digest(content) + content)
        Path(temporary).replace(file)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise
