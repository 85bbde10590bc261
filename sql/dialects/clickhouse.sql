{# ClickHouse: what differs from standard SQL. Types are Nullable only where it is said. #}

{% macro clickhouse__sm_double_type() -%}Nullable(Float64){%- endmacro %}

{% macro clickhouse__sm_integer(x) -%}cast({{ x }} as Nullable(Int64)){%- endmacro %}

{% macro clickhouse__sm_short_integer(x) -%}cast({{ x }} as Nullable(Int32)){%- endmacro %}

{% macro clickhouse__sm_log2(x) -%}log2({{ x }}){%- endmacro %}

{% macro clickhouse__sm_keep() -%}{{ ' materialized' }}{%- endmacro %}

{% macro clickhouse__sm_positions(upper) -%}
(select toInt64(number) + 1 as sm_position from numbers(toUInt64(coalesce({{ upper }}, 0))))
{%- endmacro %}

{# A backslash escapes here. #}
{% macro clickhouse__sm_quote(name) -%}"{{ name | replace('\\', '\\\\') | replace('"', '""') }}"{%- endmacro %}

{% macro clickhouse__sm_text(value) -%}'{{ value | string | replace('\\', '\\\\') | replace("'", "''") }}'{%- endmacro %}

{# Over nothing an aggregate is 0 here, unless it is told otherwise; so is a column that a left join did not find. #}
{% macro clickhouse__sm_aggregate(function, x) -%}{{ function ~ ('OrNull' if function != 'count') }}({{ x }}){%- endmacro %}

{% macro clickhouse__sm_nullable(x) -%}toNullable({{ x }}){%- endmacro %}

{# A column that two relations have is named with its relation. #}
{% macro clickhouse__sm_column(column) -%}{{ column }} as {{ column.split('.')[-1] }}{%- endmacro %}
