{#
  The exact distribution of Wilcoxon's sum of signed ranks.

  Ranks r1 to rn are integers (twice the ranks, if some are halves) with the sum s. Each belongs to either side with
  probability 1/2. The probability that the ranks of one side add up to at most w is a finite Fourier sum with s + 1
  terms, the j-th at the angle a = pi j / (s + 1):

    P = 1 / (s + 1) * sum over j of cos(r1 a) cos(r2 a) ... cos(rn a) * cos(a (s - w)) * sin(a (w + 1)) / sin(a)

  The terms of j and s + 1 - j are equal, so half of them are enough. 2^n P is a number of subsets, so rounding it to
  an integer removes the error of the sum.

  Source: the inversion formula of characteristic functions of integers, Feller (1971), An Introduction to
    Probability Theory and Its Applications II, XV.3; the distribution: Wilcoxon (1945), doi:10.2307/3001968
#}

{# The largest n that has the exact distribution. Beyond it p-values below 0.1 differ by less than 0.004. #}
{% macro most_signed_ranks() -%}{%- do return(25) -%}{%- endmacro %}

{# The number of terms that `signed_rank_tail` needs for the largest n, in halves of a rank. #}
{% macro terms_of_signed_ranks() -%}
    {%- set n = sqlmetrics.most_signed_ranks() -%}
    {%- do return(n * (n + 1) // 2 + 1) -%}
{%- endmacro %}

{# The angle of the j-th term. #}
{% macro angle_of_signed_ranks(s, j) -%}
    ({{ sqlmetrics.sql_double('3.141592653589793') }} * {{ j }} / ({{ s }} + 1))
{%- endmacro %}

{#
  The product of the cosines of a term, as aggregates over the different ranks: sm_product, its size, and sm_turns, how
  many of them are below 0.

  Args:
    s, j, rank, equal: expressions: the sum of the ranks; the number of the term; a rank, and how many there are of it
#}
{% macro factors_of_signed_ranks(s, j, rank, equal) -%}
    {%- set cosine = 'cos(' ~ rank ~ ' * ' ~ sqlmetrics.angle_of_signed_ranks(s, j) ~ ')' -%}
    {#- no float is a multiple of pi / 2, so no cosine is 0 -#}
    {%- set size = sqlmetrics.sql_ln('abs(' ~ cosine ~ ')') -%}
    {%- do return([
        sqlmetrics.sql_exp('sum(' ~ equal ~ ' * ' ~ size ~ ')') ~ ' as sm_product',
        'sum(case when ' ~ cosine ~ ' < 0 then ' ~ equal ~ ' else 0 end) as sm_turns',
    ]) -%}
{%- endmacro %}

{#
  A term of the sum for P, twice for every j but 0.

  Args:
    s, w, j: expressions: the sum of the ranks; a possible sum of one side; the number of the term, from 0 to s / 2
    product, turns: columns: `factors_of_signed_ranks`
  Returns: an expression; `signed_rank_tail` takes the sum over j
#}
{% macro signed_rank_term(s, w, j, product, turns) -%}
    {%- set a = sqlmetrics.angle_of_signed_ranks(s, j) -%}
    {%- set turned = sqlmetrics.sql_double(turns) -%}
    case when {{ j }} = 0 then {{ w }} + 1 else (2 - 4 * ({{ turned }} - 2 * floor({{ turned }} / 2))) * {{ product }}
        {{- ' * cos(' ~ a ~ ' * (' ~ s ~ ' - ' ~ w ~ ')) * sin(' ~ a ~ ' * (' ~ w ~ ' + 1)) / sin(' ~ a ~ ')' }} end
{%- endmacro %}

{#
  The probability that the ranks of one side add up to at most w.

  Args:
    n, s: expressions: the number of ranks, up to `most_signed_ranks`; their sum
    terms: the sum of the terms
  Returns: an expression; float in [0, 1], exact but for the last division
#}
{% macro signed_rank_tail(n, s, terms) -%}
    {%- set subsets = 'floor(' ~ sqlmetrics.sql_exp(sqlmetrics.sql_double('0.6931471805599453') ~ ' * ' ~ n)
        ~ ' + 0.5)' -%}
    (floor({{ terms }} / ({{ s }} + 1) * {{ subsets }} + 0.5) / {{ subsets }})
{%- endmacro %}
