"""Recommendations, a catalogue and a past: items never shown, unknown or tied, lists of one item or none."""

from __future__ import annotations

import random

from conformance.cases.tables import Case, Rows

GIVEN = {"group": "list", "item": "item"}
KNOWN = [
    *(
        f"{name}{cutoff}"
        for name in (
            "catalog_coverage",
            "exposure_gini",
            "exposure_entropy",
            "personalization",
            "average_popularity",
            "novelty",
            "long_tail_share",
        )
        for cutoff in ("@1", "@3", "@50", "")
    ),
    *("novelty(popularity=interactions)@3", "long_tail_share(head=0.5)@3", "long_tail_share(head=0)@3"),
    "long_tail_share(head=1)@3",
]
SERENDIPITY = ["serendipity@1", "serendipity@3", "serendipity@50", "serendipity"]
DIVERSITY = ["diversity@1", "diversity@2", "diversity@3", "diversity@50", "diversity"]
USERS = ["user_coverage", "user_coverage@1", "user_coverage@2", "user_coverage@4", "user_coverage@50"]
#: Of the ranking by label, beside that by score.
OVERLAPS = [
    *(f"{name}@{k}" for name in ("rbo", "average_overlap", "overlap") for k in (1, 3, 50)),
    *("rbo(p=0.5)@3", "rbo(p=0.999)@100"),
]
EVERY = [*KNOWN, *SERENDIPITY, *DIVERSITY, *USERS]


def recommendations(lists: dict[str, str], scores: dict[str, list[float]] | None = None, **more: str) -> Rows:
    """Rows of lists, of which a letter names an item; without scores the letters stand in ranked order."""
    return [
        {
            "list": name,
            "item": i,
            "label": int(i in "bdfx"),
            "score": (scores or {}).get(name, [])[rank] if name in (scores or {}) else 1 - rank / 16,
            **{column: letters["uvwyz".index(name)] for column, letters in more.items()},
        }
        for name, listed in lists.items()
        for rank, i in enumerate(listed)
    ]


LISTS = {"u": "abcd", "v": "bcde", "w": "ax", "y": "f", "z": "dab"}
# b c and d e are tied within lists; h and i are never shown, x has no past.
PLAIN = recommendations(LISTS)
TIED = recommendations(LISTS, {"u": [0.5, 0.25, 0.25, 0.25], "v": [0.5] * 4, "z": [0.1, 0.9, 0.9]})
CATALOG = [{"item": i, "kind": "ppqqrrppq"["abcdefhix".index(i)]} for i in "abcdefhix"]
HISTORY = [
    {"list": user, "item": i} for user, had in zip("uvwyst", ("aab", "abc", "abd", "ae", "cdf", "h"), strict=True)
    for i in had
]  # fmt: skip
DISTANCES = [
    {"item_a": one, "item_b": other, "distance": (3 * n % 8) / 8}
    for n, (one, other) in enumerate((a, b) for a in "abcdefx" for b in "abcdefx" if a < b)
]
TABLES = {"catalog": CATALOG, "history": HISTORY}
JUDGED = [
    *({"list": name, "item": i, "label": int(i in "bx")} for name in "uvw" for i in "abx"),
    {"list": "unserved", "item": "a", "label": 1},
    {"list": "z", "item": "d", "label": 2},
]


def drawn(seed: int) -> tuple[Rows, dict[str, Rows]]:
    """Random lists of 30 items with many ties, and a past in which a user may have an item again."""
    draw = random.Random(seed)
    items = [f"i{i:02}" for i in range(30)]
    rows = [
        {"list": f"q{q}", "item": i, "label": draw.choice([0, 0, 1]), "score": draw.randrange(6) / 8}
        for q in range(9)
        for i in draw.sample(items[:24], draw.randint(1, 12))
    ]
    history = [
        {"list": f"q{draw.randrange(14)}", "item": items[min(int(draw.expovariate(0.2)), 29)]}
        for _ in range(60)
    ]
    return rows, {"catalog": [{"item": i, "kind": draw.choice("pqrs")} for i in items], "history": history}


def unlabelled(rows: Rows) -> Rows:
    return [{name: cell for name, cell in row.items() if name != "label"} for row in rows]


