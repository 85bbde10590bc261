{#
  Metrics of a binary label and a score of which only the order matters. Grain: score levels.

  Levels are read from the highest score down; stages/levels/levels.sql explains the columns. With `bins`,
  scores are probabilities and bins replace levels (stages/levels/bins.sql); a column <metric>_error_bound
  then bounds the difference from the exact value.

  Shares are compared with a tolerance of 1e-12, because sums of weights are rounded.

  Args:
    bins: compute over this many bins of equal width instead of exactly; the column <metric>_error_bound then
      gives the largest possible error
  Task: Binary classification
  Returns: float; weighted by the row weight
  Undefined: null if only one class is present
  Errors: a label other than 0 and 1, unless positive= is given; with bins, a score outside [0, 1]
#}

{#
  Area under the ROC curve: the probability that a positive row scores above a negative one; a tie counts one
  half.

  It is computed as a rank sum: the ranks of the positive rows counted from the top, less their ranks among
  themselves.

  Formula: \text{AUC} = \frac{\sum_i \sum_j w_i y_i \cdot w_j (1 - y_j) ([s_i > s_j] + \frac{1}{2} [s_i = s_j])} {\sum_i
      w_i y_i \sum_j w_j (1 - y_j)}
    \text{AUC} = \frac{1}{2} \left( 1 + \frac{A - f^2 / 2}{f - f^2 / 2} \right), \quad A = \int_0^f \text{TPR} \;
      d\text{FPR} \quad \text{with } f = \text{max_fpr}
  Args:
    max_fpr: compute the area up to this false positive rate only, standardised as by McClish: 0.5 for a
      random score, 1 for a perfect one
  Better: higher
  Range: [0, 1]
  Chance: 0.5
  Unit: share
  Aliases: roc_auc_score (scikit-learn), roc_auc (scikit-learn scorers), AUROC (torchmetrics), areaUnderROC (Spark),
    RocAuc (evidently)
  Interval: Wilson's, on as many rows of the rarer class, or with group= lists with such a row, as would vary by the
    variance of DeLong, or with group= of Obuchowski. interval_method=logit is null if the value is 0 or 1. With fewer
    than two rows of a class, or rows in fewer than two lists, null unless the value is 0 or 1. With weights the
    influence of a row is weighted, and rows and lists count as many as would be of equal weight. Not available with
    max_fpr or bins
  Traps: it looks at the order of scores alone, so a badly calibrated model may have a perfect value; over all
    rows it also rewards the ranking of users or queries among each other, which gauc leaves out; with few
    positive rows it hides how many false alarms stand above them, which average_precision shows; values of
    different data are not comparable where the negatives were sampled differently
  Errors: a label other than 0 and 1, unless positive= is given; max_fpr outside (0, 1]; with bins, a score
    outside [0, 1]
  Source: Hanley and McNeil (1982), doi:10.1148/radiology.143.1.7063747; max_fpr: McClish (1989),
    doi:10.1177/0272989X8900900307; interval: DeLong, DeLong and Clarke-Pearson (1988), doi:10.2307/2531595;
    Obuchowski (1997), doi:10.2307/2533958
  Example: auc(max_fpr=0.1)
#}
{% macro metric_auc(plan, max_fpr=none, bins=none) -%}
    {%- set positives = sqlmetrics.sql_double(sqlmetrics.row_positives(plan)) -%}
    {%- set negatives = sqlmetrics.sql_double(sqlmetrics.row_negatives(plan)) -%}
    {%- if max_fpr is none and bins is none and sqlmetrics.auc_has_variance(plan) -%}
        {%- do return(sqlmetrics.auc_with_variance(plan)) -%}
    {%- elif max_fpr is none -%}
        {#- with weights the ranks among the negatives: no heavy class is subtracted from a heavy whole -#}
        {%- set weighted = plan['facts']['weight'] is not none -%}
        {%- set ranks = sqlmetrics.sql_double(sqlmetrics.level_sum(
            plan, 'auc_ranks', '{level_positives} * ' ~ ('{negatives_place}' if weighted else '{place}'), bins
        )) -%}
        {%- set ns = namespace(bound=none) -%}
        {%- if bins is not none -%}
            {%- set boxes = sqlmetrics.level_sum(
                plan, 'auc_boxes', '{level_positives} * ' ~ sqlmetrics.level_negatives(plan), bins
            ) -%}
            {%- set ns.bound = sqlmetrics.ratio(boxes, '2 * ' ~ positives ~ ' * ' ~ negatives) -%}
        {%- endif -%}
        {%- do return(sqlmetrics.bounded_value(
            '(1 - (' ~ (ranks if weighted else ranks ~ ' - ' ~ positives ~ ' * ' ~ positives) ~ ') / nullif(2 * '
                ~ positives ~ ' * ' ~ negatives ~ ', 0))',
            ns.bound
        )) -%}
    {%- endif -%}
    {{- sqlmetrics.number(plan, 'max_fpr', max_fpr, 1e-300, 1) -}}
    {#- a level that straddles max_fpr counts by the part to its left, where the curve is a straight line -#}
    {%- set part = sqlmetrics.level_part_within(
        max_fpr ~ ' * ' ~ negatives, sqlmetrics.level_negatives_above(plan), sqlmetrics.level_negatives_through(plan)
    ) -%}
    {%- set width = sqlmetrics.sql_double(sqlmetrics.level_negatives(plan)) ~ ' * ' ~ part -%}
    {%- set height = '(' ~ sqlmetrics.level_positives_above(plan) ~ ' + '
        ~ sqlmetrics.ratio('{level_positives} * ' ~ part, '2') ~ ')' -%}
    {%- set area = sqlmetrics.level_sum(plan, 'partial_area', width ~ ' * ' ~ height, bins, whole=true) -%}
    {%- set least, bound = max_fpr * max_fpr / 2, namespace(sql=none) -%}
    {%- if bins is not none -%}
        {%- set box = width ~ ' * {level_positives} * (1 - ' ~ sqlmetrics.ratio(part, '2') ~ ')' -%}
        {%- set boxes = sqlmetrics.level_sum(plan, 'partial_boxes', box, bins, whole=true) -%}
        {%- set bound.sql = '(' ~ sqlmetrics.ratio(boxes, positives ~ ' * ' ~ negatives) ~ ' / ' ~ 2 * (max_fpr - least)
            ~ ')' -%}
    {%- endif -%}
    {%- do return(sqlmetrics.bounded_value(
        '((1 + (' ~ sqlmetrics.ratio(area, positives ~ ' * ' ~ negatives) ~ ' - ' ~ least ~ ') / ' ~ (max_fpr - least)
            ~ ') / 2)', bound.sql
    )) -%}
{%- endmacro %}

{#
  Gini coefficient of a score, also called accuracy ratio or Somers' D: 2 AUC - 1.

  Formula: \text{Gini} = \frac{\sum_i \sum_j w_i y_i \cdot w_j (1 - y_j) ([s_i > s_j] - [s_i < s_j])} {\sum_i w_i y_i
      \sum_j w_j (1 - y_j)}
  Returns: float; 0 for a random score; weighted by the row weight
  Better: higher
  Range: [-1, 1]
  Unit: none
  Traps: it is 2 * auc - 1 and says nothing beyond auc; the Gini index of items is exposure_gini
  Source: Somers (1962), doi:10.2307/2090408
  Example: gini
#}
{% macro metric_gini(plan, bins=none) -%}
    {%- set auc = sqlmetrics.metric_auc(plan, bins=bins) -%}
    {%- set gini = sqlmetrics.bounded_value(
        '(2 * ' ~ auc['sql'] ~ ' - 1)', none if bins is none else '2 * ' ~ auc['error_bound'], least=-1
    ) -%}
    {%- do return(gini if auc['spread'] is none else dict(gini, spread=dict(auc['spread'], factor=2))) -%}
{%- endmacro %}

{#
  Average precision, the area under the precision-recall curve by steps: the sum over score levels of the
  precision at the level times the recall it adds. Over lists it is `map`; by trapezoids it is
  `pr_auc(method=trapezoid)`.

  Formula: \text{AP} = \sum_l (\text{TPR}(t_l) - \text{TPR}(t_{l-1})) \, \text{PPV}(t_l)
  Better: higher
  Range: [0, 1]
  Unit: share
  Aliases: average_precision_score (scikit-learn), AUPRC (torcheval)
  Undefined: null if no row is positive
  Interval: from the influence of each row, or with group= of each list, on as many units as there are positive rows, or
    lists with one; Wilson's of that many if the value is 1. Null with fewer than two of them, unless the value is 1.
    With bins a bootstrap
  Traps: a random score has the share of positive rows, not 0.5, so values of data with different shares are not
    comparable; it is a step-wise sum, which is lower than the area by trapezoids (pr_auc(method=trapezoid)); of few
    positive rows it is on average above the value of many
  Source: scikit-learn, average_precision_score; interval: inference/average_precision.sql
  Example: average_precision
#}
{% macro metric_average_precision(plan, bins=none) -%}
    {%- if bins is none and sqlmetrics.precision_has_influence(plan) -%}
        {%- do return(sqlmetrics.precision_with_influence(plan)) -%}
    {%- endif -%}
    {%- set precisions = sqlmetrics.level_sum(
        plan, 'level_precisions', '{level_positives} * ' ~ sqlmetrics.ratio('{positives_through}', '{through}'), bins
    ) -%}
    {%- do return(sqlmetrics.held_in_range(sqlmetrics.bounded_value(
        sqlmetrics.ratio(precisions, sqlmetrics.row_positives(plan)),
        sqlmetrics.bound_of_precisions(plan, precisions, bins)
    ))) -%}
{%- endmacro %}

{#
  Area under the precision-recall curve, by steps as `average_precision` or by trapezoids. Trapezoids are
  optimistic, because precision is not linear between two levels.

  Formula: \text{AUC} = \sum_l (\text{TPR}(t_l) - \text{TPR}(t_{l-1})) \, x_l
    x_l = \begin{cases} \text{PPV}(t_l) & \text{method=step} \\ \frac{1}{2} (\text{PPV}(t_{l-1}) + \text{PPV}(t_l)) &
      \text{method=trapezoid} \end{cases}
    \text{PPV}(t_0) = \begin{cases} \text{PPV}(t_1) & \text{start=first} \\ 1 & \text{start=one} \end{cases}
  Args:
    method: step or trapezoid
    start: the precision at recall 0, where trapezoids begin: first (at the highest score, as in Spark)
      or one (as in scikit-learn's auc(recall, precision))
  Better: higher
  Range: [0, 1]
  Unit: share
  Aliases: areaUnderPR (Spark) is pr_auc(method=trapezoid)
  Undefined: null if no row is positive
  Traps: a random score has the share of positive rows, not 0.5; method=trapezoid joins the points by lines and
    is too optimistic
  Source: Davis and Goadrich (2006), doi:10.1145/1143844.1143874; Spark,
    BinaryClassificationMetrics.areaUnderPR
  Example: pr_auc(method=trapezoid)
#}
{% macro metric_pr_auc(plan, method='step', start='first', bins=none) -%}
    {{- sqlmetrics.one_of(plan, 'method', method, ['step', 'trapezoid']) -}}
    {{- sqlmetrics.one_of(plan, 'start', start, ['first', 'one']) -}}
    {%- if method == 'step' -%}{%- do return(sqlmetrics.metric_average_precision(plan, bins=bins)) -%}{%- endif -%}
    {%- set precision = sqlmetrics.ratio('{positives_through}', '{through}') -%}
    {%- set before = 'coalesce(' ~ sqlmetrics.ratio(sqlmetrics.level_positives_above(plan), '{above}') ~ ', '
        ~ (precision if start == 'first' else '1') ~ ')' -%}
    {%- set areas = sqlmetrics.level_sum(
        plan, 'level_trapezoids', '{level_positives} * (' ~ before ~ ' + ' ~ precision ~ ') / 2', bins, whole=true
    ) -%}
    {%- do return(sqlmetrics.bounded_value(
        sqlmetrics.ratio(areas, sqlmetrics.row_positives(plan)), sqlmetrics.bound_of_precisions(plan, areas, bins)
    )) -%}
{%- endmacro %}

{#
  Kolmogorov-Smirnov statistic: the largest distance between the shares of positive and negative rows above a
  score, max |TPR - FPR|.

  Formula: \text{KS} = \max_t \left|\text{TPR}(t) - \text{FPR}(t)\right|
  Better: higher
  Range: [0, 1]
  Unit: share
  Traps: it is the greatest of many differences, so it is above 0 for a random score, and the more so the fewer
    rows there are; it looks at one threshold alone
  Source: Kolmogorov-Smirnov two-sample statistic; scipy, ks_2samp
  Example: ks
#}
{% macro metric_ks(plan, bins=none) -%}
    {%- set farthest = sqlmetrics.level_max(plan, 'ks', sqlmetrics.distance_of_level(plan), bins) -%}
    {%- if bins is none -%}{%- do return(sqlmetrics.bounded_value(farthest)) -%}{%- endif -%}
    {#- inside a bin the curve stays in a box, between two of its corners -#}
    {%- set corners = [] -%}
    {%- for one, other in (
        ('{positives_through}', sqlmetrics.level_negatives_above(plan)),
        (sqlmetrics.level_positives_above(plan), sqlmetrics.level_negatives_through(plan))
    ) -%}
        {%- set corner = sqlmetrics.ratio(one, sqlmetrics.row_positives(plan)) ~ ' - '
            ~ sqlmetrics.ratio(other, sqlmetrics.row_negatives(plan)) -%}
        {%- do corners.append(sqlmetrics.level_max(plan, 'ks_corner', 'abs(' ~ corner ~ ')', bins)) -%}
    {%- endfor -%}
    {%- set larger = 'case when ' ~ corners | join(' > ') ~ ' then ' ~ corners | join(' else ') ~ ' end' -%}
    {%- do return(sqlmetrics.bounded_value(farthest, '(' ~ larger ~ ' - ' ~ farthest ~ ')')) -%}
{%- endmacro %}

{# |TPR - FPR| of the decision at a level. #}
{% macro distance_of_level(plan) -%}
    {%- set tpr = sqlmetrics.ratio('{positives_through}', sqlmetrics.row_positives(plan)) -%}
    {%- set fpr = sqlmetrics.ratio(sqlmetrics.level_negatives_through(plan), sqlmetrics.row_negatives(plan)) -%}
    abs({{ tpr }} - {{ fpr }})
{%- endmacro %}

{#
  The error bound of a sum of precisions over bins; none without bins. Inside a bin the precision lies between its
  value with the negative rows first and its value with the positive rows first.
#}
{% macro bound_of_precisions(plan, sum, bins) -%}
    {%- if bins is none -%}{%- do return(none) -%}{%- endif -%}
    {%- set negatives_first = sqlmetrics.ratio(
        sqlmetrics.level_positives_above(plan), '{above} + ' ~ sqlmetrics.level_negatives(plan)
    ) -%}
    {%- set positives_first = sqlmetrics.ratio('{positives_through}', '{above} + {level_positives}') -%}
    {%- set least = sqlmetrics.level_sum(
        plan, 'least_precisions', 'coalesce({level_positives} * ' ~ negatives_first ~ ', 0)', bins
    ) -%}
    {%- set most = sqlmetrics.level_sum(
        plan, 'most_precisions', 'coalesce({level_positives} * ' ~ positives_first ~ ', 0)', bins
    ) -%}
    {%- set sides = ['(' ~ most ~ ' - ' ~ sum ~ ')', '(' ~ sum ~ ' - ' ~ least ~ ')'] -%}
    {%- set larger = 'case when ' ~ sides | join(' > ') ~ ' then ' ~ sides | join(' else ') ~ ' end' -%}
    {{- sqlmetrics.ratio(larger, sqlmetrics.row_positives(plan)) -}}
{%- endmacro %}
