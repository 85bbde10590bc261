{#
  Metrics of a binary label and a score of which only the order counts. Grain: score levels.
  Rows are read from the highest score down; see stages/levels.sql for the columns.
#}

{#
  Area under the ROC curve: the chance that a positive row scores above a negative one, a tie counting one half.

  Written as a rank sum: the ranks that positive rows hold, counted from the top, less those among themselves.

  Returns: float in [0, 1]; weighted by the row weight
  Undefined: null where only one class is present
  Errors: a label that is neither 0 nor 1, unless positive= is given
  Source: Hanley and McNeil (1982), doi:10.1148/radiology.143.1.7063747
  Example: auc
#}
{% macro metric_auc(plan) -%}
    {%- do plan['flags'].update({'above': true}) -%}
    {%- set ranks = sqlmetrics.level_sum(plan, 'auc_ranks', 'sm_level_positives * (sm_above + sm_through)') -%}
    {%- set pairs = sqlmetrics.sm_double(sqlmetrics.positives(plan)) ~ ' * ' ~ sqlmetrics.sm_double(sqlmetrics.negatives(plan)) -%}
    {%- set among = sqlmetrics.sm_double(sqlmetrics.positives(plan)) ~ ' * ' ~ sqlmetrics.sm_double(sqlmetrics.positives(plan)) -%}
    (1 - ({{ sqlmetrics.sm_double(ranks) }} - {{ among }}) / nullif(2 * {{ pairs }}, 0))
{%- endmacro %}

{#
  Average precision, the area under the precision-recall curve by steps: over score levels from the top,
  the precision at the level times the recall it adds. Over lists it is `map`.

  Returns: float in [0, 1]; weighted by the row weight
  Undefined: null without a positive row
  Errors: a label that is neither 0 nor 1, unless positive= is given
  Source: scikit-learn, average_precision_score
  Example: average_precision
#}
{% macro metric_average_precision(plan) -%}
    {%- set precisions = sqlmetrics.level_sum(
        plan, 'level_precisions',
        'sm_level_positives * ' ~ sqlmetrics.ratio('sm_positives_through', 'sm_through')
    ) -%}
    {%- do plan['flags'].update({'positives_through': true}) -%}
    {{- sqlmetrics.ratio(precisions, sqlmetrics.positives(plan)) -}}
{%- endmacro %}

{#
  Kolmogorov-Smirnov statistic: the largest distance between the shares of positive and of negative rows
  above a score, max |TPR - FPR|.

  Returns: float in [0, 1]; weighted by the row weight
  Undefined: null where only one class is present
  Errors: a label that is neither 0 nor 1, unless positive= is given
  Source: Kolmogorov-Smirnov two-sample statistic; scipy, ks_2samp
  Example: ks
#}
{% macro metric_ks(plan) -%}
    {%- set shares = sqlmetrics.ratio('sm_positives_through', sqlmetrics.positives(plan))
        ~ ' - ' ~ sqlmetrics.ratio('(sm_through - sm_positives_through)', sqlmetrics.negatives(plan)) -%}
    {%- do plan['flags'].update({'positives_through': true}) -%}
    {{- sqlmetrics.level_sum(plan, 'ks', 'abs(' ~ shares ~ ')', 'max') -}}
{%- endmacro %}

{# An aggregate over score levels. #}
{% macro level_sum(plan, name, x, aggregate='sum') -%}
    {{- sqlmetrics.need_role(plan, 'label') ~ sqlmetrics.need_role(plan, 'score') -}}
    {{- sqlmetrics.need(plan, 'levels', name, x, aggregate) -}}
{%- endmacro %}
