"""Results as Python objects: rows and columns, single values, equality, copies, and how they were made."""

from __future__ import annotations

import copy
import pickle
import re

import pytest

import sqlmetrics as sm
from support.errors import assert_told, told
from support.inputs import FACTS, ROLES, ROWS


def report(**further) -> sm.Report:
    return sm.evaluate(ROWS, ["auc", "mae"], by="day", **{**ROLES, **FACTS, **further})


def test_a_result_is_rows_and_columns() -> None:
    sliced = report()
    assert [sliced[0]["day"], sliced[1]["day"], sliced[-1]["is_total"]] == ["mon", "tue", True]
    assert list(sliced) == [sliced[0], sliced[1], sliced[2]] == sliced.to_dicts()
    assert sliced["auc"] == [row["auc"] for row in sliced]
    assert "auc" in sliced
    assert "acu" not in sliced
    assert_told(told(sliced.__getitem__, 3), "There is no row 3; the table has 3 rows")
    assert_told(told(sliced.__getitem__, -4), "There is no row -4")
    for wrong in ("acu", True, None, slice(2)):
        assert_told(told(sliced.__getitem__, wrong), f"No column is named '{wrong}'|Columns: day, is_total")


@pytest.mark.slow
def test_results_of_the_same_numbers_are_equal() -> None:
    one = report()
    assert one == report() == copy.copy(one) == copy.deepcopy(one) == pickle.loads(pickle.dumps(one))
    assert one != report(weight=None)
    assert one != one.audit
    assert one != one.to_dicts()


@pytest.mark.slow
def test_a_copy_is_a_result() -> None:
    copied = pickle.loads(pickle.dumps(report(interval=0.9)))
    assert repr(copied) == repr(report(interval=0.9))
    assert copied.value("auc", day="mon") == report().value("auc", day="mon")
    assert copied.sql == report(interval=0.9).sql


def test_a_value_that_is_not_there_is_told_with_those_that_are() -> None:
    models = report(score={"a": "p", "b": "w"})
    assert models.value("auc", day="mon", model="a") == report().value("auc", day="mon")
    assert_told(
        told(models.value, "auc", day="all", model="a"),
        "0 rows have day='all', model='a', where one is meant; day= takes 'mon', 'tue'; model= takes 'a', 'b';"
        " without day the total is meant",
    )
    assert_told(told(models.value, "auc"), "2 rows have no slice and model|model= takes 'a', 'b'")
    assert_told(told(models.value, 1), "No column is named '1'")


def test_the_audit_and_the_long_table_name_the_total() -> None:
    for table in (report().audit, report().long()):
        assert {line.split()[0] for line in repr(table).splitlines()[2:]} == {"mon", "tue", "all"}


@pytest.mark.slow
def test_a_result_knows_its_version_and_statement() -> None:
    one = report()
    assert one.sql.startswith(
        f"-- sqlmetrics {sm.__version__}, statement {one.statement_hash}\n-- evaluate over "
    )
    assert one.version == sm.__version__
    assert re.fullmatch("[0-9a-f]{12}", one.statement_hash)
    assert report().statement_hash == one.statement_hash == one.audit.statement_hash
    assert report(weight=None).statement_hash != one.statement_hash
    roles = {"label": "y", "score": "p", "positive": 1}
    curve = sm.curve(ROWS, "roc", **roles)
    lists = sm.per_group(ROWS, "mrr", group="g", **roles)
    state = sm.state(ROWS, "auc", period="day", **roles)
    for result in (curve, lists, state):
        assert result.version == sm.__version__
        assert result.statement_hash in result.sql
    held = {value for value in state["sm_made_by"] if value is not None}
    assert held == {f"sqlmetrics {sm.__version__}, statement {state.statement_hash}"}


@pytest.mark.slow
def test_states_from_before_sm_made_by_are_finished_with_new_ones() -> None:
    roles = {"label": "y", "score": "p", "positive": 1, "period": "day"}
    days = {day: [row for row in ROWS if row["day"] == day] for day in ("mon", "tue")}
    old, new = (sm.state(rows, "auc", **roles) for rows in days.values())
    old._table = old.to_arrow().drop_columns("sm_made_by")
    assert sm.finish([old, new], "auc").value("auc") == sm.evaluate(
        ROWS, "auc", label="y", score="p", positive=1
    ).value("auc")


def test_the_names_of_the_package_are_the_public_ones() -> None:
    assert sorted(dir(sm)) == sorted([*sm.__all__, "__version__"])


def test_a_metric_is_found_by_its_notation() -> None:
    rows = [{"q": i % 3, "y": i % 2, "p": i / 9} for i in range(9)]
    asked = ["ndcg(gain=linear)@2", "precision(threshold=0.3)"]
    report = sm.evaluate(rows, asked, label="y", score="p", group="q")
    for notation, column in zip(asked, report.metrics, strict=True):
        assert report[notation] == report[column] == [report.value(notation)]
    with pytest.raises(sm.SqlMetricsError, match=r"No column is named 'ndcg@3'"):
        report.value("ndcg@3")
    with pytest.raises(sm.SqlMetricsError, match="No column is named 'n_rows@3'"):
        report.value("n_rows@3")
