"""What an error proposes for a column, followed on the data that it is about, gives the right number on each engine."""

import re
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass, field
from typing import Any

import duckdb
import pytest

import sqlmetrics as sm

EXPRESSION = re.compile(
    r"""(?:\b(\w+)=)?(sm\.sql\((?:\"{3}.*?\"{3}|'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")\))""", re.DOTALL
)
TYPES = {bool: "boolean", int: "integer", float: "double precision", str: "varchar(20)"}


@dataclass
class Case:
    """A refused call, and the number that its advice leads to."""

    rows: dict[str, list[Any]]
    metric: str
    facts: dict[str, Any]
    right: Callable[[dict[str, list[Any]]], float]
    other: dict[str, list[Any]] = field(default_factory=dict)  #: the columns of the truth
    follow: dict[str, Any] = field(default_factory=dict)  #: what the advice says in words
    filled: str = ""  #: what takes the place of '...'
    says: str = ""


def share(rows: dict[str, list[Any]], alike: Callable[[Any, Any], bool]) -> float:
    """The share of rows whose label and prediction are alike."""
    return sum(map(alike, rows["y"], rows["p"])) / len(rows["y"])


def squared(rows: dict[str, list[Any]], number: Callable[[str], float | None], of: str = "p") -> float:
    """The mean squared error of the rows that have a number."""
    kept = [
        (number(row["y"]) if of == "y" else row["y"], number(row["p"]) if of == "p" else row["p"])
        for row in (dict(zip(rows, values, strict=True)) for values in zip(*rows.values(), strict=True))
    ]
    errors = [(y - p) ** 2 for y, p in kept if y is not None and p is not None]
    return sum(errors) / len(errors)


def reciprocal(rows: dict[str, list[Any]], truth: dict[str, list[Any]]) -> float:
    """The mean reciprocal rank: identities are the integers that they write."""
    found = []
    for group in dict.fromkeys(map(int, truth["g"])):
        listed = sorted(
            (-p, int(i)) for g, i, p in zip(rows["g"], rows["i"], rows["p"], strict=True) if int(g) == group
        )
        relevant = {int(i) for g, i in zip(truth["g"], truth["i"], strict=True) if int(g) == group}
        ranks = [rank for rank, (_, i) in enumerate(listed, 1) if i in relevant]
        found.append(1 / ranks[0] if ranks else 0)
    return sum(found) / len(found)


CLASSES = {"label": "y", "prediction": "p"}
SCORES = {"label": "y", "score": "p"}
LISTS = {"label": "y", "score": "p", "group": "g", "item": "i"}
LISTED = {"g": [7, 7, 8, 8], "i": [1, 2, 1, 3], "p": [0.5, 0.25, 0.5, 0.25]}
JUDGED = {"g": ["7", "8"], "i": [2, 1], "y": [1, 1]}

