"""ClickHouse as a connection: the numbers are those of DuckDB, whatever client is brought and whatever the settings."""

import math
import random
from collections.abc import Iterator
from typing import Any

import pyarrow as pa
import pytest

import oracles
import sqlmetrics as sm
from support.engines.clickhouse import make_table

chdb = pytest.importorskip("chdb", reason="no chdb, ClickHouse as a library")

draw = random.Random(4)
ROWS = [
    {
        "y": draw.choice([0, 0, 1, 2]),
        "p": draw.randrange(20) / 20,  # with ties
        "g": f"u{draw.randrange(9)}",
        "i": i,
        "w": 0.5 + i % 7,
        "country": draw.choice(["de", None, "fr"]),
        "guess": draw.choice([0, 1, 2]),
    }
    for i in range(80)
]
TRUTH = [{"g": f"u{u}", "i": i, "y": (u + i) % 3} for u in range(11) for i in range(u, 90, 7)]
TABLES = {"preds": ROWS, "judged": TRUTH}
ROLES = {"label": "y", "score": "p", "group": "g", "item": "i", "positive": 1, "max_grade": 2}
METRICS = [
    "auc",
    "gauc",
    "ndcg@3",
    "mrr",
    "err@5",
    "r2",
    "median_absolute_error",
    "best_f1",
    "personalization@3",
]


class Connect:
    """A client as that of clickhouse-connect, as far as it is asked."""

    def __init__(self, session: Any) -> None:
        self.session = session

    def query_arrow(self, query: str, *, use_strings: bool = False) -> pa.Table:
        assert use_strings  # else texts are bytes
        return self.session.query(query, "ArrowTable")


class Driver:
    """A client as that of clickhouse-driver, as far as it is asked."""

    def __init__(self, session: Any) -> None:
        self.session = session

    def execute(self, query: str, *, with_column_types: bool = False) -> Any:
        table = self.session.query(query, "ArrowTable")
        rows = [tuple(row.values()) for row in table.to_pylist()]
        return (
            (rows, [(field.name, str(field.type)) for field in table.schema]) if with_column_types else rows
        )


Connect.__module__ = "clickhouse_connect.driver.httpclient"
Driver.__module__ = "clickhouse_driver.client"


@pytest.fixture(scope="module")
def session() -> Iterator[Any]:
    from chdb.session import Session

    with Session() as opened:
        opened.query("create database sm_test")
        opened.query("use sm_test")
        for name, rows in TABLES.items():
            make_table(opened.query, name, rows)
        yield opened
        opened.query("drop database sm_test")


@pytest.fixture(params=["session", "connection", "dbapi", "clickhouse-connect", "clickhouse-driver"])
def connection(request: pytest.FixtureRequest, session: Any) -> Iterator[Any]:
    """What a user may bring."""
    if request.param in ("connection", "dbapi"):
        import chdb.dbapi

        opened = chdb.connect(":memory:") if request.param == "connection" else chdb.dbapi.connect()
        cursor = opened.cursor()
        cursor.execute("use sm_test")
        yield opened
        opened.close()
    else:
        wrapped = {"session": lambda given: given, "clickhouse-connect": Connect, "clickhouse-driver": Driver}
        yield wrapped[request.param](session)


def same(one: list[dict[str, Any]], other: list[dict[str, Any]]) -> None:
    assert [list(row) for row in one] == [list(row) for row in other]
    for row, expected in zip(one, other, strict=True):
        for name, value in row.items():
            assert type(value) is type(expected[name]), name
            close = isinstance(value, float) and math.isclose(
                value, expected[name], rel_tol=1e-9, abs_tol=1e-12
            )
            assert close or value == expected[name], name


def test_evaluate(connection: Any) -> None:
    for more in ({}, {"by": "country"}):
        facts = {**ROLES, **more}
        got = sm.evaluate("preds", METRICS, connection=connection, **facts)
        same(got.to_dicts(), sm.evaluate(ROWS, METRICS, **facts).to_dicts())


