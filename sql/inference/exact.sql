{#
  Clopper and Pearson's interval of shares. Its ends are quantiles of beta distributions, found by Halley's
  method on the logarithm of a tail. All ends of all metrics are rows, so that each step is written once; a
  step evaluates the rule of math/half_line.sql by `sum`.

  Source: Clopper and Pearson (1934), doi:10.1093/biomet/26.4.404; the upper end is 1 - the lower end of the
    share of the others
#}

{# The ends of the interval of a share, as expressions. #}
{% macro exact_ends(plan, share, rows) -%}
    {%- do plan['exact_shares'].append({
        'right': '(' ~ share ~ ' * ' ~ rows ~ ')', 'wrong': '((1 - ' ~ share ~ ') * ' ~ rows ~ ')',
    }) -%}
    {%- set i, counts = plan['exact_shares'] | length, plan['exact_shares'] | last -%}
    {%- do return({
        'low': 'case when ' ~ counts['right'] ~ ' > 0 then sm_exact_low_' ~ i ~ ' when ' ~ rows ~ ' > 0 then 0 end',
        'high': 'case when ' ~ counts['wrong'] ~ ' > 0 then sm_exact_high_' ~ i ~ ' when ' ~ rows ~ ' > 0 then 1 end',
    }) -%}
{%- endmacro %}

{#
  sm_share_counts: right and wrong rows of each share. sm_tails: a beta distribution for each end that is not
    0 or 1, and a first estimate of its quantile as a logit. sm_tails_1 to sm_tails_4: better estimates.
    sm_exact_ends: one row for each slice.
#}
{% macro stages_of_exact_ends(plan) -%}
{%- set counts, tails, ends = plan['facts']['keys'] | list, [], plan['facts']['keys'] | list -%}
{%- for share in plan['exact_shares'] -%}
    {%- set i = loop.index -%}
    {%- do counts.extend([
        sqlmetrics.filled(plan, share['right']) ~ ' as sm_right_' ~ i,
        sqlmetrics.filled(plan, share['wrong']) ~ ' as sm_wrong_' ~ i,
    ]) -%}
    {%- for end, of, other in (
        ('low', 'sm_right_' ~ i, 'sm_wrong_' ~ i), ('high', 'sm_wrong_' ~ i, 'sm_right_' ~ i),
    ) -%}
        {%- do tails.append(
            'select ' ~ (
                plan['facts']['keys'] + [(2 * i + loop.index0) ~ ' as sm_tail', of ~ ' as sm_a', other ~ ' + 1 as sm_b']
            ) | join(', ') ~ ' from sm_share_counts where ' ~ of ~ ' > 0'
        ) -%}
        {%- set odds = sqlmetrics.odds_of_logit('sm_logit') -%}
        {%- set quantile = (odds if end == 'low' else '1') ~ ' / (1 + ' ~ odds ~ ')' -%}
        {%- do ends.append(
            'max(case when sm_tail = ' ~ (2 * i + loop.index0) ~ ' then ' ~ quantile ~ ' end) as sm_exact_' ~ end ~ '_'
            ~ i
        ) -%}
    {%- endfor -%}
{%- endfor -%}
{%- set tail = (1 - plan['facts']['interval']) / 2 -%}
{%- set z = sqlmetrics.normal_critical_value(1 - tail) -%}
{%- set keys = plan['facts']['keys'] + ['sm_tail', 'sm_a', 'sm_b'] -%}
{%- set nodes = [] -%}
{%- for node in sqlmetrics.half_line() -%}
    {%- do nodes.append(
        'select ' ~ sqlmetrics.sql_double(node['v']) ~ ' as sm_v, ' ~ sqlmetrics.sql_double(node['weight'])
        ~ ' as sm_weight_of_v'
    ) -%}
{%- endfor -%}
{%- set keys_of_rows = sqlmetrics.prefixed(plan['facts']['keys'], 'sm_row_sums.') -%}
{%- set stages = ['-- right and wrong rows of each share
sm_share_counts as' ~ sqlmetrics.sql_cte_shared() ~ ' (
    select' ~ sqlmetrics.lines(keys_of_rows + counts[plan['facts']['keys'] | length:], 8) ~ '
    from sm_row_sums' ~ sqlmetrics.joined_spreads(plan) ~ '
)', '-- the nodes and weights of a rule for integrals
sm_half_line as' ~ sqlmetrics.sql_cte_shared() ~ ' (
    ' ~ nodes | join('\n    union all ') ~ '
)', '-- a beta distribution for each end, with a first guess at the logit of its quantile
sm_tails as (
    select' ~ sqlmetrics.lines(keys + [
        sqlmetrics.sql_ln('sm_a / sm_b') ~ ' - ' ~ z ~ ' * sqrt(1 / sm_a + 1 / sm_b) as sm_logit',
        '0.5 * ' ~ sqlmetrics.sql_ln('sm_a / (sm_a + sm_b) * sm_b / 6.283185307179586')
            ~ ' - ' ~ sqlmetrics.stirling_rest('sm_a') ~ ' - ' ~ sqlmetrics.stirling_rest('sm_b')
            ~ ' + ' ~ sqlmetrics.stirling_rest('(sm_a + sm_b)') ~ ' as sm_constant',
    ], 8) ~ '
    from (
        ' ~ tails | join('\n        union all ') ~ '
    ) as sm_ends
)'] -%}
{%- for step in range(1, 5) -%}
    {%- do stages.append(sqlmetrics.stage_step_to_quantile(
        keys, 'sm_tails' ~ ('_' ~ (step - 1) if step > 1), 'sm_tails_' ~ step, tail
    )) -%}
{%- endfor -%}
{%- do stages.append('-- the ends, a row for each slice
sm_exact_ends as (
    select' ~ sqlmetrics.lines(ends, 8) ~ '
    from sm_tails_4' ~ sqlmetrics.grouped_by(plan['facts']['keys']) ~ '
)') -%}
{%- do return(stages) -%}
{%- endmacro %}

{#
  A step of Halley's method on ln(probability / tail) of a logit y.

  With x = 1 / (1 + exp(-y)), the probability is the density of y, x^a (1 - x)^b / B(a, b), times the integral
  over u from 0 upwards of (density at y - u) / (density at y). The slope of ln(probability) is 1 / integral,
  that of ln(density) is a - (a + b) x.
#}
{% macro stage_step_to_quantile(keys, before, stage, tail) -%}
{%- set named = keys + ['sm_logit', 'sm_constant'] -%}
{%- set sum = '(sm_a + sm_b)' -%}
{%- set log_density = 'sm_constant + sm_a * ' ~ sqlmetrics.log_ratio(sum ~ ' * sm_x', 'sm_a', '-sm_slope')
    ~ ' + sm_b * ' ~ sqlmetrics.log_ratio(sum ~ ' * sm_rest', 'sm_b', 'sm_slope') -%}
{%- set log_of_fall = sqlmetrics.log_ratio('(1 + sm_fall)', '1', 'sm_fall') -%}
{%- set relative_density = sqlmetrics.sql_exp('-sm_a * sm_v * sm_width - ' ~ sum ~ ' * ' ~ log_of_fall) -%}
{%- set curvature = sum ~ ' * sm_x * sm_rest' -%}
{%- set odds = sqlmetrics.odds_of_logit('sm_logit') -%}
-- a step nearer
{{ stage }} as{{ sqlmetrics.sql_cte_shared() }} (
    select {{ keys | join(', ') }}, sm_constant,
        sm_off_by.sm_logit - sm_off * sm_integral / (1 - sm_off * (sm_slope * sm_integral - 1) / 2) as sm_logit
    from (
        select {{ named | join(', ') }}, sm_slope, sm_integral,
            sm_log_density + {{ sqlmetrics.sql_ln('sm_integral') }} - {{ sqlmetrics.logarithm(tail) }} as sm_off
        from (
            select {{ named | join(', ') }}, sm_slope, sm_log_density,
                sm_width * sum(sm_weight_of_v * {{ relative_density }}) as sm_integral
            from (
                select {{ named | join(', ') }}, sm_slope, sm_log_density, sm_width, sm_v, sm_weight_of_v,
                    sm_x * ({{ sqlmetrics.sql_exp('-sm_v * sm_width') }} - 1) as sm_fall
                from (
                    select {{ named | join(', ') }}, sm_slope, sm_x, {{ log_density }} as sm_log_density,
                        1 / (case when sm_slope > 0 then sm_slope else 0 end + sqrt({{ curvature }})) as sm_width
                    from (
                        select {{ named | join(', ') }}, sm_x, sm_rest, sm_a * sm_rest - sm_b * sm_x as sm_slope
                        from (
                            {%- set x, rest = odds ~ ' / (1 + ' ~ odds ~ ')', '1 / (1 + ' ~ odds ~ ')' %}
                            select {{ named | join(', ') }}, {{ x }} as sm_x, {{ rest }} as sm_rest from {{ before }}
                        ) as sm_at
                    ) as sm_sloped
                ) as sm_dense
                cross join sm_half_line
            ) as sm_fallen
            group by {{ named | join(', ') }}, sm_slope, sm_log_density, sm_width
        ) as sm_summed
    ) as sm_off_by
)
{%- endmacro %}

{# exp(logit), but at least the smallest float. #}
{% macro odds_of_logit(logit) -%}
    {{ sqlmetrics.sql_exp('case when ' ~ logit ~ ' > -700 then ' ~ logit ~ ' else -700 end') }}
{%- endmacro %}

{# Joins to sm_row_sums the sums from which effective rows are computed. #}
{% macro joined_spreads(plan) -%}
    {%- if plan['needs']['group_spreads'] %}
    {{ sqlmetrics.join_sums(plan, 'sm_row_sums', sqlmetrics.stage_with_critical(plan, 'sm_group_spreads')) }}
    {%- endif -%}
    {%- for stage in plan['critical_values'] if not sqlmetrics.grain_of_spreads(stage) %}
    {{ sqlmetrics.join_sums(plan, 'sm_row_sums', stage ~ '_critical') }}
    {%- endfor -%}
{%- endmacro %}
