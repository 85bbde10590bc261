{#
  Wilcoxon's signed rank test: tests that large differences are equally common on both sides.

  Up to 25 differences have the exact distribution if none is 0 and no two have the same size. All others have the
  normal approximation, with the correction for tied sizes and without the one for continuity. Differences of 0
  are left out; tied sizes share their mean rank.

  It reads sm_pairs (see inference/pairs.sql) and ends in sm_tested: the keys; sm_statistic, the sum of the
  ranks of the positive differences less its expectation, in standard errors: above 0 if the candidate is
  better; sm_p_value, two-sided; sm_exact, 1 if it is exact and 0 if it is the approximation.

  Args:
    keys: the columns that identify a test
  Undefined: null if every difference is 0
  Source: Wilcoxon (1945), doi:10.2307/3001968; ties: Pratt and Gibbons (1981), 3.7;
    scipy.stats.wilcoxon(method='exact') and (method='approx', correction=False)
#}
{% macro stages_of_wilcoxon(plan, keys) -%}
{%- set n, one = sqlmetrics.sql_double('sum(sm_equal)'), sqlmetrics.sql_double('1') -%}
{%- set equal = sqlmetrics.sql_double('sm_equal') -%}
{%- set rest = 'sm_sum_of_ranks - sm_ranks_above' -%}
{%- set variance = 'sm_n * (sm_n + 1) * (2 * sm_n + 1) / 24 - sm_tied / 48' -%}
{%- set exact = 'sm_n > 0 and sm_n <= ' ~ sqlmetrics.most_signed_ranks() ~ ' and sm_tied = 0 and sm_zeros = 0' -%}
{%- set of_test = keys + ['sm_statistic', 'sm_exact', 'sm_n', 'sm_sum_of_ranks'] -%}
-- the sizes of differences, each with how many there are and how many of them are above 0; NULL stands for no
{{- ' difference' }}
sm_sizes_of_differences as (
    select
        {{- sqlmetrics.lines(keys + [
            'sm_size', 'count(sm_size) as sm_equal', 'sum(case when sm_difference > 0 then 1 else 0 end) as sm_above',
            'sum(case when sm_difference = 0 then 1 else 0 end) as sm_equal_to_zero',
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
            'sum(sm_equal_to_zero) as sm_zeros',
        ], 8) }}
    from (
        select
            {{- sqlmetrics.lines(keys + [
                'sm_equal',
                'sm_above',
                'sm_equal_to_zero',
                sqlmetrics.sql_double(
                    'sum(sm_equal) over (' ~ sqlmetrics.partition_by(keys)
                    ~ 'order by case when sm_size is null then 1 else 0 end asc, sm_size asc rows unbounded preceding)'
                ) ~ ' as sm_through',
            ], 12) }}
        from sm_sizes_of_differences
    ) as sm_ranked_sizes
    {{- sqlmetrics.grouped_by(keys) }}
),

-- the sum in standard errors, the smaller of the sums of both sides, and whether its distribution is the exact one
sm_rank_sums as (
    select
        {{- sqlmetrics.lines(keys + [
            'sm_n',
            'sm_sum_of_ranks',
            '(sm_ranks_above - sm_sum_of_ranks / 2) / nullif(sqrt(' ~ variance ~ '), 0) as sm_statistic',
            'case when ' ~ exact ~ ' then 1 else 0 end as sm_exact',
            sqlmetrics.fewer_of('sm_ranks_above', rest) ~ ' as sm_fewer',
        ], 8) }}
    from (
        select sm_signed_ranks.*, sm_n * (sm_n + 1) / 2 as sm_sum_of_ranks
        from sm_signed_ranks
    ) as sm_summed_ranks
),

-- Wilcoxon's test of the pairs
sm_tested as{{ sqlmetrics.sql_cte_shared() }} (
    select
        {{- sqlmetrics.lines(
            keys + ['sm_statistic', 'sm_exact', sqlmetrics.as_p_value('sm_chance') ~ ' as sm_p_value'], 8
        ) }}
    from (
        select
            {{- sqlmetrics.lines(keys + [
                'sm_statistic',
                'sm_exact',
                '2 * case when sm_exact = 1 then '
                    ~ sqlmetrics.signed_rank_tail('sm_n', 'sm_sum_of_ranks', 'sm_terms')
                    ~ ' else ' ~ sqlmetrics.normal_sf('abs(sm_statistic)') ~ ' end as sm_chance',
            ], 12) }}
        from (
            select
                {{- sqlmetrics.lines(of_test + ['sum(sm_term) as sm_terms'], 16) }}
            from (
                select
                    {{- sqlmetrics.lines(of_test + [
                        sqlmetrics.signed_rank_term('sm_n', 'sm_sum_of_ranks', 'sm_fewer', 'sm_j') ~ ' as sm_term',
                    ], 20) }}
                from sm_rank_sums
                cross join (
                    select sm_position - 1 as sm_j
                    from {{ sqlmetrics.sql_positions(sqlmetrics.terms_of_signed_ranks()) }} as sm_numbers
                ) as sm_terms_of_sum
                where sm_j = 0 or (sm_exact = 1 and 2 * sm_j <= sm_sum_of_ranks)
            ) as sm_each_term
            group by {{ of_test | join(', ') }}
        ) as sm_added_terms
    ) as sm_chances
)
{%- endmacro %}
