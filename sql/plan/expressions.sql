{#
  Columns as dbt gives them: SQL text, a name or an expression. The Python door, which looks names up and quotes them, passes `columns=`
  and its own text.
#}

{# The roles of columns, each as SQL that other SQL can surround. #}
{% macro expressions(roles) -%}
    {%- set found = {} -%}
    {%- for role, text in roles.items() -%}
        {%- do found.update({role: sqlmetrics.expression(role, text)}) -%}
    {%- endfor -%}
    {%- do return(found) -%}
{%- endmacro %}

{# A name as it is, an expression in brackets; a comment in it ends before the bracket does. #}
{% macro expression(role, text) -%}
    {%- if text is none or (text is string and sqlmetrics.is_name(text)) -%}
        {%- do return(text) -%}
    {%- elif text is not string or not text | trim -%}
        {%- set models = '; several models are written score={"a": "score_a", "b": "score_b"}' if role == 'score'
            else '' -%}
        {{- sqlmetrics.refuse(role ~ "= takes a column or an SQL expression, got " ~ text ~ models) -}}
    {%- endif -%}
    {%- do return('(' ~ text ~ ('\n)' if '--' in text else ')')) -%}
{%- endmacro %}

{# Whether a text is one name, quoted or not. #}
{% macro is_name(text) -%}
    {%- for mark in ('"', '`') if text.startswith(mark) -%}
        {%- do return(text | length > 2 and text.endswith(mark) and text.count(mark) == 2) -%}
    {%- endfor -%}
    {%- for character in text | lower if character not in 'abcdefghijklmnopqrstuvwxyz0123456789_.' -%}
        {%- do return(false) -%}
    {%- endfor -%}
    {%- do return(text | length > 0) -%}
{%- endmacro %}

{# What the result calls a column that is given as SQL. #}
{% macro alias_of(text) -%}
    {{ text.split('.')[-1] if sqlmetrics.is_name(text) else sqlmetrics.sql_quote(text) }}
{%- endmacro %}

{#
  The columns of `by`, or of another list of columns: one column or a list of them, each a name, an expression, or a mapping of sql, alias and
  name. The result calls a column as it was given; an expression that is to have another name is written {'sql': ..., 'alias': ...}.
#}
{% macro columns_of(by) -%}
    {%- if by is number -%}
        {{- sqlmetrics.refuse("by= takes columns, or expressions as {'sql': ..., 'alias': ...}, got " ~ by) -}}
    {%- endif -%}
    {%- set found = [] -%}
    {%- for column in ([by] if by is string or by is mapping else by or []) -%}
        {%- if column is mapping -%}
            {%- if 'sql' not in column or 'alias' not in column -%}
                {{- sqlmetrics.refuse(
                    "by= takes columns, or expressions as {'sql': ..., 'alias': ...}, got " ~ column
                ) -}}
            {%- endif -%}
            {%- do found.append(column) -%}
        {%- else -%}
            {%- do found.append(
                {'sql': sqlmetrics.expression('by', column), 'alias': sqlmetrics.alias_of(column), 'given': column}
            ) -%}
        {%- endif -%}
    {%- endfor -%}
    {%- do return(found) -%}
{%- endmacro %}
