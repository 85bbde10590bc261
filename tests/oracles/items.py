"""What is recommended, whether or not it is right: formulas over the top k of all lists, from sets and pairs."""

import math
from collections import Counter
from itertools import combinations
from types import SimpleNamespace
from typing import Any, NamedTuple

from oracles.observations import ratio

Top = list[tuple[Any, float | None]]  # items with their labels, from the top


class Recommended(NamedTuple):
    """The tables as the formulas read them."""

    tops: dict[Any, Top]  #: by user
    users: set  #: who is due recommendations
    catalog: dict[Any, Any]  #: categories by item
    history: list[tuple[Any, Any]]  #: users and items
    distances: dict[frozenset, float]  #: by pair of items
    lists: dict[Any, Top]  #: whole, by user


def recommended(rows, truth, label, score, group, item, category, tables, o) -> Recommended:
    by_text = o.ties == "text desc"
    order = sorted(
        rows, key=lambda row: str(row[item]) if by_text else row[item], reverse=o.ties.endswith("desc")
    )
    order.sort(key=lambda row: -row[score])
    tops: dict[Any, Top] = {}
    for row in order:
        tops.setdefault(row[group], []).append((row[item], row.get(label)))
    history = [(row[group], row[item]) for row in tables.get("history") or []]
    return Recommended(
        {user: top[: o.k] for user, top in tops.items()},
        {row[group] for row in truth} if truth is not None else {user for user, _ in history},
        {row[item]: row.get(category) for row in tables.get("catalog") or []},
        history,
        {frozenset((row["item_a"], row["item_b"])): row["distance"] for row in tables.get("distances") or []},
        tops,
    )


def average(values: list[float]) -> float | None:
    return ratio(math.fsum(values), len(values))


def mean_of_means(r: Recommended, of) -> float | None:
    """Over users the mean over their items of `of`, a function of item, rank and label."""
    return average(
        [average([of(i, rank, y) for rank, (i, y) in enumerate(top, 1)]) for top in r.tops.values()]
    )


def shown(r: Recommended) -> Counter:
    return Counter(item for top in r.tops.values() for item, _ in top)


def overlaps(r: Recommended, o: SimpleNamespace) -> list[list[int]]:
    """Of each list, how many items the tops of score and label share at each depth down to k."""
    found = []
    for top in r.lists.values():
        by_score = [item for item, _ in top]
        items = sorted(by_score, reverse=o.ties.endswith("desc"))
        label = dict(top)
        by_label = sorted(items, key=lambda item: -label[item])
        found.append([len({*by_score[:d]} & {*by_label[:d]}) for d in range(1, min(o.k, len(top)) + 1)])
    return found


def rbo(r: Recommended, o: SimpleNamespace) -> float | None:
    """Webber, Moffat and Zobel (2010), equation 23: (1 - p) / p sum X_d / d p^d + X_k / k p^k."""
    return average(
        [
            (1 - o.p) / o.p * math.fsum(x / d * o.p**d for d, x in enumerate(shared, 1))
            + shared[-1] / len(shared) * o.p ** len(shared)
            for shared in overlaps(r, o)
        ]
    )


def average_overlap(r: Recommended, o: SimpleNamespace) -> float | None:
    """Fagin, Kumar and Sivakumar (2003): the mean of the overlaps at the depths 1 to k."""
    return average([average([x / d for d, x in enumerate(shared, 1)]) for shared in overlaps(r, o)])


def overlap(r: Recommended, o: SimpleNamespace) -> float | None:
    return average([shared[-1] / len(shared) for shared in overlaps(r, o)])


def catalog_coverage(r: Recommended, o: SimpleNamespace) -> float | None:
    """Shani and Gunawardana (2011), section 8.3.3.1: the share of all items that are ever recommended."""
    return ratio(len(shown(r)), len(r.catalog)) if r.tops else None


