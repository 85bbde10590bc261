{# Cohen's kappa of each pair of raters. #}

{#
  sm_pairs: the items that two raters have rated, a row for each item and pair of raters
  sm_pair_cells: the same counted, a row for each pair of raters and pair of values
  sm_kappas: a row for each pair of raters: items, agreement, kappa
  sm_pair_influences: how far an item moves the kappa of a pair, a row for each pair of values
  sm_mean_kappas: a row for each slice: the mean of the kappas and its variance over items
#}
{% macro stages_of_pairs_of_raters(plan) -%}
{%- set keys = plan['facts']['keys'] -%}
{%- set raters = keys + ['sm_rater_a', 'sm_rater_b'] -%}
{%- set pair = 'partition by ' ~ raters | join(', ') -%}
{%- set of_cells = sqlmetrics.prefixed(raters, 'sm_pair_cells.') -%}
{%- set chance = 'nullif(1 - sm_by_chance, 0)' -%}
-- items rated by both of two raters
sm_pairs as{{ sqlmetrics.sql_cte_shared() }} (
    select
        {{- sqlmetrics.lines(sqlmetrics.prefixed(keys, 'sm_ratings.') + [
            'sm_ratings.sm_group', 'sm_ratings.sm_rater as sm_rater_a', 'sm_others.sm_rater as sm_rater_b',
            'sm_ratings.sm_rating as sm_rating_a', 'sm_others.sm_rating as sm_rating_b',
        ], 8) }}
    from sm_ratings
    inner join sm_ratings as sm_others on {{ sqlmetrics.same_keys(keys + ['sm_group'], 'sm_ratings', 'sm_others') }}
        and sm_ratings.sm_rater < sm_others.sm_rater
),

-- how often they give two values
sm_pair_cells as{{ sqlmetrics.sql_cte_shared() }} (
    select
        {{- sqlmetrics.lines(raters + [
            'sm_rating_a', 'sm_rating_b', 'sm_count', 'sum(sm_count) over (' ~ pair ~ ') as sm_n_pair',
        ], 8) }}
    from (
        select
            {{- sqlmetrics.lines(raters + [
                'sm_rating_a', 'sm_rating_b', sqlmetrics.sql_double('count(*)') ~ ' as sm_count',
            ], 12) }}
        from sm_pairs
        group by {{ (raters + ['sm_rating_a', 'sm_rating_b']) | join(', ') }}
    ) as sm_counted_pairs
),

-- how often each of the two gives a value, as a share
sm_pair_values as{{ sqlmetrics.sql_cte_shared() }} (
    select
        {{- sqlmetrics.lines(raters + [
            'sm_rating', 'sum(sm_by_a) as sm_share_a', 'sum(sm_by_b) as sm_share_b',
        ], 8) }}
    from (
        select
            {{- sqlmetrics.lines(raters + [
                'sm_rating_a as sm_rating', 'sm_count / sm_n_pair as sm_by_a',
                sqlmetrics.sql_double('0') ~ ' as sm_by_b',
            ], 12) }}
        from sm_pair_cells
        union all
        select
            {{- sqlmetrics.lines(raters + [
                'sm_rating_b', sqlmetrics.sql_double('0'), 'sm_count / sm_n_pair',
            ], 12) }}
        from sm_pair_cells
    ) as sm_sides
    group by {{ (raters + ['sm_rating']) | join(', ') }}
),

-- the kappa of each pair
sm_kappas as{{ sqlmetrics.sql_cte_shared() }} (
    select
        {{- sqlmetrics.lines(sqlmetrics.prefixed(raters, 'sm_observed.') + [
            'sm_n_of_pair', 'sm_by_chance', 'sm_alike',
            '(sm_alike - sm_by_chance) / ' ~ chance ~ ' as sm_kappa',
        ], 8) }}
    from (
        select
            {{- sqlmetrics.lines(raters + [
                'max(sm_n_pair) as sm_n_of_pair',
                'sum(case when sm_rating_a = sm_rating_b then sm_count / sm_n_pair else 0 end) as sm_alike',
            ], 12) }}
        from sm_pair_cells
        group by {{ raters | join(', ') }}
    ) as sm_observed
    inner join (
        select
            {{- sqlmetrics.lines(raters + ['sum(sm_share_a * sm_share_b) as sm_by_chance'], 12) }}
        from sm_pair_values
        group by {{ raters | join(', ') }}
    ) as sm_chances on {{ sqlmetrics.same_keys(raters, 'sm_observed', 'sm_chances') }}
),

-- how far an item moves it
sm_pair_influences as{{ sqlmetrics.sql_cte_shared() }} (
    select
        {{- sqlmetrics.lines(of_cells + [
            'sm_rating_a', 'sm_rating_b', 'sm_count', 'sm_n_of_pair',
            '(case when sm_rating_a = sm_rating_b then 1 else 0 end - sm_alike - (1 - sm_kappa)'
                ~ ' * (sm_of_a.sm_share_b + sm_of_b.sm_share_a - 2 * sm_by_chance)) / ' ~ chance ~ ' as sm_influence',
        ], 8) }}
    from sm_pair_cells
    inner join sm_kappas on {{ sqlmetrics.same_keys(raters, 'sm_pair_cells', 'sm_kappas') }}
    {%- for side in ('a', 'b') %}
    inner join sm_pair_values as sm_of_{{ side }}
        on {{ sqlmetrics.same_keys(raters, 'sm_pair_cells', 'sm_of_' ~ side) }}
        and sm_pair_cells.sm_rating_{{ side }} = sm_of_{{ side }}.sm_rating
    {%- endfor %}
),

-- the mean of all pairs
sm_mean_kappas as (
    select
        {{- sqlmetrics.lines(keys + ['avg(sm_kappa) as sm_mean_kappa', 'count(sm_kappa) as sm_n_kappas'], 8) }}
    from sm_kappas
    {{- sqlmetrics.grouped_by(keys) }}
),

-- and its variance: an item moves the kappa of each pair that rated it
sm_mean_variances as (
    select
        {{- sqlmetrics.lines(keys + [
            sqlmetrics.sql_double('count(*)') ~ ' as sm_n_paired',
            sqlmetrics.ratio(
                sqlmetrics.sql_double('count(*)') ~ ' * sum(sm_moved * sm_moved)', '(count(*) - 1)'
            ) ~ ' as sm_variance_of_kappas',
        ], 8) }}
    from (
        select
            {{- sqlmetrics.lines(sqlmetrics.prefixed(keys, 'sm_pairs.') + [
                'sm_pairs.sm_group', 'sum(sm_influence / sm_n_of_pair) as sm_moved',
            ], 12) }}
        from sm_pairs
        inner join sm_pair_influences on {{ sqlmetrics.same_keys(
            raters + ['sm_rating_a', 'sm_rating_b'], 'sm_pairs', 'sm_pair_influences'
        ) }}
        where sm_influence is not null
        group by {{ (sqlmetrics.prefixed(keys, 'sm_pairs.') + ['sm_pairs.sm_group']) | join(', ') }}
    ) as sm_moves
    {{- sqlmetrics.grouped_by(keys) }}
)
{%- endmacro %}

{# Rows of sm_estimates: the mean of all pairs, and each pair. `place` is the number and the name of the measure. #}
{% macro rows_of_pairs(plan, place) -%}
{%- set keys = plan['facts']['keys'] -%}
{%- set of_pair = sqlmetrics.prefixed(keys, 'sm_kappas.') -%}
select
            {{- sqlmetrics.lines(sqlmetrics.prefixed(keys, 'sm_agreements.') + place + [
                sqlmetrics.sql_string('null') ~ ' as sm_rater_a', sqlmetrics.sql_string('null') ~ ' as sm_rater_b',
                'sm_mean_kappa as sm_value',
                'sm_variance_of_kappas / (sm_n_kappas * sm_n_kappas) as sm_variance', 'sm_n_paired - 1 as sm_df',
                'sm_n_rated as sm_n_items', sqlmetrics.sql_double('sm_n_raters') ~ ' as sm_n_raters',
                sqlmetrics.sql_double('sm_n_ratings') ~ ' as sm_n_ratings',
            ], 12) }}
        from sm_agreements
        {{ sqlmetrics.inner_join(keys, 'sm_agreements', 'sm_sizes') }}
        left join sm_mean_kappas on {{ sqlmetrics.same_keys(keys, 'sm_agreements', 'sm_mean_kappas') }}
        left join sm_mean_variances on {{ sqlmetrics.same_keys(keys, 'sm_agreements', 'sm_mean_variances') }}
        union all
        select
            {{- sqlmetrics.lines(of_pair + place + [
                sqlmetrics.sql_string('sm_kappas.sm_rater_a') ~ ' as sm_rater_a',
                sqlmetrics.sql_string('sm_kappas.sm_rater_b') ~ ' as sm_rater_b',
                'max(sm_kappa) as sm_value',
                sqlmetrics.ratio(
                    'sum(sm_count * sm_influence * sm_influence)',
                    'max(sm_kappas.sm_n_of_pair) * (max(sm_kappas.sm_n_of_pair) - 1)'
                ) ~ ' as sm_variance', 'max(sm_kappas.sm_n_of_pair) - 1 as sm_df',
                'max(sm_kappas.sm_n_of_pair) as sm_n_items', sqlmetrics.sql_double('2') ~ ' as sm_n_raters',
                '2 * max(sm_kappas.sm_n_of_pair) as sm_n_ratings',
            ], 12) }}
        from sm_kappas
        inner join sm_pair_influences on {{ sqlmetrics.same_keys(
            keys + ['sm_rater_a', 'sm_rater_b'], 'sm_kappas', 'sm_pair_influences'
        ) }}
        group by {{ (of_pair + ['sm_kappas.sm_rater_a', 'sm_kappas.sm_rater_b']) | join(', ') }}
{%- endmacro %}
