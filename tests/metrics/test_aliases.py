"""The names that metrics have in other libraries: one meaning each, the same in Python and dbt, and clear refusals."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

import sqlmetrics as sm
from sqlmetrics.catalog import catalog
from sqlmetrics.headers import parse_aliases
from sqlmetrics.templates import macros
from support import dbt_aliases, dbt_directions

ROWS: list[dict[str, Any]] = [{"g": i % 5, "y": int(i * 7 % 5 < 2), "p": i * 13 % 29 / 29} for i in range(60)]
ALIASES = [(metric, alias) for metric in catalog().values() for alias in metric.aliases]


def values(*notations: str) -> list[float]:
    flat = sm.evaluate(ROWS, list(notations), label="y", score="p", group="g").flat()
    return [flat[macros("duckdb")["column_name"](notation)] for notation in notations]


def test_what_dbt_reads_is_what_the_comments_say() -> None:
    for made in (dbt_aliases, dbt_directions):
        assert made.PATH.read_text(encoding="utf-8") == made.written(), "write it anew: make readme"


def test_a_name_means_one_metric_and_none_of_ours() -> None:
    names = Counter(key for _, alias in ALIASES for key in alias.keys)
    assert [name for name, times in names.items() if times > 1] == []
    assert {name.partition("@")[0] for name in names}.isdisjoint(metric.name for metric in catalog().values())


def test_every_answer_is_a_notation_of_its_metric() -> None:
    parse = macros("duckdb")["parse_notation"]
    for metric, alias in ALIASES:
        if alias.notation is not None:
            parsed = parse(alias.notation.replace("[@k]", "@5").replace("@k", "@5"))
            assert parsed["name"] == metric.name
            assert {*parsed["params"]} <= {*metric.parameters}
            assert {*parsed["params"]} - {"k"}


def test_a_column_has_the_name_that_was_written() -> None:
    pairs = {
        "roc_auc_score": "auc", "AUROC(max_fpr=0.5)": "auc(max_fpr=0.5)", "AP": "map", "RR": "mrr", "RR@3": "mrr@3",
        "P@4": "precision@4", "P_5": "precision@5", "recall_3": "recall@3", "HR@2": "hit_rate@2", "hr": "hit_rate",
        "recip_rank@2": "mrr@2", "r-precision": "r_precision",
    }  # fmt: skip
    assert values(*pairs) == values(*pairs.values())


@pytest.mark.parametrize(
    ("notation", "message"),
    [
        (
            "ndcg_score@5",
            "'ndcg_score@5' of scikit-learn is written 'ndcg(gain=linear, on_empty=zero)@5' here",
        ),
        ("ndcg_score", "is written 'ndcg(gain=linear, on_empty=zero)' here, since 'ndcg' has other defaults"),
        ("map_cut_7", "'map_cut_7' of trec_eval is written 'map(denominator=relevant)@7' here"),
        ("AP@10", "'AP@10' of ir_measures is written 'map(denominator=relevant)@10' here"),
        ("P", "Metric 'P' needs a cutoff; write 'P@10'"),
        ("P_10@3", "Metric 'P_10': the cutoff k is given twice"),
        ("P_0", "k must be an integer >= 1, got 0"),
        ("P_x", "Unknown metric 'p_x'"),
        ("recall_k", "Unknown metric 'recall_k'"),
        ("p_(k)", "Metric 'p_"),
        ("roc_auc_score@3", "sqlmetrics.auc: takes no cutoff"),
        ("accuracy_score(average=macro)", "Unknown parameter 'average' of accuracy"),
    ],
)
def test_what_is_refused(notation: str, message: str) -> None:
    with pytest.raises(sm.SqlMetricsError) as refused:
        values(notation)
    assert message in str(refused.value)


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
    assert listed["map[@k]"] == "AP"
    assert listed["mcc"] == ""


@pytest.mark.parametrize(
    "line", ["Aliases: AUROC", "Aliases: a (b); c (d)", "Elsewhere: a (b)", "Elsewhere: a (b) is "]
)
def test_a_malformed_line(line: str) -> None:
    with pytest.raises(sm.SqlMetricsError, match=r"metric_x: (Aliases|Elsewhere): has entries such as"):
        parse_aliases(line, "metric_x")
