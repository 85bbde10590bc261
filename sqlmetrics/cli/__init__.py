"""The command line: options carry the names of the Python call."""

from sqlmetrics.cli.program import app, main

__all__ = ["app", "main"]
