"""The arguments of the benchmarks that draw data again and again: which cases, how many draws, which seed."""

from __future__ import annotations

import argparse
from collections.abc import Collection


def arguments(about: str | None, cases: Collection[str], draws: str) -> argparse.Namespace:
    """The names, draws and seed of the command line; `draws` says how many there are by default."""
    parser = argparse.ArgumentParser(description=about)
    parser.add_argument("names", nargs="*", metavar="name", help=f"some of: {', '.join(cases)}")
    parser.add_argument("--draws", type=int, help=f"default: {draws}")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    unknown = [name for name in options.names if name not in cases]
    if unknown:
        parser.error(f"no case {', '.join(unknown)}; known: {', '.join(cases)}")
    return options
