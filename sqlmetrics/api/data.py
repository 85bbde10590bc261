"""`data`: facts about data that are said once, and the functions that then need not be told them again."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from sqlmetrics.api.change import explain_change
from sqlmetrics.api.classes import class_report, confusion_matrix
from sqlmetrics.api.compare import compare
from sqlmetrics.api.curve import curve
from sqlmetrics.api.drift import drift
from sqlmetrics.api.evaluate import evaluate
from sqlmetrics.api.leaderboard import leaderboard
from sqlmetrics.api.lists import per_group
from sqlmetrics.api.plan_labels import plan_labels
from sqlmetrics.api.report import report
from sqlmetrics.api.sample_size import sample_size
from sqlmetrics.api.slices import find_slices
from sqlmetrics.api.states import state
from sqlmetrics.book.templates import macros
from sqlmetrics.errors import SqlMetricsError, counted, did_you_mean, public
from sqlmetrics.given.columns import texts_in
from sqlmetrics.given.facts import opened
from sqlmetrics.given.models import tables_in
from sqlmetrics.given.reads import reads_of
from sqlmetrics.options import OPTIONS, Options, column_of_models, named_scores

METHODS = (
    *(evaluate, per_group, compare, leaderboard, sample_size, curve, find_slices, explain_change, drift),
    *(plan_labels, confusion_matrix, class_report, state, report),
)
#: what decides which rows count, and how much
OF_ROWS = ("models", "weight", "where")
#: what decides which labels count
OF_LABELS = ("gold", "gold_weight", "soft")
OF_COLUMNS = ("COLUMN", "KEY", "[NAME=]COLUMN", "COLUMN[=NAMES]")
#: what a question asks, rather than what the data are
ASKED = ("by", "total", "total_of", "total_name", "interval", "interval_method", "tightest_at", "n_resamples")

FACTS = [name for name in inspect.signature(evaluate).parameters if name in OPTIONS and name not in ASKED]


class Data:
    """Data with the facts about them. Its methods are made from the signatures of the public functions of their names.

    A method takes what its function takes, without the data. What is passed to it replaces a fact of the same name.

    Attributes:
        facts: the facts by name.
    """

    def __init__(self, data: Any, facts: Mapping[str, Any]) -> None:
        self._data = data
        self.facts = dict(facts)

    def __repr__(self) -> str:
        """The data: their rows, and the column of each role with its type."""
        options = Options(**self.facts)
        with opened(self._data, options, reads=reads_of(options)) as given:
            counted_rows = str(
                macros(given.session.dialect)["number_of_rows"](given.relation.text, options.where)
            )
            [rows] = given.session.query(counted_rows, given.relation.name).column(0).to_pylist()
            columns, named = given.session.columns(given.relation), given.facts["score"]
        lines = [f"{rows:,} rows of {given.relation.name}"]
        for name, fact in self.facts.items():
            named_of = column_of_models(fact) if name == "models" else fact
            types = [f"{column} ({columns.type_of(column) or 'SQL'})" for column in texts_in(named_of)]
            lines.append(f"{name}: {', '.join(types) if OPTIONS[name].written in OF_COLUMNS else repr(fact)}")
        if isinstance(named, dict):
            lines.append(f"models by name: {counted([*named])}")
        return "\n".join(lines)

    if TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any: ...


def facts_for(function: Callable[..., Any], facts: Mapping[str, Any]) -> dict[str, Any]:
    """The facts that a function takes.

    Raises:
        SqlMetricsError: it does not take one that decides which rows or labels count.
    """
    taken = inspect.signature(function).parameters
    for name in OF_LABELS:
        if facts.get(name) and "label" in taken and name not in taken:
            takers = [other.__name__ for other in METHODS if name in inspect.signature(other).parameters]
            raise SqlMetricsError(
                f"{function.__name__} takes no {name}=, which is a fact of these data; {', '.join(takers)} do. Leave"
                " the fact out for the labels of label= alone"
            )
    lost = [name for name in OF_ROWS if name in facts and name not in taken]
    if lost:
        raise SqlMetricsError(
            f"{function.__name__} takes no {lost[0]}=, which is a fact of these data; it reads one table of one model:"
            " leave the fact out, and take the rows of a model by where="
        )
    return {name: fact for name, fact in facts.items() if name in taken}


def _method(function: Callable[..., Any]) -> Callable[..., Any]:
    signature = inspect.signature(function)
    _, *others = signature.parameters.values()

    @functools.wraps(function)
    def call(self: Data, *args: Any, **kwargs: Any) -> Any:
        return function(self._data, *args, **{**facts_for(function, self.facts), **kwargs})

    own = inspect.Parameter("self", inspect.Parameter.POSITIONAL_OR_KEYWORD)
    call.__signature__ = signature.replace(parameters=[own, *others])  # type: ignore[attr-defined]
    return call


for _function in METHODS:
    setattr(Data, _function.__name__, _method(_function))


@public
def data(data: Any, **facts: Any) -> Data:
    """Says the facts about data once: what its columns are, and where they are.

    Args:
        data: as for `evaluate`. A table that could be read only once is kept in memory.
        facts: the options of `evaluate` that say what the data are, such as `label`, `score`, `models`, `group`,
            `item`, `weight`, `truth`, `prediction`, `positive`, `max_grade`, `ties`, `where` and `connection`.

    Returns:
        A `Data`, whose methods are `evaluate`, `per_group`, `compare`, `leaderboard`, `sample_size`, `curve`,
        `find_slices`, `explain_change`, `drift`, `plan_labels`, `confusion_matrix`, `class_report`, `state` and
        `report`.

    Raises:
        SqlMetricsError: an unknown fact; a column that the data lack, or have with another type.

    >>> rows = [{"q": i // 4, "grade": i % 3, "new": i % 5, "old": i % 2} for i in range(40)]
    >>> search = data(rows, label="grade", score=["new", "old"], group="q", positive=2)
    >>> search.evaluate("ndcg@3")["model"]
    ['new', 'old']
    >>> round(search.compare("ndcg@3", baseline="old")["difference"][0], 4)
    0.0305
    >>> print(search)
    40 rows of the data
    label: grade (BIGINT)
    score: new (BIGINT), old (BIGINT)
    group: q (BIGINT)
    positive: 2
    models by name: new, old
    """
    from sqlmetrics.engines.tables import reusable

    for name in facts:
        if name not in FACTS:
            why = "goes with each question" if name in ASKED else "is no fact about data"
            raise SqlMetricsError(f"{name}= {why}.{did_you_mean(name, FACTS)} Facts: {', '.join(FACTS)}")
    facts = {name: named_scores(fact) if name == "score" else fact for name, fact in facts.items()}
    tables = tables_in(data)
    data = {name: reusable(table) for name, table in tables.items()} if tables else reusable(data)
    options = Options(**facts)
    with opened(data, options, reads=reads_of(options)):
        return Data(data, facts)
