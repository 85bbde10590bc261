"""sql/plan/definitions.sql, a line on each metric and curve, made from the comments; as a script it writes it."""

from __future__ import annotations

import textwrap

from sqlmetrics.book.catalog import catalog, curves
from sqlmetrics.book.templates import sql_folder

PATH = sql_folder() / "plan" / "definitions.sql"
HEAD = """{#
  What each metric and curve is, for the head of a statement (head.sql). Made by `make readme` from the comments above
  them, which dbt cannot read.

  Returns: the name of a macro -> the first sentence of its comment
#}
{% macro definitions() -%}
    {%- do return({
"""
END = """    }) -%}
{%- endmacro %}
"""


def written() -> str:
    """The file, in the order of names."""
    found = {one.macro: one.summary for one in [*catalog().values(), *curves().values()]}
    lines = []
    for macro in sorted(found):
        # a semicolon ends a statement for simple clients
        texts = textwrap.wrap(found[macro].replace(";", ","), 102, break_on_hyphens=False)
        said = ' "\n            ~ "'.join(texts)
        lines.append(f"        '{macro}':\n            \"{said}\",\n")
    return HEAD + "".join(lines) + END


if __name__ == "__main__":
    PATH.write_text(written(), encoding="utf-8")
