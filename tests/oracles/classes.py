"""Classes: a predicted one against the labelled one, and a score for each."""

import math
from itertools import permutations
from typing import Any, NamedTuple

from oracles.calibration_error import ece
from oracles.observations import Observation, ratio, wins


class Judged(NamedTuple):
    label: Any
    predicted: Any
    weight: float


def total(rows: list[Judged]) -> float:
    return math.fsum(row.weight for row in rows)


def occurring(rows: list[Judged]) -> list[Any]:
    """The classes in their order, those of labels and of predictions; a row without weight is as none."""
    return sorted({side for row in rows if row.weight for side in (row.label, row.predicted)})


def sums(rows: list[Judged], one: Any) -> tuple[float, float, float]:
    """Of one class: the weight that is right, predicted, labelled."""
    right = total([row for row in rows if row.label == one == row.predicted])
    return (
        right,
        total([row for row in rows if row.predicted == one]),
        total([row for row in rows if row.label == one]),
    )


def named(rows: list[Judged], labels: Any) -> list[Any]:
    """The classes that `labels` names, such as a:b or 1:2."""
    as_text = any(isinstance(one, str) for one in occurring(rows))
    return [one if as_text else float(one) for one in str(labels).split(":")]


def averaged(
    rows, parts, average="binary", zero_division=None, labels=None, classes="all", **one_class
) -> float | None:
    """Of a ratio `parts` over the sums of a class: its value for one class, or its average over classes."""
    if not total(rows):
        return None
    if "class" in one_class:
        return ratio(*parts(*sums(rows, one_class["class"])), zero_division)
    by_class = [sums(rows, one) for one in (named(rows, labels) if labels else occurring(rows))]
    if classes == "label":
        by_class = [of_one for of_one in by_class if of_one[2]]
    if average == "micro":
        return ratio(*parts(*map(math.fsum, zip(*by_class, strict=True))), zero_division)
    values = [ratio(*parts(*of_one), zero_division or 0) for of_one in by_class]
    weights = [support if average == "weighted" else 1 for _, _, support in by_class]
    counted = [(v, w) for v, w in zip(values, weights, strict=True) if not math.isnan(v)]
    return ratio(math.fsum(v * w for v, w in counted), math.fsum(w for _, w in counted))


def precision(rows, **options):
    return averaged(rows, lambda right, predicted, _: (right, predicted), **options)


def recall(rows, **options):
    return averaged(rows, lambda right, _, labelled: (right, labelled), **options)


def f_beta(rows, beta=1, **options):
    """Van Rijsbergen (1979), in counts: (1 + b^2) tp / ((1 + b^2) tp + b^2 fn + fp)."""

    def parts(right, predicted, labelled):
        missed, wrong = labelled - right, predicted - right
        return (1 + beta**2) * right, (1 + beta**2) * right + beta**2 * missed + wrong

    return averaged(rows, parts, **options)


def f1(rows, **options):
    return f_beta(rows, 1, **options)


def jaccard(rows, **options):
    return averaged(rows, lambda right, p, t: (right, p + t - right), **options)


def accuracy(rows) -> float | None:
    return ratio(total([row for row in rows if row.label == row.predicted]), total(rows))


def error_rate(rows) -> float | None:
    return ratio(total([row for row in rows if row.label != row.predicted]), total(rows))


def balanced_accuracy(rows, zero_division=None, adjusted="false") -> float | None:
    recalls = [
        right / labelled for right, _, labelled in (sums(rows, c) for c in occurring(rows)) if labelled
    ]
    if adjusted == "true":
        chance = ratio(1, len(recalls))
        return ratio(math.fsum(recalls) * chance - chance, 1 - chance) if recalls else None
    return math.fsum(recalls) / len(recalls) if recalls else zero_division if rows and total(rows) else None


