{#
  Primitives: the small pieces of SQL that engines spell differently, in standard SQL.
  `sm_x` dispatches to `<dialect>__sm_x`, else to that of its parent (`<dialect>__sm_parent` names it, as dbt has it), else to
  `default__sm_x`. Each brackets itself or is a call. What a dialect cannot say it refuses with `cannot_say`.
#}

{# refuses what a dialect cannot say, by name and with the reason #}
{% macro cannot_say(dialect, what, reason) -%}
    {{ exceptions.raise_compiler_error(dialect ~ ' cannot say ' ~ what ~ ': ' ~ reason) }}
{%- endmacro %}

{# cast to a 64-bit float #}
{% macro sql_double(x) -%}{{ return(adapter.dispatch('sql_double', 'sqlmetrics')(x)) }}{%- endmacro %}
{% macro default__sql_double(x) -%}cast({{ x }} as {{ sqlmetrics.sql_double_type() }}){%- endmacro %}

{# the name of the 64-bit float #}
{% macro sql_double_type() -%}{{ return(adapter.dispatch('sql_double_type', 'sqlmetrics')()) }}{%- endmacro %}
{% macro default__sql_double_type() -%}double precision{%- endmacro %}

{# cast to a 64-bit integer #}
{% macro sql_integer(x) -%}{{ return(adapter.dispatch('sql_integer', 'sqlmetrics')(x)) }}{%- endmacro %}
{% macro default__sql_integer(x) -%}cast({{ x }} as bigint){%- endmacro %}

{# cast to an integer of 32 bits: a short key sorts faster #}
{% macro sql_short_integer(x) -%}{{ return(adapter.dispatch('sql_short_integer', 'sqlmetrics')(x)) }}{%- endmacro %}
{% macro default__sql_short_integer(x) -%}cast({{ x }} as integer){%- endmacro %}

{# an integer from 0 to 100, in one byte where the engine has such: sorts cost by the bytes of their rows #}
{% macro sql_byte(x) -%}{{ return(adapter.dispatch('sql_byte', 'sqlmetrics')(x)) }}{%- endmacro %}
{% macro default__sql_byte(x) -%}{{ x }}{%- endmacro %}

{# a label of any type, booleans included, as a 64-bit float #}
{% macro sql_label(x) -%}{{ return(adapter.dispatch('sql_label', 'sqlmetrics')(x)) }}{%- endmacro %}
{% macro default__sql_label(x) -%}{{ sqlmetrics.sql_double(x) }}{%- endmacro %}

{# true when a float is neither NULL, NaN nor infinite #}
{% macro sql_finite(x) -%}{{ return(adapter.dispatch('sql_finite', 'sqlmetrics')(x)) }}{%- endmacro %}
{% macro default__sql_finite(x) -%}
(coalesce({{ x }} between -1.7976931348623157e308 and 1.7976931348623157e308, false))
{%- endmacro %}

{# true where a value of any type is NULL or, in a float, NaN #}
{% macro sql_no_value(x) -%}{{ return(adapter.dispatch('sql_no_value', 'sqlmetrics')(x)) }}{%- endmacro %}
{% macro default__sql_no_value(x) -%}({{ x }} is null or {{ x }} <> {{ x }}){%- endmacro %}

{# natural logarithm of a positive float #}
{% macro sql_ln(x) -%}{{ return(adapter.dispatch('sql_ln', 'sqlmetrics')(x)) }}{%- endmacro %}
{% macro default__sql_ln(x) -%}ln({{ x }}){%- endmacro %}

{# logarithm to base 2 of a positive float #}
{% macro sql_log2(x) -%}{{ return(adapter.dispatch('sql_log2', 'sqlmetrics')(x)) }}{%- endmacro %}
{% macro default__sql_log2(x) -%}(ln({{ x }}) / ln({{ sqlmetrics.sql_double('2') }})){%- endmacro %}

{# e to the power of a float that is not NULL; 0, or next to it, where that is too small for a float #}
{% macro sql_exp(x) -%}{{ return(adapter.dispatch('sql_exp', 'sqlmetrics')(x)) }}{%- endmacro %}
{% macro default__sql_exp(x) -%}exp({{ x }}){%- endmacro %}

{# a positive float to the power of a float #}
{% macro sql_power(x, y) -%}{{ return(adapter.dispatch('sql_power', 'sqlmetrics')(x, y)) }}{%- endmacro %}
{% macro default__sql_power(x, y) -%}power({{ sqlmetrics.sql_double(x) }}, {{ y }}){%- endmacro %}

{# 2 to the power of a float #}
{% macro sql_power_of_2(x) -%}{{ return(adapter.dispatch('sql_power_of_2', 'sqlmetrics')(x)) }}{%- endmacro %}
{% macro default__sql_power_of_2(x) -%}power({{ sqlmetrics.sql_double('2') }}, {{ x }}){%- endmacro %}

{# equality that takes two NULLs as equal, in a form that the engine can hash #}
{% macro sql_same(a, b) -%}{{ return(adapter.dispatch('sql_same', 'sqlmetrics')(a, b)) }}{%- endmacro %}
{% macro default__sql_same(a, b) -%}({{ a }} is not distinct from {{ b }}){%- endmacro %}

{# sum, min or max, NULL over nothing, or count #}
{% macro sql_aggregate(function, x) -%}{{ return(adapter.dispatch('sql_aggregate', 'sqlmetrics')(function, x)) }}{%- endmacro %}
{% macro default__sql_aggregate(function, x) -%}{{ function }}({{ x }}){%- endmacro %}

{# a select-list entry: a column of a stage, under its own name #}
{% macro sql_column(column) -%}{{ return(adapter.dispatch('sql_column', 'sqlmetrics')(column)) }}{%- endmacro %}
{% macro default__sql_column(column) -%}{{ column }}{%- endmacro %}

{# an expression that is to be NULL where a left join finds no row #}
{% macro sql_nullable(x) -%}{{ return(adapter.dispatch('sql_nullable', 'sqlmetrics')(x)) }}{%- endmacro %}
{% macro default__sql_nullable(x) -%}{{ x }}{%- endmacro %}

{# a float as a key of `partition by` #}
{% macro sql_partition_key(x) -%}{{ return(adapter.dispatch('sql_partition_key', 'sqlmetrics')(x)) }}{%- endmacro %}
{% macro default__sql_partition_key(x) -%}{{ x }}{%- endmacro %}

{# a sub-query: the distinct values of columns, which are few #}
{% macro sql_distinct(columns, source) -%}{{ return(adapter.dispatch('sql_distinct', 'sqlmetrics')(columns, source)) }}{%- endmacro %}
{% macro default__sql_distinct(columns, source) -%}(select distinct {{ columns }} from {{ source }}){%- endmacro %}

{# what ends a window with an order that reads down to the last of tied rows: nothing, which stands for a frame of values #}
{% macro sql_with_ties() -%}{{ return(adapter.dispatch('sql_with_ties', 'sqlmetrics')()) }}{%- endmacro %}
{% macro default__sql_with_ties() -%}{%- endmacro %}

{# what follows `as` in a CTE that is cheaper to read again than to store #}
{% macro sql_cte_inline() -%}{{ return(adapter.dispatch('sql_cte_inline', 'sqlmetrics')()) }}{%- endmacro %}
{% macro default__sql_cte_inline() -%}{%- endmacro %}

{# what follows `as` in a CTE that is to be read only once #}
{% macro sql_cte_materialized() -%}{{ return(adapter.dispatch('sql_cte_materialized', 'sqlmetrics')()) }}{%- endmacro %}
{% macro default__sql_cte_materialized() -%}{%- endmacro %}

{# what follows `as` in a CTE that several stages read, where the engine would else make it anew for each #}
{% macro sql_cte_shared() -%}{{ return(adapter.dispatch('sql_cte_shared', 'sqlmetrics')()) }}{%- endmacro %}
{% macro default__sql_cte_shared() -%}{%- endmacro %}

{# a value as text: what a message proposes for values that cannot be compared #}
{% macro sql_string(x) -%}{{ return(adapter.dispatch('sql_string', 'sqlmetrics')(x)) }}{%- endmacro %}
{% macro default__sql_string(x) -%}cast({{ x }} as varchar){%- endmacro %}

{# a text as a float, NULL where it is none if the engine can say so: what a message proposes for a column of text #}
{% macro sql_lenient_double(x) -%}{{ return(adapter.dispatch('sql_lenient_double', 'sqlmetrics')(x)) }}{%- endmacro %}
{% macro default__sql_lenient_double(x) -%}{{ sqlmetrics.sql_double(x) }}{%- endmacro %}

{# a value as text that is ordered by its bytes, whatever the collation of its column #}
{% macro sql_bytes(x) -%}{{ return(adapter.dispatch('sql_bytes', 'sqlmetrics')(x)) }}{%- endmacro %}
{% macro default__sql_bytes(x) -%}{{ sqlmetrics.sql_string(x) }}{%- endmacro %}

{# the remainder of integers that are not negative, the first of 64 bits #}
{% macro sql_remainder(x, y) -%}{{ return(adapter.dispatch('sql_remainder', 'sqlmetrics')(x, y)) }}{%- endmacro %}
{% macro default__sql_remainder(x, y) -%}mod({{ x }}, {{ y }}){%- endmacro %}

{# what stands at the end of a statement #}
{% macro sql_tail() -%}{{ return(adapter.dispatch('sql_tail', 'sqlmetrics')()) }}{%- endmacro %}
{% macro default__sql_tail() -%}{%- endmacro %}

{# a sub-query of one column, sm_position: 1, 2, ... up to `upper`, a number or a sub-query of one value, sm_longest #}
{% macro sql_positions(upper) -%}{{ return(adapter.dispatch('sql_positions', 'sqlmetrics')(upper)) }}{%- endmacro %}
{% macro default__sql_positions(upper) -%}
(
        with recursive sm_counter (sm_position) as (
            select 1
            union all
            select sm_position + 1 from sm_counter where sm_position < {{ upper }}
        )
        select sm_position from sm_counter
    )
{%- endmacro %}

{# whether the stages inside a stage find those before it #}
{% macro sql_sees_outer_stages() -%}{{ return(adapter.dispatch('sql_sees_outer_stages', 'sqlmetrics')()) }}{%- endmacro %}
{% macro default__sql_sees_outer_stages() -%}{%- do return(true) -%}{%- endmacro %}

{# whether rows are spread over machines, so that a window without a partition would take all of them to one #}
{% macro sql_distributed() -%}{{ return(adapter.dispatch('sql_distributed', 'sqlmetrics')()) }}{%- endmacro %}
{% macro default__sql_distributed() -%}{%- do return(false) -%}{%- endmacro %}

{# whether rows sort in less time than they are grouped, and a stage can be kept #}
{% macro sql_sorts_cheaply() -%}{{ return(adapter.dispatch('sql_sorts_cheaply', 'sqlmetrics')()) }}{%- endmacro %}
{% macro default__sql_sorts_cheaply() -%}{%- do return(false) -%}{%- endmacro %}

{# one short key in place of several columns, in a select that is grouped by them #}
{% macro sql_list_key(columns) -%}{{ return(adapter.dispatch('sql_list_key', 'sqlmetrics')(columns)) }}{%- endmacro %}
{% macro default__sql_list_key(columns) -%}
{{ sqlmetrics.sql_short_integer('row_number() over (order by ' ~ columns | join(' asc, ') ~ ' asc)') }}
{%- endmacro %}

{# an identifier, quoted #}
{% macro sql_quote(name) -%}{{ return(adapter.dispatch('sql_quote', 'sqlmetrics')(name)) }}{%- endmacro %}
{% macro default__sql_quote(name) -%}"{{ name | replace('"', '""') }}"{%- endmacro %}

{# what the engine makes of a name that is written without quotes, where that is another name #}
{% macro sql_fold(name) -%}{{ return(adapter.dispatch('sql_fold', 'sqlmetrics')(name)) }}{%- endmacro %}
{% macro default__sql_fold(name) -%}{{ name }}{%- endmacro %}

{# the name of a result column, quoted, in the case that a name without quotes has #}
{% macro sql_result(name) -%}{{ return(adapter.dispatch('sql_result', 'sqlmetrics')(name)) }}{%- endmacro %}
{% macro default__sql_result(name) -%}{{ sqlmetrics.sql_quote(sqlmetrics.sql_fold(name)) }}{%- endmacro %}

{# a column of text, of which two values are equal only if they are the same #}
{% macro sql_exact(x) -%}{{ return(adapter.dispatch('sql_exact', 'sqlmetrics')(x)) }}{%- endmacro %}
{% macro default__sql_exact(x) -%}{{ x }}{%- endmacro %}

{# a text literal #}
{% macro sql_text(value) -%}{{ return(adapter.dispatch('sql_text', 'sqlmetrics')(value)) }}{%- endmacro %}
{% macro default__sql_text(value) -%}'{{ value | string | replace("'", "''") }}'{%- endmacro %}

{# a query with the columns of a relation and none of its rows #}
{% macro sql_no_rows(relation) -%}{{ return(adapter.dispatch('sql_no_rows', 'sqlmetrics')(relation)) }}{%- endmacro %}
{% macro default__sql_no_rows(relation) -%}select * from {{ sqlmetrics.from_item(relation) }} where 1 = 0{%- endmacro %}

{# a query of one row: the types of columns; nothing where drivers tell them with a result that has no row #}
{% macro sql_types(relation, names) -%}{{ return(adapter.dispatch('sql_types', 'sqlmetrics')(relation, names)) }}{%- endmacro %}
{% macro default__sql_types(relation, names) -%}{%- endmacro %}

{# sets, undoes to or drops a savepoint, so that a refused statement does not break the transaction it is in; nothing where it would not #}
{% macro sql_savepoint(step) -%}{{ return(adapter.dispatch('sql_savepoint', 'sqlmetrics')(step)) }}{%- endmacro %}
{% macro default__sql_savepoint(step) -%}{%- endmacro %}
