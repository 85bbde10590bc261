{# For the Python API: the queries by which messages about a column choose what they propose. #}

{# Some different values of a column. #}
{% macro some_values(relation, column) -%}
select distinct {{ column }} as sm_value
from {{ sqlmetrics.from_item(relation) }}
where {{ column }} is not null
limit 10000
{%- endmacro %}

{# The query that a user can write for a row of each item of a list; empty if the dialect has no list. #}
{% macro items_of_lists(relation, column) -%}
{%- set each = sqlmetrics.sql_each_item(column) -%}
{%- if each -%}select * from {{ sqlmetrics.from_item(relation) }} {{ each }}{%- endif -%}
{%- endmacro %}

{# A text with a decimal comma, and with points between thousands if `thousands`, as one with a decimal point. #}
{% macro with_decimal_point(text, thousands) -%}
replace({{ "replace(" ~ text ~ ", '.', '')" if thousands else text }}, ',', '.')
{%- endmacro %}

{# A text without the commas between thousands. #}
{% macro without_commas(text) -%}replace({{ text }}, ',', ''){%- endmacro %}

{# The condition that a column is a text. #}
{% macro is_the_text(column, text) -%}{{ column }} = {{ sqlmetrics.sql_text(text) }}{%- endmacro %}

{# For the Python API: a query of the time zone of the session; empty if the engine does not say it. #}
{% macro zone_of_session() -%}
{%- set zone = sqlmetrics.sql_zone() -%}
{%- if zone -%}select {{ zone }} as sm_zone{%- endif -%}
{%- endmacro %}

{# A text such as True as 1, such as false as 0, and NULL for any other. #}
{% macro zero_or_one(text) -%}case lower({{ text }}) when 'true' then 1 when 'false' then 0 end{%- endmacro %}
