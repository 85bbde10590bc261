"""`--facts FILE`: facts about the data that a file says once, in place of options."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import typer

from sqlmetrics.api.data import facts_for
from sqlmetrics.cli.settings import parameter
from sqlmetrics.options import OPTIONS

# what Click takes for a value of any type; `taken` puts the fact in its place
IN_FILE = "0"
DOCUMENT = "sqlmetrics.facts"  #: what the file says, in the context of the command


def _named(context: typer.Context, file: Path | None) -> Path | None:
    """Gives the options that the file has a default, so that none of them is missed."""
    from sqlmetrics.suites.document import facts_document

    if file is not None:
        several = {option.name for option in context.command.params if getattr(option, "multiple", False)}
        said, *_ = context.meta[DOCUMENT] = facts_document(file)
        context.default_map = {name: [IN_FILE] if name in several else IN_FILE for name in said}
    return file


PARAMETER = parameter(
    "facts",
    Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            is_eager=True,
            callback=_named,
            help="Facts about the data, such as label: clicked: a file in YAML, or a suite. An option of this line"
            " replaces its fact.",
        ),
    ],
)


def taken(
    context: typer.Context, function: Callable[..., Any], words: dict[str, Any], connected: bool
) -> dict[str, Any]:
    """Takes `--facts` out of the words of a command; the facts as arguments, but tables, which stay among the words."""
    if words.pop("facts") is None:
        return {}
    from sqlmetrics.suites.read import facts_of

    said, lines, place = context.meta[DOCUMENT]
    known = facts_for(function, facts_of(said, lines, place, connected))
    for name in [*known]:
        source = context.get_parameter_source(name)
        if source is None or source.name != "DEFAULT_MAP":  # written on this line
            del known[name]
        elif OPTIONS[name].written == "FILE":
            words[name] = known.pop(name)
    return known
