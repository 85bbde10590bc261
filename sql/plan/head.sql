{#
  The head of a statement: what was asked, and what each metric is. A reader who finds the statement in the logs of an
  engine needs no call.
#}

{# The comment lines below the stamp: the call and its relation, the columns and options, and a line for each metric. #}
{% macro head_of(plan) -%}
    {%- set facts, call = plan['facts'], plan['question']['call'] -%}
    {%- set over = plan['question']['over'] -%}
    {%- set relation = over or ('sm_given' if facts['relation'] is none else facts['relation']) -%}
    {%- set by = facts['by'] | map(attribute='sql') | join(', ') -%}
    {%- set lines = [
        call ~ ' over ' ~ sqlmetrics.in_comment(relation) ~ (', by ' ~ sqlmetrics.in_comment(by) if by)
    ] -%}
    {%- set said = sqlmetrics.facts_in_head(plan) -%}
    {%- if said -%}{%- do lines.append('with ' ~ said | join(', ')) -%}{%- endif -%}
    {%- for one in plan['definitions'] -%}
        {%- set named = sqlmetrics.in_comment(one['name']) -%}
        {%- set notation = sqlmetrics.in_comment(one['notation']) -%}
        {%- set definition = sqlmetrics.definitions().get(one['macro']) -%}
        {%- do lines.append(
            (notation if named == notation else named ~ ' = ' ~ notation) ~ (': ' ~ definition if definition)
        ) -%}
    {%- endfor -%}
    {%- for line in lines -%}-- {{ line ~ '\n' }}{%- endfor -%}
{%- endmacro %}

{# The columns and options of a call that are not their defaults, each a text such as `label "grade"`. #}
{% macro facts_in_head(plan) -%}
    {%- set facts, said = plan['facts'], plan['question']['said'] | list -%}
    {%- set scores = [] -%}
    {%- for model in facts['models'] if model['score'] is not none -%}
        {%- set named = model['name'] ~ ' ' if model['name'] is not none else '' -%}
        {%- do scores.append(sqlmetrics.in_comment(named ~ model['score'])) -%}
    {%- endfor -%}
    {%- set scores = scores | unique | list -%}
    {%- set more = ['and ' ~ (scores | length - 8) ~ ' more'] if scores | length > 8 else [] -%}
    {%- for name in (
        'label', 'gold', 'gold_weight', 'prediction', 'score', 'group', 'item', 'weight', 'period', 'truth', 'subtopic',
        'catalog', 'history', 'distances', 'category', 'where', 'positive', 'max_grade', 'ties', 'convention',
        'interval', 'interval_method', 'tightest_at', 'soft',
    ) -%}
        {%- set value = facts[name] -%}
        {%- if name == 'score' -%}
            {%- if scores -%}{%- do said.append('score ' ~ (scores[:8] + more) | join(', ')) -%}{%- endif -%}
        {#- a relation of dbt is a mapping, too -#}
        {%- elif value is mapping and 'sql' in value -%}
            {%- do said.append(name ~ ' ' ~ sqlmetrics.in_comment(value['sql'])) -%}
        {%- elif value is boolean -%}
            {%- if value -%}{%- do said.append(name) -%}{%- endif -%}
        {%- elif value is not none and not (name == 'ties' and value == 'average')
            and not (value | string).startswith('sm_') -%}
            {%- do said.append(name ~ ' ' ~ sqlmetrics.in_comment(value)) -%}
        {%- endif -%}
    {%- endfor -%}
    {%- do return(said) -%}
{%- endmacro %}

{#
  A text of the caller within a line of comment: on one line, at most 120 characters of it, without a backslash, which
  continues a comment in Spark, and without what ends a statement or a comment of several lines in other clients.
#}
{% macro in_comment(text) -%}
    {%- set line = (text | string).split() | join(' ') -%}
    {%- set line = line[:117] ~ '...' if line | length > 120 else line -%}
    {{- line.replace('\\', '/').replace(';', ',').replace('*/', '* /').replace('/*', '/ *') -}}
{%- endmacro %}
