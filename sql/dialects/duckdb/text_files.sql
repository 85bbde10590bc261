{#
  DuckDB: text files (CSV, JSON) whose columns get their types from what a call reads them for. The Python API alone
  reads them, in sqlmetrics/engines/text_files.py.
#}

{# The sign between the values of a CSV file, and how many lines above its names or rows are not read. #}
{% macro duckdb__sql_sniffed(path) -%}
select "Delimiter", "SkipRows", list_transform("Columns", lambda sm_column: sm_column.name)
from sniff_csv({{ sqlmetrics.sql_text(path) }}, comment = '')
{%- endmacro %}

{# The first lines of a text file, as text. #}
{% macro duckdb__sql_lines(path, lines) -%}
select sm_line
from {{ sqlmetrics.duckdb__sql_text_lines(path) }} as sm_lines
limit {{ lines }}
{%- endmacro %}

{# The lines of a text file, with the whole line as one value. #}
{% macro duckdb__sql_text_lines(path) -%}
read_csv(
                {{ sqlmetrics.sql_text(path) }}, columns = {'sm_line': 'varchar'}, auto_detect = false, header = false,
                delim = chr(1), quote = '', escape = '', strict_mode = false, max_line_size = 10000000
            )
{%- endmacro %}

{#
  Text files, whose names and types of columns DuckDB finds in the first 20,480 rows, or in all of them (`whole`). A
  field of JSON that begins later is known only then.
#}
{% macro duckdb__sql_sampled(paths, format, whole) -%}
    {%- set all_files = ['maximum_sample_files = 1000000'] if format == 'json' else [] -%}
    {{ sqlmetrics.duckdb__sql_files(paths, format, (['sample_size = -1'] + all_files) if whole else []) }}
{%- endmacro %}

{#
  Columns of text files with the types that are asked for.

  Args:
    columns: for each its `name`; `read`, the type that the reader converts to, none for that of its sample;
      `type`, the type that the text becomes, none as it is read.
#}
{% macro duckdb__sql_typed(paths, format, columns) -%}
    {%- set types, fields = [], [] -%}
    {%- for column in columns -%}
        {%- set name = sqlmetrics.sql_quote(column['name']) -%}
        {%- if column['read'] is not none -%}
            {%- do types.append(name ~ ': ' ~ sqlmetrics.sql_text(column['read'])) -%}
        {%- endif -%}
        {%- do fields.append(
            name if column['type'] is none else 'cast(' ~ name ~ ' as ' ~ column['type'] ~ ') as ' ~ name
        ) -%}
    {%- endfor -%}
    {%- set option = ('types' if format == 'csv' else 'columns') ~ ' = {' ~ types | join(', ') ~ '}' -%}
    (select {{ fields | join(', ') }} from {{ sqlmetrics.duckdb__sql_files(
        paths, format, [option] if types else []
    ) }})
{%- endmacro %}

{#
  Stores columns of text files, read once. `sm_differs` marks the rows in which a text is no value of its type, or
  has the same value as another text.

  Args:
    columns: for each its `name`, `type` as above, `apart` if its values are only compared, and whether words such as
      yes are `truths`.
#}
{% macro duckdb__sql_store(table, source, columns) -%}
    {%- set fields, differs = [], [] -%}
    {%- for column in columns -%}
        {%- set name, type = sqlmetrics.sql_quote(column['name']), column['type'] -%}
        {%- set value = 'try_cast(' ~ name ~ ' as ' ~ type ~ ')' -%}
        {%- do fields.append(name if type is none else value ~ ' as ' ~ name) -%}
        {%- if type in ('BIGINT', 'HUGEINT', 'UBIGINT') -%}
            {%- do differs.append('cast(' ~ value ~ ' as varchar) is distinct from ' ~ name) -%}
        {%- elif type is not none and not (type == 'DOUBLE' and column['apart']) -%}
            {%- set is_value = sqlmetrics.duckdb__sql_is_value(name, type, column['truths']) -%}
            {%- do differs.append('(' ~ name ~ ' is not null and not coalesce(' ~ is_value ~ ', false))') -%}
        {%- endif -%}
    {%- endfor -%}
    {%- do fields.append((differs | join(' or ') if differs else 'false') ~ ' as sm_differs') -%}
    create temporary table {{ table }} as select {{ fields | join(', ') }} from {{ source }} as sm_texts
{%- endmacro %}

{#
  Whether a text is a value of a type. A date has no time, and a time here no zone, both of which a cast would cut.
  Words such as yes, which DuckDB takes for booleans, are texts, unless `truths` says that they are a label's.
#}
{% macro duckdb__sql_is_value(x, type, truths=false) -%}
    {%- if type == 'BOOLEAN' and truths -%}
        try_cast({{ x }} as boolean) is not null and not regexp_matches({{ x }}, '[0-9]')
    {%- elif type == 'BOOLEAN' -%}
        lower({{ x }}) in ('true', 'false')
    {%- elif type == 'DATE' -%}
        try_cast({{ x }} as date) is not null and not contains({{ x }}, ':')
    {%- elif type == 'TIMESTAMP' -%}
        try_cast({{ x }} as timestamp) is not null and not {{ sqlmetrics.duckdb__sql_has_zone(x) }}
    {%- elif type == 'TIMESTAMP WITH TIME ZONE' -%}
        {#- a time without a zone is no instant; the name of one ends in a letter -#}
        try_cast({{ x }} as timestamptz) is not null
            and ({{ sqlmetrics.duckdb__sql_has_zone(x) }} or regexp_matches({{ x }}, '[A-Za-z]$'))
    {%- else -%}
        try_cast({{ x }} as {{ type }}) is not null
    {%- endif -%}
{%- endmacro %}

{# Whether a time, as text, says its zone. #}
{% macro duckdb__sql_has_zone(x) -%}regexp_matches({{ x }}, ':.*(Z|[+-]\d\d(:?\d\d)?)$'){%- endmacro %}

{# The number of rows of a stored file, whether a row differs from the sample, and of each text what begins the file. #}
{% macro duckdb__sql_stored(table, texts) -%}
    select count(*), coalesce(bool_or(sm_differs), false)
    {%- for name in texts -%}
    , (select count({{ sqlmetrics.sql_quote(name) }}) = 0 from (from {{ table }} limit 20480) as sm_first)
        and count({{ sqlmetrics.sql_quote(name) }}) > 0
    {%- endfor %}
    from {{ table }}
{%- endmacro %}

{#
  What all texts of a column are: integers, integers of 128 bits, each written in one way; integers, numbers; numbers
  of which no two texts are one, and none has a leading zero; whole numbers, with .0 or without; booleans, dates, times
  that all have a zone or none, whether days and months can be distinguished, and values of the type of the sample.
#}
{% macro duckdb__sql_kinds(table, name, sampled, truths) -%}
{%- set zone = sqlmetrics.duckdb__sql_has_zone('sm_text') -%}
select
    bool_and(cast(try_cast(sm_text as bigint) as varchar) is not distinct from sm_text) as integers,
    bool_and(cast(try_cast(sm_text as hugeint) as varchar) is not distinct from sm_text) as long_integers,
    bool_and(regexp_full_match(sm_text, '[+-]?[0-9]{1,18}')) as any_integers,
    bool_and(try_cast(sm_text as double) is not null) as numbers,
    bool_and(regexp_full_match(sm_text, '-?(0|[1-9]\d*)?(\.\d*)?([eE][+-]?\d+)?'))
        and count(*) = count(distinct try_cast(sm_text as double)) as one_way,
    bool_and(regexp_full_match(sm_text, '-?(0|[1-9]\d{0,14})(\.0)?')) as whole,
    bool_and({{ sqlmetrics.duckdb__sql_is_value('sm_text', 'BOOLEAN', truths) }}) as booleans,
    bool_and({{ sqlmetrics.duckdb__sql_is_value('sm_text', 'DATE') }}) as dates,
    bool_and(try_cast(sm_text as timestamp) is not null)
        and (bool_and({{ zone }}) or not bool_or({{ zone }})) as times,
    {# 03/04/2026 is in March or in April, unless another date of the column has a day above 12 #}
    not bool_and(regexp_matches(sm_text, '^(0?[1-9]|1[0-2])[/-](0?[1-9]|1[0-2])[/-]')) as one_order,
    bool_and({{
        sqlmetrics.duckdb__sql_is_value('sm_text', sampled) if sampled == 'TIMESTAMP WITH TIME ZONE'
        else 'try_cast(sm_text as ' ~ sampled ~ ') is not null'
    }}) as sampled
from (
    select distinct {{ sqlmetrics.sql_quote(name) }} as sm_text
    from {{ table }}
    where {{ sqlmetrics.sql_quote(name) }} is not null
) as sm_texts
{%- endmacro %}

{# A row if a text of a column is a number. #}
{% macro duckdb__sql_holds_numbers(table, name) -%}
select 1 from {{ table }} where try_cast({{ sqlmetrics.sql_quote(name) }} as double) is not null limit 1
{%- endmacro %}

{# A query that reads all values of a column. #}
{% macro duckdb__sql_count_of(source, name) -%}
select count({{ sqlmetrics.sql_quote(name) }}) from {{ source }} as sm_texts
{%- endmacro %}

{# A query of how the texts of a column are written: each with 1 in place of its digits. #}
{% macro duckdb__sql_shapes(source, name) -%}
select distinct regexp_replace({{ sqlmetrics.sql_quote(name) }}, '[0-9]', '1', 'g')
from {{ source }} as sm_texts
where {{ sqlmetrics.sql_quote(name) }} is not null
limit 10000
{%- endmacro %}

{# A value of one record of a JSON file, as text. #}
{% macro duckdb__sql_record(path, name, number) -%}
select {{ sqlmetrics.sql_quote(name) }}
from read_json({{ sqlmetrics.sql_text(path) }}, columns = { {{- sqlmetrics.sql_quote(name) }}: 'varchar'})
limit 1 offset {{ number - 1 }}
{%- endmacro %}

{# A query that names what an expression names. #}
{% macro duckdb__sql_tried(source, expression) -%}
select {{ expression }}
from {{ source }} as sm_texts
limit 0
{%- endmacro %}

{# Gives a stored file another name. #}
{% macro duckdb__sql_rename(table, name) -%}alter table temp.{{ table }} rename to {{ name }}{%- endmacro %}

{# Removes a stored file. #}
{% macro duckdb__sql_remove(table) -%}drop table if exists temp.{{ table }}{%- endmacro %}
