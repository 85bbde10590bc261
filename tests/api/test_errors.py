"""A mistake in a call gets one SqlMetricsError, which says what was asked, what is allowed and what to write.

What is wrong with the data themselves is in test_bad_data.py.
"""

import sys
import traceback
from pathlib import Path

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import sqlmetrics as sm
from sqlmetrics.book.templates import macros
from support.errors import CALL, NAN, ROWS, assert_told, told, with_first, words_of
from support.paths import TESTS

NOTATIONS = [
    # What is not known, and what it may have meant.
    ("psi", "Metric 'psi' compares a column of two tables or periods, which sqlmetrics.drift does"),
    ("accuracy@5", "Metric 'accuracy@5' is top_k_accuracy@5 here"),
    ("P", "Metric 'P' needs a cutoff; write 'P@10'"),
    ("AP(rel=2)", "the least grade of a relevant item is an argument of the call|positive=2"),
    (
        "calibration",
        "Unknown metric 'calibration', which is a curve; write sqlmetrics.curve with 'calibration'",
    ),
    ("mean_squared_eror", "Did you mean 'mean_squared_error'?"),
    ("ncdg@10", "Unknown metric 'ncdg'|Did you mean 'ndcg'?|Names like it: cg, dcg, idcg|sqlmetrics list"),
    ("auc,gauc", "'auc,gauc' is several metrics|a list, ['auc', 'gauc']"),
    ("auc; drop table x", "Unknown metric 'auc; drop table x'"),
    ("metric_auc", "Unknown metric 'metric_auc'"),
    # Other libraries' names.
    ("precision_recall_fscore_support_f1", "Did you mean 'precision'?"),
    ("multiclass_auroc", "Did you mean 'multiclass_auc'?"),
    ("sum_of_squared_error_mse", "Did you mean 'mse'?"),
    (
        "ndcg(gian=linear)@10",
        "Unknown parameter 'gian' of ndcg|Did you mean 'gain'?|Parameters: k, gain",
    ),
    ("ndcg(plan=1)", "Unknown parameter 'plan'"),
    ("recall(average=micro)", "recall(average=micro): needs prediction=, the column of the predicted class"),
    ("base_rate(bins=5)", "Unknown parameter 'bins' of base_rate|Parameters: none"),
    ("rbo(p=1)@10", "p must be a number > 0 and < 1, got 1"),
    (
        "ips_ndcg@10",
        "ips_ndcg@10: needs propensity=, the column of the probability that a user examines the item",
    ),
    ("awrf@10", "awrf@10: needs sensitive=, a column whose values are compared"),
    ("awrf(sensitive=sex, distance=l2)@10", "distance must be one of variation, js|got l2"),
    ("exposure_parity_ratio(sensitive=clicked, p=1)", "p must be a number > 0 and < 1, got 1"),
    # Averages over classes.
    (
        "recall(classes=label)",
        "classes=label takes the classes that occur as label into a mean|write average=macro or weighted beside it",
    ),
    (
        "recall(labels=1:0)",
        "labels= names the classes of an average|write average=macro, micro or weighted beside it, and no class=",
    ),
    (
        "recall(class=1, average=macro)",
        "class= asks for the value of one class and average= for that of all|write one of them",
    ),
    (
        "classwise_ece(class=1)",
        "class= asks for one class of class_scores=|ece with by= the class has its value",
    ),
    ("ndcg(gain=cubic)", "gain must be one of exponential, linear, binary|got cubic"),
    ("ndcg(ideal=best)", "ideal must be one of judged, listed, full|got best"),
    ("ndcg(average=pooled)", "average must be one of mean, micro|got pooled"),
    ("ndcg(on_empty=null)", "on_empty must be one of|zero, one, error|got null"),
    ("ndcg(on_missing=drop)", "on_missing must be one of zero, skip, error|got drop"),
    ("map(denominator=r)", "denominator must be one of capped, relevant, cutoff, hits|got r"),
    ("precision(denominator=r)@5", "denominator must be one of cutoff, listed|got r"),
    ("map(denominator=cutoff)", "needs a cutoff|map(denominator=cutoff)@10"),
    ("ndcg(item_weight=w)@5", "item_weight"),
    ("map(item_weight=w)@5", "no capped denominator|map(item_weight=w, denominator=relevant)@5"),
    # The cutoff.
    ("ndcg@0", "k must be an integer >= 1, got 0"),
    ("ndcg@-1", "k must be an integer >= 1, got -1"),
    ("ndcg(k=0)", "k must be an integer >= 1, got 0"),
    ("ndcg@1.5", "integer >= 1|'1.5'"),
    ("ndcg@ten", "integer >= 1|'ten'"),
    ("ndcg@", "integer >= 1|''"),
    ("ndcg@9223372036854775808", "k must be|9223372036854775808"),
    ("ndcg(gain=binary, ideal=cutoff)@1000001", "k must be an integer >= 1 and <= 1000000|got 1000001"),
    ("auc@5", "auc: takes no cutoff|write 'auc'"),
    ("precision(k=none)", "precision|k must be an integer >= 1"),
    # Numbers.
    ("precision(threshold=high)", "threshold must be a number, got high"),
    ("precision(threshold=none)", "threshold must be a number"),
    ("precision(threshold=NaN)", "threshold must be a number"),
    ("precision(threshold=INF)", "threshold must be a number"),
    ("precision(threshold=1e400)", "threshold must be a number"),
    ("f_beta(beta=-1)", "beta must be a number >= 0|got -1"),
    ("log_loss(eps=0)", "eps must be a number > 0 and <= 0.5, got 0"),
    ("dcg(log_base=1)", "log_base must be a number|got 1"),
    ("f1(zero_division=2)", "zero_division must be a number >= 0 and <= 1, got 2"),
    # What cannot be read.
    ("", "cannot be read|name@k|name(parameter=value, ...)@k"),
    ("@5", "'@5' cannot be read"),
    ("ndcg@5@6", "'ndcg@5@6' cannot be read"),
    ("ndcg(gain=linear", "'ndcg(gain=linear' cannot be read"),
    ("ndcg(linear)", "write parameter=value, got 'linear'"),
    ("ndcg(gain=)", "write parameter=value, got 'gain='"),
    ("ndcg(gain=linear, gain=binary)", "gain|twice"),
    ("ndcg(k=5)@3", "k|twice"),
    ("auc, ndcg(gain=linear)@10", "several metrics|a list, ['auc', 'ndcg(gain=linear)@10']"),
    ("recall(class='a,(b'),auc", """several metrics|a list, ["recall(class='a,(b')", 'auc']"""),
    ("mrr(on_empty=skip)", "on_empty must be one of none, zero, one, error, got skip"),
]


