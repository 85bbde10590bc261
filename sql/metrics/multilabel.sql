{#
  Metrics of examples with any number of labels. The data are a long table with a row for each example (group=) and
  label (item=), whose label= says whether the example has the label. Averages over labels and examples are here; a
  metric over all rows, such as f1 and error_rate (the Hamming loss), is the micro average. Grain: subsets, lists.

  Args:
    average: macro (the mean over labels), weighted (the same mean, weighted by the examples of each label), samples
      (the mean over examples) or micro (over all rows); there is no default, because they differ
    threshold: rows that score at least this are predicted, a float32 of 0.7 at 0.7; with prediction=, naming it makes
      the metric use the score instead
  Task: Several classes or labels
  Returns: float; weighted by the row weight, which is the same in all rows of an example
  Undefined: null if there are no rows, or, with average=weighted, if no row is positive
  Errors: no average; a label other than 0 and 1, unless positive= is given; an example that has a label twice
#}

{#
  Multilabel precision: the share of predicted labels that are right, averaged over labels or examples.

  Formula: \text{precision} = \frac{\sum_z \omega_z \text{PPV}_z}{\sum_z \omega_z}
    \text{PPV}_z = \frac{\text{TP}_z}{\text{TP}_z + \text{FP}_z}, \quad \frac{0}{0} = \text{zero_division}
    \omega_z = \begin{cases} \text{TP}_z + \text{FN}_z & \text{average=weighted} \\ w_z & \text{average=samples} \\ 1 &
      \text{otherwise} \end{cases}
  Args:
    zero_division: the value of a label or an example of which nothing is predicted
  Better: higher
  Range: [0, 1]
  Unit: share
  Traps: macro counts a rare label as much as a frequent one, micro lets frequent ones decide; a label that is
    never predicted counts 0, or zero_division=; a model that predicts sure labels alone may
    have 1
  Source: scikit-learn, precision_score of label indicators
  Example: multilabel_precision(average=macro)
#}
{% macro metric_multilabel_precision(plan, average=none, threshold=0.5, zero_division=0) -%}
    {%- do return(sqlmetrics.multilabel(plan, '{hits}', '{predicted}', average, threshold, zero_division)) -%}
{%- endmacro %}

{#
  Multilabel recall: the share of the labels of the examples that are predicted, averaged over labels or examples.

  Formula: \text{recall} = \frac{\sum_z \omega_z \text{TPR}_z}{\sum_z \omega_z}
    \text{TPR}_z = \frac{\text{TP}_z}{\text{TP}_z + \text{FN}_z}, \quad \frac{0}{0} = \text{zero_division}
    \omega_z = \begin{cases} \text{TP}_z + \text{FN}_z & \text{average=weighted} \\ w_z & \text{average=samples} \\ 1 &
      \text{otherwise} \end{cases}
  Args:
    zero_division: the value of a label without an example, and of an example without a label
  Better: higher
  Range: [0, 1]
  Unit: share
  Traps: it is 1 if every label is predicted; read it beside multilabel_precision; with macro a label without an
    example counts 0, or zero_division=
  Source: scikit-learn, recall_score of label indicators
  Example: multilabel_recall(average=samples)
#}
{% macro metric_multilabel_recall(plan, average=none, threshold=0.5, zero_division=0) -%}
    {%- do return(sqlmetrics.multilabel(plan, '{hits}', '{positive}', average, threshold, zero_division)) -%}
{%- endmacro %}

{#
  Multilabel F1: 2 hits / (predicted + positive) of a label or an example, averaged over labels or examples.

  Formula: F_1 = \frac{\sum_z \omega_z x_z}{\sum_z \omega_z}
    x_z = \frac{2 \text{TP}_z}{2 \text{TP}_z + \text{FP}_z + \text{FN}_z}, \quad \frac{0}{0} = \text{zero_division}
    \omega_z = \begin{cases} \text{TP}_z + \text{FN}_z & \text{average=weighted} \\ w_z & \text{average=samples} \\ 1 &
      \text{otherwise} \end{cases}
  Args:
    zero_division: the value of a label or an example of which nothing is positive or predicted
  Better: higher
  Range: [0, 1]
  Unit: share
  Traps: macro counts a rare label as much as a frequent one, micro lets frequent ones decide, so the same
    predictions have different values; with samples an example that rightly has no label counts 0, unless
    zero_division=1
  Source: scikit-learn, f1_score of label indicators
  Example: multilabel_f1(average=macro)
#}
{% macro metric_multilabel_f1(plan, average=none, threshold=0.5, zero_division=0) -%}
    {%- do return(sqlmetrics.multilabel(
        plan, '2 * {hits}', '({predicted} + {positive})', average, threshold, zero_division
    )) -%}
{%- endmacro %}

{#
  Multilabel F-beta: (1 + beta^2) hits / (predicted + beta^2 positive) of a label or an example, averaged over labels
  or examples.

  Formula: F_\beta = \frac{\sum_z \omega_z x_z}{\sum_z \omega_z}
    x_z = \frac{(1 + \beta^2) \text{TP}_z}{(1 + \beta^2) \text{TP}_z + \beta^2 \text{FN}_z + \text{FP}_z}, \quad
      \frac{0}{0} = \text{zero_division}
    \omega_z = \begin{cases} \text{TP}_z + \text{FN}_z & \text{average=weighted} \\ w_z & \text{average=samples} \\ 1 &
      \text{otherwise} \end{cases}
  Args:
    beta: weight of recall, >= 0; squared in the formula, so that beta=0 is multilabel_precision
    zero_division: the value of a label or an example of which nothing is positive or predicted
  Better: higher
  Range: [0, 1]
  Unit: share
  Traps: beta above 1 favours recall, below 1 precision; values of different beta are not comparable; macro counts a
    rare label as much as a frequent one; with samples an example that rightly has no label counts 0, unless
    zero_division=1
  Errors: no average; a negative beta; a label other than 0 and 1, unless positive= is given; an example that has a
    label twice
  Source: van Rijsbergen, Information Retrieval (1979), chapter 7; scikit-learn, fbeta_score of label indicators
  Example: multilabel_f_beta(average=macro, beta=2)
#}
{% macro metric_multilabel_f_beta(plan, average=none, beta=1, threshold=0.5, zero_division=0) -%}
    {{- sqlmetrics.number(plan, 'beta', beta, 0) -}}
    {%- do return(sqlmetrics.multilabel(
        plan, (1 + beta * beta) ~ ' * {hits}', '({predicted} + ' ~ (beta * beta) ~ ' * {positive})', average,
        threshold, zero_division
    )) -%}
{%- endmacro %}

{#
  Multilabel Jaccard index: the right labels over those that are positive or predicted, averaged over labels or
  examples.

  Formula: J = \frac{\sum_z \omega_z x_z}{\sum_z \omega_z}
    x_z = \frac{\text{TP}_z}{\text{TP}_z + \text{FP}_z + \text{FN}_z}, \quad \frac{0}{0} = \text{zero_division}
    \omega_z = \begin{cases} \text{TP}_z + \text{FN}_z & \text{average=weighted} \\ w_z & \text{average=samples} \\ 1 &
      \text{otherwise} \end{cases}
  Args:
    zero_division: the value of a label or an example of which nothing is positive or predicted
  Better: higher
  Range: [0, 1]
  Unit: share
  Traps: it is at most multilabel_f1 of the same average, and not comparable with it; with samples an example that
    rightly has no label counts 0, unless zero_division=1; macro counts a rare label as much as a frequent one
  Source: scikit-learn, jaccard_score of label indicators
  Example: multilabel_jaccard(average=samples)
#}
{% macro metric_multilabel_jaccard(plan, average=none, threshold=0.5, zero_division=0) -%}
    {%- do return(sqlmetrics.multilabel(
        plan, '{hits}', '({predicted} + {positive} - {hits})', average, threshold, zero_division
    )) -%}
{%- endmacro %}

{#
  Subset accuracy: the share of examples all of whose labels are predicted, and no other one.

  Formula: \text{accuracy} = \frac{\sum_z w_z \prod_{i \in z} [\hat{y}_i = y_i]}{\sum_z w_z}
  Better: higher
  Range: [0, 1]
  Unit: share
  Undefined: null if there are no rows
  Traps: one wrong label of twenty counts as much as twenty, so it falls with the number of labels; where most
    examples have no label the answer 'none' has a high value
  Errors: a label other than 0 and 1, unless positive= is given; an example that has a label twice
  Source: scikit-learn, accuracy_score of label indicators
  Example: subset_accuracy
#}
{% macro metric_subset_accuracy(plan, threshold=0.5) -%}
    {%- do sqlmetrics.need_multilabel(plan) -%}
    {%- set examples = sqlmetrics.subsets(plan, 'examples_with_labels', 'sm_group') -%}
    {%- set decision, positive = sqlmetrics.decided(plan, threshold), sqlmetrics.is_positive(plan) -%}
    {%- set wrong = sqlmetrics.need(
        plan, examples ~ '_rows', 'wrong_labels',
        'case when (' ~ decision ~ ') = (' ~ positive ~ ') then 0 else 1 end'
    ) -%}
    {%- set counts = sqlmetrics.weight_of_example(plan, examples) -%}
    {%- set right = sqlmetrics.need(
        plan, examples, 'right_examples', 'case when ' ~ wrong ~ ' = 0 then ' ~ counts ~ ' else 0 end'
    ) -%}
    {%- do return(sqlmetrics.bounded_value(
        sqlmetrics.ratio(right, sqlmetrics.need(plan, examples, 'examples_counted', counts))
    )) -%}
{%- endmacro %}

{#
  Label ranking average precision: the mean over the labels of an example of the share of right labels among those
  that score at least as high, ties included. With another `ties` than average each label has its rank, and this is
  `map`.

  Formula: \text{LRAP}_q = \frac{1}{R} \sum_r \text{rel}_r \frac{\sum_j \text{rel}_j [s_j \ge s_r]}{\sum_j [s_j \ge
      s_r]}
  Returns: float
  Better: higher
  Range: [0, 1]
  Unit: share
  Undefined: an example without a label counts as empty (see on_empty); it is 1 in scikit-learn, on_empty=one
  Traps: the value of a random order grows with the share of labels that an example has, so values of different
    data are not comparable; an example with one label decides by its rank alone; tied labels count at the lowest
    of their ranks
  Errors: none of its own
  Source: scikit-learn, label_ranking_average_precision_score
  Example: label_ranking_average_precision
#}
{% macro metric_label_ranking_average_precision(plan) -%}
    {%- set precision = sqlmetrics.ratio('{relevant_through}', sqlmetrics.last_rank(plan)) -%}
    {%- set precisions = sqlmetrics.item_sum(
        plan, none, 'label_ranking_precisions',
        'case when ' ~ sqlmetrics.is_relevant(plan) ~ ' then ' ~ precision ~ ' else 0 end'
    ) -%}
    {%- set relevant = sqlmetrics.relevant_of_list(plan) -%}
    {%- do return(sqlmetrics.list_metric(plan, precisions, relevant, relevant ~ ' = 0', **kwargs)) -%}
{%- endmacro %}

{#
  Coverage error: how far down the labels of an example one has to go to find all that it has, those that tie with
  the last one included. With another `ties` than average each label has its rank.

  Formula: \text{coverage}_q = \sum_j [s_j \ge \min_{r:\, \text{rel}_r = 1} s_r]
  Returns: float
  Better: lower
  Range: [0, inf)
  Unit: rank
  Undefined: an example without a label counts as empty (see on_empty); it is 0 in scikit-learn, on_empty=zero
  Traps: its least value is the mean number of labels of an example, not 0 or 1, so values of different data are
    not comparable; the lowest right label decides alone
  Errors: none of its own
  Source: scikit-learn, coverage_error
  Example: coverage_error
#}
{% macro metric_coverage_error(plan) -%}
    {%- set depth = sqlmetrics.item_sum(
        plan, none, 'depth_of_labels',
        'case when ' ~ sqlmetrics.is_relevant(plan) ~ ' then ' ~ sqlmetrics.last_rank(plan) ~ ' else 0 end', 'max'
    ) -%}
    {%- do return(sqlmetrics.list_metric(
        plan, 'coalesce(' ~ depth ~ ', 0)', '1', sqlmetrics.relevant_of_list(plan) ~ ' = 0', **kwargs
    )) -%}
{%- endmacro %}

{#
  Label ranking loss: the share of pairs, of a label that the example has and one that it lacks, which the scores
  order wrongly. A tied pair is wrong; with another `ties` than average each label has its rank. Without ties it is
  1 - gauc(weight=uniform).

  Formula: \text{loss}_q = \frac{\sum_r \sum_j \text{rel}_r (1 - \text{rel}_j) [s_j \ge s_r]}{h_n (n - h_n)}
  Returns: float
  Better: lower
  Range: [0, 1]
  Unit: share
  Undefined: an example that has no label, or all of them, counts as empty (see on_empty); it is 0 in scikit-learn,
    on_empty=zero
  Traps: a constant score has 1, not 0.5, because tied pairs are wrong, so rounded scores raise it; a pair at the
    top counts as much as one at the bottom
  Errors: none of its own
  Source: scikit-learn, label_ranking_loss
  Example: label_ranking_loss
#}
{% macro metric_label_ranking_loss(plan) -%}
    {%- set relevant = sqlmetrics.is_relevant(plan) -%}
    {%- set positives = sqlmetrics.item_sum(
        plan, none, 'listed_relevant', 'case when ' ~ relevant ~ ' then 1 else 0 end'
    ) -%}
    {%- set wrong = sqlmetrics.item_sum(
        plan, none, 'wrong_pairs',
        'case when ' ~ relevant ~ ' then ' ~ sqlmetrics.last_rank(plan) ~ ' - {relevant_through} else 0 end'
    ) -%}
    {%- set negatives = '(' ~ sqlmetrics.listed_of_list(plan) ~ ' - ' ~ positives ~ ')' -%}
    {%- set pairs = sqlmetrics.sql_double(positives) ~ ' * ' ~ negatives -%}
    {%- do return(sqlmetrics.list_metric(plan, wrong, pairs, pairs ~ ' = 0', **kwargs)) -%}
{%- endmacro %}

{#
  An average of numerator / denominator.

  Args:
    numerator, denominator: templates over hits, predicted and positive
#}
{% macro multilabel(plan, numerator, denominator, average, threshold, zero_division) -%}
    {{- sqlmetrics.one_of(plan, 'average', average, ['macro', 'weighted', 'samples', 'micro']) -}}
    {{- sqlmetrics.number(plan, 'zero_division', zero_division, 0, 1) -}}
    {%- do sqlmetrics.need_multilabel(plan) -%}
    {%- if average == 'micro' -%}
        {%- set hits = sqlmetrics.cell(plan, threshold, true, true) -%}
        {%- set sums = {
            'hits': hits, 'predicted': '(' ~ hits ~ ' + ' ~ sqlmetrics.cell(plan, threshold, true, false) ~ ')',
            'positive': '(' ~ hits ~ ' + ' ~ sqlmetrics.cell(plan, threshold, false, true) ~ ')',
        } -%}
        {%- do return(sqlmetrics.row_ratio(
            plan, sqlmetrics.with_holes(numerator, sums), sqlmetrics.with_holes(denominator, sums), zero_division
        )) -%}
    {%- endif -%}
    {%- set examples = sqlmetrics.subsets(plan, 'examples_with_labels', 'sm_group') -%}
    {%- set subsets = examples if average == 'samples' else sqlmetrics.subsets(plan, 'labels', 'sm_item') -%}
    {%- set decision, positive = sqlmetrics.decided(plan, threshold), sqlmetrics.is_positive(plan) -%}
    {%- set sums, by = {}, '_' ~ sqlmetrics.column_name(threshold) -%}
    {%- for sum, condition in (
        ('hits', '(' ~ decision ~ ') and (' ~ positive ~ ')'), ('predicted', decision), ('positive', positive),
    ) -%}
        {%- do sums.update({
            sum: sqlmetrics.weight_in_subset(plan, subsets, sum ~ by, '(' ~ condition ~ ')'),
        }) -%}
    {%- endfor -%}
    {%- set value = 'coalesce(' ~ sqlmetrics.ratio(
        sqlmetrics.with_holes(numerator, sums), sqlmetrics.with_holes(denominator, sums)
    ) ~ ', ' ~ zero_division ~ ')' -%}
    {%- set counts = {'macro': '1', 'weighted': sums['positive']}.get(average)
        or sqlmetrics.weight_of_example(plan, examples) -%}
    {%- set above = sqlmetrics.need(
        plan, subsets, plan['asked']['prefix'] ~ '_total', sqlmetrics.value_times(value, counts)
    ) -%}
    {%- set below = sqlmetrics.need(plan, subsets, plan['asked']['prefix'] ~ '_counted', counts) -%}
    {%- do return(sqlmetrics.bounded_value(sqlmetrics.ratio(above, below))) -%}
{%- endmacro %}

{# Rejects a metric of labels without examples and labels, and data in which an example has a label twice. #}
{% macro need_multilabel(plan) -%}
    {%- for role in ('group', 'item', 'label') -%}{{- sqlmetrics.need_role(plan, role) -}}{%- endfor -%}
    {%- set examples = sqlmetrics.subsets(plan, 'examples_with_labels', 'sm_group') -%}
    {%- do sqlmetrics.require(
        plan, examples, 'examples_repeating_labels', '{repeated_items} > 0',
        'groups have several rows of one item; an example has a row a label'
    ) -%}
{%- endmacro %}

{# The weight of an example: 1, or that of its rows, which has to be the same in all of them. #}
{% macro weight_of_example(plan, examples) -%}
    {%- if plan['facts']['weight'] is none -%}{%- do return('1') -%}{%- endif -%}
    {%- set most = sqlmetrics.need(plan, examples ~ '_rows', 'weight_of_example', '{weight}', 'max') -%}
    {%- set least = sqlmetrics.need(plan, examples ~ '_rows', 'least_weight_of_example', '{weight}', 'min') -%}
    {%- do sqlmetrics.require(
        plan, examples, 'examples_weight_unclear', least ~ ' <> ' ~ most,
        'groups have a weight that is not the same in all rows of the group'
    ) -%}
    {%- do return(most) -%}
{%- endmacro %}
