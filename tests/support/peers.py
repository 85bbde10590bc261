"""Random data, and the comparison of sqlmetrics with a peer that ran on them."""

import random

import numpy
import pytest

from support.evaluated import evaluated


def compare(expected: dict[str, float | None], rows: list[dict], tolerance: float = 1e-9, **facts) -> None:
    """Each notation against the peer's value, all of them asked at once."""
    computed = evaluated(list(expected), rows, **facts)
    for notation, peer in expected.items():
        of_peer = None if peer is None else pytest.approx(float(peer), rel=tolerance, abs=tolerance)
        assert computed[notation] == of_peer, notation


def random_rows(seed: int, positives: float = 0.4) -> dict[str, numpy.ndarray]:
    draw = numpy.random.default_rng(seed)
    size = int(draw.integers(2, 60))
    return {
        "label": (draw.random(size) < positives).astype(int),
        "score": draw.integers(0, 9, size) / 8,
        "weight": draw.integers(1, 7, size) / 2,
    }


def as_rows(columns: dict[str, numpy.ndarray]) -> list[dict]:
    return [
        dict(zip(columns, values, strict=True))
        for values in zip(*(c.tolist() for c in columns.values()), strict=True)
    ]


def random_lists(seed: int, grades: int, fewest: int = 1, longest: int = 12) -> dict[str, tuple[list, list]]:
    """Labels and scores by list; some lists have one class or nothing relevant."""
    draw = random.Random(seed)
    lists = {}
    for number in range(draw.randint(fewest, 12)):
        size = draw.randint(2, longest)
        most = draw.choice([0, 1, grades, grades, grades])
        labels = [draw.randint(0, most) for _ in range(size)]
        lists[f"q{number}"] = labels, [draw.randrange(6) / 8 for _ in range(size)]
    return lists


def rows_of(lists: dict[str, tuple[list, list]]) -> list[dict]:
    """Rows in random order; the item is the place in the list: as a key it breaks ties like input order."""
    rows = [
        {"group": group, "item": place, "label": label, "score": score}
        for group, (labels, scores) in lists.items()
        for place, (label, score) in enumerate(zip(labels, scores, strict=True))
    ]
    random.Random(0).shuffle(rows)
    return rows


def judged_and_listed(seed: int, levels: int, grades: int = 3) -> tuple[dict, dict, dict]:
    """Qrels and run by topic, and the two as rows; levels = 0 gives distinct scores.

    Topics 0 to 5 are in both, 6 was not predicted, 7 was not judged; topic 0 has no relevant item.
    """
    draw = random.Random(seed)
    items = [f"d{i}" for i in range(20)]
    qrels, run = {}, {}
    for topic in map(str, range(8)):
        judged, listed = draw.sample(items, draw.randint(1, 15)), draw.sample(items, draw.randint(1, 15))
        scores = draw.sample(range(64), 15) if not levels else draw.choices(range(levels), k=15)
        most = 0 if topic == "0" else grades
        qrels[topic] = {item: draw.randint(0, most) for item in judged}
        run[topic] = {item: score / 8 for item, score in zip(listed, scores, strict=False)}
    del run["6"], qrels["7"]
    rows = [{"group": t, "item": i, "score": s} for t, listed in run.items() for i, s in listed.items()]
    truth = [{"group": t, "item": i, "label": g} for t, judged in qrels.items() for i, g in judged.items()]
    return qrels, run, {"rows": rows, "truth": truth, "group": "group", "item": "item"}
