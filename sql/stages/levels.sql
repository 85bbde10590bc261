{#
  The grain of score levels, from the highest score down. Columns, in rows or in weight where rows have one:

  sm_level_rows, sm_level_positives: at this level (or of this one row of it)
  sm_above: strictly above the level
  sm_through: down to the level, itself included
  sm_positives_through: the positive ones among those

  Two plans give the same numbers. `sorted` sorts the rows once and costs the same whatever the scores are. `counted`
  counts the rows of each distinct score first: far cheaper where scores repeat, dearer where they do not.
#}

{# sm_levels, for each slice and for the total. #}
{% macro stage_levels(plan) -%}
{%- if plan['score_levels'] == 'counted' -%}
{{- sqlmetrics.levels_counted(plan) -}}
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

{% macro levels_counted(plan) -%}
{%- set keys = plan['keys'] -%}
{%- set partition = 'partition by ' ~ keys | join(', ') ~ ' ' if keys else '' -%}
{%- set down = '(' ~ partition ~ 'order by sm_score desc)' -%}
{%- set weight = sqlmetrics.row_weight(plan) -%}
sm_level_counts as (
    select
        {{- sqlmetrics.lines(keys + [
            'sm_score', 'sum(' ~ weight ~ ') as sm_level_rows',
            'sum(case when ' ~ sqlmetrics.is_relevant(plan) ~ ' then ' ~ weight ~ ' else 0 end) as sm_level_positives',
        ], 8) }}
    from {{ sqlmetrics.sliced(plan) }}
    where sm_problem = 0
    group by {{ (keys + ['sm_score']) | join(', ') }}
),

sm_levels as{{ sqlmetrics.sm_read_again() }} (
    select
        {{- sqlmetrics.lines(keys + ['sm_level_rows', 'sm_level_positives']
            + ['sum(sm_level_rows) over ' ~ down ~ ' as sm_through']
            + (['sum(sm_level_rows) over ' ~ down ~ ' - sm_level_rows as sm_above'] if plan['flags'].get('above') else [])
            + (['sum(sm_level_positives) over ' ~ down ~ ' as sm_positives_through'] if plan['flags'].get('positives_through') else []), 8) }}
    from
        {%- if plan['total'] %} (
        select {{ (keys + ['sm_score', 'sm_level_rows', 'sm_level_positives']) | join(', ') }} from sm_level_counts
        union all
        select {{ (sqlmetrics.total_keys(plan) + ['sm_score', 'sum(sm_level_rows)', 'sum(sm_level_positives)']) | join(', ') }}
        from sm_level_counts
        group by {{ ((['sm_model'] if 'sm_model' in keys else []) + ['sm_score']) | join(', ') }}
    ) as sm_leveled
        {%- else %} sm_level_counts
        {%- endif %}
)
{%- endmacro %}

{# sm_level_sums: what the metrics need of the levels, one row a slice; they may read the sums over rows. #}
{% macro stage_level_sums(plan) -%}
{%- set keys = [] -%}
{%- for key in plan['keys'] -%}{%- do keys.append('sm_levels.' ~ key) -%}{%- endfor -%}
sm_level_sums as (
    select
        {{- sqlmetrics.lines(keys + sqlmetrics.aggregates(plan, 'levels'), 8) }}
    from sm_levels
    {%- if plan['flags'].get('positives_through') %}
    inner join sm_row_sums on {{ sqlmetrics.same_slice(plan, 'sm_levels', 'sm_row_sums') }}
    {%- endif %}
    {%- if keys %}
    group by {{ keys | join(', ') }}
    {%- endif %}
)
{%- endmacro %}
