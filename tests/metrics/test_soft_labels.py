"""`soft=True`: a label is the chance of a positive row, beside the formulas over two weighted rows for each row."""

from __future__ import annotations

import math
import random
import re
from statistics import NormalDist
from typing import Any

import pytest

import oracles
import sqlmetrics as sm
from oracles import soft as oracle
from oracles.ends import of_share
from oracles.intervals import of_mean
from oracles.weighted_auc import sample
from sqlmetrics.book.catalog import catalog
from sqlmetrics.book.plan import planned
from sqlmetrics.book.templates import macros
from support.compared import close
from support.engines import Engine

Rows = list[dict[str, Any]]
FACTS: dict[str, Any] = {"label": "p", "score": "score", "soft": True}


def drawn(seed: int = 4, rows: int = 60) -> Rows:
    """Rows of tied scores and unequal weights, some of them 0, with labels that are sure, even or anything."""
    draw = random.Random(seed)
    return [
        {
            "p": draw.choice([0.0, 1.0, 0.5, 0.25, round(draw.random(), 3)]),
            "score": draw.randrange(1, 20) / 20,
            "other": draw.randrange(1, 20) / 20,
            "weight": draw.choice([0, 0.5, 1, 2, 3.3]),
            "part": draw.choice("xy"),
            "treated": draw.randrange(2),
            "decided": draw.randrange(2),
        }
        for _ in range(rows)
    ]


METRICS = [
    "auc",
    "average_precision",
    "ks",
    "log_loss",
    "brier",
    "f1",
    "recall",
    "mcc",
    "ece",
    "lift(share=0.3)",
    "tp",
]


@pytest.mark.parametrize("weight", [None, "weight"])
def test_values_are_those_of_two_rows_for_each(weight: str | None, engine: Engine) -> None:
    """In slices and in total. A row without a label is counted once, as every row is."""
    rows = drawn()
    asked = macros(engine.dialect).evaluate("given", METRICS, by="part", weight=weight, **FACTS)
    found = engine.query(str(asked), {"given": [*rows, {**rows[0], "p": None}]})
    assert [row["n_rows"] for row in found] == [
        1 * (part in (None, rows[0]["part"])) + sum(part in (None, row["part"]) for row in rows)
        for part in ("x", "y", None)
    ]
    assert [row["rows_bad_label"] for row in found] == [
        int(row["part"] in (None, rows[0]["part"])) for row in found
    ]
    for row in found:
        here = oracle.outcomes([one for one in rows if row["part"] in (None, one["part"])], "p", weight)
        for notation in METRICS:
            name = notation.replace("(share=0.3)", "_share_0_3")
            close(row[name], oracles.value(notation, here, label="label", score="score", weight="weight"))


def test_the_unit_of_an_interval_is_the_row(engine: Engine) -> None:
    """The influence of a row is that of both its outcomes."""
    rows = [row for row in drawn(7) if row["weight"]]
    facts = {**FACTS, "weight": "weight", "interval": 0.95}
    (row,) = engine.query(
        str(macros(engine.dialect).evaluate("given", ["auc", "brier"], **facts)), {"given": rows}
    )
    two = [one for one in oracle.outcomes(rows, "p", "weight") if one["weight"]]
    of = sample(two, "unit")
    t = float(pytest.importorskip("scipy.stats").t.ppf(0.975, of.units - 1))
    low, high = of_share(*of, t, NormalDist().inv_cdf(0.975), (0, 1), by_units=False)
    close(row["auc_low"], low)
    close(row["auc_high"], high)

    def brier(rows: Rows) -> float:
        squares = [one["weight"] * (one["score"] - one["label"]) ** 2 for one in rows]
        return math.fsum(squares) / math.fsum(one["weight"] for one in rows)

    low, high = of_mean(brier, two, "unit", limits=(0, 1))
    close(row["brier_low"], low, 1e-7)
    close(row["brier_high"], high, 1e-7)


def test_a_comparison_pairs_rows() -> None:
    rows = drawn(5)
    facts = {"score": ["score", "other"], "baseline": "score"}
    metrics = ["auc", "log_loss"]
    found = sm.compare(rows, metrics, label="p", soft=True, **facts).to_dicts()
    two = oracle.outcomes(rows, "p", own="half")
    wanted = sm.compare(two, metrics, label="label", weight="half", group="unit", **facts).to_dicts()
    for one, other in zip(found, wanted, strict=True):
        for name in ("difference", "low", "high", "p_value", "n_pairs"):
            assert one[name] == pytest.approx(other[name], rel=1e-9), (one["metric"], name)


def test_a_state_and_curves() -> None:
    rows, metrics = drawn(6), ["auc", "log_loss", "f1"]
    kept = sm.state(rows, metrics, period="part", **FACTS)
    whole, merged = sm.evaluate(rows, metrics, **FACTS), sm.finish(kept, metrics)
    assert [merged[name] for name in metrics] == [pytest.approx(whole[name]) for name in metrics]
    other = sm.state(rows, metrics, period="part", label="p", score="score", positive=0.5)
    with pytest.raises(sm.SqlMetricsError, match=r"was made with different facts.*soft \(False, True\)"):
        sm.finish([kept, other], "auc")
    two = oracle.outcomes(rows, "p", own="half")
    for kind in ("roc", "thresholds(at='0.3, 0.5')"):
        found = sm.curve(rows, kind, **FACTS).to_dicts()
        wanted = sm.curve(two, kind, label="label", score="score", weight="half").to_dicts()
        for one, other in zip(found, wanted, strict=True):
            assert one == pytest.approx(other), kind


