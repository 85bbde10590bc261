"""The variance of AUC from all pairs of a positive and a negative row, as the papers write it."""

import math
from statistics import NormalDist
from typing import Any

from oracles.ends import Sample, of_share
from oracles.observations import wins

Rows = list[dict[str, Any]]


def parts(rows: Rows) -> tuple[float | None, list[float | None]]:
    """AUC, and of each row the share of the rows of the other class with which it is in the right order."""
    positive = [row["score"] for row in rows if row["label"]]
    negative = [row["score"] for row in rows if not row["label"]]
    if not positive or not negative:
        return None, [None] * len(rows)
    shares = [
        math.fsum(wins(row["score"], other) for other in negative) / len(negative)
        if row["label"]
        else math.fsum(wins(other, row["score"]) for other in positive) / len(positive)
        for row in rows
    ]
    auc = math.fsum(share for row, share in zip(rows, shares, strict=True) if row["label"]) / len(positive)
    return auc, shares


def delong(rows: Rows) -> tuple[float | None, float | None]:
    """DeLong, DeLong and Clarke-Pearson (1988): AUC, and S10 / m + S01 / n."""
    auc, shares = parts(rows)
    return auc, variance_of_rows(rows, auc, shares)


def variance_of_rows(rows: Rows, auc: float | None, shares: list[Any]) -> float | None:
    """S10 / m + S01 / n of the shares of rows about their mean."""
    variance = 0.0
    for label in (1, 0):
        of_class = [share for row, share in zip(rows, shares, strict=True) if row["label"] == label]
        if len(of_class) < 2 or auc is None:
            return None
        squares = math.fsum((share - auc) ** 2 for share in of_class)
        variance += squares / (len(of_class) - 1) / len(of_class)
    return variance


def obuchowski(rows: Rows, group: str) -> tuple[float | None, float | None]:
    """Obuchowski (1997): AUC, and S10 / M + S01 / N + 2 S11 / (M N) over clusters."""
    auc, shares = parts(rows)
    return auc, variance_of_clusters(rows, group, auc, shares)


def variance_of_clusters(rows: Rows, group: str, auc: float | None, shares: list[Any]) -> float | None:
    """S10 / M + S01 / N + 2 S11 / (M N) of the shares of the rows of clusters about their mean."""
    if auc is None:
        return None
    clusters: dict[Any, dict[int, list[float]]] = {}
    for row, share in zip(rows, shares, strict=True):
        clusters.setdefault(row[group], {1: [], 0: []})[row["label"]].append(share)
    count = {label: sum(len(of[label]) for of in clusters.values()) for label in (1, 0)}
    having = {label: sum(1 for of in clusters.values() if of[label]) for label in (1, 0)}
    if min(having.values()) < 2:
        return None
    pull = {
        label: [math.fsum(of[label]) - len(of[label]) * auc for of in clusters.values()] for label in (1, 0)
    }
    s10, s01 = (
        having[label] / ((having[label] - 1) * count[label]) * math.fsum(x * x for x in pull[label])
        for label in (1, 0)
    )
    s11 = (
        len(clusters) / (len(clusters) - 1) * math.fsum(a * b for a, b in zip(pull[1], pull[0], strict=True))
    )
    return s10 / count[1] + s01 / count[0] + 2 * s11 / (count[1] * count[0])


def fewer_of_a_class(rows: Rows, group: str | None) -> int:
    """The rows of the rarer class, or the clusters that have one."""
    units = [
        {i if group is None else row[group] for i, row in enumerate(rows) if row["label"] == label}
        for label in (0, 1)
    ]
    return min(map(len, units))


def difference(
    rows: Rows, baseline: str, candidate: str, group: str | None = None
) -> tuple[float | None, float | None]:
    """How far AUC of the second model lies above that of the first, and the variance of that."""
    (first, of_first), (second, of_second) = (
        parts([{"label": row["label"], "score": row[model]} for row in rows])
        for model in (baseline, candidate)
    )
    if first is None or second is None:
        return None, None
    ahead = [two - one for one, two in zip(of_first, of_second, strict=True)]  # type: ignore[operator]
    if group is None:
        return second - first, variance_of_rows(rows, second - first, ahead)
    return second - first, variance_of_clusters(rows, group, second - first, ahead)


def interval(rows: Rows, reach: float, group: str | None = None) -> tuple[float | None, float | None]:
    """That of a share of as many units as the rarer class has; no variance of AUC is larger (van Dantzig 1951)."""
    auc = parts(rows)[0]
    if auc is None:
        return None, None
    normal = reach if group is None else NormalDist().inv_cdf(0.975)
    return of_share(*sample(rows, group), reach, normal, (0, 1), by_units=False)


def sample(rows: Rows, group: str | None = None) -> Sample:
    """AUC with the variance of as many units as the rarer class has, and the skewness that is larger."""
    auc, variance = delong(rows) if group is None else obuchowski(rows, group)
    assert auc is not None
    n = fewer_of_a_class(rows, group)
    skews = [skewness(pulls) for pulls in pulls_of_classes(rows, auc, group)]
    skew = None if None in skews else max(skews, key=abs)
    return Sample(auc, (variance or 0) * (n - 1) / n, skew, n)


def pulls_of_classes(rows: Rows, auc: float, group: str | None) -> list[list[float]]:
    """How far the placements of the rows of a class lie from their mean; in lists, their sums."""
    shares = parts(rows)[1]
    found = []
    for label in (1, 0):
        pulls: dict[Any, float] = {}
        for i, (row, share) in enumerate(zip(rows, shares, strict=True)):
            if row["label"] == label:
                unit = i if group is None else row[group]
                pulls[unit] = pulls.get(unit, 0.0) + share - auc
        found.append([*pulls.values()])
    return found


def skewness(pulls: list[float]) -> float | None:
    """Over the root of their number; None if all are equal."""
    squares = math.fsum(x * x for x in pulls)
    return math.fsum(x**3 for x in pulls) / squares**1.5 if squares > 1e-26 else None


def logit_interval(
    auc: float | None, variance: float | None, reach: float
) -> tuple[float | None, float | None]:
    """The same of ln(auc / (1 - auc)), whose standard error is that of AUC / (auc (1 - auc))."""
    if not auc or auc == 1 or not variance:
        return None, None
    half = reach * math.sqrt(variance) / (auc * (1 - auc))
    logit = math.log(auc / (1 - auc))
    return 1 / (1 + math.exp(half - logit)), 1 / (1 + math.exp(-half - logit))
