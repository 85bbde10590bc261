{#
  Deviations of units (lists, rows) from the sums over them. Units are read a second time after the sums are
  known.
#}

{#
  sm_list_deviations: for each list of a slice, and of the total, its influence on each metric: n - R d for a
    ratio R of sums of n and d; or, with an `order`, the sum over the lists down to it. sm_list_spreads: the sums of
    their squares, one row for each slice.
#}
{% macro stages_of_list_spreads(plan) -%}
{%- if plan['question']['reads'] == 'state' -%}
    {%- do return([sqlmetrics.stage_deviations_of_parts(plan, 'lists'), sqlmetrics.stage_spreads(plan, 'lists')]) -%}
{%- endif -%}
{%- set columns, keys = [], sqlmetrics.slice_keys(plan, 'sm_list_sums.') -%}
{%- for column, need in plan['needs']['list_deviations'].items() -%}
    {%- set value = sqlmetrics.filled(plan, need['inner']) -%}
    {%- if 'order' in need -%}
        {%- set value = 'sum(' ~ value ~ ') over (' ~ ('partition by ' ~ keys | join(', ') ~ ' ' if keys)
            ~ 'order by ' ~ sqlmetrics.filled(plan, need['order']) ~ ' asc' ~ sqlmetrics.sql_with_ties() ~ ')' -%}
    {%- endif -%}
    {%- do columns.append(value ~ ' as ' ~ column) -%}
{%- endfor -%}
{%- do return(['-- how far each list pulls a metric
sm_list_deviations as' ~ sqlmetrics.sql_cte_inline() ~ ' (
    select' ~ sqlmetrics.lines(keys + columns, 8) ~ '
    from ' ~ sqlmetrics.lists_beside_sums(plan) ~ '
)', sqlmetrics.stage_spreads(plan, 'lists')]) -%}
{%- endmacro %}

{#
  sm_row_spreads, sm_list_spreads: the sums of powers of deviations. A state has the moments of its parts in their
  place, sm_row_moments and sm_list_moments.
#}
{% macro stage_spreads(plan, unit) -%}
{%- set named = sqlmetrics.units()[unit] -%}
{%- set grain = named['moments'] if plan['question']['ends'] == 'sums' else named['spreads'] -%}
-- the squares of that, a row for each slice
sm_{{ grain }} as (
    select
        {{- sqlmetrics.lines(plan['facts']['keys'] + sqlmetrics.aggregates(plan, grain), 8) }}
    from sm_{{ named['deviations'] }}
    {{- sqlmetrics.grouped_by(plan['facts']['keys']) }}
)
{%- endmacro %}

{# The lists of each slice, and of the total, beside the sums over them. #}
{% macro lists_beside_sums(plan) -%}
{%- if not plan['facts']['total'] or plan['facts']['runs'] -%}
sm_lists
    {{ sqlmetrics.inner_join(plan['facts']['keys'], 'sm_lists', 'sm_list_sums') }}
    {{- '\n    where sm_lists.sm_slice = sm_last_slice' if sqlmetrics.has_parts(plan) }}
{%- else -%}
(
        select sm_lists.*, case when sm_in_total = 1 then 0 else sm_slice end as sm_counted_in
        from sm_lists
        cross join {{ sqlmetrics.slice_or_total() }}
        {%- if sqlmetrics.has_parts(plan) %}
        where (sm_in_total = 1 and sm_part = 0) or (sm_in_total = 0 and sm_slice = sm_last_slice)
        {%- endif %}
    ) as sm_lists
    {%- set models = sqlmetrics.model_keys(plan) %}
    inner join sm_list_sums
        on {{ sqlmetrics.same_keys(models, 'sm_lists', 'sm_list_sums') ~ ' and ' if models -}}
        sm_counted_in = sm_list_sums.sm_slice
{%- endif -%}
{%- endmacro %}

{#
  sm_row_deviations: the influence of each row of a slice, and of the total, on each metric. sm_row_spreads:
    the sums of squares, one row for each slice.
#}
{% macro stages_of_row_spreads(plan) -%}
{%- if plan['question']['reads'] == 'state' -%}
    {%- do return([sqlmetrics.stage_deviations_of_parts(plan, 'rows'), sqlmetrics.stage_spreads(plan, 'rows')]) -%}
{%- endif -%}
{%- set columns = [] -%}
{%- for column, need in plan['needs']['row_deviations'].items() -%}
    {%- do columns.append(sqlmetrics.filled(plan, need['inner']) ~ ' as ' ~ column) -%}
{%- endfor -%}
{%- do return(['-- how far each row pulls a metric
sm_row_deviations as' ~ sqlmetrics.sql_cte_inline() ~ ' (
    ' ~ sqlmetrics.over_rows_again(plan, columns) ~ '
)', sqlmetrics.stage_spreads(plan, 'rows')]) -%}
{%- endmacro %}

{#
  Columns of the usable rows: each row beside the sums of its slice, then all rows beside those of the total.

  Args:
    by: what the columns are aggregated by, besides slices; without it nothing is aggregated
#}
{% macro over_rows_again(plan, columns, by=[]) -%}
{%- set models = sqlmetrics.model_keys(plan) -%}
{#- the rows of precisions are usable, and there again for the total -#}
{%- set placed = plan['needs']['precisions'] | length > 0 -%}
{%- set rows = 'sm_row_precisions' if placed else sqlmetrics.sliced(plan) -%}
select
        {{- sqlmetrics.lines(sqlmetrics.slice_keys(plan, 'sm_row_sums.') + columns, 8) }}
    from {{ rows }}
    {{ sqlmetrics.join_sums_again(plan, plan['facts']['keys'], rows) }}
    {{- '\n    where sm_problem = 0' if not placed }}
    {{- sqlmetrics.grouped_by(sqlmetrics.slice_keys(plan, 'sm_row_sums.') + by) if by }}
    {#- a state adds up the slices itself -#}
    {%- if plan['facts']['total'] and not placed and plan['question']['ends'] != 'sums' %}
    union all
    select
        {{- sqlmetrics.lines(sqlmetrics.prefixed(models, 'sm_row_sums.') + ['0 as sm_slice'] + columns, 8) }}
    from sm_rows
    {{ sqlmetrics.join_sums_again(plan, models, 'sm_rows', of_total=true) }}
    where sm_problem = 0
    {{- sqlmetrics.grouped_by(sqlmetrics.prefixed(models, 'sm_row_sums.') + by) if by }}
    {%- endif %}
{%- endmacro %}

{# Joins the sums of a slice, or of the total, to its rows. #}
{% macro join_sums_again(plan, keys, rows, of_total=false) -%}
    {%- set joins = [] -%}
    {%- set stages = ['sm_row_sums'] + (['sm_second_pass'] if plan['needs']['second_pass'] else [])
        + (['sm_label_quantiles'] if plan['needs']['label_quantiles'] else [])
        + (['sm_precision_sums'] if plan['needs']['precisions'] else [])
        + (['sm_recalibration_sums'] if plan['needs']['recalibration'] else []) -%}
    {%- for stage in stages -%}
        {%- set source = 'sm_pooled_sums' if stage == 'sm_row_sums' and plan['pooled_sums'] else stage -%}
        {%- do joins.append(sqlmetrics.inner_join(
            keys,
            rows,
            '(select * from ' ~ source ~ ' where sm_slice = 0)' if of_total else source,
            stage if of_total or source != stage else none,
        )) -%}
    {%- endfor -%}
    {{- joins | join('\n    ') -}}
{%- endmacro %}
