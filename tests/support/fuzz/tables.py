"""Random tables: few values, so that ties, one class, empty lists and equal rows come often."""

from __future__ import annotations

import sys
from typing import Any

from hypothesis import strategies as st

Rows = list[dict[str, Any]]
MOST_ROWS = 18

#: The least float of full precision. PostgreSQL refuses a mean of less that no float can hold.
LEAST = sys.float_info.min
PROBABILITIES = (
    st.sampled_from([0.0, 0.125, 0.25, 0.5, 0.75, 1.0]),
    st.integers(0, 10).map(lambda tenth: tenth / 10),
    st.floats(0, 1, allow_subnormal=False),
    st.sampled_from([0.5]),
    st.sampled_from([0.0, LEAST, 1e-300, 1e-15, 1e-9, 0.3, 1 - 1e-9, 1 - 2**-53, 1.0]),
)
SCORES = (
    *PROBABILITIES,
    st.integers(-3, 3).map(float),
    st.floats(-100, 100).map(lambda score: round(score, 2)),
    st.sampled_from([-1e15, -1e6, 0.0, 1e6, 1e6 + 1, 1e15, 1e15 + 1]),
)
NUMBERS = (
    st.integers(-12, 12).map(lambda quarter: quarter / 4),
    st.floats(-50, 50).map(lambda number: round(number, 1)),
    st.sampled_from([0.0, 0.1, 1.0, -1.0]),
)
AMOUNTS = (
    st.integers(1, 12).map(lambda quarter: quarter / 4),
    st.floats(0.001, 1000).map(lambda number: round(number, 3) + 0.001),
    st.sampled_from([0.1, 1.0, 3.0]),
)
#: What overflows when it is squared, or is lost beside 1.
EXTREMES = st.sampled_from([0.0, 1.0, -1.0, LEAST, 1e-200, -1e-160, 1e160, -1e200, 1.7e308, -1.7e308])
WEIGHTS = (
    st.sampled_from([1.0, 2.5, 0.0, 0.5, 3.0]),
    st.integers(0, 9).map(lambda tenth: tenth / 10),
    st.sampled_from([0.0]),
    # No sum of both ends: a median asks on which side of half the weight it lies, which no double could tell.
    st.sampled_from([0.0, 1e-10, 1e-3, 1.0]),
    st.sampled_from([0.0, 1.0, 1e10]),
)
HOLES = [None, float("nan"), float("inf")]  # minus infinity ranks last: tests/metrics/test_minus_infinity.py
ASPECTS = ["s1", "s2", "s3"]


@st.composite
def columns(draw: st.DrawFn, labels: Any, scores: Any, lists: str = "abcd") -> Rows:
    """Rows of lists with a label, the scores of two models, an item and slices.

    Weights (w) are constant in lists, which all metrics of lists need; those of items (v) and rows (u) are not.
    Slices `part` cut lists, `day` and `side` do not.
    """
    of_row, of_list = draw(st.sampled_from(WEIGHTS)), draw(st.sampled_from(WEIGHTS))
    number = draw(st.integers(1, MOST_ROWS))
    text, start = draw(st.booleans()), draw(st.integers(0, 12))
    weights = {name: draw(of_list) for name in lists}
    rows = []
    for i in range(number):
        name = draw(st.sampled_from(lists))
        place = (start + 7 * i) % 23  # items in no order, and i2 behind i10 as a text
        rows.append(
            {
                "list": name,
                "item": f"i{place}" if text else place,
                "label": draw(labels),
                "score": draw(scores),
                "other": draw(scores),
                "w": weights[name],
                "u": draw(of_row),
                "v": WEIGHT_OF_ITEM[i % 4],
                **named_by_metrics(i),
                "part": draw(st.sampled_from(["x", "y", None])),
                "side": 1 if name in "ac" else 2,
                "day": "mon" if name in "ab" else "tue",
            }
        )
    return rows


def named_by_metrics(i: int) -> dict[str, float]:
    """The columns that the examples of metrics name, of few values."""
    low, high = -(i % 5) / 4, i % 3 / 2
    ends = {
        "low": low,
        "q10": low,
        "q25": low,
        "q50": (low + high) / 2,
        "q75": high,
        "q90": high,
        "high": high,
    }
    naive = {"last_week": i % 7 / 2, "training_error": 0.5 + i % 2}
    logged = {"propensity": (1, 0.5, 0.1)[i % 3], "predicted": i % 4 / 4, "expected": 0.5}
    spent = {"latency": i % 6 / 2, "cost": i % 4 / 4}
    return {**ends, **naive, **logged, **spent, "opponent": i % 3 / 2, "treated": float(i % 2)}


