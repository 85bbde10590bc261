{#
  Wilcoxon's signed rank test: tests that large differences are equally common on both sides. It uses the
  normal approximation, with the correction for tied sizes and without the one for continuity. Differences of
  0 are left out; tied sizes share their mean rank.

  It reads sm_pairs (see inference/pairs.sql) and ends in sm_tested: the keys; sm_statistic, the sum of the
  ranks of the positive differences less its expectation, in standard errors: above 0 if the candidate is
  better; sm_p_value, two-sided.

  Args:
    keys: the columns that identify a test
  Undefined: null if every difference is 0
  Source: Wilcoxon (1945), doi:10.2307/3001968; ties: Pratt and Gibbons (1981), 3.7;
    scipy.stats.wilcoxon(method='approx', correction=False)
#}
{% macro stages_of_wilcoxon(plan, keys) -%}
{%- set n, one = sqlmetrics.sql_double('sum(sm_equal)'), sqlmetrics.sql_double('1') -%}
{%- set equal = sqlmetrics.sql_double('sm_equal') -%}
{%- set mean = 'sm_n * (sm_n + 1) / 4' -%}
{%- set variance = 'sm_n * (sm_n + 1) * (2 * sm_n + 1) / 24 - sm_tied / 48' -%}
-- the sizes of differences, each with how many there are and how many of them are above 0; NULL stands for no
{{- ' difference' }}
sm_sizes_of_differences as (
    select
        {{- sqlmetrics.lines(keys + [
            'sm_size', 'count(sm_size) as sm_equal', 'sum(case when sm_difference > 0 then 1 else 0 end) as sm_above',
        ], 8) }}
    from (
        select
            {{- sqlmetrics.lines(keys
                + ['sm_difference', 'case when sm_difference <> 0 then abs(sm_difference) end as sm_size'], 12) }}
        from sm_pairs
    ) as sm_sized
    group by {{ (keys + ['sm_size']) | join(', ') }}
),

-- the sums of their ranks: sizes that are equal have their mean rank
sm_signed_ranks as (
    select
        {{- sqlmetrics.lines(keys + [
            n ~ ' as sm_n', 'sum(sm_above * (sm_through - (sm_equal - ' ~ one ~ ') / 2)) as sm_ranks_above',
            'sum(' ~ equal ~ ' * ' ~ equal ~ ' * ' ~ equal ~ ' - sm_equal) as sm_tied',
        ], 8) }}
    from (
        select
            {{- sqlmetrics.lines(keys + [
                'sm_equal',
                'sm_above',
                sqlmetrics.sql_double(
                    'sum(sm_equal) over (' ~ sqlmetrics.partition_by(keys)
                    ~ 'order by case when sm_size is null then 1 else 0 end asc, sm_size asc rows unbounded preceding)'
                ) ~ ' as sm_through',
            ], 12) }}
        from sm_sizes_of_differences
    ) as sm_ranked_sizes
    {{- sqlmetrics.grouped_by(keys) }}
),

-- Wilcoxon's test of the pairs
sm_tested as{{ sqlmetrics.sql_cte_shared() }} (
    select
        {{- sqlmetrics.lines(keys + ['sm_statistic', sqlmetrics.as_p_value('sm_chance') ~ ' as sm_p_value'], 8) }}
    from (
        select
            {{- sqlmetrics.lines(keys
                + ['sm_statistic', '2 * ' ~ sqlmetrics.normal_sf('abs(sm_statistic)') ~ ' as sm_chance'], 12) }}
        from (
            select
                {{- sqlmetrics.lines(keys + [
                    '(sm_ranks_above - ' ~ mean ~ ') / nullif(sqrt(' ~ variance ~ '), 0) as sm_statistic',
                ], 16) }}
            from sm_signed_ranks
        ) as sm_standardised
    ) as sm_chances
)
{%- endmacro %}
