"""Names that are no metric here: each is answered with what to write, and what an answer says to write works."""

from __future__ import annotations

import re
from typing import Any

import pytest

import sqlmetrics as sm
from sqlmetrics.book.catalog import catalog, check, check_curve, curves
from sqlmetrics.book.notation import parsed
from sqlmetrics.book.templates import macros

ANSWERS: dict[str, str] = dict(macros("duckdb")["absent_names"]())
SENTENCES = sorted({*ANSWERS.values()})
#: names of our metrics and of other libraries, without cutoffs
NAMES = {metric.name for metric in catalog().values()} | {
    key.partition("@")[0] for metric in catalog().values() for alias in metric.aliases for key in alias.keys
}
CALL = re.compile(r"sqlmetrics\.(\w+)(?: with '([^']+)')?")
NOTATION = re.compile(r"[A-Za-z]\w*(?:\.\d+)?(?:\([^)]*\))?(?:@[\d.]+)?")
#: without brackets the last four are words
NO_METRICS = {"n_rows", "n_groups", "trec_eval", "mean", "total", "quantile", "rate"}

#: what people ask of scikit-learn, torchmetrics, evidently, pROC and others
ASKED = """
psi wasserstein kl_divergence ks_test chi2_contingency mcnemar delong p_value confusion_matrix
classification_report roc_curve precision_recall_curve det_curve calibration_curve lift_chart wer bleu
perplexity nll kendall rank_biased_overlap avg median silhouette_score ssim iou dice f1_macro fbeta_score hinge_loss
top_k_accuracy_score c_index nse mdape aic elo ctr youden fleiss_kappa demographic_parity ndcg_at_k
"""

