{#
  The lower end of the score interval of a share; the upper end is 1 - that of 1 - share. Exactly 0 at a share of 0.

  Args:
    share, rows: expressions: the share, and the number of rows it was counted on
    z: the number of standard errors
  Returns: an expression
  Source: Wilson (1927), doi:10.1080/01621459.1927.10502953
#}
{% macro wilson_low(share, rows, z) -%}
    {%- set square = sqlmetrics.sql_double(z * z) -%}
    {%- set twice = '2 * ' ~ rows ~ ' * ' ~ share -%}
    (({{ twice }} + {{ square }} - {{ sqlmetrics.sql_double(z) }} * sqrt({{ square }} + 2 * {{ twice }} * (1 - {{ share }}))) / (2 * ({{ rows }} + {{ square }})))
{%- endmacro %}
