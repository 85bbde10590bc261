{#
  Columns as dbt passes them: SQL text, a name or an expression. The Python API looks names up, quotes them and passes
  `columns=`, so its text is used as it is.
#}

{# The roles and their columns as SQL that can be embedded in other SQL. #}
{% macro expressions(roles) -%}
    {%- set found = {} -%}
    {%- for role, text in roles.items() -%}
        {%- do found.update({role: sqlmetrics.expression(role, text)}) -%}
    {%- endfor -%}
    {%- do return(found) -%}
{%- endmacro %}

{# A name unchanged, an expression in brackets. The closing bracket goes on a new line if a comment might swallow it. #}
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

{# True if a text is a single name, quoted or not. #}
{% macro is_name(text) -%}
    {%- for mark in ('"', '`') if text.startswith(mark) -%}
        {%- do return(
            text | length > 2 and text.endswith(mark) and text.replace(mark ~ mark, '').count(mark) == 2
        ) -%}
    {%- endfor -%}
    {%- for character in text | lower if character not in 'abcdefghijklmnopqrstuvwxyz0123456789_.' -%}
        {%- do return(false) -%}
    {%- endfor -%}
    {%- do return(text | length > 0) -%}
{%- endmacro %}

{# The name in the result of a column that is given as SQL. #}
{% macro alias_of(text) -%}
    {{ text.split('.')[-1] if sqlmetrics.is_name(text) else sqlmetrics.sql_quote(text) }}
{%- endmacro %}

{#
  The columns of `by`, or of another list of columns: one column or several, each a name, an expression, or a mapping of
  sql, alias and name. A column keeps the name that was given; {'sql': ..., 'alias': ...} renames an expression.
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
