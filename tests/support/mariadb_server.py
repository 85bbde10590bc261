"""A throw-away MariaDB: its own data folder, a unix socket and no TCP, gone at the end."""

import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from support.engines import NoEngineError
from support.postgres_server import server_owner

START_SECONDS = 60

# A small server that need not survive a crash.
SETTINGS = {
    "innodb-flush-log-at-trx-commit": "0",
    "innodb-buffer-pool-size": "32M",
    "innodb-log-file-size": "4M",
    "performance-schema": "off",
    "character-set-server": "utf8mb4",
}


@contextmanager
def mariadb_server() -> Iterator[str]:
    """Start a server and give the path of its socket; the user root needs no password."""
    server, install = find_program("mariadbd"), find_program("mariadb-install-db")
    owner = server_owner()
    # In /tmp, not in pytest's folder: a socket's path has 107 bytes at most, and its owner must be let in.
    with tempfile.TemporaryDirectory(prefix="sqlmetrics-", dir="/tmp") as name:
        home = Path(name) / "server"
        home.mkdir()
        if owner:
            Path(name).chmod(0o755)
            os.chown(home, owner["user"], owner["group"])
        command = [
            install,
            "--no-defaults",
            f"--datadir={home}/data",
            f"--tmpdir={home}",
            "--auth-root-authentication-method=normal",
        ]
        made = subprocess.run([*command, "--skip-test-db"], cwd=home, capture_output=True, text=True, **owner)
        if made.returncode:
            raise RuntimeError(f"mariadb-install-db failed:\n{made.stdout}{made.stderr}")
        socket = f"{home}/socket"
        command = [
            server,
            "--no-defaults",
            f"--datadir={home}/data",
            f"--tmpdir={home}",  # a server that starts removes the temporary tables of others from a shared folder
            f"--socket={socket}",
            "--skip-networking",
        ]
        command += [f"--{setting}={value}" for setting, value in SETTINGS.items()]
        log = Path(name) / "log"
        with log.open("wb") as output:
            running = subprocess.Popen(command, cwd=home, stdout=output, stderr=output, **owner)
        try:
            wait_until_up(running, socket, log)
            yield socket
        finally:
            running.terminate()
            running.wait(30)


def find_program(name: str) -> str:
    """The path of a program: from PATH or from where servers are, which PATH may lack."""
    found = shutil.which(
        name, path=os.pathsep.join([os.environ.get("PATH", ""), "/usr/sbin", "/usr/local/sbin"])
    )
    if found is None:
        raise NoEngineError(f"no {name} on PATH")
    return found


def wait_until_up(server: subprocess.Popen[bytes], socket: str, log: Path) -> None:
    """Return when the server answers."""
    import pymysql

    deadline = time.monotonic() + START_SECONDS
    while True:
        try:
            pymysql.connect(unix_socket=socket, user="root").close()
            return
        except pymysql.OperationalError as error:
            if server.poll() is not None or time.monotonic() > deadline:
                raise RuntimeError(f"MariaDB did not start:\n{log.read_text()}") from error
            time.sleep(0.05)
