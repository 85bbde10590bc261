"""What the user says of the data, as the macros take it: roles become SQL, after a look at the columns."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from sqlmetrics.columns import TEXT, AnyColumns, Columns, as_list, is_no_number
from sqlmetrics.conventions import check_convention
from sqlmetrics.engines import session as session_on
from sqlmetrics.errors import SqlMetricsError
from sqlmetrics.items import tables_of_items
from sqlmetrics.options import Options, Score
from sqlmetrics.plan import Plan, Statement, planned, written
from sqlmetrics.results.types import typed
from sqlmetrics.templates import macros

if TYPE_CHECKING:
    import pyarrow as pa

    from sqlmetrics.engines.protocol import Relation, Session

CLASSES = ("text", "a number", "a boolean")  #: kinds of columns of which one cannot be compared with another


@dataclass(frozen=True)
class Labels:
    """What the columns of label and prediction hold: text, a number, a boolean, another type, or what is not known."""

    label: str | None
    kind: str
    prediction: str | None
    predicted: str
    positive: float | str | None
    columns: Columns  #: those of the label

    def booleans(self, statement: Statement) -> list[str]:
        """The result columns that hold them, where they are booleans."""
        kinds = {"label": self.kind, "prediction": self.predicted}
        return [column.name for column in statement.results if column.of and kinds[column.of] == "a boolean"]

    def check(self, plan: Plan) -> None:
        """Refuses what a plan asks of a label that is not of that kind."""
        label, text = f"Label column '{self.label}'", self.kind == "text"
        kinds = {self.kind, self.predicted} - {""}
        if len(kinds) > 1 and kinds & {*CLASSES} and not plan.unlike_classes:
            common = "sql_short_integer" if kinds == {"a number", "a boolean"} else "sql_string"
            cast_prediction = text or self.predicted == "a boolean"
            role, name = ("prediction", self.prediction) if cast_prediction else ("label", self.label)
            raise SqlMetricsError(
                f"{label} is {self.kind} and prediction column '{self.prediction}' is {self.predicted},"
                f" which cannot be compared; write {role}={self.columns.cast(name, common)}"
            )
        numeric = plan.numeric_label or self.prediction is None
        if text and numeric and not isinstance(self.positive, str):
            averages = ", or average= for more than two classes" if self.prediction is not None else ""
            averages = "" if plan.unlike_classes else averages
            raise SqlMetricsError(
                f"{label} is text; pass positive='...', the text of a positive row{averages}"
            )
        if numeric and is_no_number(self.kind):
            raise SqlMetricsError(
                f"{label} is {self.kind} and has to be numbers, booleans or text;"
                " an expression is written label=sm.sql('...')"
            )
        if text and plan.class_places:
            raise SqlMetricsError(
                f"{label} is text, which has no order to tell how far two classes are apart;"
                " pass classes as numbers, or leave out weights= of kappa"
            )
        for kind in plan.named_classes:
            if self.kind in CLASSES and self.kind != kind:
                if plan.unlike_classes:
                    raise SqlMetricsError(
                        f"A category of expected= is {kind}, but column '{self.label}' is {self.kind}"
                    )
                hint = "; quotes make it text, class='1'" if text else ""
                raise SqlMetricsError(
                    f"class= is {kind}, but label column '{self.label}' is {self.kind}{hint}"
                )


@dataclass(frozen=True)
class Opened:
    """Data that is open, and the facts about it."""

    session: Session
    relation: Relation
    by: list[str]  #: the columns of by=, as the user named them
    facts: dict[str, Any]  #: the arguments of the macro `facts`
    labels: Labels  #: what the columns of label and prediction hold
    booleans: list[str]  #: those of the columns of by= that are

    def plan(self, macro: str, **asked: Any) -> Plan:
        """The plan that a macro makes of these facts and what is asked."""
        plan = planned(self.session.dialect, macro, **asked, **self.facts)
        self.labels.check(plan)
        return plan

    def scores_repeat(self) -> bool:
        """Whether every score takes few values for its number of rows, judged by a sample."""
        score = self.facts["score"]
        scores = score.values() if isinstance(score, dict) else [score]
        return all(self.session.repeats(self.relation, column) for column in scores)

    def run(self, plan: Plan) -> tuple[pa.Table, Statement]:
        """The result of a plan, with the same names and types whatever the engine, and the statement that gave it."""
        statement = written(plan)
        table = self.session.query(statement.text, self.relation.name)
        return typed(table, statement, [*self.booleans, *self.labels.booleans(statement)]), statement


@contextmanager
def opened(
    data: Any, options: Options, *, called: Mapping[str, str] | None = None, other: Any = None
) -> Iterator[Opened]:
    """Opens data for as long as it is read.

    Args:
        data: as for `evaluate`.
        options: those of the call.
        called: what the caller's own arguments for label and prediction are called, for messages.
        other: where the rows of all models but the first are, if not in `data`.

    Raises:
        SqlMetricsError: data that cannot be opened; a column that it lacks, or of the wrong type.
    """
    if options.on_bad_rows not in ("error", "drop"):
        raise SqlMetricsError(f"on_bad_rows must be 'error' or 'drop', got {options.on_bad_rows!r}")
    label, score, group, item = options.label, options.score, options.group, options.item
    truth, prediction, total = options.truth, options.prediction, options.total
    if not isinstance(total, bool):
        raise SqlMetricsError(f"total must be True or False, got {total!r}")
    names = as_list(options.by, "by")
    called = {"label": "label", "prediction": "prediction"} | dict(called or {})
    with session_on(options.connection, options.dialect, data) as session:
        relation = session.open(data, "data")
        columns = known = session.columns(relation)
        judged = None
        if truth is not None:
            judged = session.open(truth, "truth")
            known = session.columns(judged)
            for role, name in (("group", group), ("item", item)):
                if name is not None:
                    columns.check_joins(known, name, role)
        items = tables_of_items(session, columns, options)
        in_truth = [name for name in names if truth is not None and name in known]
        slices = [(known if name in in_truth else columns).text(name, "by") for name in names]
        facts = {
            **options.as_they_are(),
            **_lists(columns, score if other is None else None, group, item),
            **_labels(known, options, called["label"]),
            **items,
            "relation": relation.text,
            "read_once": relation.read_once,
            "truth": judged and judged.text,
            "truth_by": [known.text(name, "by") for name in in_truth],
            "subtopic": _column(known, options.subtopic, "subtopic"),
            "prediction": _column(columns, prediction, called["prediction"]),
            "by": _slices(columns, names, slices),
            "convention": check_convention(options.convention),
            "columns": known,
            "examples": True,
        }
        if other is not None:
            read = {"group": group, "item": item}
            read |= {} if truth is not None else {"label": label, "weight": options.weight}
            both = [*read.items(), *(("by", name) for name in names if name not in in_truth)]
            facts["score"], shared = _in_two_tables(session, columns, other, score, both)
            facts["columns"] = known = shared if truth is None else known
        labels = Labels(
            label, known.kind(label), prediction, columns.kind(prediction), options.positive, known
        )
        booleans = [
            name for name in names if (known if name in in_truth else columns).kind(name) == "a boolean"
        ]
        yield Opened(session, relation, names, facts, labels, booleans)


def named_facts(relation: str, options: Options) -> dict[str, Any]:
    """The arguments of the macro `facts` for a relation that is not at hand: names are quoted and not looked up.

    Raises:
        SqlMetricsError: no relation; a column of `truth_by` that is none of `by`.
    """
    if not isinstance(relation, str) or not relation.strip():
        raise SqlMetricsError(f"relation takes a table name or a query, got {relation!r}")
    columns = AnyColumns(macros(str(options.dialect)))
    names, in_truth = as_list(options.by, "by"), as_list(options.truth_by, "truth_by")
    for name in in_truth:
        if name not in names:
            raise SqlMetricsError(f"truth_by= names those of by= that the truth has, got {name!r}")
    return {
        **options.as_they_are(),
        **_lists(columns, options.score, options.group, options.item),
        "label": _column(columns, options.label, "label"),
        "weight": _column(columns, options.weight, "weight"),
        "subtopic": _column(columns, options.subtopic, "subtopic"),
        "prediction": _column(columns, options.prediction, "prediction"),
        "category": _column(columns, options.category, "category"),
        "relation": relation,
        "truth": options.truth,
        "truth_by": [columns.text(name, "truth_by") for name in in_truth],
        "catalog": options.catalog,
        "history": options.history,
        "distances": options.distances,
        "by": _slices(columns, names, [columns.text(name, "by") for name in names]),
        "convention": check_convention(options.convention),
        "columns": columns,
    }


def _column(columns: Columns, column: str | None, role: str) -> str | None:
    """A column as SQL, where one is named."""
    return None if column is None else columns.text(column, role)


def _lists(columns: Columns, score: Score, group: Any, item: Any) -> dict[str, Any]:
    """The score, group and item as SQL."""
    scores: Any = None
    if isinstance(score, Mapping):
        scores = {str(model): columns.number(column, "score") for model, column in score.items()}
    elif score is not None:
        scores = columns.number(score, "score")
    return {
        "score": scores,
        "group": _column(columns, group, "group"),
        "item": _column(columns, item, "item"),
    }


def _in_two_tables(
    session: Session, columns: Columns, other: Any, score: Any, both: list[tuple[str, str | None]]
) -> tuple[dict[str, Any], Columns]:
    """The scores of models of which all but the first stand in a second table, and the columns of both tables.

    Raises:
        SqlMetricsError: a second table that cannot be opened, or lacks a column that is read from both.
    """
    relation = session.open(other, "other")
    others = session.columns(replace(relation, name="other="))
    for role, name in both:
        if name is not None:
            columns.check_same(others, name, role)
    (baseline, first), *candidates = score.items()
    scores: dict[str, Any] = {baseline: columns.number(first, "baseline")}
    for model, column in candidates:
        own = {"relation": relation.text, "read_once": relation.read_once}
        scores[str(model)] = {"sql": others.number(column, "candidate"), **own}
    return scores, columns.shared(others)


def _slices(columns: Columns, names: list[str], texts: list[str]) -> list[dict[str, str]]:
    """The columns of `by` as SQL, under the names that they have in the result."""
    return [
        {"sql": text, "name": str(name), "alias": columns.alias(str(name))}
        for name, text in zip(names, texts, strict=True)
    ]


def _labels(columns: Columns, options: Options, called: str) -> dict[str, Any]:
    """The label and weight as SQL, after a look at the label's type."""
    label, positive, max_grade = options.label, options.positive, options.max_grade
    text = _column(columns, label, called)
    kind = columns.type_of(label)
    textual = kind.startswith(TEXT)
    if isinstance(positive, str) and kind and not textual:
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
