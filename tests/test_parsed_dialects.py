"""The statements of every dialect: sqlglot parses them, some are kept as they were, and Redshift's run on PostgreSQL.

For an engine that is not to be had this is all that is checked. `pytest --snapshots` renews what is kept.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import sqlmetrics as sm
from conformance.cases import CASES
from conformance.test_conformance import expected, same
from engines import Engine, NoEngineError
from sqlmetrics.catalog import catalog
from sqlmetrics.templates import dialects, macros, sql_files

SNAPSHOTS = Path(__file__).parent / "snapshots"
#: sqlglot has no DataFusion, whose SQL is the standard's.
PARSERS = {"datafusion": ""}


def book(*grains: str, subtopics: bool = False) -> dict[str, str]:
    """The example of every metric of some grains."""
    metrics = [metric for metric in catalog().values() if metric.grain in grains]
    found = [metric.example for metric in metrics if bool(metric.plan["subtopics"]) is subtopics]
    return {f"m{i}": notation for i, notation in enumerate(found)}


PREDICTIONS = {"relation": "predictions", "label": "clicked", "score": "p", "positive": 1}
LISTS = {**PREDICTIONS, "group": "user_id", "item": "item_id", "max_grade": 4}
CLASSES = {"relation": "predictions", "label": "kind", "prediction": "guess"}
TRUTH = {"relation": "predictions", "truth": "judgements", "label": "grade"}
MODELS = {"new": "p", "old": "q"}
COMPARED = {**LISTS, "baseline": "p", "candidate": "q"}
del COMPARED["score"]
COMPARED_ROWS = {
    "relation": "predictions", "label": "clicked", "positive": 1, "baseline": "p",
    "candidate": {"new": "q", "third": "r"},
}  # fmt: skip
ROWS = book("rows", "score levels", "bins of scores")
WEIGHTED = {name: notation for name, notation in ROWS.items() if notation not in ("spearman", "concordance")}
#: A metric of each kind of interval.
SPREAD = ["log_loss", "rmse", "accuracy", "precision", "mcc", "d2_pinball", "pearson", "spearman"]
#: Calls that use every stage together: name -> macro and arguments.
CALLS: dict[str, tuple[str, dict[str, Any]]] = {
    "rows": ("evaluate", {**PREDICTIONS, "metrics": ROWS, "by": "day"}),
    "weighted rows of models": (
        "evaluate",
        {**PREDICTIONS, "metrics": WEIGHTED, "by": ["day", "country"], "weight": "w", "score": MODELS},
    ),
    "counted levels": (
        "evaluate",
        {**PREDICTIONS, "metrics": ["auc", "ks"], "by": "day", "score_levels": "counted"},
    ),
    "intervals of rows": ("evaluate", {**PREDICTIONS, "metrics": SPREAD, "by": "day", "interval": 0.95}),
    "intervals of rows in lists": (
        "evaluate",
        {
            **PREDICTIONS, "metrics": SPREAD[:-1], "by": ["day", "country"], "weight": "w", "score": MODELS,
            "group": "user_id", "interval": 0.95, "interval_method": "exact",
        },
    ),
    "intervals of levels": ("evaluate", {**PREDICTIONS, "metrics": ["auc", "ks"], "by": "day", "interval": 0.95}),
    "intervals of lists": (
        "evaluate",
        {
            **LISTS, "metrics": ["auc", "ndcg@10"], "by": "day", "score": MODELS, "interval": 0.95,
            "interval_method": "logit",
        },
    ),
    "lists": ("evaluate", {**LISTS, "metrics": book("lists"), "by": "day", "score": MODELS}),
    "lists in the order of items": ("evaluate", {**LISTS, "metrics": book("lists"), "ties": "item"}),
    "each item once": ("evaluate", {**LISTS, "metrics": "ndcg@10", "on_duplicate": "first", "by": "day"}),
    "lists of a truth": (
        "evaluate",
        {**LISTS, **TRUTH, "metrics": book("lists"), "by": ["day", "country"], "truth_by": ["country"]},
    ),
    "subtopics": (
        "evaluate",
        {**LISTS, **TRUTH, "metrics": book("lists", subtopics=True), "subtopic": "aspect"},
    ),
    "items": (
        "evaluate",
        {
            **LISTS, "metrics": book("items"), "catalog": "items", "history": "past", "category": "kind",
        },
    ),
    "distances of items": (
        "evaluate",
        {**LISTS, "metrics": "diversity@10", "by": "day", "distances": "distances"},
    ),
    "classes": (
        "evaluate",
        {
            **CLASSES, "metrics": ["accuracy", "f1(average=macro)", "kappa(weights=linear)", "mcc"], "by": "day",
            "weight": "w",
        },
    ),
    "scored classes": (
        "evaluate",
        {
            **LISTS, "metrics": ["multiclass_auc(method=ovr)", "top_k_accuracy@2"], "by": "day",
        },
    ),
    "intervals of resampled rows": (
        "evaluate",
        {
            **PREDICTIONS, "relation": "select * from predictions", "metrics": ["ks", "spearman"], "by": "day",
            "score": MODELS, "interval": 0.95,
        },
    ),
    "intervals of resampled lists": (
        "evaluate",
        {**LISTS, "metrics": ["average_precision", "ndcg@10"], "by": "day", "interval": 0.95},
    ),
    "per group": ("per_group", {**LISTS, "metrics": ["ndcg@10", "map@10", "mrr"], "by": "day"}),
    "roc": ("curve", {**PREDICTIONS, "relation": "select * from predictions", "kind": "roc", "by": "day"}),
    "precision_recall": ("curve", {**PREDICTIONS, "kind": "precision_recall", "weight": "w"}),
    "calibration": ("curve", {**PREDICTIONS, "kind": "calibration(bins=10)", "by": "day"}),
    "calibration by count": ("curve", {**PREDICTIONS, "kind": "calibration(bins=10, equal=count)"}),
    "gain": ("curve", {**PREDICTIONS, "kind": "gain(quantiles=10)"}),
    "confusion matrix": ("confusion_matrix", {**CLASSES, "by": "day", "weight": "w"}),
    "class report": ("class_report", {**CLASSES, "by": "day"}),
    "independence": ("chi_square", {"relation": "people", "column": "hair", "other": "eyes", "by": "day"}),
    "shares": (
        "chi_square",
        {"relation": "people", "column": "hair", "expected": {"fair": 1, "dark": 2}, "weight": "n"},
    ),
    "two proportions": ("two_proportions", {"relation": "visits", "label": "bought", "category": "page", "by": "day"}),
    "models compared row by row": (
        "compare",
        {
            **COMPARED_ROWS, "metrics": ["auc", "log_loss", "f1"], "by": "day",
        },
    ),
    "models compared by the bootstrap": (
        "compare",
        {
            **COMPARED_ROWS, "metrics": ["ks", "average_precision"], "by": "day", "test": "bootstrap",
        },
    ),
    "models compared": (
        "compare",
        {
            **COMPARED, "metrics": ["ndcg@10", "gauc", "brier", "rmse"], "candidate": {"new": "q", "third": "r"},
            "by": "day", "correction": "holm",
        },
    ),
    "models compared by ranks": (
        "compare",
        {
            **COMPARED, **TRUTH, "metrics": "ndcg@10", "test": "wilcoxon", "correction": "bh",
            "on_unpaired": "intersection",
        },
    ),
    "models compared by signs": ("compare", {**COMPARED, "metrics": "mae", "test": "sign"}),
    "models compared by draws": ("compare", {**COMPARED, "metrics": "mae", "test": "randomisation"}),
    "models compared over two tables": (
        "compare",
        {
            **COMPARED, **TRUTH, "metrics": ["ndcg@10", "recall(average=micro)@10"], "other": "select * from others",
            "by": "day",
        },
    ),
    "models compared over two samples": (
        "compare",
        {
            **COMPARED, "metrics": ["ndcg@10", "brier", "rmse"], "other": "others", "paired": False, "by": "day",
            "correction": "holm",
        },
    ),
    "AUC compared over two samples": (
        "compare",
        {
            "relation": "predictions", "label": "clicked", "positive": 1, "baseline": "p", "candidate": "p",
            "metrics": ["auc", "mae"], "other": "others", "paired": False, "by": "day",
        },
    ),
    "mcnemar": (
        "mcnemar",
        {"relation": "visits", "label": "bought", "baseline": "a", "candidate": "b", "by": "day", "weight": "n"},
    ),
    "state": (
        "state",
        {**PREDICTIONS, "metrics": ["auc", "auc(bins=100)", "r2", "log_loss"], "by": "country", "period": "day"},
    ),
    "finish": (
        "finish",
        {
            **PREDICTIONS, "relation": "states", "metrics": ["auc", "auc(bins=100)", "r2", "log_loss"], "by": "country",
            "period": "day",
        },
    ),
}  # fmt: skip
#: Calls that are short enough to be kept.
KEPT = ["counted levels", "each item once", "class report"]
#: What a dialect cannot say, and begins its refusal with.
REFUSED = {
    "redshift": {
        "weighted rows of models", "lists", "lists of a truth", "items", "scored classes", "per group",
        "intervals of rows in lists",
    },
}  # fmt: skip


def statement(call: str, dialect: str) -> str:
    macro, arguments = CALLS[call]
    return str(macros(dialect)[macro](**arguments))


@pytest.mark.parametrize("dialect", dialects())
@pytest.mark.parametrize("call", CALLS)
def test_statements_parse(call: str, dialect: str) -> None:
    sqlglot = pytest.importorskip("sqlglot")
    if call in REFUSED.get(dialect, ()):
        with pytest.raises(sm.SqlMetricsError, match=f"^{dialect} cannot say "):
            statement(call, dialect)
        return
    reader = PARSERS.get(dialect, dialect)
    [parsed] = sqlglot.parse(statement(call, dialect), dialect=reader, error_level=sqlglot.ErrorLevel.RAISE)
    assert not parsed.find(sqlglot.exp.Command)
    parsed.sql(dialect=reader, unsupported_level=sqlglot.ErrorLevel.RAISE)


def test_the_calls_use_every_stage() -> None:
    stages = {
        name
        for path, text in sql_files().items()
        if path.startswith(("stages/", "curves/"))
        for name in re.findall(r"^(sm_\w+) as\b", text, re.MULTILINE)
    }
    written = "\n".join(statement(call, dialect) for call in CALLS for dialect in ("duckdb", "spark"))
    assert stages <= set(re.findall(r"\b(sm_\w+) as\b", written))


@pytest.mark.parametrize("dialect", dialects())
@pytest.mark.parametrize("call", KEPT)
def test_statements_are_as_they_were(call: str, dialect: str, pytestconfig: pytest.Config) -> None:
    path = SNAPSHOTS / dialect / f"{call.replace(' ', '_')}.sql"
    text = statement(call, dialect) + "\n"
    if pytestconfig.getoption("snapshots"):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    assert path.read_text(encoding="utf-8") == text, "see the change with git diff after pytest --snapshots"


@pytest.fixture(scope="module")
def postgres(opened: Callable[[str], Engine]) -> Engine:
    try:
        return opened("postgres")
    except NoEngineError as missing:
        pytest.skip(str(missing))


#: Cases of conformance that Redshift can say as a whole or in part, and PostgreSQL takes of it.
ON_POSTGRES = [
    *(
        "untied",
        "tied",
        "graded",
        "slices",
        "weights of rows",
        "truth",
        "lists, ties=item",
        "classes, slices",
    ),
    "subtopics",
]


@pytest.mark.parametrize("name", ON_POSTGRES)
def test_redshift_on_postgres(name: str, postgres: Engine) -> None:
    case = next(case for case in CASES if case.name == name)
    facts = {
        "label": "label",
        "score": "score",
        **case.facts,
        "by": case.by,
        "truth": case.truth and "judged",
    }

    def said(metrics: dict[str, str]) -> str | None:
        try:
            return sm.render(metrics, "predictions", dialect="redshift", **facts)
        except sm.SqlMetricsError as error:
            if not str(error).startswith("redshift cannot say"):
                raise
            return None

    asked = {f"m{i}": notation for i, notation in enumerate(case.metrics)}
    asked = {column: notation for column, notation in asked.items() if said({column: notation})}
    assert len(asked) > len(case.metrics) / 2
    tables = {"predictions": case.rows} | ({"judged": case.truth} if case.truth else {})
    for row in postgres.query(said(asked) or "", tables):
        part = "all" if not case.by or row["is_total"] else row[case.by]
        for column, notation in asked.items():
            assert same(row[column], expected(CASES.index(case), notation, part)), notation
