{#
  The grain of score levels, from the highest score down. Columns, in rows or in weight where rows have one:

  sm_level_rows, sm_level_positives: at this level (or of this one row of it)
  sm_above: strictly above the level
  sm_through: down to the level, itself included
  sm_positives_through: the positive ones among those
  sm_score: the score of the level, in whole levels only

  Two plans give the same numbers. `sorted` sorts the rows once and costs the same whatever the scores are. `counted`
  counts the rows of each distinct score first: far cheaper where scores repeat, dearer where they do not. Where
  something reads whole levels, a row each, it is the only one.
#}

{# What is read of the levels and bins: sm_levels, the sums over it, the bins, and the second pass for what lies at a maximum. #}
{% macro stages_of_levels(plan) -%}
    {%- set readers = (['sums'] if plan['levels'] else []) + (['peaks'] if plan['peaks'] else []) + (['points'] if plan['flags'].get('points_of_levels') else []) -%}
    {%- set stages = [] -%}
    {%- for bins in plan['bins'].values() if bins['equal'] == 'count' -%}{%- do readers.append(bins) -%}{%- endfor -%}
    {%- if readers -%}{%- do stages.append(sqlmetrics.stage_levels(plan, readers | length > 1)) -%}{%- endif -%}
    {%- if plan['levels'] -%}{%- do stages.append(sqlmetrics.stage_level_sums(plan, 'levels', 'sm_levels')) -%}{%- endif -%}
    {%- if plan['peaks'] -%}{%- do stages.append(sqlmetrics.stage_level_sums(plan, 'peaks', 'sm_levels')) -%}{%- endif -%}
    {%- for grain in plan['bins'] -%}
        {%- do stages.append(sqlmetrics.stage_bins(plan, grain)) -%}
        {%- if plan[grain] -%}{%- do stages.append(sqlmetrics.stage_level_sums(plan, grain, 'sm_' ~ grain)) -%}{%- endif -%}
    {%- endfor -%}
    {%- do return(stages) -%}
{%- endmacro %}

{# The grains whose sums are made here, and the stages that hold them. #}
{% macro sums_of_levels(plan) -%}
    {%- set stages = [] -%}
    {%- for grain in ['levels', 'peaks'] + plan['bins'] | list if plan[grain] -%}{%- do stages.append([grain, 'sm_' ~ grain ~ '_sums']) -%}{%- endfor -%}
    {%- do return(stages) -%}
{%- endmacro %}

{# sm_levels, for each slice and for the total; kept where it is read more than once. #}
{% macro stage_levels(plan, keep) -%}
{%- if plan['score_levels'] == 'counted' or plan['flags'].get('whole_levels') -%}
{{- sqlmetrics.levels_counted(plan, keep) -}}
{%- else -%}
{{- sqlmetrics.levels_sorted(plan) -}}
{%- endif -%}
{%- endmacro %}

{#
  The sorted plan. Without weights the rows down to a level are its share of all rows (cume_dist) times their number, which is
  exact and costs a third of counting them in a window. The total has a sort of its own, which needs no slices.
#}
{% macro levels_sorted(plan) -%}
{%- set weighted = plan['weight'] is not none -%}
{%- set keys = [] -%}
{%- for key in plan['keys'] -%}{%- do keys.append('sm_ordered.' ~ key) -%}{%- endfor -%}
{%- set counted = sqlmetrics.need(plan, 'rows', 'count', 'case when sm_problem = 0 then 1 else 0 end') -%}
sm_ordered as{{ sqlmetrics.sm_read_again() }} (
    {{ sqlmetrics.ordered(plan, sqlmetrics.sliced(plan), plan['keys'], plan['keys']) }}
    {%- if plan['total'] %}
    union all
    {{ sqlmetrics.ordered(plan, 'sm_rows', sqlmetrics.total_keys(plan), plan['keys'] | reject('equalto', 'sm_slice') | list) }}
    {%- endif %}
),

sm_levels as{{ sqlmetrics.sm_read_again() }} (
    select
        {{- sqlmetrics.lines(keys + ['sm_level_rows', 'sm_level_positives',
            'sm_through' if weighted else sqlmetrics.from_share('sm_share', counted) ~ ' as sm_through']
            + (['sm_above'] if plan['flags'].get('above') else [])
            + (['sm_positives_through'] if plan['flags'].get('positives_through') else []), 8) }}
    from sm_ordered
    {%- if not weighted %}
    inner join sm_row_sums on {{ sqlmetrics.same_slice(plan, 'sm_ordered', 'sm_row_sums') }}
    {%- endif %}
)
{%- endmacro %}

{# A count from its share of a total: exact below 2^51. #}
{% macro from_share(share, total) -%}
{{ sqlmetrics.sm_integer('round(' ~ share ~ ' * ' ~ total ~ ')') }}
{%- endmacro %}

{# One sort of rows by score, inside each value of `partition`. #}
{% macro ordered(plan, source, keys, partition) -%}
{%- set down = ('partition by ' ~ partition | join(', ') ~ ' ' if partition else '') ~ 'order by sm_score desc' -%}
{%- set positive = sqlmetrics.is_relevant(plan) -%}
{%- if plan['weight'] is none -%}
    {%- set columns = [
        '1 as sm_level_rows', 'case when ' ~ positive ~ ' then 1 else 0 end as sm_level_positives',
        'cume_dist() over (' ~ down ~ ') as sm_share',
    ] -%}
    {%- set above = 'rank() over (' ~ down ~ ') - 1 as sm_above' -%}
    {%- set through = 'count(case when ' ~ positive ~ ' then 1 end) over (' ~ down ~ ') as sm_positives_through' -%}
{%- else -%}
    {%- set columns = [
        'sm_weight as sm_level_rows', 'case when ' ~ positive ~ ' then sm_weight else 0 end as sm_level_positives',
        'sum(sm_weight) over (' ~ down ~ ') as sm_through',
    ] -%}
    {%- set above = 'sum(sm_weight) over (' ~ down ~ ') - sum(sm_weight) over (' ~ down ~ ' range between current row and current row) as sm_above' -%}
    {%- set through = 'sum(case when ' ~ positive ~ ' then sm_weight else 0 end) over (' ~ down ~ ') as sm_positives_through' -%}
{%- endif -%}
select
        {{- sqlmetrics.lines(keys + columns + ([above] if plan['flags'].get('above') else []) + ([through] if plan['flags'].get('positives_through') else []), 8) }}
    from {{ source }}
    where sm_problem = 0
{%- endmacro %}

{# The counted plan. Rows of weight 0 make no level. #}
{% macro levels_counted(plan, keep) -%}
{%- set columns = {'above': plan['flags'].get('above'), 'positives_through': plan['flags'].get('positives_through')} -%}
{%- set squares = [{'name': 'sm_level_squares', 'aggregate': 'sum', 'of_rows': 'sum(sm_weight * sm_weight)'}] if plan['flags'].get('squares') else [] -%}
sm_level_counts as (
    {{ sqlmetrics.counted_rows(plan, 'sm_score', 'sm_score', squares) }}
),

sm_levels as{{ sqlmetrics.sm_keep() if keep else sqlmetrics.sm_read_again() }} (
    {{ sqlmetrics.cumulated(plan, 'sm_level_counts', 'sm_score', squares, columns, plan['total']) }}
)
{%- endmacro %}

{# The rows of each slice counted by an expression of their score. #}
{% macro counted_rows(plan, by, name, further=[]) -%}
{%- set weight = sqlmetrics.row_weight(plan) -%}
{%- set columns = [
    by ~ ('' if by == name else ' as ' ~ name), 'sum(' ~ weight ~ ') as sm_level_rows',
    'sum(case when ' ~ sqlmetrics.is_relevant(plan) ~ ' then ' ~ weight ~ ' else 0 end) as sm_level_positives',
] -%}
{%- for column in further -%}{%- do columns.append(column['of_rows'] ~ ' as ' ~ column['name']) -%}{%- endfor -%}
select
        {{- sqlmetrics.lines(plan['keys'] + columns, 8) }}
    from {{ sqlmetrics.sliced(plan) }}
    where sm_problem = 0
    {{- ' and sm_weight > 0' if plan['weight'] is not none }}
    group by {{ (plan['keys'] + [by]) | join(', ') }}
{%- endmacro %}

{#
  Counts of each slice, and of the total, with what is above and through each of them.

  Args:
    source: sm_level_rows and sm_level_positives by slice and `order`
    order: the column that orders them, downwards
    further: other columns of the source, each a mapping of name and aggregate, by which the slices make the total
    columns: a mapping that says which of above and positives_through are wanted
    total: whether the total is to be added up
#}
{% macro cumulated(plan, source, order, further, columns, total) -%}
{%- set keys = plan['keys'] -%}
{%- set down = '(' ~ ('partition by ' ~ keys | join(', ') ~ ' ' if keys else '') ~ 'order by ' ~ order ~ ' desc)' -%}
{%- set all = further | map(attribute='name') | list -%}
{%- set added_up = ['sum(sm_level_rows)', 'sum(sm_level_positives)'] -%}
{%- for column in further -%}{%- do added_up.append(column['aggregate'] ~ '(' ~ column['name'] ~ ')') -%}{%- endfor -%}
select
        {{- sqlmetrics.lines(keys + ([order] if plan['flags'].get('whole_levels') or order != 'sm_score' else []) + ['sm_level_rows', 'sm_level_positives'] + all
            + ['sum(sm_level_rows) over ' ~ down ~ ' as sm_through']
            + (['sum(sm_level_rows) over ' ~ down ~ ' - sm_level_rows as sm_above'] if columns['above'] else [])
            + (['sum(sm_level_positives) over ' ~ down ~ ' as sm_positives_through'] if columns['positives_through'] else []), 8) }}
    from
        {%- if total %} (
        select {{ (keys + [order, 'sm_level_rows', 'sm_level_positives'] + all) | join(', ') }} from {{ source }}
        union all
        select {{ (sqlmetrics.total_keys(plan) + [order] + added_up) | join(', ') }}
        from {{ source }}
        group by {{ ((['sm_model'] if 'sm_model' in keys else []) + [order]) | join(', ') }}
    ) as sm_leveled
        {%- else %} {{ source }}
        {%- endif %}
{%- endmacro %}

{# What the metrics need of the levels, or of bins, one row a slice; they may read the sums over rows, and at the peaks those over levels. #}
{% macro stage_level_sums(plan, grain, source) -%}
{%- set keys = [] -%}
{%- for key in plan['keys'] -%}{%- do keys.append(source ~ '.' ~ key) -%}{%- endfor -%}
sm_{{ grain }}_sums as (
    select
        {{- sqlmetrics.lines(keys + sqlmetrics.aggregates(plan, grain), 8) }}
    from {{ source }}
    {%- if grain != 'levels' or plan['flags'].get('totals') %}
    inner join sm_row_sums on {{ sqlmetrics.same_slice(plan, source, 'sm_row_sums') }}
    {%- endif %}
    {%- if grain == 'peaks' %}
    inner join sm_levels_sums on {{ sqlmetrics.same_slice(plan, source, 'sm_levels_sums') }}
    {%- endif %}
    {%- if keys %}
    group by {{ keys | join(', ') }}
    {%- endif %}
)
{%- endmacro %}
