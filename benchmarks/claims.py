"""What is claimed of calibration errors, Spiegelhalter's z, Kendall's tau, overlaps of rankings and means of slices.

Data are drawn 2,000 times, easy ones and hard ones; each draw is a slice of one statement, and of means of slices a
model of one. True values are those of one draw of 2 million rows, or of 200,000 lists.

`--write` puts the tables into `docs/coverage.md`, each figure beside its goal.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import numpy as np
import pyarrow as pa
from scipy.stats import kendalltau

import sqlmetrics as sm
from hard_cases import Case, Columns, coverage, decided, drawn, named, of_coverage, of_rejection, true_values
from simulation import arguments, write_made

NEAR = 0.02  # how far the mean of an estimate may be from the true value
PART = 100  # draws in one statement of a bootstrap, or of means of slices
RESAMPLED = 500  # draws of a bootstrap, whose rows are those of all replicates; a percent may be chance

Lines = list[str]


def table_of(title: str, draws: int, heads: list[str], lines: Lines) -> str:
    """A table under a sentence that says how many draws it is of."""
    title = f"{title}; {draws:,} draws"
    return (
        f"{title}:\n\n| {' | '.join(heads)} |\n|---|---|{'|'.join(['--:'] * (len(heads) - 2))}|\n"
        + "\n".join(lines)
    )


def parted(table: pa.Table) -> list[pa.Table]:
    """So many draws of a table as one statement takes."""
    draw = table.column("draw").to_numpy()
    ends = np.searchsorted(draw, np.arange(0, draw[-1] + 1 + PART, PART))
    return [table.slice(start, end - start) for start, end in pairwise(ends) if end > start]


def too_extreme(positive: float, apart: float) -> Callable[..., Columns]:
    """Chances whose logits are twice as far from that of the base rate as they should be."""

    def draw(rng: np.random.Generator, units: int) -> Columns:
        columns, base = decided(positive, apart)(rng, units), np.log(positive / (1 - positive))
        for model in "ab":
            logit = np.log(columns[model] / (1 - columns[model]))
            columns[model] = 1 / (1 + np.exp(base - 2 * (logit - base) - 2 * base))
        return columns

    return draw


def classes(sharper: float) -> Callable[..., Columns]:
    """Scores of three classes, the third of which is rare; logits are so many times as large as they should be."""

    def draw(rng: np.random.Generator, units: int) -> Columns:
        logits = rng.normal(size=(units, 3)) + np.array([0, 0, -2])
        chance, score = (np.exp(x) / np.exp(x).sum(axis=1, keepdims=True) for x in (logits, sharper * logits))
        label = (rng.random((units, 1)) > chance.cumsum(axis=1)).sum(axis=1)
        return {
            "unit": np.arange(units),
            "label": label.clip(max=2),
            **dict(zip("abc", score.T, strict=True)),
        }

    return draw


BINARY, OF_CLASSES = ("ece", "debiased_calibration_error"), ("top_label_ece", "classwise_ece")
CLASSES = {"class_scores": {0: "a", 1: "b", 2: "c"}}
CALIBRATION = {
    "easy": Case(decided(0.3, 1), BINARY, sizes=(80, 400, 1_000)),
    "rare positives": Case(decided(0.08, 1), BINARY, sizes=(80, 400, 1_000)),
    "near perfect": Case(decided(0.08, 3), BINARY, sizes=(80, 400, 1_000)),
    "easy, too extreme": Case(too_extreme(0.3, 1), BINARY, sizes=(80, 400, 1_000)),
    "rare positives, too extreme": Case(too_extreme(0.08, 1), BINARY, sizes=(80, 400, 1_000)),
    "three classes": Case(classes(1), OF_CLASSES, sizes=(80, 400, 1_000), facts=CLASSES),
    "three classes, too extreme": Case(classes(2), OF_CLASSES, sizes=(80, 400, 1_000), facts=CLASSES),
}


def asked_of(case: Case, table: pa.Table, **facts: Any) -> dict[str, np.ndarray]:
    score = {} if "class_scores" in case.facts else {"score": "a"}
    report = sm.evaluate(table, named(case.metrics), label="label", **score, **case.facts, **facts).to_arrow()
    return {name: report.column(name).to_numpy() for name in report.column_names}


def calibration(rng: np.random.Generator, draws: int) -> str:
    """The bias of calibration errors, and the coverage of their intervals."""
    lines: Lines = []
    for name, case in CALIBRATION.items():
        large = asked_of(case, drawn(case, rng, 2_000_000, 1))
        biases: dict[str, list[str]] = {metric: [] for metric in case.metrics}
        held: dict[str, list[str]] = {metric: [] for metric in case.metrics}
        for units in case.sizes:
            table = drawn(case, rng, units, draws)
            values = asked_of(case, table, by="draw", total=False)
            facts: dict[str, Any] = {"by": "draw", "total": False, "interval": 0.95, "n_resamples": 100}
            resampled = table.slice(0, units * min(draws, RESAMPLED))
            parts = [asked_of(case, part, **facts) for part in parted(resampled)] if units < 1_000 else []
            for column, metric in named(case.metrics).items():
                bias = float(np.mean(values[column]) - large[column][0])
                biases[metric].append(f"{bias:+.3f}" if abs(bias) <= NEAR else f"**{bias:+.3f}**")
                if parts:
                    low, high = (
                        np.concatenate([part[f"{column}_{end}"] for part in parts]) for end in ("low", "high")
                    )
                    inside = (low <= large[column][0] + 1e-4) & (large[column][0] <= high)
                    held[metric].append(of_coverage(float(inside.mean()), 0.0))
        lines += [
            f"| {name} | `{metric}` | {large[column][0]:.3f} | {' | '.join(biases[metric] + held[metric])} |"
            for column, metric in named(case.metrics).items()
        ]
    return table_of(
        f"Calibration errors: the mean of estimates less the true value (goal: within {NEAR}), and how many intervals"
        " hold it, % (goal 93 to 98)",
        draws,
        [
            "data",
            "metric",
            "true",
            *(f"bias, {n:,}" for n in (80, 400, 1_000)),
            *(f"holds, {n}" for n in (80, 400)),
        ],
        lines,
    )


CALIBRATED = {
    "easy": decided(0.3, 1),
    "rare positives": decided(0.08, 1),
    "near perfect": decided(0.08, 3),
}


def spiegelhalter(rng: np.random.Generator, draws: int) -> str:
    """How often a calibrated model is rejected."""
    lines: Lines = []
    for name, draw in CALIBRATED.items():
        case, cells = Case(draw, ("spiegelhalter_z",), sizes=(30, 80, 400, 1_000)), []
        for units in case.sizes:
            z = np.abs(asked_of(case, drawn(case, rng, units, draws), by="draw", total=False)["m0"])
            cells.append(
                of_rejection({0.05: float(np.mean(z > 1.959964)), 0.01: float(np.mean(z > 2.575829))})
            )
        lines.append(f"| {name} | `spiegelhalter_z` | {' | '.join(cells)} |")
    return table_of(
        "Rejects calibrated chances at 5 % / 1 % (goal at most 7 / 2)",
        draws,
        ["data", "metric", "30", "80", "400", "1,000"],
        lines,
    )


def ranked(correlation: float, levels: int = 0) -> Callable[..., Columns]:
    """A number and two scores that go along with it; the number in so many levels, the scores in twice as many."""

    def draw(rng: np.random.Generator, units: int) -> Columns:
        label, noise = rng.normal(size=units), rng.normal(size=(2, units))
        scores = correlation * label + np.sqrt(1 - correlation * correlation) * noise
        if levels:
            label = np.clip(np.round(label * levels / 4), -levels // 2, levels // 2)
            scores = np.clip(np.round(scores * levels / 2), -levels, levels)
        return {"unit": np.arange(units), "label": label, "a": scores[0], "b": scores[1]}

    return draw


def binary(rng: np.random.Generator, units: int) -> Columns:
    """A label of 0 and 1, and scores in five levels."""
    columns = ranked(0.6)(rng, units)
    return {
        "unit": columns["unit"], "label": (columns["label"] > 0.8).astype(float),
        "a": np.round(columns["a"]), "b": np.round(columns["b"]),
    }  # fmt: skip


TAU: dict[str, Any] = {"metrics": ("kendall_tau",), "sizes": (30, 80, 400)}
KENDALL = {
    "no ties": Case(ranked(0.6), **TAU),
    "no ties, correlation 0.95": Case(ranked(0.95), **TAU),
    "no ties, independent": Case(ranked(0.0), **TAU),
    "ties in five levels": Case(ranked(0.6, 4), **TAU),
    "ties in five levels, correlation 0.95": Case(ranked(0.95, 4), **TAU),
    "ties in five levels, independent": Case(ranked(0.0, 4), **TAU),
    "one in five is 1, scores tie": Case(binary, **TAU),
}


def kendall(rng: np.random.Generator, draws: int) -> str:
    """Coverage of Kendall's tau."""
    lines: Lines = []
    for name, case in KENDALL.items():
        large = case.draw(rng, 1_000_000)
        true = {"kendall_tau": float(kendalltau(large["label"], large["a"]).statistic)}
        held = [
            of_coverage(*coverage(case, drawn(case, rng, units, draws), true)["kendall_tau"])
            for units in case.sizes
        ]
        lines.append(f"| {name} | `kendall_tau` | {' | '.join(held)} |")
    return table_of(
        "Kendall's tau holds the true value, % (goal 93 to 98)",
        draws,
        ["data", "metric", "30", "80", "400"],
        lines,
    )


