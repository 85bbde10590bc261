"""Makes a command from a public function; `options.py` declares the options of both."""

from __future__ import annotations

import functools
import glob
import inspect
import shlex
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Annotated, Any, get_args

import typer

import sqlmetrics
from sqlmetrics.api.data import METHODS
from sqlmetrics.book.catalog import curves, is_curve
from sqlmetrics.cli import evals, facts, gates, settings
from sqlmetrics.cli.complete import COMPLETERS, of
from sqlmetrics.cli.once import Once
from sqlmetrics.cli.output import Format, chosen, chosen_for_page, deliver, deliver_text
from sqlmetrics.cli.spelled import options_of, spelled
from sqlmetrics.engines.addresses import connected, file_of
from sqlmetrics.engines.files import files_of
from sqlmetrics.errors import SqlMetricsError, counted
from sqlmetrics.given import texts
from sqlmetrics.given.arrays import ROLES
from sqlmetrics.given.evals import is_evals
from sqlmetrics.options import OPTIONS, Option, choices
from sqlmetrics.results.audited import Comparison
from sqlmetrics.results.page import SPELLED
from sqlmetrics.results.report import Report
from sqlmetrics.results.slices import Slices

# The reader of a value, by its placeholder in the help. Values without a reader are passed on unchanged.
READERS: dict[str, Callable[..., Any]] = {
    "DATA": evals.data,
    "STATE": texts.data,
    "FILE": texts.table,
    "RUN": texts.runs,
    "QRELS": str,
    "SQL": str,
    "PERIOD": str,
    "KEY": texts.key,
    "KIND": texts.curve,
    "LIST": texts.notations,
    "METRIC": ",".join,  # the function says that it takes one
    "KINDS": texts.curves,
    "COLUMN": texts.column,
    "COLUMNS": texts.columns,
    "COLUMN[=NAMES]": texts.models,
    "[NAME=]COLUMN": texts.scores,
    "CLASS=COLUMN": texts.class_scores,
    "[NAME=]PERIOD": texts.named_column,
    "[NAME=]GROUP": texts.named_key,
    "VALUE": texts.number_or_text,
    "CATEGORY=SHARE,...": texts.shares,
    "NUMBER|METRIC=NUMBER,...": texts.margins,
}
FILES = ("DATA", "STATE", "FILE", "RUN", "QRELS")  #: placeholders of input files, which no output may replace
#: placeholders of several values
SEVERAL = (
    *("DATA", "STATE", "RUN", "LIST", "METRIC", "KINDS", "COLUMNS", "[NAME=]COLUMN", "CLASS=COLUMN"),
    *("CATEGORY=SHARE,...", "NUMBER|METRIC=NUMBER,..."),
)
PYTHON_ONLY = ("connection", "dialect", "progress", *ROLES)

COMMON = {
    "data": typer.Argument(
        metavar="DATA",
        help="Parquet, CSV or JSON: files, globs, or - for standard input. Without a header the columns are column0,"
        " column1, ... Or logs of evaluations, such as logs/*.eval, which need no further option.",
    ),
    "metrics": typer.Option(
        "--metrics",
        "-m",
        metavar="LIST",
        help="The metrics, such as auc,ndcg@10,precision(threshold=0.3); name=ndcg@10 names the column.",
    ),
}
CONTEXT = inspect.Parameter("context", inspect.Parameter.KEYWORD_ONLY, annotation=typer.Context)
CONNECTION = settings.parameter(
    "connection",
    Annotated[
        str | None,
        typer.Option(
            metavar="ADDRESS",
            envvar="SQLMETRICS_CONNECTION",
            help="A database, such as postgresql+psycopg://user@host/db or duckdb:///file.duckdb. DATA and FILE are"
            " then tables or queries there.",
        ),
    ],
)
DELIVERY = [
    settings.parameter(
        "format",
        Annotated[
            Format | None,
            typer.Option(help="By default from the suffix of --output, else table.", show_default=False),
        ],
    ),
    settings.parameter(
        "output",
        Annotated[Path | None, typer.Option("--output", "-o", metavar="FILE", help="Where to write.")],
    ),
]


