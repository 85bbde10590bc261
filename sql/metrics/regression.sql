{# Metrics of a numeric label (the target) and a score (the prediction). Grain: rows. #}

{#
  Mean squared error.

  Returns: float >= 0, in squared units of the label; weighted by the row weight
  Undefined: null without rows
  Example: mse
#}
{% macro metric_mse(plan) -%}
    {{- sqlmetrics.row_mean(plan, 'squared_error', sqlmetrics.residual(plan) ~ ' * ' ~ sqlmetrics.residual(plan)) -}}
{%- endmacro %}

{#
  Root mean squared error.

  Returns: float >= 0, in units of the label; weighted by the row weight
  Undefined: null without rows
  Example: rmse
#}
{% macro metric_rmse(plan) -%}sqrt({{ sqlmetrics.metric_mse(plan) }}){%- endmacro %}

{#
  Mean absolute error.

  Returns: float >= 0, in units of the label; weighted by the row weight
  Undefined: null without rows
  Example: mae
#}
{% macro metric_mae(plan) -%}
    {{- sqlmetrics.row_mean(plan, 'absolute_error', 'abs(' ~ sqlmetrics.residual(plan) ~ ')') -}}
{%- endmacro %}

{#
  Bias: the mean of score - label; positive where the score is too high.

  Returns: float, in units of the label; weighted by the row weight
  Undefined: null without rows
  Example: bias
#}
{% macro metric_bias(plan) -%}
    {{- sqlmetrics.row_mean(plan, 'error', sqlmetrics.residual(plan)) -}}
{%- endmacro %}

{#
  Coefficient of determination: 1 - squared error / squared deviation of the label from its mean.

  Returns: float <= 1, unbounded below; weighted by the row weight
  Undefined: null without rows, or where the label is constant
  Source: scikit-learn, r2_score
  Example: r2
#}
{% macro metric_r2(plan) -%}
    {%- set mean = sqlmetrics.row_mean(plan, 'labels', sqlmetrics.label_of(plan)) -%}
    {%- set squared_error = sqlmetrics.row_sum(plan, 'squared_error', sqlmetrics.residual(plan) ~ ' * ' ~ sqlmetrics.residual(plan)) -%}
    {#- about the mean itself: the difference of two large sums would lose the digits -#}
    {%- set deviation = sqlmetrics.need(
        plan, 'centred', 'squared_deviation', sqlmetrics.weighted(plan, '(sm_label - ' ~ mean ~ ') * (sm_label - ' ~ mean ~ ')')
    ) -%}
    {#- by the labels themselves: the deviation from a rounded mean of equal labels need not be 0 -#}
    {%- set counted = 'sm_label' if plan['weight'] is none else 'case when sm_weight > 0 then sm_label end' -%}
    case when {{ sqlmetrics.need(plan, 'rows', 'least_label', counted, 'min') }} < {{ sqlmetrics.need(plan, 'rows', 'greatest_label', counted, 'max') }} then 1 - {{ sqlmetrics.ratio(squared_error, deviation) }} end
{%- endmacro %}

{# score - label #}
{% macro residual(plan) -%}({{ sqlmetrics.score_of(plan) }} - {{ sqlmetrics.label_of(plan) }}){%- endmacro %}
