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
