"""Calls that use every stage together: what the statements of all dialects are tried on."""

from __future__ import annotations

import re
from typing import Any

from sqlmetrics.book.templates import macros
from support import frozen

STAMP = re.compile(r"-- (sqlmetrics [0-9.]+(?:rc[0-9]+)?, statement [0-9a-f]{12})\n(?:-- .*\n)*")


PREDICTIONS = {"relation": "predictions", "label": "clicked", "score": "p", "positive": 1}
LISTS = {**PREDICTIONS, "group": "user_id", "item": "item_id", "max_grade": 4}
CLASSES = {"relation": "predictions", "label": "kind", "prediction": "guess"}
TRUTH = {"relation": "predictions", "truth": "judgements", "label": "grade"}
MODELS = {"new": "p", "old": "q"}
COMPARED = {**LISTS, "baseline": "p", "candidate": "q"}
del COMPARED["score"]
COMPARED_ROWS = {
    "relation": "predictions", "label": "clicked", "positive": 1, "baseline": "p",
    "candidate": {"new": "q", "third": "r"},
}  # fmt: skip
WEIGHTED = {
    name: notation for name, notation in frozen.ROWS.items() if notation not in ("spearman", "concordance")
}
#: pass@k reads the labels of attempts, which a truth has not
OF_A_TRUTH = {name: notation for name, notation in frozen.LISTS.items() if not notation.startswith("pass")}
#: A metric of each kind of interval.
SPREAD = ["log_loss", "rmse", "accuracy", "precision", "mcc", "d2_pinball", "pearson", "spearman"]
#: Metrics of classes with a score each.
WIDE = [
    "multiclass_log_loss",
    "multiclass_brier",
    "multiclass_auc(method=ovo)",
    "multiclass_auc(method=ovr)",
    "top_k_accuracy@2",
]
#: Calls that use every stage together: name -> macro and arguments.
CALLS: dict[str, tuple[str, dict[str, Any]]] = {
    "rows": ("evaluate", {**PREDICTIONS, "metrics": frozen.ROWS, "by": "day"}),
    "weighted rows of models": (
        "evaluate",
        {**PREDICTIONS, "metrics": WEIGHTED, "by": ["day", "country"], "weight": "w", "score": MODELS},
    ),
    "subsets of rows": ("evaluate", {**LISTS, "metrics": frozen.SUBSETS, "by": "day"}),
    "counted levels": (
        "evaluate",
        {**PREDICTIONS, "metrics": ["auc", "ks"], "by": "day", "score_levels": "counted"},
    ),
    "intervals of rows": ("evaluate", {**PREDICTIONS, "metrics": SPREAD, "by": "day", "interval": 0.95}),
    "intervals of rows in lists": (
        "evaluate",
        {
            **PREDICTIONS, "metrics": SPREAD[:-1], "by": ["day", "country"], "weight": "w", "score": MODELS,
            "group": "user_id", "interval": 0.95, "interval_method": "exact",
        },
    ),
    "intervals of every look": (
        "evaluate",
        {
            **LISTS, "metrics": ["auc", "ndcg@10", "accuracy", "rmse"], "by": "day", "interval": 0.95,
            "interval_method": "anytime", "tightest_at": 1000,
        },
    ),
    "intervals of rows at every look": (
        "evaluate",
        {**PREDICTIONS, "metrics": ["accuracy", "spearman"], "interval": 0.95, "interval_method": "anytime"},
    ),
    "pairs of rows": ("evaluate", {**PREDICTIONS, "metrics": "kendall_tau", "by": "day", "interval": 0.95}),
    "the mean of slices": (
        "evaluate",
        {
            **LISTS, "metrics": ["auc", "rmse", "ndcg@10"], "by": ["day", "country"], "score": MODELS, "interval": 0.95,
            "total_of": "slices", "total_name": "mean",
        },
    ),
    "the mean of slices at every look": (
        "evaluate",
        {
            **PREDICTIONS, "metrics": ["log_loss", "accuracy"], "by": "day", "total_of": "slices", "interval": 0.95,
            "interval_method": "anytime",
        },
    ),
    "intervals of levels": ("evaluate", {**PREDICTIONS, "metrics": ["auc", "ks"], "by": "day", "interval": 0.95}),
    "intervals of lists": (
        "evaluate",
        {
            **LISTS, "metrics": ["auc", "ndcg@10"], "by": "day", "score": MODELS, "interval": 0.95,
            "interval_method": "logit",
        },
    ),
    "soft labels": (
        "evaluate",
        {
            **PREDICTIONS, "metrics": ["auc", "log_loss", "f1", "ks"], "by": "day", "weight": "w", "score": MODELS,
            "interval": 0.95, "soft": True, "positive": None,
        },
    ),
    "a state of soft labels": (
        "state", {**PREDICTIONS, "metrics": ["auc", "f1"], "period": "day", "soft": True, "positive": None},
    ),
    "lists": ("evaluate", {**LISTS, "metrics": frozen.LISTS, "by": "day", "score": MODELS}),
    "spreads over lists": (
        "evaluate",
        {
            **LISTS, "metrics": [f"ndcg(average={average})@10" for average in ("std", "median", "min", "max")],
            "by": "day", "weight": "w",
        },
    ),
    "lists in the order of items": ("evaluate", {**LISTS, "metrics": frozen.LISTS, "ties": "item"}),
    "each item once": ("evaluate", {**LISTS, "metrics": "ndcg@10", "on_duplicate": "first", "by": "day"}),
    "lists of a truth": (
        "evaluate",
        {**LISTS, **TRUTH, "metrics": OF_A_TRUTH, "by": ["day", "country"], "truth_by": ["country"]},
    ),
    "subtopics": (
        "evaluate",
        {**LISTS, **TRUTH, "metrics": frozen.SUBTOPICS, "subtopic": "aspect"},
    ),
    "items": (
        "evaluate",
        {
            **LISTS, "metrics": frozen.ITEMS, "catalog": "items", "history": "past", "category": "kind",
        },
    ),
    "distances of items": (
        "evaluate",
        {**LISTS, "metrics": "diversity@10", "by": "day", "distances": "distances"},
    ),
    "classes": (
        "evaluate",
        {
            **CLASSES, "metrics": ["accuracy", "f1(average=macro)", "kappa(weights=linear)", "mcc"], "by": "day",
            "weight": "w",
        },
    ),
    "scored classes": (
        "evaluate",
        {
            **LISTS, "metrics": ["multiclass_auc(method=ovr)", "top_k_accuracy@2"], "by": "day",
        },
    ),
    "intervals of resampled rows": (
        "evaluate",
        {
            **PREDICTIONS, "relation": "select * from predictions", "metrics": ["ks", "spearman"], "by": "day",
            "score": MODELS, "interval": 0.95,
        },
    ),
    "intervals of resampled lists": (
        "evaluate",
        {**LISTS, "metrics": ["ks", "ndcg@10"], "by": "day", "interval": 0.95},
    ),
    "intervals of average precision": (
        "evaluate",
        {
            **PREDICTIONS, "metrics": ["average_precision", "brier", "rmse"], "by": "day", "weight": "w",
            "interval": 0.95,
        },
    ),
    "intervals of average precision by lists": (
        "evaluate",
        {**LISTS, "metrics": ["average_precision"], "interval": 0.95},
    ),
    "per group": ("per_group", {**LISTS, "metrics": ["ndcg@10", "map@10", "mrr"], "by": "day"}),
    "roc": ("curve", {**PREDICTIONS, "relation": "select * from predictions", "kind": "roc", "by": "day"}),
    "precision_recall": ("curve", {**PREDICTIONS, "kind": "precision_recall", "weight": "w"}),
    "calibration": ("curve", {**PREDICTIONS, "kind": "calibration(bins=10)", "by": "day"}),
    "calibration by count": ("curve", {**PREDICTIONS, "kind": "calibration(bins=10, equal=count)"}),
    "a band of a roc": ("curve", {**PREDICTIONS, "kind": "roc(points=100)", "by": "day", "interval": 0.95}),
    "a band of a weighted roc": (
        "curve", {**PREDICTIONS, "kind": "roc", "weight": "w", "interval": 0.95, "band": "simultaneous"},
    ),
    "a band of precision_recall": ("curve", {**PREDICTIONS, "kind": "precision_recall", "interval": 0.95}),
    "a band of weighted precision_recall": (
        "curve",
        {
            **PREDICTIONS, "kind": "precision_recall(points=100)", "by": "day", "weight": "w", "interval": 0.95,
            "band": "simultaneous",
        },
    ),
    "intervals of all bins": (
        "curve", {**PREDICTIONS, "kind": "calibration(bins=10)", "interval": 0.95, "band": "simultaneous"},
    ),
    "detection errors": ("curve", {**PREDICTIONS, "kind": "det(points=corners)", "by": "day"}),
    "a band of detection errors": ("curve", {**PREDICTIONS, "kind": "det", "interval": 0.95}),
    "cells at a threshold": (
        "confusion_matrix", {**PREDICTIONS, "threshold": 0.3, "by": "day", "weight": "w"},
    ),
    "gain": ("curve", {**PREDICTIONS, "kind": "gain(quantiles=10)"}),
    "thresholds": ("curve", {**PREDICTIONS, "kind": "thresholds(at='0.3, 0.5', cost_fn=5)", "by": "day"}),
    "thresholds of shares": ("curve", {**PREDICTIONS, "kind": "thresholds(quantiles=10)", "weight": "w"}),
    "residuals": ("curve", {**PREDICTIONS, "kind": "residuals", "by": "day", "weight": "w"}),
    "net benefit": ("curve", {**PREDICTIONS, "kind": "net_benefit(steps=20)", "by": "day"}),
    "qini": ("curve", {**PREDICTIONS, "kind": "qini(treatment=treated)", "by": "day"}),
    "confusion matrix": ("confusion_matrix", {**CLASSES, "by": "day", "weight": "w"}),
    "class report": ("class_report", {**CLASSES, "by": "day"}),
    "independence": ("chi_square", {"relation": "people", "column": "hair", "other": "eyes", "by": "day"}),
    "shares": (
        "chi_square",
        {"relation": "people", "column": "hair", "expected": {"fair": 1, "dark": 2}, "weight": "n"},
    ),
    "two proportions": ("two_proportions", {"relation": "visits", "label": "bought", "category": "page", "by": "day"}),
    "models ranked": (
        "leaderboard",
        {**LISTS, "metrics": ["auc", "ndcg@10", "rmse", "mcc", "precision", "average_precision"], "score": MODELS},
    ),
    "models ranked row by row": (
        "leaderboard", {**PREDICTIONS, "metrics": ["accuracy", "auc", "brier"], "score": MODELS},
    ),
    "models ranked by the mean of slices": (
        "leaderboard",
        {**LISTS, "metrics": ["auc", "ndcg@10", "rmse"], "score": MODELS, "by": "day", "total_of": "slices"},
    ),
    "models ranked on what all have": (
        "leaderboard",
        {
            **PREDICTIONS, "metrics": ["accuracy", "auc"], "score": MODELS, "by": "day",
            "on_unpaired": "intersection",
        },
    ),
    "models ranked by the mean of slices of what all have": (
        "leaderboard",
        {
            **LISTS, "metrics": ["rmse"], "score": MODELS, "by": "day", "total_of": "slices",
            "on_unpaired": "intersection",
        },
    ),
    "models ranked by soft labels": (
        "leaderboard", {**PREDICTIONS, "metrics": ["auc"], "score": MODELS, "soft": True, "positive": None},
    ),
    "models compared by the mean of slices": (
        "compare",
        {
            **COMPARED, "metrics": ["auc", "ndcg@10", "rmse", "precision"], "by": "day", "total_of": "slices",
            "total_name": "mean", "correction": "holm", "margin": 0.1,
        },
    ),
    "rows compared by the mean of slices": (
        "compare", {**COMPARED_ROWS, "metrics": ["accuracy", "mcc"], "by": "day", "total_of": "slices"},
    ),
    "models compared row by row": (
        "compare",
        {
            **COMPARED_ROWS, "metrics": ["auc", "log_loss", "f1"], "by": "day",
        },
    ),
    "models compared by average precision": (
        "compare",
        {**COMPARED_ROWS, "metrics": ["average_precision", "rmse"], "by": "day"},
    ),
    "models compared by average precision of lists": ("compare", {**COMPARED, "metrics": ["average_precision", "map"]}),
    "models compared by the bootstrap": (
        "compare",
        {
            **COMPARED_ROWS, "metrics": ["ks", "average_precision"], "by": "day", "test": "bootstrap",
        },
    ),
    "models compared": (
        "compare",
        {
            **COMPARED, "metrics": ["ndcg@10", "gauc", "brier", "rmse"], "candidate": {"new": "q", "third": "r"},
            "by": "day", "correction": "holm",
        },
    ),
    "models compared by ranks": (
        "compare",
        {
            **COMPARED, **TRUTH, "metrics": "ndcg@10", "test": "wilcoxon", "correction": "bh",
            "on_unpaired": "intersection",
        },
    ),
    "slices of rows": (
        "find_slices",
        {
            **PREDICTIONS, "metrics": ["log_loss", "rmse", "precision"], "by": ["day", "country", "device", "age"],
            "numeric": "age", "dates": "day", "bins": 4,
        },
    ),
    "slices of lists in which models differ": (
        "find_slices",
        {
            **COMPARED, "metrics": ["ndcg@10", "auc", "brier"], "by": ["day", "country", "age"], "numeric": "age",
            "depth": 3,
        },
    ),
    "slices in which models of one column differ": (
        "find_slices",
        {
            **LISTS, "metrics": ["mrr", "auc", "brier"], "by": ["country", "age"], "numeric": "age",
            "models": {"run": ["old", "new"]}, "baseline": "old",
        },
    ),
    "slices in which models of two tables differ": (
        "find_slices",
        {
            **LISTS, "relation": {"old": "old_rows", "new": "select * from new_rows"}, "metrics": "brier",
            "by": "country", "baseline": "new",
        },
    ),
    "slices by soft labels": (
        "find_slices",
        {
            **PREDICTIONS, "metrics": ["log_loss", "auc"], "by": ["country", "age"], "numeric": "age", "soft": True,
            "positive": None,
        },
    ),
    "slices of one model of a column": (
        "find_slices",
        {**PREDICTIONS, "metrics": "auc", "by": "country", "models": {"run": ["new"]}},
    ),
    "a change of one model of a column": (
        "explain_change",
        {
            **PREDICTIONS, "metric": "log_loss", "by": "country", "period": "day", "before": 1, "after": 2,
            "models": {"run": ["new"]},
        },
    ),
    "discounts": (
        "evaluate",
        {
            **LISTS,
            "metrics": [
                "dcg(discount=original)@10", "ndcg(discount=original)", "ndcg(discount=reciprocal, ideal=listed)@10",
                "ndcg(discount=original, gain=binary, ideal=cutoff)@10", "idcg(discount=reciprocal)@10",
            ],
        },
    ),
    "drift of two tables": (
        "drift",
        {
            "relation": "predictions", "reference": "select * from trained_on", "columns": ["country", "p", "age"],
            "numeric": ["p", "age"], "bins": 4, "by": "day", "where": "clicked >= 0",
        },
    ),
    "drift of two periods": (
        "drift",
        {"relation": "predictions", "columns": "country", "period": "month", "before": "2026-05", "after": "2026-06"},
    ),
    "drift of two periods of a state": (
        "drift",
        {
            "relation": "states", "columns": ["country", "device"], "by": "plan", "period": "substr(day, 1, 7)",
            "before": "2026-05", "after": "2026-06", "of_state": True, "made_period": "day", "made_where": "w > 0",
            "where": "day > '2026-05-03'",
        },
    ),
    "drift of two states": (
        "drift",
        {
            "relation": "states", "columns": "country", "reference": "select * from earlier", "of_state": True,
            "made_period": "day",
        },
    ),
    "a change of rows": (
        "explain_change",
        {
            **PREDICTIONS, "metric": "precision", "by": ["country", "device"], "period": "day", "before": "2026-06-01",
            "after": "2026-06-02", "weight": "w", "base": "before",
        },
    ),
    "a change of lists between tables": (
        "explain_change",
        {**LISTS, "metric": "ndcg@10", "by": "country", "reference": "earlier", "where": "w > 0"},
    ),
    "a change of rows in lists": (
        "explain_change",
        {
            **PREDICTIONS, "metric": "log_loss", "by": "country", "group": "user_id", "period": "day", "before": 1,
            "after": 2,
        },
    ),
    "a change of a state": (
        "explain_change",
        {
            **PREDICTIONS, "metric": "log_loss", "by": "country", "period": "day", "before": 1, "after": 2,
            "of_state": True,
        },
    ),
    "a state that keeps pairs of models": (
        "state",
        {
            **PREDICTIONS, "metrics": ["log_loss", "accuracy", "precision", "rmse"], "score": MODELS, "period": "day",
            "by": "country", "intervals": True,
        },
    ),
    "a state that keeps pairs of lists": (
        "state",
        {**LISTS, "metrics": ["ndcg@10", "gauc"], "score": MODELS, "period": "day", "intervals": True},
    ),
    "a state of models in long form": (
        "state",
        {
            **LISTS, "metrics": ["ndcg@10", "gauc"], "models": {"run": ["old", "new"]}, "period": "day",
            "intervals": True,
        },
    ),
    "models compared from a state": (
        "compare",
        {
            **PREDICTIONS, "metrics": ["log_loss", "accuracy", "precision", "rmse"], "score": MODELS, "period": "day",
            "by": "country", "baseline": "old", "of_state": True, "margin": 0.1, "made_where": "w > 0",
        },
    ),
    "lists of models compared from a state": (
        "compare",
        {
            **LISTS, "metrics": ["ndcg@10", "gauc"], "score": MODELS, "period": "day", "baseline": "old",
            "of_state": True, "test": "anytime",
        },
    ),
    "models compared by signs": ("compare", {**COMPARED, "metrics": "mae", "test": "sign"}),
    "models compared at every look": (
        "compare",
        {**COMPARED_ROWS, "metrics": ["auc", "accuracy", "mae"], "by": "day", "test": "anytime", "margin": 0.01},
    ),
    "models compared by draws": ("compare", {**COMPARED, "metrics": "mae", "test": "randomisation"}),
    "models compared over two tables": (
        "compare",
        {
            **COMPARED, **TRUTH, "metrics": ["ndcg@10", "recall(average=micro)@10"], "other": "select * from others",
            "by": "day",
        },
    ),
    "models in rows of their own": (
        "evaluate",
        {**LISTS, "metrics": ["auc", "ndcg@10"], "by": "day", "models": {"run": ["old", "it's new"]}},
    ),
    "models in tables of their own": (
        "evaluate",
        {**LISTS, "metrics": ["auc", "ndcg@10"], "relation": {"old": "runs_a", "new": "select * from runs_b"}},
    ),
    "runs compared": (
        "compare",
        {
            "relation": "runs", "metrics": "ndcg@10", "label": "clicked", "score": "p", "group": ["day", "user_id"],
            "models": {"run": ["a", "b"]}, "baseline": "b",
        },
    ),
    "models compared over two samples": (
        "compare",
        {
            **COMPARED, "metrics": ["ndcg@10", "brier", "rmse"], "other": "others", "paired": False, "by": "day",
            "correction": "holm",
        },
    ),
    "AUC compared over two samples": (
        "compare",
        {
            "relation": "predictions", "label": "clicked", "positive": 1, "baseline": "p", "candidate": "p",
            "metrics": ["auc", "mae"], "other": "others", "paired": False, "by": "day",
        },
    ),
    "models compared beside a margin": (
        "compare",
        {
            **COMPARED, "metrics": ["ndcg@10", "auc", "brier", "bias"], "candidate": ["q", "r"], "by": "day",
            "margin": {"auc": 0.01, "brier": 0.02}, "pairs": "all", "correction": "holm", "family": "all",
        },
    ),
    "models compared by the bootstrap beside a margin": (
        "compare", {**COMPARED_ROWS, "metrics": ["ks", "log_loss"], "test": "bootstrap", "margin": 0.01},
    ),
    "the size of a study of pairs": (
        "sample_size",
        {
            **COMPARED, "metrics": ["ndcg@10", "auc", "brier"], "candidate": ["q", "r"], "by": "day",
            "difference": {"auc": 0.01, "brier": 0.02},
        },
    ),
    "the size of a study of two arms": (
        "sample_size",
        {
            "relation": "predictions", "label": "clicked", "baseline": "p", "metrics": ["brier", "rmse"], "n": 1000,
        },
    ),
    "judged rows corrected by people": (
        "evaluate",
        {
            **PREDICTIONS, "metrics": ["accuracy", "rmse", "auc", "mean(column=clicked)"], "gold": "human",
            "by": "day", "score": MODELS, "interval": 0.95,
        },
    ),
    "judged lists corrected by people": (
        "evaluate", {**LISTS, "metrics": "ndcg@10", "gold": "human", "gold_weight": "w", "by": "day"},
    ),
    "differences of judged rows corrected by people": (
        "compare",
        {
            **COMPARED_ROWS, "metrics": ["accuracy", "rmse"], "gold": "human", "gold_weight": "w", "by": "day",
        },
    ),
    "labels planned": (
        "plan_labels", {**PREDICTIONS, "metrics": "auc", "gold": "human", "by": "day", "budget": 500},
    ),
    "lists to label drawn": (
        "draw_labels", {**LISTS, "metrics": "ndcg@10", "gold": "human", "by": "day", "budget": 500},
    ),
    "rows to label drawn": (
        "draw_labels",
        {**PREDICTIONS, "metrics": "brier", "gold": "human", "by": "day", "budget": 500, "key": "id"},
    ),
    "ratings": (
        "agreement",
        {
            "relation": "ratings", "item": "text_id", "rater": "annotator", "value": "stars", "by": "day",
            "measures": [
                "krippendorff(level=interval)", "krippendorff(level=ordinal)", "krippendorff(level=ratio)", "fleiss",
                "gwet", "gwet(weights=ordinal)", "gwet(weights=linear)", "percent", "cohen",
            ],
        },
    ),
    "ratings of a wide table": (
        "agreement",
        {"relation": "ratings", "measures": ["krippendorff", "gwet(weights=quadratic)"], "raters": ["ann", "bob"]},
    ),
    "battles": ("bradley_terry", {"relation": "battles", "cluster": "prompt", "weight": "n"}),
    "mcnemar": (
        "mcnemar",
        {"relation": "visits", "label": "bought", "baseline": "a", "candidate": "b", "by": "day", "weight": "n"},
    ),
    "state": (
        "state",
        {**PREDICTIONS, "metrics": ["auc", "auc(bins=100)", "r2", "log_loss"], "by": "country", "period": "day"},
    ),
    "finish": (
        "finish",
        {
            **PREDICTIONS, "relation": "states", "metrics": ["auc", "auc(bins=100)", "r2", "log_loss"], "by": "country",
            "period": "day",
        },
    ),
    "finished models of a state in long form": (
        "finish",
        {
            **PREDICTIONS, "relation": "states", "metrics": "brier", "models": {"run": ["old", "new"]},
            "period": "day",
        },
    ),
    "a row for each metric": (
        "evaluate_long", {**PREDICTIONS, "metrics": ["auc", "brier"], "by": "day", "score": MODELS, "interval": 0.95},
    ),
    "a row for each metric of a state": (
        "finish_long",
        {**PREDICTIONS, "relation": "states", "metrics": ["auc", "brier"], "by": "country", "period": "day"},
    ),
    "a curve of a state": (
        "finish_curve", {**PREDICTIONS, "relation": "states", "kind": "roc", "by": "country", "period": "day"},
    ),
    "rows of a state with measures": ("rows_with_measures", {"table": "states", "columns": {"country": "sm_by_1"}}),
    "classes with scores in columns": (
        "evaluate",
        {
            "relation": "predictions", "label": "kind", "by": "day", "ties": "item", "metrics": WIDE,
            "class_scores": {"cat": "p_cat", "dog": "p_dog", "owl": "p_owl"},
        },
    ),
    "calibration of classes in columns": (
        "evaluate",
        {
            "relation": "predictions", "label": "kind", "weight": "w", "by": "day",
            "metrics": ["top_label_ece", "classwise_ece(equal=count)", "classwise_ece(class=dog)"],
            "class_scores": {"cat": "p_cat", "dog": "p_dog", "owl": "p_owl"},
        },
    ),
    "calibration of many classes": (
        "evaluate",
        {
            "relation": "predictions", "label": "kind", "metrics": "top_label_ece",
            "class_scores": {f"c{i}": f"p_{i}" for i in range(51)},
        },
    ),
    "calibration of classes": ("evaluate", {**LISTS, "metrics": ["top_label_ece", "classwise_ece"], "by": "day"}),
    "prediction sets": (
        "evaluate", {**LISTS, "by": "day", "metrics": ["set_coverage", "set_size", "size_stratified_coverage"]},
    ),
    "prediction sets in columns": (
        "evaluate",
        {
            "relation": "predictions", "label": "kind", "weight": "w", "by": "day", "interval": 0.95,
            "metrics": ["set_coverage(threshold=0.1)", "set_size(threshold=0.1)", "size_stratified_coverage"],
            "class_scores": {"cat": "p_cat", "dog": "p_dog", "owl": "p_owl"},
        },
    ),
    "recalibration": (
        "evaluate",
        {**PREDICTIONS, "metrics": ["calibration_slope", "calibration_intercept"], "by": "day", "interval": 0.95},
    ),
    "classes with scores in an array": (
        "evaluate",
        {
            "relation": "predictions", "label": "kind", "weight": "w", "metrics": WIDE,
            "class_scores": {"column": "p", "classes": [0, 1, 2]},
        },
    ),
    "clicks": (
        "evaluate",
        {
            **LISTS, "by": "day",
            "metrics": ["ips_dcg(propensity=p, clip=10)@10", "ips_ndcg(propensity=p)@10", "ips_ndcg(propensity=p)"],
        },
    ),
    "exposure of groups": (
        "evaluate",
        {
            **LISTS, "by": "day", "interval": 0.95,
            "metrics": [
                "exposure_parity_ratio(sensitive=kind)@10", "disparate_treatment_ratio(sensitive=kind, p=0.8)",
                "awrf(sensitive=kind)@10", "awrf(sensitive=kind, distance=js)@10", "awrf(sensitive=day)",
            ],
        },
    ),
    "exposure of groups by worst ties": (
        "evaluate", {**LISTS, "ties": "worst", "metrics": ["awrf(sensitive=kind)@10", "ndcg@10"]},
    ),
    "weights of items": (
        "evaluate",
        {
            **LISTS, "by": "day",
            "metrics": ["dcg(item_weight=w)@10", "map(item_weight=w)", "mrr(item_weight=w)", "recall(item_weight=w)@5"],
        },
    ),
    "weights of lists": (
        "evaluate", {**LISTS, "by": "day", "metrics": ["ndcg(weight=w)@10", "gauc(weight=pairs)", "map(weight=w)@5"]},
    ),
    "metrics over bins": (
        "evaluate",
        {
            **PREDICTIONS, "by": "day",
            "metrics": ["auc(bins=50, max_fpr=0.1)", "ks(bins=50)", "average_precision(bins=50)"],
        },
    ),
    "a thinned roc": ("curve", {**PREDICTIONS, "kind": "roc(points=100)", "by": "day"}),
    "corners of a roc": ("curve", {**PREDICTIONS, "kind": "roc(points=corners)", "by": "day"}),
    "a thinned precision_recall": ("curve", {**PREDICTIONS, "kind": "precision_recall(points=100)", "weight": "w"}),
    "single classes": (
        "evaluate",
        {
            **CLASSES, "metrics": ["f1(class=cat)", "recall(average=weighted)", "jaccard(average=micro)", "kappa"],
            "interval": 0.95,
        },
    ),
    "named classes": (
        "evaluate",
        {
            **CLASSES, "interval": 0.95,
            "metrics": [
                "f1(average=micro, labels=cat:dog)", "recall(average=macro, labels=cat:dog)",
                "precision(average=macro, zero_division=nan)", "balanced_accuracy(adjusted=true)",
            ],
        },
    ),
    "adjusted at a threshold": (
        "evaluate",
        {"relation": "predictions", "label": "y", "score": "p", "metrics": ["balanced_accuracy(adjusted=true)"]},
    ),
    "names of other libraries": (
        "evaluate",
        {**LISTS, "metrics": ["P_5", "map_cut_10", "recip_rank"], "convention": "trec_eval", "by": "day"},
    ),
    "errors of numbers": (
        "evaluate",
        {
            "relation": "predictions", "label": "y", "score": "p", "group": "g", "item": "i", "by": "day",
            "metrics": [
                "mape(zero_target=0.5)", "multilabel_f1(average=micro)", "coverage(lower='p - 1', upper='p + 1')",
            ],
        },
    ),
    "weighted means of two samples": (
        "compare",
        {
            "relation": "predictions", "label": "y", "baseline": "p", "candidate": "p", "metrics": "mae", "weight": "w",
            "other": "others", "paired": False,
        },
    ),
    "labels that are texts": (
        "per_group",
        {**LISTS, "metrics": ["map@10", "mrr"], "positive": "yes", "score": MODELS},
    ),
}  # fmt: skip


def statement(call: str, dialect: str) -> str:
    """The statement of a call in a dialect."""
    macro, arguments = CALLS[call]
    return unstamped(str(macros(dialect)[macro](**arguments)))


def unstamped(statement: str) -> str:
    """A statement without the stamp, which a state keeps, too, and the head: they change with the package's texts."""
    found = STAMP.match(statement)
    return statement[found.end() :].replace(found[1], "stamp") if found else statement
