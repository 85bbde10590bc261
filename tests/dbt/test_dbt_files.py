"""Files of the dbt package that are made from others are in step with them; dbt itself is not needed for that."""

from __future__ import annotations

import pytest

from sqlmetrics.book.signatures import parameters, signature
from sqlmetrics.book.templates import sql_files
from support import dbt_expected, dbt_schema

#: what macros and the Python door hand to each other
INTERNAL = {
    "beside_booleans", "columns", "common", "examples", "made_where", "number_by", "on_board", "period", "question",
    "rank_of_label", "rank_of_score", "said", "zone",
}  # fmt: skip


def test_documentation_is_made_from_sql() -> None:
    assert dbt_schema.SCHEMA.read_text() == dbt_schema.written(), "write it anew: make readme"


@pytest.mark.slow
def test_every_argument_of_a_call_is_explained() -> None:
    for name in dbt_schema.called():
        assert set(signature(name).parameters) <= set(dbt_schema.arguments(name)), name
    assert set(parameters("evaluate")) - set(dbt_schema.arguments("evaluate")) == INTERNAL


def test_expected_values_are_those_of_plain_python() -> None:
    assert dbt_expected.EXPECTED.read_text() == dbt_expected.written(), (
        "write it anew: python -m support.dbt_expected, in tests/"
    )


def test_the_next_dbt_reads_the_macros() -> None:
    """Its Rust engine renders with MiniJinja; the public build reads the files but lacks what dbt adds to call them."""
    minijinja = pytest.importorskip("minijinja", reason="MiniJinja is not installed: pip install '.[dbt]'")
    environment = minijinja.Environment()
    for path, text in sql_files().items():
        environment.add_template(path, text)
    with pytest.raises(minijinja.TemplateError):
        environment.add_template("broken.sql", "{% macro broken(x) -%}{% endfor %}{%- endmacro %}")
