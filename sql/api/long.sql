{# The metrics of `evaluate` and `finish` below each other: one row for each metric, as dashboards read them. #}

{#
  The metrics of `evaluate` with a row for each slice, model and metric.

  Args:
    relation, metrics: as for `evaluate`
  Further arguments are those of `evaluate`
  Returns: a query of the by columns, is_total, model, metric (the name of the column that `evaluate` gives) and
    value; with interval= also low and high. With gold= `auc_judge` and the like are rows, too. The audit counts are in
    `evaluate`
  Errors: those of `evaluate`
  Example: {{ sqlmetrics.evaluate_long(ref('predictions'), ['auc', 'ndcg@10'], label='clicked', score='score',
    group='user_id', by='country') }}
#}
{% macro evaluate_long(relation, metrics) -%}
    {%- set given = sqlmetrics.options_taken('evaluate_long', kwargs) -%}
    {%- set plan = sqlmetrics.plan_of_evaluate(metrics, relation=relation, **given) -%}
    {{- sqlmetrics.stamped(plan, sqlmetrics.long_statement(plan)) -}}
{%- endmacro %}

{#
  The metrics of `finish` with a row for each slice, model and metric.

  Args:
    relation, metrics, period, by, where: as for `finish`
  Further arguments are those of `finish`
  Returns: the query of `evaluate_long`. A metric of days that lack its sums is null; `finish` has their number
  Errors: those of `finish`
  Example: {{ sqlmetrics.finish_long(ref('daily_state'), ['auc', 'ndcg@10'], label='clicked', score='score',
    group='user_id', period='day', by='day') }}
#}
{% macro finish_long(relation, metrics) -%}
    {%- set given = sqlmetrics.options_taken('finish_long', kwargs) -%}
    {%- set plan = sqlmetrics.finish_plan(metrics, relation=relation, **given) -%}
    {{- sqlmetrics.check_columns_of_state(plan, given) -}}
    {{- sqlmetrics.stamped(plan, sqlmetrics.long_statement(plan)) -}}
{%- endmacro %}

{# The statement of a plan, turned: each of its rows is read once for every metric. #}
{% macro long_statement(plan) -%}
{%- set statement = sqlmetrics.bare_statement(plan) -%}
{%- set by = plan['facts']['by'] | map(attribute='alias') | list -%}
{%- set columns = plan['result']['columns'] -%}
{%- set results = columns | rejectattr('end_of', 'defined') | list -%}
{%- set given = ['value', 'low', 'high'] if columns | selectattr('end_of', 'defined') | list else ['value'] -%}
{%- for column in plan['facts']['by'] if column['name'] | lower in ['metric'] + given -%}
    {{- sqlmetrics.refuse(
        "Two result columns would be named '" ~ column['name'] ~ "'; rename the column of by="
    ) -}}
{%- endfor -%}
{%- set keys = by + (['is_total'] if sqlmetrics.has_total(plan) else [])
    + (['model'] if sqlmetrics.has_model_column(plan) else []) -%}
{%- set numbers, entries = [], {'metric': []} -%}
{%- for result in results -%}
    {%- set number = loop.index -%}
    {%- do numbers.append('select ' ~ number ~ ' as sm_metric') -%}
    {%- do entries['metric'].append('when ' ~ number ~ ' then ' ~ sqlmetrics.sql_text(result['name'])) -%}
    {%- for name in given -%}
        {%- set column = result['name'] ~ ('' if name == 'value' else '_' ~ name) -%}
        {%- if column in columns | map(attribute='name') -%}
            {%- do entries.setdefault(name, []).append('when ' ~ number ~ ' then ' ~ sqlmetrics.sql_result(column)) -%}
        {%- endif -%}
    {%- endfor -%}
{%- endfor -%}
{%- set answers = [] -%}
{%- for name in ['metric'] + given -%}
    {%- do answers.append('case sm_metric ' ~ entries[name] | join(' ') ~ ' end as ' ~ name) -%}
{%- endfor -%}
select
    {{- sqlmetrics.lines(keys + answers, 4) }}
from (
{{ statement }}
) as sm_result
cross join (
    {{ numbers | join(' union all ') }}
) as sm_metrics
{%- set order = (['is_total'] if plan['facts']['total'] else []) + (keys | reject('equalto', 'is_total') | list) %}
order by {{ (order + ['sm_metric']) | join(' asc, ') }} asc
{%- endmacro %}
