{# The tests of sides that are compared: p-values and q. #}

{#
  The effective number of rows of two samples, rounded as scipy does: a half to the even number. sm_half_above is the
  number plus 0.5.
#}
{% macro effective_rows_of_drift() -%}
case
    when sm_half_above < 2 then 1
    when floor(sm_half_above) = sm_half_above and 2 * floor(0.5 * sm_half_above) <> sm_half_above
        then sm_half_above - 1
    else floor(sm_half_above)
end
{%- endmacro %}

{#
  The p-value of a column. A number has two tests: Kolmogorov and Smirnov's sees where it moved, the test of bins also
  that it became NULL, or that few values changed their shares. The smaller of both is doubled, since either may be by
  chance.
#}
{% macro p_value_of_drift() -%}
case
    when sm_ks_p_value is null then sm_chi_square_p_value
    when sm_chi_square_p_value is null then sm_ks_p_value
    when sm_ks_p_value > 0.5 and sm_chi_square_p_value > 0.5 then 1
    when sm_ks_p_value < sm_chi_square_p_value then 2 * sm_ks_p_value
    else 2 * sm_chi_square_p_value
end
{%- endmacro %}

{#
  The mean and the variance of Pearson's statistic over all ways to deal the rows to two sides of these sizes: Haldane
  (1940); Lewis, Saunders and Westcott (1984), doi:10.1093/biomet/71.3.515. Where bins are rare and one side is small,
  the variance is far above that of chi-square. Three rows have none.
#}
{% macro moments_of_chi_square() -%}
    {%- set n = '(sm_n_current + sm_n_reference)' -%}
    {%- set sizes = '(' ~ n ~ ' * ' ~ n ~ ' / (sm_n_current * sm_n_reference) - 4) / (' ~ n ~ ' - 2)' -%}
    {%- set cells = '(' ~ n ~ ' * sm_reciprocals - sm_n_cells * sm_n_cells) / (' ~ n ~ ' - 2)' -%}
    {%- set of_sizes = '((' ~ n ~ ' - 2) / (' ~ n ~ ' - 1) - ' ~ sizes ~ ')' -%}
    {%- set of_cells = '((sm_n_cells - 1) * (' ~ n ~ ' - sm_n_cells) / (' ~ n ~ ' - 1) - ' ~ cells ~ ')' -%}
    {%- set variance = '2 * ' ~ n ~ ' / (' ~ n ~ ' - 3) * ' ~ of_sizes ~ ' * ' ~ of_cells
        ~ ' + ' ~ n ~ ' * ' ~ n ~ ' / (' ~ n ~ ' - 1) * ' ~ sizes ~ ' * ' ~ cells -%}
    {%- set both = 'case when sm_n_current > 0 and sm_n_reference > 0' -%}
    {%- do return([
        both ~ ' then (sm_n_cells - 1) * ' ~ n ~ ' / (' ~ n ~ ' - 1) end as sm_mean',
        both ~ ' and ' ~ n ~ ' > 3 then ' ~ variance ~ ' end as sm_variance',
    ]) -%}
{%- endmacro %}

{#
  The p-value of Pearson's statistic: that of a gamma variable with the same mean and variance, which is chi-square over
  a scale (sm_scaled, sm_df). Below one degree of freedom the tail is that of two more less a density, since the
  integral for it loses digits there. If every deal gives the same statistic, the p-value is 1.
#}
{% macro p_value_of_chi_square() -%}
    {%- set half = sqlmetrics.sql_double('0.5') -%}
    {%- set a, x = '(' ~ half ~ ' * sm_df)', '(' ~ half ~ ' * sm_scaled)' -%}
    case
        when sm_chi_square is null or sm_n_cells < 2 then null
        when sm_df is null then 1
        else abs({{ sqlmetrics.chi_square_sf('sm_scaled', 'sm_raised_df') }} - case
            when sm_df < 1 and sm_scaled > 0
            then {{ sqlmetrics.gamma_density(a, x) }} / {{ a }} else 0
        end)
    end
{%- endmacro %}

{#
  sm_statistics: the same with what p-values are made of. It is stored: a p-value names each of these hundreds of times,
    and an engine may put the expression in the place of its name.
#}
{% macro stage_statistics_of_drift() -%}
{%- set varies = 'case when sm_variance > 1e-9 * sm_mean * sm_mean then 2 * sm_mean / sm_variance * ' -%}
-- what the p-values are made of
sm_statistics as{{ sqlmetrics.sql_cte_materialized() }} (
    select
        {{- sqlmetrics.lines([
            'sm_scales.*', 'case when sm_df < 1 then sm_df + 2 else sm_df end as sm_raised_df',
        ], 8) }}
    from (
        select
            {{- sqlmetrics.lines([
                'sm_moments.*', 'sqrt(sm_n_effective) * sm_ks as sm_z', varies ~ 'sm_mean end as sm_df',
                varies ~ 'sm_chi_square end as sm_scaled',
            ], 12) }}
        from (
            select
                {{- sqlmetrics.lines([
                    'sm_compared.*', sqlmetrics.effective_rows_of_drift() ~ ' as sm_n_effective',
                ] + sqlmetrics.moments_of_chi_square(), 16) }}
            from sm_compared
        ) as sm_moments
    ) as sm_scales
)
{%- endmacro %}

{# sm_tested: the same with p-values and q. #}
{% macro stage_tests_of_drift() -%}
{%- set ks_p = sqlmetrics.kolmogorov_sf('sm_z', 'sm_n_effective') -%}
{%- set chi_p = sqlmetrics.p_value_of_chi_square() -%}
{%- set keys = ['sm_column', 'sm_slice'] -%}
-- the p-values
sm_tested as (
    select
        {{- sqlmetrics.lines([
            'sm_placed.*', 'case when sm_p_value is not null then ' ~ sqlmetrics.benjamini_hochberg([])
                ~ ' end as sm_adjusted',
        ], 8) }}
    from (
        select
            {{- sqlmetrics.lines([
                'sm_numbered.*', 'count(sm_p_value) over () as sm_n_tests',
                'row_number() over (' ~ sqlmetrics.order_of_p_values(keys) ~ ') as sm_place',
            ], 12) }}
        from (
            select
                sm_with_p.*,
                {{ sqlmetrics.p_value_of_drift() }} as sm_p_value
            from (
                select
                    {{- sqlmetrics.lines([
                        'sm_statistics.*', ks_p ~ ' as sm_ks_p_value', chi_p ~ ' as sm_chi_square_p_value',
                    ], 20) }}
                from sm_statistics
            ) as sm_with_p
        ) as sm_numbered
    ) as sm_placed
)
{%- endmacro %}
