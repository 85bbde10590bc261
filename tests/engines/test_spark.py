"""A SparkSession as connection=, DataFrames as data: the numbers are those of DuckDB, and only SQL goes there."""

from __future__ import annotations

import math
import random
import re
from pathlib import Path
from typing import Any

import pytest

import sqlmetrics as sm
from support.broken_rows import PREDICTED, READ, refused, rows
from support.errors import told

ROWS = [
    {
        "y": i * 7 // 3 % 3,
        "yes": i % 4 == 0,
        "word": ["click", "view", "it's"][i % 3],
        "guess": ["click", "view"][i % 2],
        "p": (i * 37 % 20) / 20,  # with ties
        "q": (i * 53 % 101) / 101,
        "g": f"u{i % 7}",
        "i": i,
        "w": 0.5 + i % 7,
        "day": i % 2,
        "country": ["de", None, "fr"][i % 3],
    }
    for i in range(60)
]
TRUTH = [{"g": f"u{g}", "i": i, "y": (g + i) % 3} for g in range(9) for i in range(g, 70, 7)]
ROLES = {"label": "y", "group": "g", "item": "i", "positive": 1, "max_grade": 2}
METRICS = ["auc", "gauc", "ndcg@3", "map@10", "err@5", "log_loss", "rmse", "f1", "average_precision", "ks"]


@pytest.fixture(scope="session")
def frame(spark: Any) -> Any:
    return spark.createDataFrame(ROWS)


@pytest.fixture
def no_view(spark: Any) -> Any:
    """No view is there after a test that was not there before it."""
    before = {table.name for table in spark.catalog.listTables()}
    yield
    assert {table.name for table in spark.catalog.listTables()} == before


def same(report: sm.Report, expected: sm.Report, *by: str) -> None:
    """Rows are compared slice by slice: Spark has that of NULL before the others."""

    def rows(of: sm.Report) -> list[dict[str, Any]]:
        keys = [*by, "is_total", "model"]
        return sorted(of.to_dicts(), key=lambda row: [str(row.get(key)) for key in keys if by])

    assert report.to_arrow().schema == expected.to_arrow().schema
    for row, other in zip(rows(report), rows(expected), strict=True):
        for name, value in other.items():
            alike = (
                math.isclose(row[name], value, rel_tol=1e-9)
                if isinstance(value, float)
                else row[name] == value
            )
            assert alike, name


@pytest.mark.usefixtures("no_view")
@pytest.mark.parametrize(
    "facts",
    [
        {"score": "p"},
        {"score": {"a": "p", "b": "q"}, "by": ["country", "day"], "weight": None},
        {"score": "p", "by": "country", "total": False, "label": "yes", "max_grade": 1, "positive": None},
        {"score": "p", "label": sm.sql("case when y >= 1 then 1 else 0 end")},
    ],
    ids=lambda facts: ", ".join(facts),
)
def test_a_frame_gives_what_duckdb_gives(facts: dict[str, Any], frame: Any) -> None:
    facts = {**ROLES, **facts}
    same(sm.evaluate(frame, METRICS, **facts), sm.evaluate(ROWS, METRICS, **facts), "country", "day")


@pytest.mark.usefixtures("no_view")
def test_two_frames(spark: Any, frame: Any) -> None:
    metrics = ["ndcg@3", "recall@5", "map"]
    got = sm.evaluate(frame, metrics, score="p", truth=spark.createDataFrame(TRUTH), by="day", **ROLES)
    same(got, sm.evaluate(ROWS, metrics, score="p", truth=TRUTH, by="day", **ROLES))


def test_a_table_and_a_query_of_a_session(spark: Any, frame: Any) -> None:
    frame.createTempView("predictions")
    try:
        expected = sm.evaluate(ROWS, METRICS, score="p", **ROLES)
        for data in ("predictions", "`predictions`", "select * from predictions where p <= 1;"):
            report = sm.evaluate(data, METRICS, score="p", connection=spark, **ROLES)
            same(report, expected)
        assert [row[0] for row in spark.sql(report.sql).select("n_rows").collect()] == [60]
    finally:
        spark.catalog.dropTempView("predictions")


