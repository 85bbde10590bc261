"""The set that one list returns, whatever its order: its numerator and its denominator."""

from types import SimpleNamespace

from oracles.lists import Order, Parts, RankedList
from oracles.ranking import nothing_relevant


def counts(one: RankedList, o: SimpleNamespace) -> tuple[int, int, int]:
    """The items of a list that are listed, relevant, and both: num_ret, num_rel and num_rel_ret of trec_eval."""
    return len(one.labels), sum(map(o.relevant, one.judged)), sum(map(o.relevant, one.labels))


def set_precision(order: Order, one: RankedList, o: SimpleNamespace) -> Parts:
    listed, _, hits = counts(one, o)
    return hits, listed


def set_recall(order: Order, one: RankedList, o: SimpleNamespace) -> Parts:
    listed, relevant, hits = counts(one, o)
    return hits, min(listed, relevant) if o.denominator == "capped" else relevant


def set_f_beta(order: Order, one: RankedList, o: SimpleNamespace) -> Parts:
    """Van Rijsbergen (1979), chapter 7: (1 + b^2) P R / (b^2 P + R), with P = hits / listed, R = hits / relevant."""
    listed, relevant, hits = counts(one, o)
    return (1 + o.beta**2) * hits, o.beta**2 * relevant + listed


def set_map(order: Order, one: RankedList, o: SimpleNamespace) -> Parts:
    """trec_eval: set_P * set_recall."""
    listed, relevant, hits = counts(one, o)
    return hits**2, listed * relevant


def num_ret(order: Order, one: RankedList, o: SimpleNamespace) -> Parts:
    return counts(one, o)[0], 1


def num_rel(order: Order, one: RankedList, o: SimpleNamespace) -> Parts:
    return counts(one, o)[1], 1


def num_rel_ret(order: Order, one: RankedList, o: SimpleNamespace) -> Parts:
    return counts(one, o)[2], 1


def never(one: RankedList, o: SimpleNamespace) -> bool:
    return False


METRICS = {
    "set_precision": (set_precision, nothing_relevant),
    "set_recall": (set_recall, nothing_relevant),
    "set_f1": (set_f_beta, nothing_relevant),
    "set_f_beta": (set_f_beta, nothing_relevant),
    "set_map": (set_map, nothing_relevant),
    "num_ret": (num_ret, never),
    "num_rel": (num_rel, never),
    "num_rel_ret": (num_rel_ret, never),
}
PESSIMISTIC = ()
DEFAULTS = {
    "set_recall": {"denominator": "relevant"},
    "set_f1": {"beta": 1},
    "set_f_beta": {"beta": 1},
    **{name: {"average": "sum"} for name in ("num_ret", "num_rel", "num_rel_ret")},
}
