{# The values of measures of agreement, their variances over items, and the rows of the result. #}

{#
  sm_agreements: a row for each slice: sums over items and the value of each measure (sm_value_<number>).
  sm_deviations: a row for each slice: of each measure the variance of its value, from the influences of items.
#}
{% macro stages_of_estimates(plan, measures) -%}
{%- set keys = plan['facts']['keys'] -%}
{%- set sums, values, deviations, variances, names = [], [], [], [], [] -%}
{%- for measure in measures -%}
    {%- set said = sqlmetrics.expressions_of_agreement(measure, loop.index) -%}
    {%- set of = 'sm_influence_' ~ loop.index -%}
    {%- do sums.append('sum(' ~ said['sum'] ~ ') as sm_sum_' ~ loop.index) -%}
    {%- if measure['distance'] == 'ratios' -%}
        {%- do sums.append('sum(case when sm_n >= 2 then sm_with_ratios else 0 end) as sm_expected_ratios') -%}
    {%- endif -%}
    {%- do values.append(said['value'] ~ ' as sm_value_' ~ loop.index) -%}
    {%- do deviations.append(said['influence'] ~ ' as ' ~ of) -%}
    {%- do variances.append(
        sqlmetrics.ratio(
            'sum(' ~ of ~ ' * ' ~ of ~ ') - sum(' ~ of ~ ') * sum(' ~ of ~ ') / max(' ~ said['items'] ~ ')',
            'max(' ~ said['items'] ~ ') * (max(' ~ said['items'] ~ ') - 1)'
        ) ~ ' as sm_variance_' ~ loop.index
    ) -%}
    {%- do names.append(of) -%}
{%- endfor -%}
-- sums over items
sm_agreement_sums as (
    select
        {{- sqlmetrics.lines(keys + [
            sqlmetrics.sql_double('count(*)') ~ ' as sm_n_all',
            sqlmetrics.sql_double('sum(case when sm_n >= 2 then 1 else 0 end)') ~ ' as sm_n_rated',
        ] + sums | unique | list, 8) }}
    from sm_rated_items
    {{- sqlmetrics.grouped_by(keys) }}
),

-- the measures
sm_agreements as{{ sqlmetrics.sql_cte_shared() }} (
    select
        {{- sqlmetrics.lines(['sm_totals.*'] + values, 8) }}
    from (
        select
            {{- sqlmetrics.lines(
                ['sm_agreement_sums.*'] + sqlmetrics.columns_of_scales(measures), 12
            ) }}
        from sm_agreement_sums
        {{ sqlmetrics.inner_join(keys, 'sm_agreement_sums', 'sm_scales') }}
    ) as sm_totals
)
{%- if measures -%}
,

-- their variances, from how far each item moves them
sm_deviations as (
    select
        {{- sqlmetrics.lines(keys + variances, 8) }}
    from (
        select
            {{- sqlmetrics.lines(sqlmetrics.prefixed(keys, 'sm_rated_items.') + ['sm_n_all', 'sm_n_rated']
                + deviations, 12) }}
        from sm_rated_items
        {{ sqlmetrics.inner_join(keys, 'sm_rated_items', 'sm_agreements') }}
    ) as sm_influences
    {{- sqlmetrics.grouped_by(keys) }}
)
{%- endif -%}
{%- endmacro %}

{# The columns of sm_scales that measures read. #}
{% macro columns_of_scales(measures) -%}
    {%- set distances = measures | map(attribute='distance') | unique | list -%}
    {%- set scales, columns = sqlmetrics.scales_read(distances), [
        'sm_all', 'sm_of_values', 'sm_squared_masses', 'sm_squared_shares',
    ] -%}
    {%- for scale in scales if scale != 'place' -%}{%- do columns.append('sm_spread_of_' ~ scale) -%}{%- endfor -%}
    {%- if 'value' in scales -%}{%- do columns.extend(['sm_range', 'sm_even_sum', 'sm_even_squares']) -%}{%- endif -%}
    {%- if 'lengths' in distances -%}{%- do columns.append('sm_even_lengths') -%}{%- endif -%}
    {%- do return(columns) -%}
{%- endmacro %}

{#
  sm_points: a row for each measure, and of `cohen` one for each pair of raters besides. Its interval is the value and
  as many standard errors to either side as Student's t says, cut at the ends of the range.

  Args:
    measures: those of `measures_of_agreement`
    interval: the confidence level
#}
{% macro stages_of_agreement(plan, measures, interval) -%}
{%- set keys = plan['facts']['keys'] -%}
{%- set of_items = measures | rejectattr('family', 'eq', 'cohen') | list -%}
{%- set of_pairs = measures | length > of_items | length -%}
{%- set stages, rows = [sqlmetrics.stages_of_ratings(plan)], [] -%}
{%- set distances = of_items | map(attribute='distance') | unique | list -%}
{#- the counts of items and checks come from the items, whichever measures are asked for -#}
{%- do stages.extend([
    sqlmetrics.stages_of_values(plan, distances), sqlmetrics.stage_of_rated_items(plan, distances),
    sqlmetrics.stages_of_estimates(plan, of_items),
]) -%}
{%- if of_pairs -%}{%- do stages.append(sqlmetrics.stages_of_pairs_of_raters(plan)) -%}{%- endif -%}
{%- set nobody = [sqlmetrics.sql_string('null') ~ ' as sm_rater_a', sqlmetrics.sql_string('null') ~ ' as sm_rater_b']
    if of_pairs else [] -%}
{%- set numbered = namespace(of_items=0) -%}
{%- for measure in measures -%}
    {%- set place = [loop.index ~ ' as sm_number', sqlmetrics.sql_text(measure['name']) ~ ' as sm_measure'] -%}
    {%- if measure['family'] == 'cohen' -%}
        {%- do rows.append(sqlmetrics.rows_of_pairs(plan, place)) -%}
    {%- else -%}
        {%- set numbered.of_items = numbered.of_items + 1 -%}
        {%- set number = numbered.of_items -%}
        {%- set items = sqlmetrics.expressions_of_agreement(measure, number)['items'] -%}
        {%- set columns = sqlmetrics.prefixed(keys, 'sm_agreements.') + place + nobody + [
            'sm_value_' ~ number ~ ' as sm_value', 'sm_variance_' ~ number ~ ' as sm_variance',
            items ~ ' - 1 as sm_df', 'sm_n_rated as sm_n_items',
            sqlmetrics.sql_double('sm_n_raters') ~ ' as sm_n_raters',
            sqlmetrics.sql_double('sm_n_ratings') ~ ' as sm_n_ratings',
        ] -%}
        {%- do rows.append('select' ~ sqlmetrics.lines(columns, 12) ~ '
        from sm_agreements
        ' ~ sqlmetrics.inner_join(keys, 'sm_agreements', 'sm_deviations') ~ '
        ' ~ sqlmetrics.inner_join(keys, 'sm_agreements', 'sm_sizes')) -%}
    {%- endif -%}
{%- endfor -%}
{%- set passed = keys + ['sm_number', 'sm_measure'] + (['sm_rater_a', 'sm_rater_b'] if of_pairs else [])
    + ['sm_value', 'sm_n_items', 'sm_n_raters', 'sm_n_ratings'] -%}
{%- set p = (1 + interval) / 2 -%}
{%- set critical = sqlmetrics.student_t_at(p, 'sm_place') -%}
{#- items that are all alike have no variance, but for rounding -#}
{%- set place = 'case when sm_df >= 1 and sm_variance > 1e-24 then ' ~ sqlmetrics.student_t_place('sm_df')
    ~ ' end as sm_place' -%}
{%- do stages.append('-- each measure, with the variance of its value
sm_estimates as (
        ' ~ rows | join('
        union all
        ') ~ '
),

-- the intervals
sm_points as (
    select' ~ sqlmetrics.lines(sqlmetrics.prefixed(passed, 'sm_reaches.') + [
        'case when sm_value - sm_reach < -1 then ' ~ sqlmetrics.sql_double('-1')
            ~ ' else sm_value - sm_reach end as sm_low',
        'case when sm_value + sm_reach > 1 then ' ~ sqlmetrics.sql_double('1')
            ~ ' else sm_value + sm_reach end as sm_high',
        'sm_repeated', 'sm_n_all - sm_n_rated as sm_rated_once',
    ], 8) ~ '
    from (
        select' ~ sqlmetrics.lines(passed + [
            'case when sm_place is not null then sqrt(sm_variance) * ' ~ critical ~ ' end as sm_reach',
        ], 12) ~ '
        from (
            select' ~ sqlmetrics.lines(passed + ['sm_variance', place], 16) ~ '
            from sm_estimates' ~ sqlmetrics.sql_fence('places').replace('\n', '\n        ') ~ '
        ) as sm_places
    ) as sm_reaches
    ' ~ sqlmetrics.inner_join(keys, 'sm_reaches', 'sm_sizes', 'sm_checked') ~ '
    ' ~ sqlmetrics.inner_join(keys, 'sm_reaches', 'sm_agreement_sums', 'sm_counted') ~ '
)') -%}
{{ stages | join(',\n\n') }}
{%- endmacro %}