@pytest.mark.slow
@pytest.mark.parametrize(("notation", "words"), NOTATIONS, ids=words_of(NOTATIONS))
def test_notations(notation, words):
    assert_told(told(sm.evaluate, ROWS, notation, **CALL), words)
    assert_told(told(sm.render, "predictions", notation, **CALL), words.split("|")[0])


# What is passed besides or instead of CALL, and the words of the refusal.
ARGUMENTS = [
    ({"metrics": []}, "No metric|'auc'"),
    ({"metrics": {}}, "No metric|'auc'"),
    ({"metrics": None}, "No metric|'auc'"),
    ({"metrics": 5}, "metrics=|got 5"),
    ({"metrics": ["auc", 5]}, "metric is text|'auc'|got 5"),
    ({"metrics": {"a": ["auc"]}}, "metric is text|got ['auc']"),
    ({"metrics": {1: "auc"}}, "name|1"),
    ({"metrics": {"": "auc"}}, "name|''"),
    ({"metrics": ["auc", "auc"]}, "named 'auc'|name one of them, metrics={"),
    ({"metrics": ["ndcg@5", "NDCG@5"]}, "named 'ndcg_5'|name one of them, metrics={"),
    ({"metrics": {"A": "auc", "a": "ks"}}, "named 'a'"),
    ({"metrics": {"n_rows": "auc"}}, "named 'n_rows'|mapping"),
    ({"metrics": {"is_total": "auc"}, "by": "user"}, "named 'is_total'"),
    ({"metrics": {"is_total": "auc"}}, "named 'is_total'"),
    ({"total": "no"}, "total must be true or false, got the text"),
    ({"total_of": "groups"}, "total_of: 'groups' is not known. Allowed: rows, slices"),
    ({"total_name": " ", "by": "user"}, "total_name must be a text such as 'all', got"),
    ({"total_of": "slices"}, "total_of='slices' is the mean of the slices; pass their columns as by="),
    (
        {"total_of": "slices", "by": "ad", "total": False},
        "total_of='slices' is the mean of the slices; leave total=False out",
    ),
    (
        {"total_of": "slices", "by": "ad", "interval": 0.9, "interval_method": "bootstrap"},
        "interval_method='bootstrap' has no mean of slices; leave it out, or total_of=",
    ),
    (
        {"total_of": "slices", "by": "ad", "interval": 0.9, "metrics": "ks"},
        "'ks' has no formula for its standard error, so the mean of slices has no interval; leave interval= out",
    ),
    ({"metrics": {"model": "auc"}, "score": {"a": "p"}}, "named 'model'"),
    ({"metrics": {"user": "auc"}, "by": "user"}, "named 'user'"),
    ({"by": ["user", "user"]}, "named 'user'"),
    (
        {"by": {"sm_slice": "user"}, "metrics": "ks", "interval": 0.9},
        "by='sm_slice': with a bootstrap the statement's own columns alone begin with sm_|by={'slice': 'sm_slice'}",
    ),
    (
        {"label": "click"},
        "Column 'click' (label=)|Did you mean 'clicked'?|Columns: clicked, p, user, ad, w|sm.sql(",
    ),
    ({"label": "CLICKED"}, "Column 'CLICKED'|Did you mean 'clicked'?"),
    ({"label": "clicked > 0"}, "sm.sql('clicked > 0')"),
    ({"score": "q"}, "Column 'q' (score=)|Columns: clicked"),
    ({"score": {"a": "p", "b": "q"}}, "Column 'q' (score=)"),
    ({"group": "usr"}, "Column 'usr' (group=)|Did you mean 'user'?"),
    ({"item": "id"}, "Column 'id' (item=)"),
    ({"weight": "weight"}, "Column 'weight' (weight=)"),
    ({"by": ["user", "day"]}, "Column 'day' (by=)"),
    ({"label": 5}, "label= takes a column name or sm.sql(...)|got 5"),
    ({"label": ["clicked"]}, "label= takes a column name or sm.sql(...)|got ['clicked']"),
    ({"score": ["p", "p"]}, "score= lists 'p' twice"),
    ({"score": ["p", 3]}, "score= takes a column name or sm.sql(...), got"),
    ({"score": 3}, "score= takes a column name"),
    ({"group": []}, "group=[] names no column"),
    ({"group": 5}, "group= takes a column name"),
    ({"by": 5}, "by= takes|got 5"),
    ({"by": ["user", 5]}, "by= takes a column name|got 5"),
    ({"by": {"user": ["ad"]}}, "by= takes a column name|got ['ad']"),
    ({"score": {1: "p", "1": "w"}}, "Two models are named '1'"),
    ({"score": {}}, 'score={}|score={"model a": "score_a"}'),
    ({"label": sm.sql("nope > 1")}, "nope"),
    ({"label": sm.sql("")}, "label=|sql('')"),
    ({"metrics": "ndcg", "group": sm.sql("")}, "group=|sql('')"),
    # A metric without what it needs.
    ({"label": None}, "sqlmetrics.auc: needs label="),
    ({"score": None}, "sqlmetrics.auc: needs score="),
    ({"score": None, "interval": 0.95}, "sqlmetrics.auc: needs score="),
    ({"score": None, "interval": 0.95, "prediction": "clicked"}, "sqlmetrics.auc: needs score="),
    ({"metrics": "ndcg@5", "group": None}, "sqlmetrics.ndcg@5: needs group="),
    ({"metrics": "gauc", "score": None}, "sqlmetrics.gauc: needs score="),
    ({"metrics": "rmse", "label": None}, "sqlmetrics.rmse: needs label="),
    ({"metrics": "err@5"}, "sqlmetrics.err@5: needs max_grade="),
    # Options.
    ({"metrics": "ndcg", "ties": "avg"}, "ties|'avg'|average, worst, best, item, item desc, text desc"),
    ({"metrics": "ndcg", "ties": "item"}, "ties='item' needs item="),
    ({"metrics": "ndcg", "ties": "item desc"}, "ties='item desc' needs item="),
    ({"on_extra": "ignore"}, "on_extra: 'ignore' is not known. Allowed: drop, error"),
    ({"on_extra": "error"}, "on_extra='error' needs truth="),
    ({"on_duplicate": "last"}, "on_duplicate: 'last' is not known. Allowed: error, first"),
    ({"on_duplicate": "first"}, "on_duplicate='first' needs item="),
    ({"unjudged": "relevant"}, "unjudged: 'relevant' is not known. Allowed: not_relevant, drop"),
    ({"soft": 1}, "soft must be true or false, got 1"),
    (
        {"soft": True, "positive": 0.5},
        "positive= does not go with soft=True, where a label is the chance of a",
    ),
    ({"soft": True, "metrics": "gauc"}, "gauc: takes no soft labels, since it is no sum over weighted rows"),
    (
        {"soft": True, "metrics": "mse"},
        "mse: takes no soft labels, since it reads the label as a number|log_loss",
    ),
    (
        {"soft": True, "metrics": "count"},
        "count: takes no soft labels, since it counts rows, and not their weight",
    ),
    (
        {"soft": True, "metrics": "accuracy", "prediction": "clicked"},
        "accuracy: takes no soft labels, since it compares classes; name a threshold to read the score",
    ),
    (
        {"soft": True, "metrics": "spiegelhalter_z"},
        "since it reckons with the chance by which labels of 0 and 1 are",
    ),
    (
        {"metrics": "gauc(weight=w)", "weight": "w"},
        "sqlmetrics.gauc(weight=w): weight=w names the column that already is weight=|squared|Pass it once",
    ),
    ({"metrics": "dcg(item_weight=propensity)"}, "'propensity' is no column"),
    ({"on_bad_rows": "ignore"}, "on_bad_rows|'error'|'drop'|'ignore'"),
    ({"metrics": "err", "max_grade": 0}, "max_grade must be a number >= 1|got 0"),
    ({"metrics": "err", "max_grade": "5"}, "max_grade must be a number"),
    ({"metrics": "err", "max_grade": NAN}, "max_grade must be a number"),
    ({"positive": "yes"}, "positive='yes' is text|'clicked'|pass a number"),
    ({"positive": [1]}, "positive|[1]"),
    ({"positive": NAN}, "positive|nan"),
    ({"connection": "x"}, "connection= takes an open connection of DuckDB|got str"),
    ({"truth": ROWS}, "truth= needs group= and item="),
    (
        {"truth": ROWS, "item": "ad", "metrics": "ndcg", "prediction": "p"},
        "prediction= stands beside the label of its row, so it does not go with truth=",
    ),
    (
        {"truth": ROWS, "item": "ad", "metrics": "ndcg", "positive": 0},
        "positive must be above 0 with truth=, where an item that is not judged has label 0, got 0",
    ),
    (
        {
            "metrics": "classwise_ece(class=owl)",
            "score": None,
            "group": None,
            "class_scores": {"cat": "p", "dog": "w"},
        },
        "class= is no class of class_scores=, which names 'cat', 'dog', got owl",
    ),
    ({"truth": ROWS, "item": "ad"}, "truth= serves metrics of lists and items only|ndcg@10"),
    # A metric of rows beside one of lists is refused as it is alone.
    (
        {"truth": ROWS, "item": "ad", "metrics": ["ndcg@5", "rmse"]},
        "truth= serves metrics of lists and items only",
    ),
]


