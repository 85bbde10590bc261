{#
  Rows as a bootstrap draws them. Each list (with group=), or otherwise each row, is drawn a
  Poisson-distributed number of times, with mean 1, in each of many replicates (sm_replicate, a key like a
  slice; see plan/keys.sql).

  The number of draws is a hash of the number of the unit (sm_unit) and of the replicate (math/draws.sql). So
  every engine draws the same, whatever the order of rows, and every model and slice of a row or list shares
  its draws. Units are numbered by their content: lists by the bytes of their group, rows by all columns that
  are read, so that rows which swap numbers are identical.

  Source: Hanley and MacGibbon (2006), doi:10.1016/j.cmpb.2006.04.006; Chamandy, Muralidharan, Najmi and Naidu
    (2012), Estimating Uncertainty for Massive Data Streams
#}

{#
  sm_replicates, sm_draws, and sm_rows: the usable rows, repeated as often as they are drawn. A list that is
  drawn twice becomes two lists.

  If the first replicates are redrawn, replicate -r resamples replicate r. A unit that r has twice counts as two units;
  their hash swaps the replicate's factor and offset.
#}
{% macro stages_of_replicates(plan, kept) -%}
{%- set redrawn = plan['question']['own']['redrawn'] -%}
{%- set unit = 'sm_drawn_unit' if redrawn > 0 else 'sm_unit' -%}
{%- set columns = [] -%}
{%- for column in kept['facts'] + kept['numbers'] + ['sm_problem'] -%}
    {%- do columns.append('100 * ' ~ unit ~ ' + sm_draw as sm_group' if column == 'sm_group' else column) -%}
{%- endfor -%}
{%- set first = '
                select sm_marked.*, sm_replicate, ' ~ ('sm_factor, sm_offset, ' if redrawn > 0 else '')
    ~ sqlmetrics.mixed('sm_unit') ~ ' as sm_start
                from sm_marked
                cross join sm_replicates
                where sm_problem = 0' -%}
{{ sqlmetrics.stage_replicates(plan['question']['draws']) }},

-- a row for each time that something is drawn
sm_draws as{{ sqlmetrics.sql_cte_shared() }} (
    select sm_numbers.sm_position as sm_times{{ ', sm_each.sm_position as sm_draw'
        if 'sm_group' in kept['facts'] or redrawn > 0 }}
    from {{ sqlmetrics.sql_positions(12) }} as sm_numbers
    inner join {{ sqlmetrics.sql_positions(12) }} as sm_each on sm_each.sm_position <= sm_numbers.sm_position
),

-- the usable rows of each replicate, as often as they are drawn: numbers of a Poisson distribution with mean 1
{% if redrawn == 0 -%}
{{ sqlmetrics.stage_drawn('sm_rows', columns, first, sqlmetrics.poisson_count('sm_hash')) }}
{%- else -%}
{%- set copied = columns | reject('in', ['sm_replicate', '100 * ' ~ unit ~ ' + sm_draw as sm_group']) | list -%}
{%- set drawn = copied + [
    'sm_replicate as sm_drawn_replicate', 'sm_factor', 'sm_offset', '100 * sm_unit + sm_draw as sm_drawn_unit',
] -%}
{{ sqlmetrics.stage_drawn('sm_drawn', drawn, first, sqlmetrics.poisson_count('sm_hash')) }},

-- the same, and rows drawn from them once more: replicate -r from replicate r
{{ sqlmetrics.stage_drawn(
    'sm_rows', columns, '
                select' ~ sqlmetrics.lines(copied + [
                    'sm_side * sm_drawn_replicate as sm_replicate',
                    'sm_drawn_unit',
                    sqlmetrics.mixed_again('sm_drawn_unit') ~ ' as sm_start',
                ], 20) ~ '
                from sm_drawn
                cross join (select 1 as sm_side union all select -1 as sm_side) as sm_sides
                where sm_side = 1 or sm_drawn_replicate <= ' ~ redrawn,
    'case when sm_replicate > 0 then 1 else ' ~ sqlmetrics.poisson_count('sm_hash') ~ ' end',
) }}
{%- endif -%}
{%- endmacro %}

{# Rows with sm_start, repeated as often as the hash of that says. #}
{% macro stage_drawn(name, columns, rows, times) -%}
{{ name }} as{{ sqlmetrics.sql_cte_inline() }} (
    select
        {{- sqlmetrics.lines(columns, 8) }}
    from (
        select sm_hashed.*, {{ times }} as sm_times
        from (
            select sm_mixed.*, {{ sqlmetrics.fifth_power('sm_start') }} as sm_hash
            from ({{ rows }}
            ) as sm_mixed
        ) as sm_hashed
    ) as sm_counted
    inner join sm_draws on sm_counted.sm_times = sm_draws.sm_times
)
{%- endmacro %}

{#
  A Poisson count from a number that is uniformly distributed below 2^31 - 1; the range is divided by the
  probabilities of 0, 1, 2, ... draws.
#}
{% macro poisson_count(hash) -%}
    {%- set cases = [] -%}
    {%- for end in [
        790015083, 1580030167, 1975037709, 2106706890, 2139624185, 2146207644, 2147304887, 2147461637, 2147481230,
        2147483407, 2147483625, 2147483645,
    ] -%}
        {%- do cases.append('when ' ~ hash ~ ' < ' ~ end ~ ' then ' ~ loop.index0) -%}
    {%- endfor -%}
    case {{ cases | join(' ') }} else 12 end
{%- endmacro %}

{# The number of the unit of a row of sm_given: of its list, or its own, by all given columns. #}
{% macro unit_of_row(plan, given) -%}
    {%- if plan['facts']['group'] is not none -%}
        {%- do return(sqlmetrics.sql_integer(
            'dense_rank() over (order by ' ~ sqlmetrics.by_bytes('sm_group') ~ ')'
        )) -%}
    {%- endif -%}
    {%- set numbers = sqlmetrics.kept_columns(plan)['numbers'] -%}
    {%- set order = [] -%}
    {%- for column in sqlmetrics.scores_of_unit(plan, plan['facts']['models'][0]) | list + numbers -%}
        {%- do order.append(
            'case when ' ~ sqlmetrics.sql_finite(column) ~ ' then 0 else 1 end asc, ' ~ column ~ ' asc'
        ) -%}
    {%- endfor -%}
    {%- for column in given | reject('in', numbers + plan['facts']['keys']) -%}
        {%- do order.append(sqlmetrics.by_bytes(column)) -%}
    {%- endfor -%}
    {%- set models = plan['facts']['keys'] | select('equalto', 'sm_model') | list -%}
    {{- sqlmetrics.sql_integer(
        'row_number() over (' ~ sqlmetrics.partition_by(models) ~ 'order by ' ~ (order | join(', ') or '1') ~ ')'
    ) -}}
{%- endmacro %}

{# An order by bytes, with NULL at the end on every engine. #}
{% macro by_bytes(column) -%}
    case when {{ column }} is null then 1 else 0 end asc, {{ sqlmetrics.sql_bytes(column) }} asc
{%- endmacro %}

{#
  sm_counted_units: the number of lists or rows with a weight that a bootstrap draws of a model, and the number of all
    models together. Rows have no key that would match those of two models, so the latter is the largest
    number of any model.
#}
{% macro stage_counted_units(plan) -%}
{%- set by_lists, slices = plan['facts']['group'] is not none, sqlmetrics.keys_beside_models(plan) -%}
{%- set weighted = plan['facts']['weight'] is not none -%}
{%- set columns = (['sm_group'] if by_lists else []) + (['sm_weight'] if weighted else []) -%}
{#- a select has a column -#}
{%- set units = sqlmetrics.by_slice_and_total(plan, columns or ([] if plan['facts']['keys'] else ['1 as sm_row'])) -%}
{%- set unit = 'sm_group' if by_lists else '1' if weighted else '*' -%}
{%- set unit = 'case when sm_weight > 0 then ' ~ unit ~ ' end' if weighted else unit -%}
{%- set count = 'count(' ~ ('distinct ' if by_lists) ~ unit ~ ')' -%}
{%- set of_all, columns = 'sm_n_of_all' in plan['counts_units'], sqlmetrics.slice_keys(plan, 'sm_units_of_model.') -%}
{%- do columns.append('sm_n_units') -%}
{%- if of_all -%}
    {%- do columns.append(
        'sm_n_of_all'
        if by_lists else 'max(sm_n_units) over (' ~ sqlmetrics.partition_by(slices) | trim ~ ') as sm_n_of_all'
    ) -%}
{%- endif -%}
-- what is drawn
sm_counted_units as (
    select
        {{- sqlmetrics.lines(columns, 8) }}
    from (
        select
            {{- sqlmetrics.lines(plan['facts']['keys'] + [count ~ ' as sm_n_units'], 12) }}
        from (
        {{ units }}
        ) as sm_units
        {{- sqlmetrics.grouped_by(plan['facts']['keys']) }}
    ) as sm_units_of_model
    {%- if of_all and by_lists %}
    {{ sqlmetrics.inner_join(slices, 'sm_units_of_model', '(
        select
            ' ~ sqlmetrics.lines(slices + [count ~ ' as sm_n_of_all'], 12) ~ '
        from (
        ' ~ units ~ '
        ) as sm_units
        ' ~ sqlmetrics.grouped_by(slices) ~ '
    )', 'sm_units_of_all') }}
    {%- endif %}
)
{%- endmacro %}