def rankings(noise: float) -> Callable[..., Columns]:
    """Lists of 4 to 20 items that three systems rank, who agree up to noise that differs from list to list."""

    def draw(rng: np.random.Generator, units: int) -> Columns:
        unit = np.repeat(np.arange(units), rng.integers(4, 21, units))
        item = np.arange(unit.size)
        shared, own = rng.normal(size=unit.size), rng.normal(size=(3, unit.size))
        size = noise * rng.lognormal(sigma=0.5, size=units)[unit]
        label, a, b = shared + size * own
        return {"unit": unit, "item": item, "label": label, "a": a, "b": b}

    return draw


OF_RANKINGS: dict[str, Any] = {
    "metrics": ("rbo@10", "average_overlap@5", "overlap@3"), "unit": "lists", "sizes": (30, 80, 400),
    "facts": {"group": "unit", "item": "item"},
}  # fmt: skip
OVERLAPS = {
    "lists": Case(rankings(1), **OF_RANKINGS),
    "lists, nearly alike": Case(rankings(0.03), **OF_RANKINGS),
}


def overlaps(rng: np.random.Generator, draws: int) -> str:
    """Coverage of overlaps, whose intervals are bootstraps of lists."""
    lines: Lines = []
    for name, case in OVERLAPS.items():
        true, held = true_values(case, rng), {}
        for units in case.sizes:
            parts = parted(drawn(case, rng, units, min(draws, RESAMPLED)))
            found = [coverage(case, part, true) for part in parts]
            for metric in case.metrics:
                share, none = np.mean([each[metric] for each in found], axis=0)
                held.setdefault(metric, []).append(of_coverage(float(share), float(none)))
        lines += [f"| {name} | `{metric}` | {' | '.join(held[metric])} |" for metric in case.metrics]
    return table_of(
        "Overlaps of rankings hold the true value, % (goal 93 to 98)",
        min(draws, RESAMPLED),
        ["data", "metric", "30", "80", "400"],
        lines,
    )


