{# dbt tests of the difference of a metric between models. Each row returned is a failure: a slice and model. #}

{#
  The metric of every other model is at least that of a baseline, plus a value, by the whole interval of the difference.

  Args:
    model, metric, by, total: as for `test_metric_at_least`
    baseline: the model with which others are compared, as for `compare`
    value: the least difference that passes; -0.01 lets a model be worse by 0.01, where higher is better
    candidate, score, models, interval, test, n_resamples, on_unpaired, tightest_at: as for `compare`
    of_state: true if the model is one of states of several models, made with intervals=true
    made_period, made_where: of a state, its column of periods, and the where= with which it was made
  Further arguments are those of `compare` that plan/options.sql has for it
  Returns: a query with a row for each slice and candidate that fails: the slice, candidate, metric, difference, low,
    high, lower_limit, upper_limit, n_pairs and the counts of `compare`. A difference without an interval fails, as that
    of a model and itself, and so does a model of dbt without rows
  Errors: a value that is not a number; everything that `compare` rejects
  Example: data_tests: [{sqlmetrics.difference_at_least: {arguments: {metric: "ndcg@10", value: -0.01, baseline: old,
    score: {old: score_a, new: score_b}, label: clicked, group: user_id, of_state: true, made_period: day}}}]
#}
{% macro test_difference_at_least(model, metric, value, baseline) -%}
    {%- if execute -%}
    {%- set given = sqlmetrics.options_taken('difference_at_least', kwargs) -%}
    {{- sqlmetrics.differences_outside('difference_at_least', model, metric, baseline, value, true, **given) -}}
    {%- endif -%}
{%- endmacro %}

{#
  The metric of every other model is at most that of a baseline, plus a value, by the whole interval of the difference.

  Args:
    value: the greatest difference that passes; 0.01 lets a model be worse by 0.01, where lower is better
  Further arguments are those of `test_difference_at_least`
  Returns: as for `test_difference_at_least`
  Errors: as for `test_difference_at_least`
  Example: data_tests: [{sqlmetrics.difference_at_most: {arguments: {metric: log_loss, value: 0.01, baseline: score_a,
    candidate: score_b, label: clicked}}}]
#}
{% macro test_difference_at_most(model, metric, value, baseline) -%}
    {%- if execute -%}
    {%- set given = sqlmetrics.options_taken('difference_at_most', kwargs) -%}
    {{- sqlmetrics.differences_outside('difference_at_most', model, metric, baseline, value, false, **given) -}}
    {%- endif -%}
{%- endmacro %}

{# The slices and models whose difference is not known to keep a limit, as SQL; the total is always computed. #}
{% macro differences_outside(
    test, model, metric, baseline, value, is_least, candidate=none, score=none, total=false, of_state=false,
    made_period=none, made_where=none
) -%}
    {%- if metric is not string -%}
        {{- sqlmetrics.refuse("sqlmetrics." ~ test ~ ": metric= takes one notation such as 'auc', got " ~ metric) -}}
    {%- endif -%}
    {%- do sqlmetrics.number(sqlmetrics.plan_of_test(test), 'value', value) -%}
    {{- sqlmetrics.check_state_of_test(test, of_state, made_period, made_where) -}}
    {%- set named = sqlmetrics.named_scores(score, kwargs.get('models'), model) -%}
    {%- set plan = sqlmetrics.compare_plan(
        metric, score=sqlmetrics.compared_models(baseline, candidate, score=named), relation=model, of_state=of_state,
        period=made_period, made_where=made_where, **kwargs
    ) -%}
    {%- if of_state -%}{{- sqlmetrics.check_pairs_of_state(plan) -}}{%- endif -%}
    {%- do plan['result']['names'].extend(['lower_limit', 'upper_limit']) -%}
    {%- set keys = plan['facts']['by'] | map(attribute='alias') | list
        + (['is_total'] if plan['facts']['total'] else []) + ['candidate', 'metric'] -%}
    {%- set low, high = sqlmetrics.sql_result('low'), sqlmetrics.sql_result('high') -%}
    {%- set limit = sqlmetrics.sql_double(value) -%}
    {%- set none_known = sqlmetrics.sql_double('null') -%}
    {%- set kept = sqlmetrics.sql_finite(low) ~ ' and ' ~ sqlmetrics.sql_finite(high) ~ ' and '
        ~ (low ~ ' >= ' if is_least else high ~ ' <= ') ~ limit -%}
    {%- set slices_alone = 'is_total = 0 and ' if plan['facts']['total'] and not total else '' -%}
select
    {{- sqlmetrics.lines(keys + [
        sqlmetrics.sql_result('difference'), low, high,
        (limit if is_least else none_known) ~ ' as lower_limit',
        (none_known if is_least else limit) ~ ' as upper_limit',
        'n_pairs',
    ] + plan['result']['counts'] | list, 4) }}
from (
{{ sqlmetrics.bare_statement(plan) }}
) as sm_result
where coalesce(n_pairs, 0) = 0 or ({{ slices_alone }}not ({{ kept }}))
{%- endmacro %}