def user_coverage(r: Recommended, o: SimpleNamespace) -> float | None:
    """Elliot, UserCoverageAtN, as a share: users who get at least k items."""
    return ratio(sum(len(r.tops.get(user, [])) >= (o.k or 1) for user in r.users), len(r.users))


def exposure_gini(r: Recommended, o: SimpleNamespace) -> float | None:
    """Gini (1912): half the mean absolute difference of two items' exposures, over the mean exposure."""
    times = shown(r)
    exposures = [times[item] for item in r.catalog]
    differences = sum(abs(one - other) for one in exposures for other in exposures)
    return ratio(differences, 2 * len(exposures) * sum(exposures))


def exposure_entropy(r: Recommended, o: SimpleNamespace) -> float | None:
    """Shani and Gunawardana (2011), formula 21, to base 2."""
    total = sum(shown(r).values())
    return -math.fsum(n / total * math.log2(n / total) for n in shown(r).values()) if total else None


def personalization(r: Recommended, o: SimpleNamespace) -> float | None:
    """Recmetrics: 1 - the mean cosine similarity of two users' rows of a matrix of users and items."""
    sets = [{item for item, _ in top} for top in r.tops.values()]
    return average(
        [1 - len(one & other) / math.sqrt(len(one) * len(other)) for one, other in combinations(sets, 2)]
    )


def average_popularity(r: Recommended, o: SimpleNamespace) -> float | None:
    """Yin et al. (2012): the mean number of ratings of a list's items, averaged over lists."""
    popularity = Counter(item for _, item in r.history)
    return mean_of_means(r, lambda item, rank, label: popularity[item])


def novelty(r: Recommended, o: SimpleNamespace) -> float | None:
    """Castells et al. (2011): -log2 of the share of users who know the item, or of the choices that it makes up."""
    events = r.history if o.popularity == "interactions" else set(r.history)
    whole = len(r.history) if o.popularity == "interactions" else len({user for user, _ in r.history})
    known = Counter(item for _, item in events)
    return mean_of_means(r, lambda item, *_: -math.log2(max(known[item], 1) / whole)) if whole else None


def long_tail_share(r: Recommended, o: SimpleNamespace) -> float | None:
    """Abdollahpouri et al. (2019), average percentage of long-tail items."""
    popularity = Counter(item for _, item in r.history)
    head = {
        item
        for item, n in popularity.items()
        if sum(more for more in popularity.values() if more > n) < o.head * len(r.history)
    }
    return mean_of_means(r, lambda item, *_: item not in head)


def diversity(r: Recommended, o: SimpleNamespace) -> float | None:
    """Ziegler et al. (2005), as the mean distance of two items of a list."""

    def distance(one: Any, other: Any) -> float:
        return r.distances[frozenset((one, other))] if r.distances else r.catalog[one] != r.catalog[other]

    return average(
        [
            average([distance(one, other) for (one, _), (other, _) in combinations(top, 2)])
            for top in r.tops.values()
            if len(top) > 1
        ]
    )


def serendipity(r: Recommended, o: SimpleNamespace) -> float | None:
    """RecTools, Serendipity: max(p(i) - pu(i), 0) for relevant items, pu = 0 for an item without interactions."""
    popularity = Counter(item for _, item in r.history)
    levels = sorted(set(popularity.values()), reverse=True)
    items = len(r.catalog)

    def unexpected(item: Any, rank: int, label: float) -> float:
        to_user = (items + 1 - rank) / items
        to_any = (items - levels.index(popularity[item])) / items if item in popularity else 0
        return max(to_user - to_any, 0) * o.relevant(label)

    return mean_of_means(r, unexpected)


METRICS = (
    catalog_coverage,
    user_coverage,
    exposure_gini,
    exposure_entropy,
    personalization,
    average_popularity,
    novelty,
    long_tail_share,
    diversity,
    serendipity,
    rbo,
    average_overlap,
    overlap,
)
DEFAULTS = {"novelty": {"popularity": "users"}, "long_tail_share": {"head": 0.8}, "rbo": {"p": 0.9}}