def mcc(rows, zero_division=None) -> float | None:
    """Gorodkin (2004): the covariances of the classes' indicators, summed, over both variances."""
    rows = [row for row in rows if row.weight]
    if not rows:
        return None
    if len({row.label for row in rows}) < 2 or len({row.predicted for row in rows}) < 2:
        return zero_division

    def covariance(one: str, other: str) -> float:
        summed = 0.0
        for c in occurring(rows):
            x, y = ([getattr(row, side) == c for row in rows] for side in (one, other))
            mean_x, mean_y = (
                math.fsum(row.weight * v for row, v in zip(rows, side, strict=True)) / total(rows)
                for side in (x, y)
            )
            summed += math.fsum(
                row.weight * (a - mean_x) * (b - mean_y) for row, a, b in zip(rows, x, y, strict=True)
            )
        return summed

    both = covariance("label", "predicted")
    return both / math.sqrt(covariance("label", "label") * covariance("predicted", "predicted"))


def kappa(rows, weights=None, zero_division=None) -> float | None:
    """Cohen (1960, 1968): 1 - observed / expected disagreement, weighted by the distance of places."""
    classes = occurring(rows)
    if len(classes) < 2:
        return zero_division if classes else None
    cost = {None: lambda d: float(d > 0), "linear": float, "quadratic": lambda d: float(d * d)}[weights]

    def apart(one: Any, other: Any) -> float:
        return cost(abs(classes.index(one) - classes.index(other)))

    seen = [row for row in rows if row.weight]
    observed = math.fsum(row.weight * apart(row.label, row.predicted) for row in seen)
    expected = math.fsum(a.weight * b.weight * apart(a.label, b.predicted) for a in seen for b in seen)
    return 1 - observed / (expected / total(seen))


METRICS = (precision, recall, f1, f_beta, jaccard, accuracy, error_rate, balanced_accuracy, mcc, kappa)


class Example(NamedTuple):
    true: Any
    scores: dict[Any, float]
    weight: float


def pooled(examples: list[Example]) -> tuple[list[tuple[float, float]], list[tuple[float, float]]]:
    """The scores of the examples' own classes and those of all others, with their weights."""
    scores = [(one == e.true, (s, e.weight)) for e in examples for one, s in e.scores.items()]
    return [pair for own, pair in scores if own], [pair for own, pair in scores if not own]


def multiclass_auc(examples: list[Example], method: str, average: str = "macro") -> float | None:
    """Hand and Till (2001), section 2: pairs counted; `ovr` takes all other classes as the other one."""

    def weight_of(group: list[Example]) -> float:
        return math.fsum(example.weight for example in group)

    def area(one: Any, group: list[Example], others: list[Example]) -> float:
        right = math.fsum(
            a.weight * b.weight * wins(a.scores[one], b.scores[one]) for a in group for b in others
        )
        return right / (weight_of(group) * weight_of(others))

    if average == "micro":
        right, wrong = pooled(examples)
        won = math.fsum(w * v * wins(s, t) for s, w in right for t, v in wrong)
        return ratio(won, math.fsum(w for _, w in right) * math.fsum(w for _, w in wrong))
    groups: dict[Any, list[Example]] = {}
    for example in examples:
        if example.weight:
            groups.setdefault(example.true, []).append(example)
    if len(groups) < 2:
        return None
    if method == "ovr":
        values = [
            area(one, group, [e for other in groups if other != one for e in groups[other]])
            for one, group in groups.items()
        ]
        weights = [weight_of(group) for group in groups.values()]
    else:
        pairs = list(permutations(groups, 2))
        values = [area(one, groups[one], groups[other]) for one, other in pairs]
        weights = [weight_of(groups[one] + groups[other]) for one, other in pairs]
    if average == "macro":
        weights = [1.0] * len(weights)
    return math.fsum(v * w for v, w in zip(values, weights, strict=True)) / math.fsum(weights)


def multiclass_average_precision(examples: list[Example], average: str = "macro") -> float | None:
    """Each class against the rest: the precision down to each of its examples, averaged over these."""
    if average == "micro":
        right, wrong = pooled(examples)
        above = [math.fsum(w for s, w in right + wrong if s >= score) for score, _ in right]
        hits = [math.fsum(w for s, w in right if s >= score) for score, _ in right]
        terms = [w * hit / all_ for (_, w), hit, all_ in zip(right, hits, above, strict=True) if w]
        return ratio(math.fsum(terms), math.fsum(w for _, w in right))
    values, weights = [], []
    for one in dict.fromkeys(example.true for example in examples if example.weight):
        mine = [example for example in examples if example.true == one]
        weight = math.fsum(example.weight for example in mine)
        precisions = []
        for example in mine:
            above = [other for other in examples if other.scores[one] >= example.scores[one]]
            right = math.fsum(other.weight for other in above if other.true == one)
            if example.weight:
                precisions.append(example.weight * right / math.fsum(other.weight for other in above))
        values.append(math.fsum(precisions) / weight)
        weights.append(1.0 if average == "macro" else weight)
    return ratio(math.fsum(v * w for v, w in zip(values, weights, strict=True)), math.fsum(weights))


