"""Holds answers against the right numbers: `python check.py answers.json`. Needs Python alone.

answers.json is an object: {"ties-1": 0.87, "classes-2": null, ...}, where null says that there is no such number. An
answer is right to six significant digits, or to six decimals. The status is 1 if an answer is wrong or missing, and 2
if the file cannot be read.
"""

from __future__ import annotations

import json
import math
import sys
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
#: Of a p-value six decimals say little.
DIGITS, DECIMALS = 1e-6, 1e-6


def is_right(answer: Any, right: float | None) -> bool:
    """Whether an answer is the right number."""
    if answer is None or right is None:
        return answer is right
    number = isinstance(answer, (int, float)) and not isinstance(answer, bool)
    close = DECIMALS if abs(right) > 1e-3 else 0.0
    return number and math.isclose(answer, right, rel_tol=DIGITS, abs_tol=close)


def checked(answers: Mapping[str, Any], right: Mapping[str, float | None]) -> dict[str, str]:
    """What is wrong with the answers, by question."""
    missing = {name: "no answer" for name in right if name not in answers}
    wrong = {
        name: f"answered {answers[name]!r}, right is {number!r}"
        for name, number in right.items()
        if name in answers and not is_right(answers[name], number)
    }
    return {name: {**missing, **wrong}[name] for name in right if name in missing or name in wrong}


def main(arguments: list[str]) -> int:
    """Prints how many answers are right, of each kind of trap and in total, and each mistake."""
    if len(arguments) != 1:
        print("Error: name one file of answers: python check.py answers.json", file=sys.stderr)
        return 2
    try:
        answers = json.loads(Path(arguments[0]).read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        print(f"Error: {arguments[0]} cannot be read as JSON: {error}", file=sys.stderr)
        return 2
    right = json.loads((HERE / "right.json").read_text(encoding="utf-8"))
    unknown = [*answers][:3] if not isinstance(answers, dict) else sorted(set(answers) - set(right))
    if unknown or not isinstance(answers, dict):
        print(f"Error: answers are an object of ids, such as 'ties-1'; got {unknown}", file=sys.stderr)
        return 2
    mistakes = checked(answers, right)
    kinds, wrong = (Counter(name.split("-")[0] for name in names) for names in (right, mistakes))
    for kind, n in kinds.items():
        print(f"{kind:<8} {n - wrong[kind]:>2} of {n}")
    print(f"{'all':<8} {len(right) - len(mistakes):>2} of {len(right)}")
    for name, why in mistakes.items():
        print(f"{name}: {why}")
    return int(bool(mistakes))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
