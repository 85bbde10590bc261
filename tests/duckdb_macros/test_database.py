"""The macros as a database file: attached under any name it has the numbers of `evaluate`; it replaces no other."""

from __future__ import annotations

import stat
from collections.abc import Iterator
from pathlib import Path

import duckdb
import pytest

import sqlmetrics as sm
from sqlmetrics.shell.database import write_database
from support.shell import close, drawn

OTHERS = {
    "text.duckdb": "it is not a valid DuckDB database",
    "table.duckdb": "it is or holds something else",
    "view.duckdb": "it is or holds something else",
    "added.duckdb": "it is or holds something else",
    "log.duckdb": "log.duckdb.wal' has further changes",
}


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("library") / "it's.duckdb"
    write_database(path)
    return path


@pytest.fixture
def connection(library: Path) -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as opened:
        opened.register("drawn", drawn("classes", 3))
        opened.execute("create table p as select * from drawn where part is not null")
        opened.execute(f"attach '{str(library).replace(chr(39), chr(39) * 2)}' as other (read_only)")
        yield opened


@pytest.mark.slow
def test_qualified_and_by_search_path(connection: duckdb.DuckDBPyConnection) -> None:
    facts = {"label": "label", "score": "score", "connection": connection, "on_bad_rows": "drop"}
    by_part = {row["part"]: row["auc"] for row in sm.evaluate("p", "auc", by="part", **facts).to_dicts()}
    queries = {
        "select part, {}auc(label, score) from p group by part": set(by_part.items())
        - {(None, by_part[None])},
        "select {}brier(label, score) from p": {(sm.evaluate("p", "brier", **facts)["brier"][0],)},
        "select gauc from {}gauc('p', label := 'label', score := 'score', \"group\" := 'part')": {
            (sm.evaluate("p", "gauc", group="part", **facts)["gauc"][0],)
        },
        "select auc from {}evaluate('p', 'label', 'score')": {(by_part[None],)},
        "with q as (from p where part = 'many') select max(fpr) from {}roc_curve('q', 'label', 'score')": {
            (1.0,)
        },
    }
    for place, search_path in {"other.": "memory", "other.main.": "memory", "": "memory,other"}.items():
        connection.execute(f"set search_path = '{search_path}'")
        for query, expected in queries.items():
            found = connection.execute(query.format(place)).fetchall()
            assert len(found) == len(expected), query
            assert not [row for row in found if not any(map(same, [row] * len(expected), expected))], query


def same(one: tuple[object, ...], other: tuple[object, ...]) -> bool:
    return one[:-1] == other[:-1] and close(one[-1], other[-1])


@pytest.mark.slow
def test_tables_of_the_shell_are_found_by_name_after_use(connection: duckdb.DuckDBPyConnection) -> None:
    expected = connection.execute("from other.auc('p', 'label', 'score')").fetchall()
    connection.execute("use other")
    assert connection.execute("from auc('memory.p', 'label', 'score')").fetchall() == expected
    assert connection.execute("select sqlmetrics_version()").fetchall() == [(sm.__version__,)]
    without = "select function_name from duckdb_functions() where database_name = 'other' and comment is null"
    assert connection.execute(without).fetchall() == []


@pytest.mark.slow
def test_a_schema_and_a_library_of_another_version(library: Path, tmp_path: Path) -> None:
    path = tmp_path / "library.duckdb"
    path.write_bytes(library.read_bytes())
    path.chmod(0o640)
    write_database(path, schema="two words")
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    assert [file.name for file in tmp_path.iterdir()] == [path.name]
    with duckdb.connect(path, read_only=True) as opened:
        assert opened.sql('select "two words".brier(1, 0.5)').fetchall() == [(0.25,)]
        with pytest.raises(duckdb.CatalogException):
            opened.sql("select brier(1, 0.5)")


@pytest.mark.slow
@pytest.mark.parametrize("name", OTHERS)
def test_another_file_is_not_replaced(library: Path, tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    if name == "text.duckdb":
        path.write_text("a file of somebody")
    else:
        if name in ("added.duckdb", "log.duckdb"):
            path.write_bytes(library.read_bytes())
        if name == "log.duckdb":
            path.with_name("log.duckdb.wal").touch()
        else:
            with duckdb.connect(path) as opened:
                opened.execute(
                    "create view seen as select 1" if name == "view.duckdb" else "create table kept (a int)"
                )
    before = path.read_bytes()
    with pytest.raises(sm.SqlMetricsError, match=OTHERS[name]):
        write_database(path)
    assert path.read_bytes() == before
