{# The statement of a search: its stages after those of the metrics, and the result. #}

{# The stages from units to the slices that are found. #}
{% macro stages_of_search(plan) -%}
    {%- set sums = sqlmetrics.sums_of_search(plan) -%}
    {%- set searched = plan['question']['own'] -%}
    {%- set blocks = sqlmetrics.blocks_of_columns(searched['columns'] | length, searched['depth']) -%}
    {%- do return(
        sqlmetrics.stages_of_units(plan, sums) + [sqlmetrics.stage_names(plan)]
        + sqlmetrics.stages_of_cells(plan, sums, blocks)
        + [
            sqlmetrics.stage_slices_of_search(plan, sums, blocks), sqlmetrics.stage_sides(plan, sums),
            sqlmetrics.stage_side_values(sums), sqlmetrics.stage_slice_differences(plan, sums),
            sqlmetrics.stage_slice_tests(plan, sums),
            sqlmetrics.stage_found(plan), sqlmetrics.stage_counts_of_slices(plan),
            sqlmetrics.stage_result_of_search(plan, sums),
        ]
    ) -%}
{%- endmacro %}

{# The columns of the result, over sm_slices_found. #}
{% macro columns_of_search(plan) -%}
    {%- set columns = [{'name': 'slice', 'value': 'sm_slice_name', 'any_type': true}] -%}
    {%- for column in plan['question']['own']['columns'] -%}
        {%- do columns.append({'name': column['name'], 'value': 'sm_name_' ~ column['number'], 'any_type': true}) -%}
    {%- endfor -%}
    {%- set metrics, guards = [], [] -%}
    {%- for metric in plan['compared_metrics'] -%}
        {%- do metrics.append('when ' ~ loop.index ~ ' then ' ~ sqlmetrics.sql_text(metric['name'])) -%}
    {%- endfor -%}
    {%- do columns.extend([
        {'name': 'metric', 'value': 'case sm_metric ' ~ metrics | join(' ') ~ ' end', 'any_type': true},
        {'name': 'n_rows', 'value': 'sm_n_rows_of_slice', 'integer': true},
        {'name': 'n_units', 'value': 'sm_units_of_slice', 'integer': true},
    ]) -%}
    {%- set two = plan['question']['own']['candidate'] is not none or plan['facts']['models'] | length > 1 -%}
    {%- for name in (['baseline_value', 'candidate_value'] if two else [])
        + ['value', 'rest', 'difference', 'low', 'high', 'p_value'] -%}
        {%- do columns.append({'name': name, 'value': 'sm_' ~ name ~ '_1'}) -%}
    {%- endfor -%}
    {%- do columns.append({'name': 'q_value', 'value': 'sm_q_value'}) -%}
    {%- for name in ('difference', 'low', 'high', 'p_value') -%}
        {%- do columns.append({'name': 'confirmed_' ~ name, 'value': 'sm_' ~ name ~ '_2'}) -%}
    {%- endfor -%}
    {%- do columns.extend([
        {'name': 'confirmed', 'value': 'sm_confirmed', 'integer': true, 'boolean': true},
        {'name': 'impact', 'value': 'sm_impact'},
        {'name': 'largest_share', 'value': 'sm_largest_share'},
    ]) -%}
    {%- do return(columns) -%}
{%- endmacro %}

{# sm_slices_found: the slices of the result with their names. #}
{% macro stage_result_of_search(plan, sums) -%}
{%- set columns, joins, parts = ['sm_found.*', 'sm_n_rows_of_slice'], [], [] -%}
{%- do columns.append(
    sqlmetrics.of_each_metric(sums['metrics'] | map(attribute='largest') | list) ~ ' as sm_largest_share'
) -%}
{%- set rows_of_slice = 'sm_n_1 + sm_n_2' if sqlmetrics.searches_rows(plan) else 'sm_n_rows_1 + sm_n_rows_2' -%}
{%- for column in plan['question']['own']['columns'] -%}
    {%- set names = 'sm_names_' ~ column['number'] -%}
    {%- set given = 'case when sm_slices_named.' ~ column['code'] ~ ' >= 0 then ' ~ names -%}
    {%- do columns.append(given ~ '.sm_name end as sm_name_' ~ column['number']) -%}
    {%- set condition = sqlmetrics.sql_joined(["' and '", names ~ '.sm_condition']) -%}
    {%- do parts.append('case when sm_slices_named.' ~ column['code'] ~ ' >= 0 then ' ~ condition ~ " else '' end") -%}
    {%- do joins.append(
        'left join (select sm_code, sm_name, sm_condition from sm_names where sm_column = ' ~ column['number'] ~ ') as '
        ~ names ~ ' on sm_slices_named.' ~ column['code'] ~ ' = ' ~ names ~ '.sm_code'
    ) -%}
{%- endfor -%}
{%- set sound = [] -%}
{%- for check in plan['result']['checks'].values() -%}
    {%- do sound.append('sm_counts.sm_all_' ~ check['name'] ~ ' = 0') -%}
{%- endfor -%}
-- the slices that are left, with their names; with a count of broken data none is
sm_slices_found as (
    select
        {{- sqlmetrics.lines(columns + [
            'substr(' ~ sqlmetrics.sql_joined(parts) ~ ', 6) as sm_slice_name',
        ], 8) }}
    from sm_found
    inner join (
        select
            {{- sqlmetrics.lines(['sm_slice as sm_named_slice', rows_of_slice ~ ' as sm_n_rows_of_slice']
                + plan['question']['own']['columns'] | map(attribute='code') | list
                + sums['sizes'].values() | list, 12) }}
        from sm_slices
    ) as sm_slices_named on sm_found.sm_slice = sm_slices_named.sm_named_slice
    {%- for join in joins %}
    {{ join }}
    {%- endfor %}
    cross join sm_counts
    where {{ (['sm_found.sm_folded = 0'] + sound) | join(' and ') }}
)
{%- endmacro %}

{# The counts of the result: audit column -> expression over sm_counts and sm_slices_found. #}
{% macro counts_of_search(plan) -%}
    {%- set counts = {
        'slices_looked_at': 'coalesce(sm_looked_at, 0)', 'slices_folded': 'coalesce(sm_folded_slices, 0)',
    } -%}
    {%- for name in plan['result']['counts'] -%}
        {%- do counts.update({name: 'sm_counts.sm_all_' ~ name}) -%}
    {%- endfor -%}
    {%- do return(counts) -%}
{%- endmacro %}

{# The last select. #}
{% macro result_of_search(plan) -%}
{%- set columns = [] -%}
{%- for result in plan['result']['columns'] -%}
    {%- do columns.append(sqlmetrics.result_column(plan, result)) -%}
{%- endfor -%}
{%- set counts = sqlmetrics.counts_of_search(plan) -%}
{%- do plan['result'].update({'counts': counts}) -%}
{%- for name, column in counts.items() -%}
    {%- do columns.append(sqlmetrics.sql_integer(column) ~ ' as ' ~ name) -%}
{%- endfor -%}
{%- for check in plan['result']['checks'].values() -%}
    {%- if check['value'] is not none -%}
        {%- do columns.append('sm_counts.' ~ check['value'] ~ '_of_all as ' ~ check['value']) -%}
    {%- endif -%}
{%- endfor -%}
select
    {{- sqlmetrics.lines(columns, 4) }}
from sm_counts
left join sm_slices_found on 1 = 1
order by
    case when sm_confirmed = 1 then 0 else 1 end asc,
    case when sm_impact is null then 1 else 0 end asc,
    abs(sm_impact) desc,
    sm_metric asc,
    sm_slices_found.sm_slice asc
{%- endmacro %}
