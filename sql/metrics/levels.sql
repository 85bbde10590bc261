{#
  Metrics of a binary label and a score of which only the order counts. Grain: score levels.
  Rows are read from the highest score down; see stages/levels.sql for the columns. With `bins` scores are probabilities and a bin
  stands for a level (stages/bins.sql); a column <metric>_error_bound then says by how much the value may differ from the exact one.
  Shares that are compared, with a given one or with the greatest, are equal if they differ by less than 1e-12: sums of weights are rounded.
#}

{#
  Area under the ROC curve: the chance that a positive row scores above a negative one, a tie counting one half.

  Written as a rank sum: the ranks that positive rows hold, counted from the top, less those among themselves.

  Args:
    max_fpr: the area up to this false positive rate alone, standardised as McClish does: 0.5 for a random score, 1 for a perfect one
    bins: over so many bins of equal width instead of exactly; <metric>_error_bound, a column beside it, is the most it may be off
  Returns: float in [0, 1]; weighted by the row weight
  Undefined: null where only one class is present
  Errors: a label that is neither 0 nor 1, unless positive= is given; max_fpr outside (0, 1]; with bins, a score outside [0, 1]
  Source: Hanley and McNeil (1982), doi:10.1148/radiology.143.1.7063747; max_fpr: McClish (1989), doi:10.1177/0272989X8900900307
  Example: auc(max_fpr=0.1)
#}
{% macro metric_auc(plan, max_fpr=none, bins=none) -%}
    {%- set positives, negatives = sqlmetrics.sm_double(sqlmetrics.positives(plan)), sqlmetrics.sm_double(sqlmetrics.negatives(plan)) -%}
    {%- if max_fpr is none -%}
        {%- set ranks = sqlmetrics.level_sum(plan, 'auc_ranks', 'sm_level_positives * (sm_above + sm_through)', ['above'], bins) -%}
        {%- if bins is not none -%}
            {%- set boxes = sqlmetrics.level_sum(plan, 'auc_boxes', 'sm_level_positives * ' ~ sqlmetrics.level_negatives(), [], bins) -%}
            {%- do plan.update({'error_bound': sqlmetrics.ratio(boxes, '2 * ' ~ positives ~ ' * ' ~ negatives)}) -%}
        {%- endif -%}
        (1 - ({{ sqlmetrics.sm_double(ranks) }} - {{ positives }} * {{ positives }}) / nullif(2 * {{ positives }} * {{ negatives }}, 0))
    {%- else -%}
        {{- sqlmetrics.number(plan, 'max_fpr', max_fpr, 1e-300, 1) -}}
        {#- of a level that straddles max_fpr, the part to its left: there the curve is a straight line -#}
        {%- set part = sqlmetrics.part_within(max_fpr ~ ' * ' ~ negatives, sqlmetrics.negatives_above(), sqlmetrics.negatives_through()) -%}
        {%- set width = sqlmetrics.sm_double(sqlmetrics.level_negatives()) ~ ' * ' ~ part -%}
        {%- set reads = ['whole', 'above', 'positives_through', 'totals'] -%}
        {%- set area = sqlmetrics.level_sum(
            plan, 'partial_area', width ~ ' * (' ~ sqlmetrics.positives_above() ~ ' + ' ~ sqlmetrics.ratio('sm_level_positives * ' ~ part, '2') ~ ')', reads, bins
        ) -%}
        {%- set least = max_fpr * max_fpr / 2 -%}
        {%- if bins is not none -%}
            {%- set boxes = sqlmetrics.level_sum(plan, 'partial_boxes', width ~ ' * sm_level_positives * (1 - ' ~ sqlmetrics.ratio(part, '2') ~ ')', reads, bins) -%}
            {%- do plan.update({'error_bound': '(' ~ sqlmetrics.ratio(boxes, positives ~ ' * ' ~ negatives) ~ ' / ' ~ 2 * (max_fpr - least) ~ ')'}) -%}
        {%- endif -%}
        ((1 + ({{ sqlmetrics.ratio(area, positives ~ ' * ' ~ negatives) }} - {{ least }}) / {{ max_fpr - least }}) / 2)
    {%- endif -%}
{%- endmacro %}

{#
  Gini coefficient of a score, also called accuracy ratio or Somers' D: 2 AUC - 1.

  Args:
    bins: over so many bins of equal width instead of exactly; <metric>_error_bound, a column beside it, is the most it may be off
  Returns: float in [-1, 1]; 0 for a random score; weighted by the row weight
  Undefined: null where only one class is present
  Errors: a label that is neither 0 nor 1, unless positive= is given; with bins, a score outside [0, 1]
  Source: Somers (1962), doi:10.2307/2090408
  Example: gini
#}
{% macro metric_gini(plan, bins=none) -%}
    {%- set auc = sqlmetrics.metric_auc(plan, bins=bins) -%}
    {%- if bins is not none -%}{%- do plan.update({'error_bound': '2 * ' ~ plan['error_bound']}) -%}{%- endif -%}
    (2 * {{ auc }} - 1)
{%- endmacro %}

{#
  Average precision, the area under the precision-recall curve by steps: over score levels from the top,
  the precision at the level times the recall it adds. Over lists it is `map`; by trapezoids it is `pr_auc(method=trapezoid)`.

  Args:
    bins: over so many bins of equal width instead of exactly; <metric>_error_bound, a column beside it, is the most it may be off
  Returns: float in [0, 1]; weighted by the row weight
  Undefined: null without a positive row
  Errors: a label that is neither 0 nor 1, unless positive= is given; with bins, a score outside [0, 1]
  Source: scikit-learn, average_precision_score
  Example: average_precision
#}
{% macro metric_average_precision(plan, bins=none) -%}
    {%- set precisions = sqlmetrics.level_sum(
        plan, 'level_precisions',
        'sm_level_positives * ' ~ sqlmetrics.ratio('sm_positives_through', 'sm_through'), ['positives_through'], bins
    ) -%}
    {%- if bins is not none -%}{{- sqlmetrics.bound_precisions(plan, precisions, bins) -}}{%- endif -%}
    {{- sqlmetrics.ratio(precisions, sqlmetrics.positives(plan)) -}}
{%- endmacro %}

{#
  Area under the precision-recall curve, by steps as `average_precision` or by trapezoids, which is optimistic: precision is no
  straight line between two levels.

  Args:
    method: step or trapezoid
    start: the precision at recall 0, where trapezoids begin: first (that of the highest score, as Spark) or one (as scikit-learn's
      auc(recall, precision))
    bins: over so many bins of equal width instead of exactly; <metric>_error_bound, a column beside it, is the most it may be off
  Returns: float in [0, 1]; weighted by the row weight
  Undefined: null without a positive row
  Errors: a label that is neither 0 nor 1, unless positive= is given; with bins, a score outside [0, 1]
  Source: Davis and Goadrich (2006), doi:10.1145/1143844.1143874; Spark, BinaryClassificationMetrics.areaUnderPR
  Example: pr_auc(method=trapezoid)
#}
{% macro metric_pr_auc(plan, method='step', start='first', bins=none) -%}
    {{- sqlmetrics.one_of(plan, 'method', method, ['step', 'trapezoid']) -}}
    {{- sqlmetrics.one_of(plan, 'start', start, ['first', 'one']) -}}
    {%- if method == 'step' -%}
        {{- sqlmetrics.metric_average_precision(plan, bins=bins) -}}
    {%- else -%}
        {%- set precision = sqlmetrics.ratio('sm_positives_through', 'sm_through') -%}
        {%- set before = 'coalesce(' ~ sqlmetrics.ratio(sqlmetrics.positives_above(), 'sm_above') ~ ', ' ~ (precision if start == 'first' else '1') ~ ')' -%}
        {%- set areas = sqlmetrics.level_sum(
            plan, 'level_trapezoids', 'sm_level_positives * (' ~ before ~ ' + ' ~ precision ~ ') / 2', ['whole', 'above', 'positives_through'], bins
        ) -%}
        {%- if bins is not none -%}{{- sqlmetrics.bound_precisions(plan, areas, bins) -}}{%- endif -%}
        {{- sqlmetrics.ratio(areas, sqlmetrics.positives(plan)) -}}
    {%- endif -%}
{%- endmacro %}

{#
  Break-even point of precision and recall: their common value at the rank that is the number of positive rows, where they are equal.
  Inside a score level the positive rows are spread evenly.

  Returns: float in [0, 1]; weighted by the row weight
  Undefined: null without a positive row
  Errors: a label that is neither 0 nor 1, unless positive= is given
  Source: Joachims (2005), A support vector method for multivariate performance measures; over lists: R-precision
  Example: break_even
#}
{% macro metric_break_even(plan) -%}
    {{- sqlmetrics.ratio(sqlmetrics.positives_in_top(plan, 'of_positives', sqlmetrics.sm_double(sqlmetrics.positives(plan))), sqlmetrics.positives(plan)) -}}
{%- endmacro %}

{#
  Best F1 over all thresholds.

  Returns: float in [0, 1]; weighted by the row weight
  Undefined: null without a positive row
  Errors: a label that is neither 0 nor 1, unless positive= is given
  Source: Lipton, Elkan, Naryanaswamy (2014), doi:10.1007/978-3-662-44851-9_15
  Example: best_f1
#}
{% macro metric_best_f1(plan) -%}{{- sqlmetrics.metric_best_f_beta(plan, beta=1) -}}{%- endmacro %}

{#
  Threshold of the best F1: the highest of the scores that reach it, taken as `score >= threshold`.

  Returns: float, a score
  Undefined: null without a positive row
  Errors: a label that is neither 0 nor 1, unless positive= is given
  Source: Lipton, Elkan, Naryanaswamy (2014), doi:10.1007/978-3-662-44851-9_15
  Example: best_f1_threshold
#}
{% macro metric_best_f1_threshold(plan) -%}{{- sqlmetrics.metric_best_f_beta_threshold(plan, beta=1) -}}{%- endmacro %}

{#
  Best F-beta over all thresholds.

  Args:
    beta: the weight of recall, >= 0; it is squared in the formula
  Returns: float in [0, 1]; weighted by the row weight
  Undefined: null without a positive row
  Errors: a label that is neither 0 nor 1, unless positive= is given; a negative beta
  Source: van Rijsbergen, Information Retrieval (1979), chapter 7
  Example: best_f_beta(beta=2)
#}
{% macro metric_best_f_beta(plan, beta=1) -%}
    case when {{ sqlmetrics.positives(plan) }} > 0 then {{ sqlmetrics.level_max(plan, 'best_f', sqlmetrics.f_beta_of_level(plan, beta)) }} end
{%- endmacro %}

{#
  Threshold of the best F-beta: the highest of the scores that reach it, taken as `score >= threshold`.

  Args:
    beta: the weight of recall, >= 0; it is squared in the formula
  Returns: float, a score
  Undefined: null without a positive row
  Errors: a label that is neither 0 nor 1, unless positive= is given; a negative beta
  Source: van Rijsbergen, Information Retrieval (1979), chapter 7
  Example: best_f_beta_threshold(beta=2)
#}
{% macro metric_best_f_beta_threshold(plan, beta=1) -%}
    case when {{ sqlmetrics.positives(plan) }} > 0 then {{ sqlmetrics.score_at_max(plan, 'best_f', sqlmetrics.f_beta_of_level(plan, beta)) }} end
{%- endmacro %}

{#
  Recall at a precision: the greatest recall over thresholds whose precision is at least the given one.

  Args:
    precision: what the precision has to reach, a number in [0, 1]
  Returns: float in [0, 1]; 0 where no threshold reaches the precision; weighted by the row weight
  Undefined: null without a positive row
  Errors: a label that is neither 0 nor 1, unless positive= is given; a precision outside [0, 1]
  Source: torchmetrics, RecallAtFixedPrecision
  Example: recall_at_precision(precision=0.8)
#}
{% macro metric_recall_at_precision(plan, precision=0.9) -%}
    {{- sqlmetrics.number(plan, 'precision', precision, 0, 1) -}}
    {%- set reached = 'case when ' ~ sqlmetrics.ratio('sm_positives_through', 'sm_through') ~ ' >= ' ~ precision ~ ' - 1e-12 then sm_positives_through end' -%}
    {{- sqlmetrics.ratio('coalesce(' ~ sqlmetrics.level_max(plan, 'positives_at_precision', reached) ~ ', 0)', sqlmetrics.positives(plan)) -}}
{%- endmacro %}

{#
  Precision at a recall: the greatest precision over thresholds whose recall is at least the given one.

  Args:
    recall: what the recall has to reach, a number in [0, 1]
  Returns: float in [0, 1]; weighted by the row weight
  Undefined: null without a positive row
  Errors: a label that is neither 0 nor 1, unless positive= is given; a recall outside [0, 1]
  Source: torchmetrics, PrecisionAtFixedRecall
  Example: precision_at_recall(recall=0.8)
#}
{% macro metric_precision_at_recall(plan, recall=0.9) -%}
    {{- sqlmetrics.number(plan, 'recall', recall, 0, 1) -}}
    {%- set reached = sqlmetrics.ratio('sm_positives_through', sqlmetrics.positives(plan)) ~ ' >= ' ~ recall ~ ' - 1e-12' -%}
    {{- sqlmetrics.level_max(
        plan, 'precision_at_recall', 'case when ' ~ reached ~ ' then ' ~ sqlmetrics.ratio('sm_positives_through', 'sm_through') ~ ' end'
    ) -}}
{%- endmacro %}

{#
  True positive rate at a false positive rate: the greatest recall over thresholds whose false positive rate is at most the given one.

  Args:
    fpr: what the false positive rate may not pass, a number in [0, 1]
  Returns: float in [0, 1]; 0 where every threshold passes it; weighted by the row weight
  Undefined: null where only one class is present
  Errors: a label that is neither 0 nor 1, unless positive= is given; an fpr outside [0, 1]
  Source: torchmetrics, SensitivityAtSpecificity, where specificity is 1 - fpr
  Example: tpr_at_fpr(fpr=0.01)
#}
{% macro metric_tpr_at_fpr(plan, fpr=0.1) -%}
    {{- sqlmetrics.number(plan, 'fpr', fpr, 0, 1) -}}
    {%- set kept = 'case when ' ~ sqlmetrics.ratio(sqlmetrics.negatives_through(), sqlmetrics.negatives(plan)) ~ ' <= ' ~ fpr ~ ' + 1e-12 then sm_positives_through end' -%}
    {%- set most = sqlmetrics.ratio('coalesce(' ~ sqlmetrics.level_max(plan, 'positives_at_fpr', kept) ~ ', 0)', sqlmetrics.positives(plan)) -%}
    case when {{ sqlmetrics.negatives(plan) }} > 0 then {{ most }} end
{%- endmacro %}

{#
  Lift: the share of positive rows in the top share of all rows by score, over their share in all rows. Inside the score level at the
  border the positive rows are spread evenly.

  Args:
    share: the share of rows that is taken from the top, a number in (0, 1]
  Returns: float >= 0, 1 for a random score; weighted by the row weight
  Undefined: null without a positive row
  Errors: a label that is neither 0 nor 1, unless positive= is given; a share outside (0, 1]
  Source: Ling and Li (1998), Data mining for direct marketing
  Example: lift(share=0.05)
#}
{% macro metric_lift(plan, share=0.1) -%}
    ({{ sqlmetrics.metric_capture(plan, share=share) }} / {{ share }})
{%- endmacro %}

{#
  Capture, also called cumulative gain: the share of all positive rows that is in the top share of rows by score. Inside the score level
  at the border the positive rows are spread evenly.

  Args:
    share: the share of rows that is taken from the top, a number in (0, 1]
  Returns: float in [0, 1]; weighted by the row weight
  Undefined: null without a positive row
  Errors: a label that is neither 0 nor 1, unless positive= is given; a share outside (0, 1]
  Source: Ling and Li (1998), Data mining for direct marketing
  Example: capture(share=0.05)
#}
{% macro metric_capture(plan, share=0.1) -%}
    {{- sqlmetrics.number(plan, 'share', share, 1e-300, 1) -}}
    {%- set top = sqlmetrics.positives_in_top(plan, 'in_' ~ sqlmetrics.column_name(share), share ~ ' * ' ~ sqlmetrics.sm_double(sqlmetrics.row_total(plan))) -%}
    {{- sqlmetrics.ratio(top, sqlmetrics.positives(plan)) -}}
{%- endmacro %}

{#
  Kolmogorov-Smirnov statistic: the largest distance between the shares of positive and of negative rows
  above a score, max |TPR - FPR|.

  Args:
    bins: over so many bins of equal width instead of exactly; <metric>_error_bound, a column beside it, is the most it may be off
  Returns: float in [0, 1]; weighted by the row weight
  Undefined: null where only one class is present
  Errors: a label that is neither 0 nor 1, unless positive= is given; with bins, a score outside [0, 1]
  Source: Kolmogorov-Smirnov two-sample statistic; scipy, ks_2samp
  Example: ks
#}
{% macro metric_ks(plan, bins=none) -%}
    {%- set value = sqlmetrics.level_max(plan, 'ks', sqlmetrics.distance_of_level(plan), bins) -%}
    {%- if bins is not none -%}
        {#- inside a bin the curve stays in a box: from its one corner to the other -#}
        {%- set farthest = [] -%}
        {%- for one, other in (('sm_positives_through', sqlmetrics.negatives_above()), (sqlmetrics.positives_above(), sqlmetrics.negatives_through())) -%}
            {%- set corner = sqlmetrics.ratio(one, sqlmetrics.positives(plan)) ~ ' - ' ~ sqlmetrics.ratio(other, sqlmetrics.negatives(plan)) -%}
            {%- do farthest.append(sqlmetrics.level_max(plan, 'ks_corner', 'abs(' ~ corner ~ ')', bins)) -%}
        {%- endfor -%}
        {%- do plan.update({'error_bound': '(case when ' ~ farthest | join(' > ') ~ ' then ' ~ farthest | join(' else ') ~ ' end - ' ~ value ~ ')'}) -%}
    {%- endif -%}
    {{- value -}}
{%- endmacro %}

{#
  Threshold of the Kolmogorov-Smirnov statistic: the highest of the scores where the distance is largest, taken as `score >= threshold`.

  Returns: float, a score
  Undefined: null where only one class is present
  Errors: a label that is neither 0 nor 1, unless positive= is given
  Source: Kolmogorov-Smirnov two-sample statistic; scipy, ks_2samp
  Example: ks_threshold
#}
{% macro metric_ks_threshold(plan) -%}
    {{- sqlmetrics.score_at_max(plan, 'ks', sqlmetrics.distance_of_level(plan)) -}}
{%- endmacro %}

{# |TPR - FPR| of the decision at a level. #}
{% macro distance_of_level(plan) -%}
    abs({{ sqlmetrics.ratio('sm_positives_through', sqlmetrics.positives(plan)) }} - {{ sqlmetrics.ratio(sqlmetrics.negatives_through(), sqlmetrics.negatives(plan)) }})
{%- endmacro %}

{# F-beta of the decision at a level. #}
{% macro f_beta_of_level(plan, beta) -%}
    {{- sqlmetrics.number(plan, 'beta', beta, 0, 1e6) -}}
    {{- sqlmetrics.ratio((1 + beta * beta) ~ ' * sm_positives_through', (beta * beta) ~ ' * ' ~ sqlmetrics.positives(plan) ~ ' + sm_through') -}}
{%- endmacro %}

{#
  The error bound of a sum of precisions over bins. Inside a bin the precision lies between what it is with the negative rows first and
  what it is with the positive rows first.
#}
{% macro bound_precisions(plan, sum, bins) -%}
    {%- set least = sqlmetrics.level_sum(
        plan, 'least_precisions', 'coalesce(sm_level_positives * ' ~ sqlmetrics.ratio(sqlmetrics.positives_above(), 'sm_above + ' ~ sqlmetrics.level_negatives()) ~ ', 0)', [], bins
    ) -%}
    {%- set most = sqlmetrics.level_sum(
        plan, 'most_precisions', 'coalesce(sm_level_positives * ' ~ sqlmetrics.ratio('sm_positives_through', 'sm_above + sm_level_positives') ~ ', 0)', [], bins
    ) -%}
    {%- set sides = ['(' ~ most ~ ' - ' ~ sum ~ ')', '(' ~ sum ~ ' - ' ~ least ~ ')'] -%}
    {%- do plan.update({'error_bound': sqlmetrics.ratio('case when ' ~ sides | join(' > ') ~ ' then ' ~ sides | join(' else ') ~ ' end', sqlmetrics.positives(plan))}) -%}
{%- endmacro %}

{# The positive rows expected among so many rows from the top. #}
{% macro positives_in_top(plan, name, limit) -%}
    {{- sqlmetrics.level_sum(
        plan, 'positives_' ~ name, 'sm_level_positives * ' ~ sqlmetrics.part_within(limit, 'sm_above', 'sm_through'), ['above', 'totals']
    ) -}}
{%- endmacro %}

{# The part of a level, from `above` to `through`, that is not below a limit. #}
{% macro part_within(limit, above, through) -%}
    case when {{ through }} <= {{ limit }} then 1 when {{ above }} >= {{ limit }} then 0 else {{ sqlmetrics.ratio(limit ~ ' - ' ~ above, through ~ ' - ' ~ above) }} end
{%- endmacro %}

{# Counts of a whole level that follow from its columns. #}
{% macro level_negatives() -%}(sm_level_rows - sm_level_positives){%- endmacro %}
{% macro positives_above() -%}(sm_positives_through - sm_level_positives){%- endmacro %}
{% macro negatives_above() -%}(sm_above - {{ sqlmetrics.positives_above() }}){%- endmacro %}
{% macro negatives_through() -%}(sm_through - sm_positives_through){%- endmacro %}

{#
  An aggregate over score levels, or over bins that stand for them.

  Args:
    reads: what the expression reads besides sm_level_rows, sm_level_positives and sm_through: above and positives_through (the columns),
      totals (the sums over rows), whole (a level as one row)
#}
{% macro level_sum(plan, name, x, reads=[], bins=none, aggregate='sum') -%}
    {{- sqlmetrics.need_role(plan, 'label') ~ sqlmetrics.need_role(plan, 'score') -}}
    {%- if bins is not none -%}
        {%- do sqlmetrics.probability_of(plan) -%}
        {%- do return(sqlmetrics.need(plan, sqlmetrics.bins_grain(plan, bins, 'width', ['levels']), name ~ '_' ~ bins ~ '_bins', x, aggregate)) -%}
    {%- endif -%}
    {%- for read in reads -%}{%- do plan['flags'].update({'whole_levels' if read == 'whole' else read: true}) -%}{%- endfor -%}
    {%- do return(sqlmetrics.need(plan, 'levels', name, x, aggregate)) -%}
{%- endmacro %}

{# The greatest value of an expression over score levels, or bins. #}
{% macro level_max(plan, name, x, bins=none) -%}
    {%- do plan['flags'].update({'all_levels': true}) -%}
    {%- do return(sqlmetrics.level_sum(plan, name, x, ['positives_through', 'totals'], bins, 'max')) -%}
{%- endmacro %}

{# The highest score at which an expression over score levels is greatest. #}
{% macro score_at_max(plan, name, x) -%}
    {%- set most = sqlmetrics.level_max(plan, name, x) -%}
    {%- do plan['flags'].update({'whole_levels': true}) -%}
    {%- do return(sqlmetrics.need(plan, 'peaks', name ~ '_score', 'case when ' ~ x ~ ' >= ' ~ most ~ ' - 1e-12 then sm_score end', 'max')) -%}
{%- endmacro %}
