"""How often intervals of `bradley_terry` hold the strengths of models, and how often equal models differ significantly.

Battles of six models are drawn by Davidson's model, many times. In clusters each battle is told 1 to 9 times, so that
battles without their cluster seem to be more than they are. In few clusters, the strengths of a model differ between
them by a standard deviation of 0.7, and there are four models. Exit status 1 when intervals of 95 % hold a strength in
other than 93 to 97 % of the draws, or a pair of equal models differs in more than 6 %. `docs/coverage.md` has the
table.
"""

import sys
from collections.abc import Sequence

import numpy as np
import pyarrow as pa

import sqlmetrics as sm
from simulation import arguments

SPREAD, EQUAL = (-1.0, -0.5, 0.0, 0.0, 0.5, 1.0), (0.0,) * 6
#: name -> strengths, the log of the parameter of ties, battles, and their clusters: as many as battles, or few
CASES: dict[str, tuple[Sequence[float], float, int, int | None]] = {
    "ties": (SPREAD, 0.0, 300, None),
    "no ties": (SPREAD, -np.inf, 300, None),
    "clusters": (SPREAD, 0.0, 300, 300),
    "equal": (EQUAL, 0.0, 300, None),
    "equal, clusters": (EQUAL, 0.0, 300, 300),
    **{f"equal, {few} clusters": (EQUAL[:4], -np.inf, max(240, 12 * few), few) for few in (5, 10, 20, 40)},
}


def drawn(
    draw: np.random.Generator, strengths: Sequence[float], log_nu: float, n: int, clusters: int | None
) -> pa.Table:
    """Battles of two different models each; of few clusters each has strengths of its own."""
    a = draw.integers(len(strengths), size=n)
    b = (a + draw.integers(1, len(strengths), size=n)) % len(strengths)
    few = clusters is not None and clusters < n
    prompt = np.arange(n) % (clusters or n)
    own = np.array(strengths) + 0.7 * few * draw.normal(size=(n, len(strengths)))
    half = (own[prompt, a] - own[prompt, b]) / 2
    odds = np.exp(np.stack([half, -half, np.full(n, log_nu)]))
    place = (draw.random(n) > np.cumsum(odds / odds.sum(0), 0)[:2]).sum(0)
    times = draw.choice([1, 3, 9], n) if clusters == n else np.ones(n, int)
    winner = np.array(["model_a", "model_b", "tie"])[place]
    return pa.table({"model_a": a, "model_b": b, "winner": winner, "n": times, "prompt": prompt})


def main() -> int:
    options = arguments(__doc__, CASES, "500")
    failed = False
    print("| battles | strengths held | draws in which a pair differs significantly |\n|---|--:|--:|")
    for name in options.names or CASES:
        strengths, log_nu, n, clusters = CASES[name]
        draw, held, apart = np.random.default_rng(options.seed), [], []
        for _ in range(options.draws or 500):
            table = drawn(draw, strengths, log_nu, n, clusters)
            rows = sm.bradley_terry(table, weight="n", cluster="prompt" if clusters else None).to_dicts()
            known = [row for row in rows if row["low"] is not None]
            held += [row["low"] <= strengths[row["model"]] <= row["high"] for row in known]
            apart.append(any(row["rank_low"] > 1 or row["rank_high"] < len(strengths) for row in known))
        print(f"| {name} | {np.mean(held):.1%} | {np.mean(apart):.1%} |", flush=True)
        failed |= not 0.93 <= np.mean(held) <= 0.97 or (len(set(strengths)) == 1 and np.mean(apart) > 0.06)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
