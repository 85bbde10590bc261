{#
  Decision curve: the net benefit at thresholds between 0 and 1, beside that of acting on every row and on none. Where a
  model is above both, its decisions are worth more than either.

  Args:
    steps: the thresholds are 1 / steps, 2 / steps, ... below 1; an integer >= 2
  Returns: threshold, net_benefit, treat_all, treat_none (always 0); weighted by the row weight
  Undefined: no points if there are no rows
  Traps: only thresholds at which one would act matter, not where the curve is highest; it takes calibrated scores
    and the base rate of practice, so sampled negatives move it; high thresholds rest on few rows
  Errors: a label other than 0 and 1, unless positive= is given; a score outside [0, 1]; steps < 2
  Source: Vickers and Elkin (2006), doi:10.1177/0272989X06295361
  Example: net_benefit(steps=20)
#}
{% macro curve_of_net_benefit(plan, steps=100) -%}
    {{- sqlmetrics.number(plan, 'steps', steps, 2, 100000, true) -}}
    {%- do sqlmetrics.probability_of(plan) -%}
    {%- set weighted = plan['facts']['weight'] is not none -%}
    {%- do sqlmetrics.read_levels(
        plan, ['positives_through'] + (['negatives_through'] if weighted else [])
    ) -%}
    {#- the last threshold that the scores of a level reach: the nearest one, or the one below it -#}
    {%- set nearest = sqlmetrics.sql_integer('floor(' ~ steps ~ ' * sm_score + 0.5)') -%}
    {%- set last = 'case when ' ~ sqlmetrics.row_at_least('sm_score', sqlmetrics.ratio(nearest, steps))
        ~ ' then ' ~ nearest ~ ' else ' ~ nearest ~ ' - 1 end' -%}
    {%- set keys = plan['facts']['keys'] -%}
    {%- set negatives = 'sm_negatives_through' if weighted else 'sm_through - sm_positives_through' -%}
    {%- set counts = ['sm_positives_through', negatives ~ ' as sm_negatives_down', last ~ ' as sm_reached'] -%}
    {%- set below = 'lead(sm_reached) over (' ~ sqlmetrics.partition_by(keys) ~ 'order by sm_score desc)' -%}
    {%- set counted = ['sm_positives_through', 'sm_negatives_down'] -%}
    {%- set found = counted + ['sm_reached as sm_last', 'coalesce(' ~ below ~ ', 0) as sm_below'] -%}
    {%- set none_found = [
        '0 as sm_positives_through', '0 as sm_negatives_down', steps ~ ' as sm_last', 'max(sm_reached) as sm_below',
    ] -%}
    {%- set order = ['sm_points.sm_position asc'] -%}
    {%- do plan.update({'point_order': order, 'points': '-- the last threshold each level reaches
sm_reaching as (
    ' ~ sqlmetrics.points_of_levels(plan, ['sm_score'] + counts) ~ '
),

-- a row for each threshold
sm_points as (
    select sm_spans.*, ' ~ sqlmetrics.sql_nullable('sm_thresholds.sm_position') ~ ' as sm_position
    from (
        select' ~ sqlmetrics.lines(keys + found, 12) ~ '
        from sm_reaching
        union all
        select' ~ sqlmetrics.lines(keys + none_found, 12) ~ '
        from sm_reaching' ~ sqlmetrics.grouped_by(keys) | replace('\n', '\n    ') ~ '
    ) as sm_spans
    inner join ' ~ sqlmetrics.sql_positions(steps - 1) ~ ' as sm_thresholds on '
        ~ 'sm_thresholds.sm_position > sm_below and sm_thresholds.sm_position <= sm_last
)'}) -%}
    {%- set odds, rows = sqlmetrics.ratio('sm_position', steps ~ ' - sm_position'), sqlmetrics.row_total(plan) -%}
    {%- set all = sqlmetrics.row_positives(plan) ~ ' - ' ~ odds ~ ' * ' ~ sqlmetrics.row_negatives(plan) -%}
    {%- do return([
        {'name': 'threshold', 'value': sqlmetrics.ratio('sm_position', steps)},
        {
            'name': 'net_benefit',
            'value': sqlmetrics.ratio('(sm_positives_through - ' ~ odds ~ ' * sm_negatives_down)', rows),
        },
        {'name': 'treat_all', 'value': sqlmetrics.ratio('(' ~ all ~ ')', rows)},
        {'name': 'treat_none', 'value': sqlmetrics.sql_double('0')},
    ]) -%}
{%- endmacro %}