@pytest.mark.parametrize(("changes", "words"), ARGUMENTS, ids=words_of(ARGUMENTS))
def test_arguments(changes, words):
    assert_told(told(sm.evaluate, ROWS, **{"metrics": "auc", **CALL, **changes}), words)


# What `render` refuses: it has no data to look at, and must not write SQL that cannot run.
RENDERED = [
    (
        {"dialect": "duckdbb"},
        "Unknown dialect 'duckdbb'|Did you mean 'duckdb'?|Known: ",
    ),
    ({"dialect": None}, "dialect|None"),
    ({"label": None}, "sqlmetrics.auc: needs label="),
    ({"label": 5}, "label= takes a column name"),
    ({"by": 5}, "by= takes"),
    ({"relation": None}, "relation|None"),
    ({"relation": ""}, "relation|''"),
    ({"item": "ad", "truth": 5}, "truth takes a table name or a query, got 5"),
    ({"item": "ad", "catalog": ["t"]}, "catalog takes a table name or a query, got ['t']"),
    ({"item": "ad", "history": ""}, "history takes a table name or a query, got ''"),
    ({"item": "ad", "distances": ROWS}, "distances takes a table name or a query"),
    ({"score": {}}, "score={}"),
    ({"positive": [1]}, "positive|[1]"),
    ({"ties": "avg"}, "ties|'avg'"),
    ({"score_levels": "few"}, "score_levels|sorted|counted|few"),
    ({"metrics": {"A": "auc", "a": "ks"}}, "named 'a'"),
    ({"metrics": {"n_rows": "auc"}}, "named 'n_rows'"),
    ({"metrics": "ndcg", "item": "ad", "truth": "t", "truth_by": "day"}, "truth_by|day"),
]