def multiclass_log_loss(examples: list[Example], eps: float = 1e-15) -> float | None:
    losses = [-math.log(min(max(e.scores[e.true], eps), 1 - eps)) for e in examples]
    return mean_of(examples, losses)


def multiclass_brier(examples: list[Example]) -> float | None:
    """Brier (1950), equation 2."""
    return mean_of(
        examples, [math.fsum((p - (c == e.true)) ** 2 for c, p in e.scores.items()) for e in examples]
    )


def top_k_accuracy(examples: list[Example], k: float, ties: str = "average") -> float | None:
    """The share of the orders of tied scores in which the class is among the first k."""
    chances = []
    for example in examples:
        own = example.scores[example.true]
        above = sum(score > own for score in example.scores.values())
        tied = sum(score == own for score in example.scores.values())
        ranks = {"average": range(above + 1, above + tied + 1), "worst": [above + tied], "best": [above + 1]}
        chances.append(sum(rank <= k for rank in ranks[ties]) / len(ranks[ties]))
    return mean_of(examples, chances)


def observed(score: float, hit: Any, weight: float) -> Observation:
    """A row with the score of a class, and whether the example has the class."""
    return Observation(hit, hit, score, weight)


def top_label_ece(
    examples: list[Example], bins: float = 10, equal: str = "width", ties: str = "average"
) -> float | None:
    """Guo et al. (2017), section 2: the highest score of an example, and whether its class has it."""
    return ece(
        [
            observed(max(e.scores.values()), top_k_accuracy([e._replace(weight=1)], 1, ties) or 0, e.weight)
            for e in examples
        ],
        bins,
        equal,
    )


def classwise_ece(
    examples: list[Example], bins: float = 10, equal: str = "width", **one_class: Any
) -> float | None:
    """Kull et al. (2019), section 2: the mean over classes of the error of a class against the others."""
    classes = [one_class["class"]] if one_class else [*examples[0].scores] if examples else []
    errors = [
        ece([observed(e.scores[c], e.true == c, e.weight) for e in examples], bins, equal) for c in classes
    ]
    return None if None in errors or not errors else math.fsum(errors) / len(errors)


def in_set(example: Example, threshold: float) -> set[Any]:
    return {one for one, score in example.scores.items() if score >= threshold}


def set_coverage(examples: list[Example], threshold: float = 0.5) -> float | None:
    """Angelopoulos and Bates (2021), section 4.3."""
    return mean_of(examples, [float(e.true in in_set(e, threshold)) for e in examples])


def set_size(examples: list[Example], threshold: float = 0.5) -> float | None:
    return mean_of(examples, [float(len(in_set(e, threshold))) for e in examples])


def size_stratified_coverage(examples: list[Example], threshold: float = 0.5) -> float | None:
    """Angelopoulos et al. (2021), section 4: each size of sets is a bin."""
    sizes = {len(in_set(e, threshold)) for e in examples}
    values = [
        set_coverage([e for e in examples if len(in_set(e, threshold)) == size], threshold) for size in sizes
    ]
    return min((value for value in values if value is not None), default=None)


def mean_of(examples: list[Example], values: list[float]) -> float | None:
    weights = [example.weight for example in examples]
    return ratio(math.fsum(w * v for w, v in zip(weights, values, strict=True)), math.fsum(weights))


SCORED = (
    multiclass_auc,
    multiclass_average_precision,
    multiclass_log_loss,
    multiclass_brier,
    top_label_ece,
    classwise_ece,
    set_coverage,
    set_size,
    size_stratified_coverage,
)
