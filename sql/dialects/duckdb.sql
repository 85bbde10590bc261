{# DuckDB: what differs from standard SQL. #}

{% macro duckdb__sql_dialect() -%}duckdb{%- endmacro %}

{% macro duckdb__sql_double_type() -%}double{%- endmacro %}

{% macro duckdb__sql_byte(x) -%}cast({{ x }} as tinyint){%- endmacro %}

{% macro duckdb__sql_log2(x) -%}log2({{ x }}){%- endmacro %}

{% macro duckdb__sql_power_of_2(x) -%}power(2, {{ x }}){%- endmacro %}

{#
  DuckDB 2 answers a comparison from the least and the greatest value of a Parquet file. Files of polars and
  pyarrow leave NaN out of these, so that a comparison would take NaN for a usable number.
#}
{% macro duckdb__sql_finite(x) -%}({{ x }} is not null and isfinite({{ x }})){%- endmacro %}
{% macro duckdb__sql_ordered(x) -%}
({{ x }} is not null and (isfinite({{ x }}) or (isinf({{ x }}) and {{ x }} < 0)))
{%- endmacro %}

{% macro duckdb__sql_float_of(x) -%}
(case
    when typeof({{ x }}) in ('DOUBLE', 'FLOAT') or substr(typeof({{ x }}), 1, 7) = 'DECIMAL'
    then try_cast({{ x }} as double)
end)
{%- endmacro %}

{% macro duckdb__sql_value_text(x) -%}
{%- set text = sqlmetrics.sql_string(x) -%}
case when typeof({{ x }}) in ('DOUBLE', 'FLOAT') and {{ text }} = '-0.0' then '0.0' else {{ text }} end
{%- endmacro %}

{# A column, or with default_collation the session, may be `nocase`. #}
{% macro duckdb__sql_exact(x) -%}(cast({{ x }} as varchar) collate c){%- endmacro %}

{# Scanning Parquet or Arrow again costs less than storing and reading the cast rows. #}
{% macro duckdb__sql_cte_inline() -%}{{ ' not materialized' }}{%- endmacro %}

{% macro duckdb__sql_sorts_cheaply() -%}{%- do return(true) -%}{%- endmacro %}

{# DuckDB 2 does so unless a reader needs the result of another reader. #}
{% macro duckdb__sql_streams_stages() -%}{%- do return(true) -%}{%- endmacro %}

{% macro duckdb__sql_cte_materialized() -%}{{ ' materialized' }}{%- endmacro %}

{% macro duckdb__sql_positions(upper) -%}
(select unnest(range(1, {{ sqlmetrics.sql_integer(upper) }} + 1)) as sm_position)
{%- endmacro %}

{#
  The detour through a list tells the planner that there are few values, so that it builds its hash tables on
  them.
#}
{% macro duckdb__sql_distinct(columns, source) -%}
(
        select unnest(list(sm_values), max_depth := 2)
        from (select distinct {{ columns }} from {{ source }}) as sm_values
    )
{%- endmacro %}

{% macro duckdb__sql_has_quantiles() -%}{%- do return(true) -%}{%- endmacro %}

{# One aggregate for all parts, which the engine computes once. #}
{% macro duckdb__sql_quantile(x, part, parts) -%}
    {%- set shares = [] -%}
    {%- for i in range(1, parts) -%}{%- do shares.append(i / parts * (1 - 1e-12)) -%}{%- endfor -%}
    quantile_disc({{ x }}, [{{ shares | join(', ') }}])[{{ part }}]
{%- endmacro %}

{#
  The rest of this file is used by the Python API in its own process: files, tables by name, a sample,
  progress, TREC files.
#}

{# The relation of files of one format (parquet, csv, json), or of one table with a log (delta, iceberg). #}
{% macro duckdb__sql_files(paths, format, options=[]) -%}
    {%- if format in ('delta', 'iceberg') -%}
        {{ format }}_scan({{ sqlmetrics.sql_text(paths[0]) }})
    {%- else -%}
        {#- several files are matched by name, so that the first does not decide the types of all -#}
        {%- set several = ['union_by_name = true'] if paths | length > 1 else [] -%}
        {#- rows that begin with # are rows, such as those of tags -#}
        {%- set rows = ["comment = ''"] if format == 'csv' else [] -%}
        read_{{ format }}({{ ([sqlmetrics.duckdb__sql_texts(paths)] + several + rows + options) | join(', ') }})
    {%- endif -%}
{%- endmacro %}

{# The sign between the values of a CSV file, and how many lines above its names or rows are not read. #}
{% macro duckdb__sql_sniffed(path) -%}
select "Delimiter", "SkipRows" from sniff_csv({{ sqlmetrics.sql_text(path) }}, comment = '')
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

{# Whether files have a name themselves, in a Parquet file also within a column: DuckDB renames the second of two. #}
{% macro duckdb__sql_holds_name(paths, format, name) -%}
    {%- set text = sqlmetrics.sql_text(name) -%}
    {%- if format == 'parquet' -%}
select count(*) > 0 from parquet_schema({{ sqlmetrics.duckdb__sql_texts(paths) }}) where name = {{ text }}
    {%- elif format == 'json' -%}
select count({{ sqlmetrics.sql_quote(name) }}) > 0
from read_json({{ sqlmetrics.duckdb__sql_texts(paths) }}, columns = { {{- sqlmetrics.sql_quote(name) }}: 'json'})
    {%- else -%}
        {%- for path in paths %}
{{ 'union all ' if not loop.first }}select trim(unnest(list_value(*columns(*)))) = {{ text }}
from (from {{ sqlmetrics.duckdb__sql_files([path], format, ['header = false', 'all_varchar = true']) }} limit 1)
        {%- endfor %}
    {%- endif -%}
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
  Stores columns of text files, read once. `sm_differs` tells the rows in which a text is no value of its type, or is
  one that another text is as well.

  Args:
    columns: for each its `name`, `type` as above, whether its values are only told `apart`, and whether words such as
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
  of which no two texts are one, and none has a leading zero; booleans, dates, times that all have a zone or none,
  whether days and months can be told apart, and values of the type of the sample.
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

{#
  A number that a text writes in another way: 0,91 or 1.234,50 or 91 %.

  Args:
    without: what is left out of the text.
    comma: whether a comma is the decimal point.
    percent: whether it is a percentage.
#}
{% macro duckdb__sql_written_number(x, without, comma, percent) -%}
    {%- set text = namespace(sql=x) -%}
    {%- for sign in without -%}
        {%- set text.sql = 'replace(' ~ text.sql ~ ', ' ~ sqlmetrics.sql_text(sign) ~ ", '')" -%}
    {%- endfor -%}
    cast({{ sqlmetrics.with_decimal_point(text.sql, false) if comma else text.sql }} as double){{ ' / 100' if percent }}
{%- endmacro %}

{# The files that patterns match. #}
{% macro duckdb__sql_matched(patterns) -%}
    select file from glob({{ sqlmetrics.duckdb__sql_texts(patterns) }})
{%- endmacro %}

{# Texts as a list. #}
{% macro duckdb__sql_texts(texts) -%}
    {%- set quoted = [] -%}
    {%- for text in texts -%}{%- do quoted.append(sqlmetrics.sql_text(text)) -%}{%- endfor -%}
    [{{ quoted | join(', ') }}]
{%- endmacro %}

{# What makes an extension ready on a connection. #}
{% macro duckdb__sql_extension(name) -%}INSTALL {{ name }}; LOAD {{ name }};{%- endmacro %}

{#
  The lines of a TREC file: a run (topic Q0 docno rank score tag) or qrels (topic 0 docno rel), with any white
  space between fields.

  Texts stay text, '007' included. The number of a line (its score or rel) is NULL if the line has another
  form. Blank lines and comments (#) are left out.
#}
{% macro duckdb__sql_trec_lines(path, kind) -%}
{%- set names = {'run': ['topic', 'docno', 'score', 'run'], 'qrels': ['topic', 'docno', 'rel']}[kind] -%}
{%- set form = {
    'run': '(\\S+) \\S+ (\\S+) \\S+ (\\S+) (\\S+)', 'qrels': '(\\S+) \\S+ (\\S+) (\\S+)$',
}[kind] | replace(' ', '\\s+') | replace('$', '\\s*$') -%}
{%- set number = 'try_cast(' ~ names[2] ~ ' as double)' -%}
{%- set valid = 'isfinite(' ~ number ~ ')'
    ~ {'run': '', 'qrels': ' and ' ~ number ~ ' = floor(' ~ number ~ ')'}[kind] -%}
(
    select * replace (case when {{ valid }} then {{ number }} end as {{ names[2] }})
    from (
        select sm_number, sm_line, unnest(regexp_extract(sm_line, '^\s*{{ form }}', ['{{ names | join("', '") }}']))
        from (
            select row_number() over () as sm_number, sm_line
            from {{ sqlmetrics.duckdb__sql_text_lines(path) }}
        ) as sm_numbered
        where regexp_matches(sm_line, '^\s*[^\s#]')
    ) as sm_fields
)
{%- endmacro %}

{# The rows of a TREC file. #}
{% macro duckdb__sql_trec_rows(path, kind) -%}
select * exclude (sm_number, sm_line) from {{ sqlmetrics.duckdb__sql_trec_lines(path, kind) }} as sm_lines
{%- endmacro %}

{# The first malformed line of a TREC file: its number and text. #}
{% macro duckdb__sql_trec_mistake(path, kind) -%}
select sm_number, sm_line
from {{ sqlmetrics.duckdb__sql_trec_lines(path, kind) }} as sm_lines
where {{ {'run': 'score', 'qrels': 'rel'}[kind] }} is null
order by sm_number
limit 1
{%- endmacro %}

{# The number of the transaction. Outside a transaction of the user every statement has its own. #}
{% macro duckdb__sql_transaction() -%}
    select txid_current()
{%- endmacro %}

{#
  Attaches a database file as `sm_library`: an existing one to read, or a new one in the format that the oldest
  supported DuckDB reads.
#}
{% macro duckdb__sql_attach(path, written) -%}
    attach {{ sqlmetrics.sql_text(path) }} as sm_library (
        type duckdb, {{ "storage_version 'v1.4.0'" if written else 'read_only' }}
    )
{%- endmacro %}

{# A row for each table or view of a name. #}
{% macro duckdb__sql_tables(name) -%}
    select 1 from information_schema.tables where table_name = {{ sqlmetrics.sql_text(name) }}
{%- endmacro %}

{# A row if a name, or the catalog in use, is an attached catalog that is no file of DuckDB. #}
{% macro duckdb__sql_elsewhere(name) -%}
    select 1 from duckdb_databases()
    where type <> 'duckdb'
        and lower(database_name) in (lower({{ sqlmetrics.sql_text(name) }}), lower(current_database()))
{%- endmacro %}

{#
  The approximate number of rows and of distinct values of a column, from a sample of blocks. The column may be a
  window, which no aggregate can hold. The condition refuses `unnest`, which would give a row several scores.
#}
{% macro duckdb__sql_probe(relation, column) -%}
select count(sm_value), approx_count_distinct(sm_value)
from (
    select {{ column }} as sm_value
    from {{ sqlmetrics.from_item(relation) }} tablesample system(2 percent)
    qualify {{ column }} is not null and row_number() over () > 0
) as sm_sample
{%- endmacro %}

{# Turns the connection's progress bar on standard output on or off. #}
{% macro duckdb__sql_progress_bar(shown) -%}set enable_progress_bar = {{ 'true' if shown else 'false' }}{%- endmacro %}

{% macro duckdb__sql_unpivot(columns) -%}
    {%- do return({
        'packed': ['[' ~ columns | join(', ') ~ '] as sm_values'],
        'join': '',
        'position': 'unnest(range(1, ' ~ (columns | length + 1) ~ '))', 'value': 'unnest(sm_values)',
    }) -%}
{%- endmacro %}

{% macro duckdb__sql_element(array, position) -%}({{ array }})[{{ position }}]{%- endmacro %}
{% macro duckdb__sql_array_length(array) -%}len({{ array }}){%- endmacro %}

{% macro duckdb__sql_zone() -%}current_setting('TimeZone'){%- endmacro %}

{# Has a database take the days of instants in UTC, whatever the zone of the machine. #}
{% macro duckdb__sql_utc() -%}set global TimeZone = 'UTC'{%- endmacro %}
