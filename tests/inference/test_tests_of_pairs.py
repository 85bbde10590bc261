"""Tests of paired differences against scipy, on every engine; the draws of signs against plain Python."""

from __future__ import annotations

import itertools
import math
import random
import statistics
from collections import Counter
from typing import Any

import pytest

from oracles import randomisation
from sqlmetrics.book.templates import macros
from support.distributions import computed, largest_error
from support.engines import Engine

Differences = list[float | None]
KEYS = ["sm_slice", "sm_metric", "sm_candidate"]

#: Darwin's plants of maize, crossed less selfed, in eighths of an inch: what Fisher (1935, 21) drew signs for.
MAIZE = [49, -67, 8, 16, 6, 23, 28, 41, 14, 29, 56, 24, 75, 60, -48]
#: More sleep with one drug than with another: ten patients of Student (1908).
SLEEP = [1.2, 2.4, 1.3, 1.3, 0.0, 1.0, 1.8, 0.8, 4.6, 1.4]


def drawn(seed: int, n: int, digits: int, shift: float = 0.1) -> Differences:
    """Differences with ties and zeros, the more the fewer digits, and a few without a pair."""
    draw = random.Random(seed)
    return [None if draw.random() < 0.05 else round(draw.gauss(shift, 1), digits) for _ in range(n)]


CASES: list[Differences] = [
    [float(d) for d in MAIZE], SLEEP,
    drawn(1, 30, 0), drawn(2, 200, 1), drawn(3, 1000, 3, -0.05), drawn(4, 7, 2), drawn(5, 60, 9, 0.6),
    [2.5], [-1.0, -1.0, -1.0], [0.0, 0.0, 1.0], [1e-9, -2e9, 3e9, None], [0.5, -0.5],
]  # fmt: skip
#: Tied sizes and zeros: few of them, all of one size, and as many as the exact distribution takes.
TIED: list[Differences] = [
    *(drawn(200 + n, n, digits, 0.5) for n in (3, 5, 8, 11, 13, 14, 19, 24, 25) for digits in (0, 1)),
    *([1.0] * wins + [-1.0] * losses + [0.0] * 30 for wins, losses in ((5, 0), (9, 4), (25, 0), (13, 12))),
    [1.0, 1.0, 2.0, 2.0, -3.0, -3.0, 4.0, 4.0],
]
#: Differences of different sizes: the exact distribution of up to 25, the normal one of 26.
UNTIED: list[Differences] = [
    *([(-1.0) ** (size % 4 == 0) * size for size in range(1, n + 1)] for n in range(1, 27)),
    *(drawn(100 + n, n, 9, shift) for n in (8, 19, 25) for shift in (0.0, 0.8)),
    [float(size) for size in range(1, 26)],
]
NOTHING: list[Differences] = [[0.0, 0.0], [None, None], [0.0, None]]


def results(
    engine: Engine, test: str, cases: list[Differences], n_resamples: int = 200, seed: int = 0
) -> list[dict[str, Any]]:
    """The rows of sm_tested, a case a slice; two cases come as metrics of another candidate in one slice, too."""
    rows: list[dict[str, Any]] = [
        {"sm_slice": i, "sm_metric": 1, "sm_candidate": 2, "sm_unit": f"u{j}", "sm_difference": difference}
        for i, case in enumerate(cases)
        for j, difference in enumerate(case)
    ]
    rows += [
        {**row, "sm_slice": 0, "sm_metric": 2 + row["sm_slice"], "sm_candidate": 3}
        for row in rows
        if row["sm_slice"] < 2
    ]
    random.Random(seed).shuffle(rows)
    words = macros(engine.dialect)
    stages = words[f"stages_of_{test}"]({"facts": {"n_resamples": n_resamples}}, KEYS)
    order = ", ".join(f"{key} asc" for key in ("sm_candidate", "sm_metric", "sm_slice"))
    sql = f"with\n\n{stages}\n\nselect * from sm_tested order by {order}{words['sql_tail']()}"
    found = engine.query(sql, {"sm_pairs": rows})
    assert [tuple(row[key] for key in KEYS) for row in found] == [
        *((i, 1, 2) for i in range(len(cases))),
        *((0, 2 + i, 3) for i in range(min(2, len(cases)))),
    ]
    for i, row in enumerate(found[len(cases) :]):
        for column in ("sm_statistic", "sm_p_value"):
            assert row[column] is found[i][column] is None or row[column] == pytest.approx(
                found[i][column], rel=1e-12
            )
    return found[: len(cases)]


