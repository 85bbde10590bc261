"""The reference: the public names of Python, the commands, and the macros that models of dbt call."""

from __future__ import annotations

import inspect
import re
import textwrap
from collections.abc import Iterator
from typing import Any

import sqlmetrics as sm
from generate.headers import text
from sqlmetrics.book.signatures import parameters, signature
from sqlmetrics.cli import program
from support.dbt_schema import arguments, called, description

SECTIONS = ("Args", "Returns", "Raises", "Attributes", "Example", "Examples")
#: A heading of a section, a name with its meaning, and an example of a docstring.
SECTION = re.compile(rf"^({'|'.join(SECTIONS)}):$", re.MULTILINE)
ENTRY = re.compile(r"^    ([\w, *]+): (.*(?:\n      .*)*)", re.MULTILINE)
QUALIFIED = re.compile(r"\b(?:collections\.abc|typing|pathlib)\.")
EXAMPLE = re.compile(r"^>>> .*(?:\n.+)*", re.MULTILINE)


def pages() -> Iterator[tuple[str, str]]:
    """The pages, each with its path in the site."""
    yield "reference/python.md", python()
    yield "reference/command-line.md", command_line()
    yield "reference/dbt.md", dbt()


def python() -> str:
    """The functions and classes of `sqlmetrics.__all__`."""
    named = {name: getattr(sm, name) for name in sm.__all__}
    functions = {name: thing for name, thing in named.items() if inspect.isfunction(thing)}
    classes = {name: thing for name, thing in named.items() if inspect.isclass(thing)}
    lines = ["# Python", "", "`import sqlmetrics as sm`", "", "## Functions", ""]
    lines += [_entry(f"sm.{name}", function) for name, function in functions.items()]
    lines += ["## Classes", ""]
    shown: set[Any] = set()  # members that a class inherits are shown once
    for name, thing in classes.items():
        lines += [f"### `{name}`", "", documented(inspect.getdoc(thing) or ""), ""]
        members = dict(_members(thing))
        again = [f"`{of}`" for of, member in members.items() if member in shown]
        lines += [_entry(of, member, level=4) for of, member in members.items() if member not in shown]
        lines += [f"As above: {', '.join(again)}.", ""] if again else []
        shown |= {*members.values()}
    return "\n".join(lines)


def _members(thing: type) -> Iterator[tuple[str, Any]]:
    """The public methods and properties that a class of ours defines, with those of its parents."""
    for name, member in inspect.getmembers(thing):
        public = not name.startswith("_") and getattr(member, "__doc__", None)
        if public and (inspect.isfunction(member) or isinstance(member, property)):
            yield name, member


def _entry(name: str, member: Any, level: int = 3) -> str:
    """A function, method or property: its heading, signature and documentation."""
    heading = f"{'#' * level} `{name.removeprefix('sm.')}`\n"
    shown = "" if isinstance(member, property) else f"```python\n{_signature(name, member)}\n```\n"
    return "\n".join([heading, shown, documented(inspect.getdoc(member) or ""), ""])


def _signature(name: str, function: Any) -> str:
    """A call with its parameters, one a line if they do not fit on one."""
    found = inspect.signature(function)
    given = [str(parameter) for parameter in found.parameters.values() if parameter.name != "self"]
    starred = [p for p in found.parameters.values() if p.kind is p.KEYWORD_ONLY]
    if starred and not any(p.kind is p.VAR_POSITIONAL for p in found.parameters.values()):
        given.insert([*found.parameters].index(starred[0].name), "*")
    given = [QUALIFIED.sub("", parameter) for parameter in given]
    line = f"{name}({', '.join(given)})"
    return line if len(line) <= 100 else f"{name}(\n    " + ",\n    ".join(given) + ",\n)"


def documented(doc: str) -> str:
    """A docstring as Markdown."""
    head, *sections = SECTION.split(doc)
    lines = [_prose(head)]
    for title, body in zip(sections[::2], sections[1::2], strict=True):
        entries = [] if title == "Returns" else ENTRY.findall(body)
        items = [f"- {', '.join(f'`{n}`' for n in names.split(', '))}: {text(of)}" for names, of in entries]
        rest = body if title == "Returns" else ENTRY.sub("", body)
        lines += [
            f"**{'Arguments' if title == 'Args' else title}**",
            "\n".join(items),
            _prose(textwrap.dedent(rest)),
        ]
    return "\n\n".join(filter(None, lines)).strip() + "\n"


def _prose(body: str) -> str:
    """Paragraphs and examples of a docstring."""
    found, end = [], 0
    for match in EXAMPLE.finditer(body):
        found += [_paragraphs(body[end : match.start()]), f"```pycon\n{match[0]}\n```"]
        end = match.end()
    return "\n\n".join(filter(None, [*found, _paragraphs(body[end:])]))


def _paragraphs(body: str) -> str:
    """Text between examples; a part that is indented is code."""
    parts = [part for part in body.strip("\n").split("\n\n") if part.strip()]
    return "\n\n".join(part if part.startswith("    ") else text(part) for part in parts)


def command_line() -> str:
    """What `--help` says of each command."""
    group = program.command_line()
    context = group.context_class(group, info_name="sqlmetrics", terminal_width=100, **group.context_settings)
    lines = ["# Command line", "", "```text", group.get_help(context).rstrip(), "```", ""]
    for name, sub in group.commands.items():
        of = sub.context_class(sub, info_name=name, parent=context, **sub.context_settings)
        lines += [f"## `sqlmetrics {name}`", "", "```text", sub.get_help(of).rstrip(), "```", ""]
    return "\n".join(lines)


def dbt() -> str:
    """The macros that a model or a schema file calls, with their arguments."""
    lines = ["# dbt", "", "The macros that models and schema files call. `dbt docs` shows the same.", ""]
    for macro in called():
        defaults = parameters(macro)
        lines += [
            f"## `{macro}`",
            "",
            text_of(macro),
            "",
            "| argument | default | what it is |",
            "|---|---|---|",
        ]
        for name, meaning in arguments(macro).items():
            default = defaults.get(name)
            shown = "required" if default is ... else f"`{'none' if default is None else default}`"
            lines.append(f"| `{name}` | {shown} | {text(meaning).replace('|', chr(92) + '|')} |")
        lines.append("")
    return "\n".join(lines)


def text_of(macro: str) -> str:
    """The comment above a macro, without its arguments."""
    lines = description(signature(macro).doc, with_arguments=False).split("\n")
    return "\n".join(line if line.startswith("- **Example") else line.replace("<", "&lt;") for line in lines)
