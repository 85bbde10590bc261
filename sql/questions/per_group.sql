{#
  The question of `per_group`: each list has a result of its own.

  Args:
    list: the alias (SQL) and the name of the column of lists, none in a macro of a shell
#}
{% macro question_of_lists(list=none) -%}
    {%- do return(sqlmetrics.question(
        keeps='lists', value=sqlmetrics.take_value_of_lists, stages=sqlmetrics.stages_per_group,
        select=sqlmetrics.result_per_group, order=none, own=list, call='per_group'
    )) -%}
{%- endmacro %}

{# Rejects a metric that is no mean over lists. #}
{% macro take_value_of_lists(plan, result, value) -%}
    {%- if result['over'] != ['lists'] -%}
        {{- sqlmetrics.refuse(
            "per_group takes metrics of lists, such as ndcg@10 and gauc, not '" ~ result['notation'] ~ "'"
        ) -}}
    {%- endif -%}
{%- endmacro %}
