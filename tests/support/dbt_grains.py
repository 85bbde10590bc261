"""sql/plan/grains_of_metrics.sql, what each metric is computed over; as a script it writes it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sqlmetrics.book.catalog import catalog
from sqlmetrics.book.templates import sql_folder

PATH = sql_folder() / "plan" / "grains_of_metrics.sql"
HEAD = """{#
  What metrics are computed over, for the catalogue. Made by `make readme` from the plans of their examples, which take
  long to make.

  Returns: the macro of a metric -> its grain, if it is not rows
#}
{% macro grains_of_metrics() -%}
    {%- do return({
"""
END = """    }) -%}
{%- endmacro %}
"""
#: the keys of a plan that only metrics of a grain fill, in the order in which they decide
KEYS = {
    "items": ("over_items",),
    "lists": ("list_sums",),
    "classes": ("classes", "cells", "examples", "class_areas", "class_bins", "set_sizes"),
    "subsets of rows": ("subsets",),
    "bins of scores": ("bins",),
    "score levels": ("levels", "peaks", "arms"),
}


def grain_of(plan: Mapping[str, Any]) -> str:
    """The grain of a plan."""
    filled = (
        grain for grain, keys in KEYS.items() if any(plan["needs"].get(key) or plan.get(key) for key in keys)
    )
    return next(filled, "rows")


def written() -> str:
    """The file, in the order of names."""
    found = {macro: grain_of(metric.plan) for macro, metric in catalog().items()}
    lines = [f"        '{macro}': '{found[macro]}',\n" for macro in sorted(found) if found[macro] != "rows"]
    return HEAD + "".join(lines) + END


if __name__ == "__main__":
    PATH.write_text(written(), encoding="utf-8")
