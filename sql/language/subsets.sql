{#
  Subsets: the rows of one value of a column, such as one label of a multilabel problem, one example, or the men. A
  metric of subsets compares or averages values that each subset has (stages/rows/subsets.sql).
#}

{#
  The subsets of a column, as two grains: the rows of a subset, and the subsets of a slice.

  Args:
    name: the name of the grain of subsets; the grain of their rows is name ~ '_rows'
    column: the column of the rows
    sql: its SQL if no role of the call has it; none for item and group
  Returns: the name
#}
{% macro subsets(plan, name, column, sql=none) -%}
    {%- if plan['facts']['truth'] is not none -%}
        {{- sqlmetrics.refuse_metric(plan, "reads rows that have a label, so it does not go with truth=") -}}
    {%- endif -%}
    {%- if name not in plan['subsets'] -%}
        {%- do plan['subsets'].update({name: {'column': column, 'sql': sql}}) -%}
        {%- set reason = 'it compares subsets of the rows of all periods' -%}
        {%- do plan['grains'].update({
            name ~ '_rows': {
                'of_data': true, 'columns': sqlmetrics.columns()['rows'], 'parents': [], 'roles': [], 'state': reason,
            },
            name: {
                'columns': sqlmetrics.columns()['subsets'], 'parents': [name ~ '_rows'], 'roles': [],
                'sums': 'sm_' ~ name ~ '_sums', 'state': reason,
            },
        }) -%}
        {%- do plan['needs'].update({name ~ '_rows': {}, name: {}}) -%}
    {%- endif -%}
    {%- do return(name) -%}
{%- endmacro %}

{# The subsets of a column that a metric names. The Python API looks the column up; otherwise it is SQL. #}
{% macro subsets_of_column(plan, parameter, said) -%}
    {{- sqlmetrics.need_subset_column(plan, parameter, said) -}}
    {%- if plan['facts']['truth'] is not none -%}{%- do sqlmetrics.subsets(plan, none, none) -%}{%- endif -%}
    {%- set sql = sqlmetrics.column_of_subsets(plan, parameter, said) -%}
    {%- for grain, known in plan['subsets'].items() if known['sql'] == sql -%}{%- do return(grain) -%}{%- endfor -%}
    {%- set number = plan['subsets'] | length + 1 -%}
    {%- do return(sqlmetrics.subsets(plan, 'subsets_' ~ number, 'sm_subset_' ~ number, sql)) -%}
{%- endmacro %}

{# Rejects a metric that names no column. #}
{% macro need_subset_column(plan, parameter, said) -%}
    {%- if said is none -%}
        {{- sqlmetrics.refuse_metric(
            plan, "needs " ~ parameter ~ "=, a column whose values are compared, such as " ~ parameter ~ "=sex"
        ) -}}
    {%- endif -%}
{%- endmacro %}

{# The SQL of a column whose values are compared. #}
{% macro column_of_subsets(plan, parameter, said) -%}
    {%- set name, columns = said | string, plan['facts']['columns'] -%}
    {%- set name = name[1:-1] if name | length > 2 and name[0] == name[-1] and name[0] in ("'", '"') else name -%}
    {%- do return(sqlmetrics.expression(parameter, name) if columns is none else columns.text(name, parameter)) -%}
{%- endmacro %}

{# A sum over the rows of a subset that meet a condition: their weight. #}
{% macro weight_in_subset(plan, subsets, name, condition) -%}
    {{- sqlmetrics.need(
        plan, subsets ~ '_rows', subsets ~ '_' ~ name,
        sqlmetrics.row_weighted(plan, sqlmetrics.row_count_if(plan, condition))
    ) -}}
{%- endmacro %}

{# True if a sum over rows, or over the rows of subsets, reads a column. #}
{% macro rows_read(plan, column) -%}
    {%- for grain in plan['subsets'] if sqlmetrics.reads(plan, grain ~ '_rows', column) -%}
        {%- do return(true) -%}
    {%- endfor -%}
    {%- do return(sqlmetrics.reads(plan, 'rows', column)) -%}
{%- endmacro %}
