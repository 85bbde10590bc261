"""sql/plan/ranges.sql, the ranges of metrics, made from the comments; as a script it writes it."""

from __future__ import annotations

import math

from sqlmetrics.book.catalog import catalog
from sqlmetrics.book.templates import sql_folder

PATH = sql_folder() / "plan" / "ranges.sql"
HEAD = """{#
  The ranges of metrics, within which their intervals end. Made by `make readme` from the comments above the metrics,
  which dbt cannot read.

  Returns: the macro of a metric -> its least and its greatest value, none for an open end
#}
{% macro ranges() -%}
    {%- do return({
"""
END = """    }) -%}
{%- endmacro %}
"""


def number(end: float) -> str:
    """An end as the macro writes it."""
    return "none" if math.isinf(end) else repr(int(end) if end == int(end) else end)


def written() -> str:
    """The file, in the order of names."""
    lines = [
        f"        '{macro}': [{number(metric.range.low)}, {number(metric.range.high)}],\n"
        for macro, metric in sorted(catalog().items())
        if macro.startswith("metric_")
        and (not math.isinf(metric.range.low) or not math.isinf(metric.range.high))
    ]
    return HEAD + "".join(lines) + END


if __name__ == "__main__":
    PATH.write_text(written(), encoding="utf-8")
