"""Average precision by its influence, against differences of weights: ties, weights, lists, edges, comparisons."""

from __future__ import annotations

import math
import random
from typing import Any

import pytest

import sqlmetrics as sm
from support.engines import Engine

pytest.importorskip("scipy")
from oracles import intervals
from oracles.intervals_of_precision import apart, average_precision, compared, interval

Rows = list[dict[str, Any]]
#: None: no lists.
GROUPS = [None, "list"]
#: Values per score: few, so that most rows are tied, and many.
STEPS = [3, 1000]
NAMES = ("difference", "p_value", "low", "high")


def drawn(seed: int, steps: int = 1000, rows: int = 50) -> Rows:
    """Rows of two slices and a dozen lists; some lists lie in both slices, some have no positive row."""
    draw = random.Random(seed)
    found = []
    for _ in range(rows):
        label, slice_ = int(draw.random() < 0.4), draw.choice("xy")
        found.append(
            {
                "label": label,
                "score": math.floor((draw.random() + 0.3 * label) * steps) / steps,
                "other": math.floor((draw.random() + 0.2 * label) * steps) / steps,
                "w": draw.choice([0.0, 0.5, 1.0, 1.0, 4.0]),
                "list": draw.choice([f"{slice_}{draw.randrange(5)}", f"all{draw.randrange(3)}"]),
                "part": slice_,
            }
        )
    return found


def asked(engine: Engine, rows: Rows, metrics: Any = ("average_precision",), **facts: Any) -> Rows:
    """The rows of the result."""
    facts = {"label": "label", "score": "score", "interval": 0.95, **facts}
    return engine.query(sm.render("given", list(metrics), dialect=engine.dialect, **facts), {"given": rows})


def weighed(rows: Rows, weight: str | None) -> Rows:
    return [{**row, "weight": 1.0 if weight is None else row[weight]} for row in rows]


def expected(
    rows: Rows, group: str | None = None, weight: str | None = None, level: float = 0.95
) -> list[Any]:
    """The value and both ends."""
    rows = weighed(rows, weight)
    return about([average_precision(rows), *interval(rows, group, level)])


def about(values: Any) -> list[Any]:
    return [value if value is None else pytest.approx(value, rel=1e-9, abs=1e-10) for value in values]


def got(row: dict[str, Any], name: str = "average_precision") -> list[Any]:
    return [row[name], row[f"{name}_low"], row[f"{name}_high"]]


@pytest.mark.parametrize("weight", [None, "w"])
@pytest.mark.parametrize("steps", STEPS)
@pytest.mark.parametrize("group", GROUPS)
def test_slices_and_total(group: str | None, steps: int, weight: str | None, engine: Engine) -> None:
    rows = drawn(1, steps)
    result = asked(engine, rows, by="part", group=group, weight=weight)
    assert [got(row) for row in result] == [
        expected([row for row in rows if row["part"] in part], group, weight) for part in ("x", "y", "xy")
    ]


@pytest.mark.parametrize("group", GROUPS)
def test_without_slices(group: str | None, engine: Engine) -> None:
    rows = drawn(2, 7)
    for score_levels in ("sorted", "counted"):
        facts = {"group": group, "interval": 0.8, "score_levels": score_levels}
        assert got(*asked(engine, rows, **facts)) == expected(rows, group, level=0.8)


@pytest.mark.sample
def test_models_without_total(engine: Engine) -> None:
    rows, models = drawn(3, 20), {"one": "score", "two": "other"}
    for row in asked(engine, rows, by="part", total=False, score=models, weight="w"):
        of_model = [
            {**given, "score": given[models[row["model"]]]} for given in rows if given["part"] == row["part"]
        ]
        assert got(row) == expected(of_model, weight="w")


@pytest.mark.slow
@pytest.mark.parametrize("group", GROUPS)
def test_beside_other_metrics(group: str | None, engine: Engine) -> None:
    """Metrics whose influences are read from the same rows keep their intervals."""
    rows = [{**row, "score": row["score"] / 2} for row in drawn(4, 12)]
    others, facts = ["auc", "kappa", "mse", "r2", "wape", "ks"], {"by": "part", "group": group}
    alone = asked(engine, rows, others, **facts, n_resamples=20)
    beside = asked(engine, rows, ["pr_auc", *others], **facts, n_resamples=20)
    for row, plain in zip(beside, alone, strict=True):
        assert {name: row[name] for name in plain} == {
            name: pytest.approx(value, rel=1e-11) if isinstance(value, float) else value
            for name, value in plain.items()
        }
        of_part = [one for one in rows if row["part"] in (None, one["part"])]
        assert got(row, "pr_auc") == expected(of_part, group)


def test_by_hand(engine: Engine) -> None:
    """Positive at ranks 1 and 3: P is 1 and 2/3, A 4/3 and 1/3, B 11/9 and 2/9 at both and the negative row between."""
    rows = [{"label": label, "score": -float(rank)} for rank, label in enumerate((1, 0, 1, 0))]
    pulls = [(1 - 5 / 6 + 4 / 3 - 11 / 9) / 2, -2 / 9 / 2, (2 / 3 - 5 / 6 + 1 / 3 - 2 / 9) / 2, 0]
    by_difference = intervals.influences(average_precision, weighed(rows, None), None)
    assert by_difference == pytest.approx(pulls, abs=1e-9)
    assert got(*asked(engine, rows)) == expected(rows)


