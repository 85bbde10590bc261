"""Average precision over hits with tied scores: the mean over all orders, or an error where it has no closed form."""

import itertools
import random
import statistics

import pytest

import sqlmetrics as sm
from support.seeds import seeds


def over_hits(labels, k: int) -> float:
    """Average precision at k, divided by the hits in the top k."""
    precisions = [sum(labels[: at + 1]) / (at + 1) for at, label in enumerate(labels[:k]) if label]
    return statistics.fmean(precisions) if precisions else 0


def mean_over_orders(rows: list[tuple[int, int]], k: int) -> tuple[float, bool]:
    """The mean over the orders of tied items, and whether all of them have the same hits."""
    blocks = [
        [label for label, _ in block]
        for _, block in itertools.groupby(sorted(rows, key=lambda row: -row[1]), key=lambda row: row[1])
    ]
    orders = [
        [label for block in order for label in block]
        for order in itertools.product(*(itertools.permutations(block) for block in blocks))
    ]
    return statistics.fmean(over_hits(order, k) for order in orders), len({sum(o[:k]) for o in orders}) == 1


@pytest.mark.parametrize("seed", seeds(20, 200))
def test_the_mean_over_orders(seed):
    draw = random.Random(seed)
    rows = [(draw.randint(0, 1), draw.randrange(3)) for _ in range(6)]
    k = draw.randint(1, 5)
    expected, certain = mean_over_orders([*rows, (1, 9)], k)
    facts = {"label": "label", "score": "score", "group": "group"}
    data = [{"group": 1, "label": label, "score": score} for label, score in [*rows, (1, 9)]]
    if certain:
        value = sm.evaluate(data, f"map(denominator=hits)@{k}", **facts).to_dicts()[0]
        assert value[f"map_denominator_hits_{k}"] == pytest.approx(expected, rel=1e-12)
    else:
        with pytest.raises(sm.DataError, match=rf"1 groups have relevant items that tie .* across rank {k}"):
            sm.evaluate(data, f"map(denominator=hits)@{k}", **facts)


def test_no_tie_needs_no_policy_under_torchmetrics():
    rows = [{"q": 1, "y": y, "s": s} for y, s in [(0, 3), (1, 2), (0, 1), (0, 1)]]
    facts = {"label": "y", "score": "s", "group": "q", "convention": "torchmetrics"}
    assert sm.evaluate(rows, "map@2", **facts).value("map@2") == 1 / 2
    assert sm.evaluate(rows, "map@3", **facts).value("map@3") == 1 / 2


@pytest.mark.parametrize("ties", ["worst", "best"])
def test_the_advice_works(ties):
    rows = [{"q": 1, "y": y, "s": s} for y, s in [(1, 1), (0, 1)]]
    facts = {"label": "y", "score": "s", "group": "q", "convention": "torchmetrics"}
    with pytest.raises(sm.DataError, match="pass ties='worst', 'best' or 'item'"):
        sm.evaluate(rows, "map@1", **facts)
    assert sm.evaluate(rows, "map@1", **facts, ties=ties).value("map@1") == (ties == "best")
