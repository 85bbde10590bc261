"""Logs of evaluations: which tool wrote a file, and what of it DuckDB is to read."""
