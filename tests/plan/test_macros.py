"""The macro files keep to what Jinja2 and dbt both load."""

from __future__ import annotations

import re

import jinja2
import pytest
from jinja2 import nodes

from sqlmetrics.catalog import catalog
from sqlmetrics.documentation import describe
from sqlmetrics.templates import dialects, macros, sql_files

FILES = sorted(sql_files())
ENVIRONMENT = jinja2.Environment(extensions=["jinja2.ext.do"])


def parsed(path: str) -> nodes.Template:
    return ENVIRONMENT.parse(sql_files()[path])


@pytest.mark.parametrize("path", FILES)
def test_only_macros_and_comments_at_the_top(path: str) -> None:
    """A `{% set %}` there is silently empty in dbt."""
    for node in parsed(path).body:
        blank = isinstance(node, nodes.Output) and all(
            isinstance(part, nodes.TemplateData) and not part.data.strip() for part in node.nodes
        )
        assert blank or isinstance(node, nodes.Macro), f"line {node.lineno}"


@pytest.mark.parametrize("path", FILES)
def test_lines_are_narrow(path: str) -> None:
    assert not [number for number, line in enumerate(sql_files()[path].splitlines(), 1) if len(line) > 120]


@pytest.mark.parametrize("path", FILES)
def test_calls_are_qualified(path: str) -> None:
    """An unqualified macro is not found from the model of a user's dbt project."""
    given = {"return", "namespace", "range", "dict"}
    for call in parsed(path).find_all(nodes.Call):
        assert not isinstance(call.node, nodes.Name) or call.node.name in given, f"line {call.lineno}"


@pytest.mark.parametrize("path", FILES)
def test_no_engine_outside_the_dialects(path: str) -> None:
    # a library may have the name of its engine
    if not path.startswith("dialects/") and path != "plan/conventions.sql":
        found = re.findall("|".join(rf"\b{name}__|\b{name}\b" for name in dialects()), sql_files()[path])
        assert not found


def test_names_are_unique_and_exported() -> None:
    names = [macro.name for path in FILES for macro in parsed(path).find_all(nodes.Macro)]
    assert len(names) == len(set(names))
    assert not [name for name in names if name.startswith("_")]
    assert names == list(macros("duckdb"))


def test_every_primitive_has_a_default() -> None:
    """Reading the package, dbt looks for them whatever the engine; what one engine alone can do is not dispatched."""
    names = set(macros("duckdb"))
    assert not [name for name in names if name.startswith("sm_") and f"default__{name}" not in names]


@pytest.mark.parametrize("metric", catalog().values(), ids=lambda metric: metric.macro)
def test_documentation_says_what_a_reader_needs(metric) -> None:
    assert metric.doc.split("\n\n")[0].endswith(".")
    assert "Returns:" in metric.doc
    assert metric.name in metric.example
    if metric.name != "count":
        assert "Undefined:" in metric.doc
        facts = {"label": "y", "score": "s", "group": "g", "item": "i", "max_grade": 1}
        others = (
            metric.grain in ("items", "classes") or metric.plan["needs"]["subtopics"]
        )  # which ask for more
        refused = (metric.plan if others else macros("duckdb")["plan"]([metric.example], **facts))["checks"]
        assert "Errors:" in metric.doc or not (refused or metric.parameters)
    for parameter in metric.parameters:
        assert f"  {parameter}: " in describe(metric.notation)
