"""What `sql/` says: its macros as functions, the catalog of metrics, notations, plans."""
