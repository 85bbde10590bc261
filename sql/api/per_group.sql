{#
  Metrics of lists, one row for each list, in one statement.

  Args:
    relation, metrics: as for `evaluate`
  Further arguments are those of `evaluate` that plan/options.sql has for it
  Returns: a query, ordered by the by columns, model and group:
    the by columns, model and the group
    n_items: the listed items; n_relevant: the relevant ones, listed or not; with ties='average' n_tied:
      listed items that share their score with another item of the list
    one column for each metric: numerator over denominator of the list, under the rules of on_empty (null by
      default) and on_missing. The mean of the lists with a value, weighted by the metric's weight, is the
      value of `evaluate`. With average=micro it is the list's own ratio
    the counts of `evaluate` over all lists of the model, the same in every row
    A list that lies in several slices is one list in each, with its rows of that slice; no row stands for the
      whole list
  Errors: a metric that is not over lists; as for `evaluate`, broken data give null metrics and a count
  Example: {{ sqlmetrics.per_group(ref('predictions'), ['ndcg@10', 'gauc'], label='clicked', score='score',
    group='user_id') }}
#}
{% macro per_group(relation, metrics) -%}
    {%- set given = sqlmetrics.options_taken('per_group', kwargs) -%}
    {{- sqlmetrics.statement_of(sqlmetrics.plan_per_group(metrics, relation=relation, **given)) -}}
{%- endmacro %}

{#
  The plan of `per_group`, without a total. group_as: a mapping of alias (SQL) and name, the name of the
  column of the group; by default `group` as it is.
#}
{% macro plan_per_group(metrics, group=none, group_as=none) -%}
    {%- if group_as is none and group is not none -%}
        {%- set name = group if group is string else group | join(' / ') -%}
        {%- set alias = sqlmetrics.alias_of(group) if group is string else sqlmetrics.sql_result(name) -%}
        {%- set group_as = {'alias': alias, 'name': name} -%}
    {%- endif -%}
    {%- do return(sqlmetrics.plan(
        metrics, sqlmetrics.question_of_lists(group_as), group=group, **dict(kwargs, total=false)
    )) -%}
{%- endmacro %}

{#
  The facts of a list that are reported beside its metrics: result column -> the column of sm_lists that holds
  it.
#}
{% macro describe_lists(plan) -%}
    {%- if plan['question']['own']['name'] | lower in ('n_items', 'n_relevant', 'n_tied') -%}
        {{- sqlmetrics.refuse(
            "Two result columns would be named '" ~ plan['question']['own']['name']
                ~ "', a count of each list; rename the column of group="
        ) -}}
    {%- endif -%}
    {%- do plan['result']['lists'].update({
        plan['question']['own']['name']: 'sm_group',
        'n_items': sqlmetrics.filled(plan, sqlmetrics.listed_of_list(plan)),
        'n_relevant': sqlmetrics.filled(plan, sqlmetrics.relevant_of_list(plan)),
    }) -%}
    {%- if plan['facts']['ties'] == 'average' -%}
        {%- set tied = sqlmetrics.need(
            plan, 'item_sums', 'tied_rows', 'case when {tie_first} < {tie_last} then 1 else 0 end',
            more={'reach': none, 'items': 'tied'}
        ) -%}
        {%- do plan['result']['lists'].update({'n_tied': sqlmetrics.filled(plan, tied)}) -%}
    {%- endif -%}
{%- endmacro %}

{# The stages after those of lists. #}
{% macro stages_per_group(plan) -%}{%- do return([sqlmetrics.stage_counts(plan)]) -%}{%- endmacro %}

{# sm_counts: the audit counts and the guards of the metrics, one row for each model. #}
{% macro stage_counts(plan) -%}
{%- set models = sqlmetrics.prefixed(sqlmetrics.model_keys(plan), 'sm_row_sums.') -%}
{%- set columns = models | list -%}
{%- set sums = {} -%}
{#- a guard keeps the name that metrics use for it -#}
{%- for name, column in sqlmetrics.counts(plan).items() -%}
    {%- do sums.update({column if column in plan['result']['checks'] else 'sm_all_' ~ name: column}) -%}
{%- endfor -%}
{%- for name, column in sums.items() -%}
    {%- do columns.append('sum(coalesce(' ~ column ~ ', 0)) as ' ~ name) -%}
{%- endfor -%}
{%- for check in plan['result']['checks'].values() if check['value'] is not none -%}
    {%- do columns.append('max(' ~ check['value'] ~ ') as ' ~ check['value']) -%}
{%- endfor -%}
-- the counts of all lists, which stand in every row
sm_counts as (
    select
        {{- sqlmetrics.lines(columns, 8) }}
    from sm_row_sums
    {{ sqlmetrics.join_sums(plan, 'sm_row_sums', 'sm_list_sums') }}
    {{- sqlmetrics.grouped_by(models) }}
)
{%- endmacro %}

{# The last select. If the Python API asks (examples), the counts are returned without lists as well. #}
{% macro result_per_group(plan) -%}
{%- set columns = [] -%}
{%- for column in plan['facts']['by'] -%}
    {%- do columns.append('sm_slices.' ~ column['column'] ~ ' as ' ~ column['alias']) -%}
{%- endfor -%}
{%- if 'sm_model' in plan['facts']['keys'] -%}
    {%- do columns.append(sqlmetrics.model_name(plan, 'sm_counts') ~ ' as model') -%}
{%- endif -%}
{%- do columns.append('sm_lists.sm_group as ' ~ plan['question']['own']['alias']) -%}
{%- for name, column in plan['result']['lists'].items() if column != 'sm_group' -%}
    {%- do columns.append(sqlmetrics.sql_integer('sm_lists.' ~ column) ~ ' as ' ~ name) -%}
{%- endfor -%}
{%- for result in plan['result']['columns'] -%}
    {%- do columns.append(sqlmetrics.result_column(plan, result)) -%}
{%- endfor -%}
{%- for name, column in plan['result']['counts'].items() -%}
    {%- do columns.append(
        sqlmetrics.sql_integer('sm_counts.' ~ (column if column in plan['result']['checks'] else 'sm_all_' ~ name))
        ~ ' as '
            ~ name
    ) -%}
{%- endfor -%}
{%- for check in plan['result']['checks'].values() if check['value'] is not none -%}
    {%- do columns.append(check['value'] ~ ' as ' ~ check['value']) -%}
{%- endfor -%}
{%- set same = ['sm_lists.sm_model = sm_counts.sm_model'] if 'sm_model' in plan['facts']['keys'] else [] -%}
{%- if sqlmetrics.has_parts(plan) -%}{%- do same.append('sm_lists.sm_slice = sm_lists.sm_last_slice') -%}{%- endif -%}
select
    {{- sqlmetrics.lines(columns, 4) }}
from sm_counts
{{ 'left' if plan['facts']['examples'] else 'inner' }} join sm_lists on {{ same | join(' and ') or '1 = 1' }}
{%- if plan['facts']['by'] %}
left join sm_slices on sm_lists.sm_slice = sm_slices.sm_slice
{%- endif %}
order by {{ 'sm_lists.sm_slice asc, ' if plan['facts']['by'] }}
    {{- 'sm_counts.sm_model asc, ' if 'sm_model' in plan['facts']['keys'] -}}
    sm_lists.sm_group asc
{%- endmacro %}
