{# Corrections of p-values for several tests. #}

{#
  sm_adjusted: the corrected p-values. A family of tests is the pairs of models of a metric in a slice, or all rows.

  The k p-values are sorted in ascending order. Holm's is the running maximum of (k - i + 1) p_i and controls
  the probability of any false discovery. Benjamini and Hochberg's is the minimum of k p_i / i from there on
  and controls the share of false discoveries.

  Source: Holm (1979), Scandinavian Journal of Statistics 6; Benjamini and Hochberg (1995),
    doi:10.1111/j.2517-6161.1995.tb02031.x
#}
{% macro stage_adjusted(plan, correction, family) -%}
{%- set keys = sqlmetrics.pair_keys(plan) -%}
{%- set of_family = [] if family == 'all' else keys | reject('equalto', 'sm_candidate') | list -%}
{%- set within = keys if family == 'all' else ['sm_candidate'] -%}
{%- set tests = sqlmetrics.partition_by(of_family) -%}
{%- if correction == 'holm' -%}
    {%- set adjusted = 'max((sm_n_tests - sm_place + 1) * sm_p_value) over (' ~ tests
        ~ 'order by sm_place asc rows unbounded preceding)' -%}
{%- else -%}
    {%- set adjusted = sqlmetrics.benjamini_hochberg(of_family) -%}
{%- endif -%}
-- the p-values of several candidates, corrected
sm_adjusted as (
    select
        {{- sqlmetrics.lines([
            'sm_corrected.*', 'case when sm_adjusted_chance > 1 then 1 else sm_adjusted_chance end as sm_p_adjusted',
        ], 8) }}
    from (
        select
            {{- sqlmetrics.lines([
                'sm_placed.*', 'case when sm_p_value is not null then ' ~ adjusted ~ ' end as sm_adjusted_chance',
            ], 12) }}
        from (
            select
                {{- sqlmetrics.lines([
                    'sm_tested.*',
                    'count(sm_p_value) over (' ~ tests | trim ~ ') as sm_n_tests',
                    'row_number() over (' ~ sqlmetrics.partition_by(of_family)
                        ~ sqlmetrics.order_of_p_values(within) ~ ') as sm_place',
                ], 16) }}
            from sm_tested
        ) as sm_placed
    ) as sm_corrected
)
{%- endmacro %}

{# Benjamini and Hochberg's p-value, from sm_p_value, sm_n_tests and sm_place; it may exceed 1. #}
{% macro benjamini_hochberg(tests) -%}
min({{ sqlmetrics.ratio('sm_n_tests * sm_p_value', 'sm_place') }}) over ({{ sqlmetrics.partition_by(tests) -}}
order by sm_place desc rows unbounded preceding)
{%- endmacro %}

{# The order of p-values, the least first and those that are NULL last; keys decide between equal ones. #}
{% macro order_of_p_values(keys) -%}
order by case when sm_p_value is null then 1 else 0 end asc, sm_p_value asc, {{ keys | join(' asc, ') }} asc
{%- endmacro %}
