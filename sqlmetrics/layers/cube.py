"""A file for Cube: a cube over the rows of the state that have measures."""

from __future__ import annotations

from typing import Any

from sqlmetrics.layers.layer import Kind, Layer

TYPES: dict[Kind, str] = {
    "date": "time",
    "time": "time",
    "number": "number",
    "boolean": "boolean",
    "text": "string",
}


def document(layer: Layer) -> dict[str, Any]:
    """The content of the file. Measures that only serve others are not public."""
    of_measures = {measure.name: f"{{{measure.name}}}" for measure in layer.measures}
    return {
        "cubes": [
            {
                "name": layer.name,
                "description": layer.description,
                "sql": _sql(layer.words["rows_with_measures"](layer.table)),
                "dimensions": [
                    {"name": one.name, "title": one.title, "sql": _sql(one.sql), "type": TYPES[one.kind]}
                    for one in layer.dimensions
                ],
                "measures": [
                    {
                        "name": measure.name,
                        "sql": _sql(measure.sql),
                        "type": measure.aggregate,
                        "public": measure.counts,
                    }
                    for measure in layer.measures
                ]
                + [
                    {
                        "name": metric.name,
                        "title": metric.title,
                        "description": metric.description,
                        "sql": _sql(layer.filled(metric, of_measures)),
                        "type": "number",
                    }
                    for metric in layer.metrics
                ],
            }
        ]
    }


def _sql(text: object) -> str:
    """SQL for Cube, which reads it as a text of a program, where a backslash marks the next character."""
    return str(text).replace("\\", "\\\\")
