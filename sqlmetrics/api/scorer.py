"""`score_function` and `scorer`: a metric in the forms in which scikit-learn, LightGBM and XGBoost take one."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from sqlmetrics.book import catalog
from sqlmetrics.book.conventions import check_convention
from sqlmetrics.book.notation import column_name
from sqlmetrics.book.plan import Statement, planned, written
from sqlmetrics.errors import SqlMetricsError, public
from sqlmetrics.given.arrays import of_arrays
from sqlmetrics.given.facts import opened
from sqlmetrics.given.reads import reads_of
from sqlmetrics.options import Convention, OnBadRows, Options, Ties
from sqlmetrics.results.checks import checked

# The methods of an estimator whose values a metric takes, in order of preference.
ORDERS = ("decision_function", "predict_proba", "predict")  # for metrics that only compare scores
VALUES = ("predict_proba", "decision_function", "predict")


@dataclass(frozen=True)
class ScoreFunction:
    """A metric as a function of two arrays; `score_function` makes it.

    Attributes:
        metric: its notation.
        takes_classes: True if the second array has predicted classes, False if it has scores.
        response_method: for `make_scorer`, the methods of an estimator that give this array.
        greater_is_better: for `make_scorer`, the direction; None if the metric has none.
    """

    metric: str
    takes_classes: bool
    response_method: tuple[str, ...]
    greater_is_better: bool | None
    options: Options = field(repr=False)
    # the statement by the types of the arrays and the options; all but the data stays the same from call to call
    _made: dict[Any, Statement] = field(default_factory=dict, repr=False, compare=False)

    @public
    def __call__(
        self,
        y_true: Any,
        y_score: Any,
        *,
        sample_weight: Any = None,
        groups: Any = None,
        pos_label: Any = None,
    ) -> float:
        """The value of the metric, NaN if it is undefined.

        Args:
            y_true: the labels: a list, an array or a series.
            y_score: the scores, with a column for each class where the metric takes them, or the predicted classes.
            sample_weight: the weights of the rows.
            groups: the list of each row, for metrics of lists.
            pos_label: overrides `positive`.

        Raises:
            SqlMetricsError: as for `evaluate`.
        """
        return self._value(
            y_true, y_score, "y_pred" if self.takes_classes else "y_score", groups, sample_weight, pos_label
        )

    def _value(
        self, y_true: Any, y_score: Any, role: str, groups: Any, sample_weight: Any, pos_label: Any = None
    ) -> float:
        arrays = {"y_true": y_true, role: y_score, "groups": groups, "sample_weight": sample_weight}
        options = self.options if pos_label is None else replace(self.options, positive=pos_label)
        data, options = of_arrays(None, options, arrays)
        with opened(data, options, reads=reads_of(options, notations=self.metric)) as given:
            types = tuple(given.labels.columns.types.items())
            key = (role, types, options.positive, repr(options.class_scores))
            if key not in self._made:
                self._made[key] = written(given.plan("plan", metrics={"value": self.metric}))
            table = given.result(self._made[key])
        value = checked(table, [], self._made[key], options.drops_bad_rows)["value"][0]
        return float("nan") if value is None else float(value)

    @public
    def lightgbm(self, y_pred: Any, data: Any) -> tuple[str, float, bool]:
        """The metric as LightGBM takes it: `lightgbm.train(..., feval=score_function("gauc").lightgbm)`.

        Args:
            y_pred: the predictions, with a column for each class of several; a metric of classes decides by them:
                at its threshold, or by the greatest.
            data: the `Dataset` of these rows: its labels, weights and groups.

        Returns:
            The name of the metric, its value, and whether more is better.

        Raises:
            SqlMetricsError: a metric without a direction; the errors of `evaluate`.
        """
        more = self._direction()
        return self._name, self._of_booster(y_pred, data, data.get_group(), data.get_weight()), more

    @public
    def xgboost(self, y_pred: Any, data: Any) -> tuple[str, float]:
        """The metric as XGBoost takes it: `xgboost.train(..., custom_metric=score_function("gauc").xgboost)`.

        Early stopping has to be told whether more is better: `EarlyStopping(..., maximize=f.greater_is_better)`.

        Args:
            y_pred: as for `lightgbm`.
            data: the `DMatrix` of these rows: its labels, weights and groups, whose weights are those of their rows.

        Returns:
            The name of the metric and its value.

        Raises:
            SqlMetricsError: the errors of `evaluate`.
        """
        import numpy

        sizes = numpy.diff(data.get_uint_info("group_ptr"))
        weights = data.get_weight()
        if len(sizes) and len(weights):
            weights = numpy.repeat(weights, sizes)
        return self._name, self._of_booster(y_pred, data, sizes, weights)

    def _of_booster(self, y_pred: Any, data: Any, sizes: Any, weights: Any) -> float:
        """The value of predictions for a dataset of LightGBM or XGBoost, which has groups by their sizes."""
        import numpy

        several = numpy.ndim(y_pred) > 1
        if several and self.takes_classes:
            y_pred = numpy.argmax(y_pred, axis=1)
        role = "y_pred" if several and self.takes_classes else "y_score"
        groups = None if sizes is None or not len(sizes) else numpy.repeat(numpy.arange(len(sizes)), sizes)
        return self._value(
            _whole(data.get_label()),
            y_pred,
            role,
            groups,
            weights if weights is not None and len(weights) else None,
        )

    @property
    def _name(self) -> str:
        return column_name(self.metric)  # XGBoost splits what it reports at blanks and colons

    def _direction(self) -> bool:
        if self.greater_is_better is None:
            raise SqlMetricsError(
                f"'{self.metric}' has no direction in which a model improves, so it cannot choose a model;"
                " sm.score_function(...) returns its value"
            )
        return self.greater_is_better

    @property
    def __name__(self) -> str:
        return self.metric

    def __reduce__(self) -> tuple[Any, ...]:  # without the statements, which each process makes for itself
        taken = ("positive", "max_grade", "ties", "convention", "on_bad_rows")
        return partial(score_function, **{name: getattr(self.options, name) for name in taken}), (
            self.metric,
        )


@public
def score_function(
    metric: str,
    *,
    positive: float | str | None = None,
    max_grade: int | None = None,
    ties: Ties | None = None,
    convention: Convention | None = None,
    on_bad_rows: OnBadRows = "error",
) -> ScoreFunction:
    """Returns a metric as a function of two arrays, such as `sklearn.metrics.make_scorer` takes.

    The function keeps its statement, so that a call costs little more than its query. It can be pickled.

    Args:
        metric: a notation such as `"auc"` or `"f1(average=macro)"`.
        positive, max_grade, ties, convention, on_bad_rows: as for `evaluate`.

    Returns:
        A function `f(y_true, y_score, *, sample_weight=None, groups=None, pos_label=None)` that returns a float,
        NaN if the metric is undefined. `f.takes_classes` says that the second array has predicted classes, as for
        `accuracy`. `f.response_method` and `f.greater_is_better` are the arguments of `make_scorer`. `f.lightgbm` and
        `f.xgboost` are the function as these libraries call a metric while they train.

    Raises:
        SqlMetricsError: an unknown metric or parameter; a metric that needs more than these arrays.

    >>> auc = score_function("auc")
    >>> auc([1, 0, 1], [0.9, 0.4, 0.4]), auc.greater_is_better
    (0.75, True)
    >>> score_function("accuracy")(["cat", "dog"], ["cat", "cat"])
    0.5
    """
    catalog.check(metric)
    check_convention(convention)
    known = catalog.of_notation(metric)
    options = Options(
        positive=positive, max_grade=max_grade, ties=ties, convention=convention, on_bad_rows=on_bad_rows
    )
    facts = {**options.as_they_are(), "metrics": [metric], "relation": "t", "label": "y"}
    takes_classes = not _refusal(facts, prediction="p")
    refusal = _refusal(facts, score="s", group="g")
    if not takes_classes and refusal and _refusal(facts, class_scores={0: "a", 1: "b"}):
        raise SqlMetricsError(f"No function of two arrays computes '{metric}': {refusal}")
    compares = known.grain in ("score levels", "lists")
    methods = ("predict",) if takes_classes else ORDERS if compares else VALUES
    direction = {"higher": True, "lower": False}.get(known.better.direction)
    return ScoreFunction(metric, takes_classes, methods, direction, options)


def _whole(labels: Any) -> Any:
    """Classes as whole numbers, of which boosters make floats."""
    whole = labels.astype(int)
    return whole if (whole == labels).all() else labels


def _refusal(facts: dict[str, Any], **columns: Any) -> str:
    """Why a metric cannot be computed of these columns; empty if it can."""
    try:
        planned("duckdb", "plan", **facts, **columns)
    except SqlMetricsError as error:
        return str(error)
    return ""


@public
def scorer(
    metric: str,
    *,
    positive: float | str | None = None,
    max_grade: int | None = None,
    ties: Ties | None = None,
    convention: Convention | None = None,
    on_bad_rows: OnBadRows = "error",
) -> Any:
    """Returns a scorer of scikit-learn, for `cross_validate`, `GridSearchCV` and all that takes `scoring=`.

    Its sign follows from the direction of the metric: the score of `log_loss` is negative. Metrics of classes read
    `predict`, all others the positive class of `predict_proba` or `decision_function`, and `predict` of a
    regressor. Metrics of lists need `groups`: `scorer("gauc").set_score_request(groups=True)`, with scikit-learn's
    `enable_metadata_routing`.

    Args:
        metric: a notation such as `"auc"`.
        positive: as for `evaluate`; a text also names the class whose score is read.
        max_grade, ties, convention, on_bad_rows: as for `evaluate`.

    Raises:
        SqlMetricsError: scikit-learn is not installed; a metric without a direction; the errors of
            `score_function`.

    >>> scorer("log_loss")
    make_scorer(log_loss, greater_is_better=False, response_method=('predict_proba', 'decision_function', 'predict'))
    """
    function = score_function(
        metric,
        positive=positive,
        max_grade=max_grade,
        ties=ties,
        convention=convention,
        on_bad_rows=on_bad_rows,
    )
    greater_is_better = function._direction()
    try:
        from sklearn.metrics import make_scorer
    except ImportError as error:
        raise SqlMetricsError("scorer() needs scikit-learn: pip install scikit-learn") from error
    return make_scorer(
        function,
        response_method=function.response_method,
        greater_is_better=greater_is_better,
        **({"pos_label": positive} if isinstance(positive, str) else {}),
    )
