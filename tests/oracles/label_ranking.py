"""Rankings of labels: the definitions of scikit-learn, in which labels that tie are all counted.

With another policy than ties="average" each label has a rank of its own, and the labels of that order are counted.
"""

from types import SimpleNamespace

from oracles.lists import Order, Parts, RankedList


def listed(order: Order, one: RankedList, o: SimpleNamespace) -> tuple[list[float], list[float]]:
    """The scores of the relevant items and of the others; of an order without ties, what falls with the rank."""
    labels, scores = (one.labels, one.scores) if o.ties == "average" else (order, range(len(order), 0, -1))
    pairs = list(zip(labels, scores, strict=True))
    return [s for g, s in pairs if o.relevant(g)], [s for g, s in pairs if not o.relevant(g)]


def at_or_above(scores: list[float], score: float) -> int:
    return sum(other >= score for other in scores)


def label_ranking_average_precision(order: Order, one: RankedList, o: SimpleNamespace) -> Parts:
    relevant, others = listed(order, one, o)
    shares = [at_or_above(relevant, score) / at_or_above(relevant + others, score) for score in relevant]
    return sum(shares), sum(map(o.relevant, one.judged))


def coverage_error(order: Order, one: RankedList, o: SimpleNamespace) -> Parts:
    relevant, others = listed(order, one, o)
    return (at_or_above(relevant + others, min(relevant)) if relevant else 0), 1


def label_ranking_loss(order: Order, one: RankedList, o: SimpleNamespace) -> Parts:
    relevant, others = listed(order, one, o)
    return sum(at_or_above(others, score) for score in relevant), len(relevant) * len(others)


def nothing_relevant(one: RankedList, o: SimpleNamespace) -> bool:
    return not any(map(o.relevant, one.judged))


def one_class(one: RankedList, o: SimpleNamespace) -> bool:
    return len({bool(o.relevant(label)) for label in one.labels}) < 2


METRICS = {
    "label_ranking_average_precision": (label_ranking_average_precision, nothing_relevant),
    "coverage_error": (coverage_error, nothing_relevant),
    "label_ranking_loss": (label_ranking_loss, one_class),
}
PESSIMISTIC = ()
DEFAULTS: dict[str, dict] = {}
