{#
  One end of the interval of a correlation: a distance on Fisher's scale, atanh(r), converted back.

  Args:
    r: an expression, a correlation
    off: an expression, the distance from atanh(r); negative for the lower end
  Returns: an expression in [-1, 1]; r itself if r is -1 or 1
  Source: Fisher (1921), On the "probable error" of a coefficient of correlation deduced from a small sample
#}
{% macro fisher_end(r, off) -%}
    {%- set raised = '(1 + ' ~ r ~ ') * ' ~ sqlmetrics.sql_exp('2 * ' ~ off) -%}
    (({{ raised }} - (1 - {{ r }})) / ({{ raised }} + (1 - {{ r }})))
{%- endmacro %}
