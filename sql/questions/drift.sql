{#
  The question of `drift`: how far columns of two sets of rows differ. It asks no metric.

  Args:
    options: columns, bins; side, the set of a row of one table as SQL; made, how the states were made
#}
{% macro question_of_drift(options) -%}
    {%- do return(sqlmetrics.question(query=sqlmetrics.query_of_drift, order=none, own=options, call='drift')) -%}
{%- endmacro %}
