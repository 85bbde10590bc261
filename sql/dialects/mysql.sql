{#
  MySQL from 8.0 and MariaDB from 10.6: what differs from standard SQL. Executed on MariaDB in tests.

  Equality of texts follows the collation of their column, often with 'a' equal to 'A'. The Python API asks
  for `sql_exact`; in SQL a user writes `group='user_id collate utf8mb4_bin'`.
#}

{% macro mysql__sql_dialect() -%}mysql{%- endmacro %}

{% macro mysql__sql_double_type() -%}double{%- endmacro %}

{% macro mysql__sql_integer(x) -%}cast({{ x }} as signed){%- endmacro %}

{% macro mysql__sql_short_integer(x) -%}cast({{ x }} as signed){%- endmacro %}

{% macro mysql__sql_string(x) -%}cast({{ x }} as char){%- endmacro %}

{# JSON knows the type of a value. There is neither NaN nor infinity here. #}
{% macro mysql__sql_float_of(x) -%}
(case when json_type(json_extract(json_array({{ x }}), '$[0]')) in ('DOUBLE', 'DECIMAL') then {{ x }} + 0.0 end)
{%- endmacro %}
{% macro mysql__sql_no_value(x) -%}({{ x }} is null){%- endmacro %}

{% macro mysql__sql_log2(x) -%}log2({{ x }}){%- endmacro %}

{% macro mysql__sql_same(a, b) -%}({{ a }} <=> {{ b }}){%- endmacro %}

{#
  Thousands and units, as the positions of texts parsed as JSON. A recursion stops after 1,000 steps here, and
  in MariaDB it does not see earlier stages. A text has a few million positions. With a limit they are counted once,
  and not for each row that they are joined to.
#}
{% macro mysql__sql_positions(upper) -%}
{%- set place = '1000 * (sm_thousands.sm_place - 1) + sm_units.sm_place' -%}
(
        select {{ sqlmetrics.sql_integer(place) }} as sm_position
        from (select {{ upper }} as sm_upper) as sm_end
        cross join json_table(
            concat('[0', repeat(',0', floor((sm_upper - 1) / 1000)), ']'), '$[*]' columns (sm_place for ordinality)
        ) as sm_thousands
        {%- set thousand_zeros = "concat('[0', repeat(',0', 999), ']')" %}
        cross join json_table({{ thousand_zeros }}, '$[*]' columns (sm_place for ordinality)) as sm_units
        where {{ place }} <= sm_upper
        limit 18446744073709551615
    )
{%- endmacro %}

{#
  MariaDB finds outer stages once; if the inner stage is read a second time, it looks for a table of that
  name.
#}
{% macro mysql__sql_sees_outer_stages() -%}{%- do return(false) -%}{%- endmacro %}

{% macro mysql__sql_quote(name) -%}`{{ name | replace('`', '``') }}`{%- endmacro %}
{% macro mysql__sql_name_length() -%}{%- do return(64) -%}{%- endmacro %}

{# A backslash starts an escape here. #}
{% macro mysql__sql_text(value) -%}'{{ value | string | replace('\\', '\\\\') | replace("'", "''") }}'{%- endmacro %}

{% macro mysql__sql_bytes(x) -%}{{ sqlmetrics.sql_exact(x) }}{%- endmacro %}

{# Trailing blanks are ignored by the collation that both servers have. #}
{% macro mysql__sql_exact(x) -%}convert({{ x }} using utf8mb4) collate utf8mb4_bin{%- endmacro %}

{% macro mysql__sql_joined(texts) -%}concat({{ texts | join(', ') }}){%- endmacro %}

{% macro mysql__sql_date_text(x, part) -%}
{%- set day = 'date_sub(' ~ x ~ ', interval weekday(' ~ x ~ ') day)' if part == 'week' else x -%}
date_format({{ day }}, {{ "'%Y-%m'" if part == 'month' else "'%Y-%m-%d'" }})
{%- endmacro %}

{# A cast would take other texts for 0. #}
{% macro mysql__sql_lenient_double(x) -%}
{%- set number = '^[-+]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][-+]?[0-9]+)?$' -%}
(case when {{ x }} regexp '{{ number }}' then {{ sqlmetrics.sql_double(x) }} end)
{%- endmacro %}

{# Lists are JSON here. #}
{% macro mysql__sql_each_item(x) -%}{%- endmacro %}

{#
  MariaDB computes a stage again for each reader, but a recursive one once. The recursion adds no row, so that the stage
  is what it was. Only stages that cost much end so: plans of many that read each other take it seconds.
#}
{% macro mysql__sql_with() -%}with recursive{%- endmacro %}
{% macro mysql__sql_once(stage) -%}
{{ '\n    union all select * from ' ~ stage ~ ' where 1 = 0 -- so that it is computed once, not by each reader' }}
{%- endmacro %}
