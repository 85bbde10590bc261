{# The rows of a state. api/state.sql explains them. #}

{#
  The slices of a state, or those that `finish` takes unchanged: the names of the by columns without the
  period. Expressions only divide further.
#}
{% macro slices_of_state(plan) -%}
    {%- set names = [] -%}
    {%- for column in plan['facts']['by']
        if plan['question']['ends'] == 'sums'
            or (sqlmetrics.is_column(column) and column['name'] != plan['facts']['period']['name']) -%}
        {%- do names.append(column['name']) -%}
    {%- endfor -%}
    {{- names | sort | join(', ') -}}
{%- endmacro %}

{# The select of a state: a row for each of its grains. #}
{% macro rows_of_state(plan) -%}
{%- set sums = sqlmetrics.sums_of_state(plan) -%}
{%- set grains = sqlmetrics.grains_of_state(plan) -%}
{%- set examples = sqlmetrics.examples_of_state(plan) -%}
{%- set branches = [
    {
        'stage': 'sm_row_sums',
        'grain': "'rows'",
        'holds': sums['rows'] + sums['second_pass'] + sums['row_moments'] + examples,
        'beside': ['second_pass', 'row_moments'],
        'where': 'sm_row_sums.sm_slice > 0' if plan['facts']['by'] else '',
    },
] -%}
{%- set periods = {
    'stage': 'sm_row_sums', 'grain': "'periods'", 'holds': [],
    'where': 'sm_row_sums.sm_slice = 0' if plan['facts']['by'] else '',
} -%}
{%- for grain in grains -%}
    {%- set stage = 'sm_level_counts' if grain == 'levels' else 'sm_' ~ grain ~ '_counts' -%}
    {%- set further = sqlmetrics.counted_besides(plan, grain) -%}
    {%- do branches.append({
        'stage': stage,
        'grain': "'" ~ grain ~ "'",
        'where': '',
        'holds': ['sm_score' if grain == 'levels' else 'sm_bin', 'sm_level_rows', 'sm_level_positives']
            + further | map(attribute='name') | list,
    }) -%}
{%- endfor -%}
{%- if plan['needs']['list_sums'] -%}
    {%- for grain in ('lists', 'whole lists') -%}
        {%- do branches.append({
            'stage': 'sm_list_sums', 'grain': "'" ~ grain ~ "'", 'holds': sums['list_sums'] + sums['list_moments'],
            'beside': ['list_moments'],
            'where': '' if not plan['facts']['by']
                else 'sm_list_sums.sm_slice ' ~ ('> 0' if grain == 'lists' else '= 0'),
        }) -%}
    {%- endfor -%}
{%- endif -%}
{%- set pairs = sqlmetrics.columns_of_kept_pairs() if plan['compared_metrics'] else [] -%}
{%- for grain in (['pairs'] + (['whole pairs'] if plan['needs']['list_sums'] else []) if pairs else []) -%}
    {%- do branches.append({
        'stage': 'sm_kept_pairs', 'grain': "'" ~ grain ~ "'", 'holds': pairs,
        'where': '' if not plan['facts']['by'] else 'sm_kept_pairs.sm_slice ' ~ ('> 0' if grain == 'pairs' else '= 0'),
    }) -%}
{%- endfor -%}
{%- for branch in branches + [periods] -%}
{%- set first = loop.first -%}
{%- set stage = branch['stage'] -%}
{%- set columns = [stage ~ '.sm_period as ' ~ plan['facts']['period']['alias']] -%}
{%- for column in plan['facts']['by'] -%}
    {%- do columns.append('sm_slices.' ~ column['column'] ~ ' as ' ~ column['alias']) -%}
{%- endfor -%}
{%- if 'sm_model' in plan['facts']['keys'] -%}
    {%- do columns.append(sqlmetrics.model_name(plan, stage) ~ ' as model') -%}
{%- endif -%}
{%- do columns.append(branch['grain'] ~ ' as sm_grain') -%}
{%- for name, value in (
    ('sm_facts', sqlmetrics.facts_of_rows(plan, stage)),
    ('sm_by', sqlmetrics.sql_text(sqlmetrics.slices_of_state(plan))),
    ('sm_holds', sqlmetrics.sql_text(' ' ~ sqlmetrics.held_in_state(plan) | join(' ') ~ ' ')),
    ('sm_made_by', sqlmetrics.sql_text('sm_made_by')),
) -%}
    {%- set said = first or (name == 'sm_by' and stage == 'sm_list_sums') -%}
    {%- do columns.append((value if said else 'null') ~ ' as ' ~ name) -%}
{%- endfor -%}
{%- for column in sqlmetrics.columns_of_sums(plan) + examples -%}
    {#- a sum over no usable row is stored as 0; a least or greatest value over none stays NULL -#}
    {%- set aggregate = plan['needs']['rows'].get(column, {}).get('aggregate', 'sum') -%}
    {%- set held = column if aggregate in ('min', 'max') else 'coalesce(' ~ column ~ ', 0)' -%}
    {%- set value = held if column in branch['holds'] else 'null' -%}
    {%- set typed = sqlmetrics.sql_double(value) if first or value != 'null' else value -%}
    {%- do columns.append(typed ~ ' as ' ~ column) -%}
{%- endfor -%}
{%- for column in sqlmetrics.columns_of_grains(plan) -%}
    {%- set whole = column == 'sm_bin'
        or (plan['facts']['weight'] is none and column in ('sm_level_rows', 'sm_level_positives')) -%}
    {%- set value = column if column in branch['holds'] else 'null' -%}
    {%- set number = sqlmetrics.sql_integer(value) if whole else sqlmetrics.sql_double(value) -%}
    {%- set typed = number if first or value != 'null' else value -%}
    {%- do columns.append(typed ~ ' as ' ~ column) -%}
{%- endfor -%}
{%- for column in pairs -%}
    {%- set value = column if column in branch['holds'] else 'null' -%}
    {%- set typed = sqlmetrics.sql_string(value) if loop.index <= 2 else sqlmetrics.sql_double(value) -%}
    {%- do columns.append((typed if first or value != 'null' else value) ~ ' as ' ~ column) -%}
{%- endfor -%}
{{ '\nunion all\n' if not first -}}
select
    {{- sqlmetrics.lines(columns, 4) }}
from {{ stage }}
{%- for grain in branch.get('beside', []) if plan['needs'][grain] %}
left join sm_{{ grain }} on {{ sqlmetrics.same_slice(plan, stage, 'sm_' ~ grain) }}
{%- endfor %}
{%- if plan['facts']['by'] %}
left join sm_slices on {{ stage }}.sm_slice = sm_slices.sm_slice
{%- endif %}
{%- if branch['where'] %}
where {{ branch['where'] }}
{%- endif %}
{%- endfor %}
{%- endmacro %}
