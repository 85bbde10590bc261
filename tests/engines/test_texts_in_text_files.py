"""What text files write keeps its text where values are told apart: keys, classes, words, dates and times."""

import math

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import sqlmetrics as sm
from support.text_files import BOTH, EARLY, written


@pytest.mark.parametrize("name", BOTH)
def test_versions_are_text(name, tmp_path):
    rows = [
        {"v": v, "y": y, "s": s}
        for v, y, s in [("3.1", 1, 0.9), ("3.1", 0, 0.1), ("3.10", 1, 0.2), ("3.10", 0, 0.8)]
    ]
    found = sm.evaluate(written(tmp_path, rows, name), "auc", label="y", score="s", by="v", total=False)
    assert [(row["v"], row["auc"]) for row in found] == [("3.1", 1), ("3.10", 0)]


def test_whole_classes_are_numbers_in_all_files(tmp_path):
    """Pandas writes 1 as 1.0 in the file of a day that lacks a value."""
    for day, text in {"a": "y,p\n1,1\n0,0\n", "b": "y,p\n1.0,1\n0.0,0\n,1\n"}.items():
        (tmp_path / f"{day}.csv").write_text(text)
    asked = {"label": "y", "prediction": "p", "on_bad_rows": "drop"}
    assert sm.evaluate(str(tmp_path / "*.csv"), "accuracy", **asked).value("accuracy") == 1
    assert sm.class_report(str(tmp_path / "*.csv"), **asked)["class"] == [0, 1]


SPELLED = {
    "exponents": (["1e3", "1000"], ["1000", "1e3"]),
    "leading zeros": (["007", "7"], ["007", "7"]),
    "leading zeros alone": (["007", "010"], ["007", "010"]),
    "a plus": (["+7", "7"], ["+7", "7"]),
    "a point": (["1", "1.0"], ["1", "1.0"]),
    "integers": (["10", "2", "1"], [1, 2, 10]),
    "long integers": (
        ["123456789012345678901", "123456789012345678902"],
        [123456789012345678901, 123456789012345678902],
    ),
    "floats of Python": (["1.0", "10.0", "2.0"], [1, 2, 10]),
    "two decimals": (["0.50", "10.00", "2.00"], [0.5, 2, 10]),
    "booleans": (["True", "False"], [False, True]),
    "late text": (["1"] * EARLY + ["x"], ["1", "x"]),
    "late fractions": (["1"] * EARLY + ["1.5"], [1, 1.5]),
    "late spelling": (["1"] * EARLY + ["01"], ["01", "1"]),
    "late numbers": ([""] * EARLY + ["7"], [7, None]),
    "late times": (
        ["2026-01-01"] * EARLY + ["2026-01-01 12:30:00"],
        ["2026-01-01 00:00:00", "2026-01-01 12:30:00"],
    ),
    "late words among dates": (["2026-01-01"] * EARLY + ["n/a"], ["2026-01-01", "n/a"]),
    "days of another order": (["13/01/2026"] * 3 + ["14/01/2026"], ["2026-01-13", "2026-01-14"]),
    "late words among these": (["13/01/2026"] * EARLY + ["n/a"], ["13/01/2026", "n/a"]),
    "late zones": (
        ["2026-01-01 01:00:00"] * EARLY + ["2026-01-01 01:00:00+05:00"],
        ["2026-01-01 01:00:00", "2026-01-01 01:00:00+05:00"],
    ),
    "late words among booleans": (["true"] * EARLY + ["1"], ["1", "true"]),
}


@pytest.mark.slow
@pytest.mark.parametrize(("texts", "slices"), SPELLED.values(), ids=SPELLED)
def test_slices_of_csv(texts, slices, tmp_path):
    path = written(tmp_path, [{"k": text, "y": 1, "s": 0.5} for text in texts])
    found = sm.evaluate(path, "mse", label="y", score="s", by="k", total=False)["k"]
    assert [str(one) if isinstance(slices[0], str) else one for one in found] == slices


