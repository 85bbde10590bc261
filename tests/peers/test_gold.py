"""`gold=` beside ppi-python and truescore: means, differences of two models, and the variance of the paper."""

from __future__ import annotations

import random
from typing import Any

import numpy
import pytest

import sqlmetrics as sm
from oracles import gold as oracle
from support.seeds import seeds


def data(seed: int) -> tuple[list[dict[str, Any]], Any]:
    """Rows that a judge labelled, the first of which people labelled; and squared errors of two models by both."""
    draw = random.Random(seed)
    n, rows = draw.randint(20, 60), []
    for i in range(300):
        y = int(draw.random() < 0.6)
        judge = y if draw.random() < 0.85 else 1 - y
        p, q = (round(draw.uniform(0.1, 0.6) + 0.3 * y, 3) for _ in "pq")
        rows.append({"j": judge, "g": y if i < n else None, "y": y, "p": p, "q": q})
    return rows, n


def errors(rows: list[dict[str, Any]], label: str, score: str) -> Any:
    return numpy.array([(row[label] - row[score]) ** 2 for row in rows])


@pytest.mark.parametrize("seed", seeds(2, 20))
def test_ppi_python_agrees(seed: int) -> None:
    """The value with the tuned power; the variance is the paper's, with two units more and what the power fits."""
    ppi_py = pytest.importorskip("ppi_py", reason="ppi-python is not installed")
    rows, n = data(seed)
    asked: dict[str, Any] = {"label": "j", "gold": "g"}
    found = sm.evaluate(rows, "mse", score="p", **asked).to_dicts()[0]
    compared = sm.compare(rows, "mse", baseline="p", candidate="q", **asked).to_dicts()[0]
    people, judge = (errors(rows, label, "p") for label in "yj")
    of_both = [errors(rows, label, "q") - errors(rows, label, "p") for label in "yj"]
    for value, worth, (y, f), fits in (
        (found["mse"], found["mse_n_effective"], (people, judge), True),
        (compared["difference"], compared["n_effective"], of_both, False),
    ):
        theirs = y[:n], f[:n], f[n:]
        assert value == pytest.approx(ppi_py.ppi_mean_pointestimate(*theirs).item(), abs=1e-9)
        low, high = ppi_py.ppi_mean_ci(*theirs, alpha=0.3173105078629141)
        square, alone = ((high - low).item() / 2) ** 2, y[:n].var() / n
        power = (value - y[:n].mean()) / (f[n:].mean() - f[:n].mean())
        unseen = square + 4 * power**2 * alone / n
        if fits:
            rest = [(v - part.mean()) / len(part) for part in (f[:n], f[n:]) for v in part]
            errors_of = y[:n] - power * f[:n]
            residuals = [*((errors_of - errors_of.mean()) / n), *(power * x for x in rest[n:])]
            unseen += oracle.fitted(residuals, rest)
        assert alone * n / worth == pytest.approx(unseen if unseen <= alone else max(alone, square), rel=1e-9)


def test_ppi_python_agrees_on_weights() -> None:
    """Of rows drawn with unequal chances: the estimator at our power, which is that of the influences of rows."""
    ppi_py = pytest.importorskip("ppi_py", reason="ppi-python is not installed")
    rows, n = data(9)
    rows = [{**row, "w": 1 + i % 3 if row["g"] is not None else None} for i, row in enumerate(rows)]
    asked: dict[str, Any] = {"label": "j", "gold": "g", "gold_weight": "w", "score": "p"}
    found = sm.evaluate(rows, "mse", **asked).to_dicts()[0]
    people, judge = (errors(rows, label, "p") for label in "yj")
    weights = numpy.array([row["w"] for row in rows[:n]], float)
    own = ppi_py.ppi_mean_pointestimate(people[:n], judge[:n], judge, lam=0, w=weights).item()
    full = ppi_py.ppi_mean_pointestimate(people[:n], judge[:n], judge, lam=1, w=weights).item()
    power = (found["mse"] - own) / (full - own)
    assert 0 < power < 1
    theirs = ppi_py.ppi_mean_pointestimate(people[:n], judge[:n], judge, lam=power, w=weights).item()
    assert found["mse"] == pytest.approx(theirs, abs=1e-9)
    assert found["mse_gold"] == pytest.approx(own, abs=1e-9)


@pytest.mark.parametrize("seed", seeds(2, 20))
def test_truescore_agrees(seed: int) -> None:
    truescore = pytest.importorskip("truescore", reason="truescore is not installed")
    rows, n = data(seed)
    asked: dict[str, Any] = {"label": "j", "gold": "g"}
    found = sm.evaluate(rows, "accuracy", score="p", **asked).to_dicts()[0]
    compared = sm.compare(rows, "accuracy", baseline="p", candidate="q", **asked).to_dicts()[0]
    right = {
        (label, score): numpy.array([float((row[score] >= 0.5) == row[label]) for row in rows])
        for label in "yj"
        for score in "pq"
    }
    theirs = truescore.ppi_estimate(right["j", "p"], right["y", "p"][:n], numpy.arange(n))
    assert found["accuracy"] == pytest.approx(theirs.point, abs=1e-9)
    of_both = right["j", "q"], right["j", "p"], right["y", "q"][:n], right["y", "p"][:n]
    theirs = truescore.ppi_compare(*of_both, numpy.arange(n))
    assert compared["difference"] == pytest.approx(theirs.difference, abs=1e-9)
