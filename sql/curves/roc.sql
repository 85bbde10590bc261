{#
  ROC curve: the false and the true positive rate at every threshold, from the highest score down, used as
  `score >= threshold`. It begins at (0, 0), above every score, with a null threshold.

  Args:
    points: all; corners: without points on a straight line between their neighbours; or a number such as 200:
      at most so many, from which a picture looks the same. The first and the last point stay. No point of the
      curve is farther than sqrt(2) / (points - 2) from the line through those that are left: 500 points are
      enough for a picture of 350 pixels, and a smooth curve needs far fewer
  Returns: threshold, fpr, tpr; weighted by the row weight. curve(interval=) adds tpr_low and tpr_high, the band of the
    true positive rate at this fpr
  Undefined: fpr is null if no row is negative, tpr if no row is positive, the band in either case
  Traps: it does not change with the share of positive rows, so with few of them it hides how many false alarms
    stand beside them, which precision_recall shows; two curves that cross have no order, whatever their auc;
    calibration does not show
  Errors: a label other than 0 and 1, unless positive= is given
  Source: Fawcett (2006), doi:10.1016/j.patrec.2005.10.010
  Example: roc(points=corners)
#}
{% macro curve_of_roc(plan, points='all') -%}
    {{- sqlmetrics.check_points(plan, points, ['all', 'corners']) -}}
    {%- set weighted = plan['facts']['weight'] is not none -%}
    {%- set banded = plan['band'] is not none -%}
    {%- if weighted -%}
        {%- do sqlmetrics.read_levels(plan, ([] if banded else ['level_negatives']) + ['negatives_through']) -%}
    {%- endif -%}
    {%- set counts = ([] if weighted and banded else ['sm_through']) + ['sm_positives_through']
        + (['sm_negatives_through'] if weighted else []) -%}
    {%- set columns, start = ['sm_score'] + counts, [sqlmetrics.sql_double('null') ~ ' as sm_score'] -%}
    {%- for count in counts -%}{%- do start.append('0 as ' ~ count) -%}{%- endfor -%}
    {%- set fpr = sqlmetrics.ratio(sqlmetrics.level_negatives_through(plan), sqlmetrics.row_negatives(plan)) -%}
    {%- set tpr = sqlmetrics.ratio('sm_positives_through', sqlmetrics.row_positives(plan)) -%}
    {#- from a point to the next of its part, both rates together grow by at most 2 / parts; the start is one more -#}
    {%- set found = sqlmetrics.points_of_levels(plan, columns) if points == 'all'
        else sqlmetrics.corners(plan, columns) if points == 'corners'
        else sqlmetrics.thinned(plan, columns, '(' ~ fpr ~ ' + ' ~ tpr ~ ') / 2', (points - 1) // 2) -%}
    {%- set above = '
    union all
    select' ~ sqlmetrics.lines(plan['facts']['keys'] + start, 8) ~ '
    from sm_row_sums' -%}
    {%- do plan.update({'point_order': sqlmetrics.order_of_points(plan)}) -%}
    {%- if banded -%}
        {%- set all = found if points is string else sqlmetrics.points_of_levels(plan, columns) -%}
        {%- do plan.update({
            'points': sqlmetrics.stages_of_roc_band(plan, {'fpr': fpr, 'tpr': tpr}, found ~ above, all ~ above),
        }) -%}
        {%- do return([
            {'name': 'threshold', 'value': 'sm_score'},
            {'name': 'fpr', 'value': 'sm_fpr'},
            {'name': 'tpr', 'value': 'sm_tpr'},
        ] + sqlmetrics.columns_of_band(['tpr'])) -%}
    {%- endif -%}
    {%- do plan.update({'points': '-- a row for each threshold
sm_points as (
    ' ~ found ~ above ~ '
)'}) -%}
    {%- do return([
        {'name': 'threshold', 'value': 'sm_score'},
        {'name': 'fpr', 'value': fpr},
        {'name': 'tpr', 'value': tpr},
    ]) -%}
{%- endmacro %}

{# The order of points from the highest score down. Sums of weights are rounded, so they do not order levels. #}
{% macro order_of_points(plan) -%}
    {%- do return(
        ['sm_points.sm_through asc'] if plan['facts']['weight'] is none
        else ['case when sm_points.sm_score is null then 0 else 1 end asc', 'sm_points.sm_score desc']
    ) -%}
{%- endmacro %}

{# The levels at which the curve changes direction. Sums of weights are compared within their rounding. #}
{% macro corners(plan, columns) -%}
{%- set down = '(' ~ sqlmetrics.partition_by(plan['facts']['keys']) ~ 'order by sm_score desc)' -%}
{%- set here = [
    sqlmetrics.sql_double('sm_level_positives'),
    sqlmetrics.sql_double(sqlmetrics.filled(plan, sqlmetrics.level_negatives(plan))),
] -%}
{%- do sqlmetrics.read_levels(plan, ['level_positives'] + sqlmetrics.holes(sqlmetrics.level_negatives(plan))) -%}
{%- set steps = columns + [
    here[0] ~ ' as sm_up', here[1] ~ ' as sm_right',
    'lead(' ~ here[0] ~ ') over ' ~ down ~ ' as sm_next_up', 'lead(' ~ here[1] ~ ') over ' ~ down ~ ' as sm_next_right',
] -%}
select {{ (plan['facts']['keys'] + columns) | join(', ') }}
    from (
        {{ sqlmetrics.points_of_levels(plan, steps) | replace('\n', '\n    ') }}
    ) as sm_steps
    {%- set one_way, other_way = 'sm_up * sm_next_right', 'sm_right * sm_next_up' %}
    where sm_next_up is null or abs({{ one_way }} - {{ other_way }}) > 1e-12 * ({{ one_way }} + {{ other_way }})
{%- endmacro %}
