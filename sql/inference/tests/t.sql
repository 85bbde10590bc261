{#
  Student's paired t test: the difference over its standard error, from sm_estimates.

  It ends in sm_tested: the columns of sm_estimates, sm_statistic and sm_p_value, two-sided.

  Undefined: null if there are fewer than two pairs, or if they do not vary
  Source: Student (1908), doi:10.2307/2331554
#}
{% macro stages_of_t(plan, keys=none) -%}
{%- set shape = sqlmetrics.student_t_shape('sm_statistic', 'sm_df') -%}
{%- set of_t = '2 * ' ~ sqlmetrics.student_t_tail('abs(sm_statistic)', 'sm_df', 'sm_slope', 'sm_width') -%}
{%- set chance = sqlmetrics.by_share(plan, '2 * ' ~ sqlmetrics.normal_sf('abs(sm_statistic)'), of_t) -%}
-- the difference in its standard errors, and its p-value
sm_tested as{{ sqlmetrics.sql_cte_shared() }} (
    select
        {{- sqlmetrics.lines(['sm_chances.*', sqlmetrics.as_p_value('sm_chance') ~ ' as sm_p_value'], 8) }}
    from (
        select
            {{- sqlmetrics.lines(['sm_shapes.*', chance ~ ' as sm_chance'], 12) }}
        from (
            select
                {{- sqlmetrics.lines([
                    'sm_statistics.*', shape['slope'] ~ ' as sm_slope', shape['width'] ~ ' as sm_width',
                ], 16) }}
            from (
                select
                    sm_estimates.*,
                    sm_estimate / sm_standard_error as sm_statistic
                from sm_estimates
            ) as sm_statistics
        ) as sm_shapes
    ) as sm_chances
)
{%- endmacro %}
