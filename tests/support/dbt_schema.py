"""sql/schema.yml, what dbt's docs say of the macros, made from the comments in `sql/`; as a script it writes it."""

from __future__ import annotations

import json
import re

from sqlmetrics.book.catalog import catalog, curves
from sqlmetrics.book.signatures import parameters, signature
from sqlmetrics.book.templates import macro_files, macros, sql_folder

SCHEMA = sql_folder() / "schema.yml"
HEAD = "# Made by `make readme` from the comments above the macros\nversion: 2\n\nmacros:\n"
#: one or several names, then what they are, on one line or more
ARGUMENT = re.compile(r"^  (\w+(?:, \w+)*): (.*(?:\n    .*)*)", re.MULTILINE)
CALL = re.compile(r"^Example: (?:\{\{ sqlmetrics\.|data_tests: )", re.MULTILINE)
FURTHER = re.compile(r"^Further arguments are those of `(\w+)`", re.MULTILINE)


def called() -> list[str]:
    """The macros that a model or a schema file calls: those whose example is such a call."""
    return sorted(name for name in macro_files() if CALL.search(signature(name).doc))


def arguments(macro: str) -> dict[str, str]:
    """What a macro takes, each with what it is; `as for` another macro is looked up there."""
    doc = signature(macro).doc
    section = re.search(r"^Args:\n((?:  .*\n?)*)", doc, re.M)
    found: dict[str, str] = {}
    for names, text in ARGUMENT.findall(section[1] if section else ""):
        for name in names.split(", "):
            other = re.match(r"as for `(\w+)`", text)
            found[name] = arguments(other[1])[name] if other else in_line(text)
    further = FURTHER.search(doc)
    known = arguments(further[1]) | arguments("evaluate") if further else {}
    taken = macros("duckdb").arguments_of_calls().get(macro.removeprefix("test_"), [])
    names = [*signature(macro).parameters, *taken] if taken else parameters(macro)
    return {name: (found.get(name) or known[name]) for name in names if name in found or name in known}


def description(doc: str, with_arguments: bool) -> str:
    """A comment as Markdown: its paragraphs, then its fields as a list."""
    head, *fields = re.split(r"^(?=[A-Z][a-z]+:|Further arguments)", doc, flags=re.M)
    items = []
    for field in fields:
        name, _, text = field.partition(":")
        if name == "Args":
            items += [f"`{names}`: {in_line(of)}" for names, of in ARGUMENT.findall(text) if with_arguments]
        elif name == "Example":
            items.append(f"**Example:** `{in_line(text)}`")
        else:
            items.append(in_line(field if name.startswith("Further") else f"**{name}:** {text}"))
    paragraphs = [in_line(paragraph) for paragraph in head.strip().split("\n\n")]
    return "\n\n".join([*paragraphs, "\n".join(f"- {item}" for item in items)])


def in_line(text: str) -> str:
    return " ".join(text.split())


def entry(macro: str, with_arguments: bool) -> str:
    """A macro of the file."""
    text = description(signature(macro).doc, with_arguments)
    # dbt renders descriptions
    text = f"{{% raw %}}{text}{{% endraw %}}" if "{{" in text else text
    lines = [f"  - name: {macro}", "    description: |"]
    lines += [f"      {line}".rstrip() for line in text.split("\n")]
    if not with_arguments:
        lines.append("    arguments:")
        for name, of in arguments(macro).items():
            lines += [f"      - name: {name}", f"        description: {json.dumps(of, ensure_ascii=False)}"]
    return "\n".join(lines) + "\n"


def written() -> str:
    """The file, as a text: what is called, then what notations name, then what dbt's docs hide."""
    calls = called()
    notations = sorted([*catalog(), *(curve.macro for curve in curves().values())])
    shown = [*(entry(name, False) for name in calls), *(entry(name, True) for name in notations)]
    inner = sorted({*macro_files()} - {*calls, *notations})
    hidden = [f"  - {{name: {name}, docs: {{show: false}}}}\n" for name in inner]
    return HEAD + "\n".join([*shown, "".join(hidden)])


if __name__ == "__main__":
    SCHEMA.write_text(written())
