"""The interface of engines: relations, their columns, and the results of statements."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    import pyarrow as pa

    from sqlmetrics.given.columns import Columns
    from sqlmetrics.given.reads import Reads


@dataclass(frozen=True)
class Relation:
    """A relation to select from."""

    text: str  #: the relation as SQL; of a text file the table that stores it
    name: str  #: the name that messages give it
    read_once: bool = False  #: True for a query or a text file: a second reading is slow or may differ
    unread: Mapping[str, str] = field(default_factory=dict, compare=False)
    """Why columns of a frame or a file cannot be read, by name."""
    parquet: Sequence[str] = field(default=(), compare=False)  #: the Parquet files that it reads
    types: Mapping[str, str] | None = field(default=None, compare=False)
    """The columns of a text file with their types, as `Columns` has them."""
    query: str = ""  #: of a text file: its rows with their types, as SQL
    first_text: Callable[[str], tuple[str, str] | None] | None = field(default=None, compare=False)
    """Of a text file: the first text of a column that is no number, with its place before it."""
    note: str = ""  #: what a reader of the list of columns should know
    lacking: Sequence[str] = field(default=(), compare=False)
    """Notes on the columns that some of several files lack."""


class Session(Protocol):
    """A connection and the relations opened on it. Errors of the engine are raised as `SqlMetricsError`."""

    dialect: str  #: the dialect of its statements, a file of `sql/dialects/`
    files: dict[str, str]  #: the queries of the text files that are stored, by the names of their tables
    lacking: tuple[str, ...] = ()  #: notes on columns that some of the files lack which were opened

    def open(self, data: Any, role: str, reads: Reads) -> Relation:
        """The relation of the user's data, truth, catalog ...; of a text file, of the columns that are read."""

    def columns(self, relation: Relation) -> Columns:
        """The columns of a relation with their types, under the engine's names."""

    def repeats(self, relation: Relation, column: str) -> bool:
        """Whether a score has so few levels that counting them is faster than sorting rows.

        False without a query, where an engine does not say: only DuckDB gains much from counted levels.
        """
        return False

    def query(self, statement: str, name: str) -> pa.Table:
        """The result of a statement over the relation `name`; integers and decimals may have any width."""


@dataclass(frozen=True)
class Source:
    """Where messages read some values of a column, and how a user queries its relation."""

    relation: str  #: the relation as SQL
    ask: Callable[[str], list[Any]]  #: runs a query and gives the values of its first column
    named: str  #: the relation in a query of the user's
    query: str = "{}"  #: how a query is passed as data


def source_of(session: Session, relation: Relation, query: str = "{}") -> Source:
    """The source of a relation. A view of ours has no name that a user could write."""
    named = relation.query or ("data" if relation.text.startswith("sm_") else relation.text)
    return Source(
        relation.text, lambda asked: session.query(asked, relation.name).column(0).to_pylist(), named, query
    )
