{# The binomial distribution of a fair coin. #}

{#
  The probability of at most k heads in n throws of a fair coin.

  Args:
    k, n: expressions of integers, preferably columns: k occurs about 370 times in the result
  Returns: an expression; float in [0, 1] with a relative error below 1e-9 for n up to 10 million and
    probabilities from 1e-100, below 1e-12 for n up to 25; below 1e-300 some engines give 0 or 1e-304
  Undefined: null if k or n is null, or n < 0
  Source: Abramowitz and Stegun (1964), 26.5.24: the probability as a beta integral of (1 - x)^(n - k - 1) (1
    + x)^k over x from 0 to 1, computed by half_line.sql with x = 1 - exp(-y); below 13 heads, the sum itself
  Example: {{ sqlmetrics.binomial_half_tail('wins', 'games') }}
#}
{% macro binomial_half_tail(k, n) -%}
    {%- set n = sqlmetrics.sql_double(n) -%}
    {#- computes the smaller tail: that of fewer heads, or that of fewer tails -#}
    {%- set d = 'abs(' ~ n ~ ' - 1 - 2 * ' ~ k ~ ')' -%}
    {%- set heads, tails = '((' ~ n ~ ' - 1 - ' ~ d ~ ') / 2)', '((' ~ n ~ ' + 1 + ' ~ d ~ ') / 2)' -%}
    {%- set width = '(' ~ d ~ ' + sqrt(2 * ' ~ heads ~ '))' -%}
    {%- set y = '{v} / ' ~ width -%}
    {%- set term = '{weight} * ' ~ sqlmetrics.sql_exp(
        heads ~ ' * ' ~ sqlmetrics.sql_ln('2 - ' ~ sqlmetrics.sql_exp('-' ~ y)) ~ ' - ' ~ tails ~ ' * ' ~ y
    ) -%}
    {%- set integral = sqlmetrics.binomial_half_density(heads, tails, n) ~ ' * ' ~ tails ~ ' / ' ~ width ~ ' * '
        ~ sqlmetrics.sql_sum(term, sqlmetrics.half_line()) -%}
    {#- the number of ways to throw 0, 1, 2, ... heads: n (n - 1) ... / (1 * 2 * ...) -#}
    {%- set ways = ['1'] -%}
    {%- set at = namespace(product=sqlmetrics.sql_double('1')) -%}
    {%- for i in range(1, 13) -%}
        {%- set at.product = at.product ~ ' * (' ~ n ~ ' - ' ~ (i - 1) ~ ') / ' ~ i -%}
        {%- do ways.append('case when ' ~ heads ~ ' >= ' ~ i ~ ' then ' ~ at.product ~ ' else 0 end') -%}
    {%- endfor -%}
    {%- set sum = sqlmetrics.sql_exp(sqlmetrics.sql_double('-0.6931471805599453') ~ ' * ' ~ n) ~ ' * ('
        ~ ways | join(' + ') ~ ')' -%}
    (case
        when {{ n }} < 0 then null
        when {{ k }} < 0 then 0
        when {{ k }} >= {{ n }} then 1
        else case when 2 * {{ k }} < {{ n }} then 0 else 1 end
            + case when 2 * {{ k }} < {{ n }} then 1 else -1 end
            {{- ' * case when ' ~ heads ~ ' < 13 then ' ~ sum ~ ' else ' ~ integral ~ ' end' }}
    end)
{%- endmacro %}

{#
  The probability of exactly `heads` heads and `tails` tails in n throws, by Stirling's series. Near n / 2
  heads, logarithms would cancel; there it uses the power series of (1 - e) ln(1 - e) + (1 + e) ln(1 + e) with
  e = (tails - heads) / n.

  Args:
    heads, tails, n: expressions of floats; 13 <= heads <= tails
  Source: Loader (2000), Fast and accurate computation of binomial probabilities
#}
{% macro binomial_half_density(heads, tails, n) -%}
    {%- set e = '((' ~ tails ~ ' - ' ~ heads ~ ') / ' ~ n ~ ')' -%}
    {%- set coefficients = [] -%}
    {%- for i in range(14, 0, -1) -%}{%- do coefficients.append(1 / (i * (2 * i - 1))) -%}{%- endfor -%}
    {%- set deviance = 'case when ' ~ e ~ ' < 0.25 then ' ~ n ~ ' / 2 * ' ~ e ~ ' * ' ~ e ~ ' * '
        ~ sqlmetrics.polynomial(coefficients, e ~ ' * ' ~ e) ~ ' else ' ~ heads ~ ' * '
        ~ sqlmetrics.sql_ln('2 * ' ~ heads ~ ' / ' ~ n) ~ ' + ' ~ tails ~ ' * '
        ~ sqlmetrics.sql_ln('2 * ' ~ tails ~ ' / ' ~ n) ~ ' end' -%}
    sqrt({{ n }} / (6.283185307179586 * {{ heads }} * {{ tails }})) * {{ sqlmetrics.sql_exp(
        sqlmetrics.stirling(n) ~ ' - ' ~ sqlmetrics.stirling(heads) ~ ' - ' ~ sqlmetrics.stirling(tails)
        ~ ' - (' ~ deviance ~ ')'
    ) }}
{%- endmacro %}
