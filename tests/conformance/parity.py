"""How far each engine is from the formulas in plain Python, for the summary at the end of a run."""

CHECKED: dict[str, list[float]] = {}  #: engine -> the differences, relative to values above 1


def record(engine: str, one: float, other: float) -> None:
    """Notes a value of an engine and the one that it should be."""
    CHECKED.setdefault(engine, []).append(abs(one - other) / max(1.0, abs(other)))


def summary() -> list[str]:
    """A line for each engine: its number of values and the largest difference."""
    return [
        f"{engine:12}{len(differences):>8,} values, largest difference {max(differences):.1e}"
        for engine, differences in CHECKED.items()
    ]