CASES = {
    "true as text": Case(
        {"y": [True, False, True], "p": ["True", "False", "False"]}, "accuracy", CLASSES,
        lambda rows: share(rows, lambda y, p: y == (p == "True")),
    ),
    "true as text in the label": Case(
        {"y": ["true", "FALSE", "true"], "p": [True, False, False]}, "accuracy", CLASSES,
        lambda rows: share(rows, lambda y, p: p == (y.lower() == "true")),
    ),
    "true as 1": Case(
        {"y": [True, False, True], "p": ["1", "0", "0"]}, "accuracy", CLASSES,
        lambda rows: share(rows, lambda y, p: y == (p == "1")),
    ),
    "true as a word": Case(
        {"y": [True, False, True], "p": ["yes", "no", "no"]}, "accuracy", CLASSES,
        lambda rows: share(rows, lambda y, p: y == (p == "yes")), filled="yes",
        says="with the text that stands for true",
    ),
    "numbers and truths": Case(
        {"y": [1, 0, 1], "p": ["True", "False", "False"]}, "accuracy", CLASSES,
        lambda rows: share(rows, lambda y, p: y == (p == "True")),
    ),
    "floats and texts": Case(
        {"y": [1.0, 0.0, 2.0, 1.0], "p": ["1", "0", "1", "1.0"]}, "accuracy", CLASSES,
        lambda rows: share(rows, lambda y, p: y == float(p)),
    ),
    "integers and texts": Case(
        {"y": [1, 0, 2, 10], "p": ["1", "0", "1", "1e1"]}, "accuracy", CLASSES,
        lambda rows: share(rows, lambda y, p: y == float(p)),
    ),
    "integers and names": Case(
        {"y": [1, 0, 2, 1], "p": ["1", "0", "other", "2"]}, "accuracy", CLASSES,
        lambda rows: share(rows, lambda y, p: str(y) == p),
    ),
    "scores as text": Case(
        {"y": [1, 0, 1], "p": ["0.75", "1e-1", "-5"]}, "mse", SCORES, lambda rows: squared(rows, float),
    ),
    "a decimal comma": Case(
        {"y": [1, 0, 1], "p": ["0,75", "1", "-0,5"]}, "mse", SCORES,
        lambda rows: squared(rows, lambda text: float(text.replace(",", "."))), says="with a decimal comma",
    ),
    "commas between thousands": Case(
        {"y": [1000, 0, 2], "p": ["1,234.5", "0.5", "2,000"]}, "mse", SCORES,
        lambda rows: squared(rows, lambda text: float(text.replace(",", ""))), says="with a comma between thousands",
    ),
    "percentages": Case(
        {"y": [1, 0, 1], "p": ["91%", "20 %", "7.5%"]}, "mse", SCORES,
        lambda rows: squared(rows, lambda text: float(text.rstrip(" %")) / 100), says="with a percent sign",
    ),
    "percentages with a decimal comma": Case(
        {"y": [1, 0, 1], "p": ["91,5 %", "20 %", "7 %"]}, "mse", SCORES,
        lambda rows: squared(rows, lambda text: float(text.rstrip(" %").replace(",", ".")) / 100),
        says="with a decimal comma and a percent sign",
    ),
    "percentages beside shares": Case(
        {"y": [1, 0, 1], "p": ["91%", "0.5", "0.25"]}, "mse", SCORES,
        lambda rows: squared(rows, lambda text: None if "%" in text else float(text)),
        follow={"on_bad_rows": "drop"}, says="makes NULL of '91%'",
    ),
    "points in a decimal comma": Case(
        {"y": [1, 0, 1], "p": ["1.5", "2.000", "0,5"]}, "mse", SCORES,
        lambda rows: squared(rows, lambda text: float(text.replace(",", "."))), says="with a decimal comma",
    ),
    "points between thousands": Case(
        {"y": [1000, 0, 2], "p": ["1.234,5", "0,5", "2.000"]}, "mse", SCORES,
        lambda rows: squared(rows, lambda text: float(text.replace(".", "").replace(",", "."))),
        says="points between thousands",
    ),
    "no number among scores": Case(
        {"y": [1, 0, 1], "p": ["0.75", "n/a", "0.5"]}, "mse", SCORES,
        lambda rows: squared(rows, lambda text: None if text == "n/a" else float(text)),
        follow={"on_bad_rows": "drop"}, says="on_bad_rows='drop' leaves out rows without a number",
    ),
    "weights as text": Case(
        {"y": [1, 1], "p": [0.5, 0.0], "w": ["3", "1"]}, "mse", {**SCORES, "weight": "w"},
        lambda rows: sum(
            float(w) * (y - p) ** 2 for y, p, w in zip(rows["y"], rows["p"], rows["w"], strict=True)
        ) / sum(map(float, rows["w"])),
    ),
    "labels as text": Case(
        {"y": ["1.5", "0,5", "3"], "p": [1.0, 0.0, 1.0]}, "mse", SCORES,
        lambda rows: squared(rows, lambda text: float(text.replace(",", ".")), "y"), says="has to be numbers; sm.sql(",
    ),
    "labels as text of 0 and 1": Case(
        {"y": ["1", "0", "1,0"], "p": [0.75, 0.5, 0.25]}, "brier", SCORES,
        lambda rows: squared(rows, lambda text: float(text.replace(",", ".")), "y"),
        says=", or labels that are numbers; sm.sql(",
    ),
    "a text for positive": Case(
        {"y": ["yes", "no", "yes"], "p": [0.75, 0.5, 0.25]}, "brier", SCORES,
        lambda rows: squared(rows, lambda text: float(text == "yes"), "y"), follow={"positive": "yes"},
        says="pass positive='yes', the text of a positive row; every other text, such as 'no', is then negative",
    ),
    "true beside 0": Case(
        {"y": ["true", "0", "1", "False"], "p": [0.75, 0.5, 0.25, 1]}, "brier", SCORES,
        lambda rows: squared(rows, lambda text: float(text in ("true", "1")), "y"), says="is text; ",
    ),
    "groups of integers and texts": Case(
        LISTED, "mrr", LISTS, lambda rows: reciprocal(rows, JUDGED), other=JUDGED,
    ),
    "groups of floats and texts": Case(
        {**LISTED, "g": [7.0, 7.0, 8.0, 8.0]}, "mrr", LISTS, lambda rows: reciprocal(rows, JUDGED), other=JUDGED,
    ),
    "groups with zeros in front": Case(
        LISTED, "mrr", LISTS, lambda rows: reciprocal(rows, JUDGED), other={**JUDGED, "g": ["007", "8"]},
    ),
    "items of texts and floats": Case(
        {**LISTED, "i": ["1", "2", "1", "3"]}, "mrr", LISTS,
        lambda rows: reciprocal(rows, JUDGED), other={**JUDGED, "g": [7, 8], "i": [2.0, 1.0]},
    ),
}  # fmt: skip


