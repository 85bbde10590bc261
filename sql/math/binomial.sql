{# The binomial distribution of a fair coin. #}

{#
  The chance that n throws of a fair coin show heads k times or less.

  Args:
    k, n: expressions of whole numbers, best columns: k stands in the result some 70 times
  Returns: an expression; float in [0, 1], with a relative error below 1e-9 for n up to 10 million and chances from 1e-100 on; below 1e-300
    some engines give 0 or 1e-304
  Undefined: null where k or n is, or n < 0
  Source: Abramowitz and Stegun (1964), 26.5.24, the chance as a beta integral of (1 - x)^(n - k - 1) (1 + x)^k over x from 0 to 1, with
    x = 1 - exp(-y) by half_line.sql; below 10 heads the sum itself
  Example: {{ sqlmetrics.binomial_half_tail('wins', 'games') }}
#}
{% macro binomial_half_tail(k, n) -%}
    {%- set n = sqlmetrics.sql_double(n) -%}
    {#- the tail that is the lesser one: of fewer heads, or of fewer tails -#}
    {%- set d = 'abs(' ~ n ~ ' - 1 - 2 * ' ~ k ~ ')' -%}
    {%- set heads, tails = '((' ~ n ~ ' - 1 - ' ~ d ~ ') / 2)', '((' ~ n ~ ' + 1 + ' ~ d ~ ') / 2)' -%}
    {%- set width, terms = '(' ~ d ~ ' + sqrt(2 * ' ~ heads ~ '))', [] -%}
    {%- for node in sqlmetrics.half_line() -%}
        {%- set y = node['v'] ~ ' / ' ~ width -%}
        {%- do terms.append(node['weight'] ~ ' * ' ~ sqlmetrics.sql_exp(
            heads ~ ' * ' ~ sqlmetrics.sql_ln('2 - ' ~ sqlmetrics.sql_exp('-' ~ y)) ~ ' - ' ~ tails ~ ' * ' ~ y
        )) -%}
    {%- endfor -%}
    {%- set integral = sqlmetrics.binomial_half_density(heads, tails, n) ~ ' * ' ~ tails ~ ' / ' ~ width ~ ' * (' ~ terms | join(' + ') ~ ')' -%}
    {#- the throws with 0, 1, 2, ... heads: n (n - 1) ... / (1 * 2 * ...) -#}
    {%- set ways = ['1'] -%}
    {%- set at = namespace(product=sqlmetrics.sql_double('1')) -%}
    {%- for i in range(1, 10) -%}
        {%- set at.product = at.product ~ ' * (' ~ n ~ ' - ' ~ (i - 1) ~ ') / ' ~ i -%}
        {%- do ways.append('case when ' ~ heads ~ ' >= ' ~ i ~ ' then ' ~ at.product ~ ' else 0 end') -%}
    {%- endfor -%}
    {%- set sum = sqlmetrics.sql_exp(sqlmetrics.sql_double('-0.6931471805599453') ~ ' * ' ~ n) ~ ' * (' ~ ways | join(' + ') ~ ')' -%}
    (case
        when {{ n }} < 0 then null
        when {{ k }} < 0 then 0
        when {{ k }} >= {{ n }} then 1
        else case when 2 * {{ k }} < {{ n }} then 0 else 1 end
            + case when 2 * {{ k }} < {{ n }} then 1 else -1 end * case when {{ heads }} < 10 then {{ sum }} else {{ integral }} end
    end)
{%- endmacro %}

{#
  The chance of heads times and tails times in n throws, by Stirling's series; near n / 2 heads, where logarithms would lose what tells them
  apart, by the power series of (1 - e) ln(1 - e) + (1 + e) ln(1 + e) with e = (tails - heads) / n.

  Args:
    heads, tails, n: expressions of floats; 10 <= heads <= tails
  Source: Loader (2000), Fast and accurate computation of binomial probabilities
#}
{% macro binomial_half_density(heads, tails, n) -%}
    {%- set e = '((' ~ tails ~ ' - ' ~ heads ~ ') / ' ~ n ~ ')' -%}
    {%- set coefficients = [] -%}
    {%- for i in range(14, 0, -1) -%}{%- do coefficients.append(1 / (i * (2 * i - 1))) -%}{%- endfor -%}
    {%- set deviance = 'case when ' ~ e ~ ' < 0.25 then ' ~ n ~ ' / 2 * ' ~ e ~ ' * ' ~ e ~ ' * ' ~ sqlmetrics.polynomial(coefficients, e ~ ' * ' ~ e)
        ~ ' else ' ~ heads ~ ' * ' ~ sqlmetrics.sql_ln('2 * ' ~ heads ~ ' / ' ~ n) ~ ' + ' ~ tails ~ ' * ' ~ sqlmetrics.sql_ln('2 * ' ~ tails ~ ' / ' ~ n) ~ ' end' -%}
    sqrt({{ n }} / (6.283185307179586 * {{ heads }} * {{ tails }})) * {{ sqlmetrics.sql_exp(
        sqlmetrics.stirling(n) ~ ' - ' ~ sqlmetrics.stirling(heads) ~ ' - ' ~ sqlmetrics.stirling(tails) ~ ' - (' ~ deviance ~ ')'
    ) }}
{%- endmacro %}
