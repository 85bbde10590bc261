{#
  The confusion matrix as a table: how often which class was predicted for which label.

  Args:
    relation: what to read: a table or CTE name, a dbt relation, or a query
    label, prediction: columns or expressions of one type
    by, total, weight, read_once: as for `evaluate`
  Returns: a query; one row a slice, label and prediction that occur together: the by columns, is_total and the audit counts of the
    slice, label, prediction, n (rows, or their weight) and share (of the rows of that label). A slice without usable rows has one
    row without label
  Errors: no label or prediction
  Example: {{ sqlmetrics.confusion_matrix(ref('predictions'), label='species', prediction='predicted_species') }}
#}
{% macro confusion_matrix(relation) -%}
    {{- sqlmetrics.confusion_matrix_statement(sqlmetrics.class_plan('confusion_matrix', relation=relation, **kwargs)) -}}
{%- endmacro %}

{# The query of a plan for it. #}
{% macro confusion_matrix_statement(plan) -%}
{%- set of_label = 'partition by ' ~ (['sm_cells.sm_class'] + (['sm_row_sums.sm_slice'] if plan['by'] else [])) | join(', ') -%}
{{- sqlmetrics.class_table(plan, [sqlmetrics.stage_cells(plan)], 'sm_cells', {
    'label': 'sm_cells.sm_class', 'prediction': 'sm_cells.sm_predicted', 'n': sqlmetrics.class_weight(plan, 'sm_cells.sm_weight'),
    'share': sqlmetrics.ratio('sm_cells.sm_weight', 'sum(sm_cells.sm_weight) over (' ~ of_label ~ ')'),
}, ['sm_cells.sm_class', 'sm_cells.sm_predicted']) -}}
{%- endmacro %}

{# The plan of a table of classes: nothing but the facts. #}
{% macro class_plan(table) -%}
    {%- set plan = sqlmetrics.facts(**kwargs) -%}
    {%- do plan.update({'metric': table, 'decides': 'prediction'}) -%}
    {{- sqlmetrics.need_classes(plan) -}}
    {%- do return(plan) -%}
{%- endmacro %}

{# A query that reads a stage of classes beside the counts of its slice. #}
{% macro class_table(plan, stages, source, columns, order) -%}
{%- do sqlmetrics.note_counts(plan, columns | list) -%}
{%- set named = [] -%}
{%- for name, value in columns.items() -%}{%- do named.append(value ~ ' as ' ~ name) -%}{%- endfor -%}
{%- set ordered = ['case when sm_row_sums.sm_slice = 0 then 1 else 0 end', 'sm_row_sums.sm_slice'] if plan['by'] else [] -%}
with {{ (sqlmetrics.row_stages(plan) + [sqlmetrics.stage_row_sums(plan)] + stages) | join(',\n\n') }}

select
    {{- sqlmetrics.lines(sqlmetrics.key_columns(plan) + named, 4) }}
from sm_row_sums
{%- if plan['by'] %}
left join sm_slices on sm_row_sums.sm_slice = sm_slices.sm_slice
{%- endif %}
left join {{ source }} on {{ sqlmetrics.same_slice(plan, 'sm_row_sums', source) }}
order by {{ (ordered + order) | join(' asc, ') }} asc
{%- endmacro %}

{# A number of rows, or a weight. #}
{% macro class_weight(plan, x) -%}
    {{- sqlmetrics.sm_integer(x) if plan['weight'] is none else sqlmetrics.sm_double(x) -}}
{%- endmacro %}
