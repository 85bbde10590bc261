"""Make search.parquet: what two rankers scored and what shoppers then did, from a made-up shop's search log.

The same seed gives the same rows on every machine: `python examples/make_data.py` writes the file anew.
"""

import math
import random
from pathlib import Path

import pyarrow
import pyarrow.parquet

FILE = Path(__file__).with_name("search.parquet")
QUERIES, PRODUCTS = 600, 5_000
COUNTRIES = {"DE": 30, "FR": 24, "IT": 18, "ES": 16, "NL": 12}
DEVICES = {"phone": 55, "desktop": 35, "tablet": 10}

SCHEMA = pyarrow.schema(
    {
        "query_id": pyarrow.int32(),
        "product_id": pyarrow.string(),
        "country": pyarrow.string(),
        "device": pyarrow.string(),
        "grade": pyarrow.int8(),  # 0 shown, 1 clicked, 2 stayed, 3 in the basket, 4 bought
        "score": pyarrow.float64(),  # the ranker in production: the chance of a click or more
        "score_b": pyarrow.float64(),  # an older one: noisier, overconfident, rounded to whole percents
    }
)


def sigmoid(x: float) -> float:
    return 1 / (1 + math.exp(-x))


def query_rows(query_id: int, dice: random.Random) -> list[dict[str, object]]:
    """The result list of one query."""
    [country] = dice.choices(list(COUNTRIES), COUNTRIES.values())
    [device] = dice.choices(list(DEVICES), DEVICES.values())
    appeal = dice.gauss(-1.4, 0.5) + (0.2 if device == "desktop" else 0)
    rows = []
    for product in dice.sample(range(PRODUCTS), min(40, 3 + int(dice.expovariate(1 / 18)))):
        known = dice.gauss(appeal, 1.05)
        # What no ranker sees is left to the dice; shrinking `known` for it keeps the score calibrated.
        wanted = known + dice.gauss(0, 0.9)
        grade = 0
        while grade < 4 and dice.random() < sigmoid(wanted - 0.4 * grade):
            grade += 1
        score = sigmoid(known / math.sqrt(1 + math.pi / 8 * 0.9**2))
        score_b = sigmoid(1.4 * known + dice.gauss(0, 1.2))
        rows.append(
            {
                "query_id": query_id,
                "product_id": f"P{product:04}",
                "country": country,
                "device": device,
                "grade": grade,
                "score": round(score, 6),
                "score_b": min(0.99, max(0.01, round(score_b, 2))),
            }
        )
    return rows


def table() -> pyarrow.Table:
    """All result lists, their rows in no order."""
    dice = random.Random(20)
    rows = [row for query_id in range(1, QUERIES + 1) for row in query_rows(query_id, dice)]
    dice.shuffle(rows)
    return pyarrow.Table.from_pylist(rows, SCHEMA)


if __name__ == "__main__":
    pyarrow.parquet.write_table(table(), FILE, compression="zstd")
