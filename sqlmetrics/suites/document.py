"""A file in YAML: its content, checked against the schema, and the line of each value."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from sqlmetrics.errors import SqlMetricsError, counted, did_you_mean
from sqlmetrics.files import reason
from sqlmetrics.suites.schema import Schema, schema

Key = tuple[str | int, ...]  #: the place of a value in a suite: ("gates", 0)
#: the types of JSON in words
KINDS = {
    "string": "text",
    "array": "a list",
    "object": "a mapping",
    "boolean": "true or false",
    "integer": "an integer",
}
MOST_VALUES = 100_000  #: in one file
#: where the message of a refused call names an argument: the key that gave it
ARGUMENT = re.compile(r"\((\w+)=\)")
ELSEWHERE: dict[str, Key] = {
    "by": ("slices",),
    "baseline": ("facts", "score"),
    "candidate": ("facts", "score"),
}


@dataclass(frozen=True)
class Lines:
    """The lines of a file in YAML."""

    file: str
    tree: Any  #: the node of the document
    facts: tuple[Lines, Key] | None = (
        None  #: of a suite whose facts have a file of their own: their place there
    )

    def line(self, key: Key) -> int:
        """The line of a value, or of the value around it."""
        node, line = self.tree, 1
        for part in key:
            if isinstance(part, int) and isinstance(node.value, list) and part < len(node.value):
                node = node.value[part]
                line = node.start_mark.line + 1
                continue
            found = [pair for pair in node.value if isinstance(pair, tuple) and pair[0].value == str(part)]
            if not found:
                break
            named, node = found[0]
            line = named.start_mark.line + 1
        return int(line)

    def place(self, key: Key) -> str:
        """The file and line of a value."""
        if self.facts is not None and key[:1] == ("facts",):
            lines, within = self.facts
            return lines.place((*within, *key[1:]))
        return f"{self.file}:{self.line(key)}"

    @property
    def of_facts(self) -> Path:
        """The file of the facts."""
        return Path(self.file if self.facts is None else self.facts[0].file)

    def error(self, message: str, key: Key) -> SqlMetricsError:
        """An error at a value."""
        return SqlMetricsError(f"{self.place(key)}: {message}")

    @contextmanager
    def at(self, *key: str | int) -> Iterator[None]:
        """Names the line of a value in errors, or the line of the fact that an error names."""
        try:
            yield
        except SqlMetricsError as error:
            if str(error).startswith((f"{self.file}:", f"{self.of_facts}:")):
                raise
            argument = ARGUMENT.search(str(error))
            fact = key if argument is None else ELSEWHERE.get(argument[1], ("facts", argument[1]))
            raise type(error)(f"{self.place(fact)}: {error}", sql=error.sql) from error


def document(path: Path) -> tuple[dict[str, Any], Lines]:
    """The content of a suite, and its lines.

    Raises:
        SqlMetricsError: the file cannot be read, is not YAML, or not as in the schema; the message has file and
            line.
    """
    said, lines = _parsed(_text(path), str(path))
    if not isinstance(said, dict):
        raise SqlMetricsError(f"{path}:1: a suite is a mapping with the keys data and metrics")
    _check(said, lines, schema())
    if isinstance(said.get("facts"), str):
        file = Path(beside(said["facts"], str(path.parent))).expanduser()
        with lines.at("facts"):
            text = _text(file)
        said["facts"], of_facts, place = _facts(text, str(file))
        lines = replace(lines, facts=(of_facts, place))
    return said, lines


def facts_document(path: Path) -> tuple[dict[str, Any], Lines, Key]:
    """The facts in a file, its lines, and the place of the facts: those of a suite, or all that the file has.

    Raises:
        SqlMetricsError: as for `document`.
    """
    return _facts(_text(path), str(path))


def beside(file: str, folder: str) -> str:
    """A path that starts at a folder, unless it is a URL or starts at the root or at home."""
    absolute = "://" in file or file.startswith("~") or Path(file).is_absolute()
    return file if absolute else str(Path(folder, file))


def _facts(text: str, file: str) -> tuple[dict[str, Any], Lines, Key]:
    said, lines = _parsed(text, file)
    place: Key = ("facts",) if isinstance(said, dict) and "facts" in said else ()
    facts = said["facts"] if place else said
    if place and isinstance(facts, str):
        raise lines.error(f"the facts of this suite are in '{facts}'; name that file", place)
    if not isinstance(facts, dict):
        raise lines.error("facts are a mapping, such as label: clicked", place)
    _check(facts, lines, schema()["properties"]["facts"], place)
    return facts, lines, place


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise SqlMetricsError(f"Cannot read '{path}': it is not UTF-8") from error
    except (OSError, ValueError) as error:
        raise SqlMetricsError(f"Cannot read '{path}': {reason(error)}") from error


def _parsed(text: str, file: str) -> tuple[Any, Lines]:
    """The content of a file in YAML 1.2, and its lines."""
    try:
        from ruamel.yaml import YAML
        from ruamel.yaml.error import MarkedYAMLError, YAMLError
    except ImportError as error:
        raise SqlMetricsError("A suite needs two libraries: pip install 'sqlmetrics[suite]'") from error
    reader = YAML(typ="safe", pure=True)
    try:
        tree = reader.compose(text)
        if _values(tree) <= MOST_VALUES:  # else a few lines could fill the memory
            return reader.load(text), Lines(file, tree)
    except MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line = 1 if mark is None else mark.line + 1
        raise SqlMetricsError(f"{file}:{line}: it is not YAML: {error.problem or error.context}") from error
    except (YAMLError, ValueError, RecursionError) as error:
        said = str(error).strip().splitlines()[0]
        raise SqlMetricsError(f"{file}: it is not YAML: {said}") from error
    raise SqlMetricsError(
        f"{file}: it has more than {MOST_VALUES:,} values, each counted as often as a name such as *a repeats it; a"
        " suite has fewer"
    )


def _values(tree: Any) -> float:
    """The number of values below a node, those behind a name (`&a`) once for each `*a`; infinite in a circle."""
    counted: dict[int, float] = {}

    def count(node: Any) -> float:
        if id(node) not in counted:
            counted[id(node)] = math.inf  # what it holds while it is counted: itself
            below = node.value if isinstance(node.value, list) else []
            counted[id(node)] = 1 + sum(
                count(part) for one in below for part in (one if isinstance(one, tuple) else [one])
            )
        return counted[id(node)]

    return 0 if tree is None else count(tree)


def _check(said: Any, lines: Lines, allowed: Schema, within: Key = ()) -> None:
    """Refuses the first thing in a suite, or in the part of it at a place, that is not as in the schema."""
    from jsonschema import Draft202012Validator

    found = [
        ((*within, *each.absolute_path), each) for each in Draft202012Validator(allowed).iter_errors(said)
    ]
    for place, mistake in sorted(found, key=lambda one: lines.line(one[0])):
        named = ".".join(map(str, place)) or ("the suite" if "data" in allowed["properties"] else "the facts")
        if mistake.validator == "additionalProperties":
            known = mistake.schema["properties"]
            [name, *_] = [name for name in mistake.instance if name not in known]
            raise lines.error(
                f"'{name}' is no key of {named}.{did_you_mean(name, known)} Keys: {counted(known)}",
                (*place, str(name)),
            )
        raise lines.error(_worded(mistake, named), place)


def _worded(mistake: Any, within: str) -> str:
    """What is wrong with a value, in a sentence."""
    value, rule = mistake.instance, mistake.validator_value
    match mistake.validator:
        case "required":
            return f"{within} lacks {', '.join(name for name in rule if name not in value)}"
        case "oneOf":
            return f"{within} takes either {' or '.join(one['required'][0] for one in rule)}"
        case "enum":
            near = did_you_mean(value, rule)
            return f"{within} is {value!r}.{near} Allowed: {', '.join(rule)}"
        case "type":
            kinds = [KINDS.get(kind, f"a {kind}") for kind in ([rule] if isinstance(rule, str) else rule)]
            got = "empty" if value is None else repr(value)
            return f"{within} is {got:.60}, and has to be {' or '.join(kinds)}"
        case _:
            return f"{within} is empty"
