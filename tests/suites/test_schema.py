"""The schema of suites: published as it is, and about the options that there are."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from pathlib import Path

import jsonschema

import sqlmetrics as sm
from sqlmetrics.options import OPTIONS
from sqlmetrics.suites.schema import schema
from support import suite_schema

NO_FACTS = {"by", "connection", "dialect"}


def test_published_files_are_made_of_the_options() -> None:
    for file in suite_schema.FILES:
        assert file.read_text(encoding="utf-8") == suite_schema.text(), "run `make readme`"
    jsonschema.Draft202012Validator.check_schema(schema())


def test_every_option_is_a_fact_with_its_sentence() -> None:
    facts = schema()["properties"]["facts"]["properties"]
    taken = {name for name in inspect.signature(sm.evaluate).parameters if name in OPTIONS}
    assert {*facts} == taken - NO_FACTS
    assert all(fact["description"] == OPTIONS[name].sentence for name, fact in facts.items())


def test_every_key_is_described(write: Callable[..., Path]) -> None:
    def described(part: dict) -> bool:
        inner = part.get("properties", {}).values()
        return bool(part.get("description")) and all(map(described, inner))

    assert described(schema())
