"""What a call reads of a table, by role. A text file has no types, so that its columns get those of their roles."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from sqlmetrics.given.columns import sql, texts_in
from sqlmetrics.options import Options, column_of_models, is_array

#: DuckDB's expression that stands for the columns whose names match a pattern.
PATTERN = re.compile(r"\bcolumns\s*\(", re.IGNORECASE)


@dataclass(frozen=True)
class Reads:
    """The columns that are read of a table. Names are in lower case, since SQL folds those of files."""

    numbers: Mapping[str, str] = field(default_factory=dict)  #: columns that have to be numbers: name -> role
    label: str | None = None  #: the label, unless it is a class: numbers, booleans or text
    truths: bool = False  #: whether a label of yes and no is true and false, since no text of it is positive
    apart: frozenset[str] = frozenset()  #: columns whose values are only compared: equal or not
    classes: frozenset[str] = frozenset()  #: those that hold classes, which are compared
    expressions: tuple[str, ...] = ()  #: SQL that names columns
    notations: tuple[str, ...] = ()  #: metrics that may name columns
    every: bool = False  #: whether every column is read, as of a state

    def asks(self, column: str) -> bool:
        """Whether a column may be read."""
        name = column.lower()
        named = name in self.numbers or name in self.apart or name == self.label
        texts = (*self.expressions, *self.notations)
        return self.every or named or any(PATTERN.search(text) or _names(text, name) for text in texts)

    def lack(self, columns: Iterable[str]) -> bool:
        """Whether a column is named that is not among those of a file."""
        named = {*self.numbers, *self.apart, *filter(None, [self.label])}
        return not named <= {column.lower() for column in columns}


#: What is read of the distances of items.
OF_DISTANCES = Reads({"distance": "distances"}, apart=frozenset(("item_a", "item_b")))


def reads_of(
    options: Options,
    *,
    notations: Any = (),
    apart: Any = (),
    classes: Any = (),
    numbers: Any = (),
    every: bool = False,
) -> Reads:
    """What a call reads.

    Args:
        options: the options of the call.
        notations: metrics and curves, which may name further columns.
        apart: further columns whose values are only compared, such as the period.
        classes: further columns of classes, such as those of another model.
        numbers: further columns that have to be numbers.
        every: whether every column is read.
    """
    has_classes = options.prediction is not None or options.class_scores is not None
    scores: Any = options.class_scores
    if is_array(scores):
        scores = scores["column"]  # of arrays, with the names of their elements
    as_text = has_classes or isinstance(options.positive, str)
    roles = {"gold": None if as_text else options.gold, "score": options.score}
    roles |= {
        "gold_weight": options.gold_weight,
        "weight": options.weight,
        "class_scores": scores,
        "numeric": numbers,
    }
    computed = [(role, name) for role, columns in roles.items() for name in texts_in(columns)]
    keys = [options.by, options.group, options.item, options.subtopic, options.category, apart]
    keys.append(column_of_models(options.models))
    keys.append(options.gold if as_text else None)
    compared = list(texts_in([options.prediction, classes, options.label if has_classes else None]))
    told, label = [*texts_in(keys), *compared], [] if has_classes else list(texts_in(options.label))
    names = frozenset(name.lower() for name in told if not isinstance(name, sql))
    given = [*(name for _, name in computed), *told, *label]
    return Reads(
        {
            name.lower(): role
            for role, name in computed
            if not isinstance(name, sql) and name.lower() not in names
        },
        next((name.lower() for name in label if not isinstance(name, sql)), None),
        not isinstance(options.positive, str),
        names,
        frozenset(name.lower() for name in compared),
        (*(name for name in given if isinstance(name, sql)), *texts_in(options.where)),
        tuple(texts_in(notations)),
        every,
    )


def _names(text: str, column: str) -> bool:
    """Whether a text may name a column."""
    names = {column, column.replace('"', '""')}
    return any(re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text.lower()) for name in names)
