{#
  Metrics of the decision at the best threshold, at a threshold that meets a condition, and of the top share
  of rows. Grain: score levels, with the helper macros of levels.sql.

  Args:
    beta: weight of recall, >= 0; squared in the formula
    share: the share of rows taken from the top, a number in (0, 1]
  Task: Binary classification
  Returns: float; weighted by the row weight
  Undefined: null if no row is positive
  Errors: a label other than 0 and 1, unless positive= is given
#}

{#
  Break-even point of precision and recall: their common value at the rank that equals the number of positive
  rows. Inside a score level the positive rows are spread evenly.

  Formula: \text{break-even} = \frac{H(Y)}{Y}
  Better: higher
  Range: [0, 1]
  Unit: share
  Traps: it is one point of the curve; two models with the same value may differ everywhere else
  Source: Joachims (2005), A support vector method for multivariate performance measures; over lists:
    R-precision
  Example: break_even
#}
{% macro metric_break_even(plan) -%}
    {%- set positives = sqlmetrics.row_positives(plan) -%}
    {%- set found = sqlmetrics.positives_in_top(plan, 'of_positives', sqlmetrics.sql_double(positives)) -%}
    {%- do return(sqlmetrics.bounded_value(sqlmetrics.ratio(found, positives))) -%}
{%- endmacro %}

{#
  Best F1 over all thresholds.

  Formula: F = \max_t F_1(t)
    F_1(t) = \frac{2 \text{TP}(t)}{2 \text{TP}(t) + \text{FP}(t) + \text{FN}(t)}
  Same as: best_f_beta(beta=1)
  Traps: the threshold is chosen on the data that are scored, so the value is too optimistic; choose it on other
    data and compute f1(threshold=...)
  Errors: a label other than 0 and 1, unless positive= is given
  Source: Lipton, Elkan, Naryanaswamy (2014), doi:10.1007/978-3-662-44851-9_15
  Example: best_f1
#}
{% macro metric_best_f1(plan) -%}{%- do return(sqlmetrics.metric_best_f_beta(plan, beta=1)) -%}{%- endmacro %}

{#
  Threshold of the best F1: the highest score that reaches it, used as `score >= threshold`.

  Formula: t^* = \max \left\{ t :\; F_1(t) = \max_{t'} F_1(t') \right\}
    F_1(t) = \frac{2 \text{TP}(t)}{2 \text{TP}(t) + \text{FP}(t) + \text{FN}(t)}
  Same as: best_f_beta_threshold(beta=1)
  Errors: a label other than 0 and 1, unless positive= is given
  Source: Lipton, Elkan, Naryanaswamy (2014), doi:10.1007/978-3-662-44851-9_15
  Example: best_f1_threshold
#}
{% macro metric_best_f1_threshold(plan) -%}
    {%- do return(sqlmetrics.metric_best_f_beta_threshold(plan, beta=1)) -%}
{%- endmacro %}

{#
  Best F-beta over all thresholds.

  Formula: F = \max_t F_\beta(t)
    F_\beta(t) = \frac{(1 + \beta^2) \text{TP}(t)}{(1 + \beta^2) \text{TP}(t) + \beta^2 \text{FN}(t) + \text{FP}(t)}
  Better: higher
  Range: [0, 1]
  Unit: share
  Traps: the threshold is chosen on the data that are scored, so the value is too optimistic
  Errors: a label other than 0 and 1, unless positive= is given; a negative beta
  Source: van Rijsbergen, Information Retrieval (1979), chapter 7
  Example: best_f_beta(beta=2)
#}
{% macro metric_best_f_beta(plan, beta=1) -%}
    {%- set best = sqlmetrics.level_max(plan, 'best_f', sqlmetrics.f_beta_of_level(plan, beta)) -%}
    {%- do return(sqlmetrics.bounded_value(
        'case when ' ~ sqlmetrics.row_positives(plan) ~ ' > 0 then ' ~ best ~ ' end'
    )) -%}
{%- endmacro %}

{#
  Threshold of the best F-beta: the highest score that reaches it, used as `score >= threshold`.

  Formula: t^* = \max \left\{ t :\; F_\beta(t) = \max_{t'} F_\beta(t') \right\}
    F_\beta(t) = \frac{(1 + \beta^2) \text{TP}(t)}{(1 + \beta^2) \text{TP}(t) + \beta^2 \text{FN}(t) + \text{FP}(t)}
  Returns: float
  Better: none
  Range: (-inf, inf)
  Unit: score
  Undefined: null if no row is positive, or if the threshold is a score of -inf
  Traps: it depends on the share of positive rows, so a threshold from sampled data does not carry over
  Errors: a label other than 0 and 1, unless positive= is given; a negative beta
  Source: van Rijsbergen, Information Retrieval (1979), chapter 7
  Example: best_f_beta_threshold(beta=2)
#}
{% macro metric_best_f_beta_threshold(plan, beta=1) -%}
    {%- set score = sqlmetrics.score_at_max(plan, 'best_f', sqlmetrics.f_beta_of_level(plan, beta)) -%}
    {%- set defined = sqlmetrics.row_positives(plan) ~ ' > 0' -%}
    {%- do return(sqlmetrics.plain_value('case when ' ~ defined ~ ' then ' ~ score ~ ' end')) -%}
{%- endmacro %}

{#
  Recall at a precision: the largest recall of any threshold whose precision is at least the given one.

  Formula: \text{recall} = \max_{t:\, \text{PPV}(t) \ge \text{precision}} \text{TPR}(t)
  Args:
    precision: the precision to reach, a number in [0, 1]
  Returns: float; 0 if no threshold reaches the precision; weighted by the row weight
  Better: higher
  Range: [0, 1]
  Unit: share
  Traps: it is the best point on the data that are scored, which may rest on a few rows at the top
  Errors: a label other than 0 and 1, unless positive= is given; a precision outside [0, 1]
  Source: torchmetrics, RecallAtFixedPrecision
  Example: recall_at_precision(precision=0.8)
#}
{% macro metric_recall_at_precision(plan, precision=0.9) -%}
    {{- sqlmetrics.number(plan, 'precision', precision, 0, 1) -}}
    {%- set reached = sqlmetrics.ratio('{positives_through}', '{through}') ~ ' >= ' ~ precision ~ ' - 1e-12' -%}
    {%- set most = sqlmetrics.level_max(
        plan, 'positives_at_precision', 'case when ' ~ reached ~ ' then {positives_through} end'
    ) -%}
    {%- do return(sqlmetrics.bounded_value(
        sqlmetrics.ratio('coalesce(' ~ most ~ ', 0)', sqlmetrics.row_positives(plan))
    )) -%}
{%- endmacro %}

{#
  Precision at a recall: the largest precision of any threshold whose recall is at least the given one.

  Formula: \text{precision} = \max_{t:\, \text{TPR}(t) \ge \text{recall}} \text{PPV}(t)
  Args:
    recall: the recall to reach, a number in [0, 1]
  Better: higher
  Range: [0, 1]
  Unit: share
  Traps: it is the best point on the data that are scored
  Errors: a label other than 0 and 1, unless positive= is given; a recall outside [0, 1]
  Source: torchmetrics, PrecisionAtFixedRecall
  Example: precision_at_recall(recall=0.8)
#}
{% macro metric_precision_at_recall(plan, recall=0.9) -%}
    {{- sqlmetrics.number(plan, 'recall', recall, 0, 1) -}}
    {%- set reached = sqlmetrics.ratio('{positives_through}', sqlmetrics.row_positives(plan)) ~ ' >= ' ~ recall
        ~ ' - 1e-12' -%}
    {%- do return(sqlmetrics.bounded_value(sqlmetrics.level_max(
        plan, 'precision_at_recall',
        'case when ' ~ reached ~ ' then ' ~ sqlmetrics.ratio('{positives_through}', '{through}') ~ ' end'
    ))) -%}
{%- endmacro %}

{#
  True positive rate at a false positive rate: the largest recall of any threshold whose false positive rate
  is at most the given one.

  Formula: \text{recall} = \max_{t:\, \text{FPR}(t) \le \text{fpr}} \text{TPR}(t)
  Args:
    fpr: the largest false positive rate allowed, a number in [0, 1]
  Returns: float; 0 if every threshold exceeds the rate; weighted by the row weight
  Better: higher
  Range: [0, 1]
  Unit: share
  Undefined: null if only one class is present
  Traps: at a small rate it rests on a few negative rows, so models that differ little may have the same value
  Errors: a label other than 0 and 1, unless positive= is given; an fpr outside [0, 1]
  Source: torchmetrics, SensitivityAtSpecificity, where specificity is 1 - fpr
  Example: tpr_at_fpr(fpr=0.01)
#}
{% macro metric_tpr_at_fpr(plan, fpr=0.1) -%}
    {{- sqlmetrics.number(plan, 'fpr', fpr, 0, 1) -}}
    {%- set reached = sqlmetrics.ratio(sqlmetrics.level_negatives_through(plan), sqlmetrics.row_negatives(plan)) -%}
    {%- set kept = 'case when ' ~ reached ~ ' <= ' ~ fpr ~ ' + 1e-12 then {positives_through} end' -%}
    {%- set most = sqlmetrics.ratio(
        'coalesce(' ~ sqlmetrics.level_max(plan, 'positives_at_fpr', kept) ~ ', 0)', sqlmetrics.row_positives(plan)
    ) -%}
    {%- do return(sqlmetrics.bounded_value(
        'case when ' ~ sqlmetrics.row_negatives(plan) ~ ' > 0 then ' ~ most ~ ' end'
    )) -%}
{%- endmacro %}

{#
  Lift: the share of positive rows in the top share of rows by score, divided by their share in all rows.
  Inside the score level at the border the positive rows are spread evenly.

  Formula: \text{lift} = \frac{H(\text{share} \cdot W)}{\text{share} \cdot Y}
  Returns: float; 1 for a random score, at most 1 / share; weighted by the row weight
  Better: higher
  Range: [0, inf)
  Unit: none
  Traps: its greatest value is 1 / the base rate, so values of data with different base rates are not comparable
  Errors: a label other than 0 and 1, unless positive= is given; a share outside (0, 1]
  Source: Ling and Li (1998), Data mining for direct marketing
  Example: lift(share=0.05)
#}
{% macro metric_lift(plan, share=0.1) -%}
    {%- do return(sqlmetrics.bounded_value(
        '(' ~ sqlmetrics.metric_capture(plan, share=share)['sql'] ~ ' / ' ~ share ~ ')', most=none
    )) -%}
{%- endmacro %}

{#
  Capture, also called cumulative gain: the share of all positive rows that lie in the top share of rows by
  score. Inside the score level at the border the positive rows are spread evenly.

  Formula: \text{capture} = \frac{H(\text{share} \cdot W)}{Y}
  Better: higher
  Range: [0, 1]
  Unit: share
  Traps: a random score has the fraction itself
  Errors: a label other than 0 and 1, unless positive= is given; a share outside (0, 1]
  Source: Ling and Li (1998), Data mining for direct marketing
  Example: capture(share=0.05)
#}
{% macro metric_capture(plan, share=0.1) -%}
    {{- sqlmetrics.number(plan, 'share', share, 1e-300, 1) -}}
    {%- set limit = share ~ ' * ' ~ sqlmetrics.sql_double(sqlmetrics.row_total(plan)) -%}
    {%- set top = sqlmetrics.positives_in_top(plan, 'in_' ~ sqlmetrics.column_name(share), limit) -%}
    {%- do return(sqlmetrics.bounded_value(sqlmetrics.ratio(top, sqlmetrics.row_positives(plan)))) -%}
{%- endmacro %}

{#
  Threshold of the Kolmogorov-Smirnov statistic: the highest score at which the distance is largest, used as
  `score >= threshold`.

  Formula: t^* = \max \left\{ t :\; \text{KS}(t) = \max_{t'} \text{KS}(t') \right\}
    \text{KS}(t) = \left|\text{TPR}(t) - \text{FPR}(t)\right|
  Returns: float
  Better: none
  Range: (-inf, inf)
  Unit: score
  Undefined: null if only one class is present, or if the threshold is a score of -inf
  Traps: the threshold is chosen on the data that are scored; a decision by it looks better on these data than
    on new ones
  Source: Kolmogorov-Smirnov two-sample statistic; scipy, ks_2samp
  Example: ks_threshold
#}
{% macro metric_ks_threshold(plan) -%}
    {%- do return(sqlmetrics.plain_value(sqlmetrics.score_at_max(plan, 'ks', sqlmetrics.distance_of_level(plan)))) -%}
{%- endmacro %}

{# F-beta of the decision at a level. #}
{% macro f_beta_of_level(plan, beta) -%}
    {{- sqlmetrics.number(plan, 'beta', beta, 0, 1e6) -}}
    {{- sqlmetrics.ratio(
        (1 + beta * beta) ~ ' * {positives_through}',
        (beta * beta) ~ ' * ' ~ sqlmetrics.row_positives(plan) ~ ' + {through}'
    ) -}}
{%- endmacro %}

{# The expected number of positive rows among a number of rows from the top. #}
{% macro positives_in_top(plan, name, limit) -%}
    {%- set part = sqlmetrics.level_part_within(limit, '{above}', '{through}') -%}
    {{- sqlmetrics.level_sum(plan, 'positives_' ~ name, '{level_positives} * ' ~ part) -}}
{%- endmacro %}

{# The highest finite score at which an expression over score levels is largest. #}
{% macro score_at_max(plan, name, x) -%}
    {%- set most = sqlmetrics.level_max(plan, name, x) -%}
    {{- sqlmetrics.need(
        plan, 'peaks', name ~ '_score',
        'case when ' ~ x ~ ' >= ' ~ most ~ ' - 1e-12 and ' ~ sqlmetrics.sql_finite('{score}') ~ ' then {score} end',
        'max'
    ) -}}
{%- endmacro %}
