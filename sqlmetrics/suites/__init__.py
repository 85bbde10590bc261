"""Suites: files that say which metrics of which data to compute, and which limits have to hold."""
