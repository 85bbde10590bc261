{#
  Snowflake: what differs from standard SQL, by its documentation. What runs it in tests is a stand-in over DuckDB, which shows that a
  statement is read, and not how Snowflake counts: the quotient of two fixed-point numbers has six digits there, so that one side of each
  division is a float.
#}

{# A boolean has no cast to a float, but a VARIANT of any type has. #}
{% macro snowflake__sql_label(x) -%}to_double(to_variant({{ x }})){%- endmacro %}

{# Numbers are of fixed point where they fit: the ends are cast from text. NaN equals itself here, and is above the upper end. #}
{% macro snowflake__sql_finite(x) -%}
(coalesce({{ x }} between {{ sqlmetrics.sql_double("'-1.7976931348623157e308'") }} and {{ sqlmetrics.sql_double("'1.7976931348623157e308'") }}, false))
{%- endmacro %}

{# Values of any type are compared with NaN as VARIANT, in which a text is no float. #}
{% macro snowflake__sql_no_value(x) -%}
({{ x }} is null or to_variant({{ x }}) = to_variant({{ sqlmetrics.sql_double("'NaN'") }}))
{%- endmacro %}

{# An equality to join by beside the condition: a NULL has a hash too. #}
{% macro snowflake__sql_same(a, b) -%}(hash({{ a }}) = hash({{ b }}) and {{ a }} is not distinct from {{ b }}){%- endmacro %}

{# Three digits of base 1000, as few of the higher ones as are needed: a recursion has 100 steps here, and a generator a constant. #}
{% macro snowflake__sql_positions(upper) -%}
(
        with sm_digits as (
            select row_number() over (order by seq4() asc) - 1 as sm_digit
            from table(generator(rowcount => 1000))
        )
        select 1000000 * sm_millions.sm_digit + 1000 * sm_thousands.sm_digit + sm_units.sm_digit + 1 as sm_position
        from (select {{ upper }} as sm_upper) as sm_end
        inner join sm_digits as sm_millions on 1000000 * sm_millions.sm_digit < sm_upper
        inner join sm_digits as sm_thousands on 1000000 * sm_millions.sm_digit + 1000 * sm_thousands.sm_digit < sm_upper
        inner join sm_digits as sm_units on 1000000 * sm_millions.sm_digit + 1000 * sm_thousands.sm_digit + sm_units.sm_digit < sm_upper
    )
{%- endmacro %}

{# A name without quotes is one of capitals here. One with a capital, or that needs quotes, is taken as it is. #}
{% macro snowflake__sql_fold(name) -%}{{ name | upper if name is lower and (name | replace('_', '')).isalnum() and name.isascii() and not name[:1].isdigit() else name }}{%- endmacro %}

{# A backslash begins an escape here. #}
{% macro snowflake__sql_text(value) -%}'{{ value | string | replace('\\', '\\\\') | replace("'", "''") }}'{%- endmacro %}
