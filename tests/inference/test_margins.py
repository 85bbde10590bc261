"""Verdicts beside a margin: statsmodels' two one-sided tests, and the place of the interval, on every engine."""

from __future__ import annotations

import math
import random
import statistics
from typing import Any

import pyarrow as pa
import pytest

import oracles
import sqlmetrics as sm
from oracles.resampling import equivalent_within, redrawn, replicates
from oracles.samples import error_and_df
from oracles.verdicts import verdict
from sqlmetrics.book.templates import macros
from support.compared import Rows, close
from support.engines import Engine
from support.errors import told

BETTER = {
    "mae": "lower",
    "brier": "lower",
    "accuracy": "higher",
    "auc": "higher",
    "bias": "none",
    "ks": "higher",
}


def made(seed: int, n: int = 120, moved: float = 0.0) -> Rows:
    """Rows with two alike scores, the second moved away from the label, and lists of three rows."""
    draw = random.Random(seed)
    rows = []
    for number in range(n):
        y = int(draw.random() < 0.4)
        score = min(max(0.3 + 0.3 * y + draw.gauss(0, 0.2), 0), 1)
        other = score + draw.gauss(0, 0.05) + (moved if y == 0 else -moved)
        rows.append({"id": number, "u": number // 3, "y": y, "a": score, "b": min(max(other, 0), 1)})
    return rows


def ran(engine: Engine, rows: Rows, metrics: Any, margin: Any, **facts: Any) -> Rows:
    sql = macros(engine.dialect).compare(
        "given", metrics, "a", "b", **{"label": "y", "margin": margin, **facts}
    )
    return engine.query(str(sql), {"given": rows})


def check_verdict(row: dict[str, Any], level: float = 0.95) -> None:
    """The verdict is that of the interval, and the p-value of equivalence says the same."""
    assert row["verdict"] == verdict(row["low"], row["high"], row["margin"], BETTER[row["metric"]])
    if row["margin"] is not None:
        assert (row["verdict"] == "equivalent") == (row["p_equivalence"] <= (1 - level) / 2 + 1e-12)


@pytest.mark.slow
@pytest.mark.parametrize("margin", [0.02, 0.05])
def test_two_one_sided_tests_of_rows(margin: float, engine: Engine) -> None:
    weightstats = pytest.importorskip("statsmodels.stats.weightstats")
    rows = made(1)
    for row in ran(engine, rows, ["mae", "brier"], margin, interval=0.9):
        power = 1 if row["metric"] == "mae" else 2
        a, b = ([abs(one["y"] - one[x]) ** power for one in rows] for x in "ab")
        expected, *_ = weightstats.ttost_paired(
            pa.array(b).to_numpy(), pa.array(a).to_numpy(), -margin, margin
        )
        close(row["p_equivalence"], expected)
        assert row["margin"] == margin
        check_verdict(row, 0.9)


@pytest.mark.slow
def test_two_one_sided_tests_of_samples(engine: Engine) -> None:
    """Of other data: by Welch's t with the larger of two errors."""
    stats = pytest.importorskip("scipy.stats")
    rows, others = made(2), made(3, 80)
    sql = macros(engine.dialect).compare(
        "given", "mae", "a", "b", other="others", paired=False, label="y", margin=0.04
    )
    [row] = engine.query(str(sql), {"given": rows, "others": others})
    a, b = (pa.array([abs(r["y"] - r[x]) for r in of]).to_numpy() for x, of in (("a", rows), ("b", others)))
    error, df = error_and_df(a.var(ddof=1) / len(a), len(a), b.var(ddof=1) / len(b), len(b))
    close(row["p_equivalence"], stats.t.sf((0.04 - abs(b.mean() - a.mean())) / error, df))
    check_verdict(row)


@pytest.mark.slow
def test_auc_of_rows_counts_those_of_the_rarer_class(engine: Engine) -> None:
    stats = pytest.importorskip("scipy.stats")
    labels = [row["y"] for row in made(4)]
    df = min(labels.count(1), labels.count(0)) - 1
    for margin in (0.01, 0.08):
        [row] = ran(engine, made(4), "auc", margin)
        error = row["difference"] / row["statistic"]
        close(row["p_equivalence"], stats.t.sf((margin - abs(row["difference"])) / error, df))
        check_verdict(row)


#: how far a slice's second score is from the label, and its rows: together every verdict
SLICES = [(0.0, 200), (0.02, 200), (0.1, 200), (-0.1, 200), (0.02, 12), (-0.04, 30), (0.05, 40), (0.0, 5)]


@pytest.mark.sample
@pytest.mark.slow
@pytest.mark.parametrize("facts", [{}, {"group": "u"}, {"test": "sign"}])
def test_verdicts_by_slice_and_direction(facts: dict[str, Any], engine: Engine) -> None:
    rows = [
        {**row, "u": 100_000 * place + row["u"], "part": place}
        for place, (moved, n) in enumerate(SLICES)
        for row in made(place, n, moved)
    ]
    got = ran(engine, rows, ["mae", "accuracy", "bias"], {"mae": 0.03, "bias": 0.01}, by=["part"], **facts)
    for row in got:
        assert row["margin"] == {"mae": 0.03, "bias": 0.01}.get(row["metric"])
        assert (row["p_equivalence"] is None) == (row["margin"] is None or row["low"] is None)
        check_verdict(row)
    found = {row["verdict"] for row in got if row["metric"] == "mae"}
    assert found >= {"better", "worse", "equivalent", "undecided"} | ({"not worse"} if not facts else set())
    assert {row["verdict"] for row in got if row["metric"] == "bias"} <= {
        "equivalent",
        "differs",
        "undecided",
    }


@pytest.mark.slow
def test_a_verdict_goes_with_a_correction(engine: Engine) -> None:
    [plain], [corrected] = (
        ran(engine, made(1), "mae", 0.03, **more) for more in ({}, {"correction": "holm"})
    )
    assert corrected["verdict"] == plain["verdict"] is not None
    assert corrected["p_adjusted"] == corrected["p_value"]


@pytest.mark.slow
def test_models_alike_have_no_verdict(engine: Engine) -> None:
    """Nothing varies, so that nothing says how far the next row could differ; of a share of rows their number does."""
    rows = [{**row, "b": row["a"]} for row in made(1)]
    share, row = ran(engine, rows, ["accuracy", "mae"], 0.04)
    assert (row["difference"], row["low"], row["p_equivalence"], row["verdict"]) == (0, None, None, None)
    assert (share["difference"], share["verdict"]) == (0, "equivalent")
    close(share["p_value"], 1)
    # the d0 with d0^2 = z^2 (d0 + 1 / 2n - d0^2) / n
    z, n = statistics.NormalDist().inv_cdf(0.975), len(rows)
    close(share["high"], (z * z / 2 + z * math.sqrt(z * z / 4 + (n + z * z) / (2 * n))) / (n + z * z))
    close(share["low"], -share["high"])
    [share] = ran(engine, rows[:12], "accuracy", 0.04)
    assert share["verdict"] == "undecided"


@pytest.mark.slow
def test_a_notation_or_its_name_has_a_margin(engine: Engine) -> None:
    metrics = {"close": "accuracy(threshold=0.4)", "mae": "mae"}
    for margin in ({"close": 0.1}, {"accuracy(threshold=0.4)": 0.1}):
        got = ran(engine, made(1), metrics, margin)
        assert [row["margin"] for row in got] == [0.1, None]


@pytest.mark.slow
def test_a_bootstrap_counts_what_makes_its_ends(engine: Engine) -> None:
    rows, n = made(5, 40, 0.02), 60
    samples, again = replicates(rows, n, order=["a", "b", "y"]), redrawn(rows, n, order=["a", "b", "y"])

    def differences(of: list[Rows]) -> list[float]:
        values = [[oracles.value("mae", sample, label="y", score=x) for x in "ab"] for sample in of]
        return [b - a for a, b in values]

    replicated = differences(samples)
    [value], redrawn_values = differences([rows]), differences(again)
    others = redrawn_values + [None] * (n - len(redrawn_values))
    for margin in (0.001, 0.02, 0.03, 0.05):
        [row] = ran(engine, rows, "mae", margin, test="bootstrap", n_resamples=n, interval=0.9)
        close(row["p_equivalence"], equivalent_within(margin, value, replicated, others, 40, 0.9))
        check_verdict(row, 0.9)


@pytest.mark.slow
@pytest.mark.parametrize("metric", ["ks", "accuracy", "auc"])
def test_a_bootstrap_agrees_with_its_interval(metric: str) -> None:
    """At a margin on either side of the farther end."""
    asked = {"baseline": "a", "candidate": "b", "label": "y", "test": "bootstrap", "n_resamples": 199}
    for seed in range(3):
        [plain] = sm.compare(made(seed, 60), metric, **asked).to_dicts()
        end = max(abs(plain["low"]), abs(plain["high"]))
        for margin in (end * (1 - 1e-9), end * (1 + 1e-9)):
            [row] = sm.compare(made(seed, 60), metric, margin=margin, **asked).to_dicts()
            check_verdict(row)
            assert (row["verdict"] == "equivalent") == (margin > end)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "moved"), [("ks", 0), ("f1", 0.02)])
