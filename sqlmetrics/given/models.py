"""Models with rows of their own: a column names the model of a row, or each model has a table."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from sqlmetrics.book.templates import macros
from sqlmetrics.errors import DataError, SqlMetricsError, counted
from sqlmetrics.given.columns import Columns, is_text, sql
from sqlmetrics.options import Options, column_of_models

if TYPE_CHECKING:
    from sqlmetrics.engines.protocol import Relation, Session

MOST = 1000  # models; a column with more values is that of something else
Choose = Callable[[Any], Mapping[str, Any]]


def tables_in(data: Any) -> dict[str, Any]:
    """The tables of models by name, if the data are a mapping of names to tables; else none.

    A mapping of names to arrays is one table.

    >>> rows = [{"y": 1, "p": 0.9}]
    >>> [*tables_in({"old": rows, "new": "new.parquet"})], tables_in({"y": [1], "p": [0.9]}), tables_in(rows)
    (['old', 'new'], {}, {})
    """
    if not isinstance(data, Mapping) or not data or not all(map(_is_table, data.values())):
        return {}
    for name in data:
        if not isinstance(name, str) or not name.strip():
            raise SqlMetricsError(f"A mapping of tables names each model by a text, got {name!r}")
    return dict(data)


def _is_table(value: Any) -> bool:
    """Whether a value is a table rather than a column: no array and no series has columns or a schema."""
    if isinstance(value, str) or hasattr(value, "__fspath__"):
        return True
    if isinstance(value, (list, tuple)):
        return bool(value) and all(isinstance(row, dict) for row in value)
    return isinstance(value, Mapping) or hasattr(type(value), "columns") or hasattr(type(value), "schema")


def refuse_tables(function: str, data: Any) -> None:
    """Refuses a table for each model, for a function that takes one table."""
    if tables_in(data):
        raise SqlMetricsError(
            f"{function} takes one table, got one for each of {counted([*data])}; evaluate, per_group, curve, compare,"
            " sample_size, find_slices and report take a table for each model"
        )


def chosen(data: Any, options: Options, choose: Choose) -> Options:
    """The options with the models of a comparison, by its columns, unless the data name the models."""
    if options.models is not None or tables_in(data):
        return options
    return replace(options, score=dict(choose(options.score)))


def of_tables(options: Options, tables: Mapping[str, Any], choose: Choose | None) -> tuple[Options, Any]:
    """The options with the score of each model, in the order of the result, and the table of the first."""
    facts = {"relation": tables, "models": options.models}
    words = macros("duckdb")
    words["check_models"](words["question"](), **facts)
    score = words["named_scores"](options.score, **facts)
    score = dict(choose(score) if choose else score)
    return replace(options, score=score), tables[next(iter(score))]


def of_rows(
    session: Session, relation: Relation, columns: Columns, options: Options, choose: Choose | None
) -> tuple[Options, dict[str, list[str]]]:
    """Models that a column names: the options with the score of each, and the column as SQL with the names.

    Raises:
        SqlMetricsError: an unknown column, a name that the column does not hold, too many values.
        DataError: rows without a model, or none at all.
    """
    said, words = options.models, macros(session.dialect)
    column = column_of_models(said)
    text = columns.text(column, "models")
    if isinstance(column, sql) or not is_text(columns.type_of(column)):
        text = str(words["sql_string"](text))
    found = session.query(str(words["models_of_rows"](relation.text, text, options.where)), relation.name)
    counts = {row["sm_name"]: row["sm_rows"] for row in found.to_pylist()}
    where = f"Column '{column}' (models=) of {relation.name}"
    if counts.get(None):
        raise DataError(
            f"{where} is NULL in {counts[None]:,} rows, which belong to no model; leave them out,"
            f" where={f'{column} is not null'!r}"
        )
    if not counts:
        raise DataError(f"{where} names no model, since no row is there")
    if len(counts) > MOST:
        raise SqlMetricsError(
            f"{where} has more than {MOST:,} values, such as {sorted(counts)[0]!r}; it has to name the model of a row"
        )
    names = words["names_of_models"](dict(said)) if isinstance(said, Mapping) else sorted(counts)
    for name in names:
        if name not in counts:
            raise SqlMetricsError(f"{where} does not hold {name!r}. It holds: {counted(sorted(counts))}")
    score = words["named_scores"](options.score, {column: names})
    score = dict(choose(score) if choose else score)
    return replace(options, score=score), {text: list(score)}
