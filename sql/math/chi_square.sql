{# The chi-square distribution. #}

{#
  The probability that a chi-square variable exceeds x.

  Args:
    x: an expression, preferably a column: it occurs about 250 times in the result
    df: an expression, the degrees of freedom, > 0; need not be an integer
  Returns: an expression; float in [0, 1] with a relative error below 1e-10 for df from 1 to 100,000 and
    probabilities from 1e-100. The error grows with df, through the rounding of df * ln(x), and as df falls
    below 1, to 1e-6 at df = 0.5
  Undefined: null if x or df is null, or df <= 0
  Source: half_line.sql, applied to the incomplete gamma function above x if x > df + 1 and below x otherwise;
    tables give 0.05 at x = 3.841, df = 1
  Example: {{ sqlmetrics.chi_square_sf('statistic', 'df') }}
#}
{% macro chi_square_sf(x, df) -%}
    {%- set half = sqlmetrics.sql_double('0.5') -%}
    {%- set a = '(' ~ half ~ ' * ' ~ df ~ ')' -%}
    {%- set y = '(' ~ half ~ ' * ' ~ x ~ ')' -%}
    {%- set width_above = '(' ~ y ~ ' - ' ~ a ~ ' + sqrt(' ~ a ~ '))' -%}
    {%- set width_below = '(' ~ a ~ ' - ' ~ y ~ ' + sqrt(' ~ y ~ '))' -%}
    {%- set s, t = '{v} / ' ~ width_above, '{v} / ' ~ width_below -%}
    {%- set above = '{weight} * '
        ~ sqlmetrics.sql_exp('(' ~ a ~ ' - 1) * ' ~ sqlmetrics.sql_ln('1 + ' ~ s) ~ ' - ' ~ y ~ ' * ' ~ s) -%}
    {%- set below = '{weight} * '
        ~ sqlmetrics.sql_exp(y ~ ' * (1 - ' ~ sqlmetrics.sql_exp('-' ~ t) ~ ') - ' ~ a ~ ' * ' ~ t) -%}
    {%- set nodes = sqlmetrics.half_line() -%}
    {%- set density = sqlmetrics.gamma_density(a, y) -%}
    (case
        when {{ df }} <= 0 then null
        when {{ x }} <= 0 then 1
        when {{ x }} >= {{ df }} + 1 then {{ density }} / {{ width_above }} * {{ sqlmetrics.sql_sum(above, nodes) }}
        else 1 - {{ density }} / {{ width_below }} * {{ sqlmetrics.sql_sum(below, nodes) }}
    end)
{%- endmacro %}

{#
  x^a exp(-x) / gamma(a), the density of a gamma variable times x, by Stirling's series; for a below 10, by
  gamma(a + 10).

  Args:
    a, x: expressions of floats, > 0
  Source: Abramowitz and Stegun (1964), 6.1.40
#}
{% macro gamma_density(a, x) -%}
    {%- set shifted, product = '(' ~ a ~ ' + 10)', [] -%}
    {%- for i in range(10) -%}{%- do product.append('(' ~ a ~ ' + ' ~ i ~ ')') -%}{%- endfor -%}
    (case
        when {{ a }} < 10 then {{ product | join(' * ') }} * {{ sqlmetrics.sql_exp(
            a ~ ' * ' ~ sqlmetrics.sql_ln(x) ~ ' - ' ~ x ~ ' + ' ~ shifted
            ~ ' - (' ~ shifted ~ ' - 0.5) * ' ~ sqlmetrics.sql_ln(shifted)
            ~ ' - 0.9189385332046727 - ' ~ sqlmetrics.stirling(shifted)
        ) }}
        else sqrt({{ a }} / 6.283185307179586) * {{ sqlmetrics.sql_exp(
            a ~ ' - ' ~ x ~ ' + ' ~ a ~ ' * ' ~ sqlmetrics.sql_ln(x ~ ' / ' ~ a) ~ ' - ' ~ sqlmetrics.stirling(a)
        ) }}
    end)
{%- endmacro %}

{# The remainder of Stirling's formula for ln gamma(z), for any z > 0; below 10, from gamma(z + 10). #}
{% macro stirling_rest(z) -%}
    {%- set shifted, product = '(' ~ z ~ ' + 10)', [] -%}
    {%- for i in range(10) -%}{%- do product.append('(' ~ z ~ ' + ' ~ i ~ ')') -%}{%- endfor -%}
    (case when {{ z }} >= 10 then {{ sqlmetrics.stirling(z) }}
        else ({{ z }} + 9.5) * {{ sqlmetrics.sql_ln(shifted) }} - 10 + {{ sqlmetrics.stirling(shifted) -}}
            {{- ' - ' ~ sqlmetrics.sql_ln(product | join(' * ')) }}
            - ({{ z }} - 0.5) * {{ sqlmetrics.sql_ln(z) }} end)
{%- endmacro %}

{# Stirling's series, the remainder of ln gamma(z), for z >= 10, to 1e-13. #}
{% macro stirling(z) -%}
    {%- set terms = [1 / 1188, -1 / 1680, 1 / 1260, -1 / 360, 1 / 12] -%}
    {{- sqlmetrics.polynomial(terms, '1 / (' ~ z ~ ' * ' ~ z ~ ')') }} / {{ z -}}
{%- endmacro %}
