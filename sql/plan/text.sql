{# The layout of statements: one line for each select-list entry and for each branch of a case. #}

{# Select-list entries, each on a line of its own. #}
{% macro lines(entries, indent=4) -%}
    {%- set margin = '\n' ~ ' ' * indent -%}
    {%- set folded = [] -%}
    {%- for entry in entries -%}
        {%- set entry = sqlmetrics.sql_column(entry) if '.' in entry and ' ' not in entry and '*' not in entry
            else entry -%}
        {%- do folded.append(sqlmetrics.folded(entry, margin) if entry | length > 100 else entry) -%}
    {%- endfor -%}
    {{- margin ~ folded | join(',' ~ margin) -}}
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
