"""Remote files, from a server of S3 on this machine that checks signatures, with the secrets of a connection."""

from __future__ import annotations

import io
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import sqlmetrics as sm
from support.doors import DAYS, FACTS, PARTS, ROWS, asked, is_of, measured
from support.errors import assert_told, told
from support.site import served

TEXT = "id,y,s\n" + "".join(f"{row['id']},{row['y']},{row['s']}\n" for row in ROWS)
ALLOWED = '{"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": "*", "Resource": "*"}]}'


@dataclass
class Server:
    """A server of S3, and the key of its one user."""

    address: str
    key: str
    secret: str

    def connection(self, secret: str) -> duckdb.DuckDBPyConnection:
        """A connection with a secret of its own."""
        connection = duckdb.connect()
        connection.execute(self.creation(secret))
        return connection

    def creation(self, secret: str, kind: str = "") -> str:
        return (
            f"create {kind} secret of_tests (type s3, key_id '{self.key}', secret '{secret}', region 'us-east-1',"
            f" endpoint '{self.address}', url_style 'path', use_ssl false)"
        )


def parquet(rows: list[dict]) -> bytes:
    file = io.BytesIO()
    pq.write_table(pa.Table.from_pylist(rows), file)
    return file.getvalue()


@pytest.fixture(scope="module")
def server(extensions: Path) -> Iterator[Server]:
    """The server with the rows in several forms. Once it has them, it asks for signatures."""
    moto = pytest.importorskip("moto.server")
    boto3 = pytest.importorskip("boto3")
    authenticator = pytest.importorskip("moto.core.responses").ActionAuthenticatorMixin
    running = moto.ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    running.start()
    host, port = running.get_host_and_port()
    anybody = {
        "endpoint_url": f"http://{host}:{port}", "region_name": "us-east-1",
        "aws_access_key_id": "anybody", "aws_secret_access_key": "anything",
    }  # fmt: skip
    users, files = boto3.client("iam", **anybody), boto3.client("s3", **anybody)
    users.create_user(UserName="tests")
    users.put_user_policy(UserName="tests", PolicyName="all", PolicyDocument=ALLOWED)
    key = users.create_access_key(UserName="tests")["AccessKey"]
    files.create_bucket(Bucket="scores")
    held = {
        f"hive/day={day}/country={country}/a.parquet": parquet(rows) for (day, country), rows in PARTS.items()
    }
    held |= {"hive/_SUCCESS": b"", "hive/_temporary/0/b.parquet": parquet(ROWS), "one.parquet": parquet(ROWS)}
    held |= {"csv/a.csv": TEXT.encode(), "mixed/a.csv": TEXT.encode(), "mixed/a.parquet": parquet(ROWS)}
    held |= {f"delta/{name}": parquet(ROWS) for name in ("a.parquet", "day=1/b.parquet")}
    held |= {"delta/_delta_log/00000000000000000000.json": b"{}"}
    for name, content in held.items():
        files.put_object(Bucket="scores", Key=name, Body=content)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("moto.settings.INITIAL_NO_AUTH_ACTION_COUNT", 0)
        patch.setattr(authenticator, "request_count", 0)
        yield Server(f"{host}:{port}", key["AccessKeyId"], key["SecretAccessKey"])
    running.stop()


@pytest.mark.parametrize(
    "name",
    [
        "one.parquet",
        "*.parquet",
        "hive/",
        "hive/day=*/*/*.parquet",
        "hive/day=*/**/*.parquet",
        "csv/a.csv",
        "csv/",
        "mixed/*.csv",
    ],
)
def test_files_folders_and_globs(name: str, server: Server) -> None:
    with server.connection(server.secret) as connection:
        is_of(f"s3://scores/{name}", ROWS, connection=connection)


