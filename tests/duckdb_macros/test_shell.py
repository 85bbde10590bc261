"""The macros of a DuckDB shell: the numbers of `evaluate`, examples that run, errors that say what is wrong."""

from __future__ import annotations

import re
from typing import Any

import duckdb
import pyarrow as pa
import pytest

import sqlmetrics as sm
from sqlmetrics.book.catalog import curves
from support.shell import (
    GIVEN,
    asked,
    close,
    columns_of,
    drawn,
    kind_of,
    metric_of,
    notation,
    options_of,
    signatures,
    text,
)

TABLES = [
    name for kind, name in signatures() if kind == "table" and name != "evaluate" and "_curve" not in name
]


@pytest.fixture(scope="module")
def connection():
    with duckdb.connect() as opened:
        sm.install(opened)
        yield opened


def expected(kind: str, table: pa.Table, notations: dict[str, str], **facts: Any) -> list[dict[str, Any]]:
    facts = {"label": "label", "on_bad_rows": "drop", "max_grade": 3} | facts
    if kind == "lists":
        return sm.per_group(table, notations, group="part", **facts).to_dicts()
    return [
        row for row in sm.evaluate(table, notations, by="part", **facts).to_dicts() if not row["is_total"]
    ]


@pytest.mark.slow
@pytest.mark.parametrize("given", [{}, GIVEN], ids=["defaults", "given"])
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("kind", ["classes", "numbers", "lists"])
def test_aggregates_are_those_of_evaluate(
    connection: duckdb.DuckDBPyConnection, kind: str, seed: int, given: dict[str, Any]
) -> None:
    table = drawn(kind, seed)
    notations: dict[tuple[str, ...], dict[str, str]] = {}  # by the roles that they read
    calls = []
    for (form, name), arguments in signatures().items():
        if form == "table" or kind_of(metric := metric_of(form, name)) != kind:
            continue
        options = options_of(metric, arguments, given)
        columns = columns_of(arguments)
        roles = tuple(role for role in ("label", "score") if role in columns)
        notations.setdefault(roles, {})[name] = notation(metric, options)
        written = [*columns, *(f"{option} := {value}" for option, value in options.items())]
        calls.append(f"{name}({', '.join(written)}) as {name}")
    connection.register("drawn", table)
    query = f"select part, {', '.join(calls)} from drawn group by part"
    found = {row["part"]: row for row in asked(connection, query)}
    assert len(calls) > 15
    for roles, named in notations.items():
        read = {role: role if role in roles else None for role in ("label", "score")}
        for row in expected(kind, table, named, **read):
            values = {name: (found[row["part"]][name], row[name]) for name in named}
            assert not {name: pair for name, pair in values.items() if not close(*pair)}, row["part"]


@pytest.mark.slow
def test_aggregates_go_with_grouping_sets_and_having(connection: duckdb.DuckDBPyConnection) -> None:
    table = drawn("classes", 3)
    connection.register("drawn", table)
    query = "select part, grouping(part) as is_total, auc(label, score) as auc, brier(label, score) as brier from drawn"
    found = asked(connection, f"{query} group by grouping sets ((part), ()) having auc(label, score) > 0.45")
    report = sm.evaluate(table, ["auc", "brier"], label="label", score="score", by="part", on_bad_rows="drop")
    kept = {(row["part"], int(row["is_total"])): row for row in report.to_dicts() if (row["auc"] or 0) > 0.45}
    assert {(row["part"], row["is_total"]) for row in found} == set(kept)
    for row in found:
        same = kept[row["part"], row["is_total"]]
        assert close(row["auc"], same["auc"])
        assert close(row["brier"], same["brier"])


def test_case_in_place_of_filter(connection: duckdb.DuckDBPyConnection) -> None:
    table = drawn("classes", 4)
    connection.register("drawn", table)
    [row] = asked(connection, "select auc(case when part = 'many' then label end, score) as auc from drawn")
    [many] = asked(connection, "select auc(label, score) as auc from drawn where part = 'many'")
    assert row == many
    with pytest.raises(duckdb.Error, match="FILTER"):
        connection.execute("select auc(label, score) filter (where part = 'many') from drawn")


