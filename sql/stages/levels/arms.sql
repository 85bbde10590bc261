{#
  The grain of arms: score levels from the highest score down, with the treated rows and the others (the control) of an
  experiment counted apart, and the positive ones of each.

  With weights, what lies above a level is a sum of its own: as a difference it would keep a rounding error where
  nothing is above, and the share of positive rows divides by it.
#}

{# sm_arm_counts: the rows of each distinct score, by slice; sm_arms: with those above and through each; their sums. #}
{% macro stages_of_arms(plan) -%}
{%- set keys, weight = plan['facts']['keys'], sqlmetrics.filled(plan, sqlmetrics.row_weight(plan)) -%}
{%- set treated = sqlmetrics.filled(plan, plan['treatment']) ~ ' = 1' -%}
{%- set positive = sqlmetrics.filled(plan, sqlmetrics.reaches_positive(plan)) -%}
{%- set counts, added_up, cumulated = [], [], [] -%}
{%- set down = 'over (' ~ sqlmetrics.partition_by(keys) ~ 'order by sm_score desc rows ' -%}
{%- for name, condition in sqlmetrics.counts_of_arms(treated, positive).items() -%}
    {%- do counts.append('sum(case when ' ~ condition ~ ' then ' ~ weight ~ ' else 0 end) as sm_' ~ name) -%}
    {%- do added_up.append('sum(sm_' ~ name ~ ') as sm_' ~ name) -%}
    {%- for column, count in {
        name: 'sm_' ~ name,
        name ~ '_above': 'coalesce(sum(sm_' ~ name ~ ') ' ~ down
            ~ 'between unbounded preceding and 1 preceding), 0) as sm_' ~ name ~ '_above',
        name ~ '_through': 'sum(sm_' ~ name ~ ') ' ~ down ~ 'unbounded preceding) as sm_' ~ name ~ '_through',
    }.items() if sqlmetrics.arms_read(plan, column) -%}
        {%- do cumulated.append(count) -%}
    {%- endfor -%}
{%- endfor -%}
{%- set source = 'sm_arm_counts' -%}
{%- set stages = ['-- the rows of each distinct score, treated or not
sm_arm_counts as' ~ sqlmetrics.sql_cte_shared() ~ ' (
    select' ~ sqlmetrics.lines(keys + ['sm_score'] + counts, 8) ~ '
    from ' ~ sqlmetrics.sliced(plan) ~ '
    where sm_problem = 0' ~ (' and sm_weight > 0' if plan['facts']['weight'] is not none else '') ~ '
    group by ' ~ (keys + ['sm_score']) | join(', ') ~ '
)'] -%}
{%- if plan['facts']['total'] -%}
    {%- set names = sqlmetrics.prefixed(sqlmetrics.counts_of_arms('', '') | list, 'sm_') -%}
    {%- do stages.append('-- the same with all slices together
sm_arm_counts_of_all as' ~ sqlmetrics.sql_cte_shared() ~ ' (
    select' ~ sqlmetrics.lines(keys + ['sm_score'] + names, 8) ~ '
    from sm_arm_counts
    union all
    select' ~ sqlmetrics.lines(sqlmetrics.total_keys(plan) + ['sm_score'] + added_up, 8) ~ '
    from sm_arm_counts
    group by ' ~ (sqlmetrics.model_keys(plan) + ['sm_score']) | join(', ') ~ '
)') -%}
    {%- set source = 'sm_arm_counts_of_all' -%}
{%- endif -%}
{%- do stages.append('-- those above each score, and down to it
sm_arms as' ~ sqlmetrics.sql_cte_shared() ~ ' (
    select' ~ sqlmetrics.lines(keys + (['sm_score'] if sqlmetrics.arms_read(plan, 'score') else []) + cumulated, 8) ~ '
    from ' ~ source ~ '
)') -%}
{%- if plan['needs']['arms'] -%}
    {%- set of_slice = sqlmetrics.slice_keys(plan, 'sm_arms.') -%}
    {%- do stages.append('-- what is summed over them
sm_arms_sums as' ~ sqlmetrics.sql_cte_shared() ~ ' (
    select' ~ sqlmetrics.lines(of_slice + sqlmetrics.aggregates(plan, 'arms'), 8) ~ '
    from sm_arms
    inner join sm_row_sums on ' ~ sqlmetrics.same_slice(plan, 'sm_arms', 'sm_row_sums')
        ~ sqlmetrics.grouped_by(of_slice) ~ '
)') -%}
{%- endif -%}
{%- do return(stages) -%}
{%- endmacro %}

{# Whether a metric or a curve reads a column of the levels. #}
{% macro arms_read(plan, column) -%}
    {%- do return(sqlmetrics.reads(plan, 'arms', column) or sqlmetrics.reads(plan, 'arm_points', column)) -%}
{%- endmacro %}

{# The counts of a level: name -> the condition of its rows. #}
{% macro counts_of_arms(treated, positive) -%}
    {%- do return({
        'treated': treated, 'control': 'not (' ~ treated ~ ')',
        'treated_positives': treated ~ ' and ' ~ positive, 'control_positives': 'not (' ~ treated ~ ') and ' ~ positive,
    }) -%}
{%- endmacro %}