def test_lists_queries_and_partitions(server: Server) -> None:
    with server.connection(server.secret) as connection:
        folders = [f"s3://scores/hive/day={day}/" for day in DAYS]
        is_of(folders, ROWS, connection=connection)
        is_of("select * from 's3://scores/one.parquet'", ROWS, connection=connection)
        of_country = {
            country: [row for (_, of), rows in PARTS.items() for row in rows if of == country]
            for country in ("DE", "FR")
        }
        assert asked("s3://scores/hive/", by="country", total=False, connection=connection) == {
            country: pytest.approx(measured(rows), rel=1e-12) for country, rows in of_country.items()
        }


@pytest.mark.parametrize("on", ["a connection", "none"])
def test_a_text_file_whose_scores_become_fractions_late(on: str, extensions: Path, tmp_path: Path) -> None:
    """More rows than the sample from which DuckDB takes the types of a text file."""
    early, late = (
        [{"id": 0, "y": 1, "s": 1}] * 21_000,
        [{"id": "x", "y": y, "s": 0.6 + 0.3 * y} for y in (0, 1)],
    )
    lines = "".join(f"{row['id']},{row['y']},{row['s']}\n" for row in early + late)
    (tmp_path / "rows.csv").write_text(f"id,y,s\n{lines}")
    connection = duckdb.connect() if on == "a connection" else None
    with served(tmp_path) as address:
        is_of(f"{address}rows.csv", early + late, connection=connection)
        (tmp_path / "rows.csv").write_text(f"id,y,s\n{lines}x,1,n/a\n")
        message = told(asked, f"{address}rows.csv", connection=connection)
        assert_told(message, f"line 21,004 of {address}rows.csv has 'n/a'")


def test_a_wrong_secret(server: Server) -> None:
    with server.connection("wrong") as connection:
        for name in ("one.parquet", "hive/"):
            message = told(sm.evaluate, f"s3://scores/{name}", "auc", **FACTS, connection=connection)
            assert_told(message, "HTTP 403|connection= takes|a secret for this place")


def test_a_persistent_secret_serves_calls_without_a_connection(server: Server) -> None:
    with duckdb.connect() as connection:
        connection.execute(server.creation(server.secret, "persistent"))
        try:
            with duckdb.connect() as other:
                is_of("s3://scores/one.parquet", ROWS, connection=other)
        finally:
            connection.execute("drop persistent secret of_tests")


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("none/", "No file matches 's3://scores/none/'"),
        ("none*.parquet", "No file matches 's3://scores/none*.parquet'"),
        ("none.parquet", "DuckDB cannot read s3://scores/none.parquet|404"),
        ("mixed/", "a.csv' is read as csv|a.parquet' as parquet|one format"),
        ("delta/*.parquet", "leads to files of the Delta table 's3://scores/delta'|pass the folder"),
        ("delta/day=1/", "leads to files of the Delta table 's3://scores/delta'"),
        ("", "leads to files of the Delta table 's3://scores/delta'"),
        ("delta/", "DuckDB cannot read s3://scores/delta/|log"),
    ],
)
def test_what_is_not_to_be_had(name: str, said: str, server: Server) -> None:
    with server.connection(server.secret) as connection:
        assert_told(told(sm.evaluate, f"s3://scores/{name}", "auc", **FACTS, connection=connection), said)


@pytest.mark.parametrize(
    ("url", "extension"),
    [
        ("s3://scores/one.parquet", "httpfs"),
        ("s3://scores/hive/", "httpfs"),
        ("gs://scores/*.parquet", "httpfs"),
        ("https://localhost:1/one.csv", "httpfs"),
        ("az://scores/one.parquet", "azure"),
    ],
)
def test_without_the_extension_the_statement_to_run_is_told(
    url: str, extension: str, bare: duckdb.DuckDBPyConnection
) -> None:
    message = told(sm.evaluate, url, "auc", **FACTS, connection=bare)
    assert_told(message, f"DuckDB cannot read {url}|INSTALL {extension}; LOAD {extension};")