BY_KIND = {**GIVEN, "category": "kind"}
CASES = [
    Case("items", EVERY, PLAIN, facts=BY_KIND, tables=TABLES),
    Case("items, tied", EVERY, TIED, facts=BY_KIND, tables=TABLES),
    Case("items, ties=item desc", EVERY, TIED, facts={**BY_KIND, "ties": "item desc"}, tables=TABLES),
    Case("items, beside lists", [*EVERY, "ndcg@3", "auc", "map"], TIED, facts=BY_KIND, tables=TABLES),
    *(Case(f"{notation} alone", [notation], TIED, facts=BY_KIND, tables=TABLES) for notation in EVERY),
    *(
        Case(f"{notation} beside a list", [notation, "ndcg@2"], TIED, facts=BY_KIND, tables=TABLES)
        for notation in EVERY
        if "@3" in notation
    ),
    Case(
        "items without a label",
        [*KNOWN, *DIVERSITY, *USERS],
        unlabelled(TIED),
        facts={**BY_KIND, "label": None},
        tables=TABLES,
    ),
    Case("items, positive from 2", SERENDIPITY, PLAIN, facts={**GIVEN, "positive": 2}, tables=TABLES),
    Case(
        "distances",
        DIVERSITY,
        TIED,
        facts=GIVEN,
        tables={"distances": [*DISTANCES, {**DISTANCES[0], "item_a": "b", "item_b": "a"}]},
    ),
    Case("one list", [*KNOWN, *DIVERSITY], PLAIN[:4], facts=BY_KIND, tables=TABLES),
    Case(
        "the whole catalogue",
        SERENDIPITY,
        recommendations({"u": "bdfx"}),
        facts=GIVEN,
        tables={"catalog": [{"item": i} for i in "bdfx"], "history": HISTORY},
    ),
    Case("two rankings", [*OVERLAPS, "catalog_coverage@2"], TIED, facts=GIVEN, tables=TABLES),
    Case(
        "two rankings, ties=item desc, bad rows",
        OVERLAPS,
        [*TIED, {"list": "u", "item": "f", "label": None, "score": 1.0}],
        facts={**GIVEN, "ties": "item desc"},
    ),
    Case(
        "two rankings by slices that cut lists",
        [*OVERLAPS, "exposure_entropy@2", "ndcg@3"],
        [{**row, "part": i % 3 or None} for i, row in enumerate(drawn(4)[0])],
        facts=GIVEN,
        by="part",
    ),
    Case("one item", EVERY, PLAIN[:1], facts=BY_KIND, tables=TABLES),
    Case(
        "the same list for all",
        EVERY,
        recommendations(dict.fromkeys("uvwyz", "abc")),
        facts=BY_KIND,
        tables=TABLES,
    ),
    Case(
        "nothing shared",
        EVERY,
        recommendations({"u": "ab", "v": "cd", "w": "e"}),
        facts=BY_KIND,
        tables=TABLES,
    ),
    Case(
        "a catalogue with repeats",
        KNOWN,
        PLAIN,
        facts=GIVEN,
        tables={"catalog": CATALOG * 2, "history": HISTORY * 3},
    ),
    Case(
        "the past as a catalogue",
        ["catalog_coverage@3", "exposure_gini@3", "serendipity@3"],
        recommendations({"u": "cd", "v": "de", "w": "bh"}),
        facts=GIVEN,
        tables={"catalog": HISTORY, "history": HISTORY},
    ),
    Case(
        "items, bad rows",
        EVERY,
        [
            *PLAIN,
            {"list": "u", "item": "f", "label": 1, "score": float("nan")},
            {"list": None, "item": "f", "label": 1, "score": 1.0},
            {"list": "u", "item": None, "label": 1, "score": 1.0},
        ],
        facts=BY_KIND,
        tables=TABLES,
    ),
    Case(
        "items by slice",
        [*KNOWN, *SERENDIPITY, *DIVERSITY],
        recommendations(LISTS, part="prppr"),
        facts=BY_KIND,
        tables=TABLES,
        by="part",
    ),
    Case(
        "items by slices that cut lists",
        [*KNOWN, *SERENDIPITY, *DIVERSITY, "ndcg@3"],
        [{**row, "part": i % 3 or None} for i, row in enumerate(TIED)],
        facts=BY_KIND,
        tables=TABLES,
        by="part",
    ),
    Case(
        "items with a truth", [*EVERY, "ndcg@3"], unlabelled(TIED), truth=JUDGED, facts=BY_KIND, tables=TABLES
    ),
    Case(
        "items with a truth of other lists alone",
        [*EVERY, "ndcg@3"],
        unlabelled(TIED),
        truth=[{**row, "list": f"{row['list']} of tomorrow"} for row in JUDGED],
        facts=BY_KIND,
        tables=TABLES,
    ),
    Case(
        "items with a truth, by run",
        [*EVERY, "recall@2"],
        [{**row, "run": int(row["item"] in "ace")} for row in unlabelled(TIED)],
        truth=JUDGED,
        facts=BY_KIND,
        tables=TABLES,
        by="run",
    ),
    *(
        Case(f"items drawn {seed}", EVERY, rows, facts=BY_KIND, tables=tables)
        for seed in range(4)
        for rows, tables in [drawn(seed)]
    ),
]
