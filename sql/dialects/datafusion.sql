{# DataFusion: what differs from standard SQL. #}

{% macro datafusion__sql_dialect() -%}datafusion{%- endmacro %}

{# -0.0 is sorted below 0.0 here; the sum of both is 0.0. #}
{% macro datafusion__sql_score(x) -%}({{ sqlmetrics.sql_double(x) }} + 0.0){%- endmacro %}

{# A NaN with a sign is below all numbers here. #}
{% macro datafusion__sql_ordered(x) -%}
(coalesce({{ x }} <= 1.7976931348623157e308 and not isnan({{ x }}), false))
{%- endmacro %}
{% macro datafusion__sql_label(x) -%}{{ sqlmetrics.sql_score(x) }}{%- endmacro %}

{% macro datafusion__sql_log2(x) -%}log2({{ x }}){%- endmacro %}

{% macro datafusion__sql_remainder(x, y) -%}(({{ x }}) % ({{ y }})){%- endmacro %}

{% macro datafusion__sql_float_of(x) -%}
(case
    when substr(arrow_typeof({{ x }}), 1, 5) = 'Float' or substr(arrow_typeof({{ x }}), 1, 7) = 'Decimal'
    then try_cast(cast({{ x }} as varchar) as double)
end)
{%- endmacro %}

{# DataFusion 55 returns further rows for some slices, without their names. #}
{% macro datafusion__sql_check_search() -%}
{{ sqlmetrics.cannot_say(
    'datafusion', 'find_slices', 'its result has further rows of slices, without names. Use DuckDB over the same files'
) }}
{%- endmacro %}

{% macro datafusion__sql_copies_stages() -%}{%- do return(true) -%}{%- endmacro %}

{% macro datafusion__sql_value_text(x) -%}
{%- set text = sqlmetrics.sql_string(x) -%}
case when arrow_typeof({{ x }}) in ('Float64', 'Float32') and {{ text }} = '-0.0' then '0.0' else {{ text }} end
{%- endmacro %}

{% macro datafusion__sql_element(array, position) -%}array_element({{ array }}, {{ position }}){%- endmacro %}
{% macro datafusion__sql_array_length(array) -%}array_length({{ array }}){%- endmacro %}

{# A list is unnested in the select. #}
{% macro datafusion__sql_each_item(x) -%}{%- endmacro %}
