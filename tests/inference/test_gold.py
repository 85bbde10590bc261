"""`gold=` against the formulas of the paper, on every engine: rows, lists and slices; and bad input."""

from __future__ import annotations

import math
import random
import re
from collections.abc import Callable
from typing import Any

import duckdb
import pyarrow as pa
import pytest
from scipy import stats

import sqlmetrics as sm
from oracles import gold as oracle
from sqlmetrics.book.templates import macros
from support.engines import Engine

Rows = list[dict[str, Any]]


def data(seed: int = 3) -> Rows:
    """Lists of four rows. Of slice c no row has a label by people, of b one list; in a the judge is a good one."""
    draw, rows = random.Random(seed), []
    for u in range(160):
        c = "abcd"[u % 4]
        gold = (c in "ad" and u % 3 == 0) or u == 1
        for i in range(4):
            y = int(draw.random() < 0.6)
            judge = {"a": y if draw.random() < 0.9 else 1 - y, "d": 1}.get(c, int(draw.random() < 0.5))
            p = round(min(0.95, max(0.05, draw.gauss(0.35 + 0.3 * y, 0.2))), 3)
            rows.append({"u": u, "i": i, "c": c, "j": judge, "g": y if gold else None, "p": p})
    return rows


ROWS = data()
OF_ROW = {
    "accuracy": lambda y, p: float((p >= 0.5) == y),
    "log_loss": lambda y, p: -math.log(p if y else 1 - p),
    "mse": lambda y, p: (y - p) ** 2,
    "mean": lambda y, p: float(y),
}


def close(found: Any, wanted: float) -> bool:
    return found is not None and abs(found - wanted) < 1e-9 * max(1, abs(wanted))


def test_rows_are_corrected_by_the_formulas(engine: Engine) -> None:
    """In slices and in total; without labels there is no value, and a judge without variance leaves people alone."""
    metrics = {**dict(zip(OF_ROW, OF_ROW, strict=True)), "mean": "mean(column=j)"}  # of the label's column
    asked = macros(engine.dialect).evaluate("given", metrics, label="j", gold="g", score="p", by="c")
    found = engine.query(str(asked), {"given": ROWS})
    assert [(row["c"], row["n_gold"]) for row in found] == [
        ("a", 56),
        ("b", 4),
        ("c", 0),
        ("d", 56),
        (None, 116),
    ]
    for row in found:
        rows = [each for each in ROWS if row["c"] in (each["c"], None)]
        for metric, of in OF_ROW.items():
            people = [of(each["g"], each["p"]) for each in rows if each["g"] is not None]
            judge = [of(each["j"], each["p"]) for each in rows if each["g"] is not None]
            others = [of(each["j"], each["p"]) for each in rows if each["g"] is None]
            assert close(row[f"{metric}_judge"], oracle.mean(judge + others))
            if not people:
                assert row[metric] is row[f"{metric}_low"] is row[f"{metric}_gold"] is None
                continue
            value, worth = oracle.corrected(people, judge, others, closed=metric == "accuracy")
            assert close(row[metric], value), (row["c"], metric)
            assert close(row[f"{metric}_gold"], oracle.mean(people))
            if not math.isnan(worth):
                assert close(row[f"{metric}_n_effective"], worth * row["n_gold"]), (row["c"], metric)
            if row["n_gold"] > 4:
                assert row[f"{metric}_low"] < row[metric] < row[f"{metric}_high"]


def test_lists_are_corrected_whole(engine: Engine) -> None:
    """A list with one row without a label by people is one of the judge."""
    rows = [{**row, "g": None if row["u"] == 12 and row["i"] == 2 else row["g"]} for row in ROWS]
    for row in rows[::4]:  # each list has a relevant item, by people and by the judge
        row |= {"j": 1, "g": None if row["g"] is None else 1}
    asked = macros(engine.dialect).evaluate("given", ["ndcg@3"], label="j", gold="g", score="p", group="u")
    (row,) = engine.query(str(asked), {"given": rows})
    lists: dict[int, Rows] = {}
    for each in rows:
        lists.setdefault(each["u"], []).append(each)

    def ndcg(label: str, members: list[Rows]) -> list[float]:
        given = [{**each, "label": each[label]} for of_list in members for each in of_list]
        found = sm.per_group(given, "ndcg@3", label="label", score="p", group="u").to_dicts()
        return [
            each["ndcg_3"] for each in sorted(found, key=lambda each: each["u"]) if each["ndcg_3"] is not None
        ]

    whole = [x for x in lists.values() if all(each["g"] is not None for each in x)]
    rest = [x for x in lists.values() if any(each["g"] is None for each in x)]
    value, worth = oracle.corrected(ndcg("g", whole), ndcg("j", whole), ndcg("j", rest), closed=True)
    assert row["n_gold"] == sum(map(len, whole)) == 112
    assert row["n_gold_groups"] == len(whole)
    assert close(row["ndcg_3"], value)
    assert close(row["ndcg_3_n_effective"], worth * 112)


