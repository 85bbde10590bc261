{#
  Columns that a metric names by a parameter, such as lower=q05: numbers of a row besides label and score. A row that
  lacks such a number is unusable, as one without a score (stages/input/rows.sql).
#}

{#
  The hole of a column that a metric names. With gold= the column of the label has the labels by people, too.

  Args:
    parameter: the parameter, for messages
    name: its value: a column, or in dbt an SQL expression; in quotes if it has other characters than a name
    boolean: true if the column may be of booleans
  Errors: no name; no such column; a column that is not of numbers
#}
{% macro row_column(plan, parameter, name, boolean=false) -%}
    {%- set said = sqlmetrics.row_column_unquoted(name) -%}
    {%- if name is none or not said | trim -%}
        {{- sqlmetrics.refuse_metric(plan, "needs " ~ parameter ~ "=, the name of a column") -}}
    {%- endif -%}
    {%- set source = sqlmetrics.row_column_source(plan, parameter, said, boolean) -%}
    {%- if source == plan['question']['judged'] -%}
        {%- do return('{label}') -%}
    {%- endif -%}
    {%- do return(sqlmetrics.hole_of_row_column(plan, source, said, boolean)) -%}
{%- endmacro %}

{#
  The hole of a column that the rows carry for a metric.

  Args:
    condition: true for a condition, which the Python API tries before the rows are read
#}
{% macro hole_of_row_column(plan, source, said, boolean, condition=false) -%}
    {%- if source not in plan['row_columns'] -%}
        {%- do plan['row_columns'].update({source: {
            'hole': 'column_' ~ (plan['row_columns'] | length + 1), 'said': said, 'condition': condition,
            'number': sqlmetrics.sql_label(source) if boolean else sqlmetrics.sql_score(source),
        }}) -%}
    {%- endif -%}
    {%- set hole = plan['row_columns'][source]['hole'] -%}
    {%- for grain in ('rows', 'second_pass', 'row_deviations', 'cluster_deviations', 'group_sums') -%}
        {%- do sqlmetrics.declare(plan, grain, hole) -%}
    {%- endfor -%}
    {%- do return('{' ~ hole ~ '}') -%}
{%- endmacro %}

{#
  The hole of a condition over the columns of a row, 1 where it holds and 0 where it does not.

  Args:
    parameter: the parameter, for messages
    condition: SQL, in quotes
  Errors: no condition
#}
{% macro row_condition(plan, parameter, condition) -%}
    {%- set said = sqlmetrics.row_column_unquoted(condition) | replace("''", "'") -%}
    {%- if condition is none or not said | trim -%}
        {{- sqlmetrics.refuse_metric(plan, "needs " ~ parameter ~ "=, a condition such as 'latency > 2'") -}}
    {%- endif -%}
    {{- sqlmetrics.check_condition(said) -}}
    {%- do return(sqlmetrics.hole_of_row_column(plan, '(' ~ said ~ ')', said, boolean=true, condition=true)) -%}
{%- endmacro %}

{# The grain of the rows in the order of a column that a metric names. #}
{% macro order_of_column(plan, hole) -%}
    {%- set grain = hole[1:-1] ~ '_quantiles' -%}
    {%- if grain not in plan['orders'] -%}
        {%- do plan['orders'].update({grain: hole | replace('{', 'sm_') | replace('}', '')}) -%}
        {%- do plan['grains'].update({grain: dict(
            plan['grains']['label_quantiles'], roles=[], sums='sm_' ~ grain
        )}) -%}
        {%- do plan['needs'].update({grain: {}}) -%}
    {%- endif -%}
    {%- do return(grain) -%}
{%- endmacro %}

{# A value of a notation without the quotes around it. #}
{% macro row_column_unquoted(value) -%}
    {%- set text = value | string -%}
    {%- do return(text[1:-1] if text | length > 1 and text[0] == "'" and text[-1] == "'" else text) -%}
{%- endmacro %}

{# The SQL of a column that a metric names. The Python API looks it up; a state that is read has its sums alone. #}
{% macro row_column_source(plan, parameter, said, boolean) -%}
    {%- set columns = plan['facts']['columns'] -%}
    {%- if plan['question']['reads'] == 'state' -%}
        {%- do return(said) -%}
    {%- elif columns is none -%}
        {%- do return(sqlmetrics.expression(parameter, said)) -%}
    {%- elif said not in columns -%}
        {{- sqlmetrics.refuse_metric(
            plan, parameter ~ "='" ~ said ~ "' is no column of the data. Columns: " ~ columns.types | join(', ')
        ) -}}
    {%- elif columns.kind(said) not in ['', 'a number'] + (['a boolean'] if boolean else []) -%}
        {{- sqlmetrics.refuse_metric(
            plan, parameter ~ "='" ~ said ~ "' is " ~ columns.kind(said) ~ " and has to be a number"
                ~ columns.text_in_file(said)
        ) -}}
    {%- endif -%}
    {%- do return(columns[said]) -%}
{%- endmacro %}

{#
  The name of a sum over columns that a metric names. It has their names, so that `finish` with other columns does
  not take it. Engines cut names at 63 characters: where names are long, numbers stand for them.
#}
{% macro sum_of_columns(plan, word, names) -%}
    {%- set name = sqlmetrics.column_name(word ~ ' ' ~ names | join(' ')) -%}
    {%- if name | length <= 55 -%}
        {%- do return(name) -%}
    {%- elif plan['question']['adds_up'] -%}
        {{- sqlmetrics.refuse_metric(
            plan, "a state names its sums by the columns, and '" ~ name ~ "' is longer than 55 characters;"
                ~ " give the columns shorter names"
        ) -}}
    {%- endif -%}
    {%- set parts = [word] -%}
    {%- for column in plan['row_columns'].values() if column['said'] in names | map('replace', "'", '') -%}
        {%- do parts.append(column['hole'] | replace('column_', '')) -%}
    {%- endfor -%}
    {%- do return(sqlmetrics.column_name(parts | join(' '))) -%}
{%- endmacro %}

