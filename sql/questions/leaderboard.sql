{#
  The question of `leaderboard`: all models in the order of a metric, and how sure their ranks are.

  Args:
    values: the plan of `question_of_values_on_board` for the same models, whose values and intervals stand on the board
    options: what the test of pairs reads: test, correction, family, power, on_unpaired
    means: true if the total is the mean of the slices
    common: true if models are ranked on the units that all of them have
#}
{% macro question_of_leaderboard(values, options, means, common) -%}
    {%- do return(sqlmetrics.question(
        keeps='units', value=sqlmetrics.add_ranked, stages=sqlmetrics.stages_of_leaderboard,
        stages_before=sqlmetrics.stages_of_values_on_board, select=sqlmetrics.result_of_leaderboard, order=none,
        names_models=false, names_units=true, has_total=means, common_units=common,
        own=dict(options, values=values, paired=true, pairs='matched'), call='leaderboard'
    )) -%}
{%- endmacro %}

{# The question of the values on a board: those of `evaluate`, by the keys of slice and model. #}
{% macro question_of_values_on_board(common) -%}
    {%- do return(sqlmetrics.question(
        select=sqlmetrics.result_of_values_on_board, order=none, counts=false, hints=false,
        common_units=common, call='leaderboard'
    )) -%}
{%- endmacro %}
