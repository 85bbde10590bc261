{# SQLite: what differs from standard SQL. #}

{% macro sqlite__sql_same(a, b) -%}({{ a }} is {{ b }}){%- endmacro %}

{% macro sqlite__sql_remainder(x, y) -%}(({{ x }}) % ({{ y }})){%- endmacro %}

{% macro sqlite__sql_cte_materialized() -%}{{ ' materialized' }}{%- endmacro %}

{#
  Types belong to values here. A column with any text is text, because a cast would make the text 0. Booleans
  are the numbers of a column declared as boolean.
#}
{% macro sqlite__sql_types(relation, names) -%}
{%- set table = (relation.split('.') | last).strip('"') | replace('""', '"') -%}
{%- set types = [] -%}
{%- for name in names -%}
    {%- set kind = "max(nullif(typeof(" ~ sqlmetrics.sql_quote(name) ~ "), 'null'))" -%}
    {%- set declared = "select type from pragma_table_info(" ~ sqlmetrics.sql_text(table) ~ ") where name = "
        ~ sqlmetrics.sql_text(name) -%}
    {%- do types.append(
        "case when max(typeof(" ~ sqlmetrics.sql_quote(name) ~ ") = 'blob') then 'blob' when " ~ kind
        ~ " = 'integer' and (" ~ declared ~ ") like 'bool%' then 'boolean' else " ~ kind ~ " end as sm_type_"
        ~ loop.index
    ) -%}
{%- endfor -%}
select
    {{- sqlmetrics.lines(types) }}
from {{ sqlmetrics.from_item(relation) }}
{%- endmacro %}
