"""Weights of very different size: what the light class adds keeps its digits beside a heavy one."""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from decimal import Decimal, localcontext
from fractions import Fraction
from typing import Any

import pyarrow
import pytest

import sqlmetrics as sm
from support.engines import Engine

ROLES = {"label": "label", "score": "score", "weight": "weight"}
ALLOWED = 0.3  #: of partial areas
WEIGHTS = [1e4, 1e10, 1e16, 1e24]
Levels = list[
    tuple[Fraction, Fraction]
]  #: the weights of positive and of negative rows, from the highest score down


def drawn(weight: float, heavy: int) -> list[dict[str, Any]]:
    draw = random.Random(7)
    return [
        {
            "label": label,
            "score": draw.randrange(12) / 16,
            "weight": draw.uniform(0.5, 2) * (weight if label == heavy else 1),
            "half": number % 2,
            "day": number % 3,
        }
        for number, label in enumerate([0, 0, 1, 1] * 15)
    ]


def levels(rows: list[dict[str, Any]], place: Callable[[float], float] = float) -> Levels:
    counted: dict[float, list[Fraction]] = {}
    for row in rows:
        of_level = counted.setdefault(place(row["score"]), [Fraction(0), Fraction(0)])
        of_level[1 - row["label"]] += Fraction(row["weight"])
    return [(counted[score][0], counted[score][1]) for score in sorted(counted, reverse=True)]


def totals(of: Levels) -> tuple[Fraction, Fraction]:
    return sum(p for p, _ in of), sum(n for _, n in of)  # type: ignore[return-value]


def curve(of: Levels) -> Levels:
    """The weights of positive and negative rows down to each level, from (0, 0)."""
    points = [(Fraction(0), Fraction(0))]
    for p, n in of:
        points.append((points[-1][0] + p, points[-1][1] + n))
    return points


def auc(of: Levels) -> Fraction:
    positives, negatives = totals(of)
    return (
        sum((points[0] + p / 2) * n for (p, n), points in zip(of, curve(of), strict=False))
        / positives
        / negatives
    )


def partial_auc(of: Levels) -> Fraction:
    """McClish (1989): the area up to ALLOWED, scaled so that 1/2 is a random score and 1 a perfect one."""
    positives, negatives = totals(of)
    most, area = Fraction(ALLOWED), Fraction(0)
    for (p, n), (above, before) in zip(of, curve(of), strict=False):
        width = min(n, max(most * negatives - before, Fraction(0)))
        part = width / n if n else Fraction(before <= most * negatives)
        area += width * (above + p * part / 2)
    least = most * most / 2
    return (1 + (area / positives / negatives - least) / (most - least)) / 2


def ks(of: Levels) -> Fraction:
    positives, negatives = totals(of)
    return max(abs(p / positives - n / negatives) for p, n in curve(of))


def tpr_at_fpr(of: Levels) -> Fraction:
    positives, negatives = totals(of)
    return max(p for p, n in curve(of) if n / negatives <= ALLOWED) / positives


def trapezoids(of: Levels) -> Fraction:
    """Davis and Goadrich (2006); the precision of the first level stands at recall 0, too."""
    precisions = [p / (p + n) for p, n in curve(of)[1:]]
    before = [precisions[0], *precisions]
    return sum(p * (a + b) / 2 for (p, _), a, b in zip(of, before, precisions, strict=False)) / totals(of)[0]


FORMULAS = {
    "auc": auc,
    f"auc(max_fpr={ALLOWED})": partial_auc,
    "ks": ks,
    f"tpr_at_fpr(fpr={ALLOWED})": tpr_at_fpr,
    "pr_auc(method=trapezoid)": trapezoids,
}
BINNED = {
    "auc(bins=4)": auc,
    f"auc(max_fpr={ALLOWED},bins=4)": partial_auc,
    "ks(bins=4)": ks,
    "pr_auc(method=trapezoid,bins=4)": trapezoids,
}
NAMES = {f"m{number}": notation for number, notation in enumerate([*FORMULAS, *BINNED])}


def expected(rows: list[dict[str, Any]]) -> dict[str, float]:
    whole, binned = levels(rows), levels(rows, lambda score: float(int(score * 4)))
    values = {name: formula(whole) for name, formula in FORMULAS.items()}
    values |= {name: formula(binned) for name, formula in BINNED.items()}
    return {name: float(values[notation]) for name, notation in NAMES.items()}


