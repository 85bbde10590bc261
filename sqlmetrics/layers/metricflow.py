"""A file for MetricFlow, dbt's semantic layer: a semantic model over the model of the state, and its metrics."""

from __future__ import annotations

import re
from typing import Any

from sqlmetrics.errors import SqlMetricsError
from sqlmetrics.layers.layer import Dimension, Layer


def document(layer: Layer) -> dict[str, Any]:
    """The content of the file.

    Raises:
        SqlMetricsError: a table that is no model of dbt; a period that is no time.
    """
    if not re.fullmatch(r"\w+", layer.table):
        raise SqlMetricsError(
            f"table={layer.table!r:.80} is no name of a dbt model, which MetricFlow reads; write the model, such as"
            " daily_state"
        )
    if layer.period.kind not in ("date", "time"):
        raise SqlMetricsError(
            f"The period '{layer.period.title}' is {layer.period.kind}, and MetricFlow takes a date or a time; make the"
            ' state with such a period=, or take format="cube" or "ossie"'
        )
    # the names of measures and metrics are those of a whole project
    names = {measure.name: f"{layer.name}_{measure.name}" for measure in layer.measures}
    grain = f"{{{{ Dimension('{layer.name}__sm_grain') }}}}"
    of_all = {"filter": str(layer.words["has_measures"](grain))}
    return {
        "semantic_models": [
            {
                "name": layer.name,
                "description": layer.description,
                "model": f"ref('{layer.table}')",
                "primary_entity": layer.name,
                "defaults": {"agg_time_dimension": layer.period.name},
                "dimensions": [
                    *(_dimension(one) for one in layer.dimensions),
                    {"name": "sm_grain", "type": "categorical"},
                ],
                "measures": [
                    {
                        "name": names[one.name],
                        "agg": one.aggregate,
                        "expr": one.sql,
                        "create_metric": not one.counts,
                    }
                    for one in layer.measures
                ],
            }
        ],
        "metrics": [
            {
                "name": names[one.name],
                "label": one.name,
                "type": "simple",
                "type_params": {"measure": names[one.name]},
                **of_all,
            }
            for one in layer.measures
            if one.counts
        ]
        + [
            {
                "name": metric.name,
                "label": metric.title,
                "description": metric.description,
                "type": "derived",
                "type_params": {
                    "expr": layer.filled(metric, names),
                    "metrics": [{"name": names[hole]} for hole in metric.holes],
                },
                **of_all,
            }
            for metric in layer.metrics
        ],
    }


def _dimension(one: Dimension) -> dict[str, Any]:
    said = {"name": one.name, "label": one.title, "expr": one.sql}
    if one.kind not in ("date", "time"):
        return {**said, "type": "categorical"}
    grain = "day" if one.kind == "date" else "second"
    return {**said, "type": "time", "type_params": {"time_granularity": grain}}