@pytest.mark.parametrize(("given", "by"), [({}, None), (GIVEN, "country")], ids=["defaults", "given"])
@pytest.mark.parametrize("name", TABLES)
def test_tables_are_those_of_evaluate(
    connection: duckdb.DuckDBPyConnection, name: str, given: dict[str, Any], by: str | None
) -> None:
    metric = metric_of("table", name)
    lists = metric.grain == "lists"
    table = drawn("classes" if name == "gauc" or not lists else "lists", 5)
    country = pa.array([["DE", "FR", None][hash(i) % 3] for i in range(len(table))])
    table = table.append_column("country", country)
    connection.register("drawn", table)
    options = options_of(metric, signatures()["table", name], given)
    roles = (
        {"label": "label", "score": "score"}
        | ({"group": "part"} if lists else {})
        | ({"by": by} if by else {})
    )
    written = [f"\"{role}\" := '{column}'" for role, column in roles.items()]
    written += [f"{option} := {value}" for option, value in options.items()]
    found = asked(connection, f"from {name}('drawn', {', '.join(written)})")
    facts = {"max_grade": 3} if "max_grade" in options else {}
    report = sm.evaluate(table, {name: notation(metric, options)}, on_bad_rows="drop", **roles, **facts)
    rows = report.to_dicts()
    assert len(found) == len(rows)
    for one, other in zip(found, rows, strict=True):
        assert close(one[name], other[name])
        assert one.get("slice") == other.get("country")
        assert {key: one[key] for key in report.audit.columns if key not in ("country", "is_total")} == {
            key: other[key] for key in report.audit.columns if key not in ("country", "is_total")
        }


@pytest.mark.slow
@pytest.mark.parametrize("name", TABLES)
def test_two_columns_of_slices_are_those_of_evaluate(
    connection: duckdb.DuckDBPyConnection, name: str
) -> None:
    """Values, total, order and NULL of either column or both; a slice of NULLs is not the total."""
    metric = metric_of("table", name)
    lists = metric.grain == "lists"
    table = sliced("classes" if name == "gauc" or not lists else "lists", 5)
    connection.register("drawn", table)
    options = options_of(metric, signatures()["table", name], GIVEN)
    roles = {"label": "label", "score": "score"} | ({"group": "part"} if lists else {})
    written = [f"\"{role}\" := '{column}'" for role, column in roles.items()]
    written += [f"{option} := {value}" for option, value in options.items()]
    facts = roles | ({"max_grade": 3} if "max_grade" in options else {})
    found = asked(
        connection, f"from {name}('drawn', {', '.join(written)}, \"by\" := 'country', by2 := 'size')"
    )
    report = sm.evaluate(
        table, {name: notation(metric, options)}, by=["country", "size"], on_bad_rows="drop", **facts
    )
    assert_sliced(found, report)
    assert len({(row["slice"], row["slice2"]) for row in found}) == len(found) - 1 == 9


