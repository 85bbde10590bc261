"""Whatever the data come in, the numbers are those of the same rows as dicts."""

import gzip
import importlib
import json
from pathlib import Path

import duckdb
import pyarrow as pa
import pyarrow.csv
import pyarrow.dataset
import pyarrow.parquet
import pytest

import sqlmetrics as sm
from oracles import value
from support.errors import assert_told, told
from support.inputs import EXPECTED, FACTS, METRICS, ROLES, ROWS, numbers, same

TABLE = pa.Table.from_pylist(ROWS)


@pytest.mark.parametrize(("day", "row"), [("mon", 0), ("tue", 1), (None, 2)])
def test_dicts_give_what_the_oracles_say(day, row):
    rows = [given for given in ROWS if day in (None, given["day"])]
    expected = [value(metric, rows, **ROLES, **FACTS) for metric in METRICS.values()]
    assert numbers(ROWS)[row] == [day, day is None, *(pytest.approx(number) for number in expected)]


# --- files ---


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("files")
    for name in ("rows.parquet", "ROWS.PARQUET", "rows", "it's.parquet", "rows[1].parquet"):
        pyarrow.parquet.write_table(TABLE, folder / name)
    for start in (0, 3, 6):
        pyarrow.parquet.write_table(TABLE.slice(start, 3), folder / f"part-{start}.parquet")
    pyarrow.csv.write_csv(TABLE, folder / "rows.csv")
    (folder / "rows.tsv").write_text((folder / "rows.csv").read_text().replace(",", "\t"))
    (folder / "rows.json").write_text(json.dumps(ROWS))
    (folder / "rows.jsonl").write_text("\n".join(map(json.dumps, ROWS)))
    for name in ("rows.csv", "rows.json"):
        (folder / f"{name}.gz").write_bytes(gzip.compress((folder / name).read_bytes()))
    return folder


FILES = [
    *["rows.parquet", "ROWS.PARQUET", "rows", "it's.parquet", "rows[1].parquet", Path("rows.parquet")],
    *["part-*.parquet", ["part-0.parquet", "part-3.parquet", "part-6.parquet"], ["part-[03]*", "part-6*"]],
    (Path("part-6.parquet"), Path("part-3.parquet"), Path("part-0.parquet")),
    *["rows.csv", "rows.csv.gz", "rows.tsv", "rows.json", "rows.json.gz", "rows.jsonl"],
]


@pytest.mark.parametrize("files", FILES, ids=str)
def test_files(files, folder, monkeypatch):
    monkeypatch.chdir(folder)
    assert numbers(files) == EXPECTED


@pytest.mark.parametrize("scores", [[1, 0, 0.7, 0.6], [0.7, 0.6, 1, 0]], ids=["int first", "float first"])
def test_files_of_different_types(scores, tmp_path):
    # The first file does not decide the type: its integers would round the scores of the second.
    labels, paths = [1, 0, 1, 0], [str(tmp_path / "1.parquet"), str(tmp_path / "2.parquet")]
    for path, part in zip(paths, (slice(0, 2), slice(2, 4)), strict=True):
        pyarrow.parquet.write_table(pa.table({"y": labels[part], "p": scores[part]}), path)
    [row] = sm.evaluate(paths, ["auc", "brier"], label="y", score="p").to_dicts()
    assert (row["auc"], row["brier"]) == (1.0, pytest.approx((0.3**2 + 0.6**2) / 4))


@pytest.mark.parametrize("words", [("true", "false"), ("yes", "no"), ("1", "0")])
def test_labels_in_csv(words, tmp_path):
    yes, no = words
    path = tmp_path / "rows.csv"
    path.write_text(f"y,p\n{yes},0.9\n{no},0.4\n{yes},0.4\n")
    assert sm.evaluate(path, "auc", label="y", score="p").to_dicts()[0]["auc"] == 0.75