@pytest.mark.slow
def test_a_metric_is_that_of_two_rows_or_is_refused() -> None:
    """Of the whole catalogue: what the two outcomes of a row do not add up to takes no soft labels."""
    rows = drawn(8)
    facts = {"group": "part", "item": "other", "max_grade": 1}
    taken, refused, of_weights = {}, set(), []
    for name, metric in catalog().items():
        example = metric.example
        try:
            planned("duckdb", "plan_of_evaluate", metrics=[example], relation="t", **FACTS, **facts)
        except sm.SqlMetricsError as error:
            refused.add((metric.name, "takes no soft labels" in str(error)))
            of_weights += [name] if "takes no weight=" in str(error) else []
        else:
            taken[name] = example
    assert of_weights == []  # the call has no weight=
    told = {name for name, sentence in refused if sentence}
    assert {
        "mse",
        "ndcg",
        "count",
        "gauc",
        "pearson",
        "spearman",
        "rbo",
        "debiased_calibration_error",
        "spiegelhalter_z",
    } <= told
    have = {name: of for name, of in taken.items() if not re.search("against|latency|=cost|lower|=q\\d", of)}
    assert len(have) > 50
    found = sm.evaluate(rows, have, label="p", score="score", soft=True).to_dicts()[0]
    two = oracle.outcomes(rows, "p", own="half")
    wanted = sm.evaluate(two, have, label="label", score="score", weight="half").to_dicts()[0]
    for name in have:
        assert found[name] == pytest.approx(wanted[name]), name


REFUSED = [
    (
        {"p": 1.5},
        {},
        r"^1 rows have a label outside \[0, 1\], such as 1.5, which is no chance of a positive row; divide",
    ),
    ({"p": -0.5}, {}, r"^1 rows have a label outside \[0, 1\], such as -0.5"),
    ({"p": None}, {}, "^1 of 60 rows have a NULL, NaN or infinite label"),
    ({"p": math.nan}, {}, "^1 of 60 rows have a NULL, NaN or infinite label"),
    ({"weight": -1}, {"weight": "weight"}, "^1 of 60 rows have a NULL, NaN, infinite or negative weight"),
    ({}, {"label": "part"}, "^Label column 'part' is text and has to be numbers"),
    (
        {},
        {"soft": False},
        "pass positive= to say from which label on a row is positive, or soft=True if a label is",
    ),
]


@pytest.mark.parametrize(("changed", "facts", "message"), REFUSED)
def test_what_is_no_chance_is_refused(changed: dict[str, Any], facts: dict[str, Any], message: str) -> None:
    rows = drawn()
    rows[3] = {**rows[3], **changed}
    with pytest.raises(sm.SqlMetricsError, match=message):
        sm.evaluate(rows, ["auc", "brier"], **{**FACTS, **facts})


def test_a_score_as_its_own_label_gives_expected_numbers_and_a_note() -> None:
    """A calibrated score, and labels drawn from it: the number that comes later is the one expected, but for chance."""
    draw = random.Random(1)
    rows = [
        {"score": s, "y": int(draw.random() < s)} for s in (draw.betavariate(0.6, 1) for _ in range(4000))
    ]
    found = sm.evaluate(rows, ["auc", "f1"], label="score", score="score", soft=True, interval=0.95)
    later = sm.evaluate(rows, ["auc", "f1"], label="y", score="score", interval=0.999).to_dicts()[0]
    for metric in ("auc", "f1"):
        assert later[f"{metric}_low"] < found[metric][0] < later[f"{metric}_high"]
    assert any(
        "expected ones, and hold only as far as the score is calibrated" in note for note in found.notes()
    )
    assert not sm.evaluate(drawn(), "auc", **FACTS).notes()


@pytest.mark.parametrize("group", [None, "part"])
def test_a_board_is_that_of_two_rows(group: str | None, engine: Engine) -> None:
    """A row, or a list, is still one unit: of the ranks as of the intervals of values."""
    rows = [{**row, "number": number} for number, row in enumerate(drawn(5))]
    metrics, models = ["auc", "log_loss"], {"score": ["score", "other"]}
    asked = macros(engine.dialect).leaderboard("given", metrics, label="p", soft=True, group=group, **models)
    found = engine.query(str(asked), {"given": rows})
    two = oracle.outcomes(rows, "p", own="half")
    facts = {"label": "label", "weight": "half", "group": group or "unit", **models}
    for one, other in zip(found, sm.leaderboard(two, metrics, **facts).to_dicts(), strict=True):
        assert one["model"] == other["model"]
        for name in ("value", "low", "high", "difference", "p_adjusted", "rank_low", "rank_high", "n_units"):
            close(one[name], other[name], 1e-7)
