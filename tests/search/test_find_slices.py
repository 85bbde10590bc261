"""The search of slices against brute force over all slices, on every engine."""

from __future__ import annotations

import math
import random
from typing import Any

import pytest

from oracles import slices as oracle
from sqlmetrics.book.templates import macros
from support.compared import close
from support.engines import Engine

BY = {"c": "category", "d": "category", "x": "number"}
SEARCHED = {"by": list(BY), "numeric": "x", "bins": 4, "max_values": 3, "min_units": 20, "label": "y"}


def data(seed: int, lists: int = 0) -> list[dict[str, Any]]:
    """Rows with ties, NULL and rare values, whose scores are bad in one slice; in lists, if there are to be some."""
    draw, rows = random.Random(seed), []
    for u in range(lists or 700):
        of = {
            "c": draw.choice(["a", "a", "b", "it's", "rare", "rarer"]),
            "d": draw.choice(["u", "u", "v", None]),
            "x": draw.choice([None, 1, 2, 2, 3, 3, *range(5, 30)]),
        }
        for _ in range(draw.randint(2, 6) if lists else 1):
            y = int(draw.random() < 0.4)
            bad = of["c"] == "a" and of["d"] == "u"
            p = min(0.95, max(0.05, round(draw.gauss(0.3 + 0.4 * (1 - y if bad else y), 0.2), 2)))
            rows.append(
                {"u": u, **of, "y": y, "a": p, "b": round(0.05 + 0.9 * draw.random(), 2), "w": 1 + u % 3}
            )
    return rows


def log_loss(y: int, p: float) -> float:
    return -math.log(p if y else 1 - p)


#: the numerator and the denominator of a row, and whether the metric is a root
OF_ROWS: dict[str, tuple[Any, Any, bool]] = {
    "log_loss": (log_loss, lambda y, p: 1, False),
    "rmse": (lambda y, p: (y - p) ** 2, lambda y, p: 1, True),
    "precision": (lambda y, p: y * (p >= 0.5), lambda y, p: int(p >= 0.5), False),
}


def check(
    got: list[dict[str, Any]], expected: dict[str, dict[str, Any]], metric: str, two: bool = False
) -> None:
    """The rows of one metric against the slices of the oracle, q aside."""
    mine = {row["slice"]: row for row in got if row["metric"] == metric}
    assert set(mine) == {name for name, one in expected.items() if not one["folded"]}
    for name, row in mine.items():
        one = expected[name]
        assert (row["n_rows"], row["n_units"]) == (one["n_rows"], one["n_units"]), name
        close(row["value"], one["own"]["value"], 1e-8)
        close(row["rest"], one["rest"]["value"], 1e-8)
        if two:
            close(row["baseline_value"], one["own"]["values"][0])
            close(row["candidate_value"], one["own"]["values"][1])
        for half, prefix in (("finding", ""), ("confirming", "confirmed_")):
            for column, key in (
                ("difference", "difference"),
                ("low", "low"),
                ("high", "high"),
                ("p_value", "p"),
            ):
                close(row[prefix + column], one[half] and one[half][key], 1e-6)
        close(row["largest_share"], one["largest"], 1e-6)
        if one["confirming"]:
            close(row["impact"], one["confirming"]["difference"] * one["share"], 1e-6)


def check_q(
    got: list[dict[str, Any]], expected: list[dict[str, dict[str, Any]]], level: float = 0.05
) -> None:
    """Benjamini and Hochberg's q over all slices of all metrics, and what follows from it."""
    stats = pytest.importorskip("scipy.stats")
    looked = [one for of_metric in expected for one in of_metric.values()]
    values = sorted(
        one["finding"]["p"] for one in looked if one["finding"] and one["finding"]["p"] is not None
    )
    adjusted = dict(zip(values, stats.false_discovery_control(values), strict=True))
    assert {row["slices_looked_at"] for row in got} == {len(looked)}
    assert {row["slices_folded"] for row in got} == {sum(one["folded"] for one in looked)}
    for row in got:
        nearest = min(adjusted, key=lambda p: abs(math.log(p / row["p_value"])))
        close(row["q_value"], adjusted[nearest], 1e-6)
        same = row["difference"] * row["confirmed_difference"] > 0
        assert bool(row["confirmed"]) == (
            row["q_value"] <= level and row["confirmed_p_value"] <= level and same
        )
    order = [(not row["confirmed"], -abs(row["impact"])) for row in got]
    assert order == sorted(order)
    assert 0 < sum(row["confirmed"] for row in got) < len(got)


