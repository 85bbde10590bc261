{# dbt tests of the rows from which metrics are computed. Each row returned is a failure. #}

{#
  No row has values that metrics cannot use, and nothing would make a metric null.

  `evaluate` cannot stop in a warehouse: it leaves bad rows out and counts them, and gives null for a metric
  that they would distort. This test fails instead, as the Python API does.

  Args:
    model: as for `test_metric_at_least`
    metrics: notations whose requirements are tested as well, such as labels 0 and 1 for `auc` or grades up to
      max_grade for `err@10`
    by, total: as for `test_metric_at_least`
  Further arguments are those of `evaluate`. Each of label, score, weight, group, item and prediction that is
    given is checked for NULL and, if it is a number, for NaN, infinity and a weight below 0
  Returns: a query with a row for each slice and model that fails, with the counts of `evaluate`. A model
    without rows has no bad row
  Errors: no column to check; everything that `evaluate` rejects
  Example: data_tests: [{sqlmetrics.no_bad_rows: {arguments: {label: clicked, score: score, group: user_id}}}]
#}
{% macro test_no_bad_rows(model, metrics=none, total=false) -%}
    {%- if execute -%}
    {%- set given = sqlmetrics.options_taken('no_bad_rows', kwargs) -%}
    {%- set plan = sqlmetrics.empty_plan(relation=model, total=total, **given) if metrics is none
        else sqlmetrics.plan(metrics, relation=model, total=total, **given) -%}
    {%- do plan.update({'reads_scores': plan['reads_scores'] or 'no_bad_rows'}) -%}
    {%- set statement = sqlmetrics.bare_statement(plan) -%}
    {%- set counts = plan['result']['bad_rows'] | list
        + plan['result']['checks'].values() | map(attribute='name') | list -%}
    {%- if not counts -%}
        {{- sqlmetrics.refuse(
            "sqlmetrics.no_bad_rows: needs label=, score=, weight=, group=, item= or prediction=,"
            ~ " the columns to look at"
        ) -}}
    {%- endif -%}
select *
from (
{{ statement }}
) as sm_result
where {{ counts | join(' + ') }} > 0
    {%- endif -%}
{%- endmacro %}

{#
  No list contains an item twice. Rows without a group or an item belong to no list; `no_bad_rows` finds them.

  Args:
    model: as for `test_metric_at_least`
    group: the list (query, user, session) that a row belongs to
    item: the listed item
    by: columns that distinguish lists of the same group, such as the day or the model of a run
  Returns: a query with a row for each repeated item of a list, with n_rows, the number of times it occurs
  Errors: no group or item
  Example: data_tests: [{sqlmetrics.unique_list_items: {arguments: {group: user_id, item: product_id}}}]
#}
{% macro test_unique_list_items(model, group, item, by=[]) -%}
    {%- if execute -%}
    {%- for role, text in {'group': group, 'item': item}.items() if text is not string or not text | trim -%}
        {{- sqlmetrics.refuse(
            "sqlmetrics.unique_list_items: " ~ role ~ "= takes a column or an SQL expression, got " ~ text
        ) -}}
    {%- endfor -%}
    {%- set columns, keys, names = [], [], [] -%}
    {%- for column in sqlmetrics.columns_of(by) + sqlmetrics.columns_of(group) + sqlmetrics.columns_of(item) -%}
        {%- do columns.append(column['sql'] ~ ' as sm_key_' ~ loop.index) -%}
        {%- do keys.append('sm_key_' ~ loop.index) -%}
        {%- do names.append('sm_key_' ~ loop.index ~ ' as ' ~ column['alias']) -%}
    {%- endfor -%}
select
    {{- sqlmetrics.lines(names + ['count(*) as n_rows'], 4) }}
from (
    select
        {{- sqlmetrics.lines(columns, 8) }}
    from {{ sqlmetrics.from_item(model) }}
) as sm_items
where {{ keys[-2] }} is not null and {{ keys[-1] }} is not null
group by {{ keys | join(', ') }}
having count(*) > 1
    {%- endif -%}
{%- endmacro %}
