"""Whatever columns, results, models and values are called: it comes out as it is, and none of it is run."""

import contextlib
import unicodedata

import duckdb
import pyarrow as pa
import pytest

import sqlmetrics as sm
from oracles import value
from support.errors import told
from support.inputs import EXPECTED, FACTS, ROLES, ROWS, numbers

NAMES = [
    *["two words", 'a "quote"', "it's", 'x"; drop table t; --', "group", "order", "select", "ünïcode"],
    *["UPPER", "a.b", "{{ braces }}", "{% raw %}", "sm_label", "sm_group", "sm_slice", "sm_rows", "n_rows"],
    *["model", "is_total", "auc", "a,b", "--", "/*", "\\", "%s", "$1", "?", "count(*)", " space "],
]
RESULTS = [("y", "two words"), ("y", 'a "quote"'), ("y", "x; drop table t; --")]


@pytest.mark.slow
@pytest.mark.parametrize("first", range(len(NAMES)), ids=NAMES)
def test_names_of_columns(first):
    """Every role has a name of the list; over all cases each name is in each role once."""
    roles = {**ROLES, "by": "day"}
    names = {role: NAMES[(first + place) % len(NAMES)] for place, role in enumerate(roles)}
    if names["by"] in ("n_rows", "is_total"):
        names["by"] = "day"  # the result has such a column: refused
    renamed = {column: names[role] for role, column in roles.items()}
    rows = [{renamed.get(key, key): cell for key, cell in row.items()} for row in ROWS]
    assert numbers(rows, **names) == EXPECTED


@pytest.mark.slow
@pytest.mark.parametrize("name", ["sm_slice", "SM_Slice", "sm_model", "sm_value_3", "sm_by_1"])
def test_a_slice_may_be_named_as_a_column_of_ours(name):
    rows = [{name: row["day"], **row} for row in ROWS]
    assert numbers(rows, by=name) == EXPECTED
    models = sm.evaluate(rows, "auc", label="y", score={"a": "p", "b": "i"}, by=name, positive=1).to_dicts()
    assert [row[name] for row in models] == ["mon", "mon", "tue", "tue", None, None]


def is_hostile(character: str) -> bool:
    """Brackets and quotes of any script, and signs that turn the direction of text."""
    turns = ("LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI")
    return (
        unicodedata.category(character) in ("Ps", "Pe", "Pi", "Pf", "Zl", "Zp")
        or unicodedata.bidirectional(character) in turns
        or any(word in unicodedata.name(character, "") for word in ("QUOTATION", "APOSTROPHE", "-TO-"))
        or character in "'\"`\u200b\ufeff\u00a0"
    )


HOSTILE = "".join(filter(is_hostile, map(chr, range(0x30000))))
LONG_NAMES = {"x": "x" * 300, "faces": "\U0001f600" * 300, "quotes": '"' * 300, "all": HOSTILE}


@pytest.mark.slow
@pytest.mark.parametrize("name", LONG_NAMES.values(), ids=LONG_NAMES)
def test_long_names_and_all_brackets_quotes_and_directions(name, tmp_path):
    """In every role, as a result, a model, a value and a file."""
    assert len(HOSTILE) > 200
    for role, column in {**ROLES, "by": "day"}.items():
        rows = [{name if key == column else key: cell for key, cell in row.items()} for row in ROWS]
        assert numbers(rows, **{role: name}) == EXPECTED, role
    rows = [{**row, "day": name} for row in ROWS]
    report = sm.evaluate(rows, {name: "auc"}, by="day", **{**ROLES, "score": {name: "p"}}, **FACTS)
    assert [(row["day"], row["model"]) for row in report.to_dicts()] == [(name, name), (None, name)]
    assert report.columns[-1] == name
    for text in (repr(report), report._repr_html_(), report.to_markdown(), report.to_csv(), report.to_json()):
        assert text
    path = tmp_path / f"{name[:60].replace('/', '')}.csv"
    path.write_text("y,p\n1,0.9\n0,0.2\n")
    assert sm.evaluate(path, "auc", label="y", score="p").to_dicts()[0]["auc"] == 1


