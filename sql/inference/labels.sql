{#
  How many labels by people each slice should get, from a pilot in which people labelled some units of each.

  The corrected value (inference/corrected.sql) of all slices varies as the sum over slices of W^2 M / n, with the share
  W of a slice, its n labels, and M, the mean square of what the judge leaves open: of a unit's pull on the value by
  people less c times its pull on the value by the judge. It is least where n goes with W sqrt(M) (Neyman). A slice has
  at least the labels of the pilot, and ten, and at most its units; what is cut goes to the others.

  So the pull is that on the value of all slices, about their mean, as `evaluate` with gold_weight= has it. As there, M
  counts two units more on which people and the judge disagree.

  Source: Neyman (1934), On the two different aspects of the representative method, doi:10.2307/2342192; the corrected
    value: Angelopoulos, Duchi, Zrnic (2023), arXiv:2311.01453
#}

{# The labels that a slice gets at least, if it has so many units, and the budget suffices. #}
{% macro least_labels() -%}{%- do return(10) -%}{%- endmacro %}

{# Whether labels by people vary by more than rounding, over the mean square and the value of that prefix. #}
{% macro labels_vary(plan, prefix) -%}
    {%- set value = prefix ~ 'value * ' ~ prefix ~ 'value' -%}
    {{- prefix ~ 'pp > 1e-26 * ' ~ value ~ (' * ' ~ value if plan['compared_metrics'][0]['root']) -}}
{%- endmacro %}

{#
  A root as the value under it is planned: a width or standard deviation w of that is w / (2 v) of the root v. Others
  stay as they are.
#}
{% macro width_of_root(plan, width, value) -%}
    {{- sqlmetrics.ratio(width, '2 * ' ~ value) if plan['compared_metrics'][0]['root'] else width -}}
{%- endmacro %}

{# The stages from the units of each arm to the labels of each slice. #}
{% macro stages_to_labels(plan) -%}
    {%- do return(sqlmetrics.stages_of_pulled_units(plan) + [
        sqlmetrics.stage_pilot(), sqlmetrics.stages_of_allocation(plan),
    ]) -%}
{%- endmacro %}

{# The same with the widths of the intervals that follow. #}
{% macro stages_of_labels(plan) -%}
    {%- do return(sqlmetrics.stages_to_labels(plan) + [
        sqlmetrics.stages_of_widths(plan), sqlmetrics.stage_counts_of_slices(plan),
    ]) -%}
{%- endmacro %}

{#
  sm_pilot: a row for each slice, with the number of its units and of those that people labelled (sm_units,
    sm_labelled), and of these the value by people (sm_value), the mean squares of pulls by people (pp) and by the judge
    (jj), and the mean product (pj): sm_own_ on the value of the slice, sm_all_ on that of all slices. A slice with
    fewer than two labels has no sm_own_.
#}
{% macro stage_pilot() -%}
{%- set sums, means = [], [] -%}
{%- set factors = {'pp': ['people', 'people'], 'pj': ['people', 'judge'], 'jj': ['judge', 'judge']} -%}
{%- for name, pair in factors.items() -%}
    {%- for of, pull in {'own': 'sm_of_', 'all': 'sm_of_all_'}.items() -%}
        {%- do sums.append('sum(' ~ pull ~ pair | join(' * ' ~ pull) ~ ') as sm_' ~ of ~ '_' ~ name) -%}
    {%- endfor -%}
    {#- of m units that people labelled the mean square is of m - 1 that are free -#}
    {%- set of_total = sqlmetrics.ratio(
        'sm_parts.sm_whole_labelled * sm_parts.sm_whole_labelled * sm_parts.sm_whole_own_' ~ name,
        'sm_parts.sm_whole_labelled - 1'
    ) -%}
    {%- set of_slice = sqlmetrics.ratio(
        'sm_parts.sm_labelled * sm_parts.sm_labelled * sm_parts.sm_own_' ~ name, 'sm_parts.sm_labelled - 1'
    ) -%}
    {%- set of_all = sqlmetrics.ratio(
        'sm_parts.sm_whole_labelled * sm_parts.sm_whole_labelled * sm_parts.sm_all_' ~ name, 'sm_parts.sm_labelled'
    ) ~ ' * ' ~ sqlmetrics.ratio('sm_parts.sm_whole_labelled', 'sm_parts.sm_whole_labelled - 1') -%}
    {%- do means.extend([
        'case when sm_parts.sm_labelled > 1 then ' ~ of_slice ~ ' end as sm_own_' ~ name,
        'case when sm_parts.sm_labelled > 1 and sm_parts.sm_slice > 0 then ' ~ of_all ~ ' else ' ~ of_total
            ~ ' end as sm_all_' ~ name,
        of_total ~ ' as sm_total_' ~ name,
    ]) -%}
{%- endfor -%}
{%- set wholes = [] -%}
{%- for name in ('units', 'labelled', 'value', 'own_pp', 'own_pj', 'own_jj') -%}
    {%- do wholes.append('max(case when sm_slice = 0 then sm_' ~ name ~ ' end) over () as sm_whole_' ~ name) -%}
{%- endfor -%}
{%- set power = sqlmetrics.ratio('sm_total_pj', 'case when sm_total_jj > 1e-26 then sm_total_jj end') -%}
{%- set left = 'sm_all_pp - 2 * sm_power * sm_all_pj + sm_power * sm_power * sm_all_jj' -%}
{%- set unseen = '(' ~ left ~ ' + 4 * sm_power * sm_power * '
    ~ sqlmetrics.ratio('sm_all_pp', 'case when sm_labelled > 1 then sm_labelled else sm_total_labelled end') ~ ')' -%}
{%- set of_all = [] -%}
{%- for arm in ('people', 'judge') -%}
    {%- do of_all.append(
        'max(case when sm_slice = 0 then sm_of_' ~ arm ~ ' end) over (partition by sm_unit) as sm_of_all_' ~ arm
    ) -%}
{%- endfor -%}
-- what people and the judge say of each unit of the pilot, by slice
sm_pilot_sums as{{ sqlmetrics.sql_cte_materialized() }} (
    select
        {{- sqlmetrics.lines([
            'sm_slice', 'sum(sm_is_unit) as sm_units', 'sum(sm_is_labelled) as sm_labelled',
            'max(sm_value) as sm_value',
        ] + sums, 8) }}
    from (
        select
            {{- sqlmetrics.lines(['sm_pulls.*'] + of_all, 12) }}
        from sm_pulls
    ) as sm_own_and_all
    group by sm_slice
),

-- the same for one unit, and what the judge leaves open of it
sm_pilot as{{ sqlmetrics.sql_cte_materialized() }} (
    select
        {{- sqlmetrics.lines([
            'sm_powers.*', 'case when ' ~ unseen ~ ' > sm_all_pp then sm_all_pp else ' ~ unseen ~ ' end as sm_open',
        ], 8) }}
    from (
        select
            {{- sqlmetrics.lines([
                'sm_pilot_means.*', 'case when ' ~ power ~ ' > 1 then 1 when ' ~ power ~ ' > 0 then ' ~ power
                    ~ ' else 0 end as sm_power',
            ], 12) }}
        from (
            select
                {{- sqlmetrics.lines([
                    'sm_parts.sm_slice', 'sm_parts.sm_units', 'sm_parts.sm_labelled',
                    'sm_parts.sm_value', 'sm_parts.sm_whole_value as sm_total_value',
                    'sm_parts.sm_whole_units as sm_total_units', 'sm_parts.sm_whole_labelled as sm_total_labelled',
                    sqlmetrics.ratio('sm_parts.sm_units', 'sm_parts.sm_whole_units') ~ ' as sm_share',
                ] + means, 16) }}
            from (
                select
                    {{- sqlmetrics.lines(['sm_pilot_sums.*'] + wholes, 20) }}
                from sm_pilot_sums
            ) as sm_parts
        ) as sm_pilot_means
    ) as sm_powers
)
{%- endmacro %}

{#
  sm_bounds: a row for each slice with sm_steepness, by which its labels grow beside those of others, and the least and
    most that it may have.
  sm_levels: the level at which each slice leaves its least, or reaches its most, with sums of those up to it: the
    labels of all slices at a level x are the least ones, and x times sm_slope less sm_start.
  sm_shared: the labels of each slice in fractions, pilot and budget together.
  sm_labels: new labels of each slice in whole numbers (sm_new); the largest fractions are rounded up, until the budget
    is spent. sm_uniform: those that it would have by chance if they were drawn from all units alike.
#}
{% macro stages_of_allocation(plan) -%}
{%- set budget = sqlmetrics.sql_double(plan['question']['own']['budget']) -%}
{%- set free = 'sm_units - sm_labelled' -%}
{%- set least = 'case when ' ~ free ~ ' < sm_few - sm_labelled then ' ~ free ~ ' when sm_few > sm_labelled then sm_few'
    ~ ' - sm_labelled else 0 end' -%}
{%- set wanted = 'sm_common * sm_steepness' -%}
-- what each slice may have besides its pilot, and how steeply its labels grow
sm_bounds as{{ sqlmetrics.sql_cte_materialized() }} (
    select
        {{- sqlmetrics.lines([
            'sm_limits.*', 'sm_budget - sum(sm_least) over () as sm_left',
            'max(sm_steepness) over () as sm_steepest',
        ], 8) }}
    from (
        select
            {{- sqlmetrics.lines([
                'sm_steps.*', sqlmetrics.sql_double(free) ~ ' as sm_most',
                sqlmetrics.sql_double(least) ~ ' as sm_least',
                'case when ' ~ budget ~ ' < sm_free then ' ~ budget ~ ' else sm_free end as sm_budget',
                'coalesce(' ~ sqlmetrics.ratio(free, 'sm_free') ~ ', 0) as sm_share_of_free',
            ], 12) }}
        from (
            select
                {{- sqlmetrics.lines([
                    'sm_pilot.*', sqlmetrics.sql_double('sm_total_units - sm_total_labelled') ~ ' as sm_free',
                    'sm_share * case when ' ~ sqlmetrics.labels_vary(plan, 'sm_total_')
                        ~ ' then case when sm_open > 1e-12 * sm_total_pp then sqrt(sm_open)'
                        ~ ' else 1e-6 * sqrt(sm_total_pp) end else 1 end as sm_steepness',
                    'case when ' ~ budget ~ ' < ' ~ sqlmetrics.least_labels() ~ ' * count(*) over () then floor('
                        ~ sqlmetrics.ratio(budget, 'count(*) over ()') ~ ') else ' ~ sqlmetrics.least_labels()
                        ~ ' end as sm_few',
                ], 16) }}
            from sm_pilot
            where sm_slice > 0 and sm_units > 0
        ) as sm_steps
    ) as sm_limits
),

-- the levels at which slices begin and cease to get more labels
sm_levels as{{ sqlmetrics.sql_cte_materialized() }} (
    select
        {{- sqlmetrics.lines([
            'sm_level', 'sm_left', 'sm_steepest', 'sum(sm_step) over (order by sm_level asc) as sm_slope',
            'sum(sm_step * sm_level) over (order by sm_level asc) as sm_start',
        ], 8) }}
    from (
        select
            {{- sqlmetrics.lines([
                'sm_left', 'sm_steepest', 'sm_sign * sm_steepness as sm_step', sqlmetrics.ratio(
                    'sm_labelled + case when sm_sign = 1 then sm_least else sm_most end', 'sm_steepness'
                ) ~ ' as sm_level',
            ], 12) }}
        from sm_bounds
        cross join (select 1 as sm_sign union all select -1 as sm_sign) as sm_signs
    ) as sm_turns
),

-- the labels of each slice besides its pilot, in fractions
sm_shared as{{ sqlmetrics.sql_cte_materialized() }} (
    select
        {{- sqlmetrics.lines([
            'sm_bounds.*',
            'case when ' ~ wanted ~ ' < sm_labelled + sm_least then sm_least when ' ~ wanted
                ~ ' < sm_labelled + sm_most then ' ~ wanted ~ ' - sm_labelled else sm_most end as sm_wanted',
        ], 8) }}
    from sm_bounds
    cross join (
        select max({{ sqlmetrics.ratio(
            'sm_left + sm_start', 'case when sm_slope > 1e-13 * sm_steepest then sm_slope end'
        ) }}) as sm_common
        from (
            select
                {{- sqlmetrics.lines([
                    'sm_levels.*',
                    'max(case when sm_level * sm_slope - sm_start <= sm_left then sm_level end) over () as sm_last',
                ], 16) }}
            from sm_levels
        ) as sm_reached
        where sm_level = sm_last
    ) as sm_found
),

-- the same in whole numbers
sm_labels as{{ sqlmetrics.sql_cte_materialized() }} (
    select
        {{- sqlmetrics.lines([
            'sm_rounded.*', 'sm_budget * sm_share_of_free as sm_uniform',
            'floor(sm_wanted) + case when sm_place <= sm_budget - sm_whole_labels then 1 else 0 end as sm_new',
        ], 8) }}
    from (
        select
            {{- sqlmetrics.lines([
                'sm_shared.*', 'sum(floor(sm_wanted)) over () as sm_whole_labels',
                'row_number() over (order by floor(1e6 * (sm_wanted - floor(sm_wanted)) + 0.5) desc, sm_slice asc)'
                    ~ ' as sm_place',
            ], 12) }}
        from sm_shared
    ) as sm_rounded
)
{%- endmacro %}

{#
  sm_widths: half the expected width of the interval of each slice, and of all (slice 0), with the labels of the plan
    (sm_half_width), and with as many that are drawn from all units alike (sm_half_width_uniform); and these labels.
#}
{% macro stages_of_widths(plan) -%}
{%- set n = 'nullif(sm_labelled + sm_new_of_way, 0)' -%}
{%- set sums, t = [], sqlmetrics.student_t_quantile((1 + plan['facts']['interval']) / 2, 'sm_df') -%}
{%- for name in ('pp', 'pj', 'jj') -%}
    {%- set own, all = 'sm_own_' ~ name, 'sm_share * sm_all_' ~ name -%}
    {%- set less_own = '' if name == 'pp' else ' - ' ~ sqlmetrics.ratio(own, 'sm_units') -%}
    {%- set less_all = '' if name == 'pp' else ' - ' ~ sqlmetrics.ratio(all, 'sm_total_units') -%}
    {%- do sums.append('sum(case when sm_of_slice = 1 then ' ~ sqlmetrics.ratio(own, n) ~ less_own ~ ' else '
        ~ sqlmetrics.ratio('sm_share * ' ~ all, n) ~ less_all ~ ' end) as sm_' ~ name) -%}
{%- endfor -%}
{%- set power = sqlmetrics.ratio('sm_pj', 'case when sm_jj > 1e-26 then sm_jj end') -%}
{%- set squares = '(sm_pp - 2 * sm_power * sm_pj + sm_power * sm_power * sm_jj)' -%}
{%- set unseen = '(' ~ squares ~ ' + 4 * sm_power * sm_power * ' ~ sqlmetrics.ratio('sm_pp', 'sm_n') ~ ')' -%}
{%- set variance = 'case when ' ~ unseen ~ ' <= sm_pp then ' ~ unseen ~ ' else sm_pp end' -%}
-- the sums of which the variance of a corrected value with these labels is made
sm_expected as{{ sqlmetrics.sql_cte_materialized() }} (
    select
        {{- sqlmetrics.lines(['sm_slice_or_all as sm_slice', 'sm_way'] + sums + [
            '1 / sum(' ~ sqlmetrics.ratio('case when sm_of_slice = 1 then 1 else sm_share * sm_share end', n)
                ~ ') as sm_n',
            'sum(case when ' ~ n ~ ' is null then 1 else 0 end) as sm_without',
            'max(case when sm_of_slice = 1 then sm_value else sm_total_value end) as sm_value',
            'sum(sm_new_of_way) as sm_labels_of_way',
        ], 8) }}
    from (
        select
            {{- sqlmetrics.lines([
                'sm_labels.*', 'sm_way', 'sm_of_slice', 'sm_of_slice * sm_labels.sm_slice as sm_slice_or_all',
                'case when sm_way = 1 then sm_new else sm_uniform end as sm_new_of_way',
            ], 12) }}
        from sm_labels
        cross join (select 1 as sm_way union all select 2 as sm_way) as sm_ways
        cross join (select 1 as sm_of_slice union all select 0 as sm_of_slice) as sm_sides
    ) as sm_branches
    group by sm_slice_or_all, sm_way
),

-- half the width of an interval
sm_widths as{{ sqlmetrics.sql_cte_materialized() }} (
    select
        {{- sqlmetrics.lines([
            'sm_slice', 'max(case when sm_way = 1 then sm_half end) as sm_half_width',
            'max(case when sm_way = 2 then sm_half end) as sm_half_width_uniform',
            'max(case when sm_way = 1 then sm_labels_of_way end) as sm_new',
            'max(case when sm_way = 2 then sm_labels_of_way end) as sm_uniform',
        ], 8) }}
    from (
        select
            {{- sqlmetrics.lines([
                'sm_slice', 'sm_way', 'sm_labels_of_way',
                sqlmetrics.width_of_root(plan, t ~ ' * sqrt(sm_variance)', 'sm_value') ~ ' as sm_half',
            ], 12) }}
        from (
            select
                {{- sqlmetrics.lines([
                    'sm_slice', 'sm_way', 'sm_labels_of_way', 'sm_n - 1 as sm_df',
                ] + (['sm_value'] if plan['compared_metrics'][0]['root'] else []) + [
                    'case when sm_without = 0 and sm_varies = 1 then ' ~ variance ~ ' end as sm_variance',
                ], 16) }}
            from (
                select
                    {{- sqlmetrics.lines([
                        'sm_expected.*',
                        'case when ' ~ sqlmetrics.labels_vary(plan, 'sm_') ~ ' then 1 else 0 end as sm_varies',
                        'case when ' ~ power ~ ' > 1 then 1 when ' ~ power ~ ' > 0 then ' ~ power
                            ~ ' else 0 end as sm_power',
                    ], 20) }}
                from sm_expected
            ) as sm_expected_powers
        ) as sm_variances
    ) as sm_halves
    group by sm_slice
)
{%- endmacro %}
