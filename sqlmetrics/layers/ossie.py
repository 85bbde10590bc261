"""A file for Apache Ossie, the open format of semantic models (before: Open Semantic Interchange)."""

from __future__ import annotations

from typing import Any

from sqlmetrics.layers.layer import Dimension, Kind, Layer

VERSION = "0.2.0.dev0"  #: of the format
TYPES: dict[Kind, str] = {"date": "Date", "time": "DateTime", "number": "Float", "boolean": "Boolean"}


def document(layer: Layer) -> dict[str, Any]:
    """The content of the file: a dataset whose rows have a column for each measure, and metrics that aggregate these.

    The dataset is a query. So a metric reads columns, whether a tool takes the names in it for columns or for fields.
    """
    dialect = str(layer.words["sql_ossie_dialect"]())

    def expression(sql: str) -> dict[str, Any]:
        return {"dialects": [{"dialect": dialect, "expression": sql}]}

    def dimension(one: Dimension) -> dict[str, Any]:
        return {
            "name": one.name,
            "label": one.title,
            "expression": expression(one.name),
            "dimension": {"is_time": one is layer.period},
            **({"datatype": TYPES[one.kind]} if one.kind in TYPES else {}),
        }

    sums = layer.sums(f"{layer.name}.")
    return {
        "version": VERSION,
        "name": layer.name,
        "description": layer.description,
        "datasets": [
            {
                "name": layer.name,
                "source": f"({layer.query})",
                "fields": [dimension(one) for one in layer.dimensions]
                + [{"name": one.name, "expression": expression(one.name)} for one in layer.measures],
            }
        ],
        "metrics": [
            {"name": one.name, "expression": expression(sums[one.name]), "datatype": "Float"}
            for one in layer.measures
            if one.counts
        ]
        + [
            {
                "name": one.name,
                "description": one.description,
                "expression": expression(layer.filled(one, sums)),
                "datatype": "Float",
            }
            for one in layer.metrics
        ],
    }
