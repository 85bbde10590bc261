{# What rows are read from: a table, a file or a query, without the rows that where= leaves out. #}

{#
  A relation in the form of a from item: a table, a CTE or a dbt relation unchanged; a query in brackets, with
  a name. A query that continues after its brackets already has its name, as in a dbt test with `where`.
#}
{% macro from_item(relation) -%}
    {%- set text = relation | string | trim -%}
    {%- if relation is none or not text -%}
        {{- sqlmetrics.refuse(
            "What is read must be a relation, the name of a table or CTE, or a query; got " ~ relation
        ) -}}
    {%- endif -%}
    {%- if not sqlmetrics.is_query(relation) -%}
        {{ relation }}
    {%- elif not text.startswith('(') -%}
        ({{ text }}
    ) as sm_relation
    {%- else -%}
        {{ text }}{{ ' as sm_relation' if text.endswith(')') }}
    {%- endif -%}
{%- endmacro %}

{#
  True if a relation is a query, in brackets or not. A dbt relation is not a string, so it is never treated as
  a query. If dbt reads no rows (--empty), its relation brings its own name.
#}
{% macro is_query(relation) -%}
    {%- if relation is not string -%}{%- do return(false) -%}{%- endif -%}
    {%- set code = [] -%}
    {%- for line in relation.split('\n') if not (line | trim).startswith('--') -%}
        {%- do code.append(line) -%}
    {%- endfor -%}
    {%- set text = code | join('\n') | trim -%}
    {%- do return(text.startswith('(') or (text | lower).split()[:1] in (['select'], ['with'])) -%}
{%- endmacro %}

{#
  sm_source, and sm_source_<number> for a model with rows of its own: relations that are expensive to read, or
  that may not read the same a second time, are read once.
#}
{% macro stages_of_source(plan) -%}
    {%- set stages = [sqlmetrics.stage_source(plan, 'sm_source', plan['facts']['relation'])]
        if plan['facts']['read_once'] else [] -%}
    {%- for model in plan['facts']['models'] if model['relation'] is not none and model['read_once'] -%}
        {%- do stages.append(sqlmetrics.stage_source(plan, model['source'], model['relation'])) -%}
    {%- endfor -%}
    {%- do return(stages) -%}
{%- endmacro %}

{# A relation that is stored. #}
{% macro stage_source(plan, name, relation) -%}
-- the data, read once
{{ name }} as{{ sqlmetrics.sql_cte_materialized() }} (
    select * from {{ sqlmetrics.filtered_rows(plan, relation) }}
)
{%- endmacro %}

{# The source of the rows of a model. #}
{% macro rows_of_model(plan, model) -%}
    {%- set own = model['relation'] is not none -%}
    {%- if (model['read_once'] if own else plan['facts']['read_once']) -%}
        {{ model['source'] if own else 'sm_source' }}
    {%- else -%}
        {{ sqlmetrics.filtered_rows(plan, model['relation'] if own else plan['facts']['relation']) }}
    {%- endif -%}
{%- endmacro %}

{#
  A relation of rows without those that where= leaves out, and with their numbers if rows are numbered. The only place
  that reads rows, so that no stage has to remember the condition. A state has its own (stages/state/merged.sql).
#}
{% macro filtered_rows(plan, relation) -%}
    {%- set rows = sqlmetrics.from_item(relation)
        ~ (sqlmetrics.condition(plan) if plan['question']['reads'] == 'rows') -%}
    {%- if sqlmetrics.numbers_rows(plan) and not plan['question']['comes_numbered'] -%}
        {%- set number = sqlmetrics.sql_integer(
            'row_number() over (order by ' ~ sqlmetrics.order_of_numbers(plan) | join(', ') ~ ')'
        ) -%}
        {%- set rows = '(select *, ' ~ number ~ ' as sm_row_number from ' ~ rows ~ '\n    ) as sm_relation' -%}
    {%- endif -%}
    {%- set doubles = plan['facts']['soft'] and plan['question']['reads'] == 'rows' -%}
    {{- sqlmetrics.with_outcomes(plan, rows) if doubles else rows -}}
{%- endmacro %}

{# True if the units are rows, which are then numbered as groups of their own. #}
{% macro numbers_rows(plan) -%}
    {%- do return(plan['facts']['group'] == 'sm_row_number') -%}
{%- endmacro %}

{#
  The order in which rows are numbered: by all columns that are read, so that an engine that reads the data twice gives
  a number to identical rows, and rows that swap numbers are identical.
#}
{% macro order_of_numbers(plan) -%}
    {%- set also, order = plan['question']['numbered_by'], [] -%}
    {%- for column in plan['facts']['models'] | map(attribute='score') | list
        + [plan['facts']['label'], plan['facts']['weight'], plan['facts']['prediction']]
        if column not in (none, 'sm_whole') -%}
        {%- do order.append((
            'case when ' ~ column ~ ' is null then 1 else 0 end asc, ' if also
        ) ~ column ~ ' asc') -%}
    {%- endfor -%}
    {%- for column in also -%}{%- do order.append(sqlmetrics.by_bytes(column['sql'])) -%}{%- endfor -%}
    {%- for column in plan['facts']['by'] -%}{%- do order.append(column['sql'] ~ ' asc') -%}{%- endfor -%}
    {%- do return(order | unique(true) | list) -%}
{%- endmacro %}
