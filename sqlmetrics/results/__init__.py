"""From the table that an engine gives to what a user gets: types, checks of the counts, reports."""
