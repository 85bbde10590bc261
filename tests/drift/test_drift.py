"""`drift` against formulas in plain Python, on every engine, and against scipy."""

from __future__ import annotations

import itertools
import math
import random
import statistics
from bisect import bisect_left
from collections import Counter
from typing import Any

import pytest

from oracles import drift as oracle
from oracles.slices import bin_edges
from sqlmetrics.book.templates import macros
from support.compared import close
from support.engines import Engine

Rows = list[dict[str, Any]]
COLUMNS = {"c": "category", "x": "number", "k": "number"}
ASKED = {"columns": list(COLUMNS), "numeric": ["x", "k"], "bins": 4}


def data(seed: int, rows: int, values: str, shift: float) -> Rows:
    """Rows with NULL, ties and rare values."""
    draw = random.Random(seed)
    return [
        {
            "g": draw.choice("uv"),
            "c": draw.choice([*values, None]),
            "x": draw.choice([None, draw.gauss(shift, 2.0)])
            if draw.random() < 0.2
            else draw.gauss(shift, 2.0),
            "k": draw.choice([0, 0, 0, 1, 2, 3, 5]) + int(shift * draw.random()),
        }
        for _ in range(rows)
    ]


NOW = [{**row, "day": "2"} for row in data(1, 161, "aabcy", 0.7)]
NOW += [{"g": "w", "c": "a", "x": 1.0, "k": 1, "day": "2"}]  # a slice that the reference lacks
THEN = [{**row, "day": "1"} for row in data(2, 205, "aabbcz", 0.0)]
SLICES = ["u", "v", "w", None]


def asked(engine: Engine, tables: dict[str, Rows], **arguments: Any) -> dict[tuple[Any, str], dict[str, Any]]:
    """The rows of the result by slice and column."""
    shown = engine.query(str(macros(engine.dialect).drift("now_rows", **{**ASKED, **arguments})), tables)
    lowered = [{name.lower(): value for name, value in row.items()} for row in shown]
    return {(row.get("g"), row["column_name"]): row for row in lowered}


def check(
    got: dict[tuple[Any, str], dict[str, Any]], slices: list[str | None], now: Rows, then: Rows
) -> None:
    """All measures of all columns and slices; p-values are near those of scipy, where it is installed."""
    assert [*got] == [(slice_, column) for slice_ in slices for column in COLUMNS]
    bins = {
        name: oracle.bins_of_number([row[name] for row in now], [row[name] for row in then], 4)
        for name, kind in COLUMNS.items()
        if kind == "number"
    }
    for (slice_, name), row in got.items():
        sides = [
            [each[name] for each in side if slice_ is None or each["g"] == slice_] for side in (now, then)
        ]
        assert [row["n_current"], row["n_reference"]] == list(map(len, sides))
        assert [row["n_null_current"], row["n_null_reference"]] == [side.count(None) for side in sides]
        number = COLUMNS[name] == "number"
        expected = oracle.of_column(*sides, bins.get(name)) if all(sides) else {}
        for measure in ("psi", "jensen_shannon", "hellinger", "total_variation", "chi_square", "ks", "wasserstein",
                        "ks_p_value"):  # fmt: skip
            close(row[measure], expected.get(measure))
        assert (row["chi_square_p_value"] is None) == (row["q_value"] is None) == (not expected)
        if not number and expected:
            lacked = [
                {*map(str, sides[0])} - {*map(str, sides[1])},
                {*map(str, sides[1])} - {*map(str, sides[0])},
            ]
            assert [row["n_new_values"], row["n_vanished_values"]] == list(map(len, lacked))
            for named, values, side in zip(
                (row["new_values"], row["vanished_values"]), lacked, sides, strict=True
            ):
                assert named == (", ".join(f"{value} ({side.count(value)})" for value in values) or None)
        else:
            assert {row[f"{kind}_values"] for kind in ("n_new", "n_vanished", "new", "vanished")} == {None}


