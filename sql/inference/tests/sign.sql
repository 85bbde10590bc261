{#
  The sign test: tests that both sides win equally often, by the exact binomial distribution. Differences of 0
  are left out.

  It reads sm_pairs (see inference/pairs.sql) and ends in sm_tested: the keys; sm_statistic, the share of
  differences above 0 among those that are not 0; sm_p_value, two-sided.

  Args:
    keys: the columns that identify a test
  Undefined: null if every difference is 0
  Source: Dixon and Mood (1946), doi:10.1080/01621459.1946.10501898; scipy.stats.binomtest
#}
{% macro stages_of_sign(plan, keys) -%}
-- how often the candidate is above and below the baseline
sm_signs as (
    select
        {{- sqlmetrics.lines(keys + [
            'sum(case when sm_difference > 0 then 1 else 0 end) as sm_above',
            'sum(case when sm_difference < 0 then 1 else 0 end) as sm_below',
        ], 8) }}
    from sm_pairs
    {{- sqlmetrics.grouped_by(keys) }}
),

-- the sign test of the pairs
sm_tested as{{ sqlmetrics.sql_cte_shared() }} (
    select
        {{- sqlmetrics.lines(keys + ['sm_statistic', sqlmetrics.as_p_value('sm_chance') ~ ' as sm_p_value'], 8) }}
    from (
        select
            {{- sqlmetrics.lines(keys + [
                sqlmetrics.ratio('sm_above', 'sm_n') ~ ' as sm_statistic',
                sqlmetrics.sign_chance('sm_fewer', 'sm_n') ~ ' as sm_chance',
            ], 12) }}
        from (
            select
                {{- sqlmetrics.lines(keys + [
                    'sm_above',
                    'sm_above + sm_below as sm_n',
                    'case when sm_above < sm_below then sm_above else sm_below end as sm_fewer',
                ], 16) }}
            from sm_signs
        ) as sm_counted_signs
    ) as sm_chances
)
{%- endmacro %}

{# The two-sided probability of at most `fewer` of n on either side, for `as_p_value`; null if n is 0. #}
{% macro sign_chance(fewer, n) -%}
    case when {{ n }} > 0 then 2 * {{ sqlmetrics.binomial_half_tail(fewer, n) }} end
{%- endmacro %}
