"""Intervals of AUC and Gini: against all pairs of rows, as DeLong and Obuchowski write it; ties and edges."""

from __future__ import annotations

import math
import random
from statistics import NormalDist
from typing import Any

import pytest

import sqlmetrics as sm
from oracles.intervals_of_auc import delong, fewer_of_a_class, interval, logit_interval, obuchowski
from support.engines import Engine

Rows = list[dict[str, Any]]
#: None: no lists.
GROUPS = [None, "list"]
#: Values per score: few, so that most rows are tied, and many.
STEPS = [3, 1000]


def drawn(seed: int, steps: int = 1000, rows: int = 60) -> Rows:
    """Rows of three slices and a dozen lists, of which some lie in several slices, and some have one class."""
    draw = random.Random(seed)
    found = []
    for _ in range(rows):
        label = int(draw.random() < 0.4)
        slice_ = draw.choice("xyz")
        found.append(
            {
                "label": label,
                "score": math.floor((draw.random() + 0.3 * label) * steps) / steps,
                "other": draw.randrange(steps) / steps,
                "list": draw.choice([f"{slice_}{draw.randrange(4)}", f"all{draw.randrange(3)}"]),
                "part": slice_,
            }
        )
    return found


def asked(engine: Engine, rows: Rows, metrics: Any = ("auc",), **facts: Any) -> Rows:
    """The rows of the result."""
    facts = {"label": "label", "score": "score", "interval": 0.95, **facts}
    metrics = metrics if isinstance(metrics, dict) else list(metrics)
    return engine.query(sm.render("given", metrics, dialect=engine.dialect, **facts), {"given": rows})


def expected(rows: Rows, group: str | None = None, level: float = 0.95) -> list[float | None]:
    """AUC and both ends."""
    return [delong(rows)[0], *interval(rows, reach(rows, group, level), group)]


def of_logits(rows: Rows, group: str | None) -> list[float | None]:
    """The same of ln(AUC / (1 - AUC))."""
    auc, variance = delong(rows) if group is None else obuchowski(rows, group)
    return [auc, *logit_interval(auc, variance, reach(rows, group, 0.95))]


def reach(rows: Rows, group: str | None, level: float) -> float:
    """How many standard errors: by the normal distribution; of lists by Student's t, as the fewer of a class say."""
    if group is None:
        return NormalDist().inv_cdf((1 + level) / 2)
    stats = pytest.importorskip("scipy.stats")
    return float(stats.t.ppf((1 + level) / 2, fewer_of_a_class(rows, group) - 1))


def about(values: list[float | None]) -> list[Any]:
    return [value if value is None else pytest.approx(value, rel=1e-9, abs=1e-12) for value in values]


def got(row: dict[str, Any], name: str = "auc") -> list[float | None]:
    return [row[name], row[f"{name}_low"], row[f"{name}_high"]]


@pytest.mark.parametrize("score_levels", ["sorted", "counted"])
@pytest.mark.parametrize("steps", STEPS)
@pytest.mark.parametrize("group", GROUPS)
def test_slices_and_total(group: str | None, steps: int, score_levels: str, engine: Engine) -> None:
    rows = drawn(1, steps)
    result = asked(engine, rows, by="part", group=group, score_levels=score_levels)
    assert [got(row) for row in result] == [
        about(expected([row for row in rows if row["part"] in part], group))
        for part in ("x", "y", "z", "xyz")
    ]


@pytest.mark.slow
@pytest.mark.parametrize("score_levels", ["sorted", "counted"])
@pytest.mark.parametrize("group", GROUPS)
def test_without_slices(group: str | None, score_levels: str, engine: Engine) -> None:
    rows = drawn(2, 7)
    facts = {"group": group, "score_levels": score_levels}
    for level in (0.5, 0.99):
        assert got(*asked(engine, rows, interval=level, **facts)) == about(expected(rows, group, level))
    logit = of_logits(rows, group)
    assert got(*asked(engine, rows, interval_method="logit", **facts)) == about(logit)
    [gini] = asked(engine, rows, ["gini"], interval_method="logit", **facts)
    assert got(gini, "gini") == about([2 * value - 1 for value in logit])


@pytest.mark.parametrize("group", GROUPS)
def test_slices_without_total(group: str | None, engine: Engine) -> None:
    rows = drawn(3)
    result = asked(engine, rows, by="part", group=group, total=False)
    assert [got(row) for row in result] == [
        about(expected([row for row in rows if row["part"] == part], group)) for part in "xyz"
    ]


@pytest.mark.sample
@pytest.mark.parametrize("score_levels", ["sorted", "counted"])
@pytest.mark.parametrize("group", GROUPS)
def test_models(group: str | None, score_levels: str, engine: Engine) -> None:
    rows = drawn(4, 20)
    models = {"one": "score", "two": "other"}
    result = asked(engine, rows, by="part", group=group, score=models, score_levels=score_levels)
    for row in result:
        of_model = [
            {**given, "score": given[models[row["model"]]]}
            for given in rows
            if row["part"] in (None, given["part"])
        ]
        assert got(row) == about(expected(of_model, group))


