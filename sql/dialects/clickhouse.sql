{# ClickHouse: what differs from standard SQL. Types are Nullable only if declared so. #}

{% macro clickhouse__sql_dialect() -%}clickhouse{%- endmacro %}

{% macro clickhouse__sql_double_type() -%}Nullable(Float64){%- endmacro %}

{# -0.0 is grouped apart from 0.0 here; the sum of both is 0.0. #}
{% macro clickhouse__sql_score(x) -%}({{ sqlmetrics.sql_double(x) }} + 0.0){%- endmacro %}
{% macro clickhouse__sql_label(x) -%}{{ sqlmetrics.sql_score(x) }}{%- endmacro %}

{% macro clickhouse__sql_integer(x) -%}cast({{ x }} as Nullable(Int64)){%- endmacro %}

{% macro clickhouse__sql_short_integer(x) -%}cast({{ x }} as Nullable(Int32)){%- endmacro %}

{% macro clickhouse__sql_log2(x) -%}log2({{ x }}){%- endmacro %}

{#
  ClickHouse expands a CTE into each of its readers, and these into theirs, so that rows would be read dozens
  of times. `materialized` is accepted from version 26.3 on and takes effect under this setting, which changes
  no number.
#}
{% macro clickhouse__sql_cte_materialized() -%}{{ ' materialized' }}{%- endmacro %}

{% macro clickhouse__sql_cte_shared() -%}{{ sqlmetrics.sql_cte_materialized() }}{%- endmacro %}

{# It plans a stored CTE again for each reader of it, and what this reads as well. #}
{% macro clickhouse__sql_copies_stages() -%}{%- do return(true) -%}{%- endmacro %}

{% macro clickhouse__sql_tail() -%}{{ '\nsettings enable_materialized_cte = 1' }}{%- endmacro %}

{#
  The upper end is read as a relation: a scalar sub-query runs before the statement, when a stored CTE may not
  exist yet.
#}
{% macro clickhouse__sql_positions(upper) -%}
    {%- set number, source = ('sm_longest', ' from ' ~ upper ~ ' as sm_bound') if upper is string else (upper, '') -%}
(select arrayJoin(range(1, toUInt64(coalesce({{ number }}, 0)) + 1)) as sm_position{{ source }})
{%- endmacro %}

{# A backslash starts an escape in a quoted name here. #}
{% macro clickhouse__sql_quote(name) -%}"{{ name | replace('\\', '\\\\') | replace('"', '""') }}"{%- endmacro %}

{% macro clickhouse__sql_text(value) -%}
    '{{ value | string | replace('\\', '\\\\') | replace("'", "''") }}'
{%- endmacro %}

{# By default an aggregate over no rows is 0 here, and so is a column that a left join did not find. #}
{% macro clickhouse__sql_aggregate(function, x) -%}
    {{ function ~ ('OrNull' if function != 'count') }}({{ x }})
{%- endmacro %}

{% macro clickhouse__sql_nullable(x) -%}toNullable({{ x }}){%- endmacro %}

{# A column that exists in two relations keeps the name of its relation unless it is renamed. #}
{% macro clickhouse__sql_column(column) -%}{{ column }} as {{ column.split('.')[-1] }}{%- endmacro %}
{% macro clickhouse__sql_all_columns(stage, columns) -%}
    {%- do return(sqlmetrics.prefixed(columns, stage ~ '.')) -%}
{%- endmacro %}

{# A count may be of a type that is either signed or not, which cannot be NULL. #}
{% macro clickhouse__sql_ratio(x, y) -%}
({{ sqlmetrics.sql_double(x) }} / nullif({{ sqlmetrics.sql_double(y) }}, 0))
{%- endmacro %}

{# Results come as text, because the Python API shows neither the names of an Enum nor a UUID. #}
{% macro clickhouse__sql_string(x) -%}toString({{ x }}){%- endmacro %}

{% macro clickhouse__sql_float_of(x) -%}
(case
    when position(toTypeName({{ x }}), 'Float') > 0 or position(toTypeName({{ x }}), 'Decimal') > 0
    then toFloat64OrNull(toString({{ x }}))
end)
{%- endmacro %}

{% macro clickhouse__sql_value_text(x) -%}
{%- set text = sqlmetrics.sql_string(x) -%}
case when toTypeName({{ x }}) like '%Float%' and {{ text }} = '-0' then '0' else {{ text }} end
{%- endmacro %}

{# The type of a column without Nullable and LowCardinality. #}
{% macro clickhouse__sql_types(relation, names) -%}
{%- set types = [] -%}
{%- for name in names -%}
    {%- do types.append(
        "replaceRegexpOne(replaceRegexpOne(toTypeName(sm_empty." ~ sqlmetrics.sql_quote(name)
        ~ "), '^LowCardinality\\\\((.*)\\\\)$', '\\\\1'), '^Nullable\\\\((.*)\\\\)$', '\\\\1')"
    ) -%}
{%- endfor -%}
select
    {{- sqlmetrics.lines(types) }}
from (select 1 as sm_one) as sm_row
left join ({{ sqlmetrics.sql_no_rows(relation) }}) as sm_empty on 1 = 1
{%- endmacro %}

{% macro clickhouse__sql_date_text(x, part) -%}
{%- set first = {'day': 'toDate', 'week': 'toMonday', 'month': 'toStartOfMonth'}[part] -%}
substr(toString({{ first }}({{ x }})), 1, {{ 7 if part == 'month' else 10 }})
{%- endmacro %}

{% macro clickhouse__sql_has_quantiles() -%}{%- do return(true) -%}{%- endmacro %}

{% macro clickhouse__sql_quantile(x, part, parts) -%}
quantileExactLowOrNull({{ part / parts * (1 - 1e-12) }})({{ x }})
{%- endmacro %}

{% macro clickhouse__sql_unpivot(columns) -%}
    {%- do return({
        'packed': ['[' ~ columns | join(', ') ~ '] as sm_values'],
        'join': 'array join sm_values as sm_value, arrayEnumerate(sm_values) as sm_position',
        'position': 'sm_position', 'value': 'sm_value',
    }) -%}
{%- endmacro %}

{% macro clickhouse__sql_element(array, position) -%}({{ array }})[{{ position }}]{%- endmacro %}
{% macro clickhouse__sql_array_length(array) -%}length({{ array }}){%- endmacro %}

{% macro clickhouse__sql_lenient_double(x) -%}toFloat64OrNull({{ x }}){%- endmacro %}

{# Items of an array join are not among the columns of `select *`. #}
{% macro clickhouse__sql_each_item(x) -%}{%- endmacro %}

{% macro clickhouse__sql_zone() -%}timezone(){%- endmacro %}
