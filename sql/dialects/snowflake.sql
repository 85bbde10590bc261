{#
  Snowflake: what differs from standard SQL, according to its documentation.

  Tests run it on a stand-in over DuckDB, which shows that a statement parses and not how Snowflake computes.
  The quotient of two fixed-point numbers has six digits in Snowflake, so one side of each division is a
  float.
#}

{% macro snowflake__sql_dialect() -%}snowflake{%- endmacro %}

{# A boolean cannot be cast to a float, but a VARIANT of any type can. #}
{% macro snowflake__sql_label(x) -%}to_double(to_variant({{ x }})){%- endmacro %}

{#
  Literals are fixed-point where they fit, so the bounds are cast from text. NaN equals itself here, and is
  above the upper bound.
#}
{% macro snowflake__sql_finite(x) -%}
{%- set least = sqlmetrics.sql_double("'-1.7976931348623157e308'") -%}
{%- set greatest = sqlmetrics.sql_double("'1.7976931348623157e308'") -%}
(coalesce({{ x }} between {{ least }} and {{ greatest }}, false))
{%- endmacro %}

{% macro snowflake__sql_ordered(x) -%}
(coalesce({{ x }} <= {{ sqlmetrics.sql_double("'1.7976931348623157e308'") }}, false))
{%- endmacro %}

{# JSON has quotes around texts and dates, and not around numbers. #}
{% macro snowflake__sql_float_of(x) -%}
(case
    when to_json(to_variant({{ x }})) <> to_json(to_variant(cast({{ x }} as varchar)))
    then try_to_double(cast({{ x }} as varchar))
end)
{%- endmacro %}

{# An equality to hash by, beside the condition: NULLs have a hash too. #}
{% macro snowflake__sql_same(a, b) -%}
    (hash({{ a }}) = hash({{ b }}) and {{ a }} is not distinct from {{ b }})
{%- endmacro %}

{#
  Three digits of base 1000, with no more of the higher digits than necessary: a recursion is limited to 100
  steps here, and a generator takes a constant only.
#}
{% macro snowflake__sql_positions(upper) -%}
{%- set thousands = '1000000 * sm_millions.sm_digit + 1000 * sm_thousands.sm_digit' -%}
{%- set number = thousands ~ ' + sm_units.sm_digit' -%}
(
        with sm_digits as (
            select row_number() over (order by seq4() asc) - 1 as sm_digit
            from table(generator(rowcount => 1000))
        )
        select {{ number }} + 1 as sm_position
        from (select {{ upper }} as sm_upper) as sm_end
        inner join sm_digits as sm_millions on 1000000 * sm_millions.sm_digit < sm_upper
        inner join sm_digits as sm_thousands on {{ thousands }} < sm_upper
        inner join sm_digits as sm_units on {{ number }} < sm_upper
    )
{%- endmacro %}

{# A name without quotes is upper case here. A name that has a capital or needs quotes is left as it is. #}
{% macro snowflake__sql_fold(name) -%}
    {{ name | upper
        if name is lower and (name | replace('_', '')).isalnum() and name.isascii() and not name[:1].isdigit()
        else name }}
{%- endmacro %}

{# A backslash starts an escape here. #}
{% macro snowflake__sql_text(value) -%}
    '{{ value | string | replace('\\', '\\\\') | replace("'", "''") }}'
{%- endmacro %}

{% macro snowflake__sql_ossie_dialect() -%}SNOWFLAKE{%- endmacro %}

{% macro snowflake__sql_name_length() -%}{%- do return(255) -%}{%- endmacro %}

{% macro snowflake__sql_element(array, position) -%}{{ array }}[{{ position - 1 }}]{%- endmacro %}
{% macro snowflake__sql_array_length(array) -%}array_size({{ array }}){%- endmacro %}

{# A list is flattened under other names. #}
{% macro snowflake__sql_each_item(x) -%}{%- endmacro %}
