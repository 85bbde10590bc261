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

{#
  The plan of `bradley_terry`: the cells of the two models, in slices of the winner. With group=, the column of what
  battles share, models have numbers, place_a and place_b, which `bradley_terry_clusters_plan` knows them by.
#}
{% macro bradley_terry_plan(group=none) -%}
    {%- set plan = sqlmetrics.empty_plan(sqlmetrics.question_of_points('bradley_terry'), group=group, **kwargs) -%}
    {%- do sqlmetrics.ask(plan, 'bradley_terry') -%}
    {%- do plan.update({
        'points': sqlmetrics.stage_cells(plan) ~ ',\n\n'
            ~ (sqlmetrics.stage_models_of_battles() ~ ',\n\n' if group is not none) ~ sqlmetrics.stage_of_battles(plan),
        'point_order': ['sm_points.sm_class asc', 'sm_points.sm_predicted asc'],
    }) -%}
    {%- do plan['result'].update({'columns': [
        {'name': 'model_a', 'value': 'sm_class', 'any_type': true, 'of': 'label'},
        {'name': 'model_b', 'value': 'sm_predicted', 'any_type': true, 'of': 'prediction'},
        {'name': 'n_battles', 'value': 'sm_battles', 'integer': plan['facts']['weight'] is none, 'counts': true},
    ] + ([
        {'name': 'place_a', 'value': 'sm_place_a', 'integer': true},
        {'name': 'place_b', 'value': 'sm_place_b', 'integer': true},
    ] if group is not none else [])}) -%}
    {%- do return(plan) -%}
{%- endmacro %}

{# What a winner may be -> the outcome: 0 if the first model won, 1 if it lost, 2 for a tie. #}
{% macro outcomes_of_battles() -%}
    {%- do return({'model_a': 0, 'model_b': 1, 'tie': 2, 'tie (bothbad)': 2, 'both_bad': 2}) -%}
{%- endmacro %}

{# sm_points: the battles of each pair of models. #}
{% macro stage_of_battles(plan) -%}
{%- set columns = plan['facts']['keys'] + ['sm_class', 'sm_predicted', 'sm_weight as sm_battles'] -%}
{%- set numbered = plan['facts']['group'] is not none -%}
-- the battles of each pair
sm_points as (
    select
        {{- sqlmetrics.lines(
            columns + (['sm_of_a.sm_place as sm_place_a', 'sm_of_b.sm_place as sm_place_b'] if numbered else []), 8
        ) }}
    from sm_cells
    {%- if numbered %}
    inner join sm_models_of_battles as sm_of_a on sm_class = sm_of_a.sm_name
    inner join sm_models_of_battles as sm_of_b on sm_predicted = sm_of_b.sm_name
    {%- endif %}
)
{%- endmacro %}

{#
  sm_models_of_battles: a number from 1 on for each model (sm_name, sm_place).

  Args:
    source: where their names are, sm_class and sm_predicted
#}
{% macro stage_models_of_battles(source='sm_cells') -%}
-- a number for each model
sm_models_of_battles as{{ sqlmetrics.sql_cte_shared() }} (
    select
        sm_name,
        {{ sqlmetrics.sql_short_integer('row_number() over (order by sm_name asc)') }} as sm_place
    from (
        select distinct sm_class as sm_name from {{ source }}
        union all
        select distinct sm_predicted as sm_name from {{ source }}
    ) as sm_both_names
    group by sm_name
)
{%- endmacro %}

{#
  The plan of what the sandwich variance of clusters needs: the derivatives of the log-likelihood, summed over each
  cluster, and the sums of their products over the clusters.

  Args:
    strengths: number of a model, as `bradley_terry_plan` gives it -> its fitted strength; battles of other models do
      not count
    nu: the fitted parameter of ties, none without ties
  Returns: a plan of a query: place_a, place_b (place_a <= place_b; 0 is log(nu)), product, and n_clusters in each row
#}
{% macro bradley_terry_clusters_plan(strengths, nu) -%}
    {%- set plan = sqlmetrics.empty_plan(sqlmetrics.question(
        keeps='points', stages=sqlmetrics.stages_of_battles_by_cluster, order=none,
        select=sqlmetrics.result_of_battles_by_cluster, own={'strengths': strengths, 'nu': nu},
        call='bradley_terry'
    ), **kwargs) -%}
    {%- do sqlmetrics.ask(plan, 'bradley_terry') -%}
    {%- do plan['result'].update({'columns': [
        {'name': 'place_a', 'value': 'sm_place_a', 'integer': true},
        {'name': 'place_b', 'value': 'sm_place_b', 'integer': true},
        {'name': 'product', 'value': 'sm_product'},
        {'name': 'n_clusters', 'value': 'sm_n_clusters', 'integer': true},
    ]}) -%}
    {%- do return(plan) -%}
{%- endmacro %}

{#
  sm_moves: for each cluster and model the derivative by the strength of the model (sm_move). sm_clusters: for each
    cluster that by log(nu) (sm_of_ties). sm_products: the products of two derivatives, summed over the clusters.

  With the difference d of two strengths a win, a loss and a tie have the odds exp(d / 2) : exp(-d / 2) : nu.
#}
{% macro stages_of_battles_by_cluster(plan) -%}
{%- set own, weight = plan['question']['own'], sqlmetrics.filled(plan, sqlmetrics.row_weight(plan)) -%}
{%- set strengths, outcomes = [], [] -%}
{%- for place, strength in own['strengths'].items() -%}
    {%- do strengths.append(
        'select ' ~ place ~ ' as sm_place, ' ~ sqlmetrics.sql_double(strength) ~ ' as sm_strength'
    ) -%}
{%- endfor -%}
{%- for winner, outcome in sqlmetrics.outcomes_of_battles().items() -%}
    {%- do outcomes.append('when ' ~ sqlmetrics.sql_text(winner) ~ ' then ' ~ outcome) -%}
{%- endfor -%}
{%- set nu = sqlmetrics.sql_double(own['nu'] or 0) -%}
{%- set all = '(sm_odds + 1 / sm_odds + ' ~ nu ~ ')' -%}
{%- set of_a = '(case sm_outcome when 0 then 0.5 when 1 then -0.5 else 0 end - (sm_odds - 1 / sm_odds) / (2 * ' ~ all
    ~ '))' -%}
{%- set of_ties = '(case sm_outcome when 2 then 1 else 0 end - ' ~ nu ~ ' / ' ~ all ~ ')' -%}
{%- set stage -%}
-- the models with a strength
sm_fitted as{{ sqlmetrics.sql_cte_shared() }} (
    select sm_name, sm_models_of_battles.sm_place, sm_strength
    from sm_models_of_battles
    inner join (
        {{ strengths | join('\n        union all ') }}
    ) as sm_strengths on sm_models_of_battles.sm_place = sm_strengths.sm_place
),

-- the derivatives of the log-likelihood, a row for each cluster and model
sm_moves as{{ sqlmetrics.sql_cte_shared() }} (
    select sm_group, sm_place, sum(sm_move) as sm_move, sum(sm_of_tie) as sm_of_tie
    from (
        select
            sm_group,
            case sm_side when 1 then sm_place_a else sm_place_b end as sm_place,
            sm_of_battles * case sm_side when 1 then {{ of_a }} else 0 - {{ of_a }} end as sm_move,
            {#- of each battle once #}
            {{ 'sm_of_battles * case sm_side when 1 then ' ~ of_ties ~ ' else 0 end' if own['nu'] is not none
                else '0' }} as sm_of_tie
        from (
            select
                sm_group, sm_of_a.sm_place as sm_place_a, sm_of_b.sm_place as sm_place_b,
                {{ weight }} as sm_of_battles,
                case {{ plan['facts']['by'][0]['column'] }} {{ outcomes | join(' ') }} end as sm_outcome,
                exp((sm_of_a.sm_strength - sm_of_b.sm_strength) / 2) as sm_odds
            from sm_rows
            inner join sm_fitted as sm_of_a on sm_class = sm_of_a.sm_name
            inner join sm_fitted as sm_of_b on sm_predicted = sm_of_b.sm_name
            where sm_problem = 0 and sm_of_a.sm_place <> sm_of_b.sm_place
        ) as sm_told
        cross join (select 1 as sm_side union all select 2 as sm_side) as sm_sides
        where sm_outcome is not null and sm_of_battles > 0
    ) as sm_moved
    group by sm_group, sm_place
),

-- the derivative by the log of the parameter of ties, a row for each cluster
sm_clusters as{{ sqlmetrics.sql_cte_shared() }} (
    select sm_group, sum(sm_of_tie) as sm_of_ties
    from sm_moves
    group by sm_group
),

-- the products of derivatives, summed over the clusters
sm_products as (
    select
        sm_one.sm_place as sm_place_a, sm_other.sm_place as sm_place_b,
        sum(sm_one.sm_move * sm_other.sm_move) as sm_product
    from sm_moves as sm_one
    inner join sm_moves as sm_other on sm_one.sm_group = sm_other.sm_group
    where sm_one.sm_place <= sm_other.sm_place
    group by sm_one.sm_place, sm_other.sm_place
    {%- if own['nu'] is not none %}
    union all
    select 0 as sm_place_a, sm_place as sm_place_b, sum(sm_move * sm_of_ties) as sm_product
    from sm_moves
    inner join sm_clusters on sm_moves.sm_group = sm_clusters.sm_group
    group by sm_place
    union all
    select 0 as sm_place_a, 0 as sm_place_b, sum(sm_of_ties * sm_of_ties) as sm_product
    from sm_clusters
    {%- endif %}
)
{%- endset -%}
{%- do return([sqlmetrics.stage_models_of_battles('sm_rows\n        where sm_problem = 0'), stage]) -%}
{%- endmacro %}

{# The last select: the products of derivatives, summed over clusters. #}
{% macro result_of_battles_by_cluster(plan) -%}
{%- set columns = [] -%}
{%- for result in plan['result']['columns'] -%}
    {%- do columns.append(sqlmetrics.result_column(plan, result)) -%}
{%- endfor -%}
select
    {{- sqlmetrics.lines(columns, 4) }}
from sm_products
cross join (select count(*) as sm_n_clusters from sm_clusters) as sm_counted
{%- endmacro %}
