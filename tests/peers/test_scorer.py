"""scorer and score_function inside scikit-learn: its own scorers give the same numbers."""

from __future__ import annotations

import copy
import math
import pickle
import subprocess
import sys
from typing import Any

import joblib
import numpy as np
import pytest
import sklearn
from sklearn.datasets import make_classification, make_regression
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.metrics import f1_score, get_scorer, make_scorer, roc_auc_score
from sklearn.model_selection import GridSearchCV, GroupKFold, StratifiedKFold, cross_val_score, cross_validate
from sklearn.svm import LinearSVC

import oracles
import sqlmetrics as sm
from sqlmetrics.api import scorer as module
from support.errors import assert_told, told

X, Y = make_classification(300, 6, flip_y=0.2, random_state=0)
NAMES = np.array(["no", "yes"])[Y]
GROUPS = np.arange(300) % 30
MODEL = LogisticRegression()
CLOSE = {"rel": 1e-12, "abs": 1e-12}
#: our notation -> scikit-learn's scorer, both with the sign by which more is better
OF_CLASSIFIERS = {
    "auc": "roc_auc",
    "log_loss": "neg_log_loss",
    "brier": "neg_brier_score",
    "accuracy": "accuracy",
    "balanced_accuracy": "balanced_accuracy",
    "f1(average=macro)": "f1_macro",
    "mcc": "matthews_corrcoef",
}
OF_REGRESSIONS = {
    "rmse": "neg_root_mean_squared_error",
    "mae": "neg_mean_absolute_error",
    "r2": "r2",
    "max_error": "neg_max_error",
}


@pytest.fixture(autouse=True)
def strict(recwarn: pytest.WarningsRecorder) -> Any:
    """scikit-learn warns where a scorer fails, and goes on."""
    yield
    assert [str(warning.message) for warning in recwarn] == []


def agree(model: Any, x: Any, y: Any, known: dict[str, str]) -> None:
    ours = cross_validate(model, x, y, cv=3, scoring={name: sm.scorer(name) for name in known})
    theirs = cross_validate(model, x, y, cv=3, scoring=known)
    for name in known:
        assert ours[f"test_{name}"] == pytest.approx(theirs[f"test_{name}"], **CLOSE), name


@pytest.mark.slow
def test_several_scorers_of_a_classifier() -> None:
    agree(MODEL, X, Y, OF_CLASSIFIERS)
    of_margins = {name: OF_CLASSIFIERS[name] for name in ("auc", "accuracy")}
    agree(LinearSVC(), X, Y, of_margins)  # it has no predict_proba


@pytest.mark.slow
def test_several_scorers_of_a_regression() -> None:
    agree(Ridge(), *make_regression(200, 5, noise=9, random_state=0), OF_REGRESSIONS)


@pytest.mark.slow
@pytest.mark.parametrize("positive", ["yes", "no"])
def test_a_text_names_the_class_whose_score_is_read(positive: str) -> None:
    is_positive = np.where(positive == NAMES, 1, 0)
    for name in ("auc", "average_precision", "log_loss"):
        ours = cross_val_score(MODEL, X, NAMES, cv=3, scoring=sm.scorer(name, positive=positive))
        of_numbers = cross_val_score(MODEL, X, is_positive, cv=3, scoring=sm.scorer(name))
        assert ours == pytest.approx(of_numbers, rel=1e-4), name  # the two models are fitted apart
    fitted = MODEL.fit(X, NAMES)
    expected = f1_score(NAMES, fitted.predict(X), pos_label=positive)
    assert sm.scorer("f1", positive=positive)(fitted, X, NAMES) == pytest.approx(expected, **CLOSE)


@pytest.mark.slow
def test_a_search_takes_the_best() -> None:
    grid = {"C": [1e-4, 1.0]}
    ours = GridSearchCV(MODEL, grid, scoring=sm.scorer("log_loss"), cv=3).fit(X, Y)
    theirs = GridSearchCV(MODEL, grid, scoring="neg_log_loss", cv=3).fit(X, Y)
    assert ours.best_params_ == theirs.best_params_ == {"C": 1.0}
    assert ours.cv_results_["mean_test_score"] == pytest.approx(
        theirs.cv_results_["mean_test_score"], **CLOSE
    )
    assert ours.score(X, Y) == pytest.approx(theirs.score(X, Y), **CLOSE)
    assert sklearn.base.clone(ours).scoring(MODEL.fit(X, Y), X, Y) < 0