def test_lists_curves_and_tables(connection: Any) -> None:
    lists = {name: value for name, value in ROLES.items() if name != "max_grade"}
    rows = {"label": "y", "score": "p", "positive": 1, "by": "country"}
    same(
        sm.per_group("preds", ["ndcg@3", "gauc"], connection=connection, **lists).to_dicts(),
        sm.per_group(ROWS, ["ndcg@3", "gauc"], **lists).to_dicts(),
    )
    same(
        sm.curve("preds", "roc", connection=connection, **rows).to_dicts(),
        sm.curve(ROWS, "roc", **rows).to_dicts(),
    )
    same(
        sm.confusion_matrix("preds", label="y", prediction="guess", connection=connection).to_dicts(),
        sm.confusion_matrix(ROWS, label="y", prediction="guess").to_dicts(),
    )


def test_a_truth(connection: Any) -> None:
    metrics = ["ndcg@3", "recall@5", "map"]
    got = sm.evaluate(
        "select * from preds", metrics, truth="judged", by="country", connection=connection, **ROLES
    )
    same(got.to_dicts(), sm.evaluate(ROWS, metrics, truth=TRUTH, by="country", **ROLES).to_dicts())


def test_a_file_as_a_table_and_in_a_query(session: Any, tmp_path: Any) -> None:
    import pyarrow.parquet

    file = tmp_path / "rows.parquet"
    pyarrow.parquet.write_table(pa.Table.from_pylist(ROWS), file)
    expected = sm.evaluate(ROWS, ["auc", "ndcg@3"], **ROLES).to_dicts()
    for data in (f"file('{file}')", f"select * from file('{file}')"):
        same(sm.evaluate(data, ["auc", "ndcg@3"], connection=session, **ROLES).to_dicts(), expected)
    with pytest.raises(sm.SqlMetricsError, match=r"no table|cannot read.*Unknown table") as refused:
        sm.evaluate(str(file), "auc", connection=session, **ROLES)
    assert "leave connection= out" in str(refused.value)


def test_what_arrow_has_no_text_for(session: Any) -> None:
    session.query(
        "create table texts (y Enum8('no' = 0, 'yes' = 1), p Float32, u UUID, f FixedString(3),"
        " e Nullable(Enum8('a' = 7)),"
        " c LowCardinality(Nullable(String))) engine = Memory"
    )
    session.query(
        "insert into texts values ('yes', 0.9, '00000000-0000-0000-0000-00000000000a', 'ab', 'a', 'yes'),"
        " ('no', 0.3, '00000000-0000-0000-0000-00000000000b', 'abc', null, 'no')"
    )
    uuids = [f"00000000-0000-0000-0000-00000000000{letter}" for letter in "ab"]
    for column, values in {"u": uuids, "f": ["ab", "abc"], "e": ["a", None], "c": ["no", "yes"]}.items():
        report = sm.evaluate(
            "texts", "auc", label="y", positive="yes", score="p", by=column, connection=session
        )
        assert [row[column] for row in report.to_dicts()] == [*values, None]
    matrix = sm.confusion_matrix("texts", label="y", prediction="c", connection=session).to_dicts()
    assert [(row["label"], row["prediction"]) for row in matrix] == [("no", "no"), ("yes", "yes")]


LISTS = [row["metric"] for row in sm.metrics() if row["grain"] == "lists" and row["metric"] in oracles.LISTS]


@pytest.mark.parametrize("average", ["mean", "pooled"])
@pytest.mark.parametrize("name", LISTS)
def test_one_metric_of_lists_without_items(name: str, average: str, session: Any) -> None:
    """Its statement is the shortest, in which ClickHouse may take a sum for the column that it is named after."""
    facts = {role: column for role, column in ROLES.items() if role != "item"}
    if average == "pooled":  # a ratio of sums, or the sum of a number of items
        average = "sum" if name.startswith("num_") else "micro"
    known = []
    for more, cutoff in (("", ""), ("", "@3"), (", recall=0.5", "")):
        metric = {"value": f"{name}(average={average}{more}){cutoff}"}
        try:
            expected = sm.evaluate(ROWS, metric, **facts).to_dicts()
        except sm.SqlMetricsError:
            continue  # some need a cutoff or a recall, some take none
        known.append(metric)
        same(sm.evaluate("preds", metric, connection=session, **facts).to_dicts(), expected)
    assert known


SETTINGS = {
    "join_use_nulls": 1,
    "aggregate_functions_null_for_empty": 1,
    "prefer_column_name_to_alias": 1,
    "cast_keep_nullable": 1,
    "transform_null_in": 1,
}


