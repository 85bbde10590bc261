"""What `render_compare`, `render_per_group`, `render_class_report` and `render_confusion_matrix` write, on engines."""

from __future__ import annotations

from typing import Any

import pytest

import sqlmetrics as sm
from sqlmetrics.book.templates import macros
from support.engines import Engine, Rows

ROWS: Rows = [
    {"country": land, "u": f"{land}{i % 5}", "y": i * 7 % 5 // 3, "p": i * 3 % 4 // 2, "a": i / 20,
     "b": i * 7 % 20 / 20}
    for land in ("DE", "FR") for i in range(20)
]  # fmt: skip
OTHERS: Rows = [{**row, "b": row["b"] / 2} for row in ROWS]
TRUTH: Rows = [
    {"country": row["country"], "u": row["u"], "i": index, "y": row["y"]} for index, row in enumerate(ROWS)
]
LISTED: Rows = [{**row, "i": index} for index, row in enumerate(ROWS)]


def shown(engine: Engine, statement: str, **tables: Rows) -> Rows:
    """What a statement gives, with the names of columns in lower case."""
    rows = engine.query(statement, tables)
    return [{name.lower(): value for name, value in row.items()} for row in rows]


def same(rows: Rows, expected: Rows) -> None:
    """The columns of a result of Python; the statement has the audit counts besides."""
    assert len(rows) == len(expected) > 0
    for row, other in zip(rows, expected, strict=True):
        for name, value in other.items():
            near = pytest.approx(value, rel=1e-9) if isinstance(value, float) else value
            assert row[name] == near, (name, row, other)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("metrics", "further"),
    [
        (["mrr", "ndcg@3"], {"group": "u"}),
        (
            ["mrr"],
            {"group": "u", "candidate": {"new": "b", "third": "p"}, "correction": "holm", "test": "sign"},
        ),
        (["rmse", "auc"], {}),
    ],
    ids=["lists", "several", "rows"],
)
def test_compare(engine: Engine, metrics: list[str], further: dict[str, Any]) -> None:
    facts = {"baseline": "a", "candidate": "b", "label": "y", "by": "country", **further}
    statement = sm.render_compare("t", metrics, dialect=engine.dialect, **facts)
    same(shown(engine, statement, t=ROWS), sm.compare(ROWS, metrics, **facts).to_dicts())


@pytest.mark.slow
@pytest.mark.parametrize("paired", [True, False])
def test_compare_of_two_tables(engine: Engine, paired: bool) -> None:
    facts = {"baseline": "b", "candidate": "b", "label": "y", "group": "u", "paired": paired}
    statement = sm.render_compare("t", "mrr", other="t2", dialect=engine.dialect, **facts)
    expected = sm.compare(ROWS, "mrr", other=OTHERS, **facts).to_dicts()
    same(shown(engine, statement, t=ROWS, t2=OTHERS), expected)


@pytest.mark.slow
def test_per_group(engine: Engine) -> None:
    facts = {"label": "y", "score": {"new": "a", "old": "b"}, "group": "u", "by": "country"}
    statement = sm.render_per_group("t", ["mrr", "ndcg@3"], dialect=engine.dialect, **facts)
    same(shown(engine, statement, t=ROWS), sm.per_group(ROWS, ["mrr", "ndcg@3"], **facts).to_dicts())


def test_per_group_with_a_truth(engine: Engine) -> None:
    facts = {"label": "y", "score": "a", "group": "u", "item": "i", "by": "country"}
    statement = sm.render_per_group(
        "t", "ndcg@3", truth="judged", truth_by="country", dialect=engine.dialect, **facts
    )
    listed, judged = LISTED[::2], TRUTH
    expected = sm.per_group(listed, "ndcg@3", truth=judged, **facts).to_dicts()
    same(shown(engine, statement, t=listed, judged=judged), expected)


@pytest.mark.parametrize("name", ["class_report", "confusion_matrix"])
def test_tables_of_classes(engine: Engine, name: str) -> None:
    facts = {"label": "y", "prediction": "p", "by": "country"}
    statement = getattr(sm, f"render_{name}")("t", dialect=engine.dialect, **facts)
    same(shown(engine, statement, t=ROWS), getattr(sm, name)(ROWS, **facts).to_dicts())


@pytest.mark.parametrize("dialect", ["duckdb", "postgres", "sqlite"])
def test_statements_are_those_of_the_macros(dialect: str) -> None:
    """Python quotes names, which is all that it adds."""
    quoted = macros(dialect).sql_quote
    compared = sm.render_compare(
        "t", "mrr", baseline="A b", candidate="c", label="y", group="u", dialect=dialect
    )
    assert quoted("A b") in compared
    assert f"'{'A b'}'" in compared
    matrix = macros(dialect).confusion_matrix("t", label=quoted("y"), prediction=quoted("p"))
    assert sm.render_confusion_matrix("t", label="y", prediction="p", dialect=dialect) == matrix
    lists = macros(dialect).per_group("t", "mrr", label=quoted("y"), score=quoted("s"), group=quoted("u"))
    assert sm.render_per_group("t", "mrr", label="y", score="s", group="u", dialect=dialect) == lists


def test_mistakes() -> None:
    def refused(function: Any, *words: Any, **facts: Any) -> str:
        with pytest.raises(sm.SqlMetricsError) as error:
            function(*words, **facts)
        return str(error.value)

    models = {"baseline": "a", "candidate": "a", "label": "y"}
    assert "is the column of the baseline" in refused(sm.render_compare, "t", "rmse", **models)
    assert "Did you mean 'rmse'" in refused(sm.render_compare, "t", "rmsee", **{**models, "candidate": "b"})
    assert "Unknown dialect" in refused(
        sm.render_class_report, "t", label="y", prediction="p", dialect="duck"
    )
    assert "takes metrics of lists" in refused(
        sm.render_per_group, "t", "rmse", label="y", score="s", group="u"
    )
    assert "relation takes a table name" in refused(
        sm.render_confusion_matrix, None, label="y", prediction="p"
    )
