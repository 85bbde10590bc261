{#
  Metrics of a label and a decision. The decision is the score compared with a threshold, or the predicted
  class. Grain: rows, or classes if there are several.

  With `prediction=` the predicted class is the decision; a row is positive if its class is 1, true, or the
  value of positive=. If the notation names a threshold, the score is used in spite of prediction=.

  Args:
    average: with prediction=: binary (the positive class), macro (mean over the classes that occur as label
      or prediction), weighted (the same mean, weighted by the rows of each class) or micro (from sums over
      classes)
    class: with prediction=: the one class to report
    labels: with prediction=: the classes of an average, as class= has them, with colons: PER:ORG:LOC; one that does
      not occur is 0/0. None takes all that occur
    classes: with average=macro or weighted: all, the classes that occur as label or prediction, or label, those that
      occur as label: a class that is only predicted then has no part in the mean
  Task: Binary classification
  Returns: float; weighted by the row weight
#}

{#
  Number of usable rows.

  Formula: \text{count} = n
  Returns: float; rows count 1 each, whatever their weight
  Better: none
  Range: [0, inf)
  Unit: rows
  Traps: it counts usable rows; rows_dropped are those that are not
  Example: count
#}
{% macro metric_count(plan) -%}
    {%- do return(sqlmetrics.value_without_interval(sqlmetrics.sql_double(sqlmetrics.row_count(plan)))) -%}
{%- endmacro %}

{#
  Base rate: the share of positive rows.

  Formula: \bar{y} = \frac{\sum_i w_i y_i}{\sum_i w_i}
  Better: none
  Range: [0, 1]
  Unit: share
  Undefined: null if there are no rows
  Traps: where the negatives were sampled it describes the sample
  Errors: a label other than 0 and 1, unless positive= is given
  Example: base_rate
#}
{% macro metric_base_rate(plan) -%}
    {%- do return(sqlmetrics.row_share(plan, sqlmetrics.row_positives(plan), sqlmetrics.row_total(plan))) -%}
{%- endmacro %}

{#
  Accuracy: the share of rows whose label equals the decision `score >= threshold`, or the predicted class.

  Formula: \text{accuracy} = \frac{\sum_i w_i [\hat{y}_i = y_i]}{\sum_i w_i}
  Args:
    threshold: rows that score at least this are predicted positive, a float32 of 0.7 at 0.7; with prediction=,
      naming it makes the metric use the score instead
  Better: higher
  Range: [0, 1]
  Unit: share
  Aliases: accuracy_score (scikit-learn)
  Undefined: null if there are no rows
  Traps: with 1 % of positive rows the answer 'never' is right in 99 % of them; compare with the share of the
    larger class, or take balanced_accuracy or mcc
  Errors: a prediction with a fraction; with a score, a label other than 0 and 1, unless positive= is given
  Source: scikit-learn, accuracy_score
  Example: accuracy(threshold=0.3)
#}
{% macro metric_accuracy(plan, threshold=0.5) -%}
    {%- if sqlmetrics.by_prediction(plan) -%}
        {%- set right = sqlmetrics.row_sum(plan, 'right', sqlmetrics.row_count_if(plan, '{class} = {predicted}')) -%}
    {%- elif plan['facts']['score'] is none and not plan['facts']['class_scores'] -%}
        {{- sqlmetrics.refuse_metric(
            plan, "needs score= or prediction=, the column of the score or of the predicted class; of a column that is"
                ~ " 1 for a right answer and else 0, write mean(column=correct, better=higher)"
        ) -}}
    {%- else -%}
        {%- set right = sqlmetrics.cell(plan, threshold, true, true) ~ ' + '
            ~ sqlmetrics.cell(plan, threshold, false, false) -%}
    {%- endif -%}
    {%- do return(sqlmetrics.row_share(plan, right, sqlmetrics.row_total(plan))) -%}
{%- endmacro %}

{#
  Error rate: 1 - accuracy.

  Formula: \text{error rate} = \frac{\sum_i w_i [\hat{y}_i \ne y_i]}{\sum_i w_i}
  Args:
    threshold: rows that score at least this are predicted positive, a float32 of 0.7 at 0.7; with prediction=,
      naming it makes the metric use the score instead
  Better: lower
  Range: [0, 1]
  Unit: share
  Aliases: zero_one_loss (scikit-learn), hamming_loss (scikit-learn)
  Undefined: null if there are no rows
  Traps: with 1 % of positive rows the answer 'never' errs in 1 % of them
  Errors: a prediction with a fraction; with a score, a label other than 0 and 1, unless positive= is given
  Example: error_rate
#}
{% macro metric_error_rate(plan, threshold=0.5) -%}
    {%- if sqlmetrics.by_prediction(plan) -%}
        {%- set wrong = sqlmetrics.row_sum(plan, 'wrong', sqlmetrics.row_count_if(plan, '{class} <> {predicted}')) -%}
    {%- else -%}
        {%- set wrong = sqlmetrics.cell(plan, threshold, true, false) ~ ' + '
            ~ sqlmetrics.cell(plan, threshold, false, true) -%}
    {%- endif -%}
    {%- do return(sqlmetrics.row_share(plan, wrong, sqlmetrics.row_total(plan))) -%}
{%- endmacro %}

{#
  Precision at a threshold: the share of rows predicted positive that are positive. With a cutoff, as in
  `precision@10`, it is the list metric.

  Formula: \text{PPV} = \frac{\text{TP}}{\text{TP} + \text{FP}}
  Args:
    zero_division: value if no row is predicted positive; none gives null, or 0 for a class within a mean;
      nan leaves such a class out of the mean
  Better: higher
  Range: [0, 1]
  Unit: share
  Aliases: precision_score (scikit-learn) is precision(zero_division=0)
  Undefined: null if no row is predicted positive; within a mean the class counts 0, and the columns
    classes_never_predicted and classes_without_label count these classes
  Interval: where few rows are predicted positive it is too wide, and holds the value in more than 98 % of data
    (docs/coverage.md)
  Traps: it depends on the threshold and on the share of positive rows, so values of sampled data do not carry
    over; a model that predicts one sure row may have 1
  Errors: a prediction with a fraction; a label other than 0 and 1, unless positive= or average= is given
  Source: scikit-learn, precision_score
  Example: precision(threshold=0.3)
#}
{% macro metric_precision(
    plan, threshold=0.5, zero_division=none, average='binary', class=none, labels=none, classes='all'
) -%}
    {%- if sqlmetrics.by_class(plan, average, class, labels, classes) -%}
        {%- do return(sqlmetrics.class_average(
            plan, '{right}', '{predicted_as}', average, class, labels, zero_division, classes=classes
        )) -%}
    {%- endif -%}
    {%- set hits = sqlmetrics.cell(plan, threshold, true, true) -%}
    {%- do return(sqlmetrics.row_share(
        plan, hits, hits ~ ' + ' ~ sqlmetrics.cell(plan, threshold, true, false), zero_division
    )) -%}
{%- endmacro %}

{#
  Recall at a threshold: the share of positive rows that are predicted positive. With a cutoff, as in
  `recall@10`, it is the list metric.

  Formula: \text{TPR} = \frac{\text{TP}}{\text{TP} + \text{FN}}
  Args:
    zero_division: value if no row is positive; none gives null, or 0 for a class within a mean;
      nan leaves such a class out of the mean
  Better: higher
  Range: [0, 1]
  Unit: share
  Aliases: recall_score (scikit-learn) is recall(zero_division=0)
  Undefined: null if no row is positive; within a mean the class counts 0, and the columns
    classes_never_predicted and classes_without_label count these classes
  Traps: it is 1 for the answer 'always'; read it beside precision or the false positive rate
  Errors: a prediction with a fraction; a label other than 0 and 1, unless positive= or average= is given
  Source: scikit-learn, recall_score
  Example: recall(threshold=0.3)
#}
{% macro metric_recall(
    plan, threshold=0.5, zero_division=none, average='binary', class=none, labels=none, classes='all'
) -%}
    {%- if sqlmetrics.by_class(plan, average, class, labels, classes) -%}
        {%- do return(sqlmetrics.class_average(
            plan, '{right}', '{support}', average, class, labels, zero_division, classes=classes
        )) -%}
    {%- endif -%}
    {%- do return(sqlmetrics.share_of_class(plan, threshold, true, true, zero_division)) -%}
{%- endmacro %}

{#
  Specificity at a threshold: the share of negative rows that are predicted negative.

  Formula: \text{TNR} = \frac{\text{TN}}{\text{TN} + \text{FP}}
  Args:
    zero_division: value if no row is negative; none gives null
  Better: higher
  Range: [0, 1]
  Unit: share
  Undefined: null if no row is negative
  Traps: it is 1 for the answer 'never'; read it beside recall
  Errors: a label other than 0 and 1, unless positive= is given
  Example: specificity
#}
{% macro metric_specificity(plan, threshold=0.5, zero_division=none) -%}
    {%- do return(sqlmetrics.share_of_class(plan, threshold, false, false, zero_division)) -%}
{%- endmacro %}

{#
  F1 at a threshold: the harmonic mean of precision and recall, 2 tp / (2 tp + fp + fn).

  Formula: F_1 = \frac{2 \text{TP}}{2 \text{TP} + \text{FP} + \text{FN}}
  Same as: f_beta(beta=1)
  Aliases: f1_score (scikit-learn) is f1(zero_division=0)
  Traps: it ignores true negatives and changes if the classes are swapped; a mean of the f1 of slices is not the
    f1 of all rows; scores that are no probabilities need a threshold of their own, since 0.5 means nothing to
    them
  Errors: a prediction with a fraction; a label other than 0 and 1, unless positive= or average= is given
  Example: f1(threshold=0.3)
#}
{% macro metric_f1(
    plan, threshold=0.5, zero_division=none, average='binary', class=none, labels=none, classes='all'
) -%}
    {%- do return(sqlmetrics.metric_f_beta(
        plan, beta=1, threshold=threshold, zero_division=zero_division, average=average, class=class,
        labels=labels, classes=classes
    )) -%}
{%- endmacro %}

{#
  F-beta at a threshold: (1 + beta^2) P R / (beta^2 P + R), in which recall counts beta times as much as
  precision.

  Formula: F_\beta = \frac{(1 + \beta^2) \text{TP}}{(1 + \beta^2) \text{TP} + \beta^2 \text{FN} + \text{FP}}
  Args:
    beta: weight of recall, >= 0; squared in the formula, so that beta=0 is precision, as in scikit-learn
    zero_division: value if no row is positive or predicted positive; none gives null, or 0 for a class within
      a mean; nan leaves such a class out of the mean
  Better: higher
  Range: [0, 1]
  Unit: share
  Undefined: null if no row is positive or predicted positive; within a mean the class counts 0, and the
    columns classes_never_predicted and classes_without_label count these classes
  Traps: beta above 1 favours recall, below 1 precision; values of different beta are not comparable
  Errors: a prediction with a fraction; a label other than 0 and 1, unless positive= or average= is given; a
    negative beta
  Source: van Rijsbergen, Information Retrieval (1979), chapter 7
  Example: f_beta(beta=2)
#}
{% macro metric_f_beta(
    plan, beta=1, threshold=0.5, zero_division=none, average='binary', class=none, labels=none, classes='all'
) -%}
    {{- sqlmetrics.number(plan, 'beta', beta, 0) -}}
    {%- if sqlmetrics.by_class(plan, average, class, labels, classes) -%}
        {%- do return(sqlmetrics.class_average(
            plan, (1 + beta * beta) ~ ' * {right}', (beta * beta) ~ ' * {support} + {predicted_as}', average, class,
            labels, zero_division, bend=beta * beta, classes=classes
        )) -%}
    {%- endif -%}
    {%- set hits = sqlmetrics.cell(plan, threshold, true, true) -%}
    {%- set rest = (beta * beta) ~ ' * ' ~ sqlmetrics.cell(plan, threshold, false, true) ~ ' + '
        ~ sqlmetrics.cell(plan, threshold, true, false) -%}
    {%- set twice, whole = (1 + beta * beta) ~ ' * ' ~ hits, hits ~ ' + ' ~ rest -%}
    {%- do return(sqlmetrics.bent_share(
        plan, sqlmetrics.row_ratio(plan, twice, twice ~ ' + ' ~ rest, zero_division), beta * beta,
        sqlmetrics.of_row(plan, hits), sqlmetrics.of_row(plan, whole), hits, whole
    )) -%}
{%- endmacro %}

{# A cell of the confusion matrix: the weight of the rows with this decision and this label. #}
{% macro cell(plan, threshold, as_positive, is_positive) -%}
    {%- set decision = sqlmetrics.decided(plan, threshold, as_positive) -%}
    {%- set name = ('true_' if as_positive == is_positive else 'false_')
        ~ ('positives' if as_positive else 'negatives')
        ~ ('' if plan['asked']['predicted_by'] == 'prediction' else '_' ~ sqlmetrics.column_name(threshold)) -%}
    {%- set label = ('' if is_positive else 'not ') ~ '(' ~ sqlmetrics.is_positive(plan) ~ ')' -%}
    {{- sqlmetrics.row_sum(plan, name, sqlmetrics.row_count_if(plan, decision ~ ' and ' ~ label)) -}}
{%- endmacro %}

{#
  The share of the rows of one class that have a decision. The label alone says whether a row counts, so the rows of the
  class are the pairs of two models. Returns a value.
#}
{% macro share_of_class(plan, threshold, as_positive, is_positive, zero_division) -%}
    {%- set part = sqlmetrics.cell(plan, threshold, as_positive, is_positive) -%}
    {%- set rest = sqlmetrics.cell(plan, threshold, not as_positive, is_positive) -%}
    {%- set label = ('' if is_positive else 'not ') ~ '(' ~ sqlmetrics.is_positive(plan) ~ ')' -%}
    {%- do return(sqlmetrics.row_ratio(
        plan, part, part ~ ' + ' ~ rest, zero_division, is_share=true,
        counts=sqlmetrics.row_weighted(plan, sqlmetrics.row_count_if(plan, label))
    )) -%}
{%- endmacro %}

{# The condition that a row is predicted positive, or is not. #}
{% macro decided(plan, threshold, as_positive=true) -%}
    {{- sqlmetrics.number(plan, 'threshold', threshold) -}}
    {%- if plan['asked']['predicted_by'] == 'prediction' -%}
        {{- '' if as_positive else 'not ' }}({{ sqlmetrics.predicted_positive(plan) }})
    {%- else -%}
        {%- if threshold == 0.5 -%}
            {%- do sqlmetrics.hint(
                plan, 'rows_not_share', sqlmetrics.counted_once(plan, '{score} < 0 or {score} > 1')
            ) -%}
        {%- endif -%}
        {{- sqlmetrics.row_at_least('{score}', threshold, not as_positive) -}}
    {%- endif -%}
{%- endmacro %}
