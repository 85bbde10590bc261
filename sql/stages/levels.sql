{#
  The grain of score levels, from the highest score down. Columns, in rows or in weight where rows have one:

  sm_level_rows, sm_level_positives: at this level (or of this one row of it)
  sm_above: strictly above the level
  sm_through: down to the level, itself included
  sm_positives_through: the positive ones among those
  sm_score: the score of the level, in whole levels only

  Two plans give the same numbers. `sorted` sorts the rows once and costs the same whatever the scores are. `counted`
  counts the rows of each distinct score first: far cheaper where scores repeat, dearer where they do not. Where whole
  levels, a row each, are read of weighted rows, it is the only one.
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
{%- if plan['score_levels'] == 'counted' or (plan['flags'].get('whole_levels') and plan['weight'] is not none) -%}
{{- sqlmetrics.levels_counted(plan, keep) -}}
{%- else -%}
{{- sqlmetrics.levels_sorted(plan, keep) -}}
{%- endif -%}
{%- endmacro %}

{#
  The sorted plan. Without weights no count is made in a window: the rows down to a level are its share of all rows (cume_dist) times
  their number, which is exact and costs a third. So with the rows of the same class, which gives the positive ones among those.

  sm_scored is the one sort by score, in all. What ranks inside slices and classes is ordered by that rank (sm_ordered): the rows come
  in this order already, which is cheaper than a sort by score. With a total each row counts twice, in its slice and there (sm_whole).
  Where whole levels are read, the row whose number is its rank stands for its level.
#}
{% macro levels_sorted(plan, keep) -%}
{%- set both = plan['total'] -%}
{%- set single = plan['flags'].get('whole_levels') -%}
{%- set weighted = plan['weight'] is not none -%}
{%- set positives = 'case when ' ~ sqlmetrics.is_relevant(plan) ~ ' then ' ~ sqlmetrics.row_weight(plan) ~ ' else 0 end' -%}
{%- set counted = sqlmetrics.need(plan, 'rows', 'count', 'case when sm_problem = 0 then 1 else 0 end') -%}
{%- set whole = sqlmetrics.model_keys(plan) if both else plan['keys'] -%}
{%- set prefix = 'sm_total_' if both else 'sm_' -%}
{%- set again = sqlmetrics.ordered(plan, 'sm_level_positives', plan['keys'], 'sm_total_first asc', 'sm_') if both else [] -%}
{%- if (plan['flags'].get('positives_through') or single) and not weighted -%}
    {%- for partition, name in [[whole, prefix]] + ([[plan['keys'], 'sm_']] if both else []) -%}
        {%- set inside = ' over (partition by ' ~ (partition + ['sm_level_positives']) | join(', ') ~ ' order by ' ~ prefix ~ 'first asc) as ' ~ name -%}
        {%- do again.append('cume_dist()' ~ inside ~ 'class_share') -%}
        {%- if single -%}{%- do again.append('rank()' ~ inside ~ 'class_first') -%}{%- endif -%}
    {%- endfor -%}
{%- endif -%}
sm_scored as{{ sqlmetrics.sm_read_again() }} (
    select
        {{- sqlmetrics.lines(plan['keys'] + (['sm_weight'] if weighted else []) + (['sm_score'] if single else []) + [positives ~ ' as sm_level_positives']
            + sqlmetrics.ordered(plan, positives, whole, 'sm_score desc', prefix, again), 8) }}
    from {{ sqlmetrics.sliced(plan) }}
    where sm_problem = 0
),
{%- if again %}

sm_ordered as{{ sqlmetrics.sm_read_again() }} (
    select
        sm_scored.*,
        {{- sqlmetrics.lines(again, 8) }}
    from sm_scored
),
{%- endif %}
{%- set source = 'sm_ordered' if again else 'sm_scored' %}

sm_levels as{{ sqlmetrics.sm_keep() if keep else sqlmetrics.sm_read_again() }} (
    {%- if single %}
    select
        {{- sqlmetrics.lines(plan['keys'] + ['sm_score', 'sm_through - sm_above as sm_level_rows',
            'sm_positives_through - sm_positives_above as sm_level_positives', 'sm_through', 'sm_above', 'sm_positives_through'], 8) }}
    from (
    {%- endif %}
    select
        {%- set columns = sqlmetrics.slice_keys(plan, 'sm_row_sums.') -%}
        {%- do columns.extend(['sm_score'] if single else [('sm_weight' if weighted else '1') ~ ' as sm_level_rows', 'sm_level_positives']) -%}
        {%- set ranks = {} -%}
        {%- for rank in ('share', 'first', 'number', 'class_share', 'class_first', 'through', 'above', 'positives_through') -%}
            {%- do ranks.update({rank: 'case when sm_whole = 1 then sm_total_' ~ rank ~ ' else sm_' ~ rank ~ ' end' if both else 'sm_' ~ rank}) -%}
        {%- endfor -%}
        {%- set through = ranks['through'] if weighted else sqlmetrics.from_share(ranks['share'], counted) -%}
        {%- set above = ranks['above'] if weighted else ranks['first'] ~ ' - 1' -%}
        {%- do columns.append(through ~ ' as sm_through') -%}
        {%- if plan['flags'].get('above') or single -%}{%- do columns.append(above ~ ' as sm_above') -%}{%- endif -%}
        {%- if plan['flags'].get('positives_through') or single -%}
            {%- do columns.append((ranks['positives_through'] if weighted else sqlmetrics.from_class_share(plan, ranks['class_share'], through, counted)) ~ ' as sm_positives_through') -%}
        {%- endif -%}
        {%- if single -%}
            {%- set of_class = '(' ~ ranks['class_first'] ~ ' - 1)' -%}
            {%- do columns.append('case when sm_level_positives = 1 then ' ~ of_class ~ ' else ' ~ above ~ ' - ' ~ of_class ~ ' end as sm_positives_above') -%}
        {%- endif -%}
        {{- sqlmetrics.lines(columns, 8) }}
    from {{ source }}
    {%- if both %}
    cross join (select 0 as sm_whole union all select 1 as sm_whole) as sm_twice
    {%- endif %}
    inner join sm_row_sums on {{ sqlmetrics.same_slice(plan, source, 'sm_row_sums') if not both else
        (source ~ '.sm_model = sm_row_sums.sm_model and ' if 'sm_model' in plan['keys'] else '') ~ 'case when sm_whole = 1 then 0 else ' ~ source ~ '.sm_slice end = sm_row_sums.sm_slice' }}
    {%- if single %}
    where {{ ranks['number'] }} = {{ ranks['first'] }}
    ) as sm_ranks
    {%- elif not plan['flags'].get('all_levels') %}
    where sm_level_positives > 0
    {%- endif %}
)
{%- endmacro %}

{# The positive rows down to a level, from the share of the rows of its class. #}
{% macro from_class_share(plan, share, through, counted) -%}
    {%- set positives = sqlmetrics.from_share(share, sqlmetrics.positives(plan)) -%}
    {%- set negatives = sqlmetrics.from_share(share, '(' ~ counted ~ ' - ' ~ sqlmetrics.positives(plan) ~ ')') -%}
    {{- 'case when sm_level_positives = 1 then ' ~ positives ~ ' else ' ~ through ~ ' - ' ~ negatives ~ ' end' if plan['flags'].get('all_levels') or plan['flags'].get('whole_levels') else positives -}}
{%- endmacro %}

{#
  The ranks of rows in an order, inside each value of `partition`, as columns that begin with `prefix`.

  Args:
    again: what is ordered by the first rank afterwards
#}
{% macro ordered(plan, positives, partition, order, prefix, again=[]) -%}
    {%- set down = sqlmetrics.partition_by(partition) ~ 'order by ' ~ order -%}
    {%- set columns = [] -%}
    {%- if again or plan['flags'].get('whole_levels') or (plan['flags'].get('above') and plan['weight'] is none) -%}{%- do columns.append('rank() over (' ~ down ~ ') as ' ~ prefix ~ 'first') -%}{%- endif -%}
    {%- if plan['flags'].get('whole_levels') -%}{%- do columns.append('row_number() over (' ~ down ~ ') as ' ~ prefix ~ 'number') -%}{%- endif -%}
    {%- if plan['weight'] is none -%}
        {%- do columns.append('cume_dist() over (' ~ down ~ ') as ' ~ prefix ~ 'share') -%}
    {%- else -%}
        {%- do columns.append('sum(sm_weight) over (' ~ down ~ ') as ' ~ prefix ~ 'through') -%}
        {%- if plan['flags'].get('above') -%}
            {%- do columns.append('sum(sm_weight) over (' ~ down ~ ') - sum(sm_weight) over (' ~ down ~ ' range between current row and current row) as ' ~ prefix ~ 'above') -%}
        {%- endif -%}
        {%- if plan['flags'].get('positives_through') -%}{%- do columns.append('sum(' ~ positives ~ ') over (' ~ down ~ ') as ' ~ prefix ~ 'positives_through') -%}{%- endif -%}
    {%- endif -%}
    {%- do return(columns) -%}
{%- endmacro %}

{# A count from its share of a total: exact below 2^51. #}
{% macro from_share(share, total) -%}
{{ sqlmetrics.sm_integer('round(' ~ share ~ ' * ' ~ total ~ ')') }}
{%- endmacro %}

{# The counted plan. Rows of weight 0 make no level. #}
{% macro levels_counted(plan, keep) -%}
{%- set columns = {'through': true, 'above': plan['flags'].get('above'), 'positives_through': plan['flags'].get('positives_through')} -%}
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
    columns: a mapping that says which of through, above and positives_through are wanted
    total: whether the total is to be added up
#}
{% macro cumulated(plan, source, order, further, columns, total) -%}
{%- set keys = plan['keys'] -%}
{%- set down = '(' ~ sqlmetrics.partition_by(keys) ~ 'order by ' ~ order ~ ' desc)' -%}
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

{# What the metrics need of the levels, or of bins, one row a slice; they may read the sums over rows, and at the peaks those over levels. #}
{% macro stage_level_sums(plan, grain, source) -%}
{%- set keys = sqlmetrics.slice_keys(plan, source ~ '.') -%}
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
    {{- sqlmetrics.grouped_by(keys) }}
)
{%- endmacro %}
