{#
  The best order of items that have weights. Items of one grade differ in weight, so it takes a sort of its own.

  sm_best_items: the items that are worth something, listed or not, of lists and of their parts in slices. sm_worth_1:
    what an item is worth; sm_worth_1_place: its place by that, from the best down
  sm_best_sums: what is summed over them, a row for each list
#}
{% macro stages_of_best_items(plan) -%}
{%- set keys = sqlmetrics.list_keys(plan) -%}
-- the items that are worth something, and their places in the best order
sm_best_items as{{ sqlmetrics.sql_cte_inline() }} (
    {%- if sqlmetrics.has_parts(plan) %}
    {%- set whole = keys | reject('equalto', 'sm_part') | list %}
    {{ sqlmetrics.best_items(plan, sqlmetrics.rows_of_lists(plan, 'sm_rows'), whole, ['0 as sm_part']) }}
    union all
    {{ sqlmetrics.best_items(plan, sqlmetrics.rows_of_parts(plan), whole, ['sm_part']) }}
    {%- else %}
    {{ sqlmetrics.best_items(plan, sqlmetrics.rows_of_lists(plan, sqlmetrics.sliced(plan)), keys, []) }}
    {%- endif %}
),

-- what the best order gains, a row for each list
sm_best_sums as (
    select
        {{- sqlmetrics.lines(keys + sqlmetrics.aggregates(plan, 'best_items'), 8) }}
    from sm_best_items
    group by {{ keys | join(', ') }}
)
{%- endmacro %}

{# The items of some lists that are worth something, with their places. #}
{% macro best_items(plan, source, keys, part) -%}
{%- set columns = [] -%}
{%- set lists = 'partition by ' ~ (keys + (['sm_part'] if part == ['sm_part'] else [])) | join(', ') -%}
{%- for worth, name in plan['best_orders'].items() -%}
    {%- set worth = sqlmetrics.filled(plan, worth) -%}
    {%- do columns.extend([
        worth ~ ' as sm_' ~ name,
        'row_number() over (' ~ lists ~ ' order by ' ~ worth ~ ' desc) as sm_' ~ name ~ '_place',
    ]) -%}
{%- endfor -%}
select
        {{- sqlmetrics.lines(keys + part + columns, 8) }}
    from {{ source }}
    {{- sqlmetrics.where_usable(source, [sqlmetrics.filled(plan, '{label} > 0')]) }}
{%- endmacro %}
