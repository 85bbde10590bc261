{#
  The questions of `evaluate` with total_of='slices': the values of the slices, and the mean of them in place of the
  total.
#}

{# The question of the values, whose last row is the mean; on a board by the keys of slice and model. #}
{% macro question_of_mean_of_slices(on_board=false, common=false) -%}
    {%- do return(sqlmetrics.question(
        select=sqlmetrics.result_of_slices, query=sqlmetrics.query_of_mean_of_slices, order=none, has_total=true,
        counts=not on_board, hints=not on_board, call='leaderboard' if on_board else 'evaluate',
        common_units=common, own={'spreads': none, 'on_board': on_board}
    )) -%}
{%- endmacro %}

{# The question of how much the mean of slices varies: from what each unit adds to the metrics of each slice. #}
{% macro question_of_spreads_of_slices(common=false) -%}
    {%- do return(sqlmetrics.question(
        keeps='units', value=sqlmetrics.add_to_mean_of_slices, stages=sqlmetrics.stages_of_spreads_of_slices,
        select=sqlmetrics.result_of_spreads_of_slices, order=none, counts=false, checks=false, hints=false,
        names_units=true, counts_classes=false, common_units=common,
        own={'test': 't', 'call': 'evaluate', 'pairs': 'matched', 'alike': false}
    )) -%}
{%- endmacro %}
