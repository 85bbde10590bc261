"""A metric view: the YAML of a view `with metrics`, of the catalog that keeps the state."""

from __future__ import annotations

from typing import Any

from sqlmetrics.layers.layer import Layer

VERSION = "0.1"  #: of the format; later ones are not read everywhere


def document(layer: Layer) -> dict[str, Any]:
    """The content of the file: a query over the state, and measures that aggregate its columns."""
    sums = layer.sums()
    return {
        "version": VERSION,
        "source": layer.query,
        "dimensions": [{"name": one.name, "expr": one.name} for one in layer.dimensions],
        "measures": [{"name": one.name, "expr": sums[one.name]} for one in layer.measures if one.counts]
        + [{"name": one.name, "expr": layer.filled(one, sums)} for one in layer.metrics],
    }
