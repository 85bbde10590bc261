"""Differences that few decisions, or few rows of a class, tell: plain Python at the sums of both, on every engine."""

from __future__ import annotations

import random
from typing import Any

import pytest

from oracles.pooled import FUNCTIONS, RATIOS, error_of_functions, error_of_ratios, value
from sqlmetrics.book.templates import macros
from support.compared import UNDEFINED, Rows, close
from support.engines import Engine


def drawn(seed: int, rows: int = 80) -> Rows:
    """Rows of two slices, with weights, in groups that lie in one slice or in both; few are decided for."""
    draw = random.Random(seed)
    found = []
    for _ in range(rows):
        label, part = int(draw.random() < 0.3), draw.choice("xy")
        found.append({
            "label": label,
            "a": round(0.3 * label + 0.6 * draw.random(), 2),
            "b": round(0.2 * label + 0.6 * draw.random(), 2),
            "c": round(draw.random(), 2),
            "w": draw.randint(1, 4),
            "part": part,
            "list": draw.choice([f"{part}{draw.randrange(9)}", f"all{draw.randrange(3)}"]),
        })  # fmt: skip
    return found


def decided(rows: Rows) -> list[tuple[int, int, int]]:
    """The label of each row and both decisions."""
    return [(row["label"], int(row["a"] >= 0.5), int(row["b"] >= 0.5)) for row in rows]


def ran(engine: Engine, rows: Rows, metrics: Any, candidate: Any = "b", **facts: Any) -> Rows:
    sql = macros(engine.dialect).compare("given", metrics, "a", candidate, **{"label": "label", **facts})
    return engine.query(str(sql), {"given": rows})


def check_test(row: dict[str, Any], ahead: float, error: float, units: int, most: float = 1) -> None:
    """Student's t of a difference, and its interval, of a standard error and so many pairs."""
    known = pytest.importorskip("scipy.stats").t(units - 1)
    close(row["difference"], ahead)
    close(row["statistic"], ahead / error)
    close(row["p_value"], float(2 * known.sf(abs(ahead / error))))
    for end, sign in (("low", -1), ("high", 1)):
        close(row[end], max(-most, min(most, ahead + sign * float(known.isf(0.025)) * error)))
    detectable = float(known.isf(0.025) + known.isf(0.2)) * error
    close(row["minimum_detectable"], detectable if detectable <= most else None)
    assert (row["n_pairs"], row["n_unpaired"], row["test"]) == (units, 0, "t")


@pytest.mark.sample
@pytest.mark.slow
@pytest.mark.parametrize("group", [None, "list"])
@pytest.mark.parametrize("weight", [None, "w"])
def test_ratios_over_decided_rows(group: str | None, weight: str | None, engine: Engine) -> None:
    """Without groups all rows are pairs, of which none has a precision; else the groups that add to either model."""
    rows = drawn(1)
    got = ran(engine, rows, [*RATIOS], ["b", "c"], by=["part"], group=group, weight=weight)
    assert len(got) == 3 * len(RATIOS) * 2
    for row in got:
        above, below = RATIOS[row["metric"]]
        units: dict[Any, list[float]] = {}
        for i, one in enumerate(rows):
            if row["part"] in (None, one["part"]):
                unit = units.setdefault(i if group is None else one[group], [0, 0, 0, 0])
                for place, x in ((0, "a"), (2, row["candidate"])):
                    decision, w = int(one[x] >= 0.5), 1 if weight is None else one[weight]
                    unit[place] += w * above(one["label"], decision)
                    unit[place + 1] += w * below(one["label"], decision)
        adding = [unit for unit in units.values() if group is None or any(unit)]
        n_a, d_a, n_b, d_b = (sum(unit[i] for unit in adding) for i in range(4))
        check_test(row, n_b / d_b - n_a / d_a, error_of_ratios(adding), len(adding))
        if group is None:
            assert (row["wins"], row["ties"], row["losses"]) == (None, None, None)


@pytest.mark.slow
def test_few_decided_rows(engine: Engine) -> None:
    """Two of two are right, of the other model none of three: each share alone says that nothing varies."""
    table = [(1, 1, 0), (1, 1, 0), (0, 0, 1), (0, 0, 1), (0, 0, 1)] + [(int(i < 5), 0, 0) for i in range(35)]
    rows = [{"label": y, "a": float(a), "b": float(b), "row": i} for i, (y, a, b) in enumerate(table)]
    for group, pairs in ((None, 40), ("row", 5)):
        [row] = ran(engine, rows, "precision", group=group)
        units = [(y * a, a, y * b, b) for y, a, b in table][:pairs]
        check_test(row, -1, error_of_ratios(units), pairs)


@pytest.mark.slow
def test_models_that_decide_alike(engine: Engine) -> None:
    """No test where the decisions are the same, where no row is decided for, or where one model decides for none."""
    rows = [
        {**row, "b": min(1.0, row["a"] * 1.01) if row["a"] >= 0.5 else 0.0, "none": 0.1} for row in drawn(2)
    ]
    for metric in ("precision", "f1"):
        [row] = ran(engine, rows, metric)
        assert [row[name] for name in ("difference", *UNDEFINED)] == [0, *[None] * 5]
    [row] = ran(engine, rows, "precision", "none")
    assert [row[name] for name in ("candidate_value", "difference", *UNDEFINED)] == [None] * 7


