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

{#
  Rejects a where= that is not one condition, and would end the brackets around it or begin another statement. What
  stands between quotes, or in a comment, is left to the engine.
#}
{% macro check_condition(where) -%}
    {%- if where is none -%}{%- do return('') -%}{%- endif -%}
    {%- if where is not string or not where | trim -%}
        {{- sqlmetrics.refuse("where= takes an SQL condition such as \"day >= '2026-06-01'\", got "
            ~ sqlmetrics.shown(where)) -}}
    {%- endif -%}
    {%- set at = namespace(inside='', before='', open=[], wrong='') -%}
    {%- for character in sqlmetrics.pieces(where, '\'"`\\-/*\n()[];$') if not at.wrong -%}
        {%- set pair = at.before ~ character -%}
        {%- set at.before = character -%}
        {%- if at.inside -%}
            {%- if character == at.inside and pair == '\\' ~ character -%}
                {%- set at.wrong = 'a quote after a backslash, which engines read differently; write it twice' -%}
            {%- elif at.inside in (character, pair) -%}
                {%- set at.inside = '' -%}
                {%- set at.before = '' -%}
            {%- endif -%}
        {%- elif character in ('"', "'", '`') -%}
            {%- set at.inside = character -%}
        {%- elif pair in ('--', '/*') -%}
            {%- set at.inside = {'--': '\n', '/*': '*/'}[pair] -%}
            {%- set at.before = '' -%}
        {%- elif character in '([' -%}
            {%- do at.open.append({'(': ')', '[': ']'}[character]) -%}
        {%- elif character in ')]' -%}
            {%- if not at.open or at.open.pop() != character -%}
                {%- set at.wrong = "a '" ~ character ~ "' that closes nothing" -%}
            {%- endif -%}
        {%- elif character == ';' or pair == '$$' -%}
            {%- set at.wrong = "'" ~ (pair if character == '$' else ';') ~ "'" -%}
        {%- endif -%}
    {%- endfor -%}
    {%- if not at.wrong and at.inside not in ('', '\n') -%}
        {%- set at.wrong = "a " ~ at.inside ~ " that is missing at its end" -%}
    {%- elif not at.wrong and at.open -%}
        {%- set at.wrong = "a '" ~ at.open[-1] ~ "' that is missing at its end" -%}
    {%- endif -%}
    {%- if at.wrong -%}
        {{- sqlmetrics.refuse("where= takes one SQL condition; it has " ~ at.wrong ~ ", got " ~ where) -}}
    {%- endif -%}
{%- endmacro %}

{#
  The `where` clause: where= on a line of its own, since it may end in a comment, and the condition of the question.
  Empty without both.
#}
{% macro condition(plan) -%}
    {%- set where = plan['facts']['where'] -%}
    {%- set conditions = ([] if where is none else ['(\n        ' ~ where | trim ~ '\n    )'])
        + sqlmetrics.condition_of_question(plan) + sqlmetrics.condition_of_models(plan) -%}
    {{- '\n    where ' ~ conditions | join(' and ') if conditions -}}
{%- endmacro %}

{# The condition of the question, such as that a row lies in one of two periods, as a list of one or none. #}
{% macro condition_of_question(plan) -%}
    {%- do return([plan['question']['where']] if plan['question']['where'] else []) -%}
{%- endmacro %}

{#
  For the Python API: tries a condition. The query selects it beside `1 = 1`, so that Python can compare the two types.
  It reads all rows, as some engines take types from values.
#}
{% macro tried_condition(relation, where) -%}
select
    (
        {{ where | trim }}
    ) as sm_condition,
    1 = 1 as sm_comparison
from {{ sqlmetrics.from_item(relation) }}
where (
    {{ where | trim }}
) or 1 = 1
{%- endmacro %}

{# For the Python API: a query whose types are those of expressions over a relation. #}
{% macro tried_expressions(relation, expressions) -%}
select
    {%- for name, expression in expressions.items() %}
    {{ expression }} as {{ name }}{{ ',' if not loop.last }}
    {%- endfor %}
from {{ sqlmetrics.from_item(relation) }}
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

{# True if a slice is a column rather than an expression. Python may add the collation in which its texts differ. #}
{% macro is_column(column) -%}
    {%- do return(
        sqlmetrics.is_name(column['sql'])
        or column['sql'] == sqlmetrics.sql_exact(sqlmetrics.sql_quote(column['name']))
    ) -%}
{%- endmacro %}

{# The name in the result of a column that is given as SQL. #}
{% macro alias_of(text) -%}
    {{ text.split('.')[-1] if sqlmetrics.is_name(text) else sqlmetrics.sql_quote(text) }}
{%- endmacro %}

{#
  The columns of `by`, or of another list of columns: one column or several, each a name, an expression, a mapping of a
  name to an expression, or a mapping of sql, alias and name. A column keeps the name that was given; {'month': ...} or
  {'sql': ..., 'alias': ...} names an expression.
#}
{% macro columns_of(by, argument='by') -%}
    {%- if by is number -%}
        {{- sqlmetrics.refuse(
            argument ~ "= takes columns, or expressions as {'sql': ..., 'alias': ...}, got " ~ by
        ) -}}
    {%- endif -%}
    {%- set found = [] -%}
    {%- for column in ([by] if by is string or by is mapping else by or []) -%}
        {%- if column is mapping and ('sql' in column or 'alias' in column) -%}
            {%- if 'sql' not in column or 'alias' not in column -%}
                {{- sqlmetrics.refuse(
                    argument ~ "= takes columns, or expressions as {'sql': ..., 'alias': ...}, got " ~ column
                ) -}}
            {%- endif -%}
            {%- do found.append(column) -%}
        {%- elif column is mapping -%}
            {%- for name, text in column.items() -%}
                {%- if name is not string or not name | trim or text is not string or not text | trim -%}
                    {{- sqlmetrics.refuse(
                        argument ~ "= takes columns, or expressions with names as"
                            ~ " {'month': \"date_trunc('month', day)\"}, got " ~ column
                    ) -}}
                {%- endif -%}
                {%- do found.append({
                    'sql': sqlmetrics.expression(argument, text), 'alias': sqlmetrics.sql_result(name), 'name': name,
                    'given': name,
                }) -%}
            {%- endfor -%}
        {%- else -%}
            {%- set parts = sqlmetrics.parts_at_commas(column) if column is string else [column] -%}
            {%- if parts | length > 1 -%}
                {{- sqlmetrics.refuse(
                    argument ~ "= takes one column in a text, got '" ~ column ~ "'; write "
                        ~ ("several as a list, by=['" ~ parts | map('trim') | join("', '") ~ "']" if argument == 'by'
                            else "one expression of them as {'sql': ..., 'alias': ...}")
                ) -}}
            {%- endif -%}
            {%- do found.append(
                {'sql': sqlmetrics.expression(argument, column), 'alias': sqlmetrics.alias_of(column), 'given': column}
            ) -%}
        {%- endif -%}
    {%- endfor -%}
    {%- do return(found) -%}
{%- endmacro %}

{# The signs of a text, each alone, and what stands between them, so that a long text has few pieces to go through. #}
{% macro pieces(text, signs) -%}
    {%- set mark, at = '\u0001', namespace(text=text) -%}
    {%- if mark in text -%}{%- do return(text | list) -%}{%- endif -%}
    {%- for sign in signs -%}{%- set at.text = at.text.replace(sign, mark ~ sign ~ mark) -%}{%- endfor -%}
    {%- do return(at.text.split(mark) | select | list) -%}
{%- endmacro %}

{# The parts of a text between its commas, but for commas in brackets, in text literals and in quoted names. #}
{% macro parts_at_commas(text) -%}
    {%- set parts, at = [[]], namespace(depth=0, quote='') -%}
    {%- for character in sqlmetrics.pieces(text, '\'"`()[],') -%}
        {%- if at.quote -%}
            {%- if character == at.quote -%}{%- set at.quote = '' -%}{%- endif -%}
        {%- elif character in ('"', "'", '`') -%}
            {%- set at.quote = character -%}
        {%- elif character in '([' -%}
            {%- set at.depth = at.depth + 1 -%}
        {%- elif character in ')]' -%}
            {%- set at.depth = at.depth - 1 -%}
        {%- endif -%}
        {%- if character == ',' and at.depth == 0 and not at.quote -%}
            {%- do parts.append([]) -%}
        {%- else -%}
            {%- do parts[-1].append(character) -%}
        {%- endif -%}
    {%- endfor -%}
    {%- do return(parts | map('join') | list) -%}
{%- endmacro %}
