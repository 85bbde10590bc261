{# PostgreSQL: what differs from standard SQL. #}

{% macro postgres__sql_dialect() -%}postgres{%- endmacro %}

{#
  A boolean cannot be cast to a float; '1' is read as a value of the type of the label, so it is `true` of a boolean.
  The text of a number is exact.
#}
{% macro postgres__sql_label(x) -%}
(case {{ x }} when '1' then 1 when '0' then 0 else cast(cast({{ x }} as text) as double precision) end)
{%- endmacro %}

{% macro postgres__sql_float_of(x) -%}
{%- set types = "'double precision'::regtype, 'real'::regtype, 'numeric'::regtype" -%}
(case when pg_typeof({{ x }}) in ({{ types }}) then cast(cast({{ x }} as text) as double precision) end)
{%- endmacro %}

{% macro postgres__sql_value_text(x) -%}
{%- set text = sqlmetrics.sql_string(x) -%}
case
    when pg_typeof({{ x }}) in ('double precision'::regtype, 'real'::regtype) and {{ text }} = '-0' then '0'
    else {{ text }}
end
{%- endmacro %}

{#
  `is not distinct from` cannot be hashed here; arrays of one value can, and two that hold NULL are equal. The flag
  separates NULL from an empty array. As texts, equal values would differ: both zeros of a float, or 1.0 and 1.00.
#}
{% macro postgres__sql_same(a, b) -%}
(array[{{ a }}] = array[{{ b }}] and ({{ a }} is null) = ({{ b }} is null))
{%- endmacro %}

{# A result too small for a float is an error here. And greatest() leaves NULL out: that of NULL and -700 is -700. #}
{% macro postgres__sql_exp(x) -%}case when {{ x }} is not null then exp(greatest({{ x }}, -700)) end{%- endmacro %}

{#
  A product too small for a float is an error here. Adding and subtracting 1e-120 makes a float below 1e-136 0, and
  changes no float above 1e-104.
#}
{% macro postgres__sql_factor(x) -%}(({{ x }} + 1e-120) - 1e-120){%- endmacro %}

{#
  The planner never merges a sub-query with an offset into its reader. It uses parallel workers only if the offset is a
  bigint from the start, and 0: a plain 0 has yet to be cast.
#}
{% macro postgres__sql_fence(of) -%}{{ "\n    offset bigint '0'" ~ sqlmetrics.why_fenced() }}{%- endmacro %}

{% macro postgres__sql_positions(upper) -%}
(select sm_position from generate_series(1, {{ sqlmetrics.sql_integer(upper) }}) as sm_series (sm_position))
{%- endmacro %}

{% macro postgres__sql_bytes(x) -%}(cast({{ x }} as text) collate "C"){%- endmacro %}

{# Grouping first would store the rows once more. #}
{% macro postgres__sql_sorts_cheaply() -%}{%- do return(true) -%}{%- endmacro %}

{% macro postgres__sql_cte_materialized() -%}{{ ' materialized' }}{%- endmacro %}

{# An error ends a transaction here, except for the part before a savepoint. #}
{% macro postgres__sql_savepoint(step) -%}
{{ {'set': 'savepoint', 'undo': 'rollback to savepoint', 'drop': 'release savepoint'}[step] }} sm_savepoint
{%- endmacro %}

{% macro postgres__sql_has_quantiles() -%}{%- do return(true) -%}{%- endmacro %}

{% macro postgres__sql_quantile(x, part, parts) -%}
percentile_disc({{ part / parts * (1 - 1e-12) }}) within group (order by {{ x }} asc)
{%- endmacro %}

{% macro postgres__sql_name_length() -%}{%- do return(63) -%}{%- endmacro %}

{% macro postgres__sql_unpivot(columns) -%}
    {%- do return({
        'packed': ['array[' ~ columns | join(', ') ~ '] as sm_values'],
        'join': 'cross join unnest(sm_values) with ordinality as sm_unpivoted (sm_value, sm_position)',
        'position': 'sm_position', 'value': 'sm_value',
    }) -%}
{%- endmacro %}

{% macro postgres__sql_element(array, position) -%}({{ array }})[{{ position }}]{%- endmacro %}

{# It has no cast that gives NULL for other texts. #}
{% macro postgres__sql_lenient_double(x) -%}
{%- set number = '^[-+]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][-+]?[0-9]+)?$' -%}
(case when {{ x }} ~ '{{ number }}' then {{ sqlmetrics.sql_double(x) }} end)
{%- endmacro %}

{% macro postgres__sql_zone() -%}current_setting('TimeZone'){%- endmacro %}
