"""Text files: no type comes from a sample of the first rows, identities keep their text, mistakes name their line."""

import gzip
import json
import math
import re
import shutil
from pathlib import Path

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import sqlmetrics as sm
from sqlmetrics.suites.read import suite_of
from sqlmetrics.suites.run import checked

EARLY = 21_000  # rows that fill the sample from which DuckDB takes the types of a text file


def csv_of(rows):
    names = list(dict.fromkeys(name for row in rows for name in row))
    return (
        "\n".join([",".join(names), *(",".join(str(row.get(name, "")) for name in names) for row in rows)])
        + "\n"
    )


def tsv_of(rows):
    return csv_of(rows).replace(",", "\t")


def lines_of(rows):
    return "".join(json.dumps(row) + "\n" for row in rows)


FORMS = {
    "rows.csv": csv_of,
    "rows.tsv": tsv_of,
    "rows.txt": csv_of,
    "rows.csv.gz": csv_of,
    "rows.json": json.dumps,
    "rows.jsonl": lines_of,
    "rows.ndjson.gz": lines_of,
}
BOTH = ["rows.csv", "rows.jsonl"]


def written(folder, rows, name="rows.csv"):
    """A file of rows in the form that its name tells."""
    text = FORMS[name](rows).encode()
    (folder / name).write_bytes(gzip.compress(text) if name.endswith(".gz") else text)
    return str(folder / name)


# --- numbers ---

# scores and weights are whole for more rows than the sample has
LATE = [
    *[{"y": 1, "s": 1, "w": 1}] * EARLY,
    *[{"y": 1, "s": 0.9, "w": 1.5}] * 30,
    *[{"y": 0, "s": 0.6, "w": 1}] * 30,
]


@pytest.mark.parametrize("name", FORMS)
def test_scores_and_weights_that_become_fractions_late(name, tmp_path):
    path = written(tmp_path, LATE, name)
    assert sm.evaluate(path, "auc", label="y", score="s").value("auc") == 1
    right = sum(row["w"] * (row["y"] - row["s"]) ** 2 for row in LATE) / sum(row["w"] for row in LATE)
    found = sm.evaluate(path, "mse", label="y", score="s", weight="w").value("mse")
    assert found == pytest.approx(right, rel=1e-12)


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


@pytest.mark.parametrize("name", BOTH)
def test_labels_and_columns_of_notations_that_become_fractions_late(name, tmp_path):
    rows = [{"y": 2, "lo": 1, "hi": 3, "t": 1}] * EARLY + [{"y": 2.5, "lo": 2.4, "hi": 2.6, "t": 1}] * EARLY
    path = written(tmp_path, rows, name)
    width = sm.evaluate(path, {"width": "interval_width(lower=lo, upper=hi)"}, label="y").value("width")
    assert width == pytest.approx((2 + 0.2) / 2)
    assert sm.evaluate(path, "mae", label="y", score="lo").value("mae") == pytest.approx((1 + 0.1) / 2)


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


# --- second tables and further calls ---


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


