{#
  How many standard errors an interval reaches to either side: Student's t, a column of a stage beside the sums that
  have its degrees of freedom.
#}

{#
  The number of standard errors that the interval of a value reaches to either side, by Student's t with one
  degree of freedom less than units.
#}
{% macro critical_value_of(plan, spread) -%}
    {%- set stage = sqlmetrics.units()[spread['unit']]['counted_in'] -%}
    {{- sqlmetrics.critical_value(plan, stage, sqlmetrics.units_of(plan, spread) ~ ' - 1') -}}
{%- endmacro %}

{#
  The same with the degrees of freedom of a variance of units that may have heavy tails: as many as make a chi-square
  vary as much as the sum of their squares. A few far units leave little more than 2.

  Source: Satterthwaite (1946), doi:10.2307/3002019
#}
{% macro critical_value_of_tails(plan, spread) -%}
    {%- set units = sqlmetrics.units_of(plan, spread) -%}
    {%- set squares, fourths = sqlmetrics.powers_of(plan, spread, 2), sqlmetrics.powers_of(plan, spread, 4) -%}
    {#- read for the critical value alone -#}
    {%- do plan['fourths'].append(fourths) -%}
    {%- set excess = '(' ~ sqlmetrics.ratio(fourths, squares ~ ' * ' ~ squares) ~ ' - ' ~ sqlmetrics.ratio('1', units)
        ~ ')' -%}
    {%- set df = 'case when ' ~ excess ~ ' * (' ~ units ~ ' - 1) > 2 then 2 / ' ~ excess ~ ' else ' ~ units
        ~ ' - 1 end' -%}
    {{- sqlmetrics.critical_value(plan, 'sm_' ~ sqlmetrics.units()[spread['unit']]['spreads'], df) -}}
{%- endmacro %}

{#
  The number of standard errors that an interval reaches to either side, by Student's t: a column of a stage
  of its own, beside the stage with the degrees of freedom.
#}
{% macro critical_value(plan, stage, df) -%}
    {%- set known = plan['critical_values'].setdefault(stage, {}) -%}
    {%- if df not in known -%}{%- do known.update({df: stage ~ '_t_' ~ (known | length + 1)}) -%}{%- endif -%}
    {%- do return(known[df]) -%}
{%- endmacro %}

{#
  The grain of a stage of sums of squared deviations, none for another stage. Such a stage has its critical values
  beside its sums, so that it is read once.
#}
{% macro grain_of_spreads(stage) -%}
    {%- for unit in sqlmetrics.units().values() if 'sm_' ~ unit['spreads'] == stage -%}
        {%- do return(unit['spreads']) -%}
    {%- endfor -%}
    {%- do return(none) -%}
{%- endmacro %}

{# The stage to join for the sums of a stage. #}
{% macro stage_with_critical(plan, stage) -%}
    {{- stage ~ ('_critical' if stage in plan['critical_values'] and sqlmetrics.grain_of_spreads(stage)) -}}
{%- endmacro %}

{#
  sm_..._critical: the critical values of a stage of sums, one row for each slice. The polynomial is long, so it is
  written once: its argument is a column, with a row for each of several degrees of freedom.
#}
{% macro stage_critical_values(plan, stage, p, pieces) -%}
{%- set keys, asked = plan['facts']['keys'], plan['critical_values'][stage] -%}
{%- set grain, carried = sqlmetrics.grain_of_spreads(stage), [] -%}
{%- set read_here = sqlmetrics.filled(plan, plan['fourths'] | join(' ')).split(' ') -%}
{%- for column in (plan['needs'][grain] if grain else []) if column not in read_here -%}
    {%- do carried.append(column) -%}
{%- endfor -%}
{%- set counted_in = {'sm_row_spreads': 'sm_row_sums', 'sm_list_spreads': 'sm_list_sums'}.get(stage) -%}
{%- set freedoms, columns = [], [] -%}
{%- for column in carried -%}
    {%- do columns.append(sqlmetrics.sql_aggregate('max', column) ~ ' as ' ~ column) -%}
{%- endfor -%}
{%- for df, column in asked.items() -%}
    {%- do freedoms.append(sqlmetrics.filled(plan, df)) -%}
    {%- do columns.append('max(case when sm_number = ' ~ loop.index ~ ' then sm_critical_value end) as ' ~ column) -%}
{%- endfor -%}
{%- set several = freedoms | length > 1 -%}
{%- set number = ['sm_number'] if several else [] -%}
{%- set name = 'sm_critical_value' if several else asked.values() | first -%}
{%- set place = 'case when sm_df >= 1 then ' ~ sqlmetrics.student_t_place('sm_df') ~ ' end as sm_place' -%}
{%- set value = 'case when sm_place is not null then ' ~ sqlmetrics.student_t_at(p, 'sm_place', pieces) ~ ' end' -%}
{%- set passed = carried + number -%}
-- how many standard errors an interval of {{ plan['facts']['interval'] }} reaches to either side
{{ stage }}_critical as{{ sqlmetrics.sql_cte_shared() }} (
    {%- if several %}
    select
        {{- sqlmetrics.lines(keys + columns, 8) }}
    from (
    {%- endif %}
    select
        {{- sqlmetrics.lines(keys + passed + [value ~ ' as ' ~ name], 8) }}
    from (
        select
            {{- sqlmetrics.lines(keys + passed + [place], 12) }}
        from (
            select
                {{- sqlmetrics.lines(sqlmetrics.prefixed(keys, stage ~ '.') + passed + [
                    sqlmetrics.one_by_number(freedoms) ~ ' as sm_df',
                ], 16) }}
            from {{ stage }}
            {%- if counted_in %}
            {{ sqlmetrics.inner_join(keys, stage, counted_in) }}
            {%- endif %}
            {%- if several %}
            cross join (
                select sm_position as sm_number from {{ sqlmetrics.sql_positions(freedoms | length) }} as sm_positions
            ) as sm_numbers
            {%- endif %}
        ) as sm_freedoms
        {{- sqlmetrics.sql_fence('places').replace('\n', '\n    ') }}
    ) as sm_places
    {%- if several %}
    ) as sm_critical_values
    {{- sqlmetrics.grouped_by(keys) }}
    {%- endif %}
)
{%- endmacro %}

{# The only expression, or of several the one with the row's number. #}
{% macro one_by_number(expressions) -%}
    {%- if expressions | length == 1 -%}{%- do return(expressions[0]) -%}{%- endif -%}
    {%- set cases = [] -%}
    {%- for expression in expressions -%}
        {#- ClickHouse has no type for a whole number of 64 bits beside a float -#}
        {%- do cases.append('when ' ~ loop.index ~ ' then ' ~ sqlmetrics.sql_double(expression)) -%}
    {%- endfor -%}
    case sm_number {{ cases | join(' ') }} end
{%- endmacro %}

{# The critical values of every stage that has some. #}
{% macro stages_of_critical_values(plan) -%}
    {%- set stages, p = [], (1 + plan['facts']['interval']) / 2 -%}
    {%- set pieces = sqlmetrics.student_t_pieces(p) -%}
    {%- for stage in plan['critical_values'] -%}
        {%- do stages.append(sqlmetrics.stage_critical_values(plan, stage, p, pieces)) -%}
    {%- endfor -%}
    {%- do return(stages) -%}
{%- endmacro %}
