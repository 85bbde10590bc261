{# For the Python API, which writes the files of semantic layers: the measures of a state, and metrics made of them. #}

{# The plan of measures and metrics: that of `finish`, with the further arguments of it. #}
{% macro semantic_plan(metrics) -%}
    {%- do return(sqlmetrics.finish_plan(metrics, question=sqlmetrics.question_of_measures(), **kwargs)) -%}
{%- endmacro %}

{# The period and slices of a plan, its measures by name, with the counts that serve any metric, and its metrics. #}
{% macro measured(plan) -%}
    {{- sqlmetrics.audit_units(plan) -}}
    {%- set counts = {'n_rows': 'rows', 'n_groups': 'list_sums'} -%}
    {%- set of_plan = sqlmetrics.counts(plan) -%}
    {%- for name, grain in counts.items() if name in of_plan -%}
        {%- do plan['measures'].update({name: {
            'aggregate': 'sum', 'sql': sqlmetrics.sum_of_row(grain, of_plan[name]), 'counts': true,
        }}) -%}
    {%- endfor -%}
    {%- do return({
        'period': plan['facts']['period']['name'],
        'slices': plan['facts']['by'] | map(attribute='name') | list,
        'measures': plan['measures'],
        'metrics': plan['result']['columns'],
    }) -%}
{%- endmacro %}

{# An aggregate of SQL, as an expression over rows. #}
{% macro aggregate_of_measure(aggregate, x) -%}
{{ 'count(distinct ' ~ x ~ ')' if aggregate == 'count_distinct' else aggregate ~ '(' ~ x ~ ')' }}
{%- endmacro %}

{# The condition that a row of the state has measures: others would make an empty group, since they have no slice. #}
{% macro has_measures(grain='sm_grain') -%}{{ grain }} in ('rows', 'lists'){%- endmacro %}

{#
  A query of the rows of a state that have measures.

  Args:
    columns: SQL by name of what is selected; without it, the columns as they are
#}
{% macro rows_with_measures(table, columns={}) -%}
{%- set selected = [] -%}
{%- for name, sql in columns.items() -%}{%- do selected.append(sql ~ ' as ' ~ name) -%}{%- endfor -%}
select {{ sqlmetrics.lines(selected, 4) if selected else '*' }}
from {{ table }}
where {{ sqlmetrics.has_measures() }}
{%- endmacro %}

{# A query of how many lists lie in several slices of a state: their parts do not add up to lists. #}
{% macro divided_in_state(relation) -%}
select coalesce(sum(sm_groups_split), 0) from {{ sqlmetrics.from_item(relation) }} where sm_grain = 'whole lists'
{%- endmacro %}

{#
  The statements of a semantic view: a view of the rows that have measures, and metrics over it, in the schema of the
  state.

  Args:
    layer: the layer
    metrics: name, sql and about of each metric
#}
{% macro semantic_view(layer, metrics) -%}
    {%- set name = (layer.table.split('.')[:-1] + [layer.name]) | join('.') -%}
    {%- set dimensions, made = [], [] -%}
    {%- for one in layer.dimensions -%}
        {%- do dimensions.append(
            layer.name ~ '.' ~ one.name ~ ' as ' ~ one.name ~ ' comment = ' ~ sqlmetrics.sql_text(one.title)
        ) -%}
    {%- endfor -%}
    {%- for one in metrics -%}
        {%- do made.append(
            layer.name ~ '.' ~ one['name'] ~ ' as ' ~ one['sql'] ~ ' comment = ' ~ sqlmetrics.sql_text(one['about'])
        ) -%}
    {%- endfor -%}
create or replace view {{ name }}_rows as
{{ layer.query }};

create or replace semantic view {{ name }}_metrics
tables (
    {{ layer.name }} as {{ name }}_rows
)
dimensions (
    {{ dimensions | join(',\n    ') }}
)
metrics (
    {{ made | join(',\n    ') }}
)
comment = {{ sqlmetrics.sql_text(layer.description) }};
{% endmacro %}
