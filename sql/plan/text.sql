{#
  The layout of statements: plain columns share lines of up to 100 signs; any other select-list entry, and each branch
  of a long case, has a line of its own.
#}

{# Select-list entries. #}
{% macro lines(entries, indent=4) -%}
    {%- set margin = '\n' ~ ' ' * indent -%}
    {%- set lines, ns = [], namespace(plain=false) -%}
    {%- for entry in entries -%}
        {%- set plain = ' ' not in entry and '\n' not in entry -%}
        {%- set entry = sqlmetrics.sql_column(entry) if plain and '.' in entry and '*' not in entry else entry -%}
        {%- if plain and ns.plain and (lines[-1] ~ entry) | length + indent < 98 -%}
            {%- do lines.append(lines.pop() ~ ', ' ~ entry) -%}
        {%- else -%}
            {%- do lines.append(sqlmetrics.folded(entry, margin) if entry | length > 100 else entry) -%}
        {%- endif -%}
        {%- set ns.plain = plain -%}
    {%- endfor -%}
    {{- margin ~ lines | join(',' ~ margin) -}}
{%- endmacro %}

{#
  A long entry with a line for each branch of its cases. An entry with a string literal, a quoted name or a comment
  stays as it is, since that text may contain the same words.
#}
{% macro folded(entry, margin) -%}
    {%- if "'" in entry or '"' in entry or '`' in entry or '--' in entry or '/*' in entry -%}
        {%- do return(entry) -%}
    {%- endif -%}
    {%- set broken = entry.replace(' when ', '\nwhen ').replace(' else ', '\nelse ').replace(' end', '\nend') -%}
    {%- set lines, at = [], namespace(margin=margin) -%}
    {%- for piece in broken.split('\n') -%}
        {%- if piece.startswith('end') -%}{%- set at.margin = at.margin[:-4] -%}{%- endif -%}
        {%- do lines.append(at.margin ~ piece) -%}
        {%- if piece.endswith('case') -%}{%- set at.margin = at.margin ~ '    ' -%}{%- endif -%}
    {%- endfor -%}
    {%- do return((lines | join)[margin | length:]) -%}
{%- endmacro %}
