{#
  The library as a database file, which a shell attaches in less time than it takes to read the statements.
#}

{#
  The statements that create the library in the attached database, with a macro that says its version.

  Args:
    library: the statements of the macros
    version: the version of the package
  Example: {{ sqlmetrics.shell_database(library='create macro one() as 1;', version='0.1.0') }}
#}
{% macro shell_database(library, version) -%}
    use sm_library;
    begin;
    {{ library }}
    create macro main.sqlmetrics_version() as {{ sqlmetrics.sql_text(version) }};
    comment on macro main.sqlmetrics_version is 'The version of sqlmetrics that wrote this library.';
    commit;
    use memory;
    detach sm_library
{%- endmacro %}

{# Whether the attached database is such a library and holds nothing else that a new library would erase. #}
{% macro shell_is_library() -%}
select
    exists(
        select 1 from duckdb_functions()
        where database_name = 'sm_library' and function_name = 'sqlmetrics_version'
    )
    and not exists(select 1 from duckdb_tables() where database_name = 'sm_library')
    and not exists(select 1 from duckdb_views() where database_name = 'sm_library' and not internal)
{%- endmacro %}
