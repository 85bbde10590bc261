"""Families of commands, which `cli.py` puts among its own."""
