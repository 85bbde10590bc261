{#
  Residuals of a regression: labels and errors in bins of the predicted numbers that hold equally many rows, from the
  lowest predictions up. It shows where predictions are too high, too low, or far off. Equal scores stay together, in
  the bin of the first of them.

  Args:
    bins: number of bins, an integer >= 1
  Returns: bin (1 has the lowest scores), lower and upper (its least and greatest score), bin_rows, mean_score,
    mean_label, bias (the mean of score - label), mae (the mean of |score - label|), rmse (the root of the mean square);
    weighted by the row weight. With weights, bin_rows is the sum of weights
  Undefined: no points if there are no rows
  Traps: errors of opposite sign cancel out in bias, and not in mae; bins by the score say nothing of errors by label:
    a good model predicts less extreme numbers than the labels are
  Errors: a label or a score that is no number; bins < 1
  Source: Anscombe (1973), Graphs in statistical analysis, doi:10.1080/00031305.1973.10478966; bins: the deciles of risk
    of Hosmer and Lemeshow (1980), doi:10.1080/03610928008827941
  Example: residuals(bins=20)
#}
{% macro curve_of_residuals(plan, bins=10) -%}
    {{- sqlmetrics.number(plan, 'bins', bins, 1, 100000, true) -}}
    {%- if plan['question']['adds_up'] or plan['question']['reads'] == 'state' -%}
        {{- sqlmetrics.refuse_metric(plan, "no state of periods makes it; curve computes it from the rows") -}}
    {%- endif -%}
    {%- set keys, weighted = plan['facts']['keys'], plan['facts']['weight'] is not none -%}
    {%- set places = 'sm_scores_places' -%}
    {#- 1e-9 absorbs the rounding of summed weights -#}
    {%- set passed = sqlmetrics.ratio(bins ~ ' * (sm_through - sm_count)', 'sm_all') -%}
    {%- set bin = sqlmetrics.sql_integer('floor(' ~ passed ~ ' + 1e-9)') -%}
    {%- set error, weight = '(sm_score - sm_label)', 'sm_weight * ' if weighted else '' -%}
    {%- set sums = ['min(sm_score) as sm_lower', 'max(sm_score) as sm_upper', (
        'sum(sm_weight)' if weighted else 'count(*)'
    ) ~ ' as sm_rows_of_bin'] -%}
    {%- for name, value in {
        'scores': 'sm_score', 'labels': 'sm_label', 'errors': error, 'absolute': 'abs(' ~ error ~ ')',
        'squared': error ~ ' * ' ~ error,
    }.items() -%}
        {%- do sums.append('sum(' ~ sqlmetrics.sql_double(weight ~ value) ~ ') as sm_' ~ name ~ '_of_bin') -%}
    {%- endfor -%}
    {%- do plan.update({'point_order': ['sm_points.sm_bin asc'], 'points': sqlmetrics.stages_of_places(
        plan, 'scores', 'sm_score'
    ) ~ ',

-- the bin of each row
sm_predicted as (
    select' ~ sqlmetrics.lines(sqlmetrics.prefixed(keys, 'sm_predicted_rows.') + [
        'sm_score', 'sm_label'
    ] + (['sm_weight'] if weighted else []) + [
        'case when ' ~ bin ~ ' >= ' ~ bins ~ ' then ' ~ bins ~ ' else ' ~ bin ~ ' + 1 end as sm_bin'
    ], 8) ~ '
    from (
        select' ~ sqlmetrics.lines(sqlmetrics.keys_counted_in(plan) + ['sm_label', 'sm_score']
            + (['sm_weight'] if weighted else []), 12) ~ '
        from ' ~ sqlmetrics.rows_counted_in(plan) ~ '
        where sm_problem = 0' ~ (' and sm_weight > 0' if weighted) ~ '
    ) as sm_predicted_rows
    inner join ' ~ places ~ ' on ' ~ sqlmetrics.same_keys(keys, 'sm_predicted_rows', places) ~ '
        and sm_predicted_rows.sm_score = ' ~ places ~ '.sm_value
),

-- a row for each bin
sm_points as (
    select' ~ sqlmetrics.lines(keys + ['sm_bin'] + sums, 8) ~ '
    from sm_predicted
    group by ' ~ (keys + ['sm_bin']) | join(', ') ~ '
)'}) -%}
    {%- set mean = {} -%}
    {%- for name in ('scores', 'labels', 'errors', 'absolute', 'squared') -%}
        {%- do mean.update({name: sqlmetrics.ratio('sm_' ~ name ~ '_of_bin', 'sm_rows_of_bin')}) -%}
    {%- endfor -%}
    {%- do return([
        {'name': 'bin', 'value': 'sm_bin', 'integer': true},
        {'name': 'lower', 'value': 'sm_lower'},
        {'name': 'upper', 'value': 'sm_upper'},
        {'name': 'bin_rows', 'value': 'sm_rows_of_bin', 'integer': not weighted, 'counts': true},
        {'name': 'mean_score', 'value': mean['scores']},
        {'name': 'mean_label', 'value': mean['labels']},
        {'name': 'bias', 'value': mean['errors']},
        {'name': 'mae', 'value': mean['absolute']},
        {'name': 'rmse', 'value': 'sqrt(' ~ mean['squared'] ~ ')'},
    ]) -%}
{%- endmacro %}