def add_command(
    app: typer.Typer,
    called: str | None,
    heading: str,
    function: Callable[..., Any],
    about: str,
    name: str | None = None,
    keys: int = 0,
    **own: Any,
) -> None:
    """Adds the command of a public function.

    Args:
        app: the program.
        called: the name of the command that is called; another has no options. None gives each its own.
        heading: the heading of the command in the help of the program.
        function: the function to call; if it returns a text, this is printed, otherwise `deliver` writes the
            table.
        about: the help of the command.
        name: the name of the command, by default the name of the function.
        keys: the number of columns that identify a row of the result, besides slices and models.
        own: the arguments and options of parameters that `OPTIONS` does not declare, or that mean something else
            in this command.
    """
    name = name or function.__name__.replace("_", "-")
    command = _command(function, keys, own) if called in (None, name) else _not_called
    app.command(name, cls=Once, help=about, rich_help_panel=heading)(command)


def _not_called() -> None:
    """A command that the help names and that is not called."""


def _command(function: Callable[..., Any], keys: int, own: dict[str, Any]) -> Callable[..., None]:
    """The command of a public function, with its options; the arguments are those of `add_command`."""
    signature = inspect.signature(function, eval_str=True)
    parameters = {
        parameter.name: _parameter(
            parameter, own.get(parameter.name), "models" in signature.parameters, "kind" in own
        )
        # the kind of a curve stands before its files
        for parameter in sorted(signature.parameters.values(), key=lambda one: one.name != "kind")
        if parameter.name in own or parameter.name not in PYTHON_ONLY
    }
    prints, page = signature.return_annotation is str, signature.return_annotation is sqlmetrics.Page
    delivery = [] if prints else DELIVERY[1:] if page else DELIVERY
    connects = "connection" in signature.parameters
    has_facts = [facts.PARAMETER] if function in METHODS else []
    # `trec` returns one or the other
    returned = {*(get_args(signature.return_annotation) or [signature.return_annotation])}
    has_gates = bool(returned & {Report, Comparison})
    of_gates = gates.options_of_gates(returned == {Comparison}) if has_gates else []

    def command(context: typer.Context, connection: str | None = None, **words: Any) -> None:
        # a function whose result is printed may have a format of its own
        delivered = {parameter.name: words.pop(parameter.name, None) for parameter in delivery}
        output = delivered.get("output")
        if "kind" in words and "data" in words:
            words |= _data_first(words["kind"], words["data"], parameters["data"])
        known = facts.taken(context, function, words, bool(connection)) if has_facts else {}
        of_duckdb = settings.taken(words)
        limits, fail_null = gates.asked_of(words) if has_gates else ([], False)
        files = [file for name, word in words.items() for file in _files_of(word, parameters[name])]
        files += [glob.escape(file_of(connection))] if connection else []
        form = chosen_for_page(output, files) if page else chosen(delivered.get("format"), output, files)
        read = {name: _read(name, word, parameters[name], connection) for name, word in words.items()}
        # what is not asked is left to the function, which may know more of the data than its default
        said = {
            name: value for name, value in read.items() if value is not signature.parameters[name].default
        } | known
        if not said.get("metrics", True) and not is_evals(said.get("data")):
            raise SqlMetricsError("Missing option '--metrics'; name the metrics, such as -m auc")
        of_command = functools.partial(spelled, options=options_of(context.command.params))
        if page:
            said["progress"] = sys.stderr is not None and sys.stderr.isatty()
            context.call_on_close(functools.partial(SPELLED.reset, SPELLED.set(of_command)))
        if connects:
            # a page has a line of progress of its own
            with (
                connected(connection, of_duckdb)
                if connection
                else closing(texts.connection(not page, of_duckdb)) as opened
            ):
                result = getattr(sqlmetrics, function.__name__)(**said, connection=opened)
        else:
            result = getattr(sqlmetrics, function.__name__)(**said)
        if prints:
            print(result.strip())
            for name, word in words.items():
                if parameters[name].annotation.__metadata__[0].metavar == "COLUMN" and word is not None:
                    texts.hint(word)
            return
        if page:
            deliver_text(result.html, output)
            return
        # the slices that `find_slices` found are named by one column
        slices = [] if isinstance(result, Slices) else said.get("by") or getattr(result, "by", [])
        models = "model" in result.columns and "model" not in slices
        lines = gates.failures(result, limits, fail_null) if has_gates else []
        result._spelled = of_command
        pairs = isinstance(result, Comparison) and "baseline" in result.columns and "baseline" not in slices
        deliver(result, form, output, keys=len(slices) + models + keys + pairs)
        gates.end(lines)

    command.__signature__ = signature.replace(  # type: ignore[attr-defined]
        parameters=[
            CONTEXT,
            *parameters.values(),
            *has_facts,
            *of_gates,
            *([CONNECTION, *settings.PARAMETERS] if connects else []),
            *delivery,
        ],
        return_annotation=None,
    )
    return command


