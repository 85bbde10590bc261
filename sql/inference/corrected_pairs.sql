{#
  Differences of two models by the labels of a machine, corrected by those of people (inference/corrected.sql), as a
  test of pairs reads them.
#}

{# The stages from units of each arm to a test of the corrected differences. #}
{% macro stages_of_corrected_pairs(plan) -%}
    {%- do return(sqlmetrics.stages_of_people_and_judge(plan) + [
        sqlmetrics.stage_corrected_estimates(plan), sqlmetrics.stages_of_t(plan),
    ] + sqlmetrics.stages_after_test(plan) + [
        sqlmetrics.stage_counts_of_slices(plan), sqlmetrics.stage_asked(plan),
    ]) -%}
{%- endmacro %}

{# How many units have a value by the machine for both models, and for one of them alone, over sm_judged. #}
{% macro numbers_of_pairs(plan) -%}
    {%- set decided, there, columns = sqlmetrics.compared_by(plan, ['groups'], 'adds_zero'), [], [] -%}
    {%- for side in sqlmetrics.sides_of_corrected(plan) -%}
        {%- set n, d = 'sm_n_all' ~ side, 'sm_d_all' ~ side -%}
        {%- do there.append('(case when ' ~ sqlmetrics.by_metric(
            decided, 'case when ' ~ d ~ ' is not null then 1 end',
            'case when ' ~ n ~ ' <> 0 or ' ~ d ~ ' <> 0 then 1 end'
        ) ~ ' = 1 then 1 else 0 end)') -%}
    {%- endfor -%}
    {%- do return([
        'sum(' ~ there | join(' * ') ~ ') as sm_n_pairs',
        'sum(' ~ there | join(' + ') ~ ' - 2 * ' ~ there | join(' * ') ~ ') as sm_n_unpaired',
    ]) -%}
{%- endmacro %}

{#
  sm_estimates, as of pairs: the models' corrected values, which have the power of their difference in common, their
    difference and its standard error, NULL if the labels by people do not vary; and of the difference what the machine
    alone and people alone say.
#}
{% macro stage_corrected_estimates(plan) -%}
{%- set keys, values, roots = sqlmetrics.keys_of_corrected(plan), [], [] -%}
{%- set groups = ['sm_groups_of_people'] if sqlmetrics.groups_are_labelled(plan) else [] -%}
{%- for metric in plan['compared_metrics'] if metric['root'] -%}{%- do roots.append(metric['i']) -%}{%- endfor -%}
{%- for side in ('baseline', 'candidate') -%}
    {%- for part, column in {'_value': 'sm_value_', '_judge': 'sm_all_', '_gold': 'sm_people_'}.items() -%}
        {%- set found = {} -%}
        {%- for metric in plan['compared_metrics'] -%}
            {%- do found.update({(metric['i'], none): sqlmetrics.value_in_range(metric, column ~ side)}) -%}
        {%- endfor -%}
        {%- do values.append('case when sm_n_unpaired = 0 then ' ~ sqlmetrics.by_alternative(found) ~ ' end as sm_'
            ~ side ~ part) -%}
    {%- endfor -%}
{%- endfor -%}
{%- set size = '(abs(sm_candidate_value) + abs(sm_baseline_value))' -%}
{%- set error = sqlmetrics.ratio(
    'sqrt(sm_variance * ' ~ sqlmetrics.ratio(
        'sm_units_people', 'sm_units_people - 1'
    ) ~ ')',
    sqlmetrics.by_metric(roots, 'sm_candidate_value + sm_baseline_value', '1'),
) -%}
-- the corrected difference, its standard error, and how many of these an interval and a find take
sm_estimates as{{ sqlmetrics.sql_cte_materialized() }} (
    select
        {{- sqlmetrics.lines(keys + [
            'sm_baseline_value', 'sm_candidate_value',
            sqlmetrics.difference_of_values(size) ~ ' as sm_estimate',
            sqlmetrics.difference_of_sides(['sm_candidate_judge', 'sm_baseline_judge']) ~ ' as sm_difference_judge',
            sqlmetrics.difference_of_sides(['sm_candidate_gold', 'sm_baseline_gold']) ~ ' as sm_difference_gold',
            'case when sm_error > 1e-12 * ' ~ size ~ ' then sm_error end as sm_standard_error',
            'sm_worth', 'sm_n_pairs', 'sm_n_unpaired', 'sm_df',
        ] + groups + sqlmetrics.quantiles_of_difference(plan), 8) }}
    from (
        select
            {{- sqlmetrics.lines(['sm_differences.*', error ~ ' as sm_error'], 12) }}
        from (
            select
                {{- sqlmetrics.lines(['sm_corrected.*'] + values, 16) }}
            from sm_corrected
        ) as sm_differences
    ) as sm_errors
)
{%- endmacro %}

{# What the result of a comparison has besides: the difference by the machine alone, by people alone, and its worth. #}
{% macro columns_of_corrected_pairs(plan) -%}
    {%- do return([
        {'name': 'difference_judge', 'value': 'sm_difference_judge'},
        {'name': 'difference_gold', 'value': 'sm_difference_gold'},
        {'name': 'n_effective', 'value': 'sm_asked.sm_all_n_gold * sm_worth'},
    ] + ([{'name': 'n_gold_groups', 'value': 'coalesce(sm_groups_of_people, 0)', 'integer': true}]
        if sqlmetrics.groups_are_labelled(plan) else [])) -%}
{%- endmacro %}
