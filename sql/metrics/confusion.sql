{# The cells of the confusion matrix at a threshold, and rates of them. Grain: rows. #}

{#
  True positives: the positive rows that are predicted positive.

  Args:
    threshold: the least score that counts as a positive decision
  Returns: float >= 0, a number of rows; weighted by the row weight
  Undefined: never; 0 without rows
  Errors: a label that is neither 0 nor 1, unless positive= is given
  Example: tp(threshold=0.3)
#}
{% macro metric_tp(plan, threshold=0.5) -%}
    {%- do return(sqlmetrics.value_without_interval(sqlmetrics.sql_double(sqlmetrics.cell(plan, threshold, true, true)))) -%}
{%- endmacro %}

{#
  False positives: the negative rows that are predicted positive.

  Args:
    threshold: the least score that counts as a positive decision
  Returns: float >= 0, a number of rows; weighted by the row weight
  Undefined: never; 0 without rows
  Errors: a label that is neither 0 nor 1, unless positive= is given
  Example: fp
#}
{% macro metric_fp(plan, threshold=0.5) -%}
    {%- do return(sqlmetrics.value_without_interval(sqlmetrics.sql_double(sqlmetrics.cell(plan, threshold, true, false)))) -%}
{%- endmacro %}

{#
  False negatives: the positive rows that are predicted negative.

  Args:
    threshold: the least score that counts as a positive decision
  Returns: float >= 0, a number of rows; weighted by the row weight
  Undefined: never; 0 without rows
  Errors: a label that is neither 0 nor 1, unless positive= is given
  Example: fn
#}
{% macro metric_fn(plan, threshold=0.5) -%}
    {%- do return(sqlmetrics.value_without_interval(sqlmetrics.sql_double(sqlmetrics.cell(plan, threshold, false, true)))) -%}
{%- endmacro %}

{#
  True negatives: the negative rows that are predicted negative.

  Args:
    threshold: the least score that counts as a positive decision
  Returns: float >= 0, a number of rows; weighted by the row weight
  Undefined: never; 0 without rows
  Errors: a label that is neither 0 nor 1, unless positive= is given
  Example: tn
#}
{% macro metric_tn(plan, threshold=0.5) -%}
    {%- do return(sqlmetrics.value_without_interval(sqlmetrics.sql_double(sqlmetrics.cell(plan, threshold, false, false)))) -%}
{%- endmacro %}

{#
  True positive rate: recall under another name.

  Args:
    threshold: the least score that counts as a positive decision
    zero_division: the value without a positive row; none gives null
  Returns: float in [0, 1]; weighted by the row weight
  Undefined: null without a positive row
  Errors: a label that is neither 0 nor 1, unless positive= is given
  Example: tpr
#}
{% macro metric_tpr(plan, threshold=0.5, zero_division=none) -%}
    {%- do return(sqlmetrics.metric_recall(plan, threshold=threshold, zero_division=zero_division)) -%}
{%- endmacro %}

{#
  Sensitivity: recall under another name.

  Args:
    threshold: the least score that counts as a positive decision
    zero_division: the value without a positive row; none gives null
  Returns: float in [0, 1]; weighted by the row weight
  Undefined: null without a positive row
  Errors: a label that is neither 0 nor 1, unless positive= is given
  Example: sensitivity
#}
{% macro metric_sensitivity(plan, threshold=0.5, zero_division=none) -%}
    {%- do return(sqlmetrics.metric_recall(plan, threshold=threshold, zero_division=zero_division)) -%}
{%- endmacro %}

{#
  True negative rate: specificity under another name.

  Args:
    threshold: the least score that counts as a positive decision
    zero_division: the value without a negative row; none gives null
  Returns: float in [0, 1]; weighted by the row weight
  Undefined: null without a negative row
  Errors: a label that is neither 0 nor 1, unless positive= is given
  Example: tnr
#}
{% macro metric_tnr(plan, threshold=0.5, zero_division=none) -%}
    {%- do return(sqlmetrics.metric_specificity(plan, threshold=threshold, zero_division=zero_division)) -%}
{%- endmacro %}

{#
  False positive rate: the share of negative rows that are predicted positive, 1 - specificity.

  Args:
    threshold: the least score that counts as a positive decision
    zero_division: the value without a negative row; none gives null
  Returns: float in [0, 1]; weighted by the row weight
  Undefined: null without a negative row
  Errors: a label that is neither 0 nor 1, unless positive= is given
  Example: fpr
#}
{% macro metric_fpr(plan, threshold=0.5, zero_division=none) -%}
    {%- set part = sqlmetrics.cell(plan, threshold, true, false) -%}
    {%- do return(sqlmetrics.row_share(plan, part, part ~ ' + ' ~ sqlmetrics.cell(plan, threshold, false, false), zero_division)) -%}
{%- endmacro %}

{#
  False negative rate, the miss rate: the share of positive rows that are predicted negative, 1 - recall.

  Args:
    threshold: the least score that counts as a positive decision
    zero_division: the value without a positive row; none gives null
  Returns: float in [0, 1]; weighted by the row weight
  Undefined: null without a positive row
  Errors: a label that is neither 0 nor 1, unless positive= is given
  Example: fnr
#}
{% macro metric_fnr(plan, threshold=0.5, zero_division=none) -%}
    {%- set part = sqlmetrics.cell(plan, threshold, false, true) -%}
    {%- do return(sqlmetrics.row_share(plan, part, part ~ ' + ' ~ sqlmetrics.cell(plan, threshold, true, true), zero_division)) -%}
{%- endmacro %}

{#
  Negative predictive value: the share of negative decisions that are right.

  Args:
    threshold: the least score that counts as a positive decision
    zero_division: the value without a negative decision; none gives null
  Returns: float in [0, 1]; weighted by the row weight
  Undefined: null without a negative decision
  Errors: a label that is neither 0 nor 1, unless positive= is given
  Example: npv
#}
{% macro metric_npv(plan, threshold=0.5, zero_division=none) -%}
    {%- set part = sqlmetrics.cell(plan, threshold, false, false) -%}
    {%- do return(sqlmetrics.row_share(plan, part, part ~ ' + ' ~ sqlmetrics.cell(plan, threshold, false, true), zero_division)) -%}
{%- endmacro %}

{#
  False discovery rate: the share of positive decisions that are wrong, 1 - precision.

  Args:
    threshold: the least score that counts as a positive decision
    zero_division: the value without a positive decision; none gives null
  Returns: float in [0, 1]; weighted by the row weight
  Undefined: null without a positive decision
  Errors: a label that is neither 0 nor 1, unless positive= is given
  Example: false_discovery_rate
#}
{% macro metric_false_discovery_rate(plan, threshold=0.5, zero_division=none) -%}
    {%- set part = sqlmetrics.cell(plan, threshold, true, false) -%}
    {%- do return(sqlmetrics.row_share(plan, part, part ~ ' + ' ~ sqlmetrics.cell(plan, threshold, true, true), zero_division)) -%}
{%- endmacro %}

{#
  False omission rate: the share of negative decisions that are wrong, 1 - npv.

  Args:
    threshold: the least score that counts as a positive decision
    zero_division: the value without a negative decision; none gives null
  Returns: float in [0, 1]; weighted by the row weight
  Undefined: null without a negative decision
  Errors: a label that is neither 0 nor 1, unless positive= is given
  Example: false_omission_rate
#}
{% macro metric_false_omission_rate(plan, threshold=0.5, zero_division=none) -%}
    {%- set part = sqlmetrics.cell(plan, threshold, false, true) -%}
    {%- do return(sqlmetrics.row_share(plan, part, part ~ ' + ' ~ sqlmetrics.cell(plan, threshold, false, false), zero_division)) -%}
{%- endmacro %}
