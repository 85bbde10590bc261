{#
  Tail probabilities as sums.

  A tail is a density times the integral of a function that falls from 1 where the tail begins. If the
  variable of the integral is measured in widths of that fall, one rule serves all these functions, from half
  a bell curve to an exponential: the trapezoidal rule after v = exp(s - exp(-s)). Its 45 terms leave a
  relative error of 3e-11.
#}

{#
  The nodes and weights of the rule for an integral over v from 0 upwards.

  Returns: a list of mappings with v, its half and weight, which `sql_sum` takes
  Source: Takahasi and Mori (1974), doi:10.2977/prims/1195192451
#}
{% macro half_line() -%}
    {%- set e, step, nodes = 2.718281828459045, 0.15, [] -%}
    {%- for i in range(-20, 25) -%}
        {%- set s = i * step -%}
        {%- set v = e ** (s - e ** (0 - s)) -%}
        {%- do nodes.append({'v': v, 'half': v / 2, 'weight': step * (1 + e ** (0 - s)) * v}) -%}
    {%- endfor -%}
    {%- do return(nodes) -%}
{%- endmacro %}

{#
  A polynomial by Horner's rule.

  Args:
    coefficients: numbers, the one of the highest power first
    x: an expression
  Returns: an expression
#}
{% macro polynomial(coefficients, x) -%}
    {%- set at = namespace(text=coefficients[0] | string) -%}
    {%- for coefficient in coefficients[1:] -%}
        {%- set at.text = '(' ~ at.text ~ ' * ' ~ x ~ ' + ' ~ coefficient ~ ')' -%}
    {%- endfor -%}
    {%- do return(at.text) -%}
{%- endmacro %}
