{# SQLite: what differs from standard SQL. #}

{% macro sqlite__sm_same(a, b) -%}({{ a }} is {{ b }}){%- endmacro %}

{% macro sqlite__sm_keep() -%}{{ ' materialized' }}{%- endmacro %}
