{#
  The grain of subtopics: a row for each list, judged item and subtopic for which the item is relevant, listed
  or not.

  sm_place: the rank of the item; items that were not listed come after the others
  sm_served: the number of items of the list above it that serve the subtopic
#}

{# sm_subtopics, and its sums for metrics, one row for each list. #}
{% macro stages_of_subtopics(plan) -%}
{%- set keys = sqlmetrics.list_keys(plan) -%}
{%- set lists = keys | join(', ') -%}
{%- set item = sqlmetrics.order_of_items(plan) -%}
-- a row for each list, item and subtopic, with the rank of the item
sm_subtopics as{{ sqlmetrics.sql_cte_materialized() }} (
    select
        {{- sqlmetrics.lines(sqlmetrics.list_keys(plan, 'sm_places.') + [
            'sm_listed',
            'sm_place',
            'row_number() over (partition by ' ~ sqlmetrics.list_keys(plan, 'sm_places.') | join(', ')
                ~ ', sm_subtopic order by sm_place asc) - 1 as sm_served',
        ] + (['sm_places.sm_item', 'sm_subtopic'] if plan['picks'] else []), 8) }}
    from (
        select
            {{- sqlmetrics.lines(keys + [
                'sm_item',
                'sm_listed',
                'row_number() over (partition by ' ~ lists ~ ' order by sm_listed desc, sm_score desc, ' ~ item
                    ~ ') as sm_place',
            ], 12) }}
        from {{ sqlmetrics.rows_of_lists(plan, sqlmetrics.sliced(plan)) }}
        where sm_problem = 0
    ) as sm_places
    inner join (
        select distinct sm_group, sm_item, sm_subtopic
        from sm_truth
        where {{ sqlmetrics.filled(plan, sqlmetrics.is_relevant(plan)) }}
    ) as sm_serving on sm_places.sm_group = sm_serving.sm_group and sm_places.sm_item = sm_serving.sm_item
),

-- what is summed over them, a row for each list
sm_subtopic_sums as (
    select
        {{- sqlmetrics.lines(keys + sqlmetrics.aggregates(plan, 'subtopics'), 8) }}
    from sm_subtopics
    group by {{ lists }}
)
{%- for grain, picks in plan['picks'].items() -%}
,

{{ sqlmetrics.stage_picks(plan, grain, picks['alpha'], picks['depth']) }}
{%- endfor -%}
{%- endmacro %}

{# The grain of the ideal order for an alpha, as deep as any metric reads. #}
{% macro picks_grain(plan, alpha, k) -%}
    {%- set grain = 'picks_' ~ sqlmetrics.column_name(alpha) -%}
    {%- if grain not in plan['picks'] -%}
        {%- do plan['needs'].update({grain: {}}) -%}
        {%- do plan['picks'].update({grain: {'alpha': alpha, 'depth': k}}) -%}
    {%- endif -%}
    {%- do plan['picks'][grain].update({'depth': [k, plan['picks'][grain]['depth']] | max}) -%}
    {%- do return(grain) -%}
{%- endmacro %}

{#
  The ideal order, in which each step picks the item that gains most.

  A step is three windows over the rows and no join: the gain of each item, the best of those left, and the
  subtopics it serves, which lose worth for the items left. Each step is stored: unfolded into one query,
  twenty steps take a planner minutes. The steps are inside the stage of their sums, because MariaDB allows 64
  names in one `with`, and does not find them in a sub-query.

  sm_pick: the rank of the item in the ideal order, 0 for an item that is left; sm_worth: the gain of its
    subtopic there
#}
{% macro stage_picks(plan, grain, alpha, depth) -%}
{%- set keys = sqlmetrics.list_keys(plan) -%}
{%- set lists = 'partition by ' ~ keys | join(', ') -%}
{%- set columns = keys + ['sm_item', 'sm_subtopic', 'sm_pick', 'sm_worth'] -%}
{#- an engine may add up in any order and round differently: gains within 1e-12 count as equal -#}
{%- set gain = 'case when sm_pick = 0 then floor(sm_gain * 1e12 + 0.3) else -1 end' -%}
-- what the best order of items for subtopics gains, a row for each list; it is found step by step
sm_{{ grain }}_sums as (
    with

    -- at first none is picked
    sm_step_0 as{{ sqlmetrics.sql_cte_materialized() }} (
        {%- set full_worth = sqlmetrics.sql_double('1') ~ ' as sm_worth' %}
        select {{ (keys + ['sm_item', 'sm_subtopic', '0 as sm_pick', full_worth]) | join(', ') }}
        from sm_subtopics
    )
    {%- for step in range(1, depth + 1) -%}
    {%- set now = 'sm_bests_' ~ step ~ '.' -%}
    {%- set best = now ~ 'sm_pick = 0 and sm_item = sm_best' -%}
    ,

    -- pick {{ step }}: what each item gains, the item that gains most, and the worth that is left
    sm_gains_{{ step }} as{{ sqlmetrics.sql_cte_inline() }} (
        select {{ columns | join(', ') }}, sum(sm_worth) over ({{ lists }}, sm_item) as sm_gain
        from sm_step_{{ step - 1 }}
    ),

    sm_bests_{{ step }} as{{ sqlmetrics.sql_cte_inline() }} (
        {%- set by_gain = lists ~ ' order by ' ~ gain ~ ' desc, sm_item desc rows unbounded preceding' %}
        select {{ columns | join(', ') }}, first_value(sm_item) over ({{ by_gain }}) as sm_best
        from sm_gains_{{ step }}
    ),

    sm_step_{{ step }} as{{ sqlmetrics.sql_cte_materialized() }} (
        select
            {{- sqlmetrics.lines(keys + (['sm_item', 'sm_subtopic'] if step < depth else []) + [
                'case when ' ~ best ~ ' then ' ~ step ~ ' else ' ~ now ~ 'sm_pick end as sm_pick',
                'case when ' ~ now ~ 'sm_pick = 0 and sm_item <> sm_best and max(case when ' ~ best
                    ~ ' then 1 else 0 end) over (' ~ lists ~ ', sm_subtopic) = 1 then ' ~ now ~ 'sm_worth * '
                    ~ (1 - alpha) ~ ' else ' ~ now ~ 'sm_worth end as sm_worth',
            ], 12) }}
        from sm_bests_{{ step }}
    )
    {%- endfor %}

    select
        {{- sqlmetrics.lines(keys + sqlmetrics.aggregates(plan, grain), 8) }}
    from sm_step_{{ depth }}
    group by {{ keys | join(', ') }}
)
{%- endmacro %}
