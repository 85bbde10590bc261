"""`bradley_terry`: the likelihood maximized by scipy, closed forms of two models, and battles without an answer."""

from __future__ import annotations

import math
import random
import re
from collections import defaultdict
from collections.abc import Callable
from itertools import combinations_with_replacement
from typing import Any

import numpy as np
import pytest

import sqlmetrics as sm
from oracles import battles as oracle
from sqlmetrics.book.templates import macros
from support.engines import Engine

Rows = list[dict[str, Any]]


def votes(*said: tuple[str, str, str]) -> Rows:
    return [{"model_a": a, "model_b": b, "winner": winner} for a, b, winner in said]


def drawn(seed: int, n: int = 300, ties: bool = True) -> Rows:
    draw, worth = random.Random(seed), {"p": 1.0, "q": 2.0, "r": 3.0, "s": 3.0}
    rows = []
    for _ in range(n):
        a, b = draw.sample([*worth], 2)
        odds = [worth[a], worth[b], math.sqrt(worth[a] * worth[b]) * ties]
        [winner] = draw.choices(["model_a", "model_b", "tie"], odds)
        rows.append({"model_a": a, "model_b": b, "winner": winner, "prompt": draw.randrange(40)})
    return rows


@pytest.mark.parametrize("ties", [True, False])
def test_strengths_are_those_of_the_greatest_likelihood(ties: bool) -> None:
    rows = drawn(1, ties=ties)
    expected = oracle.strengths((row["model_a"], row["model_b"], row["winner"]) for row in rows)
    found = sm.bradley_terry(rows).to_dicts()
    assert {row["model"]: row["strength"] for row in found} == pytest.approx(expected, abs=1e-6)
    for row in found:
        assert row["elo"] == pytest.approx(1000 + 400 / math.log(10) * row["strength"])
        assert row["n_battles"] == row["wins"] + row["losses"] + row["ties"]
        assert row["rank_low"] <= row["rank"] <= row["rank_high"]
    assert sum(row["wins"] for row in found) == sum(row["winner"] != "tie" for row in rows)


def test_win_matrix(engine: Engine) -> None:
    """Every engine counts the same battles; NULL winners are a slice of their own."""
    rows = [*drawn(2), {"model_a": "p", "model_b": "q", "winner": None, "prompt": 1}]
    statement = str(macros(engine.dialect)["bradley_terry"]("given", cluster="prompt"))
    expected: dict[tuple[Any, ...], int] = defaultdict(int)
    for row in rows:
        expected[row["winner"], row["prompt"], row["model_a"], row["model_b"]] += 1
    found = engine.query(statement, {"given": rows})
    columns = ("winner", "cluster", "model_a", "model_b")
    assert {tuple(row[name] for name in columns): row["n_battles"] for row in found} == expected


def test_products_of_clusters(engine: Engine) -> None:
    """What the sandwich reads, from its definition: the derivatives by strengths and log(nu), summed over clusters."""
    rows = [*drawn(4, n=60), {"model_a": "p", "model_b": "z", "winner": "tie", "prompt": 1}]
    strengths, nu = {"p": -0.5, "q": 0.2, "r": 0.4, "s": 0.0}, 0.8
    places = dict(zip(strengths, range(1, 5), strict=True))  # in the order of names; z has no strength
    moves: dict[int, dict[int, float]] = defaultdict(lambda: defaultdict(float))
    for row in rows[:-1]:
        half = (strengths[row["model_a"]] - strengths[row["model_b"]]) / 2
        win, loss = math.exp(half), math.exp(-half)
        got = {"model_a": 0.5, "model_b": -0.5, "tie": 0.0}[row["winner"]] - (win - loss) / 2 / (
            win + loss + nu
        )
        moves[row["prompt"]][places[row["model_a"]]] += got
        moves[row["prompt"]][places[row["model_b"]]] -= got
        moves[row["prompt"]][0] += (row["winner"] == "tie") - nu / (win + loss + nu)
    expected: dict[tuple[int, int], float] = defaultdict(float)
    for of_cluster in moves.values():
        for one, other in combinations_with_replacement(sorted(of_cluster), 2):
            expected[one, other] += of_cluster[one] * of_cluster[other]
    words = macros(engine.dialect)
    plan = words["bradley_terry_clusters_plan"](
        {places[model]: strength for model, strength in strengths.items()}, nu,
        relation="given", label="model_a", prediction="model_b", by={"winner": "winner"}, total=False, group="prompt",
    )  # fmt: skip
    found = engine.query(str(words["statement_of"](plan)), {"given": rows})
    assert {row["n_clusters"] for row in found} == {len(moves)}
    assert {(row["place_a"], row["place_b"]): row["product"] for row in found} == pytest.approx(expected)


