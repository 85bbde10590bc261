{# For the Python API: the queries by which messages about a column choose what they propose. #}

{# Some different values of a column. #}
{% macro some_values(relation, column) -%}
select distinct {{ column }} as sm_value
from {{ sqlmetrics.from_item(relation) }}
where {{ column }} is not null
limit 10000
{%- endmacro %}

{# The winner of a battle, whose column has the name of the model that won. #}
{% macro winner_by_name(winner, model_a, model_b) -%}
case {{ winner }} when {{ model_a }} then 'model_a' when {{ model_b }} then 'model_b'
    {{- ' else ' ~ sqlmetrics.sql_string(winner) ~ ' end' }}
{%- endmacro %}

{# The least and the greatest value of a column. #}
{% macro least_and_greatest(relation, column) -%}
select min({{ column }}) as sm_value
from {{ sqlmetrics.from_item(relation) }}
union all
select max({{ column }})
from {{ sqlmetrics.from_item(relation) }}
{%- endmacro %}

{# The query that a user can write for a row of each item of a list; empty if the dialect has no list. #}
{% macro items_of_lists(relation, column) -%}
{%- set each = sqlmetrics.sql_each_item(column) -%}
{%- if each -%}select * from {{ sqlmetrics.from_item(relation) }} {{ each }}{%- endif -%}
{%- endmacro %}

{#
  The number of a text that is written in any way: 0.91 or 0,91 or 1.234,50 or 91 %.

  Args:
    without: the signs that are left out of the text; with % the number is a percentage.
    comma: whether a comma is the decimal point.
    strict: whether a text that is no number is an error, and not NULL
#}
{% macro written_number(text, without, comma, strict=false) -%}
    {%- set read = namespace(sql=text) -%}
    {%- for sign in without -%}
        {%- set read.sql = 'replace(' ~ read.sql ~ ', ' ~ sqlmetrics.sql_text(sign) ~ ", '')" -%}
    {%- endfor -%}
    {%- if comma -%}{%- set read.sql = 'replace(' ~ read.sql ~ ", ',', '.')" -%}{%- endif -%}
    {{ sqlmetrics.sql_double(read.sql) if strict else sqlmetrics.sql_lenient_double(read.sql) }}
    {{- ' / 100' if '%' in without }}
{%- endmacro %}

{# The condition that a column is a text. #}
{% macro is_the_text(column, text) -%}{{ column }} = {{ sqlmetrics.sql_text(text) }}{%- endmacro %}

{# For the Python API: a query of the time zone of the session; empty if the engine does not say it. #}
{% macro zone_of_session() -%}
{%- set zone = sqlmetrics.sql_zone() -%}
{%- if zone -%}select {{ zone }} as sm_zone{%- endif -%}
{%- endmacro %}

{# A text such as True or 1 as 1, such as false or 0 as 0, and NULL for any other. #}
{% macro zero_or_one(text) -%}
    case when lower({{ text }}) in ('true', '1') then 1 when lower({{ text }}) in ('false', '0') then 0 end
{%- endmacro %}
