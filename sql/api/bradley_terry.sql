{#
  The win matrix of battles between models: how many battles of two models ended how. `sqlmetrics.bradley_terry` in
  Python fits the strengths of models to it.

  Args:
    relation: a table or CTE name, a dbt relation, or a query; raw battles, or counted ones with `weight`
    model_a, model_b: columns or expressions with the names of the two models of a battle
    winner: a column or expression: model_a, model_b, or tie
    cluster: a column or expression of what battles share, such as their prompt; none if they are independent
    weight: the column of counts, if a row stands for several battles
    read_once, where: as for `evaluate`
  Returns: a query. For each winner (and cluster) it has the columns winner (and cluster), the audit counts and a
    row for each pair that occurs: model_a, model_b and n_battles
  Errors: no column for a model or the winner
  Source: Bradley and Terry (1952), doi:10.1093/biomet/39.3-4.324; ties: Davidson (1970),
    doi:10.1080/01621459.1970.10481082
  Example: {{ sqlmetrics.bradley_terry(ref('battles')) }}
#}
{% macro bradley_terry(relation, model_a='model_a', model_b='model_b', winner='winner', cluster=none) -%}
    {%- set given = sqlmetrics.options_taken('bradley_terry', kwargs) -%}
    {%- for role, text in {'model_a': model_a, 'model_b': model_b, 'winner': winner}.items() if text is not string -%}
        {{- sqlmetrics.refuse(
            "sqlmetrics.bradley_terry: " ~ role ~ "= takes a column or an SQL expression, got " ~ text
        ) -}}
    {%- endfor -%}
    {%- set by = {'winner': winner} -%}
    {%- if cluster is not none -%}{%- do by.update({'cluster': cluster}) -%}{%- endif -%}
    {{- sqlmetrics.statement_of(sqlmetrics.bradley_terry_plan(
        relation=relation, label=model_a, prediction=model_b, by=by, total=false, **given
    )) -}}
{%- endmacro %}

{# The plan of `bradley_terry`: the cells of the two models, in slices of the winner. #}
{% macro bradley_terry_plan() -%}
    {%- set plan = sqlmetrics.empty_plan(sqlmetrics.question_of_points('bradley_terry'), **kwargs) -%}
    {%- do sqlmetrics.ask(plan, 'bradley_terry') -%}
    {%- do plan.update({
        'points': sqlmetrics.stage_cells(plan) ~ ',\n\n' ~ sqlmetrics.stage_of_battles(plan),
        'point_order': ['sm_points.sm_class asc', 'sm_points.sm_predicted asc'],
    }) -%}
    {%- do plan['result'].update({'columns': [
        {'name': 'model_a', 'value': 'sm_class', 'any_type': true, 'of': 'label'},
        {'name': 'model_b', 'value': 'sm_predicted', 'any_type': true, 'of': 'prediction'},
        {'name': 'n_battles', 'value': 'sm_battles', 'integer': plan['facts']['weight'] is none, 'counts': true},
    ]}) -%}
    {%- do return(plan) -%}
{%- endmacro %}

{# sm_points: the battles of each pair of models. #}
{% macro stage_of_battles(plan) -%}
-- the battles of each pair
sm_points as (
    select
        {{- sqlmetrics.lines(
            plan['facts']['keys'] + ['sm_class', 'sm_predicted', 'sm_weight as sm_battles'], 8
        ) }}
    from sm_cells
)
{%- endmacro %}
