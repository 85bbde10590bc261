"""The numbers are those of DuckDB, whatever connection the data are behind."""

import pyarrow as pa
import pytest

import sqlmetrics as sm
from support.connections.calls import compared
from support.connections.kinds import speaks
from support.connections.tables import METRICS, ROLES

ASKED = {
    "everything at once": (METRICS, ROLES | {"score": {"new": "p", "old": "q"}, "by": ["country", "day"]}),
    "in total": (METRICS, ROLES | {"score": "p"}),
    "the row for all left out": ("ndcg@3", ROLES | {"score": "p", "by": "day", "total": False}),
    "text labels": (["auc", "f1", "mrr"], {"label": "word", "positive": "it's", "score": "p", "group": "g"}),
    "booleans": (
        ["auc", "err@3", "brier"],
        {"label": "yes", "max_grade": 1, "score": "p", "group": "g", "by": "day"},
    ),
    "an expression": ("auc", {"label": sm.sql("y > 1"), "score": sm.sql("p + q")}),
    "classes": (
        ["accuracy", "f1(average=macro)", "kappa"],
        {"label": "word", "prediction": "guess", "by": "day"},
    ),
    "a truth": (
        ["ndcg@5", "recall@3", "mrr"],
        {"score": "p", "group": "g", "item": "i", "label": "y", "truth": "truth"},
    ),
    "items": (
        ["catalog_coverage@3", "exposure_gini@3", "novelty@3", "personalization@3"],
        {"score": "p", "group": "g", "item": "i", "catalog": "items", "history": "past"},
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("asked", ASKED)
def test_evaluate(asked, connection, here):
    metrics, facts = ASKED[asked]
    reports = [sm.evaluate("preds", metrics, connection=at, **facts) for at in (here, connection)]
    by = facts.get("by", [])
    compared(*reports, ["is_total", "model", *([by] if isinstance(by, str) else by)])


@pytest.mark.slow
def test_per_group(connection, here):
    facts = ROLES | {"score": {"new": "p", "old": "q"}, "by": "day"}
    one, other = (
        sm.per_group("preds", ["ndcg@3", "gauc"], connection=at, **facts) for at in (here, connection)
    )
    compared(one, other, ["model", "day", "g"])
    assert one.audit.to_dicts() == other.audit.to_dicts()


@pytest.mark.parametrize("kind", ["roc", "precision_recall", "calibration(bins=5)", "gain(quantiles=4)"])
def test_curve(kind, connection, here):
    facts = {"label": "yes", "score": "p", "weight": "w", "by": "day"}
    curves = [sm.curve("preds", kind, connection=at, **facts) for at in (here, connection)]
    point = curves[0].columns[: 4 if kind == "roc" else 3]  # slice and place on the curve
    compared(*curves, point)


@pytest.mark.parametrize("table", [sm.confusion_matrix, sm.class_report])
@pytest.mark.parametrize(
    "facts", [{"label": "word", "prediction": "guess"}, {"label": "yes", "prediction": "weekend"}]
)
@pytest.mark.parametrize("weight", [None, "w"])
def test_tables_of_classes(table, facts, weight, connection, here):
    if facts["label"] == "yes" and speaks(connection, "mysql"):
        pytest.skip("it has no booleans")
    facts = {**facts, "weight": weight, "by": "day"}
    tables = [table("preds", connection=at, **facts) for at in (here, connection)]
    compared(*tables, ["is_total", "day", "label", "prediction", "class"])


@pytest.mark.slow
def test_explain_difference(connection, here):
    facts = {"label": "y", "score": "p", "group": "g", "item": "i"}
    one, other = (
        sm.explain_difference("preds", "ndcg@3", "trec_eval", "lightgbm", connection=at, **facts).to_dicts()
        for at in (here, connection)
    )
    assert [row["value"] for row in other] == pytest.approx([row["value"] for row in one])


@pytest.mark.parametrize(
    ("by", "kind"), [("country", pa.string()), ("day", pa.int64()), ("weekend", pa.bool_())], ids=str
)
def test_types_of_slices(by, kind, connection):
    if kind == pa.bool_() and speaks(connection, "mysql"):
        pytest.skip("it has no booleans")
    facts = {"label": "weekend", "score": "p", "group": "g", "total": False, "connection": connection}
    max_grade = 1 if speaks(connection, "mysql") else None  # that of booleans
    table = sm.evaluate("preds", "err@3", by=by, max_grade=max_grade, **facts).to_arrow()
    assert table.schema.field(by).type == kind
