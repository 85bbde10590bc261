"""Every metric as its source writes it, in plain Python: slow, obvious, and sharing nothing with the SQL.

`value` is the door. A module holds the formulas of a family; what they have in common is in `observations` and `lists`.
"""

import math
import re
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

from oracles import (
    calibration_error,
    classes,
    classification,
    columns,
    correlation,
    decisions,
    diversity,
    exposure,
    forecasts,
    graded,
    item_weights,
    items,
    judged,
    label_ranking,
    levels,
    losses,
    policies,
    probability,
    ranking,
    regression,
    retrieval,
    sets,
    subsets,
    uplift,
)
from oracles.lists import UNJUDGED, RankedList, list_value
from oracles.observations import Observation

ROWS = {
    formula.__name__: formula
    for family in (
        classification,
        decisions,
        probability,
        regression,
        correlation,
        losses,
        levels,
        calibration_error,
        forecasts,
        policies,
        uplift,
        columns,
    )
    for formula in family.METRICS
}
LIST_FAMILIES = (ranking, graded, retrieval, sets, judged, label_ranking)
OWN_DEFAULTS = {
    name: own
    for family in (*LIST_FAMILIES, diversity, exposure, items)
    for name, own in family.DEFAULTS.items()
}
LISTS = {name: formula for family in LIST_FAMILIES for name, formula in family.METRICS.items()}
PESSIMISTIC = {name for family in LIST_FAMILIES for name in family.PESSIMISTIC}
DIVERSITY = {formula.__name__: formula for formula in diversity.METRICS}
EXPOSURE = {formula.__name__: formula for formula in exposure.METRICS}
ITEMS = {formula.__name__: formula for formula in items.METRICS}
CLASSES = {formula.__name__: formula for formula in classes.METRICS}
SUBSETS = {formula.__name__: formula for formula in subsets.METRICS}
SCORED = {formula.__name__: formula for formula in classes.SCORED}

BY_PREDICTION = {"accuracy", "error_rate", "balanced_accuracy", "mcc", "kappa"}  # of any number of classes
DECIDED = {formula.__name__ for family in (classification, decisions) for formula in family.METRICS} - {
    "count",
    "base_rate",
}

DEFAULTS = {
    "k": None,
    "gain": "exponential",
    "log_base": 2.0,
    "discount": "log",
    "ideal": "judged",
    "denominator": "cutoff",
    "average": "mean",
    "weight": "uniform",
    "on_empty": "none",
    "on_missing": "zero",
    "scale": "linear",
    "normalized": "false",
}


def parse(notation: str) -> tuple[str, dict[str, Any]]:
    """`ndcg(gain=linear)@10` as a name and its parameters."""
    name, arguments, k = re.fullmatch(r"(\w+)(?:\((.*)\))?(?:@(\d+))?", notation.replace(" ", "")).groups()
    pairs = re.split(r",(?=\w+=)", arguments or "")  # a quoted value may hold commas
    params = dict(pair.split("=", 1) for pair in pairs if pair)
    if k:
        params["k"] = k
    return name, {key: plain(text) for key, text in params.items()}


def plain(text: str) -> float | str | None:
    try:
        return float(text)
    except ValueError:
        return text


