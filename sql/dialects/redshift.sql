{# Redshift: what differs from PostgreSQL. Rendered and parsed in tests, not executed there. #}

{% macro redshift__sql_dialect() -%}redshift{%- endmacro %}

{% macro redshift__sql_parent() -%}postgres{%- endmacro %}

{# A boolean cannot be cast to text here. Pass a boolean label as `cast(clicked as integer)`. #}
{% macro redshift__sql_label(x) -%}{{ sqlmetrics.sql_double(x) }}{%- endmacro %}

{% macro redshift__sql_fence(of) -%}{{ '\n    offset 0' ~ sqlmetrics.why_fenced() }}{%- endmacro %}

{# The bounds are cast from text: as fixed-point literals they would have too many digits. #}
{% macro redshift__sql_finite(x) -%}
{%- set least = sqlmetrics.sql_double("'-1.7976931348623157e308'") -%}
{%- set greatest = sqlmetrics.sql_double("'1.7976931348623157e308'") -%}
(coalesce({{ x }} between {{ least }} and {{ greatest }}, false))
{%- endmacro %}

{% macro redshift__sql_ordered(x) -%}
(coalesce({{ x }} <= {{ sqlmetrics.sql_double("'1.7976931348623157e308'") }}, false))
{%- endmacro %}

{# The type of a value is unknown here, so that NaN, or a number with a fraction, is a class. #}
{% macro redshift__sql_float_of(x) -%}{{ sqlmetrics.sql_double('null') }}{%- endmacro %}
{% macro redshift__sql_no_value(x) -%}({{ x }} is null){%- endmacro %}

{# A cast to text would truncate it here. #}
{% macro redshift__sql_same(a, b) -%}({{ a }} = {{ b }} or ({{ a }} is null and {{ b }} is null)){%- endmacro %}

{# Only row frames exist here. #}
{% macro redshift__sql_sums_with_ties() -%}{%- do return(false) -%}{%- endmacro %}
{% macro redshift__sql_with_ties() -%}
{{ sqlmetrics.cannot_say(
    'redshift', 'sums down to the last of tied rows',
    "its window frames are of rows alone. Metrics of score levels take score_levels='counted', metrics of lists take"
        ~ " ties='item', worst or best",
) }}
{%- endmacro %}

{# Built from digits: number series cannot be combined with tables here. #}
{% macro redshift__sql_positions(upper) -%}
{%- set digits, sums = range(8), [] -%}
{%- for digit in digits -%}
    {%- do sums.append('1' ~ '0' * digit ~ ' * sm_digits_' ~ digit ~ '.sm_digit') -%}
{%- endfor -%}
(
        with sm_digits as (
            select 0 as sm_digit union all select 1 union all select 2 union all select 3 union all select 4
            union all select 5 union all select 6 union all select 7 union all select 8 union all select 9
        )
        select 1 + {{ sums | join(' + ') }} as sm_position
        from (select {{ upper }} as sm_upper) as sm_end
        {%- for digit in digits %}
        inner join sm_digits as sm_digits_{{ digit }} on {{ sums[digit] }} < sm_upper
        {%- endfor %}
        where {{ sums | join(' + ') }} < sm_upper
    )
{%- endmacro %}

{# Texts sort by their bytes here; a cast without a length would truncate them. #}
{% macro redshift__sql_bytes(x) -%}cast({{ x }} as varchar(65535)){%- endmacro %}

{% macro redshift__sql_cte_materialized() -%}{%- endmacro %}

{% macro redshift__sql_sorts_cheaply() -%}{%- do return(false) -%}{%- endmacro %}

{# There are no savepoints here. #}
{% macro redshift__sql_savepoint(step) -%}{%- endmacro %}

{#
  A backslash escapes in a literal, as in PostgreSQL 8.0, from which Redshift descends. QUOTE_LITERAL doubles
  backslashes, and '\\'' does not end a text.
#}
{% macro redshift__sql_text(value) -%}'{{ value | string | replace('\\', '\\\\') | replace("'", "''") }}'{%- endmacro %}

{% macro redshift__sql_name_length() -%}{%- do return(127) -%}{%- endmacro %}

{% macro redshift__sql_unpivot(columns) -%}{%- do return(sqlmetrics.default__sql_unpivot(columns)) -%}{%- endmacro %}

{% macro redshift__sql_element(array, position) -%}{{ sqlmetrics.default__sql_element(array, position) }}{%- endmacro %}

{# A list is a SUPER. #}
{% macro redshift__sql_each_item(x) -%}{%- endmacro %}