def test_two_models() -> None:
    """Of two models the strength and its variance are those of a log odds: 1/wins + 1/losses."""
    won, lost = votes(("x", "y", "model_a"), ("y", "x", "model_a"))
    rows = [{**won, "n": 30}, {**lost, "n": 10}]
    first, second = sm.bradley_terry(rows, weight="n").to_dicts()
    half = 1.959963984540054 * math.sqrt(1 / 30 + 1 / 10) / 2
    assert first["strength"] == pytest.approx(math.log(3) / 2, abs=1e-9)
    assert (first["high"] - first["low"]) / 2 == pytest.approx(half, abs=1e-9)
    assert (first["rank_low"], first["rank_high"], second["rank_low"]) == (1, 1, 2)


def test_sandwich_of_clusters() -> None:
    """With numpy: the inverse information around the sums of scores of each cluster, by differences of strengths."""
    rows = drawn(3, ties=False)
    found = sm.bradley_terry(rows, cluster="prompt").to_dicts()
    strength = {row["model"]: row["strength"] for row in found}
    places = {model: place for place, model in enumerate(sorted(strength))}
    information, scores = np.zeros((4, 4)), defaultdict(lambda: np.zeros(4))
    for row in rows:
        apart = np.zeros(4)
        apart[places[row["model_a"]]], apart[places[row["model_b"]]] = 1, -1
        chance = 1 / (1 + math.exp(strength[row["model_b"]] - strength[row["model_a"]]))
        information += chance * (1 - chance) * np.outer(apart, apart)
        scores[row["prompt"]] += ((row["winner"] == "model_a") - chance) * apart
    bread = np.linalg.pinv(information)
    meat = sum(np.outer(score, score) for score in scores.values()) * len(scores) / (len(scores) - 1)
    errors = np.sqrt(np.diag(bread @ meat @ bread))
    for row in found:
        half = (row["high"] - row["low"]) / 2
        assert half == pytest.approx(
            quantile_of_t(0.975, len(scores) - 1) * errors[places[row["model"]]], rel=1e-7
        )


def quantile_of_t(p: float, df: int) -> float:
    return float(pytest.importorskip("scipy.stats").t.ppf(p, df))


def test_few_clusters() -> None:
    """Not more clusters than parameters give no interval; few are told."""

    def ranked(ties: bool, clusters: int) -> Any:
        rows = [{**row, "user": i % clusters} for i, row in enumerate(drawn(3, ties=ties))]
        return sm.bradley_terry(rows, cluster="user")

    for ties, clusters in ((False, 3), (True, 4)):
        report = ranked(ties, clusters)
        assert {(row["low"], row["high"], row["rank_low"], row["rank_high"]) for row in report} == {
            (None,) * 4
        }
        [note] = report.notes()
        assert note.startswith(
            f"no intervals from so few clusters: {clusters}; the fit has {clusters} parameters"
        )
    report = ranked(False, 4)
    assert report.notes() == ["clusters: 4; below 30 an interval is rough"]
    assert None not in report["low"]
    assert not sm.bradley_terry(drawn(3), cluster="prompt").notes()


def test_ranks_of_few_clusters_are_by_student_t() -> None:
    """Of two models, the ranks are sure exactly if the interval of a strength excludes 0."""
    sure = set()
    for seed in range(60):
        draw = random.Random(seed)
        rows = [
            {
                "model_a": "x",
                "model_b": "y",
                "winner": draw.choice(["model_a", "model_a", "model_b"]),
                "c": i % 3,
            }
            for i in range(30)
        ]
        first, _ = sm.bradley_terry(rows, cluster="c").to_dicts()
        assert (first["rank_high"] == 1) == (first["low"] > 0)
        sure.add(first["rank_high"])
    assert sure == {1, 2}