@pytest.mark.parametrize("connection", [None, duckdb.connect()], ids=["own", "given"])
def test_csv_keeps_the_types_that_were_read(connection, tmp_path, monkeypatch):
    # by its bare name, which DuckDB would open as a table; as truth, which stands in the statement as it is
    monkeypatch.chdir(tmp_path)
    Path("rows.csv").write_text("q,i,y,p\n1,a,true,0.9\n1,b,false,n/a\n1,c,false,0.4\n")
    score = sm.sql("try_cast(p as double)")
    facts = {"label": "y", "score": score, "on_bad_rows": "drop", "connection": connection}
    assert sm.evaluate("rows.csv", "auc", **facts).to_dicts()[0]["auc"] == 1
    facts |= {"group": "q", "item": "i", "truth": "rows.csv"}
    assert sm.evaluate("rows.csv", "ndcg@1", **facts).to_dicts()[0]["ndcg_1"] == 1


# --- objects ---


def pandas_frame(**types):
    return pytest.importorskip("pandas").DataFrame(ROWS).astype(types)


def polars_frame():
    return pytest.importorskip("polars").DataFrame(ROWS)


def relation():
    connection = duckdb.connect()
    connection.register("sent", TABLE)
    return connection.sql("from sent")


class Stream:
    """A frame of a library that nobody here has heard of."""

    def __arrow_c_stream__(self, requested_schema=None):
        return TABLE.__arrow_c_stream__(requested_schema)


OBJECTS = {
    "Arrow table": lambda: TABLE,
    "Arrow reader": lambda: TABLE.to_reader(),
    "Arrow record batch": lambda: TABLE.to_batches()[0],
    "Arrow dataset": lambda: pyarrow.dataset.dataset(TABLE),
    "Arrow, dictionary": lambda: TABLE.set_column(2, "g", TABLE["g"].dictionary_encode()),
    "dict of columns": lambda: TABLE.to_pydict(),
    "pandas": pandas_frame,
    "pandas, object": lambda: pandas_frame(y=object, g=object),
    "pandas, categorical": lambda: pandas_frame(g="category", day="category"),
    "pandas, nullable": lambda: pandas_frame(y="Int64", p="Float64", g="string"),
    "polars": polars_frame,
    "polars, lazy": lambda: polars_frame().lazy(),
    "polars, categorical": lambda: polars_frame().cast(
        {"day": importlib.import_module("polars").Categorical}
    ),
    "DuckDB relation": relation,
    "Arrow C stream": Stream,
}


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("make", OBJECTS.values(), ids=OBJECTS)
def test_objects(make):
    assert numbers(make()) == EXPECTED


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["bool", "int8", "uint64", "float32", "decimal", "string"])
def test_types_of_labels(kind):
    binary = pa.array([int(row["y"] > 0) for row in ROWS])
    kind = pa.decimal128(21, 2) if kind == "decimal" else pa.type_for_alias(kind)
    table = TABLE.set_column(0, "y", binary.cast(kind))
    positive = "1" if kind == pa.string() else None
    expected = same(numbers(TABLE.set_column(0, "y", binary), positive=None))
    assert numbers(table, positive=positive) == expected


def codes(name: str, kind: str) -> pa.Array:
    """The values of a text column as values of another type."""
    known = sorted({row[name] for row in ROWS})
    numbered = [known.index(row[name]) for row in ROWS]
    if kind in ("list", "struct"):
        return pa.array([[code] if kind == "list" else {"code": code} for code in numbered])
    whole = pa.int64() if kind.startswith("timestamp") else pa.int32()
    return pa.array(numbered, whole).cast(pa.type_for_alias(kind))


@pytest.mark.parametrize("kind", ["int64", "float64", "date32", "timestamp[us]", "list", "struct"])
def test_types_of_groups_and_slices(kind):
    table = TABLE.set_column(2, "g", codes("g", kind)).set_column(5, "day", codes("day", kind))
    assert [row[1:] for row in numbers(table)] == [row[1:] for row in EXPECTED]


@pytest.mark.parametrize("first", [None, float("nan"), True])
def test_slices_of_a_null(first):
    # NULL is a slice like another; the total has is_total beside its NULL.
    other = False if first is True else 1.5
    days = pa.array([first if row["day"] == "mon" else other for row in ROWS])
    found = numbers(TABLE.set_column(5, "day", days))
    assert [row[1] for row in found] == [False, False, True]
    assert all(row[2:] in [found_row[2:] for found_row in found] for row in EXPECTED)


# --- a connection of the user's ---

RELATIONS = [
    *["preds", "PREDS", "main.preds", "my table", "order", '"order"', "from preds", "(select * from preds)"],
    *["select * from preds", "SELECT * FROM preds;", "with a as (from preds) select * from a"],
    *["select\t*\nfrom preds -- all of them", "-- all of them\nselect * from preds"],
]


