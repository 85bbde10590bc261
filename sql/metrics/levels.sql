{#
  Metrics of a binary label and a score of which only the order matters. Grain: score levels.

  Levels are read from the highest score down; stages/levels/levels.sql explains the columns. With `bins`,
  scores are probabilities and bins replace levels (stages/levels/bins.sql); a column <metric>_error_bound
  then bounds the difference from the exact value.

  Shares are compared with a tolerance of 1e-12, because sums of weights are rounded.
#}

{#
  Area under the ROC curve: the probability that a positive row scores above a negative one; a tie counts one
  half.

  It is computed as a rank sum: the ranks of the positive rows counted from the top, less their ranks among
  themselves.

  Args:
    max_fpr: compute the area up to this false positive rate only, standardised as by McClish: 0.5 for a
      random score, 1 for a perfect one
    bins: compute over this many bins of equal width instead of exactly; the column <metric>_error_bound then
      gives the largest possible error
  Returns: float; weighted by the row weight
  Better: higher
  Range: [0, 1]
  Unit: share
  Undefined: null if only one class is present
  Interval: DeLong's, or with group= Obuchowski's over lists; cut off at 0 and 1. interval_method=logit stays
    inside, and is null if the value is 0 or 1. Null if a class has fewer than two rows, or rows in fewer than
    two lists. Not available with weight=, max_fpr or bins
  Errors: a label other than 0 and 1, unless positive= is given; max_fpr outside (0, 1]; with bins, a score
    outside [0, 1]
  Source: Hanley and McNeil (1982), doi:10.1148/radiology.143.1.7063747; max_fpr: McClish (1989),
    doi:10.1177/0272989X8900900307; interval: DeLong, DeLong and Clarke-Pearson (1988), doi:10.2307/2531595;
    Obuchowski (1997), doi:10.2307/2533958
  Example: auc(max_fpr=0.1)
#}
{% macro metric_auc(plan, max_fpr=none, bins=none) -%}
    {%- set positives, negatives = sqlmetrics.sql_double(sqlmetrics.positives(plan)), sqlmetrics.sql_double(sqlmetrics.negatives(plan)) -%}
    {%- if max_fpr is none and bins is none and sqlmetrics.auc_has_variance(plan) -%}
        {%- set auc = sqlmetrics.auc_of_discordant(plan) -%}
        {%- do sqlmetrics.note_auc(plan, auc, auc) -%}
        {{- auc -}}
    {%- elif max_fpr is none -%}
        {%- set ranks = sqlmetrics.level_sum(plan, 'auc_ranks', 'sm_level_positives * sm_place', ['place'], bins) -%}
        {%- if bins is not none -%}
            {%- set boxes = sqlmetrics.level_sum(plan, 'auc_boxes', 'sm_level_positives * ' ~ sqlmetrics.level_negatives(), [], bins) -%}
            {%- do plan.update({'error_bound': sqlmetrics.ratio(boxes, '2 * ' ~ positives ~ ' * ' ~ negatives)}) -%}
        {%- endif -%}
        (1 - ({{ sqlmetrics.sql_double(ranks) }} - {{ positives }} * {{ positives }}) / nullif(2 * {{ positives }} * {{ negatives }}, 0))
    {%- else -%}
        {{- sqlmetrics.number(plan, 'max_fpr', max_fpr, 1e-300, 1) -}}
        {#- of a level that straddles max_fpr, the part to its left: there the curve is a straight line -#}
        {%- set part = sqlmetrics.part_within(max_fpr ~ ' * ' ~ negatives, sqlmetrics.negatives_above(), sqlmetrics.negatives_through()) -%}
        {%- set width = sqlmetrics.sql_double(sqlmetrics.level_negatives()) ~ ' * ' ~ part -%}
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
    bins: compute over this many bins of equal width instead of exactly; the column <metric>_error_bound then
      gives the largest possible error
  Returns: float; 0 for a random score; weighted by the row weight
  Better: higher
  Range: [-1, 1]
  Unit: none
  Undefined: null if only one class is present
  Errors: a label other than 0 and 1, unless positive= is given; with bins, a score outside [0, 1]
  Source: Somers (1962), doi:10.2307/2090408
  Example: gini
#}
{% macro metric_gini(plan, bins=none) -%}
    {%- set auc = sqlmetrics.metric_auc(plan, bins=bins) -%}
    {%- if bins is not none -%}{%- do plan.update({'error_bound': '2 * ' ~ plan['error_bound']}) -%}{%- endif -%}
    {%- set gini = '(2 * ' ~ auc ~ ' - 1)' -%}
    {%- if auc in plan['spreads'] -%}{%- do sqlmetrics.note_auc(plan, gini, auc, 2) -%}{%- endif -%}
    {{- gini -}}
{%- endmacro %}

{#
  Average precision, the area under the precision-recall curve by steps: the sum over score levels of the
  precision at the level times the recall it adds. Over lists it is `map`; by trapezoids it is
  `pr_auc(method=trapezoid)`.

  Args:
    bins: compute over this many bins of equal width instead of exactly; the column <metric>_error_bound then
      gives the largest possible error
  Returns: float; weighted by the row weight
  Better: higher
  Range: [0, 1]
  Unit: share
  Undefined: null if no row is positive
  Errors: a label other than 0 and 1, unless positive= is given; with bins, a score outside [0, 1]
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
  Area under the precision-recall curve, by steps as `average_precision` or by trapezoids. Trapezoids are
  optimistic, because precision is not linear between two levels.

  Args:
    method: step or trapezoid
    start: the precision at recall 0, where trapezoids begin: first (that of the highest score, as in Spark)
      or one (as in scikit-learn's auc(recall, precision))
    bins: compute over this many bins of equal width instead of exactly; the column <metric>_error_bound then
      gives the largest possible error
  Returns: float; weighted by the row weight
  Better: higher
  Range: [0, 1]
  Unit: share
  Undefined: null if no row is positive
  Errors: a label other than 0 and 1, unless positive= is given; with bins, a score outside [0, 1]
  Source: Davis and Goadrich (2006), doi:10.1145/1143844.1143874; Spark,
    BinaryClassificationMetrics.areaUnderPR
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
  Kolmogorov-Smirnov statistic: the largest distance between the shares of positive and negative rows above a
  score, max |TPR - FPR|.

  Args:
    bins: compute over this many bins of equal width instead of exactly; the column <metric>_error_bound then
      gives the largest possible error
  Returns: float; weighted by the row weight
  Better: higher
  Range: [0, 1]
  Unit: share
  Undefined: null if only one class is present
  Errors: a label other than 0 and 1, unless positive= is given; with bins, a score outside [0, 1]
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

{# |TPR - FPR| of the decision at a level. #}
{% macro distance_of_level(plan) -%}
    abs({{ sqlmetrics.ratio('sm_positives_through', sqlmetrics.positives(plan)) }} - {{ sqlmetrics.ratio(sqlmetrics.negatives_through(), sqlmetrics.negatives(plan)) }})
{%- endmacro %}

{#
  The error bound of a sum of precisions over bins. The precision inside a bin lies between its values with
  the negative rows first and with the positive rows first.
#}
{% macro bound_precisions(plan, sum, bins) -%}
    {%- set negatives_first = sqlmetrics.ratio(sqlmetrics.positives_above(), 'sm_above + ' ~ sqlmetrics.level_negatives()) -%}
    {%- set positives_first = sqlmetrics.ratio('sm_positives_through', 'sm_above + sm_level_positives') -%}
    {%- set least = sqlmetrics.level_sum(plan, 'least_precisions', 'coalesce(sm_level_positives * ' ~ negatives_first ~ ', 0)', [], bins) -%}
    {%- set most = sqlmetrics.level_sum(plan, 'most_precisions', 'coalesce(sm_level_positives * ' ~ positives_first ~ ', 0)', [], bins) -%}
    {%- set sides = ['(' ~ most ~ ' - ' ~ sum ~ ')', '(' ~ sum ~ ' - ' ~ least ~ ')'] -%}
    {%- set larger = 'case when ' ~ sides | join(' > ') ~ ' then ' ~ sides | join(' else ') ~ ' end' -%}
    {%- do plan.update({'error_bound': sqlmetrics.ratio(larger, sqlmetrics.positives(plan))}) -%}
{%- endmacro %}

{# The part of a level, from `above` to `through`, that lies within a limit. #}
{% macro part_within(limit, above, through) -%}
    case when {{ through }} <= {{ limit }} then 1 when {{ above }} >= {{ limit }} then 0 else {{ sqlmetrics.ratio(limit ~ ' - ' ~ above, through ~ ' - ' ~ above) }} end
{%- endmacro %}

{# Counts of a whole level, computed from its columns. #}
{% macro level_negatives() -%}(sm_level_rows - sm_level_positives){%- endmacro %}
{% macro positives_above() -%}(sm_positives_through - sm_level_positives){%- endmacro %}
{% macro negatives_above() -%}(sm_above - {{ sqlmetrics.positives_above() }}){%- endmacro %}
{% macro negatives_through() -%}(sm_through - sm_positives_through){%- endmacro %}

{#
  An aggregate over score levels, or over the bins that replace them.

  Args:
    reads: columns that the expression reads besides sm_level_rows, sm_level_positives and sm_through: above
      and positives_through (the columns), totals (the sums over rows), whole (one row for each level)
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

{# The largest value of an expression over score levels or bins. #}
{% macro level_max(plan, name, x, bins=none) -%}
    {%- do plan['flags'].update({'all_levels': true}) -%}
    {%- do return(sqlmetrics.level_sum(plan, name, x, ['positives_through', 'totals'], bins, 'max')) -%}
{%- endmacro %}
