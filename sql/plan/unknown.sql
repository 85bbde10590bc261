{# A name that is no metric or curve: the sentence that refuses it, with the names that are spelled most like it. #}

{#
  The sentence that refuses a name.

  Args:
    kind: metric or curve
    name: the unknown name, in lower case
    meant: the name that it stands for, if the caller knows it
  Returns: text; of a metric with the five likeliest names, and with none if no name is like it
#}
{% macro unknown(kind, name, meant=none) -%}
    {%- set other = {'metric': 'curve', 'curve': 'metric'}[kind] -%}
    {%- if name in sqlmetrics.names_of(other) -%}
        {%- do return(
            "Unknown " ~ kind ~ " '" ~ name ~ "', which is a " ~ other ~ "; write sqlmetrics."
            ~ ("curve with '" ~ name ~ "'" if other == 'curve' else "evaluate")
        ) -%}
    {%- endif -%}
    {%- set names, near = sqlmetrics.names_of(kind), [] -%}
    {%- set ranked = sqlmetrics.by_likeness(name, names) -%}
    {%- set likeliest = 0 - ranked[0][0] -%}
    {#- a slip of a long name may hold a short one whole, as mean_squared_eror does -#}
    {%- set alias = sqlmetrics.alias_like(name[:60], [likeliest if likeliest < 1 else 0, 0.8] | max)
        if kind == 'metric' and not meant else none -%}
    {%- set best = meant or alias or (ranked[0][1] if likeliest >= 0.6 else none) -%}
    {%- for score, known in ranked if known != best and score <= -0.4 and near | length < (4 if best else 5) -%}
        {%- do near.append(known) -%}
    {%- endfor -%}
    {%- do return(
        "Unknown " ~ kind ~ " '" ~ name ~ "'." ~ (" Did you mean '" ~ best ~ "'?" if best)
        ~ (" Known: " ~ names | join(', ') if names | length <= 10
            else " Names like it: " ~ near | join(', ') if near else "" if best else " No name is like it")
    ) -%}
{%- endmacro %}

{# Pairs of minus the likeness of a known name to a word, and the name; the likest first. #}
{% macro by_likeness(word, names) -%}
    {%- set ranked = [] -%}
    {%- for known in names -%}
        {%- do ranked.append([0 - sqlmetrics.likeness(word[:60], known), known]) -%}
    {%- endfor -%}
    {%- do return(ranked | sort) -%}
{%- endmacro %}

{# The names of all metrics, or of all curves, in alphabetical order; in dbt also those of the user's own metrics. #}
{% macro names_of(kind) -%}
    {%- set prefix, names = {'metric': 'metric_', 'curve': 'curve_of_'}[kind], [] -%}
    {%- for macro in sqlmetrics | list + context | list if macro.startswith(prefix) -%}
        {%- set name = macro[prefix | length:] -%}
        {%- do names.append(name[:-3] if name.endswith('_at') else name) -%}
    {%- endfor -%}
    {%- do return(names | unique | sort) -%}
{%- endmacro %}

{#
  The name of another library that a word is a slip of, such as mean_squared_error of mean_squared_eror.

  Args:
    least: the least share of letters that they have in common
  Returns: the likeliest name, or none
#}
{% macro alias_like(name, least) -%}
    {%- set found = [] -%}
    {%- for alias in sqlmetrics.aliases() if '@' not in alias and '(' not in alias -%}
        {%- set score = sqlmetrics.common_share(name, alias, least) -%}
        {%- if score >= least -%}{%- do found.append([0 - score, alias]) -%}{%- endif -%}
    {%- endfor -%}
    {%- do return((found | sort | first)[1] if found else none) -%}
{%- endmacro %}

{#
  How like two names are: above 1 if the whole of one stands between underscores of the other, such as auc in
  roc_auc_score, otherwise the share of letters that they have in common.
#}
{% macro likeness(name, known) -%}
    {%- if '_' ~ known ~ '_' in '_' ~ name ~ '_' -%}{%- do return(1 + known | length / 100) -%}{%- endif -%}
    {%- do return(sqlmetrics.common_share(name, known)) -%}
{%- endmacro %}

{#
  The share of letters in words of both names, or that of letters that are in place, if it is larger.

  Args:
    least: no smaller share of letters in place is asked for; edits are not counted where some letters alone decide
#}
{% macro common_share(name, known, least=0.4) -%}
    {%- set words, common = name.split('_'), [] -%}
    {%- for word in known.split('_') if word in words -%}{%- do common.append(word | length) -%}{%- endfor -%}
    {%- set letters = (name ~ known) | replace('_', '') | length -%}
    {%- set by_words = 2 * common | sum / [letters, 1] | max -%}
    {%- set longest, shortest = [name | length, known | length] | max, [name | length, known | length] | min -%}
    {%- set least, others = [by_words, least] | max, [] -%}
    {%- if shortest / longest < least -%}{%- do return(by_words) -%}{%- endif -%}
    {%- for letter in name if letter not in known -%}{%- do others.append(letter) -%}{%- endfor -%}
    {%- if 1 - others | length / longest < least -%}{%- do return(by_words) -%}{%- endif -%}
    {%- do return([by_words, 1 - sqlmetrics.edits(name, known) / longest] | max) -%}
{%- endmacro %}

{#
  The number of edits from one word to another: letters that are added, left out or replaced, and neighbours that change
  places.

  Source: Damerau (1964), doi:10.1145/363958.363994, each letter edited once
#}
{% macro edits(first, second) -%}
    {%- set rows = [range(second | length + 1) | list] -%}
    {%- for one in first -%}
        {%- set i, row = loop.index0, [loop.index] -%}
        {%- for two in second -%}
            {%- set j = loop.index0 -%}
            {%- set steps = [rows[i][j] + (one != two), rows[i][j + 1] + 1, row[j] + 1] -%}
            {%- if i and j and one == second[j - 1] and two == first[i - 1] -%}
                {%- do steps.append(rows[i - 1][j - 1] + 1) -%}
            {%- endif -%}
            {%- do row.append(steps | min) -%}
        {%- endfor -%}
        {%- do rows.append(row) -%}
    {%- endfor -%}
    {%- do return(rows[-1][-1]) -%}
{%- endmacro %}
