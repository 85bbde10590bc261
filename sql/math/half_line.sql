{#
  Tail chances as sums. A tail is a density times the integral of a function that falls from 1 at the point where the tail begins. With the
  integral's variable measured in widths of that fall, one rule serves every such function, from half a bell to an exponential: the
  trapezoidal rule after v = exp(s - exp(-s)), whose 45 terms leave a relative error of 3e-11.
#}

{#
  The nodes and weights of the rule for an integral over v from 0 up.

  Returns: a list of mappings v, weight
  Source: Takahasi and Mori (1974), doi:10.2977/prims/1195192451
#}
{% macro half_line() -%}
    {%- set e, step, nodes = 2.718281828459045, 0.15, [] -%}
    {%- for i in range(-20, 25) -%}
        {%- set s = i * step -%}
        {%- set v = e ** (s - e ** (0 - s)) -%}
        {%- do nodes.append({'v': v, 'weight': step * (1 + e ** (0 - s)) * v}) -%}
    {%- endfor -%}
    {%- do return(nodes) -%}
{%- endmacro %}

{#
  A polynomial by Horner's rule.

  Args:
    coefficients: numbers, that of the highest power first
    x: an expression
  Returns: an expression
#}
{% macro polynomial(coefficients, x) -%}
    {%- set at = namespace(text=coefficients[0] | string) -%}
    {%- for coefficient in coefficients[1:] -%}{%- set at.text = '(' ~ at.text ~ ' * ' ~ x ~ ' + ' ~ coefficient ~ ')' -%}{%- endfor -%}
    {%- do return(at.text) -%}
{%- endmacro %}