@pytest.mark.slow
@pytest.mark.sample
def test_two_tables_by_slice(engine: Engine) -> None:
    got = asked(engine, {"now_rows": NOW, "then_rows": THEN}, reference="then_rows", by="g")
    check(got, SLICES, NOW, THEN)


@pytest.mark.slow
@pytest.mark.sample
def test_two_periods(engine: Engine) -> None:
    """Rows of other periods are not read, nor are their slices shown."""
    tables = {"now_rows": [*NOW, *THEN, {**NOW[0], "day": "3", "g": "other"}, {**NOW[0], "day": None}]}
    period = {"period": "day", "before": "1", "after": "2"}
    check(asked(engine, tables, **period), [None], NOW, THEN)
    check(asked(engine, tables, by="g", total=False, **period), SLICES[:-1], NOW, THEN)


@pytest.mark.slow
def test_numbers_that_are_none(engine: Engine) -> None:
    """A column of NULL alone has one bin: it did not move, and cannot be tested."""
    empty: Rows = [{**row, "x": None} for row in THEN]
    row = asked(engine, {"now_rows": empty, "then_rows": empty}, reference="then_rows")[None, "x"]
    assert [row[name] for name in ("psi", "total_variation", "chi_square")] == [0, 0, 0]
    assert {row[name] for name in ("ks", "wasserstein", "ks_p_value", "chi_square_p_value", "q_value")} == {
        None
    }
    row = asked(engine, {"now_rows": THEN, "then_rows": empty}, reference="then_rows")[None, "x"]
    assert row["psi"] > 5
    assert row["ks"] is None


@pytest.mark.slow
@pytest.mark.parametrize(
    "relation", ["now_rows", "(select * from now_rows where 1 = 0)"], ids=["one", "both"]
)
def test_a_side_without_rows(engine: Engine, relation: str) -> None:
    call = {"relation": relation, "reference": "(select * from now_rows where 1 = 0)", **ASKED}
    shown = engine.query(str(macros(engine.dialect).drift(**call)), {"now_rows": NOW})
    assert len(shown) == len(COLUMNS)
    for row in shown:
        found = {name.lower(): value for name, value in row.items()}
        assert (found["n_current"], found["n_reference"]) == (len(NOW) if relation == "now_rows" else 0, 0)
        assert {found[name] for name in ("psi", "ks", "chi_square", "q_value", "n_new_values")} == {None}


@pytest.mark.slow
def test_sides_without_a_common_value_are_as_far_apart_as_can_be(engine: Engine) -> None:
    """Rounding adds nothing: of 24 values each, every sum of shares is a little too large."""
    sizes = (6, 9, 20, 24, 25)
    now, then = ([{"g": n, "c": f"{side}{i}"} for n in sizes for i in range(n)] for side in "ab")
    call = {"columns": "c", "reference": "then_rows", "by": "g", "total": False}
    statement = str(macros(engine.dialect).drift("now_rows", **call))
    shown = engine.query(statement, {"now_rows": now, "then_rows": then})
    greatest = {"hellinger": 1.0, "total_variation": 1.0, "jensen_shannon": math.sqrt(math.log(2))}
    for row in shown:
        for measure, most in greatest.items():
            assert row[measure] <= most
            close(row[measure], most, 1e-12)
    assert len(shown) == len(sizes)


@pytest.mark.slow
@pytest.mark.sample
def test_the_two_zeros_are_one_value(engine: Engine) -> None:
    """Of a float that is compared as a category, too."""
    tables = {"now_rows": [{"c": 0.0}, {"c": 1.5}], "then_rows": [{"c": -0.0}, {"c": 1.5}]}
    [row] = asked(engine, tables, columns=["c"], numeric=[], reference="then_rows").values()
    assert row["total_variation"] == 0


