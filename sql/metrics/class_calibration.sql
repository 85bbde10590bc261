{#
  Calibration errors of scores of several classes, as in multiclass.sql. The bins are those of ece. Grain: bins of the
  scores of classes (stages/classes/class_bins.sql).

  Args:
    equal: width (bins divide [0, 1]; a score on an edge belongs to the bin above) or count (bins hold equally
      many rows, but equal scores stay together)
  Task: Several classes or labels
  Returns: float; weighted by the row weight
  Better: lower
  Range: [0, 1]
  Unit: share
  Undefined: null if there are no examples; scores that do not sum to 1 are taken as they are, and counted in
    examples_not_summing_to_1
  Errors: a score outside [0, 1]; a label that class_scores= does not name; bins < 1; in a long table an example
    without a class, with several, or with two rows of one class
#}

{#
  Expected calibration error of the top label, also called confidence ECE: the mean distance between the highest score
  of an example and the share of examples whose class has it, in bins of these scores.

  Of classes whose scores tie for the highest, ties= says which one is the top label, as in top_k_accuracy@1.

  Formula: \text{ECE} = \frac{1}{W} \sum_{B=1}^{\text{bins}} \left|\sum_{i \in B} w_i ([s_{i,y_i} = \max_c s_{ic}] -
      \max_c s_{ic})\right|
  Traps: it reads the highest scores alone, which classwise_ece does not; with many bins and few rows it is above 0
    for a perfect model, and its interval, too (docs/coverage.md); some libraries bin the rows of each predicted class
    apart under the name of top-label ECE, which is another number
  Source: Guo, Pleiss, Sun and Weinberger (2017), On calibration of modern neural networks, section 2;
    torchmetrics, MulticlassCalibrationError
  Example: top_label_ece(bins=15)
#}
{% macro metric_top_label_ece(plan, bins=10, equal='width') -%}
    {%- set distances = sqlmetrics.distances_of_class_bins(plan, 'top', bins, equal) -%}
    {%- set wide = plan['facts']['class_scores'] -%}
    {%- set examples = sqlmetrics.row_total(plan) if wide else sqlmetrics.row_positives(plan) -%}
    {%- do return(sqlmetrics.bounded_value(sqlmetrics.ratio(distances, examples))) -%}
{%- endmacro %}

{#
  Classwise expected calibration error: for each class the mean distance between its score and the share of examples of
  the class, in bins of this score; then the mean over the classes.

  Formula: \text{ECE} = \frac{1}{W C} \sum_{c=1}^{C} \sum_{B=1}^{\text{bins}} \left|\sum_{i:\, s_{ic} \in B} w_i ([y_i =
      c] - s_{ic})\right|
  Args:
    class: with class_scores=, one class in place of the mean: ece of this class against the others
  Traps: with many classes most scores are near 0 and so are their errors, so values of data with other classes are
    not comparable; with many bins and few rows it is above 0 for a perfect model, and its interval, too
    (docs/coverage.md); a class without examples counts in the mean, by its scores
  Source: Kull et al. (2019), Beyond temperature scaling, arXiv:1910.12656, section 2; Nixon et al. (2019), Measuring
    calibration in deep learning, arXiv:1904.01685, call it static calibration error
  Example: classwise_ece(bins=15)
#}
{% macro metric_classwise_ece(plan, bins=10, equal='width', class=none) -%}
    {%- set wide = plan['facts']['class_scores'] -%}
    {%- if class is not none and not wide -%}
        {{- sqlmetrics.refuse_metric(
            plan, "class= asks for one class of class_scores=; of a long table, ece with by= the class has its value"
        ) -}}
    {%- endif -%}
    {%- set number = none if class is none else sqlmetrics.number_of_class(plan, class) -%}
    {%- set distances = sqlmetrics.distances_of_class_bins(plan, 'each', bins, equal, number) -%}
    {#- a long table has a row for each class -#}
    {%- set times = ' * ' ~ wide | length if wide and class is none else '' -%}
    {%- do return(sqlmetrics.bounded_value(sqlmetrics.ratio(distances, sqlmetrics.row_total(plan) ~ times))) -%}
{%- endmacro %}

{#
  The distances of score and share in bins, each times the weight of its rows, summed.

  Args:
    of: top (the highest score of an example) or each (the score of each class)
    number: with each, the number of one class; none for all
#}
{% macro distances_of_class_bins(plan, of, bins, equal, number=none) -%}
    {%- do sqlmetrics.need_probabilities_of_classes(plan) -%}
    {%- set grain = sqlmetrics.class_bins_grain(plan, of, bins, equal) -%}
    {%- set name, distance = 'calibration_' ~ grain, 'abs({level_positives} - {level_scores})' -%}
    {%- if number is none -%}{%- do return(sqlmetrics.need(plan, grain, name, distance)) -%}{%- endif -%}
    {%- set of_class = 'case when {item} = ' ~ number ~ ' then ' ~ distance ~ ' end' -%}
    {%- do return(sqlmetrics.need(plan, grain, name ~ '_' ~ number, of_class)) -%}
{%- endmacro %}
