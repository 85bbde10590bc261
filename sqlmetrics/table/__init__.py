"""Small tables: shown in terminals and notebooks, and converted to any frame library."""