@pytest.mark.sample
@pytest.mark.slow
def test_a_row_that_one_model_lacks_is_no_pair(engine: Engine) -> None:
    rows = [{**row, "b": None if i == 0 else row["b"]} for i, row in enumerate(drawn(3))]
    [row] = ran(engine, rows, "precision")
    assert (row["n_pairs"], row["n_unpaired"], row["difference"]) == (79, 1, None)
    [row] = ran(engine, rows, "precision", on_unpaired="intersection")
    units = [(y * a, a, y * b, b) for y, a, b in decided(rows[1:])]
    assert row["n_unpaired"] == 1
    close(row["statistic"] * error_of_ratios(units), row["difference"])


def cells_of(
    rows: Rows, x: str, group: str | None = None, weight: str | None = None
) -> list[tuple[float, ...]]:
    """The part of each row, or group, in the four cells."""
    units: dict[Any, list[float]] = {}
    for i, row in enumerate(rows):
        unit = units.setdefault(i if group is None else row[group], [0, 0, 0, 0])
        place = (0 if row["label"] else 1) if row[x] >= 0.5 else (2 if row["label"] else 3)
        unit[place] += 1 if weight is None else row[weight]
    return [tuple(unit) for unit in units.values()]


@pytest.mark.slow
@pytest.mark.parametrize("group", [None, "list"])
@pytest.mark.parametrize("weight", [None, "w"])
def test_functions_of_counts(group: str | None, weight: str | None, engine: Engine) -> None:
    """Each candidate has sums of its own with the baseline, in each slice, beside metrics that read no such sums."""
    rows = drawn(4)
    beside = ["rmse", "r2", "auc", "average_precision", "precision"]
    facts = {"by": ["part"], "group": group, "weight": weight}
    got = ran(engine, rows, [*FUNCTIONS, *beside], ["b", "c"], **facts)
    alone = ran(engine, rows, beside, ["b", "c"], **facts)
    for row, other in zip([row for row in got if row["metric"] in beside], alone, strict=True):
        for name in (*UNDEFINED, "difference", "n_pairs"):
            close(row[name], other[name])
    checked = [row for row in got if row["metric"] in FUNCTIONS]
    assert len(checked) == 3 * len(FUNCTIONS) * 2
    for row in checked:
        part = [one for one in rows if row["part"] in (None, one["part"])]
        a, b = (cells_of(part, x, group, weight) for x in ("a", row["candidate"]))
        ahead = value(row["metric"], b) - value(row["metric"], a)
        most = 1 if row["metric"] in ("balanced_accuracy", "g_mean") else 2
        check_test(row, ahead, error_of_functions(row["metric"], a, b), len(a), most)


def test_all_pairs_of_models(engine: Engine) -> None:
    rows = drawn(5)
    got = ran(engine, rows, ["mcc", "kappa"], ["b", "c"], pairs="all")
    assert [(row["baseline"], row["candidate"]) for row in got[:3]] == [("a", "b"), ("a", "c"), ("b", "c")]
    for row in got:
        a, b = (cells_of(rows, row[side]) for side in ("baseline", "candidate"))
        close(
            row["statistic"] * error_of_functions(row["metric"], a, b),
            value(row["metric"], b) - value(row["metric"], a),
        )


@pytest.mark.parametrize("metric", ["balanced_accuracy", "mcc"])
def test_one_positive_row(metric: str, engine: Engine) -> None:
    """Which one model has right: at its own counts no other positive row seems possible, and p is near 0."""
    draw = random.Random(6)
    rows = [{"label": 0, "a": draw.random() * 0.55, "b": draw.random() * 0.55} for _ in range(99)]
    rows.append({"label": 1, "a": 0.1, "b": 0.9})
    [row] = ran(engine, rows, metric)
    a, b = cells_of(rows, "a"), cells_of(rows, "b")
    check_test(
        row,
        value(metric, b) - value(metric, a),
        error_of_functions(metric, a, b),
        100,
        1 if "bal" in metric else 2,
    )
    assert row["p_value"] > 0.2


@pytest.mark.slow
def test_what_models_lose_beside_a_constant(engine: Engine) -> None:
    """Both models are compared with the same constant, so their test is that of their losses."""
    rows = [{**row, **{x: 0.05 + 0.9 * row[x] for x in "abc"}} for row in drawn(7)]
    for group in (None, "list"):
        facts = {"by": ["part"], "group": group, "weight": "w"}
        losses = ran(engine, rows, ["brier", "log_loss"], ["b", "c"], **facts)
        got = ran(engine, rows, ["brier_skill", "rig", "normalized_entropy"], ["b", "c"], **facts)
        known = {(row["part"], row["metric"], row["candidate"]): row["p_value"] for row in losses}
        for row in got:
            loss = "brier" if row["metric"] == "brier_skill" else "log_loss"
            close(row["p_value"], known[row["part"], loss, row["candidate"]])
