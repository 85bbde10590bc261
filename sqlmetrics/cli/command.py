"""A command made from a public function: its options are those of the function, as `options.py` declares them."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import typer

import sqlmetrics
from sqlmetrics.cli import read
from sqlmetrics.options import OPTIONS, choices
from sqlmetrics.output import Format, chosen, deliver

# How a value is read, by what stands for it in the help; all others are taken as they are.
READERS: dict[str, Callable[[Any], Any]] = {
    "DATA": read.data,
    "STATE": read.data,
    "FILE": read.table,
    "RUN": read.runs,
    "QRELS": str,
    "KIND": read.curve,
    "LIST": read.notations,
    "COLUMN": read.column,
    "COLUMNS": read.columns,
    "[NAME=]COLUMN": read.scores,
    "VALUE": read.number_or_text,
    "CATEGORY=SHARE,...": read.shares,
}
FILES = ("DATA", "STATE", "FILE", "RUN", "QRELS")  #: those that name files, which no output may replace
SEVERAL = ("DATA", "STATE", "RUN", "LIST", "COLUMNS", "[NAME=]COLUMN")  #: those that may be given again
PYTHON_ONLY = ("connection", "dialect")

COMMON = {
    "data": typer.Argument(
        metavar="DATA",
        help="Parquet, CSV or JSON: files, globs, or - for standard input. Without a header the columns are column0,"
        " column1, ...",
    ),
    "metrics": typer.Option(
        "--metrics",
        "-m",
        metavar="LIST",
        help="What to compute, such as auc,ndcg@10,precision(threshold=0.3); name=ndcg@10 names the column.",
    ),
}
DELIVERY = [
    inspect.Parameter(
        "format",
        inspect.Parameter.KEYWORD_ONLY,
        default=None,
        annotation=Annotated[
            Format | None,
            typer.Option(help="By default that of the output's name, else table.", show_default=False),
        ],
    ),
    inspect.Parameter(
        "output",
        inspect.Parameter.KEYWORD_ONLY,
        default=None,
        annotation=Annotated[Path | None, typer.Option(metavar="FILE", help="Where to write.")],
    ),
]


def add_command(
    app: typer.Typer, name: str, function: Callable[..., Any], about: str, keys: int = 0, **own: Any
) -> None:
    """Adds the command of a public function.

    Args:
        app: where to.
        name: of the command.
        function: what it calls; a text that this returns is printed, a table delivered.
        about: the help of the command.
        keys: how many columns of the result say what a row is, besides slices and models.
        own: what the command line knows of parameters that are not declared or mean something else here.
    """
    signature = inspect.signature(function, eval_str=True)
    parameters = {
        parameter.name: _parameter(parameter, own.get(parameter.name))
        for parameter in signature.parameters.values()
        if parameter.name in own or parameter.name not in PYTHON_ONLY
    }
    prints = signature.return_annotation is str

    def command(format: Format | None = None, output: Path | None = None, **words: Any) -> None:
        form = chosen(format, output, *(_files_of(word, parameters[name]) for name, word in words.items()))
        said = {name: _read(name, word, parameters[name]) for name, word in words.items()}
        if "connection" in signature.parameters:
            said["connection"] = read.connection()
        result = getattr(sqlmetrics, function.__name__)(**said)
        if prints:
            print(result.strip())
            return
        slices = said.get("by") or getattr(result, "by", [])
        models = "model" in result.columns and "model" not in slices
        deliver(result, form, output, keys=len(slices) + models + keys)

    command.__signature__ = signature.replace(  # type: ignore[attr-defined]
        parameters=[*parameters.values(), *([] if prints else DELIVERY)], return_annotation=None
    )
    app.command(name, help=about)(command)


def _parameter(parameter: inspect.Parameter, own: Any) -> inspect.Parameter:
    """A parameter as Typer takes it: with a type that a word can be, and its help."""
    words = "|".join(choices(parameter.annotation)) or None
    shown = own or COMMON.get(parameter.name)
    if shown is None:
        option = OPTIONS[parameter.name]
        shown = typer.Option(metavar=option.written or words, help=option.sentence)
    shown.metavar = shown.metavar or words
    kind = parameter.annotation
    if words or shown.metavar in READERS:
        kind = list[str] if shown.metavar in SEVERAL else str
        kind = kind | None if parameter.default is None else kind
    return parameter.replace(kind=parameter.KEYWORD_ONLY, annotation=Annotated[kind, shown])


def _read(name: str, word: Any, parameter: inspect.Parameter) -> Any:
    """What was written, as the Python call takes it."""
    reader = READERS.get(parameter.annotation.__metadata__[0].metavar)
    if word is None or reader is None:
        return word
    return read.scores(word, f"--{name}") if reader is read.scores else reader(word)


def _files_of(word: Any, parameter: inspect.Parameter) -> list[str]:
    """The files that a word names, as they were typed: a run may have a name in front."""
    written = parameter.annotation.__metadata__[0].metavar
    if word is None or written not in FILES:
        return []
    words = [word] if isinstance(word, str) else word
    return [*words, *(word.partition("=")[2] for word in words if written == "RUN" and "=" in word)]
