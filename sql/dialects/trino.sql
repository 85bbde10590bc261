{# Trino: what differs from standard SQL. Rendered and parsed in tests, not executed there. #}

{% macro trino__sql_dialect() -%}trino{%- endmacro %}

{% macro trino__sql_double_type() -%}double{%- endmacro %}

{% macro trino__sql_float_of(x) -%}
(case
    when typeof({{ x }}) in ('double', 'real') or substr(typeof({{ x }}), 1, 7) = 'decimal'
    then try_cast(cast({{ x }} as varchar) as double)
end)
{%- endmacro %}

{% macro trino__sql_log2(x) -%}log2({{ x }}){%- endmacro %}

{# Thousands and units: a sequence is limited to 10,000 numbers here, and a recursion to 10 steps. #}
{% macro trino__sql_positions(upper) -%}
(
        select 1000 * sm_thousand + sm_unit as sm_position
        from (select cast({{ upper }} as bigint) as sm_upper) as sm_end
        cross join unnest(sequence(0, sm_upper / 1000)) as sm_thousands (sm_thousand)
        cross join unnest(sequence(1, 1000)) as sm_units (sm_unit)
        where 1000 * sm_thousand + sm_unit <= sm_upper
    )
{%- endmacro %}

{% macro trino__sql_copies_stages() -%}{%- do return(true) -%}{%- endmacro %}

{% macro trino__sql_unpivot(columns) -%}{%- do return(sqlmetrics.postgres__sql_unpivot(columns)) -%}{%- endmacro %}

{% macro trino__sql_element(array, position) -%}element_at({{ array }}, {{ position }}){%- endmacro %}

{% macro trino__sql_zone() -%}current_timezone(){%- endmacro %}