WEIGHT_OF_ITEM = (1.0, 0.5, 0.0, 2.0)


@st.composite
def with_holes(draw: st.DrawFn, rows: Rows, roles: list[str]) -> Rows:
    """The rows with some cells of some roles that no metric can use."""
    if draw(st.integers(0, 3)):
        return rows
    holed = [dict(row) for row in rows]
    for _ in range(draw(st.integers(1, 3))):
        row, role = draw(st.sampled_from(holed)), draw(st.sampled_from(roles))
        is_number = isinstance(row[role], float)
        row[role] = draw(st.sampled_from(HOLES if is_number else HOLES[:1]))
    return holed


@st.composite
def judgements(draw: st.DrawFn, rows: Rows, aspects: bool) -> Rows:
    """Labels of some of the listed items and of others, each once (for an aspect), and of a list that is missing.

    The weights of lists (w) are those of the rows; those of items (v) are the truth's own.
    """
    weights = {row["list"]: row["w"] for row in rows}
    items = sorted({row["item"] for row in rows}) + ["z"] * isinstance(rows[0]["item"], str)
    known: dict[tuple[Any, ...], dict[str, Any]] = {}
    for _ in range(draw(st.integers(1, 12))):
        name, item = draw(st.sampled_from("abcde")), draw(st.sampled_from(items))
        aspect = draw(st.sampled_from(ASPECTS)) if aspects else None
        label, weight = draw(st.sampled_from([0, 1, 1, 2, 4, -1])), WEIGHT_OF_ITEM[items.index(item) % 4]
        row = {"list": name, "item": item, "label": label, "w": weights.get(name, 1.0), "v": weight}
        known.setdefault((name, item, aspect), {**row, "aspect": aspect} if aspects else row)
    return list(known.values())


@st.composite
def past(draw: st.DrawFn, rows: Rows) -> dict[str, Rows]:
    """A catalogue of all items and some that are never listed, with categories, and a history."""
    items = sorted({row["item"] for row in rows})
    items += ["z8", "z9"] if isinstance(items[0], str) else [98, 99]
    history = st.fixed_dictionaries({"list": st.sampled_from("abcdf"), "item": st.sampled_from(items)})
    return {
        "catalog": [{"item": item, "kind": draw(st.sampled_from("pqr"))} for item in items],
        "history": draw(st.lists(history, min_size=1, max_size=12)),
    }


@st.composite
def classes(draw: st.DrawFn, names: list[Any]) -> Rows:
    """Rows of a class and a predicted one, of which some may never occur."""
    of_row = draw(st.sampled_from(WEIGHTS))
    row = st.fixed_dictionaries(
        {
            "label": st.sampled_from(names),
            "predicted": st.sampled_from(names),
            "u": of_row,
            "part": st.sampled_from(["x", "y", None]),
            "side": st.sampled_from([1, 2]),
            "day": st.sampled_from(["mon", "tue"]),
        }
    )
    rows = draw(st.lists(row, min_size=1, max_size=MOST_ROWS))
    return [{**named_by_metrics(i), **row} for i, row in enumerate(rows)]


@st.composite
def examples(draw: st.DrawFn, names: list[Any]) -> Rows:
    """A row an example and class, of which one is true."""
    scores, of_list = draw(st.sampled_from(PROBABILITIES)), draw(st.sampled_from(WEIGHTS))
    rows = []
    for example in range(draw(st.integers(1, 6))):
        true, weight, part = draw(st.sampled_from(names)), draw(of_list), draw(st.sampled_from("xy"))
        rows += [
            {
                "list": f"e{example}",
                "item": name,
                "label": int(name == true),
                "score": draw(scores),
                "other": draw(scores),
                "w": weight,
                **named_by_metrics(example + len(rows)),
                "part": part,
                "side": 1 + example % 2,
                "day": "mon" if example % 2 else "tue",
            }
            for name in names
        ]
    return rows
