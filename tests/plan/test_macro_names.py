"""`make lint` finds names in the macro files that are none; each kind of mistake is planted here."""

from __future__ import annotations

import pytest

from sqlmetrics.book.templates import macros
from support.macro_names import mistakes

PLAN = macros("duckdb").empty_plan(relation="t")
PLANTED = [
    ("{{ sqlmetrics.lost(a) }}", "there is no macro lost"),
    ("{{ {'x': sqlmetrics.lost}[a] }}", "there is no macro lost"),
    ("{{ adapter.dispatch('sql_lost', 'sqlmetrics')(a) }}", "there is no macro default__sql_lost"),
    ("{{ adapter.dispatch('sql_two', 'sqlmetrics')(a) }}", "default__sql_two is called without y"),
    ("{{ sqlmetrics.used(a, 1, 2) }}", "used takes 2 arguments, not 3"),
    ("{{ sqlmetrics.used(y=a) }}", "used is called without x"),
    ("{{ sqlmetrics.used(a, z=1) }}", "used has no argument z"),
    ("{{ sqlmetrics.used(a, x=1) }}", "used gets x twice"),
    ("{{ sqlmetrics['us' ~ a]() }}", "a macro is looked up by a name that a search does not find"),
    ("", "entry does not use its argument a"),
    (
        "{{ a }}{{ sqlmetrics.reads(plan, 'grade_sums', ['n', 'n_unjudgd']) }}",
        "grade_sums has no column n_unjudgd",
    ),
    ("{{ a }}{{ sqlmetrics.levels_read(plan, 'abov') }}", "the grain levels has no column abov"),
    ("{{ a }}{{ sqlmetrics.need(plan, 'rws', 'n', '1') }}", "there is no grain rws"),
    ("{{ a }}{{ plan['fact'] }}", "there is no plan['fact']"),
    ("{{ a }}{{ plan['facts']['serched'] }}", "there is no plan['facts']['serched']"),
    (
        "{% do return({'item_sums': ['rank', 'unjuged'], 'rows': ['label']}) %}",
        "the grain item_sums has no column unjuged",
    ),
    ("{{ 'sm_lost' in plan['result']['checks'] }}", "nothing is called 'sm_lost'"),
    ("{{ a not in ('worst', 'wrost') }}{{ {'worst': 1} }}", "nothing is called 'wrost'"),
    ("{{ plan['facts']['ties'] == 'wrost' }}", "nothing is called 'wrost'"),
    ("{{ a.get('lost') }}", "nothing is called 'lost'"),
    ("{{ a | reject('equalto', 'sm_lost') | list }}", "nothing is called 'sm_lost'"),
    ("{{ a | selectattr('lost') | list }}", "nothing is called 'lost'"),
]
SOUND = """{% macro used(x, y=1) %}{{ x }}{{ y }}{% endmacro %}
{% macro default__sql_two(x, y) %}{{ x }}{% endmacro %}
{% macro other__sql_two(x, y) %}{{ y }}{% endmacro %}
{% macro calls(x) %}{{ sqlmetrics.used(x) }}{{ adapter.dispatch('sql_two', 'sqlmetrics')(x, 1) }}{% endmacro %}
"""


def found(text: str) -> list[str]:
    return mistakes({"a.sql": SOUND + text}, {"calls", "entry"}, PLAN)


def test_sound_macros_have_no_mistake() -> None:
    """An argument that one dialect uses is used."""
    assert found("") == []


@pytest.mark.parametrize(("body", "said"), PLANTED)
def test_a_mistake_is_found(body: str, said: str) -> None:
    assert any(said in line for line in found(f"{{% macro entry(a) %}}{body}{{% endmacro %}}"))


def test_a_macro_that_nobody_calls_is_found() -> None:
    assert found("{% macro spare() %}{% endmacro %}") == ["sql/a.sql:5: spare is called by nobody"]
