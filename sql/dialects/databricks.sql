{# Databricks: Spark's SQL. #}

{% macro databricks__sm_parent() -%}spark{%- endmacro %}
