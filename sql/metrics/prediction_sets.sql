{#
  Sets of classes that are predicted for an example, as those of conformal prediction: the classes whose score is at
  least a threshold. Of split conformal prediction with the scores 1 - p it is 1 - the quantile; where the columns of
  class_scores= say 1 or 0, whether the class is in the set, it is 0.5. Grain: rows, and sizes of sets
  (stages/classes/set_sizes.sql).

  Args:
    threshold: the classes that score at least this are in the set, a float32 of 0.7 at 0.7
  Task: Several classes or labels
  Returns: float; weighted by the row weight, which is the same in all rows of an example
  Undefined: null if there are no examples
  Errors: a label that class_scores= does not name; in a long table an example without a class, with several, or with
    two rows of one class
#}

{#
  Coverage of prediction sets: the share of examples whose class is in their set. Sets made for a coverage of 90 %
  should have 90 %.

  Formula: \text{coverage} = \frac{\sum_i w_i [s_{i,y_i} \ge t]}{\sum_i w_i}
  Better: none
  Range: [0, 1]
  Unit: share
  Traps: sets of all classes have 1; read it beside set_size; the right share of all examples may be too high in some
    slices and too low in others, see size_stratified_coverage and by=
  Source: Angelopoulos and Bates (2021), A gentle introduction to conformal prediction, arXiv:2107.07511, section 4.3;
    MAPIE, classification_coverage_score
  Example: set_coverage(threshold=0.1)
#}
{% macro metric_set_coverage(plan, threshold=0.5) -%}
    {{- sqlmetrics.need_prediction_sets(plan, threshold) -}}
    {%- set wide, name = plan['facts']['class_scores'], 'covered_' ~ sqlmetrics.column_name(threshold) -%}
    {%- set reached = sqlmetrics.row_at_least('{true_score}' if wide else '{score}', threshold) -%}
    {%- if wide -%}
        {%- set covered = sqlmetrics.row_sum(plan, name, sqlmetrics.row_count_if(plan, '(' ~ reached ~ ')')) -%}
        {%- do return(sqlmetrics.row_share(plan, covered, sqlmetrics.row_total(plan))) -%}
    {%- endif -%}
    {%- set covered = sqlmetrics.row_sum(
        plan, name, 'case when ' ~ sqlmetrics.is_positive(plan) ~ ' and (' ~ reached ~ ') then 1 else 0 end'
    ) -%}
    {%- do return(sqlmetrics.row_share(plan, covered, sqlmetrics.row_positives(plan))) -%}
{%- endmacro %}

{#
  Size of prediction sets: the mean number of classes in the set of an example. Of sets with the same coverage the
  smaller are better.

  Formula: \text{size} = \frac{\sum_i w_i \sum_c [s_{ic} \ge t]}{\sum_i w_i}
  Better: lower
  Range: [0, inf)
  Unit: none
  Traps: empty sets have the best value; read it beside set_coverage; a mean of 2 may be sets of 1 and of all classes
  Source: Angelopoulos and Bates (2021), A gentle introduction to conformal prediction, arXiv:2107.07511, section 4.3;
    MAPIE, classification_mean_width_score
  Example: set_size(threshold=0.1)
#}
{% macro metric_set_size(plan, threshold=0.5) -%}
    {{- sqlmetrics.need_prediction_sets(plan, threshold) -}}
    {%- set name = 'classes_in_sets_' ~ sqlmetrics.column_name(threshold) -%}
    {%- if plan['facts']['class_scores'] -%}
        {%- do return(sqlmetrics.row_mean(
            plan, name, sqlmetrics.size_of_set(sqlmetrics.scores_of_classes(plan), threshold), complete=true
        )) -%}
    {%- endif -%}
    {%- set sizes = sqlmetrics.row_sum(
        plan, name, sqlmetrics.row_count_if(plan, '(' ~ sqlmetrics.row_at_least('{score}', threshold) ~ ')')
    ) -%}
    {%- do return(sqlmetrics.row_ratio(plan, sizes, sqlmetrics.row_positives(plan))) -%}
{%- endmacro %}

{#
  Size-stratified coverage: the least coverage of the examples whose sets have the same number of classes. Far below
  set_coverage, the sets of some size promise too much.

  Formula: \text{coverage} = \min_z \frac{\sum_{i \in z} w_i [s_{i,y_i} \ge t]}{\sum_{i \in z} w_i}
  Better: higher
  Range: [0, 1]
  Unit: share
  Traps: a size of few examples decides it by chance; empty sets cover nothing, so one makes it 0; as a least value it
    is below the coverage even where all sizes have the same
  Source: Angelopoulos, Bates, Malik and Jordan (2021), Uncertainty sets for image classifiers using conformal
    prediction, arXiv:2009.14193; MAPIE, classification_ssc_score
  Example: size_stratified_coverage(threshold=0.1)
#}
{% macro metric_size_stratified_coverage(plan, threshold=0.5) -%}
    {{- sqlmetrics.need_prediction_sets(plan, threshold) -}}
    {%- set sizes = sqlmetrics.set_sizes_grain(plan, threshold) -%}
    {%- do return(sqlmetrics.bounded_value(
        sqlmetrics.need(plan, sizes, sizes ~ '_least', sqlmetrics.ratio('{covered}', '{examples}'), 'min')
    )) -%}
{%- endmacro %}

{# Rejects prediction sets without scores of classes in either form, and a threshold that is no number. #}
{% macro need_prediction_sets(plan, threshold) -%}
    {{- sqlmetrics.number(plan, 'threshold', threshold) -}}
    {%- if plan['facts']['class_scores'] -%}
        {%- do sqlmetrics.need_known_class(plan) -%}
    {%- else -%}
        {%- do sqlmetrics.need_examples(plan) -%}
        {%- do sqlmetrics.need_class_of_example(plan) -%}
    {%- endif -%}
{%- endmacro %}

{# The number of scores that reach a threshold. #}
{% macro size_of_set(scores, threshold) -%}
    {%- set terms = [] -%}
    {%- for score in scores -%}
        {%- do terms.append('case when ' ~ sqlmetrics.row_at_least(score, threshold) ~ ' then 1 else 0 end') -%}
    {%- endfor -%}
    {{- '(' ~ sqlmetrics.joined_terms(terms, ' + ') ~ ')' -}}
{%- endmacro %}
