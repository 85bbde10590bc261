{#
  The grain of items. sm_recommendations and sm_tops hold the top of each list, once for the slice and once
  for the total. From there one branch has one row for each list (sm_top_lists), then for each slice
  (sm_top_list_sums); the other has one row for each item (sm_exposed), then for each slice
  (sm_exposure_sums).
#}

{# The stages of items that a plan needs, in order. #}
{% macro stages_of_items(plan) -%}
    {%- set stages = [sqlmetrics.stage_recommendations(plan)]
        if plan['needs']['repeated'] or not sqlmetrics.tops_are_of_slices(plan) else [] -%}
    {%- if plan['needs']['repeated'] -%}{%- do stages.append(sqlmetrics.stage_repeated(plan)) -%}{%- endif -%}
    {%- do stages.append(sqlmetrics.stage_tops(plan)) -%}
    {%- if plan['needs']['catalog_items'] or plan['needs']['categories'] -%}
        {%- do stages.append(sqlmetrics.stage_catalog(plan)) -%}
    {%- endif -%}
    {%- if plan['needs']['interactions'] -%}{%- do stages.append(sqlmetrics.stage_history(plan)) -%}{%- endif -%}
    {%- if plan['needs']['categories'] -%}
        {%- do stages.append(sqlmetrics.stage_categories(plan)) -%}
    {%- elif plan['needs']['pairs'] -%}
        {%- do stages.append(sqlmetrics.stage_distances(plan)) -%}
    {%- endif -%}
    {%- if plan['needs']['tops'] or plan['needs']['top_lists'] -%}
        {%- do stages.append(sqlmetrics.stage_top_lists(plan)) -%}
    {%- endif -%}
    {%- if plan['needs']['top_lists'] -%}{%- do stages.append(sqlmetrics.stage_top_list_sums(plan)) -%}{%- endif -%}
    {%- if plan['needs']['users'] -%}{%- do stages.append(sqlmetrics.stage_users(plan)) -%}{%- endif -%}
    {%- if plan['needs']['exposures'] -%}{%- do stages.append(sqlmetrics.stage_exposures(plan)) -%}{%- endif -%}
    {%- do return(stages) -%}
{%- endmacro %}

{# The audit counts of lists, if no metric of lists adds them. #}
{% macro audit_items(plan) -%}
    {%- do plan['result']['audit'].update({'n_groups': sqlmetrics.filled(plan, sqlmetrics.lists_of_tops(plan))}) -%}
    {%- set repeats = sqlmetrics.need(plan, 'repeated', 'repeats', '{copies} - 1') -%}
    {%- do plan['result']['checks'].update({sqlmetrics.filled(plan, repeats): sqlmetrics.check_of_repeats(plan)}) -%}
{%- endmacro %}

{# The keys of a list of a slice. #}
{% macro top_keys(plan, prefix='') -%}
    {%- do return(sqlmetrics.prefixed(plan['facts']['keys'] + ['sm_group'], prefix)) -%}
{%- endmacro %}

{# The condition that joins two stages by list. #}
{% macro same_top(plan, left, right) -%}
    {{- sqlmetrics.same_keys(sqlmetrics.top_keys(plan), left, right) -}}
{%- endmacro %}

{# sm_recommendations: the recommended items, in each slice and in total. #}
{% macro stage_recommendations(plan) -%}
-- what was recommended, in the slices and in total
sm_recommendations as{{ sqlmetrics.sql_cte_inline() }} (
    {{ sqlmetrics.by_slice_and_total(
        plan, ['sm_group', 'sm_item'] + ([] if sqlmetrics.tops_are_of_slices(plan) else ['sm_score']
            + (['sm_label'] if sqlmetrics.reads(plan, 'tops', ['label', 'label_place']) else [])),
        ' and sm_listed = 1' if plan['facts']['truth'] is not none
    ) }}
)
{%- endmacro %}

{# sm_repeat_sums: the number of rows that repeat an item of their list. #}
{% macro stage_repeated(plan) -%}
-- how many rows repeat an item of their list
sm_repeat_sums as (
    select
        {{- sqlmetrics.lines(plan['facts']['keys'] + sqlmetrics.aggregates(plan, 'repeated'), 8) }}
    from (
        select {{ (plan['facts']['keys'] + ['count(*) as sm_copies']) | join(', ') }}
        from sm_recommendations
        group by {{ sqlmetrics.top_keys(plan) | join(', ') }}, sm_item
        having count(*) > 1
    ) as sm_repeated
    {{- sqlmetrics.grouped_by(plan['facts']['keys']) }}
)
{%- endmacro %}

{#
  sm_tops: the items down to the largest cutoff, with their rank sm_place; one sort. With a cutoff, the top of
    a whole list is found among the tops of its parts (sm_tops_of_slices), which are few.
#}
{% macro stage_tops(plan) -%}
{%- set columns = ['sm_item'] + (['sm_label'] if sqlmetrics.reads(plan, 'tops', 'label') else []) -%}
{%- if not sqlmetrics.tops_are_of_slices(plan) -%}
-- the items down to the largest cutoff, with their rank
sm_tops as{{ sqlmetrics.sql_cte_shared() }} (
    {{ sqlmetrics.placed_items(plan, 'sm_recommendations', sqlmetrics.top_keys(plan), columns) }}
)
{%- else -%}
-- the items down to the largest cutoff, with their rank, in the slices
sm_tops_of_slices as{{ sqlmetrics.sql_cte_materialized() }} (
    {{ sqlmetrics.placed_items(
        plan, sqlmetrics.sliced(plan), sqlmetrics.top_keys(plan), columns + ['sm_score'],
        sqlmetrics.is_recommended(plan),
    ) }}
),

-- and in total
sm_tops as{{ sqlmetrics.sql_cte_shared() }} (
    select
        {{- sqlmetrics.lines(sqlmetrics.top_keys(plan) + columns + ['sm_place'], 8) }}
    from sm_tops_of_slices
    union all
    {{ sqlmetrics.placed_items(
        plan,
        'sm_tops_of_slices',
        sqlmetrics.model_keys(plan) + ['sm_group'],
        columns,
        keys=sqlmetrics.total_keys(plan) + ['sm_group'],
    ) }}
)
{%- endif -%}
{%- endmacro %}

{# True if the tops of slices are made first. Ranks by label are those among all items of a list. #}
{% macro tops_are_of_slices(plan) -%}
    {%- do return(
        plan['facts']['total'] and not plan['facts']['runs'] and none not in plan['depths']
        and not sqlmetrics.reads(plan, 'tops', 'label_place')
    ) -%}
{%- endmacro %}

{#
  The items of lists with their rank, down to the largest cutoff, as a select. `keys` are the keys of lists if
  they are selected differently.
#}
{% macro placed_items(plan, source, lists, columns, condition='', keys=none) -%}
{%- set by_label = ['sm_label_place'] if sqlmetrics.reads(plan, 'tops', 'label_place') else [] -%}
{%- set down = 'row_number() over (partition by ' ~ lists | join(', ') ~ ' order by ' -%}
{%- set tied = ' desc, ' ~ sqlmetrics.order_of_items(plan) ~ ') as ' -%}
select
        {{- sqlmetrics.lines((keys or lists) + columns + ['sm_place'] + by_label, 8) }}
    from (
        select
            {{- sqlmetrics.lines(
                lists + columns + [down ~ 'sm_score' ~ tied ~ 'sm_place']
                    + ([down ~ 'sm_label' ~ tied ~ 'sm_label_place'] if by_label else []), 12
            ) }}
        from {{ source }}
        {%- if condition %}
        where {{ condition }}
        {%- endif %}
    ) as sm_placed
    {%- if none not in plan['depths'] %}
    where sm_place <= {{ plan['depths'] | max }}
    {%- endif %}
{%- endmacro %}

{# True if a usable row is a recommendation, and not an item of the truth that was not listed. #}
{% macro is_recommended(plan) -%}
sm_problem = 0{{ ' and sm_listed = 1' if plan['facts']['truth'] is not none }}
{%- endmacro %}

{# sm_top_lists: the sums of metrics over the items of a list, one row for each list. #}
{% macro stage_top_lists(plan) -%}
{%- set keys = sqlmetrics.top_keys(plan, 'sm_tops.') -%}
{%- set joined = plan['needs']['pairs'] or plan['needs']['users'] or sqlmetrics.reads_sums(plan, 'exposed', 'tops') -%}
-- what is summed over the items of a list
sm_top_lists as{{ sqlmetrics.sql_cte_shared() }} (
    select
        {%- set columns = sqlmetrics.slice_keys(plan, 'sm_tops.') + sqlmetrics.aggregates(plan, 'tops') -%}
        {{- sqlmetrics.lines((['sm_tops.sm_group'] if joined or not columns else []) + columns, 8) }}
    from sm_tops
    {%- if sqlmetrics.reads(plan, 'tops', ['interactions', 'item_users', 'popularity_rank', 'more_popular']) %}
    left join sm_popularity on sm_tops.sm_item = sm_popularity.sm_item
    {%- endif %}
    {%- if sqlmetrics.reads(plan, 'tops', 'popularity_rank') %}
    cross join sm_catalog_sums
    {%- endif %}
    group by {{ keys | join(', ') }}
)
{%- endmacro %}

{# sm_top_list_sums: the sums of metrics over these lists, one row for each slice. #}
{% macro stage_top_list_sums(plan) -%}
{%- set keys = sqlmetrics.slice_keys(plan, 'sm_top_lists.') -%}
-- what is summed over lists, a row for each slice
sm_top_list_sums as (
    select
        {{- sqlmetrics.lines(keys + sqlmetrics.aggregates(plan, 'top_lists'), 8) }}
    from sm_top_lists
    {%- if plan['needs']['pairs'] %}
    left join sm_top_pairs on {{ sqlmetrics.same_top(plan, 'sm_top_lists', 'sm_top_pairs') }}
    {%- endif %}
    {{- sqlmetrics.grouped_by(keys) }}
)
{%- endmacro %}

{#
  sm_user_sums: sums over the users who should get recommendations, those of the truth or, without one, of the
    history.
#}
{% macro stage_users(plan) -%}
{%- set keys = sqlmetrics.slice_keys(plan, 'sm_due.') -%}
-- the users who are due recommendations
sm_due as (
    {%- if plan['facts']['truth'] is not none %}
    {{ sqlmetrics.by_slice_and_total(plan, ['sm_group'], distinct=true) }}
    {%- else %}
    select distinct {{ (plan['facts']['keys'] + ['sm_history.sm_group']) | join(', ') }}
    from sm_history
    cross join sm_row_sums
    where sm_history.sm_group is not null
    {%- endif %}
),

-- what is summed over users, a row for each slice
sm_user_sums as (
    select
        {{- sqlmetrics.lines(keys + sqlmetrics.aggregates(plan, 'users'), 8) }}
    from sm_due
    left join sm_top_lists on {{ sqlmetrics.same_top(plan, 'sm_due', 'sm_top_lists') }}
    {{- sqlmetrics.grouped_by(keys) }}
)
{%- endmacro %}

{#
  sm_exposed: one row for each item that is shown, numbered by sm_exposure..._order from the most shown down;
    sm_exposure_sums: one row for each slice.
#}
{% macro stage_exposures(plan) -%}
{%- set keys = sqlmetrics.slice_keys(plan, 'sm_exposed.') -%}
{%- set slices, item = sqlmetrics.slice_keys(plan, 'sm_tops.'), ['sm_tops.sm_item'] -%}
{%- set with_catalog = plan['needs']['catalog_items'] or plan['needs']['categories'] -%}
-- how often each item is shown
sm_exposed as (
    select
        {{- sqlmetrics.lines(slices + (item if with_catalog else []) + sqlmetrics.aggregates(plan, 'exposed'), 8) }}
    from sm_tops
    {%- if sqlmetrics.reads_sums(plan, 'exposed', 'tops') %}
    inner join sm_top_lists on {{ sqlmetrics.same_top(plan, 'sm_tops', 'sm_top_lists') }}
    {%- endif %}
    group by {{ (slices + item) | join(', ') }}
),

-- what is summed over the shown items, a row for each slice
sm_exposure_sums as (
    select
        {{- sqlmetrics.lines(keys + sqlmetrics.aggregates(plan, 'exposures'), 8) }}
    from
        {%- if plan['exposure_orders'] %} (
        select
            sm_exposed.*
            {%- for exposure in plan['exposure_orders'] %},
            {%- set order = sqlmetrics.partition_by(plan['facts']['keys']) ~ 'order by sm_' ~ exposure ~ ' desc' %}
            row_number() over ({{ order }}) as sm_{{ exposure }}_order
            {%- endfor %}
        from sm_exposed
    ) as sm_exposed
        {%- else %} sm_exposed
        {%- endif %}
    {%- if with_catalog %}
    left join sm_catalog on sm_exposed.sm_item = sm_catalog.sm_item
    {%- endif %}
    {{- sqlmetrics.grouped_by(keys) }}
)
{%- endmacro %}
