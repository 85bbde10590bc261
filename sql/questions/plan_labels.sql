{#
  The question of `plan_labels`: how many labels by people each slice should get. Its models are the arms of gold=
  (inference/arms.sql), of one model of the user's.

  Args:
    budget: the number of labels
    draws: true if rows are drawn by it, which needs neither counts nor widths
#}
{% macro question_of_labels(budget, draws) -%}
    {%- do return(sqlmetrics.question(
        keeps='units', value=sqlmetrics.add_corrected, counts=not draws, checks=not draws,
        stages=sqlmetrics.stages_to_labels if draws else sqlmetrics.stages_of_labels,
        select=sqlmetrics.result_of_labels, order=none, names_models=false, names_units=true, finds_units=true,
        arms=['people', 'judge', 'all'], comes_numbered=true, counts_classes=false, has_total=true,
        call='plan_labels',
        own={'test': 't', 'call': 'plan_labels', 'pairs': 'baseline', 'alike': false, 'of_pairs': false,
            'budget': budget}
    )) -%}
{%- endmacro %}
