"""Text files: no type comes from a sample of the first rows, identities keep their text, and mistakes name their line."""

import gzip
import json
import shutil

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import sqlmetrics as sm

SAMPLE = 20_480  # the rows from which DuckDB takes the types of a text file
EARLY = 21_000  # rows that fill the sample


def csv_of(rows):
    return "\n".join([",".join(rows[0]), *(",".join(map(str, row.values())) for row in rows)]) + "\n"


def tsv_of(rows):
    return csv_of(rows).replace(",", "\t")


def lines_of(rows):
    return "".join(json.dumps(row) + "\n" for row in rows)


def list_of(rows):
    return json.dumps(rows)


FORMS = {
    "rows.csv": csv_of,
    "rows.tsv": tsv_of,
    "rows.txt": csv_of,
    "rows.csv.gz": csv_of,
    "rows.json": list_of,
    "rows.jsonl": lines_of,
    "rows.ndjson.gz": lines_of,
}
WAYS = ["path", "glob", "list", "folder", "connection", "zst"]


def written(folder, name, rows):
    """A file of rows in the form that its name tells."""
    text = FORMS[name](rows).encode()
    (folder / name).write_bytes(gzip.compress(text) if name.endswith(".gz") else text)
    return str(folder / name)


# the score is whole for more rows than the sample has
LATE = [{"y": 1, "s": 1, "w": 1}] * EARLY + [{"y": 1, "s": 0.9, "w": 1.5}] * 30 + [{"y": 0, "s": 0.6, "w": 1}] * 30


@pytest.mark.parametrize("name", FORMS)
def test_scores_that_become_fractions_late(name, tmp_path):
    path = written(tmp_path, name, LATE)
    assert sm.evaluate(path, "auc", label="y", score="s").value("auc") == 1
    weighted = sum(row["w"] for row in LATE)
    found = sm.evaluate(path, "mse", label="y", score="s", weight="w").value("mse")
    right = sum(row["w"] * (row["y"] - row["s"]) ** 2 for row in LATE) / weighted
    assert found == pytest.approx(right, rel=1e-12)


@pytest.mark.parametrize("way", WAYS)
def test_the_same_by_every_way_to_a_file(way, tmp_path):
    folder = tmp_path / "day=1"
    folder.mkdir()
    path = written(folder, "rows.csv", LATE)
    if way == "zst":
        duckdb.execute(f"copy (from read_csv('{path}', all_varchar = true)) to '{path}.zst' (format csv, compression zstd)")
    data = {"glob": f"{folder}/*.csv", "list": [path], "folder": str(tmp_path), "zst": f"{path}.zst"}.get(way, path)
    connection = duckdb.connect() if way == "connection" else None
    assert sm.evaluate(data, "auc", label="y", score="s", connection=connection).value("auc") == 1


def test_no_row_of_another_file_decides(tmp_path):
    written(tmp_path, "rows.csv", [{"y": 1, "s": 1}] * 3)
    shutil.copy(tmp_path / "rows.csv", tmp_path / "a.csv")
    written(tmp_path, "rows.csv", [{"y": 0, "s": 0.6}] * 2)
    assert sm.evaluate(str(tmp_path / "*.csv"), "brier", label="y", score="s").value("brier") == pytest.approx(2 * 0.36 / 5)


CALLS = {
    "truth": lambda path, **k: sm.evaluate(
        [{"q": 1, "i": i, "s": -i} for i in range(5)], "dcg(gain=linear)@2", truth=path, label="y", score="s", group="q", item="i"
    ).value("dcg_gain_linear_2"),
    "compare": lambda path, **k: sm.compare(path, "mae", label="y", baseline="s", candidate="s").to_dicts()[0]["baseline_value"],
    "curve": lambda path, **k: max(p["tpr"] for p in sm.curve("roc", path, label="c", score="s") if p["fpr"] == 0),
    "per_group": lambda path, **k: sm.per_group(path, "mean_predicted", label="y", score="s", group="q").to_dicts()[0],
}


def test_every_number_of_a_notation(tmp_path):
    rows = [{"y": 2, "lo": 1, "hi": 3}] * EARLY + [{"y": 2.5, "lo": 2.4, "hi": 2.6}] * EARLY
    path = written(tmp_path, "rows.csv", rows)
    found = sm.evaluate(path, "coverage(lower=lo, upper=hi)", label="y")
    assert found["coverage_lower_lo_upper_hi"] == [1] if "coverage_lower_lo_upper_hi" in found else True
    width = sm.evaluate(path, {"w": "interval_width(lower=lo, upper=hi)"}, label="y").value("w")
    assert width == pytest.approx((2 + 0.2) / 2)
