{#
  The bootstrap of differences, for metrics without a formula for their spread. The metrics of all models are
  computed in each of many replicates of the data (inference/bootstrap.sql). All models share the draws, so
  that their common variation cancels.

  Two plans make one statement: one for the metrics (sm_measured) and one for the replicates (sm_resampled).
  Both have a row for each slice and model, and the value of metric i as sm_value_i.

  A metric such as ece spreads more in replicates of the data than in samples, others less. How much shows in
  replicates of replicates, one of each (inference/replicates.sql): if replicates spread by e, and those of replicates
  by f about the replicate, samples spread by about e - (f - e). The first 200 replicates give f to 5 %.

  Source: p-values from the replicates: Efron and Tibshirani, An Introduction to the Bootstrap (1993), 15.4; the
    observed data counted among the replicates: Davison and Hinkley, Bootstrap Methods and their Application
    (1997), 4.2.3; an estimate less its bias in replicates, here of the spread: Efron and Tibshirani (1993), 10.6; one
    replicate of each replicate: Chang and Hall (2015), Double-bootstrap methods that use a single double-bootstrap
    simulation, Biometrika 102, 203-214
#}

{# The query of a comparison by the bootstrap. #}
{% macro bootstrapped_comparison(plan) -%}
{%- set values = [] -%}
{%- for metric in plan['compared_metrics'] -%}
    {%- do values.append(dict(metric, name='sm_value_' ~ loop.index)) -%}
{%- endfor -%}
{%- set measured = sqlmetrics.query(dict(
    plan, question=sqlmetrics.question(),
    result=dict(plan['result'], columns=values, names=[], bad_rows={}),
    counts_units={'sm_n_units': 'sm_n_units', 'sm_n_of_all': 'sm_n_of_all'},
)) -%}
{%- set resampled = sqlmetrics.query(plan['resampling']) -%}
{{- sqlmetrics.note_columns(plan) -}}
{% for stage in sqlmetrics.stages_of_source(plan) if sqlmetrics.shares_source(plan) -%}
{{ stage }},

{% endfor -%}
-- the metrics of each model
sm_measured as{{ sqlmetrics.sql_cte_shared() }} (
{{ sqlmetrics.sql_with() }}

{{ measured }}
),

-- the same in each of {{ plan['facts']['n_resamples'] }} replicates of the data, and in replicates of the first
-- {{ sqlmetrics.redrawn_replicates() }} of these
sm_resampled as (
{{ sqlmetrics.sql_with() }}

{{ resampled }}
),

{{ sqlmetrics.stages_of_differences(plan) | join(',\n\n') }}

{{ sqlmetrics.result_of_comparison(plan) }}
{%- endmacro %}

{# The number of replicates that are drawn from once more, if there are so many. #}
{% macro redrawn_replicates() -%}{%- do return(200) -%}{%- endmacro %}

{# The stages from the values of models to differences, their intervals and p-values. #}
{% macro stages_of_differences(plan) -%}
    {%- set slices = sqlmetrics.keys_beside_models(plan) -%}
    {%- set stages = [] -%}
    {%- do stages.extend(sqlmetrics.stages_of_models_beside(plan, 'sm_measured', slices, 'sm_differences', [
        'min(sm_measured.sm_n_units) as sm_n_units',
        'max(sm_measured.sm_n_of_all) - min(sm_measured.sm_n_units) as sm_n_unpaired',
    ])) -%}
    {%- set replicates = slices + ['sm_replicate'] -%}
    {%- do stages.extend(sqlmetrics.stages_of_models_beside(plan, 'sm_resampled', replicates, 'sm_replicated', [
        'min(sm_resampled.sm_least_unit) as sm_least_unit',
        'max(sm_resampled.sm_greatest_unit) as sm_greatest_unit',
    ])) -%}
    {%- do stages.extend([sqlmetrics.stages_of_bootstrapped(plan), sqlmetrics.stages_of_bootstrap(plan)]) -%}
    {%- do stages.extend(sqlmetrics.stages_after_test(plan)) -%}
    {%- if plan['facts']['by'] -%}{%- do stages.append(sqlmetrics.stage_named_slices(plan)) -%}{%- endif -%}
    {%- do return(stages + [sqlmetrics.stage_counts_of_slices(plan), sqlmetrics.stage_asked(plan)]) -%}
{%- endmacro %}

{#
  The values of a source that has a row for each model, with the models side by side: one row for each metric
  and candidate.

  Args:
    keys: the columns that identify a row of the source, besides sm_model
    more: further aggregates, each `... as name`
#}
{% macro stages_of_models_beside(plan, source, keys, name, more) -%}
{%- set columns, along, baseline, candidate = [], [], {}, {} -%}
{%- for metric in plan['compared_metrics'] -%}
    {%- set i = loop.index -%}
    {%- for model in plan['facts']['models'] -%}
        {%- do columns.append(
            'max(case when sm_model = ' ~ loop.index ~ ' then sm_value_' ~ i ~ ' end) as sm_value_' ~ i ~ '_'
            ~ loop.index
        ) -%}
    {%- endfor -%}
    {%- for pair in sqlmetrics.compared_pairs(plan) -%}
        {%- set place = none if plan['question']['own']['pairs'] != 'all' else pair['number'] -%}
        {%- do baseline.update({(i, place): 'sm_value_' ~ i ~ '_' ~ pair['baseline']}) -%}
        {%- do candidate.update({(i, pair['number']): 'sm_value_' ~ i ~ '_' ~ pair['candidate']}) -%}
    {%- endfor -%}
{%- endfor -%}
{%- for column in more -%}{%- do along.append(column.split(' as ')[1]) -%}{%- endfor -%}
{%- set of = keys + ['sm_metric', 'sm_candidate'] + along -%}
{%- set size = 'abs(sm_candidate_value) + abs(sm_baseline_value)' -%}
{%- do return(['-- the models beside each other
' ~ name ~ '_of_models as' ~ sqlmetrics.sql_cte_shared() ~ ' (
    select' ~ sqlmetrics.lines(keys + columns + more, 8) ~ '
    from ' ~ source ~ sqlmetrics.grouped_by(keys) ~ '
)', '-- the difference of each candidate and the baseline
' ~ name ~ ' as' ~ sqlmetrics.sql_cte_shared() ~ ' (
    select' ~ sqlmetrics.lines(of + [
        'sm_baseline_value',
        'sm_candidate_value',
        sqlmetrics.difference_of_values(size) ~ ' as sm_difference',
    ], 8) ~ '
    from (
        select' ~ sqlmetrics.lines(of + [
            sqlmetrics.by_alternative(baseline) ~ ' as sm_baseline_value',
            sqlmetrics.by_alternative(candidate) ~ ' as sm_candidate_value',
        ], 12) ~ '
        from ' ~ name ~ '_of_models
        cross join ' ~ sqlmetrics.alternatives(plan) ~ '
    ) as sm_beside
)']) -%}
{%- endmacro %}

{#
  sm_ends: the interval and the standard error of a difference. sm_bootstrapped: its p-value by the same interval.
    sm_sound is 1 if at least half of the replicates have the difference, it varies, and there is more than one row or
    list.

  The interval reaches as far about the difference as the replicates reach about their mean, and allows for their
  bias, as that of one metric does (inference/bootstrap.sql). A mean that outliers pull beyond an end is cut at this
  end, so that the interval always holds the difference. The reach is stretched for few units, and by sm_spread:
  2 - f / e, the spread of samples beside that of replicates, if that is above 1. So each replicate is
  moved (`moved_replicate`). The ends are the k-th moved replicates from either side, with
  k = floor((1 - level) / 2 * (B + 1)). The p-value is 2 (1 + m) / (B + 1), where m is the number of the B moved
  replicates that are 0 or have the other sign. A difference that a few units make is 0 where these are not drawn, which
  moving must not hide: where the replicates as they are give the larger p-value, or reach to 0 and farther, this
  counts. So the interval excludes 0 exactly if the p-value is at most 1 - level.

  Source: Davison and Hinkley, Bootstrap Methods and their Application (1997), 4.4 and 5.3
#}
{% macro stages_of_bootstrapped(plan) -%}
{%- set keys = sqlmetrics.pair_keys(plan) -%}
{#- a share such as 0.05, written as 0.04999999, would leave one replicate less outside -#}
{%- set share = sqlmetrics.sql_double((1 - plan['facts']['interval']) / 2 + 1e-12) -%}
{%- set bias, of_data = 'sm_middle - sm_difference', 'max(case when sm_replicate > 0 then ' -%}
{%- set slices = sqlmetrics.partition_by(keys) | trim -%}
{%- set again = 'sm_value_again - sm_value' -%}
{%- set spread = '2 - ' ~ sqlmetrics.ratio('sm_error_again', 'sm_error') -%}
{%- set beyond = sqlmetrics.fewer_of('sm_moved_below', 'sm_moved_above') -%}
{%- set beyond_zero = sqlmetrics.fewer_of('sm_below', 'sm_above') -%}
{%- set counts = [] -%}
{%- for name, is_beyond in (
    ('moved_below', 'sm_value_low <= 0'), ('moved_above', 'sm_value_high >= 0'),
    ('below', 'sm_value <= 0'), ('above', 'sm_value >= 0'),
) -%}
    {%- do counts.append('sum(case when ' ~ is_beyond ~ ' then 1 else 0 end) as sm_' ~ name) -%}
{%- endfor -%}
-- the difference in each replicate, and in the replicate of that
sm_replicated_values as{{ sqlmetrics.sql_cte_shared() }} (
    select
        {{- sqlmetrics.lines(keys + [
            of_data ~ 'sm_least_unit end) as sm_least_unit',
            of_data ~ 'sm_greatest_unit end) as sm_greatest_unit',
            of_data ~ 'sm_difference end) as sm_value',
            of_data ~ 'abs(sm_baseline_value) + abs(sm_candidate_value) end) as sm_size',
            'max(case when sm_replicate < 0 then sm_difference end) as sm_value_again',
        ], 8) }}
    from sm_replicated
    group by {{ keys | join(', ') }}, abs(sm_replicate)
),

-- the same number of replicates lies outside each end
sm_end_places as{{ sqlmetrics.sql_cte_shared() }} (
    select
        {{- sqlmetrics.lines(keys + [
            'sm_end',
            'case sm_end when 1 then sm_outside else sm_defined + 1 - sm_outside end as sm_end_place',
        ], 8) }}
    from (
        select
            {{- sqlmetrics.lines(keys + [
                'count(sm_value) as sm_defined',
                'floor(' ~ share ~ ' * (count(sm_value) + 1)) as sm_outside',
            ], 12) }}
        from sm_replicated_values
        group by {{ keys | join(', ') }}
    ) as sm_counted_values
    cross join (select 1 as sm_end union all select 2 as sm_end) as sm_sides
    where sm_outside >= 1
),

{{ sqlmetrics.stages_of_ordered_values(keys) }},

-- the interval, and what moves the replicates: their mean, twice their bias on the side against it, and few units
sm_ends as{{ sqlmetrics.sql_cte_shared() }} (
    select
        {{- sqlmetrics.lines([
            'sm_moves.*',
            sqlmetrics.moved_replicate('sm_lowest', 'low') ~ ' as sm_low',
            sqlmetrics.moved_replicate('sm_highest', 'high') ~ ' as sm_high',
        ], 8) }}
    from (
        select
            {{- sqlmetrics.lines(sqlmetrics.prefixed(keys, 'sm_differences.') + [
                'sm_lowest',
                'sm_middle',
                'sm_highest',
                'sm_difference as sm_observed',
                'abs(sm_baseline_value) + abs(sm_candidate_value) as sm_size_of_data',
                'case when ' ~ bias ~ ' > 0 then 2 * (' ~ bias ~ ') else 0 end as sm_bias_low',
                'case when ' ~ bias ~ ' < 0 then 2 * (' ~ bias ~ ') else 0 end as sm_bias_high',
                'sm_error * sm_spread as sm_standard_error',
                sqlmetrics.stretch_for_few_units(plan, 'sm_n_units') ~ ' * sm_spread as sm_stretch',
            ], 12) }}
        from sm_differences
        inner join (
            select
                {{- sqlmetrics.lines(sqlmetrics.prefixed(keys, 'sm_errors.') + [
                    'sm_lowest',
                    'sm_highest',
                    'sm_error',
                    'case when ' ~ spread ~ ' > 1 then ' ~ spread ~ ' else 1 end as sm_spread',
                    'case when sm_mean < sm_lowest then sm_lowest when sm_mean > sm_highest then sm_highest'
                        ~ ' else sm_mean end as sm_middle',
                ], 16) }}
            from (
                select
                    {{- sqlmetrics.lines(keys + [
                        'avg(sm_value) as sm_mean',
                        sqlmetrics.standard_deviation('sm_deviation') ~ ' as sm_error',
                        sqlmetrics.standard_deviation('sm_deviation_again') ~ ' as sm_error_again',
                    ], 20) }}
                from (
                    select
                        {{- sqlmetrics.lines(keys + [
                            'sm_value',
                            'sm_value - avg(sm_value) over (' ~ slices ~ ') as sm_deviation',
                            again ~ ' - avg(' ~ again ~ ') over (' ~ slices ~ ') as sm_deviation_again',
                        ], 24) }}
                    from sm_replicated_values
                ) as sm_deviations
                group by {{ keys | join(', ') }}
            ) as sm_errors
            left join (
                select
                    {{- sqlmetrics.lines(keys + [
                        'max(case when sm_end = 1 then sm_end_value end) as sm_lowest',
                        'max(case when sm_end = 2 then sm_end_value end) as sm_highest',
                    ], 20) }}
                from sm_end_values
                group by {{ keys | join(', ') }}
            ) as sm_quantiles on {{ sqlmetrics.same_keys(keys, 'sm_errors', 'sm_quantiles') }}
        ) as sm_middles on {{ sqlmetrics.same_keys(keys, 'sm_differences', 'sm_middles') }}
    ) as sm_moves
),

-- what else the replicates say of the difference
sm_bootstrapped as (
    select
        {{- sqlmetrics.lines(keys + [
            sqlmetrics.ratio(
                '2 * (1 + case when ' ~ beyond ~ ' > ' ~ beyond_zero ~ ' then ' ~ beyond ~ ' else ' ~ beyond_zero
                    ~ ' end)',
                'sm_defined + 1',
            ) ~ ' as sm_share',
            'case when sm_least < sm_greatest and 2 * sm_defined >= ' ~ plan['facts']['n_resamples']
                ~ ' and sm_reach > 1e-12 * sm_size then 1 else 0 end as sm_sound',
        ], 8) }}
    from (
        select
            {{- sqlmetrics.lines(keys + [
                'count(sm_value) as sm_defined',
                'min(sm_least_unit) as sm_least',
                'max(sm_greatest_unit) as sm_greatest',
                'max(sm_value) - min(sm_value) as sm_reach',
                'max(sm_size) as sm_size',
            ] + counts, 12) }}
        from (
            select
                {{- sqlmetrics.lines(sqlmetrics.prefixed(keys, 'sm_replicated_values.') + [
                    'sm_value',
                    'sm_least_unit',
                    'sm_greatest_unit',
                    'sm_size',
                    sqlmetrics.moved_replicate('sm_value', 'low') ~ ' as sm_value_low',
                    sqlmetrics.moved_replicate('sm_value', 'high') ~ ' as sm_value_high',
                ], 16) }}
            from sm_replicated_values
            inner join sm_ends on {{ sqlmetrics.same_keys(keys, 'sm_replicated_values', 'sm_ends') }}
        ) as sm_about_mean
        group by {{ keys | join(', ') }}
    ) as sm_counted
)
{%- endmacro %}

{# The standard deviation of a sample, from deviations from its mean. #}
{% macro standard_deviation(deviation) -%}
    sqrt({{ sqlmetrics.ratio('sum(' ~ deviation ~ ' * ' ~ deviation ~ ')', 'count(' ~ deviation ~ ') - 1') }})
{%- endmacro %}

{# A replicate of a difference, moved for the low or the high end of its interval, over the columns of sm_ends. #}
{% macro moved_replicate(value, end) -%}
    {{- sqlmetrics.less_rounding(
        'sm_observed + sm_stretch * (' ~ value ~ ' - sm_middle) - sm_bias_' ~ end, 'sm_size_of_data'
    ) -}}
{%- endmacro %}

{# Whether the replicates as they are reach to 0 or beyond on both sides, so that they end the interval, too. #}
{% macro replicates_hold_zero() -%}sm_lowest <= 0 and sm_highest >= 0{%- endmacro %}

{#
  sm_estimates and sm_tested with the columns of pairs (inference/pairs.sql), from the replicates if they are
  sound.
#}
{% macro stages_of_bootstrap(plan) -%}
{%- set keys = sqlmetrics.pair_keys(plan) -%}
{%- set sound = 'case when sm_sound = 1 and sm_n_unpaired = 0 and sm_difference is not null then ' -%}
{%- set paired = 'case when sm_n_unpaired = 0 then ' -%}
{%- set holds_zero = sqlmetrics.replicates_hold_zero() -%}
-- the difference, its interval and its standard error
sm_estimates as{{ sqlmetrics.sql_cte_materialized() }} (
    select
        {{- sqlmetrics.lines(sqlmetrics.prefixed(keys, 'sm_differences.') + [
            paired ~ 'sm_baseline_value end as sm_baseline_value',
            paired ~ 'sm_candidate_value end as sm_candidate_value',
            paired ~ 'sm_difference end as sm_estimate',
            'sm_n_units as sm_n_pairs',
            'sm_n_unpaired',
            sound ~ 'case when ' ~ holds_zero ~ ' and sm_lowest < sm_low then sm_lowest else sm_low end end as sm_low',
            sound ~ 'case when ' ~ holds_zero
                ~ ' and sm_highest > sm_high then sm_highest else sm_high end end as sm_high',
            sound ~ 'sm_ends.sm_standard_error end as sm_standard_error',
            sound ~ sqlmetrics.as_p_value('sm_share') ~ ' end as sm_chance',
            sqlmetrics.normal_critical_value((1 + plan['facts']['interval']) / 2) ~ ' as sm_critical_value',
            sqlmetrics.normal_critical_value(plan['question']['own']['power']) ~ ' as sm_power_value',
        ], 8) }}
    from sm_differences
    inner join sm_bootstrapped on {{ sqlmetrics.same_keys(keys, 'sm_differences', 'sm_bootstrapped') }}
    left join sm_ends on {{ sqlmetrics.same_keys(keys, 'sm_differences', 'sm_ends') }}
),

-- the p-values
sm_tested as (
    select
        {{- sqlmetrics.lines([
            'sm_estimates.*', sqlmetrics.sql_double('null') ~ ' as sm_statistic', 'sm_chance as sm_p_value',
        ], 8) }}
    from sm_estimates
)
{%- endmacro %}

{# sm_named_slices: the values of slices. #}
{% macro stage_named_slices(plan) -%}
{%- set columns = ['sm_slice'] -%}
{%- for column in plan['facts']['by'] -%}
    {%- do columns.append(column['alias'] ~ ' as ' ~ column['column']) -%}
{%- endfor -%}
-- the values of slices
sm_named_slices as (
    select
        {{- sqlmetrics.lines(columns, 8) }}
    from sm_measured
    where sm_model = 1
)
{%- endmacro %}
