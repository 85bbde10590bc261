{#
  Subsets of lists (language/list_subsets.sql).

  sm_<name>: the sums over the items of each subset of a list, and with _of_list those over the list. sm_<name>_sums:
    what is summed over subsets, a row for each list.
#}
{% macro stage_list_subsets(plan, name, subset) -%}
{%- set totals = [] -%}
{%- for total, sum in subset['totals'].items() -%}
    {%- do totals.append('sum(' ~ sum ~ ') over (partition by sm_list) as ' ~ total) -%}
{%- endfor -%}
-- what the items of one value of a column add up to, a row for each value in a list
sm_{{ name }} as (
    select
        {{- sqlmetrics.lines(['sm_list'] + sqlmetrics.aggregates(plan, name ~ '_items'), 8) }}
    from sm_gaining_items
    {{- sqlmetrics.join_positions(plan['needs'][name ~ '_items'].values()) }}
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
