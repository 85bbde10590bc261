"""The one error of this package."""

from __future__ import annotations

import difflib
from collections.abc import Iterable


class SqlMetricsError(ValueError):
    """What was asked cannot be done: the message says what is wrong, what is allowed and what to write.

    Attributes:
        sql: the statement that an engine refused, or None.
    """

    def __init__(self, message: str, sql: str | None = None) -> None:
        super().__init__(message)
        self.sql = sql


def did_you_mean(word: object, known: Iterable[str]) -> str:
    """``" Did you mean 'clicked'?"`` where a known word is close, else nothing.

    >>> did_you_mean("click", ["clicked", "score"])
    " Did you mean 'clicked'?"
    >>> did_you_mean("average_precision_score", ["precision", "average_precision"])
    " Did you mean 'average_precision'?"
    """
    lowered = {name.lower(): name for name in known}
    # scikit-learn's `roc_auc_score` is an auc, `f1_score` an f1
    parts = [name for name in lowered if f"_{name}_" in f"_{str(word).lower()}_"]
    if parts:
        return f" Did you mean '{lowered[max(parts, key=len)]}'?"
    close = difflib.get_close_matches(str(word).lower(), lowered, n=1, cutoff=0.6)
    return f" Did you mean '{lowered[close[0]]}'?" if close else ""


def counted(items: Iterable[str], limit: int = 30) -> str:
    """Names in a row, cut where they are many.

    >>> counted(["a", "b"])
    'a, b'
    """
    names = list(items)
    return ", ".join(names[:limit]) + (f", ... ({len(names)} in all)" if len(names) > limit else "")
