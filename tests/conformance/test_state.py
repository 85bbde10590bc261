"""What is finished from a state is what `evaluate` gives over the rows, for every metric that a state holds."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

import pytest

import oracles
import sqlmetrics as sm
from conformance.cases import CASES
from conformance.cases.tables import BAD, BINARY, GIVEN, GRADED, TIED, Rows, drawn
from sqlmetrics.book.templates import macros
from sqlmetrics.errors import SqlMetricsError
from support.engines import Engine
from support.states import BINARY_DRAWN, DAYS, TABLES, same, spread, state_of, whole


@cache
def holds(table: str, notation: str) -> bool:
    """Whether a metric goes into a state of a table."""
    try:
        macros("duckdb")["state_plan"](
            [notation], relation="t", label="l", score="s", period="day", by=["part"], **TABLES[table][1]
        )
    except SqlMetricsError:
        return False
    return True


@cache
def asked() -> list[str]:
    return sorted({notation for case in CASES for notation in case.metrics})


LISTED = ["gauc", "ndcg@3", "map", "mrr", "recall(average=micro)@3", "hit_rate(weight=pairs)@2", "auc"]
# every metric over the first table, a third of them over each of the others
ASKED = {table: asked()[i - 1 :: 3] if i else asked() for i, table in enumerate(TABLES)}
CHUNKS = [
    pytest.param(table, ASKED[table][start : start + 45], start // 45, id=f"{table} {start}")
    for table in TABLES
    for start in range(0, len(ASKED[table]), 45)
]
# slices and days that are read of a state of parts and days
ROLL_UPS: list[tuple[Any, list[str]]] = [
    ("part", DAYS), ("day", DAYS), (["day", "part"], DAYS), ([], DAYS[1:]),
]  # fmt: skip


def finished(engine: Engine, state: Rows, metrics: Any, **facts: Any) -> Rows:
    statement = sm.render_finish(
        "state",
        metrics,
        dialect=engine.dialect,
        period="day",
        **{"label": "label", "score": "score", **facts},
    )
    return engine.query(statement, {"state": state})


def direct(engine: Engine, rows: Rows, metrics: Any, days: list[str], **facts: Any) -> Rows:
    """The metrics of the rows of days; a list is one of its day."""
    if "group" in facts:
        facts = {**facts, "group": "daily"}
    named = ", ".join(f"'{day}'" for day in days)
    statement = sm.render(
        f"select * from predictions where day in ({named})", metrics, dialect=engine.dialect,
        label="label", score="score", **facts,
    )  # fmt: skip
    return engine.query(statement, {"predictions": rows})


WITHOUT = "groups_without_"  #: counts of lists in which one metric is undefined


def compare(got: Rows, expected: Rows, names: list[str] | None = None) -> None:
    """Every column of the direct computation, in the order of its rows."""
    assert len(got) == len(expected)
    wrong = [
        f"{name} of row {number}: {row[name]!r}, and direct {other[name]!r}"
        for number, (row, other) in enumerate(zip(got, expected, strict=True))
        for name in names or other
        # `finish` lacks this count, since older states do
        if name != "rows_graded" and not name.startswith(WITHOUT) and not same(row[name], other[name])
    ]
    assert not wrong, "\n".join(wrong)
    # a state names these counts by the notation, since it knows no other name of a metric
    assert [without(row) for row in got] == [without(row) for row in expected]


def without(row: dict[str, Any]) -> list[Any]:
    """The numbers of lists in which a metric is undefined for a reason of its own."""
    return sorted(count for name, count in row.items() if name.startswith(WITHOUT))


@pytest.mark.slow
@pytest.mark.parametrize(("table", "notations", "number"), CHUNKS)
def test_every_metric(table: str, notations: list[str], number: int, engine: Engine) -> None:
    """All roll-ups of every metric over the first table; over the others, half of them take two and half the rest."""
    rows, facts = TABLES[table]
    metrics = {f"m{i}": notation for i, notation in enumerate(notations) if holds(table, notation)}
    if not metrics:
        pytest.skip("no metric of these goes into a state")
    placed = spread(rows)
    state = state_of(engine, placed, metrics, DAYS, by="part", **facts)
    for by, days in ROLL_UPS if table == "binary" else ROLL_UPS[number % 2 :: 2]:
        of_days = [row for row in state if row["day"] in days]
        compare(
            finished(engine, of_days, metrics, by=by, **facts),
            direct(engine, placed, metrics, days, by=by, **facts),
        )


@pytest.mark.slow
@pytest.mark.sample
@pytest.mark.parametrize("table", ["binary", "graded", "weights"])
def test_formulas(table: str, engine: Engine) -> None:
    """Against plain Python, for the total over two days of three."""
    rows, facts = TABLES[table]
    placed = spread(rows, 5)
    # null here: top_k_accuracy where a group has several positives, gains by label where they are too few, tied hits
    null = ("top_k", ":", "denominator=hits")
    # the formulas look up a weight by the item, which is twice in these lists, with two weights
    null += ("propensity=", "item_weight=")
    metrics = [n for n in asked()[::7] if holds(table, n) and not any(word in n for word in null)]
    kept = [row for row in placed if row["day"] != DAYS[2]]
    daily = {**facts, "group": "daily"} if "group" in facts else facts
    wrong = {}
    # a statement of all is more than max_ast_elements of ClickHouse allows
    for start in range(0, len(metrics), 12):
        few = metrics[start : start + 12]
        state = state_of(engine, placed, few, DAYS[:2], by="part", **facts)
        (row,) = finished(engine, state, {f"m{i}": notation for i, notation in enumerate(few)}, **facts)
        values = {n: (row[f"m{i}"], oracles.value(n, kept, **daily)) for i, n in enumerate(few)}
        wrong |= {notation: pair for notation, pair in values.items() if not same(*pair, 1e-9)}
    assert wrong == {}


LIST_FACTS = [
    {"ties": "worst"},
    {"ties": "item desc"},
    {"unjudged": "drop"},
    {"unjudged": "not_relevant"},
    {"on_duplicate": "first"},
    {"convention": "trec_eval"},
    {"positive": 2},
]


@pytest.mark.slow
@pytest.mark.parametrize("more", LIST_FACTS, ids=str)
def test_facts_of_lists(more: dict[str, Any], engine: Engine) -> None:
    repeated = [row for row in GRADED if row["item"] in ("a01", "b02")] if "on_duplicate" in more else []
    unjudged = [{**row, "label": None} for row in GRADED[::4]] if "unjudged" in more else []
    rows = spread(
        [*GRADED, *drawn(8, 3), *repeated, *({**r, "item": f"n{i}"} for i, r in enumerate(unjudged))]
    )
    facts = {**GIVEN, "max_grade": 4, **({} if "positive" in more else {"positive": 1}), **more}
    state = state_of(engine, rows, LISTED, DAYS, by="part", **facts)
    for by in ("part", "day", []):
        compare(
            finished(engine, state, LISTED, by=by, **facts),
            direct(engine, rows, LISTED, DAYS, by=by, **facts),
        )


@pytest.mark.slow
@pytest.mark.sample
def test_models(engine: Engine) -> None:
    rows = [{**row, "other": 1 - row["score"] / 2} for row in spread(BINARY_DRAWN)]
    facts = {**BINARY, "score": {"new": "score", "it's": "other"}}
    metrics = ["auc", "ndcg@3", "log_loss", "pearson"]
    statement = sm.render_state(
        "predictions", metrics, dialect=engine.dialect, label="label", period="day", by="part", **facts
    )
    state = engine.query(statement, {"predictions": rows})
    for by in ("part", []):
        expected = sm.render(
            "predictions",
            metrics,
            dialect=engine.dialect,
            label="label",
            by=by,
            **{**facts, "group": "daily"},
        )
        compare(
            finished(engine, state, metrics, by=by, **facts), engine.query(expected, {"predictions": rows})
        )


def test_text_labels_and_predicted_classes(engine: Engine) -> None:
    rows = [
        {**row, "label": "yes" if row["label"] else "no", "said": "yes" if row["score"] > 0.4 else "no"}
        for row in spread(BINARY_DRAWN)
    ]
    facts = {"positive": "yes", "prediction": "said"}
    metrics = ["auc", "accuracy", "precision", "recall(threshold=0.3)"]
    state = state_of(engine, rows, metrics, DAYS, **facts)
    compare(finished(engine, state, metrics, **facts), direct(engine, rows, metrics, DAYS, **facts))


@pytest.mark.slow
@pytest.mark.sample
def test_slices_are_rolled_up(engine: Engine) -> None:
    """Lists that lie in one slice of their day add up in any roll-up."""
    rows = whole(spread(BINARY_DRAWN))
    metrics = ["auc", "ndcg@3", "gauc", "brier"]
    state = state_of(engine, rows, metrics, DAYS, by=["part", "kind"], **BINARY)
    for by in ("part", "kind", ["kind", "day"], ["kind", "part"], []):
        compare(
            finished(engine, state, metrics, by=by, **BINARY),
            direct(engine, rows, metrics, DAYS, by=by, **BINARY),
        )


@pytest.mark.slow
def test_lists_in_several_slices_are_not_rolled_up(engine: Engine) -> None:
    rows = [{**row, "kind": "pq"[i % 2]} for i, row in enumerate(spread(BINARY_DRAWN))]
    metrics = ["auc", "ndcg@3"]
    state = state_of(engine, rows, metrics, DAYS, by=["part", "kind"], **BINARY)
    got = finished(engine, state, metrics, by="kind", **BINARY)
    expected = direct(engine, rows, metrics, DAYS, by="kind", **BINARY)
    compare(got, expected, ["auc"])
    for row, other in zip(got, expected, strict=True):
        value = pytest.approx(other["ndcg_3"], rel=1e-12) if row["is_total"] else None
        assert (row["ndcg_3"], row["groups_split"] > 0) == (value, not row["is_total"])


@pytest.mark.slow
def test_a_day_is_made_again(engine: Engine) -> None:
    """A day that came anew takes the place of the old one; days without rows and days of bad rows alone add nothing."""
    rows = spread(TIED)
    late = [{**row, "day": DAYS[0], "daily": f"{DAYS[0]} {row['list']}", "part": "x"} for row in UNLIKE]
    broken = [{**BAD[1], "day": "2026-06-09", "daily": "2026-06-09 a", "part": "x"}]
    metrics = ["auc", "average_precision", "ks", "ndcg", "log_loss", "count"]
    old = state_of(engine, rows, metrics, [*DAYS, "2026-06-03"], by="part", **BINARY)
    again = state_of(engine, [*rows, *late, *broken], metrics, [DAYS[0], "2026-06-09"], by="part", **BINARY)
    state = [row for row in old if row["day"] != DAYS[0]] + again
    for by in ("part", []):
        got = finished(engine, state, metrics, by=by, **BINARY)
        compare(got, direct(engine, [*rows, *late, *broken], metrics, [*DAYS, "2026-06-09"], by=by, **BINARY))
        assert got[-1]["rows_bad_score"] == 1


UNLIKE = [{"list": "f", "item": f"f{i}", "label": i % 2, "score": i / 4} for i in range(5)]


@pytest.mark.slow
def test_rows_without_a_period_are_bad_rows(engine: Engine) -> None:
    rows = [*spread(TIED), {**spread(TIED)[0], "day": None}]
    statement = sm.render_state(
        "predictions", ["auc", "mrr"], dialect=engine.dialect, label="label", score="score", period="day",
        by="part", **BINARY,
    )  # fmt: skip
    state = engine.query(statement, {"predictions": rows})
    (row,) = finished(engine, state, ["auc", "mrr"], **BINARY)
    assert (row["n_rows"], row["rows_dropped"], row["rows_bad_period"]) == (len(rows), 1, 1)
    compare([row], direct(engine, rows, ["auc", "mrr"], DAYS, **BINARY), ["auc", "mrr", "n_groups"])


def test_broken_data_stay_null_and_counted(engine: Engine) -> None:
    rows = [{**row, "score": row["score"] * 2} for row in spread(TIED)]
    state = state_of(engine, rows, ["log_loss", "auc"], DAYS, by="part")
    for row in finished(engine, state, ["log_loss", "auc"], by="part"):
        assert (row["log_loss"] is None) == (row["rows_not_probability"] > 0)
        assert not row["is_total"] or row["log_loss"] is None
        assert not row["is_total"] or row["auc"] is not None


@pytest.mark.slow
def test_a_state_of_other_facts_is_not_read(engine: Engine) -> None:
    rows = spread(GRADED)
    facts = {**GIVEN, "max_grade": 4}
    state = state_of(engine, rows, ["auc", "ndcg@3"], DAYS[:2], by="part", positive=1, **facts)
    state += state_of(engine, rows, ["auc", "ndcg@3"], DAYS[2:], by="part", positive=3, **facts)
    (row,) = finished(engine, state, ["auc", "ndcg@3"], positive=1, **facts)
    others = {r["part"] for r in rows if r["day"] == DAYS[2]}
    assert (row["auc"], row["ndcg_3"], row["states_of_other_facts"]) == (None, None, len(others))


@pytest.mark.slow
def test_a_day_that_lacks_a_metric_is_told(engine: Engine) -> None:
    rows = spread(TIED)
    state = state_of(engine, rows, ["log_loss", "auc", "mrr"], DAYS[:2], by="part", **BINARY)
    few = state_of(engine, rows, ["log_loss"], DAYS[2:], by="part", **BINARY)
    state = [{**dict.fromkeys(state[0]), **row} for row in [*state, *few]]
    (row,) = finished(engine, state, ["log_loss"], **BINARY)
    compare([row], direct(engine, rows, ["log_loss"], DAYS, **BINARY))
    for metric in ("auc", "mrr"):
        (row,) = finished(engine, state, [metric], **BINARY)
        assert row[metric] is None
        assert row["states_incomplete"] == len({r["part"] for r in rows if r["day"] == DAYS[2]})


@pytest.mark.slow
def test_bins_hold_their_error_bound(engine: Engine) -> None:
    rows = [{**row, "score": row["score"] * 0.77 + i * 0.001} for i, row in enumerate(spread(BINARY_DRAWN))]
    exact = ["auc", "average_precision", "ks", "gini", "pr_auc(method=trapezoid)"]
    binned = [f"{name.removesuffix(')')}{', ' if '(' in name else '('}bins=8)" for name in exact]
    state = state_of(engine, rows, binned, DAYS, by="part")
    assert {row["sm_grain"] for row in state} == {"rows", "bins_width_8", "periods"}
    got = finished(engine, state, {f"m{i}": name for i, name in enumerate(binned)}, by="part")
    expected = direct(engine, rows, {f"m{i}": name for i, name in enumerate(exact)}, DAYS, by="part")
    for row, other in zip(got, expected, strict=True):
        for i in range(len(exact)):
            assert abs(row[f"m{i}"] - other[f"m{i}"]) <= row[f"m{i}_error_bound"] + 1e-12


def dropped(state: Rows, columns: list[str], days: list[str]) -> Rows:
    """The state after a table of its own lacked columns: what was inserted has nothing there, and says that it has."""
    return [{**row, **dict.fromkeys(columns)} if row["day"] in days else row for row in state]


@pytest.mark.slow
@pytest.mark.parametrize("by", ["part", "day", []], ids=str)
def test_a_metric_that_came_later_is_null_alone(by: Any, engine: Engine) -> None:
    """A table that was not altered drops new columns (dbt: on_schema_change=ignore), but its rows claim them."""
    rows = spread(TIED)
    first, later = ["log_loss", "mrr"], ["auc", "gauc", "max_error", "r2", "ece(bins=4)"]
    facts = {**BINARY}
    whole = state_of(engine, rows, [*first, *later], DAYS, by="part", **facts)
    of_first = state_of(engine, rows, first, DAYS, by="part", **facts)
    new = [name for name in whole[0] if name not in of_first[0]]
    lacking = dropped(whole, new, DAYS[:1])
    got = finished(engine, lacking, [*first, *later], by=by, **facts)
    expected = direct(engine, rows, [*first, *later], DAYS, by=by, **facts)
    compare(got, expected, ["log_loss", "mrr"])
    touched = {row["part"] for row in rows if row["day"] == DAYS[0]}
    assert any(row["states_incomplete"] for row in got)
    for row, other in zip(got, expected, strict=True):
        lacks = row.get("is_total", 1) or (row["part"] in touched if by == "part" else row["day"] == DAYS[0])
        assert (row["states_incomplete"] > 0) == bool(lacks)
        for name in ("auc", "gauc", "max_error", "r2", "ece_bins_4"):
            assert same(row[name], None if lacks else other[name]), name


def test_a_state_of_other_columns_is_not_read(engine: Engine) -> None:
    rows = [{**row, "other": 1 - row["score"]} for row in spread(TIED)]
    state = state_of(engine, rows, ["auc"], DAYS[:2], by="part")
    other = sm.render_state(
        f"select * from predictions where day = '{DAYS[2]}'", ["auc"], dialect=engine.dialect,
        label="label", score="other", period="day", by="part",
    )  # fmt: skip
    state += engine.query(other, {"predictions": rows})
    (row,) = finished(engine, state, ["auc"])
    assert (row["auc"], row["states_of_other_facts"]) == (
        None,
        len({r["part"] for r in rows if r["day"] == DAYS[2]}),
    )
    (row,) = finished(engine, [row for row in state if row["day"] != DAYS[2]], ["auc"])
    compare([row], direct(engine, rows, ["auc"], DAYS[:2]))


@pytest.mark.slow
@pytest.mark.parametrize("score", ["score", {"new": "score", "it's": "other"}], ids=["one", "models"])
def test_a_state_of_an_older_version(score: Any, engine: Engine) -> None:
    """It says which roles were given, not which columns these are."""
    rows = [{**row, "other": 1 - row["score"]} for row in spread(TIED)]
    state = state_of(engine, rows, ["auc", "mrr"], DAYS, by="part", **BINARY, score=score)
    older = []
    for row in state:
        facts = json.loads(row["sm_facts"]) if row["sm_facts"] else {}
        roles = {
            name: facts[name] is not None for name in ("label", "score", "group", "item", "weight", "prediction")
            if name in facts
        }  # fmt: skip
        first = {name: value for name, value in {**facts, **roles}.items() if name != "version"}
        if row["sm_grain"] != "periods":
            older.append({**row, "sm_facts": json.dumps(first) if facts else None})
    expected = finished(engine, state, ["auc", "mrr"], by="part", **BINARY, score=score)
    compare(finished(engine, older, ["auc", "mrr"], by="part", **BINARY, score=score), expected)
    assert all(row["auc"] is not None for row in expected)
    (row, *_) = finished(engine, older, ["auc"], score=score)  # without group=
    assert row["auc"] is None


@pytest.mark.slow
@pytest.mark.parametrize("score", ["score", {"new": "score", "it's": "other"}], ids=["one", "models"])
def test_a_period_that_is_there_twice_is_told(score: Any, engine: Engine) -> None:
    rows = [{**row, "other": 1 - row["score"]} for row in spread(TIED)]
    metrics, facts = ["auc", "mrr"], {**BINARY, "score": score}
    state = state_of(engine, rows, metrics, DAYS, by="part", **facts)
    again = [row for row in state if row["day"] == DAYS[0]]
    for by in ("part", []):
        for row in finished(engine, state + again, metrics, by=by, **facts):
            assert (row["auc"], row["mrr"], row["periods_repeated"]) == (None, None, 1)
        got = finished(engine, state + again, metrics, by=by, where=f"day <> '{DAYS[0]}'", **facts)
        compare(
            got, finished(engine, [row for row in state if row["day"] != DAYS[0]], metrics, by=by, **facts)
        )
    of_part = f"part = '{next(row['part'] for row in again if row['sm_grain'] == 'rows')}'"
    for row in finished(engine, state + again, metrics, where=of_part, **facts):
        assert (row["auc"], row["periods_repeated"]) == (None, 1)


@pytest.mark.slow
def test_a_period_of_one_model_that_is_there_twice(engine: Engine) -> None:
    """The other model keeps its values."""
    rows = [{**row, "other": 1 - row["score"]} for row in spread(TIED)]
    facts = {**BINARY, "score": {"new": "score", "old": "other"}}
    state = state_of(engine, rows, ["auc", "mrr"], DAYS, by="part", **facts)
    again = [row for row in state if row["day"] == DAYS[0] and row["model"] == "old"]
    for row in finished(engine, state + again, ["auc", "mrr"], by=[], **facts):
        assert row["periods_repeated"] == (row["model"] == "old")
        assert (row["auc"] is None, row["mrr"] is None) == (row["model"] == "old",) * 2


@pytest.mark.slow
def test_a_condition_on_slices_divides_periods(engine: Engine) -> None:
    """Metrics of lists are made of whole periods; others, and slices as they are, take any part."""
    rows = whole(spread(BINARY_DRAWN))
    metrics = ["auc", "ndcg@3"]
    state = state_of(engine, rows, metrics, DAYS, by="part", **BINARY)
    of_part = [row for row in rows if row["part"] == "x"]
    for by in ([], "part"):
        got = finished(engine, state, metrics, by=by, where="part = 'x' -- alone", **BINARY)
        expected = direct(engine, of_part, metrics, DAYS, by=by, **BINARY)
        compare(got, expected, ["auc"])
        assert [(row["ndcg_3"], row["periods_divided"]) for row in got] == [(None, len(DAYS))] * len(got)
    part = {"by": "part", "total": False, **BINARY}
    got = finished(engine, state, metrics, where="part = 'x'", **part)
    compare(got, direct(engine, of_part, metrics, DAYS, **part))
    assert [row["periods_divided"] for row in got] == [0]
    got = finished(engine, state, metrics, where=f"day = '{DAYS[1]}'", **BINARY)
    compare(got, direct(engine, rows, metrics, DAYS[1:2], **BINARY))
