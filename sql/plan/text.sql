{#
  The layout of statements: short select-list entries share lines of up to 100 signs, and one line has the select in
  front. A longer entry, and each branch of a long case, has a line of its own.
#}

{# Select-list entries. #}
{% macro lines(entries, indent=4) -%}
    {%- set margin = '\n' ~ ' ' * indent -%}
    {%- set lines, ns = [], namespace(short=false, alone=entries | length > 0) -%}
    {%- for entry in entries -%}
        {%- set short = sqlmetrics.is_short(entry) -%}
        {%- set plain = ' ' not in entry and '.' in entry and '*' not in entry -%}
        {%- set entry = sqlmetrics.sql_column(entry) if plain and short else entry -%}
        {%- if short and ns.short and (lines[-1] ~ entry) | length + indent < 98 -%}
            {%- do lines.append(lines.pop() ~ ', ' ~ entry) -%}
        {%- else -%}
            {%- do lines.append(sqlmetrics.folded(entry, margin) if entry | length + indent > 112 else entry) -%}
        {%- endif -%}
        {%- set ns.short = short -%}
        {%- set ns.alone = ns.alone and short -%}
    {%- endfor -%}
    {{- ' ' ~ lines[0] if ns.alone and lines | length == 1 else margin ~ lines | join(',' ~ margin) -}}
{%- endmacro %}

{# True if an entry shares its line: a column, a number, or one of them in a function or two, with its name. #}
{% macro is_short(entry) -%}
    {%- do return(
        entry | length < 60 and '\n' not in entry and 'case ' not in entry and ' over ' not in entry
    ) -%}
{%- endmacro %}

{#
  A long entry with a line for each branch of its cases, short cases left as they are. An entry with a literal, a
  quoted name, a comment or a tab stays as it is, since that text may contain the same words.
#}
{% macro folded(entry, margin) -%}
    {%- for mark in ("'", '"', '`', '$', '--', '/*', '#', '\t') if mark in entry -%}
        {%- do return(entry) -%}
    {%- endfor -%}
    {%- set broken = sqlmetrics.short_cases_marked(entry) -%}
    {%- set broken = broken.replace(' when ', '\nwhen ').replace(' else ', '\nelse ').replace(' end', '\nend') -%}
    {%- set lines, at = [], namespace(margin=margin) -%}
    {%- for piece in broken.split('\n') -%}
        {%- if piece.startswith('end') -%}{%- set at.margin = at.margin[:-4] -%}{%- endif -%}
        {%- do lines.append(at.margin ~ piece) -%}
        {%- if piece.endswith('case') -%}{%- set at.margin = at.margin ~ '    ' -%}{%- endif -%}
    {%- endfor -%}
    {%- do return((lines | join)[margin | length:].replace('\t', ' ')) -%}
{%- endmacro %}

{# An entry with tabs in place of spaces in its short cases that hold no other case. #}
{% macro short_cases_marked(entry) -%}
    {%- set pieces = [] -%}
    {%- for piece in entry.split(' end') -%}
        {%- set cases = piece.split('case when ') -%}
        {%- set short = cases | length > 1 and not loop.last and cases[-1] | length < 90 -%}
        {%- do pieces.append(
            cases[:-1] | join('case when ') ~ ('case when ' ~ cases[-1]).replace(' ', '\t') if short else piece
        ) -%}
        {%- if not loop.last -%}{%- do pieces.append('\tend' if short else ' end') -%}{%- endif -%}
    {%- endfor -%}
    {%- do return(pieces | join) -%}
{%- endmacro %}