def paired(case: Differences) -> list[float]:
    return [difference for difference in case if difference is not None]


@pytest.mark.slow
@pytest.mark.sample
def test_wilcoxon(engine: Engine) -> None:
    """Exact for up to 25 differences that are not 0; scipy has the same distributions."""
    stats = pytest.importorskip("scipy.stats")
    cases = [*CASES, *UNTIED, *TIED]
    for case, row in zip(cases, results(engine, "wilcoxon", cases), strict=True):
        differences = paired(case)
        n = sum(d != 0 for d in differences)
        above = stats.wilcoxon(differences, method="approx", correction=False, alternative="greater")
        assert row["sm_statistic"] == pytest.approx(above.zstatistic, rel=1e-9, abs=1e-12)
        assert row["sm_exact"] == (n <= 25)
        if n > 25:
            found = stats.wilcoxon(differences, method="approx", correction=False).pvalue
        elif len({abs(d) for d in differences if d}) == n:
            found = stats.wilcoxon([d for d in differences if d], method="exact").pvalue
        else:
            found = p_of_signed_ranks(differences)
        assert row["sm_p_value"] == pytest.approx(found, rel=1e-12 if n <= 25 else 1e-9)


def p_of_signed_ranks(differences: list[float]) -> float:
    """How many of all signs give a sum of ranks as far from its middle: the sums, counted rank by rank."""
    kept = [d for d in differences if d]
    ranks = [sum((abs(x) < abs(d)) + (abs(x) <= abs(d)) for x in kept) + 1 for d in kept]  # doubled
    sums = Counter({0: 1})
    for rank in ranks:
        sums = sums + Counter({total + rank: ways for total, ways in sums.items()})
    above = sum(rank for rank, d in zip(ranks, kept, strict=True) if d > 0)
    fewer = min(above, sum(ranks) - above)
    return min(1, 2 * sum(ways for total, ways in sums.items() if total <= fewer) / 2 ** len(kept))


@pytest.mark.slow
def test_wilcoxon_as_scipy_chooses(engine: Engine) -> None:
    """Its `auto` counts all signs of up to 13 pairs with ties or zeros, and takes the distribution without."""
    stats = pytest.importorskip("scipy.stats")
    cases = [case for case in [*CASES, *UNTIED, *TIED] if len(paired(case)) <= 13 and any(paired(case))]
    for case, row in zip(cases, results(engine, "wilcoxon", cases), strict=True):
        found = stats.wilcoxon(paired(case))
        assert row["sm_p_value"] == pytest.approx(found.pvalue, rel=1e-12)


@pytest.mark.slow
def test_wilcoxon_of_every_sign(engine: Engine) -> None:
    """The p-value of all signs of tied sizes, each counted over the others."""
    for ranks in ([1.5, 1.5, 3.5, 3.5, 5.0], [2.0, 2.0, 2.0], [1.0, 2.5, 2.5, 4.0]):
        sides = [
            [s * r for s, r in zip(signs, ranks, strict=True)]
            for signs in itertools.product((-1, 1), repeat=len(ranks))
        ]
        positive = [sum(rank for rank in side if rank > 0) for side in sides]
        for row, w in zip(results(engine, "wilcoxon", sides), positive, strict=True):
            as_far = sum(other <= min(w, sum(ranks) - w) for other in positive)
            assert row["sm_p_value"] == min(1, 2 * as_far / 2 ** len(ranks))


@pytest.mark.slow
def test_wilcoxon_of_every_sum_of_ranks(engine: Engine) -> None:
    """The p-value of every sum of the ranks 1 to 6, counted over the 64 sides that they can take."""
    sides = [[rank if side >> rank & 1 else -rank for rank in range(1, 7)] for side in range(0, 2**7, 2)]
    positive = [sum(rank for rank in ranks if rank > 0) for ranks in sides]
    for row, w in zip(results(engine, "wilcoxon", sides), positive, strict=True):
        assert row["sm_p_value"] == min(1, 2 * sum(other <= min(w, 21 - w) for other in positive) / 64)


