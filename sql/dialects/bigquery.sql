{# BigQuery: what differs from standard SQL. #}

{% macro bigquery__sql_double_type() -%}float64{%- endmacro %}

{% macro bigquery__sql_integer(x) -%}cast({{ x }} as int64){%- endmacro %}

{% macro bigquery__sql_short_integer(x) -%}cast({{ x }} as int64){%- endmacro %}

{% macro bigquery__sql_string(x) -%}cast({{ x }} as string){%- endmacro %}

{# A boolean has no cast to a float. #}
{% macro bigquery__sql_label(x) -%}
cast(case lower(cast({{ x }} as string)) when 'true' then '1' when 'false' then '0' else cast({{ x }} as string) end as float64)
{%- endmacro %}

{# An identifier is written as a text is, with backslashes before what would end it. #}
{% macro bigquery__sql_quote(name) -%}`{{ name | replace('\\', '\\\\') | replace('`', '\\`') }}`{%- endmacro %}

{% macro bigquery__sql_text(value) -%}
'{{ value | string | replace('\\', '\\\\') | replace("'", "\\'") | replace('\n', '\\n') | replace('\r', '\\r') }}'
{%- endmacro %}

{# `is not distinct from` is no equality that a join can be hashed by; that of two JSON texts is, in which NULL is one. #}
{% macro bigquery__sql_same(a, b) -%}(to_json_string({{ a }}) = to_json_string({{ b }})){%- endmacro %}

{# No floats there, but their texts, once both zeros are one. #}
{% macro bigquery__sql_partition_key(x) -%}cast({{ x }} + 0 as string){%- endmacro %}

{# In two digits of base 1000: an array has no more than 2^20 - 1 numbers. #}
{% macro bigquery__sql_positions(upper) -%}
(
        select 1000 * sm_high + sm_low as sm_position
        from (select {{ upper }} as sm_upper) as sm_end
        cross join unnest(generate_array(0, div(sm_upper, 1000))) as sm_high
        cross join unnest(generate_array(0, 999)) as sm_low
        where 1000 * sm_high + sm_low between 1 and sm_upper
    )
{%- endmacro %}
