{#
  Scored classes: an example and class a row, and the examples.

  sm_class_scores: from a long table the examples (sm_group), classes (sm_item), labels and scores; from class_scores=
    the number of a class (sm_item), the number of the label's class (sm_true) and the score
  sm_examples: sm_true: the class of an example; counts that detect examples without exactly one class, score
    and weight
#}
{% macro stage_scored_classes(plan) -%}
{%- set weight = ['sm_weight'] if plan['facts']['weight'] is not none else [] -%}
{%- set scores = plan['needs']['class_areas'] or plan['class_bins'] or plan['set_sizes']
    or sqlmetrics.reads(plan, 'examples', 'sum_of_scores') -%}
-- an example and class a row, in the slices and in total
sm_class_scores as{{ sqlmetrics.sql_cte_inline() }} (
    {%- if not plan['facts']['class_scores'] %}
    {{ sqlmetrics.by_slice_and_total(
        plan, ['sm_group', 'sm_item', 'sm_label'] + (['sm_score'] if scores else []) + weight
    ) }}
    {%- else %}
    {%- set classes = sqlmetrics.sql_unpivot(sqlmetrics.names_of_class_scores(plan)) %}
    select
        {{- sqlmetrics.lines(plan['facts']['keys'] + weight + [
            'sm_class_number as sm_true', classes['position'] ~ ' as sm_item', classes['value'] ~ ' as sm_score',
        ], 8) }}
    from (
        {{ sqlmetrics.by_slice_and_total(plan, ['sm_class_number'] + weight + classes['packed']) | indent(4) }}
    ) as sm_wide
    {{- '\n    ' ~ classes['join'] if classes['join'] }}
    {%- endif %}
)
{%- endmacro %}

{# sm_examples, of a long table. #}
{% macro stage_examples(plan) -%}
{%- set keys = plan['facts']['keys'] -%}
{%- set weighted = plan['facts']['weight'] is not none -%}
{%- set relevant = sqlmetrics.filled(plan, sqlmetrics.is_relevant(plan)) -%}
-- the class of each example
sm_examples as{{ sqlmetrics.sql_cte_shared() }} (
    select
        {{- sqlmetrics.lines(keys + [
            'sum(case when ' ~ relevant ~ ' then 1 else 0 end) as sm_n_true',
            'count(*) as sm_n_rows_of_example',
            'count(distinct sm_item) as sm_n_scored',
        ] + (['max(case when ' ~ relevant ~ ' then sm_item end) as sm_true'] if plan['needs']['class_areas'] else [])
            + (['sm_group'] if plan['needs']['class_areas'] else [])
            + (['min(sm_weight) as sm_least_weight', 'max(sm_weight) as sm_greatest_weight'] if weighted else [])
            + (['sum(sm_score) as sm_sum_of_scores'] if sqlmetrics.reads(plan, 'examples', 'sum_of_scores')
                else []), 8) }}
    from sm_class_scores
    group by {{ (keys + ['sm_group']) | join(', ') }}
)
{%- endmacro %}

{# sm_example_sums. #}
{% macro stage_example_sums(plan) -%}
{%- set keys = plan['facts']['keys'] -%}
-- what is summed over examples, a row for each slice
sm_example_sums as (
    select
        {%- set kept = sqlmetrics.slice_keys(plan, 'sm_examples.') -%}
        {{- sqlmetrics.lines(kept + sqlmetrics.aggregates(plan, 'examples'), 8) }}
    from sm_examples
    {%- if plan['needs']['class_areas'] %}
    inner join sm_scored_classes on {{ sqlmetrics.same_slice(plan, 'sm_examples', 'sm_scored_classes') }}
    {%- endif %}
    {%- if keys %}
    group by {{ kept | join(', ') }}
    {%- endif %}
)
{%- endmacro %}