MEANS = ("accuracy(threshold=0.5)", "brier", "log_loss", "auc")
SLICES: dict[str, tuple[list[int], float, float]] = {
    "5 slices of 80 rows": ([80] * 5, 0.3, 1),
    "5 slices of 20 to 400 rows": ([20, 40, 80, 200, 400], 0.3, 1),
    "5 slices, one of 4 rows": ([4, 100, 100, 100, 100], 0.3, 1),
    "5 slices, one of 12 rows": ([12, 100, 100, 100, 100], 0.3, 1),
    "5 slices of 80 rows, rare positives": ([80] * 5, 0.08, 1),
    "30 slices of 20 rows": ([20] * 30, 0.3, 1),
    "30 slices of 10 to 300 rows": (list(np.geomspace(10, 300, 30).astype(int)), 0.3, 1),
    "30 slices, three of 4 rows": ([4] * 3 + [60] * 27, 0.3, 1),
    "30 slices of 20 rows, rare positives": ([20] * 30, 0.08, 1),
}


def joined(
    rng: np.random.Generator, parts: list[Callable[..., Columns]], sizes: list[int], draws: int
) -> pa.Table:
    """So many draws of slices of these sizes."""
    columns = []
    for part, (draw, size) in enumerate(zip(parts, sizes, strict=True)):
        own = draw(rng, size * draws)
        named = np.char.add("d", (own["unit"] // size).astype(str))
        columns.append(
            {"label": own["label"], "score": own["a"], "draw": named, "part": np.full(len(named), part)}
        )
    return pa.table({name: np.concatenate([each[name] for each in columns]) for name in columns[0]})


def means_of_slices(rng: np.random.Generator, draws: int) -> str:
    """Coverage of the mean over slices, which differ in how well the scores separate the classes.

    A slice of one class has no AUC, and then the mean has none.
    """
    lines: Lines = []
    for name, (sizes, positive, apart) in SLICES.items():
        parts = [decided(positive, apart * (0.6 + 0.8 * i / len(sizes))) for i in range(len(sizes))]
        large = sm.evaluate(
            joined(rng, parts, [2_000_000 // len(sizes)] * len(sizes), 1), named(MEANS), label="label", score="score",
            by="part", total_of="slices",
        ).to_dicts()[-1]  # fmt: skip
        true = {column: large[column] for column in named(MEANS)}
        ends: dict[str, list[np.ndarray]] = {column: [] for column in named(MEANS)}
        for start in range(0, draws, PART):
            n = min(PART, draws - start)
            report = sm.evaluate(
                joined(rng, parts, sizes, n), named(MEANS), label="label", score={f"d{i}": "score" for i in range(n)},
                models="draw", by="part", total_of="slices", interval=0.95,
            ).to_arrow()  # fmt: skip
            report = report.filter(report.column("is_total"))
            for column in ends:
                ends[column].append(
                    np.stack([report.column(f"{column}_{end}").to_numpy() for end in ("low", "high")], axis=1)
                )
        cells = []
        for column, parts_of_ends in ends.items():
            found = np.concatenate(parts_of_ends)
            there = ~np.isnan(found).any(axis=1)
            inside = (found[there, 0] <= true[column]) & (true[column] <= found[there, 1])
            cells.append(of_coverage(float(inside.mean()) if there.any() else 1.0, float(np.mean(~there))))
        lines.append(f"| {name} | {sum(sizes):,} | {' | '.join(cells)} |")
    heads = ["data", "rows", *(f"`{metric}`" for metric in MEANS)]
    return table_of(
        'The mean over slices, `total_of="slices"`, holds the mean of the true values, % (goal 93 to 98)',
        draws,
        heads,
        lines,
    )


TABLES: dict[str, Callable[[np.random.Generator, int], str]] = {
    "calibration": calibration,
    "spiegelhalter": spiegelhalter,
    "kendall": kendall,
    "overlaps": overlaps,
    "slices": means_of_slices,
}


def main() -> int:
    options = arguments(__doc__, TABLES, "2,000", write=True)
    made, start = [], time.perf_counter()
    for place, (name, table) in enumerate(TABLES.items()):
        if name in (options.names or TABLES):
            made.append(table(np.random.default_rng([options.seed, place]), options.draws or 2_000))
            print(f"{name}: {time.perf_counter() - start:.0f} s", file=sys.stderr, flush=True)
            print(made[-1] + "\n", flush=True)
    if options.write:
        write_made(__file__, "\n\n".join(made))
    return 0


if __name__ == "__main__":
    sys.exit(main())
