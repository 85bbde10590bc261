"""The parts of a run: what each calls, and how it finds a wrong answer."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from support.fuzz import answers, late, relations
from support.fuzz.families import families
from support.fuzz.scenes import calls
from support.fuzz.searches import searches


class Part(NamedTuple):
    """Calls of up to so many metrics, and their check, which raises DifferenceError."""

    calls: Callable[[int], Any]
    check: Callable[..., None]


PARTS = {
    "calls": Part(calls, answers.check),
    "families": Part(families, answers.check),
    "searches": Part(searches, answers.check),
    "late": Part(late.lates, late.check),
    "relations": Part(relations.relations, relations.check),
}
