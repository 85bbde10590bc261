"""What the header of a metric or curve leaves out because another comment has it.

A field such as `Errors:`, or a parameter below `Args:`, that the header lacks is looked up

1. in the header of the metric that it names by a line `Same as: recall` or `Same as: d2_pinball(quantile=0.5)`,
2. in the first comment of its file, for all metrics of a family,
3. in `sql/metrics/parameters.sql`, for parameters of many families.

The first text that is found counts. Aliases and examples belong to one metric and are not inherited.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import pairwise

FIELDS = (
    "Args", "Task", "Returns", "Better", "Range", "Chance", "Unit", "Aliases", "Undefined", "Interval", "Traps",
    "Errors", "Source", "Example",
)  # fmt: skip
OF_ONE_METRIC = ("Aliases", "Example")
FIELD = re.compile(rf"^({'|'.join(FIELDS)}|Same as):", re.MULTILINE)
ARGUMENT = re.compile(r"^  (\w[\w, ]*): .*(?:\n    .*)*", re.MULTILINE)
SAME_AS = re.compile(r"^Same as: ((\w+).*)$", re.MULTILINE)
HEAD = re.compile(r"\s*\{#((?:(?!#\}).)*)#\}(?!\s*\{%-?\s*macro)", re.DOTALL)


def head_of_file(text: str) -> str:
    """The first comment of a file, if it is not that of a macro."""
    head = HEAD.match(text)
    return unindented(head[1]) if head else ""


def unindented(comment: str) -> str:
    """The text of a comment without its indentation."""
    return "\n".join(line.removeprefix("  ") for line in comment.strip("\n").splitlines()).strip()


def named_same(doc: str) -> tuple[str, str] | None:
    """The notation behind `Same as:` and the macro of its metric; None without the line.

    >>> named_same("Same as: d2_pinball(quantile=0.5)"), named_same("Same as: f_beta(beta=1)@k")[1]
    (('d2_pinball(quantile=0.5)', 'metric_d2_pinball'), 'metric_f_beta_at')
    """
    found = SAME_AS.search(doc)
    return (found[1], f"metric_{found[2]}" + "_at" * found[1].endswith("@k")) if found else None


def completed(doc: str, parameters: Iterable[str], same: str, elsewhere: Iterable[str]) -> str:
    r"""A header with what it inherits, from the header of the `same` metric or else from comments `elsewhere`.

    >>> print(completed("A share.\n\nBetter: lower", ["k"], "", ["Args:\n  k: a cutoff\nReturns: float"]))
    A share.
    <BLANKLINE>
    Args:
      k: a cutoff
    Returns: float
    Better: lower
    """
    head, own = _fields(doc)
    sources = [own, *(_fields(text)[1] for text in (same, *elsewhere))]
    found: dict[str, str] = {}
    explained: dict[str, str] = {}
    for fields in reversed(sources):
        found |= {
            field: text for field, text in fields.items() if fields is own or field not in OF_ONE_METRIC
        }
        explained |= _arguments(fields.get("Args", ""))
    lines = list(dict.fromkeys(explained[name] for name in parameters if name in explained))
    arguments = ["\n".join(["Args:", *lines])] if lines else []
    given = named_same(doc)
    if given:
        head += f"\n\nThe same as `{given[0]}`."
    return "\n".join(
        [head + "\n", *arguments, *(found[field] for field in FIELDS[1:] if field in found)]
    ).strip()


def _fields(doc: str) -> tuple[str, dict[str, str]]:
    """The text above the first field, and the lines of each field by its name."""
    starts = [match.start() for match in FIELD.finditer(doc)] + [len(doc)]
    texts = [doc[start:end].rstrip() for start, end in pairwise(starts)]
    return doc[: starts[0]].rstrip(), {text.partition(":")[0]: text for text in texts}


def _arguments(field: str) -> dict[str, str]:
    """The lines that explain each argument of a field `Args`."""
    return {name: match[0] for match in ARGUMENT.finditer(field) for name in match[1].split(", ")}
