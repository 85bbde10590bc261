"""What an engine gives: relations, their columns, and the result of a statement."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    import pyarrow as pa

    from sqlmetrics.columns import Columns


@dataclass(frozen=True)
class Relation:
    """Something to select from."""

    text: str  #: as SQL
    name: str  #: as the user knows it
    read_once: bool = False  #: whether a second reading is dear or may differ: a query, a text file


class Session(Protocol):
    """A connection, and what was opened on it; whatever the engine refuses is an `SqlMetricsError`."""

    @property
    def dialect(self) -> str:
        """The file of `sql/dialects/` that its statements are written in."""

    def open(self, data: Any, role: str) -> Relation:
        """The relation of what the user gave as data, truth, catalog ..."""

    def columns(self, relation: Relation) -> Columns:
        """The columns of a relation with their types, by the names that the engine has for them."""

    def repeats(self, relation: Relation, column: str) -> bool:
        """Whether levels of a score are better counted than sorted: they are few for the number of rows."""

    def query(self, statement: str, name: str) -> pa.Table:
        """The result of a statement over the relation of that name; integers and decimals of any width will do."""