def agree(row: dict[str, Any], rows: list[dict[str, Any]], names: list[str]) -> None:
    values = expected(rows)
    assert {name: row[name] for name in names} == pytest.approx(
        {name: values[name] for name in names}, rel=1e-12
    )


@pytest.mark.slow
@pytest.mark.parametrize("beside", [{}, {"more": "best_f1_threshold"}], ids=["sorted", "counted"])
@pytest.mark.parametrize("heavy", [1, 0], ids=["positives heavy", "negatives heavy"])
@pytest.mark.parametrize("weight", WEIGHTS)
def test_single_metrics_in_slices(weight: float, heavy: int, beside: dict[str, str]) -> None:
    """Alone, a metric may sort rows; beside another it counts levels."""
    rows = drawn(weight, heavy)
    table = pyarrow.Table.from_pylist(rows)
    for name in [
        name for name, notation in NAMES.items() if notation in ("auc", "ks", "tpr_at_fpr(fpr=0.3)")
    ]:
        for row in sm.evaluate(table, {name: NAMES[name], **beside}, by="half", **ROLES).to_dicts():
            agree(row, [each for each in rows if row["is_total"] or each["half"] == row["half"]], [name])


@pytest.mark.parametrize("heavy", [1, 0], ids=["positives heavy", "negatives heavy"])
@pytest.mark.parametrize("weight", WEIGHTS)
def test_all_metrics(weight: float, heavy: int) -> None:
    rows = drawn(weight, heavy)
    [row] = sm.evaluate(pyarrow.Table.from_pylist(rows), NAMES, **ROLES).to_dicts()
    agree(row, rows, list(NAMES))


@pytest.mark.parametrize("heavy", [1, 0], ids=["positives heavy", "negatives heavy"])
def test_every_engine(heavy: int, engine: Engine) -> None:
    rows = [{**row, "part": str(row["half"])} for row in drawn(1e16, heavy)]
    statement = sm.render("predictions", NAMES, dialect=engine.dialect, **ROLES)
    [row] = engine.query(statement, {"predictions": rows})
    agree(row, rows, list(NAMES))


@pytest.mark.parametrize("heavy", [1, 0], ids=["positives heavy", "negatives heavy"])
def test_states(heavy: int) -> None:
    """A state holds the classes of a level apart."""
    rows = drawn(1e24, heavy)
    table = pyarrow.Table.from_pylist(rows)
    state = sm.state(table, list(NAMES.values()), period="day", by="half", **ROLES)
    [row] = sm.finish(state, NAMES).to_dicts()
    agree(row, rows, list(NAMES))


@pytest.mark.parametrize("heavy", [1, 0], ids=["positives heavy", "negatives heavy"])
def test_a_state_that_holds_the_classes_together(heavy: int) -> None:
    """As older versions wrote it: read as before, with the digits that a difference leaves."""
    rows = drawn(1e4, heavy)
    table = sm.state(pyarrow.Table.from_pylist(rows), "auc", period="day", **ROLES).to_arrow()
    keys = [name for name in table.column_names if name not in ("sm_level_rows", "sm_level_positives")]
    older = table.group_by(keys).aggregate([("sm_level_rows", "sum"), ("sm_level_positives", "sum")])
    older = older.rename_columns([name.removesuffix("_sum") for name in older.column_names])
    assert len(older) < len(table)
    [row] = sm.finish(older, "auc").to_dicts()
    assert row["auc"] == pytest.approx(float(auc(levels(rows))), rel=1e-9)


@pytest.mark.parametrize("points", ["all", "corners"])
@pytest.mark.parametrize("heavy", [1, 0], ids=["positives heavy", "negatives heavy"])
def test_roc(heavy: int, points: str) -> None:
    rows = drawn(1e24, heavy)
    found = sm.curve(pyarrow.Table.from_pylist(rows), f"roc(points={points})", **ROLES).to_dicts()
    whole = levels(rows)
    positives, negatives = totals(whole)
    exact = [(float(n / negatives), float(p / positives)) for p, n in curve(whole)]
    assert len(found) == len(exact)
    for point, (fpr, tpr) in zip(found, exact, strict=True):
        assert (point["fpr"], point["tpr"]) == pytest.approx((fpr, tpr), rel=1e-12)
    thresholds = [point["threshold"] for point in found[1:]]
    assert thresholds == sorted(thresholds, reverse=True)


