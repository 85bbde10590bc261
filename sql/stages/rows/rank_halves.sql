{#
  Pairs of rows in the same and in opposite orders of label and score, without going through the pairs: blocks of 2, 4,
  8, ... score ranks are halved, and two rows of different scores lie in both halves of exactly one block. There, the
  rows of the upper half are counted against those of the lower half in the order of the labels, as a merge sort counts
  inversions. This reads each row once for each doubling of their number.
#}

{#
  sm_rank_halves: the rows of a block and label. sm_upper, sm_lower: those of each half; sm_upper_through,
    sm_lower_through: those down to the label from the smallest. A tie in the label adds the same to both products of
    `sm_agreeing`, so it counts nothing.
#}
{% macro stages_of_rank_halves(plan) -%}
{%- set keys = plan['facts']['keys'] -%}
{%- set place, half = 'sm_score_first - 1', 'sm_halves.sm_half' -%}
{%- set block = sqlmetrics.sql_integer('floor(' ~ sqlmetrics.ratio(place, '2 * ' ~ half) ~ ')') -%}
{%- set halves = sqlmetrics.sql_integer('floor(' ~ sqlmetrics.ratio(place, half) ~ ')') -%}
{%- set rows = sqlmetrics.sums_of_stage(plan, sqlmetrics.row_count(plan)) -%}
{%- set doublings = '(select ' ~ sqlmetrics.sql_integer(
    'floor(max(' ~ sqlmetrics.sql_log2(sqlmetrics.sql_double(rows ~ ' + 1')) ~ ')) + 1'
) ~ ' as sm_longest from sm_row_sums)' -%}
{%- set up = 'over (' ~ sqlmetrics.partition_by(keys + ['sm_half', 'sm_block'])
    ~ 'order by sm_label_first asc rows unbounded preceding)' -%}
-- the rows of each label in both halves of blocks of 2, 4, 8, ... score ranks
sm_rank_halves as (
    select
        {{- sqlmetrics.lines(keys + [
            'sm_upper', 'sm_lower',
            'sum(sm_upper) ' ~ up ~ ' as sm_upper_through', 'sum(sm_lower) ' ~ up ~ ' as sm_lower_through',
        ], 8) }}
    from (
        select
            {{- sqlmetrics.lines(keys + [
                'sm_half', 'sm_block', 'sm_label_first',
                'sum(sm_halves_down - 2 * sm_block) as sm_upper',
                'sum(1 - sm_halves_down + 2 * sm_block) as sm_lower',
            ], 12) }}
        from (
            select
                {{- sqlmetrics.lines(sqlmetrics.prefixed(keys, 'sm_both_ranked.') + [
                    half, block ~ ' as sm_block', halves ~ ' as sm_halves_down', 'sm_label_first',
                ], 16) }}
            from sm_both_ranked
            cross join (
                select {{ sqlmetrics.sql_integer('round(' ~ sqlmetrics.sql_power_of_2('sm_position - 1') ~ ')') }}
                    as sm_half
                from {{ sqlmetrics.sql_positions(doublings) }} as sm_doublings
            ) as sm_halves
        ) as sm_halved
        group by {{ (keys + ['sm_half', 'sm_block', 'sm_label_first']) | join(', ') }}
    ) as sm_half_labels
),

-- the pairs in the same order, less those in opposite orders
sm_rank_half_sums as (
    select
        {{- sqlmetrics.lines(keys + sqlmetrics.aggregates(plan, 'rank_halves'), 8) }}
    from (
        select
            {{- sqlmetrics.lines(keys + [
                sqlmetrics.sql_double('sm_upper') ~ ' * sm_lower_through - ' ~ sqlmetrics.sql_double('sm_lower')
                    ~ ' * sm_upper_through as sm_agreeing',
            ], 12) }}
        from sm_rank_halves
    ) as sm_paired
    {{- sqlmetrics.grouped_by(keys) }}
)
{%- endmacro %}
