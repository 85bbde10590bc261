"""Random calls for as long as one likes, from a seed: `python -m support.fuzz 1000 --engines sqlite --seed 7`."""

from __future__ import annotations

import argparse
import random
import time
from collections import Counter
from contextlib import ExitStack

from support.engines import asked, open_engine
from support.fuzz.parts import PARTS
from support.fuzz.run import run


def summary(counted: Counter[str]) -> str:
    """What was compared, and what was found."""
    always = ("calls", "notations", "refused", "wrong calls", "differences", "NaN", "foreign exceptions")
    names = [*always, *sorted(counted.keys() - set(always))]
    return ", ".join(f"{counted[name]:,} {name}" for name in names)


def main() -> int:
    """Runs the calls that are asked for; the status is 1 if one of them is wrong."""
    parser = argparse.ArgumentParser(prog="make fuzz", description=__doc__)
    parser.add_argument("number", type=int, help="of calls")
    parser.add_argument("--engines", default="sqlite", help="beside DuckDB, with commas between them")
    parser.add_argument("--seed", type=int, default=random.randrange(10**6), help="default: a random one")
    parser.add_argument("--most", type=int, default=3, help="metrics of a call, at most; default: 3")
    parser.add_argument(
        "--part", default=",".join(PARTS), help="with commas between several; default: %(default)s"
    )
    said = parser.parse_args()
    parts = [PARTS[name] for name in said.part.split(",")]
    again = f"PART={said.part} SEED={said.seed} MOST={said.most}"
    print(f"{said.number:,} calls beside {said.engines}; again by {again}", flush=True)
    counted: Counter[str] = Counter()
    started = last = time.monotonic()
    with ExitStack() as stack:
        engines = [stack.enter_context(open_engine(name)) for name in asked(said.engines)]
        try:
            while counted["calls"] < said.number:
                wrong = run(
                    said.seed + counted["runs"],
                    parts[counted["runs"] % len(parts)],
                    said.most,
                    engines,
                    counted,
                )
                if wrong:
                    print(f"\n{wrong}\n", flush=True)
                if wrong or time.monotonic() > last + 10:
                    last = time.monotonic()
                    print(f"{last - started:.0f} s: {summary(counted)}", flush=True)
        except KeyboardInterrupt:
            print("interrupted")
    print(f"{time.monotonic() - started:.0f} s: {summary(counted)}; {again}")
    return 1 if counted["wrong calls"] else 0


if __name__ == "__main__":
    raise SystemExit(main())
