{#
  Pseudo-random numbers that are the same on every engine and for any order of rows: one number below 2^31 -
  1, uniformly distributed, for each replicate (a number from 1) and each unit (an integer from 1 to 2^31).

  It is a hash: unit * factor + offset modulo the prime 2^31 - 1, raised to the fifth power, which is
  one-to-one modulo that prime. The factor and offset of a replicate are the fifth powers of its number added
  to two different constants. No product reaches 2^62. In a select over units and sm_replicates, `mixed` comes
  first; `fifth_power` of its column goes into the select around it.
#}

{# sm_replicates: the replicates from 1 to n, each with the factor and offset of its hash. #}
{% macro stage_replicates(n) -%}
-- the replicates, each with the numbers by which its hash differs
sm_replicates as{{ sqlmetrics.sql_cte_shared() }} (
    select
        {{- sqlmetrics.lines([
            'sm_replicate',
            sqlmetrics.fifth_power('sm_one') ~ ' as sm_factor',
            sqlmetrics.fifth_power('sm_other') ~ ' as sm_offset',
        ], 8) }}
    from (
        select
            {{- sqlmetrics.lines([
                sqlmetrics.sql_short_integer('sm_position') ~ ' as sm_replicate',
                sqlmetrics.sql_integer('sm_position + 271828182') ~ ' as sm_one',
                sqlmetrics.sql_integer('sm_position + 314159265') ~ ' as sm_other',
            ], 12) }}
        from {{ sqlmetrics.sql_positions(n) }} as sm_numbers
    ) as sm_started
)
{%- endmacro %}

{# The number of a unit, mixed with the replicate's factor and offset. #}
{% macro mixed(unit) -%}{{ sqlmetrics.sql_remainder(unit ~ ' * sm_factor + sm_offset', 2147483647) }}{%- endmacro %}

{# The number of a unit that may be beyond 2^31, mixed with the replicate's factor and offset in each other's place. #}
{% macro mixed_again(unit) -%}
    {{- sqlmetrics.sql_remainder(
        sqlmetrics.sql_remainder(unit, 2147483647) ~ ' * sm_offset + sm_factor', 2147483647
    ) -}}
{%- endmacro %}

{# The fifth power of a column below 2^31 - 1, modulo that prime. #}
{% macro fifth_power(x) -%}
    {%- set square = sqlmetrics.sql_remainder(x ~ ' * ' ~ x, 2147483647) -%}
    {{- sqlmetrics.sql_remainder(
        sqlmetrics.sql_remainder(square ~ ' * ' ~ square, 2147483647) ~ ' * ' ~ x, 2147483647
    ) -}}
{%- endmacro %}
