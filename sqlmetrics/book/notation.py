"""Notations such as `ndcg(gain=linear)@10`, read by the macros that make the statements."""

from __future__ import annotations

from typing import Any

from sqlmetrics.book.templates import macros


def parsed(notation: str) -> tuple[str, dict[str, Any]]:
    """The name in a notation and its parameters; a cutoff is the parameter `k`."""
    read = macros("duckdb")["parse_notation"](notation)
    return str(read["name"]), dict(read["params"])


def is_pinned(notation: str) -> bool:
    """Whether a notation has the name of another library, whose definition no convention changes.

    >>> is_pinned("ndcg_cut_10"), is_pinned("ndcg@10")
    (True, False)
    """
    return bool(macros("duckdb")["parse_notation"](notation)["pinned"])


def column_name(notation: str) -> str:
    """The column that a notation has in a result, such as `ndcg_10`."""
    return str(macros("duckdb")["column_name"](notation))
