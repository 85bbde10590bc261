{# From the sums of slices to those that differ from their rest. #}

{# sm_side_values: the values of each slice, side and metric, the squared standard error, and the units behind it. #}
{% macro stage_side_values(sums) -%}
{%- set numbers, ratios, two = [], [], sums['metrics'][0]['ratios'] | length == 2 -%}
{%- for metric in sums['metrics'] -%}{%- do numbers.append('select ' ~ loop.index ~ ' as sm_metric') -%}{%- endfor -%}
{%- for place in range(sums['metrics'][0]['ratios'] | length) -%}
    {%- set of = [] -%}
    {%- for metric in sums['metrics'] -%}{%- do of.append(metric['ratios'][place]) -%}{%- endfor -%}
    {%- do ratios.append(sqlmetrics.of_each_metric(of) ~ ' as sm_ratio_' ~ (place + 1)) -%}
{%- endfor -%}
{%- set columns = ['sm_slice', 'sm_half', 'sm_side', 'sm_metric'] -%}
{%- for name, part in {
    'sm_n_units': 'units', 'sm_size': 'size', 'sm_effective': 'effective', 'sm_value': 'value', 'sm_squares': 'squares',
}.items() -%}
    {%- do columns.append(sqlmetrics.of_each_metric(sums['metrics'] | map(attribute=part) | list) ~ ' as ' ~ name) -%}
{%- endfor -%}
{%- for place, name in ((0, 'sm_baseline_value'), (1, 'sm_candidate_value')) if two -%}
    {%- set of = [] -%}
    {%- for metric in sums['metrics'] -%}{%- do of.append(metric['values'][place]) -%}{%- endfor -%}
    {%- do columns.append(sqlmetrics.of_each_metric(of) ~ ' as ' ~ name) -%}
{%- endfor -%}
{#- of fewer than 2 units of equal weight a variance says nothing, nor if squares left the floats -#}
{%- set variance = sqlmetrics.ratio('sm_effective * sm_squares', 'sm_effective - 1') -%}
-- the metrics of slices, and how much each varies
sm_side_values as{{ sqlmetrics.sql_cte_inline() }} (
    select
        sm_measured_sides.*,
        case when sm_effective >= 2 then {{ sqlmetrics.value_finite(variance) }} end as sm_variance
    from (
        select
            {{- sqlmetrics.lines(columns, 12) }}
        from (
            select
                {{- sqlmetrics.lines(['sm_sides.*', 'sm_metric'] + ratios, 16) }}
            from sm_sides
            cross join (
                {{ numbers | join('\n                union all\n                ') }}
            ) as sm_metrics
        ) as sm_ratios
    ) as sm_measured_sides
)
{%- endmacro %}

{# An expression for each metric, the first for sm_metric = 1, as one. #}
{% macro of_each_metric(expressions) -%}
    {%- if expressions | unique | list | length == 1 -%}
        {%- do return(sqlmetrics.sql_double(expressions[0])) -%}
    {%- endif -%}
    {%- set branches = [] -%}
    {%- for expression in expressions -%}
        {%- do branches.append('when ' ~ loop.index ~ ' then ' ~ sqlmetrics.sql_double(expression)) -%}
    {%- endfor -%}
    case sm_metric {{ branches | join(' ') }} end
{%- endmacro %}

{#
  sm_differences: each slice less each other side, with the standard error of the difference, its degrees of freedom
    and the number of standard errors that an interval reaches to either side.

  The units of a slice alone do not tell how much it varies: a slice without one of the rare large units has a low value
  and a small variance. So the standard error is the larger of Welch's (sm_apart) and of that which the slice would have
  if its units were drawn from both sides (sm_pooled), which is also that of a permutation of the sides. A slice that
  lacks the large units is measured by the second, a slice that has them by the first. Where the units of neither side
  vary, both errors are 0, and it is that of a permutation of all units, the difference over the root of their number.

  Source: Welch (1947); Pitman (1937), Significance tests which may be applied to samples from any populations,
    doi:10.2307/2984124; what the larger one keeps is measured in docs/slices.md
#}
{% macro stage_slice_differences(plan, sums) -%}
{%- set own, columns = [], ['sm_slice', 'sm_half', 'sm_metric', 'sm_side', 'sm_n_units', 'sm_size'] -%}
{%- for column in ['sm_n_units', 'sm_size', 'sm_effective', 'sm_variance'] + sqlmetrics.values_of_sides(sums) -%}
    {%- do own.append(
        'max(case when sm_side = 0 then ' ~ column ~ ' end) over (partition by sm_slice, sm_half, sm_metric) as '
        ~ column | replace('sm_', 'sm_own_')
    ) -%}
{%- endfor -%}
{%- for column in ['sm_own_n_units', 'sm_own_size'] + sqlmetrics.values_of_sides(sums) -%}
    {%- do columns.append(column if 'own' in column else column | replace('sm_', 'sm_own_')) -%}
{%- endfor -%}
{%- set df = sqlmetrics.welch_df(
    'sm_own_variance * sm_own_effective', 'sm_own_effective', 'sm_variance * sm_effective', 'sm_effective'
) -%}
{%- set pooled = sqlmetrics.pooled_square_of_error(
    'sm_own_variance * sm_own_effective', 'sm_own_effective', 'sm_variance * sm_effective', 'sm_effective'
) -%}
{%- set noise = '1e-12 * (abs(sm_own_value) + abs(sm_rest))' -%}
-- each slice less its rest and less the rest of the slices that hold it
sm_differences as{{ sqlmetrics.sql_cte_inline() }} (
    select
        sm_compared_sides.*,
        {{ sqlmetrics.student_t_quantile((1 + plan['facts']['interval']) / 2, 'sm_df') }} as sm_critical
    from (
        select
            {{- sqlmetrics.lines(columns + [
                'sm_rest', 'sm_difference',
                'case when sm_error > ' ~ noise ~ ' then sm_error when sm_error >= 0 and abs(sm_difference) > ' ~ noise
                    ~ ' then abs(sm_difference) / sqrt(sm_both) end as sm_standard_error',
                'case when sm_error > ' ~ noise ~ ' then sm_df else sm_both - 2 end as sm_df',
            ], 12) }}
        from (
            select
                sm_two_errors.*,
                sqrt(case when sm_pooled > sm_apart then sm_pooled else sm_apart end) as sm_error
            from (
                select
                    {{- sqlmetrics.lines(columns + [
                        'sm_value as sm_rest', 'sm_own_value - sm_value as sm_difference', df ~ ' as sm_df',
                        'sm_own_variance + sm_variance as sm_apart', pooled ~ ' as sm_pooled',
                        'sm_own_effective + sm_effective as sm_both',
                    ], 20) }}
                from (
                    select
                        {{- sqlmetrics.lines(['sm_side_values.*'] + own, 24) }}
                    from sm_side_values
                ) as sm_beside_own
                where sm_side > 0
            ) as sm_two_errors
        ) as sm_errors
        {{- sqlmetrics.sql_fence('places').replace('\n', '\n    ') }}
    ) as sm_compared_sides
)
{%- endmacro %}

{# The columns of sm_side_values that hold values: of the slice, and of both models if there are two. #}
{% macro values_of_sides(sums) -%}
    {%- set two = sums['metrics'][0]['ratios'] | length == 2 -%}
    {%- do return((['sm_baseline_value', 'sm_candidate_value'] if two else []) + ['sm_value']) -%}
{%- endmacro %}

{#
  sm_slice_tests: each slice and metric in one row, with the difference from the rest, its interval and its p-value in
    each half: sm_low_1 belongs to the half that finds. sm_folded is 1 for a slice inside a larger slice, if it
    does not differ from the rest of that slice. Only slices are kept that are large enough, as is their rest.
#}
{% macro stage_slice_tests(plan, sums) -%}
{%- set shape = sqlmetrics.student_t_shape('sm_statistic', 'sm_df') -%}
{%- set chance = '2 * ' ~ sqlmetrics.student_t_tail('abs(sm_statistic)', 'sm_df', 'sm_slope', 'sm_width') -%}
{%- set least, columns = plan['question']['own']['min_units'], ['sm_slice', 'sm_metric'] -%}
{%- set widest = sqlmetrics.of_each_metric(sums['metrics'] | map(attribute='widest') | list) -%}
{%- set low, high = (
    'sm_difference - sm_critical * sm_standard_error', 'sm_difference + sm_critical * sm_standard_error'
) -%}
{%- set of = {
    'sm_difference': 'sm_difference', 'sm_rest': 'sm_rest', 'sm_p_value': sqlmetrics.as_p_value('sm_chance'),
    'sm_low': 'case when ' ~ low ~ ' < -' ~ widest ~ ' then -' ~ widest ~ ' else ' ~ low ~ ' end',
    'sm_high': 'case when ' ~ high ~ ' > ' ~ widest ~ ' then ' ~ widest ~ ' else ' ~ high ~ ' end',
} -%}
{%- for column in sqlmetrics.values_of_sides(sums) -%}
    {%- do of.update({column: column | replace('sm_', 'sm_own_')}) -%}
{%- endfor -%}
{%- for column, sql in of.items() -%}
    {%- for half in (1, 2) -%}
        {%- do columns.append(
            'max(case when sm_side = 1 and sm_half = ' ~ half ~ ' then ' ~ sql ~ ' end) as ' ~ column ~ '_' ~ half
        ) -%}
    {%- endfor -%}
{%- endfor -%}
{%- set units = 'sum(case when sm_side = 1 then sm_own_n_units else 0 end)' -%}
{%- set rest = 'sum(case when sm_side = 1 then sm_n_units else 0 end)' -%}
-- the slices that are large enough, as is their rest, each in one row
sm_slice_tests as{{ sqlmetrics.sql_cte_inline() }} (
    select
        {{- sqlmetrics.lines(columns + [
            units ~ ' as sm_units_of_slice',
            'sum(case when sm_side = 1 then sm_own_size end) as sm_size_of_slice',
            'sum(case when sm_side = 1 then sm_size end) as sm_size_of_rest',
            'max(case when sm_side > 1 then case when abs(sm_difference) > sm_critical * sm_standard_error then 0'
                ~ ' else 1 end else 0 end) as sm_folded',
        ], 8) }}
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
                    sm_differences.*,
                    case when sm_side = 1 then sm_difference / sm_standard_error end as sm_statistic
                from sm_differences
            ) as sm_statistics
        ) as sm_shapes
    ) as sm_chances
    group by sm_slice, sm_metric
    having {{ units }} >= {{ least }} and {{ rest }} >= {{ least }}
)
{%- endmacro %}

{# sm_found: the slices that are looked at, with q, and the counts of all. #}
{% macro stage_found(plan) -%}
{%- set level = (1 - plan['facts']['interval']) | round(12) -%}
{%- set signs = 'sm_difference_1 > 0 and sm_difference_2 > 0 or sm_difference_1 < 0 and sm_difference_2 < 0' -%}
-- the p-values of the half that finds, corrected for all slices that were looked at
sm_found as{{ sqlmetrics.sql_cte_materialized() }} (
    select
        sm_corrected.*,
        case when sm_q_value <= {{ level }} and sm_p_value_2 <= {{ level }} and ({{ signs }}) then 1 else 0 end
            as sm_confirmed,
        sm_difference_2 * sm_size_of_slice / (sm_size_of_slice + sm_size_of_rest) as sm_impact
    from (
        select
            sm_chances_of_all.*,
            case when sm_chance_of_all > 1 then 1 else sm_chance_of_all end as sm_q_value
        from (
            select sm_placed.*, {{ sqlmetrics.benjamini_hochberg([]) }} as sm_chance_of_all
            from (
                select
                    sm_tested.*,
                    count(*) over () as sm_looked_at,
                    sum(sm_folded) over () as sm_folded_slices,
                    count(sm_p_value) over () as sm_n_tests,
                    row_number() over ({{ sqlmetrics.order_of_p_values(['sm_metric', 'sm_slice']) }}) as sm_place
                from (
                    select sm_slice_tests.*, sm_p_value_1 as sm_p_value
                    from sm_slice_tests
                ) as sm_tested
            ) as sm_placed
        ) as sm_chances_of_all
    ) as sm_corrected
)
{%- endmacro %}
