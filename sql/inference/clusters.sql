{#
  Deviations of whole lists from sums over rows. Rows of one list may depend on each other, so lists, if there
  are any, are the units (clusters of rows).
#}

{#
  sm_group_sums: the contributions of each list of a slice, and of the total, to the ratios that metrics are.
    It takes one scan, because nothing of other rows is needed, or the sort of lists that are ranked first.
    sm_group_spreads: the sums of the squared influences of lists, one row for each slice.
#}
{% macro stages_of_groups(plan) -%}
{%- set ranked = sqlmetrics.reads_lists(plan) and sqlmetrics.lists_are_by_rank(plan)
    and not sqlmetrics.sql_copies_stages() -%}
{%- set sums, totals = [], [] -%}
{%- for column, need in plan['needs']['group_sums'].items() -%}
    {%- set sum = sqlmetrics.group_sum_by_rank(plan, column)
        if ranked else sqlmetrics.sql_aggregate(need['aggregate'], sqlmetrics.filled(plan, need['inner'])) -%}
    {%- do sums.append(sum ~ ' as ' ~ column) -%}
    {%- do totals.append(sqlmetrics.sql_aggregate('sum', column) ~ ' as ' ~ column) -%}
{%- endfor -%}
{%- set source = 'sm_group_parts' if plan['facts']['total'] else 'sm_group_sums' -%}
{%- set stages = ['-- what the rows of each list add up to
' ~ source ~ ' as' ~ sqlmetrics.sql_cte_shared() ~ ' (
    select' ~ sqlmetrics.lines(plan['facts']['keys'] + (['sm_group'] if plan['facts']['total'] else []) + sums, 8) ~ '
    from ' ~ (sqlmetrics.parts_by_rank(plan) ~ '
    where sm_length is not null' if ranked else sqlmetrics.sliced(plan) ~ '
    where sm_problem = 0') ~ sqlmetrics.grouped_by(plan['facts']['keys'] + ['sm_group']) ~ '
)'] -%}
{%- if plan['facts']['total'] -%}
    {%- do stages.append('-- the same with the lists of the total, each as a whole
sm_group_sums as' ~ sqlmetrics.sql_cte_inline() ~ ' (
    select' ~ sqlmetrics.lines(plan['facts']['keys'] + plan['needs']['group_sums'] | list, 8) ~ '
    from sm_group_parts
    union all
    select' ~ sqlmetrics.lines(sqlmetrics.total_keys(plan) + totals, 8) ~ '
    from sm_group_parts' ~ sqlmetrics.grouped_by(sqlmetrics.model_keys(plan) + ['sm_group']) ~ '
)') -%}
{%- endif -%}
{%- set sum_keys = sqlmetrics.slice_keys(plan, 'sm_group_sums.') -%}
{%- do stages.append('-- how far each list pulls a ratio, squared and summed
sm_group_spreads as' ~ sqlmetrics.sql_cte_shared() ~ ' (
    select' ~ sqlmetrics.lines(sum_keys + sqlmetrics.aggregates(plan, 'group_spreads'), 8) ~ '
    from sm_group_sums
    ' ~ sqlmetrics.inner_join(plan['facts']['keys'], 'sm_group_sums', 'sm_row_sums')
        ~ sqlmetrics.grouped_by(sum_keys) ~ '
)') -%}
{%- do return(stages) -%}
{%- endmacro %}

{#
  For metrics that are not ratios. sm_cluster_deviations: for each list of a slice, and of the total, the
  influence of its rows on each metric, and their count. sm_cluster_spreads: the sums of squared influences,
  and the number of lists that count, one row for each slice.
#}
{% macro stages_of_clusters(plan) -%}
{#- two models compared have the sums of their pair, whose number is a further key -#}
{%- set units = ['sm_group'] + (['sm_candidate'] if plan['pooled_sums'] else []) -%}
{%- set stages = sqlmetrics.stages_of_pooled_sums(plan) + ['-- how far the rows of each list pull a metric
sm_cluster_deviations as' ~ sqlmetrics.sql_cte_inline() ~ ' (
    ' ~ sqlmetrics.over_rows_again(
        plan, (units if sqlmetrics.compared_by(plan, ['influences']) else [])
            + sqlmetrics.aggregates(plan, 'cluster_deviations'), by=units
    ) ~ '
)'] -%}
{%- if plan['needs']['cluster_spreads'] -%}
    {%- do stages.append('-- the squares of that, a row for each slice
sm_cluster_spreads as' ~ sqlmetrics.sql_cte_shared() ~ ' (
    select' ~ sqlmetrics.lines(plan['facts']['keys'] + sqlmetrics.aggregates(plan, 'cluster_spreads'), 8) ~ '
    from sm_cluster_deviations' ~ sqlmetrics.grouped_by(plan['facts']['keys']) ~ '
)') -%}
{%- endif -%}
{%- do return(stages) -%}
{%- endmacro %}
