"""The pages of the site that are made from `sql/`, and the sources of all others."""
