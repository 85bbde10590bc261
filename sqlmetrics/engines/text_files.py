"""Text files: the roles of their columns become types, and what a call reads of them is stored, to be read once.

DuckDB takes the types of a text file from a sample of its first rows, and cuts later values to them. So no type is
taken from the sample alone:

- A column that has to be numbers is read as numbers.
- Any other column is read as text, and becomes what all its values are. If its values are only compared, it becomes a
  number only where no two of its texts are one number: 3.1 and 3.10 stay two versions, and 007 stays a text.
  Classes that are all whole are numbers, too: pandas writes 1 as 1.0 on a day that lacks a value.
"""

from __future__ import annotations

import glob
import re
from dataclasses import asdict, dataclass, field, replace

import duckdb

from sqlmetrics.book.templates import Macros, macros
from sqlmetrics.engines.first_lines import named_twice, names_in_csv
from sqlmetrics.engines.folders import PARTITION
from sqlmetrics.engines.lacking import lacked, names_in_json, note_of
from sqlmetrics.engines.protocol import Relation
from sqlmetrics.errors import DataError
from sqlmetrics.given.advice import read_as_numbers
from sqlmetrics.given.columns import NUMBERS, TEXT
from sqlmetrics.given.reads import Reads

#: How DuckDB says which value of a file is no number.
NO_NUMBER = re.compile(
    r"CSV Error on Line: (?P<line>\d+).*?Could not convert string \"(?P<text>.*?)\" to '.*?file = (?P<csv>[^\n]*)"
    r"|in file \"(?P<json>.*?)\", in (?P<place>.*?): ",
    re.DOTALL,
)
NAME = re.compile(r"[^\W\d]\w*")
#: The types of fields that have none in a sample of JSON: no values, or those of several types.
UNTOLD = ("JSON", '"NULL"')
NESTED = ("STRUCT", "MAP", "UNION")


@dataclass(frozen=True)
class Column:
    """A column as it is read: the type that the reader gives it, and the one that its text then becomes."""

    name: str
    sampled: str
    read: str | None = None  #: None for the type of the sample
    type: str | None = None  #: None for the type that is read
    apart: bool = False  #: whether its values are only compared
    classes: bool = False  #: whether they are classes
    truths: bool = False  #: whether words such as yes are true or false

    @property
    def is_text(self) -> bool:
        """Whether the reader gives its text."""
        return self.read == "VARCHAR"


