{# BigQuery: what differs from standard SQL. #}

{% macro bigquery__sql_dialect() -%}bigquery{%- endmacro %}

{% macro bigquery__sql_double_type() -%}float64{%- endmacro %}

{% macro bigquery__sql_integer(x) -%}cast({{ x }} as int64){%- endmacro %}

{% macro bigquery__sql_short_integer(x) -%}cast({{ x }} as int64){%- endmacro %}

{% macro bigquery__sql_string(x) -%}cast({{ x }} as string){%- endmacro %}

{# A boolean cannot be cast to a float. #}
{% macro bigquery__sql_label(x) -%}
{%- set text = 'cast(' ~ x ~ ' as string)' -%}
cast(case lower({{ text }}) when 'true' then '1' when 'false' then '0' else {{ text }} end as float64)
{%- endmacro %}

{# JSON has quotes around a text and a date alone, and writes infinity and NaN in another way than a cast. #}
{% macro bigquery__sql_float_of(x) -%}
(case
    when to_json_string({{ x }}) <> to_json_string(safe_cast({{ x }} as string))
    then safe_cast(safe_cast({{ x }} as string) as float64)
end)
{%- endmacro %}

{# Quoted names are escaped like string literals, with backslashes. #}
{% macro bigquery__sql_quote(name) -%}`{{ name | replace('\\', '\\\\') | replace('`', '\\`') }}`{%- endmacro %}

{% macro bigquery__sql_text(value) -%}
'{{ value | string | replace('\\', '\\\\') | replace("'", "\\'") | replace('\n', '\\n') | replace('\r', '\\r') }}'
{%- endmacro %}

{#
  `is not distinct from` cannot be hashed in a join here. Equality of JSON texts can, and it treats NULLs as
  equal.
#}
{% macro bigquery__sql_same(a, b) -%}(to_json_string({{ a }}) = to_json_string({{ b }})){%- endmacro %}

{# Floats cannot partition a window here. Their text can, after -0 is made 0. #}
{% macro bigquery__sql_partition_key(x) -%}cast({{ x }} + 0 as string){%- endmacro %}

{# Two digits of base 1000, because an array holds at most 2^20 - 1 numbers. #}
{% macro bigquery__sql_positions(upper) -%}
(
        select 1000 * sm_high + sm_low as sm_position
        from (select {{ upper }} as sm_upper) as sm_end
        cross join unnest(generate_array(0, div(sm_upper, 1000))) as sm_high
        cross join unnest(generate_array(0, 999)) as sm_low
        where 1000 * sm_high + sm_low between 1 and sm_upper
    )
{%- endmacro %}

{% macro bigquery__sql_date_text(x, part) -%}
{%- set unit = 'isoweek' if part == 'week' else part -%}
substr(cast(date_trunc(date({{ x }}), {{ unit }}) as string), 1, {{ 7 if part == 'month' else 10 }})
{%- endmacro %}

{% macro bigquery__sql_ossie_dialect() -%}BIGQUERY{%- endmacro %}

{% macro bigquery__sql_copies_stages() -%}{%- do return(true) -%}{%- endmacro %}

{% macro bigquery__sql_name_length() -%}{%- do return(300) -%}{%- endmacro %}

{% macro bigquery__sql_element(array, position) -%}{{ array }}[safe_ordinal({{ position }})]{%- endmacro %}
{% macro bigquery__sql_array_length(array) -%}array_length({{ array }}){%- endmacro %}

{% macro bigquery__sql_lenient_double(x) -%}safe_cast({{ x }} as float64){%- endmacro %}

{# Places begin at 0. #}
{% macro bigquery__sql_each_item(x) -%}cross join unnest({{ x }}) as item with offset as place{%- endmacro %}
