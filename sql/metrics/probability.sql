{# Metrics of a binary label and a score that is read as its probability. Grain: rows. #}

{#
  Log loss (cross-entropy): the mean of -ln p for positive rows and -ln(1 - p) for the others.

  Args:
    eps: scores are clipped to [eps, 1 - eps], so that a certain and wrong score costs -ln(eps)
  Returns: float >= 0, in nats; weighted by the row weight
  Undefined: null without rows
  Errors: a label that is neither 0 nor 1, unless positive= is given; a score outside [0, 1]; eps outside (0, 0.5]
  Source: scikit-learn, log_loss
  Example: log_loss
#}
{% macro metric_log_loss(plan, eps=1e-15) -%}
    {{- sqlmetrics.number(plan, 'eps', eps, 1e-300, 0.5) -}}
    {%- set p = 'case when ' ~ sqlmetrics.is_positive(plan) ~ ' then ' ~ sqlmetrics.probability_of(plan) ~ ' else 1 - sm_score end' -%}
    {%- set clipped = 'case when ' ~ p ~ ' < ' ~ eps ~ ' then ' ~ eps ~ ' when ' ~ p ~ ' > 1 - ' ~ eps ~ ' then 1 - ' ~ eps ~ ' else ' ~ p ~ ' end' -%}
    {{- sqlmetrics.row_mean(plan, 'log_loss', '-' ~ sqlmetrics.sm_ln(sqlmetrics.sm_double(clipped))) -}}
{%- endmacro %}

{#
  Brier score: the mean squared difference of probability and label.

  Returns: float in [0, 1]; weighted by the row weight
  Undefined: null without rows
  Errors: a label that is neither 0 nor 1, unless positive= is given; a score outside [0, 1]
  Source: Brier (1950), Verification of forecasts expressed in terms of probability
  Example: brier
#}
{% macro metric_brier(plan) -%}
    {%- set difference = '(' ~ sqlmetrics.probability_of(plan) ~ ' - ' ~ sqlmetrics.positive_of(plan) ~ ')' -%}
    {{- sqlmetrics.row_mean(plan, 'brier', difference ~ ' * ' ~ difference) -}}
{%- endmacro %}
