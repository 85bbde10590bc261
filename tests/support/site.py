"""The site of the documentation, built once for a process of tests, and served."""

from __future__ import annotations

import atexit
import functools
import shutil
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from generate.__main__ import write


@functools.cache
def built_site() -> Path:
    """The folder of the site, as `make docs` builds it."""
    folder = Path(tempfile.mkdtemp(prefix="sqlmetrics-site-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    write(folder)
    built = subprocess.run(
        [sys.executable, "-m", "zensical", "build", "--strict"], cwd=folder, capture_output=True, text=True
    )
    assert not built.returncode, built.stdout + built.stderr
    return folder / "site"


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None: ...


@contextmanager
def served(site: Path) -> Iterator[str]:
    """The address of a server of the site on this machine."""
    handler = functools.partial(_Quiet, directory=str(site))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()
