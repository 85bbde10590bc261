"""Text files: no type comes from a sample of the first rows, whatever the call and the way to a file."""

import json
import math
import shutil

import duckdb
import pytest

import sqlmetrics as sm
from sqlmetrics.suites.read import suite_of
from sqlmetrics.suites.run import checked
from support.text_files import BOTH, EARLY, FORMS, LATE, csv_of, lines_of, written


@pytest.mark.slow
@pytest.mark.parametrize("name", FORMS)
def test_scores_and_weights_that_become_fractions_late(name, tmp_path):
    path = written(tmp_path, LATE, name)
    assert sm.evaluate(path, "auc", label="y", score="s").value("auc") == 1
    right = sum(row["w"] * (row["y"] - row["s"]) ** 2 for row in LATE) / sum(row["w"] for row in LATE)
    found = sm.evaluate(path, "mse", label="y", score="s", weight="w").value("mse")
    assert found == pytest.approx(right, rel=1e-12)


@pytest.mark.slow
@pytest.mark.parametrize("way", ["glob", "list", "folder", "zst", "connection"])
def test_every_way_to_a_file(way, tmp_path):
    folder = tmp_path / "day=1"
    folder.mkdir()
    path = written(folder, LATE)
    if way == "zst":
        texts = f"from read_csv('{path}', all_varchar = true)"
        duckdb.execute(f"copy ({texts}) to '{path}.zst' (format csv, compression zstd)")
    data = {"glob": f"{folder}/*.csv", "list": [path], "folder": str(tmp_path), "zst": f"{path}.zst"}
    connection = duckdb.connect() if way == "connection" else None
    report = sm.evaluate(data.get(way, path), "auc", label="y", score="s", connection=connection)
    assert report.value("auc") == 1


def test_the_first_file_does_not_decide_for_the_others(tmp_path):
    shutil.copy(written(tmp_path, [{"y": 1, "s": 1}] * 3), tmp_path / "earlier.csv")
    written(tmp_path, [{"y": 0, "s": 0.6}] * 2)
    report = sm.evaluate(str(tmp_path / "*.csv"), "brier", label="y", score="s")
    assert report.value("brier") == pytest.approx(2 * 0.36 / 5)


@pytest.mark.slow
@pytest.mark.parametrize("name", BOTH)
def test_labels_and_columns_of_notations_that_become_fractions_late(name, tmp_path):
    rows = [{"y": 2, "lo": 1, "hi": 3, "t": 1}] * EARLY + [{"y": 2.5, "lo": 2.4, "hi": 2.6, "t": 1}] * EARLY
    path = written(tmp_path, rows, name)
    width = sm.evaluate(path, {"width": "interval_width(lower=lo, upper=hi)"}, label="y").value("width")
    assert width == pytest.approx((2 + 0.2) / 2)
    assert sm.evaluate(path, "mae", label="y", score="lo").value("mae") == pytest.approx((1 + 0.1) / 2)


@pytest.mark.slow
def test_class_scores_and_distances(tmp_path):
    rows = [{"y": "a", "pa": 1, "pb": 0}] * EARLY + [{"y": "b", "pa": 0.6, "pb": 0.4}] * EARLY
    scores = {"a": "pa", "b": "pb"}
    found = sm.evaluate(written(tmp_path, rows), "multiclass_log_loss", label="y", class_scores=scores)
    assert found.value("multiclass_log_loss") == pytest.approx(
        0.9162907 / 2, rel=1e-6
    )  # -ln 0.4 of half of the rows
    rows = [{"item_a": i, "item_b": i + 1, "distance": 1} for i in range(EARLY)]
    rows += [{"item_a": 1, "item_b": 7, "distance": 0.25}]
    distances = written(tmp_path, rows)
    listed = [{"u": 1, "i": i, "s": -i} for i in (1, 7)]
    found = sm.evaluate(listed, "diversity@2", score="s", group="u", item="i", distances=distances)
    assert found.to_dicts()[0]["diversity_2"] == 0.25


@pytest.mark.slow
def test_second_tables(tmp_path):
    path = written(tmp_path, LATE)
    compared = sm.compare(
        [{"y": 1, "s": 0.5}] * 40, "brier", label="y", baseline="s", other=path, candidate="s", paired=False
    ).to_dicts()[0]
    assert compared["candidate_value"] == pytest.approx((30 * 0.01 + 30 * 0.36) / len(LATE))
    rows = [{"q": 1, "i": i, "y": 1} for i in range(EARLY)] + [{"q": 1, "i": "last", "y": 2.5}]
    run = [{"q": 1, "i": "last", "s": 2.0}, {"q": 1, "i": "0", "s": 1.0}]
    judged = sm.evaluate(
        run, "dcg(gain=linear)@1", truth=written(tmp_path, rows), label="y", score="s", group="q", item="i"
    )
    assert judged.to_dicts()[0]["dcg_gain_linear_1"] == 2.5


