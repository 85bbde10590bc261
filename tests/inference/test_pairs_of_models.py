"""Each model compared with each, and families of tests: single comparisons and statsmodels, on every engine."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import pytest

import sqlmetrics as sm
from sqlmetrics.book.templates import macros
from support.compared import Rows, close, drawn
from support.engines import Engine
from support.errors import told

METRICS = ["ndcg@10", "brier", "auc", "rmse"]
FACTS = {"label": "y", "group": "u"}
ASKED: dict[str, Any] = {"baseline": "a", "candidate": ["b", "c"], **FACTS, "pairs": "all"}


def ran(engine: Engine, rows: Rows, metrics: Any, baseline: str, candidate: Any, **facts: Any) -> Rows:
    sql = macros(engine.dialect).compare("given", metrics, baseline, candidate, **{**FACTS, **facts})
    return engine.query(str(sql), {"given": rows})


@pytest.mark.slow
@pytest.mark.parametrize(
    ("metrics", "facts"),
    [
        (METRICS, {"by": ["part"]}),
        (["brier", "mae", "auc"], {"group": None}),
        (["brier", "ndcg@10"], {"test": "sign"}),
        (["ks", "brier"], {"test": "bootstrap", "n_resamples": 40}),
    ],
)
def test_each_pair_is_a_comparison_of_its_own(
    metrics: list[str], facts: dict[str, Any], engine: Engine
) -> None:
    facts = {"margin": 0.1, **facts}
    rows = drawn(1)[: 80 if facts.get("test") == "bootstrap" else None]
    got = ran(engine, rows, metrics, "a", ["b", "c"], pairs="all", **facts)
    single = {pair: ran(engine, rows, metrics, pair[0], pair[1], **facts) for pair in combinations("abc", 2)}
    slices = len(single["a", "b"]) // len(metrics)
    assert [(row["baseline"], row["candidate"]) for row in got] == [*combinations("abc", 2)] * len(
        metrics
    ) * slices
    for pair, expected in single.items():
        of_pair = [row for row in got if (row["baseline"], row["candidate"]) == pair]
        for row, other in zip(of_pair, expected, strict=True):
            assert {*row} - {*other} == {"baseline"}
            for name, value in other.items():
                if name.startswith("groups_"):  # counts of the model that has most of them
                    assert row[name] >= value
                elif isinstance(value, float):
                    close(row[name], value)
                else:
                    assert row[name] == value, name


@pytest.mark.sample
@pytest.mark.slow
@pytest.mark.parametrize(("correction", "method"), [("holm", "holm"), ("bh", "fdr_bh")])
@pytest.mark.parametrize("family", [None, "metric", "all"])
def test_families_as_statsmodels_has_them(
    correction: str, method: str, family: str | None, engine: Engine
) -> None:
    multitest = pytest.importorskip("statsmodels.stats.multitest")
    facts = {"by": ["part"], "correction": correction, "family": family, "pairs": "all"}
    got = ran(engine, drawn(2), ["brier", "mae"], "a", ["b", "c"], **facts)
    assert len(got) == 3 * 2 * 3  # pairs, metrics, and two slices with their total
    families: dict[Any, Rows] = {}
    for row in got:
        families.setdefault("all" if family == "all" else (row["part"], row["metric"]), []).append(row)
    for of_family in families.values():
        _, expected, *_ = multitest.multipletests([row["p_value"] for row in of_family], method=method)
        for row, value in zip(of_family, expected, strict=True):
            close(row["p_adjusted"], float(value))


@pytest.mark.slow
def test_a_row_without_a_test_is_in_no_family(engine: Engine) -> None:
    rows = [{**row, "c": row["a"]} for row in drawn(3)]
    got = ran(engine, rows, "brier", "a", ["b", "c"], pairs="all", correction="holm", family="all")
    tested = [row for row in got if row["p_value"] is not None]
    assert [(row["baseline"], row["candidate"]) for row in tested] == [("a", "b"), ("b", "c")]
    assert {row["p_adjusted"] for row in got if row["p_value"] is None} == {None}
    for row in tested:
        close(row["p_adjusted"], min(1, 2 * row["p_value"]), 1e-6)


@pytest.mark.slow
def test_the_family_is_said() -> None:
    metrics, asked = ["brier", "mae"], ASKED | {"correction": "holm"}
    compared = sm.compare(drawn(4), metrics, **asked)
    assert compared.notes()[-1] == (
        "p_adjusted is Holm's, over the 3 p-values of each metric; family='all' takes all 6 together"
    )
    compared = sm.compare(drawn(4), metrics, by="part", **asked)
    assert "over the 3 p-values of each metric and slice; family='all' takes all 18" in compared.notes()[-1]
    compared = sm.compare(drawn(4), metrics, family="all", **asked | {"correction": "bh"})
    assert compared.notes()[-1] == "p_adjusted is Benjamini and Hochberg's, over all 6 p-values of the result"
    assert not any("p_adjusted" in note for note in sm.compare(drawn(4), metrics, **ASKED).notes())


@pytest.mark.slow
def test_two_tables_have_all_pairs() -> None:
    rows = drawn(5)
    others = [{name: row[name] for name in ("u", "part", "y", "w", "b", "c")} for row in rows]
    one = sm.compare(rows, "ndcg@10", **ASKED).to_dicts()
    two = sm.compare(rows, "ndcg@10", other=others, **ASKED).to_dicts()
    assert [(row["baseline"], row["candidate"]) for row in two] == [
        ("baseline", "b"),
        ("baseline", "c"),
        ("b", "c"),
    ]
    for row, other in zip(one, two, strict=True):
        close(row["difference"], other["difference"])
        close(row["p_value"], other["p_value"])


@pytest.mark.slow
def test_gates_name_both_models() -> None:
    compared = sm.compare(drawn(6), "brier", **ASKED)
    table = sm.check(compared, "brier >= -1")
    assert table["model"] == ["b against a", "c against a", "c against b"]


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ({"pairs": "some"}, "pairs: 'some' is not known. Allowed: baseline, all"),
        ({"family": "some", "correction": "holm"}, "family: 'some' is not known. Allowed: metric, all"),
        (
            {"family": "all"},
            "family='all' is of corrected p-values; pass correction='holm' or 'bh', or leave it out",
        ),
        (
            {"other": drawn(7), "paired": False},
            "pairs='all' compares models on the same data; leave it out with paired=False",
        ),
    ],
)
def test_refusals(more: dict[str, Any], message: str) -> None:
    assert message in told(sm.compare, drawn(7), "brier", **ASKED | more)


@pytest.mark.slow
def test_a_group_that_one_model_lacks_is_told_with_both() -> None:
    rows = drawn(8)
    lacking = next(row["u"] for row in rows if row["y"])
    rows = [{**row, "b": None if row["u"] == lacking else row["b"]} for row in rows]
    said = told(sm.compare, rows, "ndcg@10", on_bad_rows="drop", **ASKED)
    assert "have a value of ndcg_10 for one of 'a' and 'b' alone" in said
