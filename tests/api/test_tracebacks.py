"""An error of a public function shows the caller's line and one of ours, not those of macros and drivers."""

from __future__ import annotations

import re
import sqlite3
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import sqlmetrics as sm
from support.inputs import ROWS

ROLES: dict[str, Any] = {"label": "y", "score": "p"}
CLASSES = {"label": "y", "prediction": "nope"}
NONSENSE = sm.sql("nonsense(p)")


def in_sqlite() -> Any:
    connection = sqlite3.connect(":memory:")
    connection.execute("create table t as select 1 as y, 0.5 as p")
    return connection


def report() -> sm.Report:
    return sm.evaluate([{"y": 1, "p": 0.5}], "mae", **ROLES)


CALLS: dict[str, Callable[[], object]] = {
    "agreement": lambda: sm.agreement(ROWS, "nope"),
    "bradley_terry": lambda: sm.bradley_terry(ROWS),
    "chi_square": lambda: sm.chi_square(ROWS, "nope"),
    "check": lambda: sm.check(3),
    "class_report": lambda: sm.class_report(ROWS, **CLASSES),
    "sample_size": lambda: sm.sample_size(ROWS, "auc", label="y", baseline="p", n=9, group=NONSENSE),
    "compare": lambda: sm.compare(ROWS, "auc", label="y", baseline="p", candidate=NONSENSE),
    "confusion_matrix": lambda: sm.confusion_matrix(ROWS, **CLASSES),
    "curve": lambda: sm.curve(ROWS, "roc", label="y", score=NONSENSE),
    "data": lambda: sm.data(ROWS, where="nonsense(1) = 2"),
    "describe": lambda: sm.describe("ncdg"),
    "drift": lambda: sm.drift(ROWS, ROWS, columns="nope"),
    "drift, a state": lambda: sm.drift(sm.state(ROWS, "mae", period="day", **ROLES)),
    "evaluate": lambda: sm.evaluate(ROWS, "precision(threshold=high)", **ROLES),
    "evaluate, DuckDB": lambda: sm.evaluate(ROWS, "auc", label="y", score=NONSENSE),
    "evaluate, a driver": lambda: sm.evaluate("t", "mae", label="y", score=NONSENSE, connection=in_sqlite()),
    "example": lambda: sm.example("serch"),
    "explain_change": lambda: sm.explain_change(ROWS, "auc", by="day", reference=ROWS, **ROLES),
    "explain_difference": lambda: sm.explain_difference(ROWS, "ndcg", "default", "nope", group="g", **ROLES),
    "find_slices": lambda: sm.find_slices(ROWS, "ncdg", by="day", **ROLES),
    "finish": lambda: sm.finish(ROWS, "auc"),
    "finish, no file": lambda: sm.finish("nowhere.parquet", "auc"),
    "finish_curve": lambda: sm.finish_curve(ROWS, "roc"),
    "install": lambda: sm.install(3),  # type: ignore[arg-type]
    "leaderboard": lambda: sm.leaderboard(ROWS, "ncdg", label="y", score=["p", "q"]),
    "mcnemar": lambda: sm.mcnemar(ROWS, label="y", baseline="p", candidate="nope"),
    "per_group": lambda: sm.per_group(ROWS, "auc", group="g", **ROLES),
    "plan_labels": lambda: sm.plan_labels(ROWS, "ks", gold="g", by="day", budget=2, **ROLES),
    "read_report": lambda: sm.read_report(__file__),
    "read_qrels": lambda: sm.read_qrels(__file__),
    "read_evals": lambda: sm.read_evals(__file__),
    "read_run": lambda: sm.read_run(__file__),
    "render": lambda: sm.render("t", "ncdg", **ROLES),
    "render_agreement": lambda: sm.render_agreement("t", "nope"),
    "render_bradley_terry": lambda: sm.render_bradley_terry(""),
    "render_class_report": lambda: sm.render_class_report("", **CLASSES),
    "render_sample_size": lambda: sm.render_sample_size("t", "ncdg", label="y", baseline="p", n=9),
    "render_compare": lambda: sm.render_compare("t", "ncdg", label="y", baseline="p", candidate="q"),
    "render_confusion_matrix": lambda: sm.render_confusion_matrix("", **CLASSES),
    "render_curve": lambda: sm.render_curve("t", "rok", **ROLES),
    "render_drift": lambda: sm.render_drift("t", columns="c"),
    "render_finish": lambda: sm.render_finish("t", "median_error", period="d", **ROLES),
    "render_explain_change": lambda: sm.render_explain_change("t", "auc", by="day", reference="u", **ROLES),
    "render_find_slices": lambda: sm.render_find_slices("t", "ncdg", by="day", **ROLES),
    "render_leaderboard": lambda: sm.render_leaderboard("t", "ncdg", label="y", score=["p", "q"]),
    "render_per_group": lambda: sm.render_per_group("t", "auc", group="g", **ROLES),
    "render_plan_labels": lambda: sm.render_plan_labels("t", "auc", gold="g", by="d", budget=0, **ROLES),
    "render_draw_labels": lambda: sm.render_draw_labels("t", "auc", gold="g", by="d", budget=2, **ROLES),
    "render_state": lambda: sm.render_state("t", "median_error", period="d", **ROLES),
    "report": lambda: sm.report(ROWS, "ncdg", **ROLES),
    "report, its data": lambda: sm.report(ROWS, "auc", label="y", score=NONSENSE),
    "semantic": lambda: sm.semantic(ROWS, "mae", table="t"),
    "score_function": lambda: sm.score_function("ncdg"),
    "score_function, its call": lambda: sm.score_function("auc")([0, 1], [1]),
    "scorer": lambda: sm.scorer("ncdg"),
    "state": lambda: sm.state(ROWS, "auc", period="nope", **ROLES),
    "trec": lambda: sm.trec(__file__, __file__, "map"),
    "two_proportions": lambda: sm.two_proportions(ROWS, label="y", category="nope"),
    "value": lambda: report().value("mae", model="nope"),
    "a column": lambda: report()["nope"],
    "plot": lambda: report().plot("nope"),
    "svg": lambda: report().plot().svg(theme="nope"),  # type: ignore[arg-type]
    "png": lambda: report().plot().png(theme="nope"),  # type: ignore[arg-type]
    "save": lambda: report().plot().save("/nowhere/chart.json"),
    "write": lambda: sm.state(ROWS, "mae", period="day", **ROLES).write("/nowhere/state.parquet"),
}


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
def test_an_error_has_one_frame_of_ours(call: Callable[[], object]) -> None:
    with pytest.raises(sm.SqlMetricsError) as caught:
        call()
    frames = traceback.extract_tb(caught.value.__traceback__)
    assert [Path(frame.filename).name for frame in frames[:-1]] == [Path(__file__).name] * 2
    printed = "".join(traceback.format_exception(caught.value))
    assert printed.count("Traceback") == 1, printed


def test_every_public_function_is_tried() -> None:
    functions = {
        name for name in sm.__all__ if name[0].islower() and name not in ("metrics", "conventions", "sql")
    }
    assert functions - {name.split(",")[0] for name in CALLS} == set()


def test_the_error_of_a_driver_is_kept() -> None:
    with pytest.raises(sm.SqlMetricsError) as caught:
        CALLS["evaluate, a driver"]()
    assert isinstance(caught.value.__context__, sqlite3.OperationalError)
    assert "nonsense" in caught.value.sql


def test_an_unknown_argument_is_told_before_one_that_is_missing() -> None:
    said = "chi_square() got an unexpected keyword argument 'columns'. Did you mean 'column'?"
    with pytest.raises(TypeError, match=f"^{re.escape(said)}$"):
        sm.chi_square(ROWS, columns="y")  # type: ignore[call-arg]


def test_an_unknown_argument_is_told_with_the_nearest() -> None:
    with pytest.raises(TypeError, match=r"evaluate\(\) got an unexpected .* 'lable'. Did you mean 'label'\?"):
        sm.evaluate(ROWS, "auc", lable="y", score="p")  # type: ignore[call-arg]
