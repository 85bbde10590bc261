"""The public functions, a file a family; `sqlmetrics` itself has their names."""