def test_states(tmp_path):
    rows = [{"d": "2026-01-01", "v": "3.1", "y": 1, "s": 1}] * EARLY
    rows += [{"d": "2026-01-02", "v": "3.10", "y": 1, "s": 0.5}] * 100
    state = sm.state(written(tmp_path, rows), "mse", period="d", by="v", label="y", score="s")
    stored = tmp_path / "state.csv"
    stored.write_text(state.to_csv())
    for given in (state, str(stored)):
        by_version = {row["v"]: row["mse"] for row in sm.finish(given, "mse", by="v")}
        assert by_version == {"3.1": 0, "3.10": 0.25, None: pytest.approx(25 / len(rows))}


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
        lambda path: [point["tpr"] for point in sm.curve("roc", path, label="y", score="s").to_dicts()],
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
    "report": (
        LATE,
        lambda path: float(
            re.search(r">auc<.*?<td>([\d.]+)", sm.report(path, "auc", label="y", score="s").html)[1]
        ),
        1,
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


# --- identities ---


@pytest.mark.parametrize("name", BOTH)
def test_versions_are_text(name, tmp_path):
    rows = [
        {"v": v, "y": y, "s": s}
        for v, y, s in [("3.1", 1, 0.9), ("3.1", 0, 0.1), ("3.10", 1, 0.2), ("3.10", 0, 0.8)]
    ]
    found = sm.evaluate(written(tmp_path, rows, name), "auc", label="y", score="s", by="v", total=False)
    assert [(row["v"], row["auc"]) for row in found] == [("3.1", 1), ("3.10", 0)]


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


@pytest.mark.parametrize(
    "words", [("true", "false"), ("True", "False"), ("yes", "no"), ("t", "f"), ("1", "0"), ("1.0", "0.0")]
)
def test_labels_that_people_write(words, tmp_path):
    yes, no = words
    rows = [{"y": yes, "s": 1}] * EARLY + [{"y": no, "s": 0.5}]
    path = written(tmp_path, rows)
    assert sm.evaluate(path, "auc", label="y", score="s").value("auc") == 1
    assert sm.evaluate(path, "auc", label="y", score="s").to_dicts()[0]["n_rows"] == len(rows)


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


# --- expressions ---


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


def test_late_text_in_an_expression(tmp_path):
    path = written(tmp_path, [{"d": 0, "y": 1, "s": 1}] * EARLY + [{"d": "n/a", "y": 1, "s": 0.5}] * 10)
    asked = {"label": "y", "score": "s"}
    assert sm.evaluate(path, "mse", where="d = 'n/a'", **asked).value("mse") == 0.25
    assert sm.evaluate(path, "mse", where="try_cast(d as double) = 0", **asked).value("mse") == 0
    score = sm.sql("case when d = 'n/a' then 0.5 else 1 end")
    assert sm.evaluate(path, "mse", label="y", score=score).value("mse") == pytest.approx(
        10 * 0.25 / (EARLY + 10)
    )


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


# --- mistakes ---


def told(*args, **kwargs):
    with pytest.raises(sm.SqlMetricsError) as error:
        sm.evaluate(*args, **kwargs)
    return str(error.value)


def test_a_text_that_is_no_number_is_told_with_its_line(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rows = [{"y": 1, "s": 1}] * EARLY + [{"y": 1, "s": "n/a"}, {"y": 0, "s": 0.5}]
    written(tmp_path, rows)
    assert told("rows.csv", "auc", label="y", score="s") == (
        "Column 's' (score=) has to be numbers, and line 21,002 of rows.csv has 'n/a';"
        " sm.sql('try_cast(s as double)') makes NULL of such texts, and on_bad_rows='drop' leaves out their rows"
    )
    advised = {"score": sm.sql("try_cast(s as double)"), "on_bad_rows": "drop"}
    assert sm.evaluate("rows.csv", "auc", label="y", **advised).value("auc") == 1
    for name, place in (("rows.jsonl", "line 21,001"), ("rows.json", "value 21,001")):
        written(tmp_path, rows, name)
        message = told(name, "auc", label="y", score="s").replace("21001", "21,001")
        assert f"{place} of {name} has 'n/a'" in message
        assert sm.evaluate(name, "auc", label="y", **advised).value("auc") == 1
    written(tmp_path, [{"y": 1, "s": 1}] * EARLY + [{"y": "maybe", "s": 0.5}])
    message = told("rows.csv", "auc", label="y", score="s")
    assert "Column 'y' (label=) has to be numbers, and line 21,002 of rows.csv has 'maybe'" in message


@pytest.mark.slow
def test_a_text_in_a_column_that_a_notation_names(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rows = [{"y": 1, "lo": 0, "hi": 2}] * EARLY + [
        {"y": 1, "lo": 0, "hi": "n/a"},
        {"y": 1, "lo": 0, "hi": "?"},
    ]
    for name in BOTH:
        message = told(written(Path(), rows, name), "interval_width(lower=lo, upper=hi)", label="y")
        found = re.search(r"upper='hi' is text and has to be a number: line (.*) of (.*) has 'n/a'$", message)
        assert (int(found[1].replace(",", "")), found[2]) == (EARLY + (2 if name == "rows.csv" else 1), name)
    with pytest.raises(sm.SqlMetricsError, match=f"of {name} has 'n/a'"):
        sm.curve("qini(treatment=hi)", name, label="y", score="lo")


def test_the_advice_for_a_decimal_comma_works(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("german.csv").write_text("\ufeffLabel;Score %\n1;0,91\n0;0,2\n1;0,7\n0;0,8\n", encoding="utf-8")
    message = told("german.csv", "auc", label="Label", score="Score %")
    assert "line 2 of german.csv has '0,91'; a decimal comma is read by sm.sql" in message
    advised = eval(message.split(" is read by ")[1], {"sm": sm})
    assert sm.evaluate("german.csv", "auc", label="Label", score=advised).value("auc") == 0.75


@pytest.mark.parametrize(
    ("texts", "numbers", "what"),
    [
        (["91%", "20%", "-7%"], [0.91, 0.2, -0.07], "a percentage"),
        (["91,5 %", "20 %", "7 %"], [0.915, 0.2, 0.07], "a decimal comma"),
        (["1.234,50", "99,5", "1"], [1234.5, 99.5, 1], "a decimal comma with points between thousands"),
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
    message = told(name, "mae", label="y", score="s")
    advised = dict(re.findall(r"[;,] (a [^(]*?) is read by sm\.sql\((\".*?\")\)", message))
    score = sm.sql(eval(advised[what]))
    right = sum(map(abs, numbers)) / 3
    assert sm.evaluate(name, "mae", label="y", score=score).value("mae") == pytest.approx(right)
    assert len(advised) == (2 if texts[0] == "1,000" else 1)


def test_a_text_in_the_only_file_of_a_folder_names_the_file(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("exports").mkdir()
    written(Path("exports"), [{"y": 1, "s": "n/a"}])
    for data in ("exports/", "exports/*.csv", ["exports/rows.csv"]):
        assert "line 2 of exports/rows.csv has 'n/a'" in told(data, "mae", label="y", score="s")


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
    message = told(str(path), "auc", label="y", score="s")
    assert re.search(said, message)
    assert not re.search("Possible|encoding=|Try setting", message)


def test_a_message_proposes_no_options_of_json(tmp_path):
    path = tmp_path / "rows.jsonl"
    path.write_text('{"y":1,"s":0.9,"s":0.2}\n{"y":0,"s":0.1,"s":0.8}\n')
    message = told(str(path), "auc", label="y", score="s")
    assert 'has duplicate key "s"' in message
    assert "Try setting" not in message


@pytest.mark.parametrize("positive", ["2026-01-01", 1, None])
def test_a_label_of_dates_is_refused_in_one_way(positive, tmp_path):
    path = written(tmp_path, [{"y": "2026-01-01", "s": 0.5}, {"y": "2026-01-02", "s": 0.1}])
    message = told(path, "auc", label="y", score="s", positive=positive)
    assert message.startswith("Label column 'y' is DATE and has to be numbers, booleans or text")


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


def test_what_nobody_reads_is_not_read(tmp_path):
    rows = [{"y": 1, "s": 1, "broken": 1}] * EARLY + [{"y": 1, "s": 0.5, "broken": "n/a"}] * 10
    for name in BOTH:
        path = written(tmp_path, rows, name)
        assert sm.evaluate(path, "mse", label="y", score="s").value("mse") == pytest.approx(2.5 / len(rows))


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


OF_LISTS = {"score": "s", "group": "q", "item": "i"}
RUN_ALONE = {
    "two files": lambda data, truth: sm.evaluate(data, "ndcg@3", truth=truth, label="y", **OF_LISTS),
    "bootstrap": lambda data, truth: sm.evaluate(
        data, "average_precision", label="y", score="s", interval=0.9, n_resamples=20
    ),
    "drift": lambda data, truth: sm.drift(data, reference=truth, columns="y"),
    "state": lambda data, truth: sm.state(data, "mse", period="q", label="y", score="s", where="q = 1"),
}


@pytest.mark.slow
@pytest.mark.parametrize("asked", RUN_ALONE)
def test_a_statement_runs_by_itself(asked, tmp_path):
    rows = [{"q": n % 5, "i": n, "y": int(n % 3 == 0), "s": n * 37 % 100 / 100} for n in range(100)]
    files = written(tmp_path, rows), written(tmp_path, [row | {"s": 0} for row in rows], "rows.tsv")
    report = RUN_ALONE[asked](*files)
    with duckdb.connect() as connection:
        alone = connection.sql(report.sql)
        found = [dict(zip(alone.columns, row, strict=True)) for row in alone.fetchall()]
    for row, reported in zip(found, report.to_dicts(), strict=True):
        assert row == {
            name: pytest.approx(cell, rel=1e-12) if isinstance(cell, float) else cell
            for name, cell in {**row, **reported}.items()
        }


def test_a_statement_that_fails_does_so_by_itself(tmp_path):
    path = written(tmp_path, [{"d": "a", "y": 1}] * 3)
    with pytest.raises(sm.SqlMetricsError) as refused:
        sm.evaluate(path, "mse", label="y", score=sm.sql("cast(d as double)"))
    with duckdb.connect() as alone, pytest.raises(duckdb.ConversionException, match="string 'a'"):
        alone.sql(refused.value.sql).fetchall()


def test_a_statement_is_the_same_on_every_connection(tmp_path):
    path = written(tmp_path, [{"y": 1, "s": 0.5}] * 3)
    asked = {"label": "y", "score": "s"}
    connections = [None, duckdb.connect(), duckdb.connect()]
    for data in (path, [{"y": 1, "s": 0.5}] * 3):
        assert len({sm.evaluate(data, "mse", **asked, connection=one).sql for one in connections}) == 1
    connections[1].execute("create table sm_data_rows as select 1 as a")
    assert sm.evaluate(path, "mse", **asked, connection=connections[1]).value("mse") == 0.25
    assert connections[1].execute("from sm_data_rows").fetchall() == [(1,)]


def test_a_connection_is_left_as_it_was(tmp_path):
    connection = duckdb.connect()
    connection.execute("begin")
    connection.execute("create table mine as select 1 as a")
    path = written(tmp_path, [{"k": "1", "y": 1, "s": 1}] * EARLY + [{"k": "x", "y": 1, "s": 0.5}])
    report = sm.evaluate(path, "mse", label="y", score="s", by="k", connection=connection)
    assert connection.execute(report.sql).fetchall()  # which reads the file with the same types
    assert connection.execute("select table_name from duckdb_tables()").fetchall() == [("mine",)]
    connection.execute("commit")
    assert connection.execute("from mine").fetchall() == [(1,)]


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


def test_a_mistake_in_a_transaction_of_the_user(tmp_path):
    connection = duckdb.connect()
    connection.execute("begin")
    path = written(tmp_path, [{"y": 1, "s": "n/a"}])
    with pytest.raises(sm.SqlMetricsError, match="has to be numbers"):
        sm.evaluate(path, "auc", label="y", score="s", connection=connection)
    connection.execute("rollback")
    assert connection.execute("select table_name from duckdb_tables()").fetchall() == []