@pytest.mark.slow
def test_weights_and_lists_by_metadata_routing() -> None:
    weights = np.random.default_rng(0).random(300)
    with sklearn.config_context(enable_metadata_routing=True):
        scoring = {
            "auc": sm.scorer("auc").set_score_request(sample_weight=True, groups=False),
            "gauc": sm.scorer("gauc").set_score_request(groups=True, sample_weight=False),
            "ndcg": sm.scorer("ndcg@3").set_score_request(groups=True, sample_weight=False),
        }
        got = cross_validate(
            LogisticRegression().set_fit_request(sample_weight=False), X, Y, scoring=scoring, cv=GroupKFold(3),
            params={"sample_weight": weights, "groups": GROUPS}, error_score="raise",
        )  # fmt: skip
    for number, (train, test) in enumerate(GroupKFold(3).split(X, Y, GROUPS)):
        scores = LogisticRegression().fit(X[train], Y[train]).decision_function(X[test])
        auc = roc_auc_score(Y[test], scores, sample_weight=weights[test])
        assert got["test_auc"][number] == pytest.approx(auc, **CLOSE)
        rows = [
            {"label": int(y), "score": float(score), "g": int(group)}
            for y, score, group in zip(Y[test], scores, GROUPS[test], strict=True)
        ]
        for name, notation in (("gauc", "gauc"), ("ndcg", "ndcg@3")):
            value = oracles.value(notation, rows, group="g")
            assert got[f"test_{name}"][number] == pytest.approx(value, rel=1e-9)


@pytest.mark.slow
def test_the_function_is_one_for_make_scorer() -> None:
    function = sm.score_function("brier")
    assert (function.takes_classes, function.greater_is_better) == (False, False)
    made = make_scorer(
        function, response_method=function.response_method, greater_is_better=function.greater_is_better
    )
    split = StratifiedKFold(3)
    assert cross_val_score(MODEL, X, Y, scoring=made, cv=split) == pytest.approx(
        cross_val_score(MODEL, X, Y, scoring=sm.scorer("brier"), cv=split), **CLOSE
    )
    assert sm.score_function("accuracy").takes_classes
    assert sm.score_function("precision(threshold=0.3)").response_method[0] == "predict_proba"
    assert sm.score_function("bias").greater_is_better is None
    assert repr(sm.scorer("mae")).startswith("make_scorer(mae, greater_is_better=False")


@pytest.mark.slow
def test_it_travels_to_other_processes() -> None:
    function = sm.score_function("f1", positive="yes", on_bad_rows="drop")
    value = function(["yes", "no", "yes"], ["yes", "yes", "no"])
    for other in (pickle.loads(pickle.dumps(function)), copy.deepcopy(function)):
        assert other == function
        assert other(["yes", "no", "yes"], ["yes", "yes", "no"]) == value == 0.5
    scores = joblib.Parallel(n_jobs=2)(
        joblib.delayed(sm.score_function("auc"))(Y[part::2], X[part::2, 0]) for part in (0, 1)
    )
    assert scores == pytest.approx([roc_auc_score(Y[part::2], X[part::2, 0]) for part in (0, 1)])


@pytest.mark.slow
def test_the_statement_is_written_once(monkeypatch: pytest.MonkeyPatch) -> None:
    written: list[Any] = []
    write = module.written
    monkeypatch.setattr(module, "written", lambda plan: written.append(plan) or write(plan))
    auc = sm.score_function("auc")
    assert auc([1, 0], [0.9, 0.1]) == 1
    assert auc([0, 1, 1], np.array([0.9, 0.1, 1.0], "f8")) == 0.5
    assert len(written) == 1
    assert auc([1, 0], [0.1, 0.2], sample_weight=[1, 2]) == 0  # a column more
    assert auc(np.array(["a", "b"]), [0.1, 0.2], pos_label="b") == 1
    assert auc(np.array(["a", "b"]), [0.1, 0.2], pos_label="a") == 0
    assert len(written) == 4


def test_undefined_is_nan() -> None:
    assert math.isnan(sm.score_function("auc")([1, 1], [0.2, 0.3]))


@pytest.mark.slow
def test_every_scorer_has_a_direction() -> None:
    """Those of scikit-learn with the sign of ours: a loss is negative."""
    fitted = MODEL.fit(X, Y)
    for name, theirs in OF_CLASSIFIERS.items():
        assert sm.scorer(name)(fitted, X, Y) == pytest.approx(get_scorer(theirs)(fitted, X, Y), **CLOSE)


