{#
  The band of a ROC curve: at the false positive rate of each point, the ends of the true positive rate.

  Both rates are uncertain. So the false positive rate of a point has ends, too, and the true positive rates that the
  curve reaches there tell how far it may lie beside the point. Between two thresholds the curve is a straight line;
  where it jumps, its foot counts at the lower end and its top at the upper one.

  Pointwise, both rates have Wilson's ends. The distance from a point to the ends of its true positive rate, and that to
  what the curve reaches, are added as the legs of a right triangle. Simultaneously, each rate lies within Kolmogorov's
  distance of the true one with the probability sqrt(level), and the distance of true positive rates is added to what
  the curve reaches.

  Source: Hilgers (1991), Distribution-free confidence bounds for ROC curves, for the ends of both rates; Zou and Donner
    (2008), doi:10.1002/sim.3095, for their sum; Campbell (1994), doi:10.1002/sim.4780130513, for the simultaneous band
#}

{#
  The stages that end in sm_points, with the columns sm_fpr, sm_tpr, sm_tpr_low and sm_tpr_high.

  Args:
    rates: templates of both rates, of the columns of points
    points: a query of the points of the result
    all: a query of all points of the curve
#}
{% macro stages_of_roc_band(plan, rates, points, all) -%}
{%- set keys = plan['facts']['keys'] -%}
{%- set carried = ['sm_score'] + (['sm_through'] if plan['facts']['weight'] is none else []) -%}
{%- set rated = carried + ['sm_fpr', 'sm_tpr', 'sm_rows_of_tpr'] -%}
{%- set ends = sqlmetrics.ends_of_rate(plan, 'sm_fpr', 'sm_rows_of_fpr') -%}
{%- set reads_all = 'sm_rated' if points == all else 'sm_rated_levels' -%}
{%- set beside = [] -%}
{#- a frame of following rows takes long on some engines -#}
{%- for name, extreme, order in (('before', 'max', 'asc'), ('after', 'min', 'desc')) -%}
    {%- for column in ('place', 'tpr') -%}
        {%- do beside.append(
            extreme ~ '(case when sm_kind = 1 then sm_' ~ column ~ ' end) over (' ~ sqlmetrics.partition_by(keys)
            ~ 'order by sm_place ' ~ order ~ ', sm_kind ' ~ order ~ ' rows unbounded preceding) as sm_' ~ column ~ '_'
            ~ name
        ) -%}
    {%- endfor -%}
{%- endfor -%}
{%- set risen = sqlmetrics.ratio(
    '(sm_place - sm_place_before) * (sm_tpr_after - sm_tpr_before)', 'sm_place_after - sm_place_before'
) -%}
{%- set reached = 'coalesce(sm_tpr_before, sm_tpr_after) + coalesce(' ~ risen ~ ', 0)' -%}
{%- set found = [] -%}
{%- for name, kind in (('least', 0), ('most', 2)) -%}
    {%- do found.append('max(case when sm_kind = ' ~ kind ~ ' then ' ~ reached ~ ' end) as sm_' ~ name) -%}
{%- endfor -%}
-- both rates of each point, and the rows behind them
sm_rated as{{ sqlmetrics.sql_cte_shared() }} (
    {{ sqlmetrics.rated_points(plan, rates, carried, points) }}
),
{%- if points != all %}

-- the same of all points of the curve
sm_rated_levels as (
    {{ sqlmetrics.rated_points(plan, rates, carried, all, rows_of=['tpr']) }}
),
{%- endif %}

-- the points (kind 1), and the ends of the false positive rate of each (0 and 2)
sm_places as (
    select
        {{- sqlmetrics.lines(keys + rated + [
            '1 as sm_kind', sqlmetrics.place_of_rate(plan, 'sm_fpr') ~ ' as sm_place',
        ], 8) }}
    from {{ reads_all }}
    {%- for kind, end in ((0, 'low'), (2, 'high')) %}
    union all
    select
        {{- sqlmetrics.lines(keys + rated + [
            kind ~ ' as sm_kind', sqlmetrics.place_of_rate(plan, ends[end]) ~ ' as sm_place',
        ], 8) }}
    from sm_rated
    {%- endfor %}
),

-- the points beside each end, and the true positive rates that the curve reaches there
sm_crossed as (
    select
        {{- sqlmetrics.lines(keys + rated + found, 8) }}
    from (
        select
            {{- sqlmetrics.lines(['sm_places.*'] + beside, 12) }}
        from sm_places
    ) as sm_beside
    where sm_kind <> 1
    group by {{ (keys + rated) | join(', ') }}
),

-- a row for each threshold
{{ sqlmetrics.stage_roc_band(plan, keys + carried + ['sm_fpr', 'sm_tpr']) }}
{%- endmacro %}

{# A rate. Sums of weights are rounded, so it may lie just beside 1, where the curve may jump. #}
{% macro place_of_rate(plan, rate) -%}
    {{ rate if plan['facts']['weight'] is none
        else 'case when ' ~ rate ~ ' > 0.999999999999 then 1 else ' ~ rate ~ ' end' }}
{%- endmacro %}

{# A query of points with both rates and the number of independent rows behind them. #}
{% macro rated_points(plan, rates, carried, points, rows_of=['fpr', 'tpr']) -%}
{%- set is_positive, columns = sqlmetrics.is_positive(plan), [] -%}
{%- for rate, total, class, condition in (
    ('fpr', sqlmetrics.row_negatives(plan), 'negatives', 'not (' ~ is_positive ~ ')'),
    ('tpr', sqlmetrics.row_positives(plan), 'positives', is_positive),
) -%}
    {%- do columns.append(sqlmetrics.filled(plan, rates[rate]) ~ ' as sm_' ~ rate) -%}
    {%- if rate in rows_of -%}
        {%- set rows = sqlmetrics.rows_of_class(plan, total, 'squares_of_' ~ class, condition) -%}
        {%- do columns.append(sqlmetrics.filled(plan, rows) ~ ' as sm_rows_of_' ~ rate) -%}
    {%- endif -%}
{%- endfor -%}
select
        {{- sqlmetrics.lines(sqlmetrics.slice_keys(plan, 'sm_kept.') + carried + columns, 8) }}
    from (
        {{ points | replace('\n', '\n    ') }}
    ) as sm_kept
    inner join sm_row_sums on {{ sqlmetrics.same_slice(plan, 'sm_kept', 'sm_row_sums') }}
{%- endmacro %}

{# Both ends of a rate: Wilson's, or with Kolmogorov's distance. #}
{% macro ends_of_rate(plan, rate, rows) -%}
    {%- set level = plan['facts']['interval'] -%}
    {%- if plan['band'] == 'simultaneous' -%}
        {%- do return(sqlmetrics.ends_everywhere(rate, rows, level ** 0.5)) -%}
    {%- endif -%}
    {%- do return(sqlmetrics.wilson_ends(rate, rows, sqlmetrics.normal_critical_value((1 + level) / 2))) -%}
{%- endmacro %}

{# sm_points: the band about what the curve reaches. #}
{% macro stage_roc_band(plan, columns) -%}
{%- set known = 'case when sm_fpr is not null then ' -%}
{%- if plan['band'] == 'simultaneous' -%}
sm_points as (
    select
        {{- sqlmetrics.lines(columns + [
            known ~ sqlmetrics.ends_of_rate(plan, 'sm_least', 'sm_rows_of_tpr')['low'] ~ ' end as sm_tpr_low',
            known ~ sqlmetrics.ends_of_rate(plan, 'sm_most', 'sm_rows_of_tpr')['high'] ~ ' end as sm_tpr_high',
        ], 8) }}
    from sm_crossed
)
{%- else -%}
{%- set ends = sqlmetrics.ends_of_rate(plan, 'sm_tpr', 'sm_rows_of_tpr') -%}
{%- set low = '(sm_tpr - sqrt(sm_below * sm_below + (sm_tpr - sm_least) * (sm_tpr - sm_least)))' -%}
{%- set high = '(sm_tpr + sqrt(sm_above * sm_above + (sm_most - sm_tpr) * (sm_most - sm_tpr)))' -%}
sm_points as (
    select
        {{- sqlmetrics.lines(columns + [
            known ~ sqlmetrics.within_unit(low) ~ ' end as sm_tpr_low',
            known ~ sqlmetrics.within_unit(high) ~ ' end as sm_tpr_high',
        ], 8) }}
    from (
        select
            {{- sqlmetrics.lines(['sm_crossed.*'] + [
                '(sm_tpr - ' ~ ends['low'] ~ ') as sm_below', '(' ~ ends['high'] ~ ' - sm_tpr) as sm_above',
            ], 12) }}
        from sm_crossed
    ) as sm_ended
)
{%- endif -%}
{%- endmacro %}
