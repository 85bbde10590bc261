{# The slices as numbers, and the rows with them. #}

{#
  sm_slices: a number for each slice, because numbers sort and join faster than names; 0 is all slices
    together.
#}
{% macro stage_slices(plan, source) -%}
{%- set columns = plan['facts']['by'] | map(attribute='column') | join(', ') -%}
{%- set number = 'row_number() over (order by ' ~ columns | replace(',', ' asc,') ~ ' asc)' -%}
-- a number for each slice, with 0 for all slices together
sm_slices as{{ sqlmetrics.sql_cte_shared() }} (
    select
        {{ columns | replace(', ', ',\n        ') }},
        {{ sqlmetrics.sql_short_integer(number) }} as sm_slice
    from {{ sqlmetrics.sql_distinct(columns, source) }} as sm_distinct
)
{%- endmacro %}

{# The join of sm_slices to rows that carry the by columns. Rows of run 0, the total, belong to no slice. #}
{% macro join_slices(plan, source) -%}
    {%- set equal = [source ~ '.sm_run = sm_slices.sm_run'] if plan['facts']['runs'] else [] -%}
    {%- for column in plan['facts']['by'] if column not in plan['facts']['runs'] -%}
        {%- do equal.append(sqlmetrics.sql_same(source ~ '.' ~ column['column'], 'sm_slices.' ~ column['column'])) -%}
    {%- endfor -%}
    left join sm_slices on {{ equal | join(' and ') }}
{%- endmacro %}

{# sm_sliced: sm_rows with their slice, for the stages that read it. #}
{% macro stage_sliced(plan) -%}
{%- set kept = sqlmetrics.kept_columns(plan) -%}
{%- set columns = sqlmetrics.sql_all_columns('sm_rows', kept['facts'] + kept['numbers'] + ['sm_problem']) -%}
-- the rows with the number of their slice
sm_sliced as{{ sqlmetrics.sql_cte_inline() }} (
    select
        {{- sqlmetrics.lines(['coalesce(sm_slices.sm_slice, 0) as sm_slice'] + columns, 8) }}
    from sm_rows
    {{ sqlmetrics.join_slices(plan, 'sm_rows') }}
    {{- sqlmetrics.sql_once('sm_sliced') }}
)
{%- endmacro %}

{# The rows with their slices. Rows of a state have no sm_problem. #}
{% macro sliced(plan) -%}
    {{ 'sm_sliced' if plan['facts']['by'] else 'sm_given' if plan['question']['reads'] == 'state' else 'sm_rows' }}
{%- endmacro %}

{# Columns of the usable rows, by slice and also for the total, unless run 0 is the total. #}
{% macro by_slice_and_total(plan, columns, condition='', distinct=false) -%}
    {%- set select = 'select distinct' if distinct else 'select' -%}
    {{ select }}
        {{- sqlmetrics.lines(plan['facts']['keys'] + columns, 8) }}
    from {{ sqlmetrics.sliced(plan) }}
    where sm_problem = 0{{ condition }}
    {%- if plan['facts']['total'] and not plan['facts']['runs'] %}
    union all
    {{ select }}
        {{- sqlmetrics.lines(sqlmetrics.total_keys(plan) + columns, 8) }}
    from sm_rows
    where sm_problem = 0{{ condition }}
    {%- endif %}
{%- endmacro %}
