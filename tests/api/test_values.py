"""Results as values: a column, a row, one value, and names for a tracker."""

import posixpath
import re

import pytest

import sqlmetrics as sm

SCORED = [{"y": i % 2, "p": i / 8, "q": 1 - i / 9, "day": i // 4 or None} for i in range(8)]
ROLES = {"label": "y", "score": "p"}
MODELS = {"label": "y", "score": {"a": "p", "b": "q"}}


def test_a_table_is_read_by_column_and_by_row() -> None:
    report = sm.evaluate(SCORED, ["auc", "brier"], **ROLES, by="day")
    assert report["auc"] == [row["auc"] for row in report] == [row["auc"] for row in report.to_dicts()]
    assert report["day"] == [1, None, None]
    assert sm.curve(SCORED, "roc", **ROLES)["tpr"][-1] == 1
    with pytest.raises(sm.SqlMetricsError, match=r"No column is named 'acu'\. Did you mean 'auc'"):
        report["acu"]


def test_one_value() -> None:
    report = sm.evaluate(SCORED, "auc", **ROLES, by="day")
    total, of_day = (sm.evaluate(rows, "auc", **ROLES).to_dicts()[0]["auc"] for rows in (SCORED, SCORED[4:]))
    assert (report.value("auc"), report.value("auc", day=1)) == (total, of_day)
    assert report.value("n_rows", day=None) == 4
    assert sm.evaluate(SCORED, "auc", **ROLES).value("auc") == total
    models = sm.evaluate(SCORED, "auc", **MODELS, by="day")
    assert models.value("auc", model="a") == total
    assert models.value("auc", model="a", day=1) == of_day
    for of, words in (
        ({}, "2 rows have no slice and model, where one is meant; day= takes 1, None; model= takes 'a', 'b'"),
        ({"model": "c"}, "0 rows have model='c'"),
        ({"day": 1}, "2 rows have day=1"),
        ({"dya": 1}, "No column is named 'dya'. Did you mean 'day'"),
    ):
        with pytest.raises(sm.SqlMetricsError, match=re.escape(words)):
            models.value("auc", **of)


@pytest.mark.slow
def test_values_by_name() -> None:
    assert sm.evaluate(SCORED, "auc", **ROLES).flat() == {"auc": 0.625}
    assert set(sm.evaluate(SCORED, "auc", **ROLES, by="day").flat()) == {"auc", "auc/1", "auc/null"}
    assert set(sm.evaluate(SCORED, "auc", **ROLES, by="day", total=False).flat()) == {"auc/1", "auc/null"}
    assert set(sm.evaluate(SCORED, "auc", **MODELS).flat()) == {"auc/a", "auc/b"}
    assert set(sm.evaluate(SCORED, "auc", **MODELS, by="day").flat()) == {
        f"auc/{day}/{model}" for day in ("1", "null", "all") for model in "ab"
    }
    named = sm.evaluate(
        [{**row, "day": "all"} for row in SCORED[4:]] + SCORED[:4], "brier", **MODELS, by="day"
    )
    assert named.flat()["brier/day-all/a"] == named.value("brier", day="all", model="a")
    assert named.flat()["brier/all/a"] == named.value("brier", model="a") != named.flat()["brier/day-all/a"]
    words = [None, "null", "all", "", "-"]
    report = sm.evaluate([{**SCORED[0], "day": word} for word in words], "brier", **ROLES, by="day")
    assert set(report.flat()) == {
        *("brier", "brier/null", "brier/day-null", "brier/day-all", "brier/day-", "brier/-")
    }
    one_class = [{**row, "y": 1} for row in SCORED]
    assert sm.evaluate(one_class, ["auc", "base_rate"], **ROLES).flat() == {"base_rate": 1.0}


def test_trackers_take_the_names_of_values() -> None:
    words = [None, "null", "all", "", ".", "..", "a/b", "a=b", "a_b", "São Paulo", "x\ny", "-0.5"]
    rows = [{**SCORED[0], "place": word} for word in words]
    report = sm.evaluate(rows, {"val/brier": "brier", "<b>": "mae"}, **ROLES, by="place")
    names = report.flat()
    assert len(names) == 2 * (len(words) + 1)
    assert {"val/brier/a_b", "val/brier/a_b_2", "val/brier/a_b_3", "val/brier/São Paulo", "_b_"} <= set(names)
    for name in names:  # the rules of MLflow on every system
        assert re.fullmatch(r"[/\w.\- ]*", name)
        assert posixpath.normpath(name) == name
