{# Metrics of ranked lists read by a user who stops with a chance that the grade sets. Grain: lists. #}

{#
  Expected reciprocal rank: the chance-weighted 1/rank at which a cascading user stops; a grade g stops
  with chance (2^g - 1) / 2^max_grade.

  Tied scores take the pessimistic order, lower grade first, unless `ties` says otherwise: the expectation has no
  closed form.

  Args:
    k: cutoff in items, integer >= 1; none takes the whole list
  Returns: float in [0, 1)
  Undefined: a list without a relevant item, listed or not, is empty (see on_empty)
  Errors: k < 1; no max_grade (in Python and on the command line it is 1 for boolean and text labels); a label above
    max_grade; a negative label
  Source: Chapelle, Metzler, Zhang, Grinspan (CIKM 2009), doi:10.1145/1645953.1646033
  Example: err@10
#}
{% macro metric_err(plan, k=none) -%}
    {{- sqlmetrics.within_max_grade(plan) -}}
    {%- set rank = sqlmetrics.pessimistic_rank(plan) -%}
    {%- set stops = sqlmetrics.stop_chance(plan) ~ ' * {reached} / ' ~ rank -%}
    {%- set err = sqlmetrics.item_sum(
        plan, k, 'err' ~ sqlmetrics.cutoff_suffix(plan, k),
        stops if k is none else 'case when ' ~ rank ~ ' <= ' ~ k ~ ' then ' ~ stops ~ ' else 0 end'
    ) -%}
    {%- do return(sqlmetrics.list_metric(plan, err, '1', sqlmetrics.relevant_of_list(plan) ~ ' = 0', **kwargs)) -%}
{%- endmacro %}

{# The chance that an item of this grade ends the search. #}
{% macro stop_chance(plan) -%}
((case when {label} <= {{ plan['max_grade'] }} then {{ sqlmetrics.sql_power_of_2(sqlmetrics.grade_of(plan)) }} - 1 end) / {{ sqlmetrics.sql_power_of_2(plan['max_grade']) }})
{%- endmacro %}
