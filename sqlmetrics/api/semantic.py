"""`semantic`: the metrics of a state as a file of a semantic layer, for BI tools."""

from __future__ import annotations

import importlib
import io
from typing import Any, Literal, get_args

from sqlmetrics.api.evaluate import Metrics, notations
from sqlmetrics.api.states import check_held, number, reading
from sqlmetrics.book.plan import whole_text
from sqlmetrics.book.templates import macros
from sqlmetrics.errors import DataError, SqlMetricsError, counted
from sqlmetrics.given.facts_of_state import distinct
from sqlmetrics.given.opened import Opened
from sqlmetrics.layers.layer import layer
from sqlmetrics.options import Options, with_options

Layers = Literal["metricflow", "ossie", "cube", "semantic_view", "metric_view"]


@with_options
def semantic(
    options: Options,
    state: Any,
    metrics: Metrics,
    *,
    table: str,
    format: Layers = "metricflow",
    connection: Any = None,
    dialect: str | None = None,
) -> str:
    """Writes metrics of a state as a file of a semantic layer, from which BI tools compute them for any slices.

    The file says which sums of the state a tool adds up, and how a metric follows from them. Over any periods and
    slices the tool then gets the value of `finish`. A metric is null over rows that lack a sum or were made with
    different columns or options, over a period that is there twice, and over several models at once.

    A tool cannot tell whether a list lies in two slices. If one does, metrics of lists are refused here; see to it
    that later periods have none, such as by slices that belong to the list.

    Metrics of sums and counts are written, such as nDCG, log loss, precision and RMSE. Others are refused: AUC reads
    scores, and R2 sums about a mean.

    Args:
        state: as for `finish`. It is read for its columns and how it was made, not for its numbers.
        metrics: metrics of the state, as for `finish`; a mapping gives them other names.
        table: the table that the tool reads: for MetricFlow the dbt model of the state, for the others its name in
            SQL.
        format: metricflow for dbt's semantic layer, cube for Cube, ossie for Apache Ossie (Open Semantic
            Interchange), semantic_view for statements that make a semantic view (Snowflake), metric_view for the
            YAML of a metric view (Databricks, Spark 4.2).
        connection, dialect: as for `evaluate`; the SQL of the file is in this dialect.

    Returns:
        The file, in YAML; of a semantic view in SQL.

    Raises:
        SqlMetricsError: a metric that is not made of sums that add up; the errors of `finish`.

    >>> import sqlmetrics
    >>> rows = [{"day": 1, "y": 1, "p": 0.8}, {"day": 1, "y": 0, "p": 0.2}, {"day": 2, "y": 0, "p": 0.2}]
    >>> daily = sqlmetrics.state(rows, "brier", period="day", label="y", score="p")
    >>> semantic(daily, "brier", table="daily", format="cube").splitlines()[:2]
    ['cubes:', '- name: "daily"']
    """
    if format not in (known := get_args(Layers)):
        raise SqlMetricsError(f"format must be {', '.join(known[:-1])} or {known[-1]}, got {format!r}")
    if not isinstance(table, str) or not table.strip():
        raise SqlMetricsError(f"table takes the name of the table that holds the state, got {table!r}")
    asked = notations(metrics)
    with reading(state, options) as given:
        given.facts["by"] = _slices(given)
        plan = given.plan("semantic_plan", metrics=asked)
        check_held(given, plan, asked.values() if isinstance(asked, dict) else asked)
        if plan.over_lists:
            _refuse_divided(given)
        of_format = importlib.import_module(f"sqlmetrics.layers.{format}")
        document = of_format.document(layer(given, plan, table))
        return whole_text(document if isinstance(document, str) else _yaml(document))


def _slices(given: Opened) -> list[dict[str, str]]:
    """All slices of the state, as the macro `facts` takes them. A state does not tell a name with a comma from two."""
    columns, every = given.session.columns(given.relation), distinct(given, "sm_by")
    if len(every) > 1:
        raise DataError(
            f"{columns.where} has states with different slices (by=): {counted([one or 'none' for one in every], 5)};"
            " a semantic layer takes one of them"
        )
    names = [name for name in every[0].split(", ") if name]
    if lacking := [name for name in names if name not in columns]:
        raise DataError(
            f"{columns.where} lacks the slice '{lacking[0]:.50}', or its name has a comma; rename the column"
        )
    return [{"sql": columns.text(name, "by"), "name": name, "alias": columns.alias(name)} for name in names]


def _refuse_divided(given: Opened) -> None:
    """Refuses lists that lie in several slices: their parts do not add up to the list."""
    query = str(macros(given.session.dialect)["divided_in_state"](given.relation.text))
    if divided := number(given, query):
        raise DataError(
            f"{divided:,} groups lie in several slices of {given.relation.name}, whose parts do not add up to lists;"
            " make the state without the slices (by=) that divide them"
        )


def _yaml(document: dict[str, Any]) -> str:
    """A document in YAML. Every text is in quotes, since readers of YAML 1.1 take `no` and `on` for booleans."""
    try:
        from ruamel.yaml import YAML
        from ruamel.yaml.scalarstring import DoubleQuotedScalarString, LiteralScalarString
    except ImportError as error:
        raise SqlMetricsError("semantic needs a library: pip install 'sqlmetrics[semantic]'") from error

    def marked(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: marked(one) for key, one in value.items()}
        if isinstance(value, list):
            return [marked(one) for one in value]
        if isinstance(value, str):
            return (LiteralScalarString if "\n" in value else DoubleQuotedScalarString)(value)
        return value

    writer, text = YAML(), io.StringIO()
    writer.width = 1_000_000  # a statement stays on its lines
    writer.dump(marked(document), text)
    return text.getvalue()
