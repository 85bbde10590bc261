"""The engines a test runs on, a file each: make tables of lists of dicts, run one statement, give its rows as dicts."""

import importlib
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any

import pytest

Rows = list[dict[str, Any]]

#: What every machine runs; `--engines` takes others too.
LIGHT = ["duckdb", "sqlite", "postgres"]
KNOWN = [*LIGHT, "bigquery", "clickhouse", "datafusion", "mysql", "snowflake", "spark"]


def asked(option: str) -> list[str]:
    """The engines of `--engines`."""
    names = KNOWN if option == "all" else option.split(",")
    if not set(names) <= set(KNOWN):
        raise pytest.UsageError(f"--engines takes some of {','.join(KNOWN)}, or all; got {option}")
    return names


class NoEngineError(Exception):
    """An engine that is not to be had on this machine."""


@dataclass(frozen=True)
class Engine:
    """An engine under test; `query(sql, tables)` leaves no trace of its tables."""

    name: str
    dialect: str
    query: Callable[[str, dict[str, Rows]], Rows]


def open_engine(name: str) -> AbstractContextManager[Engine]:
    """Opens an engine of `KNOWN`.

    Raises:
        NoEngineError: it is not to be had on this machine.
    """
    return importlib.import_module(f"support.engines.{name}").opened()


def gaps(name: str) -> dict[str, str]:
    """What an engine cannot do: a pattern of test ids -> the reason."""
    return getattr(importlib.import_module(f"support.engines.{name}"), "GAPS", {})