def table(connection: Any, name: str, columns: dict[str, list[Any]]) -> None:
    """Makes a table on a connection."""
    mark = "%s" if "psycopg" in type(connection).__module__ else "?"
    types = ", ".join(f"{column} {TYPES[type(values[0])]}" for column, values in columns.items())
    # a cursor of DuckDB has temporary tables of its own
    cursor = connection if isinstance(connection, duckdb.DuckDBPyConnection) else connection.cursor()
    cursor.execute(f"create temp table {name} ({types})")
    marks = ", ".join([mark] * len(columns))
    cursor.executemany(f"insert into {name} values ({marks})", list(zip(*columns.values(), strict=True)))


@pytest.fixture(params=["duckdb", "sqlite", "postgres"])
def at(request: pytest.FixtureRequest) -> Iterator[Any]:
    if request.param == "postgres":
        yield request.getfixturevalue("psycopg")
        return
    with closing(sqlite3.connect(":memory:") if request.param == "sqlite" else duckdb.connect()) as opened:
        yield opened


def followed(call: Callable[..., Any], facts: dict[str, Any], case: Case) -> Any:
    """The result of a call with what its errors propose, one after the other."""
    refused: list[str] = []
    while True:
        try:
            return call(**facts)
        except sm.SqlMetricsError as error:
            assert len(refused) < 3, refused  # advice for a column is given once for each
            refused.append(str(error))
        if not case.says or case.says in refused[0]:
            facts = {**facts, **case.follow}
        for role, text in EXPRESSION.findall(refused[-1]):
            named = re.search(r"\((\w+)=\)", refused[-1])
            role = role or (named[1] if named else "label")
            facts = {**facts, role: eval(text.replace("...", case.filled or "..."), {"sm": sm})}


@pytest.mark.parametrize("name", CASES)
def test_advice(name: str, at: Any) -> None:
    case = CASES[name]
    table(at, "rows_of_case", case.rows)
    facts = {**case.facts, "connection": at}
    if case.other:
        table(at, "truth_of_case", case.other)
        facts["truth"] = "truth_of_case"

    def call(**facts: Any) -> Any:
        return sm.evaluate("rows_of_case", {"value": case.metric}, **facts)

    with pytest.raises(sm.SqlMetricsError, match=re.escape(case.says) or None):
        call(**facts)
    assert followed(call, facts, case).value("value") == pytest.approx(case.right(case.rows))


@pytest.mark.parametrize("columns", [("y", "p"), ("p", "y")])
def test_booleans_beside_0_and_1_need_no_advice(columns: tuple[str, str], at: Any) -> None:
    rows: dict[str, list[Any]] = {"y": [1, 0, 1], "p": [True, False, False]}
    table(at, "rows_of_case", rows)
    facts = dict(zip(("label", "prediction"), columns, strict=True))
    found = sm.evaluate("rows_of_case", "accuracy", **facts, connection=at).value("accuracy")
    assert found == pytest.approx(share(rows, lambda y, p: y == int(p)))
