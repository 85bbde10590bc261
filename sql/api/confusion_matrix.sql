{#
  The confusion matrix as a table: how often each class was predicted for each label; or, of a score, how often each
  decision `score >= threshold` was right.

  Args:
    relation: as for `evaluate`
    label: the class of a row
    prediction: its predicted class, of the same type; a number with a fraction is no class
    score, threshold: instead of a prediction a score, and the threshold from which it decides 1 rather than 0 (0.5 by
      default). The label is then 1 or 0, too; positive: the least label of a positive row, or its text
    weight, by, total, total_name, read_once, where: as for `evaluate`
  Returns: a query. For each slice it has the by columns, is_total, the audit counts, and a row for each label
    and prediction that occur together: label, prediction, n (rows, or their weight) and share (of the rows of
    that label). At a threshold all four cells are there. A slice without usable rows has one row without a label
  Undefined: share is null if a prediction has a fraction; rows_prediction_fraction counts such rows
  Errors: no label; neither a prediction nor a score, or threshold= beside a prediction
  Example: {{ sqlmetrics.confusion_matrix(ref('predictions'), label='species', prediction='predicted_species')
    }}
#}
{% macro confusion_matrix(relation) -%}
    {%- set given = sqlmetrics.options_taken('confusion_matrix', kwargs) -%}
    {{- sqlmetrics.statement_of(sqlmetrics.class_table_plan('confusion_matrix', relation=relation, **given)) -}}
{%- endmacro %}

{# The columns of `confusion_matrix`, from sm_points, the cells, each with the weight of its label. #}
{% macro table_of_confusion_matrix(plan, threshold=none) -%}
    {%- set cells = sqlmetrics.stage_cells(plan) if threshold is none else sqlmetrics.cells_at(plan, threshold) -%}
    {%- set of_label = 'partition by ' ~ (plan['facts']['keys'] + ['sm_class']) | join(', ') -%}
    {%- set columns = plan['facts']['keys'] + [
        'sm_class', 'sm_predicted', 'sm_weight', 'sum(sm_weight) over (' ~ of_label ~ ') as sm_of_label',
    ] -%}
    {%- do plan.update({
        'point_order': ['sm_points.sm_class asc', 'sm_points.sm_predicted asc'],
        'points': cells ~ ',

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

{# sm_cells of a decision by the score: four for each slice that has rows. #}
{% macro cells_at(plan, threshold) -%}
{%- set rows = [] -%}
{%- for label, predicted in ((0, 0), (0, 1), (1, 0), (1, 1)) -%}
    {%- set cell = sqlmetrics.filled(plan, sqlmetrics.cell(plan, threshold, predicted == 1, label == 1)) -%}
    {%- set columns = [label ~ ' as sm_class', predicted ~ ' as sm_predicted', cell ~ ' as sm_weight'] -%}
    {%- do rows.append('select' ~ sqlmetrics.lines(plan['facts']['keys'] + columns, 8) ~ '
    from sm_row_sums
    where ' ~ sqlmetrics.filled(plan, sqlmetrics.row_count(plan)) ~ ' > 0') -%}
{%- endfor -%}
-- the rows of each label for which the score decides so
sm_cells as (
    {{ rows | join('
    union all
    ') }}
)
{%- endmacro %}

{#
  The plan of a table of classes. Its macro gives the columns and the CTE sm_points, as the
  macro of a curve does.
#}
{% macro class_table_plan(table, threshold=none) -%}
    {%- set plan = sqlmetrics.empty_plan(sqlmetrics.question_of_points(table), **kwargs) -%}
    {%- do sqlmetrics.ask(plan, table) -%}
    {{- sqlmetrics.role_given(plan, 'label') -}}
    {%- if plan['facts']['prediction'] is none and plan['facts']['score'] is not none -%}
        {%- do plan['result']['columns'].extend(sqlmetrics.table_of_confusion_matrix(
            plan, 0.5 if threshold is none else threshold
        )) -%}
        {%- do return(plan) -%}
    {%- elif threshold is not none -%}
        {{- sqlmetrics.refuse("threshold= decides by a score; pass score= and no prediction=") -}}
    {%- elif table == 'confusion_matrix' and plan['facts']['prediction'] is none -%}
        {{- sqlmetrics.refuse_metric(
            plan, "needs prediction=, the column of the predicted class, or score=, which threshold= makes a decision"
        ) -}}
    {%- endif -%}
    {{- sqlmetrics.role_given(plan, 'prediction') ~ sqlmetrics.are_classes(plan, scored=false) -}}
    {%- set table_of_classes = {
        'class_report': sqlmetrics.table_of_class_report, 'confusion_matrix': sqlmetrics.table_of_confusion_matrix,
    }[table] -%}
    {%- do plan['result']['columns'].extend(table_of_classes(plan)) -%}
    {%- do return(plan) -%}
{%- endmacro %}
