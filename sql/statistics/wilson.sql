{#
  An end of the score interval of a share.

  Args:
    share, rows: expressions: the share, and the number of rows it was counted on
    z: the number of standard errors, below 0 for the lower end
  Returns: an expression
  Source: Wilson (1927), doi:10.1080/01621459.1927.10502953
#}
{% macro wilson_end(share, rows, z) -%}
    (({{ share }} + {{ z * z / 2 }} / {{ rows }} {{ '-' if z < 0 else '+' }} {{ z | abs }} * sqrt(({{ share }} * (1 - {{ share }}) + {{ z * z / 4 }} / {{ rows }}) / {{ rows }})) / (1 + {{ z * z }} / {{ rows }}))
{%- endmacro %}
