"""sql/plan/directions.sql, which metrics are better if lower, made from the comments; as a script it writes it."""

from __future__ import annotations

from sqlmetrics.book.catalog import catalog
from sqlmetrics.book.templates import sql_folder

PATH = sql_folder() / "plan" / "directions.sql"
HEAD = """{#
  The metrics whose higher values are not better. Made by `make readme` from the comments above the metrics, which dbt
  cannot read.

  Returns: the name of a metric -> lower, or none if neither higher nor lower values are better
#}
{% macro directions() -%}
    {%- do return({
"""
END = """    }) -%}
{%- endmacro %}
"""


def written() -> str:
    """The file, in the order of names."""
    found = {
        metric.name: "'lower'" if metric.better.direction == "lower" else "none"
        for metric in catalog().values()
        if metric.better.direction != "higher"
    }
    return HEAD + "".join(f"        '{name}': {found[name]},\n" for name in sorted(found)) + END


if __name__ == "__main__":
    PATH.write_text(written(), encoding="utf-8")
