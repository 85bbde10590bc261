"""Files of which DuckDB would pass over lines or names: signs of comments, lines of other columns, equal names."""

import json

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import sqlmetrics as sm

RANKED = {"label": "y", "score": "p"}


def csv(folder, text, name="rows.csv"):
    path = folder / name
    path.write_text(text)
    return str(path)


def named(form, folder, names, rows):
    """A file in which columns may have the same name."""
    path = folder / f"rows.{form}"
    if form == "csv":
        path.write_text("\n".join(",".join(map(str, row)) for row in [names, *rows]) + "\n")
    elif form == "jsonl":
        path.write_text("".join(json.dumps(dict(zip(names, row, strict=True))) + "\n" for row in rows))
    else:
        pq.write_table(pa.table(list(map(list, zip(*rows, strict=True))), names=names), path)
    return str(path)


@pytest.mark.parametrize(
    "text",
    [
        "c,y,p\n1,1,0.9\n2,0,0.1\n#3,1,0.2\n4,0,0.3\n",
        "y,p,c\n1,0.9,#1\n0,0.1,#2\n1,0.2,3\n0,0.3,4\n",
    ],
)
def test_a_number_sign_begins_no_comment(text, tmp_path):
    path = csv(tmp_path, text)
    assert sm.evaluate(path, "auc", **RANKED).to_dicts()[0]["n_rows"] == 4
    found = [row["c"] for row in sm.evaluate(path, "auc", by="c", total=False, **RANKED).to_dicts()]
    place = text.split("\n")[0].split(",").index("c")
    assert sorted(found) == sorted(line.split(",")[place] for line in text.splitlines()[1:])


@pytest.mark.parametrize("later", [5, 50])
def test_rows_above_those_of_other_columns_are_not_dropped(later, tmp_path):
    grown = "y,p\n" + "1,0.9\n0,0.1\n" * 25 + "y,p,c\n" + "1,0.2,a\n0,0.3,b\n" * later
    with pytest.raises(
        sm.errors.DataError, match=r"Line 1 of .*rows\.csv, 'y,p', has another number of values"
    ):
        sm.evaluate(csv(tmp_path, grown), "auc", **RANKED)
    # the way that the error names
    first, second = grown.split("y,p,c\n")
    paths = [csv(tmp_path, first, "first.csv"), csv(tmp_path, "y,p,c\n" + second, "second.csv")]
    assert sm.evaluate(paths, "auc", **RANKED).to_dicts()[0]["n_rows"] == 50 + 2 * later


def test_names_of_rows_need_a_name_of_their_own(tmp_path):
    rows = "a,1,0.9\nb,0,0.1\n"
    with pytest.raises(sm.errors.DataError, match="a line of names has one for every column"):
        sm.evaluate(csv(tmp_path, "y,p\n" + rows), "auc", **RANKED)
    assert sm.evaluate(csv(tmp_path, "name,y,p\n" + rows), "auc", **RANKED).to_dicts()[0]["auc"] == 1


@pytest.mark.parametrize("title", ["An export\n\n", "# An export\n# of today\n", "\n\n"])
def test_a_title_is_skipped(title, tmp_path):
    path = csv(tmp_path, title + "y,p\n1,0.9\n0,0.1\n")
    assert sm.evaluate(path, "auc", **RANKED).to_dicts()[0]["n_rows"] == 2


# an object of JSON that has a name twice is refused by DuckDB
@pytest.mark.parametrize(
    ("form", "other", "asked"),
    [
        *((form, "P", asked) for form in ("csv", "jsonl", "parquet") for asked in ("p", "P", "P_1")),
        ("csv", "p", "p"),
        ("parquet", "p", "p"),
    ],
)
def test_a_column_that_a_file_names_twice_is_refused(form, other, asked, tmp_path):
    path = named(form, tmp_path, ["y", "p", other], [(1, 0.9, 0.1), (0, 0.1, 0.9)])
    with pytest.raises(sm.SqlMetricsError, match=f"of .*rows.{form} is named twice, as 'p' and '{other}'"):
        sm.evaluate(path, "auc", label="y", score=asked)
    assert sm.evaluate(path, "base_rate", label="y").to_dicts()[0]["base_rate"] == 0.5


@pytest.mark.parametrize("form", ["csv", "jsonl", "parquet"])
def test_a_name_that_ends_in_a_number_is_a_name(form, tmp_path):
    path = named(form, tmp_path, ["y", "p", "P_1"], [(1, 0.9, 0.1), (0, 0.1, 0.9)])
    assert sm.evaluate(path, "auc", label="y", score="p").to_dicts()[0]["auc"] == 1
    assert sm.evaluate(path, "auc", label="y", score="P_1").to_dicts()[0]["auc"] == 0


def test_a_connection_reads_them_alike(tmp_path):
    path = csv(tmp_path, "c,y,p\n1,1,0.9\n2,0,0.1\n#3,1,0.2\n4,0,0.3\n")
    with duckdb.connect() as connection:
        report = sm.evaluate(path, "auc", connection=connection, **RANKED)
        assert report.to_dicts()[0]["n_rows"] == 4
        assert connection.execute(report.sql).fetchone()[0] == 4
