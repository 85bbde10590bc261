{#
  Qini curve: the positive rows that a treatment of the top share of rows adds, from the highest score down. These are
  the positive treated rows less those of the control, scaled to as many rows. It begins at (0, 0), with a null
  threshold.

  Args:
    points: all, or a number such as 200: at most so many after the first, at equal steps of the share
  Returns: threshold, share (of the rows, down to it), added (positive rows that the treatment adds), random (the same
    if rows are treated in any order); weighted by the row weight
  Undefined: added and random are null if an arm has no row
  Traps: its height is a number of rows, so curves of data of different size are not comparable; without random
    assignment the rows are not added by the treatment; its first points rest on few rows of each arm
  Errors: a label or a treatment other than 0 and 1
  Source: Radcliffe (2007), Using control groups to target on predicted lift; scikit-uplift, qini_curve
  Example: qini(treatment=treated, points=200)
#}
{% macro curve_of_qini(plan, treatment=none, points='all') -%}
    {{- sqlmetrics.check_points(plan, points, ['all']) -}}
    {%- if plan['question']['adds_up'] -%}
        {{- sqlmetrics.refuse_metric(plan, "no state of periods makes it; curve computes it from the rows") -}}
    {%- endif -%}
    {%- set n = sqlmetrics.counts_of_experiment(plan, treatment) -%}
    {%- set above = ['treated_above', 'control_above'] if points != 'all' else [] -%}
    {%- do sqlmetrics.note_reads(plan, 'arm_points', ['score'] + above) -%}
    {%- set keys = plan['facts']['keys'] -%}
    {%- set total = '(' ~ n['treated'] ~ ' + ' ~ n['control'] ~ ')' -%}
    {%- set through = '(sm_treated_through + sm_control_through)' -%}
    {%- set columns, start = [], [] -%}
    {%- for name in n -%}
        {%- do sqlmetrics.note_reads(plan, 'arm_points', [name ~ '_through']) -%}
        {%- do columns.append('sm_' ~ name ~ '_through') -%}
        {%- do start.append('0 as sm_' ~ name ~ '_through') -%}
    {%- endfor -%}
    {%- set parts = [] -%}
    {%- for rows in ('(sm_treated_above + sm_control_above)', through) if points != 'all' -%}
        {%- do parts.append('floor(' ~ sqlmetrics.ratio(points ~ ' * ' ~ rows, total) ~ ' + 1e-9)') -%}
    {%- endfor -%}
    {%- set order = 'sm_points.sm_treated_through + sm_points.sm_control_through asc' -%}
    {%- do plan.update({'point_order': [order], 'points': '-- a row for each threshold
sm_points as (
    select' ~ sqlmetrics.lines(sqlmetrics.slice_keys(plan, 'sm_arms.') + ['sm_score'] + columns, 8) ~ '
    from sm_arms
    inner join sm_row_sums on ' ~ sqlmetrics.same_slice(plan, 'sm_arms', 'sm_row_sums')
        ~ ('
    where ' ~ sqlmetrics.filled(plan, parts | join(' < ')) if parts else '') ~ '
    union all
    select' ~ sqlmetrics.lines(keys + [sqlmetrics.sql_double('null') ~ ' as sm_score'] + start, 8) ~ '
    from sm_row_sums
)'}) -%}
    {%- set both_arms = 'case when ' ~ n['treated'] ~ ' > 0 and ' ~ n['control'] ~ ' > 0 then ' -%}
    {%- set end = '(' ~ n['treated_positives'] ~ ' - ' ~ n['control_positives'] ~ ' * '
        ~ sqlmetrics.ratio(n['treated'], n['control']) ~ ')' -%}
    {%- set share = sqlmetrics.ratio(through, total) -%}
    {%- do return([
        {'name': 'threshold', 'value': 'sm_score'},
        {'name': 'share', 'value': share},
        {'name': 'added', 'value': both_arms ~ sqlmetrics.qini_height('_through') ~ ' end'},
        {'name': 'random', 'value': both_arms ~ share ~ ' * ' ~ end ~ ' end'},
    ]) -%}
{%- endmacro %}
