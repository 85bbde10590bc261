"""Strengths of battles without ties beside `choix` and `evalica`. Either is skipped where it is not installed."""

from __future__ import annotations

import math
import random
from typing import Any

import pytest

import sqlmetrics as sm

WORTH = {"a": 1.0, "b": 1.5, "c": 2.0, "d": 4.0}


@pytest.fixture(scope="module")
def battles() -> list[dict[str, Any]]:
    draw, rows = random.Random(6), []
    for _ in range(400):
        one, other = draw.sample([*WORTH], 2)
        [winner] = draw.choices(["model_a", "model_b"], [WORTH[one], WORTH[other]])
        rows.append({"model_a": one, "model_b": other, "winner": winner})
    return rows


def strengths(battles: list[dict[str, Any]]) -> list[float]:
    found = {row["model"]: row["strength"] for row in sm.bradley_terry(battles)}
    return [found[model] for model in WORTH]


def test_choix(battles: list[dict[str, Any]]) -> None:
    choix = pytest.importorskip("choix")
    places = {model: place for place, model in enumerate(WORTH)}
    pairs = [(places[row["model_a"]], places[row["model_b"]]) for row in battles]
    won = [
        pair if row["winner"] == "model_a" else pair[::-1] for pair, row in zip(pairs, battles, strict=True)
    ]
    assert strengths(battles) == pytest.approx([*choix.ilsr_pairwise(len(WORTH), won)], abs=1e-6)


def test_evalica(battles: list[dict[str, Any]]) -> None:
    evalica = pytest.importorskip("evalica")
    winners = [evalica.Winner.X if row["winner"] == "model_a" else evalica.Winner.Y for row in battles]
    found = evalica.bradley_terry(
        [row["model_a"] for row in battles], [row["model_b"] for row in battles], winners, tolerance=1e-12
    )
    logs = [math.log(found.scores[model]) for model in WORTH]
    mean = sum(logs) / len(logs)
    assert strengths(battles) == pytest.approx([value - mean for value in logs], abs=1e-5)
