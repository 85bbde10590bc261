"""The macro files keep to what Jinja2 and dbt both load."""

from __future__ import annotations

import re
from functools import cache

import jinja2
import pytest
from jinja2 import nodes

from sqlmetrics.api.documentation import describe
from sqlmetrics.book.catalog import catalog, curves
from sqlmetrics.book.headers import lines_of
from sqlmetrics.book.templates import dialects, macros, sql_files
from sqlmetrics.errors import SqlMetricsError

FILES = list(sql_files())
ENVIRONMENT = jinja2.Environment(extensions=["jinja2.ext.do"])
#: what dbt puts into the context of a model, a test or a macro; tests/dbt/test_dbt_names.py asks dbt itself
DBT_CONTEXT = """
_sql_results adapter adapter_macro api builtins column compiled_code config context context_macro_stack database
dbt_metadata_envs dbt_version defer_relation diff_of_two_dicts env env_var exceptions execute flags fromjson fromyaml
function graph invocation_args_dict invocation_id load_agate_table load_result local_md5 log metric model modules
post_hooks pre_hooks print project_name ref render return run_started_at schema selected_resources set set_strict
source source_node sql sql_now store_raw_result store_result submit_python_job target this thread_id tojson toyaml
try_or_compiler_error validation var write zip zip_strict
cycler dict joiner lipsum namespace range caller varargs kwargs loop self super
"""
#: macros of dbt that projects call or replace
DBT_MACROS = """
any_value array_append array_concat array_construct bool_or cast cast_bool_to_text clone concat convert_datetime
create_csv_table create_schema create_table_as create_view_as current_timestamp date date_spine date_trunc dateadd
datediff dates_in_range dbt drop_relation drop_schema equals escape_single_quotes except generate_alias_name
generate_database_name generate_schema_name generate_series get_columns_in_query get_columns_in_relation
get_empty_subquery_sql get_intervals_between get_limit_subquery_sql get_powers_of_two get_relations get_show_sql
get_test_sql get_where_subquery hash in_transaction incremental intersect is_incremental last_day length listagg
load_relation make_temp_relation materialized_view noop_statement partition_range persist_docs position
py_current_timestring rename_relation replace right run_hooks run_query safe_cast seed set_sql_header
should_full_refresh should_store_failures snapshot snapshot_get_time split_part statement string_literal table test
truncate_relation type_bigint type_boolean type_float type_int type_numeric type_string type_timestamp
unique_key_fields unit view
"""


@cache
def parsed(path: str) -> nodes.Template:
    return ENVIRONMENT.parse(sql_files()[path])


@pytest.mark.slow
def test_only_macros_and_comments_at_the_top(subtests: pytest.Subtests) -> None:
    """A `{% set %}` there is silently empty in dbt."""
    for path in FILES:
        with subtests.test(path):
            for node in parsed(path).body:
                blank = isinstance(node, nodes.Output) and all(
                    isinstance(part, nodes.TemplateData) and not part.data.strip() for part in node.nodes
                )
                assert blank or isinstance(node, nodes.Macro), f"line {node.lineno}"


def test_lines_are_narrow(subtests: pytest.Subtests) -> None:
    for path in FILES:
        with subtests.test(path):
            assert not [
                number for number, line in enumerate(sql_files()[path].splitlines(), 1) if len(line) > 120
            ]


@pytest.mark.slow
def test_calls_are_qualified(subtests: pytest.Subtests) -> None:
    """An unqualified macro is not found from the model of a user's dbt project."""
    for path in FILES:
        with subtests.test(path):
            given = {"return", "namespace", "range", "dict", "local_md5"}
            # a macro that a list or dict held
            given |= {name.name for name in parsed(path).find_all(nodes.Name) if name.ctx == "store"}
            for call in parsed(path).find_all(nodes.Call):
                assert not isinstance(call.node, nodes.Name) or call.node.name in given, f"line {call.lineno}"


@pytest.mark.slow
def test_names_of_a_namespace_are_set_one_by_one(subtests: pytest.Subtests) -> None:
    """Jinja2 reads `set at.a, at.b = 1, 2` from 3.1.5 on; before, the whole file is an error."""
    for path in FILES:
        with subtests.test(path):
            for targets in parsed(path).find_all(nodes.Tuple):
                assert not any(isinstance(target, nodes.NSRef) for target in targets.items), (
                    f"line {targets.lineno}"
                )


@pytest.mark.slow
def test_no_engine_outside_the_dialects(subtests: pytest.Subtests) -> None:
    for path in FILES:
        with subtests.test(path):
            # a library may have the name of its engine
            if not path.startswith("dialects/") and path != "plan/conventions.sql":
                found = re.findall(
                    "|".join(rf"\b{name}__|\b{name}\b" for name in dialects()), sql_files()[path]
                )
                assert not found


@pytest.mark.slow
def test_names_are_unique_and_exported() -> None:
    names = [macro.name for path in FILES for macro in parsed(path).find_all(nodes.Macro)]
    assert len(names) == len(set(names))
    assert not [name for name in names if name.startswith("_")]
    assert names == list(macros("duckdb"))


