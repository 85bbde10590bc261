{# Cohen's kappa of each pair of raters. #}

{#
  sm_pairs: the items that two raters have rated, a row for each item and pair of raters
  sm_pair_cells: the same counted, a row for each pair of raters and pair of values; sm_alike: how often they agree
  sm_pair_values: a row for each pair and value, with the share of it among the ratings of each; sm_by_chance: how
    often they would agree by chance
  sm_pair_influences: of each cell, how far an item moves the kappa of the pair
  sm_mean_kappas: a row for each slice: the mean of the kappas, and its variance over items
#}
{% macro stages_of_pairs_of_raters(plan) -%}
{%- set keys = plan['facts']['keys'] -%}
{%- set raters = keys + ['sm_rater_a', 'sm_rater_b'] -%}
{%- set pair = ' over (partition by ' ~ raters | join(', ') ~ ')' -%}
{%- set left = 'nullif(1 - sm_by_chance, 0)' -%}
{%- set kappa = '(sm_alike - sm_by_chance) / ' ~ left -%}
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
            'sm_rating_a', 'sm_rating_b', 'sm_count', 'sum(sm_count)' ~ pair ~ ' as sm_n_pair',
            'sum(case when sm_rating_a = sm_rating_b then sm_count else 0 end)' ~ pair ~ ' / sum(sm_count)' ~ pair
                ~ ' as sm_alike',
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
            'sm_rating', 'sm_share_a', 'sm_share_b', 'sum(sm_share_a * sm_share_b)' ~ pair ~ ' as sm_by_chance',
        ], 8) }}
    from (
        select
            {{- sqlmetrics.lines(raters + [
                'sm_rating', 'sum(sm_by_a) as sm_share_a', 'sum(sm_by_b) as sm_share_b',
            ], 12) }}
        from (
            select
                {{- sqlmetrics.lines(raters + [
                    'sm_rating_a as sm_rating', 'sm_count / sm_n_pair as sm_by_a',
                    sqlmetrics.sql_double('0') ~ ' as sm_by_b',
                ], 16) }}
            from sm_pair_cells
            union all
            select
                {{- sqlmetrics.lines(raters + [
                    'sm_rating_b', sqlmetrics.sql_double('0'), 'sm_count / sm_n_pair',
                ], 16) }}
            from sm_pair_cells
        ) as sm_sides
        group by {{ (raters + ['sm_rating']) | join(', ') }}
    ) as sm_shares
),

-- the kappa of each pair, and how far an item moves it
sm_pair_influences as{{ sqlmetrics.sql_cte_shared() }} (
    select
        {{- sqlmetrics.lines(raters + [
            'sm_rating_a', 'sm_rating_b', 'sm_count', 'sm_n_pair', kappa ~ ' as sm_kappa',
            '(case when sm_rating_a = sm_rating_b then 1 else 0 end - sm_alike - (1 - ' ~ kappa
                ~ ') * (sm_other_share_a + sm_other_share_b - 2 * sm_by_chance)) / ' ~ left ~ ' as sm_influence',
        ], 8) }}
    from (
        select
            {{- sqlmetrics.lines(sqlmetrics.prefixed(raters, 'sm_pair_cells.') + [
                'sm_rating_a', 'sm_rating_b', 'sm_count', 'sm_n_pair', 'sm_alike',
                'sm_of_a.sm_share_b as sm_other_share_b', 'sm_of_b.sm_share_a as sm_other_share_a',
                'sm_of_a.sm_by_chance as sm_by_chance',
            ], 12) }}
        from sm_pair_cells
        {%- for side in ('a', 'b') %}
        inner join sm_pair_values as sm_of_{{ side }}
            on {{ sqlmetrics.same_keys(raters, 'sm_pair_cells', 'sm_of_' ~ side) }}
            and sm_pair_cells.sm_rating_{{ side }} = sm_of_{{ side }}.sm_rating
        {%- endfor %}
    ) as sm_shared_cells
),

-- the mean of all pairs; an item moves the kappa of each pair that rated it
sm_mean_kappas as (
    select
        {{- sqlmetrics.lines(keys + [
            sqlmetrics.ratio('sum(sm_part_of_kappa)', 'max(sm_n_kappas)') ~ ' as sm_mean_kappa',
            sqlmetrics.ratio(
                sqlmetrics.sql_double('count(*)') ~ ' * sum(sm_moved * sm_moved)',
                '(count(*) - 1) * max(sm_n_kappas) * max(sm_n_kappas)'
            ) ~ ' as sm_variance_of_kappas',
            sqlmetrics.sql_double('count(*)') ~ ' as sm_n_paired',
        ], 8) }}
    from (
        select
            {{- sqlmetrics.lines(keys + [
                'sm_moved', 'sm_part_of_kappa',
                'sum(sm_part_of_pair) over (' ~ sqlmetrics.partition_by(keys) | trim ~ ') as sm_n_kappas',
            ], 12) }}
        from (
            select
                {{- sqlmetrics.lines(sqlmetrics.prefixed(keys, 'sm_pairs.') + [
                    'sum(sm_influence / sm_n_pair) as sm_moved',
                    'sum(sm_kappa / sm_n_pair) as sm_part_of_kappa', 'sum(1 / sm_n_pair) as sm_part_of_pair',
                ], 16) }}
            from sm_pairs
            inner join sm_pair_influences on {{ sqlmetrics.same_keys(
                raters + ['sm_rating_a', 'sm_rating_b'], 'sm_pairs', 'sm_pair_influences'
            ) }}
            where sm_kappa is not null
            group by {{ (sqlmetrics.prefixed(keys, 'sm_pairs.') + ['sm_pairs.sm_group']) | join(', ') }}
        ) as sm_moves
    ) as sm_counted_moves
    {{- sqlmetrics.grouped_by(keys) }}
)
{%- endmacro %}

{# Rows of sm_estimates: each pair of raters. The counts of the slice are in the row of the mean. #}
{% macro rows_of_pairs(plan, number, name) -%}
{%- set keys = plan['facts']['keys'] -%}
select
        {{- sqlmetrics.lines(keys + [
            number | string, sqlmetrics.sql_text(name),
            sqlmetrics.sql_string('sm_rater_a'), sqlmetrics.sql_string('sm_rater_b'),
            'max(sm_kappa)',
            sqlmetrics.ratio(
                'sum(sm_count * sm_influence * sm_influence)', 'max(sm_n_pair) * (max(sm_n_pair) - 1)'
            ),
            'max(sm_n_pair) - 1', 'max(sm_n_pair)', sqlmetrics.sql_double('2'), '2 * max(sm_n_pair)', '0', '0',
        ], 8) }}
    from sm_pair_influences
    group by {{ (keys + ['sm_rater_a', 'sm_rater_b']) | join(', ') }}
{%- endmacro %}