def test_an_end_at_the_margin_decides_nothing(name: str, moved: float, engine: Engine) -> None:
    """Nor does one that differs from it by rounding: 0.7 - 0.8 is above -0.1. At 0 it is within any margin."""
    asked = {"test": "bootstrap", "n_resamples": 39, "interval": 0.9}
    rows = [{key: one[key] for key in "yab"} for one in made(3, 40, moved)]
    [plain] = ran(engine, rows, name, None, **asked)
    for margin in (-plain["low"], math.nextafter(-plain["low"], 1)):
        [row] = ran(engine, rows, name, margin, **asked)
        assert plain["low"] < 0 < plain["high"]
        assert row["verdict"] == "undecided"
        assert row["p_equivalence"] > 0.05
    [row] = ran(engine, rows, name, -plain["low"] * (1 + 1e-9), **asked)
    assert row["verdict"] in ("not worse", "equivalent")


@pytest.mark.slow
@pytest.mark.parametrize("level", [0.9, 0.95])
def test_equivalence_is_seldom_said_at_the_margin(level: float) -> None:
    """The true difference is the margin, in 400 samples of 300 rows: 1,000 by numpy gave the same."""
    draw = random.Random(7)
    rows = []
    for part in range(400):
        for _ in range(300):
            y, error = int(draw.random() < 0.5), draw.gauss(0, 0.3)
            right = draw.random() < 0.8
            also_right = (draw.random() < 0.95) if right else (draw.random() < 0.45)  # 0.85 of all
            rows.append({
                "part": part, "y": y, "a": y if right else 1 - y, "b": y if also_right else 1 - y,
                "near": y + error, "far": y + error + draw.choice([-1, 1]) * 0.2,
            })  # fmt: skip
    asked = {"label": "y", "by": "part", "total": False, "interval": level}
    table = pa.Table.from_pylist(rows)
    shares = sm.compare(table, "accuracy", baseline="a", candidate="b", margin=0.05, **asked)
    errors = sm.compare(table, "mse", baseline="near", candidate="far", margin=0.04, **asked)
    for compared in (shares, errors):
        said = compared["verdict"].count("equivalent")
        # 5 % at 0.9 and 2.5 % at 0.95, and three standard errors of 400 draws
        assert said / 400 <= (1 - level) / 2 + 3 * ((1 - level) / 2 / 400) ** 0.5
        assert abs(sum(compared["difference"]) / 400) == pytest.approx(
            0.05 if compared is shares else 0.04, rel=0.1
        )


