"""`semantic` as a user calls it: what it writes, and what it refuses. `tests/layers/` runs the files."""

from __future__ import annotations

import datetime
from typing import Any

import duckdb
import pytest
from ruamel.yaml import YAML

import sqlmetrics as sm
from sqlmetrics.layers.layer import identifier
from support.errors import told

DAY = datetime.date(2026, 6, 1)
ROWS = [
    {"day": DAY, "land": "no", "kind": "ab"[i % 2], "q": i // 4, "y": i % 2, "p": i / 20} for i in range(20)
]
FACTS: dict[str, Any] = {"period": "day", "label": "y", "score": "p", "group": "q"}


def state_of(metrics: Any = "ndcg@3", rows: Any = ROWS, **more: Any) -> sm.State:
    return sm.state(rows, metrics, **{**FACTS, "by": "land", **more})


def renamed(name: str) -> list[dict[str, Any]]:
    return [{name if key == "land" else key: value for key, value in row.items()} for row in ROWS]


@pytest.mark.parametrize(
    ("metric", "reason"),
    [
        ("auc", "it reads the scores in the state, which do not add up"),
        ("ece", "it reads the scores in the state, which do not add up"),
        ("auc(bins=10)", "it reads the scores in the state, which do not add up"),
        ("r2", "sums about the means of parts do not add up to those about the mean of all"),
        ("spearman", "no state of periods makes it, since a rank is one among the rows of all periods"),
    ],
)
def test_metrics_that_do_not_add_up_are_refused(metric: str, reason: str) -> None:
    state = state_of(["ndcg@3"] if metric == "spearman" else ["ndcg@3", metric])
    message = told(lambda: sm.semantic(state, ["ndcg@3", metric], table="t"))
    assert reason in message
    assert metric in message
    assert "\n" not in message


def two_kinds_of_slices() -> list[sm.State]:
    later = [{**row, "day": DAY + datetime.timedelta(1)} for row in ROWS]
    return [state_of(), state_of(rows=later, by=None)]


REFUSED = {
    "no state": (lambda: sm.semantic(ROWS, "mae", table="t"), "data is no state; sm.state(...) makes one"),
    "not held": (lambda: sm.semantic(state_of(), "map", table="t"), "does not hold what is needed for map"),
    "no table": (lambda: sm.semantic(state_of(), "ndcg@3", table=" "), "table takes the name of the table"),
    "no such format": (
        lambda: sm.semantic(state_of(), "ndcg@3", table="t", format="lookml"),  # type: ignore[arg-type]
        "format must be metricflow, ossie, cube, semantic_view or metric_view, got 'lookml'",
    ),
    "no model of dbt": (lambda: sm.semantic(state_of(), "ndcg@3", table="a.b"), "is no name of a dbt model"),
    "a period of text": (
        lambda: sm.semantic(state_of(period="kind", by=None), "ndcg@3", table="t"),
        "The period 'kind' is text, and MetricFlow takes a date or a time",
    ),
    "lists in several slices": (
        lambda: sm.semantic(state_of(by="kind"), "ndcg@3", table="t"),
        "5 groups lie in several slices of the data, whose parts do not add up to lists",
    ),
    "states of different slices": (
        lambda: sm.semantic(two_kinds_of_slices(), "ndcg@3", table="t"),
        "has states with different slices (by=): none, land",
    ),
    "a comma in a slice": (
        lambda: sm.semantic(state_of(rows=renamed("a, b"), by="a, b"), "ndcg@3", table="t"),
        "lacks the slice 'a', or its name has a comma",
    ),
    "one name for two": (
        lambda: sm.semantic(state_of(), {"land": "ndcg@3"}, table="t"),
        "'land' and 'land' would both be named land",
    ),
    **{
        f"a brace in {where}": (call, "has a brace, which a semantic layer takes for a place to fill in")
        for where, call in {
            "the table": lambda: sm.semantic(state_of(), "ndcg@3", table="{{ x }}", format="cube"),
            "a slice": lambda: sm.semantic(
                state_of(rows=renamed("{% x %}"), by="{% x %}"), "ndcg@3", table="t"
            ),
            "a metric": lambda: sm.semantic(state_of(), {"{x}": "ndcg@3"}, table="t", format="ossie"),
        }.items()
    },
}


@pytest.mark.parametrize(("call", "message"), REFUSED.values(), ids=REFUSED)
def test_refusals(call: Any, message: str) -> None:
    assert message in told(call)


def test_metrics_of_rows_do_not_mind_lists_in_several_slices() -> None:
    assert "log_loss" in sm.semantic(state_of(["ndcg@3", "log_loss"], by="kind"), "log_loss", table="t")


@pytest.mark.slow
def test_readers_of_yaml_1_1_get_texts() -> None:
    """In YAML 1.1, which dbt reads, `no`, `on` and 1_000 are no texts without quotes."""
    for name in ("no", "on", "1_000", "0x1f", "~", "2026-06-01", "null"):
        state = state_of(rows=renamed(name), by=name)
        for format in ("metricflow", "cube", "ossie"):
            written = sm.semantic(state, {"yes": "ndcg@3"}, table="t", format=format)  # type: ignore[arg-type]
            for version in ((1, 1), (1, 2)):
                reader = YAML(typ="safe", pure=True)
                reader.version = version
                assert texts(reader.load(written)) >= {name, f'"{name}"'} - (
                    {f'"{name}"'} if format == "ossie" else set()
                )


def texts(value: Any) -> set[str]:
    """The texts of a document; what is neither a text nor true or false is a mistake."""
    if isinstance(value, dict):
        return set().union(*map(texts, value.values()))
    if isinstance(value, list):
        return set().union(*map(texts, value))
    assert isinstance(value, (str, bool)), value
    return {value} if isinstance(value, str) else set()


@pytest.mark.slow
def test_of_a_table_of_a_database() -> None:
    with duckdb.connect() as on:
        made = state_of().to_arrow()  # noqa: F841 - the statement reads it
        on.execute("create table daily as from made")
        written = sm.semantic("daily", "ndcg@3", table="daily", connection=on)
    assert written == sm.semantic(state_of(), "ndcg@3", table="daily")


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("country", "country"),
        ("Country  of origin", "country_of_origin"),
        ("week", "daily_week"),
        ("x", "daily_x"),
        ("2nd", "daily_2nd"),
        ("__a__b_", "a_b"),
        ("国", "daily"),
    ],
)
def test_names_that_every_layer_takes(text: str, name: str) -> None:
    assert identifier(text, "daily") == name
