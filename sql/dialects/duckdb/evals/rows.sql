{# DuckDB: rows that have the columns of `read_evals` already, such as lines of a script; sample and value suffice. #}
{% macro duckdb__sql_evals_of_rows(logs, objects) -%}
{%- set fields = [
    'model', 'task', 'sample', 'epoch', 'scorer', 'value', 'answer', 'scored_by', 'cost', 'latency', 'tokens',
    'metadata',
] %}
    select
        file, name, stem,
        {%- for field in fields %}
        fields[{{ loop.index }}] as {{ field }},
        {%- endfor %}
        null as part,
        null as problem
    from (
        select file, json_extract_string(json, [{%- for field in fields -%}
            '$.{{ field }}'{{ ', ' if not loop.last }}
        {%- endfor %}]) as fields
        from {{ objects }} as sm_objects
    ) as sm_fields
    join {{ logs }} as sm_logs using (file)
{%- endmacro %}
