"""Random lists under the scores of three models, and the comparison of one number of an engine with its own."""

from __future__ import annotations

import math
import random
from typing import Any

Rows = list[dict[str, Any]]

#: Hours of sleep that each of two drugs gave ten patients more than they had without; R prints the paired test.
SLEEP = (
    [0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0],
    [1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4],
)


def close(got: float | None, expected: float | None, rel: float = 1e-9) -> None:
    assert got is expected is None or math.isclose(got, expected, rel_tol=rel, abs_tol=1e-12), (got, expected)


def drawn(seed: int, lists: int = 60) -> Rows:
    """Lists of a few rows, which lie in one of two parts or in both, with the scores of three models, some tied."""
    draw = random.Random(seed)
    rows = []
    for u in range(lists):
        for _ in range(draw.randint(1, 9)):
            score = draw.random()
            rows.append(
                {
                    "u": u,
                    "part": draw.choice("xy") if u % 5 == 0 else "xy"[u % 2],
                    "y": int(draw.random() < 0.2 + 0.5 * score),
                    "w": 1 + u % 3,
                    "a": round(score, 1),
                    "b": round(0.5 * score + 0.5 * draw.random(), 2),
                    "c": draw.random(),
                }
            )
    return rows


UNDEFINED = ("low", "high", "statistic", "p_value", "minimum_detectable")
