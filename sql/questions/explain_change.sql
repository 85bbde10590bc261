{#
  The question of `explain_change`: what slices add to the change of a metric. sm_model is 1 in the period before and 2
  in that after.

  Args:
    side: sm_model of a row of one table with both periods, as SQL
    where: the condition on the rows of either period
    base: midpoint or before
#}
{% macro question_of_change(base, side=none, where=none) -%}
    {%- do return(sqlmetrics.question(
        value=sqlmetrics.add_explained, stages=sqlmetrics.stages_of_change, select=sqlmetrics.result_of_change,
        order=none, keys=['sm_model'], has_total=true, model_is_period=true, names_models=false, model=side,
        where=where, hints=false, spreads=true, own={'base': base}, call='explain_change'
    )) -%}
{%- endmacro %}
