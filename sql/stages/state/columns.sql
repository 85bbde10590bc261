{# The columns of a state, by grain. #}

{# The grains of a state besides rows and lists. #}
{% macro grains_of_state(plan) -%}
    {%- set levels = plan['needs']['levels']
        or plan['needs']['peaks']
        or plan['reads'].get('points')
        or plan['bins'].values() | selectattr('equal', 'equalto', 'count') | list -%}
    {%- do return((['levels'] if levels else []) + sqlmetrics.bins_of_state(plan)) -%}
{%- endmacro %}

{# The bins that a state holds: those of equal width; others are made from levels. #}
{% macro bins_of_state(plan) -%}
    {%- set grains = [] -%}
    {%- for grain, bins in plan['bins'].items() if bins['equal'] == 'width' -%}
        {%- do grains.append(grain) -%}
    {%- endfor -%}
    {%- do return(grains) -%}
{%- endmacro %}

{#
  The sums of a state: sums over rows, sums about means, sums over lists, and the moments of both for intervals. Sums
  computed from the state itself are excluded.
#}
{% macro sums_of_state(plan) -%}
    {%- set rows = [] -%}
    {%- for column, need in plan['needs']['rows'].items()
        if column not in plan['of_state'] and column not in sqlmetrics.examples_of_state(plan) -%}
        {%- do rows.append(column) -%}
    {%- endfor -%}
    {%- do return({
        'rows': ['sm_n_rows'] + sqlmetrics.problem_columns(plan) + rows,
        'second_pass': plan['needs']['second_pass'] | list,
        'list_sums': plan['needs']['list_sums'] | list,
        'row_moments': plan['needs']['row_moments'] | list, 'list_moments': plan['needs']['list_moments'] | list,
    }) -%}
{%- endmacro %}

{# The columns of all of them. #}
{% macro columns_of_sums(plan) -%}
    {%- do return(sqlmetrics.sums_of_state(plan).values() | sum(start=[])) -%}
{%- endmacro %}

{# Columns of offending values in a state, for the Python API only. #}
{% macro examples_of_state(plan) -%}
    {%- do return(plan['result']['checks'].values() | map(attribute='value') | reject('none') | list) -%}
{%- endmacro %}

{# The counts of a level or bin that a state holds besides all rows and positive rows. #}
{% macro counted_besides(plan, grain) -%}
    {%- set further = sqlmetrics.further_of_levels(plan) if grain == 'levels'
        else sqlmetrics.further_of_bins(plan, grain) -%}
    {%- do return(further | rejectattr('of_state', 'defined') | list) -%}
{%- endmacro %}

{# The columns of levels and bins in a state. #}
{% macro columns_of_grains(plan) -%}
    {%- set columns = {} -%}
    {%- for grain in sqlmetrics.grains_of_state(plan) -%}
        {%- do columns.update({
            'sm_score' if grain == 'levels' else 'sm_bin': true, 'sm_level_rows': true, 'sm_level_positives': true,
        }) -%}
        {%- for column in sqlmetrics.counted_besides(plan, grain) -%}
            {%- do columns.update({column['name']: true}) -%}
        {%- endfor -%}
    {%- endfor -%}
    {%- do return(columns | list) -%}
{%- endmacro %}

{# The columns of a state that begin with sm_. #}
{% macro columns_of_state(plan) -%}
    {%- do return(
        ['sm_grain', 'sm_facts', 'sm_by', 'sm_holds'] + sqlmetrics.columns_of_sums(plan)
        + sqlmetrics.columns_of_grains(plan) + sqlmetrics.columns_read_of_pairs(plan)
    ) -%}
{%- endmacro %}