def differences(rows: Rows, of: Callable[[int, float], float], label: str, gold: bool) -> list[float]:
    """How much better each row is by q than by p, of rows with or without a label by people."""
    return [
        of(row[label], row["q"]) - of(row[label], row["p"]) for row in rows if (row["g"] is not None) == gold
    ]


@pytest.mark.slow
def test_differences_are_corrected_by_the_formulas(engine: Engine) -> None:
    """A difference of two models is a value with a power of its own, by slice and in total."""
    rows = [{**row, "q": round(0.7 * row["p"] + 0.1 + 0.1 * (row["i"] % 2), 3)} for row in ROWS]
    given = {"label": "j", "gold": "g", "by": "c"}
    found = engine.query(
        str(macros(engine.dialect).compare("given", ["accuracy", "mse"], "p", "q", **given)), {"given": rows}
    )
    assert len(found) == 10
    for row in found:
        of, own = OF_ROW[row["metric"]], [each for each in rows if row["c"] in (each["c"], None)]
        people, judge = differences(own, of, "g", True), differences(own, of, "j", True)
        others = differences(own, of, "j", False)
        assert close(row["difference_judge"], oracle.mean(judge + others))
        if not people:
            assert row["difference"] is row["low"] is row["p_value"] is row["difference_gold"] is None
            continue
        closed = row["metric"] == "accuracy"
        value, worth = oracle.corrected(people, judge, others, closed, difference=True)
        assert close(row["difference"], value), row
        assert close(row["candidate_value"] - row["baseline_value"], value)
        assert close(row["difference_gold"], oracle.mean(people))
        if not math.isnan(worth):
            error = math.sqrt(oracle.variance(people) / worth / (len(people) - 1))
            assert close(row["difference"] / row["statistic"], error)
            assert close(row["n_effective"], worth * row["n_gold"])
            assert row["low"] < row["difference"] < row["high"]


def test_models_in_rows_of_their_own_are_compared() -> None:
    """Pairs are groups with a row of each model; a root is compared with its own value, and no pair may be missing."""
    wide = [
        {**row, "q": round(0.7 * row["p"] + 0.15, 3), "u": i} for i, row in enumerate(ROWS) if row["c"] == "a"
    ]
    long = [{**row, "m": m, "s": row[m]} for row in wide for m in "pq"]
    asked: dict[str, Any] = {"label": "j", "gold": "g", "group": "u"}
    metrics = ["rmse", "auc", "precision"]
    one = sm.compare(wide, metrics, baseline="p", candidate="q", **asked).to_dicts()
    two = sm.compare(long, metrics, baseline="p", models="m", score="s", **asked).to_dicts()
    for a, b in zip(one, two, strict=True):
        assert all(b[name] == pytest.approx(value, abs=1e-9) for name, value in a.items())
        assert a["difference"] == pytest.approx(a["candidate_value"] - a["baseline_value"])
    with pytest.raises(sm.SqlMetricsError, match=r"have a value of .* alone"):
        sm.compare(long[1:], "precision", baseline="p", models="m", score="s", **asked)


