"""sqlmetrics: one book of metrics, written in SQL, run where the data is.

>>> import sqlmetrics as sm
>>> report = sm.evaluate([{"y": 1, "p": 0.8}, {"y": 0, "p": 0.3}], ["auc", "brier"], label="y", score="p")
>>> report.to_dicts()[0]["auc"]
1.0
"""

from sqlmetrics.api.classes import class_report, confusion_matrix
from sqlmetrics.api.compare import compare
from sqlmetrics.api.counts import chi_square, mcnemar, two_proportions
from sqlmetrics.api.curve import curve, render_curve
from sqlmetrics.api.differences import explain_difference
from sqlmetrics.api.evaluate import evaluate, render
from sqlmetrics.api.lists import per_group
from sqlmetrics.api.trec import read_qrels, read_run, trec
from sqlmetrics.catalog import metrics
from sqlmetrics.columns import sql
from sqlmetrics.documentation import conventions, describe
from sqlmetrics.errors import SqlMetricsError
from sqlmetrics.results.report import ClassTable, Comparison, CountTest, Curve, ListReport, Report, State
from sqlmetrics.shell import install
from sqlmetrics.states import finish, finish_curve, render_finish, render_state, state

__version__ = "0.1.0"
__all__ = [
    "ClassTable",
    "Comparison",
    "CountTest",
    "Curve",
    "ListReport",
    "Report",
    "SqlMetricsError",
    "State",
    "chi_square",
    "class_report",
    "compare",
    "confusion_matrix",
    "conventions",
    "curve",
    "describe",
    "evaluate",
    "explain_difference",
    "finish",
    "finish_curve",
    "install",
    "mcnemar",
    "metrics",
    "per_group",
    "read_qrels",
    "read_run",
    "render",
    "render_curve",
    "render_finish",
    "render_state",
    "sql",
    "state",
    "trec",
    "two_proportions",
]