@pytest.mark.slow
@pytest.mark.sample
def test_sign(engine: Engine) -> None:
    stats = pytest.importorskip("scipy.stats")
    for case, row in zip(CASES, results(engine, "sign", CASES), strict=True):
        wins, losses = sum(d > 0 for d in paired(case)), sum(d < 0 for d in paired(case))
        found = stats.binomtest(wins, wins + losses)
        assert row["sm_statistic"] == pytest.approx(found.statistic, rel=1e-12)
        assert row["sm_p_value"] == pytest.approx(found.pvalue, rel=1e-12 if wins + losses <= 25 else 1e-9)


@pytest.mark.slow
@pytest.mark.sample
@pytest.mark.parametrize("n_resamples", [20, 500])
def test_randomisation(n_resamples: int, engine: Engine) -> None:
    """The draws are those of plain Python, to the last one."""
    for case, row in zip(CASES, results(engine, "randomisation", CASES, n_resamples), strict=True):
        expected = randomisation.p_value(paired(case), n_resamples)
        assert row["sm_p_value"] == pytest.approx(expected, rel=1e-14)
        assert row["sm_statistic"] == pytest.approx(statistics.fmean(paired(case)), rel=1e-12)


@pytest.mark.slow
def test_randomisation_as_scipy_draws() -> None:
    """Other draws of the same test: within four standard errors of both."""
    numpy, stats = pytest.importorskip("numpy"), pytest.importorskip("scipy.stats")
    for i, case in enumerate(CASES[:7]):
        found = stats.permutation_test(
            (paired(case),), numpy.mean, permutation_type="samples", n_resamples=1999, rng=i
        )
        error = (2 * found.pvalue * (1 - found.pvalue) / 2000) ** 0.5
        assert randomisation.p_value(paired(case), 1999) == pytest.approx(found.pvalue, abs=4 * error + 1e-3)


@pytest.mark.slow
def test_fishers_maize(engine: Engine) -> None:
    """1,726 of the 32,768 signs that there are (Fisher 1935, 21: 5.267 %, two-sided)."""
    (row,) = results(engine, "randomisation", [[float(d) for d in MAIZE]], 10_000)
    assert row["sm_p_value"] == pytest.approx(1726 / 2**15, abs=4 * (0.0527 / 10_000) ** 0.5)
    assert row["sm_statistic"] == pytest.approx(314 / 15)


@pytest.mark.slow
@pytest.mark.parametrize("test", ["wilcoxon", "sign", "randomisation"])
def test_nothing_to_test(test: str, engine: Engine) -> None:
    for row in results(engine, test, NOTHING):
        assert (row["sm_statistic"], row["sm_p_value"]) == (None, None)


@pytest.mark.slow
@pytest.mark.parametrize("test", ["wilcoxon", "sign", "randomisation"])
def test_the_order_of_rows_changes_nothing(test: str, engine: Engine) -> None:
    cases = [drawn(6, 300, 6), drawn(7, 300, 1)]
    first, second = (results(engine, test, cases, seed=seed) for seed in (1, 2))
    assert [row["sm_p_value"] for row in first] == [row["sm_p_value"] for row in second]


@pytest.mark.slow
@pytest.mark.parametrize("test", ["wilcoxon", "sign", "randomisation"])
def test_a_difference_turned_round(test: str, engine: Engine) -> None:
    """What speaks for the one side speaks as much against the other."""
    case = drawn(8, 40, 6)
    there, back = results(engine, test, [case, [None if d is None else -d for d in case]], 5000)
    # the randomisation draws other signs for it
    assert there["sm_p_value"] == pytest.approx(
        back["sm_p_value"], **({"abs": 0.03} if test == "randomisation" else {"rel": 1e-9})
    )
    middle = 1 if test == "sign" else 0
    assert there["sm_statistic"] + back["sm_statistic"] == pytest.approx(middle, abs=1e-9)


@pytest.mark.slow
def test_a_p_value_is_never_zero(engine: Engine) -> None:
    for test in ("wilcoxon", "sign"):
        (row,) = results(engine, test, [[float(i) for i in range(1, 2501)]])
        assert 0 < row["sm_p_value"] <= 1e-290


