"""The report page: which statements it runs, what it says of their results, and how it is written as HTML."""
