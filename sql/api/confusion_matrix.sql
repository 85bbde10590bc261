{#
  The confusion matrix as a table: how often each class was predicted for each label.

  Args:
    relation: as for `evaluate`
    label: the class of a row
    prediction: its predicted class, of the same type; a number with a fraction is no class
    weight, by, total, total_name, read_once, where: as for `evaluate`
  Returns: a query. For each slice it has the by columns, is_total, the audit counts, and a row for each label
    and prediction that occur together: label, prediction, n (rows, or their weight) and share (of the rows of
    that label). A slice without usable rows has one row without a label
  Undefined: share is null if a prediction has a fraction; rows_prediction_fraction counts such rows
  Errors: no label or prediction
  Example: {{ sqlmetrics.confusion_matrix(ref('predictions'), label='species', prediction='predicted_species')
    }}
#}
{% macro confusion_matrix(relation) -%}
    {%- set given = sqlmetrics.options_taken('confusion_matrix', kwargs) -%}
    {{- sqlmetrics.statement_of(sqlmetrics.class_table_plan('confusion_matrix', relation=relation, **given)) -}}
{%- endmacro %}

{# The columns of `confusion_matrix`, from sm_points, the cells, each with the weight of its label. #}
{% macro table_of_confusion_matrix(plan) -%}
    {%- set of_label = 'partition by ' ~ (plan['facts']['keys'] + ['sm_class']) | join(', ') -%}
    {%- set columns = plan['facts']['keys'] + [
        'sm_class', 'sm_predicted', 'sm_weight', 'sum(sm_weight) over (' ~ of_label ~ ') as sm_of_label',
    ] -%}
    {%- do plan.update({
        'point_order': ['sm_points.sm_class asc', 'sm_points.sm_predicted asc'],
        'points': sqlmetrics.stage_cells(plan) ~ ',

-- a row for each label and prediction
sm_points as (
    select' ~ sqlmetrics.lines(columns, 8) ~ '
    from sm_cells
)',
    }) -%}
    {%- do return([
        {'name': 'label', 'value': 'sm_points.sm_class', 'any_type': true, 'of': 'label'},
        {'name': 'prediction', 'value': 'sm_points.sm_predicted', 'any_type': true, 'of': 'label'},
        {'name': 'n', 'value': 'sm_points.sm_weight', 'integer': plan['facts']['weight'] is none, 'counts': true},
        {'name': 'share', 'value': sqlmetrics.guarded(
            plan, sqlmetrics.ratio('sm_points.sm_weight', 'sm_of_label')
        )},
    ]) -%}
{%- endmacro %}

{#
  The plan of a table of classes. Its macro gives the columns and the CTE sm_points, as the
  macro of a curve does.
#}
{% macro class_table_plan(table) -%}
    {%- set plan = sqlmetrics.empty_plan(sqlmetrics.question_of_points(), **kwargs) -%}
    {%- do sqlmetrics.ask(plan, table) -%}
    {%- for role in ('label', 'prediction') -%}{{- sqlmetrics.role_given(plan, role) -}}{%- endfor -%}
    {{- sqlmetrics.are_classes(plan, scored=false) -}}
    {%- set table_of_classes = {
        'class_report': sqlmetrics.table_of_class_report, 'confusion_matrix': sqlmetrics.table_of_confusion_matrix,
    }[table] -%}
    {%- do plan['result']['columns'].extend(table_of_classes(plan)) -%}
    {%- do return(plan) -%}
{%- endmacro %}
