"""Coverage of intervals of metrics by a judge that people correct (`gold=`). It makes the table of docs/coverage.md.

Each of 2,000 draws is a slice of one statement: 1,000 rows that a judge labelled, of which people labelled some at
random. The truth is the value by people's labels of a million rows. `width` is the mean width beside that of people
alone, whose interval is that of `evaluate`, or `compare`, on their rows.

The second table is about `plan_labels`: the labels of the plan beside as many that are drawn from all rows alike.

    python benchmarks/gold.py --write
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

import sqlmetrics as sm
from simulation import arguments, write_made

LIST = 10
LISTS = ("ndcg@10", "gauc")
ROWS = ("accuracy", "log_loss", "f1", "auc")


@dataclass(frozen=True)
class Case:
    """A kind of data.

    Attributes:
        metrics: what is asked.
        n: the units that people label; with `unequal` about so many.
        right: how often the judge is right; half the time is useless.
        units, size: the number of units of a draw, and of rows of each.
        differences: whether differences of two models are asked.
        unequal: whether hard rows have four times the chance of a label by people.
    """

    metrics: tuple[str, ...]
    n: int
    right: float = 0.85
    units: int = 1000
    size: int = 1
    differences: bool = False
    unequal: bool = False


CASES = {
    **{f"rows, {n} by people": Case(ROWS, n) for n in (20, 50, 200)},
    "rows, 100 by people, a useless judge": Case(ROWS, 100, 0.5),
    "rows, 100 by people, a judge who is right": Case(ROWS, 100, 0.99),
    **{f"lists of {LIST}, {n} by people": Case(LISTS, n, units=200, size=LIST) for n in (20, 60)},
    f"groups of {LIST}, 30 by people": Case(("accuracy", "log_loss"), 30, units=200, size=LIST),
    **{f"difference of two models, {n} by people": Case(ROWS, n, differences=True) for n in (20, 100)},
    "rows, 100 by people with unequal chances": Case(ROWS, 100, unequal=True),
}


def drawn(rng: Any, draws: int, case: Case) -> pa.Table:
    """Rows with labels of a judge and of people, who labelled some. Rows of a unit have their difficulty in common."""
    shape = (draws, case.units, case.size)
    level = rng.normal(size=(draws, case.units, 1)) * (case.size > 1)
    ability = rng.normal(size=shape)
    people = rng.random(shape) < 1 / (1 + np.exp(-(0.5 + level + ability)))
    judge = np.where(rng.random(shape) < case.right, people, ~people)
    logit = 0.3 + 0.7 * level + 0.8 * ability
    chance = np.full(shape, case.n / case.units)
    if case.unequal:
        chance = np.where(np.abs(logit) < 0.5, 4.0, 1.0)
        chance *= case.n / case.units / chance.mean()
    seen = np.arange(case.units)[None, :, None] < case.n
    seen = rng.random(shape) < chance if case.unequal else np.broadcast_to(seen, shape)
    columns = {
        "draw": np.broadcast_to(np.arange(draws)[:, None, None], shape),
        "unit": np.broadcast_to(np.arange(draws * case.units).reshape(draws, case.units, 1), shape),
        "people": people,
        "judge": judge,
        "score": 1 / (1 + np.exp(-logit)),
        "other": 1 / (1 + np.exp(-(logit + 0.5 * rng.normal(size=shape)))),
        "inverse": 1 / chance,
    }
    table = pa.table({name: values.ravel() for name, values in columns.items()})
    return table.append_column("gold", pa.array(people.ravel(), mask=~seen.ravel()))


def asked(table: pa.Table, case: Case, **given: Any) -> dict[str, list[Any]]:
    """For each metric its value, and the ends of its interval, in each slice."""
    if case.size > 1:
        given["group"] = "unit"
    if case.differences:
        rows = sm.compare(table, [*case.metrics], baseline="score", candidate="other", **given).to_dicts()
        return {
            metric: [(row["difference"], row["low"], row["high"]) for row in rows if row["metric"] == metric]
            for metric in case.metrics
        }
    rows = sm.evaluate(table, [*case.metrics], score="score", interval=0.95, **given).to_dicts()
    names = {metric: metric.replace("@", "_") for metric in case.metrics}
    return {
        metric: [(row[name], row[f"{name}_low"], row[f"{name}_high"]) for row in rows]
        for metric, name in names.items()
    }


def lines(name: str, rng: Any, draws: int) -> list[str]:
    """The lines of a case."""
    case = CASES[name]
    whole = Case(case.metrics, 1, case.right, 1_000_000 // case.size, case.size, case.differences)
    truth = asked(drawn(rng, 1, whole), whole, label="people")
    table, by = drawn(rng, draws, case), {"by": "draw", "total": False}
    weight = {"gold_weight": "inverse"} if case.unequal else {}
    people = {"weight": "inverse"} if case.unequal else {}
    found = (
        asked(table, case, label="judge", gold="gold", **weight, **by),
        asked(table, case, label="gold", where="gold is not null", **people, **by),
        asked(table, case, label="judge", **by),
    )
    made = []
    for metric in case.metrics:
        value = truth[metric][0][0]
        ends = [
            np.array([(low, high) for _, low, high in part[metric] if low is not None]).reshape(-1, 2)
            for part in found
        ]
        holds = [f"{100 * np.mean((each[:, 0] <= value) & (value <= each[:, 1])):.1f}" for each in ends]
        width = np.mean(ends[0][:, 1] - ends[0][:, 0]) / np.mean(ends[1][:, 1] - ends[1][:, 0])
        made.append(f"| {name} | `{metric}` | {holds[0]} | {width:.2f} | {holds[1]} | {holds[2]} |")
    return made


#: of each slice its share, and how often the judge is right
SLICES = {"easy": (0.7, 0.98), "middle": (0.2, 0.8), "hard": (0.1, 0.6)}
PLANNED = ("accuracy", "log_loss", "auc")
ROWS_OF_PLAN, PILOT, BUDGET = 2000, 90, 210
PLANS = f"plans of {BUDGET} labels"


def drawn_of_slices(rng: Any, units: int) -> pa.Table:
    """Rows in slices in which the judge errs more or less often; the first of them are the pilot."""
    part = rng.choice(len(SLICES), size=units, p=[share for share, _ in SLICES.values()])
    ability = rng.normal(size=units)
    people = rng.random(units) < 1 / (1 + np.exp(-(0.5 + ability)))
    right = np.array([each for _, each in SLICES.values()])[part]
    return pa.table(
        {
            "part": part,
            "people": people,
            "judge": np.where(rng.random(units) < right, people, ~people),
            "score": 1 / (1 + np.exp(-(0.3 + 0.8 * ability))),
            "gold": pa.array(people, mask=np.arange(units) >= PILOT),
        }
    )


def labelled(rng: Any, table: pa.Table, new: list[int]) -> pa.Table:
    """Rows with labels of the pilot, and of so many new ones of each slice, and the inverse of their chance."""
    part, people = table.column("part").to_numpy(), table.column("people").to_numpy(zero_copy_only=False)
    seen, weight = np.arange(len(part)) < PILOT, np.zeros(len(part))
    for slice_, n in enumerate(new):
        free = np.flatnonzero((part == slice_) & ~seen)
        seen[rng.choice(free, min(n, len(free)), replace=False)] = True
        weight[part == slice_] = np.mean(seen[part == slice_])
    kept = table.select(["judge", "score"]).append_column("gold", pa.array(people, mask=~seen))
    return kept.append_column("w", pa.array(1 / np.maximum(weight, 1e-9)))


def lines_of_plans(rng: Any, draws: int) -> list[str]:
    """For each metric, intervals by the labels of a plan and by those that are drawn from all rows alike.

    There are 20 plans, each of a pilot of its own, for as many draws each.
    """
    whole, made = drawn_of_slices(rng, 1_000_000), []
    asked: dict[str, Any] = {"label": "judge", "gold": "gold", "score": "score"}
    for metric in PLANNED:
        value = sm.evaluate(whole, metric, label="people", score="score").value(metric)
        tables: list[list[pa.Table]] = [[], []]
        expected = []
        for _ in range(20):
            pilot = drawn_of_slices(rng, ROWS_OF_PLAN)
            *parts, total = sm.plan_labels(pilot, metric, by="part", budget=BUDGET, **asked).to_dicts()
            expected.append([total["half_width"], total["uniform_half_width"]])
            for _ in range(draws // 20):
                table = drawn_of_slices(rng, ROWS_OF_PLAN)
                by_chance = rng.choice(table.column("part").to_numpy()[PILOT:], BUDGET, replace=False)
                ways = [row["labels"] for row in parts], np.bincount(by_chance, minlength=len(parts)).tolist()
                for of_way, new in zip(tables, ways, strict=True):
                    of_draw = labelled(rng, table, new)
                    number = np.full(ROWS_OF_PLAN, len(of_way))
                    of_way.append(of_draw.append_column("draw", pa.array(number)))
        ends = []
        for of_way, weight in zip(tables, ({"gold_weight": "w"}, {}), strict=True):
            given = {**asked, **weight, "by": "draw", "total": False, "interval": 0.95}
            rows = sm.evaluate(pa.concat_tables(of_way), metric, **given).to_dicts()
            ends.append(
                np.array([(row[f"{metric}_low"], row[f"{metric}_high"]) for row in rows], dtype=float)
            )
        holds = [f"{100 * np.mean((each[:, 0] <= value) & (value <= each[:, 1])):.1f}" for each in ends]
        widths = [np.mean(each[:, 1] - each[:, 0]) for each in ends]
        of_plan, of_chance = np.mean(expected, axis=0)
        made.append(
            f"| `{metric}` | {widths[0] / widths[1]:.2f} | {of_plan / of_chance:.2f} | {holds[0]} | {holds[1]} |"
            f" {2 * of_plan / widths[0]:.2f} |"
        )
        print(made[-1], flush=True)
    return made


def main() -> int:
    options = arguments(__doc__, [*CASES, PLANS], "2,000", write=True)
    made = [
        "| data | metric | holds, % | width | people alone hold, % | the judge alone holds, % |",
        "|---|---|--:|--:|--:|--:|",
    ]
    for place, name in enumerate(CASES):
        if name in (options.names or CASES):
            rng = np.random.default_rng([options.seed, place])
            made.extend(lines(name, rng, options.draws or 2_000))
            print("\n".join(made[-len(CASES[name].metrics) :]), flush=True)
    if PLANS in (options.names or [PLANS]):
        made += [
            "",
            "| plan for | width beside uniform | the same, expected | holds, % | uniform, % | expected beside found |",
            "|---|--:|--:|--:|--:|--:|",
            *lines_of_plans(np.random.default_rng([options.seed, len(CASES)]), options.draws or 400),
        ]
    if options.write:
        write_made(__file__, "\n".join(made))
    return 0


if __name__ == "__main__":
    sys.exit(main())
