{#
  Precision-recall curve: precision and recall at every threshold, from the highest score down, used as `score
  >= threshold`. It begins at the highest score, because precision above it is 0/0.

  Args:
    points: all, or a number such as 200: at most so many, from which a picture looks the same. The first and
      the last point stay, and the least and the greatest precision. The line through those that are left has
      the heights of the curve, at most 4 / (points - 3) of recall beside it; where the curve is smooth it is
      far closer
  Returns: threshold, precision, recall; weighted by the row weight
  Undefined: recall is null if no row is positive
  Traps: its height depends on the share of positive rows, so curves of data with different shares are not
    comparable; the first points rest on few rows; a straight line between two points is too optimistic
  Errors: a label other than 0 and 1, unless positive= is given
  Source: Davis and Goadrich (2006), doi:10.1145/1143844.1143874
  Example: precision_recall(points=200)
#}
{% macro curve_of_precision_recall(plan, points='all') -%}
    {{- sqlmetrics.check_points(plan, points, ['all']) -}}
    {%- set precision = sqlmetrics.ratio('sm_positives_through', 'sm_through') -%}
    {%- set recall = sqlmetrics.ratio('sm_positives_through', sqlmetrics.row_positives(plan)) -%}
    {%- set columns = ['sm_score', 'sm_through', 'sm_positives_through'] -%}
    {%- set found = sqlmetrics.points_of_levels(plan, columns) if points == 'all'
        else sqlmetrics.thinned(plan, columns, recall, points // 4, extremes=precision) -%}
    {%- do plan.update({'point_order': sqlmetrics.order_of_points(plan), 'points': '-- a row for each threshold
sm_points as (
    ' ~ found ~ '
)'}) -%}
    {%- do return([
        {'name': 'threshold', 'value': 'sm_score'},
        {'name': 'precision', 'value': precision},
        {'name': 'recall', 'value': recall},
    ]) -%}
{%- endmacro %}
