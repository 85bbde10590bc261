"""The errors of this package."""

from __future__ import annotations

import difflib
import functools
import inspect
import re
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, ParamSpec, TypeVar

if TYPE_CHECKING:
    from sqlmetrics.table.frame import Frame

P = ParamSpec("P")
R = TypeVar("R")

# Control characters, line and page separators, signs that turn the direction of text, and halves of characters.
UNPRINTABLE = re.compile("[\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")


def printable(text: str) -> str:
    r"""A text on one line, in which no character can act on a terminal or fail to be encoded.

    >>> printable("one\ntwo\x1b[31m")
    'one\\ntwo\\x1b[31m'
    """
    return UNPRINTABLE.sub(lambda found: repr(found[0])[1:-1], text)


class SqlMetricsError(ValueError):
    """A call that cannot be carried out. The message says what is wrong, what is allowed and what to write.

    The message is one line of text. Characters that are not printable are escaped.

    The driver's error, if there is one, is `__context__`. It is not printed.

    Attributes:
        sql: the statement that an engine rejected, or None.
    """

    def __init__(self, message: str, sql: str | None = None) -> None:
        super().__init__(printable(message))
        self.sql = sql


class DataError(SqlMetricsError):
    """Data that are missing, cannot be read or are broken: no file, no row, NULL scores, a damaged state.

    The same call may succeed on other data. The command line ends with status 3, and for any other error of a
    call with 2.
    """


class GateError(SqlMetricsError, AssertionError):
    """Gates that fail; the message has a line for each.

    It is an AssertionError, too, so that test frameworks report a failure rather than an error.

    Attributes:
        gates: the table that `check` returns where no gate fails.
    """

    def __init__(self, lines: list[str], gates: Frame) -> None:
        super().__init__("")
        self.args = ("\n".join(map(printable, lines)),)
        self.gates = gates


def public(function: Callable[P, R]) -> Callable[P, R]:
    """Ends the traceback of an error at a public function, and answers an unknown argument with the one that was meant.

    The frames behind it are those of macros and drivers, which say nothing to its caller.
    """
    parameters = inspect.signature(function).parameters
    takes_any = any(one.kind is one.VAR_KEYWORD for one in parameters.values())

    @functools.wraps(function)
    def call(*args: P.args, **kwargs: P.kwargs) -> R:
        unknown = None if takes_any else next((name for name in kwargs if name not in parameters), None)
        if unknown is not None:
            from sqlmetrics.keywords import instead  # which reads this

            told = instead(function.__name__, unknown, kwargs, parameters)
            raise TypeError(f"{function.__name__}() got an unexpected keyword argument '{unknown}'{told}")
        try:
            return function(*args, **kwargs)
        except SqlMetricsError as error:
            raise error.with_traceback(None) from None

    return call


def did_you_mean(word: object, known: Iterable[str]) -> str:
    """``" Did you mean 'clicked'?"`` if a known word is close; else an empty string.

    >>> did_you_mean("click", ["clicked", "score"])
    " Did you mean 'clicked'?"
    >>> did_you_mean("average_precision_score", ["precision", "average_precision"])
    " Did you mean 'average_precision'?"
    """
    lowered = {name.lower(): name for name in known}
    # finds `auc` in scikit-learn's `roc_auc_score`, and `f1` in `f1_score`
    parts = [name for name in lowered if f"_{name}_" in f"_{str(word).lower()}_"]
    if parts:
        return f" Did you mean '{lowered[max(parts, key=len)]}'?"
    close = difflib.get_close_matches(str(word).lower(), lowered, n=1, cutoff=0.6)
    return f" Did you mean '{lowered[close[0]]}'?" if close else ""


def counted(items: Iterable[str], limit: int = 30) -> str:
    """Names with commas between them, cut after `limit` names.

    >>> counted(["a", "b"])
    'a, b'
    """
    names = list(items)
    return ", ".join(names[:limit]) + (f", ... ({len(names)} in all)" if len(names) > limit else "")
