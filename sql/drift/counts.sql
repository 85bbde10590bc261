{# The rows of both sides, and how many of each side have a value. #}

{# The columns of the slices, and the values that are compared, of a row that is read. #}
{% macro drifting_columns(plan) -%}
    {%- set columns = [] -%}
    {%- for column in plan['facts']['by'] -%}
        {%- do columns.append(sqlmetrics.sql_nullable(column['sql']) ~ ' as ' ~ column['column']) -%}
    {%- endfor -%}
    {%- for column in plan['question']['own']['columns'] -%}
        {%- if column['kind'] == 'number' -%}
            {%- set number = sqlmetrics.sql_score(column['sql']) -%}
            {%- set value = 'case when ' ~ sqlmetrics.sql_finite(number) ~ ' then ' ~ number ~ ' end' -%}
        {%- else -%}
            {%- set value = sqlmetrics.sql_value_text(column['sql']) -%}
        {%- endif -%}
        {%- do columns.append(sqlmetrics.sql_nullable(value) ~ ' as ' ~ column['value']) -%}
    {%- endfor -%}
    {%- do return(columns) -%}
{%- endmacro %}

{# sm_given: the rows of both sides with their slice and the values of the columns. #}
{% macro stage_two_sides(plan) -%}
{%- set side = plan['question']['own']['side'] -%}
-- the rows of the reference, side 1, and the current ones, side 2
sm_given as{{ sqlmetrics.sql_cte_inline() }} (
    {%- for model in plan['facts']['models'] %}
    {{ 'union all\n    ' if not loop.first }}select
        {{- sqlmetrics.lines([(side or loop.index) ~ ' as sm_side'] + sqlmetrics.drifting_columns(plan), 8) }}
    from {{ sqlmetrics.rows_of_model(plan, model) }}
    {%- endfor %}
)
{%- endmacro %}

{# sm_sides: the rows with the number of their slice, 0 without slices; of periods, only those that are compared. #}
{% macro stage_sliced_sides(plan) -%}
{%- set values = plan['question']['own']['columns'] | map(attribute='value') | list
    + (['sm_slice_rows'] if plan['question']['own']['made'] is not none else []) -%}
-- the rows with the number of their slice
sm_sides as{{ sqlmetrics.sql_cte_inline() }} (
    select
        {%- set slice = 'sm_slices.sm_slice' if plan['facts']['by'] else '0' %}
        {{- sqlmetrics.lines([slice ~ ' as sm_slice'] + sqlmetrics.prefixed(['sm_side'] + values, 'sm_given.'), 8) }}
    from sm_given
    {%- if plan['facts']['by'] %}
    {{ sqlmetrics.join_slices(plan, 'sm_given') }}
    {%- endif %}
    {%- if plan['question']['own']['side'] is not none %}
    where sm_given.sm_side is not null
    {%- endif %}
)
{%- endmacro %}

{# The rows of a side among grouped rows. A row of a state stands for several. #}
{% macro rows_of_side(plan, side) -%}
    {%- set of_state = plan['question']['own']['made'] is not none -%}
    {%- set rows = 'case when sm_side = ' ~ side ~ ' then ' ~ ('sm_slice_rows' if of_state else '1') ~ ' end' -%}
    {{- sqlmetrics.sql_integer('coalesce(sum(' ~ rows ~ '), 0)' if of_state else 'count(' ~ rows ~ ')') -}}
{%- endmacro %}

{#
  sm_numbers and sm_categories: the rows of each side with a value of a column, by slice and for slice 0, all of them
  together. NULL is a value.

  Args:
    kind: number or category
#}
{% macro stages_of_values(plan, kind) -%}
{%- set name, value = 'sm_numbers' if kind == 'number' else 'sm_categories', 'sm_' ~ kind -%}
{%- set totals = plan['facts']['by'] and plan['facts']['total'] -%}
{%- set counts = ['sm_current', 'sm_reference'] -%}
-- the rows of each side with a {{ kind }}
{{ name ~ ('_of_slices' if totals) }} as{{ sqlmetrics.sql_cte_materialized() }} (
    {%- for column in plan['question']['own']['columns'] | selectattr('kind', 'equalto', kind) %}
    {{ 'union all\n    ' if not loop.first }}select
        {{- sqlmetrics.lines([
            column['number'] ~ ' as sm_column', 'sm_slice', column['value'] ~ ' as ' ~ value,
            sqlmetrics.rows_of_side(plan, 2) ~ ' as sm_current',
            sqlmetrics.rows_of_side(plan, 1) ~ ' as sm_reference',
        ], 8) }}
    from sm_sides
    group by sm_slice, {{ column['value'] }}
    {%- endfor %}
)
{%- if totals %},

{{ name }} as{{ sqlmetrics.sql_cte_materialized() }} (
    select
        {{- sqlmetrics.lines(['sm_column', 'sm_slice', value] + counts, 8) }}
    from {{ name }}_of_slices
    union all
    select
        {{- sqlmetrics.lines([
            'sm_column', '0 as sm_slice', value, sqlmetrics.sql_integer('sum(sm_current)') ~ ' as sm_current',
            sqlmetrics.sql_integer('sum(sm_reference)') ~ ' as sm_reference',
        ], 8) }}
    from {{ name }}_of_slices
    group by sm_column, {{ value }}
)
{%- endif -%}
{%- endmacro %}

{#
  sm_bins: the rows of each side in a bin of a number. A bin is a value of a number that has few in both sides together
    (`most_values`), otherwise the place of its edge. An edge that repeats is a value that fills a bin by itself: the
    numbers between it and the edge before have the negative place. Without a number the bin is NULL.
#}
{% macro stages_of_bins(plan) -%}
{%- set cases, bins = [], plan['question']['own']['bins'] -%}
{%- for column in plan['question']['own']['columns'] | selectattr('kind', 'equalto', 'number') -%}
    {%- for bin in range(1, bins) -%}
        {%- set edge = 'sm_edge_' ~ column['number'] ~ '_' -%}
        {%- set place = 'case when sm_number < ' ~ edge ~ bin ~ ' and ' ~ edge ~ bin ~ ' = ' ~ edge ~ (bin + 1)
            ~ ' then -' ~ bin ~ ' else ' ~ bin ~ ' end' if bin + 1 < bins else bin -%}
        {%- do cases.append(
            'when sm_numbers.sm_column = ' ~ column['number'] ~ ' and sm_number <= ' ~ edge ~ bin ~ ' then ' ~ place
        ) -%}
    {%- endfor -%}
{%- endfor -%}
-- how many different numbers a column has
sm_variety as (
    {%- if plan['facts']['total'] or not plan['facts']['by'] %}
    select sm_column, count(sm_number) as sm_n_values
    from sm_numbers
    where sm_slice = 0
    {%- else %}
    select sm_column, count(distinct sm_number) as sm_n_values
    from sm_numbers
    {%- endif %}
    group by sm_column
),

-- the rows of each side in a bin of a number
sm_bins as (
    select
        sm_column,
        sm_slice,
        sm_bin,
        sum(sm_current) as sm_current,
        sum(sm_reference) as sm_reference
    from (
        select
            {{- sqlmetrics.lines([
                'sm_numbers.sm_column', 'sm_slice', 'sm_current', 'sm_reference',
                'case when sm_number is null or sm_n_values <= ' ~ sqlmetrics.most_values(bins) ~ ' then sm_number '
                    ~ cases | join(' ') ~ ' else ' ~ bins
                    ~ ' end as sm_bin',
            ], 12) }}
        from sm_numbers
        inner join sm_variety on sm_numbers.sm_column = sm_variety.sm_column
        cross join sm_edges
    ) as sm_binned
    group by sm_column, sm_slice, sm_bin
)
{%- endmacro %}

{# sm_cells: the bins of numbers and the categories, one below the other. #}
{% macro stage_cells_of_drift(kinds) -%}
{%- set sources = {'number': ('sm_bins', 'sm_bin is null'), 'category': ('sm_categories', 'sm_category is null')} -%}
-- the bins of numbers, and the categories
sm_cells as (
    {%- for kind in kinds %}
    {{ 'union all\n    ' if not loop.first }}select
        {{- sqlmetrics.lines([
            'sm_column', 'sm_slice', sqlmetrics.sql_double('sm_current') ~ ' as sm_current',
            sqlmetrics.sql_double('sm_reference') ~ ' as sm_reference',
            'case when ' ~ sources[kind][1] ~ ' then 1 else 0 end as sm_is_null',
        ], 8) }}
    from {{ sources[kind][0] }}
    {%- endfor %}
),

-- the rows of each side
sm_sizes as{{ sqlmetrics.sql_cte_shared() }} (
    select
        sm_column,
        sm_slice,
        sum(sm_current) as sm_n_current,
        sum(sm_reference) as sm_n_reference,
        sum(case when sm_is_null = 1 then sm_current else 0 end) as sm_null_current,
        sum(case when sm_is_null = 1 then sm_reference else 0 end) as sm_null_reference
    from sm_cells
    group by sm_column, sm_slice
)
{%- endmacro %}