@pytest.mark.parametrize(("changes", "words"), RENDERED, ids=words_of(RENDERED))
def test_render(changes, words):
    assert_told(told(sm.render, **{"metrics": "auc", "relation": "t", **CALL, **changes}), words)


# What the macros refuse that are models of dbt: Python's functions do not take it, or refuse it before.
SEVERAL = {"score": {"old": "p", "new": "w"}, "baseline": "old"}
MACROS = [
    (
        "state",
        {"period": "day", "gold": "human"},
        "state takes no gold=; a state keeps sums of one label|pass the rows to evaluate(gold=...). It takes: label,",
    ),
    (
        "find_slices",
        {"by": "ad", "gold": "human"},
        "find_slices takes no gold=; a search halves the labels|name the slices in evaluate(by=..., gold=...)",
    ),
    ("finish", {"period": "day", "made_where": 5}, "made_where= takes the where= of `state`, a text, got 5"),
    ("finish", {"period": ["day", "week"]}, "period= takes one column, or one expression as {'week': "),
    (
        "compare",
        {"period": "day", "score": {"old": "p", "new": "w"}, "baseline": "old", "of_state": True},
        "auc: no state of periods compares models by it|take one that is, such as log_loss, or compare the rows",
    ),
    (
        "compare",
        {"score": {"old": "p", "new": "w"}, "baseline": "old", "other": "u"},
        "other= has the candidates|leave it out where score=",
    ),
    (
        "compare",
        {"score": "p", "of_state": True, "period": "day", "baseline": "p"},
        "score= of a comparison has several models",
    ),
    (
        "compare",
        {"score": {"old": "p", "new": "w"}, "baseline": None},
        "compare needs baseline=|Models: old, new",
    ),
    (
        "compare",
        {"score": {"old": "p", "new": "w"}, "baseline": "old", "candidate": {"new": "w"}},
        "candidate= takes names of models of score=",
    ),
    (
        "compare",
        {"score": {"old": "p", "new": "w"}, "baseline": "older"},
        "baseline= names no model: 'older'. Models: old, new",
    ),
    (
        "compare",
        {"score": {"old": "p", "new": "w"}, "baseline": "old", "candidate": ["old"]},
        "'old' is named twice",
    ),
    (
        "compare",
        {"score": {"old": "p"}, "baseline": "old"},
        "score= has no model beside the baseline, 'old'; pass two at least",
    ),
    (
        "compare",
        {"score": {"old": "p", "new": "w"}, "baseline": "old", "of_state": "yes"},
        "of_state must be true or false, got yes",
    ),
    (
        "compare",
        {"score": {"old": "p", "new": "w"}, "baseline": "old", "period": "day"},
        "period= and made_where= are of a state; leave them out",
    ),
    (
        "compare",
        {
            "score": {"old": "p", "new": "w"},
            "baseline": "old",
            "period": "day",
            "of_state": True,
            "test": "sign",
        },
        "test='sign' reads the rows, and a state keeps their sums; leave test= out, pass test='anytime'",
    ),
    (
        "compare",
        {**SEVERAL, "by": "ad", "total_of": "slices", "period": "day", "of_state": True},
        "total_of='slices' needs the rows, and a state keeps sums of the pairs of its models; leave it out",
    ),
    (
        "compare",
        {**SEVERAL, "by": "ad", "total_of": "slices", "gold": "human"},
        "gold= has no mean of slices; leave it or total_of= out",
    ),
    (
        "compare",
        {**SEVERAL, "by": "ad", "total_of": "slices", "paired": False},
        "total_of='slices' compares models on the same data; leave it out with paired=False",
    ),
    (
        "compare",
        {**SEVERAL, "by": "ad", "total_of": "slices", "test": "wilcoxon"},
        "test='wilcoxon' has no mean of slices, whose tests are t and anytime; leave test= or total_of= out",
    ),
    (
        "leaderboard",
        {"score": {"old": "p"}},
        "A leaderboard ranks two models or more; pass them as score=['score_a'",
    ),
    (
        "leaderboard",
        {"score": SEVERAL["score"], "on_unpaired": "union"},
        "on_unpaired: 'union' is not known. Allowed: error, intersection",
    ),
    (
        "leaderboard",
        {"score": SEVERAL["score"], "group": "user", "truth": "judged", "on_unpaired": "intersection"},
        "on_unpaired='intersection' does not go with truth=, where a list that a model lacks has a value",
    ),
    (
        "draw_labels",
        {"gold": "human", "by": "ad", "budget": 5, "key": "id", "seed": -1},
        "seed= takes an integer from 0 to 1e6, got -1",
    ),
    (
        "draw_labels",
        {"gold": "human", "by": "ad", "budget": 5},
        "pass the column that identifies a row as key=",
    ),
    (
        "draw_labels",
        {"gold": "human", "by": "ad", "budget": 5, "key": "id", "group": "user"},
        "draws whole lists by group=; leave key= out",
    ),
    (
        "evaluate",
        {"gold": "human", "by": "ad", "total_of": "slices"},
        "gold= has no mean of slices; leave it or total_of= out",
    ),
    (
        "plan_labels",
        {"gold": "human", "by": "ad", "budget": 0},
        "budget= takes the number of rows (or lists) to label|got 0",
    ),
    (
        "plan_labels",
        {"gold": None, "by": "ad", "budget": 5},
        "pass the column of its labels by people as gold=",
    ),
    (
        "plan_labels",
        {"gold": "human", "budget": 5},
        "plan_labels divides labels among slices; pass their columns as by=",
    ),
    (
        "plan_labels",
        {"gold": "human", "by": "ad", "budget": 5, "score": ["p", "w"]},
        "plans for one model; pass the column of its score",
    ),
    (
        "plan_labels",
        {"gold": "human", "by": "ad", "budget": 5, "metrics": ["auc", "brier"]},
        "plans for one metric; ask for each in a call of its own",
    ),
    (
        "plan_labels",
        {"gold": "human", "by": "ad", "budget": 5, "metrics": "brier", "group": "user"},
        "plan_labels draws single rows for 'brier'; leave group= out",
    ),
    (
        "finish",
        {"period": "day", "interval": 0.9, "interval_method": "bootstrap"},
        "interval_method=bootstrap draws rows, and a state keeps their sums",
    ),
    (
        "evaluate",
        {"gold": "human", "metrics": "ks"},
        "'ks' cannot be corrected by gold=: it has no formula for its",
    ),
    (
        "evaluate",
        {"gold": "human", "metrics": "total(column=cost)"},
        "'total(column=cost)' cannot be corrected by gold=|a total is of all rows. Take mean(column=...) of the",
    ),
    (
        "evaluate",
        {"gold": "human", "metrics": "selection_rate"},
        "'selection_rate' cannot be corrected by gold=: it reads no label. base_rate is",
    ),
    ("evaluate", {"soft": True, "label": None, "metrics": "mean(column=cost)"}, "soft=True needs label="),
    ("evaluate", {"metrics": "mean"}, "sqlmetrics.mean: needs column=, the name of a column"),
]