@pytest.mark.slow
@pytest.mark.parametrize(("n", "m"), [(150, 130), (1001, 1001), (9000, 14000)])
@pytest.mark.parametrize("shift", [0.0, 0.05, 0.5])
def test_scipy(n: int, m: int, shift: float, opened: Any) -> None:
    """Its distances and tests, from rows, to 1e-9; its p-value of KS is another series."""
    stats = pytest.importorskip("scipy.stats")
    distance = pytest.importorskip("scipy.spatial.distance")
    draw = random.Random(n)
    now, then = ([round(draw.gauss(mean, 1), 3) for _ in range(size)] for mean, size in ((shift, n), (0, m)))
    tables = {"now_rows": [{"x": x} for x in now], "then_rows": [{"x": x} for x in then]}
    call = {"columns": "x", "numeric": "x", "reference": "then_rows"}
    [row] = opened("duckdb").query(str(macros("duckdb").drift("now_rows", **call)), tables)
    tested = stats.ks_2samp(now, then, method="asymp")
    close(row["ks"], tested.statistic)
    size = n * m / (n + m)
    # scipy leaves out the second term of the tail, 2 exp(-8 z^2), from z^2 = 2.2 on
    assert row["ks_p_value"] == pytest.approx(
        tested.pvalue, abs=1e-5 if size < 200 else 1e-7 if size < 1000 else 4e-8
    )
    close(row["wasserstein"], stats.wasserstein_distance(now, then))
    ends = bin_edges(then, 10)
    counts = [[sum(bisect_left(ends, x) == code for x in side) for code in range(10)] for side in (now, then)]
    close(row["jensen_shannon"], distance.jensenshannon(*counts))
    contingency = stats.chi2_contingency(counts, correction=False)
    close(row["chi_square"], contingency.statistic)
    close(
        row["chi_square_p_value"],
        stats.chi2.sf(*oracle.tested(*(Counter(dict(enumerate(side))) for side in counts))),
    )
    assert row["chi_square_p_value"] == pytest.approx(contingency.pvalue, rel=0.1, abs=1e-4)
    close(row["q_value"], min(1, 2 * min(row["ks_p_value"], row["chi_square_p_value"])))


#: rows of each value in the reference and in the current rows
RARE: dict[str, list[tuple[int, int]]] = {
    "many rows": [(700, 640), (200, 250), (100, 110)],
    "rare values of a small side": [(1000, 12), *[(2, 0)] * 17, (1, 1), (2, 1)],
    "one row of a small side": [(3000, 9), (3, 1)],
    "one row of many": [(900, 1), (100, 0)],
    "values that occur once": [*[(1, 0)] * 30, *[(0, 1)] * 30],
    "all but one occur once": [*[(1, 0)] * 30, *[(0, 1)] * 30, (1, 1)],
    "three rows": [(2, 0), (0, 1)],
    "four rows": [(2, 0), (1, 1)],
    "one value": [(10, 20)],
    "alike": [(10, 20), (20, 40)],
}


@pytest.mark.slow
def test_p_values_of_rare_values(engine: Engine) -> None:
    """Those of a gamma variable that has the mean and variance of all deals of the rows."""
    chi2 = pytest.importorskip("scipy.stats").chi2
    tables: dict[str, Rows] = {"then_rows": [], "now_rows": []}
    for case, counts in RARE.items():
        for value, pair in enumerate(counts):
            for side, count in zip(tables.values(), pair, strict=True):
                side += [{"g": case, "c": f"v{value}"}] * count
    call = {"columns": "c", "reference": "then_rows", "by": "g", "total": False}
    got = engine.query(str(macros(engine.dialect).drift("now_rows", **call)), tables)
    assert len(got) == len(RARE)
    for row in got:
        then, now = (Counter(one["c"] for one in side if one["g"] == row["g"]) for side in tables.values())
        tested = oracle.tested(now, then)
        expected = None if row["g"] == "one value" else 1.0 if tested is None else chi2.sf(*tested)
        close(row["chi_square_p_value"], expected, 1e-8)


