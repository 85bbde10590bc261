{# The sides of a comparison of states: the rows of a slice and period are counted there already. #}

{#
  Notes how the states were made, and what makes them unfit.

  Args:
    reference_made: the period and the where of the reference, where they are its own
#}
{% macro note_states_of_drift(plan, reference_made) -%}
    {%- set made = {'period': plan['facts']['period'], 'where': plan['facts']['made_where']} -%}
    {%- set counts, checks = {}, {} -%}
    {%- for name, message in {
        'states_of_other_facts': 'rows of the states were made with another period, where= or several models than drift'
            ~ ' was given',
        'states_incomplete': 'rows of the states have no number of rows; make those periods again',
        'periods_repeated': 'periods are in a state more than once, and would count as often; keep one',
    }.items() -%}
        {%- do counts.update({name: 'sm_' ~ name}) -%}
        {%- do checks.update({'sm_' ~ name: {'name': name, 'message': message, 'value': none, 'grain': 'rows'}}) -%}
    {%- endfor -%}
    {%- do plan['result'].update({'counts': counts, 'checks': checks}) -%}
    {#- by model, of which there is one without a reference; the reference is the first -#}
    {%- do plan['question']['own'].update({
        'made': [reference_made or made, made] if plan['facts']['models'] | length > 1 else [made],
    }) -%}
{%- endmacro %}

{#
  sm_states: the slices of each period (sm_grain = 'rows') and the periods (sm_grain = 'periods') of both sides.
    sm_is_left is 1 for a slice that where= leaves, sm_is_other for a row of other facts
#}
{% macro stage_states_of_sides(plan) -%}
{%- set where, rows = plan['facts']['where'], sqlmetrics.is_number_of_state('sm_n_rows') ~ ' and sm_n_rows >= 0' -%}
{%- set left = "sm_grain = 'rows'" ~ ('' if where is none else ' and (' ~ where ~ '\n        )') -%}
-- the slices and periods of the states
sm_states as{{ sqlmetrics.sql_cte_inline() }} (
    {%- for model in plan['facts']['models'] %}
    {%- set made = plan['question']['own']['made'][loop.index0] %}
    {{ 'union all\n    ' if not loop.first }}select
        {{- sqlmetrics.lines(
            [
                (plan['question']['own']['side'] or loop.index) ~ ' as sm_side', 'sm_grain',
                sqlmetrics.sql_nullable(sqlmetrics.sql_string(made['period']['sql'])) ~ ' as sm_period',
            ] + sqlmetrics.drifting_columns(plan) + [
                'case when ' ~ rows ~ ' then sm_n_rows end as sm_slice_rows',
                'case when ' ~ left ~ ' then 1 else 0 end as sm_is_left',
                'case\n            when ' ~ sqlmetrics.same_rows(made['period']['name'], made['where'])
                    ~ ' then 0\n            else 1\n        end as sm_is_other',
            ], 8
        ) }}
    from {{ sqlmetrics.rows_of_model(plan, model) }}
    where sm_grain in ('rows', 'periods')
    {%- endfor %}
),

-- those of the reference, side 1, and the current ones, side 2
sm_given as{{ sqlmetrics.sql_cte_inline() }} (
    select
        {{- sqlmetrics.lines(
            ['sm_side'] + plan['facts']['by'] | map(attribute='column') | list
                + plan['question']['own']['columns'] | map(attribute='value') | list + ['sm_slice_rows'], 8
        ) }}
    from sm_states
    where sm_is_left = 1 and sm_slice_rows > 0
)
{%- endmacro %}

{# sm_unfit: one row: the counts of what makes the states unfit to be compared, and 1 if nothing does. #}
{% macro stage_unfit_states(plan) -%}
{%- set counts = plan['result']['counts'].values() | list -%}
-- what makes the states unfit
sm_unfit as (
    select
        {{- sqlmetrics.lines(
            counts + ['case when ' ~ counts | join(' + ') ~ ' = 0 then 1 else 0 end as sm_is_fit'], 8
        ) }}
    from (
        select
            coalesce(sum(sm_others), 0) as sm_states_of_other_facts,
            coalesce(sum(sm_lacking), 0) as sm_states_incomplete,
            {{ sqlmetrics.sum_of_repeated_periods() }}
        from (
            select
                sum(case when sm_is_left = 1 and sm_is_other = 1 then 1 else 0 end) as sm_others,
                sum(case when sm_is_left = 1 and sm_slice_rows is null then 1 else 0 end) as sm_lacking,
                sum(sm_is_left) as sm_left,
                sum(case when sm_grain = 'periods' and sm_period is not null then 1 else 0 end) as sm_made
            from sm_states
            where sm_side is not null
            group by sm_side, sm_period
        ) as sm_periods_of_sides
    ) as sm_counted_periods
)
{%- endmacro %}
