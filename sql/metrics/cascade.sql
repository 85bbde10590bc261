{#
  Metrics of ranked lists under a cascade model: the user reads downwards and stops with a probability set by
  the grade. Grain: lists.

  Task: Search and ranking
#}

{#
  Expected reciprocal rank: the expected 1/rank at which a cascading user stops. An item of grade g stops the
  user with probability (2^g - 1) / 2^max_grade.

  Tied scores are put in the pessimistic order (lower grade first) unless `ties` sets another, because the
  expectation over random orders has no closed form.

  Formula: \text{ERR}_q = \sum_{r=1}^{k} \frac{\theta_r}{r} \prod_{j=1}^{r-1} (1 - \theta_j)
    \theta_r = \frac{2^{\max(y_r, 0)} - 1}{2^{\text{max_grade}}}
  Returns: float
  Better: higher
  Range: [0, 1)
  Unit: none
  Undefined: a list without a relevant item, listed or not, counts as empty (see on_empty)
  Traps: grades have to be on the scale that max_grade names; a wrong scale gives a plausible number
  Errors: k < 1; no max_grade (Python and the command line take 1 for boolean and text labels); a label above
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
    {%- do return(sqlmetrics.list_metric(plan, err, '1', sqlmetrics.lacks_relevant(plan), **kwargs)) -%}
{%- endmacro %}

{# The probability that an item of this grade ends the search. #}
{% macro stop_chance(plan) -%}
{%- set gain = sqlmetrics.sql_power_of_2(sqlmetrics.grade_of(plan)) ~ ' - 1' -%}
{%- set scale = sqlmetrics.sql_power_of_2(plan['facts']['max_grade']) -%}
((case when {label} <= {{ plan['facts']['max_grade'] }} then {{ gain }} end) / {{ scale }})
{%- endmacro %}
