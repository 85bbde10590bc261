{#
  Prediction sets by their size: one grain for each threshold.

  sm_<grain>: a row for each size that a set has. sm_covered: the weight of the examples whose class is in their set;
    sm_examples: the weight of all of them
#}

{# The grain of the sets at a threshold. #}
{% macro set_sizes_grain(plan, threshold) -%}
    {%- set grain = 'set_sizes_' ~ sqlmetrics.column_name(threshold) -%}
    {%- if grain not in plan['set_sizes'] -%}
        {%- do plan['set_sizes'].update({grain: threshold}) -%}
        {%- do plan['grains'].update({grain: {
            'columns': sqlmetrics.columns()['set_sizes'], 'parents': [], 'roles': [], 'sums': 'sm_' ~ grain ~ '_sums',
            'state': 'its sums are by size of sets',
        }}) -%}
        {%- do plan['needs'].update({grain: {}}) -%}
        {%- if plan['facts']['class_scores'] -%}
            {%- do sqlmetrics.note_reads(
                plan, 'rows', ['true_score'] + sqlmetrics.holes(sqlmetrics.scores_of_classes(plan) | join)
            ) -%}
        {%- endif -%}
    {%- endif -%}
    {%- do return(grain) -%}
{%- endmacro %}

{# sm_<grain>. #}
{% macro stage_set_sizes(plan, grain, threshold) -%}
{%- set keys = plan['facts']['keys'] -%}
{%- set weight = ['sm_weight'] if plan['facts']['weight'] is not none else [] -%}
-- the sets by their size: those of a size, and those of them that have the class of their example
sm_{{ grain }} as (
    select
        {{- sqlmetrics.lines(keys + [
            'sum(' ~ sqlmetrics.filled(plan, sqlmetrics.row_weighted(plan, 'sm_hit')) ~ ') as sm_covered',
            'sum(' ~ sqlmetrics.filled(plan, sqlmetrics.row_weight(plan)) ~ ') as sm_examples',
        ], 8) }}
    from (
        {%- if plan['facts']['class_scores'] %}
        {{ sqlmetrics.by_slice_and_total(plan, weight + [
            sqlmetrics.size_of_set(sqlmetrics.names_of_class_scores(plan), threshold) ~ ' as sm_size',
            'case when ' ~ sqlmetrics.row_at_least('sm_true_score', threshold) ~ ' then 1 else 0 end as sm_hit',
        ]) | indent(4) }}
        {%- else %}
        {%- set in_set = '(' ~ sqlmetrics.row_at_least('sm_score', threshold) ~ ')' %}
        {%- set own = sqlmetrics.filled(plan, sqlmetrics.is_relevant(plan)) %}
        select
            {{- sqlmetrics.lines(keys + (['max(sm_class_scores.sm_weight) as sm_weight'] if weight else []) + [
                'sum(case when ' ~ in_set ~ ' then 1 else 0 end) as sm_size',
                'max(case when ' ~ own ~ ' and ' ~ in_set ~ ' then 1 else 0 end) as sm_hit',
            ], 12) }}
        from sm_class_scores
        group by {{ (keys + ['sm_group']) | join(', ') }}
        {%- endif %}
    ) as sm_sized_sets
    group by {{ (keys + ['sm_size']) | join(', ') }}
),

-- what is summed over sizes, a row for each slice
sm_{{ grain }}_sums as (
    select
        {{- sqlmetrics.lines(keys + sqlmetrics.aggregates(plan, grain), 8) }}
    from sm_{{ grain }}
    {{- sqlmetrics.grouped_by(keys) }}
)
{%- endmacro %}

{# The sizes of sets at each threshold that a metric asks for. #}
{% macro stages_of_set_sizes(plan) -%}
    {%- set stages = [] -%}
    {%- for grain, threshold in plan['set_sizes'].items() -%}
        {%- do stages.append(sqlmetrics.stage_set_sizes(plan, grain, threshold)) -%}
    {%- endfor -%}
    {%- do return(stages) -%}
{%- endmacro %}
