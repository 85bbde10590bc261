"""What the models of integration_tests/ have to give, from plain Python; as a script it writes seeds/expected.csv."""

from __future__ import annotations

import csv
import math
from collections.abc import Iterator
from statistics import NormalDist
from typing import Any

import oracles
from oracles import change
from oracles.intervals_of_auc import delong, interval
from support.paths import ROOT

SEEDS = ROOT / "integration_tests" / "seeds"
EXPECTED = SEEDS / "expected.csv"
Rows = list[dict[str, Any]]
LISTS = {"label": "grade", "group": "query_id", "item": "product_id"}
#: model, slice, metric as a column, value
Line = tuple[str, str, str, float | None]


def seed(name: str) -> Rows:
    """The rows of a seed, numbers and booleans as such."""
    with (SEEDS / f"{name}.csv").open() as file:
        return [{column: typed(text) for column, text in row.items()} for row in csv.DictReader(file)]


def typed(text: str) -> Any:
    if text in ("true", "false"):
        return text == "true"
    try:
        return float(text)
    except ValueError:
        return text


def lines() -> Iterator[Line]:
    """Every value that a model is compared with."""
    rows = seed("predictions")
    yield from of_slices(rows)
    yield from of_relations(rows)
    yield from of_lists_and_points(rows)
    yield from of_classes(seed("animals"))
    yield from of_intervals(rows)
    yield from of_comparison(rows)
    yield from of_change(rows)


def of_slices(rows: Rows) -> Iterator[Line]:
    for slice_, part in [*parts(rows, "day", "country"), ("all", rows)]:
        for notation in ["auc", "gauc", "ndcg@10", "map@3", "log_loss", "precision(threshold=0.45)", "rmse"]:
            value = oracles.value(notation, part, **LISTS | {"label": "clicked"})
            yield "by_day_and_country", slice_, column(notation), value

    daily = [{**row, "query_id": f"{row['day']} {row['query_id']}"} for row in rows]
    for slice_, part in [*parts(daily, "country"), ("all", daily)]:
        for notation in ["auc", "ks", "average_precision", "log_loss", "ndcg@3", "gauc", "r2"]:
            value = oracles.value(notation, part, **LISTS | {"label": "clicked"})
            yield "from_state", slice_, column(notation), value

    second = [row for row in rows if row["day"] == "2026-05-02"]
    named = {"best": "ndcg(gain=linear)@3", "mrr": "mrr", "recall at 2": "recall@2"}
    for slice_, part in [*parts(second, "country"), ("all", second)]:
        for model, score in {"new": "score", "old": "score_b"}.items():
            for name, notation in named.items():
                value = oracles.value(notation, part, **LISTS, score=score, ties="worst")
                yield "two_models", f"{slice_} {model}", name, value

    for slice_, part in [*parts(rows, "country"), ("all", rows)]:
        for notation in ["auc", "ndcg@3", "rmse"]:
            value = oracles.value(notation, part, **LISTS | {"label": "clicked"})
            yield "long_rows", f"{slice_} {column(notation)}", "value", value
            yield "of_snapshot", slice_, column(notation), value


def of_relations(rows: Rows) -> Iterator[Line]:
    truth = seed("relevant")
    for slice_, part in [*parts(rows, "country"), ("all", rows)]:
        for notation in ["ndcg@3", "recall@2", "map", "err@3"]:
            value = oracles.value(notation, part, **LISTS, truth=truth, max_grade=2)
            yield "with_truth", slice_, column(notation), value

    mixed = [{**row, "label": row["grade"] > 1, "mean": (row["score"] + row["score_b"]) / 2} for row in rows]
    mixed = [row for row in mixed if row["query_id"] != "q1"]
    for slice_, part in parts(mixed, "country"):
        for notation in ["auc", "brier", "f1(threshold=0.5)"]:
            yield "expressions", f"{slice_}!", column(notation), oracles.value(notation, part, score="mean")

    first = [row for row in rows if row["day"] == "2026-05-01"]
    for notation in ["auc", "hit_rate@1"]:
        # trec_eval counts a list without a relevant item as 0
        options = "(on_empty=zero)" if "@" in notation else ""
        value = oracles.value(notation.replace("@", f"{options}@"), first, **LISTS | {"label": "clicked"})
        yield "ephemeral", "all", column(notation), value


def of_lists_and_points(rows: Rows) -> Iterator[Line]:
    for slice_, part in parts(rows, "query_id"):
        for notation in ["ndcg@3", "mrr"]:
            yield "lists", slice_, column(notation), oracles.value(notation, part, **LISTS)

    for slice_, part in [*parts(rows, "country"), ("all", rows)]:
        positives, negatives = (
            [row["score"] for row in part if row["clicked"] is is_] for is_ in (True, False)
        )
        for threshold in [None, *sorted({row["score"] for row in part})]:
            point = f"{slice_} {'start' if threshold is None else threshold}"
            for name, scores in (("fpr", negatives), ("tpr", positives)):
                above = [score for score in scores if threshold is not None and score >= threshold]
                yield "roc", point, name, len(above) / len(scores)