def value(
    notation: str,
    rows: list[dict],
    *,
    label: str = "label",
    score: str | None = "score",
    prediction: str | None = None,
    class_scores: dict[Any, str] | None = None,
    group: str | None = None,
    item: str | None = None,
    weight: str | None = None,
    truth: list[dict] | None = None,
    max_grade: float | None = None,
    positive: float | str | None = None,
    ties: str = "average",
    category: str | None = None,
    subtopic: str | None = None,
    **tables: list[dict],
) -> float | None:
    """The metric `notation` over `rows`; None where it is undefined.

    Args:
        rows: dicts with the named columns; without `label` when `truth` has the labels.
        truth: dicts with the group, item and label columns of every judged item, listed or not.
        ties: average, worst, best, item, item desc or text desc.
        class_scores: the column of the score of each class; the label is then a class.
        subtopic: a column of `truth`, which then has a row for each of the subtopics of an item.
        tables: catalog, history and distances, for the metrics of items.
    """
    name, params = parse(notation)
    judgements, truth = truth, best_judgements(truth, subtopic, label, group, item)
    threshold = 1 if positive is None else positive
    if truth is not None:
        # An unjudged item is not relevant; a list without truth is left out.
        grades = {(row[group], row[item]): row[label] for row in truth}
        judged = {row[group] for row in truth}
        rows = [{**r, label: grades.get((r[group], r[item]), UNJUDGED)} for r in rows if r[group] in judged]
    params = {key: None if of == "none" else of for key, of in params.items()} if name in CLASSES else params
    if name in SUBSETS:
        return SUBSETS[name](
            decided(rows, label, score, prediction, group, item, weight, positive, params), **params
        )
    if name in SCORED or class_scores:
        in_rows = (rows, label, score, group, item, weight, threshold)
        found = wide(rows, label, class_scores, weight) if class_scores else examples(*in_rows)
        own = {"ties": ties} if name in ("top_k_accuracy", "top_label_ece") else {}
        return (SCORED | {"top_k_accuracy": classes.top_k_accuracy})[name](found, **params, **own)
    if prediction is not None and "threshold" not in params and "k" not in params:
        if name in CLASSES and (name in BY_PREDICTION or {"average", "class"} & set(params)):
            pairs = [
                classes.Judged(row[label], row[prediction], row[weight] if weight else 1) for row in rows
            ]
            return CLASSES[name](pairs, **params)
        if name in DECIDED:
            # The predicted class decides: a score of 1 where it is positive.
            score = "sm decided"
            rows = [{**row, score: float(positive_by(row[prediction], positive))} for row in rows]
    if isinstance(positive, str):
        threshold = 1
        rows = [{**row, label: int(row[label] == positive)} for row in rows]
    if name in ROWS and "k" not in params:
        observations = [
            Observation(
                is_at_least(row[label], threshold),
                row[label],
                row.get(score),
                row[weight] if weight else 1,
                row,
            )
            for row in rows
        ]
        return ROWS[name](observations, **{key: None if of == "none" else of for key, of in params.items()})
    o = SimpleNamespace(**{**DEFAULTS, **OWN_DEFAULTS.get(name, {}), **params})
    o.k = None if o.k in (None, "none") else int(o.k)
    o.log_base = math.e if o.log_base == "e" else o.log_base
    o.max_grade, o.weight_column = max_grade, weight
    o.ties = "worst" if ties == "average" and name in PESSIMISTIC else ties
    o.relevant = lambda label: label >= threshold
    if name in ITEMS:
        read = items.recommended(rows, truth, label, score, group, item, category, tables, o)
        return ITEMS[name](read, o)
    o.gain_word, o.gain = o.gain, gain_of(o.gain, o.relevant)
    return value_of_lists(name, rows, truth, judgements, label, score, group, item, subtopic, o)


def value_of_lists(name, rows, truth, judgements, label, score, group, item, subtopic, o) -> float | None:
    if "item_weight" in vars(o):
        lists = weighted_lists(rows, truth, label, score, group, item, o.item_weight)
        return item_weights.value(name, lists, o)
    if "propensity" in vars(o):
        lists = weighted_lists(rows, truth, label, score, group, item, o.propensity)
        weighed = [
            tuple(
                [one._replace(weight=item_weights.of_clicks(one.weight, o)) for one in side] for side in sides
            )
            for sides in lists
        ]
        return item_weights.value(name, weighed, o)
    lists = ranked_lists(rows, truth or [], label, score, group, item)
    if name in EXPOSURE:
        of_lists: dict[Any, exposure.List] = {}
        for row in rows:
            one = exposure.Item(row[label], row[score], row.get(item), row[o.sensitive])
            of_lists.setdefault(row[group], []).append(one)
        return exposure.value(EXPOSURE[name], list(zip(lists, of_lists.values(), strict=True)), o)
    if name in DIVERSITY:
        of_subtopics = diversity.read(rows, judgements, score, group, item, subtopic, label, lists, o)
        return diversity.value(DIVERSITY[name], of_subtopics, o)
    return list_value(*LISTS[name], lists, o)