@pytest.mark.parametrize("name", BOTH)
@pytest.mark.parametrize("role", ["group", "item"])
def test_groups_and_items_are_told_apart_by_their_text(name, role, tmp_path):
    long = ["123456789012345678901", "123456789012345678902"]
    numbers = [int(text) for text in long]  # 21 digits, which a float does not tell apart
    rows = [{"q": q, "i": "a", "y": 1, "s": 0.5} for q in numbers]
    path = written(
        tmp_path, [{**row, "i": row["q"], "q": "a"} if role == "item" else row for row in rows], name
    )
    found = sm.evaluate(path, "mrr", label="y", score="s", group="q", item="i").to_dicts()[0]
    assert found["n_groups"] == (2 if role == "group" else 1)


@pytest.mark.parametrize("name", BOTH)
def test_codes_of_classes(name, tmp_path):
    rows = [{"y": "345.1", "p": "345.1"}, {"y": "345.10", "p": "345.1"}, {"y": "007", "p": "7"}]
    path = written(tmp_path, rows, name)
    assert sm.evaluate(path, "accuracy", label="y", prediction="p").value("accuracy") == pytest.approx(1 / 3)
    rows = [{"y": 1, "p": "1.0"}, {"y": 0, "p": "1.0"}, {"y": 1, "p": "0.0"}]
    if name.endswith(".csv"):  # the same classes as floats and as integers, as pandas writes them
        path = written(tmp_path, rows, name)
        assert sm.evaluate(path, "accuracy", label="y", prediction="p").value("accuracy") == pytest.approx(
            1 / 3
        )


@pytest.mark.slow
@pytest.mark.parametrize(
    "words", [("true", "false"), ("True", "False"), ("yes", "no"), ("t", "f"), ("1", "0"), ("1.0", "0.0")]
)
def test_labels_that_people_write(words, tmp_path):
    yes, no = words
    rows = [{"y": yes, "s": 1}] * EARLY + [{"y": no, "s": 0.5}]
    path = written(tmp_path, rows)
    assert sm.evaluate(path, "auc", label="y", score="s").value("auc") == 1
    assert sm.evaluate(path, "auc", label="y", score="s").to_dicts()[0]["n_rows"] == len(rows)


@pytest.mark.slow
@pytest.mark.parametrize("words", [("yes", "no"), ("Y", "N"), ("t", "f"), ("on", "off")])
def test_words_for_true_and_false_keep_their_text(words, tmp_path):
    """DuckDB takes yes and t for booleans: the text that stands in the file was refused as `positive=`."""
    rows = [{"y": word, "s": score, "c": word} for word, score in zip(words, (0.9, 0.5), strict=True)] * 2
    path = written(tmp_path, rows)
    roles = {"label": "y", "score": "s", "by": "c"}
    for positive, auc in zip(words, (1, 0), strict=True):
        report = sm.evaluate(path, "auc", positive=positive, **roles)
        assert {row["c"] for row in report} == {*words, None}
        assert report["auc"][-1] == auc
    classes = sm.confusion_matrix(path, label="y", prediction="c")
    assert {row["label"] for row in classes} == {*words}


@pytest.mark.parametrize(
    ("dates", "found"),
    [
        (["03/04/2026", "05/06/2026"], None),  # in March or in April: as written
        (["03-04-2026", "12-12-2026"], None),
        (["03/04/2026", "05/13/2026"], ["2026-03-04", "2026-05-13"]),
        (["03/04/2026", "13/05/2026"], ["2026-04-03", "2026-05-13"]),
        (["03.04.2026", "05.06.2026"], ["2026-04-03", "2026-06-05"]),
        (["2026-03-04", "2026-05-06"], ["2026-03-04", "2026-05-06"]),
    ],
)
def test_dates_whose_day_may_be_the_month_keep_their_text(dates, found, tmp_path):
    path = written(tmp_path, [{"d": d, "y": 1, "s": 0.5} for d in dates])
    roles = {"label": "y", "score": "s", "total": False}
    assert list(map(str, sm.evaluate(path, "mse", by="d", **roles)["d"])) == (found or dates)
    assert len(sm.state(path, "mse", label="y", score="s", period="d").to_arrow()["d"].unique()) == 2
    if not found:
        month = {"month": sm.sql("month(strptime(replace(d, '-', '/'), '%m/%d/%Y'))")}
        assert list(sm.evaluate(path, "mse", by=month, **roles)["month"]) == [int(d[:2]) for d in dates]


