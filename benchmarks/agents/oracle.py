"""The right numbers, each by its definition in plain Python: no library of metrics, and no SQL.

`python benchmarks/agents/oracle.py` writes right.json, which an agent must not see.
"""

from __future__ import annotations

import csv
import itertools
import json
import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
Row = dict[str, str]
Labelled = list[tuple[float, float]]  # (label, score)
#: An item of a list: its grade and its score.
Items = list[tuple[int, float]]


# --- what is read


def read(name: str) -> list[Row]:
    """The rows of a file, as texts."""
    with (HERE / "data" / f"{name}.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def labelled(
    rows: Iterable[Row], label: str = "clicked", score: str = "score", positive: float = 1
) -> Labelled:
    """Labels of 0 and 1, beside scores."""
    return [(float(float(row[label]) >= positive), float(row[score])) for row in rows]


def grouped(rows: Iterable[Row], key: str) -> dict[str, list[Row]]:
    """Rows by the value of a column."""
    found = defaultdict(list)
    for row in rows:
        found[row[key]].append(row)
    return dict(found)


def mean(values: Iterable[float]) -> float:
    found = list(values)
    return math.fsum(found) / len(found)


# --- rows


def auc(rows: Labelled) -> float | None:
    """The share of pairs of a positive and a negative row in which the positive has the higher score; a tie is half."""
    above, below = ([score for label, score in rows if label == wanted] for wanted in (1, 0))
    if not above or not below:
        return None
    return math.fsum((a > b) + (a == b) / 2 for a in above for b in below) / (len(above) * len(below))


def thresholds(rows: Labelled) -> Iterator[tuple[int, int]]:
    """True and false positives of each threshold, from the highest score down; tied rows come in together."""
    for level in sorted({score for _, score in rows}, reverse=True):
        chosen = [label for label, score in rows if score >= level]
        yield int(sum(chosen)), len(chosen) - int(sum(chosen))


def average_precision(rows: Labelled) -> float:
    """The sum over thresholds of (recall - recall before) * precision."""
    positives, before, total = sum(label for label, _ in rows), 0, 0.0
    for tp, fp in thresholds(rows):
        total += (tp - before) / positives * tp / (tp + fp)
        before = tp
    return total


def ks(rows: Labelled) -> float:
    positives = sum(label for label, _ in rows)
    return max(abs(tp / positives - fp / (len(rows) - positives)) for tp, fp in thresholds(rows))


def best_f1(rows: Labelled) -> float:
    positives = sum(label for label, _ in rows)
    return max(2 * tp / (tp + fp + positives) for tp, fp in thresholds(rows))


def precision(rows: Labelled, threshold: float = 0.5) -> float | None:
    chosen = [label for label, score in rows if score >= threshold]
    return mean(chosen) if chosen else None


def recall(rows: Labelled, threshold: float = 0.5) -> float | None:
    decisions = [float(score >= threshold) for label, score in rows if label]
    return mean(decisions) if decisions else None


def brier(rows: Labelled) -> float:
    return mean((score - label) ** 2 for label, score in rows)


def log_loss(rows: Labelled) -> float:
    return mean(-math.log(score if label else 1 - score) for label, score in rows)


# --- lists


def blocks(items: Items) -> list[list[int]]:
    """The grades of tied items, from the highest score down."""
    return [
        [g for g, score in items if score == level] for level in sorted({s for _, s in items}, reverse=True)
    ]


def expected(items: Items, value: Callable[[Sequence[int]], float]) -> float:
    """The mean of a value over all orders of tied items."""
    orders = itertools.product(*(set_of_orders(block) for block in blocks(items)))
    return mean_weighted((value([*itertools.chain(*(order for order, _ in each))]), math.prod(w for _, w in each))
                         for each in orders)  # fmt: skip


def set_of_orders(block: list[int]) -> list[tuple[tuple[int, ...], float]]:
    """The different orders of a block, each with its share of all orders."""
    found: dict[tuple[int, ...], int] = defaultdict(int)
    for order in itertools.permutations(block):
        found[order] += 1
    return [(order, n / math.factorial(len(block))) for order, n in found.items()]


def mean_weighted(pairs: Iterable[tuple[float, float]]) -> float:
    return math.fsum(value * weight for value, weight in pairs)


def dcg(order: Sequence[int], k: int, gain: Callable[[int], float]) -> float:
    return math.fsum(gain(grade) / math.log2(rank + 1) for rank, grade in enumerate(order[:k], 1))


def ndcg(items: Items, k: int, gain: Callable[[int], float] = lambda grade: 2.0**grade - 1) -> float:
    best = dcg(sorted((g for g, _ in items), reverse=True), k, gain)
    return expected(items, lambda order: dcg(order, k, gain)) / best


def reciprocal_rank(items: Items) -> float:
    return expected(items, lambda order: next((1 / r for r, g in enumerate(order, 1) if g), 0.0))


