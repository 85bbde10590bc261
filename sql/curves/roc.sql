{#
  ROC curve: the false and the true positive rate at every threshold, from the highest score down, used as
  `score >= threshold`. It begins at (0, 0), above every score, with a null threshold.

  Args:
    points: all, or corners: without points on a straight line between their neighbours
  Returns: threshold, fpr, tpr; weighted by the row weight
  Undefined: fpr is null if no row is negative, tpr if no row is positive
  Errors: a label other than 0 and 1, unless positive= is given
  Source: Fawcett (2006), doi:10.1016/j.patrec.2005.10.010
  Example: roc(points=corners)
#}
{% macro curve_of_roc(plan, points='all') -%}
    {{- sqlmetrics.one_of(plan, 'points', points, ['all', 'corners']) -}}
    {%- set columns = ['sm_score', 'sm_through', 'sm_positives_through'] -%}
    {%- set start = [sqlmetrics.sql_double('null') ~ ' as sm_score', '0 as sm_through', '0 as sm_positives_through'] -%}
    {%- do plan.update({'point_order': ['sm_points.sm_through asc'], 'points': '-- a row for each threshold
sm_points as (
    ' ~ (sqlmetrics.points_of_levels(plan, columns) if points == 'all' else sqlmetrics.corners(plan, columns)) ~ '
    union all
    select' ~ sqlmetrics.lines(plan['keys'] + start, 8) ~ '
    from sm_row_sums
)'}) -%}
    {%- do return([
        {'name': 'threshold', 'value': 'sm_score'},
        {'name': 'fpr', 'value': sqlmetrics.ratio(sqlmetrics.negatives_through(), sqlmetrics.negatives(plan))},
        {'name': 'tpr', 'value': sqlmetrics.ratio('sm_positives_through', sqlmetrics.positives(plan))},
    ]) -%}
{%- endmacro %}

{# The levels at which the curve changes direction. Sums of weights are compared within their rounding. #}
{% macro corners(plan, columns) -%}
{%- set down = '(' ~ sqlmetrics.partition_by(plan['keys']) ~ 'order by sm_score desc)' -%}
{%- set here = [
    sqlmetrics.sql_double('sm_level_positives'),
    sqlmetrics.sql_double(sqlmetrics.filled(plan, sqlmetrics.level_negatives())),
] -%}
{%- set steps = columns + [
    here[0] ~ ' as sm_up', here[1] ~ ' as sm_right',
    'lead(' ~ here[0] ~ ') over ' ~ down ~ ' as sm_next_up', 'lead(' ~ here[1] ~ ') over ' ~ down ~ ' as sm_next_right',
] -%}
select {{ (plan['keys'] + columns) | join(', ') }}
    from (
        {{ sqlmetrics.points_of_levels(plan, steps) | replace('\n', '\n    ') }}
    ) as sm_steps
    {%- set one_way, other_way = 'sm_up * sm_next_right', 'sm_right * sm_next_up' %}
    where sm_next_up is null or abs({{ one_way }} - {{ other_way }}) > 1e-12 * ({{ one_way }} + {{ other_way }})
{%- endmacro %}
