"""The macros of a DuckDB shell."""
