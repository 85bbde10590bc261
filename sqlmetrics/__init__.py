"""sqlmetrics: metrics of classifiers, rankers and regressions, defined in SQL and computed where the data is.

>>> import sqlmetrics as sm
>>> report = sm.evaluate([{"y": 1, "p": 0.8}, {"y": 0, "p": 0.3}], ["auc", "brier"], label="y", score="p")
>>> report.to_dicts()[0]["auc"]
1.0
"""

from typing import TYPE_CHECKING, NoReturn

from sqlmetrics.api.agreement import agreement, render_agreement
from sqlmetrics.api.battles import bradley_terry, render_bradley_terry
from sqlmetrics.api.change import explain_change, render_explain_change
from sqlmetrics.api.check import check
from sqlmetrics.api.classes import (
    class_report,
    confusion_matrix,
    render_class_report,
    render_confusion_matrix,
)
from sqlmetrics.api.compare import compare, render_compare
from sqlmetrics.api.counts import chi_square, mcnemar, two_proportions
from sqlmetrics.api.curve import curve, render_curve
from sqlmetrics.api.data import Data, data
from sqlmetrics.api.differences import explain_difference
from sqlmetrics.api.documentation import conventions, describe
from sqlmetrics.api.drift import drift, render_drift
from sqlmetrics.api.evals import read_evals
from sqlmetrics.api.evaluate import evaluate, render
from sqlmetrics.api.example import example
from sqlmetrics.api.leaderboard import leaderboard, render_leaderboard
from sqlmetrics.api.lists import per_group, render_per_group
from sqlmetrics.api.plan_labels import plan_labels, render_draw_labels, render_plan_labels
from sqlmetrics.api.report import report
from sqlmetrics.api.sample_size import render_sample_size, sample_size
from sqlmetrics.api.scorer import score_function, scorer
from sqlmetrics.api.semantic import semantic
from sqlmetrics.api.slices import find_slices, render_find_slices
from sqlmetrics.api.states import finish, finish_curve, render_finish, render_state, state
from sqlmetrics.api.trec import read_qrels, read_run, trec
from sqlmetrics.book.catalog import metrics
from sqlmetrics.charts.chart import Chart
from sqlmetrics.errors import DataError, GateError, SqlMetricsError
from sqlmetrics.given.columns import sql
from sqlmetrics.results.agreement import Agreement
from sqlmetrics.results.audited import ClassTable, Comparison, CountTest, Curve, Sizes
from sqlmetrics.results.battles import Battles
from sqlmetrics.results.change import Change
from sqlmetrics.results.drift import Drift
from sqlmetrics.results.labels import LabelPlan
from sqlmetrics.results.leaderboard import Leaderboard
from sqlmetrics.results.page import Page
from sqlmetrics.results.report import ListReport, Report, State
from sqlmetrics.results.slices import Slices
from sqlmetrics.results.stored import StoredReport, read_report
from sqlmetrics.shell.install import install

__version__ = "1.0.0rc1"
__all__ = [
    "Agreement",
    "Battles",
    "Change",
    "Chart",
    "ClassTable",
    "Comparison",
    "CountTest",
    "Curve",
    "Data",
    "DataError",
    "Drift",
    "GateError",
    "LabelPlan",
    "Leaderboard",
    "ListReport",
    "Page",
    "Report",
    "Sizes",
    "Slices",
    "SqlMetricsError",
    "State",
    "StoredReport",
    "agreement",
    "bradley_terry",
    "check",
    "chi_square",
    "class_report",
    "compare",
    "confusion_matrix",
    "conventions",
    "curve",
    "data",
    "describe",
    "drift",
    "evaluate",
    "example",
    "explain_change",
    "explain_difference",
    "find_slices",
    "finish",
    "finish_curve",
    "install",
    "leaderboard",
    "mcnemar",
    "metrics",
    "per_group",
    "plan_labels",
    "read_evals",
    "read_qrels",
    "read_report",
    "read_run",
    "render",
    "render_agreement",
    "render_bradley_terry",
    "render_class_report",
    "render_compare",
    "render_confusion_matrix",
    "render_curve",
    "render_draw_labels",
    "render_drift",
    "render_explain_change",
    "render_find_slices",
    "render_finish",
    "render_leaderboard",
    "render_per_group",
    "render_plan_labels",
    "render_sample_size",
    "render_state",
    "report",
    "sample_size",
    "score_function",
    "scorer",
    "semantic",
    "sql",
    "state",
    "trec",
    "two_proportions",
]


def __dir__() -> list[str]:
    """The public names, as completion shows them. Modules that imports leave here are not among them."""
    return [*__all__, "__version__"]


if not TYPE_CHECKING:  # a type checker would take every name for one of the module

    def __getattr__(name: str) -> NoReturn:
        """Says how a metric or a curve is asked for, of which a user thinks as a function: `sm.roc_auc_score`."""
        from sqlmetrics.given.arrays import asked_by_name

        asked = None if name.startswith("_") else asked_by_name(name)
        told = f"module 'sqlmetrics' has no attribute '{name}'"
        raise AttributeError(f"{told}; it is {asked}" if asked else told)