def test_settings_of_a_server_change_no_number(session: Any) -> None:
    metrics = ["ndcg@3", "recall@5", "map"]

    def reports() -> list[dict[str, Any]]:
        one = sm.evaluate("preds", METRICS, by="country", connection=session, **ROLES)
        two = sm.evaluate("preds", metrics, truth="judged", by="country", connection=session, **ROLES)
        return one.to_dicts() + two.to_dicts()

    expected = reports()
    for name, value in SETTINGS.items():
        session.query(f"set {name} = {value}")
    try:
        assert session.query("select getSetting('join_use_nulls') as x", "ArrowTable").to_pylist() == [
            {"x": 1}
        ]
        same(reports(), expected)
    finally:
        for name in SETTINGS:
            session.query(f"set {name} = 0")


def test_what_is_kept_is_a_matter_of_speed(session: Any) -> None:
    """A view forgets the setting that ends a statement, and with it that what several stages read is made once."""
    report = sm.evaluate("preds", ["ndcg@3", "gauc", "map"], by="country", connection=session, **ROLES)
    statement = sm.render("preds", ["ndcg@3", "gauc", "map"], dialect="clickhouse", by="country", **ROLES)
    assert statement.strip().endswith("settings enable_materialized_cte = 1")
    session.query(f"create view viewed as {statement}")
    session.query(f"create table stored engine = Memory as ({statement})")
    # as dbt has it
    session.query(f"create table made engine = MergeTree order by tuple() empty as ({statement})")
    session.query(f"insert into made {statement}")
    for relation in (f"({statement})", "viewed", "stored", "made"):
        found = session.query(f"select country, ndcg_3, gauc, map from {relation}", "ArrowTable").to_pylist()
        wanted = [
            {name: row[name] for name in ("country", "ndcg_3", "gauc", "map")} for row in report.to_dicts()
        ]
        same(sorted(found, key=str), sorted(wanted, key=str))


@pytest.mark.parametrize(
    ("data", "label", "message"),
    [
        ("preds", "z", "Column 'z' .label=. is not in preds. Columns: y, p, g"),
        ("nowhere", "y", "cannot read nowhere: .*Unknown table expression identifier 'nowhere'$"),
        ("select z from preds", "y", "cannot read the query: .*Unknown expression identifier `z`"),
        ("file('nowhere.parquet')", "y", "cannot read file.*nowhere.parquet"),
        (ROWS, "y", "With a connection of chdb the data is the name of a table there or a query, got list"),
    ],
)
def test_refusals(session: Any, data: Any, label: str, message: str) -> None:
    with pytest.raises(sm.SqlMetricsError, match=message) as refused:
        sm.evaluate(data, "auc", label=label, score="p", connection=session)
    assert "\n" not in str(refused.value)


def test_an_error_has_its_statement(session: Any) -> None:
    with pytest.raises(sm.SqlMetricsError, match=r"cannot read preds: .*throwIf") as refused:
        sm.evaluate("preds", "auc", label=sm.sql("throwIf(y = 2)"), score="p", connection=session)
    assert refused.value.sql is not None
    assert "throwIf" in refused.value.sql


def test_what_is_no_connection(session: Any) -> None:
    with pytest.raises(sm.SqlMetricsError, match="dialect='mysql' is not what ClickHouse speaks"):
        sm.evaluate("preds", "auc", label="y", score="p", connection=session, dialect="mysql")

    class Asynchronous(Connect):
        async def __aenter__(self) -> None: ...

    with pytest.raises(sm.SqlMetricsError, match=r"takes a session or connection of chdb.*got Asynchronous"):
        sm.evaluate("preds", "auc", label="y", score="p", connection=Asynchronous(session))


def test_part_of_a_state(session: Any, tmp_path: Any) -> None:
    asked: dict[str, Any] = {"label": "y", "score": "p", "group": "g", "positive": 1}
    rows = [{**row, "day": row["i"] % 3} for row in ROWS]
    made = tmp_path / "states.parquet"
    sm.state(rows, "auc", period="day", by="country", **asked).write(made)
    part = sm.finish(f"file('{made}')", "auc", where="day > 0", connection=session)
    direct = sm.evaluate([row for row in rows if row["day"] > 0], "auc", **asked)
    assert math.isclose(part.to_dicts()[0]["auc"], direct.to_dicts()[0]["auc"], rel_tol=1e-9)
