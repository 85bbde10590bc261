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

{#
  DuckDB 2 takes conditions through sub-queries as copies of the expressions there, of which there are too many where a
  polynomial reads a long one. It takes none through an offset.
#}
{% macro duckdb__sql_fence(of) -%}{{ '\n    offset 0' ~ sqlmetrics.why_fenced() if of == 'places' }}{%- endmacro %}

{% macro duckdb__sql_value_text(x) -%}
{%- set text = sqlmetrics.sql_string(x) -%}
case when typeof({{ x }}) in ('DOUBLE', 'FLOAT') and {{ text }} = '-0.0' then '0.0' else {{ text }} end
{%- endmacro %}

{% macro duckdb__sql_string_of_end(x) -%}regexp_replace({{ sqlmetrics.sql_string(x) }}, '[.]0$', ''){%- endmacro %}

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
  Through a list the planner learns that there are few values, so that it builds its hash tables on
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
  progress, TREC files. duckdb/text_files.sql has the types of text files.
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

{# The columns of Parquet files and those within them, with the number of columns in each, in their order. #}
{% macro duckdb__sql_schemas(paths) -%}
select file_name, name, num_children from parquet_schema({{ sqlmetrics.duckdb__sql_texts(paths) }})
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

{#
  The rows of a TREC file.

  Args:
    best: of a run, how many documents of each topic are read, the best of them; none reads all
    single: true ranks by scores in single precision
#}
{% macro duckdb__sql_trec_rows(path, kind, best=none, single=false) -%}
select * exclude (sm_number, sm_line) from {{ sqlmetrics.duckdb__sql_trec_lines(path, kind) }} as sm_lines
{%- if best is not none %}
qualify score is null or {{ best }} >= row_number() over (
    partition by topic order by {{ 'cast(score as float)' if single else 'score' }} desc nulls last, docno desc
)
{%- endif -%}
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
