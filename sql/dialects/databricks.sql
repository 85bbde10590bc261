{# Databricks: Spark's SQL. #}

{% macro databricks__sql_dialect() -%}databricks{%- endmacro %}

{% macro databricks__sql_parent() -%}spark{%- endmacro %}

{% macro databricks__sql_ossie_dialect() -%}DATABRICKS{%- endmacro %}

{% macro databricks__sql_name_length() -%}{%- do return(255) -%}{%- endmacro %}
