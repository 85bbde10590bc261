{#
  The result of metrics that people correct: from what people and the judge say together (inference/corrected.sql) to
  the columns of each metric and their interval.
#}

{# The stages from units of each arm to the corrected values. #}
{% macro stages_of_corrected(plan) -%}
    {%- do return(sqlmetrics.stages_of_people_and_judge(plan) + [
        sqlmetrics.stage_corrected_values(plan), sqlmetrics.stage_counts_of_slices(plan),
    ]) -%}
{%- endmacro %}

{# The columns of the result. #}
{% macro columns_of_corrected(plan) -%}
    {%- set columns = [] -%}
    {%- for result in plan['result']['columns'] -%}
        {%- set name, metric = result['name'], plan['compared_metrics'][loop.index0] -%}
        {%- set range = metric['range'] -%}
        {%- set of = {'notation': result['notation']} -%}
        {%- do columns.append(dict(result, value='sm_value_' ~ loop.index)) -%}
        {%- set closed = range['least'] is not none and range['most'] is not none -%}
        {%- set skew = none if not closed and range['most'] is not none else '' -%}
        {%- do sqlmetrics.ask_ends(
            plan, name, range, {'variance': '', 'units': '', 'critical': '', 'skew': skew}, closed,
            by_units=metric['by_units'], root=metric['root']
        ) -%}
        {%- for end in ('low', 'high') -%}
            {%- do columns.append(dict(
                of, name=name ~ '_' ~ end, end_of=name, kind='mean', value='sm_' ~ end ~ '_' ~ metric['i'],
            )) -%}
        {%- endfor -%}
        {%- for part, value in {
            'judge': 'sm_judge_', 'gold': 'sm_gold_', 'n_effective': 'sm_all_n_gold * sm_worth_',
        }.items() -%}
            {%- do columns.append(dict(of, name=name ~ '_' ~ part, value=value ~ metric['i'])) -%}
        {%- endfor -%}
    {%- endfor -%}
    {%- do return(columns) -%}
{%- endmacro %}

{#
  What sm_corrected_values has of a metric, as expressions over sm_corrected: the corrected value, the values by the
  judge alone and by people alone, how many times the labels by people the interval is worth, and what ends are made of.
#}
{% macro parts_of_corrected(metric) -%}
    {%- set parts = {} -%}
    {%- for part, column in {'value': 'sm_value', 'judge': 'sm_all', 'gold': 'sm_people'}.items() -%}
        {%- do parts.update({part: sqlmetrics.value_in_range(metric, column)}) -%}
    {%- endfor -%}
    {#- the value of what has a least alone is skewed upwards (ends.sql) -#}
    {%- set upwards = metric['range']['least'] is not none and metric['range']['most'] is none -%}
    {%- do parts.update({
        'worth': 'sm_worth', 'variance': 'sm_variance', 'units': 'sm_units_people', 'critical': 'sm_critical',
        'skew': 'case when sm_skew > 0 then sm_skew else 0 end' if upwards else 'sm_skew',
    }) -%}
    {%- do return(parts) -%}
{%- endmacro %}

{# A value as the result has it: within the range of the metric, and of a root the root. #}
{% macro value_in_range(metric, value) -%}
    {%- set least, most = 0 if metric['root'] else metric['range']['least'], metric['range']['most'] -%}
    {%- set cases = [] -%}
    {%- for limit, over in ((least, ' < '), (most, ' > ')) if limit is not none -%}
        {%- do cases.append('when ' ~ value ~ over ~ limit ~ ' then ' ~ sqlmetrics.sql_double(limit)) -%}
    {%- endfor -%}
    {%- if cases -%}{%- set value = '(case ' ~ cases | join(' ') ~ ' else ' ~ value ~ ' end)' -%}{%- endif -%}
    {{- 'sqrt(' ~ value ~ ')' if metric['root'] else value -}}
{%- endmacro %}

{# sm_corrected_values: a row for each slice and model, with what belongs to metric i as sm_<part>_<i>. #}
{% macro stage_corrected_values(plan) -%}
{%- set keys, columns = sqlmetrics.keys_beside_models(plan) + ['sm_of_model'], [] -%}
{%- set level, shares = (1 + plan['facts']['interval']) / 2, [] -%}
{%- set of_t = sqlmetrics.student_t_quantile(level, 'sm_df') -%}
{%- set of_normal = sqlmetrics.sql_double(sqlmetrics.normal_critical_value(level)) -%}
{%- for metric in plan['compared_metrics'] -%}
    {#- as Wilson's interval of people alone -#}
    {%- if metric['is_share'] and not plan['question']['own']['unequal'] -%}
        {%- do shares.append(metric['i']) -%}
    {%- endif -%}
    {%- for part, sql in sqlmetrics.parts_of_corrected(metric).items() -%}
        {%- do columns.append('max(case when sm_metric = ' ~ metric['i'] ~ ' then ' ~ sql ~ ' end) as sm_' ~ part
            ~ '_' ~ metric['i']) -%}
    {%- endfor -%}
{%- endfor -%}
{%- if sqlmetrics.groups_are_labelled(plan) -%}
    {%- do columns.append('max(sm_groups_of_people) as sm_groups_of_people') -%}
{%- endif -%}
-- the corrected metrics of each slice and model, and how many standard errors an interval takes
sm_corrected_values as{{ sqlmetrics.sql_cte_materialized() }} (
    select
        {{- sqlmetrics.lines(keys + columns, 8) }}
    from (
        select
            {{- sqlmetrics.lines([
                'sm_corrected.*', sqlmetrics.by_metric(shares, of_normal, of_t) ~ ' as sm_critical',
            ], 12) }}
        from sm_corrected
    ) as sm_by_metric
    group by {{ keys | join(', ') }}
)
{%- endmacro %}

{# The last select. #}
{% macro result_of_corrected(plan) -%}
{%- set columns, given, outer, values, models, names = sqlmetrics.given_of_corrected(plan), [], [], {}, [], [] -%}
{%- for model in sqlmetrics.models_of_user(plan) -%}
    {%- do models.append('select ' ~ loop.index ~ ' as sm_number') -%}
    {%- do names.append('when ' ~ loop.index ~ ' then ' ~ sqlmetrics.sql_text(model['name'])) -%}
{%- endfor -%}
{%- if plan['question']['names_models'] -%}
    {%- do columns.append({'sql': 'case sm_number ' ~ names | join(' ') ~ ' end', 'name': 'model'}) -%}
{%- endif -%}
{%- for name in plan['result']['counts'] -%}
    {%- do columns.append({'sql': sqlmetrics.sql_integer('sm_all_' ~ name), 'name': name}) -%}
{%- endfor -%}
{%- if sqlmetrics.groups_are_labelled(plan) -%}
    {%- do plan['result']['counts'].update({'n_gold_groups': 'sm_groups_of_people'}) -%}
    {%- do columns.append({
        'sql': sqlmetrics.sql_integer('coalesce(sm_groups_of_people, 0)'), 'name': 'n_gold_groups',
    }) -%}
{%- endif -%}
{%- for column in columns -%}
    {%- do given.append(column['sql'] ~ ' as sm_given_' ~ loop.index) -%}
    {%- do outer.append('sm_given_' ~ loop.index ~ ' as ' ~ column['name']) -%}
{%- endfor -%}
{%- for metric in plan['compared_metrics'] -%}
    {%- set broken = [] -%}
    {%- for guard in metric['guards'] -%}
        {%- do broken.append('sm_all_' ~ plan['result']['checks'][sqlmetrics.filled(plan, guard)]['name'] ~ ' = 0') -%}
    {%- endfor -%}
    {%- do values.update({metric['name']: 'sm_value_' ~ metric['i']}) -%}
    {%- for part in sqlmetrics.parts_of_corrected(metric) -%}
        {%- set column = 'sm_' ~ part ~ '_' ~ metric['i'] -%}
        {%- do given.append(
            'case when ' ~ broken | join(' and ') ~ ' then ' ~ column ~ ' end as ' ~ column if broken else column
        ) -%}
    {%- endfor -%}
{%- endfor -%}
{%- for result in plan['result']['columns'] -%}
    {%- do outer.append(
        sqlmetrics.value_finite(result['value']) ~ ' as ' ~ sqlmetrics.sql_result(result['name'])
    ) -%}
{%- endfor -%}
{%- for check in plan['result']['checks'].values() if check['value'] is not none -%}
    {%- do given.append(check['value'] ~ '_of_all') -%}
    {%- do outer.append(check['value'] ~ '_of_all as ' ~ check['value']) -%}
{%- endfor -%}
{%- set keys = sqlmetrics.keys_beside_models(plan) -%}
{%- set joined = sqlmetrics.same_keys(keys, 'sm_corrected_values', 'sm_counts') ~ ' and ' if keys -%}
select
    {{- sqlmetrics.lines(outer, 4) }}
from (
    select
        {{- sqlmetrics.lines(['sm_units.*'] + sqlmetrics.columns_of_ends(plan, values), 8) }}
    from (
        select
            {{- sqlmetrics.lines(['sm_parts.*'] + sqlmetrics.units_of_ends(plan, values), 12) }}
        from (
            select
                {{- sqlmetrics.lines(
                    sqlmetrics.prefixed(keys, 'sm_counts.') + ['sm_number', 'sm_all_n_gold'] + given, 16
                ) }}
            from sm_counts
            cross join ({{ models | join(' union all ') }}) as sm_numbers
            left join sm_corrected_values on {{ joined }}sm_corrected_values.sm_of_model = sm_numbers.sm_number
            {%- if plan['facts']['by'] %}
            left join sm_slices on sm_counts.sm_slice = sm_slices.sm_slice
            {%- endif %}
        ) as sm_parts
    ) as sm_units
) as sm_measures
order by {{ 'case when sm_slice = 0 then 1 else 0 end asc, sm_slice asc, ' if keys }}sm_number asc
{%- endmacro %}

{# The columns of the slice. #}
{% macro given_of_corrected(plan) -%}
    {%- set columns = [] -%}
    {%- for column in plan['facts']['by'] -%}
        {%- do columns.append({
            'sql': sqlmetrics.value_of_slice(plan, column, 'sm_counts.sm_slice = 0'), 'name': column['alias'],
        }) -%}
    {%- endfor -%}
    {%- if plan['facts']['total'] -%}
        {%- do columns.append({'sql': 'case when sm_counts.sm_slice = 0 then 1 else 0 end', 'name': 'is_total'}) -%}
    {%- endif -%}
    {%- do return(columns) -%}
{%- endmacro %}