def average_precision_of_list(items: Items) -> float:
    relevant = sum(g > 0 for g, _ in items)

    def value(order: Sequence[int]) -> float:
        return math.fsum(sum(map(bool, order[:r])) / r for r, g in enumerate(order, 1) if g) / relevant

    return expected(items, value)


def hits(items: Items, k: int) -> float:
    return expected(items, lambda order: sum(map(bool, order[:k])))


def hit(items: Items, k: int) -> float:
    return expected(items, lambda order: float(any(order[:k])))


# --- tests


def p_of_t(values: Sequence[float]) -> float:
    """The two-sided p-value of Student's t test that the mean is 0."""
    n, middle = len(values), mean(values)
    error = math.sqrt(math.fsum((v - middle) ** 2 for v in values) / (n - 1) / n)
    return two_sided(middle / error, n - 1)


def two_sided(t: float, freedom: int) -> float:
    """P(|T| >= |t|), by Simpson's rule over the density: T = sqrt(f) tan(a) has a density of cos(a)^(f - 1)."""
    steps, start = 20_000, math.atan(abs(t) / math.sqrt(freedom))

    def area(low: float, high: float) -> float:
        width = (high - low) / steps
        return width / 3 * math.fsum(
            (1 if i in (0, steps) else 4 if i % 2 else 2) * math.cos(low + i * width) ** (freedom - 1)
            for i in range(steps + 1)
        )  # fmt: skip

    return area(start, math.pi / 2) / area(0, math.pi / 2)


# --- the data


TIES, CLASSES, GAPS, USERS, LOOKS = (read(name) for name in ("ties", "classes", "gaps", "users", "looks"))
LISTS, RATINGS, LATE = grouped(read("lists"), "query"), read("ratings"), read("late")
SCORED = [row for row in GAPS if row["score"] not in ("", "nan")]
OF_USER, OF_SHOP, OF_DAY = grouped(USERS, "user"), grouped(CLASSES, "shop"), grouped(LOOKS, "day")
OF_COUNTRY = grouped(TIES, "country")
ERRORS = [(float(row["sold"]), float(row["predicted"]) - float(row["sold"])) for row in LATE]
STARS = [(float(row["stars"]), float(row["score"]) - float(row["stars"])) for row in RATINGS]


def items_of(rows: Iterable[Row], grade: str, score: str, positive: int | None = None) -> Items:
    """A list; with `positive` its grades are 0 and 1."""
    grades = ((int(row[grade]), float(row[score])) for row in rows)
    return [(int(g >= positive) if positive else g, s) for g, s in grades]


def of_lists(score: str = "score_a") -> list[Items]:
    """The lists with a relevant item."""
    every = [items_of(rows, "grade", score) for rows in LISTS.values()]
    return [items for items in every if any(g for g, _ in items)]


def of_raters(positive: int | None = None) -> list[Items]:
    every = [items_of(rows, "stars", "score", positive) for rows in grouped(RATINGS, "user").values()]
    return [items for items in every if any(g for g, _ in items)]


def by_group(groups: dict[str, list[Row]], weight: str = "uniform", **columns: Any) -> float:
    """The mean of the AUC of groups that have both classes."""
    found = [rows for each in groups.values() if auc(rows := labelled(each, **columns)) is not None]
    weights = []
    for rows in found:
        positives = sum(label for label, _ in rows)
        weights.append(
            {"uniform": 1, "rows": len(rows), "pairs": positives * (len(rows) - positives)}[weight]
        )
    values = [auc(rows) or 0.0 for rows in found]
    return math.fsum(v * w for v, w in zip(values, weights, strict=True)) / math.fsum(weights)


def of_one_class(groups: dict[str, list[Row]], label: str) -> int:
    return sum(len({row[label] for row in rows}) == 1 for rows in groups.values())


def differences_of_lists(k: int = 5) -> list[float]:
    return [ndcg(a, k) - ndcg(b, k) for a, b in zip(of_lists(), of_lists("score_b"), strict=True)]


def differences_of_users() -> list[float]:
    pairs = [[auc(labelled(rows, score=f"score_{m}")) for m in "ba"] for rows in OF_USER.values()]
    return [b - a for b, a in pairs if b is not None and a is not None]


def first_day() -> int:
    days = sorted(OF_DAY)
    above = [
        day
        for day in days
        if all(
            brier(labelled(seen, score="score_b")) > brier(labelled(seen, score="score_a"))
            for last in days[days.index(day) :]
            for seen in [[row for row in LOOKS if row["day"] <= last]]
        )
    ]
    return int(above[0][-2:])


