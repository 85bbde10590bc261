{#
  What the decisions of a binary score cost or bring. Grain: rows.

  Task: Binary classification
#}

{#
  Cost of the decisions at a threshold: (fp * false positives + fn * false negatives) / rows, the mean cost of a row.

  Formula: \text{cost} = \frac{\text{fp} \cdot \text{FP} + \text{fn} \cdot \text{FN}}{W}
  Args:
    fp: the cost of a false positive, a number >= 0
    fn: the cost of a false negative, a number >= 0
  Returns: float; weighted by the row weight
  Better: lower
  Range: [0, inf)
  Unit: none
  Undefined: null if there are no rows
  Traps: with fp=1 and fn=1 it is error_rate; the threshold that fits the costs is fp / (fp + fn) for calibrated
    scores, and 0.5 only if fp = fn; it depends on the share of positive rows, so values of sampled data do not
    carry over
  Errors: a label other than 0 and 1, unless positive= is given; a negative cost
  Source: Elkan (2001), The foundations of cost-sensitive learning
  Example: cost(threshold=0.2, fp=1, fn=5)
#}
{% macro metric_cost(plan, threshold=0.5, fp=1, fn=1) -%}
    {{- sqlmetrics.number(plan, 'fp', fp, 0) -}}
    {{- sqlmetrics.number(plan, 'fn', fn, 0) -}}
    {%- set costs = fp ~ ' * ' ~ sqlmetrics.cell(plan, threshold, true, false) ~ ' + ' ~ fn ~ ' * '
        ~ sqlmetrics.cell(plan, threshold, false, true) -%}
    {%- do return(sqlmetrics.row_ratio(plan, '(' ~ costs ~ ')', sqlmetrics.row_total(plan))) -%}
{%- endmacro %}

{#
  Net benefit at a threshold: (true positives - false positives * threshold / (1 - threshold)) / rows. Who acts at a
  probability of 0.2 takes four false positives for one true one; a false positive then counts a quarter. Acting on no
  row has net benefit 0. The curve `net_benefit` has all thresholds, and acting on every row.

  Formula: \text{net benefit} = \frac{\text{TP}}{W} - \frac{\text{FP}}{W} \cdot \frac{t}{1 - t}
  Args:
    threshold: the probability at which one would act, in [0, 1); rows that score at least this are predicted positive
  Returns: float; weighted by the row weight
  Better: higher
  Range: (-inf, 1]
  Unit: none
  Undefined: null if there are no rows
  Traps: the threshold sets what a false positive counts, so values of different thresholds are not comparable;
    its greatest value is the base rate, so those of different data are not either; a value above 0 may be less
    than that of acting on every row; scores that are not calibrated are cut at a wrong place
  Errors: a label other than 0 and 1, unless positive= is given; a score outside [0, 1]; threshold outside [0, 1)
  Source: Vickers and Elkin (2006), doi:10.1177/0272989X06295361
  Example: net_benefit(threshold=0.2)
#}
{% macro metric_net_benefit(plan, threshold=0.5) -%}
    {{- sqlmetrics.number(plan, 'threshold', threshold, 0, 1) -}}
    {%- if threshold == 1 -%}
        {{- sqlmetrics.refuse_metric(plan, "threshold must be below 1, where no mistake is worth an act") -}}
    {%- endif -%}
    {%- set odds = sqlmetrics.ratio(threshold, '(1 - ' ~ threshold ~ ')') -%}
    {%- if plan['asked']['predicted_by'] == 'score' -%}{%- do sqlmetrics.probability_of(plan) -%}{%- endif -%}
    {%- set benefit = sqlmetrics.cell(plan, threshold, true, true) ~ ' - ' ~ odds ~ ' * '
        ~ sqlmetrics.cell(plan, threshold, true, false) -%}
    {%- do return(sqlmetrics.row_ratio(plan, '(' ~ benefit ~ ')', sqlmetrics.row_total(plan))) -%}
{%- endmacro %}