def test_no_macro_has_a_name_of_dbt() -> None:
    """Inside the package, and so in its tests of a model or source, it would take the place of dbt's own."""
    assert not set(macros("duckdb")) & set((DBT_CONTEXT + DBT_MACROS).split())


def test_no_macro_changes_a_fact(subtests: pytest.Subtests) -> None:
    for path in FILES:
        with subtests.test(path):
            changes = r"plan\['facts'\](\['\w+'\])*\.(append|clear|extend|insert|pop|remove|setdefault|sort|update)\("
            assert not re.findall(changes, sql_files()[path])


def test_every_primitive_has_a_default() -> None:
    """Reading the package, dbt looks for them whatever the engine; what one engine alone can do is not dispatched."""
    names = set(macros("duckdb"))
    assert not [name for name in names if name.startswith("sql_") and f"default__{name}" not in names]


@pytest.mark.parametrize("dialect", dialects())
def test_every_dialect_says_its_name(dialect: str) -> None:
    assert macros(dialect).sql_dialect() == dialect


@pytest.mark.parametrize("metric", catalog().values(), ids=lambda metric: metric.macro)
def test_documentation_says_what_a_reader_needs(metric) -> None:
    assert metric.doc.split("\n\n")[0].endswith(".")
    assert "Returns:" in metric.doc
    assert metric.name in metric.example
    if metric.name != "count":
        assert "Undefined:" in metric.doc
        facts = {"label": "y", "score": "s", "group": "g", "item": "i", "max_grade": 1}
        others = (
            metric.grain in ("items", "classes") or metric.plan["needs"]["subtopics"]
        )  # which ask for more
        refused = (metric.plan if others else macros("duckdb")["plan"]([metric.example], **facts))["result"][
            "checks"
        ]
        assert "Errors:" in metric.doc or not (refused or metric.parameters)
    for parameter in metric.parameters:
        assert f"  {parameter}: " in describe(metric.notation)


@pytest.mark.parametrize("metric", [*catalog().values(), *curves().values()], ids=lambda metric: metric.macro)
def test_documentation_says_what_misleads(metric) -> None:
    """Its place is behind what is undefined and the interval, as on the page."""
    fields = re.findall(r"^([A-Z][a-z]+):", metric.doc, flags=re.MULTILINE)
    assert "Traps" in fields
    order = ["Returns", "Undefined", "Interval", "Traps", "Errors", "Source", "Example"]
    assert [field for field in fields if field in order] == [field for field in order if field in fields]
    # each case is a line of its own on the page
    assert all(case.strip() for case in lines_of(metric.doc, "Traps").split(";"))


@pytest.mark.parametrize(
    "text",
    [
        "country, device",
        "upper(a),b",
        '"a", "b"',
        "case when a then 'x' end, b",
        "`a`,`b`",
        "a , coalesce(b, ',')",
    ],
)
def test_columns_in_one_text_are_refused(text: str) -> None:
    with pytest.raises(SqlMetricsError) as refused:
        macros("duckdb").columns_of(text)
    assert str(refused.value).startswith(
        f"by= takes one column in a text, got '{text}'; write several as a list, "
    )


@pytest.mark.parametrize(
    ("period", "words"),
    [
        ("a, b", "period= takes one column in a text, got 'a, b'; write one expression of them as {'sql'"),
        (["a", "b"], "period= takes one column, or one expression as {'week'"),
        ({"a": "b", "c": "d"}, "period= takes one column, or one expression as {'week'"),
        ({"sql": "a"}, "period= takes columns, or expressions as {'sql'"),
    ],
)
def test_a_period_is_one_column(period: object, words: str) -> None:
    with pytest.raises(SqlMetricsError) as refused:
        macros("duckdb").state("t", "mae", label="y", score="p", period=period)
    assert str(refused.value).startswith(words)


@pytest.mark.parametrize(
    "text",
    [
        "coalesce(a, b)",
        "a || ', '",
        '"a, b"',
        "`a, b`",
        "nullif(trim(a), ',') || ', '",
        "f(g(a, 'it''s, '), b)",
    ],
)
def test_a_comma_inside_brackets_or_a_text_is_no_list(text: str) -> None:
    assert len(macros("duckdb").columns_of(text)) == 1
    assert len(macros("duckdb").columns_of([text, {"sql": "a, b", "alias": "c"}])) == 2


def test_a_mapping_names_expressions() -> None:
    by = ["day", {"first letter": "substr(q, 1, 1)", "land": "country"}, {"sql": "a + b", "alias": "sum"}]
    found = macros("postgres").columns_of(by)
    assert [(column["sql"], column["alias"]) for column in found] == [
        ("day", "day"), ("(substr(q, 1, 1))", '"first letter"'), ("country", '"land"'), ("a + b", "sum"),
    ]  # fmt: skip
    with pytest.raises(SqlMetricsError, match="expressions with names as"):
        macros("duckdb").columns_of({"month": 3})
