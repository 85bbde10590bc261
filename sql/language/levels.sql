{#
  Score levels, or the bins that replace them, from the highest score down. Templates here read the columns of the grain
  `levels` (plan/columns.sql).
#}

{#
  A sum over score levels, or over bins.

  Args:
    x: a template over a level. Unless `whole`, it is also a sum over the rows of a level
    bins: the number of bins, instead of levels
    whole: true if x needs a level as one row
#}
{% macro level_sum(plan, name, x, bins=none, whole=false, aggregate='sum') -%}
    {%- for role in ('label', 'score') -%}{{- sqlmetrics.need_role(plan, role) -}}{%- endfor -%}
    {%- if bins is not none -%}
        {%- do sqlmetrics.probability_of(plan) -%}
        {%- do return(sqlmetrics.need(
            plan, sqlmetrics.bins_grain(plan, bins), name ~ '_' ~ bins ~ '_bins', x, aggregate
        )) -%}
    {%- endif -%}
    {%- do return(sqlmetrics.need(plan, 'levels', name, x, aggregate, {'whole': true} if whole else {})) -%}
{%- endmacro %}

{# The greatest value of a template over score levels, or bins. #}
{% macro level_max(plan, name, x, bins=none) -%}
    {{- sqlmetrics.level_sum(plan, name, x, bins, aggregate='max') -}}
{%- endmacro %}

{# The part of a level, from `above` to `through`, that is not below a limit. #}
{% macro level_part_within(limit, above, through) -%}
    {%- set part = sqlmetrics.ratio(limit ~ ' - ' ~ above, through ~ ' - ' ~ above) -%}
    case when {{ through }} <= {{ limit }} then 1 when {{ above }} >= {{ limit }} then 0 else {{ part }} end
{%- endmacro %}

{#
  Counts of a whole level. Without weights they are differences of its columns, which are exact. With weights they are
  columns, each a sum of its own, since the difference of two large sums has no digits left of a small one.
#}
{% macro level_negatives(plan) -%}
    {{ '({level_rows} - {level_positives})' if plan['facts']['weight'] is none else '{level_negatives}' }}
{%- endmacro %}
{% macro level_positives_above(plan) -%}
    {{ '({positives_through} - {level_positives})' if plan['facts']['weight'] is none else '{positives_above}' }}
{%- endmacro %}
{% macro level_negatives_above(plan) -%}
    {{ '({above} - ({positives_through} - {level_positives}))' if plan['facts']['weight'] is none
        else '{negatives_above}' }}
{%- endmacro %}
{% macro level_negatives_through(plan) -%}
    {{ '({through} - {positives_through})' if plan['facts']['weight'] is none else '{negatives_through}' }}
{%- endmacro %}

{# True if the variance of AUC has a closed form: not if the interval comes from resamples. #}
{% macro auc_has_variance(plan) -%}
    {%- do return(plan['facts']['interval'] is not none and plan['facts']['interval_method'] != 'bootstrap') -%}
{%- endmacro %}