def test_rows_with_unequal_chances_are_weighted() -> None:
    """Against the influences of rows; the unit of the weight, and its value in other rows, do not matter."""
    draw, rows = random.Random(8), []
    for row in (row for row in data(5) if row["c"] == "a"):
        chance = 0.6 if row["p"] > 0.5 else 0.2
        seen = draw.random() < chance
        y = row["j"] if draw.random() < 0.8 else 1 - row["j"]
        rows.append({**row, "g": y if seen else None, "w": 3 / chance if seen else None})
    report = sm.evaluate(rows, "mse", label="j", gold="g", gold_weight="w", score="p")
    found = report.to_dicts()[0]
    few = f"labels by people with unequal chances: {found['n_gold']}; below 200 an interval is rough"
    assert few in report.notes()
    of = OF_ROW["mse"]
    people = [0.0 if row["g"] is None else of(row["g"], row["p"]) for row in rows]
    judge = [of(row["j"], row["p"]) for row in rows]
    weights = [row["w"] or 0.0 for row in rows]
    value, worth, df = oracle.weighted(people, judge, weights)
    assert close(found["mse"], value)
    assert close(found["mse_n_effective"], worth * found["n_gold"])

    # a model that says 0.5 of every row has a mean squared error of 0.25, whoever labels it
    halves = [{**row, "half": 0.5} for row in rows]
    difference = sm.compare(
        halves, "mse", baseline="half", candidate="p", label="j", gold="g", gold_weight="w"
    ).to_dicts()[0]
    assert close(difference["difference"], value - 0.25)
    assert close(difference["n_effective"], worth * found["n_gold"])
    reach = (difference["high"] - difference["low"]) / 2 * difference["statistic"] / difference["difference"]
    assert df < sum(weights) ** 2 / sum(w * w for w in weights) - 2
    assert reach == pytest.approx(stats.t.ppf(0.975, df), rel=1e-6)
    with pytest.raises(sm.SqlMetricsError, match=re.escape("gold_weight= is of labels by people")):
        sm.evaluate(rows, "mse", label="j", gold_weight="w", score="p")
    bad = [*rows, {**rows[0], "g": 1, "w": -1.0}]
    for facts, named in (({}, "gold_weight"), ({"weight": "p"}, "product of weight and gold_weight")):
        with pytest.raises(sm.SqlMetricsError, match=f"1 of .* infinite or negative {named};"):
            sm.evaluate(bad, "mse", label="j", gold="g", gold_weight="w", score="p", **facts)


def test_values_of_one_side_are_those_of_evaluate() -> None:
    """By people alone and by the judge alone, of every kind of metric, of two models; and a truth that is covered."""
    metrics = ["auc", "f1", "precision", "rmse", "mcc", "average_precision", "brier"]
    rows = [{**row, "q": 1 - row["p"]} for row in ROWS if row["c"] == "a"]
    asked: dict[str, Any] = {"score": {"m": "p", "n": "q"}, "interval": 0.9}
    found = sm.evaluate(rows, metrics, label="j", gold="g", **asked).to_dicts()
    gold = sm.evaluate(rows, metrics, label="g", where="g is not null", **asked).to_dicts()
    judge = sm.evaluate(rows, metrics, label="j", **asked).to_dicts()
    for row, people, machine in zip(found, gold, judge, strict=True):
        assert row["model"] == people["model"]
        for metric in metrics:
            assert close(row[f"{metric}_gold"], people[metric])
            assert close(row[f"{metric}_judge"], machine[metric])
            assert row[f"{metric}_low"] <= row[metric] <= row[f"{metric}_high"]


@pytest.mark.parametrize("c", ["a", "d"])
def test_where_a_judge_adds_nothing_people_stand_alone(c: str) -> None:
    """Where people labelled every row, and where the judge says the same of all: with the interval of `evaluate`."""
    rows = [{**row, "g": row["j"] if c == "a" else row["g"]} for row in ROWS if row["c"] == c]
    metrics = ["mse", "log_loss", "accuracy"] if c == "a" else ["mean(column=j)"]
    row = sm.evaluate(rows, metrics, label="j", gold="g", score="p").to_dicts()[0]
    alone = [{**row, "j": row["g"]} for row in rows if row["g"] is not None]
    own = sm.evaluate(alone, metrics, label="j", score="p", interval=0.95).to_dicts()[0]
    names = [name for name in own if name in row and not name.startswith(("n_", "rows_"))]
    assert len(names) == 3 * len(metrics)
    for name in names:
        assert row[name] == pytest.approx(own[name], abs=1e-9), name
    assert row[f"{names[-1].removesuffix('_high')}_n_effective"] == pytest.approx(len(alone))