@pytest.mark.parametrize(("macro", "changes", "words"), MACROS, ids=words_of(MACROS))
def test_macros(macro, changes, words):
    call = {"relation": "t", "metrics": "auc", "label": "clicked", "score": "p", **changes}
    assert_told(told(macros("duckdb")[macro], **call), words)


@pytest.mark.parametrize("name", ["ncdg", "", None, 5])
def test_describe(name):
    assert_told(told(sm.describe, name), "etric")


@pytest.mark.parametrize(
    ("name", "words"), [("serch", "Did you mean 'search'?"), ("", "''"), (None, "None"), (5, "5")]
)
def test_example(name, words):
    assert_told(told(sm.example, name), f"Unknown example|{words}|Known: search")


FILES = [
    ("nope.parquet", "No file matches|nope.parquet"),
    ("nope*.parquet", "No file matches|nope*.parquet"),
    ("predictions", "No file matches 'predictions'|table name|connection="),
    ("select 1 as clicked", "No file matches|query|connection="),
    ("", "No file matches ''"),
    ("text.parquet", "text.parquet|Parquet"),
    ("empty.parquet", "empty.parquet|Parquet"),
    ("predictions.dat", "predictions.dat|it is not a Parquet file|.csv"),
    ("folder", "folder"),
    ("header.csv", "Column 'p' (score=)|header.csv|Columns: a, b"),
    (
        "words.csv",
        "Column 'p' (score=) has to be numbers, and line 3 of words.csv has 'n/a'|try_cast(p as double)",
    ),
    ("long.csv", "Line 1 of long.csv|has another number of values than the lines from line 3 on"),
    ("short.csv", "Columns: clicked,p (one column, since|different numbers of values"),
    ("none.csv", "none.csv has no row"),
    ("names.csv", "names.csv has no row"),
    ("mark.json", "Columns: json (one column, since|byte order mark"),
    ("none.json", "none.json has no row"),
]


