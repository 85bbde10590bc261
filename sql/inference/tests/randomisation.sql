{#
  Fisher's randomisation test: if the two sides are alike, each difference could just as well have the
  opposite sign.

  Signs are drawn plan['facts']['n_resamples'] times (math/draws.sql). The p-value is the share of draws, including the
  observed one, whose mean is at least as far from 0 in either direction. Pairs are numbered by their
  difference, so that the draws do not depend on the order of rows.

  It reads sm_pairs (see inference/pairs.sql) and ends in sm_tested: the keys; sm_statistic, the mean
  difference; sm_p_value, two-sided, never below 1 / (n_resamples + 1).

  Args:
    keys: the columns that identify a test, at least one
  Undefined: null if every difference is 0
  Source: Fisher (1935), The Design of Experiments, 21; the observed draw counted: Phipson and Smyth (2010),
    doi:10.2202/1544-6115.1585
#}
{% macro stages_of_randomisation(plan, keys) -%}
{{ sqlmetrics.stage_replicates(plan['facts']['n_resamples']) }},

-- the differences, numbered
sm_numbered_pairs as{{ sqlmetrics.sql_cte_shared() }} (
    select
        {{- sqlmetrics.lines(keys + [
            'sm_difference',
            sqlmetrics.sql_integer(
                'row_number() over (' ~ sqlmetrics.partition_by(keys) ~ 'order by sm_difference asc)'
            ) ~ ' as sm_number',
        ], 8) }}
    from sm_pairs
    where sm_difference <> 0
),

-- the sums of the differences with the signs that are drawn
sm_flipped as (
    select
        {{- sqlmetrics.lines(keys + [
            'sm_replicate',
            'sum(case when ' ~ sqlmetrics.fifth_power('sm_mixed')
                ~ ' < 1073741824 then sm_difference else -sm_difference end) as sm_sum',
        ], 8) }}
    from (
        select
            {{- sqlmetrics.lines(keys
                + ['sm_replicate', 'sm_difference', sqlmetrics.mixed('sm_number') ~ ' as sm_mixed'], 12) }}
        from sm_numbered_pairs
        cross join sm_replicates
    ) as sm_hashed
    group by {{ (keys + ['sm_replicate']) | join(', ') }}
),

-- what was observed: a sum that is drawn is as far from 0 if only rounding makes it nearer
sm_observed as (
    select
        {{- sqlmetrics.lines(keys + [
            'avg(sm_difference) as sm_mean',
            'abs(sum(sm_difference)) - 1e-12 * nullif(sum(abs(sm_difference)), 0) as sm_distance',
        ], 8) }}
    from sm_pairs
    {{- sqlmetrics.grouped_by(keys) }}
),

-- the randomisation test of the pairs
sm_tested as{{ sqlmetrics.sql_cte_shared() }} (
    select
        {{- sqlmetrics.lines(sqlmetrics.prefixed(keys, 'sm_observed.') + [
            'case when max(sm_distance) is not null then max(sm_mean) end as sm_statistic',
            'case when max(sm_distance) is not null then ' ~ sqlmetrics.ratio(
                '1 + sum(case when abs(sm_sum) >= sm_distance then 1 else 0 end)', plan['facts']['n_resamples'] + 1
            ) ~ ' end as sm_p_value',
        ], 8) }}
    from sm_observed
    left join sm_flipped on {{ sqlmetrics.same_keys(keys, 'sm_observed', 'sm_flipped') }}
    {{- sqlmetrics.grouped_by(sqlmetrics.prefixed(keys, 'sm_observed.')) }}
)
{%- endmacro %}