def test_groups_may_have_rows_of_both() -> None:
    """Groups are clusters of metrics of rows: the value is near that of rows, the interval another."""
    rows = [{**row, "g": row["g"] if row["i"] < 2 else None} for row in ROWS if row["c"] == "a"]
    row = sm.evaluate(rows, "accuracy", label="j", gold="g", score="p", group="u").to_dicts()[0]
    alone = sm.evaluate(rows, "accuracy", label="j", gold="g", score="p").to_dicts()[0]
    assert row["n_gold"] == 28
    assert row["accuracy_gold"] == alone["accuracy_gold"]
    assert abs(row["accuracy"] - alone["accuracy"]) < 0.1


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"gold": "j"}, "gold='j' is label= again"),
        ({"label": None}, "pass their column as label="),
        ({"interval_method": "bootstrap", "interval": 0.95}, "gold= does not go with interval_method="),
        ({"gold": "c"}, "people and the machine label in one form"),
        ({"metrics": "ks"}, "'ks' cannot be corrected by gold="),
        ({"metrics": "mean(column=p)"}, "'mean(column=p)' cannot be corrected by gold=: it reads no label"),
        ({"metrics": ["auc", "rate(where='p > 0.5')"]}, "it reads no label. base_rate is the share"),
        ({"metrics": ["accuracy", "selection_rate"]}, "it reads no label"),
        ({"metrics": ["auc", "ndcg@3"], "group": "u"}, "ask for 'ndcg@3' in a call of its own"),
    ],
)
def test_what_cannot_be_corrected_is_refused(given: dict[str, Any], said: str) -> None:
    asked = {"metrics": "auc", "label": "j", "gold": "g", "score": "p"} | given
    with pytest.raises(sm.SqlMetricsError) as refused:
        sm.evaluate(ROWS, **asked)
    assert said in str(refused.value)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"test": "sign"}, "gold= is compared by Student's t, not by test='sign'"),
        ({"on_unpaired": "intersection"}, "does not go with gold="),
        ({"label": None}, "pass their column as label="),
    ],
)
def test_comparisons_that_cannot_be_corrected_are_refused(given: dict[str, Any], said: str) -> None:
    asked = {"baseline": "p", "candidate": "j", "label": "j", "gold": "g"} | given
    with pytest.raises(sm.SqlMetricsError, match=re.escape(said)):
        sm.compare(ROWS, "accuracy", **asked)


def test_a_state_refuses_labels_by_people() -> None:
    """In Python and in dbt, with what to call instead."""
    asked = {"label": "j", "gold": "g", "score": "p", "period": "c"}
    with pytest.raises(TypeError, match=re.escape("pass the rows to evaluate(gold=...)")):
        sm.state(ROWS, "mse", **asked)  # type: ignore[call-arg]
    with pytest.raises(sm.SqlMetricsError, match=re.escape("pass the rows to evaluate(gold=...)")):
        macros("duckdb").state("given", "mse", **asked)


def test_long_form_and_limits_of_dbt_have_the_corrected_value() -> None:
    """One score has no column model, in evaluate_long and in the test of a limit."""
    asked: dict[str, Any] = {"label": "j", "gold": "g", "score": "p"}
    rows = [row for row in ROWS if row["c"] == "a"]
    value = sm.evaluate(rows, "accuracy", **asked).value("accuracy")
    engine, words = duckdb.connect(), macros("duckdb")
    engine.register("given", pa.Table.from_pylist(rows))
    long = engine.sql(str(words["evaluate_long"]("given", "accuracy", **asked))).fetchall()
    assert long[0][:2] == ("accuracy", pytest.approx(value))
    for limit, fails in ((value - 0.001, 0), (value + 0.001, 1)):
        asked_of = str(words["test_metric_at_least"]("given", "accuracy", limit, **asked))
        assert len(engine.sql(asked_of).fetchall()) == fails


def test_notes_say_where_people_are_missing() -> None:
    notes = "\n".join(sm.evaluate(ROWS, "auc", label="j", gold="g", score="p", by="c").notes())
    assert "labels by people: 4" in notes or "labels by people: from 4" in notes
    assert "no labels by people, so no metrics, in 1 of 5 rows of the result" in notes
    none = sm.evaluate([{**row, "g": None} for row in ROWS], "accuracy", label="j", gold="g", score="p")
    assert "undefined here: accuracy: no row, or no whole list, has a label by people" in none.notes()


def test_few_groups_with_labels_are_said_however_many_rows_they_have() -> None:
    rows = [{**row, "u": row["u"] // 4 % 9, "q": 1 - row["p"]} for row in ROWS if row["c"] == "a"]
    asked: dict[str, Any] = {"label": "j", "gold": "g", "group": "u"}
    report = sm.evaluate(rows, "accuracy", score="p", **asked)
    assert (report["n_gold"], report["n_gold_groups"]) == ([56], [3])
    compared = sm.compare(rows, "accuracy", baseline="p", candidate="q", **asked)
    assert compared["n_gold_groups"] == [3]
    for notes in (report.notes(), compared.notes()):
        assert "groups with labels by people: 3; below 30 an interval is rough" in notes
