"""The interface of engines: relations, their columns, and the results of statements."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    import pyarrow as pa

    from sqlmetrics.columns import Columns
    from sqlmetrics.reads import Reads


@dataclass(frozen=True)
class Relation:
    """A relation to select from."""

    text: str  #: the relation as SQL
    name: str  #: the name that messages give it
    read_once: bool = False  #: True for a query or a text file: a second reading is slow or may differ
    unread: Mapping[str, str] = field(default_factory=dict, compare=False)
    """Why columns of a frame cannot be read, by name."""
    types: Mapping[str, str] | None = field(default=None, compare=False)
    """The columns of a text file with their types, as `Columns` has them."""
    note: str = ""  #: what a reader of the list of columns should know


class Session(Protocol):
    """A connection and the relations opened on it. Errors of the engine are raised as `SqlMetricsError`."""

    @property
    def dialect(self) -> str:
        """The dialect of its statements, a file of `sql/dialects/`."""

    def open(self, data: Any, role: str, reads: Reads) -> Relation:
        """The relation of the user's data, truth, catalog ...; of a text file, of the columns that are read."""

    def columns(self, relation: Relation) -> Columns:
        """The columns of a relation with their types, under the engine's names."""

    def repeats(self, relation: Relation, column: str) -> bool:
        """Whether a score has so few levels that counting them is faster than sorting rows."""

    def query(self, statement: str, name: str) -> pa.Table:
        """The result of a statement over the relation `name`; integers and decimals may have any width."""
