{#
  Bootstrap intervals, for metrics without a formula for their spread.

  The metrics are computed again in each of many replicates, whose rows or lists are drawn at random
  (inference/replicates.sql). An end is a quantile of the values of the replicates, by Efron's bias-corrected
  percentiles: if a metric lies off the middle of its replicates, as a maximum does, the interval is shifted
  accordingly.

  Source: Efron (1981), Nonparametric standard errors and confidence intervals, Canadian Journal of Statistics
    9, doi:10.2307/3314608; Efron and Tibshirani, An Introduction to the Bootstrap (1993), 14.3

  Two plans make one statement: one for the metrics (sm_measured) and one for the resampled metrics
  (sm_resampled).
#}

{# The plan of the resampled metrics: the same facts, with replicates. #}
{% macro resampling_plan(plan, facts) -%}
    {%- set resampling = sqlmetrics.plan(plan['resampled'], **dict(
        facts, interval=none, interval_method=none, examples=false, replicates=plan['n_resamples'],
    )) -%}
    {#- the least and the greatest unit differ if there is more than one unit to draw -#}
    {%- for end, aggregate in (('least', 'min'), ('greatest', 'max')) -%}
        {%- set column = sqlmetrics.filled(
            resampling, sqlmetrics.need(resampling, 'rows', end ~ '_unit', '{unit}', aggregate)
        ) -%}
        {%- do resampling['results'].append({'name': column, 'value': column, 'integer': true}) -%}
    {%- endfor -%}
    {%- do return(resampling) -%}
{%- endmacro %}

{# Records a resampled metric and returns the ends of its interval, null if the metric is null. #}
{% macro resampled_ends(plan, name, notation) -%}
    {%- set number = plan['resampled'] | length + 1 -%}
    {%- do plan['resampled'].update({'sm_value_' ~ number: notation}) -%}
    {%- set defined = 'case when sm_measured.' ~ sqlmetrics.sql_result(name) ~ ' is not null then sm_ends.sm_' -%}
    {%- do return({'low': defined ~ 'low_' ~ number ~ ' end', 'high': defined ~ 'high_' ~ number ~ ' end'}) -%}
{%- endmacro %}

{# True if a plan is one of two that share the data they read. #}
{% macro shares_source(plan) -%}
    {%- do return((plan['resampled'] or plan['replicates'] is not none) and sqlmetrics.sql_sees_outer_stages()) -%}
{%- endmacro %}

{# The query of a plan with resampled metrics. #}
{% macro resampled_query(plan) -%}
{%- do plan['resampling'].update({'score_levels': plan['score_levels']}) -%}
{%- set estimates = sqlmetrics.query(plan) -%}
{%- set columns = [] -%}
{%- for name in plan['by'] | map(attribute='alias') | list + (['is_total'] if plan['total'] else [])
    + (['model'] if 'sm_model' in plan['keys'] else []) + plan['counts'] | list -%}
    {%- do columns.append('sm_measured.' ~ name ~ ' as ' ~ name) -%}
{%- endfor -%}
{%- for result in plan['results'] -%}
    {%- set name = sqlmetrics.sql_result(result['name']) -%}
    {%- do columns.append(
        sqlmetrics.result_column(plan, result)
        if result.get('kind') == 'bootstrap' else 'sm_measured.' ~ name ~ ' as ' ~ name
    ) -%}
{%- endfor -%}
{%- for check in plan['checks'].values() if check['value'] is not none -%}
    {%- do columns.append('sm_measured.' ~ check['value'] ~ ' as ' ~ check['value']) -%}
{%- endfor -%}
with
{% for stage in sqlmetrics.stages_of_source(plan) if sqlmetrics.shares_source(plan) %}
{{ stage }},
{% endfor %}
-- the metrics
sm_measured as{{ sqlmetrics.sql_cte_shared() }} (
{{ estimates }}
),

-- those without a formula for their interval, in each of {{ plan['n_resamples'] }} replicates of the data
sm_resampled as (
{{ sqlmetrics.query(plan['resampling']) }}
),

{{ sqlmetrics.stages_of_ends(plan) }}

select
    {{- sqlmetrics.lines(columns, 4) }}
from sm_measured
{{ sqlmetrics.join_sums(plan, 'sm_measured', 'sm_ends') }}
{{- sqlmetrics.order_of_result(plan, 'sm_measured') }}
{%- endmacro %}

{#
  sm_ends: sm_low_<number> and sm_high_<number>, the ends of each interval, one row for each slice and model.
    They are NULL if the metric is defined in fewer than half of the replicates, or if there is only one row
    or list.
#}
{% macro stages_of_ends(plan) -%}
{%- set keys = plan['keys'] -%}
{%- set numbers, values, observed, ends = [], [], [], keys | list -%}
{%- for result in plan['results']
    if result.get('kind') == 'bootstrap' and result['name'] == result['end_of'] ~ '_low' -%}
    {%- set i = loop.index -%}
    {%- do numbers.append('select ' ~ i ~ ' as sm_metric') -%}
    {%- do values.append('when ' ~ i ~ ' then ' ~ sqlmetrics.sql_double('sm_resampled.sm_value_' ~ i)) -%}
    {%- do observed.append(
        'when ' ~ i ~ ' then ' ~ sqlmetrics.sql_double('sm_measured.' ~ sqlmetrics.sql_result(result['end_of']))
    ) -%}
    {%- for end in ('low', 'high') -%}
        {%- do ends.append(
            'max(case when sm_metric = ' ~ i ~ ' and sm_end = ' ~ loop.index ~ ' then sm_end_value end) as sm_' ~ end
            ~ '_' ~ i
        ) -%}
    {%- endfor -%}
{%- endfor -%}
-- each metric in each replicate, beside its value
sm_replicated_values as{{ sqlmetrics.sql_cte_shared() }} (
    select
        {{- sqlmetrics.lines(sqlmetrics.prefixed(keys, 'sm_resampled.') + [
            'sm_metrics.sm_metric',
            'sm_resampled.sm_least_unit',
            'sm_resampled.sm_greatest_unit',
            'case sm_metrics.sm_metric ' ~ values | join(' ') ~ ' end as sm_value',
            'case sm_metrics.sm_metric ' ~ observed | join(' ') ~ ' end as sm_observed',
        ], 8) }}
    from sm_resampled
    {{ sqlmetrics.inner_join(keys, 'sm_resampled', 'sm_measured') }}
    cross join ({{ numbers | join(' union all ') }}) as sm_metrics
),

{{ sqlmetrics.stages_of_end_values(plan, keys + ['sm_metric']) }},

-- the ends of the intervals, one row a slice
sm_ends as (
    select
        {{- sqlmetrics.lines(ends, 8) }}
    from sm_end_values
    {{- sqlmetrics.grouped_by(keys) }}
)
{%- endmacro %}

{#
  sm_end_values: sm_end_value, the low (sm_end = 1) and the high (2) end of an interval. It reads
    sm_replicated_values: sm_value of each replicate and sm_observed, the value of the data. There is no row
    if fewer than half of the replicates have a value, or if there is only one row or list.

  Let z0 be the normal quantile of the share of the B replicates below the value, where an equal one counts
  half. The ends are the quantiles at Phi(2 z0 - z) and Phi(2 z0 + z): at these shares of B + 1 positions,
  with linear interpolation between two replicates.

  Args:
    keys: the columns that identify an interval
#}
{% macro stages_of_end_values(plan, keys) -%}
{%- set z = sqlmetrics.normal_critical_value((1 + plan['interval']) / 2) -%}
-- which share of the replicates lies below the value; one half is added, so that it is neither 0 nor 1
sm_shares_below as (
    select
        {{- sqlmetrics.lines(keys + [
            'count(sm_value) as sm_defined',
            sqlmetrics.ratio(
                '1 + sum(case when sm_ahead < 0 then 2 when sm_ahead = 0 then 1 else 0 end)',
                '2 * (count(sm_value) + 1)',
            ) ~ ' as sm_share',
        ], 8) }}
    from (
        select
            {{- sqlmetrics.lines(keys + [
                'sm_value', 'sm_least_unit', 'sm_greatest_unit',
                sqlmetrics.less_rounding('sm_value - sm_observed', 'abs(sm_value) + abs(sm_observed)') ~ ' as sm_ahead',
            ], 12) }}
        from sm_replicated_values
    ) as sm_compared_values
    group by {{ keys | join(', ') }}
    having min(sm_least_unit) < max(sm_greatest_unit) and 2 * count(sm_value) >= {{ plan['n_resamples'] }}
),

-- the same in standard errors, how far the value lies from the middle of its replicates
sm_biases as{{ sqlmetrics.sql_cte_materialized() }} (
    select
        {{- sqlmetrics.lines(keys + ['sm_defined', sqlmetrics.normal_quantile('sm_share') ~ ' as sm_bias'], 8) }}
    from sm_shares_below
),

-- where an end lies, in the same
sm_shifted_ends as{{ sqlmetrics.sql_cte_materialized() }} (
    select
        {{- sqlmetrics.lines(keys + ['sm_end', 'sm_defined', '2 * sm_bias + sm_z as sm_shifted'], 8) }}
    from sm_biases
    cross join (
        {%- set low_and_high = [sqlmetrics.sql_double(0 - z), sqlmetrics.sql_double(z)] %}
        select 1 as sm_end, {{ low_and_high[0] }} as sm_z union all select 2 as sm_end, {{ low_and_high[1] }} as sm_z
    ) as sm_sides
),

-- at which place among the replicates in their order
sm_quantiles as{{ sqlmetrics.sql_cte_materialized() }} (
    select
        {{- sqlmetrics.lines(keys
            + ['sm_end', 'sm_defined', '(sm_defined + 1) * ' ~ sqlmetrics.normal_cdf('sm_shifted') ~ ' as sm_at'], 8) }}
    from sm_shifted_ends
),

sm_end_places as{{ sqlmetrics.sql_cte_shared() }} (
    select
        {{- sqlmetrics.lines(keys + [
            'sm_end',
            'case when sm_at < 1 then ' ~ sqlmetrics.sql_double('1') ~ ' when sm_at > sm_defined then '
                ~ sqlmetrics.sql_double('sm_defined') ~ ' else sm_at end as sm_end_place',
        ], 8) }}
    from sm_quantiles
),

-- the replicates in their order
sm_ordered_values as (
    select
        {{- sqlmetrics.lines(keys + [
            'sm_value',
            'row_number() over (' ~ sqlmetrics.partition_by(keys)
                ~ 'order by case when sm_value is null then 1 else 0 end asc, sm_value asc) as sm_place',
        ], 8) }}
    from sm_replicated_values
),

-- the ends, between the replicates at the places below and above
sm_end_values as (
    select
        {{- sqlmetrics.lines(keys
            + ['sm_end', 'sm_lower + (sm_reached - sm_passed) * (sm_upper - sm_lower) as sm_end_value'], 8) }}
    from (
        select
            {{- sqlmetrics.lines(sqlmetrics.prefixed(keys, 'sm_ordered_values.') + [
                'sm_end_places.sm_end',
                'max(sm_end_place) as sm_reached',
                'max(case when sm_place <= sm_end_place then sm_place end) as sm_passed',
                'max(case when sm_place <= sm_end_place then sm_value end) as sm_lower',
                'min(case when sm_place >= sm_end_place then sm_value end) as sm_upper',
            ], 12) }}
        from sm_ordered_values
        inner join sm_end_places on {{ sqlmetrics.same(keys, 'sm_ordered_values', 'sm_end_places') }}
        group by {{ (sqlmetrics.prefixed(keys, 'sm_ordered_values.') + ['sm_end_places.sm_end']) | join(', ') }}
    ) as sm_neighbours
)
{%- endmacro %}
