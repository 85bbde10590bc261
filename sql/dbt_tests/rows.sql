{# Tests of dbt on the rows that metrics are to be computed from. A row that comes back is a failure. #}

{#
  No row has what metrics cannot use, and nothing would make one of them null.

  `evaluate` cannot stop in a warehouse: it leaves such rows out and counts them, and a metric that they would make wrong is null. This test
  stops instead, as the Python door does.

  Args:
    model: as for `test_metric_at_least`
    metrics: notations whose own demands are tested, too, such as labels 0 and 1 of `auc` or grades up to max_grade of `err@10`
    by, total: as for `test_metric_at_least`
  Further arguments are those of `evaluate`. Each of label, score, weight, group, item and prediction that is given is looked at: a NULL, and where
  it is a number NaN, infinity and a weight below 0
  Returns: a query; a row for each slice and model that fails, with the counts of `evaluate`. A model without rows has no bad one
  Errors: no column to look at; whatever `evaluate` refuses
  Example: data_tests: [{sqlmetrics.no_bad_rows: {arguments: {label: clicked, score: score, group: user_id}}}]
#}
{% macro test_no_bad_rows(model, metrics=none, total=false) -%}
    {%- if execute -%}
    {%- set plan = sqlmetrics.facts(relation=model, total=total, **kwargs) if metrics is none
        else sqlmetrics.plan(metrics, relation=model, total=total, **kwargs) -%}
    {%- set statement = sqlmetrics.statement_of(plan) -%}
    {%- set counts = plan['bad_rows'] | list + plan['checks'].values() | map(attribute='name') | list -%}
    {%- if not counts -%}
        {{- sqlmetrics.refuse("sqlmetrics.no_bad_rows: needs label=, score=, weight=, group=, item= or prediction=, the columns to look at") -}}
    {%- endif -%}
select *
from (
{{ statement }}
) as sm_result
where {{ counts | join(' + ') }} > 0
    {%- endif -%}
{%- endmacro %}

{#
  No list has an item twice. Rows without a group or an item are not of a list; `no_bad_rows` finds them.

  Args:
    model: as for `test_metric_at_least`
    group: the list (query, user, session) that a row belongs to
    item: what is listed
    by: columns that tell lists of one group apart, such as the day or the model of a run
  Returns: a query; a row for each item that a list has several times, with n_rows, how often
  Errors: no group or item
  Example: data_tests: [{sqlmetrics.unique_list_items: {arguments: {group: user_id, item: product_id}}}]
#}
{% macro test_unique_list_items(model, group, item, by=[]) -%}
    {%- if execute -%}
    {%- for role, text in {'group': group, 'item': item}.items() if text is not string or not text | trim -%}
        {{- sqlmetrics.refuse("sqlmetrics.unique_list_items: " ~ role ~ "= takes a column or an SQL expression, got " ~ text) -}}
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
