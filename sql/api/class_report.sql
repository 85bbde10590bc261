{#
  Precision, recall and F1 of every class.

  Args:
    relation, label, prediction, weight, by, total, total_name, read_once, where: as for `confusion_matrix`
  Returns: a query. For each slice it has the by columns, is_total, the audit counts, and a row for each class
    that occurs as label or prediction: class, support (rows with this label, or their weight), predicted,
    correct (both), precision, recall, f1. A slice without usable rows has one row without a class
  Undefined: precision is null if the class is never predicted, recall if no row has the label; all three if a
    prediction has a fraction, as rows_prediction_fraction counts
  Errors: no label or prediction
  Example: {{ sqlmetrics.class_report(ref('predictions'), label='species', prediction='predicted_species') }}
#}
{% macro class_report(relation) -%}
    {%- set given = sqlmetrics.options_taken('class_report', kwargs) -%}
    {{- sqlmetrics.statement_of(sqlmetrics.class_table_plan('class_report', relation=relation, **given)) -}}
{%- endmacro %}

{# The columns of `class_report`, from sm_points, the sums of each class. #}
{% macro table_of_class_report(plan) -%}
    {%- set counted = plan['facts']['weight'] is none -%}
    {%- do plan.update({'point_order': ['sm_class asc'], 'points': sqlmetrics.stage_cells(plan) ~ ',

' ~ sqlmetrics.stage_class_rows(plan, 'sm_points')}) -%}
    {%- set f1 = sqlmetrics.ratio('2 * sm_right', 'sm_support + sm_predicted_as') -%}
    {%- do return([
        {'name': 'class', 'value': 'sm_class', 'any_type': true, 'of': 'label'},
        {'name': 'support', 'value': 'sm_support', 'integer': counted, 'counts': true},
        {'name': 'predicted', 'value': 'sm_predicted_as', 'integer': counted, 'counts': true},
        {'name': 'correct', 'value': 'sm_right', 'integer': counted, 'counts': true},
        {'name': 'precision', 'value': sqlmetrics.guarded(plan, sqlmetrics.ratio('sm_right', 'sm_predicted_as'))},
        {'name': 'recall', 'value': sqlmetrics.guarded(plan, sqlmetrics.ratio('sm_right', 'sm_support'))},
        {'name': 'f1', 'value': sqlmetrics.guarded(plan, f1)},
    ]) -%}
{%- endmacro %}
