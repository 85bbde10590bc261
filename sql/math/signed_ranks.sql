{#
  The exact distribution of Wilcoxon's sum of signed ranks.

  The ranks 1 to n have a sum of n (n + 1) / 2 = s. Each rank belongs to either side with probability 1/2. The
  probability that the ranks of one side add up to at most w is a finite Fourier sum with s + 1 terms, the j-th at
  the angle a = pi j / (s + 1):

    P = 1 / (s + 1) * sum over j of cos(a) cos(2 a) ... cos(n a) * cos(a (s - w)) * sin(a (w + 1)) / sin(a)

  The terms of j and s + 1 - j are equal, so half of them are enough. 2^n P is a number of subsets, so rounding it to
  an integer removes the error of the sum.

  Source: the inversion formula of characteristic functions of integers, Feller (1971), An Introduction to
    Probability Theory and Its Applications II, XV.3; the distribution: Wilcoxon (1945), doi:10.2307/3001968
#}

{# The largest n that has the exact distribution. Beyond it p-values below 0.1 differ by less than 0.004. #}
{% macro most_signed_ranks() -%}{%- do return(25) -%}{%- endmacro %}

{# The number of terms that `signed_rank_tail` needs for the largest n. #}
{% macro terms_of_signed_ranks() -%}
    {%- set n = sqlmetrics.most_signed_ranks() -%}
    {%- do return(n * (n + 1) // 4 + 1) -%}
{%- endmacro %}

{#
  A term of the sum for P, twice for every j but 0.

  Args:
    n, s, w, j: columns: the number of ranks, up to `most_signed_ranks`; their sum; a possible sum of one side; the
      number of the term, from 0 to s / 2
  Returns: an expression; `signed_rank_tail` takes the sum over j
#}
{% macro signed_rank_term(n, s, w, j) -%}
    {%- set a = '(' ~ sqlmetrics.sql_double('3.141592653589793') ~ ' * ' ~ j ~ ' / (' ~ s ~ ' + 1))' -%}
    {%- set factors = [] -%}
    {%- for rank in range(1, sqlmetrics.most_signed_ranks() + 1) -%}
        {%- do factors.append('cos(case when ' ~ n ~ ' >= ' ~ rank ~ ' then ' ~ rank ~ ' * ' ~ a ~ ' else 0 end)') -%}
    {%- endfor -%}
    case when {{ j }} = 0 then {{ w }} + 1 else 2 * {{ factors | join(' * ') }}
        {{- ' * cos(' ~ a ~ ' * (' ~ s ~ ' - ' ~ w ~ ')) * sin(' ~ a ~ ' * (' ~ w ~ ' + 1)) / sin(' ~ a ~ ')' }} end
{%- endmacro %}

{#
  The probability that the ranks of one side add up to at most w.

  Args:
    n, s: as for `signed_rank_term`
    terms: the sum of the terms
  Returns: an expression; float in [0, 1], exact but for the last division
#}
{% macro signed_rank_tail(n, s, terms) -%}
    {%- set subsets = 'floor(' ~ sqlmetrics.sql_exp(sqlmetrics.sql_double('0.6931471805599453') ~ ' * ' ~ n)
        ~ ' + 0.5)' -%}
    (floor({{ terms }} / ({{ s }} + 1) * {{ subsets }} + 0.5) / {{ subsets }})
{%- endmacro %}