@pytest.mark.slow
def test_drift_change_and_slices(tmp_path):
    rows = [{"x": 1}] * EARLY + [{"x": 0.5}] * EARLY
    moved = sm.drift(written(tmp_path, rows), reference=[{"x": 1.0}] * 50 + [{"x": 0.5}] * 50)
    assert moved.to_dicts()[0]["psi"] == pytest.approx(0, abs=1e-9)
    rows = [{"d": 1, "c": 1, "y": 1, "s": 1}] * EARLY
    rows += [{"d": 2, "c": 1, "y": 1, "s": 0.5}] * 100 + [{"d": 2, "c": "b", "y": 1, "s": 0.5}] * 100
    path = written(tmp_path, rows)
    why = sm.explain_change(path, "mse", by="c", period="d", before=1, after=2, label="y", score="s")
    assert why.to_dicts()[-1]["value_after"] == 0.25
    found = sm.find_slices(path, "mse", by="c", label="y", score="s", min_units=20)
    assert {row["slice"] for row in found} <= {"c = 1", "c = b"}


@pytest.mark.slow
def test_states(tmp_path):
    rows = [{"d": "2026-01-01", "v": "3.1", "y": 1, "s": 1}] * EARLY
    rows += [{"d": "2026-01-02", "v": "3.10", "y": 1, "s": 0.5}] * 100
    state = sm.state(written(tmp_path, rows), "mse", period="d", by="v", label="y", score="s")
    stored = tmp_path / "state.csv"
    stored.write_text(state.to_csv())
    for given in (state, str(stored)):
        by_version = {row["v"]: row["mse"] for row in sm.finish(given, "mse", by="v")}
        assert by_version == {"3.1": 0, "3.10": 0.25, None: pytest.approx(25 / len(rows))}


