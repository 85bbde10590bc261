{#
  Bootstrap intervals, for metrics without a formula for their spread.

  The metrics are computed again in each of many replicates, whose rows or lists are drawn at random
  (inference/replicates.sql). An interval reaches as far about the value as the replicates reach about their median.
  The bias of the replicates is a rough estimate of the bias of the metric: a maximum such as ks, or a sum of
  distances such as ece, is biased by about as much as it spreads. So an interval allows for the whole bias beside
  its reach.

  Source: percentiles and bias: Efron and Tibshirani, An Introduction to the Bootstrap (1993), 10 and 13; intervals
    that allow for a bias: Armstrong and Kolesar (2020), Simple and honest confidence intervals in nonparametric
    regression, doi:10.3982/QE1199

  Two plans make one statement: one for the metrics (sm_measured) and one for the resampled metrics
  (sm_resampled).
#}

{# The plan of the resampled metrics: the same facts, with replicates. #}
{% macro resampling_plan(plan, facts) -%}
    {%- set resampling = sqlmetrics.plan(plan['resampled'], **dict(
        facts, interval=none, interval_method=none, examples=false,
        question=sqlmetrics.question_of_replicates(plan['facts']['n_resamples'], plan['question']['redraws']),
    )) -%}
    {#- the least and the greatest unit differ if there is more than one unit to draw -#}
    {%- for end, aggregate in (('least', 'min'), ('greatest', 'max')) -%}
        {%- set column = sqlmetrics.filled(
            resampling, sqlmetrics.need(resampling, 'rows', end ~ '_unit', '{unit}', aggregate)
        ) -%}
        {%- do resampling['result']['columns'].append({'name': column, 'value': column, 'integer': true}) -%}
    {%- endfor -%}
    {%- do return(resampling) -%}
{%- endmacro %}

{#
  Records a resampled metric and returns the ends of its interval, null if the metric is null.

  Let q1 and q2 be the quantiles of the replicates at (1 - level) / 2 and (1 + level) / 2, m their median, and m - v
  the bias of the value v. The ends are v - (m - q1) and v + (q2 - m), and the one against the bias lies twice the bias
  farther. That is the interval about the corrected value v - (m - v), with the bias added to its reach on either side.
  All of this is stretched for few units. So it always holds the value. A value that folds, such as a greatest
  difference, has no replicates beyond its limit: the interval reaches as far to that side as to the other. It is cut
  at the limits of the metric, which a value may pass by rounding.
#}
{% macro resampled_ends(plan, name, notation, value) -%}
    {%- set number = plan['resampled'] | length + 1 -%}
    {%- do plan['resampled'].update({'sm_value_' ~ number: notation}) -%}
    {%- set v = 'sm_measured.' ~ sqlmetrics.sql_result(name) -%}
    {%- set low, high, m = 'sm_ends.sm_low_' ~ number, 'sm_ends.sm_high_' ~ number, 'sm_ends.sm_middle_' ~ number -%}
    {%- set ends = {} -%}
    {%- set below, above = m ~ ' - ' ~ low, high ~ ' - ' ~ m -%}
    {%- if value.get('folds') -%}
        {%- set below = 'case when ' ~ below ~ ' > ' ~ above ~ ' then ' ~ below ~ ' else ' ~ above ~ ' end' -%}
        {%- set above = below -%}
    {%- endif -%}
    {%- for end, side, reach, bias, limit, beyond in (
        ('low', ' - ', below, m ~ ' - ' ~ v, value['least'], ' < '),
        ('high', ' + ', above, v ~ ' - ' ~ m, value['most'], ' > '),
    ) -%}
        {%- set at = '(' ~ v ~ side ~ 'sm_measured.sm_stretch * (' ~ reach ~ ' + case when ' ~ bias
            ~ ' > 0 then 2 * (' ~ bias ~ ') else 0 end))' -%}
        {%- set at = at if limit is none
            else '(case when ' ~ at ~ beyond ~ limit ~ ' and not ' ~ v ~ beyond ~ limit ~ ' then ' ~ limit
                ~ ' else ' ~ at ~ ' end)' -%}
        {%- if 'quantile' in value -%}
            {#- of few units none lies beyond the quantile often enough to say where its interval ends -#}
            {%- do plan['counts_units'].update({'sm_units': 'sm_n_units'}) -%}
            {%- set share = value['quantile'] if end == 'high' else 1 - value['quantile'] -%}
            {%- set at = '(case when sm_measured.sm_units >= ' ~ sqlmetrics.units_to_pass(plan, share)
                ~ ' then ' ~ at ~ ' end)' -%}
        {%- endif -%}
        {%- do ends.update({end: at}) -%}
    {%- endfor -%}
    {%- do return(ends) -%}
{%- endmacro %}

{#
  The fewest units with which an end of a quantile's interval is there: at least one lies beyond the quantile of the
  share, save for half of the error that the level allows, share^n <= (1 - level) / 2; and five are expected there: the
  replicates of fewer miss it to one side too often.

  Source: David and Nagaraja (2003), Order Statistics, section 7.1
#}
{% macro units_to_pass(plan, share) -%}
    {%- set error, n = (1 - plan['facts']['interval']) / 2, [0] -%}
    {%- for power in range(30, -1, -1) if share ** (n[0] + 2 ** power) > error -%}
        {%- do n.append(n.pop() + 2 ** power) -%}
    {%- endfor -%}
    {{- [n[0] + 1, (5 / (1 - share) - 1e-6) | round(0, 'ceil') | int] | max -}}
{%- endmacro %}

{#
  How much farther than its replicates an interval of n units has to reach: sqrt(n / (n - 1)) t / z, since replicates
  of n units spread less than samples by as much.

  Source: Hesterberg (2015), What Teachers Should Know about the Bootstrap, The American Statistician 69, 371-386;
    t / z by its expansion: Abramowitz and Stegun (1964), 26.7.5
#}
{% macro stretch_for_few_units(plan, n) -%}
    {%- set z = sqlmetrics.normal_critical_value((1 + plan['facts']['interval']) / 2) | float -%}
    sqrt({{ sqlmetrics.ratio(n, n ~ ' - 1') }}) * (1 + {{ sqlmetrics.ratio((z * z + 1) / 4, n ~ ' - 1') }})
{%- endmacro %}

{# The query of a plan with resampled metrics. #}
{% macro resampled_query(plan) -%}
{%- do sqlmetrics.with_facts(plan['resampling'], score_levels=plan['facts']['score_levels']) -%}
{%- set estimates = sqlmetrics.query(dict(
    plan, counts_units=dict(plan['counts_units'], sm_stretch=sqlmetrics.stretch_for_few_units(plan, 'sm_n_units')),
)) -%}
{%- set columns = [] -%}
{%- for name in plan['facts']['by'] | map(attribute='alias') | list + (['is_total'] if plan['facts']['total'] else [])
    + (['model'] if 'sm_model' in plan['facts']['keys'] else []) + plan['result']['counts'] | list -%}
    {%- do columns.append('sm_measured.' ~ name ~ ' as ' ~ name) -%}
{%- endfor -%}
{%- for result in plan['result']['columns'] -%}
    {%- set name = sqlmetrics.sql_result(result['name']) -%}
    {%- do columns.append(
        sqlmetrics.result_column(plan, result)
        if result.get('kind') == 'bootstrap' else 'sm_measured.' ~ name ~ ' as ' ~ name
    ) -%}
{%- endfor -%}
{%- for check in plan['result']['checks'].values() if check['value'] is not none -%}
    {%- do columns.append('sm_measured.' ~ check['value'] ~ ' as ' ~ check['value']) -%}
{%- endfor -%}
{% for stage in sqlmetrics.stages_of_source(plan) if sqlmetrics.shares_source(plan) -%}
{{ stage }},

{% endfor -%}
-- the metrics
sm_measured as{{ sqlmetrics.sql_cte_shared() }} (
{{ sqlmetrics.sql_with() }}

{{ estimates }}
),

-- those without a formula for their interval, in each of {{ plan['facts']['n_resamples'] }} replicates of the data
sm_resampled as (
{{ sqlmetrics.sql_with() }}

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
  sm_ends: sm_low_<number>, sm_high_<number> and sm_middle_<number>, the quantiles at both ends of the level and the
    median of the replicates of each metric, one row for each slice and model. They are NULL if the metric is defined in
    fewer than half of the replicates, if it is the same in all, or if there is only one row or list.
#}
{% macro stages_of_ends(plan) -%}
{%- set keys = plan['facts']['keys'] -%}
{%- set numbers, values, ends = [], [], keys | list -%}
{%- for result in plan['result']['columns']
    if result.get('kind') == 'bootstrap' and result['name'] == result['end_of'] ~ '_low' -%}
    {%- set i = loop.index -%}
    {%- do numbers.append('select ' ~ i ~ ' as sm_metric') -%}
    {%- do values.append('when ' ~ i ~ ' then ' ~ sqlmetrics.sql_double('sm_resampled.sm_value_' ~ i)) -%}
    {%- for end in ('low', 'high', 'middle') -%}
        {%- do ends.append(
            'max(case when sm_metric = ' ~ i ~ ' and sm_end = ' ~ loop.index ~ ' then sm_end_value end) as sm_' ~ end
            ~ '_' ~ i
        ) -%}
    {%- endfor -%}
{%- endfor -%}
-- each metric in each replicate
sm_replicated_values as{{ sqlmetrics.sql_cte_shared() }} (
    select
        {{- sqlmetrics.lines(sqlmetrics.prefixed(keys, 'sm_resampled.') + [
            'sm_metrics.sm_metric',
            'sm_resampled.sm_least_unit',
            'sm_resampled.sm_greatest_unit',
            'case sm_metrics.sm_metric ' ~ values | join(' ') ~ ' end as sm_value',
        ], 8) }}
    from sm_resampled
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
  sm_end_values: sm_end_value, the quantile of the replicates at the low (sm_end = 1) and the high (2) end of the level,
    and their median (3). It reads sm_replicated_values. There is no row if fewer than half of the replicates have a
    value, if all have the same, which says nothing of other samples, or if there is only one row or list.

  A quantile lies at its share of B + 1 positions, with linear interpolation between two replicates.

  Args:
    keys: the columns that identify an interval
#}
{% macro stages_of_end_values(plan, keys) -%}
{%- set ends = [] -%}
{%- for share in ((1 - plan['facts']['interval']) / 2, (1 + plan['facts']['interval']) / 2, 0.5) -%}
    {%- do ends.append('select ' ~ loop.index ~ ' as sm_end, ' ~ sqlmetrics.sql_double(share) ~ ' as sm_share') -%}
{%- endfor -%}
-- at which places among the replicates in their order
sm_end_places as{{ sqlmetrics.sql_cte_shared() }} (
    select
        {{- sqlmetrics.lines(keys + [
            'sm_end',
            'case when sm_at < 1 then ' ~ sqlmetrics.sql_double('1') ~ ' when sm_at > sm_defined then '
                ~ sqlmetrics.sql_double('sm_defined') ~ ' else sm_at end as sm_end_place',
        ], 8) }}
    from (
        select
            {{- sqlmetrics.lines(keys + ['sm_end', 'sm_defined', 'sm_share * (sm_defined + 1) as sm_at'], 12) }}
        from (
            select
                {{- sqlmetrics.lines(keys + ['count(sm_value) as sm_defined'], 16) }}
            from sm_replicated_values
            group by {{ keys | join(', ') }}
            having min(sm_least_unit) < max(sm_greatest_unit) and 2 * count(sm_value) >= {{ '' -}}
            {{- plan['facts']['n_resamples'] }}
                and max(sm_value) - min(sm_value) > 1e-12 * (abs(min(sm_value)) + abs(max(sm_value)))
        ) as sm_counted_values
        cross join (
            {{ ends | join('
            union all ') }}
        ) as sm_three_ends
    ) as sm_placed
),

{{ sqlmetrics.stages_of_ordered_values(keys) }}
{%- endmacro %}

{#
  sm_end_values from sm_replicated_values and sm_end_places: sm_end_place, the place of each end among the
    replicates in their order.
#}
{% macro stages_of_ordered_values(keys) -%}
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
        inner join sm_end_places on {{ sqlmetrics.same_keys(keys, 'sm_ordered_values', 'sm_end_places') }}
        group by {{ (sqlmetrics.prefixed(keys, 'sm_ordered_values.') + ['sm_end_places.sm_end']) | join(', ') }}
    ) as sm_neighbours
)
{%- endmacro %}
