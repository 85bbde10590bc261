{#
  The rows with what the influence of a row on average precision reads (inference/average_precision.sql): two windows
  down the scores and two up. A row of tied scores has what its level has.

  sm_row_levels: the usable rows, in their slice and again in the total, with the rows and the positive rows down to
    their level, or their weights
  sm_row_precisions: the same rows with sm_precision, the share of positive rows down to the level, and over the
    positive rows from the bottom up to the level sm_reciprocals, the sum of weight / rows down to their own level, and
    sm_shares, the same times their precision
  sm_precision_sums: sums over these rows, a row for each slice
#}
{% macro stages_of_precisions(plan) -%}
{%- set keys, models, total = plan['facts']['keys'], sqlmetrics.model_keys(plan), plan['facts']['total'] -%}
{%- set weight, kept = sqlmetrics.filled(plan, sqlmetrics.row_weight(plan)), sqlmetrics.columns_of_precisions(plan) -%}
{%- set positive = sqlmetrics.filled(plan, sqlmetrics.reaches_positive(plan)) -%}
{%- set source = sqlmetrics.counted_twice(sqlmetrics.sliced(plan)) ~ ' as sm_rows_twice'
    if total else sqlmetrics.sliced(plan) -%}
{%- set slices, ties = models + ['sm_counted_in'] if total else keys, sqlmetrics.sql_with_ties() ~ ')' -%}
{%- set down = ' over (' ~ sqlmetrics.partition_by(slices) ~ 'order by sm_score desc' ~ ties -%}
{%- set up = ' over (' ~ sqlmetrics.partition_by(keys) ~ 'order by sm_score asc' ~ ties -%}
{%- set of_positive = 'case when ' ~ positive ~ ' then ' ~ weight -%}
{%- set counts = ['count(*)' ~ down, 'count(' ~ of_positive ~ ' end)' ~ down] if plan['facts']['weight'] is none
    else ['sum(sm_weight)' ~ down, 'sum(' ~ of_positive ~ ' else 0 end)' ~ down] -%}
{%- set precision = sqlmetrics.ratio('sm_row_positives_through', 'sm_row_through') -%}
{%- set part = sqlmetrics.ratio(of_positive ~ ' else 0 end', 'sm_row_through') -%}
{%- do return(['-- how many rows, and how many positive ones, reach down to the score of a row
sm_row_levels as' ~ sqlmetrics.sql_cte_inline() ~ ' (
    select' ~ sqlmetrics.lines(
        (models + ['sm_counted_in as sm_slice'] if total else keys)
        + (kept + ['sm_score']) | unique | list
        + [counts[0] ~ ' as sm_row_through', counts[1] ~ ' as sm_row_positives_through'], 8) ~ '
    from ' ~ source ~ '
    where sm_problem = 0
)', '-- the precision there, and what the positive rows from there on down lose by a row above them
sm_row_precisions as' ~ sqlmetrics.sql_cte_materialized() ~ ' (
    select' ~ sqlmetrics.lines(keys + kept + [
        precision ~ ' as sm_precision',
        'sum(' ~ part ~ ')' ~ up ~ ' as sm_reciprocals',
        'sum(' ~ part ~ ' * ' ~ precision ~ ')' ~ up ~ ' as sm_shares',
    ], 8) ~ '
    from sm_row_levels
)', '-- what is summed over those rows, a row for each slice
sm_precision_sums as' ~ sqlmetrics.sql_cte_shared() ~ ' (
    select' ~ sqlmetrics.lines(keys + sqlmetrics.aggregates(plan, 'precisions'), 8) ~ '
    from sm_row_precisions' ~ sqlmetrics.grouped_by(keys) ~ '
)']) -%}
{%- endmacro %}

{# The columns of rows that influences read, whichever metric they are of. #}
{% macro columns_of_precisions(plan) -%}
    {%- set columns = {} -%}
    {%- for grain in ('precisions', 'row_deviations', 'cluster_deviations') -%}
        {%- for hole in plan['reads'].get(grain, {}) if hole not in plan['sums'] and hole not in plan['literals']
            and hole not in ('precision', 'reciprocals', 'shares') -%}
            {%- do columns.update({'sm_' ~ hole: true}) -%}
        {%- endfor -%}
    {%- endfor -%}
    {%- if plan['needs']['cluster_deviations'] -%}{%- do columns.update({'sm_group': true}) -%}{%- endif -%}
    {%- do return(columns | list) -%}
{%- endmacro %}
