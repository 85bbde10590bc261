{#
  The notation of a metric: name(parameter=value, ...)@k, the same in Python, on the command line and in dbt.
#}

{#
  Parses the notation of a metric.

  Args:
    notation: text such as `auc`, `ndcg(gain=linear)@10`, `precision(threshold=0.3)`, `recall(class='a, b')`
  Returns: a dict of `name` (text), `params` (dict; a value is a number, a word or none; the cutoff is `k`) and `pinned`
    (true for the name of a metric in another library: `name` is then ours, and `params` has that library's options,
    whatever the convention is)
  Errors: unbalanced brackets; a parameter without `=`; a cutoff that is not an integer; the name of another library
    for what is no metric here
#}
{% macro parse_notation(notation) -%}
    {%- set quoted = sqlmetrics.quoted_values(notation | string | trim) -%}
    {%- set text = quoted['text'] -%}
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
                        ~ ("; a value that holds a comma stands in quotes, such as at='0.3, 0.5'"
                            if pair | length == 1 and not loop.first)
                ) -}}
            {%- endif -%}
            {%- if pair[0] | trim | lower in params -%}
                {{- sqlmetrics.refuse("Metric '" ~ notation ~ "': " ~ pair[0] | trim ~ " is given twice") -}}
            {%- endif -%}
            {%- set value = pair[1] | trim -%}
            {%- if quoted['values'] and value[0] == "'" -%}
                {%- set value = "'" ~ quoted['values'][value[1:-1] | int] ~ "'" -%}
            {%- endif -%}
            {%- do params.update({pair[0] | trim | lower: sqlmetrics.parse_value(value)}) -%}
        {%- endfor -%}
    {%- endif -%}
    {%- if at | length == 2 -%}
        {%- if 'k' in params -%}
            {{- sqlmetrics.refuse("Metric '" ~ notation ~ "': the cutoff k is given twice") -}}
        {%- endif -%}
        {%- do params.update({'k': sqlmetrics.parse_value(at[1] | trim)}) -%}
    {%- endif -%}
    {%- set parsed = sqlmetrics.with_own_name(parts[0] | trim, params) -%}
    {%- if at | length == 2 and parsed['params'].get('k', 1) is not integer -%}
        {{- sqlmetrics.refuse(
            "Metric '" ~ notation ~ "': the cutoff after @ must be an integer >= 1, got '" ~ at[1] | trim ~ "'"
        ) -}}
    {%- endif -%}
    {%- do return(parsed) -%}
{%- endmacro %}

