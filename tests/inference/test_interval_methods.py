"""`interval_method=` is applied, or its metric is named: refused if no metric of the call has it, else in a note."""

from __future__ import annotations

from typing import Any

import pytest

import sqlmetrics as sm
from sqlmetrics.book.templates import macros
from support.errors import told

ROWS = [{"user": i // 5, "y": i % 3 % 2, "s": i * 7 % 23 / 23, "w": 1 + i % 4} for i in range(60)]
ASKED = {"label": "y", "score": "s", "interval": 0.9}
LISTS = {"group": "user"}
WEIGHTED = {"weight": "w"}
FEW = {"n_resamples": 20}

#: metric, options and the method that it has
APPLIED: list[tuple[str, dict[str, Any], str]] = [
    ("accuracy", {}, "exact"),
    ("recall", {}, "exact"),
    ("accuracy", LISTS, "exact"),
    ("accuracy", WEIGHTED, "exact"),
    ("f1", {}, "exact"),
    ("auc", {}, "logit"),
    ("auc", LISTS, "logit"),
    ("auc", WEIGHTED, "logit"),
    ("gini", {}, "logit"),
    *((metric, FEW, "bootstrap") for metric in ("auc", "accuracy", "log_loss", "pearson")),
    *((metric, FEW | LISTS, "bootstrap") for metric in ("mrr", "gauc", "auc")),
    *((metric, LISTS, "anytime") for metric in ("accuracy", "gauc")),
    ("auc", WEIGHTED, "anytime"),
]
#: what a metric has instead
LACKING: list[tuple[str, dict[str, Any], str, str]] = [
    ("log_loss", {}, "exact", "log_loss takes bootstrap and anytime"),
    ("f_beta(beta=2)", {}, "exact", "f_beta(beta=2) takes bootstrap and anytime"),
    ("auc", {}, "exact", "auc takes logit and bootstrap and anytime"),
    ("pass@1", LISTS, "exact", "pass@1 takes bootstrap and anytime"),
    ("hit_rate@1", LISTS, "exact", "hit_rate@1 takes bootstrap and anytime"),
    ("mrr", LISTS, "logit", "mrr takes bootstrap and anytime"),
    ("gauc", LISTS, "logit", "gauc takes bootstrap and anytime"),
    ("ks", WEIGHTED, "logit", "ks takes bootstrap"),
    ("accuracy", {}, "logit", "accuracy takes exact and bootstrap and anytime"),
    ("count", {}, "bootstrap", "count takes none"),
    ("max_error", {}, "bootstrap", "max_error takes none"),
]


@pytest.mark.parametrize(("metric", "facts", "method"), APPLIED)
def test_a_method_that_a_metric_has_changes_its_interval(
    metric: str, facts: dict[str, Any], method: str
) -> None:
    default = sm.evaluate(ROWS, {"m": metric}, **ASKED, **facts).to_dicts()[0]
    report = sm.evaluate(ROWS, {"m": metric}, **ASKED, **facts, interval_method=method)
    [row] = report.to_dicts()
    assert row["m"] == pytest.approx(default["m"], rel=1e-12)  # two threads add up in any order
    assert (row["m_low"], row["m_high"]) != (default["m_low"], default["m_high"])
    assert not [note for note in report.notes() if "interval_method" in note]


@pytest.mark.parametrize(("metric", "facts", "method", "instead"), LACKING)
def test_a_method_that_no_metric_has_is_refused(
    metric: str, facts: dict[str, Any], method: str, instead: str
) -> None:
    message = told(sm.evaluate, ROWS, metric, **ASKED, **facts, interval_method=method)
    assert message.startswith(f"interval_method={method} is for ")
    assert f"; {instead}. Leave it out" in message
    assert message == told(macros("duckdb").evaluate, "t", [metric], **ASKED, **facts, interval_method=method)
    # what the message says is there
    for other in instead.partition("takes ")[2].split(" and "):
        if other != "none":
            assert sm.evaluate(ROWS, metric, **ASKED, **facts, **FEW, interval_method=other)


@pytest.mark.slow
def test_a_metric_without_the_method_keeps_its_default_and_is_named() -> None:
    report = sm.evaluate(ROWS, ["accuracy", "log_loss", "auc"], **ASKED, interval_method="exact")
    assert "interval_method=exact does not serve, by its default method: log_loss, auc" in report.notes()
    [row], [default] = report.to_dicts(), sm.evaluate(ROWS, ["log_loss", "auc"], **ASKED).to_dicts()
    for name in ("log_loss", "auc"):
        for end in ("low", "high"):
            assert row[f"{name}_{end}"] == pytest.approx(default[f"{name}_{end}"], rel=1e-12)


def test_a_metric_without_a_bootstrap_has_no_interval_by_it() -> None:
    report = sm.evaluate(ROWS, ["count", "auc"], **ASKED, **FEW, interval_method="bootstrap")
    assert "interval_method=bootstrap does not serve, without an interval: count" in report.notes()
    assert report.to_dicts()[0]["count_low"] is None


def test_two_names_of_one_metric_are_one() -> None:
    message = told(sm.evaluate, ROWS, {"a": "log_loss", "b": "log_loss"}, **ASKED, interval_method="exact")
    assert "; log_loss takes bootstrap and anytime. Leave it out" in message
