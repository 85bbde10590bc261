"""Arrays in place of a table: the labels and scores that scikit-learn's functions take.

A y_score of two dimensions has a column for each class, as `predict_proba` gives it. A frame may name
its columns after the classes, in any order.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from numbers import Real
from typing import Any

from sqlmetrics.book.catalog import curves, is_curve, is_metric, needed, of_notation
from sqlmetrics.book.plan import builtin
from sqlmetrics.errors import SqlMetricsError
from sqlmetrics.given.columns import as_list, sql
from sqlmetrics.given.order import is_none, is_question
from sqlmetrics.options import Options

#: scikit-learn's name of an array -> the role of its values
ROLES = {
    "y_true": "label",
    "y_score": "score",
    "y_pred": "prediction",
    "groups": "group",
    "sample_weight": "weight",
}


def by_name(function: str, parameters: Sequence[str]) -> str:
    """How a function takes arrays, as a call that a user can write.

    >>> by_name("curve", ["data", "kind", "y_true"])
    "curve(kind='roc', y_true=y, y_score=p); predicted classes are y_pred="
    >>> by_name("class_report", ["data", "label", "prediction"])
    "class_report({'y': y, 'p': p}, label='y', prediction='p')"
    """
    if "y_true" in parameters:
        asked = "kind='roc'" if "kind" in parameters else "metrics='auc'"
        return f"{function}({asked}, y_true=y, y_score=p); predicted classes are y_pred="
    of_metrics = any(name.startswith("metric") for name in parameters)
    roles = {"label": "y", "score" if of_metrics else "prediction": "p"}
    named = [f", {role}={column!r}" for role, column in roles.items() if role in parameters]
    return f"{function}({{'y': y, 'p': p}}{''.join(named)})"


def asked_by_name(name: str) -> str | None:
    """How a metric or a curve is asked for, of which a user thinks as a function; None for any other name.

    >>> asked_by_name("personalization")
    "a metric: sm.evaluate(data, 'personalization', score=..., group=..., item=...)"
    >>> asked_by_name("f1_score").partition(", or ")[2]
    "of arrays sm.evaluate('f1_score', y_true=..., y_pred=...)"
    """
    metric = next(filter(is_metric, (name, f"{name}@10")), None)
    kind = name.removesuffix("_curve")
    if metric:
        told, call, tried = "a metric", "evaluate", (metric, of_notation(metric).example)
    elif is_curve(kind):
        told, call, tried = "a curve", "curve", (kind, curves()[kind].example)
    else:
        return None
    needs = {
        each: needed("plan", metrics=[each]) if metric else needed("curve_plan", kind=each) for each in tried
    }
    notation, roles = next((each, roles) for each, roles in needs.items() if roles is not None)
    told += f": sm.{call}(data, {notation!r}{''.join(f', {role}=...' for role in roles)})"
    arrays = {role: array for array, role in ROLES.items() if role in roles}
    if notation == tried[0] and roles and len(arrays) == len(roles):  # a parameter may name a column
        told += f", or of arrays sm.{call}({notation!r}{''.join(f', {arrays[role]}=...' for role in roles)})"
    return told


def asked_first(arguments: dict[str, Any], question: str) -> None:
    """Takes a question in the place of data as such, where arrays are given by name: `evaluate("auc", y_true=y)`."""
    given = any(arguments.get(name) is not None for name in ROLES)
    if given and is_none(arguments[question]) and is_question(arguments["data"]):
        arguments |= {"data": None, question: arguments["data"]}


def told_of_arrays(error: SqlMetricsError, arguments: Mapping[str, Any]) -> SqlMetricsError:
    """An error of a call; if arrays were given, it names the array that a metric needs instead of its column.

    >>> needed = SqlMetricsError("sqlmetrics.auc: needs score=, the column of the score")
    >>> str(told_of_arrays(needed, {"y_true": [1, 0], "y_score": None}))
    'sqlmetrics.auc: needs y_score=, the values of the score'
    """
    if all(arguments.get(name) is None for name in ROLES):
        return error
    arrays = {role: array for array, role in ROLES.items() if array in arguments}

    def needs(found: re.Match[str]) -> str:
        if not {*re.findall(r"(\w+)=", found[1])} <= {*arrays}:
            return f"{found[0]}, which no array is; pass a mapping of names to arrays as data, and name its columns"
        return re.sub(r"(\w+)=", lambda role: f"{arrays[role[1]]}=", found[1]) + ", the values of the"

    told = re.sub(r"(\bneeds \w+=(?: or \w+=)?), the column of the( item)?", needs, str(error))
    return type(error)(told, error.sql)


def of_arrays(
    data: Any, options: Options, arrays: Mapping[str, Any], example: str = ""
) -> tuple[Any, Options]:
    """The data and the options of a call that was given either data or arrays.

    Args:
        data: the data, or None.
        options: the options of the call.
        arrays: arrays by the names in `ROLES`; None means no array.
        example: how the function takes arrays, for messages.

    Raises:
        SqlMetricsError: neither data nor arrays; both; a column of a role that has an array.
    """
    given = {name: array for name, array in arrays.items() if array is not None}
    if is_values(data):
        raise SqlMetricsError(
            f"Cannot read data of type {type(data).__name__} as a table. Arrays are passed by name, as in {example}, or"
            " as columns, a mapping of names to arrays"
        )
    if (data is None) == (not given):
        raise SqlMetricsError(
            f"Pass either data or arrays ({', '.join(arrays)}), got {'both' if given else 'neither'}"
        )
    if not given:
        return data, options
    for name in given:
        if getattr(options, ROLES[name]) is not None:
            raise SqlMetricsError(
                f"{name}= is the {ROLES[name]} and {ROLES[name]}= names a column of data; pass one of them"
            )
    roles: dict[str, Any] = {ROLES[name]: name for name in given}
    if isinstance(given.get("y_score"), Mapping):  # of several models
        named = given.pop("y_score")
        roles["score"] = {str(name): f"y_score of {name}" for name in named}
        if len(roles["score"]) < len(named):
            raise SqlMetricsError(f"y_score= names two models alike, got {', '.join(map(repr, named))}")
        given |= {f"y_score of {name}": array for name, array in named.items()}
    y_score, labels = given.get("y_score"), given.get("y_true")
    scores = columns_of(y_score)
    if scores is not None and columns_of(labels) is None:
        if options.class_scores is not None:
            raise SqlMetricsError("y_score= has a column for each class; leave class_scores= out")
        del given["y_score"], roles["score"]
        named = {f"y_score[:, {place}]": column for place, column in enumerate(scores)}
        found = _found(labels)
        classes = _named(_names(y_score), found) or _in_order(found, len(scores))
        roles["class_scores"] = dict(zip(classes, named, strict=True))
        given |= named
    by, slices = _slices(options.by, given)
    return {**given, **slices}, replace(options, by=by, **roles)


def _slices(by: Any, given: Mapping[str, Any]) -> tuple[Any, dict[str, Any]]:
    """The slices by their names, and those of them that are arrays; the others are expressions over arrays.

    Raises:
        SqlMetricsError: an array without a name, or with that of another array.
    """
    if not isinstance(by, Mapping):
        names = as_list(by, "by")
        if all(isinstance(name, sql) or (isinstance(name, str) and name in given) for name in names):
            return names, {}
        values = repr(by) if isinstance(by, str) else f"{len(names):,} values ({type(by).__name__})"
        raise SqlMetricsError(
            f"by= beside arrays is a mapping of names to arrays, as in by={{'country': countries}}, got {values}"
        )
    arrays = {
        name: values
        for name, values in by.items()
        if hasattr(values, "__len__") and not isinstance(values, str)
    }
    for name in arrays:
        if name in given:
            raise SqlMetricsError(
                f"by= names an array {name!r}, as another argument does; give it another name"
            )
    return {**by, **{name: name for name in arrays}}, arrays


def columns_of(scores: Any) -> list[Any] | None:
    """The columns of an array, a table or a list of lists of two columns or more; None for anything else.

    Raises:
        SqlMetricsError: lists of several lengths.

    >>> columns_of([[0.2, 0.8], [0.3, 0.7]]), columns_of([0.2, 0.3])
    ([[0.2, 0.3], [0.8, 0.7]], None)
    """
    if _is_frame(scores):
        scores = scores.to_numpy()
    if getattr(scores, "ndim", 1) == 2:
        return [scores[:, place] for place in range(scores.shape[1])] if scores.shape[1] > 1 else None
    if not (isinstance(scores, (list, tuple)) and scores and isinstance(scores[0], (list, tuple))):
        return None
    lengths = sorted({len(row) if isinstance(row, (list, tuple)) else 1 for row in scores})
    if len(lengths) > 1:
        raise SqlMetricsError(
            f"y_score= has rows of {lengths[0]} and of {lengths[-1]} scores; each class has one"
        )
    return [list(column) for column in zip(*scores, strict=True)] if lengths[0] > 1 else None


def is_values(data: Any) -> bool:
    """Whether what stands in the place of a table is an array of values, or a list of numbers."""
    numbers = isinstance(data, (list, tuple)) and bool(data) and isinstance(data[0], Real)
    if hasattr(type(data), "columns"):  # a frame of Spark Connect has a column for any name, `ndim` too
        return False
    return numbers or getattr(data, "ndim", 0) == 1 or (hasattr(data, "dtype") and hasattr(data, "to_list"))


def _is_frame(scores: Any) -> bool:
    """Whether scores are a frame of pandas or polars, whose columns have names."""
    return hasattr(scores, "columns") and hasattr(scores, "to_numpy")


def _names(scores: Any) -> list[str]:
    """The names of the columns of a frame, unless they only number them; empty for anything else."""
    names = [str(name) for name in scores.columns] if _is_frame(scores) else []
    return [] if names == [str(place) for place in range(len(names))] else names


def _found(labels: Any) -> set[Any]:
    """The classes of y_true."""
    for to_list in ("tolist", "to_list", "to_pylist"):
        labels = getattr(labels, to_list)() if hasattr(labels, to_list) else labels
    known = (label for label in labels or () if not isinstance(label, (list, dict)))
    return {builtin(label) for label in known if label is not None and label == label}


def _named(names: list[str], found: set[Any]) -> list[Any] | None:
    """The classes after which the columns of y_score are named; None if no column has the name of a class."""
    whole = {int(label) if isinstance(label, float) and label.is_integer() else label for label in found}
    classes = {str(label): label for label in whole}
    if not classes.keys() & {*names}:
        return None
    for name in sorted(classes):
        if names.count(name) != 1:
            raise SqlMetricsError(
                f"y_score= has {names.count(name)} columns named {name!r:.50}, a class of y_true=; name a column after"
                " each class, or pass y_score.to_numpy(), whose columns are the classes in their order"
            )
    numbers = not any(isinstance(label, str) for label in whole)
    return [
        classes.get(name, int(name) if numbers and re.fullmatch(r"-?\d{1,18}", name) else name)
        for name in names
    ]


def _in_order(found: set[Any], number: int) -> list[Any]:
    """The classes of columns without names of classes: 0, 1, 2 ..., or else those of y_true in their order."""
    if found <= {False, True} and all(isinstance(label, bool) for label in found) and number == 2:
        return [False, True]
    if found <= {*range(number)} and not any(isinstance(label, bool) for label in found):
        return [*range(number)]
    if len(found) != number or len({isinstance(label, str) for label in found}) > 1:
        raise SqlMetricsError(
            f"y_score= has {number} columns and y_true= has {len(found)} classes. The columns are the classes 0 to"
            f" {number - 1}, or all classes of y_true in their order; for others pass data with"
            ' class_scores={"cat": "p_cat", "dog": "p_dog"}'
        )
    return sorted(found)
