"""Intervals of 95 % hold the true value in 93.5 to 96.5 % of 2,000 draws; the true values follow from the distribution.

Of lists that are right or wrong it is Wilson's interval, whose coverage is known, and within 1.5 percent of that.

`benchmarks/interval_coverage.py` has more metrics and sizes.
"""

from __future__ import annotations

import math

import numpy
import pyarrow
import pytest

import sqlmetrics as sm

DRAWS = 2_000
Columns = dict[str, numpy.ndarray]


def one_relevant(rng: numpy.random.Generator) -> Columns:
    """In each draw 40 lists of 5 items in random order, one of them relevant."""
    lists = 40 * DRAWS
    places = numpy.arange(5 * lists)
    relevant = numpy.repeat(rng.integers(0, 5, lists), 5)
    return {
        "draw": places // 200,
        "list": places // 5,
        "label": (places % 5 == relevant).astype(int),
        "score": -(places % 5.0),
    }


def random_lists(rng: numpy.random.Generator) -> Columns:
    """In each draw 60 lists of 3 to 12 items, whose scores say nothing; how many items are relevant differs."""
    lists = 60 * DRAWS
    length = rng.integers(3, 13, lists)
    of_row = numpy.repeat(numpy.arange(lists), length)
    relevant = rng.random(of_row.size) < rng.uniform(0.1, 0.7, lists)[of_row]
    return {
        "draw": of_row // 60,
        "list": of_row,
        "label": relevant.astype(int),
        "score": rng.random(of_row.size),
    }


def probabilities(rng: numpy.random.Generator) -> Columns:
    """In each draw 200 calibrated probabilities, uniform in [0, 1]."""
    score = rng.random(200 * DRAWS)
    return {
        "draw": numpy.arange(score.size) // 200,
        "label": (rng.random(score.size) < score).astype(int),
        "score": score,
    }


CASES = {
    "means over lists": (one_relevant, {"group": "list"}, {
        "mrr": sum(1 / rank for rank in range(1, 6)) / 5,
        "ndcg": sum(1 / math.log2(rank + 1) for rank in range(1, 6)) / 5,
        "hit_rate@2": 2 / 5,
    }),
    "weighted means and pooled ratios": (random_lists, {"group": "list"}, {
        "gauc": 0.5, "gauc(weight=positives)": 0.5, "precision(average=micro, on_empty=zero)@3": 0.4,
    }),
    "means over rows": (probabilities, {}, {"log_loss": 0.5, "brier": 1 / 6, "mae": 1 / 3, "bias": 0}),
}  # fmt: skip


def coverage_of_wilson(n: int, share: float) -> float:
    """How often the interval of n units holds a share, by the chances of all counts."""
    z, found = 1.959963984540054, 0.0
    for right in range(n + 1):
        middle, reach = right / n + z * z / (2 * n), z * math.sqrt(right * (n - right) / n + z * z / 4) / n
        if abs(share * (1 + z * z / n) - middle) <= reach:
            found += math.comb(n, right) * share**right * (1 - share) ** (n - right)
    return found


#: of other metrics it is 95 %
KNOWN = {"hit_rate@2": coverage_of_wilson(40, 2 / 5)}


@pytest.mark.slow
@pytest.mark.parametrize("case", CASES)
def test_coverage(case: str) -> None:
    draw, facts, metrics = CASES[case]
    data = pyarrow.table(draw(numpy.random.default_rng(0)))
    named = {f"m{i}": metric for i, metric in enumerate(metrics)}
    roles = {"label": "label", "score": "score", **facts}
    table = sm.evaluate(data, named, **roles, by="draw", total=False, interval=0.95).to_arrow()
    assert table.num_rows == DRAWS
    shares = {}
    for name, metric in named.items():
        low, high = (table.column(f"{name}_{end}").to_numpy() for end in ("low", "high"))
        shares[metric] = float(((low <= metrics[metric]) & (metrics[metric] <= high)).mean())
    assert shares == {metric: pytest.approx(KNOWN.get(metric, 0.95), abs=0.015) for metric in shares}
