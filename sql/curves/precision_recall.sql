{#
  Precision-recall curve: precision and recall at every threshold, from the highest score down, used as `score
  >= threshold`. It begins at the highest score, because precision above it is 0/0.

  Returns: threshold, precision, recall; weighted by the row weight
  Undefined: recall is null if no row is positive
  Errors: a label other than 0 and 1, unless positive= is given
  Source: Davis and Goadrich (2006), doi:10.1145/1143844.1143874
  Example: precision_recall
#}
{% macro curve_of_precision_recall(plan) -%}
    {%- do plan.update({'point_order': ['sm_points.sm_through asc'], 'points': '-- a row for each threshold
sm_points as (
    ' ~ sqlmetrics.points_of_levels(plan, ['sm_score', 'sm_through', 'sm_positives_through']) ~ '
)'}) -%}
    {%- do return([
        {'name': 'threshold', 'value': 'sm_score'},
        {'name': 'precision', 'value': sqlmetrics.ratio('sm_positives_through', 'sm_through')},
        {'name': 'recall', 'value': sqlmetrics.ratio('sm_positives_through', sqlmetrics.positives(plan))},
    ]) -%}
{%- endmacro %}