{#
  Our name of a metric and its parameters. `name` may be that of another library, such as `roc_auc_score`, `P_10` or
  `P.10`. A parameter that is written goes before the library's.
#}
{% macro with_own_name(name, params) -%}
    {%- set known, macro = name | lower, 'metric_' ~ (name | lower) -%}
    {%- if macro in context or macro in sqlmetrics or macro ~ '_at' in context or macro ~ '_at' in sqlmetrics -%}
        {%- set answer = sqlmetrics.absent_names().get(known ~ '@k') if 'k' in params -%}
        {%- if answer and macro not in context and macro ~ '_at' not in context -%}
            {{- sqlmetrics.refuse("Metric '" ~ name ~ "@" ~ params['k'] ~ "' " ~ answer) -}}
        {%- endif -%}
        {%- do return({'name': known, 'params': params, 'pinned': false}) -%}
    {%- endif -%}
    {%- set aliases, ns = sqlmetrics.aliases(), namespace(key=none, number=params.get('k')) -%}
    {%- for key in ([known ~ '@k'] if 'k' in params else []) + [known] if key in aliases and ns.key is none -%}
        {%- set ns.key = key -%}
    {%- endfor -%}
    {#- trec_eval writes ndcg_cut.10 for what it prints as ndcg_cut_10 -#}
    {%- for words, sign in ((known.rsplit('_', 1), '_'), (known.split('.', 1), '_'), (known.split('^', 1), '^'))
        if words | length == 2 and ns.key is none -%}
        {%- set number, key = sqlmetrics.parse_value(words[1]), words[0] ~ sign ~ '(k)' -%}
        {%- if number is number and (key in aliases or key in sqlmetrics.absent_names()) -%}
            {%- if 'k' in params -%}
                {{- sqlmetrics.refuse("Metric '" ~ name ~ "': the cutoff k is given twice") -}}
            {%- endif -%}
            {%- set ns.key = key -%}
            {%- set ns.number = number -%}
        {%- endif -%}
    {%- endfor -%}
    {%- set key = ns.key or known -%}
    {%- if key in sqlmetrics.absent_names() -%}
        {{- sqlmetrics.refuse("Metric '" ~ name ~ "' " ~ sqlmetrics.absent_names()[key]) -}}
    {%- elif key not in aliases and known ~ '@k' in aliases -%}
        {{- sqlmetrics.refuse("Metric '" ~ name ~ "' needs a cutoff; write '" ~ name ~ "@10'") -}}
    {%- elif key not in aliases -%}
        {%- do return({'name': known, 'params': params, 'pinned': false}) -%}
    {%- elif 'rel' in params -%}
        {{- sqlmetrics.refuse(
            "Metric '" ~ name ~ "': the least grade of a relevant item is an argument of the call; write '" ~ name
                ~ "' without rel, and positive=" ~ params['rel']
        ) -}}
    {%- endif -%}
    {%- set ours, options = aliases[key] -%}
    {%- set found = {} -%}
    {%- for option, value in options.items() -%}
        {%- do found.update({option: ns.number if value == 'k' else value}) -%}
    {%- endfor -%}
    {%- for option, value in params.items() if option != 'k' or not key.endswith('@k') -%}
        {%- do found.update({option: value}) -%}
    {%- endfor -%}
    {%- do return({'name': ours, 'params': found, 'pinned': true}) -%}
{%- endmacro %}

{#
  The quoted values of a notation, which may hold any character, and the notation with their numbers in their places:
  `recall(class='a, b')` becomes `recall(class='0')`. A quote opens after `=` and closes before a comma or bracket.
#}
{% macro quoted_values(text) -%}
    {%- if "'" not in text and '"' not in text -%}{%- do return({'text': text, 'values': []}) -%}{%- endif -%}
    {%- set values = [] -%}
    {%- set ns = namespace(outside='', inside='', quote=none) -%}
    {%- for character in text -%}
        {%- set rest = text[loop.index:] | trim -%}
        {%- if ns.quote is not none and character == ns.quote and rest[:1] in (',', ')') -%}
            {%- set ns.outside = ns.outside ~ "'" ~ values | length ~ "'" -%}
            {%- do values.append(ns.inside) -%}
            {%- set ns.quote = none -%}
            {%- set ns.inside = '' -%}
        {%- elif ns.quote is not none -%}
            {%- set ns.inside = ns.inside ~ character -%}
        {%- elif character in ("'", '"') and (ns.outside | trim).endswith('=') -%}
            {%- set ns.quote = character -%}
        {%- else -%}
            {%- set ns.outside = ns.outside ~ character -%}
        {%- endif -%}
    {%- endfor -%}
    {%- do return({'text': text, 'values': []} if ns.quote is not none else {'text': ns.outside, 'values': values}) -%}
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
  The name of a result column: the notation in lower case, with each run of characters outside [a-z0-9] replaced by `_`;
  pass^3 becomes pass_hat_3, since pass_3 is pass@3.
#}
{% macro column_name(notation) -%}
    {%- set words = [''] -%}
    {%- for character in (notation | string | lower).replace('pass^', 'pass_hat_') -%}
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

{# Stops with a message about the metric that is being asked. #}
{% macro refuse_metric(plan, message) -%}
{{- sqlmetrics.refuse("sqlmetrics." ~ plan['asked']['metric'] ~ ": " ~ message) -}}
{%- endmacro %}
