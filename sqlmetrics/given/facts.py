"""Turns the user's facts about the data into arguments of macros: columns are looked up and become SQL."""

from __future__ import annotations

import re
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
    is_key,
    is_list,
    is_no_number,
    is_text,
    named_columns,
    sql,
    texts_in,
)
from sqlmetrics.given.conditions import check_condition
from sqlmetrics.given.facts_of_state import refuse_roles
from sqlmetrics.given.labels import BINARY, Labels
from sqlmetrics.given.models import Choose, of_rows, of_tables, tables_in
from sqlmetrics.given.opened import Opened
from sqlmetrics.given.reads import Reads
from sqlmetrics.given.tables import joined, tables_of_items
from sqlmetrics.given.zones import expressions_in, zone_of
from sqlmetrics.options import Options, column_of_models, is_array

PATH = re.compile(r"[^\s'\"`(\[]*[/\\][^\s'\"`)\]]*")  #: no name and no query


@contextmanager
def opened(
    data: Any,
    options: Options,
    *,
    reads: Reads,
    called: Mapping[str, str] | None = None,
    other: Any = None,
    choose: Choose | None = None,
) -> Iterator[Opened]:
    """Opens data within a `with` block.

    Args:
        data: as for `evaluate`, or a table for each model by its name.
        options: the options of the call.
        reads: the columns that are read of each table.
        called: the names of the caller's arguments for label and prediction, for messages.
        other: the data of all models but the first, if not `data`.
        choose: takes the scores of the models that the data name, and gives those of the call in its order.

    Raises:
        SqlMetricsError: data that cannot be opened; a missing column, or one of the wrong type.
    """
    if options.on_bad_rows not in ("error", "drop"):
        raise SqlMetricsError(f"on_bad_rows must be 'error' or 'drop', got {options.on_bad_rows!r}")
    tables = tables_in(data)
    if tables:
        options, data = of_tables(options, tables, choose)
    label, group, item = options.label, options.group, options.item
    truth, prediction = options.truth, options.prediction
    by = named_columns(options.by, "by")
    roles = (options.by, label, options.score, group, item, prediction, options.weight, options.class_scores)
    called = {"label": "label", "prediction": "prediction"} | dict(called or {})
    with session_on(options.connection, options.dialect, data) as session:
        relation = session.open(data, "data", reads)
        columns = known = session.columns(relation)
        refuse_roles(columns, options)
        judged, of_models = None, None
        if options.models is not None:
            options, of_models = of_rows(session, relation, columns, options, choose)
        score = options.score
        if truth is not None:
            judged = session.open(truth, "truth", reads)
            known = session.columns(judged)
            options = joined(options, columns, known, "group", "item")
        options, items = tables_of_items(session, columns, options, reads)
        check_condition(session, relation, options.where)
        others = _others(session, score, tables, other, reads)
        for table in others.values():
            options = joined(options, columns, session.columns(table), "group", "item")
        group, item = options.group, options.item
        in_truth = [column for _, column in by if truth is not None and column in known]

        def home(column: str) -> Columns:
            return known if column in in_truth else columns

        facts = {
            **options.as_they_are(),
            **_lists(columns, None if others else score, group, item),
            **_labels(known, options, called["label"]),
            **items,
            "relation": relation.text,
            "read_once": relation.read_once,
            "models": of_models,
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
            "rank_of_score": _rank_of(columns, [] if others else [score]),
            "rank_of_label": _rank_of(known, [label]),
            "zone": zone_of(session, relation, columns, [options.where, *expressions_in(roles)]),
        }
        if others:
            read = {"item": item, "prediction": prediction}
            read |= {} if truth is not None else {"label": label, "weight": options.weight}
            both = [*read.items(), *(("group", column) for column in _columns_of_key(group))]
            both += [("by", column) for _, column in by if column not in in_truth]
            said = ("score", "score") if other is None else ("baseline", "candidate")
            own, shared = _in_tables(session, columns, others, score, both, options.where, said)
            known = shared if truth is None else known
            facts |= {**own, "columns": known}
        kinds = {"label": known.kind(label), "prediction": columns.kind(prediction)}
        facts |= _gold(columns, options)
        labels_of = kinds | ({} if options.gold is None else {"gold": columns.kind(options.gold)})
        facts |= in_numbers(columns, labels_of, {role: facts[role] for role in labels_of})
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


def named_facts(
    relation: str | Mapping[str, str], options: Options, choose: Choose | None = None
) -> dict[str, Any]:
    """The arguments of the macro `facts` for a relation that need not exist: names are quoted, not looked up.

    Args:
        relation: a table or a query, or one for each model by its name.
        options: the options of the call.
        choose: as for `opened`.

    Raises:
        SqlMetricsError: no relation; a table that is not text; a column of `truth_by` that is not in `by`.
    """
    tables: dict[str, Any] = {
        "relation": {name: named_table(table, "relation") for name, table in relation.items()}
        if isinstance(relation, Mapping)
        else named_table(relation, "relation")
    }
    for role in ("truth", "catalog", "history", "distances"):
        table = getattr(options, role)
        tables[role] = table if table is None else named_table(table, role)
    columns = AnyColumns(macros(str(options.dialect)))
    model = column_of_models(options.models)
    if isinstance(options.models, str):
        raise SqlMetricsError(
            f"A statement is written before its rows are known; name the models, models={{{model!r}: ['a', 'b']}}"
        )
    score = columns.words["named_scores"](options.score, options.models, tables["relation"])
    score = choose(score) if choose else score
    by, in_truth = named_columns(options.by, "by"), as_list(options.truth_by, "truth_by")
    for name in in_truth:
        if name not in [each for each, _ in by]:
            raise SqlMetricsError(f"truth_by= names those of by= that the truth has, got {name!r}")
    return {
        **options.as_they_are(),
        **_lists(columns, score, options.group, options.item),
        "label": _column(columns, options.label, "label"),
        "weight": _column(columns, options.weight, "weight"),
        "subtopic": _column(columns, options.subtopic, "subtopic"),
        **_gold(columns, options),
        "prediction": _column(columns, options.prediction, "prediction"),
        "class_scores": _class_scores(columns, options.class_scores),
        "category": _column(columns, options.category, "category"),
        **tables,
        "truth_by": [columns.text(column, "truth_by") for name, column in by if name in in_truth],
        "by": _slices(columns, [(name, columns.text(column, "by")) for name, column in by]),
        "convention": check_convention(options.convention),
        "models": options.models and {_text_of(columns, model): next(iter(options.models.values()))},
        "columns": columns,
    }


