"""The statements of every dialect are those of tests/statements.json: SQL does not change unnoticed."""

import pytest

from sqlmetrics.book.templates import dialects
from support.changed import differences_of
from support.statements import differences, fingerprints, is_alone, kept

SHOWN = 20


@pytest.mark.slow
@pytest.mark.parametrize(
    "dialect",
    [pytest.param(name, marks=pytest.mark.xdist_group(f"statements of {name}")) for name in dialects()],
)
@pytest.mark.parametrize("alone", [False, True], ids=["together", "each_alone"])
def test_statements_are_those_that_are_kept(dialect: str, alone: bool) -> None:
    before = {
        way: {call: hashed for call, hashed in found.items() if is_alone(call) == alone}
        for way, found in kept().get(dialect, {}).items()
    }
    changed = differences(before, fingerprints(dialect, alone))
    known = [call for call in changed if call.partition(": ")[2] in before.get(call.partition(": ")[0], {})]
    shown = [*changed[:SHOWN], f"and {len(changed) - SHOWN} more"] if len(changed) > SHOWN else changed
    assert not changed, "\n".join(
        [
            f"{len(changed)} statements of {dialect} differ from tests/statements.json:",
            *shown,
            *differences_of(dialect, known),
            "Meant? `make statements` writes it anew. To read the change: python -m support.statements --dump DIR,",
            "in tests/ of both trees, then diff -r.",
        ]
    )


def test_no_dialect_is_kept_that_is_gone() -> None:
    assert kept().keys() == set(dialects())
