{#
  Metrics of a label and a decision: the score at a threshold, or the predicted class. Grain: rows, and classes where there are several.

  With `prediction=` the predicted class decides: positive is 1, true, or what positive= says. A threshold that is named in
  the notation reads the score all the same.
#}

{#
  Number of usable rows.

  Returns: float >= 0
  Example: count
#}
{% macro metric_count(plan) -%}
    {%- do return(sqlmetrics.value_without_interval(sqlmetrics.sql_double(sqlmetrics.row_count(plan)))) -%}
{%- endmacro %}

{#
  Base rate: the share of positive rows.

  Returns: float in [0, 1]; weighted by the row weight
  Undefined: null without rows
  Errors: a label that is neither 0 nor 1, unless positive= is given
  Example: base_rate
#}
{% macro metric_base_rate(plan) -%}
    {%- do return(sqlmetrics.row_share(plan, sqlmetrics.positives(plan), sqlmetrics.row_total(plan))) -%}
{%- endmacro %}

{#
  Accuracy: the share of rows whose label is the decision `score >= threshold`, or the predicted class.

  Args:
    threshold: the least score that counts as a positive decision; naming it leaves the predicted class aside
  Returns: float in [0, 1]; weighted by the row weight
  Undefined: null without rows
  Errors: a label that is neither 0 nor 1 beside a score, unless positive= is given
  Source: scikit-learn, accuracy_score
  Example: accuracy(threshold=0.3)
#}
{% macro metric_accuracy(plan, threshold=0.5) -%}
    {%- if sqlmetrics.by_prediction(plan) -%}
        {%- set right = sqlmetrics.row_sum(plan, 'right', sqlmetrics.count_if(plan, '{class} = {predicted}')) -%}
    {%- else -%}
        {%- set right = sqlmetrics.cell(plan, threshold, true, true) ~ ' + ' ~ sqlmetrics.cell(plan, threshold, false, false) -%}
    {%- endif -%}
    {%- do return(sqlmetrics.row_share(plan, right, sqlmetrics.row_total(plan))) -%}
{%- endmacro %}

{#
  Error rate: 1 - accuracy.

  Args:
    threshold: the least score that counts as a positive decision; naming it leaves the predicted class aside
  Returns: float in [0, 1]; weighted by the row weight
  Undefined: null without rows
  Errors: a label that is neither 0 nor 1 beside a score, unless positive= is given
  Example: error_rate
#}
{% macro metric_error_rate(plan, threshold=0.5) -%}
    {%- if sqlmetrics.by_prediction(plan) -%}
        {%- set wrong = sqlmetrics.row_sum(plan, 'wrong', sqlmetrics.count_if(plan, '{class} <> {predicted}')) -%}
    {%- else -%}
        {%- set wrong = sqlmetrics.cell(plan, threshold, true, false) ~ ' + ' ~ sqlmetrics.cell(plan, threshold, false, true) -%}
    {%- endif -%}
    {%- do return(sqlmetrics.row_share(plan, wrong, sqlmetrics.row_total(plan))) -%}
{%- endmacro %}

{#
  Precision at a threshold: the share of positive decisions that are right. With a cutoff, `precision@10`, the list metric.

  Args:
    threshold: the least score that counts as a positive decision
    zero_division: the value without a positive decision; none gives null, and 0 for a class within a mean
    average: with the predicted class: binary (of the positive class), macro (the mean over the classes that occur in label or
      prediction), weighted (that mean, each class counting its rows) or micro (from sums over classes)
    class: with the predicted class: one class, whose value is given
  Returns: float in [0, 1]; weighted by the row weight
  Undefined: null without a positive decision; a class for which this is so counts 0 in a mean, and classes_never_predicted and
    classes_without_label count them
  Errors: a label that is neither 0 nor 1, unless positive= or average= is given
  Source: scikit-learn, precision_score
  Example: precision(threshold=0.3)
#}
{% macro metric_precision(plan, threshold=0.5, zero_division=none, average='binary', class=none) -%}
    {%- if sqlmetrics.by_class(plan, average, class) -%}
        {%- do return(sqlmetrics.class_average(plan, '{right}', '{predicted_as}', average, class, zero_division)) -%}
    {%- endif -%}
    {%- set hits = sqlmetrics.cell(plan, threshold, true, true) -%}
    {%- do return(sqlmetrics.row_share(plan, hits, hits ~ ' + ' ~ sqlmetrics.cell(plan, threshold, true, false), zero_division)) -%}
{%- endmacro %}

{#
  Recall at a threshold: the share of positive rows that are predicted positive. With a cutoff, `recall@10`, the list metric.

  Args:
    threshold: the least score that counts as a positive decision
    zero_division: the value without a positive row; none gives null, and 0 for a class within a mean
    average: with the predicted class: binary (of the positive class), macro (the mean over the classes that occur in label or
      prediction), weighted (that mean, each class counting its rows) or micro (from sums over classes)
    class: with the predicted class: one class, whose value is given
  Returns: float in [0, 1]; weighted by the row weight
  Undefined: null without a positive row; a class for which this is so counts 0 in a mean, and classes_never_predicted and
    classes_without_label count them
  Errors: a label that is neither 0 nor 1, unless positive= or average= is given
  Source: scikit-learn, recall_score
  Example: recall(threshold=0.3)
#}
{% macro metric_recall(plan, threshold=0.5, zero_division=none, average='binary', class=none) -%}
    {%- if sqlmetrics.by_class(plan, average, class) -%}
        {%- do return(sqlmetrics.class_average(plan, '{right}', '{support}', average, class, zero_division)) -%}
    {%- endif -%}
    {%- set hits = sqlmetrics.cell(plan, threshold, true, true) -%}
    {%- do return(sqlmetrics.row_share(plan, hits, hits ~ ' + ' ~ sqlmetrics.cell(plan, threshold, false, true), zero_division)) -%}
{%- endmacro %}

{#
  Specificity at a threshold: the share of negative rows that are predicted negative.

  Args:
    threshold: the least score that counts as a positive decision
    zero_division: the value without a negative row; none gives null
  Returns: float in [0, 1]; weighted by the row weight
  Undefined: null without a negative row
  Errors: a label that is neither 0 nor 1, unless positive= is given
  Example: specificity
#}
{% macro metric_specificity(plan, threshold=0.5, zero_division=none) -%}
    {%- set right = sqlmetrics.cell(plan, threshold, false, false) -%}
    {%- do return(sqlmetrics.row_share(plan, right, right ~ ' + ' ~ sqlmetrics.cell(plan, threshold, true, false), zero_division)) -%}
{%- endmacro %}

{#
  F1 at a threshold: the harmonic mean of precision and recall, 2 tp / (2 tp + fp + fn).

  Args:
    threshold: the least score that counts as a positive decision
    zero_division: the value without a positive row or decision; none gives null, and 0 for a class within a mean
    average: with the predicted class: binary (of the positive class), macro (the mean over the classes that occur in label or
      prediction), weighted (that mean, each class counting its rows) or micro (from sums over classes)
    class: with the predicted class: one class, whose value is given
  Returns: float in [0, 1]; weighted by the row weight
  Undefined: null without a positive row or decision; a class for which this is so counts 0 in a mean, and classes_never_predicted and
    classes_without_label count them
  Errors: a label that is neither 0 nor 1, unless positive= or average= is given
  Source: van Rijsbergen, Information Retrieval (1979), chapter 7
  Example: f1(threshold=0.3)
#}
{% macro metric_f1(plan, threshold=0.5, zero_division=none, average='binary', class=none) -%}
    {%- do return(sqlmetrics.metric_f_beta(
        plan, beta=1, threshold=threshold, zero_division=zero_division, average=average, class=class
    )) -%}
{%- endmacro %}

{#
  F-beta at a threshold: (1 + beta^2) P R / (beta^2 P + R), where recall counts beta times as much as precision.

  Args:
    beta: the weight of recall, >= 0; it is squared in the formula
    threshold: the least score that counts as a positive decision
    zero_division: the value without a positive row or decision; none gives null, and 0 for a class within a mean
    average: with the predicted class: binary (of the positive class), macro (the mean over the classes that occur in label or
      prediction), weighted (that mean, each class counting its rows) or micro (from sums over classes)
    class: with the predicted class: one class, whose value is given
  Returns: float in [0, 1]; weighted by the row weight
  Undefined: null without a positive row or decision; a class for which this is so counts 0 in a mean, and classes_never_predicted and
    classes_without_label count them
  Errors: a label that is neither 0 nor 1, unless positive= or average= is given; a negative beta
  Source: van Rijsbergen, Information Retrieval (1979), chapter 7
  Example: f_beta(beta=2)
#}
{% macro metric_f_beta(plan, beta=1, threshold=0.5, zero_division=none, average='binary', class=none) -%}
    {{- sqlmetrics.number(plan, 'beta', beta, 0) -}}
    {%- if sqlmetrics.by_class(plan, average, class) -%}
        {%- do return(sqlmetrics.class_average(
            plan, (1 + beta * beta) ~ ' * {right}', (beta * beta) ~ ' * {support} + {predicted_as}', average, class, zero_division
        )) -%}
    {%- endif -%}
    {%- set hits = (1 + beta * beta) ~ ' * ' ~ sqlmetrics.cell(plan, threshold, true, true) -%}
    {%- set missed = (beta * beta) ~ ' * ' ~ sqlmetrics.cell(plan, threshold, false, true) -%}
    {%- do return(sqlmetrics.row_ratio(
        plan, hits, hits ~ ' + ' ~ missed ~ ' + ' ~ sqlmetrics.cell(plan, threshold, true, false), zero_division
    )) -%}
{%- endmacro %}

{# A cell of the confusion matrix: the weight of the rows so predicted whose label is (not) positive. #}
{% macro cell(plan, threshold, as_positive, is_positive) -%}
    {{- sqlmetrics.number(plan, 'threshold', threshold) -}}
    {%- set name = ('true_' if as_positive == is_positive else 'false_') ~ ('positives' if as_positive else 'negatives') -%}
    {%- if plan['predicted_by'] == 'prediction' -%}
        {%- set decision = ('' if as_positive else 'not ') ~ '(' ~ sqlmetrics.predicted_positive(plan) ~ ')' -%}
    {%- else -%}
        {%- set name = name ~ '_' ~ sqlmetrics.column_name(threshold) -%}
        {%- set decision = '{score}' ~ (' >= ' if as_positive else ' < ') ~ threshold -%}
    {%- endif -%}
    {%- set label = ('' if is_positive else 'not ') ~ '(' ~ sqlmetrics.is_positive(plan) ~ ')' -%}
    {{- sqlmetrics.row_sum(plan, name, sqlmetrics.count_if(plan, decision ~ ' and ' ~ label)) -}}
{%- endmacro %}

