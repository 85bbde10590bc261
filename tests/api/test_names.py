"""Whatever columns, results, models and values are called: it comes out as it is, and none of it is run."""

import duckdb
import pyarrow as pa
import pytest

import sqlmetrics as sm
from oracles import value
from support.inputs import EXPECTED, FACTS, ROLES, ROWS, numbers

NAMES = [
    *["two words", 'a "quote"', "it's", 'x"; drop table t; --', "group", "order", "select", "ünïcode"],
    *["UPPER", "a.b", "{{ braces }}", "{% raw %}", "sm_label", "sm_group", "sm_slice", "sm_rows", "n_rows"],
    *["model", "is_total", "auc", "a,b", "--", "/*", "\\", "%s", "$1", "?", "count(*)", " space "],
]
RESULTS = [("y", "two words"), ("y", 'a "quote"'), ("y", "x; drop table t; --")]


@pytest.mark.parametrize("name", NAMES)
def test_names_of_columns(name):
    for role, column in {**ROLES, "by": "day"}.items():
        if role == "by" and name in ("n_rows", "is_total"):
            continue  # the result has such a column: refused
        rows = [{name if key == column else key: cell for key, cell in row.items()} for row in ROWS]
        assert numbers(rows, **{role: name}) == EXPECTED


@pytest.mark.parametrize("name", NAMES)
def test_names_of_results_and_models(name):
    report = sm.evaluate(ROWS, {f"{name} 1": "auc"}, **{**ROLES, "score": {name: "p"}}, **FACTS)
    [row] = report.to_dicts()
    assert (row["model"], row[f"{name} 1"]) == (name, pytest.approx(value("auc", ROWS, **ROLES, **FACTS)))


@pytest.mark.parametrize("name", [*NAMES, "sm_model"])
def test_names_of_compared_models(name):
    rows = [{**row, "q": 1 - row["p"]} for row in ROWS]
    roles = {role: column for role, column in ROLES.items() if role != "score"}
    compared = sm.compare(rows, {f"{name} 1": "mae"}, baseline="p", candidate={name: "q"}, **roles, **FACTS)
    [row] = compared.to_dicts()
    assert (row["metric"], row["candidate"]) == (f"{name} 1", name)


def ran(sql: str, rows: list[dict]) -> dict:
    """The last row of a statement over a table `t`, which survives it."""
    with duckdb.connect() as connection:
        connection.register("sent", pa.Table.from_pylist(rows))
        connection.execute("create table t as from sent")
        table = connection.sql(sql).to_arrow_table()
        assert connection.sql("select count(*) from t").fetchall() == [(len(rows),)]
    return table.to_pylist()[-1]


@pytest.mark.parametrize(("name", "result"), [*((name, "auc") for name in NAMES), *RESULTS])
def test_names_in_rendered_sql(name, result):
    rows = [{name if key == "y" else key: row[key] for key in ("y", "p", "g")} for row in ROWS]
    sql = sm.render({result: "auc"}, "t", label=name, score="p", by="g", positive=1)
    total = ran(sql, rows)[result]
    assert total == pytest.approx(value("auc", ROWS, label="y", score="p", positive=1))


def test_a_weight_in_rendered_sql():
    # The one column that a notation names.
    rows = [{**row, "w; drop table t": row["w"]} for row in ROWS]
    facts = {"label": "y", "score": "p", "group": "g", "positive": 1}
    sql = sm.render({"x": "gauc(weight=w; drop table t)"}, "t", **facts)
    assert ran(sql, rows)["x"] == pytest.approx(value("gauc(weight=w)", ROWS, **facts))


# What rich, HTML, Markdown or CSV would take for their own.
VALUES = ["[/x]", "[red]", ":smile:", "a|b", "<b>", "&amp;", 'a "quote"', "", "all", "a, b", None]


def test_values_of_slices():
    rows = [{"y": 1, "p": 0.5, "[/x]": value} for value in VALUES]
    report = sm.evaluate(rows, {"[/m]": "count"}, label="y", score="p", by="[/x]")
    for frame in (report, report.long(), report.audit):
        assert {row["[/x]"] for row in frame.to_dicts()} == set(VALUES)
        for text in VALUES:
            assert str(text or "") in repr(frame)
        assert "<b>" not in frame._repr_html_()
        assert "[/x]" in frame.to_markdown()
        assert ":smile:" in frame.to_csv()
        assert ":smile:" in frame.to_json()


@pytest.mark.parametrize("big", [2**64 - 1, [1, 2], {"a": 1}], ids=["uint64", "list", "struct"])
def test_types_of_slices(big):
    table = pa.table(
        {
            "y": [1, 0],
            "p": [0.9, 0.1],
            "day": pa.array([big, big], pa.uint64() if isinstance(big, int) else None),
        }
    )
    report = sm.evaluate(table, "auc", label="y", score="p", by="day")
    assert report.long().to_arrow()["day"].type == report.to_arrow()["day"].type
    assert all((repr(report), report._repr_html_(), report.to_markdown(), report.to_csv(), report.to_json()))


def test_a_metric_without_a_value_is_a_number_still():
    report = sm.evaluate([{"y": 1, "p": 0.9}], "auc", label="y", score="p")
    assert report.to_arrow()["auc"].type == report.long().to_arrow()["value"].type == pa.float64()