@pytest.mark.parametrize(("path", "words"), FILES, ids=words_of(FILES))
def test_files(path, words, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "folder").mkdir()
    (tmp_path / "text.parquet").write_text("clicked,p\n1,0.5\n")
    (tmp_path / "empty.parquet").touch()
    (tmp_path / "predictions.dat").write_text("p\n1\n")
    (tmp_path / "header.csv").write_text("a,b\n1,2\n")
    (tmp_path / "words.csv").write_text("clicked,p\n1,0.5\n0,n/a\n")
    (tmp_path / "long.csv").write_text("clicked,p\n1,0.5\n0,0.2,9\n")
    (tmp_path / "short.csv").write_text("clicked,p\n1,0.5\n0,0.2\n0\n")
    (tmp_path / "none.csv").touch()
    (tmp_path / "names.csv").write_text("clicked,p\n")
    (tmp_path / "mark.json").write_text('\ufeff[{"clicked": 1, "p": 0.5}]')
    (tmp_path / "none.json").touch()
    assert_told(told(sm.evaluate, path, "auc", label="clicked", score="p"), words)
    assert_told(told(sm.evaluate, ["words.csv", "no.csv"], "auc", label="clicked", score="p"), "no.csv")


def test_a_column_that_one_of_two_files_lacks(tmp_path):
    for name, columns in {"a": {"clicked": [1, 0], "p": [0.5, 0.4]}, "b": {"clicked": [1, 0]}}.items():
        pq.write_table(pa.table(columns), tmp_path / f"{name}.parquet")
    files = [tmp_path / "a.parquet", tmp_path / "b.parquet"]
    assert_told(
        told(sm.evaluate, files, "auc", label="clicked", score="p"),
        "column 'p' is NULL in the rows of|b.parquet, which has no such column; pass on_bad_rows='drop'",
    )


TYPED = pa.table(
    {
        "clicked": [1, 0],
        "p": [0.5, 0.4],
        "text": ["a", "b"],
        "day": pa.array([0, 1], pa.date32()),
        "list": [[1], [2]],
        "flag": [True, False],
    }
)
TYPES = [
    ({"label": "day"}, "Label column 'day' is DATE and has to be numbers"),
    ({"score": "day"}, "'day' (score=)|is DATE and has to be numbers"),
    ({"weight": "list"}, "'list' (weight=)|is a list (BIGINT[]) and has to be numbers|cross join unnest("),
    ({"label": "flag", "positive": "true"}, "'flag' is BOOLEAN|leave it out"),
    ({"metrics": "f1", "label": "text", "prediction": "text"}, "positive='...'|average="),
    ({"metrics": "f1", "label": "day", "prediction": "day"}, "'day' is DATE"),
    (
        {"metrics": "accuracy", "label": "day", "prediction": "text"},
        "'day' is DATE|'text' is text|label=sm.sql('cast(\"day\" as varchar)')",
    ),
    (
        {"metrics": "accuracy", "prediction": "day"},
        "'clicked' is a number|'day' is DATE, which cannot be compared",
    ),
]


