{#
  Threshold table: what deciding `score >= threshold` gives, a row for each threshold: how many rows are selected, how
  many of them are right, what is missed, and what the mistakes cost.

  Args:
    at: thresholds, one (`at=0.5`) or several (`at='0.3, 0.5, 0.8'`)
    quantiles: instead of `at` the number of equal shares of rows, an integer >= 1: the thresholds that select the top
      1 / quantiles of the rows, 2 / quantiles, ... Without both, every score is a threshold
    cost_fp: what a false positive costs
    cost_fn: what a false negative costs
  Returns: threshold, tp, fp, fn, tn (rows, or their weight), selected (the share of rows at or above the threshold),
    precision, recall, specificity, f1, cost (cost_fp * fp + cost_fn * fn) and net_benefit (of thresholds in [0, 1):
    (tp - fp * threshold / (1 - threshold)) / rows); from the highest threshold down; weighted by the row weight
  Undefined: precision is null where no row is selected, recall if no row is positive, specificity if none is negative,
    f1 where there is neither; net_benefit at other thresholds; no points if there are no rows
  Traps: the best threshold of these rows is too good for others: choose it on rows of its own; a share of rows that
    cuts through equal scores takes all of them; net_benefit takes calibrated scores
  Errors: a label other than 0 and 1, unless positive= is given; both at and quantiles; a cost below 0
  Source: Elkan (2001), The foundations of cost-sensitive learning; net benefit: Vickers and Elkin (2006),
    doi:10.1177/0272989X06295361
  Example: thresholds(at='0.3, 0.5, 0.8')
#}
{% macro curve_of_thresholds(plan, at=none, quantiles=none, cost_fp=1, cost_fn=1) -%}
    {%- for name, cost in (('cost_fp', cost_fp), ('cost_fn', cost_fn)) -%}
        {{- sqlmetrics.number(plan, name, cost, 0, 1e15) -}}
    {%- endfor -%}
    {%- if at is not none and quantiles is not none -%}
        {{- sqlmetrics.refuse_metric(plan, "takes thresholds at= or a number of quantiles=, not both") -}}
    {%- endif -%}
    {%- set weighted = plan['facts']['weight'] is not none -%}
    {%- do sqlmetrics.read_levels(
        plan,
        ['score', 'through', 'positives_through'] + (['negatives_through'] if weighted else [])
            + (['above'] if quantiles is not none else [])
    ) -%}
    {%- set negatives = 'sm_negatives_through' if weighted else 'sm_through - sm_positives_through' -%}
    {%- set counted = ['sm_positives_through as sm_true', negatives ~ ' as sm_false'] -%}
    {%- set levels = sqlmetrics.slice_keys(plan, 'sm_levels.') -%}
    {%- if at is not none -%}
        {%- set found = sqlmetrics.points_at(plan, sqlmetrics.cuts_of(plan, at), negatives) -%}
    {%- elif quantiles is not none -%}
        {{- sqlmetrics.number(plan, 'quantiles', quantiles, 1, 100000, true) -}}
        {%- set found = sqlmetrics.points_of_shares(plan, quantiles, levels + ['sm_score as sm_cut'] + counted) -%}
    {%- else -%}
        {%- set found = sqlmetrics.points_of_levels(plan, ['sm_score as sm_cut'] + counted) -%}
    {%- endif -%}
    {%- do plan.update({'point_order': ['sm_points.sm_cut desc'], 'points': '-- a row for each threshold
sm_points as (
    ' ~ found ~ '
)'}) -%}
    {%- set positive, negative = sqlmetrics.row_positives(plan), sqlmetrics.row_negatives(plan) -%}
    {%- set missed, rejected = '(' ~ positive ~ ' - sm_true)', '(' ~ negative ~ ' - sm_false)' -%}
    {%- set odds = sqlmetrics.ratio('sm_cut', '1 - sm_cut') -%}
    {%- set benefit = sqlmetrics.ratio('(sm_true - sm_false * ' ~ odds ~ ')', sqlmetrics.row_total(plan)) -%}
    {%- do return([
        {'name': 'threshold', 'value': 'sm_cut'},
        {'name': 'tp', 'value': 'sm_true', 'counts': true}, {'name': 'fp', 'value': 'sm_false', 'counts': true},
        {'name': 'fn', 'value': missed, 'counts': true}, {'name': 'tn', 'value': rejected, 'counts': true},
        {'name': 'selected', 'value': sqlmetrics.ratio('(sm_true + sm_false)', sqlmetrics.row_total(plan))},
        {'name': 'precision', 'value': sqlmetrics.ratio('sm_true', 'sm_true + sm_false')},
        {'name': 'recall', 'value': sqlmetrics.ratio('sm_true', positive)},
        {'name': 'specificity', 'value': sqlmetrics.ratio(rejected, negative)},
        {'name': 'f1', 'value': sqlmetrics.ratio('2 * sm_true', '(sm_true + sm_false + ' ~ positive ~ ')')},
        {'name': 'cost', 'value': '(' ~ cost_fp ~ ' * sm_false + ' ~ cost_fn ~ ' * ' ~ missed ~ ')'},
        {'name': 'net_benefit', 'value': 'case when sm_cut >= 0 and sm_cut < 1 then ' ~ benefit ~ ' end'},
    ]) -%}
{%- endmacro %}

{# The thresholds of a notation, one or several in a text with commas. #}
{% macro cuts_of(plan, at) -%}
    {%- set cuts = [] -%}
    {%- for text in (at.strip("'").split(',') if at is string else [at]) -%}
        {%- set cut = sqlmetrics.parse_value(text | trim) if text is string else text -%}
        {%- if cut is not number or cut is boolean or not -1e300 <= cut <= 1e300 or cut in cuts -%}
            {{- sqlmetrics.refuse_metric(
                plan, "at takes one threshold or different ones, such as at='0.3, 0.5', got " ~ sqlmetrics.shown(at)
            ) -}}
        {%- endif -%}
        {%- do cuts.append(cut) -%}
    {%- endfor -%}
    {%- do return(cuts) -%}
{%- endmacro %}

{# A query with a row for each threshold: the sums down to the lowest level that reaches it. #}
{% macro points_at(plan, cuts, negatives) -%}
{%- set keys, rows = plan['facts']['keys'], [] -%}
{%- for cut in cuts -%}
    {%- do rows.append('select ' ~ sqlmetrics.sql_double(cut) ~ ' as sm_cut') -%}
{%- endfor -%}
{%- set sums = [] -%}
{%- for sql, name in (('sm_positives_through', 'sm_true'), (negatives, 'sm_false')) -%}
    {%- set reached = 'case when ' ~ sqlmetrics.row_at_least('sm_score', 'sm_cut') ~ ' then ' ~ sql ~ ' end' -%}
    {%- do sums.append('coalesce(max(' ~ reached ~ '), 0) as ' ~ name) -%}
{%- endfor -%}
select
        {{- sqlmetrics.lines(sqlmetrics.slice_keys(plan, 'sm_levels.') + ['sm_cut'] + sums, 8) }}
    from sm_levels
    cross join ({{ rows | join(' union all ') }}) as sm_cuts
    group by {{ (sqlmetrics.slice_keys(plan, 'sm_levels.') + ['sm_cut']) | join(', ') }}
{%- endmacro %}

{# A query with the levels in which a share of the rows ends; 1e-9 absorbs the rounding of summed weights. #}
{% macro points_of_shares(plan, quantiles, columns) -%}
{%- set total, passed = 'sm_row_sums.' ~ sqlmetrics.filled(plan, sqlmetrics.row_total(plan)), [] -%}
{%- for column in ('sm_above', 'sm_through') -%}
    {%- set share = sqlmetrics.ratio(quantiles ~ ' * sm_levels.' ~ column, total) -%}
    {%- do passed.append('floor(' ~ share ~ ' + 1e-9)') -%}
{%- endfor -%}
select
        {{- sqlmetrics.lines(columns, 8) }}
    from sm_levels
    inner join sm_row_sums on {{ sqlmetrics.same_slice(plan, 'sm_levels', 'sm_row_sums') }}
    where {{ passed[0] }} < {{ passed[1] }}
{%- endmacro %}