def best_judgements(truth, subtopic, label, group, item) -> list[dict] | None:
    """One row an item, that of the subtopic which it serves best."""
    if subtopic is None:
        return truth
    rising = sorted(truth, key=lambda row: row[label])
    return list({(row[group], row[item]): row for row in rising}.values())


def gain_of(word: str, relevant: Callable[[float], bool]) -> Callable[[float], float]:
    """The gain of a label; nothing for an item that nobody judged."""
    if ":" in word:
        gains = [float(gain) for gain in word.split(":")]
        return lambda label: gains[int(label)] if label >= 0 else 0
    words = {"exponential": lambda label: 2 ** max(label, 0) - 1, "linear": lambda label: max(label, 0)}
    return words.get(word, relevant)


def positive_by(value: Any, positive: float | str | None) -> bool:
    """Whether a label or a predicted class is positive."""
    return value == positive if isinstance(positive, str) else value >= (1 if positive is None else positive)


def is_at_least(label: Any, threshold: float) -> bool | None:
    """Whether a label is positive; None for a text, of which metrics such as count ask nothing."""
    return None if isinstance(label, str) else label >= threshold


def decided(rows, label, score, prediction, group, item, weight, positive, params) -> list[subsets.Decided]:
    """Rows with their decisions: the predicted class, or the score at the threshold that `params` loses."""
    by_score = prediction is None or "threshold" in params
    threshold = params.pop("threshold", 0.5)
    return [
        subsets.Decided(
            row.get(group),
            row.get(item),
            positive_by(row[label], positive),
            row[score] >= threshold if by_score else positive_by(row[prediction], positive),
            row[weight] if weight else 1,
            row,
        )
        for row in rows
    ]


def wide(rows, label, class_scores, weight) -> list[classes.Example]:
    """A row an example, with a column for the score of each class."""
    return [
        classes.Example(
            row[label], {one: row[p] for one, p in class_scores.items()}, row[weight] if weight else 1
        )
        for row in rows
    ]


def examples(rows, label, score, group, item, weight, threshold) -> list[classes.Example]:
    """A row a class as one example a group."""
    found = []
    for key in dict.fromkeys(row[group] for row in rows):
        of_group = [row for row in rows if row[group] == key]
        (true,) = (row[item] for row in of_group if row[label] >= threshold)
        scores = {row[item]: row[score] for row in of_group}
        found.append(classes.Example(true, scores, of_group[0][weight] if weight else 1))
    return found


def ranked_lists(rows, truth, label, score, group, item) -> list[RankedList]:
    lists = []
    for key in dict.fromkeys(row[group] for row in [*rows, *truth]):
        listed = [row for row in rows if row[group] == key]
        judged = [row for row in truth if row[group] == key]
        items = [row.get(item) for row in listed]
        unlisted = [row[label] for row in judged if row[item] not in items]
        labels, scores = [row[label] for row in listed], [row[score] for row in listed]
        lists.append(RankedList(labels, scores, items, unlisted, (listed or judged)[0]))
    return lists


def weighted_lists(rows, truth, label, score, group, item, weight) -> list[tuple[list, list]]:
    """Listed and judged items of each list, with their weights; those of the truth where there is one."""
    weights = {(row[group], row[item]): row[weight] or 0 for row in truth or []}
    lists = []
    for key in dict.fromkeys(row[group] for row in [*rows, *(truth or [])]):
        listed = [
            item_weights.Item(
                row[label],
                row[score],
                row.get(item),
                (row[weight] or 0) if truth is None else weights.get((key, row[item]), 0),
            )
            for row in rows
            if row[group] == key
        ]
        judged = [
            item_weights.Item(row[label], 0, row[item], row[weight] or 0)
            for row in truth or []
            if row[group] == key
        ]
        lists.append((listed, listed if truth is None else judged))
    return lists