@pytest.mark.usefixtures("no_view")
def test_lists_curves_and_classes(frame: Any) -> None:
    facts = {"label": "y", "score": "p", "positive": 1}
    same(
        sm.per_group(frame, ["ndcg@3", "gauc"], group="g", **facts),
        sm.per_group(ROWS, ["ndcg@3", "gauc"], group="g", **facts),
    )
    same(sm.curve(frame, "roc", **facts), sm.curve(ROWS, "roc", **facts))
    words = {"label": "word", "prediction": "guess"}
    same(sm.confusion_matrix(frame, **words), sm.confusion_matrix(ROWS, **words))


@pytest.mark.usefixtures("no_view")
@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"label": "clicked"}, r"Column 'clicked' \(label=\) is not in the data. Columns: "),
        ({"score": "word"}, r"Column 'word' \(score=\) of the data is text and has to be numbers"),
        ({"label": sm.sql("nowhere + 1")}, r"Spark cannot read the data: \[UNRESOLVED_COLUMN.*`nowhere`.*\.$"),
        ({"score": sm.sql("1 / (i - i)")}, r"Spark cannot read the data: \[DIVIDE_BY_ZERO\]"),
        ({"truth": ROWS}, "With Spark the truth is a DataFrame of Spark, a table name or a query, got builtins.list"),
        ({"truth": "nowhere"}, r"Spark cannot read nowhere: \[TABLE_OR_VIEW_NOT_FOUND\]"),
        ({"dialect": "spork"}, "Unknown dialect 'spork'"),
    ],
    ids=lambda value: next(iter(value)) if isinstance(value, dict) else "",
)  # fmt: skip
def test_mistakes(change: dict[str, Any], message: str, frame: Any) -> None:
    facts = {**ROLES, "score": "p", **change}
    with pytest.raises(sm.SqlMetricsError, match=message):
        sm.evaluate(frame, ["ndcg@3"], **facts)


def test_an_error_has_the_statement(frame: Any) -> None:
    with pytest.raises(sm.SqlMetricsError) as error:
        sm.evaluate(frame, "rmse", label="y", score=sm.sql("1 / (i - i)"))
    assert error.value.sql.splitlines()[1].startswith("-- evaluate over ")


def test_neither_a_session_nor_a_frame(spark: Any, frame: Any) -> None:
    with pytest.raises(sm.SqlMetricsError, match="Spark takes a SparkSession as connection= or a DataFrame"):
        sm.evaluate("select 1", "rmse", label="y", score="p", connection=spark.sparkContext)
    with pytest.raises(sm.SqlMetricsError, match="With Spark the data is a DataFrame"):
        sm.evaluate(ROWS, "rmse", label="y", score="p", connection=spark)


@pytest.mark.usefixtures("no_view")
def test_bad_rows_are_counted(spark: Any) -> None:
    broken = spark.createDataFrame([{"y": 1.0, "p": 0.5}, {"y": 0.0, "p": math.nan}])
    with pytest.raises(sm.SqlMetricsError, match="1 of 2 rows"):
        sm.evaluate(broken, "rmse", label="y", score="p")
    report = sm.evaluate(broken, "rmse", label="y", score="p", on_bad_rows="drop")
    assert report.to_dicts()[0]["rows_dropped"] == 1


SCORES = {
    "near each other": lambda draw: 0.5 + draw.randrange(300) * 1e-6,
    "of any size and sign": lambda draw: draw.choice([-1, 1]) * 10.0 ** draw.randint(-300, 300),
    "around zero": lambda draw: draw.choice([-1e-9, -0.0, 0.0, 5e-324, 1e-9, 2e-9]),
}


@pytest.mark.parametrize("by", [None, "part"])
@pytest.mark.parametrize("weight", [None, "w"])
@pytest.mark.parametrize("scores", SCORES)
def test_levels_in_buckets(scores: str, weight: str | None, by: str | None, spark: Any) -> None:
    """Levels are counted in buckets of near scores: some with many of them, some with one."""
    draw = random.Random(3)
    rows = [
        {
            "y": draw.randrange(2),
            "p": SCORES[scores](draw),
            "w": draw.randrange(1, 5) / 2,
            "part": draw.choice("ab"),
        }
        for _ in range(600)
    ]
    metrics = ["auc", "average_precision", "ks", "auc(max_fpr=0.3)", "gini"]
    facts = {"label": "y", "score": "p", "weight": weight, "by": by}
    same(sm.evaluate(spark.createDataFrame(rows), metrics, **facts), sm.evaluate(rows, metrics, **facts))