@pytest.fixture
def connection():
    with duckdb.connect() as connection:
        connection.register("sent", TABLE)
        for name in ("preds", "my table", "order", "folder"):
            connection.execute(f'create table "{name}" as from sent')
        yield connection


def names(connection) -> list[tuple]:
    return connection.sql(
        "select view_name from duckdb_views() union all select table_name from duckdb_tables()"
    ).fetchall()


@pytest.mark.parametrize("relation", RELATIONS)
def test_tables_and_queries(relation, connection):
    assert numbers(relation, connection=connection) == EXPECTED


def test_a_table_comes_before_a_folder_of_its_name(connection, tmp_path, monkeypatch):
    (tmp_path / "folder").mkdir()
    monkeypatch.chdir(tmp_path)
    assert numbers("folder", connection=connection) == EXPECTED


@pytest.mark.parametrize("data", [TABLE, ROWS, "preds"], ids=["Arrow", "dicts", "table"])
def test_nothing_is_left_on_the_connection(data, connection):
    connection.register("sm_data", pa.table({"mine": [1]}))
    before = sorted(names(connection))
    numbers(data, connection=connection)
    with pytest.raises(sm.SqlMetricsError):
        numbers(data, connection=connection, label="nope")
    assert sorted(names(connection)) == before
    assert connection.sql("from sm_data").fetchall() == [(1,)]


@pytest.mark.slow
def test_second_tables_in_memory_are_resampled():
    """DuckDB 1.4 took the name of a table in memory for the stage of that name, and refused each of these."""
    users, items = [1, 1, 2, 2, 3, 3, 4, 4], [1, 2, 1, 2, 3, 1, 2, 3]
    rows = pa.table({"u": users, "i": items, "p": [0.1, 0.2, 0.4, 0.3, 0.1, 0.5, 0.6, 0.2]})
    truth = rows.append_column("y", pa.array([1, 0, 1, 0, 0, 1, 0, 1]))
    catalog = pa.table({"i": [1, 2, 3]})
    distances = pa.table({"item_a": [1, 1, 2], "item_b": [2, 3, 3], "distance": [0.5, 0.7, 0.2]})
    metrics = ["ndcg@3", "catalog_coverage@1", "novelty@1", "diversity@2"]
    tables = {"truth": truth, "catalog": catalog, "history": truth, "distances": distances}
    facts = {"label": "y", "score": "p", "group": "u", "item": "i", "interval": 0.9, "n_resamples": 20}
    [row] = sm.evaluate(rows, metrics, **tables, **facts, interval_method="bootstrap").to_dicts()
    with_ends = [
        name for name in (metric.replace("@", "_") for metric in metrics) if row[f"{name}_low"] is not None
    ]
    assert {"ndcg_3", "catalog_coverage_1", "diversity_2"} <= {*with_ends}
    for name in with_ends:
        assert row[f"{name}_low"] <= row[name] <= row[f"{name}_high"]


@pytest.mark.slow
@pytest.mark.parametrize("setting", ["default_order = 'desc'", "default_null_order = 'nulls_first'"])
def test_settings_of_the_connection_change_nothing(setting, connection):
    connection.execute(f"set {setting}")
    assert numbers("preds", connection=connection) == EXPECTED


def test_a_query_runs_once(connection):
    # Read again for each stage, a sample would be another one each time.
    connection.execute("create table many as select range % 3 = 0 as y, random() as p from range(5000)")
    query = "select * from many using sample 50 percent (bernoulli)"
    metrics = {"auc": "auc", "all": "recall(threshold=-1)", "ks": "ks"}
    [row] = sm.evaluate(query, metrics, label="y", score="p", connection=connection).to_dicts()
    assert row["auc"] == pytest.approx(0.5, abs=0.1)
    assert row["ks"] < 0.2
    assert row["all"] == 1


# --- columns that cannot be read ---

