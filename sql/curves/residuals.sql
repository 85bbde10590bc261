{#
  Residuals of a regression: labels and errors in bins of the predicted numbers that hold equally many rows, from the
  lowest predictions up. It shows where predictions are too high, too low, or far off. Equal scores stay together, in
  the bin of the first of them.

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
    {%- set error, weight = '(sm_score - sm_label)', 'sm_weight * ' if weighted else '' -%}
    {%- set rows = 'sum(sm_weight)' if weighted else 'count(*)' -%}
    {%- set summed, added_up = ['sm_score', rows ~ ' as sm_level_rows'], [] -%}
    {%- for name, value in {
        'scores': 'sm_score', 'labels': 'sm_label', 'errors': error, 'absolute': 'abs(' ~ error ~ ')',
        'squared': error ~ ' * ' ~ error,
    }.items() -%}
        {%- do summed.append('sum(' ~ sqlmetrics.sql_double(weight ~ value) ~ ') as sm_level_' ~ name) -%}
        {%- do added_up.append('sum(sm_level_' ~ name ~ ') as sm_' ~ name ~ '_of_bin') -%}
    {%- endfor -%}
    {%- do plan.update({'point_order': ['sm_points.sm_bin asc'], 'points': '-- labels and errors of each distinct score
sm_predicted as (
    select' ~ sqlmetrics.lines(keys + summed, 8) ~ '
    from (
        select' ~ sqlmetrics.lines(sqlmetrics.keys_counted_in(plan) + ['sm_label', 'sm_score']
            + (['sm_weight'] if weighted else []), 12) ~ '
        from ' ~ sqlmetrics.rows_counted_in(plan) ~ '
        where sm_problem = 0' ~ (' and sm_weight > 0' if weighted else '') ~ '
    ) as sm_predicted_rows
    group by ' ~ (keys + ['sm_score']) | join(', ') ~ '
),

' ~ sqlmetrics.stages_of_bins_by_count(plan, bins) ~ ',

-- a row for each bin
sm_points as (
    select' ~ sqlmetrics.lines(keys + [
        'sm_bin', 'min(sm_score) as sm_lower', 'max(sm_score) as sm_upper',
        sqlmetrics.sql_nullable('sum(sm_level_rows)') ~ ' as sm_rows_of_bin',
    ] + added_up, 8) ~ '
    from sm_binned
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

{#
  sm_binned: the distinct scores with their bin. Rows spread over machines are counted in buckets, since one window over
  all scores would move them to one machine.
#}
{% macro stages_of_bins_by_count(plan, bins) -%}
{%- set keys = plan['facts']['keys'] -%}
{%- if sqlmetrics.sql_distributed() -%}
    {%- set below, all, places = '(sm_through - sm_count)', 'sm_all', 'sm_scores_places' -%}
{{ sqlmetrics.stages_of_places(plan, 'scores', 'sm_score') }},

{% else -%}
    {%- set part = sqlmetrics.partition_by(keys) -%}
    {%- set below, all, places = 'coalesce(sum(sm_level_rows) over (' ~ part
        ~ 'order by sm_score asc rows between unbounded preceding and 1 preceding), 0)',
        'sum(sm_level_rows) over (' ~ part | trim ~ ')', none -%}
{%- endif -%}
{#- 1e-9 absorbs the rounding of summed weights -#}
{%- set bin = sqlmetrics.sql_integer('floor(' ~ sqlmetrics.ratio(bins ~ ' * ' ~ below, all) ~ ' + 1e-9)') -%}
-- the bin of each distinct score
sm_binned as (
    select
        sm_predicted.*,
        case when {{ bin }} >= {{ bins }} then {{ bins }} else {{ bin }} + 1 end as sm_bin
    from sm_predicted
    {%- if places is not none %}
    inner join {{ places }} on {{ sqlmetrics.same_keys(keys, 'sm_predicted', places) }}
        and sm_predicted.sm_score = {{ places }}.sm_value
    {%- endif %}
)
{%- endmacro %}
