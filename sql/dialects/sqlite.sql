{# SQLite: what differs from standard SQL. #}

{% macro sqlite__sm_same(a, b) -%}({{ a }} is {{ b }}){%- endmacro %}

{% macro sqlite__sm_keep() -%}{{ ' materialized' }}{%- endmacro %}

{# A type is one of a value here: text where one value is, which a cast would make 0. #}
{% macro sqlite__sm_types(relation, columns) -%}
{%- set types = [] -%}
{%- for column in columns -%}{%- do types.append("max(nullif(typeof(" ~ column ~ "), 'null'))") -%}{%- endfor -%}
select {{ types | join(', ') }} from {{ sqlmetrics.source(relation) }}
{%- endmacro %}