@pytest.mark.parametrize(("changes", "words"), TYPES, ids=words_of(TYPES))
def test_types(changes, words):
    assert_told(
        told(sm.evaluate, TYPED, **{"metrics": "auc", "label": "clicked", "score": "p", **changes}), words
    )


def test_classes_of_a_type_that_is_no_number():
    [row] = sm.evaluate(TYPED, {"a": "recall(class=1970-01-01)"}, label="day", prediction="day").to_dicts()
    assert row["a"] == 1


def test_a_mean_of_slices_has_the_values_that_are_refused():
    assert_told(
        told(sm.evaluate, with_first(p=1.5), "log_loss", by="ad", total_of="slices", **CALL),
        "1 rows have a score outside [0, 1], such as 1.5",
    )


def test_models_of_a_state_are_in_all_of_it():
    days = [[{"day": d, "y": i % 2, "a": i / 20, "b": 0.5} for i in range(20)] for d in "xy"]
    facts = {"label": "y", "period": "day", "intervals": True}
    scores = ["a", "b"], {"a": "a", "c": "b"}
    states = [sm.state(day, "brier", score=of, **facts) for day, of in zip(days, scores, strict=True)]
    assert_told(
        told(sm.compare, states, "brier", baseline="a", candidate="b"),
        "1 periods, or slices of them, in the data lack one of the models a, b|leave these periods out with where=",
    )
    assert (
        sm.compare(states, "brier", baseline="a", candidate="b", where="day = 'x'").to_dicts()[0]["n_pairs"]
        == 20
    )


def test_a_state_holds_its_options():
    rows = [{"day": 1, "y": i % 2, "a": i / 20, "b": 0.5} for i in range(20)]
    state = sm.state(rows, "brier", score=["a", "b"], label="y", period="day", intervals=True)
    for option in ({"soft": True}, {"positive": 3}, {"convention": "sklearn"}):
        assert_told(
            told(sm.compare, state, "brier", baseline="a", **option),
            f"The data are a state, which holds its columns and options; leave out {next(iter(option))}=",
        )


def test_a_state_holds_its_columns():
    """Whatever reads it says so of columns that the call names, be they those with which it was made."""
    rows = [{"day": 1, "y": i % 2, "a": i / 20, "b": 0.5} for i in range(20)]
    roles = {"label": "y", "score": ["a", "b"], "group": "g"}
    state = sm.state(rows, "brier", score=["a", "b"], label="y", period="day", intervals=True)
    sentence = "he data are a state, which holds its columns and options; leave out "
    for asked in (sm.evaluate, sm.per_group, sm.compare):
        named = {"baseline": "a"} if asked is sm.compare else {}
        assert f"T{sentence}label=, score=, group=" in told(asked, state, "brier", **named, **roles)
        assert f"T{sentence}label=" in told(asked, state, "brier", **named, label="y")
    assert f"T{sentence}label=, score=" in told(sm.curve, state, "roc", label="y", score="a")
    assert f"T{sentence}label=" in told(sm.explain_change, state, "brier", by="day", label="y")
    for function, *asked in ((sm.finish, "brier"), (sm.finish_curve, "roc"), (sm.semantic, "brier")):
        with pytest.raises(TypeError, match=rf"'label'; t{sentence}label=, score=, group=$"):
            function(state, *asked, **roles)
    finished = "The data are a state; its metrics are computed by sqlmetrics.finish"
    for asked, by in (
        (sm.evaluate, {}),
        (sm.per_group, {}),
        (sm.leaderboard, {}),
        (sm.find_slices, {"by": "day"}),
    ):
        assert told(asked, state, "count", **by) == finished
    assert told(sm.state, state, "count", period="day") == finished
    assert_told(told(sm.check, state, "brier < 1"), "got State; finish(state, metrics) has its values")


def test_scores_of_a_log_that_are_words():
    logs = sm.read_evals(TESTS / "support/evals/langfuse/scores.csv")
    assert_told(
        told(sm.evaluate, logs, where="scorer = 'tone'"),
        "Scores of tone are words; the share of one is rate(where='label = ''curt''')",
    )


def test_a_pandas_series_is_no_table():
    series = pytest.importorskip("pandas").Series([1, 0])
    assert_told(
        told(sm.evaluate, series, "auc", label="clicked", score="p"), "Cannot read data of type Series"
    )


OBJECTS = [
    (None, "Pass either data or arrays|got neither"),
    (5, "int"),
    (b"x.parquet", "bytes"),
    ([1, 2], "list"),
    ([ROWS[0], 5], "list"),
    (object(), "object"),
    ([], "no row"),
    ({}, "no column|no row"),
    (pa.table({"clicked": pa.array([], pa.int64()), "p": pa.array([], pa.float64())}), "no row"),
    (pa.table({}), "column"),
    ({"clicked": [1, 0], "p": [0.5]}, "'p'|length"),
    ({"clicked": 1, "p": 0.5}, "clicked"),
    ([{"clicked": 1, "p": 0.5}, {"clicked": 0, "p": "high"}], "high"),
    ([{"clicked": 1, "p": object()}], "object"),
    ([{0: 1, 1: 0.5}], "name"),
]


