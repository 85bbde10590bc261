{#
  Metrics of several classes with a score each. The data are a long table with a row for each example (group=)
  and class (item=), whose label says whether the example belongs to the class. Grain: lists, and classes.
#}

{#
  Top-k accuracy: the share of examples (group=) whose class is among the k classes with the highest scores.
  It is the hit rate of lists with one relevant item.

  Args:
    k: cutoff in classes, integer >= 1
  Returns: float
  Better: higher
  Range: [0, 1]
  Unit: share
  Undefined: null if there are no examples
  Errors: k < 1; an example without a class, or with several
  Source: scikit-learn, top_k_accuracy_score; ties: McSherry and Najork (2008)
  Example: top_k_accuracy@3
#}
{% macro metric_top_k_accuracy(plan, k) -%}
    {{- sqlmetrics.number(plan, 'k', k, 1, 1000000000, true) -}}
    {{- sqlmetrics.require(
        plan, 'list_sums', 'groups_without_one_class', sqlmetrics.relevant_of_list(plan) ~ ' <> 1',
        'groups do not have exactly one row with a positive label, which says the class of an example'
    ) -}}
    {%- do return(sqlmetrics.metric_hit_rate(plan, k=k, **kwargs)) -%}
{%- endmacro %}

{#
  Multiclass AUC: the AUC of each class's score (item=) over the examples (group=), averaged over classes or
  pairs of classes.

  Args:
    method: ovr (one class against all others) or ovo (one class against one other, after Hand and Till;
      examples of a third class are left out of the pair); there is no default, because the two differ
    average: macro (the mean over classes, or pairs) or weighted (the same mean, weighted by the examples)
  Returns: float; weighted by the row weight, which is the same in all rows of an example
  Better: higher
  Range: [0, 1]
  Unit: share
  Undefined: null if only one class has examples; a class without examples is left out of the mean and counted
    in classes_without_examples
  Errors: no method; an example without a class, with several, or without a score for some class; a label
    other than 0 and 1, unless positive= is given
  Source: Hand and Till (2001), doi:10.1023/A:1010920819831; scikit-learn, roc_auc_score
  Example: multiclass_auc(method=ovr)
#}
{% macro metric_multiclass_auc(plan, method=none, average='macro') -%}
    {%- for role in ('group', 'item', 'label', 'score') -%}{{- sqlmetrics.need_role(plan, role) -}}{%- endfor -%}
    {{- sqlmetrics.one_of(plan, 'method', method, ['ovr', 'ovo']) -}}
    {{- sqlmetrics.one_of(plan, 'average', average, ['macro', 'weighted']) -}}
    {%- do sqlmetrics.need_whole_examples(plan) -%}
    {%- if method == 'ovr' -%}
        {%- set area = sqlmetrics.ratio('{wins}', sqlmetrics.sql_double('{positives}') ~ ' * {negatives}') -%}
        {%- set counts = '1' if average == 'macro' else '{positives}' -%}
        {%- set above = sqlmetrics.need(
            plan, 'class_areas', plan['result'] ~ '_total', sqlmetrics.times(area, counts)
        ) -%}
        {%- set below = sqlmetrics.need(
            plan, 'class_areas', plan['result'] ~ '_counted',
            'case when {positives} > 0 and {negatives} > 0 then ' ~ counts ~ ' else 0 end'
        ) -%}
    {%- else -%}
        {%- set above = sqlmetrics.need(
            plan, 'class_areas', plan['result'] ~ '_total',
            '{pair_areas}' if average == 'macro' else '{weighted_pair_areas}'
        ) -%}
        {%- set below = sqlmetrics.need(
            plan, 'class_areas', plan['result'] ~ '_counted', '{pairs}' if average == 'macro' else '{pair_weights}'
        ) -%}
    {%- endif -%}
    {{- sqlmetrics.audit(
        plan, 'class_areas', 'classes_without_examples', 'case when {positives} > 0 then 0 else 1 end'
    ) -}}
    {%- do return(sqlmetrics.plain_value(sqlmetrics.ratio(above, below))) -%}
{%- endmacro %}

{#
  Makes the metric null, and the Python API reject the data, if an example lacks exactly one class, one score
  for each class, or one weight.
#}
{% macro need_whole_examples(plan) -%}
    {%- do sqlmetrics.is_positive(plan) -%}
    {%- do sqlmetrics.require(
        plan, 'examples', 'examples_without_one_class', '{n_true} <> 1',
        'groups do not have exactly one row with a positive label, which says the class of an example'
    ) -%}
    {%- do sqlmetrics.require(
        plan, 'examples', 'examples_repeating_classes', '{n_rows_of_example} > {n_scored}',
        'groups have several rows of one class (item=); an example has a row a class'
    ) -%}
    {%- do sqlmetrics.require(
        plan, 'examples', 'examples_lacking_classes', '{n_scored} < {n_classes}',
        'groups lack the score of a class that others have; an example has a row a class'
    ) -%}
    {%- if plan['weight'] is not none -%}
        {%- do sqlmetrics.require(
            plan, 'examples', 'examples_weight_unclear', '{least_weight} <> {greatest_weight}',
            'groups have a weight that is not the same in all rows of the group'
        ) -%}
    {%- endif -%}
{%- endmacro %}
