{#
  Metrics of several classes with a score each. The data have a column of scores for each class (class_scores=), and
  the label is a class. Or they are a long table with a row for each example (group=) and class (item=), whose label
  says whether the example belongs to the class. Grain: rows, lists, and classes.

  Task: Several classes or labels
  Returns: float; weighted by the row weight, which is the same in all rows of an example
#}

{#
  Multiclass log loss (cross-entropy): the mean of -ln p, where p is the score of the class that the example has.

  Formula: \text{loss} = -\frac{\sum_i w_i \ln \text{clip}(s_{i,y_i})}{\sum_i w_i}
    \text{clip}(s) = \min(\max(s, \varepsilon), 1 - \varepsilon)
  Args:
    eps: scores are clipped to [eps, 1 - eps], so that a score of 0 for the true class costs -ln(eps)
  Better: lower
  Range: [0, inf)
  Unit: nats
  Undefined: null if there are no examples; scores that do not sum to 1 are taken as they are, and counted in
    examples_not_summing_to_1
  Traps: one confident error decides it, and eps bounds how much; equal scores have ln of the number of classes,
    so values of data with other classes are not comparable; it reads the score of the true class alone, so scores
    that sum to more than 1 make it too low
  Errors: a score outside [0, 1]; eps outside (0, 0.5]; a label that class_scores= does not name; in a long table an
    example without a class, with several, or with two rows of one class
  Source: scikit-learn, log_loss
  Example: multiclass_log_loss
#}
{% macro metric_multiclass_log_loss(plan, eps=1e-15) -%}
    {{- sqlmetrics.number(plan, 'eps', eps, 1e-300, 0.5) -}}
    {%- do sqlmetrics.need_probabilities_of_classes(plan) -%}
    {%- set name = 'multiclass_log_loss' ~ ('' if eps == 1e-15 else '_' ~ sqlmetrics.column_name(eps)) -%}
    {%- set wide = plan['facts']['class_scores'] | length > 0 -%}
    {%- set p = '{true_score}' if wide else '{score}' -%}
    {%- set loss = '-' ~ sqlmetrics.sql_ln(sqlmetrics.sql_double(sqlmetrics.clipped(p, eps))) -%}
    {%- if wide -%}{%- do return(sqlmetrics.row_mean(plan, name, loss, complete=true)) -%}{%- endif -%}
    {%- set of_class = 'case when ' ~ sqlmetrics.is_positive(plan) ~ ' then ' ~ loss ~ ' else 0 end' -%}
    {%- do return(sqlmetrics.row_ratio(
        plan, sqlmetrics.row_sum(plan, name, of_class), sqlmetrics.row_positives(plan)
    )) -%}
{%- endmacro %}

{#
  Multiclass Brier score: the mean over examples of the sum over classes of (p - y)^2, where y is 1 for the class of
  the example and 0 for others. For two classes it is twice the Brier score of one of them.

  Formula: \text{Brier} = \frac{\sum_i w_i \sum_c (s_{ic} - [y_i = c])^2}{\sum_i w_i}
  Better: lower
  Range: [0, inf)
  Unit: none
  Undefined: null if there are no examples; scores that do not sum to 1 are taken as they are, and counted in
    examples_not_summing_to_1; where they do, the value is at most 2
  Traps: for two classes it is twice brier; equal scores have 1 - 1 / the number of classes, so values of data
    with other classes are not comparable; frequent classes decide it
  Errors: a score outside [0, 1]; a label that class_scores= does not name; in a long table an example without a
    class, with several, or with two rows of one class
  Source: Brier (1950), Verification of forecasts expressed in terms of probability; scikit-learn, brier_score_loss
    with scale_by_half=False
  Example: multiclass_brier
#}
{% macro metric_multiclass_brier(plan) -%}
    {%- do sqlmetrics.need_probabilities_of_classes(plan) -%}
    {%- if not plan['facts']['class_scores'] -%}
        {%- set difference = '({score} - ' ~ sqlmetrics.positive_of(plan) ~ ')' -%}
        {%- do return(sqlmetrics.row_ratio(
            plan, sqlmetrics.row_sum(plan, 'multiclass_brier', sqlmetrics.square(difference)),
            sqlmetrics.row_positives(plan)
        )) -%}
    {%- endif -%}
    {%- set squares = ['({true_score} - 1) * ({true_score} - 1)'] -%}
    {%- for score in sqlmetrics.scores_of_classes(plan) -%}
        {%- set square = score ~ ' * ' ~ score -%}
        {%- do squares.append('case when {class_number} = ' ~ loop.index ~ ' then 0 else ' ~ square ~ ' end') -%}
    {%- endfor -%}
    {%- do return(sqlmetrics.row_mean(
        plan, 'multiclass_brier', sqlmetrics.joined_terms(squares, ' + '), complete=true
    )) -%}
{%- endmacro %}

{#
  Top-k accuracy: the share of examples whose class is among the k classes with the highest scores. In a long table
  it is the hit rate of lists (group=) with one relevant item.

  Classes of equal score are ranked as ties= says of items: with ties='item' the lesser class is above, with
  'item desc' the greater one, as in scikit-learn.

  Formula: \text{accuracy}_q = [h_k > 0]
  Args:
    k: cutoff in classes, integer >= 1
  Returns: float
  Better: higher
  Range: [0, 1]
  Unit: share
  Undefined: null if there are no examples
  Traps: a random score has k divided by the number of classes
  Errors: k < 1; an example without a class, or with several; a label that class_scores= does not name
  Source: scikit-learn, top_k_accuracy_score; ties: McSherry and Najork (2008)
  Example: top_k_accuracy@3
#}
{% macro metric_top_k_accuracy(plan, k) -%}
    {{- sqlmetrics.number(plan, 'k', k, 1, 1000000000, true) -}}
    {%- if plan['facts']['class_scores'] -%}{%- do return(sqlmetrics.class_in_top(plan, k, **kwargs)) -%}{%- endif -%}
    {{- sqlmetrics.require(
        plan, 'list_sums', 'groups_without_one_class', sqlmetrics.relevant_of_list(plan) ~ ' <> 1',
        'groups do not have exactly one row with a positive label, which says the class of an example'
    ) -}}
    {%- do return(sqlmetrics.metric_hit_rate(plan, k=k, **kwargs)) -%}
{%- endmacro %}

{#
  Multiclass AUC: the AUC of each class's score over the examples, averaged over classes or pairs of classes.

  Formula: \text{AUC} = \frac{\sum_{c \ne c'} \omega_{cc'} A(c, c')}{\sum_{c \ne c'} \omega_{cc'}}
    A(c, c') = \frac{1}{Y_c Y_{c'}} \sum_{i:\, y_i = c} \; \sum_{j:\, y_j = c'} w_i w_j ([s_{ic} > s_{jc}] + \frac{1}{2}
      [s_{ic} = s_{jc}])
    \omega_{cc'} = \begin{cases} 1 & \text{average=macro} \\ Y_c & \text{average=weighted}, \; \text{method=ovr} \\ Y_c
      + Y_{c'} & \text{average=weighted}, \; \text{method=ovo} \end{cases}
    c' = \begin{cases} \text{all other classes as one} & \text{method=ovr} \\ \text{each other class} &
      \text{method=ovo} \end{cases}
  Args:
    method: ovr (one class against all others) or ovo (one class against one other, after Hand and Till;
      examples of a third class are left out of the pair); there is no default, because the two differ, but
      average=micro is ovr
    average: macro (the mean over classes, or pairs), weighted (the same mean, weighted by the examples) or, with
      method=ovr, micro (one AUC of all scores: those of the example's own class are positive, all others negative)
    class: with method=ovr and class_scores=, one class in place of the mean
  Better: higher
  Range: [0, 1]
  Unit: share
  Undefined: null if only one class has examples, of average=micro without examples; a class without examples is left
    out of the mean and counted in classes_without_examples
  Traps: method=ovr and ovo differ, and weighted averages differ from plain ones; libraries have different
    defaults. Of a long table, auc with by= the class has the values of the classes
  Errors: no method; an example without a class, with several, or without a score for some class; a label that
    class_scores= does not name; in a long table a label other than 0 and 1, unless positive= is given
  Source: Hand and Till (2001), doi:10.1023/A:1010920819831; scikit-learn, roc_auc_score
  Example: multiclass_auc(method=ovr)
#}
{% macro metric_multiclass_auc(plan, method=none, average='macro', class=none) -%}
    {%- set method = 'ovr' if method is none and average == 'micro' else method -%}
    {{- sqlmetrics.one_of(plan, 'method', method, ['ovr', 'ovo']) -}}
    {%- if class is not none and method == 'ovo' -%}
        {{- sqlmetrics.refuse_metric(plan, "class= takes one class against the rest; write method=ovr") -}}
    {%- elif average == 'micro' and method == 'ovo' -%}
        {{- sqlmetrics.refuse_metric(plan, "average=micro takes all scores together; write method=ovr") -}}
    {%- endif -%}
    {{- sqlmetrics.need_areas_of_classes(plan, average, class) -}}
    {%- if average == 'micro' -%}
        {%- do return(sqlmetrics.value_of_all_classes(
            plan, '{micro_wins}', ['coalesce({positives}, 0)', 'coalesce({negatives}, 0)']
        )) -%}
    {%- endif -%}
    {%- if method == 'ovo' -%}
        {%- do return(sqlmetrics.mean_of_areas(
            plan, '{pair_areas}' if average == 'macro' else '{weighted_pair_areas}',
            '{pairs}' if average == 'macro' else '{pair_weights}', class
        )) -%}
    {%- endif -%}
    {%- set counts = '1' if average == 'macro' else '{positives}' -%}
    {%- do return(sqlmetrics.mean_of_areas(
        plan,
        sqlmetrics.value_times(
            sqlmetrics.ratio('{wins}', sqlmetrics.sql_double('{positives}') ~ ' * {negatives}'), counts
        ),
        'case when {positives} > 0 and {negatives} > 0 then ' ~ counts ~ ' else 0 end', class
    )) -%}
{%- endmacro %}

{#
  Multiclass average precision: the average precision of each class's score, with the examples of the class as the
  positive ones and all others as negative, averaged over classes.

  Formula: \text{AP} = \frac{\sum_c \omega_c \text{AP}_c}{\sum_c \omega_c}
    \text{AP}_c = \frac{1}{Y_c} \sum_{i:\, y_i = c} w_i \frac{\sum_{j:\, y_j = c} w_j [s_{jc} \ge s_{ic}]}{\sum_j w_j
      [s_{jc} \ge s_{ic}]}
    \omega_c = \begin{cases} 1 & \text{average=macro} \\ Y_c & \text{average=weighted} \end{cases}
  Args:
    average: macro (the mean over classes), weighted (the same mean, weighted by the examples) or micro (one average
      precision of all scores: those of the example's own class are positive, all others negative)
    class: with class_scores=, one class in place of the mean
  Better: higher
  Range: [0, 1]
  Unit: share
  Undefined: null without examples; a class without examples is left out of the mean and counted in
    classes_without_examples
  Traps: of a random score it is about the share of the class, so that rare classes pull a macro mean down; scikit-learn
    and torchmetrics count a class without examples 0 or leave it out, by their versions. Of a long table,
    average_precision with by= the class has the values of the classes
  Errors: an example without a class, with several, or without a score for some class; a label that class_scores= does
    not name; in a long table a label other than 0 and 1, unless positive= is given
  Source: scikit-learn, average_precision_score
  Example: multiclass_average_precision
#}
{% macro metric_multiclass_average_precision(plan, average='macro', class=none) -%}
    {{- sqlmetrics.need_areas_of_classes(plan, average, class) -}}
    {%- if average == 'micro' -%}
        {%- do return(
            sqlmetrics.value_of_all_classes(plan, '{micro_precisions}', ['coalesce({positives}, 0)'])
        ) -%}
    {%- endif -%}
    {%- set counts = '1' if average == 'macro' else '{positives}' -%}
    {%- do return(sqlmetrics.mean_of_areas(
        plan, sqlmetrics.value_times(sqlmetrics.ratio('{precisions}', '{positives}'), counts),
        'case when {positives} > 0 then ' ~ counts ~ ' else 0 end', class
    )) -%}
{%- endmacro %}

{# Rejects a mean over the scores of classes without such scores, and a class= that they do not name. #}
{% macro need_areas_of_classes(plan, average, class) -%}
    {{- sqlmetrics.one_of(plan, 'average', average, ['macro', 'weighted', 'micro']) -}}
    {%- if class is not none and (average != 'macro' or not plan['facts']['class_scores']) -%}
        {{- sqlmetrics.refuse_metric(plan, "class= asks for one class of class_scores=, without average=") -}}
    {%- elif plan['facts']['class_scores'] -%}
        {%- do sqlmetrics.need_known_class(plan) -%}
    {%- else -%}
        {%- do sqlmetrics.need_examples(plan) -%}
        {%- do sqlmetrics.need_whole_examples(plan) -%}
    {%- endif -%}
{%- endmacro %}

{# The sum of a value over classes, by the sum of what counts them; of one class the value of this one. #}
{% macro mean_of_areas(plan, value, counts, class) -%}
    {%- if class is not none -%}
        {%- set if_class = 'case when {item} = ' ~ sqlmetrics.number_of_class(plan, class) ~ ' then ' -%}
        {%- set value, counts = if_class ~ value ~ ' end', if_class ~ counts ~ ' end' -%}
    {%- endif -%}
    {%- set prefix = plan['asked']['prefix'] -%}
    {%- set above = sqlmetrics.need(plan, 'class_areas', prefix ~ '_total', value) -%}
    {%- set below = sqlmetrics.need(plan, 'class_areas', prefix ~ '_counted', counts) -%}
    {{- sqlmetrics.audit_classes_of_areas(plan) -}}
    {%- do return(sqlmetrics.bounded_value(sqlmetrics.ratio(above, below))) -%}
{%- endmacro %}

{# The number of a class among those of class_scores=, from 1. #}
{% macro number_of_class(plan, class) -%}
    {%- set literals = plan['facts']['class_scores'] | map(attribute='literal') | list -%}
    {#- a text is a hole here -#}
    {%- set literal = sqlmetrics.class_literal(plan, class) -%}
    {%- set literal = plan['literals'].get(literal[1:-1], literal) -%}
    {%- if literal not in literals -%}
        {{- sqlmetrics.refuse_metric(plan, "class= is no class of class_scores=, which names "
            ~ literals | join(', ') ~ ", got " ~ class) -}}
    {%- endif -%}
    {%- do return(literals.index(literal) + 1) -%}
{%- endmacro %}

{# A value of the scores of all classes together: its sum over classes, by the product of the sums of some counts. #}
{% macro value_of_all_classes(plan, value, counts) -%}
    {%- set prefix, below = plan['asked']['prefix'], [] -%}
    {%- set above = sqlmetrics.need(plan, 'class_areas', prefix ~ '_total', value) -%}
    {%- for count in counts -%}
        {%- do below.append(sqlmetrics.sql_double(
            sqlmetrics.need(plan, 'class_areas', prefix ~ '_counted_' ~ loop.index, count)
        )) -%}
    {%- endfor -%}
    {{- sqlmetrics.audit_classes_of_areas(plan) -}}
    {%- do return(sqlmetrics.bounded_value(sqlmetrics.ratio(above, below | join(' * ')))) -%}
{%- endmacro %}

{# Counts the classes that have scores and no example. #}
{% macro audit_classes_of_areas(plan) -%}
    {{- sqlmetrics.audit(
        plan, 'class_areas', 'classes_without_examples', 'case when {positives} > 0 then 0 else 1 end'
    ) -}}
{%- endmacro %}

{# Rejects a metric of examples without scores of classes in either form. #}
{% macro need_examples(plan) -%}
    {%- for role in ('group', 'item', 'label', 'score') if plan['facts'][role] is none -%}
        {{- sqlmetrics.refuse_metric(
            plan,
            "needs class_scores=, a column of scores for each class; or, where each class has a row, label=, score=,"
            ~ " group= (the example) and item= (the class); there is no " ~ role ~ "="
        ) -}}
    {%- endfor -%}
    {%- for role in ('group', 'item', 'label', 'score') -%}{{- sqlmetrics.need_role(plan, role) -}}{%- endfor -%}
{%- endmacro %}

{# Rejects labels that class_scores= does not name. #}
{% macro need_known_class(plan) -%}
    {{- sqlmetrics.role_given(plan, 'label') -}}
    {%- do sqlmetrics.require(
        plan, 'rows', 'rows_of_unknown_class', '{class_number} = 0',
        'rows have a label that is no class of class_scores=, which names '
            ~ plan['facts']['class_scores'] | map(attribute='literal') | join(', ')
    ) -%}
{%- endmacro %}

{#
  The checks of scores that are the probabilities of classes. Examples whose scores do not sum to 1 are counted; the
  tolerance is that of scikit-learn for single precision.
#}
{% macro need_probabilities_of_classes(plan) -%}
    {%- if plan['facts']['class_scores'] -%}
        {%- do sqlmetrics.need_known_class(plan) -%}
        {%- set scores, outside = sqlmetrics.scores_of_classes(plan), [] -%}
        {%- for score in scores -%}{%- do outside.append(score ~ ' < 0 or ' ~ score ~ ' > 1') -%}{%- endfor -%}
        {%- do sqlmetrics.require(
            plan, 'rows', 'rows_not_probability', sqlmetrics.joined_terms(outside, ' or '),
            'rows have a class score outside [0, 1], but ' ~ plan['asked']['metric'] ~ ' takes probabilities'
        ) -%}
        {%- set grain, sum = 'rows', '(' ~ sqlmetrics.joined_terms(scores, ' + ') ~ ')' -%}
    {%- else -%}
        {%- do sqlmetrics.need_examples(plan) -%}
        {%- do sqlmetrics.need_class_of_example(plan) -%}
        {%- do sqlmetrics.probability_of(plan) -%}
        {%- set grain, sum = 'examples', '{sum_of_scores}' -%}
    {%- endif -%}
    {%- do sqlmetrics.audit(
        plan, grain, 'examples_not_summing_to_1', 'case when abs(' ~ sum ~ ' - 1) > 0.000345 then 1 else 0 end'
    ) -%}
{%- endmacro %}

{#
  The chance that the class of a row is among its k highest scores, over the orders of tied scores that `ties` allows; a
  template over a row.
#}
{% macro chance_of_class(plan, k) -%}
    {%- set ties, above, tied = plan['facts']['ties'], [], [] -%}
    {#- where an order decides, the classes are in this order (class_scores_of) -#}
    {%- set ordered = ties in sqlmetrics.orders_of_items() -%}
    {%- for score in sqlmetrics.scores_of_classes(plan) -%}
        {%- set tied_above = ' or ' ~ score ~ ' = {true_score} and ' ~ loop.index ~ ' < {class_number}' -%}
        {%- do above.append(
            'case when ' ~ score ~ ' > {true_score}' ~ (tied_above if ordered) ~ ' then 1 else 0 end'
        ) -%}
        {%- do tied.append('case when ' ~ score ~ ' = {true_score} then 1 else 0 end') -%}
    {%- endfor -%}
    {%- set above = '(' ~ sqlmetrics.joined_terms(above, ' + ') ~ ')' -%}
    {%- set tied = '(' ~ sqlmetrics.joined_terms(tied, ' + ') ~ ')' -%}
    {%- set surely = above ~ ' + ' ~ tied ~ ' <= ' ~ k -%}
    {%- set chance = {
        'worst': 'when ' ~ surely ~ ' then 1 else 0',
        'best': 'when ' ~ above ~ ' < ' ~ k ~ ' then 1 else 0',
        'average': 'when ' ~ surely ~ ' then 1 when ' ~ above ~ ' >= ' ~ k ~ ' then 0 else '
            ~ sqlmetrics.ratio(k ~ ' - ' ~ above, tied),
    }['best' if ordered else ties] -%}
    {%- do return(sqlmetrics.sql_double('case when {true_score} is null then null ' ~ chance ~ ' end')) -%}
{%- endmacro %}

{# The mean of that chance. Returns a value. #}
{% macro class_in_top(plan, k) -%}
    {%- for option in kwargs -%}
        {{- sqlmetrics.refuse_metric(plan, option ~ "= is an option of lists; with class_scores= leave it out") -}}
    {%- endfor -%}
    {%- do sqlmetrics.need_known_class(plan) -%}
    {%- set chance = sqlmetrics.chance_of_class(plan, k) -%}
    {%- do return(sqlmetrics.row_mean(plan, 'class_in_top_' ~ k, chance, complete=true)) -%}
{%- endmacro %}

{# Rejects examples that lack exactly one class, one row for each class, or one weight. #}
{% macro need_class_of_example(plan) -%}
    {%- do sqlmetrics.is_positive(plan) -%}
    {%- do sqlmetrics.require(
        plan, 'examples', 'examples_without_one_class', '{n_true} <> 1',
        'groups do not have exactly one row with a positive label, which says the class of an example'
    ) -%}
    {%- do sqlmetrics.require(
        plan, 'examples', 'examples_repeating_classes', '{n_rows_of_example} > {n_scored}',
        'groups have several rows of one class (item=); an example has a row a class'
    ) -%}
    {%- if plan['facts']['weight'] is not none -%}
        {%- do sqlmetrics.require(
            plan, 'examples', 'examples_weight_unclear', '{least_weight} <> {greatest_weight}',
            'groups have a weight that is not the same in all rows of the group'
        ) -%}
    {%- endif -%}
{%- endmacro %}

{# The same, and that each example has a score of each class. #}
{% macro need_whole_examples(plan) -%}
    {%- do sqlmetrics.need_class_of_example(plan) -%}
    {%- do sqlmetrics.require(
        plan, 'examples', 'examples_lacking_classes', '{n_scored} < {n_classes}',
        'groups lack the score of a class that others have; an example has a row a class'
    ) -%}
{%- endmacro %}