def _text_of(columns: Columns, column: str) -> str:
    """The name of the model of a row, as SQL of a relation whose types are not known."""
    return str(columns.words["sql_bytes"](columns.text(column, "models")))


def named_table(table: Any, role: str) -> str:
    """A table name or a query, without the semicolon that ends it, since it becomes a part of a statement.

    Raises:
        SqlMetricsError: neither.
    """
    if not (isinstance(table, str) and table.strip()):
        raise SqlMetricsError(f"{role} takes a table name or a query, got {table!r}")
    if PATH.fullmatch(table.strip()):
        raise SqlMetricsError(
            f"{role} is put into the statement as it stands, and a path is no name of SQL; in quotes it is one of"
            f" DuckDB: {role} '{table.strip()}', the quotes included"
        )
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


def _gold(columns: Columns, options: Options) -> dict[str, str | None]:
    """The label by people, and its weight, as SQL.

    Raises:
        SqlMetricsError: it is the label of the machine, or of another kind.
    """
    weight = None if options.gold_weight is None else columns.number(options.gold_weight, "gold_weight")
    if options.gold is None:
        return {"gold": None, "gold_weight": weight}
    text = columns.text(options.gold, "gold")
    if options.gold == options.label:
        raise SqlMetricsError(
            f"gold='{options.gold}' is label= again; label= takes the labels of a machine, on all rows, and gold= those"
            " of people, NULL where they gave none"
        )
    kinds = {"label": columns.kind(options.label), "gold": columns.kind(options.gold)}
    if all(kinds.values()) and kinds["label"] != kinds["gold"] and {*kinds.values()} != BINARY:
        raise SqlMetricsError(
            f"gold column '{options.gold}' is {kinds['gold']} and label column '{options.label}' is {kinds['label']};"
            " people and the machine label in one form"
        )
    return {"gold": text, "gold_weight": weight}


def _key(columns: Columns, group: Any) -> Any:
    """The column of a key as SQL, or those of which it is made."""
    if is_key(group):
        return [columns.text(column, "group") for column in group]
    return _column(columns, group, "group")


def _columns_of_key(group: Any) -> list[Any]:
    return list(group) if is_key(group) else [group]


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
            scores[str(model)] = _number(columns, column, "score")
    elif score is not None:
        scores = columns.number(score, "score")
    return {
        "score": scores,
        "group": _key(columns, group),
        "item": None if item is None else columns.single(item, "item"),
    }


def _rank_of(columns: Columns, numbers: Any) -> str | None:
    """What can be written in place of the first of the columns that a float may round: its rank, as an expression."""
    for column in texts_in(numbers):
        if columns.may_be_rounded(column):
            return expression(f"dense_rank() over (order by {columns[column]})")
    return None


def _others(
    session: Session, score: Any, tables: Mapping[str, Any], other: Any, reads: Reads
) -> dict[str, Relation]:
    """The relations of models that do not share the table of the first, by their names."""
    if other is not None:
        return dict.fromkeys([*score][1:], replace(session.open(other, "other", reads), name="other="))
    return {
        name: replace(session.open(tables[name], f"table_{number}", reads), name=f"the table of '{name}'")
        for number, name in enumerate(score if tables else ())
        if number
    }


def _in_tables(
    session: Session,
    columns: Columns,
    others: Mapping[str, Relation],
    score: Any,
    both: list[tuple[str, str | None]],
    where: str | None,
    said: tuple[str, str],
) -> tuple[dict[str, Any], Columns]:
    """The facts about the scores of models in tables of their own, and the columns that all tables have.

    Args:
        others: the relations of the models but the first.
        both: the roles and columns that all tables have to have, of one kind.
        said: the options that name the score of the first model and of the others, for messages.
    """
    (first, column), *_ = score.items()
    scores: dict[str, Any] = {first: _number(columns, column, said[0])}
    rank, shared = _rank_of(columns, [column]), columns
    for model, table in others.items():
        own = session.columns(table)
        check_condition(session, table, where)
        for role, name in both:
            if name is not None:
                columns.check_same(own, name, role)
        number = _number(own, score[model], said[1])
        scores[str(model)] = {"sql": number, "relation": table.text, "read_once": table.read_once}
        rank = rank or _rank_of(own, [score[model]])
        shared = shared.shared(own)
    return {"score": scores, "rank_of_score": rank}, shared


def _number(columns: Columns, column: Any, role: str) -> str | None:
    """A column of scores as SQL; none where models have predictions instead."""
    return None if column is None else columns.number(column, role)


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