@dataclass
class TextFile:
    """One or several text files of one format."""

    _connection: duckdb.DuckDBPyConnection
    _paths: list[str]  #: as DuckDB takes them
    _form: str  #: csv or json
    _name: str  #: the name that messages give them
    _table: str  #: the temporary table that stores what is read
    _called: str | None  #: what messages call a temporary file, such as standard input
    _words: Macros = field(default_factory=lambda: macros("duckdb"))

    def stored(self, reads: Reads) -> tuple[Relation, int]:
        """Stores what is read, and gives it as a relation with its number of rows. Other errors are those of DuckDB.

        Raises:
            DataError: a value is no number but has to be one, or a row has other columns than those below it.
        """
        types, note = self._sampled(reads)
        if self._form == "csv":
            names = names_in_csv(self._connection, self._paths, self._name)
        else:
            names = names_in_json(self._connection, self._paths, reads) if len(self._paths) > 1 else {}
        unread = named_twice(self._connection, self._paths, self._form, types)
        types = {name: kind for name, kind in types.items() if name not in unread}
        if any(name.lower() == "sm_facts" for name in types):  # a state, whose other columns are its slices
            keys = frozenset(name.lower() for name in types if not name.lower().startswith("sm_"))
            reads = replace(reads, every=True, apart=keys)
        asked = [name for name in types if reads.asks(name)] or list(types)[:1]
        columns = [self._as_sampled(name, types[name], reads) for name in asked]
        try:
            # a sample never shows enough of these
            alike = not any(
                c.is_text and (c.sampled in UNTOLD or (c.type == "DOUBLE" and c.apart)) for c in columns
            )
            if alike:
                self._create(self._table, self._as_read(columns), columns)
                rows, differ = self._counted(self._table, columns)
            if not alike or differ:
                columns, rows = self._as_all_values(columns)
            columns = self._with_like_classes(columns, reads)
        except (duckdb.ConversionException, duckdb.InvalidInputException) as error:
            raise self._no_number(columns, reads) or error from error
        known = {column.name: column.type or column.read or column.sampled for column in columns}
        types = {name: known.get(name, kind).upper() for name, kind in types.items()}
        query = self._typed(columns)
        relation = Relation(
            self._table,
            self._name,
            unread=unread,
            types=types,
            query=query,
            first_text=self.first_text,
            note=note,
            lacking=[note_of(column, files) for column, files in lacked(names, reads)],
        )
        return relation, rows

    def _sampled(self, reads: Reads) -> tuple[dict[str, str], str]:
        """The columns with their types in a sample, and what else to say of them."""
        types = self._described(whole=False)
        note = _misread(self._form, list(types))
        nested = any(_is_nested(kind) and reads.asks(name) for name, kind in types.items())
        # a field of JSON may begin after the sample
        if (
            self._form == "json"
            and not note
            and (nested or reads.lack(types) or self._fails(reads.expressions))
        ):
            types = self._described(whole=True)
        return types, note

    def _described(self, whole: bool) -> dict[str, str]:
        sampled = self._words["duckdb__sql_sampled"](self._paths, self._form, whole)
        found = self._connection.sql(self._words["sql_no_rows"](sampled))
        return {name: str(kind) for name, kind in zip(found.columns, found.types, strict=True)}

    def _fails(self, expressions: tuple[str, ...]) -> bool:
        """Whether SQL names something that the sample lacks."""
        sampled = self._words["duckdb__sql_sampled"](self._paths, self._form, False)
        try:
            for expression in expressions:
                self._connection.sql(self._words["duckdb__sql_tried"](sampled, expression))
        except duckdb.Error as error:  # of another kind: the check of the expression says it
            return isinstance(error, duckdb.BinderException)
        return False

    def _as_sampled(self, name: str, sampled: str, reads: Reads) -> Column:
        """A column, if its other values are like those of the sample."""
        kind, folded = sampled.upper(), name.lower()
        partitions = {
            found[1] for path in self._paths for found in map(PARTITION.fullmatch, path.split("/")) if found
        }
        if name in partitions or _is_nested(sampled) or sampled == "json":
            return Column(name, sampled)
        number = folded in reads.numbers or (folded == reads.label and kind.startswith(NUMBERS))
        if number and not kind.startswith("BOOL"):
            return Column(name, sampled, "DOUBLE")
        kept = kind.startswith(TEXT) or kind in UNTOLD
        truths = folded == reads.label and reads.truths
        becomes = None if kept else sampled
        return Column(
            name, sampled, "VARCHAR", becomes, folded in reads.apart, folded in reads.classes, truths
        )

    def _typed(self, columns: list[Column]) -> str:
        """The columns as a query of the files."""
        told = [
            # fields of JSON without a type are not read
            {
                "name": column.name,
                "type": column.type,
                "read": column.read or (column.sampled if self._form == "json" else None),
            }
            for column in columns
        ]
        return str(self._words["duckdb__sql_typed"](self._paths, self._form, told)).strip()

    def _as_read(self, columns: list[Column]) -> str:
        """The columns as the reader gives them, as a query of the files."""
        return self._typed([replace(column, type=None) for column in columns])

    def _create(self, table: str, source: str, columns: list[Column]) -> None:
        told = [asdict(column) for column in columns]
        self._connection.execute(self._words["duckdb__sql_store"](table, source, told))

    def _counted(self, table: str, columns: list[Column]) -> tuple[int, list[str]]:
        """The number of rows that are stored, and the columns that the types of the sample may not fit."""
        texts = [column.name for column in columns if column.is_text and column.type is None]
        query = self._words["duckdb__sql_stored"](table, texts)
        [(rows, differs, *late)] = self._connection.execute(query).fetchall()
        typed = [column.name for column in columns if column.type is not None] if differs else []
        return rows, [*typed, *(name for name, is_late in zip(texts, late, strict=True) if is_late)]

    def _as_all_values(self, columns: list[Column]) -> tuple[list[Column], int]:
        """Stores columns again, with the types that all their values have; gives them, and the number of rows."""
        texts = f"{self._table}_texts"
        self._remove(self._table)
        read = [replace(column, type=None) for column in columns]
        try:
            self._create(texts, self._typed(read), read)
            rows, late = self._counted(texts, read)
            found = [
                self._of_all(texts, column)
                if column.is_text and (column.type or column.sampled in UNTOLD or column.name in late)
                else column
                for column in columns
            ]
            is_read = [c.read for c in found] == [c.read for c in columns]
            if is_read and all(column.type is None for column in found):
                self._connection.execute(self._words["duckdb__sql_rename"](texts, self._table))
            else:
                self._create(self._table, texts if is_read else self._as_read(found), found)
        finally:
            self._remove(texts)
        return found, rows

    def _with_like_classes(self, columns: list[Column], reads: Reads) -> list[Column]:
        """The columns, with all classes as text if those of one column are codes, such as 345.10 beside 345.1."""
        classes = [column for column in columns if column.name.lower() in reads.classes and column.is_text]
        texts = [column.name for column in classes if column.type is None]
        if len(texts) in (0, len(classes)) or not any(map(self._holds_numbers, texts)):
            return columns
        self._remove(self._table)
        columns = [replace(column, type=None) if column in classes else column for column in columns]
        self._create(self._table, self._as_read(columns), columns)
        return columns

    def _holds_numbers(self, name: str) -> bool:
        """Whether a stored text is a number."""
        query = self._words["duckdb__sql_holds_numbers"](self._table, name)
        return bool(self._connection.execute(query).fetchone())

    def _of_all(self, texts: str, column: Column) -> Column:
        """A column with the type that all its values have."""
        told = self._connection.sql(
            self._words["duckdb__sql_kinds"](texts, column.name, column.type or "VARCHAR", column.truths)
        )
        [row] = told.fetchall()
        of = dict(zip(told.columns, row, strict=True))
        sampled, computed = (column.type or "").upper(), not column.apart
        is_time = sampled in ("DATE", "TIMESTAMP")
        is_other = sampled not in ("", "DATE", "TIMESTAMP", "BOOLEAN") and not sampled.startswith(NUMBERS)
        kinds = [
            ("BIGINT", of["integers"] or (computed and of["any_integers"])),
            ("HUGEINT", of["long_integers"]),
            ("DOUBLE", of["numbers"] and (computed or of["one_way"] or (column.classes and of["whole"]))),
            ("BOOLEAN", of["booleans"] and sampled in ("", "BOOLEAN")),
            ("DATE", of["dates"] and sampled == "DATE"),
            ("TIMESTAMP", of["times"] and is_time),
            (sampled, of["sampled"] and is_other),
        ]
        kind = next((kind for kind, holds in kinds if holds), None)
        in_other_order = kind is None and is_time and not of["sampled"]
        if in_other_order and of["one_order"] and self._reads(column):
            return replace(column, read=None, type=None)
        return replace(column, type=kind)

    def _reads(self, column: Column) -> bool:
        """Whether DuckDB reads all values of a column as the sample has them, such as dates in another order."""
        source = self._typed([replace(column, read=None, type=None)])
        try:
            self._connection.execute(self._words["duckdb__sql_count_of"](source, column.name)).fetchall()
        except (duckdb.ConversionException, duckdb.InvalidInputException):
            return False
        return True

    def _remove(self, table: str) -> None:
        self._connection.execute(self._words["duckdb__sql_remove"](table))

    def first_text(self, name: str) -> tuple[str, str] | None:
        """The first text of a column that is no number: its place, and itself."""
        other = self._connection.cursor()  # since an error ends a transaction of the user
        query = self._words["duckdb__sql_count_of"](self._typed([Column(name, "DOUBLE", "DOUBLE")]), name)
        try:
            other.execute(query).fetchall()
        except (duckdb.ConversionException, duckdb.InvalidInputException) as error:
            found = NO_NUMBER.search(str(error))
            if found is None:
                return None
            if found["line"]:
                file, place, said = found["csv"], f"line {int(found['line']):,}", found["text"]
            else:  # where a block has several such texts, the error has the place of the first and the last text
                file, place = found["json"], found["place"]
                record = self._words["duckdb__sql_record"](glob.escape(file), name, int(place.split()[-1]))
                [(said,)] = other.execute(record).fetchall()
            return f"{place} of {self._called or file}", said
        return None

    def _no_number(self, columns: list[Column], reads: Reads) -> DataError | None:
        """The error for a value that is no number; None if the files have another fault."""
        for name in [column.name for column in columns if column.read == "DOUBLE"]:
            found = self.first_text(name)
            if found is None:
                continue
            place, said = found
            role = reads.numbers.get(name.lower(), "label")
            named = name if NAME.fullmatch(name) else self._words["sql_quote"](name)
            text = "; text is taken as it is with positive='...'" if role == "label" else ""
            return DataError(
                f"Column '{name}' ({role}=) has to be numbers, and {place} has {said!r:.60}{text}"
                f"{read_as_numbers(self._words, named, said, self._shapes(name))}"
            )
        return None

    def _shapes(self, name: str) -> list[str]:
        """How the texts of a column are written, with 1 for each digit."""
        query = self._words["duckdb__sql_shapes"](self._typed([Column(name, "VARCHAR", "VARCHAR")]), name)
        return [shape for (shape,) in self._connection.cursor().execute(query).fetchall()]


def _is_nested(kind: str) -> bool:
    return kind.startswith(NESTED) or kind.endswith("]")


def _misread(form: str, names: list[str]) -> str:
    """What the columns say of a text file that DuckDB cannot divide into columns; empty if it could."""
    if form == "csv" and all(re.fullmatch(r"column\d+", name) for name in names):
        return " (not of the file, which has no line of names, or lines of different numbers of values)"
    if form == "csv" and names[0].startswith("sep="):
        return " (of the first line, which is for Excel; delete this line)"
    if form == "csv" and len(names) == 1 and any(sign in names[0] for sign in ",;|\t"):
        return " (one column, since the lines of the file have different numbers of values)"
    if form == "json" and names == ["json"]:
        return " (one column, since no object begins the file or its list; a byte order mark hides a list)"
    return ""
