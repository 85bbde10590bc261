{#
  The lower end of the score interval of a share, exactly 0 for a share of 0. The upper end is 1 - the lower
  end of 1 - share.

  Args:
    share, rows: expressions: the share, and the number of rows behind it
    z: the number of standard errors, a number or an expression
  Returns: an expression
  Source: Wilson (1927), doi:10.1080/01621459.1927.10502953
#}
{% macro wilson_low(share, rows, z) -%}
    {%- set square = sqlmetrics.sql_double(z * z) if z is number else z ~ ' * ' ~ z -%}
    {%- set z = sqlmetrics.sql_double(z) if z is number else z -%}
    {%- set twice = '2 * ' ~ rows ~ ' * ' ~ share -%}
    {%- set root = 'sqrt(' ~ square ~ ' + 2 * ' ~ twice ~ ' * (1 - ' ~ share ~ '))' -%}
    (({{ twice }} + {{ square }} - {{ z }} * {{ root }}) / (2 * ({{ rows }} + {{ square }})))
{%- endmacro %}