UNREAD = {
    "complex": lambda _: [1j] * len(ROWS),
    "complex of 64 bits": lambda _: pytest.importorskip("numpy").full(len(ROWS), 1j, "complex64"),
    "a category of complex": lambda pandas: pandas.Categorical([1j, 2j] * (len(ROWS) // 2)),
}
#: columns of types that DuckDB lacks, of one value a row, and what is read of them
READ_AS = {
    "a period": (lambda pandas: pandas.period_range("2020", periods=len(ROWS)),
                 [f"2020-01-{day:02}" for day in range(1, len(ROWS) + 1)]),
    "an interval": (lambda pandas: pandas.interval_range(0, len(ROWS)),
                    [f"({low}, {low + 1}]" for low in range(len(ROWS))]),
    "sparse": (lambda pandas: pandas.arrays.SparseArray([*range(len(ROWS))]), [*range(len(ROWS))]),
    "a category of periods": (lambda pandas: pandas.Categorical(pandas.period_range("2020", periods=len(ROWS))),
                              [f"2020-01-{day:02}" for day in range(1, len(ROWS) + 1)]),
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("kind", UNREAD)
def test_a_column_of_a_frame_that_duckdb_cannot_read_is_left_out(kind):
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(ROWS)
    frame["strange"] = UNREAD[kind](pandas)
    before = list(frame.columns)
    for connection in (None, duckdb.connect()):
        assert numbers(frame, connection=connection) == EXPECTED
        for role in ("label", "score", "group", "by"):
            message = told(
                sm.evaluate, frame, METRICS, connection=connection, **{**ROLES, **FACTS, role: "strange"}
            )
            assert_told(message, f"Column 'strange' ({role}=) of the data cannot be read by DuckDB")
    assert list(frame.columns) == before


@pytest.mark.slow
@pytest.mark.parametrize("kind", READ_AS)
def test_a_column_of_a_frame_of_another_type_is_read(kind):
    pandas = pytest.importorskip("pandas")
    make, values = READ_AS[kind]
    frame = pandas.DataFrame(ROWS)
    frame["strange"] = make(pandas)
    for connection in (None, duckdb.connect()):
        assert numbers(frame, connection=connection) == EXPECTED
        found = sm.evaluate(
            frame, "mse", label="y", score="p", by="strange", total=False, connection=connection
        ).to_dicts()
        assert {row["strange"]: row["mse"] for row in found} == pytest.approx(
            {value: (row["y"] - row["p"]) ** 2 for value, row in zip(values, ROWS, strict=True)}
        )


@pytest.mark.parametrize("kind", ["complex64", "complex128"])
def test_a_frame_of_nothing_that_duckdb_can_read(kind):
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"y": pandas.Series([1j, 2j], dtype=kind)})
    assert_told(told(sm.evaluate, frame, "auc", label="y", score="y"), f"DuckDB cannot read the data|{kind}")


def doubled(names):
    """ROWS with two more columns, as an Arrow table, a dict of columns and a pandas frame."""
    arrow = TABLE
    for name in names:
        arrow = arrow.append_column(name, pa.array([5] * len(ROWS)))
    yield arrow
    if len(set(names)) == len(names):
        yield arrow.to_pydict()
    pandas = pytest.importorskip("pandas")
    yield pandas.concat(
        [pandas.DataFrame(ROWS), pandas.DataFrame([[5, 5]] * len(ROWS), columns=list(names))], axis=1
    )


@pytest.mark.slow
@pytest.mark.parametrize("names", [("extra", "extra"), ("extra", "EXTRA")])
def test_two_columns_of_one_name_are_left_out(names):
    for data in doubled(names):
        assert numbers(data) == EXPECTED
        for name in names:
            message = told(sm.evaluate, data, METRICS, **{**ROLES, **FACTS, "by": name})
            assert_told(
                message, f"Column '{name}' (by=) of the data is named twice|upper and lower case are the same"
            )


@pytest.mark.slow
def test_columns_without_a_name_or_a_type_are_left_out():
    columns = {name: [row[name] for row in ROWS] for name in ROWS[0]}
    columns |= {3: [1] * len(ROWS), "mixed": [object()] * len(ROWS)}
    assert numbers(columns) == EXPECTED
    assert (
        numbers([dict(zip(columns, cells, strict=True)) for cells in zip(*columns.values(), strict=True)])
        == EXPECTED
    )
    message = told(sm.evaluate, columns, METRICS, **{**ROLES, **FACTS, "by": "mixed"})
    assert_told(message, "Column 'mixed' (by=) of the data is not one list of one type")
