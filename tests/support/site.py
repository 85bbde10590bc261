"""The site of the documentation, built once for a process of tests, and served."""

from __future__ import annotations

import atexit
import functools
import shutil
import subprocess
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from support.paths import ROOT


@functools.cache
def built_site() -> Path:
    """The folder of the site, as `make docs` builds it."""
    folder = Path(tempfile.mkdtemp(prefix="sqlmetrics-site-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    made = [f"--old-file={made}" for made in (".venv/test.stamp", "docs/node_modules/.stamp")]
    built = subprocess.run(
        ["make", *made, "docs", f"SITE={folder}"], cwd=ROOT, capture_output=True, text=True
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
