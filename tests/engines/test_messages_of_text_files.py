"""Mistakes in text files name their line, and the advice works when followed."""

import gzip
import re
from pathlib import Path

import duckdb
import pytest

import sqlmetrics as sm
from support.errors import told
from support.text_files import BOTH, EARLY, written


@pytest.mark.slow
def test_the_advice_for_slices_of_two_kinds_works(tmp_path):
    path = written(tmp_path, [{"k": k, "y": 1, "s": 0.5} for k in ("1", "x")])
    rows = [{"k": 1, "y": 1, "s": 1}]
    with pytest.raises(sm.SqlMetricsError) as refused:
        sm.explain_change(path, "mse", by="k", reference=rows, label="y", score="s")
    message, advice = str(refused.value).split("; write by=")
    assert message.endswith("reference=; in both tables it has to be of one kind")
    by = {"k": eval(advice, {"sm": sm})}
    found = sm.explain_change(path, "mse", by=by, reference=rows, label="y", score="s")
    assert {row["k"] for row in found.to_dicts()} >= {"1", "x"}
    assert sm.drift(path, reference=rows, columns=by).to_dicts()[0]["new_values"] == "x (1)"


@pytest.mark.slow
def test_a_text_that_is_no_number_is_told_with_its_line(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rows = [{"y": 1, "s": 1}] * EARLY + [{"y": 1, "s": "n/a"}, {"y": 0, "s": 0.5}]
    written(tmp_path, rows)
    assert told(sm.evaluate, "rows.csv", "auc", label="y", score="s") == (
        "Column 's' (score=) has to be numbers, and line 21,002 of rows.csv has 'n/a';"
        " sm.sql('try_cast(s as double)') makes NULL of such texts, and on_bad_rows='drop' leaves out their rows"
    )
    advised = {"score": sm.sql("try_cast(s as double)"), "on_bad_rows": "drop"}
    assert sm.evaluate("rows.csv", "auc", label="y", **advised).value("auc") == 1
    for name, place in (("rows.jsonl", "line 21,001"), ("rows.json", "value 21,001")):
        written(tmp_path, rows, name)
        message = told(sm.evaluate, name, "auc", label="y", score="s").replace("21001", "21,001")
        assert f"{place} of {name} has 'n/a'" in message
        assert sm.evaluate(name, "auc", label="y", **advised).value("auc") == 1
    written(tmp_path, [{"y": 1, "s": 1}] * EARLY + [{"y": "maybe", "s": 0.5}])
    message = told(sm.evaluate, "rows.csv", "auc", label="y", score="s")
    assert "Column 'y' (label=) has to be numbers, and line 21,002 of rows.csv has 'maybe'" in message


@pytest.mark.slow
def test_a_text_in_a_column_that_a_notation_names(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rows = [{"y": 1, "lo": 0, "hi": 2}] * EARLY + [
        {"y": 1, "lo": 0, "hi": "n/a"},
        {"y": 1, "lo": 0, "hi": "?"},
    ]
    for name in BOTH:
        message = told(
            sm.evaluate, written(Path(), rows, name), "interval_width(lower=lo, upper=hi)", label="y"
        )
        found = re.search(r"upper='hi' is text and has to be a number: line (.*) of (.*) has 'n/a'$", message)
        assert (int(found[1].replace(",", "")), found[2]) == (EARLY + (2 if name == "rows.csv" else 1), name)
    with pytest.raises(sm.SqlMetricsError, match=f"of {name} has 'n/a'"):
        sm.curve(name, "qini(treatment=hi)", label="y", score="lo")


def test_the_advice_for_a_decimal_comma_works(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("german.csv").write_text("\ufeffLabel;Score %\n1;0,91\n0;0,2\n1;0,7\n0;0,8\n", encoding="utf-8")
    message = told(sm.evaluate, "german.csv", "auc", label="Label", score="Score %")
    assert "line 2 of german.csv has '0,91'; a decimal comma is read by sm.sql" in message
    advised = eval(message.split(" is read by ")[1], {"sm": sm})
    assert sm.evaluate("german.csv", "auc", label="Label", score=advised).value("auc") == 0.75


@pytest.mark.parametrize(
    ("texts", "numbers", "what"),
    [
        (["91%", "20%", "-7%"], [0.91, 0.2, -0.07], "a percent sign"),
        (["91,5 %", "20 %", "7 %"], [0.915, 0.2, 0.07], "a decimal comma and a percent sign"),
        (["1.234,50", "99,5", "1"], [1234.5, 99.5, 1], "a decimal comma and points between thousands"),
        (["1,234.5", "99", "1,000,000"], [1234.5, 99, 1e6], "a comma between thousands"),
        (["1,000", "99", "2,500"], [1000, 99, 2500], "a comma between thousands"),
        (["1,000", "0,5", "2,5"], [1, 0.5, 2.5], "a decimal comma"),
    ],
)
@pytest.mark.parametrize("name", BOTH)
def test_the_advice_for_written_numbers_works(texts, numbers, what, name, tmp_path, monkeypatch):
    """Where a text has two meanings, the error names both."""
    monkeypatch.chdir(tmp_path)
    quoted = name == "rows.csv"
    rows = [{"y": 0, "s": f'"{text}"' if quoted else text} for text in texts]
    written(tmp_path, rows, name)
    message = told(sm.evaluate, name, "mae", label="y", score="s")
    advised = dict(re.findall(r"[;,] (a [^(]*?) is read by sm\.sql\((\".*?\")\)", message))
    score = sm.sql(eval(advised[what]))
    right = sum(map(abs, numbers)) / 3
    assert sm.evaluate(name, "mae", label="y", score=score).value("mae") == pytest.approx(right)
    assert len(advised) == (2 if texts == ["1,000", "99", "2,500"] else 1)


@pytest.mark.parametrize("texts", [["0.5", "91%", "20%"], ["1.5", "1.234,50", "99,5"], ["2.5", "0,5"]])
@pytest.mark.parametrize("name", BOTH)
def test_no_advice_reads_a_text_of_another_row_as_another_number(texts, name, tmp_path, monkeypatch):
    """0.5 beside 91% would become 0.005, and 1.5 beside 1.234,50 would become 15."""
    monkeypatch.chdir(tmp_path)
    quoted = name == "rows.csv"
    written(tmp_path, [{"y": 0, "s": f'"{text}"' if quoted else text} for text in texts], name)
    message = told(sm.evaluate, name, "mae", label="y", score="s")
    advised = [eval(sql) for sql in re.findall(r"sm\.sql\((\".*?\")\)", message)]
    for sql in advised:
        [(got,)] = duckdb.execute(f"select {sql} as x from (values ({texts[0]!r})) as t(s)").fetchall()
        assert got == float(texts[0])


def test_the_advice_for_digits_of_another_script_works(tmp_path, monkeypatch):
    """An engine reads none of them as a number, so their rows are left out."""
    monkeypatch.chdir(tmp_path)
    Path("rows.csv").write_text("y,p\n1,٠.٩\n0,0.3\n1,0.5\n", encoding="utf-8")
    message = told(sm.evaluate, "rows.csv", "auc", label="y", score="p")
    assert "line 2 of rows.csv has '٠.٩'; sm.sql('try_cast(p as double)') makes NULL of such texts" in message
    asked = {"label": "y", "score": sm.sql("try_cast(p as double)"), "on_bad_rows": "drop"}
    assert sm.evaluate("rows.csv", "auc", **asked).value("auc") == 1


def test_the_first_line_for_excel_is_named(tmp_path):
    path = tmp_path / "excel.csv"
    path.write_text("sep=;\ny;p\n1;0.9\n0;0.3\n", encoding="utf-8")
    assert "of the first line, which is for Excel; delete this line" in told(
        sm.evaluate, path, "auc", label="y", score="p"
    )
    path.write_text("y;p\n1;0.9\n0;0.3\n", encoding="utf-8")
    assert sm.evaluate(path, "auc", label="y", score="p").value("auc") == 1


def test_a_text_in_the_only_file_of_a_folder_names_the_file(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("exports").mkdir()
    written(Path("exports"), [{"y": 1, "s": "n/a"}])
    for data in ("exports/", "exports/*.csv", ["exports/rows.csv"]):
        assert "line 2 of exports/rows.csv has 'n/a'" in told(sm.evaluate, data, "mae", label="y", score="s")


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("y,s\n1,é\n".encode("latin-1"), "no text in UTF-8; convert it"),
        (gzip.compress(b"y,s\n1,0.5\n", mtime=0), "end the name of a compressed file in .gz"),
        (b"y,s\n" + b"1,0.9\n0,0.1\n" * EARLY + b"1,0.5,a\n", "Expected Number of Columns: 2 Found: 3$"),
    ],
    ids=["Latin-1", "compressed", "a longer row"],
)
def test_a_message_proposes_no_options_of_duckdb(content, said, tmp_path):
    path = tmp_path / "rows.csv"
    path.write_bytes(content)
    message = told(sm.evaluate, str(path), "auc", label="y", score="s")
    assert re.search(said, message)
    assert not re.search("Possible|encoding=|Try setting", message)


def test_a_message_proposes_no_options_of_json(tmp_path):
    path = tmp_path / "rows.jsonl"
    path.write_text('{"y":1,"s":0.9,"s":0.2}\n{"y":0,"s":0.1,"s":0.8}\n')
    message = told(sm.evaluate, str(path), "auc", label="y", score="s")
    assert 'has duplicate key "s"' in message
    assert "Try setting" not in message


@pytest.mark.parametrize("positive", ["2026-01-01", 1, None])
def test_a_label_of_dates_is_refused_in_one_way(positive, tmp_path):
    path = written(tmp_path, [{"y": "2026-01-01", "s": 0.5}, {"y": "2026-01-02", "s": 0.1}])
    message = told(sm.evaluate, path, "auc", label="y", score="s", positive=positive)
    assert message.startswith("Label column 'y' is DATE and has to be numbers, booleans or text")


@pytest.mark.parametrize("text", ["", "y,s\n"])
@pytest.mark.parametrize("role", ["data", "truth", "reference"])
def test_a_file_without_rows(text, role, tmp_path):
    path = tmp_path / "none.csv"
    path.write_text(text)
    rows = [{"q": 1, "i": 1, "y": 1, "s": 0.5}]
    calls = {
        "data": lambda: sm.evaluate(path, "auc", label="y", score="s"),
        "truth": lambda: sm.evaluate(rows, "mrr", truth=path, label="y", score="s", group="q", item="i"),
        "reference": lambda: sm.drift(rows, reference=path),
    }
    with pytest.raises(sm.errors.DataError, match=r"none\.csv has no row"):
        calls[role]()


def test_a_mistake_in_a_transaction_of_the_user(tmp_path):
    connection = duckdb.connect()
    connection.execute("begin")
    path = written(tmp_path, [{"y": 1, "s": "n/a"}])
    with pytest.raises(sm.SqlMetricsError, match="has to be numbers"):
        sm.evaluate(path, "auc", label="y", score="s", connection=connection)
    connection.execute("rollback")
    assert connection.execute("select table_name from duckdb_tables()").fetchall() == []
