"""Turns the user's facts about the data into arguments of macros: columns are looked up and become SQL."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from sqlmetrics.book.conventions import check_convention
from sqlmetrics.book.templates import macros
from sqlmetrics.engines import session as session_on
from sqlmetrics.engines.protocol import Relation, Session
from sqlmetrics.errors import SqlMetricsError
from sqlmetrics.given.advice import expression
from sqlmetrics.given.columns import (
    AnyColumns,
    Columns,
    as_list,
    is_list,
    is_no_number,
    is_text,
    named_columns,
    sql,
    texts_in,
)
from sqlmetrics.given.conditions import check_condition
from sqlmetrics.given.labels import BINARY, Labels
from sqlmetrics.given.opened import Opened
from sqlmetrics.given.reads import Reads
from sqlmetrics.given.tables import joined, tables_of_items
from sqlmetrics.given.zones import expressions_in, zone_of
from sqlmetrics.options import Options, is_array


@contextmanager
def opened(
    data: Any,
    options: Options,
    *,
    reads: Reads,
    called: Mapping[str, str] | None = None,
    other: Any = None,
) -> Iterator[Opened]:
    """Opens data within a `with` block.

    Args:
        data: as for `evaluate`.
        options: the options of the call.
        reads: the columns that are read of each table.
        called: the names of the caller's arguments for label and prediction, for messages.
        other: the data of all models but the first, if not `data`.

    Raises:
        SqlMetricsError: data that cannot be opened; a missing column, or one of the wrong type.
    """
    if options.on_bad_rows not in ("error", "drop"):
        raise SqlMetricsError(f"on_bad_rows must be 'error' or 'drop', got {options.on_bad_rows!r}")
    label, score, group, item = options.label, options.score, options.group, options.item
    truth, prediction = options.truth, options.prediction
    by = named_columns(options.by, "by")
    roles = (options.by, label, score, group, item, prediction, options.weight, options.class_scores)
    called = {"label": "label", "prediction": "prediction"} | dict(called or {})
    with session_on(options.connection, options.dialect, data) as session:
        relation = session.open(data, "data", reads)
        columns = known = session.columns(relation)
        judged = None
        if truth is not None:
            judged = session.open(truth, "truth", reads)
            known = session.columns(judged)
            options = joined(options, columns, known, "group", "item")
        options, items = tables_of_items(session, columns, options, reads)
        check_condition(session, relation, options.where)
        second = None
        if other is not None:
            second = replace(session.open(other, "other", reads), name="other=")
            options = joined(options, columns, session.columns(second), "group", "item")
        group, item = options.group, options.item
        in_truth = [column for _, column in by if truth is not None and column in known]

        def home(column: str) -> Columns:
            return known if column in in_truth else columns

        facts = {
            **options.as_they_are(),
            **_lists(columns, score if other is None else None, group, item),
            **_labels(known, options, called["label"]),
            **items,
            "relation": relation.text,
            "read_once": relation.read_once,
            "truth": judged and judged.text,
            "truth_by": [known.text(name, "by") for name in in_truth],
            "subtopic": None if options.subtopic is None else known.single(options.subtopic, "subtopic"),
            "prediction": _column(columns, prediction, called["prediction"]),
            "class_scores": _class_scores(
                columns, _with_classes(session, relation, columns, options.class_scores)
            ),
            "by": _slices(columns, [(name, home(column).text(column, "by")) for name, column in by]),
            "convention": check_convention(options.convention),
            "columns": known,
            "examples": True,
            "rank_of_score": _rank_of_score(columns, [score] if other is None else []),
            "zone": zone_of(session, relation, columns, [options.where, *expressions_in(roles)]),
        }
        if second is not None:
            read = {"group": group, "item": item}
            read |= {} if truth is not None else {"label": label, "weight": options.weight}
            both = [*read.items(), *(("by", column) for _, column in by if column not in in_truth)]
            facts["score"], shared = _in_two_tables(session, columns, second, score, both, options.where)
            first, *rest = texts_in(score)
            facts["rank_of_score"] = _rank_of_score(columns, [first]) or _rank_of_score(
                session.columns(second), rest
            )
            facts["columns"] = known = shared if truth is None else known
        kinds = {"label": known.kind(label), "prediction": columns.kind(prediction)}
        facts |= in_numbers(columns, kinds, {role: facts[role] for role in kinds})
        if {*kinds.values()} == BINARY:
            facts["beside_booleans"] = "label" if kinds["label"] == "a number" else "prediction"
        if truth is None and label is not None and prediction is not None:
            kinds = _with_expressions(
                session, relation, kinds, {"label": label, "prediction": prediction}, facts
            )
        labels = Labels(
            label,
            kinds["label"],
            prediction,
            kinds["prediction"],
            options.positive,
            bool(options.class_scores),
            known,
            called,
        )
        booleans = [name for name, column in by if home(column).kind(column) == "a boolean"]
        yield Opened(session, relation, reads, [name for name, _ in by], facts, labels, booleans)


def _with_expressions(
    session: Session, relation: Relation, kinds: dict[str, str], roles: dict[str, str], facts: dict[str, Any]
) -> dict[str, str]:
    """The kinds of label and prediction, with those of expressions if one of the two is text and the other is not.

    Engines that compare these cast one: 'yes' equals true, and is a class of its own elsewhere in the statement.
    """
    if not any(isinstance(column, sql) for column in roles.values()):
        return kinds
    texts = {f"sm_{role}": facts[role] for role in roles}
    tried = str(macros(session.dialect)["tried_expressions"](relation.text, texts)).strip()
    try:
        found = session.columns(Relation(tried, relation.name))
    except SqlMetricsError:  # the statement says it
        return kinds
    told = {role: found.kind(f"sm_{role}") for role in roles}
    return told if len({*told.values()} - {""}) > 1 and "text" in told.values() else kinds


def named_facts(relation: str, options: Options) -> dict[str, Any]:
    """The arguments of the macro `facts` for a relation that need not exist: names are quoted, not looked up.

    Raises:
        SqlMetricsError: no relation; a table that is not text; a column of `truth_by` that is not in `by`.
    """
    tables: dict[str, str | None] = {"relation": named_table(relation, "relation")}
    for role in ("truth", "catalog", "history", "distances"):
        table = getattr(options, role)
        tables[role] = table if table is None else named_table(table, role)
    columns = AnyColumns(macros(str(options.dialect)))
    by, in_truth = named_columns(options.by, "by"), as_list(options.truth_by, "truth_by")
    for name in in_truth:
        if name not in [each for each, _ in by]:
            raise SqlMetricsError(f"truth_by= names those of by= that the truth has, got {name!r}")
    return {
        **options.as_they_are(),
        **_lists(columns, options.score, options.group, options.item),
        "label": _column(columns, options.label, "label"),
        "weight": _column(columns, options.weight, "weight"),
        "subtopic": _column(columns, options.subtopic, "subtopic"),
        "prediction": _column(columns, options.prediction, "prediction"),
        "class_scores": _class_scores(columns, options.class_scores),
        "category": _column(columns, options.category, "category"),
        **tables,
        "truth_by": [columns.text(column, "truth_by") for name, column in by if name in in_truth],
        "by": _slices(columns, [(name, columns.text(column, "by")) for name, column in by]),
        "convention": check_convention(options.convention),
        "columns": columns,
    }


def named_table(table: Any, role: str) -> str:
    """A table name or a query, without the semicolon that ends it, since it becomes a part of a statement.

    Raises:
        SqlMetricsError: neither.
    """
    if not (isinstance(table, str) and table.strip()):
        raise SqlMetricsError(f"{role} takes a table name or a query, got {table!r}")
    return table.rstrip("; \t\r\n")


def in_numbers(columns: Columns, kinds: Mapping[str, str], texts: Mapping[str, Any]) -> dict[str, Any]:
    """The SQL of labels and predictions, booleans as 0 and 1 if others of them are numbers.

    Args:
        columns: of their table.
        kinds: the kind of each, from `Columns.kind`.
        texts: the SQL of each.
    """
    cast = columns.words["sql_short_integer"] if {*kinds.values()} >= BINARY else str
    return {role: str(cast(text)) if kinds[role] == "a boolean" else text for role, text in texts.items()}


def _column(columns: Columns, column: str | None, role: str) -> str | None:
    """A column as SQL, or None."""
    return None if column is None else columns.text(column, role)


def _class_scores(columns: Columns, class_scores: Any) -> Any:
    """The scores of classes as SQL. The macro refuses what is no mapping."""
    if not isinstance(class_scores, Mapping):
        return class_scores
    if is_array(class_scores):
        array, classes = columns.array(class_scores["column"], "class_scores"), class_scores["classes"]
        return {"column": array, "classes": [*classes]}
    return {name: columns.number(column, "class_scores") for name, column in class_scores.items()}


def _with_classes(session: Session, relation: Relation, columns: Columns, class_scores: Any) -> Any:
    """A column of arrays with the classes of its elements: 0, 1, 2 ... to the length of the longest."""
    if not isinstance(class_scores, str):
        return class_scores
    array = columns.array(class_scores, "class_scores")
    query = str(macros(session.dialect)["most_classes"](relation.text, array))
    most = session.query(query, relation.name).column(0)[0].as_py()
    if most is None:
        raise SqlMetricsError(f"Column '{class_scores}' (class_scores=) of {columns.where} has no array")
    return {"column": class_scores, "classes": [*range(int(most))]}


def _lists(columns: Columns, score: Any, group: Any, item: Any) -> dict[str, Any]:
    """The score, group and item as SQL."""
    scores: Any = None
    if isinstance(score, Mapping):
        scores = {}
        for model, column in score.items():
            if str(model) in scores:
                raise SqlMetricsError(f"Two models are named '{model}'; names of models are compared as text")
            scores[str(model)] = columns.number(column, "score")
    elif score is not None:
        scores = columns.number(score, "score")
    return {
        "score": scores,
        "group": _column(columns, group, "group"),
        "item": None if item is None else columns.single(item, "item"),
    }


def _rank_of_score(columns: Columns, scores: Any) -> str | None:
    """What can be written in place of the first of the scores that a float may round: its rank, as an expression."""
    for column in texts_in(scores):
        if columns.may_be_rounded(column):
            return expression(f"dense_rank() over (order by {columns[column]})")
    return None


def _in_two_tables(
    session: Session,
    columns: Columns,
    second: Relation,
    score: Any,
    both: list[tuple[str, str | None]],
    where: str | None,
) -> tuple[dict[str, Any], Columns]:
    """The scores of the baseline in one table and the candidates in another, and the columns of both tables."""
    others = session.columns(second)
    check_condition(session, second, where)
    for role, name in both:
        if name is not None:
            columns.check_same(others, name, role)
    (baseline, first), *candidates = score.items()
    scores: dict[str, Any] = {baseline: columns.number(first, "baseline")}
    for model, column in candidates:
        own = {"relation": second.text, "read_once": second.read_once}
        scores[str(model)] = {"sql": others.number(column, "candidate"), **own}
    return scores, columns.shared(others)


def _slices(columns: Columns, by: list[tuple[str, str]]) -> list[dict[str, str]]:
    """The columns of `by` as SQL, with their names in the result."""
    return [{"sql": text, "name": str(name), "alias": columns.alias(str(name))} for name, text in by]


def _labels(columns: Columns, options: Options, called: str) -> dict[str, Any]:
    """The label and weight as SQL, and the facts that depend on the label's type."""
    label, positive, max_grade = options.label, options.positive, options.max_grade
    text = _column(columns, label, called)
    kind = columns.type_of(label)
    textual = is_text(kind)
    numeric = bool(kind) and not (textual or is_list(kind) or is_no_number(kind))
    if isinstance(positive, str) and numeric:
        instead = "leave it out, true is positive" if kind.startswith("BOOL") else "pass a number"
        raise SqlMetricsError(
            f"positive={positive!r} is text, but label column '{label}' is {kind}; {instead}"
        )
    return {
        "label": text,
        "weight": None if options.weight is None else columns.number(options.weight, "weight"),
        "max_grade": 1 if max_grade is None and (kind.startswith("BOOL") or textual) else max_grade,
        "positive": positive,
    }
