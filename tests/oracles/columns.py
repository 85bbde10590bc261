"""Summaries of one column, by their definitions. Which values are better changes none of them."""

import operator
import re

from oracles import observations
from oracles.observations import Observation, weighed

Rows = list[Observation]
Value = float | None
SIGNS = {">": operator.gt, ">=": operator.ge, "<": operator.lt, "<=": operator.le}


def mean(rows: Rows, column: str, better: str | None = None) -> Value:
    return observations.mean(rows, lambda row: row.cells[column])


def total(rows: Rows, column: str, better: str | None = None) -> Value:
    return weighed(rows, lambda row: row.cells[column]) if rows else None


def quantile(rows: Rows, column: str, q: float = 0.5, better: str | None = None) -> Value:
    return observations.quantile([(row.cells[column], row.weight) for row in rows], q)


def rate(rows: Rows, where: str, better: str | None = None) -> Value:
    """Of a condition such as 'q1 > 0.5'."""
    column, sign, limit = re.fullmatch(r"'(\w+)([<>]=?)(-?[\d.]+)'", where).groups()
    return observations.mean(rows, lambda row: SIGNS[sign](row.cells[column], float(limit)))


METRICS = (mean, total, quantile, rate)