def test_moments_of_all_deals() -> None:
    """The mean and variance of the statistic, by making each deal of a few rows."""
    for sizes, n in (((3, 1, 2), 2), ((4, 4), 3), ((1, 1, 1, 5), 4), ((2, 2, 2), 1)):
        rows = [value for value, size in enumerate(sizes) for _ in range(size)]
        found = []
        for dealt in itertools.combinations(range(len(rows)), n):
            now = Counter(rows[i] for i in dealt)
            then = Counter(rows) - now
            found.append(oracle.of_counts(now, then)["chi_square"])
        moments = oracle.moments_of_chi_square(sizes, n, len(rows) - n)
        assert moments == pytest.approx((statistics.fmean(found), statistics.pvariance(found)), abs=1e-9)


#: for each n, how far the p-value of KS lies from scipy's at most: at any distance, and where p is at most 0.1
NEAR_SCIPY = {
    20: (2e-4, 3e-5), 100: (7e-6, 1.2e-6), 200: (1.2e-6, 2.6e-7), 500: (1.3e-7, 4e-8), 1000: (3.3e-8, 2e-8),
    2000: (4e-8, 4e-8), 5000: (4e-8, 4e-8), 50000: (4e-8, 4e-8),
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("n", NEAR_SCIPY)
def test_how_far_the_p_value_of_ks_is_from_scipy(n: int, opened: Any) -> None:
    """The bounds that the page of drift names; from n = 5,000 on, 1e-9 of the two-sided tail."""
    kstwo = pytest.importorskip("scipy.stats").kstwo
    rows = [{"z": 0.2 + 0.02 * i, "n": n} for i in range(150) if (0.2 + 0.02 * i) ** 2 < n]
    sf = str(macros("duckdb").kolmogorov_sf("z", "n"))
    got = opened("duckdb").query(f"select z, {sf} as p from given", {"given": rows})
    everywhere, small = NEAR_SCIPY[n]
    for row in got:
        d = row["z"] / math.sqrt(n)
        expected = float(kstwo.sf(d, n))
        assert row["p"] == pytest.approx(expected, rel=0, abs=small if expected <= 0.1 else everywhere)
        if n >= 5000:
            assert row["p"] == pytest.approx(1 - float(kstwo.cdf(d, n)), rel=0, abs=1e-9)


FLAG, RATING = [0.0] * 70 + [1.0] * 30, [1.0] * 90 + [2.0] * 5 + [3.0] * 3 + [4.0] * 2
TAIL = [0.1 * i for i in range(1, 31)]
#: the reference, the current rows, and the counts of each side by bin, those of the current rows first
FEW: dict[str, tuple[list[float], list[float], list[tuple[int, int]]]] = {
    "shares of rare values": (
        RATING,
        [1.0] * 90 + [2.0] * 2 + [3.0] * 3 + [4.0] * 5,
        [(90, 90), (2, 5), (3, 3), (5, 2)],
    ),
    "a constant that is 0 in some rows": ([1.0] * 100, [0.0] * 10 + [1.0] * 90, [(10, 0), (90, 100)]),
    "a constant that is 2 in some rows": ([1.0] * 100, [2.0] * 10 + [1.0] * 90, [(10, 0), (90, 100)]),
    "a constant that is a measurement in some": (
        [1.0] * 100,
        [1.0 - x / 4 for x in TAIL] + [1.0 + x for x in TAIL] + [1.0] * 40,
        [(30, 0), (40, 100), (30, 0)],
    ),
    "a new value between two": (FLAG, [0.0] * 60 + [0.5] * 10 + [1.0] * 30, [(60, 70), (10, 0), (30, 30)]),
    "a value that is gone": (FLAG, [0.0] * 100, [(100, 70), (0, 30)]),
    "twenty values": (
        [float(i) for i in range(20) for _ in range(i + 1)],
        [float(i) for i in range(20) for _ in range(20 - i)],
        [(20 - i, i + 1) for i in range(20)],
    ),
    "zeros, and a tail below": (
        [0.0] * 570 + [-x for x in TAIL],
        [0.0] * 540 + [-x for x in TAIL] * 2,
        [(60, 30), (540, 570)],
    ),
    "zeros, and tails": (
        [0.0] * 540 + [-x for x in TAIL] + TAIL,
        [0.0] * 510 + [-x for x in TAIL] * 2 + TAIL,
        [(60, 30), (510, 540), (30, 30)],
    ),
}


@pytest.mark.slow
@pytest.mark.sample
@pytest.mark.parametrize("case", FEW)
def test_values_that_fill_a_bin(engine: Engine, case: str) -> None:
    """Few values are bins, those of both sides; of many, a value that fills more than a bin of the reference is one."""
    then, now, counts = FEW[case]
    tables = {"now_rows": [{"x": x} for x in now], "then_rows": [{"x": x} for x in then]}
    call = {"columns": "x", "numeric": "x", "reference": "then_rows"}
    [row] = engine.query(str(macros(engine.dialect).drift("now_rows", **call)), tables)
    of_bins = [Counter({i: pair[side] for i, pair in enumerate(counts)}) for side in (0, 1)]
    for measure, expected in oracle.of_counts(*of_bins).items():
        close(row[measure], expected)
    assert row["psi"] > 0


@pytest.mark.slow
def test_a_number_that_became_null_moved(engine: Engine) -> None:
    """KS compares the rows that have a value alone; so does a flag that changed its share, which KS hardly sees."""
    draw = random.Random(1)
    then = [{"x": draw.gauss(0, 1), "flag": i % 2} for i in range(300)]
    now = [{"x": row["x"] if i % 10 == 0 else None, "flag": int(i % 10 < 6)} for i, row in enumerate(then)]
    call = {"columns": ["x", "flag"], "numeric": ["x", "flag"], "reference": "then_rows"}
    statement = str(macros(engine.dialect).drift("now_rows", **call))
    null, flag = engine.query(statement, {"now_rows": now, "then_rows": then})
    assert null["ks_p_value"] > 0.1
    assert null["q_value"] < 1e-50
    assert flag["chi_square_p_value"] < 0.015 < flag["ks_p_value"]
    assert flag["q_value"] == pytest.approx(2 * flag["chi_square_p_value"], rel=1e-9)


@pytest.mark.slow
def test_q_values(opened: Any) -> None:
    """Benjamini and Hochberg's over all rows: chi-square of a category, the smaller of both for a number, doubled."""
    stats = pytest.importorskip("scipy.stats")
    got = asked(opened("duckdb"), {"now_rows": NOW, "then_rows": THEN}, reference="then_rows", by="g")
    tested = [row for row in got.values() if row["psi"] is not None]
    p_values = [
        min(1, 2 * min(row["ks_p_value"], row["chi_square_p_value"]))
        if row["kind"] == "number" and row["ks_p_value"] is not None
        else row["chi_square_p_value"]
        for row in tested
    ]
    adjusted = stats.false_discovery_control(p_values)
    for row, q in zip(tested, adjusted, strict=True):
        close(row["q_value"], q)


@pytest.mark.slow
def test_the_most_frequent_values_are_named(opened: Any) -> None:
    now = [{"c": value} for value in "aaabbbbccdefgg"]
    call = {"columns": "c", "reference": "then_rows"}
    tables = {"now_rows": now, "then_rows": [{"c": "it's"}, {"c": None}]}
    [row] = opened("duckdb").query(str(macros("duckdb").drift("now_rows", **call)), tables)
    assert row["new_values"] == "b (4), a (3), c (2), g (2), d (1), ..."
    assert row["vanished_values"] == "(null) (1), it's (1)"
    assert (row["n_new_values"], row["n_vanished_values"]) == (7, 2)
    assert math.isclose(row["total_variation"], 1)
