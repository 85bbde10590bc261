"""How often `find_slices` confirms a slice that is like the rest, and how often it finds one that is not.

Data are drawn many times: rows, or lists, with six columns of categories, of which all slices of up to two columns are
looked at. Alike, no slice differs: at most 5 % of the searches should confirm any, also where a few units have most of
the sum (`HEAVY`). Planted, the model is worse in one
slice of two columns by an effect in standard deviations of a unit: `docs/slices.md` has the table of how often that
slice is confirmed, and of the slices confirmed beside it that share no unit with it, which are false.
Exit status 1 when more than 5 % of the searches confirm a slice where all are alike, or a known effect is missed.
"""

import sys
from collections.abc import Iterator
from typing import Any

import duckdb
import numpy as np
import pyarrow as pa

import sqlmetrics as sm
from simulation import arguments

VALUES = (3, 4, 5, 6, 8, 10)  # of the columns
LEVEL = 0.05
EFFECTS = (0.0, 0.1, 0.2, 0.3, 0.5)
PLANTED = {"c0": "0", "c1": "0"}  # a slice of a twelfth of the units
UNITS = 20_000
FOUND = 0.9  # how often an effect of a half of a standard deviation has to be confirmed


def drawn(rng: np.random.Generator, case: str, effect: float) -> dict[str, np.ndarray]:
    """A draw: the columns, labels and scores of two models."""
    each = 3 if case == "lists" else 1
    units = UNITS // each
    columns = {f"c{i}": rng.integers(0, n, units).astype(str) for i, n in enumerate(VALUES)}
    inside = np.logical_and.reduce([columns[name] == value for name, value in PLANTED.items()])
    columns = {name: np.repeat(values, each) for name, values in columns.items()}
    of_unit = np.repeat(
        rng.normal(size=units) + effect * inside, each
    )  # the rows of a list have this in common
    error = of_unit + (rng.normal(size=units * each) if each > 1 else 0)
    common = rng.normal(size=units * each)
    truth = rng.normal(size=units * each)
    return {
        **columns,
        "g": np.repeat(np.arange(units), each),
        "y": truth,
        "a": truth + common,
        "b": truth + common * (1 if case == "two models" else 0) + error,
        "lognormal": truth + np.exp(2 * of_unit),
        "wrong": (rng.random(units * each) < 0.97) * 1.0,
        "one": np.ones(units * each),
        "reward": (rng.random(units * each) < 0.3) * 1.0,
        "propensity": np.maximum(rng.beta(0.4, 2, units * each), 1e-4),
    }


#: name -> the arguments of the search; bias is the mean of the errors, so that an effect is in their deviations
CASES: dict[str, dict[str, Any]] = {
    "rows": {"score": "b"},
    "two models": {"baseline": "a", "candidate": "b"},
    "lists": {"score": "b", "group": "g"},
}
#: name -> the metric and arguments where some units are far larger than others; without an effect
HEAVY: dict[str, tuple[str, dict[str, Any]]] = {
    "mae, lognormal errors": ("mae", {"score": "lognormal"}),
    "mae, 3 % wrong": ("mae", {"label": "one", "score": "wrong"}),
    "ips, propensity Beta(0.4, 2)": (
        "ips(propensity=propensity)",
        {"label": "reward", "score": "one"},
    ),
}


def searches(case: str, effect: float, draws: int, seed: int) -> Iterator[tuple[bool, bool, float]]:
    """Of each draw: whether the planted slice is confirmed, whether one apart from it is, and the effect confirmed."""
    by = [f"c{i}" for i in range(len(VALUES))]
    name = " and ".join(f"{column} = {value}" for column, value in PLANTED.items())
    metric, facts = HEAVY[case] if case in HEAVY else ("bias", CASES[case])
    sql = sm.render_find_slices("drawn", metric, by=by, min_units=100, **{"label": "y", **facts})
    with duckdb.connect() as connection:
        for draw in range(draws):
            rng = np.random.default_rng([seed, draw, round(100 * effect)])
            connection.register("drawn", pa.table(drawn(rng, case, effect)))
            rows = connection.sql(sql).to_arrow_table().to_pylist()
            confirmed = [row for row in rows if row["confirmed"]]
            apart = [
                row
                for row in confirmed
                if not effect
                or (
                    all(row[column] in (None, value) for column, value in PLANTED.items()) is False
                    and row["difference"] > 0
                )
            ]
            found = [row["confirmed_difference"] for row in confirmed if row["slice"] == name]
            yield bool(found), bool(apart), found[0] if found else float("nan")


def main() -> int:
    options = arguments(__doc__, [*CASES, *HEAVY], "200 for no effect, 50 for each effect")
    failed = False
    print(f"{'units':30}{'effect':>8}{'searches':>10}{'found':>8}{'false':>8}{'its mean':>10}")
    for case in options.names or [*CASES, *HEAVY]:
        for effect in EFFECTS if case in CASES else (0.0,):
            draws = options.draws or (50 if effect else 200)
            results = list(searches(case, effect, draws, options.seed))
            found, apart = (sum(result[i] for result in results) / draws for i in (0, 1))
            means = [result[2] for result in results if result[0]]
            mean = f"{np.mean(means):10.3f}" if means and effect else " " * 10
            print(
                f"{case:30}{effect:8.1f}{draws:10,}{found if effect else float('nan'):8.0%}{apart:8.1%}{mean}",
                flush=True,
            )
            failed |= apart > LEVEL if not effect else effect >= 0.5 and found < FOUND
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
