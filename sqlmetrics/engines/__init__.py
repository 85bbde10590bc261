"""Where statements run: one file an engine."""
