{# DataFusion: what differs from standard SQL. #}

{% macro datafusion__sm_log2(x) -%}log2({{ x }}){%- endmacro %}