@pytest.mark.parametrize(
    ("margin", "message"),
    [
        (-0.1, "margin= takes a number above 0, the smallest difference that matters, or a mapping of metrics to"),
        (-0.1, "such numbers, got -0.1"),
        (0, "margin= takes a number above 0"),
        (True, "margin= takes a number above 0"),
        (float("nan"), "margin= takes a number above 0"),
        (float("inf"), "margin= takes a number above 0"),
        ("0.1", "such numbers, got the text \"0.1\""),
        ([0.1], "margin= takes a number above 0"),
        ({}, "margin= takes a number above 0"),
        ({"mae": "x"}, "such numbers, got the text \"x\" for 'mae'"),
        ({"mae": 0}, "such numbers, got 0 for 'mae'"),
        ({"aucc": 0.1}, "margin= has 'aucc', which is no metric of this call. Metrics: mae"),
    ],
)  # fmt: skip
def test_wrong_margins(margin: Any, message: str) -> None:
    asked = {"baseline": "a", "candidate": "b", "label": "y", "margin": margin}
    for refused in (told(sm.compare, made(1), "mae", **asked), told(sm.render_compare, "t", "mae", **asked)):
        assert message in refused
        assert "\n" not in refused


#: the gates that each verdict keeps
KEPT = {
    "better": ["is better", "is not worse"],
    "equivalent": ["is equivalent", "is not worse"],
    "not worse": ["is not worse"],
    "worse": [],
    "undecided": [],
    None: [],
}


@pytest.mark.slow
def test_gates_of_verdicts() -> None:
    rows = [
        {**row, "part": place} for place, (moved, n) in enumerate(SLICES) for row in made(place, n, moved)
    ]
    rows += [{**row, "b": row["a"], "part": 99} for row in made(1)]
    compared = sm.compare(
        rows, "mae", baseline="a", candidate="b", label="y", by="part", total=False, margin=0.03
    )
    assert {row["verdict"] for row in compared} == {*KEPT}
    for rule in ("is better", "is equivalent", "is not worse"):
        with pytest.raises(sm.GateError) as failed:
            sm.check(compared, f"mae {rule}")
        held = {row["slice"]: row["holds"] for row in failed.value.gates}
        assert held == {f"part={row['part']}": rule in KEPT[row["verdict"]] for row in compared}
        assert {row["rule"] for row in failed.value.gates} == {rule}
    assert "part=99, model b: mae has no verdict, since all pairs differ by the same, which says" in str(
        failed.value
    )
    assert "leave this gate out while the models are the same; it has to be not worse" in str(failed.value)
