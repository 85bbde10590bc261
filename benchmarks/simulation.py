"""The benchmarks that draw data again and again: their arguments (cases, draws, seed) and where their tables go."""

from __future__ import annotations

import argparse
from collections.abc import Collection
from pathlib import Path

PAGE = Path(__file__).resolve().parents[1] / "docs" / "coverage.md"


def arguments(
    about: str | None, cases: Collection[str], draws: str, write: bool = False
) -> argparse.Namespace:
    """The names, draws and seed of the command line.

    Args:
        draws: says how many there are by default.
        write: whether the tables can be written into a page.
    """
    parser = argparse.ArgumentParser(description=about)
    parser.add_argument(
        "names", nargs="*", metavar="name", help=f"some of: {', '.join(cases)}".replace("%", "%%")
    )
    parser.add_argument("--draws", type=int, help=f"default: {draws}")
    parser.add_argument("--seed", type=int, default=0)
    if write:
        parser.add_argument("--write", action="store_true", help="write the tables into docs/coverage.md")
    options = parser.parse_args()
    unknown = [name for name in options.names if name not in cases]
    if unknown:
        parser.error(f"no case {', '.join(unknown)}; known: {', '.join(cases)}")
    return options


def write_made(script: str, made: str) -> None:
    """Puts the tables of a script into their place in `docs/coverage.md`."""
    begin, end = f"<!-- made by benchmarks/{Path(script).name} -->", "<!-- end -->"
    before, _, rest = PAGE.read_text().partition(begin)
    _, _, after = rest.partition(end)
    PAGE.write_text(f"{before}{begin}\n\n{made}\n\n{end}{after}")
