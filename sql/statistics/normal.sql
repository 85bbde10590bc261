{# The standard normal distribution, worked out when the statement is written. #}

{#
  The z below which a standard normal variable lies with chance p: Newton's method on the series
  1/2 + phi(z) (z + z^3 / 3 + z^5 / (3 * 5) + ...), which from 0 on comes nearer to z at each step without passing it.

  Args:
    p: a chance in [0.5, 0.9999995]
  Returns: float, to 1e-12 up to p = 0.99995, where the digits of p begin to fail
  Source: Abramowitz and Stegun (1964), 26.2.11
  Example: {{ sqlmetrics.normal_quantile(0.975) }}
#}
{% macro normal_quantile(p) -%}
    {%- set at = namespace(z=0.0, term=0.0, sum=0.0) -%}
    {%- for step in range(25) -%}
        {%- set at.term = at.z -%}
        {%- set at.sum = at.z -%}
        {%- for i in range(1, 150) -%}
            {%- set at.term = at.term * at.z * at.z / (2 * i + 1) -%}
            {%- set at.sum = at.sum + at.term -%}
        {%- endfor -%}
        {%- set density = 0.3989422804014327 * 2.718281828459045 ** (0 - at.z * at.z / 2) -%}
        {%- set at.z = at.z + (p - 0.5) / density - at.sum -%}
    {%- endfor -%}
    {%- do return(at.z) -%}
{%- endmacro %}
