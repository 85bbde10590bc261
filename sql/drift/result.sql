{# From the stages of drift to its result. #}

{# The stages of drift after the word with, and its result. #}
{% macro query_of_drift(plan) -%}
{%- set kinds = plan['question']['own']['columns'] | map(attribute='kind') | unique | list -%}
{%- set of_state = plan['question']['own']['made'] is not none -%}
{%- set stages = sqlmetrics.stages_of_source(plan) + [
    sqlmetrics.stage_states_of_sides(plan) if of_state else sqlmetrics.stage_two_sides(plan),
] -%}
{%- if plan['facts']['by'] -%}{%- do stages.append(sqlmetrics.stage_slices(plan, sqlmetrics.rows_with_a_side(plan))) -%}
{%- endif -%}
{%- do stages.append(sqlmetrics.stage_sliced_sides(plan)) -%}
{%- for kind in kinds -%}{%- do stages.append(sqlmetrics.stages_of_values(plan, kind)) -%}{%- endfor -%}
{%- if 'number' in kinds -%}
    {%- do stages.extend([
        sqlmetrics.stage_edges(
            plan['question']['own']['columns'] | selectattr('kind', 'equalto', 'number') | list,
            plan['question']['own']['bins'], 'sm_sides', 'sm_side = 1'
        ),
        sqlmetrics.stages_of_bins(plan),
    ]) -%}
{%- endif -%}
{%- do stages.extend([sqlmetrics.stage_cells_of_drift(kinds), sqlmetrics.stage_drift_distances()]) -%}
{%- if 'number' in kinds -%}{%- do stages.append(sqlmetrics.stage_distribution_gaps()) -%}{%- endif -%}
{%- if 'category' in kinds -%}{%- do stages.append(sqlmetrics.stage_one_sided_values()) -%}{%- endif -%}
{%- do stages.extend([
    sqlmetrics.stage_compared_columns(plan, kinds), sqlmetrics.stage_statistics_of_drift(),
    sqlmetrics.stage_tests_of_drift(),
]) -%}
{%- if of_state -%}{%- do stages.append(sqlmetrics.stage_unfit_states(plan)) -%}{%- endif -%}
{{ stages | join(',\n\n') }}

{{ sqlmetrics.last_select_of_drift(plan) }}
{%- endmacro %}

{# The rows that are compared, as a source of slices. #}
{% macro rows_with_a_side(plan) -%}
    {{- 'sm_given' if plan['question']['own']['side'] is none
        else '(select * from sm_given where sm_side is not null) as sm_compared_rows' -}}
{%- endmacro %}

{# The columns of the result after those of the slice, over sm_tested. #}
{% macro result_of_drift() -%}
    {%- set columns = [
        {'name': 'column_name', 'value': 'sm_column_name', 'any_type': true},
        {'name': 'kind', 'value': 'sm_kind', 'any_type': true},
    ] -%}
    {%- for name in ('n_current', 'n_reference', 'null_current', 'null_reference') -%}
        {%- do columns.append({
            'name': name if name.startswith('n_') else 'n_' ~ name, 'value': 'coalesce(sm_' ~ name ~ ', 0)',
            'integer': true, 'counts': true,
        }) -%}
    {%- endfor -%}
    {%- for name in ('psi', 'jensen_shannon', 'hellinger', 'total_variation', 'wasserstein', 'ks', 'ks_p_value',
        'chi_square', 'chi_square_p_value', 'q_value') -%}
        {%- do columns.append({'name': name, 'value': 'sm_' ~ name}) -%}
    {%- endfor -%}
    {%- for name in ('n_new_values', 'n_vanished_values') -%}
        {%- do columns.append({'name': name, 'value': 'sm_' ~ name, 'integer': true}) -%}
    {%- endfor -%}
    {%- for name in ('new_values', 'vanished_values') -%}
        {%- do columns.append({'name': name, 'value': 'sm_' ~ name, 'any_type': true}) -%}
    {%- endfor -%}
    {%- do return(columns) -%}
{%- endmacro %}

{# The names of the values that a side lacks, in one text. #}
{% macro named_values(kind) -%}
    {%- set parts, most = [], sqlmetrics.most_named_values() -%}
    {%- for place in range(1, most + 1) -%}
        {%- set name = 'sm_' ~ kind ~ '_' ~ place -%}
        {%- set text = name if loop.first else sqlmetrics.sql_joined(["', '", name]) -%}
        {%- do parts.append('case when ' ~ name ~ " is null then '' else " ~ text ~ ' end') -%}
    {%- endfor -%}
    {%- do parts.append('case when sm_n_' ~ kind ~ ' > ' ~ most ~ " then ', ...' else '' end") -%}
    case when sm_n_{{ kind }} > 0 then {{ sqlmetrics.sql_joined(parts) }} end
{%- endmacro %}

{# Half of a sum, from 0 to its greatest value, which rounding may miss. #}
{% macro half_within(sum, greatest) -%}
    case when {{ sum }} < 0 then 0 when 0.5 * {{ sum }} > {{ greatest }} then {{ greatest }} else 0.5 * {{ sum }} end
{%- endmacro %}

{# sm_compared: a row for each column and slice, with everything but p-values. #}
{% macro stage_compared_columns(plan, kinds) -%}
{%- set both = 'sm_n_current > 0 and sm_n_reference > 0' -%}
{%- set null = 'cast(null as ' ~ sqlmetrics.sql_double_type() ~ ')' -%}
{%- set has_numbers, has_categories = 'number' in kinds, 'category' in kinds -%}
{%- set no_text = 'case when 1 = 0 then sm_column_name end' -%}
{%- set selects, columns = [], [
    'sm_listed.sm_column', 'sm_listed.sm_slice', 'sm_listed.sm_column_name', 'sm_listed.sm_kind', 'sm_n_current',
    'sm_n_reference', 'sm_null_current', 'sm_null_reference', 'sm_psi', 'sm_reciprocals',
    sqlmetrics.sql_double('sm_n_cells') ~ ' as sm_n_cells',
    'sqrt(' ~ sqlmetrics.half_within('sm_divergence', '0.6931471805599453') ~ ') as sm_jensen_shannon',
    'sqrt(' ~ sqlmetrics.half_within('sm_squares', '1') ~ ') as sm_hellinger',
    sqlmetrics.half_within('sm_moved', '1') ~ ' as sm_total_variation', 'sm_chi_square',
    ('sm_ks' if has_numbers else null ~ ' as sm_ks'),
    ("case when sm_ks is not null then coalesce(sm_area, 0) end" if has_numbers else null) ~ ' as sm_wasserstein',
    sqlmetrics.ratio(
        '(sm_n_current - sm_null_current) * (sm_n_reference - sm_null_reference)',
        'sm_n_current - sm_null_current + sm_n_reference - sm_null_reference'
    ) ~ ' + 0.5 as sm_half_above',
] -%}
{%- for kind in ('new', 'vanished') -%}
    {%- set of_category = "case when sm_kind = 'category' and " ~ both ~ ' then ' -%}
    {%- do columns.append(
        (of_category ~ 'coalesce(sm_n_' ~ kind ~ ', 0) end' if has_categories else 'case when 1 = 0 then 0 end')
            ~ ' as sm_n_' ~ kind ~ '_values'
    ) -%}
    {%- do columns.append(
        (of_category ~ sqlmetrics.named_values(kind) ~ ' end' if has_categories else no_text) ~ ' as sm_' ~ kind
            ~ '_values'
    ) -%}
{%- endfor -%}
{%- set slices = (['select sm_slice from sm_slices'] if plan['facts']['by'] else [])
    + (['select 0 as sm_slice'] if plan['facts']['total'] or not plan['facts']['by'] else []) -%}
{%- for column in plan['question']['own']['columns'] -%}
    {%- do selects.append(
        'select ' ~ column['number'] ~ ' as sm_column, ' ~ sqlmetrics.sql_text(column['name']) ~ ' as sm_column_name, '
            ~ "'" ~ column['kind'] ~ "' as sm_kind"
    ) -%}
{%- endfor -%}
{%- set stages = ['sm_sizes', 'sm_distances'] + (['sm_gaps'] if has_numbers else [])
    + (['sm_unlike'] if has_categories else []) -%}
-- each column of each slice
sm_compared as (
    select
        {{- sqlmetrics.lines(columns, 8) }}
    from (
        select sm_column, sm_column_name, sm_kind, sm_slice
        from (
            {{ selects | join('\n            union all\n            ') }}
        ) as sm_columns
        cross join ({{ slices | join(' union all ') }}) as sm_due_slices
    ) as sm_listed
    {%- for stage in stages %}
    left join {{ stage }}
        on sm_listed.sm_column = {{ stage }}.sm_column and sm_listed.sm_slice = {{ stage }}.sm_slice
    {%- endfor %}
)
{%- endmacro %}

{# The last select. Of states that are unfit only numbers of rows are kept. #}
{% macro last_select_of_drift(plan) -%}
{%- set columns, of_state = [], plan['question']['own']['made'] is not none -%}
{%- for column in plan['facts']['by'] -%}
    {%- do columns.append(
        sqlmetrics.value_of_slice(plan, column, 'sm_results.sm_slice = 0') ~ ' as ' ~ column['alias']
    ) -%}
{%- endfor -%}
{%- if plan['facts']['total'] -%}
    {%- do columns.append('case when sm_results.sm_slice = 0 then 1 else 0 end as is_total') -%}
{%- endif -%}
{%- for result in plan['result']['columns'] -%}
    {%- set value = result['value'] -%}
    {%- if of_state and not (result.get('counts') or result['name'] in ('column_name', 'kind')) -%}
        {%- set value = 'case when sm_is_fit = 1 then ' ~ value ~ ' end' -%}
    {%- endif -%}
    {%- do columns.append(sqlmetrics.result_column(plan, dict(result, value=value))) -%}
{%- endfor -%}
{%- for name, column in plan['result']['counts'].items() -%}
    {%- do columns.append(sqlmetrics.sql_integer(column) ~ ' as ' ~ name) -%}
{%- endfor -%}
select
    {{- sqlmetrics.lines(columns, 4) }}
from (
    select
        {{- sqlmetrics.lines(
            ['sm_tested.*', 'case when sm_adjusted > 1 then 1 else sm_adjusted end as sm_q_value']
                + (['sm_unfit.*'] if of_state else []), 8
        ) }}
    from sm_tested
    {%- if of_state %}
    cross join sm_unfit
    {%- endif %}
) as sm_results
{%- if plan['facts']['by'] %}
left join sm_slices on sm_results.sm_slice = sm_slices.sm_slice
{%- endif %}
order by
    case when sm_results.sm_slice = 0 then 1 else 0 end asc,
    sm_results.sm_slice asc,
    sm_results.sm_column asc
{%- endmacro %}
