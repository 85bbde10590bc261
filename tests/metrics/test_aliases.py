"""The names that metrics have in other libraries: pinned definitions, the same in Python and dbt, clear refusals."""

from __future__ import annotations

import math
import re
import statistics
from collections import Counter
from typing import Any

import pytest

import sqlmetrics as sm
from sqlmetrics.book.catalog import catalog
from sqlmetrics.book.conventions import convention_names
from sqlmetrics.book.headers import parse_aliases
from sqlmetrics.book.templates import macros
from support import dbt_aliases, dbt_definitions, dbt_directions, dbt_grains, dbt_ranges

ROWS: list[dict[str, Any]] = [{"g": i % 5, "y": int(i * i % 7 < 3), "p": i * 13 % 29 / 29} for i in range(60)]
ALIASES = [(metric, alias) for metric in catalog().values() for alias in metric.aliases]


def values(*notations: str) -> list[float]:
    flat = sm.evaluate(ROWS, list(notations), label="y", score="p", group="g").flat()
    return [flat[macros("duckdb")["column_name"](notation)] for notation in notations]


def test_what_dbt_reads_is_what_the_comments_say() -> None:
    for made in (dbt_aliases, dbt_definitions, dbt_directions, dbt_grains, dbt_ranges):
        assert made.PATH.read_text(encoding="utf-8") == made.written(), "write it anew: make readme"


def test_a_name_means_one_metric() -> None:
    """None is ours, in any case."""
    names = Counter(key for _, alias in ALIASES for key in alias.keys)
    assert [name for name, times in names.items() if times > 1] == []
    assert {name.partition("@")[0] for name in names}.isdisjoint(metric.name for metric in catalog().values())
    assert names.keys().isdisjoint(macros("duckdb")["absent_names"]())


def test_every_definition_is_a_notation_of_its_metric() -> None:
    parse = macros("duckdb")["parse_notation"]
    namesakes = [(metric, alias) for metric in catalog().values() for alias in metric.namesakes]
    assert len(namesakes) >= 6
    assert all(alias.notation for _, alias in namesakes)
    for metric, alias in ALIASES + namesakes:
        if alias.notation is not None:
            written = alias.notation.replace("[@k]", "@5").replace("@k", "@5").replace("=k", "=0.5")
            parsed = parse(written)
            assert parsed["name"] == metric.name
            assert {*parsed["params"]} <= {*metric.parameters}
            assert {*parsed["params"]} - {"k"} or metric.name == "pass_all"  # pass^k, whose k is in the name


@pytest.mark.slow
def test_a_column_has_the_name_that_was_written() -> None:
    pairs = {
        "roc_auc_score": "auc", "AUROC(max_fpr=0.5)": "auc(max_fpr=0.5)", "AP": "map", "RR": "mrr", "RR@3": "mrr@3",
        "P@4": "precision@4", "P_5": "precision@5", "recall_3": "recall@3", "HR@2": "hit_rate@2", "hr": "hit_rate",
        "recip_rank@2": "mrr@2", "r-precision": "r_precision", "ndcg_cut.4": "ndcg(gain=linear)@4",
        "P.6": "precision@6",
        "iprec_at_recall.0.25": "interpolated_precision(recall=0.25, reach=nearest)", "f1_score": "f1",
        "IPrec@0.25": "interpolated_precision(recall=0.25, reach=tenth)", "hits@3": "cg(gain=binary)@3",
        "11pt_avg": "interpolated_map(reach=nearest)", "gm_map": "gmap", "SetP": "set_precision",
        "SetR": "recall@1000", "set_F": "set_f_beta", "set_relative_P": "set_recall(denominator=capped)",
        "SetAP": "set_map", "R_cap@3": "recall(denominator=capped)@3", "relative_P.2": "recall(denominator=capped)@2",
        "NumRelRet": "num_rel_ret",
        "AP(denominator=capped)@2": "map@2", "areaUnderPR": "pr_auc(method=trapezoid)",
    }  # fmt: skip
    assert values(*pairs) == pytest.approx(values(*pairs.values()), rel=1e-12)


# Two lists, one without a relevant item.
GRADED = [
    {"g": g, "y": y, "p": p} for g, y, p in [(1, 2, 0.5), (1, 1, 0.7), (1, 0, 0.6), (2, 0, 0.7), (2, 0, 0.2)]
]


@pytest.mark.parametrize("convention", [None, *convention_names()])
def test_no_convention_reaches_a_name(convention: str | None) -> None:
    gains = (1 / math.log2(2) + 3 / math.log2(4)) / (3 / math.log2(2) + 1 / math.log2(3))
    linear = (1 / math.log2(2) + 2 / math.log2(4)) / (2 / math.log2(2) + 1 / math.log2(3))
    expected = {
        "ndcg_burges@10": gains / 2, "ndcg_cut_10": linear / 2, "ndcg_score@10": linear / 2, "AP": (1 + 2 / 3) / 4,
        "AP@1": (1 / 2) / 2, "RR": 1 / 2, "P@1": 1 / 2, "R@1": 1 / 4,
        "mean_pinball_loss": statistics.fmean(abs(row["y"] - row["p"]) / 2 for row in GRADED),
    }  # fmt: skip
    report = sm.evaluate(
        GRADED, list(expected), label="y", score="p", group="g", convention=convention, ties="average"
    )
    for name, value in expected.items():
        assert report.value(name) == pytest.approx(value, rel=1e-12), name
    assert not any("by our defaults" in note for note in report.notes())


