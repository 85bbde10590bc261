"""A semantic view: two statements, one for a view of the state, one for the metrics over it."""

from __future__ import annotations

from dataclasses import replace

from sqlmetrics.layers.layer import Layer


def document(layer: Layer) -> str:
    """The statements. They name things in the schema of the state."""
    # a metric with the name of a column could be read for itself
    counts = {f"sm_{one.name}": one.name for one in layer.measures if one.counts}
    measures = [replace(one, name=f"sm_{one.name}") if one.counts else one for one in layer.measures]
    layer = replace(layer, measures=tuple(measures))
    sums = layer.sums(f"{layer.name}.")
    metrics = [{"name": name, "sql": sums[column], "about": name} for column, name in counts.items()] + [
        {"name": one.name, "sql": layer.filled(one, sums), "about": one.description} for one in layer.metrics
    ]
    return str(layer.words["semantic_view"](layer, metrics))
