{# Welch's t test: two samples with unequal variances. #}

{#
  The difference of two means in units of its standard error.

  Args:
    mean_1, variance_1, n_1, mean_2, variance_2, n_2: expressions, preferably columns: mean, variance (with
      divisor n - 1) and size of each sample
  Returns: an expression; float, above 0 if the first mean is higher
  Undefined: null if an argument is null, a sample has fewer than 2 rows, or neither sample varies
  Source: Welch (1947), doi:10.1093/biomet/34.1-2.28
  Example: {{ sqlmetrics.welch_t('mean_a', 'variance_a', 'n_a', 'mean_b', 'variance_b', 'n_b') }}
#}
{% macro welch_t(mean_1, variance_1, n_1, mean_2, variance_2, n_2) -%}
    {%- set squares = sqlmetrics.square_of_error(variance_1, n_1) ~ ' + '
        ~ sqlmetrics.square_of_error(variance_2, n_2) -%}
    (({{ sqlmetrics.sql_double(mean_1) }} - {{ mean_2 }}) / nullif(sqrt({{ squares }}), 0))
{%- endmacro %}

{#
  The degrees of freedom of Welch's t.

  Args:
    variance_1, n_1, variance_2, n_2: as for `welch_t`
  Returns: an expression; float from the smaller of n_1 - 1 and n_2 - 1 to n_1 + n_2 - 2, for `student_t_sf`
  Undefined: as for `welch_t`
  Source: Satterthwaite (1946), doi:10.2307/3002019; Welch (1947)
  Example: {{ sqlmetrics.welch_df('variance_a', 'n_a', 'variance_b', 'n_b') }}
#}
{% macro welch_df(variance_1, n_1, variance_2, n_2) -%}
    {%- set first, second = sqlmetrics.square_of_error(variance_1, n_1), sqlmetrics.square_of_error(variance_2, n_2) -%}
    {#- each variance as a share of their sum, because the square of a small variance could underflow to 0 -#}
    {%- set share_1 = '(' ~ first ~ ' / nullif(' ~ first ~ ' + ' ~ second ~ ', 0))' -%}
    {%- set share_2 = '(' ~ second ~ ' / nullif(' ~ first ~ ' + ' ~ second ~ ', 0))' -%}
    (1 / ({{ share_1 }} * {{ share_1 }} / ({{ n_1 }} - 1) + {{ share_2 }} * {{ share_2 }} / ({{ n_2 }} - 1)))
{%- endmacro %}

{# The squared standard error of a mean; null if there are fewer than 2 rows. #}
{% macro square_of_error(variance, n) -%}
({{ sqlmetrics.sql_double(variance) }} / case when {{ n }} >= 2 then {{ n }} end)
{%- endmacro %}

{#
  The squared standard error of the difference of two means if the rows of both samples vary alike: Student's t.

  Args:
    variance_1, n_1, variance_2, n_2: as for `welch_t`
#}
{% macro pooled_square_of_error(variance_1, n_1, variance_2, n_2) -%}
    {{- sqlmetrics.pooled_square_of_scaled(variance_1, n_1, '1.0', variance_2, n_2, '1.0') -}}
{%- endmacro %}

{# The same of the means of samples that are then scaled, with the square of each scale. #}
{% macro pooled_square_of_scaled(variance_1, n_1, square_1, variance_2, n_2, square_2) -%}
    {%- set rows, parts = n_1 ~ ' + ' ~ n_2 ~ ' - 2', [] -%}
    {#- shares of rows first, because the product of a large variance and a number of rows could overflow -#}
    {%- for variance, n in ((variance_1, n_1), (variance_2, n_2)) -%}
        {%- do parts.append(
            '(' ~ n ~ ' - 1) / (case when ' ~ rows ~ ' > 0 then ' ~ rows ~ ' end) * ' ~ sqlmetrics.sql_double(variance)
        ) -%}
    {%- endfor -%}
    (({{ parts | join(' + ') }}) * ({{ sqlmetrics.ratio(square_1, n_1) }} + {{ sqlmetrics.ratio(square_2, n_2) }}))
{%- endmacro %}