@pytest.mark.parametrize("name", NAMES)
def test_names_of_results_and_models(name):
    report = sm.evaluate(ROWS, {f"{name} 1": "auc"}, **{**ROLES, "score": {name: "p"}}, **FACTS)
    [row] = report.to_dicts()
    assert (row["model"], row[f"{name} 1"]) == (name, pytest.approx(value("auc", ROWS, **ROLES, **FACTS)))


@pytest.mark.slow
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
    sql = sm.render("t", {result: "auc"}, label=name, score="p", by="g", positive=1)
    total = ran(sql, rows)[result]
    assert total == pytest.approx(value("auc", ROWS, label="y", score="p", positive=1))


def test_a_weight_in_rendered_sql():
    # The one column that a notation names.
    rows = [{**row, "w; drop table t": row["w"]} for row in ROWS]
    facts = {"label": "y", "score": "p", "group": "g", "positive": 1}
    sql = sm.render("t", {"x": "gauc(weight=w; drop table t)"}, **facts)
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


BREAKING = [
    *["y) from t; copy (select 1) to 'out.csv'; --", "y\"; copy (select 1) to 'out.csv'; --"],
    *[
        "y'; copy (select 1) to 'out.csv'; --",
        "\\'; copy (select 1) to 'out.csv'; --",
        "\n; copy t to 'out.csv' --",
    ],
    *[
        "$$; copy (select 1) to 'out.csv'; $$",
        "*/ copy (select 1) to 'out.csv'; /*",
        "{{ 1 / 0 }}",
        "{score}",
    ],
]


@pytest.mark.slow
@pytest.mark.parametrize("text", BREAKING)
def test_no_text_of_a_search_becomes_sql(text, tmp_path, monkeypatch):
    """Columns that are searched, periods that are compared, and what a page and a file of a layer are called."""
    monkeypatch.chdir(tmp_path)
    rows = [{"y": i % 2, "p": i / 40, "c": i % 3, "d": i % 2, "there": text} for i in range(40)]
    there = [{**{key: cell for key, cell in row.items() if key != "c"}, text: row["c"]} for row in rows]
    scored, days = {"label": "y", "score": "p"}, {"period": "d", "before": 0, "after": 1}
    state = sm.state(rows, "brier", period="d", by="c", **scored)
    # a name that is there is taken as it is
    assert sm.find_slices(there, "brier", by=text, min_units=2, **scored).to_dicts()
    assert set(sm.explain_change(there, "brier", by=text, **days, **scored)[text]) == {0, 1, 2, None}
    assert sm.drift(there, reference=there, columns=text, by=text).to_dicts()[0]["column_name"] == text
    assert sm.explain_change(rows, "brier", by="there", **days, **scored).to_dicts()[0]["there"] == text
    page = sm.report(rows, {text: "brier"}, by="there", title=text, curves=[], progress=False, **scored)
    assert page.html.count("<script") == 0
    refusals = [
        lambda: sm.find_slices(rows, "brier", by=text, **scored),
        lambda: sm.find_slices(rows, "brier", by="c", dates=text, **scored),
        lambda: sm.drift(rows, columns=text, **days),
        lambda: sm.drift(rows, reference=rows, columns="p", by=text),
        lambda: sm.drift(rows, columns="p", **days | {"period": text}),
        lambda: sm.drift(rows, columns="p", **days | {"before": text}),
        lambda: sm.drift(state, columns=text, before=0, after=1),
        lambda: sm.explain_change(rows, "brier", by=text, **days, **scored),
        lambda: sm.explain_change(rows, "brier", by="c", **days | {"after": text}, **scored),
        lambda: sm.explain_change(state, "brier", by=text, before=0, after=1),
        lambda: sm.evaluate(rows, "multiclass_brier", label="y", class_scores={0: "p", 1: text}),
        lambda: sm.evaluate(rows, "brier", by={"month": text}, **scored),
    ]
    with contextlib.suppress(sm.SqlMetricsError):  # a brace is refused, other texts are titles
        layer = sm.semantic(state, {text: "brier"}, table="t", format="cube")
        assert [line for line in layer.splitlines() if text in line and "title: " not in line] == []
    for call in refusals:
        message = told(call)
        assert not [word for word in ("Parser", "syntax") if word in message], message
    assert list(tmp_path.iterdir()) == []
