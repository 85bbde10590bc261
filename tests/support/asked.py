"""Every public function that reads data, called once for each kind of its statements, with the columns by role."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy
from sklearn.base import BaseEstimator, ClassifierMixin

import sqlmetrics as sm
from support.engines import Rows
from support.few import few_cases

DRAW = random.Random(5)
#: lists of four items; `part` holds whole lists
ROWS: Rows = [
    {"day": ("mon", "tue")[i // 2 % 2], "kind": ("new", "old")[i % 2], "part": "xy"[i // 4 % 2], "age": i % 9,
     "user": i, "item": item, "y": DRAW.randrange(2), "grade": DRAW.randrange(4), "p": (1 + DRAW.randrange(12)) / 14,
     "q": (1 + DRAW.randrange(30)) / 32, "guess": DRAW.randrange(2), "guess2": DRAW.randrange(2),
     "class": DRAW.choice("abc"), "called": DRAW.choice("abc"), "w": 1 + i % 3}
    for i in range(48) for item in range(1, 5)
]  # fmt: skip
EARLIER: Rows = [{**row, "y": (row["y"] + row["item"]) % 2, "age": row["age"] // 2} for row in ROWS[:120]]
TRUTH: Rows = [
    {"user": user, "item": item, "grade": (user + item) % 3, "part": "xy"[user // 4 % 2]}
    for user in range(50)
    for item in range(2, 7)
]
ITEMS: Rows = [{"item": item, "sort": "odd" if item % 2 else "even"} for item in range(1, 9)]
PAST: Rows = [{"user": user, "item": 1 + user % 3} for user in range(20)]

SCORED = {"label": "y", "score": "p"}
LISTS = {"label": "grade", "score": "p", "group": "user", "item": "item", "max_grade": 3}
PAIRS = {"label": "y", "baseline": "p", "candidate": "q"}
LISTED_PAIRS = {**LISTS, "baseline": "p", "candidate": "q"}
del LISTED_PAIRS["score"]
CLASSES = {"label": "class", "prediction": "called"}
MODELS = {"label": "y", "score": ["p", "q"]}
BATTLES: Rows = [
    {"model_a": "abc"[i % 3], "model_b": "abc"[(i + 1 + i % 2) % 3], "w": 1 + i % 3, "part": "xy"[i // 4 % 2],
     "winner": DRAW.choice(["model_a", "model_a", "model_b", "tie"])}
    for i in range(90)
]  # fmt: skip
#: labels of a machine, which people corrected in every fifth row
JUDGED: Rows = [{**row, "human": row["y"] if i % 5 == 0 else None} for i, row in enumerate(ROWS)]
SEARCH = {"by": ["kind", "day", "age"], "min_units": 8}
CHANGE = {"by": "kind", "period": "day", "before": "mon", "after": "tue"}


@dataclass(frozen=True)
class Call:
    """A call of a public function: `of` names it, `ask` makes what is compared of rows and arguments.

    `lists` if nothing in it reads rows but by lists, so that a repeated item leaves no trace. `tables` are passed by
    their arguments, beside the rows. `here` if it reads rows of Python alone, or takes long.
    """

    of: str
    facts: dict[str, Any]
    ask: Callable[..., Any] | None = None
    rows: Rows = field(default_factory=lambda: ROWS)
    tables: dict[str, Rows] = field(default_factory=dict)
    lists: bool = False
    here: bool = False

    def result(self, data: Any, **facts: Any) -> Rows:
        """The rows of its result."""
        found = (self.ask or getattr(sm, self.of))(data, **{**self.facts, **facts})
        return found if isinstance(found, list) else found.to_dicts()


def finished(data: Any, metrics: Any, where: str | None = None, by: Any = None, **facts: Any) -> sm.Report:
    """What `finish` makes of a state of all rows, whose slices its options name."""
    slices = ["keep"] * (where is not None) + [by] * (by is not None)
    state = sm.state(data, metrics, period="day", by=slices, **facts)
    return sm.finish(state, metrics, where=where, by=by)


def curve_finished(data: Any, where: str | None = None, by: Any = None, **facts: Any) -> sm.Curve:
    slices = ["keep"] * (where is not None) + [by] * (by is not None)
    return sm.finish_curve(sm.state(data, "auc", period="day", by=slices, **facts), "roc", where=where, by=by)


def stated(data: Any, metrics: Any, by: Any = None, **facts: Any) -> sm.Report:
    """What a state holds, as its values."""
    return sm.finish(sm.state(data, metrics, period="day", by=by, **facts), metrics, by=by)


def numbers_of_page(data: Any, **facts: Any) -> Rows:
    """The numbers in the tables of a page, in their order."""
    page = sm.report(data, **facts).html
    return [{"cell": cell} for cell in re.findall(r"<td[^>]*>\s*([-+\d.,% ]+?)\s*</td>", page)]


def scored(make: Callable[..., Any]) -> Callable[..., Rows]:
    """The score that a scorer gives to rows."""

    def ask(data: Rows, **facts: Any) -> Rows:
        class Model(ClassifierMixin, BaseEstimator):
            classes_ = numpy.array([0, 1])

            def predict_proba(self, X: list[float]) -> Any:  # noqa: N803  so scikit-learn calls it
                return numpy.array([[1 - p, p] for p in X])

        y, p = ([row[name] for row in data] for name in ("y", "p"))
        function = make("brier", **facts)
        return [{"value": function(y, p) if make is sm.score_function else function(Model(), p, y)}]

    return ask


#: what is asked, by a name
CALLS: dict[str, Call] = {
    "rows with intervals": Call(
        "evaluate",
        {
            "metrics": ["log_loss", "rmse", "accuracy", "precision", "mcc", "r2", "auc", "count"],
            "interval": 0.9, **SCORED,
        },
    ),
    "shares with exact intervals": Call(
        "evaluate", {"metrics": ["accuracy", "recall"], "interval": 0.9, "interval_method": "exact", **SCORED}
    ),
    "intervals of every look": Call(
        "evaluate",
        {
            "metrics": ["accuracy", "auc", "rmse"], "interval": 0.9, "interval_method": "anytime", "tightest_at": 50,
            **SCORED,
        },
    ),
    "the bootstrap": Call(
        "evaluate",
        {"metrics": ["ks", "ece(bins=5)"], "interval": 0.9, "n_resamples": 30, "group": "user", **SCORED},
    ),
    "average precision with its interval": Call(
        "evaluate", {"metrics": ["average_precision", "mse"], "interval": 0.9, "group": "user", **SCORED}
    ),
    "lists with intervals": Call(
        "evaluate", {"metrics": ["ndcg@3", "err@3", "map", "mrr"], "interval": 0.9, **LISTS}, lists=True
    ),
    "lists of two models with a truth": Call(
        "evaluate",
        {**LISTS, "metrics": ["ndcg@3", "recall@2"], "score": {"a": "p", "b": "q"}},
        rows=[{name: cell for name, cell in row.items() if name != "grade"} for row in ROWS],
        tables={"truth": TRUTH},
        lists=True,
    ),
    "items with a catalog and a history": Call(
        "evaluate",
        {**LISTS, "metrics": ["catalog_coverage@2", "average_popularity@2", "novelty@2"]},
        tables={"catalog": ITEMS, "history": PAST},
    ),
    "classes with intervals": Call(
        "evaluate",
        {**CLASSES, "metrics": ["accuracy", "f1(average=macro)", "kappa"], "interval": 0.9, "n_resamples": 20},
    ),
    "per_group": Call("per_group", {"metrics": ["ndcg@3", "mrr"], **LISTS}, lists=True),
    "confusion_matrix": Call("confusion_matrix", CLASSES),
    "class_report": Call("class_report", CLASSES),
    "two_proportions": Call("two_proportions", {"label": "y", "category": "kind"}),
    "mcnemar": Call("mcnemar", {"label": "y", "baseline": "guess", "candidate": "guess2"}),
    "chi_square of two columns": Call("chi_square", {"column": "class", "other": "called"}),
    "chi_square of shares": Call("chi_square", {"column": "class", "expected": {"a": 1, "b": 1, "c": 2}}),
    "compare by rows": Call("compare", {"metrics": ["brier", "auc", "f1"], **PAIRS}),
    "compare by lists": Call("compare", {"metrics": ["ndcg@3", "mrr"], **LISTED_PAIRS}, lists=True),
    "compare by signed ranks": Call("compare", {"metrics": "ndcg@3", "test": "wilcoxon", **LISTED_PAIRS}, lists=True),
    "compare by draws": Call(
        "compare", {"metrics": "mae", "test": "randomisation", "n_resamples": 50, "group": "user", **PAIRS}
    ),
    "compare at every look": Call("compare", {"metrics": ["mae", "auc"], "test": "anytime", **PAIRS}),
    "compare by the bootstrap": Call("compare", {"metrics": "ks", "test": "bootstrap", "n_resamples": 30, **PAIRS}),
    "compare of samples": Call(
        "compare", {"metrics": ["brier", "auc"], "paired": False, **PAIRS}, tables={"other": EARLIER}
    ),
    "leaderboard of rows": Call("leaderboard", {"metrics": ["brier", "auc"], **MODELS}),
    "leaderboard of lists": Call("leaderboard", {"metrics": "ndcg@3", **LISTS, "score": ["p", "q"]}, lists=True),
    "bradley_terry": Call(
        "bradley_terry", {"model_a": "model_a", "model_b": "model_b", "winner": "winner"}, rows=BATTLES
    ),
    "agreement": Call(
        "agreement",
        {
            "measures": ["krippendorff", "gwet(weights=linear)", "cohen"], "item": "user", "rater": "item",
            "value": "grade",
        },
    ),
    "sample_size of pairs": Call("sample_size", {"metrics": ["brier", "auc", "accuracy"], "difference": 0.05, **PAIRS}),
    "sample_size of lists": Call("sample_size", {"metrics": ["ndcg@3", "mrr"], "n": 80, **LISTED_PAIRS}, lists=True),
    "plan_labels": Call(
        "plan_labels",
        {"metrics": "brier", "label": "guess", "gold": "human", "score": "p", "by": "kind", "budget": 60},
        rows=JUDGED,
    ),
    "explain_difference": Call(
        "explain_difference", {"metric": "ndcg@3", "first": "default", "second": "trec_eval", **LISTS}
    ),
    "find_slices of rows": Call("find_slices", {"metrics": ["log_loss", "rmse"], **SCORED, **SEARCH}),
    "find_slices of rows with numbers": Call("find_slices", {"metrics": ["auc", "brier"], **SCORED, **SEARCH}),
    "find_slices of two models": Call("find_slices", {"metrics": ["gini", "brier"], **PAIRS, **SEARCH}),
    "find_slices of lists": Call(
        "find_slices", {"metrics": ["ndcg@3", "mrr"], **LISTED_PAIRS, **SEARCH}, lists=True
    ),
    "explain_change of rows": Call("explain_change", {"metric": "brier", **SCORED, **CHANGE}),
    "explain_change of lists": Call("explain_change", {"metric": "ndcg@3", **LISTS, **CHANGE}, lists=True),
    "explain_change of tables": Call(
        "explain_change", {"metric": "brier", **SCORED, "by": "kind"}, tables={"reference": EARLIER}
    ),
    "drift of periods": Call("drift", {"columns": ["kind", "class"], "period": "day", "before": "mon", "after": "tue"}),
    "drift of tables": Call("drift", {"columns": ["kind", "class"]}, tables={"reference": EARLIER}),
    "drift of numbers": Call("drift", {"columns": ["age", "p"], "period": "day", "before": "mon", "after": "tue"}),
    "roc": Call("curve", {"kind": "roc", **SCORED}, lambda data, kind, **facts: sm.curve(data, kind, **facts)),
    "calibration": Call(
        "curve", {"kind": "calibration(bins=5)", **SCORED}, lambda data, kind, **facts: sm.curve(data, kind, **facts)
    ),
    "state of rows": Call("state", {"metrics": ["auc", "rmse", "log_loss", "r2"], **SCORED}, stated),
    "state of lists": Call("state", {"metrics": ["ndcg@3", "mrr"], **LISTS}, stated, lists=True),
    "finish": Call("finish", {"metrics": ["auc", "rmse", "r2"], **SCORED}, finished),
    "finish_curve": Call("finish_curve", SCORED, curve_finished),
    "report": Call(
        "report",
        {"metrics": ["auc", "brier"], "label": "y", "score": {"a": "p", "b": "q"}, "curves": [], "interval": 0.9},
        numbers_of_page,
        here=True,
    ),
    "score_function": Call("score_function", {}, scored(sm.score_function), here=True),
    "scorer": Call("scorer", {}, scored(sm.scorer), here=True),
}  # fmt: skip
#: every metric: the cases in which every notation stands
BOOK = {
    case.name: Call(
        "evaluate",
        {
            "metrics": {f"m{i}": name for i, name in enumerate(case.metrics) if "=error" not in name},
            "on_bad_rows": "drop",
            **{"label": "label", "score": "score"} | case.facts,
        },
        rows=case.rows,
        tables=({"truth": case.truth} if case.truth else {}) | case.tables,
    )
    for case in few_cases()
}