def of_classes(animals: Rows) -> Iterator[Line]:
    decided = {"label": "species", "prediction": "predicted"}
    for slice_, part in [*parts(animals, "country"), ("all", animals)]:
        for notation in ["accuracy", "f1(average=macro)", "recall(class=cat)", "kappa"]:
            yield "classes", slice_, column(notation), oracles.value(notation, part, **decided)
    for species in ("cat", "dog", "owl"):
        for name in ("precision", "recall", "f1"):
            value = oracles.value(f"{name}(class={species})", animals, **decided)
            yield "class_report", species, name, value
    for cell, part in parts(animals, "species", "predicted"):
        labelled = [row for row in animals if row["species"] == part[0]["species"]]
        yield "confusion_matrix", cell, "n", len(part)
        yield "confusion_matrix", cell, "share", len(part) / len(labelled)


def of_intervals(rows: Rows) -> Iterator[Line]:
    """DeLong's of AUC, Wilson's of a share."""
    for slice_, part in [*parts(rows, "country"), ("all", rows)]:
        labelled = [{**row, "label": row["clicked"]} for row in part]
        right, n = sum((row["score"] >= 0.45) == row["clicked"] for row in part), len(part)
        z = NormalDist().inv_cdf(0.975)
        middle, reach = right + z * z / 2, z * math.sqrt(right * (n - right) / n + z * z / 4)
        wilson = [(middle + side * reach) / (n + z * z) for side in (-1, 1)]
        for name, values in (
            ("auc", [delong(labelled)[0], *interval(labelled, z)]),
            ("accuracy_threshold_0_45", [right / n, *wilson]),
        ):
            for end, value in zip(("", "_low", "_high"), values, strict=True):
                yield "intervals", slice_, name + end, value


def of_change(rows: Rows) -> Iterator[Line]:
    """The change of the log loss from one day to the next."""
    units = [
        change.Unit(
            row["country"],
            "before" if row["day"] == "2026-05-01" else "after",
            -math.log(row["score"] if row["clicked"] else 1 - row["score"]),
            1,
        )
        for row in rows
    ]
    for slice_, parts_ in change.parts(*change.sums(units), "midpoint").items():
        for name in ("mix", "rate", "effect"):
            yield "change", str(slice_), name, parts_[name].real


def of_comparison(rows: Rows) -> Iterator[Line]:
    """The sign test of the values of lists."""
    for slice_, part in [*parts(rows, "country"), ("all", rows)]:
        for notation in ["ndcg@3", "mrr"]:
            old, new = (
                [
                    oracles.value(notation, one, **LISTS, score=score, ties="worst")
                    for _, one in parts(part, "query_id")
                ]
                for score in ("score_b", "score")
            )
            pairs = [(a, b) for a, b in zip(old, new, strict=True) if a is not None and b is not None]
            wins, losses = sum(b > a for a, b in pairs), sum(b < a for a, b in pairs)
            told = wins + losses
            tail = sum(math.comb(told, heads) for heads in range(min(wins, losses) + 1)) / 2**told
            baseline, candidate = (sum(values) / len(pairs) for values in zip(*pairs, strict=True))
            for name, value in {
                "baseline_value": baseline,
                "candidate_value": candidate,
                "difference": candidate - baseline,
                "wins": wins,
                "ties": len(pairs) - told,
                "losses": losses,
                "n_pairs": len(pairs),
                "p_value": min(1, 2 * tail) if told else None,
            }.items():
                yield "compared", f"{slice_} {column(notation)}", name, value
            values = {"new": candidate, "old": baseline}
            for model, value in values.items():
                place = f"{slice_} {column(notation)} {model}"
                yield "board", place, "value", value
                yield "board", place, "rank", 1 + sum(other > value for other in values.values())


def parts(rows: Rows, *by: str) -> list[tuple[str, Rows]]:
    """The rows of each slice, under its name."""
    found: dict[str, Rows] = {}
    for row in rows:
        found.setdefault(" ".join(row[name] for name in by), []).append(row)
    return sorted(found.items())


def column(notation: str) -> str:
    """What the result calls a metric."""
    return notation.translate(str.maketrans("(=.@", "____", ")"))


def written() -> str:
    """The seed, as a text."""
    header = "model,slice,metric,value\n"
    return header + "".join(
        f"{model},{slice_},{metric},{'' if value is None else repr(float(value))}\n"
        for model, slice_, metric, value in lines()
    )


if __name__ == "__main__":
    EXPECTED.write_text(written())
