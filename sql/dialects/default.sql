{#
  Primitives: the small pieces of SQL that engines spell differently, in standard SQL.

  `sql_x` dispatches to `<dialect>__sql_x`, otherwise to the parent dialect (named by `<dialect>__sql_parent`,
  as in dbt), otherwise to `default__sql_x`. Each result is in brackets or is a function call. A primitive
  that a dialect cannot express is rejected with `cannot_say`.
#}

{# Rejects a primitive that a dialect cannot express, with its name and the reason. #}
{% macro cannot_say(dialect, what, reason) -%}
    {{ exceptions.raise_compiler_error(dialect ~ ' cannot say ' ~ what ~ ': ' ~ reason) }}
{%- endmacro %}

{#
  The name of the dialect. The primitives below are no dialect: engines differ in almost any, so what is not known is
  rejected. A macro <adapter>__sql_dialect in the user's dbt project makes another adapter known.
#}
{% macro sql_dialect() -%}{{ return(adapter.dispatch('sql_dialect', 'sqlmetrics')()) }}{%- endmacro %}
{% macro default__sql_dialect() -%}
    {%- set known = [] -%}
    {%- for macro in sqlmetrics if macro.endswith('__sql_dialect') -%}
        {%- do known.append(macro.split('__')[0]) -%}
    {%- endfor -%}
    {{ exceptions.raise_compiler_error(
        "sqlmetrics has no dialect for the adapter '" ~ adapter.type() ~ "'. Known: "
        ~ known | reject('equalto', 'default') | sort | join(', ') ~ ". For another engine write the macro "
        ~ adapter.type() ~ "__sql_dialect and the primitives that it needs in your project, see docs/dbt.md"
    ) }}
{%- endmacro %}

{# Cast to a 64-bit float. #}
{% macro sql_double(x) -%}{{ return(adapter.dispatch('sql_double', 'sqlmetrics')(x)) }}{%- endmacro %}
{% macro default__sql_double(x) -%}cast({{ x }} as {{ sqlmetrics.sql_double_type() }}){%- endmacro %}

{# The name of the 64-bit float. #}
{% macro sql_double_type() -%}{{ return(adapter.dispatch('sql_double_type', 'sqlmetrics')()) }}{%- endmacro %}
{% macro default__sql_double_type() -%}double precision{%- endmacro %}

{# Cast to a 64-bit integer. #}
{% macro sql_integer(x) -%}{{ return(adapter.dispatch('sql_integer', 'sqlmetrics')(x)) }}{%- endmacro %}
{% macro default__sql_integer(x) -%}cast({{ x }} as bigint){%- endmacro %}

{# Cast to a 32-bit integer: short keys sort faster. #}
{% macro sql_short_integer(x) -%}{{ return(adapter.dispatch('sql_short_integer', 'sqlmetrics')(x)) }}{%- endmacro %}
{% macro default__sql_short_integer(x) -%}cast({{ x }} as integer){%- endmacro %}

{#
  An integer from 0 to 100 in one byte, if the engine has such a type: the cost of a sort grows with the bytes
  of its rows.
#}
{% macro sql_byte(x) -%}{{ return(adapter.dispatch('sql_byte', 'sqlmetrics')(x)) }}{%- endmacro %}
{% macro default__sql_byte(x) -%}{{ x }}{%- endmacro %}

{# A label of any type, booleans included, as a 64-bit float. #}
{% macro sql_label(x) -%}{{ return(adapter.dispatch('sql_label', 'sqlmetrics')(x)) }}{%- endmacro %}
{% macro default__sql_label(x) -%}{{ sqlmetrics.sql_double(x) }}{%- endmacro %}

{# A score, or another number by which rows are sorted or grouped, as a 64-bit float; its two zeros are one. #}
{% macro sql_score(x) -%}{{ return(adapter.dispatch('sql_score', 'sqlmetrics')(x)) }}{%- endmacro %}
{% macro default__sql_score(x) -%}{{ sqlmetrics.sql_double(x) }}{%- endmacro %}

{# True if a float is neither NULL, NaN nor infinite. #}
{% macro sql_finite(x) -%}{{ return(adapter.dispatch('sql_finite', 'sqlmetrics')(x)) }}{%- endmacro %}
{% macro default__sql_finite(x) -%}
(coalesce({{ x }} between -1.7976931348623157e308 and 1.7976931348623157e308, false))
{%- endmacro %}

{# True if a float has a place in an order: it is finite, or minus infinity, which is below all others. #}
{% macro sql_ordered(x) -%}{{ return(adapter.dispatch('sql_ordered', 'sqlmetrics')(x)) }}{%- endmacro %}
{% macro default__sql_ordered(x) -%}(coalesce({{ x }} <= 1.7976931348623157e308, false)){%- endmacro %}

{#
  A value of any type as a 64-bit float if its type has fractions, else NULL: a text or an integer is NULL, 1.0 is 1.
  Where the type of a value is unknown, all are NULL.
#}
{% macro sql_float_of(x) -%}{{ return(adapter.dispatch('sql_float_of', 'sqlmetrics')(x)) }}{%- endmacro %}
{% macro default__sql_float_of(x) -%}{{ sqlmetrics.sql_double('null') }}{%- endmacro %}

{# True if a value of any type is NULL, or a float is NaN or infinite. #}
{% macro sql_no_value(x) -%}{{ return(adapter.dispatch('sql_no_value', 'sqlmetrics')(x)) }}{%- endmacro %}
{% macro default__sql_no_value(x) -%}
({{ x }} is null or not {{ sqlmetrics.sql_finite('coalesce(' ~ sqlmetrics.sql_float_of(x) ~ ', 0)') }})
{%- endmacro %}

{# The quotient of two numbers as a float, NULL if the second is 0. Two integers would often be divided as integers. #}
{% macro sql_ratio(x, y) -%}{{ return(adapter.dispatch('sql_ratio', 'sqlmetrics')(x, y)) }}{%- endmacro %}
{% macro default__sql_ratio(x, y) -%}({{ sqlmetrics.sql_double(x) }} / nullif({{ y }}, 0)){%- endmacro %}

{# Natural logarithm of a positive float. #}
{% macro sql_ln(x) -%}{{ return(adapter.dispatch('sql_ln', 'sqlmetrics')(x)) }}{%- endmacro %}
{% macro default__sql_ln(x) -%}ln({{ x }}){%- endmacro %}

{# Logarithm to base 2 of a positive float. #}
{% macro sql_log2(x) -%}{{ return(adapter.dispatch('sql_log2', 'sqlmetrics')(x)) }}{%- endmacro %}
{% macro default__sql_log2(x) -%}(ln({{ x }}) / ln({{ sqlmetrics.sql_double('2') }})){%- endmacro %}

{# e to the power of a float that is not NULL; 0, or almost 0, if the result is too small for a float. #}
{% macro sql_exp(x) -%}{{ return(adapter.dispatch('sql_exp', 'sqlmetrics')(x)) }}{%- endmacro %}
{% macro default__sql_exp(x) -%}exp({{ x }}){%- endmacro %}

{# The greatest of several values, none of which is NULL. #}
{% macro sql_greatest(values) -%}{{ return(adapter.dispatch('sql_greatest', 'sqlmetrics')(values)) }}{%- endmacro %}
{% macro default__sql_greatest(values) -%}greatest({{ values | join(', ') }}){%- endmacro %}

{#
  The sum of one term over a list of mappings from names to numbers; {name} in the term stands for the number. A term
  may be a sum itself.
#}
{% macro sql_sum(term, nodes) -%}{{ return(adapter.dispatch('sql_sum', 'sqlmetrics')(term, nodes)) }}{%- endmacro %}
{% macro default__sql_sum(term, nodes) -%}
    {%- set terms = [] -%}
    {%- for node in nodes -%}
        {%- set at = namespace(term=term) -%}
        {%- for name, number in node.items() -%}
            {%- set at.term = at.term | replace('{' ~ name ~ '}', number | string) -%}
        {%- endfor -%}
        {%- do terms.append(at.term) -%}
    {%- endfor -%}
    ({{ terms | join(' + ') }})
{%- endmacro %}

{# A factor of a product, in brackets. It is rounded to 0 near 0 where a product too small for a float is an error. #}
{% macro sql_factor(x) -%}{{ return(adapter.dispatch('sql_factor', 'sqlmetrics')(x)) }}{%- endmacro %}
{% macro default__sql_factor(x) -%}{{ x }}{%- endmacro %}

{# A positive float to the power of a float. #}
{% macro sql_power(x, y) -%}{{ return(adapter.dispatch('sql_power', 'sqlmetrics')(x, y)) }}{%- endmacro %}
{% macro default__sql_power(x, y) -%}power({{ sqlmetrics.sql_double(x) }}, {{ y }}){%- endmacro %}

{# 2 to the power of a float. #}
{% macro sql_power_of_2(x) -%}{{ return(adapter.dispatch('sql_power_of_2', 'sqlmetrics')(x)) }}{%- endmacro %}
{% macro default__sql_power_of_2(x) -%}power({{ sqlmetrics.sql_double('2') }}, {{ x }}){%- endmacro %}

{# Equality that treats two NULLs as equal, in a form that the engine can hash. #}
{% macro sql_same(a, b) -%}{{ return(adapter.dispatch('sql_same', 'sqlmetrics')(a, b)) }}{%- endmacro %}
{% macro default__sql_same(a, b) -%}({{ a }} is not distinct from {{ b }}){%- endmacro %}

{# An aggregate: sum, min and max, which are NULL over no rows, or count. #}
{% macro sql_aggregate(function, x) -%}
    {{ return(adapter.dispatch('sql_aggregate', 'sqlmetrics')(function, x)) }}
{%- endmacro %}
{% macro default__sql_aggregate(function, x) -%}{{ function }}({{ x }}){%- endmacro %}

{# A select-list entry: a column of a stage under its own name. #}
{% macro sql_column(column) -%}{{ return(adapter.dispatch('sql_column', 'sqlmetrics')(column)) }}{%- endmacro %}
{% macro default__sql_column(column) -%}{{ column }}{%- endmacro %}

{# All columns of a stage in a join, select-list entries; `columns` are their names. #}
{% macro sql_all_columns(stage, columns) -%}
    {{ return(adapter.dispatch('sql_all_columns', 'sqlmetrics')(stage, columns)) }}
{%- endmacro %}
{% macro default__sql_all_columns(stage, columns) -%}{%- do return([stage ~ '.*']) -%}{%- endmacro %}

{# An expression that must be NULL if a left join finds no row. #}
{% macro sql_nullable(x) -%}{{ return(adapter.dispatch('sql_nullable', 'sqlmetrics')(x)) }}{%- endmacro %}
{% macro default__sql_nullable(x) -%}{{ x }}{%- endmacro %}

{# A float as a key of `partition by`. #}
{% macro sql_partition_key(x) -%}{{ return(adapter.dispatch('sql_partition_key', 'sqlmetrics')(x)) }}{%- endmacro %}
{% macro default__sql_partition_key(x) -%}{{ x }}{%- endmacro %}

{# A sub-query: the distinct values of columns that have few. #}
{% macro sql_distinct(columns, source) -%}
    {{ return(adapter.dispatch('sql_distinct', 'sqlmetrics')(columns, source)) }}
{%- endmacro %}
{% macro default__sql_distinct(columns, source) -%}(select distinct {{ columns }} from {{ source }}){%- endmacro %}

{#
  The end of an ordered window that reads down to the last of the tied rows: empty, because the default frame
  does.
#}
{% macro sql_with_ties() -%}{{ return(adapter.dispatch('sql_with_ties', 'sqlmetrics')()) }}{%- endmacro %}
{% macro default__sql_with_ties() -%}{%- endmacro %}

{# Whether a window can add up rows down to the last of those that tie. #}
{% macro sql_sums_with_ties() -%}{{ return(adapter.dispatch('sql_sums_with_ties', 'sqlmetrics')()) }}{%- endmacro %}
{% macro default__sql_sums_with_ties() -%}{%- do return(true) -%}{%- endmacro %}

{# The words after `as` in a CTE that is cheaper to read again than to store. #}
{% macro sql_cte_inline() -%}{{ return(adapter.dispatch('sql_cte_inline', 'sqlmetrics')()) }}{%- endmacro %}
{% macro default__sql_cte_inline() -%}{%- endmacro %}

{# The words after `as` in a CTE that must be read only once. #}
{% macro sql_cte_materialized() -%}{{ return(adapter.dispatch('sql_cte_materialized', 'sqlmetrics')()) }}{%- endmacro %}
{% macro default__sql_cte_materialized() -%}{%- endmacro %}

{#
  The words after `as` in a CTE with several readers, for engines that would otherwise compute it for each.
#}
{% macro sql_cte_shared() -%}{{ return(adapter.dispatch('sql_cte_shared', 'sqlmetrics')()) }}{%- endmacro %}
{% macro default__sql_cte_shared() -%}{%- endmacro %}

{# The word before the stages of a statement. #}
{% macro sql_with() -%}{{ return(adapter.dispatch('sql_with', 'sqlmetrics')()) }}{%- endmacro %}
{% macro default__sql_with() -%}with{%- endmacro %}

{#
  The end of a costly stage of several readers, for an engine without a word after `as` that has it computed once; it
  begins a line.
#}
{% macro sql_once(stage) -%}{{ return(adapter.dispatch('sql_once', 'sqlmetrics')(stage)) }}{%- endmacro %}
{% macro default__sql_once(stage) -%}{%- endmacro %}

{# A value as text: the cast that a message suggests for values that cannot be compared. #}
{% macro sql_string(x) -%}{{ return(adapter.dispatch('sql_string', 'sqlmetrics')(x)) }}{%- endmacro %}
{% macro default__sql_string(x) -%}cast({{ x }} as varchar){%- endmacro %}

{# A value as text. The two zeros of a float are one number, but some engines write -0.0 as -0. #}
{% macro sql_value_text(x) -%}{{ return(adapter.dispatch('sql_value_text', 'sqlmetrics')(x)) }}{%- endmacro %}
{% macro default__sql_value_text(x) -%}{{ sqlmetrics.sql_string(x) }}{%- endmacro %}

{# A number as the shortest text that is this number if it is read again: 8 of 8.0, too. #}
{% macro sql_string_of_end(x) -%}
    {{ return(adapter.dispatch('sql_string_of_end', 'sqlmetrics')(x)) }}
{%- endmacro %}
{% macro default__sql_string_of_end(x) -%}{{ sqlmetrics.sql_string(x) }}{%- endmacro %}

{#
  A text as a float, or NULL for a text that is no number: the cast that a message proposes for a text column. A cast
  that took 'n/a' for 0 would be a wrong number.
#}
{% macro sql_lenient_double(x) -%}{{ return(adapter.dispatch('sql_lenient_double', 'sqlmetrics')(x)) }}{%- endmacro %}
{% macro default__sql_lenient_double(x) -%}try_cast({{ x }} as {{ sqlmetrics.sql_double_type() }}){%- endmacro %}

{# A text such as true as a boolean. #}
{% macro sql_boolean(x) -%}{{ return(adapter.dispatch('sql_boolean', 'sqlmetrics')(x)) }}{%- endmacro %}
{% macro default__sql_boolean(x) -%}cast({{ x }} as boolean){%- endmacro %}

{# The time zone of the session as text; empty if the engine cannot say it, or has none. #}
{% macro sql_zone() -%}{{ return(adapter.dispatch('sql_zone', 'sqlmetrics')()) }}{%- endmacro %}
{% macro default__sql_zone() -%}{%- endmacro %}

{# Behind a relation: a row for each item of a list, with its place; empty where an engine has no such list. #}
{% macro sql_each_item(x) -%}{{ return(adapter.dispatch('sql_each_item', 'sqlmetrics')(x)) }}{%- endmacro %}
{% macro default__sql_each_item(x) -%}
cross join unnest({{ x }}) with ordinality as items (item, place)
{%- endmacro %}

{# A value as text that sorts by its bytes, whatever the collation of its column. #}
{% macro sql_bytes(x) -%}{{ return(adapter.dispatch('sql_bytes', 'sqlmetrics')(x)) }}{%- endmacro %}
{% macro default__sql_bytes(x) -%}{{ sqlmetrics.sql_string(x) }}{%- endmacro %}

{# Texts one after another, each a text that is not NULL. #}
{% macro sql_joined(texts) -%}{{ return(adapter.dispatch('sql_joined', 'sqlmetrics')(texts)) }}{%- endmacro %}
{% macro default__sql_joined(texts) -%}({{ texts | join(' || ') }}){%- endmacro %}

{# The day of a date or timestamp, the Monday of its week, or its month, as a text such as 2026-06-29 or 2026-06. #}
{% macro sql_date_text(x, part) -%}
    {{ return(adapter.dispatch('sql_date_text', 'sqlmetrics')(x, part)) }}
{%- endmacro %}
{% macro default__sql_date_text(x, part) -%}
{%- set text = sqlmetrics.sql_string("cast(date_trunc('" ~ part ~ "', cast(" ~ x ~ " as timestamp)) as date)") -%}
substr({{ text }}, 1, {{ 7 if part == 'month' else 10 }})
{%- endmacro %}

{# Refuses find_slices where an engine gives another result. #}
{% macro sql_check_search() -%}{{ return(adapter.dispatch('sql_check_search', 'sqlmetrics')()) }}{%- endmacro %}
{% macro default__sql_check_search() -%}{%- endmacro %}

{# True if the engine has `sql_quantile` as an aggregate. #}
{% macro sql_has_quantiles() -%}{{ return(adapter.dispatch('sql_has_quantiles', 'sqlmetrics')()) }}{%- endmacro %}
{% macro default__sql_has_quantiles() -%}{%- do return(false) -%}{%- endmacro %}

{#
  An aggregate: the least value that at least `part` of `parts` of the values do not exceed. If the engine has none, it
  reads sm_share, the share of the values down to a value. The share that is asked for is a little lower, because the
  product of a share and a count is rounded.
#}
{% macro sql_quantile(x, part, parts) -%}
    {{ return(adapter.dispatch('sql_quantile', 'sqlmetrics')(x, part, parts)) }}
{%- endmacro %}
{% macro default__sql_quantile(x, part, parts) -%}
min(case when sm_share >= {{ part / parts * (1 - 1e-12) }} then {{ x }} end)
{%- endmacro %}

{# The remainder of non-negative integers, the first of 64 bits. #}
{% macro sql_remainder(x, y) -%}{{ return(adapter.dispatch('sql_remainder', 'sqlmetrics')(x, y)) }}{%- endmacro %}
{% macro default__sql_remainder(x, y) -%}mod({{ x }}, {{ y }}){%- endmacro %}

{# The end of a statement. #}
{% macro sql_tail() -%}{{ return(adapter.dispatch('sql_tail', 'sqlmetrics')()) }}{%- endmacro %}
{% macro default__sql_tail() -%}{%- endmacro %}

{#
  A sub-query of one column, sm_position: 1, 2, ... up to `upper`, a number or a sub-query of one value,
  sm_longest.
#}
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

{#
  How a row of each of several columns is made.

  Returns: a mapping
    packed: the columns that the source has in their place; one, if the engine goes through the elements of an array
    join: the join with the source
    position: the number of a column, from 1 on
    value: its value. Where there is no array it is searched by its number, in as many steps as the number has bits
#}
{% macro sql_unpivot(columns) -%}{{ return(adapter.dispatch('sql_unpivot', 'sqlmetrics')(columns)) }}{%- endmacro %}
{% macro default__sql_unpivot(columns) -%}
    {%- do return({
        'packed': columns, 'join': 'cross join ' ~ sqlmetrics.sql_positions(columns | length) ~ ' as sm_unpivoted',
        'position': 'sm_position', 'value': sqlmetrics.value_at_position(columns),
    }) -%}
{%- endmacro %}

{# The one of several columns whose number is sm_position. #}
{% macro value_at_position(columns, first=1) -%}
    {%- if columns | length == 1 -%}{%- do return(columns[0]) -%}{%- endif -%}
    {%- set half = columns | length // 2 -%}
    {%- do return('case when sm_position < ' ~ (first + half) ~ ' then '
        ~ sqlmetrics.value_at_position(columns[:half], first) ~ ' else '
        ~ sqlmetrics.value_at_position(columns[half:], first + half) ~ ' end') -%}
{%- endmacro %}

{# The element of an array at a position from 1 on. #}
{% macro sql_element(array, position) -%}
    {{ return(adapter.dispatch('sql_element', 'sqlmetrics')(array, position)) }}
{%- endmacro %}
{% macro default__sql_element(array, position) -%}
    {{- sqlmetrics.cannot_say(
        sqlmetrics.sql_dialect(), 'an element of an array', 'class_scores= takes a column for each class there'
    ) -}}
{%- endmacro %}

{# The number of elements of an array. #}
{% macro sql_array_length(array) -%}
    {{ return(adapter.dispatch('sql_array_length', 'sqlmetrics')(array)) }}
{%- endmacro %}
{% macro default__sql_array_length(array) -%}cardinality({{ array }}){%- endmacro %}

{# True if the stages inside a stage see those before it. #}
{% macro sql_sees_outer_stages() -%}
    {{ return(adapter.dispatch('sql_sees_outer_stages', 'sqlmetrics')()) }}
{%- endmacro %}
{% macro default__sql_sees_outer_stages() -%}{%- do return(true) -%}{%- endmacro %}

{# True if the engine writes a stage out for each reader, stored or not, so that readers of readers must be few. #}
{% macro sql_repeats_stages() -%}{{ return(adapter.dispatch('sql_repeats_stages', 'sqlmetrics')()) }}{%- endmacro %}
{% macro default__sql_repeats_stages() -%}{%- do return(false) -%}{%- endmacro %}

{#
  The end of a sub-query or stage without order, that keeps the engine from writing its expressions into the expressions
  of its readers, where each copy would be computed again; empty if the engine computes an expression once. `of` is
  columns, which are read and cast, checks, which compute more, or places, which long polynomials read many times.
#}
{% macro sql_fence(of) -%}{{ return(adapter.dispatch('sql_fence', 'sqlmetrics')(of)) }}{%- endmacro %}
{% macro default__sql_fence(of) -%}{%- endmacro %}

{# The comment behind a fence. It ends the line. #}
{% macro why_fenced() -%}{{ ' -- so that the columns above are computed once, not by each reader' }}{%- endmacro %}

{#
  True if the engine puts a copy of a stage into each of its readers, so that the data are scanned, or the scan is
  planned, once for each path from the result to them. A stage then reads another one once where it can.
#}
{% macro sql_copies_stages() -%}{{ return(adapter.dispatch('sql_copies_stages', 'sqlmetrics')()) }}{%- endmacro %}
{% macro default__sql_copies_stages() -%}{%- do return(false) -%}{%- endmacro %}

{# True if the engine does not store a stage of several readers, but hands each chunk of its rows to all of them. #}
{% macro sql_streams_stages() -%}{{ return(adapter.dispatch('sql_streams_stages', 'sqlmetrics')()) }}{%- endmacro %}
{% macro default__sql_streams_stages() -%}{%- do return(false) -%}{%- endmacro %}

{#
  True if rows are spread over machines, so that a window without a partition would move all of them to one.
#}
{% macro sql_distributed() -%}{{ return(adapter.dispatch('sql_distributed', 'sqlmetrics')()) }}{%- endmacro %}
{% macro default__sql_distributed() -%}{%- do return(false) -%}{%- endmacro %}

{# True if sorting rows takes less time than grouping them, and a stage can be stored. #}
{% macro sql_sorts_cheaply() -%}{{ return(adapter.dispatch('sql_sorts_cheaply', 'sqlmetrics')()) }}{%- endmacro %}
{% macro default__sql_sorts_cheaply() -%}{%- do return(false) -%}{%- endmacro %}

{# One short key in place of several columns, in a select that groups by them. #}
{% macro sql_list_key(columns) -%}{{ return(adapter.dispatch('sql_list_key', 'sqlmetrics')(columns)) }}{%- endmacro %}
{% macro default__sql_list_key(columns) -%}
{{ sqlmetrics.sql_short_integer('row_number() over (order by ' ~ columns | join(' asc, ') ~ ' asc)') }}
{%- endmacro %}

{# A quoted identifier. #}
{% macro sql_quote(name) -%}{{ return(adapter.dispatch('sql_quote', 'sqlmetrics')(name)) }}{%- endmacro %}
{% macro default__sql_quote(name) -%}"{{ name | replace('"', '""') }}"{%- endmacro %}

{# The bytes of the longest name that the engine keeps as it is written; none if it keeps any. #}
{% macro sql_name_length() -%}{{ return(adapter.dispatch('sql_name_length', 'sqlmetrics')()) }}{%- endmacro %}
{% macro default__sql_name_length() -%}{%- do return(none) -%}{%- endmacro %}

{# The name that the engine uses for a name written without quotes. #}
{% macro sql_fold(name) -%}{{ return(adapter.dispatch('sql_fold', 'sqlmetrics')(name)) }}{%- endmacro %}
{% macro default__sql_fold(name) -%}{{ name }}{%- endmacro %}

{# The quoted name of a result column, in the case that an unquoted name would have. #}
{% macro sql_result(name) -%}{{ return(adapter.dispatch('sql_result', 'sqlmetrics')(name)) }}{%- endmacro %}
{% macro default__sql_result(name) -%}{{ sqlmetrics.sql_quote(sqlmetrics.sql_fold(name)) }}{%- endmacro %}

{# A text column in which two values are equal only if they are identical. #}
{% macro sql_exact(x) -%}{{ return(adapter.dispatch('sql_exact', 'sqlmetrics')(x)) }}{%- endmacro %}
{% macro default__sql_exact(x) -%}{{ x }}{%- endmacro %}

{# A text literal. #}
{% macro sql_text(value) -%}{{ return(adapter.dispatch('sql_text', 'sqlmetrics')(value)) }}{%- endmacro %}
{% macro default__sql_text(value) -%}'{{ value | string | replace("'", "''") }}'{%- endmacro %}

{# A query with the columns of a relation and no rows. #}
{% macro sql_no_rows(relation) -%}{{ return(adapter.dispatch('sql_no_rows', 'sqlmetrics')(relation)) }}{%- endmacro %}
{% macro default__sql_no_rows(relation) -%}select * from {{ sqlmetrics.from_item(relation) }} where 1 = 0{%- endmacro %}

{# A query of one row with the types of columns; empty if drivers report types with a result without rows. #}
{% macro sql_types(relation, names) -%}
    {{ return(adapter.dispatch('sql_types', 'sqlmetrics')(relation, names)) }}
{%- endmacro %}
{% macro default__sql_types(relation, names) -%}{%- endmacro %}

{#
  Sets, rolls back to or releases a savepoint, so that a rejected statement does not break the transaction;
  empty on engines where it would not.
#}
{% macro sql_savepoint(step) -%}{{ return(adapter.dispatch('sql_savepoint', 'sqlmetrics')(step)) }}{%- endmacro %}
{% macro default__sql_savepoint(step) -%}{%- endmacro %}

{# What Apache Ossie calls the dialect. #}
{% macro sql_ossie_dialect() -%}{{ return(adapter.dispatch('sql_ossie_dialect', 'sqlmetrics')()) }}{%- endmacro %}
{% macro default__sql_ossie_dialect() -%}ANSI_SQL{%- endmacro %}
