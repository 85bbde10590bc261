{# Score levels from the rows of each distinct score, and bins of scores likewise; what they are: levels.sql. #}

{# The counted plan. Rows of weight 0 make no level. #}
{% macro levels_counted(plan, keep) -%}
{%- set columns = {'through': true, 'above': plan['flags'].get('above'), 'positives_through': plan['flags'].get('positives_through')} -%}
{%- set squares = sqlmetrics.squares_of_levels(plan) -%}
{{ sqlmetrics.stage_level_counts(plan) }},

-- score levels: the rows strictly above each level, and those down to it
sm_levels as{{ sqlmetrics.sm_keep() if keep else sqlmetrics.sm_read_again() }} (
    {{ sqlmetrics.cumulated(plan, 'sm_level_counts', 'sm_score', squares, columns, plan['total']) }}
)
{%- endmacro %}

{# sm_level_counts: the rows of each distinct score, by slice. #}
{% macro stage_level_counts(plan) -%}
-- rows of each distinct score
sm_level_counts as (
    {{ sqlmetrics.counted_rows(plan, 'levels', 'sm_score', 'sm_score', sqlmetrics.squares_of_levels(plan)) }}
)
{%- endmacro %}

{# What is counted of a level besides, where bins of weighted rows read it. #}
{% macro squares_of_levels(plan) -%}
    {%- do return([{'name': 'sm_level_squares', 'aggregate': 'sum', 'of_rows': 'sum(sm_weight * sm_weight)'}] if plan['flags'].get('squares') else []) -%}
{%- endmacro %}

{# The rows of each slice counted by an expression of their score; a state holds them counted, under the name of the grain. #}
{% macro counted_rows(plan, grain, by, name, further=[]) -%}
{%- if plan['state'] == 'read' -%}{%- do return(sqlmetrics.counted_in_state(plan, grain, name, further)) -%}{%- endif -%}
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
    columns: a mapping that says which of through, above and positives_through are wanted
    total: whether the total is to be added up
#}
{% macro cumulated(plan, source, order, further, columns, total) -%}
{%- set keys = plan['keys'] -%}
{%- set down = '(' ~ sqlmetrics.partition_by(keys) ~ 'order by ' ~ order ~ ' desc rows unbounded preceding)' -%}
{%- set all = further | map(attribute='name') | list -%}
{%- set added_up = ['sum(sm_level_rows)', 'sum(sm_level_positives)'] -%}
{%- for column in further -%}{%- do added_up.append(column['aggregate'] ~ '(' ~ column['name'] ~ ')') -%}{%- endfor -%}
select
        {{- sqlmetrics.lines(keys + ([order] if plan['flags'].get('whole_levels') or order != 'sm_score' else []) + ['sm_level_rows', 'sm_level_positives'] + all
            + (['sum(sm_level_rows) over ' ~ down ~ ' as sm_through'] if columns['through'] else [])
            + (['sum(sm_level_rows) over ' ~ down ~ ' - sm_level_rows as sm_above'] if columns['above'] else [])
            + (['sum(sm_level_positives) over ' ~ down ~ ' as sm_positives_through'] if columns['positives_through'] else []), 8) }}
    from
        {%- if total %} (
        select {{ (keys + [order, 'sm_level_rows', 'sm_level_positives'] + all) | join(', ') }} from {{ source }}
        union all
        select {{ (sqlmetrics.total_keys(plan) + [order] + added_up) | join(', ') }}
        from {{ source }}
        group by {{ (sqlmetrics.model_keys(plan) + [order]) | join(', ') }}
    ) as sm_leveled
        {%- else %} {{ source }}
        {%- endif %}
{%- endmacro %}
