{#
  Draws that every engine makes alike, whatever the order of rows: a number below 2^31 - 1, spread evenly, for each replicate (a number from 1
  on) and each unit (an integer from 1 to 2^31).

  It is a hash: unit * factor + offset modulo the prime 2^31 - 1, to the fifth power, which is one-to-one modulo that prime; factor and offset
  of a replicate are its number, from two starts, to the fifth power. No product reaches 2^62. In a select over units and sm_replicates,
  `mixed` comes first and the `fifth_power` of its column in the select around it.
#}

{# sm_replicates: the replicates from 1 to n, each with the numbers by which its hash differs. #}
{% macro stage_replicates(n) -%}
-- the replicates, each with the numbers by which its hash differs
sm_replicates as{{ sqlmetrics.sql_cte_shared() }} (
    select
        {{- sqlmetrics.lines(['sm_replicate', sqlmetrics.fifth_power('sm_one') ~ ' as sm_factor', sqlmetrics.fifth_power('sm_other') ~ ' as sm_offset'], 8) }}
    from (
        select
            {{- sqlmetrics.lines([
                sqlmetrics.sql_short_integer('sm_position') ~ ' as sm_replicate', sqlmetrics.sql_integer('sm_position + 271828182') ~ ' as sm_one',
                sqlmetrics.sql_integer('sm_position + 314159265') ~ ' as sm_other',
            ], 12) }}
        from {{ sqlmetrics.sql_positions(n) }} as sm_numbers
    ) as sm_started
)
{%- endmacro %}

{# The number of a unit as a replicate mixes it. #}
{% macro mixed(unit) -%}{{ sqlmetrics.sql_remainder(unit ~ ' * sm_factor + sm_offset', 2147483647) }}{%- endmacro %}

{# The fifth power of a column below 2^31 - 1, modulo that prime. #}
{% macro fifth_power(x) -%}
    {%- set square = sqlmetrics.sql_remainder(x ~ ' * ' ~ x, 2147483647) -%}
    {{- sqlmetrics.sql_remainder(sqlmetrics.sql_remainder(square ~ ' * ' ~ square, 2147483647) ~ ' * ' ~ x, 2147483647) -}}
{%- endmacro %}
