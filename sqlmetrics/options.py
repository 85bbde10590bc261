"""The options of calls, each declared once: its name, type, default, meaning, and how the command line writes it.

A public function repeats those that it takes in its signature, since notebooks show it; `tests/test_options.py` holds
signatures, documentation and macros to what is declared here. The command line is made from the signatures and the
sentences here. Below the public functions all options of a call travel as one `Options`.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Concatenate, Literal, ParamSpec, TypeVar, get_args, get_type_hints

P = ParamSpec("P")
R = TypeVar("R")

Names = str | Iterable[str] | None
Score = str | Mapping[str, str] | None
Ties = Literal["average", "worst", "best", "item", "item desc"]
OnExtra = Literal["drop", "error"]
OnDuplicate = Literal["error", "first"]
OnBadRows = Literal["error", "drop"]
Unjudged = Literal["not_relevant", "drop"]
IntervalMethod = Literal["exact", "logit", "bootstrap"]
ScoreLevels = Literal["sorted", "counted"]


@dataclass(frozen=True)
class Option:
    """What is known of an option besides its name, type and default.

    Attributes:
        sentence: what it means, as the help of the command line says it.
        written: what stands for its value there, by which the command line reads it: a COLUMN, a FILE ...
        python_only: whether Python alone reads it, so that no macro gets it.
    """

    sentence: str
    written: str | None = None
    python_only: bool = False


@dataclass(frozen=True, kw_only=True)
class Options:
    """The options of one call. Columns and tables are as the user wrote them."""

    label: Annotated[str | None, Option("The truth of a row.", "COLUMN")] = None
    score: Annotated[
        Score,
        Option("What the model said; once a model, name=column names the model.", "[NAME=]COLUMN"),
    ] = None
    group: Annotated[str | None, Option("The list a row belongs to: query, user, session.", "COLUMN")] = None
    item: Annotated[str | None, Option("What is listed.", "COLUMN")] = None
    weight: Annotated[str | None, Option("The weight of a row, or of its list.", "COLUMN")] = None
    by: Annotated[Names, Option("Slices: columns with commas between, or again.", "COLUMNS")] = None
    total: Annotated[bool, Option("A row for all slices together.")] = True
    truth: Annotated[Any, Option("A second table: group, item and label of what was relevant.", "FILE")] = (
        None
    )
    truth_by: Annotated[Names, Option("Those of --by that the truth has.", "COLUMNS")] = None
    subtopic: Annotated[
        str | None, Option("The subtopic, a column of --truth; alpha_ndcg needs it.", "COLUMN")
    ] = None
    prediction: Annotated[
        str | None, Option("The predicted class, for the metrics of classes.", "COLUMN")
    ] = None
    catalog: Annotated[Any, Option("The items that could be recommended.", "FILE")] = None
    history: Annotated[Any, Option("Past interactions: group and item.", "FILE")] = None
    distances: Annotated[Any, Option("Distances of items: item_a, item_b and distance.", "FILE")] = None
    category: Annotated[
        str | None, Option("The column of the catalog with an item's category.", "COLUMN")
    ] = None
    max_grade: Annotated[int | None, Option("The highest grade of the scale; err needs it.")] = None
    positive: Annotated[
        float | str | None,
        Option(
            "From which label on a row is positive, or the text of a positive row ('1' in quotes is text).",
            "VALUE",
        ),
    ] = None
    ties: Annotated[
        Ties | None, Option("How tied scores rank: average (by default), worst, best, item or 'item desc'.")
    ] = None
    convention: Annotated[
        str | None,
        Option("The library whose definitions are the defaults, such as trec_eval.", "NAME"),
    ] = None
    on_extra: Annotated[OnExtra, Option("A list without truth: drop (left out and counted) or error.")] = (
        "drop"
    )
    on_duplicate: Annotated[
        OnDuplicate, Option("An item twice in a list: error, or first to keep its best-ranked row.")
    ] = "error"
    unjudged: Annotated[
        Unjudged | None,
        Option("An item that nobody judged, or a row without a label: not_relevant or drop."),
    ] = None
    interval: Annotated[
        float | None, Option("Confidence intervals of this level, such as 0.95.", "LEVEL")
    ] = None
    interval_method: Annotated[
        IntervalMethod | None,
        Option("exact (shares), logit (AUC) or bootstrap (all), instead of what suits a metric."),
    ] = None
    n_resamples: Annotated[int, Option("How often a bootstrap draws.")] = 200
    score_levels: Annotated[
        ScoreLevels,
        Option("counted where scores take few values, sorted otherwise; the numbers are the same."),
    ] = "sorted"
    on_bad_rows: Annotated[
        OnBadRows,
        Option("error, or drop to leave out and count rows with NULL, NaN or infinity.", python_only=True),
    ] = "error"
    connection: Annotated[Any, Option("Where the data is.", python_only=True)] = None
    dialect: Annotated[str | None, Option("What the connection speaks.", python_only=True)] = None

    @property
    def drops_bad_rows(self) -> bool:
        """Whether bad rows are left out and counted rather than refused."""
        return self.on_bad_rows == "drop"

    def as_they_are(self) -> dict[str, Any]:
        """Those that macros take as the user wrote them: neither columns nor tables."""
        resolved = ("COLUMN", "COLUMNS", "FILE", "[NAME=]COLUMN")
        return {
            name: getattr(self, name)
            for name, option in OPTIONS.items()
            if not (option.python_only or option.written in resolved)
        }


OPTIONS: dict[str, Option] = {
    name: hint.__metadata__[0] for name, hint in get_type_hints(Options, include_extras=True).items()
}


def choices(annotation: Any) -> tuple[str, ...]:
    """The words that a type allows, none where it is not a choice.

    >>> choices(OnExtra), choices(Unjudged | None), choices(str)
    (('drop', 'error'), ('not_relevant', 'drop'), ())
    """
    alternatives = get_args(annotation)
    if all(isinstance(one, str) for one in alternatives):
        return alternatives
    return next(filter(None, map(choices, alternatives)), ())


def with_options(function: Callable[Concatenate[Options, P], R]) -> Callable[P, R]:
    """Gives a public function the options of a call as one object, its first argument, which callers do not see.

    Options are the keyword-only parameters that are declared here. The function need not pass on each of them by name.

    >>> @with_options
    ... def asked(options: Options, data: str, *, label: str | None = None, total: bool = True) -> str:
    ...     return f"{data}: {options.label}, {options.total}"
    >>> asked("rows", label="y")
    'rows: y, True'
    >>> asked("rows", lable="y")
    Traceback (most recent call last):
    TypeError: asked() got an unexpected keyword argument 'lable'
    """
    whole = inspect.signature(function, eval_str=True)  # so that notebooks show the words of a choice
    signature = whole.replace(parameters=list(whole.parameters.values())[1:])

    @functools.wraps(function)
    def call(*args: P.args, **kwargs: P.kwargs) -> R:
        try:
            said = signature.bind(*args, **kwargs)
        except TypeError as error:
            raise TypeError(f"{function.__name__}() {error}") from None
        said.apply_defaults()
        options = Options(**{name: value for name, value in said.kwargs.items() if name in OPTIONS})
        return function(options, *args, **kwargs)

    call.__signature__ = signature  # type: ignore[attr-defined]
    return call