@pytest.mark.slow
def test_a_name_that_is_ours_by_case_has_a_note_where_the_two_differ() -> None:
    def notes(*metrics: str, **facts: Any) -> list[str]:
        report = sm.evaluate(GRADED, list(metrics), label="y", score="p", group="g", **facts)
        return [note for note in report.notes() if "; that of " in note]

    assert notes("nDCG@5", "Success@1", "bpref") == [
        "here nDCG@5 is ndcg@5; that of ir_measures is ndcg(gain=linear, on_empty=zero)@5",
        "here Success@1 is success@1; that of ir_measures is success(on_empty=zero)@1",
    ]
    assert notes("ndcg@5", "nDCG(gain=linear, on_empty=zero)@5", "NDCG@3") == []
    assert notes("nDCG@5", convention="ranx") == []
    assert notes("nDCG") == ["here nDCG is ndcg; that of ir_measures is ndcg(gain=linear, on_empty=zero)"]


def test_explain_difference_of_a_name_has_ties_alone() -> None:
    rows = [{**row, "i": n} for n, row in enumerate(GRADED)]
    facts = {"label": "y", "score": "p", "group": "g", "item": "i"}
    steps = sm.explain_difference(rows, "ndcg_cut_2", "default", "trec_eval", **facts).to_dicts()
    assert [step["option"] for step in steps] == ["default", "ties"]


@pytest.mark.parametrize(
    ("notation", "message"),
    [
        ("P", "Metric 'P' needs a cutoff; write 'P@10'"),
        ("success_x", "Unknown metric 'success_x'. Did you mean 'success'?"),
        ("P_10@3", "Metric 'P_10': the cutoff k is given twice"),
        ("P_0", "k must be an integer >= 1, got 0"),
        ("P_0.5", "k must be an integer >= 1, got 0.5"),
        ("AP@0.5", "the cutoff after @ must be an integer >= 1, got '0.5'"),
        ("P_x", "Unknown metric 'p_x'"),
        ("recall_k", "Unknown metric 'recall_k'"),
        ("p_(k)", "Metric 'p_"),
        ("iprec_at_recall_1.5", "recall must be a number >= 0 and <= 1, got 1.5"),
        ("IPrec", "Metric 'IPrec' needs a recall level; write IPrec@0.5"),
        ("ndcg_cut", "Metric 'ndcg_cut' needs a cutoff; write ndcg_cut_10"),
        (
            "AP(rel=2)",
            "the least grade of a relevant item is an argument of the call; write 'AP' without rel, and posi",
        ),
        ("NumQ", "Metric 'NumQ' is a count, not a metric: the result has n_groups, the lists"),
        ("relative_P", "Metric 'relative_P' needs a cutoff; write relative_P_10"),
        ("SetF(beta=2)", "Unknown parameter 'beta' of set_f1"),
        ("official", "Metric 'official' is several measures; name each, such as map, P_10 and ndcg_cut_10"),
        ("roc_auc_score@3", "sqlmetrics.auc: takes no cutoff"),
        ("accuracy_score(average=macro)", "Unknown parameter 'average' of accuracy"),
    ],
)
def test_what_is_refused(notation: str, message: str) -> None:
    with pytest.raises(sm.SqlMetricsError) as refused:
        values(notation)
    assert message in str(refused.value)


def test_what_an_answer_names_is_there() -> None:
    known = {metric.name for metric in catalog().values()} | {alias.name for _, alias in ALIASES}
    for sentence in macros("duckdb")["absent_names"]().values():
        for notation in re.findall(r"\b\w+(?:\([^)]*\))?@\d+(?!\.)|\b[a-z]+_cut_10", sentence):
            assert macros("duckdb")["parse_notation"](notation)["name"] in known, sentence


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("roc_auc_score", "auc"),
        ("P", "precision@k"),
        ("P_10", "precision@k"),
        ("ndcg_cut_k", "ndcg[@k]"),
        ("ap", "map[@k]"),
    ],
)
def test_the_documentation_is_found_by_them(name: str, shown: str) -> None:
    assert sm.describe(name).splitlines()[0] == shown


def test_the_catalogue_has_those_that_are_taken() -> None:
    listed = {row["metric"]: row["aliases"] for row in sm.metrics().to_dicts()}
    assert listed["map[@k]"] == "AP[@k], map_cut_k"
    assert listed["gini"] == ""


@pytest.mark.parametrize(
    "line", ["Aliases: AUROC", "Aliases: a (b); c (d)", "Aliases: a (b) is", "Aliases: a (b), c is d"]
)
def test_a_malformed_line(line: str) -> None:
    with pytest.raises(sm.SqlMetricsError, match=r"metric_x: Aliases: has entries such as"):
        parse_aliases(line, "metric_x")