@pytest.mark.parametrize("heavy", ["a", "b"])
def test_multiclass_auc(heavy: str) -> None:
    """It subtracts no weights: the examples of a class, of the others, and the pairs won are sums of their own."""
    draw = random.Random(3)
    examples = [(label, draw.uniform(0.5, 2) * (1e24 if label == heavy else 1)) for label in "abc" * 8]
    scores = {(number, item): draw.randrange(8) / 8 for number in range(24) for item in "abc"}
    rows = [
        {"example": n, "class": item, "is_it": item == label, "score": scores[n, item], "weight": weight}
        for n, (label, weight) in enumerate(examples)
        for item in "abc"
    ]
    areas = [
        auc(levels([{**row, "label": int(row["is_it"])} for row in rows if row["class"] == item]))
        for item in "abc"
    ]
    [row] = sm.evaluate(
        rows,
        "multiclass_auc(method=ovr)",
        label="is_it",
        score="score",
        group="example",
        item="class",
        weight="weight",
    ).to_dicts()
    assert row["multiclass_auc_method_ovr"] == pytest.approx(float(sum(areas) / 3), rel=1e-12)


@pytest.mark.parametrize("heavy", range(3))
def test_agreement_of_classes(heavy: int, engine: Engine) -> None:
    """Of one class that outweighs the others; by fractions."""
    weights = {(0, 0): 1.0, (1, 1): 1e-10, (0, 1): 1e-12, (2, 1): 1e-11, (2, 0): 1e-13}
    cells = {((i + heavy) % 3, (j + heavy) % 3): weight for (i, j), weight in weights.items()}
    rows = [{"told": i, "said": j, "w": weight} for (i, j), weight in cells.items()]
    told, said = ([sum(Fraction(w) for c, w in cells.items() if c[s] == k) for k in range(3)] for s in (0, 1))
    right = [Fraction(cells.get((k, k), 0)) for k in range(3)]
    whole = sum(told)
    covariance = sum(r * whole - t * s for r, t, s in zip(right, told, said, strict=True))
    of_told, of_said = (sum(x * (whole - x) for x in of) for of in (told, said))
    expected = [float(covariance) / math.sqrt(of_told) / math.sqrt(of_said)]
    for power in (0, 1, 2):
        cost = {(i, j): abs(i - j) ** power if i != j else 0 for i in range(3) for j in range(3)}
        by_chance = sum(told[i] * said[j] * each for (i, j), each in cost.items()) / whole
        expected.append(float(1 - sum(Fraction(w) * cost[c] for c, w in cells.items()) / by_chance))
    names = {"m0": "mcc", "m1": "kappa", "m2": "kappa(weights=linear)", "m3": "kappa(weights=quadratic)"}
    roles = {"label": "told", "prediction": "said", "weight": "w"}
    [row] = engine.query(
        sm.render("predictions", names, dialect=engine.dialect, **roles), {"predictions": rows}
    )
    assert [row[name] for name in names] == pytest.approx(expected, rel=1e-12, abs=0)


@pytest.mark.parametrize("heavy", [1, 0], ids=["positives heavy", "negatives heavy"])
def test_entropy_of_the_base_rate(heavy: int, engine: Engine) -> None:
    """The log of a share near 1 keeps the digits of what it lacks, as 40 digits say."""
    rows = [
        {"y": y, "p": 0.25, "w": weight if y == heavy else 1.0, "part": f"{weight:g}"}
        for weight in (1.0, 8.0, 10.0, *WEIGHTS)
        for y in (0, 1)
    ]
    roles = {"label": "y", "score": "p", "weight": "w", "by": "part"}
    metrics = ["base_log_loss", "normalized_entropy", "rig"]
    statement = sm.render("predictions", metrics, dialect=engine.dialect, total=False, **roles)
    for row in engine.query(statement, {"predictions": rows}):
        with localcontext() as context:
            context.prec = 40
            share = 1 / (1 + Decimal(row["part"]))
            entropy = -share * share.ln() - (1 - share) * (1 - share).ln()
            light, loss = (-(Decimal(p)).ln() for p in ((0.75, 0.25) if heavy else (0.25, 0.75)))
            ratio = (share * light + (1 - share) * loss) / entropy
        expected = [float(entropy), float(ratio), float(1 - ratio)]
        assert [row[metric] for metric in metrics] == pytest.approx(expected, rel=1e-13, abs=0), row
