"""The verdict on a difference beside a margin, by the place of its interval."""

from __future__ import annotations


def verdict(low: float | None, high: float | None, margin: float | None, better: str) -> str | None:
    """Piaggio and others (2012), figure 1, with equivalence first.

    Args:
        low, high: the interval of the difference.
        margin: the smallest difference that matters, if there is one.
        better: higher, lower or none.
    """
    if low is None or high is None:
        return None
    if margin is not None and -margin < low and high < margin:
        return "equivalent"
    if better == "none":
        return "undecided" if low <= 0 <= high else "differs"
    if better == "lower":
        low, high = -high, -low
    if low > 0:
        return "better"
    if high < 0:
        return "worse"
    return "not worse" if margin is not None and low > -margin else "undecided"
