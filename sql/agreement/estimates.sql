{# The values of measures of agreement, their variances over items, and the rows of the result. #}

{#
  sm_agreements: a row for each slice: the number of items (sm_n_all), of those with two ratings or more (sm_n_rated),
    and of each measure sm_value_<number>, sm_variance_<number> and sm_df_<number>. Sums over items stand beside each
    item, so that items are read once.
#}
{% macro stage_of_agreements(plan, measures) -%}
{%- set keys = plan['facts']['keys'] -%}
{%- set slice = ' over (' ~ sqlmetrics.partition_by(keys) | trim ~ ')' -%}
{%- set sums, values, influences, results = [], [], [], [] -%}
{%- for measure in measures -%}
    {%- set said = sqlmetrics.expressions_of_agreement(measure, loop.index) -%}
    {%- set of, items = 'sm_influence_' ~ loop.index, 'max(' ~ said['items'] ~ ')' -%}
    {%- do sums.append('sum(' ~ said['sum'] ~ ')' ~ slice ~ ' as sm_sum_' ~ loop.index) -%}
    {%- if measure['distance'] == 'ratios' -%}
        {%- do sums.append(
            'sum(case when sm_n >= 2 then sm_with_ratios else 0 end)' ~ slice ~ ' as sm_expected_ratios'
        ) -%}
    {%- endif -%}
    {%- do values.append(said['value'] ~ ' as sm_value_' ~ loop.index) -%}
    {%- do influences.extend(['sm_value_' ~ loop.index, said['influence'] ~ ' as ' ~ of]) -%}
    {%- set squares = 'sum(' ~ of ~ ' * ' ~ of ~ ') - sum(' ~ of ~ ') * sum(' ~ of ~ ') / ' ~ items -%}
    {%- do results.extend([
        'max(sm_value_' ~ loop.index ~ ') as sm_result_' ~ loop.index,
        sqlmetrics.ratio(squares, items ~ ' * (' ~ items ~ ' - 1)') ~ ' as sm_variance_' ~ loop.index,
        items ~ ' - 1 as sm_df_' ~ loop.index,
    ]) -%}
{%- endfor -%}
-- the measures, and their variances, from how far each item moves them
sm_agreements as{{ sqlmetrics.sql_cte_shared() }} (
    select
        {{- sqlmetrics.lines(keys + ['max(sm_n_all) as sm_n_items_all', 'max(sm_n_rated) as sm_n_items']
            + results, 8) }}
    from (
        select
            {{- sqlmetrics.lines(keys + ['sm_n_all', 'sm_n_rated'] + influences, 12) }}
        from (
            select
                {{- sqlmetrics.lines(['sm_summed_items.*'] + values, 16) }}
            from (
                select
                    {{- sqlmetrics.lines(['sm_rated_items.*'] + [
                        sqlmetrics.sql_double('count(*)' ~ slice) ~ ' as sm_n_all',
                        sqlmetrics.sql_double('sum(case when sm_n >= 2 then 1 else 0 end)' ~ slice) ~ ' as sm_n_rated',
                    ] + sums, 20) }}
                from sm_rated_items
            ) as sm_summed_items
        ) as sm_valued_items
    ) as sm_influences
    {{- sqlmetrics.grouped_by(keys) }}
)
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
{%- set distances = of_items | map(attribute='distance') | unique | list -%}
{%- set expressions = [] -%}
{%- for measure in of_items -%}
    {%- do expressions.extend(sqlmetrics.expressions_of_agreement(measure, loop.index).values()) -%}
{%- endfor -%}
{%- set read = expressions | join(' ') -%}
{%- set numbers, names, values, variances, freedoms = [], [], [], [], [] -%}
{%- for measure in measures -%}
    {%- if measure['family'] == 'cohen' -%}
        {%- set found = {'value': 'sm_mean_kappa', 'variance': 'sm_variance_of_kappas', 'df': 'sm_n_paired - 1'} -%}
    {%- else -%}
        {%- do numbers.append(measure['name']) -%}
        {%- set number = numbers | length -%}
        {%- set found = {
            'value': 'sm_result_' ~ number, 'variance': 'sm_variance_' ~ number, 'df': 'sm_df_' ~ number,
        } -%}
    {%- endif -%}
    {%- do names.append(sqlmetrics.sql_text(measure['name'])) -%}
    {%- do values.append(found['value']) -%}
    {%- do variances.append(found['variance']) -%}
    {%- do freedoms.append(found['df']) -%}
{%- endfor -%}
{%- set nobody = [sqlmetrics.sql_string('null') ~ ' as sm_rater_a', sqlmetrics.sql_string('null') ~ ' as sm_rater_b']
    if of_pairs else [] -%}
{%- set passed = keys + ['sm_number', 'sm_measure'] + (['sm_rater_a', 'sm_rater_b'] if of_pairs else [])
    + ['sm_value', 'sm_n_items', 'sm_n_raters', 'sm_n_ratings', 'sm_repeated', 'sm_rated_once'] -%}
{%- set critical = sqlmetrics.student_t_at((1 + interval) / 2, 'sm_place') -%}
{#- items that are all alike have no variance, but for rounding -#}
{%- set place = 'case when sm_df >= 1 and sm_variance > 1e-24 then ' ~ sqlmetrics.student_t_place('sm_df')
    ~ ' end as sm_place' -%}
{{ sqlmetrics.stages_of_ratings(plan) }},

{{ sqlmetrics.stages_of_rated_values(plan, distances, read) }},

{{ sqlmetrics.stage_of_rated_items(plan, distances, read) }},

{{ sqlmetrics.stage_of_agreements(plan, of_items) }},

{% if of_pairs -%}
{{ sqlmetrics.stages_of_pairs_of_raters(plan) }},

{% endif -%}
-- a row for each measure
sm_estimates as (
    select
        {{- sqlmetrics.lines(sqlmetrics.prefixed(keys, 'sm_agreements.') + [
            'sm_position as sm_number', sqlmetrics.value_at_position(names) ~ ' as sm_measure',
        ] + nobody + [
            sqlmetrics.value_at_position(values) ~ ' as sm_value',
            sqlmetrics.value_at_position(variances) ~ ' as sm_variance',
            sqlmetrics.value_at_position(freedoms) ~ ' as sm_df', 'sm_n_items',
            sqlmetrics.sql_double('sm_n_raters') ~ ' as sm_n_raters',
            sqlmetrics.sql_double('sm_n_ratings') ~ ' as sm_n_ratings',
            sqlmetrics.sql_double('sm_repeated') ~ ' as sm_all_repeated',
            'sm_n_items_all - sm_n_items as sm_all_rated_once',
        ], 8) }}
    from sm_agreements
    {{ sqlmetrics.inner_join(keys, 'sm_agreements', 'sm_sizes') }}
    {%- if of_pairs %}
    left join sm_mean_kappas on {{ sqlmetrics.same_keys(keys, 'sm_agreements', 'sm_mean_kappas') }}
    {%- endif %}
    cross join {{ sqlmetrics.sql_positions(measures | length) }} as sm_positions
    {%- for measure in measures if measure['family'] == 'cohen' %}
    union all
    {{ sqlmetrics.rows_of_pairs(plan, measures.index(measure) + 1, measure['name']) }}
    {%- endfor %}
),

-- the intervals
sm_points as (
    select
        {{- sqlmetrics.lines(passed + [
            'case when sm_value - sm_reach < -1 then ' ~ sqlmetrics.sql_double('-1')
                ~ ' else sm_value - sm_reach end as sm_low',
            'case when sm_value + sm_reach > 1 then ' ~ sqlmetrics.sql_double('1')
                ~ ' else sm_value + sm_reach end as sm_high',
        ], 8) }}
    from (
        select
            {{- sqlmetrics.lines(passed + [
                'case when sm_place is not null then sqrt(sm_variance) * ' ~ critical ~ ' end as sm_reach',
            ], 12) }}
        from (
            select
                {{- sqlmetrics.lines(passed[:-2] + ['sm_variance', place] + [
                    'max(sm_all_repeated) over (' ~ sqlmetrics.partition_by(keys) | trim ~ ') as sm_repeated',
                    'max(sm_all_rated_once) over (' ~ sqlmetrics.partition_by(keys) | trim ~ ') as sm_rated_once',
                ], 16) }}
            from sm_estimates
            {{- sqlmetrics.sql_fence('places').replace('\n', '\n        ') }}
        ) as sm_places
    ) as sm_reaches
)
{%- endmacro %}
