{#
  The question of a bootstrap: the metrics alone, in each of many replicates of the data.

  Args:
    draws: the number of replicates
    redrawn: how many of them are drawn from once more
#}
{% macro question_of_replicates(draws, redrawn=0) -%}
    {%- do return(sqlmetrics.question(
        draws=draws, keys=['sm_replicate'], order=none, scores=sqlmetrics.scores_of_draws, counts=false, hints=false,
        own={'redrawn': redrawn}
    )) -%}
{%- endmacro %}

{# The scores of all models, by which rows are numbered: a row has one number for all of them. #}
{% macro scores_of_draws(plan, model) -%}
    {%- set scores = {} -%}
    {%- if plan['facts']['group'] is none and plan['facts']['models'] | length > 1 -%}
        {%- for model in plan['facts']['models'] if model['score'] is not none -%}
            {%- do scores.update({'sm_score_' ~ loop.index: model['score']}) -%}
        {%- endfor -%}
    {%- endif -%}
    {%- do return(scores) -%}
{%- endmacro %}
