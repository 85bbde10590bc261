"""No macro has a name of the dbt that is installed."""

from __future__ import annotations

import importlib.util
import inspect
from pathlib import Path

import pytest

from sqlmetrics.book.templates import MACRO, macros

if importlib.util.find_spec("dbt.cli") is None:
    pytest.skip("dbt is not installed: pip install '.[dbt]'", allow_module_level=True)


def names_of_context() -> set[str]:
    """What the classes of dbt that make a context put into it."""
    from dbt.context import base, configured, manifest, providers

    modules = (base, configured, manifest, providers)
    made = [thing for module in modules for thing in vars(module).values() if inspect.isclass(thing)]
    return {name for one in made for name in getattr(one, "_context_members_", ())}


def names_of_macros() -> set[str]:
    """The macros that dbt brings, whatever the adapter."""
    import dbt.include.global_project as project

    texts = [path.read_text() for path in Path(project.PACKAGE_PATH).glob("macros/**/*.sql")]
    return {name for text in texts for name in MACRO.findall(text)}


def test_no_macro_has_a_name_of_the_context() -> None:
    """A macro `source` once hid dbt's own, and no test on a source compiled."""
    assert {"source", "ref", "this", "graph", "var"} <= names_of_context()
    assert not names_of_context() & set(macros("duckdb"))


def test_no_macro_has_a_name_of_a_macro() -> None:
    assert {"statement", "run_query", "is_incremental", "default__type_string"} <= names_of_macros()
    assert not names_of_macros() & set(macros("duckdb"))