@pytest.mark.slow
def test_binomial_tails(engine: Engine) -> None:
    binom = pytest.importorskip("scipy.stats").binom
    points = {(k, n) for n in range(1, 31) for k in range(n + 1)}
    for n in (45, 64, 137, 400, 1000, 3001, 10_001, 10**5, 999_999, 10**6, 5_000_001, 10**7 - 1, 10**7):
        far = {int(binom.ppf(10.0**-e, n, 0.5)) for e in (0.1, 0.31, 1, 2, 3, 5, 8, 12, 20, 40, 60, 80, 99)}
        points |= {
            (k, n) for k in {*far, 0, 9, 10, 11, n // 2, (n - 1) // 2, n // 2 + 1, n // 2 + 12, n - 1, n}
        }
    ordered = sorted((k, n) for k, n in points if binom.cdf(k, n, 0.5) > 1e-100)
    got = computed(engine, "binomial_half_tail", "k", "n", rows=[{"k": k, "n": n} for k, n in ordered])
    assert largest_error(got, [binom.cdf(k, n, 0.5) for k, n in ordered]) < 1e-9
    few = {(k, n): tail for (k, n), tail in zip(ordered, got, strict=True) if n <= 25}
    ways = [sum(math.comb(n, i) for i in range(k + 1)) / 2**n for k, n in few]
    assert largest_error(list(few.values()), ways) < 1e-12


@pytest.mark.slow
@pytest.mark.sample
def test_ends_of_the_binomial(engine: Engine) -> None:
    rows = [{"k": k, "n": n} for k, n in ((-1, 5), (0, 0), (5, 5), (7, 5), (0, -1), (None, 5), (2, None))]
    assert computed(engine, "binomial_half_tail", "k", "n", rows=rows) == [0, 1, 1, 1, None, None, None]


@pytest.mark.sample
@pytest.mark.filterwarnings("ignore:Precision loss")  # scipy's, of a sample that does not vary
def test_welch(engine: Engine) -> None:
    stats = pytest.importorskip("scipy.stats")
    draw = random.Random(0)
    samples = [
        (
            [0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0],
            [1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4],
        )
    ]
    samples += [
        ([draw.gauss(0, spread) for _ in range(n)], [draw.gauss(shift, 1) for _ in range(m)])
        for n, m, spread, shift in ((2, 2, 1, 0), (5, 50, 3, 1), (400, 3, 1e-3, 0.1), (30, 1000, 1e-60, 4))
    ]
    samples += [([1.0, 1.0], [1.0, 2.0, 4.0])]
    got = welch(engine, samples)
    for (one, other), row in zip(samples, got, strict=True):
        found = stats.ttest_ind(one, other, equal_var=False)
        assert row == pytest.approx((found.statistic, found.df, found.pvalue), rel=1e-9)
    assert got[0] == pytest.approx((-1.8608134674868526, 17.776473516178488, 0.0793941401873583), rel=1e-9)


@pytest.mark.slow
def test_welch_undefined(engine: Engine) -> None:
    assert welch(engine, [([1.0], [1.0, 2.0]), ([1.0, 1.0], [2.0, 2.0])]) == [(None, None, None)] * 2


def welch(engine: Engine, samples: list[tuple[list[float], list[float]]]) -> list[tuple[float | None, ...]]:
    """Statistic, degrees of freedom and two-sided p-value."""
    rows = [
        {
            f"{name}_{side}": value
            for side, sample in enumerate(pair, start=1)
            for name, value in (
                ("m", statistics.fmean(sample)),
                ("v", statistics.variance(sample) if len(sample) > 1 else None),
                ("n", len(sample)),
            )
        }
        for pair in samples
    ]  # fmt: skip
    statistic = computed(engine, "welch_t", "m_1", "v_1", "n_1", "m_2", "v_2", "n_2", rows=rows)
    df = computed(engine, "welch_df", "v_1", "n_1", "v_2", "n_2", rows=rows)
    tails = computed(
        engine, "student_t_sf", "t", "df",
        rows=[{"t": None if t is None else abs(t), "df": d} for t, d in zip(statistic, df, strict=True)],
    )  # fmt: skip
    return [(t, d, None if p is None else 2 * p) for t, d, p in zip(statistic, df, tails, strict=True)]
