"""Arrays in place of a table: the labels and scores that scikit-learn's functions take."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from sqlmetrics.errors import SqlMetricsError
from sqlmetrics.options import Options

#: scikit-learn's name of an array -> the role of its values
ROLES = {
    "y_true": "label",
    "y_score": "score",
    "y_pred": "prediction",
    "groups": "group",
    "sample_weight": "weight",
}


def of_arrays(data: Any, options: Options, arrays: Mapping[str, Any]) -> tuple[Any, Options]:
    """The data and the options of a call that was given either data or arrays.

    Args:
        data: the data, or None.
        options: the options of the call.
        arrays: arrays by the names in `ROLES`; None is none.

    Raises:
        SqlMetricsError: neither data nor arrays; both; a column of a role that has an array.
    """
    given = {name: array for name, array in arrays.items() if array is not None}
    if (data is None) == (not given):
        raise SqlMetricsError(
            f"Pass either data or arrays ({', '.join(ROLES)}), got {'both' if given else 'neither'}"
        )
    if not given:
        return data, options
    for name in given:
        if getattr(options, ROLES[name]) is not None:
            raise SqlMetricsError(
                f"{name}= is the {ROLES[name]} and {ROLES[name]}= names a column of data; pass one of them"
            )
    roles: dict[str, Any] = {ROLES[name]: name for name in given}
    return given, replace(options, **roles)
