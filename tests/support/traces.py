"""What a call could leave in a DuckDB connection."""

from typing import Any

import duckdb


def traces(connection: duckdb.DuckDBPyConnection) -> dict[str, Any]:
    """The settings of a connection and the names of all objects in it."""
    asked = {
        "settings": "select name, value from duckdb_settings()",
        "views": "select view_name, sql from duckdb_views() where not internal",
        "tables": "select table_name, sql from duckdb_tables()",
        "macros": "select function_name, macro_definition from duckdb_functions() where not internal",
        "types": "select type_name from duckdb_types() where not internal",
        "schemas": "select schema_name from duckdb_schemas() where not internal",
        "prepared": "select name from duckdb_prepared_statements()",
    }
    return {name: sorted(map(str, connection.execute(query).fetchall())) for name, query in asked.items()}