@pytest.mark.slow
@pytest.mark.sample
@pytest.mark.parametrize("two", [False, True], ids=["one model", "two models"])
def test_rows(two: bool, engine: Engine) -> None:
    rows, models = data(1), ["a", "b"] if two else ["a"]
    asked = {"baseline": "a", "candidate": "b"} if two else {"score": "a"}
    got = engine.query(
        str(macros(engine.dialect).find_slices("given", list(OF_ROWS), **SEARCHED, **asked)), {"given": rows}
    )
    coded, names = oracle.codes(rows, BY, 4, 3)
    scores = [tuple(row[model] for model in models) for row in rows]
    halves = oracle.halves_of_rows(scores, coded, [row["y"] for row in rows])
    expected = []
    for metric, (n, d, root) in OF_ROWS.items():
        units = [
            oracle.Unit(codes, half, 1, tuple((n(row["y"], row[m]), d(row["y"], row[m])) for m in models))
            for row, codes, half in zip(rows, coded, halves, strict=True)
        ]
        expected.append(oracle.search(units, names, min_units=20, root=root))
        check(got, expected[-1], metric, two)
    check_q(got, expected)


@pytest.mark.slow
def test_a_multiple_of_a_mean(engine: Engine) -> None:
    """CRPS of the median alone is the mean absolute error."""
    statement = macros(engine.dialect).find_slices
    crps, mae = (
        engine.query(str(statement("given", {"m": metric}, **SEARCHED, score="a")), {"given": data(1)})
        for metric in ("crps(quantiles='0.5: a')", "mae")
    )
    assert len(mae) > 3
    for one, other in zip(crps, mae, strict=True):
        assert one == {"rows_bad_column": 0} | {
            name: pytest.approx(cell, rel=1e-9) if isinstance(cell, float) else cell
            for name, cell in other.items()
        }


def reciprocal_rank(one: list[dict[str, Any]], model: str) -> float | None:
    """Of the first relevant row; without ties in the list."""
    ranked = sorted(one, key=lambda row: -row[model])
    return next((1 / rank for rank, row in enumerate(ranked, 1) if row["y"]), None)


def placements(rows: list[dict[str, Any]], model: str) -> list[tuple[float, float]]:
    """What each row adds to AUC: n, its share of correctly ordered pairs, and d, both over the size of its class."""
    of = {y: [row[model] for row in rows if row["y"] == y] for y in (0, 1)}
    found = []
    for row in rows:
        others = of[1 - row["y"]]
        ahead = [(row[model] > x) + (row[model] == x) / 2 if row["y"] else (row[model] < x) + (row[model] == x) / 2
                 for x in others]  # fmt: skip
        size = 2 * len(of[row["y"]])
        found.append((sum(ahead) / len(others) / size, 1 / size))
    return found


@pytest.mark.slow
@pytest.mark.sample
def test_lists(engine: Engine) -> None:
    """Lists are units: of a metric of lists, of one of rows, and of AUC, whose rows of a list go together."""
    rows = data(2, lists=300)
    for i, row in enumerate(rows):  # no ties within a list
        row["a"], row["b"] = row["a"] + i * 1e-7, row["b"] + i * 1e-7
    asked = {**SEARCHED, "baseline": "a", "candidate": "b", "group": "u"}
    got = engine.query(
        str(macros(engine.dialect).find_slices("given", ["mrr", "brier", "auc"], **asked)), {"given": rows}
    )
    lists: dict[int, list[int]] = {}
    for i, row in enumerate(rows):
        lists.setdefault(row["u"], []).append(i)
    coded, names = oracle.codes([rows[members[0]] for members in lists.values()], BY, 4, 3)
    numbers = {u: place for place, u in enumerate(sorted(lists, key=str), 1)}
    areas = {model: placements(rows, model) for model in "ab"}

    def parts(metric: str, members: list[int]) -> tuple[tuple[float, float], ...]:
        found = []
        for model in "ab":
            if metric == "mrr":
                value = reciprocal_rank([rows[i] for i in members], model)
                found.append((0.0, 0.0) if value is None else (value, 1.0))
            elif metric == "brier":
                found.append(
                    (sum((rows[i]["y"] - rows[i][model]) ** 2 for i in members), float(len(members)))
                )
            else:
                found.append(tuple(map(sum, zip(*(areas[model][i] for i in members), strict=True))))
        return tuple(found)

    expected = []
    for metric in ("mrr", "brier", "auc"):
        units = [
            oracle.Unit(codes, oracle.half_of_number(numbers[u]), len(members), parts(metric, members))
            for (u, members), codes in zip(lists.items(), coded, strict=True)
        ]
        expected.append(oracle.search(units, names, min_units=20))
        check(got, expected[-1], metric, two=True)
    check_q(got, expected)


