{# SQLite: what differs from standard SQL. #}

{% macro sqlite__sql_dialect() -%}sqlite{%- endmacro %}

{% macro sqlite__sql_same(a, b) -%}({{ a }} is {{ b }}){%- endmacro %}

{# A column may be declared `collate nocase`. #}
{% macro sqlite__sql_exact(x) -%}({{ x }} collate binary){%- endmacro %}

{# A cast keeps the collation of its column here. #}
{% macro sqlite__sql_bytes(x) -%}(cast({{ x }} as text) collate binary){%- endmacro %}

{% macro sqlite__sql_float_of(x) -%}(case when typeof({{ x }}) = 'real' then {{ x }} end){%- endmacro %}

{% macro sqlite__sql_remainder(x, y) -%}(({{ x }}) % ({{ y }})){%- endmacro %}

{% macro sqlite__sql_cte_materialized() -%}{{ ' materialized' }}{%- endmacro %}

{#
  Types belong to values here. A column with any text is text, because a cast would make the text 0. Booleans
  are the numbers of a column declared as boolean.
#}
{% macro sqlite__sql_types(relation, names) -%}
{%- set table = (relation.split('.') | last).strip('"') | replace('""', '"') -%}
{%- set types = [] -%}
{%- for name in names -%}
    {%- set kind = "max(nullif(typeof(" ~ sqlmetrics.sql_quote(name) ~ "), 'null'))" -%}
    {%- set declared = "select type from pragma_table_info(" ~ sqlmetrics.sql_text(table) ~ ") where name = "
        ~ sqlmetrics.sql_text(name) -%}
    {%- do types.append(
        "case when max(typeof(" ~ sqlmetrics.sql_quote(name) ~ ") = 'blob') then 'blob' when " ~ kind
        ~ " = 'integer' and (" ~ declared ~ ") like 'bool%' then 'boolean' else " ~ kind ~ " end as sm_type_"
        ~ loop.index
    ) -%}
{%- endfor -%}
select
    {{- sqlmetrics.lines(types) }}
from {{ sqlmetrics.from_item(relation) }}
{%- endmacro %}

{# A cast to text has 15 digits. #}
{% macro sqlite__sql_string_of_end(x) -%}
case
    when {{ x }} = cast({{ x }} as integer) and abs({{ x }}) < 1e15 then cast(cast({{ x }} as integer) as text)
    when cast(cast({{ x }} as text) as real) = {{ x }} then cast({{ x }} as text)
    else printf('%!.17g', {{ x }})
end
{%- endmacro %}

{# A date is a text such as 2026-06-29 or 2026-06-29 12:00:00 here. #}
{% macro sqlite__sql_date_text(x, part) -%}
{%- set steps = {'day': '', 'week': ", '-6 days', 'weekday 1'", 'month': ''}[part] -%}
substr(date({{ x }}{{ steps }}), 1, {{ 7 if part == 'month' else 10 }})
{%- endmacro %}

{#
  A sub-query with a limit is not merged into its reader; `limit -1` keeps all rows. A cast costs less here than a
  further sub-query.
#}
{% macro sqlite__sql_fence(of) -%}{{ '\n    limit -1' ~ sqlmetrics.why_fenced() if of != 'columns' }}{%- endmacro %}

{# A statement may name 65,535 tables, with those of a stage again for each of its readers. #}
{% macro sqlite__sql_repeats_stages() -%}{%- do return(true) -%}{%- endmacro %}

{# A cast would take other texts for 0. A number as text is JSON. #}
{% macro sqlite__sql_lenient_double(x) -%}
{%- set is_number = "json_type(" ~ x ~ ") in ('integer', 'real')" -%}
(case when not json_valid({{ x }}) then null when {{ is_number }} then {{ sqlmetrics.sql_double(x) }} end)
{%- endmacro %}

{% macro sqlite__sql_greatest(values) -%}max({{ values | join(', ') }}){%- endmacro %}

{# There are no lists. #}
{% macro sqlite__sql_each_item(x) -%}{%- endmacro %}

{# A boolean is 0 or 1 here, and a cast of a text 0. #}
{% macro sqlite__sql_boolean(x) -%}{{ sqlmetrics.zero_or_one(x) }}{%- endmacro %}