def _parameter(parameter: inspect.Parameter, own: Any, models: bool, kind: bool) -> inspect.Parameter:
    """A parameter for Typer: typed as text if a reader converts it, and with its help.

    Args:
        parameter: of the function.
        own: the argument or option of this command, if it has one of its own.
        models: whether the function takes a table for each model.
        kind: whether it takes the kind of a curve, which may be all that stands in the place of the data.
    """
    if (
        parameter.name in COMMON
    ):  # Python takes arrays in their place, and logs of evaluations need no metrics
        optional = kind if parameter.name == "data" else models
        parameter = parameter.replace(default=[] if optional else inspect.Parameter.empty)
    allowed = choices(parameter.annotation)
    words = "|".join(allowed) or None
    shown: Any = own or COMMON.get(parameter.name) or OPTIONS[parameter.name]
    if parameter.name == "data" and models:
        shown = typer.Argument(
            metavar="DATA", help=f"{shown.help} With name=file each file has the rows of a model."
        )
    if isinstance(shown, Option):
        shown = typer.Option(metavar=shown.written, help=shown.sentence)
    shown.metavar = shown.metavar or words
    shown.autocompletion = of(lambda: allowed) if allowed else COMPLETERS.get(parameter.name)
    taken = parameter.annotation
    if words or shown.metavar in READERS:
        taken = list[str] if shown.metavar in SEVERAL else str
        taken = taken | None if parameter.default is None else taken
    return parameter.replace(kind=parameter.KEYWORD_ONLY, annotation=Annotated[taken, shown])


def _data_first(kind: str, data: list[str], parameter: inspect.Parameter) -> dict[str, Any]:
    """The kind of a curve and its data, whichever comes first.

    Raises:
        SqlMetricsError: no data or no curve.
    """
    given = [word for word in (kind, *data) if word]
    ends = [*given[:1], *given[1:][-1:]]
    named = next(filter(is_curve, ends), None)
    if not given or given == [named]:
        raise SqlMetricsError(f"Name the data, such as sqlmetrics curve rows.parquet {named or 'roc'}")
    if named is None:  # an unknown curve stands beside files
        others = [word for word in ends if not any(map(files_of, _files_of(word, parameter)))]
        if len(given) == 1 or not others:
            raise SqlMetricsError(
                f"Name a curve, such as sqlmetrics curve {shlex.join(given)} roc; known: {counted(curves())}"
            )
        named = others[0]
    given.remove(named)
    return {"kind": named, "data": given}


def _read(name: str, word: Any, parameter: inspect.Parameter, connection: str | None) -> Any:
    """The value of a command-line word, in the form that the Python function takes."""
    written = parameter.annotation.__metadata__[0].metavar
    reader = READERS.get(written)
    if word is None or reader is None:
        return word
    if connection and written in FILES:
        return texts.relation(word)
    return reader(word, f"--{name}") if reader in (texts.scores, texts.margins) else reader(word)


def _files_of(word: Any, parameter: inspect.Parameter) -> list[str]:
    """The files that a word names, as they were typed; of `name=file`, both the word and the file."""
    written = parameter.annotation.__metadata__[0].metavar
    if word is None or written not in FILES:
        return []
    words = [word] if isinstance(word, str) else word
    return [*words, *(word.partition("=")[2] for word in words if written in ("RUN", "DATA") and "=" in word)]
