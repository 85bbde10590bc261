{# Facts about items: the catalog, the past interactions, and the distances between the items of a list. #}

{# sm_catalog: the items that could be recommended, each once; sm_catalog_sums: one row. #}
{% macro stage_catalog(plan) -%}
{%- set category = plan['needs']['categories'] | length > 0 -%}
-- the items that could be recommended, each once
sm_catalog as{{ sqlmetrics.sql_cte_shared() }} (
    select
        {{- sqlmetrics.lines(['sm_item'] + (
            ['case when min(sm_category) = max(sm_category) then min(sm_category) end as sm_category']
            if category else []
        ), 8) }}
    from (
        {%- set named_category = ', ' ~ plan['facts']['category'] ~ ' as sm_category' if category %}
        select {{ sqlmetrics.sql_nullable(plan['facts']['item']) }} as sm_item{{ named_category }}
        from {{ sqlmetrics.from_item(plan['facts']['catalog']) }}
    ) as sm_listed_items
    group by sm_item
)
{%- if plan['needs']['catalog_items'] -%}
,

-- how many there are
sm_catalog_sums as{{ sqlmetrics.sql_cte_shared() }} (
    select
        {{- sqlmetrics.lines(sqlmetrics.aggregates(plan, 'catalog_items'), 8) }}
    from sm_catalog
)
{%- endif -%}
{%- endmacro %}

{#
  sm_history: the past interactions; sm_history_sums: one row. sm_popularity: for each item its interactions
    (sm_interactions) and users (sm_item_users), the rank of its number of interactions (equal numbers share
    one), and the interactions of more popular items.
#}
{% macro stage_history(plan) -%}
{%- set sums = [] -%}
{%- for column, need in plan['needs']['interactions'].items() -%}
    {#- a history without a row has no interaction, so no bad one -#}
    {%- set sum = sqlmetrics.sql_aggregate(need['aggregate'], sqlmetrics.filled(plan, need['inner'])) -%}
    {%- do sums.append((sum if need['aggregate'] == 'count' else 'coalesce(' ~ sum ~ ', 0)') ~ ' as ' ~ column) -%}
{%- endfor -%}
-- the past interactions
sm_history as{{ sqlmetrics.sql_cte_shared() }} (
    select {{ plan['facts']['group'] }} as sm_group, {{ plan['facts']['item'] }} as sm_item
    from {{ sqlmetrics.from_item(plan['facts']['history']) }}
),

-- how many there are
sm_history_sums as (
    select
        {{- sqlmetrics.lines(sums, 8) }}
    from sm_history
)
{%- if sqlmetrics.reads(plan, 'tops', ['interactions', 'item_users', 'popularity_rank', 'more_popular']) -%}
,

-- how often each item was interacted with, and by how many users
sm_popularity as (
    select
        sm_counted.*
        {%- if sqlmetrics.reads(plan, 'tops', 'popularity_rank') %},
        {{ sqlmetrics.sql_nullable('dense_rank() over (order by sm_interactions desc)') }} as sm_popularity_rank
        {%- endif %}
        {%- if sqlmetrics.reads(plan, 'tops', 'more_popular') %},
        sum(sm_interactions) over (order by sm_interactions desc{{ sqlmetrics.sql_with_ties() }})
            - sum(sm_interactions) over (order by sm_interactions desc
            {{- ' range between current row and current row)' }} as sm_more_popular,
        sum(sm_interactions) over () as sm_all_interactions
        {%- endif %}
    from (
        {%- set users = ', ' ~ sqlmetrics.sql_nullable('count(distinct sm_group)') ~ ' as sm_item_users'
            if sqlmetrics.reads(plan, 'tops', 'item_users') %}
        select sm_item, {{ sqlmetrics.sql_nullable('count(*)') }} as sm_interactions{{ users }}
        from sm_history
        where sm_group is not null and sm_item is not null
        group by sm_item
    ) as sm_counted
)
{%- endif -%}
{%- endmacro %}

{# sm_top_pairs by category: from the items of each category in a list. #}
{% macro stage_categories(plan) -%}
{%- set lists = sqlmetrics.top_keys(plan, 'sm_tops.') | join(', ') -%}
-- the items of each category in a list
sm_top_categories as (
    select
        {{- sqlmetrics.lines(sqlmetrics.top_keys(plan, 'sm_tops.') + sqlmetrics.aggregates(plan, 'categories'), 8) }}
    from sm_tops
    inner join sm_catalog on sm_tops.sm_item = sm_catalog.sm_item
    group by {{ lists }}, sm_catalog.sm_category
),

-- how far the items of a list are apart
sm_top_pairs as (
    select
        {{- sqlmetrics.lines(sqlmetrics.top_keys(plan) + sqlmetrics.aggregates(plan, 'pairs'), 8) }}
    from sm_top_categories
    group by {{ sqlmetrics.top_keys(plan) | join(', ') }}
)
{%- endmacro %}

{# sm_top_pairs by distance: from the pairs of items in a list, in both orders. #}
{% macro stage_distances(plan) -%}
{%- set distance = sqlmetrics.sql_double('distance') -%}
{%- set usable = sqlmetrics.sql_finite(distance) ~ ' and ' ~ distance ~ ' >= 0' -%}
{%- set same_everywhere = 'min(sm_distance) = max(sm_distance) and count(*) = count(sm_distance)' -%}
-- how far two items are apart, in both orders
sm_distances as (
    select
        sm_item,
        sm_other_item,
        case when {{ same_everywhere }} then max(sm_distance) end as sm_distance
    from (
        {%- for one, other in (('item_a', 'item_b'), ('item_b', 'item_a')) %}
        {{ 'union all\n        ' if not loop.first }}select
            {{ one }} as sm_item,
            {{ other }} as sm_other_item,
            case when {{ usable }} then {{ distance }} end as sm_distance
        from {{ sqlmetrics.from_item(plan['facts']['distances']) }}
        {%- endfor %}
    ) as sm_given_distances
    group by sm_item, sm_other_item
),

-- how far the items of a list are apart
sm_top_pairs as (
    select
        {{- sqlmetrics.lines(sqlmetrics.top_keys(plan, 'sm_one.') + sqlmetrics.aggregates(plan, 'pairs'), 8) }}
    from sm_tops as sm_one
    {%- set same_list = sqlmetrics.same_top(plan, 'sm_one', 'sm_other') %}
    inner join sm_tops as sm_other on {{ same_list }} and sm_one.sm_item <> sm_other.sm_item
    left join sm_distances on sm_distances.sm_item = sm_one.sm_item and sm_distances.sm_other_item = sm_other.sm_item
    group by {{ sqlmetrics.top_keys(plan, 'sm_one.') | join(', ') }}
)
{%- endmacro %}
