"""sqlmetrics: one book of metrics, written in SQL, run where the data is.

>>> import sqlmetrics as sm
>>> report = sm.evaluate([{"y": 1, "p": 0.8}, {"y": 0, "p": 0.3}], ["auc", "brier"], label="y", score="p")
>>> report.to_dicts()[0]["auc"]
1.0
"""

from sqlmetrics.catalog import metrics
from sqlmetrics.class_tables import class_report, confusion_matrix
from sqlmetrics.columns import sql
from sqlmetrics.comparison import compare
from sqlmetrics.counts import chi_square, mcnemar, two_proportions
from sqlmetrics.curves import curve, render_curve
from sqlmetrics.differences import explain_difference
from sqlmetrics.documentation import conventions, describe
from sqlmetrics.errors import SqlMetricsError
from sqlmetrics.evaluation import evaluate, render
from sqlmetrics.lists import per_group
from sqlmetrics.report import ClassTable, Comparison, CountTest, Curve, ListReport, Report, State
from sqlmetrics.shell import install
from sqlmetrics.states import finish, finish_curve, render_finish, render_state, state
from sqlmetrics.trec import read_qrels, read_run, trec

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
