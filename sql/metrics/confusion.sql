{#
  The cells of the confusion matrix at a threshold, and rates derived from them. Grain: rows.

  Task: Binary classification
  Returns: float; weighted by the row weight
  Undefined: never; 0 if there are no rows
  Errors: a label other than 0 and 1, unless positive= is given
#}

{#
  True positives: the positive rows that are predicted positive.

  Formula: \text{TP} = \sum_i w_i y_i \hat{y}_i
  Better: higher
  Range: [0, inf)
  Unit: rows
  Traps: a count grows with the data; compare rates
  Example: tp(threshold=0.3)
#}
{% macro metric_tp(plan, threshold=0.5) -%}
    {%- do return(sqlmetrics.cell_count(plan, threshold, true, true)) -%}
{%- endmacro %}

{#
  False positives: the negative rows that are predicted positive.

  Formula: \text{FP} = \sum_i w_i (1 - y_i) \hat{y}_i
  Better: lower
  Range: [0, inf)
  Unit: rows
  Traps: a count grows with the data; compare rates
  Example: fp
#}
{% macro metric_fp(plan, threshold=0.5) -%}
    {%- do return(sqlmetrics.cell_count(plan, threshold, true, false)) -%}
{%- endmacro %}

{#
  False negatives: the positive rows that are predicted negative.

  Formula: \text{FN} = \sum_i w_i y_i (1 - \hat{y}_i)
  Better: lower
  Range: [0, inf)
  Unit: rows
  Traps: a count grows with the data; compare rates
  Example: fn
#}
{% macro metric_fn(plan, threshold=0.5) -%}
    {%- do return(sqlmetrics.cell_count(plan, threshold, false, true)) -%}
{%- endmacro %}

{#
  True negatives: the negative rows that are predicted negative.

  Formula: \text{TN} = \sum_i w_i (1 - y_i) (1 - \hat{y}_i)
  Better: higher
  Range: [0, inf)
  Unit: rows
  Traps: a count grows with the data; compare rates
  Example: tn
#}
{% macro metric_tn(plan, threshold=0.5) -%}
    {%- do return(sqlmetrics.cell_count(plan, threshold, false, false)) -%}
{%- endmacro %}

{# A value: a cell of the matrix. It is 0 without a usable row, of which SQL's sum of weights is NULL. #}
{% macro cell_count(plan, threshold, as_positive, is_positive) -%}
    {%- set cell = sqlmetrics.cell(plan, threshold, as_positive, is_positive) -%}
    {%- do return(sqlmetrics.value_without_interval(sqlmetrics.sql_double('coalesce(' ~ cell ~ ', 0)'))) -%}
{%- endmacro %}

{#
  True positive rate: recall under another name.

  Same as: recall
  Args:
    zero_division: value if no row is positive; none gives null
  Undefined: null if no row is positive
  Traps: it is 1 for the answer 'always'; read it beside fpr or precision
  Errors: a label other than 0 and 1, unless positive= is given
  Example: tpr
#}
{% macro metric_tpr(plan, threshold=0.5, zero_division=none) -%}
    {%- do return(sqlmetrics.metric_recall(plan, threshold=threshold, zero_division=zero_division)) -%}
{%- endmacro %}

{#
  Sensitivity: recall under another name.

  Same as: tpr
  Traps: it is 1 for the answer 'always'; read it beside specificity; data of clear cases alone, as in many
    studies, give a higher value than daily practice
  Example: sensitivity
#}
{% macro metric_sensitivity(plan, threshold=0.5, zero_division=none) -%}
    {%- do return(sqlmetrics.metric_recall(plan, threshold=threshold, zero_division=zero_division)) -%}
{%- endmacro %}

{#
  True negative rate: specificity under another name.

  Same as: specificity
  Traps: it is 1 for the answer 'never', and with rare positives near 1 for almost any model; read it beside tpr
  Example: tnr
#}
{% macro metric_tnr(plan, threshold=0.5, zero_division=none) -%}
    {%- do return(sqlmetrics.metric_specificity(plan, threshold=threshold, zero_division=zero_division)) -%}
{%- endmacro %}

{#
  False positive rate: the share of negative rows that are predicted positive, 1 - specificity.

  Formula: \text{FPR} = \frac{\text{FP}}{\text{FP} + \text{TN}}
  Args:
    zero_division: value if no row is negative; none gives null
  Better: lower
  Range: [0, 1]
  Unit: share
  Undefined: null if no row is negative
  Traps: a small rate of many negatives may still be more rows than there are positives; precision shows that
  Example: fpr
#}
{% macro metric_fpr(plan, threshold=0.5, zero_division=none) -%}
    {%- do return(sqlmetrics.share_of_class(plan, threshold, true, false, zero_division)) -%}
{%- endmacro %}

{#
  False negative rate, the miss rate: the share of positive rows that are predicted negative, 1 - recall.

  Formula: \text{FNR} = \frac{\text{FN}}{\text{FN} + \text{TP}}
  Args:
    zero_division: value if no row is positive; none gives null
  Better: lower
  Range: [0, 1]
  Unit: share
  Undefined: null if no row is positive
  Traps: it is 0 for the answer 'always'; read it beside fpr
  Example: fnr
#}
{% macro metric_fnr(plan, threshold=0.5, zero_division=none) -%}
    {%- do return(sqlmetrics.share_of_class(plan, threshold, false, true, zero_division)) -%}
{%- endmacro %}

{#
  Negative predictive value: the share of rows predicted negative that are negative.

  Formula: \text{NPV} = \frac{\text{TN}}{\text{TN} + \text{FN}}
  Args:
    zero_division: value if no row is predicted negative; none gives null
  Better: higher
  Range: [0, 1]
  Unit: share
  Undefined: null if no row is predicted negative
  Traps: with 1 % of positive rows the answer 'never' has 0.99; values of data with different base rates are not
    comparable
  Example: npv
#}
{% macro metric_npv(plan, threshold=0.5, zero_division=none) -%}
    {%- set part = sqlmetrics.cell(plan, threshold, false, false) -%}
    {%- do return(sqlmetrics.row_share(
        plan, part, part ~ ' + ' ~ sqlmetrics.cell(plan, threshold, false, true), zero_division
    )) -%}
{%- endmacro %}

{#
  False discovery rate: the share of rows predicted positive that are negative, 1 - precision.

  Formula: \text{FDR} = \frac{\text{FP}}{\text{FP} + \text{TP}}
  Args:
    zero_division: value if no row is predicted positive; none gives null
  Better: lower
  Range: [0, 1]
  Unit: share
  Undefined: null if no row is predicted positive
  Traps: it depends on the share of positive rows, so values of sampled data do not carry over; fpr is another
    number, over the negative rows; a model that predicts one sure row may have 0
  Example: false_discovery_rate
#}
{% macro metric_false_discovery_rate(plan, threshold=0.5, zero_division=none) -%}
    {%- set part = sqlmetrics.cell(plan, threshold, true, false) -%}
    {%- do return(sqlmetrics.row_share(
        plan, part, part ~ ' + ' ~ sqlmetrics.cell(plan, threshold, true, true), zero_division
    )) -%}
{%- endmacro %}

{#
  False omission rate: the share of rows predicted negative that are positive, 1 - npv.

  Formula: \text{FOR} = \frac{\text{FN}}{\text{FN} + \text{TN}}
  Args:
    zero_division: value if no row is predicted negative; none gives null
  Better: lower
  Range: [0, 1]
  Unit: share
  Undefined: null if no row is predicted negative
  Traps: with 1 % of positive rows the answer 'never' has 0.01; compare with the base rate; fnr is another number,
    over the positive rows
  Example: false_omission_rate
#}
{% macro metric_false_omission_rate(plan, threshold=0.5, zero_division=none) -%}
    {%- set part = sqlmetrics.cell(plan, threshold, false, true) -%}
    {%- do return(sqlmetrics.row_share(
        plan, part, part ~ ' + ' ~ sqlmetrics.cell(plan, threshold, false, false), zero_division
    )) -%}
{%- endmacro %}

{#
  Positive likelihood ratio: the true positive rate over the false positive rate, by which a positive decision
  multiplies the odds that a row is positive.

  Formula: \text{LR}_+ = \frac{\text{TPR}}{\text{FPR}}
  Better: higher
  Range: [0, inf)
  Unit: none
  Undefined: null if one of the classes is absent, or if no negative row is predicted positive
  Traps: it is null, not infinite, where no negative row is predicted positive; where they are few, they
    decide it
  Source: Deeks and Altman (2004), Diagnostic tests 4: likelihood ratios, doi:10.1136/bmj.329.7458.168; scikit-learn,
    class_likelihood_ratios
  Example: positive_likelihood_ratio
#}
{% macro metric_positive_likelihood_ratio(plan, threshold=0.5) -%}
    {%- set c = sqlmetrics.cells(plan, threshold) -%}
    {%- do return(sqlmetrics.plain_value(
        sqlmetrics.ratio(c['tp'] ~ ' * ' ~ c['negatives'], c['fp'] ~ ' * ' ~ c['positives'])
    )) -%}
{%- endmacro %}

{#
  Negative likelihood ratio: the false negative rate over the true negative rate, by which a negative decision
  multiplies the odds that a row is positive.

  Formula: \text{LR}_- = \frac{1 - \text{TPR}}{\text{TNR}}
  Better: lower
  Range: [0, inf)
  Unit: none
  Undefined: null if one of the classes is absent, or if no negative row is predicted negative
  Traps: 0 is the best value, 1 that of a decision that ignores the label; it says nothing of positive decisions, for
    which there is positive_likelihood_ratio
  Source: Deeks and Altman (2004), Diagnostic tests 4: likelihood ratios, doi:10.1136/bmj.329.7458.168; scikit-learn,
    class_likelihood_ratios
  Example: negative_likelihood_ratio
#}
{% macro metric_negative_likelihood_ratio(plan, threshold=0.5) -%}
    {%- set c = sqlmetrics.cells(plan, threshold) -%}
    {%- do return(sqlmetrics.plain_value(
        sqlmetrics.ratio(c['fn'] ~ ' * ' ~ c['negatives'], c['tn'] ~ ' * ' ~ c['positives'])
    )) -%}
{%- endmacro %}
