{#
  Precision, recall and F1 of every class.

  Args: those of `confusion_matrix`
  Returns: a query; one row a slice and class that occurs in label or prediction: the by columns, is_total and the audit counts of
    the slice, class, support (rows labelled so, or their weight), predicted, correct (both), precision, recall, f1. A slice without
    usable rows has one row without class
  Undefined: precision is null where the class is never predicted, recall where no row is labelled so
  Errors: no label or prediction
  Example: {{ sqlmetrics.class_report(ref('predictions'), label='species', prediction='predicted_species') }}
#}
{% macro class_report(relation) -%}
    {{- sqlmetrics.class_report_statement(sqlmetrics.class_plan('class_report', relation=relation, **kwargs)) -}}
{%- endmacro %}

{# The query of a plan for it. #}
{% macro class_report_statement(plan) -%}
{{- sqlmetrics.class_table(plan, [sqlmetrics.stage_cells(plan), sqlmetrics.stage_class_rows(plan)], 'sm_classes', {
    'class': 'sm_classes.sm_class',
    'support': sqlmetrics.class_weight(plan, 'sm_classes.sm_support'),
    'predicted': sqlmetrics.class_weight(plan, 'sm_classes.sm_decided'),
    'correct': sqlmetrics.class_weight(plan, 'sm_classes.sm_right'),
    'precision': sqlmetrics.ratio('sm_classes.sm_right', 'sm_classes.sm_decided'),
    'recall': sqlmetrics.ratio('sm_classes.sm_right', 'sm_classes.sm_support'),
    'f1': sqlmetrics.ratio('2 * sm_classes.sm_right', 'sm_classes.sm_support + sm_classes.sm_decided'),
}, ['sm_classes.sm_class']) -}}
{%- endmacro %}
