"""Messages of the Python functions, as the command line writes their options."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

#: `name=`, with a plain value or none. A notation such as gauc(weight=uniform) is in brackets and keeps its form.
OPTION = re.compile(r"(?<![\w.'\"-])([a-z_]+)=(?!=)('[^'\s]*'|[\w.-]*\w)?(?![\w\[({'\"])")
IN_BRACKETS = re.compile(r"(\w\([^()]*\))")
EXPRESSION = re.compile(r"(?:\b([a-z_]+)=)?sm\.sql\((?:(['\"])(.*?)\2|\.\.\.)\)")
FUNCTION = re.compile(r"sm\.(\w+)\([^()]*\)")
SWITCHED_OFF = re.compile(r"\b(total|paired)=False")
#: a mapping of names to columns, such as {"cat": "p_cat", "dog": "p_dog"}
MAPPING = re.compile(r"\{((?:(['\"])[^'\"{}]+\2: (['\"])[^'\"{}]+\3(?:, )?)+)\}")
NAMED = re.compile(r"(['\"])(.+?)\1: (['\"])(.+?)\3")


def options_of(commands: Mapping[str, Any], words: Iterable[str]) -> dict[str, str]:
    """The long options of the command that was called, by the names of their parameters.

    Args:
        commands: as typer makes them.
        words: what was typed after `sqlmetrics`.
    """
    called = next((commands[word] for word in words if word in commands), None)
    options = {option.name: max(option.opts, key=len) for option in (called.params if called else [])}
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
    >>> spelled("pass by=['day'] or label=['a']", options)
    "pass by=['day'] or label=['a']"
    >>> spelled("make it by sm.state(...), with label=sm.sql('a > 1') or total=False", options)
    "make it by 'sqlmetrics state', with --label 'sql:a > 1' or --no-total"
    >>> spelled('a mapping of models, {"a": "score_a", "b": "score_b"}', options)
    'a mapping of models, a=score_a b=score_b'
    """

    def expression(found: re.Match[str]) -> str:
        name = found[1] and (f"{options[found[1]]} " if found[1] in options else f"{found[1]}=")
        return f"{name or ''}'sql:{found[3] or '...'}'"

    message = EXPRESSION.sub(expression, message)
    message = FUNCTION.sub(lambda found: f"'sqlmetrics {found[1].replace('_', '-')}'", message)
    message = SWITCHED_OFF.sub(r"--no-\1", message)
    message = MAPPING.sub(
        lambda found: " ".join(f"{name}={column}" for _, name, _, column in NAMED.findall(found[1])), message
    )

    def option(found: re.Match[str]) -> str:
        name, value = found[1], found[2]
        if name not in options:
            return found[0]
        return options[name] + (f" {value.strip(chr(39))}" if value else "")

    parts = IN_BRACKETS.split(message)
    parts[::2] = [OPTION.sub(option, part) for part in parts[::2]]
    return "".join(parts)
