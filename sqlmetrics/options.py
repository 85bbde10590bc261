"""The options of calls, each declared once: name, type, default, meaning, and its form on the command line.

A public function repeats its options in its signature, since notebooks show signatures.
`tests/api/test_options.py` checks that signatures, documentation and macros agree with the declarations here.
The command line is generated from the signatures and the sentences below. Behind the public functions, the
options of a call are one `Options` object.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Concatenate, Literal, ParamSpec, TypeVar, get_args, get_type_hints

from sqlmetrics.book.templates import macros
from sqlmetrics.errors import SqlMetricsError
from sqlmetrics.keywords import instead

P = ParamSpec("P")
R = TypeVar("R")

Names = str | Iterable[str] | Mapping[str, str] | None
Score = str | Iterable[str] | Mapping[str, str] | None
#: a column, or several that make a key
Key = str | Iterable[str] | None
#: a column, or a column with the names of models that are asked
Models = str | Mapping[str, Iterable[str]] | None
ClassScores = Mapping[Any, Any] | str | None
Ties = Literal["average", "worst", "best", "item", "item desc", "text desc"]
OnExtra = Literal["drop", "error"]
OnDuplicate = Literal["error", "first"]
OnBadRows = Literal["error", "drop"]
Unjudged = Literal["not_relevant", "drop"]
TotalOf = Literal["rows", "slices"]
IntervalMethod = Literal["exact", "logit", "bootstrap", "anytime"]
Convention = Literal[
    "trec_eval", "sklearn", "lightgbm", "xgboost", "spark", "ranx", "torchmetrics", "recbole", "rectools"
]  # fmt: skip
#: a name alone, or with parameters in brackets
CurveKind = (
    Literal[
        "roc",
        "det",
        "precision_recall",
        "calibration",
        "gain",
        "net_benefit",
        "qini",
        "thresholds",
        "residuals",
    ]
    | str
)
ScoreLevels = Literal["sorted", "counted"]


def is_array(class_scores: Any) -> bool:
    """Whether the scores of classes are a column of arrays with the classes of their elements.

    >>> is_array({"column": "probs", "classes": ["cat", "dog"]}), is_array({"column": "p", "classes": "q"})
    (True, False)
    """
    return (
        isinstance(class_scores, Mapping)
        and {*class_scores} == {"column", "classes"}
        and not isinstance(class_scores["classes"], str)
    )


@dataclass(frozen=True)
class Option:
    """The properties of an option besides its name, type and default.

    Attributes:
        sentence: its meaning, as shown in the help of the command line.
        written: the placeholder of its value in the help, such as COLUMN or FILE. It decides how the command
            line reads the value.
        python_only: True if only Python reads the option, so that macros do not get it.
    """

    sentence: str
    written: str | None = None
    python_only: bool = False


@dataclass(frozen=True, kw_only=True)
class Options:
    """The options of one call. Columns and tables are kept as the user wrote them."""

    label: Annotated[str | None, Option("The truth of a row.", "COLUMN")] = None
    gold: Annotated[
        str | None,
        Option("The label by people, where there is one; it corrects that of a machine.", "COLUMN"),
    ] = None
    gold_weight: Annotated[
        str | None, Option("The inverse of the chance with which people were given a row.", "COLUMN")
    ] = None
    score: Annotated[
        Score,
        Option("The score; give it once for each model, name=column names the model.", "[NAME=]COLUMN"),
    ] = None
    models: Annotated[
        Models,
        Option("The column that names the model of a row; after = the models to take.", "COLUMN[=NAMES]"),
    ] = None
    group: Annotated[
        Key, Option("The list that a row belongs to: query, user, session; its columns with commas.", "KEY")
    ] = None
    item: Annotated[str | None, Option("The listed item.", "COLUMN")] = None
    weight: Annotated[str | None, Option("The weight of a row, or of its list.", "COLUMN")] = None
    by: Annotated[
        Names,
        Option(
            "The slices: columns with commas between them; may be given again, name=column names one.",
            "COLUMNS",
        ),
    ] = None
    total: Annotated[bool, Option("Add a row for all slices together.")] = True
    total_of: Annotated[
        TotalOf,
        Option("What the total is: rows, the value of all rows together, or slices, the mean of the slices."),
    ] = "rows"
    total_name: Annotated[
        str | None,
        Option("The name of the total in the columns of --by, which become text; NULL is (null).", "NAME"),
    ] = None
    truth: Annotated[Any, Option("A second table: group, item and label of relevant items.", "FILE")] = None
    truth_by: Annotated[Names, Option("The columns of --by that the truth has.", "COLUMNS")] = None
    subtopic: Annotated[
        str | None, Option("The subtopic, a column of --truth; alpha_ndcg needs it.", "COLUMN")
    ] = None
    prediction: Annotated[
        str | None, Option("The predicted class, for the metrics of classes.", "COLUMN")
    ] = None
    class_scores: Annotated[
        ClassScores,
        Option("The score of a class, once for each class; or a column of arrays.", "CLASS=COLUMN"),
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
            "The least label of a positive row, or the text of a positive row ('1' in quotes is text).",
            "VALUE",
        ),
    ] = None
    soft: Annotated[
        bool, Option("The label is the chance of a positive row, from 0 to 1: votes, or a calibrated score.")
    ] = False
    ties: Annotated[
        Ties | None,
        Option(
            "The rank of tied scores: average (the default), worst, best, item, 'item desc' or 'text desc'."
        ),
    ] = None
    convention: Annotated[
        Convention | None,
        Option("The library whose definitions are the defaults, such as trec_eval.", "NAME"),
    ] = None
    on_extra: Annotated[OnExtra, Option("A list without truth: drop (left out and counted) or error.")] = (
        "drop"
    )
    on_duplicate: Annotated[
        OnDuplicate, Option("An item that a list has twice: error, or first to keep its best-ranked row.")
    ] = "error"
    unjudged: Annotated[
        Unjudged | None,
        Option("An unjudged item, or a row without a label: not_relevant or drop."),
    ] = None
    interval: Annotated[
        float | None, Option("Confidence intervals of this level, such as 0.95.", "LEVEL")
    ] = None
    interval_method: Annotated[
        IntervalMethod | None,
        Option(
            "exact (for shares), logit (AUC), bootstrap (all), or anytime (may be looked at every day),"
            " instead of the metric's default."
        ),
    ] = None
    tightest_at: Annotated[
        int | None,
        Option("The number of units at which anytime intervals are tightest. [default: 400]", "N"),
    ] = None
    n_resamples: Annotated[int, Option("The number of draws of a bootstrap.")] = 200
    score_levels: Annotated[
        ScoreLevels,
        Option("counted for scores with few distinct values, else sorted; the numbers are the same."),
    ] = "sorted"
    where: Annotated[
        str | None, Option("The rows to use: a condition such as \"country = 'DE'\".", "SQL")
    ] = None
    on_bad_rows: Annotated[
        OnBadRows,
        Option("error, or drop to leave out and count rows with NULL, NaN or infinity.", python_only=True),
    ] = "error"
    connection: Annotated[Any, Option("The engine that holds the data.", python_only=True)] = None
    dialect: Annotated[str | None, Option("The SQL dialect of the connection.", python_only=True)] = None

    @property
    def drops_bad_rows(self) -> bool:
        """Whether bad rows are left out and counted; otherwise they are an error."""
        return self.on_bad_rows == "drop"

    def as_they_are(self) -> dict[str, Any]:
        """The options that macros take as the user wrote them: all but columns and tables."""
        resolved = ("COLUMN", "COLUMNS", "KEY", "COLUMN[=NAMES]", "FILE", "[NAME=]COLUMN", "CLASS=COLUMN")
        return {
            name: getattr(self, name)
            for name, option in OPTIONS.items()
            if not (option.python_only or option.written in resolved)
        }


OPTIONS: dict[str, Option] = {
    name: hint.__metadata__[0] for name, hint in get_type_hints(Options, include_extras=True).items()
}


def choices(annotation: Any) -> tuple[str, ...]:
    """The words that a `Literal` type allows; empty for any other type.

    >>> choices(OnExtra), choices(Unjudged | None), choices(str)
    (('drop', 'error'), ('not_relevant', 'drop'), ())
    """
    alternatives = get_args(annotation)
    if all(isinstance(one, str) for one in alternatives):
        return alternatives
    return next(filter(None, map(choices, alternatives)), ())


def named_scores(score: Any) -> Any:
    """The score of a call. A list of columns is a mapping: each names its model.

    Raises:
        SqlMetricsError: a list that has a column twice.

    >>> named_scores(["lr", "gbm"]), named_scores("p")
    ({'lr': 'lr', 'gbm': 'gbm'}, 'p')
    """
    if not isinstance(score, (list, tuple)) or not all(isinstance(column, str) for column in score):
        return score
    return dict(macros("duckdb")["named_scores"](list(score)))


def column_of_models(models: Any) -> Any:
    """The column that names the model of a row.

    Raises:
        SqlMetricsError: neither a column nor a mapping of one to names.

    >>> column_of_models("run"), column_of_models({"run": ["bm25", "dense"]})
    ('run', 'run')
    """
    if models is None or isinstance(models, str):
        return models
    macros("duckdb")["names_of_models"](models)
    return next(iter(models))


def bound(
    function: str, signature: inspect.Signature, args: Sequence[Any], kwargs: Mapping[str, Any]
) -> inspect.BoundArguments:
    """The arguments of a call by name.

    Raises:
        TypeError: arguments that the function does not take; the message says what it takes instead.
    """
    from sqlmetrics.given.arrays import by_name, is_values

    try:
        return signature.bind(*args, **kwargs)
    except TypeError as error:
        unknown = [name for name in kwargs if name not in signature.parameters]
        told = str(error)
        if any(map(is_values, args)):
            told = f"takes arrays by name: {by_name(function, [*signature.parameters])}"
        elif unknown:  # which may be why another is missing
            positional = dict(zip(signature.parameters, args, strict=False))
            told = f"got an unexpected keyword argument '{unknown[0]}'"
            told += instead(function, unknown[0], positional | dict(kwargs), signature.parameters)
        elif told == "too many positional arguments":
            first = [name for name, one in signature.parameters.items() if one.kind != one.KEYWORD_ONLY]
            named = next(
                (f", such as {name}=" for name in ("label", "by") if name in signature.parameters), ""
            )
            told = f"takes {' and '.join(first)} in this order, and all else by name{named}"
        raise TypeError(f"{function}() {told}") from None


def with_options(function: Callable[Concatenate[Options, P], R]) -> Callable[P, R]:
    """Passes the options of a call to a public function as one object.

    The object is the function's first argument, which its public signature hides. It holds the keyword-only
    parameters that are declared here, so that the function need not pass on each of them by name. Arrays in place of
    data become data, with the options that say what they are. A traceback ends
    here, as that of a `public` function.

    >>> @with_options
    ... def asked(options: Options, data: str, *, label: str | None = None, total: bool = True) -> str:
    ...     return f"{data}: {options.label}, {options.total}"
    >>> asked("rows", label="y")
    'rows: y, True'
    >>> asked("rows", lable="y")
    Traceback (most recent call last):
    TypeError: asked() got an unexpected keyword argument 'lable'. Did you mean 'label'?
    """
    whole = inspect.signature(
        function, eval_str=True
    )  # evaluated, so that notebooks show the words of a choice
    signature = whole.replace(parameters=list(whole.parameters.values())[1:])

    from sqlmetrics.given.arrays import (
        ROLES,
        asked_first,
        by_name,
        of_arrays,
        told_of_arrays,
    )  # which reads options, as the next
    from sqlmetrics.given.evals import is_evals, known, with_samples
    from sqlmetrics.given.models import refuse_tables
    from sqlmetrics.given.order import in_order

    first_two = tuple(signature.parameters)[:2]
    defaults = {name: parameter.default for name, parameter in signature.parameters.items()}
    has_facts = {"models", "metrics"} <= {*defaults}

    @functools.wraps(function)
    def call(*args: P.args, **kwargs: P.kwargs) -> R:
        try:
            said = bound(function.__name__, signature, args, kwargs)
        except TypeError as error:
            raise error.with_traceback(None) from None
        try:
            if has_facts and is_evals(said.arguments.get("data")):
                said.arguments.update(known(said.arguments["data"], said.arguments, defaults))
        except SqlMetricsError as error:
            raise error.with_traceback(None) from None
        said.apply_defaults()
        own = {name: value for name, value in said.kwargs.items() if name in OPTIONS}
        arrays = {name for name in ROLES if name in defaults}
        if arrays:
            asked_first(said.arguments, first_two[1])
        try:
            if "models" not in signature.parameters:
                refuse_tables(function.__name__, said.arguments.get("data"))
            in_order(function.__name__, said.arguments, first_two)
            options = Options(**own | ({"score": named_scores(own["score"])} if "score" in own else {}))
            if arrays:
                given = {name: said.arguments[name] for name in ROLES if name in arrays}
                written = by_name(function.__name__, [*defaults])
                said.arguments["data"], options = of_arrays(said.arguments["data"], options, given, written)
            return function(options, *said.args, **said.kwargs)
        except SqlMetricsError as error:
            told = told_of_arrays(error, said.arguments)
            raise with_samples(told, said.arguments).with_traceback(None) from None

    call.__signature__ = signature  # type: ignore[attr-defined]
    return call
