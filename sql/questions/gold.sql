{#
  The question of `evaluate` with gold=: metrics by the labels of a machine, corrected by those of people. The models
  of its plan are arms (inference/arms.sql), which have the rows and labels of each part of the corrected value. Units
  stand side by side as those of compared models do.

  Args:
    named: whether the user's models have names
#}
{% macro question_of_gold(named) -%}
    {%- do return(sqlmetrics.question(
        keeps='units', value=sqlmetrics.add_corrected, stages=sqlmetrics.stages_of_corrected,
        select=sqlmetrics.result_of_corrected, order=none, names_models=named, names_units=true,
        comes_numbered=true, own={'test': 't', 'call': 'evaluate', 'pairs': 'baseline', 'alike': false}
    )) -%}
{%- endmacro %}
