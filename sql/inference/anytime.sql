{#
  Intervals and p-values that may be looked at after any number of units: confidence sequences. All intervals of
  a sequence together hold the true value with the probability of the level; a fixed interval does so at one look.

  After n units a sequence reaches c(n) standard errors to either side, c(n)^2 = (1 + 1 / (n r^2)) (ln(n r^2 + 1) -
  2 ln(alpha)), where alpha is 1 - interval and r^2 = (ln(1 - 2 ln(alpha)) - 2 ln(alpha)) / tightest_at. It is large
  after few units, least at about `tightest_at` of them, and then grows like the root of ln(n).

  The standard errors and ends are those of fixed intervals, whose critical value is widened by c(n) / z: z, of shares,
  becomes c(n), and Student's t stays as much larger than z as it was. The ends of a value in a closed range are those
  of half a unit less, and half a unit more: of a rate near 0 or 1, Wilson's ends alone err in more than 5 % of runs.

  Source: Waudby-Smith, Arbour, Sinha, Kennedy, Ramdas (2024), Time-uniform central limit theory and asymptotic
    confidence sequences, doi:10.1214/24-AOS2408, theorem 2.2 and appendix B.2; Robbins (1970),
    doi:10.1214/aoms/1177696786; half a unit: Newcombe (1998), Two-sided confidence intervals
    for the single proportion, method 4; measured in docs/coverage.md
#}

{# Whether the intervals of a plan are those of a sequence. #}
{% macro is_anytime(plan) -%}{%- do return(plan['facts']['interval_method'] == 'anytime') -%}{%- endmacro %}

{# Rejects a number of units that is none, or so small that sequences begin too narrow. #}
{% macro check_tightest_at(tightest_at) -%}
    {%- if tightest_at is not integer or tightest_at is boolean or not 30 <= tightest_at <= 1000000000000 -%}
        {{- sqlmetrics.refuse(
            "tightest_at must be an integer from 30 to 1000000000000, the number of units at which intervals are"
                ~ " tightest, got " ~ sqlmetrics.shown(tightest_at)
        ) -}}
    {%- endif -%}
{%- endmacro %}

{# The n r^2 of so many units. #}
{% macro anytime_seen(plan, units) -%}
    {%- set log_alpha = sqlmetrics.logarithm(1 - plan['facts']['interval']) -%}
    {%- set ratio = (sqlmetrics.logarithm(1 - 2 * log_alpha) - 2 * log_alpha)
        / (plan['facts']['tightest_at'] or 400) -%}
    {{- '(' ~ sqlmetrics.sql_double(ratio) ~ ' * (' ~ units ~ '))' -}}
{%- endmacro %}

{#
  A number of standard errors, of a fixed interval; of a sequence widened by c(n) / z.

  Args:
    critical: an expression
    units: an expression, the number n of units, which occurs twice in the result
#}
{% macro widened(plan, critical, units) -%}
    {%- if not sqlmetrics.is_anytime(plan) -%}{%- do return(critical) -%}{%- endif -%}
    {%- set z = sqlmetrics.normal_critical_value((1 + plan['facts']['interval']) / 2) -%}
    {%- set seen = sqlmetrics.anytime_seen(plan, units) -%}
    {%- set square = '(1 + ' ~ sqlmetrics.ratio('1', seen) ~ ') * (' ~ sqlmetrics.sql_ln('1 + ' ~ seen) ~ ' + '
        ~ sqlmetrics.sql_double(-2 * sqlmetrics.logarithm(1 - plan['facts']['interval'])) ~ ')' -%}
    {{- '(' ~ critical ~ ' * sqrt(' ~ square ~ ') / ' ~ z ~ ')' -}}
{%- endmacro %}

{# A share less half a unit of m, where its interval is one of a sequence. #}
{% macro less_half_a_unit(plan, share, units) -%}
    {%- if not sqlmetrics.is_anytime(plan) -%}{%- do return(share) -%}{%- endif -%}
    {%- set less = share ~ ' - 0.5 / ' ~ units -%}
    {{- '(case when ' ~ less ~ ' > 0 then ' ~ less ~ ' when ' ~ less ~ ' <= 0 then 0 end)' -}}
{%- endmacro %}

{#
  The p-value of a distance: the least alpha whose interval of the same r leaves the value out, so that it is at
  most 1 - interval exactly if the interval does.

  Args:
    distance: an expression, the number of standard errors
    widths: an expression, how many of them Student's t takes for one of the normal distribution
    units: an expression, the number of units
#}
{% macro anytime_chance(plan, distance, widths, units) -%}
    {%- set seen = sqlmetrics.anytime_seen(plan, units) -%}
    {%- set z = '(' ~ distance ~ ') / ' ~ widths -%}
    {%- set chance = 'sqrt(1 + ' ~ seen ~ ') * ' ~ sqlmetrics.sql_exp(
        '-0.5 * ' ~ z ~ ' * ' ~ z ~ ' * ' ~ seen ~ ' / (1 + ' ~ seen ~ ')'
    ) -%}
    {#- an engine whose exp fails on small numbers has 0 for NULL -#}
    {{- '(case when ' ~ z ~ ' is not null then ' ~ chance ~ ' end)' -}}
{%- endmacro %}

{#
  The test by a sequence: the difference over its standard error, from sm_estimates. Its p-value may be read at every
  look, and the first that is small enough may end the comparison.

  It ends in sm_tested: the columns of sm_estimates, sm_statistic and sm_p_value, two-sided.

  Undefined: null if there are fewer than two pairs, or if they do not vary
#}
{% macro stages_of_anytime(plan, keys=none) -%}
-- the difference in its standard errors, and its p-value at any look
sm_tested as{{ sqlmetrics.sql_cte_shared() }} (
    select
        {{- sqlmetrics.lines(['sm_chances.*', sqlmetrics.as_p_value('sm_chance') ~ ' as sm_p_value'], 8) }}
    from (
        select
            {{- sqlmetrics.lines([
                'sm_estimates.*',
                'sm_estimate / sm_standard_error as sm_statistic',
                sqlmetrics.anytime_chance(plan, 'sm_estimate / sm_standard_error', 'sm_widths', 'sm_df + 1')
                    ~ ' as sm_chance',
            ], 12) }}
        from sm_estimates
    ) as sm_chances
)
{%- endmacro %}

{# The larger one-sided p-value of equivalence: half the p-value of the distance to the nearer margin. #}
{% macro anytime_chance_of_more(plan, distance) -%}
    {%- set chance = sqlmetrics.anytime_chance(plan, distance, 'sm_widths', 'sm_df + 1') -%}
    {{- 'case when ' ~ distance ~ ' <= 0 or ' ~ chance ~ ' > 1 then 0.5 when ' ~ distance
        ~ ' > 0 then ' ~ chance ~ ' / 2 end' -}}
{%- endmacro %}
