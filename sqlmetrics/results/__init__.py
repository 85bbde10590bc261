"""Results: types, checks of the counts, and reports for the table that an engine returns."""
