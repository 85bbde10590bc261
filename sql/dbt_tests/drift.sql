{# A dbt test of the data of a model: whether its columns are distributed as those of a reference. #}

{#
  No column of a model has moved further than a limit, in any slice.

  Args:
    model: as for `test_metric_at_least`
    columns: the columns to compare
    reference: the relation to compare with, as "ref('trained_on')"; or period, before and after, as for `drift`
    measure: the distance that has a limit: psi, jensen_shannon, hellinger, total_variation, wasserstein or ks. The
      last two are of numbers, so all of columns= are in numeric=; a state has none
    at_most: the greatest distance that passes; 0.25 for psi, other measures need it
    total: true tests the distance of all slices together as well, which is the only one without by=
  Further arguments are those of `drift`: numeric, bins, by, where; of_state, made_period, made_where of a state
  Returns: a query with a row for each column and slice that fails: the slice, column_name, n_current, n_reference, the
    measure, its value, upper_limit, new_values and vanished_values; of a state the counts of what makes it unfit. A
    distance that is missing fails, as that of a slice or a model without rows
  Errors: another measure; a limit that is not a number >= 0; everything that `drift` rejects
  Example: data_tests: [{sqlmetrics.no_drift: {arguments: {columns: [country, score], reference: "ref('trained_on')",
    numeric: score}}}]
#}
{% macro test_no_drift(model, columns, measure='psi', at_most=none, total=false) -%}
    {%- if execute -%}
    {%- set given = sqlmetrics.options_taken('no_drift', kwargs) -%}
    {%- set of_numbers = ('wasserstein', 'ks') -%}
    {%- set known = ('psi', 'jensen_shannon', 'hellinger', 'total_variation') + of_numbers -%}
    {%- if measure not in known -%}
        {{- sqlmetrics.refuse(
            "sqlmetrics.no_drift: measure: '" ~ measure ~ "' is not known. Allowed: " ~ known | join(', ')
        ) -}}
    {%- elif at_most is none and measure != 'psi' -%}
        {{- sqlmetrics.refuse("sqlmetrics.no_drift: measure=" ~ measure ~ " needs at_most=, its limit") -}}
    {%- endif -%}
    {%- set limit = 0.25 if at_most is none else at_most -%}
    {%- do sqlmetrics.number(sqlmetrics.plan_of_test('no_drift'), 'at_most', limit, 0) -%}
    {%- set plan = sqlmetrics.drift_plan(columns, relation=model, **given) -%}
    {%- for column in plan['question']['own']['columns'] if measure in of_numbers and column['kind'] != 'number' -%}
        {{- sqlmetrics.refuse(
            "sqlmetrics.no_drift: measure=" ~ measure ~ " is of numbers" ~ (
                ", and the slices of a state are categories; take psi, jensen_shannon, hellinger or total_variation"
                if plan['question']['own']['made'] is not none
                else "; name '" ~ column['name'] ~ "' in numeric=, or leave it out of columns="
            )
        ) -}}
    {%- endfor -%}
    {%- set keys = plan['facts']['by'] | map(attribute='alias') | list
        + (['is_total'] if plan['facts']['total'] else []) -%}
    {%- set value, limit = sqlmetrics.sql_result(measure), sqlmetrics.sql_double(limit) -%}
    {%- set wanted = 'is_total = 0 or n_current = 0 or n_reference = 0' if plan['facts']['total'] and not total
        else '1 = 1' -%}
select
    {{- sqlmetrics.lines(keys + [
        'column_name', 'n_current', 'n_reference', sqlmetrics.sql_text(measure) ~ ' as measure',
        value ~ ' as drift_value', limit ~ ' as upper_limit', 'new_values', 'vanished_values',
    ] + plan['result']['counts'] | list, 4) }}
from (
{{ sqlmetrics.bare_statement(plan) }}
) as sm_drift
where ({{ wanted }}) and not ({{ sqlmetrics.sql_finite(value) }} and {{ value }} <= {{ limit }})
    {%- endif -%}
{%- endmacro %}