@pytest.mark.slow
def test_files_of_two_formats_join_by_what_is_written(tmp_path):
    rows = [{"q": "1", "i": "10", "s": 0.9}, {"q": "guest", "i": "11", "s": 0.9}]
    truth = str(tmp_path / "truth.parquet")
    pq.write_table(pa.table({"q": [1, 2], "i": [10, 11], "y": [1, 1]}), truth)
    roles = {"label": "y", "score": "s", "group": "q", "item": "i"}
    path = written(tmp_path, rows)
    assert sm.evaluate(path, "recall@1", truth=truth, **roles).to_dicts()[0]["recall_1"] == 0.5
    whole = written(tmp_path, [{"q": "1", "i": "10", "s": 0.9}, {"q": "2", "i": "11", "s": 0.9}], "rows.tsv")
    assert sm.evaluate(whole, "recall@1", truth=truth, **roles).to_dicts()[0]["recall_1"] == 1


@pytest.mark.parametrize(
    ("role", "metric", "right"),
    [("catalog", "catalog_coverage@1", 1 / 3), ("history", "novelty@1", math.log2(3))],
)
def test_tables_of_items_join_by_what_is_written(role, metric, right, tmp_path):
    file = written(tmp_path, [{"q": "1", "i": "10"}, {"q": "2", "i": "11"}, {"q": "guest", "i": "x"}])
    rows = [{"q": q, "i": 10, "s": 0.9} for q in (1, 2)]
    found = sm.evaluate(rows, {"m": metric}, score="s", group="q", item="i", **{role: file})
    assert found.value("m") == pytest.approx(right)


@pytest.mark.slow
def test_two_models_join_by_what_is_written(tmp_path):
    rows = [{"q": q, "y": y, "s": y, "t": -y} for q in (1, 2, 3) for y in (0, 1)]
    path = written(tmp_path, [row | {"q": "x" if row["q"] == 3 else row["q"]} for row in rows])
    asked = {"label": "y", "baseline": "s", "candidate": "t", "on_unpaired": "intersection"}
    [found] = sm.compare(path, "mrr", other=rows, group="q", **asked).to_dicts()
    assert (found["n_pairs"], found["baseline_value"], found["candidate_value"]) == (2, 1, 0.5)


@pytest.mark.parametrize(
    ("times", "days"),
    [
        (["2026-01-01 23:30:00-02", "2026-01-02 00:30:00+02:00"], ["2026-01-01", "2026-01-02"]),
        (["2026-01-01 23:30:00Z", "2026-01-02 00:30:00 UTC"], ["2026-01-01", "2026-01-02"]),
    ],
)
def test_times_with_zones_are_instants(times, days, tmp_path):
    path = written(tmp_path, [{"t": time, "y": 1, "s": 0.5} for time in times])
    by = {"d": sm.sql("cast(t as date)")}
    found = sm.evaluate(path, "mse", label="y", score="s", by=by, total=False).to_dicts()
    assert [str(row["d"]) for row in found] == days


def test_a_time_without_a_zone_beside_one_with_a_zone_stays_text(tmp_path):
    times = ["2026-01-01 23:30:00", "2026-01-02 00:30:00+02"]
    path = written(tmp_path, [{"t": time, "y": 1, "s": 0.5} for time in times])
    found = sm.evaluate(path, "mse", label="y", score="s", by="t", total=False).to_dicts()
    assert [row["t"] for row in found] == times
