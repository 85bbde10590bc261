{#
  Subsets of lists (language/list_subsets.sql).

  With ties='worst' or 'best', items of one score and label share what their ranks give them, since no rule orders them.

  sm_<name>: the sums over the items of each subset of a list, and with _of_list those over the list. sm_<name>_sums:
    what is summed over subsets, a row for each list.
#}
{% macro stage_list_subsets(plan, name, subset) -%}
{%- set needs, shared, sums, totals = plan['needs'][name ~ '_items'], [], [], [] -%}
{%- for column, need in needs.items() -%}
    {%- do shared.append(
        'avg(' ~ sqlmetrics.filled(plan, need['inner']) ~ ') over (' ~ sqlmetrics.items_alike() ~ ') as ' ~ column
    ) -%}
    {%- do sums.append('sum(' ~ column ~ ') as ' ~ column) -%}
{%- endfor -%}
{%- for total, sum in subset['totals'].items() -%}
    {%- do totals.append('sum(' ~ sum ~ ') over (partition by sm_list) as ' ~ total) -%}
{%- endfor -%}
-- what the items of one value of a column add up to, a row for each value in a list
sm_{{ name }} as (
    {%- if sqlmetrics.shares_item_weights(plan) %}
    select
        {{- sqlmetrics.lines(['sm_list'] + sums, 8) }}
    from (
        select
            {{- sqlmetrics.lines(['sm_list', subset['column']] + shared, 12) }}
        from sm_gaining_items
    ) as sm_alike
    {%- else %}
    select
        {{- sqlmetrics.lines(['sm_list'] + sqlmetrics.aggregates(plan, name ~ '_items'), 8) }}
    from sm_gaining_items
    {{- sqlmetrics.join_positions(needs.values()) }}
    {%- endif %}
    group by sm_list, {{ subset['column'] }}
),

-- what is summed over the values, a row for each list
sm_{{ name }}_sums as (
    select
        {{- sqlmetrics.lines(['sm_list'] + sqlmetrics.aggregates(plan, name), 8) }}
    from {% if totals %}(
        select
            {{- sqlmetrics.lines(['sm_' ~ name ~ '.*'] + totals, 12) }}
        from sm_{{ name }}
    ) as sm_with_list{% else %}sm_{{ name }}{% endif %}
    group by sm_list
)
{%- endmacro %}
