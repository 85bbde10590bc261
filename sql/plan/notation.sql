{#
  The notation of a metric: name(parameter=value, ...)@k, the same in Python, on the command line and in dbt.
#}

{#
  Parses the notation of a metric.

  Args:
    notation: text such as `auc`, `ndcg(gain=linear)@10`, `precision(threshold=0.3)`
  Returns: a dict of `name` (text) and `params` (dict; a value is a number, a word or none; the cutoff is `k`)
  Errors: unbalanced brackets; a parameter without `=`; a cutoff that is not an integer
#}
{% macro parse_notation(notation) -%}
    {%- set text = notation | string | trim -%}
    {%- set params = {} -%}
    {%- set at = text.split('@') -%}
    {%- set head = at[0] | trim -%}
    {%- set parts = head.split('(') -%}
    {%- if at | length > 2 or parts | length > 2 or (parts | length == 2) != head.endswith(')')
        or not parts[0] | trim -%}
        {{- sqlmetrics.refuse(
            "Metric '" ~ notation ~ "' cannot be read. Write name, name@k or name(parameter=value, ...)@k"
        ) -}}
    {%- endif -%}
    {%- set inside = parts[1].rsplit(')', 1)[0] if parts | length == 2 else '' -%}
    {%- if inside | trim -%}
        {%- for assignment in inside.split(',') -%}
            {%- set pair = assignment.split('=') -%}
            {%- if pair | length != 2 or not pair[0] | trim or not pair[1] | trim -%}
                {{- sqlmetrics.refuse(
                    "Metric '" ~ notation ~ "': write parameter=value, got '" ~ assignment | trim ~ "'"
                ) -}}
            {%- endif -%}
            {%- if pair[0] | trim | lower in params -%}
                {{- sqlmetrics.refuse("Metric '" ~ notation ~ "': " ~ pair[0] | trim ~ " is given twice") -}}
            {%- endif -%}
            {%- do params.update({pair[0] | trim | lower: sqlmetrics.parse_value(pair[1] | trim)}) -%}
        {%- endfor -%}
    {%- endif -%}
    {%- if at | length == 2 -%}
        {%- set k = sqlmetrics.parse_value(at[1] | trim) -%}
        {%- if k is not integer -%}
            {{- sqlmetrics.refuse(
                "Metric '" ~ notation ~ "': the cutoff after @ must be an integer >= 1, got '" ~ at[1] | trim ~ "'"
            ) -}}
        {%- endif -%}
        {%- if 'k' in params -%}
            {{- sqlmetrics.refuse("Metric '" ~ notation ~ "': the cutoff k is given twice") -}}
        {%- endif -%}
        {%- do params.update({'k': k}) -%}
    {%- endif -%}
    {%- do return({'name': parts[0] | trim | lower, 'params': params}) -%}
{%- endmacro %}

{# The value of a parameter: an integer, a float, none, or the word itself. #}
{% macro parse_value(text) -%}
    {%- set strange = [] -%}
    {%- for character in text | lower if character not in '0123456789+-.e' -%}
        {%- do strange.append(character) -%}
    {%- endfor -%}
    {%- set number = none if strange else text | float(none) -%}
    {%- if text | lower == 'none' -%}
        {%- do return(none) -%}
    {%- elif number is none or number | abs > 1e300 -%}
        {%- do return(text) -%}
    {%- elif '.' in text or 'e' in text | lower -%}
        {%- do return(number) -%}
    {%- endif -%}
    {%- do return(text | int) -%}
{%- endmacro %}

{#
  The name of a result column: the notation in lower case, with each run of characters outside [a-z0-9] replaced by `_`.
#}
{% macro column_name(notation) -%}
    {%- set words = [''] -%}
    {%- for character in notation | string | lower -%}
        {%- if character in 'abcdefghijklmnopqrstuvwxyz0123456789' -%}
            {%- do words.append(words.pop() ~ character) -%}
        {%- elif words[-1] -%}
            {%- do words.append('') -%}
        {%- endif -%}
    {%- endfor -%}
    {{- words | select | join('_') -}}
{%- endmacro %}

{# Stops with a message. #}
{% macro refuse(message) -%}{{- exceptions.raise_compiler_error(message) -}}{%- endmacro %}
