{# The columns of the result: their names, and the last select. #}

{# Notes the names of the columns of the result. #}
{% macro note_columns(plan) -%}
    {%- do plan.update({'counts': sqlmetrics.counts(plan)}) -%}
    {%- for role in ('label', 'prediction', 'score', 'weight', 'group', 'item', 'subtopic', 'period')
        if 'rows_bad_' ~ role in plan['counts'] -%}
        {%- do plan['bad_rows'].update({'rows_bad_' ~ role: role}) -%}
    {%- endfor -%}
    {%- set has_model = 'sm_model' in plan['keys'] and plan['compared'] is none -%}
    {%- do plan['names'].extend(plan['by'] | map(attribute='name') | list + (['model'] if has_model else [])) -%}
    {%- if plan['state'] == 'made' -%}
        {%- do plan['names'].extend([plan['period']['name']] + sqlmetrics.columns_of_state(plan)) -%}
    {%- else -%}
        {%- set results = plan['results'] | map(attribute='name') | list -%}
        {%- set total = ['is_total'] if plan['total'] else [] -%}
        {%- do plan['names'].extend(plan['counts'] | list + results + plan['lists'] | list + total) -%}
    {%- endif -%}
    {{- sqlmetrics.check_names(plan) -}}
{%- endmacro %}

{# Rejects two result columns of one name. The column is_total marks the row of the total. #}
{% macro check_names(plan) -%}
    {%- set seen = [] if plan['total'] else ['is_total'] -%}
    {%- for name in plan['names'] -%}
        {%- if name | lower in seen -%}
            {{- sqlmetrics.refuse(
                "Two result columns would be named '" ~ name
                    ~ "'; pass a mapping of other names to metrics, or rename the column of by="
            ) -}}
        {%- endif -%}
        {%- do seen.append(name | lower) -%}
    {%- endfor -%}
{%- endmacro %}

{#
  The last select: by columns, audit counts and metrics. A replicate has the metrics alone. Resampled metrics are
  selected elsewhere (inference/bootstrap.sql).
#}
{% macro result(plan) -%}
{%- set drawn = plan['resampled'] or plan['replicates'] is not none -%}
{%- set columns = sqlmetrics.slice_keys(plan, 'sm_row_sums.') if drawn else [] -%}
{%- if plan['replicates'] is none -%}
    {%- for column in plan['by'] -%}
        {%- do columns.append('sm_slices.' ~ column['column'] ~ ' as ' ~ column['alias']) -%}
    {%- endfor -%}
    {%- if plan['total'] -%}
        {%- do columns.append('case when sm_row_sums.sm_slice = 0 then 1 else 0 end as is_total') -%}
    {%- endif -%}
    {%- if 'sm_model' in plan['keys'] -%}
        {%- do columns.append(sqlmetrics.model_name(plan, 'sm_row_sums') ~ ' as model') -%}
    {%- endif -%}
    {%- for name, column in plan['counts'].items() -%}
        {%- do columns.append(sqlmetrics.sql_integer('coalesce(' ~ column ~ ', 0)') ~ ' as ' ~ name) -%}
    {%- endfor -%}
{%- endif -%}
{%- if plan['counts_units'] -%}{%- do columns.extend(['sm_n_units', 'sm_n_of_all']) -%}{%- endif -%}
{%- for result in plan['results'] if result.get('kind') != 'bootstrap' -%}
    {%- do columns.append(sqlmetrics.result_column(plan, result)) -%}
{%- endfor -%}
{%- for check in plan['checks'].values() if check['value'] is not none -%}
    {%- do columns.append(check['value'] ~ ' as ' ~ check['value']) -%}
{%- endfor -%}
select
    {{- sqlmetrics.lines(columns, 4) }}
from sm_row_sums
{%- if plan['by'] and plan['replicates'] is none %}
left join sm_slices on sm_row_sums.sm_slice = sm_slices.sm_slice
{%- endif %}
{{- sqlmetrics.joined_sums(plan) }}
{%- endmacro %}

{# The joins of sm_row_sums with all sums that metrics read. #}
{% macro joined_sums(plan) -%}
{%- for grain, rule in plan['grains'].items()
    if rule.get('sums') and plan['needs'][grain] and not rule.get('one_row') %}
{{ sqlmetrics.join_sums(plan, 'sm_row_sums', rule['sums']) }}
{%- endfor %}
{%- if plan['points'] %}
left join sm_points on {{ sqlmetrics.same_slice(plan, 'sm_row_sums', 'sm_points') }}
{%- endif %}
{%- for grain in plan['bins'] if plan['needs'][grain] %}
{{ sqlmetrics.join_sums(plan, 'sm_row_sums', 'sm_' ~ grain ~ '_sums') }}
{%- endfor %}
{%- if plan['counts_units'] %}
{{ sqlmetrics.join_sums(plan, 'sm_row_sums', 'sm_counted_units') }}
{%- endif %}
{%- for stage in ('sm_discordant_sums', 'sm_auc_spreads') if sqlmetrics.reads_discordant(plan) %}
{{ sqlmetrics.join_sums(plan, 'sm_row_sums', stage) }}
{%- endfor %}
{%- for stage in plan['critical_values'] %}
{{ sqlmetrics.join_sums(plan, 'sm_row_sums', stage ~ '_critical') }}
{%- endfor %}
{%- if plan['exact_shares'] %}
{{ sqlmetrics.join_sums(plan, 'sm_row_sums', 'sm_exact_ends') }}
{%- endif %}
{%- for grain, rule in plan['grains'].items() if rule.get('one_row') and plan['needs'][grain] %}
cross join {{ rule['sums'] }}
{%- endfor %}
{%- endmacro %}

{# The order of the result rows, by the keys of a stage. #}
{% macro order_of_result(plan, stage) -%}
{%- set slice = stage ~ '.sm_slice' -%}
{%- set order = (['case when ' ~ slice ~ ' = 0 then 1 else 0 end asc', slice ~ ' asc'] if plan['by'] else [])
    + ([stage ~ '.sm_model asc'] if 'sm_model' in plan['keys'] else []) + plan['point_order'] %}
{%- if order %}
order by {{ order | join(', ') }}
{%- endif %}
{%- endmacro %}

{# The name of a model, from its number in a column of a stage. #}
{% macro model_name(plan, stage, column='sm_model') -%}
    {%- set names = [] -%}
    {%- for model in plan['models'] -%}
        {%- do names.append('when ' ~ loop.index ~ ' then ' ~ sqlmetrics.sql_text(model['name'])) -%}
    {%- endfor -%}
    case {{ stage }}.{{ column }} {{ names | join(' ') }} end
{%- endmacro %}

{# A metric as a result column. Its name is quoted, since some names are SQL keywords. #}
{% macro result_column(plan, result) -%}
    {%- set value = result['value'] -%}
    {%- if not result.get('any_type') -%}
        {%- set value = sqlmetrics.filled(plan, value) -%}
        {%- set value = sqlmetrics.sql_integer(value) if result.get('integer') else sqlmetrics.sql_double(value) -%}
    {%- endif -%}
    {{ value }} as {{ sqlmetrics.sql_result(result['name']) }}
{%- endmacro %}

{# The audit counts: result column -> the sum that holds it. #}
{% macro counts(plan) -%}
    {%- set left_out = ['sm_rows_without_truth', 'sm_rows_unjudged'] -%}
    {%- set bad = sqlmetrics.problem_columns(plan) | reject('in', left_out) | list -%}
    {%- set counts = {
        'n_rows': 'sm_n_predicted' if plan['truth'] is not none else 'sm_n_rows',
        'rows_dropped': bad | join(' + ') or '0',
    } -%}
    {%- for name in sqlmetrics.problems(plan) -%}{%- do counts.update({name: 'sm_' ~ name}) -%}{%- endfor -%}
    {%- for name, column in plan['audit'].items() -%}{%- do counts.update({name: column}) -%}{%- endfor -%}
    {%- for column, check in plan['checks'].items() -%}{%- do counts.update({check['name']: column}) -%}{%- endfor -%}
    {%- do return(counts) -%}
{%- endmacro %}