@pytest.mark.parametrize(("data", "words"), OBJECTS, ids=words_of(OBJECTS))
def test_objects(data, words):
    assert_told(told(sm.evaluate, data, "auc", label="clicked", score="p"), words)


TABLES = [
    ("nope", "nope|no table"),
    ("nope.parquet", "nope.parquet|file"),  # no table, and no file either
    ("select * from nope", "nope|does not exist"),
    ("select * frm t", "syntax error"),
    ("t limit 1; create table t2 as from t; from t", "t2"),  # never two statements
]


@pytest.mark.parametrize(("relation", "words"), TABLES)
def test_tables_of_a_connection(relation, words):
    with duckdb.connect() as connection:
        connection.sql("create table t as select 1 as clicked, 0.5 as p")
        assert_told(
            told(sm.evaluate, relation, "auc", label="clicked", score="p", connection=connection), words
        )
        assert connection.sql("show tables").fetchall() == [("t",)]


def test_closed_connection():
    connection = duckdb.connect()
    connection.close()
    for data in (pa.Table.from_pylist(ROWS), "t", __file__):
        assert_told(told(sm.evaluate, data, "auc", **CALL, connection=connection), "closed")


def test_relation_that_fails():
    with duckdb.connect() as connection:
        failing = connection.sql(
            "select 1 as clicked, cast(x as double) as p from (values ('high')) as t (x)"
        )
        assert_told(told(sm.evaluate, failing, "auc", label="clicked", score="p"), "high")


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_missing_frame_library(library, monkeypatch):
    report = sm.evaluate(ROWS, "auc", **CALL)
    monkeypatch.setitem(sys.modules, library, None)
    assert_told(
        told(getattr(report, f"to_{library}")), f"to_{library}() needs {library}|pip install {library}"
    )


@pytest.mark.parametrize("metric", ["precision(threshold=high)", "ncdg", "precision(threshold=0.5)"])
def test_a_traceback_ends_at_the_public_function(metric):
    """The frames of macros say nothing to a caller, and are many."""
    rows = [{**row, "clicked": 5} for row in ROWS]
    with pytest.raises(sm.SqlMetricsError) as caught:
        sm.evaluate(rows, metric, **CALL)
    frames = traceback.extract_tb(caught.value.__traceback__)
    assert [Path(frame.filename).name for frame in frames] == [Path(__file__).name, "options.py"]
    assert caught.value.__context__ is None


SOFT = {"label": "p", "score": "p", "soft": True}


def test_curves_and_states_of_soft_labels_have_no_intervals() -> None:
    for kind, words in (
        (
            "calibration",
            "calibration: takes no soft labels, since its band counts the outcomes of a row as two rows",
        ),
        ("residuals", "residuals: takes no soft labels, since it reads the label as a number"),
    ):
        assert_told(told(sm.curve, ROWS, kind, **SOFT), words)
    assert_told(
        told(sm.curve, ROWS, "roc", interval=0.9, **SOFT), "A curve of soft labels has no band; leave out"
    )
    state = told(sm.state, ROWS, "log_loss", period="user", intervals=True, **SOFT)
    assert_told(state, "A state of soft labels has no intervals|sm.evaluate(..., soft=True, interval=0.95)")


def test_winners_by_name_are_told_what_to_write():
    battles = [("x", "y", "x"), ("y", "x", "x"), ("x", "y", "y"), ("x", "y", "tie")]
    names = [dict(zip(("model_a", "model_b", "winner"), battle, strict=True)) for battle in battles]
    message = told(sm.bradley_terry, names)
    assert_told(
        message, "Column 'winner' has names of models, such as 'x', and takes model_a, model_b or tie"
    )
    winner = eval(message.partition("write winner=")[2], {"sm": sm})
    assert [row["wins"] for row in sm.bradley_terry(names, winner=winner).to_dicts()] == [2, 1]


def test_long_integers_do_not_meet_floats():
    """As floats, by which an engine compares the two, neighbours of 2^53 and more are one key."""
    least = 2**53
    keys = {"g": [1, 1, 1], "i": [least, least + 1, least + 2], "s": [0.1, 0.9, 0.5]}
    facts = {"score": "s", "group": "g", "item": "i"}
    words = f"Column 'i' (item=) is integers in the data, such as {least}, and floats in the"
    catalog = {"i": [float(least), float(least + 2)]}
    assert words in told(sm.evaluate, keys, "catalog_coverage@3", catalog=catalog, **facts)
    truth = {"g": [1], "i": [float(least)], "y": [1]}
    assert words in told(sm.evaluate, keys, "mrr", truth=truth, label="y", **facts)
    # smaller ones are exact as floats
    small = {**keys, "i": [1, 2, 3]}
    found = sm.evaluate(small, "mrr", truth={**truth, "i": [2.0]}, label="y", **facts)
    assert found.value("mrr") == 1
