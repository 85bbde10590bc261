{#
  The rows that a comparison must return: one for each slice, metric and candidate, with or without a result,
  and with the counts of the slice.
#}

{#
  sm_counts: the audit counts and the guards, one row for each slice, each from the model for which it is
    largest. A bootstrap has them in sm_measured.
#}
{% macro stage_counts_of_slices(plan) -%}
{%- set source = 'sm_measured' if plan['resampled'] else 'sm_row_sums' -%}
{%- set keys = sqlmetrics.prefixed(sqlmetrics.keys_beside_models(plan), source ~ '.') -%}
{%- set columns = keys | list -%}
{%- for name, column in plan['result']['counts'].items() -%}
    {%- do columns.append(
        'max(' ~ (name if plan['resampled'] else 'coalesce(' ~ column ~ ', 0)') ~ ') as sm_all_' ~ name
    ) -%}
{%- endfor -%}
{%- for check in plan['result']['checks'].values() if check['value'] is not none -%}
    {%- do columns.append('max(' ~ check['value'] ~ ') as ' ~ check['value'] ~ '_of_all') -%}
{%- endfor -%}
-- the counts of each slice, of the model for which each is largest
sm_counts as{{ sqlmetrics.sql_cte_shared() }} (
    select
        {{- sqlmetrics.lines(columns, 8) }}
    from {{ source }}
    {%- for stage in sqlmetrics.stages_of_counts(plan) if not plan['resampled'] %}
    {{ sqlmetrics.join_sums(plan, 'sm_row_sums', stage) }}
    {%- endfor %}
    {%- if 'sm_groups_divided' in plan['result']['checks'] %}
    cross join sm_divided
    {%- endif %}
    {{- sqlmetrics.grouped_by(keys) }}
)
{%- endmacro %}

{# The stages beside sm_row_sums that hold a count of the result, of lists or of examples. #}
{% macro stages_of_counts(plan) -%}
    {%- set stages = {} -%}
    {%- for grain, rule in plan['grains'].items() if rule.get('sums') -%}
        {%- for column in plan['needs'][grain] if column in plan['result']['counts'].values() -%}
            {%- do stages.update({rule['sums']: true}) -%}
        {%- endfor -%}
    {%- endfor -%}
    {%- do return(stages | list) -%}
{%- endmacro %}

{#
  sm_asked: the rows of the result. sm_found_metric is the metric again, or 0 if the data violate its
    assumptions, so that nothing is found.
#}
{% macro stage_asked(plan) -%}
{%- set found = {} -%}
{%- for metric in plan['compared_metrics'] -%}
    {%- set number, broken = loop.index, [] -%}
    {%- for guard in metric['guards'] -%}
        {%- do broken.append('sm_all_' ~ plan['result']['checks'][sqlmetrics.filled(plan, guard)]['name'] ~ ' = 0') -%}
    {%- endfor -%}
    {%- do found.update({
        (number, none): 'case when ' ~ broken | join(' and ') ~ ' then ' ~ number ~ ' else 0 end' if broken else number,
    }) -%}
{%- endfor -%}
-- a row for each slice, metric and candidate
sm_asked as (
    select
        {{- sqlmetrics.lines([
            'sm_counts.*', 'sm_metric', 'sm_candidate', sqlmetrics.by_alternative(found) ~ ' as sm_found_metric',
        ], 8) }}
    from sm_counts
    cross join {{ sqlmetrics.alternatives(plan) }}
)
{%- endmacro %}
