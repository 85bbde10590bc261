{#
  Wilcoxon's signed rank test: tests that large differences are equally common on both sides.

  Up to 25 differences have the exact distribution of their ranks, tied or not. More have the normal approximation, with
  the correction for tied sizes and without the one for continuity. Differences of 0 are left out; tied sizes share
  their mean rank.

  It reads sm_pairs (see inference/pairs.sql) and ends in sm_tested: the keys; sm_statistic, the sum of the
  ranks of the positive differences less its expectation, in standard errors: above 0 if the candidate is
  better; sm_p_value, two-sided; sm_exact, 1 if it is exact and 0 if it is the approximation.

  Args:
    keys: the columns that identify a test
  Undefined: null if every difference is 0
  Source: Wilcoxon (1945), doi:10.2307/3001968; ties: Pratt and Gibbons (1981), 3.7; scipy.stats.wilcoxon with
    method='exact' without ties, PermutationMethod with ties, and method='approx', correction=False beyond
#}
{% macro stages_of_wilcoxon(plan, keys) -%}
{%- set n, one = sqlmetrics.sql_double('sum(sm_equal)'), sqlmetrics.sql_double('1') -%}
{%- set equal = sqlmetrics.sql_double('sm_equal') -%}
{%- set rest = 'sm_sum_of_ranks - sm_ranks_above' -%}
{%- set variance = 'sm_n * (sm_n + 1) * (2 * sm_n + 1) / 24 - sm_tied / 48' -%}
{%- set of_test = keys + ['sm_sum_of_ranks', 'sm_fewer', 'sm_units', 'sm_j'] -%}
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

-- their ranks: sizes that are equal have their mean rank
sm_ranked_sizes as{{ sqlmetrics.sql_cte_shared() }} (
    select
        {{- sqlmetrics.lines(keys + [
            'sm_equal', 'sm_above', 'sm_through - (sm_equal - ' ~ one ~ ') / 2 as sm_rank',
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
    ) as sm_ordered_sizes
),

-- their sum in standard errors, the smaller of the sums of both sides, and whether its distribution is the exact one,
-- in halves of a rank if ranks are shared
sm_rank_sums as{{ sqlmetrics.sql_cte_shared() }} (
    select
        {{- sqlmetrics.lines(keys + [
            'sm_n',
            'sm_sum_of_ranks',
            '(sm_ranks_above - sm_sum_of_ranks / 2) / nullif(sqrt(' ~ variance ~ '), 0) as sm_statistic',
            'case when sm_n > 0 and sm_n <= ' ~ sqlmetrics.most_signed_ranks() ~ ' then 1 else 0 end as sm_exact',
            'case when sm_tied = 0 then 1 else 2 end as sm_units',
            sqlmetrics.fewer_of('sm_ranks_above', rest) ~ ' as sm_fewer',
        ], 8) }}
    from (
        select sm_signed_ranks.*, sm_n * (sm_n + 1) / 2 as sm_sum_of_ranks
        from (
            select
                {{- sqlmetrics.lines(keys + [
                    n ~ ' as sm_n', 'sum(sm_above * sm_rank) as sm_ranks_above',
                    'sum(' ~ equal ~ ' * ' ~ equal ~ ' * ' ~ equal ~ ' - sm_equal) as sm_tied',
                ], 16) }}
            from sm_ranked_sizes
            {{- sqlmetrics.grouped_by(keys) | replace('\n', '\n        ') }}
        ) as sm_signed_ranks
    ) as sm_summed_ranks
),

-- the terms of the exact distribution
sm_terms_of_ranks as (
    select
        {{- sqlmetrics.lines(keys + ['sum(' ~ sqlmetrics.signed_rank_term(
            'sm_units * sm_sum_of_ranks', 'sm_units * sm_fewer', 'sm_j', 'sm_product', 'sm_turns'
        ) ~ ') as sm_terms'], 8) }}
    from (
        select
            {{- sqlmetrics.lines(of_test + sqlmetrics.factors_of_signed_ranks(
                'sm_units * sm_sum_of_ranks', 'sm_j', 'sm_units * sm_rank', 'sm_equal'
            ), 12) }}
        from (
            select
                {{- sqlmetrics.lines(sqlmetrics.prefixed(keys, 'sm_rank_sums.')
                    + ['sm_sum_of_ranks', 'sm_fewer', 'sm_units', 'sm_rank', 'sm_equal', 'sm_j'], 16) }}
            from sm_rank_sums
            inner join sm_ranked_sizes on {{ sqlmetrics.same_keys(keys, 'sm_rank_sums', 'sm_ranked_sizes') }}
            cross join (
                select sm_position - 1 as sm_j
                from {{ sqlmetrics.sql_positions(sqlmetrics.terms_of_signed_ranks()) }} as sm_numbers
            ) as sm_terms_of_sum
            where sm_exact = 1 and sm_equal > 0 and 2 * sm_j <= sm_units * sm_sum_of_ranks
        ) as sm_each_rank
        group by {{ of_test | join(', ') }}
    ) as sm_each_term
    {{- sqlmetrics.grouped_by(keys) }}
),

-- Wilcoxon's test of the pairs
sm_tested as{{ sqlmetrics.sql_cte_shared() }} (
    select
        {{- sqlmetrics.lines(
            keys + ['sm_statistic', 'sm_exact', sqlmetrics.as_p_value('sm_chance') ~ ' as sm_p_value'], 8
        ) }}
    from (
        select
            {{- sqlmetrics.lines(sqlmetrics.prefixed(keys, 'sm_rank_sums.') + [
                'sm_statistic',
                'sm_exact',
                '2 * case when sm_exact = 1 then '
                    ~ sqlmetrics.signed_rank_tail('sm_n', 'sm_units * sm_sum_of_ranks', 'sm_terms')
                    ~ ' else ' ~ sqlmetrics.normal_sf('abs(sm_statistic)') ~ ' end as sm_chance',
            ], 12) }}
        from sm_rank_sums
        left join sm_terms_of_ranks on {{ sqlmetrics.same_keys(keys, 'sm_rank_sums', 'sm_terms_of_ranks') }}
    ) as sm_chances
)
{%- endmacro %}