@pytest.mark.slow
def test_both_models_count_the_same_rows_of_a_list(engine: Engine) -> None:
    """A row without the score of one model is left out of both."""
    rows = data(2, lists=100)
    for place, model in ((0, "a"), (7, "b"), (9, "b")):
        rows[place][model] = None
    asked = {**SEARCHED, "baseline": "a", "candidate": "b", "group": "u", "depth": 1}
    statement = str(macros(engine.dialect).find_slices("given", ["mrr", "brier", "auc"], **asked))
    whole = [row for row in rows if row["a"] is not None and row["b"] is not None]
    holed, expected = (
        {(row["slice"], row["metric"]): row for row in engine.query(statement, {"given": given})}
        for given in (rows, whole)
    )
    assert holed.keys() == expected.keys()
    for key, row in holed.items():
        assert row["rows_bad_score"] == 3
        for name in ("n_units", "baseline_value", "candidate_value", "rest", "low", "confirmed_high"):
            close(row[name], expected[key][name])


def by_bytes(value: Any) -> tuple[bool, bytes]:
    """The order of values as texts, NULL last."""
    return value is None, str(value).encode()


@pytest.mark.slow
def test_auc_of_rows(engine: Engine) -> None:
    """Rows are numbered for AUC, and with them those of a metric beside it."""
    rows = data(3)
    got = engine.query(
        str(macros(engine.dialect).find_slices("given", ["auc", "gini", "brier"], score="a", **SEARCHED)),
        {"given": rows},
    )
    coded, names = oracle.codes(rows, BY, 4, 3)
    ordered = sorted(
        range(len(rows)),
        key=lambda i: (rows[i]["a"], rows[i]["y"], *(by_bytes(rows[i][name]) for name in BY)),
    )
    number = {i: place for place, i in enumerate(ordered, 1)}
    areas = placements(rows, "a")
    expected = []
    for metric in ("auc", "gini", "brier"):
        units = []
        for i, row in enumerate(rows):
            n, d = ((row["y"] - row["a"]) ** 2, 1.0) if metric == "brier" else areas[i]
            n = 2 * n - d if metric == "gini" else n
            units.append(oracle.Unit(coded[i], oracle.half_of_number(number[i]), 1, ((n, d),)))
        expected.append(oracle.search(units, names, min_units=20))
        check(got, expected[-1], metric)
    check_q(got, expected)


@pytest.mark.slow
@pytest.mark.sample
@pytest.mark.parametrize("numeric", [(), ("z",)], ids=["category", "number"])
def test_the_two_zeros_are_one_value(numeric: tuple[str, ...], engine: Engine) -> None:
    """A float has two zeros, which are one number, and so one slice of one name."""
    rows = [
        {"z": (0.0, -0.0, 1.5, 2.5)[i % 4], "y": int(i % 7 < 3 + i % 2), "a": (i % 3 + 1) / 5 + (i % 5) / 50}
        for i in range(400)
    ]
    asked = {"by": "z", "numeric": list(numeric), "bins": 2, "min_units": 20, "label": "y", "score": "a"}
    got = engine.query(str(macros(engine.dialect).find_slices("given", "brier", **asked)), {"given": rows})
    assert sorted(row["n_units"] for row in got) == [100, 100, 200]
    assert not [row["slice"] for row in got if "-0" in row["slice"]]
