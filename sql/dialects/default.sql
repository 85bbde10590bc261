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
{% macro sm_double(x) -%}{{ return(adapter.dispatch('sm_double', 'sqlmetrics')(x)) }}{%- endmacro %}
{% macro default__sm_double(x) -%}cast({{ x }} as {{ sqlmetrics.sm_double_type() }}){%- endmacro %}

{# the name of the 64-bit float #}
{% macro sm_double_type() -%}{{ return(adapter.dispatch('sm_double_type', 'sqlmetrics')()) }}{%- endmacro %}
{% macro default__sm_double_type() -%}double precision{%- endmacro %}

{# cast to a 64-bit integer #}
{% macro sm_integer(x) -%}{{ return(adapter.dispatch('sm_integer', 'sqlmetrics')(x)) }}{%- endmacro %}
{% macro default__sm_integer(x) -%}cast({{ x }} as bigint){%- endmacro %}

{# cast to an integer of 32 bits: a short key sorts faster #}
{% macro sm_short_integer(x) -%}{{ return(adapter.dispatch('sm_short_integer', 'sqlmetrics')(x)) }}{%- endmacro %}
{% macro default__sm_short_integer(x) -%}cast({{ x }} as integer){%- endmacro %}

{# an integer from 0 to 100, in one byte where the engine has such: sorts cost by the bytes of their rows #}
{% macro sm_byte(x) -%}{{ return(adapter.dispatch('sm_byte', 'sqlmetrics')(x)) }}{%- endmacro %}
{% macro default__sm_byte(x) -%}{{ x }}{%- endmacro %}

{# a label of any type, booleans included, as a 64-bit float #}
{% macro sm_label(x) -%}{{ return(adapter.dispatch('sm_label', 'sqlmetrics')(x)) }}{%- endmacro %}
{% macro default__sm_label(x) -%}{{ sqlmetrics.sm_double(x) }}{%- endmacro %}

{# true when a float is neither NULL, NaN nor infinite #}
{% macro sm_finite(x) -%}{{ return(adapter.dispatch('sm_finite', 'sqlmetrics')(x)) }}{%- endmacro %}
{% macro default__sm_finite(x) -%}
(coalesce({{ x }} between -1.7976931348623157e308 and 1.7976931348623157e308, false))
{%- endmacro %}

{# true where a value of any type is NULL or, in a float, NaN #}
{% macro sm_no_value(x) -%}{{ return(adapter.dispatch('sm_no_value', 'sqlmetrics')(x)) }}{%- endmacro %}
{% macro default__sm_no_value(x) -%}({{ x }} is null or {{ x }} <> {{ x }}){%- endmacro %}

{# natural logarithm of a positive float #}
{% macro sm_ln(x) -%}{{ return(adapter.dispatch('sm_ln', 'sqlmetrics')(x)) }}{%- endmacro %}
{% macro default__sm_ln(x) -%}ln({{ x }}){%- endmacro %}

{# logarithm to base 2 of a positive float #}
{% macro sm_log2(x) -%}{{ return(adapter.dispatch('sm_log2', 'sqlmetrics')(x)) }}{%- endmacro %}
{% macro default__sm_log2(x) -%}(ln({{ x }}) / ln({{ sqlmetrics.sm_double('2') }})){%- endmacro %}

{# e to the power of a float that is not NULL; 0, or next to it, where that is too small for a float #}
{% macro sm_exp(x) -%}{{ return(adapter.dispatch('sm_exp', 'sqlmetrics')(x)) }}{%- endmacro %}
{% macro default__sm_exp(x) -%}exp({{ x }}){%- endmacro %}

{# a positive float to the power of a float #}
{% macro sm_power(x, y) -%}{{ return(adapter.dispatch('sm_power', 'sqlmetrics')(x, y)) }}{%- endmacro %}
{% macro default__sm_power(x, y) -%}power({{ sqlmetrics.sm_double(x) }}, {{ y }}){%- endmacro %}

{# 2 to the power of a float #}
{% macro sm_power_of_2(x) -%}{{ return(adapter.dispatch('sm_power_of_2', 'sqlmetrics')(x)) }}{%- endmacro %}
{% macro default__sm_power_of_2(x) -%}power({{ sqlmetrics.sm_double('2') }}, {{ x }}){%- endmacro %}

{# equality that takes two NULLs as equal, in a form that the engine can hash #}
{% macro sm_same(a, b) -%}{{ return(adapter.dispatch('sm_same', 'sqlmetrics')(a, b)) }}{%- endmacro %}
{% macro default__sm_same(a, b) -%}({{ a }} is not distinct from {{ b }}){%- endmacro %}

{# sum, min or max, NULL over nothing, or count #}
{% macro sm_aggregate(function, x) -%}{{ return(adapter.dispatch('sm_aggregate', 'sqlmetrics')(function, x)) }}{%- endmacro %}
{% macro default__sm_aggregate(function, x) -%}{{ function }}({{ x }}){%- endmacro %}

{# a select-list entry: a column of a stage, under its own name #}
{% macro sm_column(column) -%}{{ return(adapter.dispatch('sm_column', 'sqlmetrics')(column)) }}{%- endmacro %}
{% macro default__sm_column(column) -%}{{ column }}{%- endmacro %}

{# an expression that is to be NULL where a left join finds no row #}
{% macro sm_nullable(x) -%}{{ return(adapter.dispatch('sm_nullable', 'sqlmetrics')(x)) }}{%- endmacro %}
{% macro default__sm_nullable(x) -%}{{ x }}{%- endmacro %}

{# a float as a key of `partition by` #}
{% macro sm_partition_key(x) -%}{{ return(adapter.dispatch('sm_partition_key', 'sqlmetrics')(x)) }}{%- endmacro %}
{% macro default__sm_partition_key(x) -%}{{ x }}{%- endmacro %}

{# a sub-query: the distinct values of columns, which are few #}
{% macro sm_distinct(columns, source) -%}{{ return(adapter.dispatch('sm_distinct', 'sqlmetrics')(columns, source)) }}{%- endmacro %}
{% macro default__sm_distinct(columns, source) -%}(select distinct {{ columns }} from {{ source }}){%- endmacro %}

{# what ends a window with an order that reads down to the last of tied rows: nothing, which stands for a frame of values #}
{% macro sm_with_ties() -%}{{ return(adapter.dispatch('sm_with_ties', 'sqlmetrics')()) }}{%- endmacro %}
{% macro default__sm_with_ties() -%}{%- endmacro %}

{# what follows `as` in a CTE that is cheaper to read again than to store #}
{% macro sm_read_again() -%}{{ return(adapter.dispatch('sm_read_again', 'sqlmetrics')()) }}{%- endmacro %}
{% macro default__sm_read_again() -%}{%- endmacro %}

{# what follows `as` in a CTE that is to be read only once #}
{% macro sm_keep() -%}{{ return(adapter.dispatch('sm_keep', 'sqlmetrics')()) }}{%- endmacro %}
{% macro default__sm_keep() -%}{%- endmacro %}

{# what follows `as` in a CTE that several stages read, where the engine would else make it anew for each #}
{% macro sm_once() -%}{{ return(adapter.dispatch('sm_once', 'sqlmetrics')()) }}{%- endmacro %}
{% macro default__sm_once() -%}{%- endmacro %}

{# a value as text: what a message proposes for values that cannot be compared #}
{% macro sm_string(x) -%}{{ return(adapter.dispatch('sm_string', 'sqlmetrics')(x)) }}{%- endmacro %}
{% macro default__sm_string(x) -%}cast({{ x }} as varchar){%- endmacro %}

{# a text as a float, NULL where it is none if the engine can say so: what a message proposes for a column of text #}
{% macro sm_lenient_double(x) -%}{{ return(adapter.dispatch('sm_lenient_double', 'sqlmetrics')(x)) }}{%- endmacro %}
{% macro default__sm_lenient_double(x) -%}{{ sqlmetrics.sm_double(x) }}{%- endmacro %}

{# a value as text that is ordered by its bytes, whatever the collation of its column #}
{% macro sm_bytes(x) -%}{{ return(adapter.dispatch('sm_bytes', 'sqlmetrics')(x)) }}{%- endmacro %}
{% macro default__sm_bytes(x) -%}{{ sqlmetrics.sm_string(x) }}{%- endmacro %}

{# the remainder of integers that are not negative, the first of 64 bits #}
{% macro sm_remainder(x, y) -%}{{ return(adapter.dispatch('sm_remainder', 'sqlmetrics')(x, y)) }}{%- endmacro %}
{% macro default__sm_remainder(x, y) -%}mod({{ x }}, {{ y }}){%- endmacro %}

{# what stands at the end of a statement #}
{% macro sm_tail() -%}{{ return(adapter.dispatch('sm_tail', 'sqlmetrics')()) }}{%- endmacro %}
{% macro default__sm_tail() -%}{%- endmacro %}

{# a sub-query of one column, sm_position: 1, 2, ... up to `upper`, a number or a sub-query of one value, sm_longest #}
{% macro sm_positions(upper) -%}{{ return(adapter.dispatch('sm_positions', 'sqlmetrics')(upper)) }}{%- endmacro %}
{% macro default__sm_positions(upper) -%}
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
{% macro sm_sees_outer_stages() -%}{{ return(adapter.dispatch('sm_sees_outer_stages', 'sqlmetrics')()) }}{%- endmacro %}
{% macro default__sm_sees_outer_stages() -%}{%- do return(true) -%}{%- endmacro %}

{# whether rows are spread over machines, so that a window without a partition would take all of them to one #}
{% macro sm_distributed() -%}{{ return(adapter.dispatch('sm_distributed', 'sqlmetrics')()) }}{%- endmacro %}
{% macro default__sm_distributed() -%}{%- do return(false) -%}{%- endmacro %}

{# whether rows sort in less time than they are grouped, and a stage can be kept #}
{% macro sm_sorts_cheaply() -%}{{ return(adapter.dispatch('sm_sorts_cheaply', 'sqlmetrics')()) }}{%- endmacro %}
{% macro default__sm_sorts_cheaply() -%}{%- do return(false) -%}{%- endmacro %}

{# one short key in place of several columns, in a select that is grouped by them #}
{% macro sm_list_key(columns) -%}{{ return(adapter.dispatch('sm_list_key', 'sqlmetrics')(columns)) }}{%- endmacro %}
{% macro default__sm_list_key(columns) -%}
{{ sqlmetrics.sm_short_integer('row_number() over (order by ' ~ columns | join(' asc, ') ~ ' asc)') }}
{%- endmacro %}

{# an identifier, quoted #}
{% macro sm_quote(name) -%}{{ return(adapter.dispatch('sm_quote', 'sqlmetrics')(name)) }}{%- endmacro %}
{% macro default__sm_quote(name) -%}"{{ name | replace('"', '""') }}"{%- endmacro %}

{# what the engine makes of a name that is written without quotes, where that is another name #}
{% macro sm_fold(name) -%}{{ return(adapter.dispatch('sm_fold', 'sqlmetrics')(name)) }}{%- endmacro %}
{% macro default__sm_fold(name) -%}{{ name }}{%- endmacro %}

{# the name of a result column, quoted, in the case that a name without quotes has #}
{% macro sm_result(name) -%}{{ return(adapter.dispatch('sm_result', 'sqlmetrics')(name)) }}{%- endmacro %}
{% macro default__sm_result(name) -%}{{ sqlmetrics.sm_quote(sqlmetrics.sm_fold(name)) }}{%- endmacro %}

{# a column of text, of which two values are equal only if they are the same #}
{% macro sm_exact(x) -%}{{ return(adapter.dispatch('sm_exact', 'sqlmetrics')(x)) }}{%- endmacro %}
{% macro default__sm_exact(x) -%}{{ x }}{%- endmacro %}

{# a text literal #}
{% macro sm_text(value) -%}{{ return(adapter.dispatch('sm_text', 'sqlmetrics')(value)) }}{%- endmacro %}
{% macro default__sm_text(value) -%}'{{ value | string | replace("'", "''") }}'{%- endmacro %}

{# a query with the columns of a relation and none of its rows #}
{% macro sm_no_rows(relation) -%}{{ return(adapter.dispatch('sm_no_rows', 'sqlmetrics')(relation)) }}{%- endmacro %}
{% macro default__sm_no_rows(relation) -%}select * from {{ sqlmetrics.source(relation) }} where 1 = 0{%- endmacro %}

{# a query of one row: the types of columns; nothing where drivers tell them with a result that has no row #}
{% macro sm_types(relation, names) -%}{{ return(adapter.dispatch('sm_types', 'sqlmetrics')(relation, names)) }}{%- endmacro %}
{% macro default__sm_types(relation, names) -%}{%- endmacro %}

{# sets, undoes to or drops a savepoint, so that a refused statement does not break the transaction it is in; nothing where it would not #}
{% macro sm_savepoint(step) -%}{{ return(adapter.dispatch('sm_savepoint', 'sqlmetrics')(step)) }}{%- endmacro %}
{% macro default__sm_savepoint(step) -%}{%- endmacro %}
