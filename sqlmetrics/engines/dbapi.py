"""Any connection of the DB-API."""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import Any

from sqlmetrics.engines.protocol import Session
from sqlmetrics.errors import SqlMetricsError


def session(connection: Any, dialect: str | None) -> AbstractContextManager[Session]:
    """A session on the user's connection."""
    raise SqlMetricsError(f"connection= takes a DuckDB connection, got {type(connection).__name__}")
