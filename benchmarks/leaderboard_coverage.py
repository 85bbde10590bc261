"""How often a leaderboard separates models that are alike, and how often its rank intervals hold all true ranks.

Tasks are drawn independently, and models share how hard a task is. Alike, all models have the same expected value: a
board of 95 % should separate a pair in at most 5 % of the draws. Otherwise models differ by a step: all true ranks
should lie in their intervals together in at least 95 %. A board is one statement, so numpy repeats its tests for the
draws, and the first board of each row is compared with the statement. Exit status 1 when either misses its goal by more
than chance. `docs/coverage.md` has the table.
"""

import sys

import numpy as np
from scipy import stats

import sqlmetrics as sm
from simulation import arguments

DRAWS = 2_000
LEAST = 93.5  # of 95 %, three standard deviations of 2,000 draws below
STEPS = {"alike": 0.0, "near": 0.02, "apart": 0.1}
SIZES = ((3, 30), (8, 50), (8, 400), (30, 50))


def drawn(rng: np.random.Generator, metric: str, models: int, tasks: int, step: float) -> np.ndarray:
    """The errors of models on the same tasks, which grow by a step from one model to the next."""
    noise = rng.normal(size=tasks) + rng.normal(size=(models, tasks))
    worse = step * np.arange(models)[:, None]
    if metric == "accuracy":
        return (noise > 0.5 - 3 * worse).astype(float)
    return np.exp(0.5 * noise) * (1 + 3 * worse)


def ranks(errors: np.ndarray, metric: str) -> tuple[np.ndarray, np.ndarray]:
    """The least and the greatest rank of each model, by paired tests with Holm's correction."""
    models, n = errors.shape
    one, other = np.triu_indices(models, 1)
    differences = errors[one] - errors[other]
    mean = differences.mean(axis=1)
    if metric == "accuracy":  # McNemar's test with one row more on either side
        p = 2 * stats.norm.sf(abs(mean) * n / np.sqrt((differences != 0).sum(axis=1) + 2))
    else:
        p = 2 * stats.t.sf(abs(mean) / (differences.std(axis=1, ddof=1) / np.sqrt(n)), n - 1)
    order = np.argsort(p)
    adjusted = np.empty_like(p)
    adjusted[order] = np.maximum.accumulate((len(p) - np.arange(len(p))) * p[order])
    sure = adjusted <= 0.05
    better, worse = np.where(mean < 0, one, other)[sure], np.where(mean < 0, other, one)[sure]
    return 1 + np.bincount(worse, minlength=models), models - np.bincount(better, minlength=models)


def check(errors: np.ndarray, metric: str) -> None:
    """Compares the ranks with those of the statement."""
    rows = [
        {"y": 0, **{f"m{model}": error for model, error in enumerate(task)}} for task in errors.T.tolist()
    ]
    names = [f"m{model}" for model in range(len(errors))]
    board = {row["model"]: row for row in sm.leaderboard(rows, metric, label="y", score=names)}
    low, high = ranks(errors, metric)
    for name, *expected in zip(names, low, high, strict=True):
        assert [board[name]["rank_low"], board[name]["rank_high"]] == expected, (metric, name)


def held(rng: np.random.Generator, metric: str, models: int, tasks: int, step: float, draws: int) -> float:
    """The share of boards, in per cent, whose rank intervals hold all true ranks; alike models have all of them."""
    check(drawn(rng, metric, models, tasks, step), metric)
    found, true = 0, np.arange(1, models + 1)
    for _ in range(draws):
        low, high = ranks(drawn(rng, metric, models, tasks, step), metric)
        found += (
            ((low <= true) & (true <= high)).all() if step else (low == 1).all() and (high == models).all()
        )
    return 100 * float(found) / draws


def main() -> int:
    """Prints the table."""
    asked = arguments(__doc__, ("mae", "accuracy"), f"{DRAWS:,}")
    rng, failed = np.random.default_rng(asked.seed), False
    print("| metric | models | tasks | alike | near | apart |\n|---|--:|--:|--:|--:|--:|")
    for metric in asked.names or ("mae", "accuracy"):
        for models, tasks in SIZES:
            shares = [held(rng, metric, models, tasks, step, asked.draws or DRAWS) for step in STEPS.values()]
            print(
                f"| `{metric}` | {models} | {tasks} | {' | '.join(f'{share:.1f}' for share in shares)} |",
                flush=True,
            )
            failed |= min(shares) < LEAST
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
