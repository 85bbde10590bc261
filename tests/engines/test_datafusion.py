"""A context of DataFusion as connection=: the numbers are those of DuckDB, and nothing is left in it."""

import pyarrow as pa
import pytest

import sqlmetrics as sm

ROWS = pa.table(
    {
        "y": [i * 7 // 3 % 3 for i in range(60)],
        "yes": [i % 4 == 0 for i in range(60)],
        "p": [(i * 37 % 20) / 20 for i in range(60)],
        "g": [f"u{i % 7}" for i in range(60)],
        "i": list(range(60)),
        "Day": [i % 2 for i in range(60)],
    }
)
FACTS = {"label": "y", "score": "p", "group": "g", "item": "i", "by": "Day", "positive": 1, "max_grade": 2}
METRICS = ["auc", "gauc", "ndcg@3", "map@10", "err@5", "log_loss", "ece", "spearman"]


@pytest.fixture
def context():
    opened = pytest.importorskip("datafusion").SessionContext()
    opened.register_record_batches("preds", [ROWS.to_batches()])
    return opened


@pytest.mark.parametrize(
    "data",
    [
        lambda context: "preds",
        lambda context: "select * from preds",
        lambda context: context.table("preds"),
        lambda context: context.sql("select * from preds where i >= 0"),
    ],
    ids=["a name", "a query", "a table", "a DataFrame"],
)
def test_numbers(data, context):
    found = sm.evaluate(data(context), METRICS, connection=context, **FACTS).to_dicts()
    expected = sm.evaluate(ROWS, METRICS, **FACTS).to_dicts()
    assert found == [pytest.approx(row) for row in expected]
    assert context.catalog().schema().names() == {"preds"}


def test_a_curve_and_a_truth(context):
    facts = {"label": "yes", "score": "p"}
    curve = sm.curve(context.table("preds"), "roc", connection=context, **facts).to_dicts()
    assert curve == [pytest.approx(row) for row in sm.curve(ROWS, "roc", **facts).to_dicts()]
    facts = {"score": "p", "group": "g", "item": "i", "label": "y"}
    found = sm.evaluate(
        "preds", "ndcg@3", truth=context.table("preds"), connection=context, **facts
    ).to_dicts()
    assert found == [pytest.approx(sm.evaluate(ROWS, "ndcg@3", truth=ROWS, **facts).to_dicts()[0])]


@pytest.mark.parametrize(
    ("data", "facts", "words"),
    [
        ("nothing", {}, "DataFusion cannot read nothing: .*not found"),
        ("preds", {"label": "yess"}, "Column 'yess' .*Did you mean 'yes'"),
        ("preds", {"score": "g"}, "'g' .*is text and has to be numbers"),
        ("preds", {"score": sm.sql("nonsense(p)")}, "DataFusion cannot read preds: .*nonsense"),
        ("delete from preds", {}, "is no table of the connection and no query"),
        ("select 1; select 2", {}, "several statements"),
        (ROWS, {}, "got Table; leave connection= out"),
        ("preds", {"dialect": "postgres"}, "not what DataFusion speaks"),
    ],
)
def test_refused(data, facts, words, context):
    with pytest.raises(sm.SqlMetricsError, match=words):
        sm.evaluate(data, "rmse", connection=context, **{"label": "y", "score": "p"} | facts)
