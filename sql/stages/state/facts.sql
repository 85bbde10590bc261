{# The texts that a state keeps of how it was made: sm_holds and sm_facts. #}

{#
  The contents that sm_holds records in a state: its sums, its grains and the counts of each. `finish` looks for
  the grains (require_held).
#}
{% macro held_in_state(plan) -%}
    {%- set held = sqlmetrics.columns_of_sums(plan) -%}
    {%- for grain in sqlmetrics.grains_of_state(plan) -%}
        {%- do held.append(grain) -%}
        {%- for column in sqlmetrics.counted_besides(plan, grain) -%}
            {%- do held.append(grain ~ '.' ~ column['name']) -%}
        {%- endfor -%}
    {%- endfor -%}
    {%- for metric in plan['compared_metrics'] if plan['question']['ends'] == 'sums' -%}
        {%- do held.append(sqlmetrics.held_pairs(sqlmetrics.name_of_kept_pairs(metric['notation']))) -%}
    {%- endfor -%}
    {%- do return(held) -%}
{%- endmacro %}

{# What sm_holds has of a metric whose pairs of models are kept. #}
{% macro held_pairs(name) -%}pairs.{{ name }}{%- endmacro %}

{#
  The facts that decide the numbers of a state, as JSON: the columns of the roles as the caller named them, and the
  options of labels and lists. With several models, each row names the score of its own model.

  `version` is the version of this layout:
    1: without `version`; a role is true or false, whether it was given
    2: a role is the name of its column, an expression in brackets, or null; there are rows of the grain periods;
      `where` is the condition on the rows of the data, if there was one

  Args:
    version: the version to write; `finish` also accepts the text of every older one, so that it checks in an older
      row whatever this row has. A change of the layout gets the next number and keeps the texts before it, here and
      in same_rows. A newer version is one of other facts for it, which makes metrics null
    model: the name of the row's model
#}
{% macro facts_of_state(plan, version=2, model=none) -%}
    {%- set said = plan['facts']['said'] or {} -%}
    {%- set facts = ['"version": ' ~ version] if version > 1 else [] -%}
    {%- do facts.append('"period": ' ~ sqlmetrics.in_json(plan['facts']['period']['name'], version)) -%}
    {%- for role in ('label', 'score', 'group', 'item', 'weight', 'prediction') -%}
        {%- set column = said.get(role) -%}
        {%- set column = column[model] if column is mapping else column -%}
        {%- set given = 'false' if plan['facts'][role] is none else 'true' -%}
        {%- do facts.append('"' ~ role ~ '": ' ~ (given if version == 1 else sqlmetrics.in_json(column))) -%}
    {%- endfor -%}
    {%- do facts.append('"models": ' ~ ('true' if sqlmetrics.has_models(plan) else 'false')) -%}
    {%- for fact in ('positive', 'max_grade', 'ties', 'convention', 'on_duplicate', 'unjudged') -%}
        {%- do facts.append('"' ~ fact ~ '": ' ~ sqlmetrics.in_json(plan['facts'][fact], version)) -%}
    {%- endfor -%}
    {#-
      What follows is written only where it is given, so that other states have the text that they always had. Without
      a zone it is UTC, or nothing depends on it.
    -#}
    {%- if plan['facts']['soft'] -%}{%- do facts.append('"soft": true') -%}{%- endif -%}
    {%- if plan['facts']['zone'] not in (none, 'UTC') -%}
        {%- do facts.append('"zone": ' ~ sqlmetrics.in_json(plan['facts']['zone'])) -%}
    {%- endif -%}
    {%- if plan['facts']['made_where'] is not none -%}
        {%- do facts.append('"where": ' ~ sqlmetrics.in_json(plan['facts']['made_where'])) -%}
    {%- endif -%}
    {{- '{' ~ facts | join(', ') ~ '}' -}}
{%- endmacro %}

{# The columns of roles as a state records them: a name without quotes, an expression in brackets. #}
{% macro said_columns(roles) -%}
    {%- set said = {} -%}
    {%- for role, column in roles.items() -%}
        {%- if column is mapping -%}
            {%- do said.update({role: sqlmetrics.said_columns(column)}) -%}
        {%- elif column is string and sqlmetrics.is_name(column) -%}
            {%- set mark = column[0] if column[0] in '"`' else none -%}
            {%- do said.update({role: column if mark is none else column[1:-1].replace(mark ~ mark, mark)}) -%}
        {%- else -%}
            {%- do said.update({role: none if column is none else '(' ~ column ~ ')'}) -%}
        {%- endif -%}
    {%- endfor -%}
    {%- do return(said) -%}
{%- endmacro %}

{# sm_facts in the rows of a stage of a state. #}
{% macro facts_of_rows(plan, stage) -%}
    {%- if 'sm_model' not in plan['facts']['keys'] -%}
        {%- do return(sqlmetrics.sql_text(sqlmetrics.facts_of_state(plan))) -%}
    {%- endif -%}
    {%- set cases = [] -%}
    {%- for model in plan['facts']['models'] -%}
        {%- do cases.append(
            'when ' ~ loop.index ~ ' then ' ~ sqlmetrics.sql_text(sqlmetrics.facts_of_state(plan, model=model['name']))
        ) -%}
    {%- endfor -%}
    case {{ stage }}.sm_model {{ cases | join(' ') }} end
{%- endmacro %}

{# The condition that a row of a state was made with the facts that `finish` was given. #}
{% macro same_facts(plan) -%}
    {%- set same = ['sm_facts = ' ~ sqlmetrics.sql_text(sqlmetrics.facts_of_state(plan, version=1))] -%}
    {%- for model in plan['facts']['models'] -%}
        {%- set of_model = 'model = ' ~ sqlmetrics.sql_text(model['name']) ~ ' and '
            if sqlmetrics.has_models(plan) else '' -%}
        {%- do same.append(
            of_model ~ 'sm_facts = ' ~ sqlmetrics.sql_text(sqlmetrics.facts_of_state(plan, model=model['name']))
        ) -%}
    {%- endfor -%}
    {{- same | join('\n                or ') -}}
{%- endmacro %}

{#
  The condition that a row of a state counts the rows of one model, by a period and under a condition. No other fact
  changes a number of rows: it counts unusable rows, too. A text in sm_facts has its quotes escaped, so that no name
  passes for a key.

  Args:
    period: the name of the column of periods
    where: the where= of the call that made it
#}
{% macro same_rows(period, where) -%}
    {%- set parts = [] -%}
    {%- for version in (1, 2) -%}
        {%- set start = '{' ~ ('"version": ' ~ version ~ ', ' if version > 1 else '') -%}
        {%- do parts.append(sqlmetrics.has_fact(start ~ '"period": ' ~ sqlmetrics.in_json(period, version) ~ ', "')) -%}
    {%- endfor -%}
    {%- set parts = ['(' ~ parts | join('\n                or ') ~ ')', sqlmetrics.has_fact(', "models": false, ')] -%}
    {%- do parts.append(
        'not (' ~ sqlmetrics.has_fact(', "where": ') ~ ')' if where is none
        else sqlmetrics.has_fact(', "where": ' ~ sqlmetrics.in_json(where) ~ '}')
    ) -%}
    {{- parts | join('\n                and ') -}}
{%- endmacro %}

{# The condition that sm_facts has a text. A percent sign would be a mark of parameters to some drivers. #}
{% macro has_fact(text) -%}
    {{- "replace(sm_facts, " ~ sqlmetrics.sql_text(text) ~ ", '') <> sm_facts" -}}
{%- endmacro %}

{# A text, a number or none in JSON. Version 1 left a line feed as it was. #}
{% macro in_json(value, version=2) -%}
    {%- if value is none -%}
        null
    {%- elif value is number -%}
        {{- value -}}
    {%- else -%}
        {%- set text = value.replace('\\', '\\\\').replace('"', '\\"') -%}
        {%- if version > 1 -%}
            {%- set text = text.replace('\n', '\\n').replace('\r', '\\r').replace('\t', '\\t') -%}
        {%- endif -%}
        {{- '"' ~ text ~ '"' -}}
    {%- endif -%}
{%- endmacro %}
