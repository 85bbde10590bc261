"""DuckDB's extensions, from packages that are for one version of DuckDB: `make test-doors` has it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import duckdb
import pytest

EXTENSIONS = ("avro", "delta", "ducklake", "httpfs", "iceberg", "postgres_scanner", "sqlite_scanner")


@pytest.fixture(scope="session")
def extensions(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Installs the extensions in a home of this run."""
    importer = pytest.importorskip("duckdb_extensions")
    home, before = tmp_path_factory.mktemp("home"), os.environ.get("HOME")
    os.environ["HOME"] = str(home)
    try:
        with duckdb.connect() as connection:
            for name in EXTENSIONS:
                importer.import_extension(name, con=connection)
        yield home
    finally:
        os.environ.pop("HOME") if before is None else os.environ.update(HOME=before)


@pytest.fixture
def bare(tmp_path: Path) -> Iterator[duckdb.DuckDBPyConnection]:
    """A connection that has no extension and fetches none."""
    folder = str(tmp_path / "extensions")
    config = {"extension_directory": folder, "autoinstall_known_extensions": False}
    with duckdb.connect(config=config) as connection:
        yield connection
