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
        arms=['people', 'judge', 'others', 'all'], comes_numbered=true, counts_classes=false,
        own={'test': 't', 'call': 'evaluate', 'pairs': 'baseline', 'alike': false, 'of_pairs': false}
    )) -%}
{%- endmacro %}

{#
  The question of `compare` with gold=: differences of models by the labels of a machine, corrected by those of people.

  Args: options: what tests of pairs read
#}
{% macro question_of_gold_comparison(options) -%}
    {%- do return(sqlmetrics.question(
        keeps='units', value=sqlmetrics.add_corrected, stages=sqlmetrics.stages_of_corrected_pairs,
        select=sqlmetrics.result_of_comparison, order=none, names_models=false, names_units=true,
        arms=['people', 'judge', 'others', 'all'], comes_numbered=true, counts_classes=false,
        own=dict(options, paired=true, alike=false, of_pairs=true), call=options['call']
    )) -%}
{%- endmacro %}
