"""sql/plan/aliases.sql, the names of metrics in other libraries, made from the comments; as a script it writes it."""

from __future__ import annotations

import re
from typing import Any

from sqlmetrics.book.catalog import catalog
from sqlmetrics.book.headers import Alias
from sqlmetrics.book.notation import parsed
from sqlmetrics.book.templates import sql_folder

PATH = sql_folder() / "plan" / "aliases.sql"
HEAD = """{#
  The names of metrics in other libraries. Made by `make readme` from the comments above the metrics, which dbt cannot
  read.

  Returns: name in lower case -> our name and the library's options. `@k` and `(k)` in a name stand for the number that
    is the option `'k'`
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
        key: line(key, f"'{metric.name}', {options(alias, key)}")
        for metric in catalog().values()
        for alias in metric.aliases
        for key in alias.keys
    }
    return HEAD + "".join(found[key] for key in sorted(found)) + END


def line(key: str, value: str) -> str:
    """An entry of the file, on three lines if it is long."""
    short = f"        '{key}': [{value}],\n"
    return short if len(short) <= 120 else f"        '{key}': [\n            {value}\n        ],\n"


def options(alias: Alias, key: str) -> dict[str, Any]:
    """The options that a name has, the number of the name as `k`."""
    notation = alias.notation or ""
    params = parsed(re.sub(r"\[?@k\]?$", "", notation))[1] if notation else {}
    is_cutoff = key.endswith(("@k", "(k)")) and "k" not in params.values()
    return params | {"k": "k"} if is_cutoff else params


if __name__ == "__main__":
    PATH.write_text(written(), encoding="utf-8")