def test_no_window_takes_all_rows_to_one_executor(spark: Any, frame: Any) -> None:
    """A window without a partition is one over what is few: buckets of scores, ranks in a list, slices."""
    frame.createTempView("predictions")
    try:
        assert whole_windows(spark, "select rank() over (order by p desc) from predictions") == {"p"}
        for facts in ({}, {"by": "country"}, {"score": {"a": "p", "b": "q"}}):
            for metrics in (METRICS, ["ndcg", "mrr", "auc(max_fpr=0.3)"], ORDERED):
                statement = sm.render(
                    "predictions", metrics, dialect="spark", **{**ROLES, "score": "p", **facts}
                )
                assert whole_windows(spark, statement) <= {"sm_bucket", "sm_position", "sm_by_1"}, metrics
    finally:
        spark.catalog.dropTempView("predictions")


#: what reads rows in an order of their own
ORDERED = [
    *("spearman", "median_absolute_error", "d2_pinball(quantile=0.9)", "ece(equal=count)", "lift", "best_f1"),
    *("exposure_entropy@3", "average_rank", "personalization@3"),
]


def whole_windows(spark: Any, statement: str) -> set[str]:
    """By which columns the windows without a partition are ordered."""
    [(plan,)] = spark.sql(f"explain extended {statement}").collect()
    return set(re.findall(r"windowspecdefinition\((\w+)[^,]*? (?:ASC|DESC)", plan))


PAIRS = {"label": "y", "baseline": "p", "candidate": "q", "max_grade": 2, "positive": 1}
LISTS = {**PAIRS, "group": "g", "item": "i"}
DRIFT = {"columns": ["p", "country"], "numeric": "p", "period": "day", "before": "0", "after": "1"}
#: Tests whose p-values are of each distribution.
TESTED: dict[str, tuple[Any, dict[str, Any]]] = {
    "t": (sm.render_compare, {**LISTS, "metrics": ["auc", "ndcg@10", "log_loss"]}),
    "t and normal": (sm.render_compare, {**PAIRS, "metrics": ["auc", "brier", "log_loss"]}),
    "binomial": (
        sm.render_compare,
        {**LISTS, "metrics": ["map@10", "mrr"], "test": "sign", "interval": 0.999999},
    ),
    "Kolmogorov and chi-square": (sm.render_drift, DRIFT),
}
#: Spark's own settings, which the session of tests turns off
COMPILES = {"spark.sql.codegen.wholeStage": "true", "spark.sql.codegen.factoryMode": "FALLBACK"}


@pytest.mark.slow
@pytest.mark.parametrize("tested", TESTED)
def test_each_stage_is_compiled(tested: str, spark: Any, frame: Any) -> None:
    """Spark logs an error for a stage whose code is larger than a method of Java, and runs it slowly."""
    render, facts = TESTED[tested]
    statement = render(relation="predictions", dialect="spark", **facts)
    frame.createTempView("predictions")
    before = {name: spark.conf.get(name) for name in COMPILES}
    try:
        for name, value in COMPILES.items():
            spark.conf.set(name, value)
        [(explained,)] = spark.sql(f"explain codegen {statement}").collect()
    finally:
        for name, value in before.items():
            spark.conf.set(name, value)
        spark.catalog.dropTempView("predictions")
    sizes = [int(size) for size in re.findall(r"maxMethodCodeSize:(-?\d+)", explained)]
    assert len(sizes) > 10
    assert sizes.count(-1) == 0, "not compiled"


@pytest.mark.parametrize("column", READ)
def test_a_nan_in_a_folder_that_spark_wrote(column: str, spark: Any, tmp_path: Path) -> None:
    """DuckDB reads the files, whose statistics leave the NaN out; Spark itself sees it, too."""
    frame = spark.createDataFrame(rows(**{column: math.nan}))
    for partitions in ([], ["day"]):
        folder = tmp_path / f"of {len(partitions)}"
        frame.write.partitionBy(*partitions).parquet(str(folder))
        refused(folder, column)
    if column == "s":
        message = told(sm.evaluate, spark.read.parquet(str(tmp_path / "of 1")), "auc", **PREDICTED)
        assert message.startswith("1 of 400 rows have a NULL, NaN or infinite score")
