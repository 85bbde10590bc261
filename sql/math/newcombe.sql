{#
  The ends of the interval of a difference of two shares, the second less the first, combined from the Wilson
  intervals of both.

  Args:
    first, second: expressions, each a mapping of share and rows, the number of rows behind the share
    difference: an expression
    z: the number of standard errors
    phi: an expression, the correlation of the two shares if they are of the same rows
  Returns: a mapping of low and high, expressions
  Source: Newcombe (1998), method 10: doi:10.1002/(SICI)1097-0258(19980430)17:8<873::AID-SIM779>3.0.CO;2-I;
    for the same rows: doi:10.1002/(SICI)1097-0258(19981130)17:22<2635::AID-SIM954>3.0.CO;2-C
#}
{% macro newcombe_ends(first, second, difference, z, phi=none) -%}
    {%- set below, above = [], [] -%}
    {%- for side in (first, second) -%}
        {%- do below.append(
            '(' ~ side['share'] ~ ' - ' ~ sqlmetrics.wilson_low(side['share'], side['rows'], z) ~ ')'
        ) -%}
        {%- do above.append(
            '(1 - ' ~ sqlmetrics.wilson_low('(1 - ' ~ side['share'] ~ ')', side['rows'], z) ~ ' - ' ~ side['share']
            ~ ')'
        ) -%}
    {%- endfor -%}
    {%- set ends = {} -%}
    {%- for name, sign, one, other in (('low', ' - ', below[1], above[0]), ('high', ' + ', above[1], below[0])) -%}
        {%- set together = '' if phi is none else ' - 2 * ' ~ phi ~ ' * ' ~ one ~ ' * ' ~ other -%}
        {%- do ends.update({
            name: difference ~ sign ~ 'sqrt(' ~ one ~ ' * ' ~ one ~ together ~ ' + ' ~ other ~ ' * ' ~ other ~ ')',
        }) -%}
    {%- endfor -%}
    {%- do return(ends) -%}
{%- endmacro %}