@pytest.mark.parametrize("models", [("x", "y"), (1, 2)])
def test_the_advice_for_winners_by_name(models: tuple[Any, Any]) -> None:
    rows = [{"model_a": models[0], "model_b": models[1], "winner": models[i % 3 == 0]} for i in range(12)]
    with pytest.raises(sm.SqlMetricsError, match="write winner=") as refused:
        sm.bradley_terry(rows)
    winner = eval(str(refused.value).split("write winner=")[1], {"sm": sm})
    assert sm.bradley_terry(rows, winner=winner)["wins"] == [8, 4]
    tied = [{**row, "winner": "tie"} for row in rows[:4]] if models == ("x", "y") else []
    assert sum(sm.bradley_terry(rows + tied, winner=winner)["ties"]) == 2 * len(tied)


CYCLE = votes(("x", "y", "model_a"), ("y", "z", "model_a"), ("z", "x", "model_a"))


def test_models_without_a_finite_strength() -> None:
    """A model that lost every battle has none, and those of the others are as without it."""
    alone = sm.bradley_terry(CYCLE).to_dicts()
    report = sm.bradley_terry([*CYCLE, *votes(("w", "x", "model_b"))])
    *others, last = report.to_dicts()
    assert [row["strength"] for row in others] == pytest.approx([row["strength"] for row in alone])
    assert (last["model"], last["strength"], last["rank"], last["losses"]) == ("w", None, None, 1)
    assert any("no finite strength" in note and note.endswith("w") for note in report.notes())
    # the likelihood grows for ever with the strengths and the parameter of ties together
    tied = sm.bradley_terry(votes(("x", "y", "model_a"), ("x", "z", "tie"), ("z", "y", "tie")))
    assert {row["strength"] for row in tied} == {None}
    assert {row["strength"] for row in sm.bradley_terry(votes(("x", "y", "tie")))} == {None}
    assert {row["strength"] for row in sm.bradley_terry(votes(("x", "y", "model_a")))} == {None}


def test_words_for_ties_and_rows_left_out() -> None:
    rows = CYCLE + votes(("x", "y", "tie (bothbad)"), ("x", "y", "both_bad"), ("x", "y", "tie"))
    assert sum(sm.bradley_terry(rows)["ties"]) == 6
    bad = votes(("x", "y", "draw"), ("x", "x", "tie"), (None, "y", "tie"))  # type: ignore[arg-type]
    report = sm.bradley_terry(rows + bad, on_bad_rows="drop")
    assert report.to_dicts() == sm.bradley_terry(rows).to_dicts()
    assert len(report.notes()) == 3


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: sm.bradley_terry(CYCLE + votes(("x", "y", "left"))), "1 have 'left' in column 'winner'"),
        (
            lambda: sm.bradley_terry(CYCLE + votes(("x", "y", "x"))),
            "has names of models, such as 'x', and takes",
        ),
        (lambda: sm.bradley_terry(CYCLE + votes(("x", "x", "tie"))), "are of 'x' with itself"),
        (lambda: sm.bradley_terry([*CYCLE, {**CYCLE[0], "winner": None}]), "have NULL in column 'winner'"),
        (lambda: sm.bradley_terry([*CYCLE, {**CYCLE[0], "model_a": None}]), "1 of 4 rows"),
        (
            lambda: sm.bradley_terry([{**row, "p": i or None} for i, row in enumerate(CYCLE)], cluster="p"),
            "1 of 3 rows",
        ),
        (lambda: sm.bradley_terry(CYCLE + votes(("u", "v", "tie"))), "no common scale: u, v | x, y, z"),
        (lambda: sm.bradley_terry(CYCLE, winner="won"), "Column 'won' (winner=) is not in"),
        (lambda: sm.bradley_terry(CYCLE, model_a="one"), "Column 'one' (model_a=) is not in"),
        (lambda: sm.bradley_terry(CYCLE, interval=95), "from 0.000001 to 0.999999"),
        (lambda: sm.bradley_terry(CYCLE, where="model_a = 'none'"), "row"),
    ],
)
def test_mistakes(call: Callable[[], Any], said: str) -> None:
    with pytest.raises(sm.SqlMetricsError, match=re.escape(said)):
        call()
