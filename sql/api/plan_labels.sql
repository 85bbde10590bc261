{#
  How many labels by people each slice should get, from a pilot: labels by people (gold=) of some rows, drawn at random.

  A slice gets more, the larger it is and the more people and the machine disagree in it (inference/labels.sql). Rows
  are labelled one by one; for metrics of lists whole lists.

  Args:
    relation: a table or CTE name, a dbt relation, or a query
    metrics: one metric with a formula for its standard error
    label, gold: the label of the machine, and that by people, NULL in rows where they gave none
    by: the columns whose values are the slices
    budget: how many rows, or lists, people shall label besides the pilot, an integer >= 1
    interval: the confidence level of the interval whose width is expected
  Further arguments are those of `evaluate` that plan/options.sql has for it
  Returns: a query with one row for each slice, and one for all of them:
    the by columns, is_total
    units: the rows, or lists, of the slice that have a value by the machine; labelled: those that people labelled
    open_sd: the standard deviation of what the machine leaves open of a unit, in the unit of the metric
    labels: how many more units people should label
    half_width: half the expected width of the interval of `evaluate` with gold= and gold_weight= then
    uniform_labels, uniform_half_width: the same if the budget is drawn from all unlabelled units alike
    the audit counts of `evaluate`
  Undefined: open_sd and half_width are null in a slice with fewer than two labels, which is planned as all slices are
    on average; half_width also where the labels by people do not vary, and for all slices if one gets no label
  Errors: no by=; a budget that is no integer >= 1; several metrics or models; group= with a metric of rows; as for
    `evaluate` with gold=
  Source: Neyman (1934), doi:10.2307/2342192; Angelopoulos, Duchi, Zrnic (2023), arXiv:2311.01453
  Example: {{ sqlmetrics.plan_labels(ref('answers'), 'accuracy', label='judge', gold='human', score='score',
    by='language', budget=500) }}
#}
{% macro plan_labels(relation, metrics, score=none) -%}
    {%- set given = sqlmetrics.options_taken('plan_labels', kwargs) -%}
    {{- sqlmetrics.statement_of(sqlmetrics.plan_of_labels(metrics, score=score, relation=relation, **given)) -}}
{%- endmacro %}

{# The plan of `plan_labels`, and that within a draw of rows. #}
{% macro plan_of_labels(
    metrics, budget=none, gold=none, score=none, group=none, by=none, interval=0.95, draws=false
) -%}
    {%- if budget is not integer or budget is boolean or not 1 <= budget <= 1e15 -%}
        {{- sqlmetrics.refuse(
            "budget= takes the number of rows (or lists) to label, an integer from 1 to 1e15, got "
                ~ sqlmetrics.shown(budget)
        ) -}}
    {%- elif gold is none -%}
        {{- sqlmetrics.refuse("plan_labels reads a pilot; pass the column of its labels by people as gold=") -}}
    {%- elif not by -%}
        {{- sqlmetrics.refuse("plan_labels divides labels among slices; pass their columns as by=") -}}
    {%- elif score is not none and score is not string -%}
        {{- sqlmetrics.refuse("plan_labels plans for one model; pass the column of its score, as score='score'") -}}
    {%- endif -%}
    {{- sqlmetrics.check_level(interval) -}}
    {%- set plan = sqlmetrics.plan_of_arms(
        metrics, sqlmetrics.question_of_labels(budget, draws), gold, {'': score}, group=group, by=by, interval=interval,
        **kwargs
    ) -%}
    {%- if plan['compared_metrics'] | length > 1 -%}
        {{- sqlmetrics.refuse("plan_labels plans for one metric; ask for each in a call of its own") -}}
    {%- elif group is not none and not sqlmetrics.compared_by(plan, ['lists']) -%}
        {{- sqlmetrics.refuse(
            "plan_labels draws single rows for '" ~ plan['compared_metrics'][0]['notation'] ~ "'; leave group= out"
        ) -}}
    {%- endif -%}
    {%- do plan['result'].update({'columns': sqlmetrics.columns_of_labels(plan)}) -%}
    {%- do return(plan) -%}
{%- endmacro %}

{# The columns of the result, over the stages that `result_of_labels` joins. #}
{% macro columns_of_labels(plan) -%}
    {%- do return([
        {'name': 'units', 'value': 'coalesce(sm_pilot.sm_units, 0)', 'integer': true},
        {'name': 'labelled', 'value': 'coalesce(sm_pilot.sm_labelled, 0)', 'integer': true},
        {'name': 'open_sd', 'value': 'case when sm_pilot.sm_labelled > 1 then '
            ~ sqlmetrics.width_of_root(plan, 'sqrt(sm_pilot.sm_open)', 'sm_pilot.sm_total_value') ~ ' end'},
        {
            'name': 'labels', 'integer': true,
            'value': 'coalesce(sm_new, 0)',
        },
        {'name': 'half_width', 'value': 'sm_half_width'},
        {'name': 'uniform_labels', 'value': 'coalesce(sm_uniform, 0)'},
        {'name': 'uniform_half_width', 'value': 'sm_half_width_uniform'},
    ]) -%}
{%- endmacro %}

{# What follows the columns of the last select: the stages, in the order of slices, the total last. #}
{% macro from_labels() -%}
from sm_counts
left join sm_slices on sm_counts.sm_slice = sm_slices.sm_slice
left join sm_pilot on sm_counts.sm_slice = sm_pilot.sm_slice
left join sm_widths on sm_counts.sm_slice = sm_widths.sm_slice
{%- endmacro %}

{# The last select. A metric whose data violate an assumption is planned for nothing. #}
{% macro result_of_labels(plan) -%}
{%- set columns, broken = [], [] -%}
{%- for column in plan['facts']['by'] -%}
    {%- do columns.append(
        sqlmetrics.value_of_slice(plan, column, 'sm_counts.sm_slice = 0') ~ ' as ' ~ column['alias']
    ) -%}
{%- endfor -%}
{%- do columns.append('case when sm_counts.sm_slice = 0 then 1 else 0 end as is_total') -%}
{%- for guard in plan['compared_metrics'][0]['guards'] -%}
    {%- do broken.append('sm_all_' ~ plan['result']['checks'][sqlmetrics.filled(plan, guard)]['name'] ~ ' = 0') -%}
{%- endfor -%}
{%- for result in plan['result']['columns'] -%}
    {%- set value = 'case when ' ~ broken | join(' and ') ~ ' then ' ~ result['value'] ~ ' end' if broken
        else result['value'] -%}
    {%- do columns.append(sqlmetrics.result_column(plan, dict(result, value=value))) -%}
{%- endfor -%}
select
    {{- sqlmetrics.lines(columns + sqlmetrics.counts_of_slices(plan), 4) }}
{{ sqlmetrics.from_labels() }}
order by case when sm_counts.sm_slice = 0 then 1 else 0 end asc, sm_counts.sm_slice asc
{%- endmacro %}