@pytest.mark.slow
def test_lists_and_counts(tmp_path):
    rows = [{"q": i // 2, "y": 1 - i % 2, "s": 1 - i % 2} for i in range(EARLY)]
    rows += [{"q": "guest", "y": 1, "s": 0.9}, {"q": "guest", "y": 0, "s": 0.95}]
    path = written(tmp_path, rows)
    found = sm.per_group(path, "mrr", label="y", score="s", group="q").to_dicts()
    assert len(found) == EARLY // 2 + 1
    assert {row["q"]: row["mrr"] for row in found}["guest"] == 0.5
    rows = [{"y": 1, "a": 1, "b": 1}] * EARLY + [{"y": "x", "a": "x", "b": 1}] * 3
    tested = sm.mcnemar(written(tmp_path, rows), "y", "a", "b").to_dicts()[0]
    assert tested["difference"] == pytest.approx(-3 / len(rows))
    report = sm.class_report(written(tmp_path, rows), label="y", prediction="a")
    assert {row["class"] if "class" in row else next(iter(row.values())) for row in report.to_dicts()} >= {
        "1",
        "x",
    }


KEYS = [{"q": key, "i": key} for key in (*range(EARLY), "x")]
RECOMMENDED = {"data": [KEYS[-1] | {"s": 1}], "score": "s", "group": "q", "item": "i"}
CLASSES = [{"c": 1, "w": 1, "y": 1}] * EARLY + [{"c": "x", "w": 0.5, "y": y} for y in (0, 1)] * (EARLY // 2)
FURTHER = {
    "catalog": (
        KEYS,
        lambda path: sm.evaluate(metrics={"m": "catalog_coverage@1"}, **RECOMMENDED, catalog=path).value("m"),
        1 / len(KEYS),
    ),
    "history": (
        KEYS,
        lambda path: sm.evaluate(metrics={"m": "novelty@1"}, **RECOMMENDED, history=path).value("m"),
        math.log2(len(KEYS)),
    ),
    "curve": (
        LATE,  # its positive rows by score, then its negative ones
        lambda path: [point["tpr"] for point in sm.curve(path, "roc", label="y", score="s").to_dicts()],
        [0, EARLY / (EARLY + 30), 1, 1],
    ),
    "chi_square": (
        CLASSES,  # 1 and 1/2 of EARLY, where 3/4 is expected of both
        lambda path: sm.chi_square(path, "c", weight="w").to_dicts()[0]["statistic"],
        2 * 0.25**2 / 0.75 * EARLY,
    ),
    "two_proportions": (
        CLASSES,
        lambda path: sm.two_proportions(path, "y", "c", weight="w").to_dicts()[0]["difference"],
        -0.5,
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("call", FURTHER)
def test_further_calls(call, tmp_path):
    rows, ask, right = FURTHER[call]
    assert ask(written(tmp_path, rows)) == pytest.approx(right)


@pytest.mark.slow
def test_suites(tmp_path):
    suite = {
        "data": "rows.csv",
        "facts": {"label": "y", "score": "s"},
        "metrics": ["auc"],
        "gates": ["auc >= 1"],
    }
    written(tmp_path, LATE)
    (tmp_path / "suite.yml").write_text(json.dumps(suite))
    [gate] = checked(suite_of(tmp_path / "suite.yml")).parts["gates"]
    assert gate.value == 1


@pytest.mark.slow
@pytest.mark.parametrize("name", BOTH)
def test_columns_of_expressions(name, tmp_path):
    rows = [{"d": 0, "y": 1, "s": 1}] * EARLY + [{"d": 0.4, "y": 1, "s": 0.5}] * 10
    path = written(tmp_path, rows, name)
    asked = {"label": "y", "score": "s"}
    assert sm.evaluate(path, "mse", where="d = 0", **asked).to_dicts()[0]["n_rows"] == EARLY
    assert sm.evaluate(path, "mse", where="d > 0.3", **asked).to_dicts()[0]["mse"] == 0.25
    twice = sm.evaluate(path, "mse", label="y", score=sm.sql("s * 1"))
    assert twice.value("mse") == pytest.approx(10 * 0.25 / len(rows))
    texts = sm.evaluate(path, "mse", by={"d": sm.sql("cast(d as varchar)")}, total=False, **asked)["d"]
    assert texts == ["0.0", "0.4"]


@pytest.mark.slow
def test_late_text_in_an_expression(tmp_path):
    path = written(tmp_path, [{"d": 0, "y": 1, "s": 1}] * EARLY + [{"d": "n/a", "y": 1, "s": 0.5}] * 10)
    asked = {"label": "y", "score": "s"}
    assert sm.evaluate(path, "mse", where="d = 'n/a'", **asked).value("mse") == 0.25
    assert sm.evaluate(path, "mse", where="try_cast(d as double) = 0", **asked).value("mse") == 0
    score = sm.sql("case when d = 'n/a' then 0.5 else 1 end")
    assert sm.evaluate(path, "mse", label="y", score=score).value("mse") == pytest.approx(
        10 * 0.25 / (EARLY + 10)
    )


@pytest.mark.slow
def test_fields_of_json_that_begin_late(tmp_path):
    rows = [{"y": 1, "s": 1}] * EARLY + [{"y": 1, "s": 0.5, "w": 0.5, "c": "b", "m": {"k": 0.5}}] * 10
    path = written(tmp_path, rows, "rows.jsonl")
    asked = {"label": "y", "score": "s"}
    by_class = {row["c"]: row["mse"] for row in sm.evaluate(path, "mse", by="c", total=False, **asked)}
    assert by_class == {None: 0, "b": 0.25}
    assert sm.evaluate(path, "mse", where="c = 'b' and w < 1", **asked).value("mse") == 0.25
    assert sm.evaluate(path, "mse", where="m.k = 0.5", **asked).value("mse") == 0.25
    nested = written(
        tmp_path, [{"y": 1, "s": {"a": 1}}] * EARLY + [{"y": 1, "s": {"a": 0.5}}] * 10, "rows.json"
    )
    assert sm.evaluate(nested, "mse", label="y", score=sm.sql("s.a")).value("mse") == pytest.approx(
        2.5 / (EARLY + 10)
    )


@pytest.mark.slow
def test_what_nobody_reads_is_not_read(tmp_path):
    rows = [{"y": 1, "s": 1, "broken": 1}] * EARLY + [{"y": 1, "s": 0.5, "broken": "n/a"}] * 10
    for name in BOTH:
        path = written(tmp_path, rows, name)
        assert sm.evaluate(path, "mse", label="y", score="s").value("mse") == pytest.approx(2.5 / len(rows))


@pytest.mark.slow
@pytest.mark.parametrize("name", BOTH)
def test_names_that_sql_would_read(name, tmp_path):
    odd = """it's "a" col-umn; --"""
    quoted = '"' + odd.replace('"', '""') + '"'
    rows = [{"y": 1, odd: 1}] * EARLY + [{"y": 1, odd: 0.5}] * 10
    text = lines_of(rows) if name != "rows.csv" else csv_of(rows).replace(odd, quoted, 1)
    path = tmp_path / name
    path.write_text(text)
    for score in (odd, sm.sql(f"{quoted} * 1")):
        assert sm.evaluate(path, "mse", label="y", score=score).value("mse") == pytest.approx(2.5 / len(rows))