@pytest.mark.slow
@pytest.mark.parametrize("score_levels", ["sorted", "counted"])
@pytest.mark.parametrize("group", GROUPS)
def test_beside_other_metrics(group: str | None, score_levels: str, engine: Engine) -> None:
    """Metrics that read the same sort, and whole levels, keep their values."""
    rows = drawn(5, 12)
    metrics = ["auc", "gini", "ks", "auc(max_fpr=0.5)", "average_precision", "auc(bins=10)"]
    rows = [{**row, "score": row["score"] / 2} for row in rows]
    facts = {"by": "part", "group": group, "score_levels": score_levels}
    without = asked(engine, rows, metrics, interval=None, **facts)
    with_interval = asked(engine, rows, metrics, **facts)
    for row, plain in zip(with_interval, without, strict=True):
        assert {name: row[name] for name in plain} == {
            name: pytest.approx(value, rel=1e-12) if isinstance(value, float) else value
            for name, value in plain.items()
        }
        assert got(row, "gini") == about([2 * value - 1 for value in got(row)])


def test_by_hand(engine: Engine) -> None:
    """Shares 1/2 and 1 of either class: S10 = S01 = 1/8, and no skewness: half a row that is right or wrong as 0.75."""
    rows = [{"label": label, "score": score} for label, score in ((0, 0.0), (1, 1.0), (0, 2.0), (1, 3.0))]
    assert delong(rows) == (0.75, 0.125)
    z2, m = 1.959963984540054**2, 0.75 * 0.25 / 0.125
    half = math.sqrt(z2 * 0.75 * 0.25 / m + z2 * z2 / (4 * m * m))
    middle = 0.75 + z2 / (2 * m)
    assert got(*asked(engine, rows)) == about([0.75, *((middle + s * half) / (1 + z2 / m) for s in (-1, 1))])


@pytest.mark.sample
def test_lists_of_one_row_are_rows(engine: Engine) -> None:
    """Their variance is the same; Student's t widens the interval of few lists."""
    rows = [{**row, "list": number} for number, row in enumerate(drawn(6, 5))]
    ends = interval(rows, reach(rows, "list", 0.95))
    assert got(*asked(engine, rows, group="list"))[1:] == about([*ends])
    assert ends[0] < got(*asked(engine, rows))[1]


@pytest.mark.slow
def test_row_order(engine: Engine) -> None:
    rows = drawn(7, 5)
    shuffled = random.Random(7).sample(rows, len(rows))
    for group in GROUPS:
        assert got(*asked(engine, rows, group=group)) == about(got(*asked(engine, shuffled, group=group)))


@pytest.mark.slow
@pytest.mark.parametrize("score_levels", ["sorted", "counted"])
@pytest.mark.parametrize("group", GROUPS)
def test_edges(group: str | None, score_levels: str, engine: Engine) -> None:
    """No mistake, nothing else, all rows tied, one row of a class: what so many right or wrong rows would say."""
    given = {
        "all right": ([0, 0, 1, 1, 1], [1, 2, 3, 4, 5], [1, None, None]),
        "all wrong": ([1, 1, 0, 0, 0], [1, 2, 3, 4, 5], [0, None, None]),
        "tied": ([1, 0, 1, 0, 0], [1, 1, 1, 1, 1], [0.5, None, None]),
        "one positive": ([1, 0, 0, 0, 0], [3, 2, 4, 1, 5], [0.5, None, None]),
        "one negative": ([0, 1, 1, 1, 1], [3, 2, 4, 1, 5], [0.5, None, None]),
        "one class": ([1, 1, 1, 1, 1], [1, 2, 3, 4, 5], [None] * 3),
    }
    rows = [
        {"part": part, "label": label, "score": float(score), "list": f"{part} {i}"}
        for part, (labels, scores, *_) in given.items()
        for i, (label, score) in enumerate(zip(labels, scores, strict=True))
    ]
    # One list has both positive rows.
    rows += [
        {"part": "one list", "label": int(i < 2), "score": 3.0 - i % 3, "list": "l" if i < 2 else f"n{i}"}
        for i in range(5)
    ]
    facts = {"by": "part", "group": group, "total": False, "score_levels": score_levels}
    plain, logit = (
        {row["part"]: got(row) for row in asked(engine, rows, **facts, **method)}
        for method in ({}, {"interval_method": "logit"})
    )
    for part, (_, _, inside) in given.items():
        of_part = [row for row in rows if row["part"] == part]
        assert plain[part] == about(expected(of_part, group)), part
        assert logit[part] == inside, part
    one_list = [row for row in rows if row["part"] == "one list"]
    assert plain["one list"] == about(expected(one_list, group))
    assert (plain["one list"][1] is None) == (group is not None)


@pytest.mark.slow
def test_unusable_rows(engine: Engine) -> None:
    rows = drawn(8, 9)
    broken = [{**rows[0], "score": None}, {**rows[1], "label": None}]
    for group in GROUPS:
        assert got(*asked(engine, rows + broken, group=group, by="part")[-1:]) == about(expected(rows, group))
    no_list = {**rows[2], "list": None}
    assert got(*asked(engine, [*rows, no_list], group="list")) == about(expected(rows, "list"))


@pytest.mark.parametrize("metric", ["auc(max_fpr=0.5)", "auc(bins=10)", "gini(bins=10)"])
def test_no_closed_form(metric: str, engine: Engine) -> None:
    rows = [{**row, "score": row["score"] / 2} for row in drawn(9)]
    [row] = asked(engine, rows, {"value": metric})
    assert row["value"] is not None
