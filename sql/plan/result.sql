{# The columns of the result: their names, and the last select. #}

{# Notes the names of the columns of the result. #}
{% macro note_columns(plan) -%}
    {%- do plan['result'].update({'counts': sqlmetrics.counts(plan)}) -%}
    {%- for role in ('label', 'prediction', 'score', 'weight', 'group', 'item', 'subtopic', 'period')
        if 'rows_bad_' ~ role in plan['result']['counts'] and 'rows_bad_' ~ role not in plan['result']['bad_rows'] -%}
        {%- do plan['result']['bad_rows'].update({'rows_bad_' ~ role: role}) -%}
    {%- endfor -%}
    {%- if plan['row_columns'] -%}
        {%- set said = plan['row_columns'].values() | map(attribute='said') | join("' or '") -%}
        {%- do plan['result']['bad_rows'].update({'rows_bad_column': "'" ~ said ~ "'"}) -%}
    {%- endif -%}
    {%- set has_model = sqlmetrics.has_model_column(plan) -%}
    {%- do plan['result']['names'].extend(plan['facts']['by'] | map(attribute='name') | list
        + (['model'] if has_model else [])) -%}
    {%- set computed = plan['result']['counts'] | list + plan['result']['columns'] | map(attribute='name') | list
        + plan['result']['lists'] | list + (['is_total'] if sqlmetrics.has_total(plan) else []) -%}
    {%- if plan['question']['ends'] == 'sums' -%}
        {%- do plan['result']['names'].append(plan['facts']['period']['name']) -%}
        {#- what `finish` makes of the state has these names -#}
        {{- sqlmetrics.check_names(plan, plan['result']['names'] + computed) -}}
        {%- do plan['result']['names'].extend(['sm_made_by'] + sqlmetrics.columns_of_state(plan)) -%}
    {%- else -%}
        {%- do plan['result']['names'].extend(computed) -%}
    {%- endif -%}
    {{- sqlmetrics.check_names(plan, plan['result']['names']) -}}
{%- endmacro %}

{# True if the result has a row for all slices together. That of a change is made of its slices. #}
{% macro has_total(plan) -%}
    {%- do return(plan['facts']['total'] or plan['question']['has_total']) -%}
{%- endmacro %}

{#
  Rejects two result columns of one name, or of names of which the engine keeps the same beginning. The column is_total
  marks the row of the total.
#}
{% macro check_names(plan, names) -%}
    {%- set seen = [] if sqlmetrics.has_total(plan) else ['is_total'] -%}
    {%- for name in names -%}
        {%- set kept = sqlmetrics.kept_name(name | lower) -%}
        {%- if kept in seen -%}
            {%- set limit = '' if kept == name | lower else ', of which ' ~ sqlmetrics.sql_dialect() ~ ' keeps '
                ~ sqlmetrics.sql_name_length() ~ ' bytes' -%}
            {{- sqlmetrics.refuse(
                "Two result columns would be named '" ~ name ~ "'" ~ limit
                    ~ "; pass a mapping of other names to metrics, or rename the column of by="
            ) -}}
        {%- endif -%}
        {%- do seen.append(kept) -%}
    {%- endfor -%}
{%- endmacro %}

{# What an engine keeps of a name: its first bytes. #}
{% macro kept_name(name) -%}
    {%- set most, ns = sqlmetrics.sql_name_length(), namespace(bytes=0, kept='') -%}
    {%- if most is none or name | length * 4 <= most -%}{%- do return(name) -%}{%- endif -%}
    {%- for character in name -%}
        {%- set ns.bytes = ns.bytes
            + (4 if character > '\uffff' else 3 if character > '\u07ff' else 2 if character > '\u007f' else 1) -%}
        {%- if ns.bytes <= most -%}{%- set ns.kept = ns.kept ~ character -%}{%- endif -%}
    {%- endfor -%}
    {{- ns.kept -}}
{%- endmacro %}

{#
  The last select: by columns, audit counts and metrics. A replicate has the metrics alone. Resampled metrics are
  selected elsewhere (inference/bootstrap.sql).
#}
{% macro result(plan) -%}{{ sqlmetrics.metrics_of_result(plan, sqlmetrics.columns_of_result(plan)) }}{%- endmacro %}

{# The same of several rows for each slice. #}
{% macro result_of_points(plan) -%}
    {{- sqlmetrics.points_of_result(plan, sqlmetrics.columns_of_result(plan)) -}}
{%- endmacro %}

{# The columns of the result: sql, name and, of metrics, the result. #}
{% macro columns_of_result(plan) -%}
{%- set columns = sqlmetrics.columns_of_slice(plan) -%}
{%- for result in plan['result']['columns'] if result.get('kind') != 'bootstrap' -%}
    {%- do columns.append({
        'sql': sqlmetrics.filled(plan, result['value']) if result.get('later')
            else sqlmetrics.result_value(plan, result),
        'name': sqlmetrics.sql_result(result['name']), 'metric': result,
    }) -%}
{%- endfor -%}
{%- for check in plan['result']['checks'].values() if check['value'] is not none -%}
    {%- do columns.append({'sql': check['value'], 'name': check['value']}) -%}
{%- endfor -%}
{%- do return(columns) -%}
{%- endmacro %}

{# The columns before the metrics: the slice, the model and the counts. #}
{% macro columns_of_slice(plan) -%}
    {%- set columns = [] -%}
    {%- if plan['resampled'] or plan['question']['draws'] is not none -%}
        {%- for key in plan['facts']['keys'] -%}{%- do columns.append({'sql': 'sm_row_sums.' ~ key, 'name': key}) -%}
        {%- endfor -%}
    {%- endif -%}
    {%- if plan['question']['counts'] -%}
        {%- for column in plan['facts']['by'] -%}
            {%- do columns.append({
                'sql': sqlmetrics.value_of_slice(plan, column, 'sm_row_sums.sm_slice = 0'), 'name': column['alias'],
                'given': true,
            }) -%}
        {%- endfor -%}
        {%- if plan['facts']['total'] -%}
            {%- do columns.append(
                {'sql': 'case when sm_row_sums.sm_slice = 0 then 1 else 0 end', 'name': 'is_total'}
            ) -%}
        {%- endif -%}
        {%- if 'sm_model' in plan['facts']['keys'] -%}
            {%- do columns.append({'sql': sqlmetrics.model_name(plan, 'sm_row_sums'), 'name': 'model'}) -%}
        {%- endif -%}
        {%- for name, column in plan['result']['counts'].items() -%}
            {%- do columns.append({'sql': sqlmetrics.sql_integer('coalesce(' ~ column ~ ', 0)'), 'name': name}) -%}
        {%- endfor -%}
    {%- endif -%}
    {%- for name, column in plan['counts_units'].items() -%}
        {%- do columns.append({'sql': column, 'name': name}) -%}
    {%- endfor -%}
    {%- do return(columns) -%}
{%- endmacro %}

{#
  The value of a slice in the result: as it is; with total_name= a text that is never NULL, so that it can be a key.

  Args:
    column: the column, of `by`
    is_total: the condition that the row is the total
#}
{% macro value_of_slice(plan, column, is_total, slices='sm_slices') -%}
    {%- set value, name = slices ~ '.' ~ column['column'], plan['facts']['total_name'] -%}
    {%- if name is none -%}{%- do return(value) -%}{%- endif -%}
    {%- do return('case when ' ~ is_total ~ ' then ' ~ sqlmetrics.sql_text(name) ~ ' when ' ~ value
        ~ " is null then '(null)' else " ~ sqlmetrics.sql_string(value) ~ ' end') -%}
{%- endmacro %}

{# Metrics are long: each is written once, and tested one select further out. The ends of intervals are between. #}
{% macro metrics_of_result(plan, columns) -%}
{%- set inner, outer, names, values = [], [], columns | map(attribute='name') | list, {} -%}
{%- for key in plan['facts']['keys'] if key not in names -%}
    {%- do inner.append('sm_row_sums.' ~ key) -%}
{%- endfor -%}
{%- for column in columns -%}
    {%- set later = 'metric' in column and column['metric'].get('later') -%}
    {#- a slice of the user's may be named as a column of ours is -#}
    {%- set renamed = 'metric' in column or ('given' in column and 'sm_' in column['name'] | lower) -%}
    {%- set value = column['sql'] if later else column['name'] if not renamed else 'sm_by_value_' ~ loop.index
        if 'given' in column else 'sm_' ~ sqlmetrics.name_of_value(plan, column['metric']['name']) -%}
    {%- if not later -%}
        {%- do inner.append(column['sql'] if column['sql'] == value else column['sql'] ~ ' as ' ~ value) -%}
    {%- endif -%}
    {%- if 'metric' in column -%}{%- do values.update({column['metric']['name']: value}) -%}{%- endif -%}
    {%- set kept = sqlmetrics.kept_value(column['metric'], value) if 'metric' in column else value -%}
    {%- do outer.append(kept ~ ' as ' ~ column['name'] if renamed else kept) -%}
{%- endfor -%}
{%- set inner = inner + (sqlmetrics.parts_of_ends(plan) if plan['ends'] else []) -%}
{%- set query = 'select' ~ sqlmetrics.lines(inner, 8) ~ '
    ' ~ (sqlmetrics.from_sums(plan) | indent(4)) -%}
{%- if plan['ends'] -%}
    {%- set query = 'select' ~ sqlmetrics.lines(['sm_parts.*'] + sqlmetrics.units_of_ends(plan, values), 8) ~ '
    from (
    ' ~ query ~ '
    ) as sm_parts' -%}
    {%- set query = 'select' ~ sqlmetrics.lines(['sm_units.*'] + sqlmetrics.columns_of_ends(plan, values), 8) ~ '
    from (
    ' ~ query ~ '
    ) as sm_units' -%}
{%- endif -%}
select
    {{- sqlmetrics.lines(outer, 4) }}
from (
    {{ query }}
) as sm_measures
{%- endmacro %}

{#
  The name, after sm_, of the column with a value of the result that a later select reads: `ndcg_10_value`. A result may
  have any name, so this one has its letters and digits, short enough for every engine, and is there once.
#}
{% macro name_of_value(plan, name) -%}
    {%- set names, short = plan['names_of_values'], sqlmetrics.column_name(name)[:36] -%}
    {%- if name not in names -%}
        {%- set taken = not short or short ~ '_value' in names.values() -%}
        {%- do names.update({name: short ~ ('__' ~ names | length if taken) ~ '_value'}) -%}
    {%- endif -%}
    {%- do return(names[name]) -%}
{%- endmacro %}

{# The values of points are short. #}
{% macro points_of_result(plan, columns) -%}
{%- set points = [] -%}
{%- for column in columns -%}
    {%- set value = sqlmetrics.kept_value(column['metric'], column['sql']) if 'metric' in column else column['sql'] -%}
    {%- do points.append(value ~ ' as ' ~ column['name']) -%}
{%- endfor -%}
select
    {{- sqlmetrics.lines(points, 4) }}
{{ sqlmetrics.from_sums(plan) }}
{%- endmacro %}

{# What the last select reads. #}
{% macro from_sums(plan) -%}
from sm_row_sums
{%- if plan['facts']['by'] and plan['question']['draws'] is none %}
left join sm_slices on sm_row_sums.sm_slice = sm_slices.sm_slice
{%- endif %}
{{- sqlmetrics.joined_sums(plan) }}
{%- endmacro %}

{# The joins of sm_row_sums with all sums that metrics read. #}
{% macro joined_sums(plan) -%}
{%- for grain, rule in plan['grains'].items()
    if rule.get('sums') and plan['needs'][grain] and not rule.get('one_row') %}
{{ sqlmetrics.join_sums(
    plan, 'sm_row_sums',
    sqlmetrics.stage_with_critical(plan, rule['sums']) if plan['critical_values'] else rule['sums']
) }}
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
{%- for stage in plan['critical_values'] if not sqlmetrics.grain_of_spreads(stage) %}
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
{%- set order = (['case when ' ~ slice ~ ' = 0 then 1 else 0 end asc', slice ~ ' asc'] if plan['facts']['by'] else [])
    + ([stage ~ '.sm_model asc'] if 'sm_model' in plan['facts']['keys'] else []) + plan['point_order'] %}
{%- if order %}
order by {{ order | join(', ') }}
{%- endif %}
{%- endmacro %}

{# The name of a model, from its number in a column of a stage. #}
{% macro model_name(plan, stage, column='sm_model') -%}
    {%- set names = [] -%}
    {%- for model in sqlmetrics.models_of_user(plan) -%}
        {%- do names.append('when ' ~ loop.index ~ ' then ' ~ sqlmetrics.sql_text(model['name'])) -%}
    {%- endfor -%}
    case {{ stage }}.{{ column }} {{ names | join(' ') }} end
{%- endmacro %}

{# A metric as a result column. Its name is quoted, since some names are SQL keywords. #}
{% macro result_column(plan, result) -%}
{%- set value = sqlmetrics.result_value(plan, result) -%}
{{ sqlmetrics.kept_value(result, value) }} as {{ sqlmetrics.sql_result(result['name']) }}
{%- endmacro %}

{# The value of a result column. #}
{% macro result_value(plan, result) -%}
    {%- set value = result['value'] -%}
    {%- if result.get('any_type') -%}{%- do return(value) -%}{%- endif -%}
    {%- set value = sqlmetrics.filled(plan, value) -%}
    {{ sqlmetrics.sql_integer(value) if result.get('integer') else sqlmetrics.sql_double(value) }}
{%- endmacro %}

{# A value, NULL if sums of large numbers or weights left the floats on the way to it. It is written twice. #}
{% macro kept_value(result, value) -%}
    {%- set finite = sqlmetrics.value_finite(value) -%}
    {%- if result.get('any_type') or result.get('integer') -%}
        {{- value -}}
    {%- elif result.get('held') -%}
        {%- set least, most = result['held'] -%}
        {#- only rounding is cut; a value far outside would be a mistake -#}
        {%- set cases = [] -%}
        {%- for limit, over, under, end in ((most, ' > ', ' < ', most + 1e-9), (least, ' < ', ' > ', least - 1e-9)) -%}
            {%- do cases.append(
                'when ' ~ value ~ over ~ limit ~ ' and ' ~ value ~ under ~ end ~ ' then ' ~ sqlmetrics.sql_double(limit)
            ) -%}
        {%- endfor -%}
        {{- 'case ' ~ cases | join(' ') ~ ' else ' ~ finite ~ ' end' -}}
    {%- else -%}
        {{- finite -}}
    {%- endif -%}
{%- endmacro %}

{# The audit counts: result column -> the sum that holds it. #}
{% macro counts(plan) -%}
    {%- set left_out = ['sm_rows_without_truth', 'sm_rows_unjudged', 'sm_rows_unpaired'] -%}
    {%- set bad = sqlmetrics.problem_columns(plan) | reject('in', left_out) | list -%}
    {%- set counts = {
        plan['question']['n_rows']: 'sm_n_predicted' if plan['facts']['truth'] is not none else 'sm_n_rows',
        'rows_dropped': bad | join(' + ') or '0',
    } -%}
    {%- for name in sqlmetrics.problems(plan) -%}{%- do counts.update({name: 'sm_' ~ name}) -%}{%- endfor -%}
    {%- for name, column in plan['result']['audit'].items() -%}{%- do counts.update({name: column}) -%}{%- endfor -%}
    {%- for column, check in plan['result']['checks'].items() -%}
        {%- do counts.update({check['name']: column}) -%}
    {%- endfor -%}
    {%- do return(counts) -%}
{%- endmacro %}