ROWS: list[dict[str, Any]] = [
    {
        "g": n % 6, "i": f"i{n // 6}", "t": n % 2, "y": int(n * n % 7 < 3), "p": (n * 13 % 29 + 1) / 31, "c": n % 3 % 2,
        "sex": "mf"[n // 5 % 2], "treated": n // 3 % 2, "baseline": n * 7 % 11 / 11, "lo": 0.0, "hi": 0.9,
        "one": int(n // 6 == n % 6), "latency": n / 10, "cost": n % 4,
        "class": "ab"[n % 2], "pa": 0.25, "pb": 0.75,
    }
    for n in range(60)
]  # fmt: skip
ITEMS = [{"i": f"i{n}", "kind": n % 3} for n in range(10)]
SCORED = {"label": "y", "score": "p"}
LISTED = {**SCORED, "group": "g", "item": "i"}
#: the facts that metrics need, the fewest first
FACTS: list[dict[str, Any]] = [
    SCORED,
    {"label": "y", "prediction": "c"},
    LISTED,
    {**LISTED, "max_grade": 1},
    {**LISTED, "label": "one"},
    {"score": "p", "group": "g", "item": "i", "catalog": ITEMS, "history": ROWS},
    {"score": "p", "group": "g", "item": "i", "catalog": ITEMS, "category": "kind"},
    {**LISTED, "truth": ROWS, "subtopic": "t"},
    {"label": "class", "class_scores": {"a": "pa", "b": "pb"}},
]


def calls(sentence: str) -> list[tuple[str, str]]:
    """The functions that an answer names, with the curve of one."""
    return CALL.findall(sentence)


def notations(sentence: str) -> list[str]:
    """The metrics that an answer names."""
    words = NOTATION.findall(CALL.sub("", sentence))
    return [
        word
        for word in words
        if word not in NO_METRICS
        and ("_" in word or "@" in word or "(" in word or (word.lower() in NAMES and len(word) > 1))
    ]


def test_the_names_that_people_try() -> None:
    asked = ASKED.split()
    assert len(asked) >= 40
    assert not {*asked} - {*ANSWERS}
    assert {*ANSWERS}.isdisjoint({*curves(), *(metric.name for metric in catalog().values())})


@pytest.mark.parametrize("sentence", SENTENCES)
def test_what_an_answer_says_to_write_works(sentence: str) -> None:
    for function, curve in calls(sentence):
        assert function in sm.__all__
        assert function in macros("duckdb")
        if curve:
            assert len(sm.curve(ROWS, curve, **SCORED))
    for notation in notations(sentence):
        check(notation)
        assert any(is_computed(notation, facts) for facts in FACTS), notation
    assert calls(sentence) or notations(sentence) or sentence.startswith("is a count")


def is_computed(notation: str, facts: dict[str, Any]) -> bool:
    try:
        report = sm.evaluate(ROWS, notation, **facts)
    except sm.SqlMetricsError:
        return False
    return report.to_dicts()[0][macros("duckdb")["column_name"](notation)] is not None


def test_answers_whose_numbers_are_compared() -> None:
    """An answer that says that a metric is another one, or its function, is right by the formula."""
    flat = sm.evaluate(
        ROWS,
        ["jaccard", "f1", "recall", "precision", "specificity", "informedness", "bias", "base_rate"],
        **SCORED,
    ).flat()
    tp = sum(row["y"] and row["p"] >= 0.5 for row in ROWS)
    fp = sum(not row["y"] and row["p"] >= 0.5 for row in ROWS)
    fn = sum(row["y"] and row["p"] < 0.5 for row in ROWS)
    expected = {
        "jaccard": tp / (tp + fp + fn),  # iou, threat_score
        "f1": 2 * tp / (2 * tp + fp + fn),  # dice
        "precision": tp / (tp + fp),  # ppv
        "informedness": flat["recall"] + flat["specificity"] - 1,  # youden
        "bias": sum(row["p"] - row["y"] for row in ROWS) / len(ROWS),  # mean_error
        "base_rate": sum(row["y"] for row in ROWS) / len(ROWS),  # prevalence
    }
    assert {name: flat[name] for name in expected} == pytest.approx(expected)


@pytest.mark.parametrize(
    ("notation", "message"),
    [
        ("psi", "Metric 'psi' compares a column of two tables or periods, which sqlmetrics.drift does"),
        ("PSI@5", "Metric 'PSI' compares"),
        ("nll", "Metric 'nll' is log_loss here, and multiclass_log_loss for several classes"),
        ("roc_curve", "Metric 'roc_curve' is a curve, not a metric; write sqlmetrics.curve with 'roc'"),
        ("accuracy@5", "Metric 'accuracy@5' is top_k_accuracy@5 here"),
        ("lift@10", "Metric 'lift@10' has no cutoff here; write lift(share=0.1)"),
        ("coverage@10", "catalog_coverage@10"),
        ("precision_at_10", "Metric 'precision_at_10' is written precision@10 here"),
        ("f0.5", "Metric 'f0.5' is f_beta(beta=0.5) here"),
        ("F2", "Metric 'F2' is f_beta(beta=2) here"),
        ("roc_auc_ovo", "Metric 'roc_auc_ovo' is multiclass_auc(method=ovo) here"),
        ("mean_average_precision", "Metric 'mean_average_precision' is map@10 here, of lists"),
        (
            "calibration",
            "Unknown metric 'calibration', which is a curve; write sqlmetrics.curve with 'calibration'",
        ),
    ],
)
def test_every_door_gives_the_answer(notation: str, message: str) -> None:
    with pytest.raises(sm.SqlMetricsError, match="^" + ".*" * (message[0].islower()) + re.escape(message)):
        sm.evaluate(ROWS, notation, **SCORED)
    for dialect in ("duckdb", "postgres"):  # as dbt and rendered SQL, which have no catalog
        with pytest.raises(sm.SqlMetricsError, match=re.escape(message)):
            macros(dialect)["evaluate"]("t", [notation], **SCORED)


def test_the_documentation_gives_it_too() -> None:
    with pytest.raises(sm.SqlMetricsError, match=r"sqlmetrics\.drift"):
        sm.describe("psi")
    with pytest.raises(sm.SqlMetricsError, match=r"sqlmetrics\.curve with 'gain'"):
        check_curve("lift_chart")
    assert parsed("precision@10") == ("precision", {"k": 10})


# --- names that are neither known nor answered


@pytest.mark.parametrize(
    ("name", "likely"),
    [
        ("ncdg", "Did you mean 'ndcg'? Names like it: cg, dcg, idcg"),  # two letters change places
        ("aucc", "Did you mean 'auc'? Names like it: auuc, gauc, mcc, pauc"),
        ("rmsre", "Did you mean 'rmse'? Names like it: rmsle, rmspe, mse, msle"),
        ("roc_auc_x", "Did you mean 'roc_auc'?"),  # a whole word of it
        ("deviance", "Did you mean 'gamma_deviance'? Names like it: poisson_deviance, tweedie_deviance"),
        ("mean_squared_eror", "Did you mean 'mean_squared_error'?"),  # a slip in another library's name
        (
            "neg_mean_absolute_error",
            "Did you mean 'mean_absolute_error'?",
        ),  # likelier than median_absolute_error
        ("multiclass_auroc", "Did you mean 'multiclass_auc'?"),  # likelier than AUROC
        ("top_k_acuracy", "Did you mean 'top_k_accuracy'?"),  # a metric that exists with a cutoff only
        ("zzzz", "No name is like it"),
        ("macro", "Names like it: "),  # not the macro of the package
    ],
)
def test_an_unknown_name_gets_the_likeliest(name: str, likely: str) -> None:
    for asked in (lambda: check(name), lambda: macros("postgres")["evaluate"]("t", [name], **SCORED)):
        with pytest.raises(
            sm.SqlMetricsError, match=f"^Unknown metric '{name}'. " + re.escape(likely)
        ) as refused:
            asked()
        named = re.search(r"(?:Names like it: )([\w, ]+)", str(refused.value))
        assert len(named[1].split(", ") if named else []) + ("Did you" in likely) <= 5


def test_an_unknown_curve_gets_all() -> None:
    known = "Known: calibration, det, gain, net_benefit, precision_recall, qini, residuals, roc, thresholds"
    for asked in (lambda: check_curve("rok"), lambda: macros("postgres")["curve"]("t", "rok", **SCORED)):
        with pytest.raises(sm.SqlMetricsError, match=f"^Unknown curve 'rok'. Did you mean 'roc'\\? {known}$"):
            asked()
    with pytest.raises(
        sm.SqlMetricsError, match=r"^Unknown curve 'auc', which is a metric; write sqlmetrics.eval"
    ):
        check_curve("auc")


def test_a_name_without_end_is_refused_in_time() -> None:
    with pytest.raises(sm.SqlMetricsError, match=r"^Unknown metric 'xxx"):
        check("x" * 100_000)


@pytest.mark.parametrize(
    ("first", "second", "number"),
    [
        ("", "", 0),
        ("abc", "", 3),
        ("abc", "acb", 1),
        ("ca", "abc", 3),
        ("kitten", "sitting", 3),
        ("ndcg", "ncdg", 1),
    ],
)
def test_the_number_of_edits(first: str, second: str, number: int) -> None:
    assert macros("duckdb")["edits"](first, second) == number