@pytest.mark.parametrize("group", GROUPS)
def test_edges(group: str | None, engine: Engine) -> None:
    """No mistake is what so many right rows say; never outside of [0, 1], and null where one unit tells it."""
    given = {
        "all right": ([0, 0, 1, 1, 1], [1, 2, 3, 4, 5]),
        "all wrong": ([1, 1, 0, 0, 0], [1, 2, 3, 4, 5]),
        "tied": ([1, 0, 1, 0, 0], [1, 1, 1, 1, 1]),
        "one positive": ([1, 0, 0, 0, 0], [3, 2, 4, 1, 5]),
        "all positive": ([1, 1, 1, 1, 1], [1, 2, 3, 4, 5]),
    }
    rows = [
        {"part": part, "label": label, "score": float(score), "list": f"{part} {i}"}
        for part, (labels, scores) in given.items()
        for i, (label, score) in enumerate(zip(labels, scores, strict=True))
    ]
    found = {row["part"]: got(row) for row in asked(engine, rows, by="part", group=group, total=False)}
    for part in given:
        assert found[part] == expected([row for row in rows if row["part"] == part], group), part
    assert found["all right"][1:] == about([3 / (3 + 1.959963984540054**2), 1])
    assert found["one positive"][1:] == [None, None]
    [row] = asked(engine, [{**row, "label": 0} for row in rows], group=group)
    assert got(row) == [None] * 3


def test_weights_of_1_change_nothing(engine: Engine) -> None:
    rows = [{**row, "one": 1.0} for row in drawn(5, 9)]
    assert got(*asked(engine, rows, weight="one")) == about(got(*asked(engine, rows)))


@pytest.mark.slow
def test_unusable_rows(engine: Engine) -> None:
    rows = drawn(6, 9)
    broken = [{**rows[0], "score": None}, {**rows[1], "label": None}]
    for group in GROUPS:
        assert got(*asked(engine, rows + broken, group=group, by="part")[-1:]) == expected(rows, group)


@pytest.mark.slow
def test_other_methods(engine: Engine) -> None:
    """A bootstrap is there for the asking, and metrics by bins have no other interval."""
    rows = [{**row, "score": row["score"] / 2} for row in drawn(7)]
    [row] = asked(engine, rows, interval_method="bootstrap", n_resamples=40)
    assert 0 <= row["average_precision_low"] < row["average_precision"] < row["average_precision_high"] <= 1
    assert got(row)[1:] != expected(rows)[1:]
    [row] = asked(engine, rows, ["average_precision(bins=10)", "pr_auc(method=trapezoid)"], n_resamples=40)
    assert all(value is not None for value in row.values())


@pytest.mark.slow
@pytest.mark.parametrize("weight", [None, "w"])
@pytest.mark.parametrize("group", GROUPS)
def test_compare(group: str | None, weight: str | None, engine: Engine) -> None:
    rows = drawn(8, 12)
    statement = sm.render_compare(
        "given", ["average_precision", "mse"], dialect=engine.dialect, baseline="score", candidate="other",
        label="label", group=group, weight=weight, by="part",
    )  # fmt: skip
    found = [row for row in engine.query(statement, {"given": rows}) if row["metric"] == "average_precision"]
    for row in found:
        of_part = weighed([one for one in rows if row["part"] in (None, one["part"])], weight)
        told = compared(of_part, "score", "other", group)
        assert [row[name] for name in NAMES] == about([told.estimate, told.p_value, told.low, told.high])
        assert row["test"] == "t"
        assert row["wins"] is None
    assert len(found) == 3


@pytest.mark.slow
def test_all_pairs_of_models(engine: Engine) -> None:
    rows = [{**row, "third": -row["score"]} for row in drawn(12, 12)]
    candidates = {"b": "other", "c": "third"}
    statement = sm.render_compare(
        "given", "average_precision", dialect=engine.dialect, baseline="score", candidate=candidates,
        label="label", pairs="all", weight="w",
    )  # fmt: skip
    columns = {"score": "score", **candidates}
    found = engine.query(statement, {"given": rows})
    for row in found:
        one, other = columns[row["baseline"]], columns[row["candidate"]]
        expected = compared(weighed(rows, "w"), one, other)
        assert [row[name] for name in NAMES] == about(
            [expected.estimate, expected.p_value, expected.low, expected.high]
        )
    assert len(found) == 3


@pytest.mark.slow
@pytest.mark.parametrize("group", GROUPS)
def test_compare_of_other_data(group: str | None, engine: Engine) -> None:
    one, two = drawn(9), drawn(10, 12, 40)
    statement = sm.render_compare(
        "one", "average_precision", dialect=engine.dialect, baseline="score", candidate="score", other="two",
        paired=False, label="label", group=group,
    )  # fmt: skip
    [row] = engine.query(statement, {"one": one, "two": two})
    told = apart(weighed(one, None), weighed(two, None), group)
    assert [row[name] for name in NAMES[1:]] == about([told.p_value, told.low, told.high])
    units = (50, 40) if group is None else tuple(len({row["list"] for row in rows}) for rows in (one, two))
    assert (row["n_baseline"], row["n_candidate"]) == units


@pytest.mark.slow
def test_a_model_and_itself_do_not_differ(engine: Engine) -> None:
    rows = [{**row, "same": row["score"]} for row in drawn(11)]
    statement = sm.render_compare(
        "given",
        "average_precision",
        dialect=engine.dialect,
        baseline="score",
        candidate="same",
        label="label",
    )
    [row] = engine.query(statement, {"given": rows})
    assert [row[name] for name in NAMES] == [0, None, None, None]


def test_an_engine_without_sums_of_tied_rows_draws() -> None:
    statement = sm.render("t", "average_precision", dialect="redshift", label="y", score="p", interval=0.9)
    assert "sm_replicate" in statement
    assert "sm_row_precisions" not in statement
