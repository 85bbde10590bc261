"""The arguments of the benchmarks that draw data again and again: which cases, how many draws, which seed."""

from __future__ import annotations

import argparse
from collections.abc import Collection


def arguments(
    about: str | None, cases: Collection[str], draws: str, write: bool = False
) -> argparse.Namespace:
    """The names, draws and seed of the command line.

    Args:
        draws: says how many there are by default.
        write: whether the tables can be written into a page.
    """
    parser = argparse.ArgumentParser(description=about)
    parser.add_argument("names", nargs="*", metavar="name", help=f"some of: {', '.join(cases)}")
    parser.add_argument("--draws", type=int, help=f"default: {draws}")
    parser.add_argument("--seed", type=int, default=0)
    if write:
        parser.add_argument("--write", action="store_true", help="write the tables into docs/coverage.md")
    options = parser.parse_args()
    unknown = [name for name in options.names if name not in cases]
    if unknown:
        parser.error(f"no case {', '.join(unknown)}; known: {', '.join(cases)}")
    return options
