"""A refused call: the data it is tried on, and what its message has to be."""

from typing import Any

import pytest

import sqlmetrics as sm

NAN = float("nan")

ROWS = [
    {"clicked": 1, "p": 0.9, "user": "ann", "ad": 1, "w": 1.0},
    {"clicked": 0, "p": 0.4, "user": "ann", "ad": 2, "w": 1.0},
    {"clicked": 1, "p": 0.4, "user": "bob", "ad": 1, "w": 2.0},
    {"clicked": 0, "p": 0.6, "user": "bob", "ad": 2, "w": 2.0},
]

CALL = {"label": "clicked", "score": "p", "group": "user"}


def told(call: Any, *args: Any, **kwargs: Any) -> str:
    """The message of the refusal: one sentence for people, from the one class, which is a ValueError."""
    with pytest.raises(sm.SqlMetricsError) as caught:
        call(*args, **kwargs)
    assert isinstance(caught.value, ValueError)
    return str(caught.value)


def assert_told(message: str, words: str) -> None:
    """Each of the words, parted by `|`, is in the message, which is short and on one line."""
    assert [word for word in words.split("|") if word not in message] == [], message
    assert "\n" not in message
    assert len(message) < 500


def words_of(cases: list[tuple]) -> list[str]:
    """Names for the cases of a table."""
    return [case[-1] for case in cases]


def with_first(**changes):
    """ROWS with other values in the first row."""
    return [{**ROWS[0], **changes}, *ROWS[1:]]


LISTED = [
    {"user": "ann", "ad": 1, "p": 0.9},
    {"user": "ann", "ad": 2, "p": 0.4},
    {"user": "bob", "ad": 1, "p": 0.3},
]

TRUTH = [{"user": "ann", "ad": 1, "clicked": 1}, {"user": "ann", "ad": 9, "clicked": 1}]
