"""Messages and notes of the Python functions, as the command line writes their options."""

from __future__ import annotations

import ast
import functools
import re
import shlex
from collections.abc import Iterable, Mapping
from itertools import zip_longest
from typing import Any

import sqlmetrics
from sqlmetrics.errors import printable

#: `name=`, with a plain value or none. A notation such as gauc(weight=uniform) is in brackets and keeps its form.
OPTION = re.compile(r"(?<![\w.'\"-])([a-z_]+)=(?!=)('[^'\s]*'|[\w.-]*\w)?(?![\w\[({'\"])")
#: an expression as Python writes it, with the name of its argument
EXPRESSION = re.compile(
    r"""(?:\b(\w+)=)?sm\.sql\((\"{3}.*?\"{3}|'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|\.\.\.)\)""", re.DOTALL
)
IN_BRACKETS = re.compile(r"(\w\([^()]*\))")
#: a function as Python calls it, or as macros name it; the name before a colon says who speaks
FUNCTION = re.compile(r"sm\.(\w+)\([^()]*\)|(?<![\w./'\"-])sqlmetrics\.(\w+)(?![\w:(]|\.\w)")
#: what is a command of the same name; the command `sql` is `render`
FUNCTIONS = {*sqlmetrics.__all__} - {"sql"}
SWITCHED_OFF = re.compile(r"\b(total|paired)=False")
SWITCHED_ON = re.compile(r"\b(soft|intervals)=True")
#: a mapping of names to columns or to lists, such as {"cat": "p_cat", "dog": "p_dog"} and {"run": ["a", "b"]}
MAPPING = re.compile(
    r"""(?:\b(\w+)=)?\{((?:(['"])[^'"{}]+\3: (?:(['"])[^'"{}]+\4|\[[^\[\]{}]+\])(?:, )?)+)\}"""
)
NAMED = re.compile(r"(['\"])([^'\"]+?)\1: (['\"])(.+?)\3")
SEVERAL = re.compile(r"\b(\w+)=\[((?:'[^'\[\]]+'(?:, )?)+)\]")
LISTED = re.compile(r"(['\"])([^'\"]+?)\1: \[([^\]]+)\]")


def options_of(parameters: Iterable[Any]) -> dict[str, str]:
    """The long options of a command, by the names of their parameters, as typer makes these."""
    options = {option.name: max(option.opts, key=len) for option in parameters}
    return {name: option for name, option in options.items() if option.startswith("--")}


def spelled(message: str, options: Mapping[str, str]) -> str:
    """A message with the options of a command instead of the arguments of its function.

    >>> options = {"on_bad_rows": "--on-bad-rows", "label": "--label", "weight": "--weight"}
    >>> spelled("pass on_bad_rows='drop' to leave them out", options)
    'pass --on-bad-rows drop to leave them out'
    >>> spelled("needs label=, the column of the label; gauc(weight=uniform) needs none", options)
    'needs --label, the column of the label; gauc(weight=uniform) needs none'
    >>> spelled("Column 'y' (label=) is not in rows.csv", options)
    "Column 'y' (--label) is not in rows.csv"
    >>> spelled("pass all models as score=['lr', 'gbm'], or by=['day']", {"score": "--score"})
    "pass all models as --score lr --score gbm, or by=['day']"
    >>> spelled("make it by sm.state(...), with label=sm.sql('a > 1') or total=False", options)
    "make it by 'sqlmetrics state', with --label 'sql:a > 1' or --no-total"
    >>> spelled("leave it out, or write soft=True", options)
    'leave it out, or write --soft'
    >>> spelled('a mapping of models, {"a": "score_a", "b": "score_b"}', options)
    'a mapping of models, a=score_a b=score_b'
    >>> spelled("name the models, models={'run': ['a', 'b']}", {"models": "--models"})
    'name the models, --models run=a,b'
    >>> spelled("write label=sm.sql('clicks > 0')", options)
    "write --label 'sql:clicks > 0'"
    >>> spelled("sqlmetrics.auc: counts are no scores; write sqlmetrics.chi_square", options)
    "sqlmetrics.auc: counts are no scores; write 'sqlmetrics chi-square'"
    """

    def argument(found: re.Match[str]) -> str:
        """The start of what is passed as an argument; an empty text for other words."""
        name = found[1]
        return f"{options[name]} " if name in options else f"{name}=" if name else ""

    def command(found: re.Match[str]) -> str:
        name = found[1] or found[2]
        if found[2] and name not in FUNCTIONS:
            return found[0]
        return f"'sqlmetrics {name.replace('_', '-')}'"

    def option(found: re.Match[str]) -> str:
        name, value = found[1], found[2]
        if name not in options:
            return found[0]
        return options[name] + (f" {value.strip(chr(39))}" if value else "")

    def expression(found: re.Match[str]) -> str:
        text = found[2]
        said = printable(f"sql:{'...' if text == '...' else ast.literal_eval(text)}")
        if "'" in said:  # in double quotes, unless a shell reads something there
            escaped = said.replace('"', '\\"')
            return argument(found) + (shlex.quote(said) if re.search(r"[$`\\!]", said) else f'"{escaped}"')
        return argument(found) + f"'{said}'"

    def mapping(found: re.Match[str]) -> str:
        named = [(name, column) for _, name, _, column in NAMED.findall(found[2])]
        named += [(name, re.sub("['\" ]", "", names)) for _, name, names in LISTED.findall(found[2])]
        return " ".join(f"{argument(found)}{name}={column}" for name, column in named)

    def other(text: str) -> str:
        text = FUNCTION.sub(command, text)
        text = SWITCHED_ON.sub(r"--\1", SWITCHED_OFF.sub(r"--no-\1", text))
        text = MAPPING.sub(mapping, text)
        text = SEVERAL.sub(functools.partial(_several, options), text)
        parts = IN_BRACKETS.split(text)
        parts[::2] = [OPTION.sub(option, part) for part in parts[::2]]
        return "".join(parts)

    # what is between expressions; a pattern with groups would give these, too
    between, expressions = EXPRESSION.sub("\0", message).split("\0"), EXPRESSION.finditer(message)
    return "".join(
        other(text) + (expression(found) if found else "")
        for text, found in zip_longest(between, expressions)
    )


def _several(options: Mapping[str, str], found: re.Match[str]) -> str:
    """An option for each text of a list."""
    name, texts = found[1], re.findall("'(.+?)'", found[2])
    return found[0] if name not in options else " ".join(f"{options[name]} {text}" for text in texts)
