"""The statements of every dialect: sqlglot parses them, some are kept as they were, and Redshift's run on PostgreSQL.

For an engine that is not to be had this is all that is checked. Kept are the statements of DuckDB, and of each other
dialect how its statement differs from that. `pytest --snapshots` renews these texts.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable

import pytest

import sqlmetrics as sm
from sqlmetrics.book.templates import dialects, sql_files
from support.calls import CALLS, statement
from support.conformance import mismatches, named, named_cases
from support.engines import Engine, NoEngineError
from support.paths import TESTS
from support.statements import parse

SNAPSHOTS = TESTS / "snapshots"
#: Calls that are short enough to be kept.
KEPT = ["counted levels", "each item once", "class report"]
#: What Redshift cannot say.
REFUSED_BY_REDSHIFT = {
    "weighted rows of models", "lists", "lists of a truth", "items", "scored classes", "per group",
    "intervals of rows in lists", "classes with scores in columns", "classes with scores in an array",
    "weights of items", "weights of lists", "labels that are texts", "intervals of average precision",
    "models compared by average precision", "models compared by average precision of lists",
    "models ranked", "slices in which models of one column differ", "soft labels", "spreads over lists",
    "calibration of classes in columns",
}  # fmt: skip


@pytest.mark.slow
def test_what_redshift_cannot_say_is_refused() -> None:
    for call in CALLS:
        if call in REFUSED_BY_REDSHIFT:
            with pytest.raises(
                sm.SqlMetricsError, match=r"^redshift cannot say |no formula for its standard error"
            ):
                statement(call, "redshift")
        else:
            statement(call, "redshift")


@pytest.mark.parametrize("dialect", dialects())
def test_what_is_no_query_of_a_dialect_is_not_kept(dialect: str) -> None:
    """`make statements` parses what it keeps; test_statements.py holds that nothing else is rendered."""
    errors = pytest.importorskip("sqlglot.errors")
    parse(statement("counted levels", dialect), dialect)
    for text in ("select a from (select b", "select a b c from t", "vacuum t", "select 1; select 2"):
        with pytest.raises((ValueError, errors.SqlglotError)):
            parse(text, dialect)


def test_no_column_has_the_name_of_its_relation() -> None:
    pytest.importorskip("sqlglot")
    with pytest.raises(ValueError, match="the name of its relation: a"):
        parse("select b from (select a from (select 1 as a) as a) as c", "bigquery")


@pytest.mark.slow
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
    path = SNAPSHOTS / dialect / call.replace(" ", "_")
    text = statement(call, "duckdb") + "\n"
    if dialect == "duckdb":
        path = path.with_suffix(".sql")
    else:
        path = path.with_suffix(".diff")
        lines, own = text.splitlines(keepends=True), f"{statement(call, dialect)}\n".splitlines(keepends=True)
        text = "".join(difflib.unified_diff(lines, own, "duckdb", dialect, n=1))
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


@pytest.mark.slow
@pytest.mark.parametrize("name", ON_POSTGRES)
def test_redshift_on_postgres(name: str, postgres: Engine) -> None:
    case = named_cases()[name]
    facts = {
        "label": "label",
        "score": "score",
        **case.facts,
        "by": case.by,
        "truth": case.truth and "judged",
    }

    def said(metrics: dict[str, str]) -> str | None:
        try:
            return sm.render("predictions", metrics, dialect="redshift", **facts)
        except sm.SqlMetricsError as error:
            if not str(error).startswith("redshift cannot say"):
                raise
            return None

    asked = {column: notation for column, notation in named(case).items() if said({column: notation})}
    assert len(asked) > len(case.metrics) / 2
    tables = {"predictions": case.rows} | ({"judged": case.truth} if case.truth else {})
    rows = postgres.query(said(asked) or "", tables)
    assert rows
    assert list(mismatches(case, rows, asked, "redshift")) == []