def sliced(kind: str, seed: int) -> pa.Table:
    """Drawn rows with two columns of slices, each with NULLs and of a type of its own."""
    table = drawn(kind, seed)
    for column, values in {"country": ["DE", "FR", None], "size": [1.5, None, 3]}.items():
        step = 1 if column == "country" else 3
        drawn_values = pa.array([values[i // step % 3] for i in range(len(table))])
        table = table.append_column(column, drawn_values)
    return table


def assert_sliced(found: list[dict[str, Any]], report: Any) -> None:
    names = {"country": "slice", "size": "slice2"}
    rows = report.to_dicts()
    assert len(found) == len(rows)
    for one, other in zip(found, rows, strict=True):
        for name, value in other.items():
            if name == "is_total" and name not in one:  # a curve
                continue
            same = one[names.get(name, name)]
            assert close(same, value) if isinstance(value, float) else same == value, (name, one, other)


@pytest.mark.slow
def test_two_columns_of_slices_of_evaluate_and_curves(connection: duckdb.DuckDBPyConnection) -> None:
    table = sliced("classes", 7)
    connection.register("drawn", table)
    facts: dict[str, Any] = {
        "label": "label",
        "score": "score",
        "by": ["country", "size"],
        "on_bad_rows": "drop",
    }
    found = asked(
        connection, "from evaluate('drawn', 'label', 'score', 'part', \"by\" := 'country', by2 := 'size')"
    )
    asked_for = ["auc", "average_precision", "ks", "log_loss", "brier", "base_rate"]
    asked_for += ["gauc", "ndcg@10", "map@10", "mrr", "hit_rate@10", "precision@10", "recall@10"]
    assert_sliced(found, sm.evaluate(table, asked_for, group="part", **facts))
    for kind in ("roc", "calibration"):
        found = asked(
            connection, f"from {kind}_curve('drawn', 'label', 'score', \"by\" := 'country', by2 := 'size')"
        )
        assert_sliced(found, sm.curve(table, kind, **facts))


def test_a_second_column_of_slices_is_optional_and_may_be_wrong(
    connection: duckdb.DuckDBPyConnection,
) -> None:
    connection.register("drawn", sliced("classes", 5))
    one = "from auc('drawn', 'label', 'score', \"by\" := 'country'{})"
    assert "slice2" not in asked(connection, one.format(""))[0]
    assert asked(connection, one.format(", by2 := null")) == asked(connection, one.format(""))
    with pytest.raises(duckdb.Error, match='Could not find key "county"'):
        connection.execute(one.format(", by2 := 'county'"))


def test_a_cte_a_view_and_names_of_all_kinds(connection: duckdb.DuckDBPyConnection) -> None:
    connection.register("drawn", drawn("classes", 6))
    connection.execute("create or replace view seen as from drawn")
    connection.execute(
        'create or replace table "two words" as select label as "a ""label""", score as "Order" from drawn'
    )
    connection.execute(
        "create schema if not exists other; create or replace table other.kept as from drawn"
    ).fetchall()
    named = "label := 'label', score := 'score'"
    [value] = asked(connection, "select auc(label, score) as auc from drawn")
    for query in (
        f"select auc from auc('seen', {named})",
        f"select auc from auc('other.kept', {named})",
        "select auc from auc('drawn', 'LABEL', 'Score')",
        "select auc from auc('two words', label := 'a \"label\"', score := 'Order')",
        f"with p as (from drawn) select auc from auc('p', {named})",
        f"with drawn as (select label, score / 2 as score from drawn) select auc from auc('drawn', {named})",
    ):
        [found] = asked(connection, query)
        assert close(found["auc"], value["auc"]), query


@pytest.mark.slow
def test_evaluate_has_the_numbers_of_evaluate(connection: duckdb.DuckDBPyConnection) -> None:
    table = drawn("classes", 7)
    connection.register("drawn", table)
    [found] = asked(
        connection, "from evaluate('drawn', label := 'label', score := 'score', \"group\" := 'part')"
    )
    [by_part, *_] = asked(connection, "from evaluate('drawn', 'label', 'score', 'part', by := 'part')")
    asked_for = [
        "auc",
        "average_precision",
        "ks",
        "log_loss",
        "brier",
        "base_rate",
        "gauc",
        "ndcg@10",
        "map@10",
    ]
    asked_for += ["mrr", "hit_rate@10", "precision@10", "recall@10"]
    report = sm.evaluate(table, asked_for, label="label", score="score", group="part", on_bad_rows="drop")
    [row] = report.to_dicts()
    assert found.keys() - {"rows_negative_grade", "rows_huge_grade"} == row.keys() - {
        "rows_negative_grade",
        "rows_huge_grade",
    }
    assert all(close(found[name], row[name]) for name in row)
    assert by_part["slice"] is not None
    # what evaluate refuses is null beside its count
    connection.execute("create or replace table graded as select 3 as label, 1.5 as score")
    [broken] = asked(connection, "from evaluate('graded', 'label', 'score')")
    assert (broken["auc"], broken["rows_not_binary"], broken["log_loss"], broken["rows_not_probability"]) == (
        None,
        1,
        None,
        1,
    )


@pytest.mark.parametrize("kind", curves())
@pytest.mark.parametrize("by", [None, "part"])
def test_curves_are_those_of_curve(connection: duckdb.DuckDBPyConnection, kind: str, by: str | None) -> None:
    table = drawn("classes", 8)
    connection.register("drawn", table)
    slices = f", by := '{by}'" if by else ""
    named = ["treatment"] if "treatment" in curves()[kind].parameters else []
    further = "".join(f", {name} := '{name}'" for name in named)
    found = asked(
        connection, f"from {kind}_curve('drawn', label := 'label', score := 'score'{further}{slices})"
    )
    notation = kind + "".join(f"({name}={name})" for name in named)
    points = sm.curve(table, notation, label="label", score="score", by=by, on_bad_rows="drop")
    rows = points.to_dicts()
    assert len(found) == len(rows)
    for one, other in zip(found, rows, strict=True):
        assert one.get("slice") == other.get("part")
        assert all(close(one[name], other[name]) for name in other if name not in ("part", "is_total"))


EXAMPLES = re.findall(r"^-- Example: (.*);$", text(), re.MULTILINE)


@pytest.mark.parametrize("example", EXAMPLES)
def test_examples_run(connection: duckdb.DuckDBPyConnection, example: str) -> None:
    connection.execute(
        "create or replace table predictions as select i % 20 as user_id, if(i % 3 = 0, 'DE', 'FR') as country,"
        " i * 7 % 5 as grade, i * 7 % 5 > 2 as clicked, 1 + i * 5 % 4 as rating, (1 + i * 11 % 50) / 52 as score"
        " from range(400) as t (i)"
    )
    assert connection.execute(example).fetchall()


def test_every_macro_has_a_comment_and_an_example() -> None:
    statements = len(re.findall(r"^create or replace macro", text(), re.MULTILINE))
    assert statements == len(EXAMPLES) == len(signatures())
    assert len(re.findall(r"^-- Example: .*;\ncreate or replace macro", text(), re.MULTILINE)) == statements


def test_every_macro_has_a_line_in_duckdb_functions(connection: duckdb.DuckDBPyConnection) -> None:
    rows = asked(
        connection,
        "select function_name as name, function_type = 'table_macro' as is_table, any_value(comment) as comment"
        " from duckdb_functions() where function_type like '%macro' and not internal group by all",
    )
    comments = {("table" if row["is_table"] else "aggregate", row["name"]): row["comment"] for row in rows}
    assert set(comments) == set(signatures())
    wrong = {}
    for (kind, name), comment in comments.items():
        if name == "evaluate":
            summary = "The metrics auc, average_precision, "
        elif name.endswith("_curve"):
            summary = curves()[name.removesuffix("_curve")].summary
        else:
            summary = metric_of(kind, name).summary
        if not comment or not comment.startswith(summary) or "\n" in comment:
            wrong[kind, name] = comment
    assert not wrong
    assert comments["aggregate", "informedness"].startswith("Informedness, Youden's J: ")
    assert comments["aggregate", "log_loss"].endswith(" rows. Range [0, inf). Unit: nats.")
    assert comments["table", "ndcg"].endswith(" of the ideal order. Range [0, 1].")
    assert comments["aggregate", "ndcg"].endswith(" of the ideal order. Of one list. Range [0, 1].")
    # its header gives the range with item_weight, which no macro takes
    assert comments["table", "mrr"] == f"{metric_of('table', 'mrr').summary}."
    assert comments["aggregate", "bias"].endswith("too high. Unit: label.")


def test_the_first_lines_say_when_to_use_a_table_macro() -> None:
    assert "Above a million rows in a group, use the table macro" in "".join(text().splitlines()[:8])


MISTAKES = {
    "select auc(2, 0.5)": "auc: 1 rows have a label that is neither 0 nor 1, such as 2.0",
    "select log_loss(1, 1.5)": "log_loss: 1 rows have a score outside [0, 1], such as 1.5",
    "select rmse(1, 'nan'::double)": "rmse: 1 rows have a NaN or infinite label or score",
    "select ndcg('inf'::double, 0.5)": "ndcg: 1 rows have a NaN or infinite label or score",
    "select ndcg(-1, 0.5)": "ndcg: 1 rows have a negative label, such as -1.0, but ndcg takes grades >= 0",
    "select err(4, 0.5, 3)": "err: 1 rows have a label above max_grade, such as 4.0",
    "select ndcg(1, 0.5, 0)": "ndcg: k must be an integer >= 1 and <= 1000000000, got 0",
    "select ndcg(1, 0.5, 2.5)": "ndcg: k must be an integer >= 1 and <= 1000000000, got 2.5",
    "select ndcg(1, 0.5, null)": "ndcg: k must be an integer >= 1 and <= 1000000000, got null",
    "select lift(1, 0.5, share := 2)": "lift: share must be a number > 0 and <= 1, got 2",
    "from ndcg('t', 'y', 's', 'g', k := 0)": "ndcg: k must be an integer >= 1 and <= 1000000000, got 0",
    "from auc('t', 'g', 's')": "auc: 1 rows have a label that is neither 0 nor 1",
    "from err('t', 'y', 's', 'g', max_grade := 0)": "max_grade must be a number >= 1 and <= 1000, got 0",
    "from auc('t', 'clicks', 's')": 'Could not find key "clicks"',
    "from auc('none', 'y', 's')": "none does not exist",
    "from auc('t', 'y', scores := 's')": "auc(data, label, score)",
    "from roc_curve('t', 'g', 's')": "roc_curve: 1 rows have a label that is neither 0 nor 1",
}


@pytest.mark.parametrize("query", MISTAKES)
def test_mistakes_have_one_clear_message(connection: duckdb.DuckDBPyConnection, query: str) -> None:
    connection.execute("create or replace table t as select 1 as y, 0.5 as s, 7 as g")
    with pytest.raises(duckdb.Error) as raised:
        connection.execute(query).fetchall()
    assert MISTAKES[query] in str(raised.value)


@pytest.mark.parametrize("threshold", [0.1, 0.3, 0.5, 0.7, 0.9])
def test_a_single_precision_score_meets_its_threshold(
    connection: duckdb.DuckDBPyConnection, threshold: float
) -> None:
    connection.execute(f"create or replace table t as select 1 as y, {threshold}::float as s from range(3)")
    cells = [f"{cell}(y, s, threshold := {threshold})" for cell in ("tp", "fn")]
    assert connection.sql(f"select {', '.join(cells)} from t").fetchall() == [(3, 0)]


def test_a_number_beyond_the_floats_is_null(connection: duckdb.DuckDBPyConnection) -> None:
    connection.execute(
        "create or replace table t as select 1e155 * i as y, -2e155 * i * i as s from range(3) t (i)"
    )
    assert connection.sql("select mse(y, s), rmse(y, s), r2(y, s), mae(y, s) < 1e157 from t").fetchall() == [
        (None, None, None, True)
    ]


@pytest.mark.slow
def test_the_file_is_read_statement_by_statement() -> None:
    with duckdb.connect() as connection:
        for statement in connection.extract_statements(text()):
            connection.execute(statement).fetchall()
        assert connection.sql(
            "select auc(y, p) from (values (1, 0.9), (0, 0.4), (1, 0.4)) as t (y, p)"
        ).fetchall() == [(0.75,)]


def test_no_function_of_the_database_is_hidden() -> None:
    with duckdb.connect() as connection:
        query = "select function_name, function_type like '%table%' from duckdb_functions()"
        functions = set(connection.sql(query).fetchall())
    assert not {(name, kind == "table") for kind, name in signatures()} & functions


@pytest.mark.slow
def test_install_replaces_and_takes_a_schema() -> None:
    with duckdb.connect() as connection:
        sm.install(connection, schema="metrics")
        sm.install(connection, schema="metrics")
        assert connection.sql("select metrics.auc(1, 0.5)").fetchall() == [(None,)]
        assert uncommented(connection) == []
        connection.execute("create table t as select 1 as y, 0.5 as s")
        assert connection.sql("select auc from metrics.auc('t', 'y', 's')").fetchall() == [(None,)]
        with pytest.raises(duckdb.CatalogException):
            connection.sql("select auc(1, 0.5)")


@pytest.mark.slow
def test_temporary_macros_leave_a_file_as_it_is(tmp_path: Any) -> None:
    path = str(tmp_path / "data.duckdb")
    duckdb.connect(path).close()
    with duckdb.connect(path, read_only=True) as connection:
        with pytest.raises(sm.SqlMetricsError, match="temporary=True makes them for this connection"):
            sm.install(connection)
        sm.install(connection, temporary=True)
        assert connection.sql("select brier(1, 0.5)").fetchall() == [(0.25,)]
        assert uncommented(connection) == []
    with duckdb.connect(path) as connection:
        sm.install(connection)
    with duckdb.connect(path, read_only=True) as connection:
        assert connection.sql("select brier(1, 0.5)").fetchall() == [(0.25,)]


def uncommented(connection: duckdb.DuckDBPyConnection) -> list[Any]:
    functions = "from duckdb_functions() where function_type like '%macro' and not internal"
    assert connection.sql(f"select count(*) > 150 {functions}").fetchall() == [(True,)]
    return connection.sql(f"select function_name {functions} and comment is null").fetchall()


def test_install_says_what_it_takes() -> None:
    with pytest.raises(sm.SqlMetricsError, match="install takes a DuckDB connection, got str"):
        sm.install("data.duckdb")  # type: ignore[arg-type]
    for schema in ("", " ", 5):
        with pytest.raises(sm.SqlMetricsError, match="schema= takes the name of a schema"):
            sm.install(duckdb.connect(), schema=schema)  # type: ignore[arg-type]
    with (
        duckdb.connect() as connection,
        pytest.raises(sm.SqlMetricsError, match="temporary macros lie in no schema"),
    ):
        sm.install(connection, schema="metrics", temporary=True)