SOLD = {"label": "sold"}
#: None is "has no value".
RIGHT: dict[str, Callable[[], float | None]] = {
    "ties-1": lambda: auc(labelled(TIES, score="score_a")),
    "ties-2": lambda: auc(labelled(TIES, score="score_b")),
    "ties-3": lambda: auc(labelled(OF_COUNTRY["DE"], score="score_a")),
    "ties-4": lambda: (
        (auc(labelled(TIES, score="score_a")) or 0) - (auc(labelled(TIES, score="score_b")) or 0)
    ),
    "ties-5": lambda: average_precision(labelled(TIES, score="score_a")),
    "ties-6": lambda: ks(labelled(TIES, score="score_b")),
    "ties-7": lambda: precision(labelled(TIES, score="score_a")),
    "ties-8": lambda: best_f1(labelled(TIES, score="score_a")),
    "lists-1": lambda: mean(ndcg(items, 5) for items in of_lists()),
    "lists-2": lambda: sum(ndcg(items, 5) for items in of_lists()) / len(LISTS),
    "lists-3": lambda: mean(ndcg(items, 5, float) for items in of_lists()),
    "lists-4": lambda: mean(reciprocal_rank(items) for items in of_lists()),
    "lists-5": lambda: sum(reciprocal_rank(items) for items in of_lists()) / len(LISTS),
    "lists-6": lambda: mean(hits(items, 3) / 3 for items in of_lists()),
    "lists-7": lambda: mean(hits(items, 3) / sum((g > 0 for g, _ in items)) for items in of_lists()),
    "lists-8": lambda: mean(average_precision_of_list(items) for items in of_lists("score_b")),
    "lists-9": lambda: len(LISTS) - len(of_lists()),
    "lists-10": lambda: mean(hit(items, 1) for items in of_lists()),
    "lists-11": lambda: p_of_t(differences_of_lists()),
    "lists-12": lambda: sum(d > 1e-12 for d in differences_of_lists()),
    "classes-1": lambda: auc(labelled(CLASSES, **SOLD)),
    "classes-2": lambda: auc(labelled(OF_SHOP["north"], **SOLD)),
    "classes-3": lambda: auc(labelled(OF_SHOP["south"], **SOLD)),
    "classes-4": lambda: by_group(OF_SHOP, **SOLD),
    "classes-5": lambda: of_one_class(OF_SHOP, "sold"),
    "classes-6": lambda: log_loss(labelled(OF_SHOP["south"], **SOLD)),
    "classes-7": lambda: recall(labelled(OF_SHOP["north"], **SOLD)),
    "classes-8": lambda: recall(labelled(OF_SHOP["south"], **SOLD)),
    "gaps-1": lambda: auc(labelled(SCORED)),
    "gaps-2": lambda: len(GAPS) - len(SCORED),
    "gaps-3": lambda: brier(labelled(SCORED)),
    "gaps-4": lambda: log_loss(labelled(SCORED)),
    "gaps-5": lambda: mean((label for label, _ in labelled(SCORED))),
    "gaps-6": lambda: mean(((score >= 0.5) == label for label, score in labelled(SCORED))),
    "ratings-1": lambda: auc(labelled(RATINGS, "stars", positive=4)),
    "ratings-2": lambda: auc(labelled(RATINGS, "stars", positive=5)),
    "ratings-3": lambda: math.sqrt(mean((error**2 for _, error in STARS))),
    "ratings-4": lambda: mean((abs(error) for _, error in STARS)),
    "ratings-5": lambda: mean(hits(items, 3) / 3 for items in of_raters(4)),
    "ratings-6": lambda: mean(reciprocal_rank(items) for items in of_raters(5)),
    "ratings-7": lambda: len(grouped(RATINGS, "user")) - len(of_raters(5)),
    "ratings-8": lambda: mean(ndcg(items, 5, float) for items in of_raters()),
    "users-1": lambda: auc(labelled(USERS, score="score_a")),
    "users-2": lambda: by_group(OF_USER, score="score_a"),
    "users-3": lambda: by_group(OF_USER, "rows", score="score_a"),
    "users-4": lambda: by_group(OF_USER, "pairs", score="score_a"),
    "users-5": lambda: len(OF_USER),
    "users-6": lambda: of_one_class(OF_USER, "clicked"),
    "users-7": lambda: mean(differences_of_users()),
    "users-8": lambda: p_of_t(differences_of_users()),
    "looks-1": lambda: auc(labelled(LOOKS, score="score_a")),
    "looks-2": lambda: by_group(OF_DAY, score="score_a"),
    "looks-3": lambda: auc(labelled((row for row in LOOKS if row["day"] <= "2026-05-07"), score="score_a")),
    "looks-4": lambda: auc(labelled(max(OF_DAY.values(), key=len), score="score_b")),
    "looks-5": lambda: first_day(),
    "late-1": lambda: mean((abs(error) for _, error in ERRORS)),
    "late-2": lambda: math.sqrt(mean((error**2 for _, error in ERRORS))),
    "late-3": lambda: mean((error for _, error in ERRORS)),
    "late-4": lambda: math.fsum((abs(e) for _, e in ERRORS)) / math.fsum((sold for sold, _ in ERRORS)),
    "late-5": lambda: max((abs(error) for _, error in ERRORS)),
}


def right() -> dict[str, float | None]:
    """The right number of each question."""
    return {name: answer() for name, answer in RIGHT.items()}


if __name__ == "__main__":
    (HERE / "right.json").write_text(json.dumps(right(), indent=1) + "\n", encoding="utf-8")
