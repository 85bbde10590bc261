"""sql/plan/aliases.sql, the names of metrics in other libraries, made from the comments; as a script it writes it."""

from __future__ import annotations

from sqlmetrics.catalog import catalog
from sqlmetrics.templates import sql_folder

PATH = sql_folder() / "plan" / "aliases.sql"
HEAD = """{#
  The names of metrics in other libraries. Made by `make readme` from the comments above the metrics, which dbt cannot
  read.

  Returns: name in lower case -> our name, the library, and none, or the notation to write here if the library has
    other defaults. `@k` and `(k)` in a name stand for the cutoff
#}
{% macro aliases() -%}
    {%- do return({
"""
END = """    }) -%}
{%- endmacro %}
"""


def written() -> str:
    """The file, in the order of names."""
    found = {
        key: f"['{metric.name}', '{alias.library}', {_literal(alias.notation)}]"
        for metric in catalog().values()
        for alias in metric.aliases
        for key in alias.keys
    }
    return HEAD + "".join(f"        '{key}': {found[key]},\n" for key in sorted(found)) + END


def _literal(text: str | None) -> str:
    return "none" if text is None else f"'{text}'"


if __name__ == "__main__":
    PATH.write_text(written(), encoding="utf-8")
