{#
  Rows by subset (language/subsets.sql).

  sm_<name>: the sums over the rows of each subset of a slice, and of the total. sm_<name>_sums: what is summed over
  subsets, a row for each slice.
#}
{% macro stage_subsets(plan, name, column) -%}
{%- set keys, needs = plan['facts']['keys'], plan['needs'][name ~ '_rows'] -%}
{%- set sums, totals, names = sqlmetrics.aggregates(plan, name ~ '_rows'), [], needs | list -%}
{%- for sum, need in needs.items() -%}
    {%- do totals.append(sqlmetrics.sql_aggregate(need['aggregate'], sum) ~ ' as ' ~ sum) -%}
{%- endfor -%}
{%- if sqlmetrics.reads(plan, name, 'repeated_items') -%}
    {%- do sums.append('count(*) - count(distinct sm_item) as sm_repeated_items') -%}
    {%- do names.append('sm_repeated_items') -%}
    {%- do totals.append('sum(sm_repeated_items) as sm_repeated_items') -%}
{%- endif -%}
{%- set source = 'sm_' ~ name ~ ('_of_slices' if plan['facts']['total'] else '') -%}
-- what the rows of each subset add up to: those of one value of a column
{{ source }} as{{ sqlmetrics.sql_cte_shared() }} (
    select
        {{- sqlmetrics.lines(keys + ([column] if plan['facts']['total'] else []) + sums, 8) }}
    from {{ sqlmetrics.sliced(plan) }}
    where sm_problem = 0
    group by {{ (keys + [column]) | join(', ') }}
),

{% if plan['facts']['total'] -%}
-- the same with the subsets of the total
sm_{{ name }} as{{ sqlmetrics.sql_cte_inline() }} (
    select
        {{- sqlmetrics.lines(keys + names, 8) }}
    from {{ source }}
    union all
    select
        {{- sqlmetrics.lines(sqlmetrics.total_keys(plan) + totals, 8) }}
    from {{ source }}
    group by {{ (sqlmetrics.model_keys(plan) + [column]) | join(', ') }}
),

{% endif -%}
-- what is summed over subsets, a row for each slice
sm_{{ name }}_sums as (
    select
        {{- sqlmetrics.lines(keys + sqlmetrics.aggregates(plan, name), 8) }}
    from sm_{{ name }}
    {{- sqlmetrics.grouped_by(keys) }}
)
{%- endmacro %}

{# The subsets of each column, where they are needed. #}
{% macro stages_of_subsets(plan) -%}
    {%- set stages = [] -%}
    {%- for name, subset in plan['subsets'].items() -%}
        {%- do stages.append(sqlmetrics.stage_subsets(plan, name, subset['column'])) -%}
    {%- endfor -%}
    {%- do return(stages) -%}
{%- endmacro %}