@pytest.mark.slow
def test_what_no_two_arrays_give_is_one_error() -> None:
    for metric, words in (
        ("bias", "'bias' has no direction in which a model improves|sm.score_function"),
        ("best_f1_threshold", "has no direction"),
        ("diversity@10", "No function of two arrays computes 'diversity@10'|needs item="),
        ("nonsense", "Unknown metric 'nonsense'"),
        ("auc(foo=1)", "Unknown parameter 'foo' of auc"),
        (3, "A metric is text such as 'auc'"),
    ):
        assert_told(told(sm.scorer, metric)[:300], words)
    auc = sm.score_function("auc")
    for arrays, words in (
        (
            (Y, MODEL.fit(X, Y).predict_proba(X)),
            "needs score=, one score for each row|of two classes pass one column|array[:, 1]",
        ),
        (([1, 0], [0.5]), "one length, got {'y_true': 2, 'y_score': 1}"),
        (([1, 0], [0.5, math.nan]), "1 of 2 rows have a NULL, NaN or infinite score"),
        ((["a", "b"], [0.5, 0.1]), "is text; pass positive='...'"),
        (([], []), "The data has no row"),
        ((None, [0.1]), "needs label="),
    ):
        assert_told(told(auc, *arrays), words)


@pytest.mark.slow
def test_without_scikit_learn() -> None:
    """The import of sqlmetrics takes neither NumPy nor scikit-learn; a scorer alone needs the latter."""
    code = """
import sys
sys.modules["sklearn"] = sys.modules["sklearn.metrics"] = None
import sqlmetrics as sm
assert "numpy" not in sys.modules
print(sm.score_function("auc")([1, 0], [0.9, 0.1]))
try: sm.scorer("auc")
except sm.SqlMetricsError as error: print(error)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "1.0\nscorer() needs scikit-learn: pip install scikit-learn\n"


def test_as_lightgbm_calls_it() -> None:
    """Beside its own metrics, while it trains; a metric of classes decides by probabilities."""
    lightgbm = pytest.importorskip("lightgbm")
    ours = [sm.score_function(name).lightgbm for name in ("auc", "log_loss", "error_rate")]
    weights = np.arange(300) % 3 + 1.0
    data, found = lightgbm.Dataset(X, Y, weight=weights), {}  # type: ignore[var-annotated]
    own = {"metric": ["auc", "binary_logloss", "binary_error"], "objective": "binary", "verbosity": -1}
    lightgbm.train(own, data, 3, [data], feval=ours, callbacks=[lightgbm.record_evaluation(found)])
    of = found["training"]
    assert of["log_loss"] == pytest.approx(of["binary_logloss"])
    assert of["error_rate"] == pytest.approx(of["binary_error"])
    assert of["auc"][::2] == pytest.approx(of["auc"][1::2])  # both have this name


def test_groups_and_classes_of_lightgbm() -> None:
    lightgbm = pytest.importorskip("lightgbm")
    grades = np.arange(300) % 4
    data = lightgbm.Dataset(X, grades, group=[10] * 30).construct()
    scores = X[:, 0].round(6)
    name, value, more = sm.score_function("ndcg@5").lightgbm(scores, data)
    asked = {"metrics": "ndcg@5", "groups": np.repeat(np.arange(30), 10)}
    assert (name, more) == ("ndcg_5", True)
    assert value == pytest.approx(sm.evaluate(y_true=grades, y_score=scores, **asked).value("ndcg@5"))
    shares = np.abs(X[:, :4])
    decided = sm.score_function("accuracy").lightgbm(shares, data)[1]
    assert decided == pytest.approx(float((shares.argmax(axis=1) == grades).mean()))
    with pytest.raises(sm.SqlMetricsError, match="'base_rate' has no direction in which a model improves"):
        sm.score_function("base_rate").lightgbm(scores, data)


def test_as_xgboost_calls_it() -> None:
    xgboost = pytest.importorskip("xgboost")
    data, found = xgboost.DMatrix(X, Y, weight=np.arange(300) % 3 + 1.0), {}  # type: ignore[var-annotated]
    for ours, theirs in (("log_loss", "logloss"), ("error_rate", "error")):
        xgboost.train(
            {"objective": "binary:logistic", "eval_metric": theirs}, data, 3, evals=[(data, "train")],
            custom_metric=sm.score_function(ours).xgboost, evals_result=found, verbose_eval=False,
        )  # fmt: skip
        assert found["train"][ours] == pytest.approx(
            found["train"][theirs], rel=1e-5
        )  # it keeps six digits of ours


def test_groups_of_xgboost() -> None:
    """Their weights are those of lists."""
    xgboost = pytest.importorskip("xgboost")
    grades, weights = np.arange(300) % 4, np.arange(1.0, 31)
    data = xgboost.DMatrix(X, grades)
    data.set_group([10] * 30)
    data.set_weight(weights)
    scores = X[:, 0].round(6)
    name, value = sm.score_function("ndcg@5").xgboost(scores, data)
    rows = {"groups": np.repeat(np.arange(30), 10), "sample_weight": np.repeat(weights, 10)}
    assert name == "ndcg_5"
    assert value == pytest.approx(
        sm.evaluate(metrics="ndcg@5", y_true=grades, y_score=scores, **rows).value("ndcg@5")
    )
