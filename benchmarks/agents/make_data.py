"""Writes the data of the questions: `python benchmarks/agents/make_data.py`. Each file has a trap that was planted."""

from __future__ import annotations

import csv
import random
from collections.abc import Iterable, Sequence
from pathlib import Path

DATA = Path(__file__).parent / "data"
NUMBER_OF_LATE = 21_000  #: rows of whole numbers before the first decimal, more than readers of CSV sample


def write(name: str, head: Sequence[str], rows: Iterable[Sequence[object]], folder: Path) -> None:
    """Writes a CSV file."""
    with (folder / f"{name}.csv").open("w", encoding="utf-8", newline="") as file:
        table = csv.writer(file, lineterminator="\n")
        table.writerow(head)
        table.writerows(rows)


def clamped(value: float) -> float:
    return min(max(value, 0.05), 0.95)


def ties(draw: random.Random) -> Iterable[Sequence[object]]:
    """Scores of one decimal: most rows are tied with others, of both classes."""
    for _ in range(240):
        p = draw.random()
        clicked = int(draw.random() < p)
        yield (
            draw.choice(("DE", "FR")),
            clicked,
            round(clamped(p), 1),
            round(clamped(p + draw.gauss(0, 0.3)), 1),
        )


def lists(draw: random.Random) -> Iterable[Sequence[object]]:
    """Every fifth query has no relevant item; lists have 3 to 9 items; some scores of a list are tied."""
    for query in range(40):
        for item in range(draw.randint(3, 9)):
            grade = 0 if query % 5 == 0 else draw.choice((0, 0, 0, 1, 2, 3))
            score = round(clamped((grade + draw.gauss(1, 2)) / 5), 2 if query % 3 else 1)
            yield f"q{query}", f"d{item}", grade, score, round(clamped(draw.random()), 2)


def classes(draw: random.Random) -> Iterable[Sequence[object]]:
    """Of the shops, `north` has no sale and `south` nothing but sales."""
    for shop, rate in (("east", 0.4), ("north", 0), ("south", 1), ("west", 0.6)):
        for i in range(30):
            sold = int(i < 30 * rate)
            yield shop, sold, round(clamped(draw.gauss(0.4 + 0.2 * sold, 0.2)), 3)


def gaps(draw: random.Random) -> Iterable[Sequence[object]]:
    """A model gave NaN to every ninth row, and nothing to every eleventh."""
    for i in range(200):
        p = clamped(draw.random())
        score = "nan" if i % 9 == 0 else "" if i % 11 == 0 else round(clamped(p + draw.gauss(0, 0.1)), 3)
        yield i, int(draw.random() < p), score


def ratings(draw: random.Random) -> Iterable[Sequence[object]]:
    """The label is a rating of 1 to 5 stars; the prediction is a number of stars."""
    for user in range(25):
        for film in draw.sample(range(60), draw.randint(4, 12)):
            stars = draw.choice((1, 2, 3, 4, 4, 5))
            yield f"u{user}", f"f{film}", stars, round(stars + draw.gauss(0, 1.2), 2)


def users(draw: random.Random) -> Iterable[Sequence[object]]:
    """Few users have most rows, and are easier; some have one class."""
    for user in range(30):
        heavy = user % 6 == 0
        for _ in range(draw.randint(20, 30) if heavy else draw.randint(2, 6)):
            clicked = int(draw.random() < 0.4)
            noise = 0.15 if heavy else 0.5
            yield (
                f"u{user}",
                clicked,
                *(round(clamped(0.35 + 0.3 * clicked + draw.gauss(0, noise * k)), 3) for k in (1, 1.3)),
            )


def looks(draw: random.Random) -> Iterable[Sequence[object]]:
    """Two weeks of two models, with unequal days whose level of scores differs, which a mean of days gets wrong."""
    for day in range(1, 15):
        level = 0.2 * (day % 3 - 1)
        for _ in range(draw.randint(12, 80)):
            clicked = int(draw.random() < 0.3 + level)
            scores = (clamped(0.4 + level + 0.2 * clicked + draw.gauss(0, noise)) for noise in (0.2, 0.23))
            yield f"2026-05-{day:02}", clicked, *(round(score, 3) for score in scores)


def late(draw: random.Random) -> Iterable[Sequence[object]]:
    """Predictions are whole numbers for 21,000 rows, and decimals behind: a reader that guesses reads wholes."""
    for i in range(NUMBER_OF_LATE + 300):
        true = draw.randint(0, 9)
        shift = draw.choice((0, 0, -1, 1, 2))
        yield true, (true + shift if i < NUMBER_OF_LATE else round(true + shift + draw.uniform(0.1, 0.9), 2))


FILES = {
    "ties": (ties, ["country", "clicked", "score_a", "score_b"]),
    "lists": (lists, ["query", "item", "grade", "score_a", "score_b"]),
    "classes": (classes, ["shop", "sold", "score"]),
    "gaps": (gaps, ["id", "clicked", "score"]),
    "ratings": (ratings, ["user", "film", "stars", "score"]),
    "users": (users, ["user", "clicked", "score_a", "score_b"]),
    "looks": (looks, ["day", "clicked", "score_a", "score_b"]),
    "late": (late, ["sold", "predicted"]),
}


def main(folder: Path = DATA) -> None:
    """Writes all files."""
    for seed, (name, (rows, head)) in enumerate(FILES.items()):
        write(name, head, rows(random.Random(seed)), folder)


if __name__ == "__main__":
    main()
