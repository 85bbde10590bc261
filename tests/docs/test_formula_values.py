"""The formula of each metric, read from its header and computed, gives what the formula in plain Python gives."""

from __future__ import annotations

import math
import random
import re
from collections import Counter
from typing import Any

import pytest

import oracles
from generate.headers import arguments, parts
from oracles.calibration_error import bins_of
from oracles.classes import Example
from oracles.levels import found
from oracles.observations import Observation, quantile
from sqlmetrics.book.catalog import Metric, catalog
from support.formulas import Formula

#: what is said in words: the perfect order of an experiment, the ideal order of subtopics or of
#: clicks; and equations to be solved
IN_WORDS = {"qini", "auuc", "alpha_ndcg", "ips_ndcg", "calibration_slope", "calibration_intercept"}
OF_SUBTOPICS = {"err_ia", "subtopic_recall"}
COLUMNS = {
    *(
        "lower",
        "upper",
        "naive",
        "naive_error",
        "against",
        "propensity",
        "predicted",
        "expected",
        "treatment",
        "column",
    ),
    "sensitive",
}
LEVELS = {0.1: "low", 0.5: "middle", 0.9: "high"}
ASKED = {
    "quantiles": "'0.1: low, 0.5: middle, 0.9: high'",
    "features": 2,
    "clip": 1.5,
    "where": "'column > 0.5'",
}
REGRESSION = {
    formula.__name__
    for family in (oracles.regression, oracles.losses, oracles.correlation, oracles.forecasts)
    for formula in family.METRICS
}
#: further values of options of rows
VARIANTS: dict[str, list[dict[str, Any]]] = {
    "threshold": [{"threshold": 0.35}],
    "beta": [{"beta": 2}],
    "method": [{"method": "trapezoid"}, {"method": "trapezoid", "start": "one"}],
    "average": [{"average": "sum"}],
    "power": [{"power": 1}, {"power": 1.5}, {"power": 2}, {"power": 3}],
    "quantile": [{"quantile": 0.9}],
    "q": [{"q": 0.9}, {"q": 0.0625}],
    "delta": [{"delta": 2.5}],
    "eps": [{"eps": 0.3}],
    "zero_target": [{"zero_target": 0.9}],
    "share": [{"share": 0.45}],
    "precision": [{"precision": 0.5}],
    "recall": [{"recall": 0.5}],
    "fpr": [{"fpr": 0.4}],
    "alpha": [{"alpha": 0.4}],
    "bins": [{"bins": 4, "equal": "width"}],
    "equal": [{"equal": "count"}],
    "fp": [{"fp": 2, "fn": 5}],
    "gain": [{"gain": "exponential"}, {"gain": "linear"}, {"gain": "binary"}],
    "denominator": [
        {"denominator": word, "k": 3} for word in ("relevant", "cutoff", "hits", "listed", "capped")
    ],
    "ideal": [{"ideal": "full", "k": 3}],
    "distance": [{"distance": "js", "k": 3}],
    "reach": [{"reach": "nearest"}, {"reach": "tenth"}],
    "weight": [{"weight": word} for word in ("positives", "negatives", "pairs", "uniform")],
    "item_weight": [{"item_weight": "own", "k": 9}, {"item_weight": "own", "denominator": "relevant"}],
    "log_base": [{"log_base": 3}],
    "discount": [{"discount": "original", "k": 9}, {"discount": "reciprocal"}],
    "p": [{"p": 0.5}],
    "k": [{"k": 3}, {"k": 9}],
    "popularity": [{"popularity": "interactions"}],
    "head": [{"head": 0.4}],
}


def calls(metric: Metric) -> list[dict[str, Any]]:
    """The options of some calls of a metric, by name: its defaults, and others."""
    default = {name: ASKED.get(name, value) for name, value in metric.parameters.items()}
    default |= {name: name for name in COLUMNS & set(default)}
    default |= {"k": 3} if default.get("k") is ... else {}
    if metric.name == "interpolated_precision":
        default["recall"] = 0.3
    variants = [variant for name in metric.own for variant in VARIANTS.get(name, [])]
    allowed = [variant for variant in variants if set(variant) <= set(metric.parameters)]
    found = [default, *({**default, **variant} for variant in allowed if _allowed(metric, variant))]
    return [options for place, options in enumerate(found) if options not in found[:place]]


def _allowed(metric: Metric, variant: dict[str, Any]) -> bool:
    """Whether the options of the metric have these values."""
    meant = arguments(parts(metric.doc)[1]["Args"])
    words = {name: word for name, word in variant.items() if isinstance(word, str) and name != "item_weight"}
    # a value stands before its meaning, in brackets, or at the end of a choice
    return all(
        re.search(rf"\b{word}(?: \(|:|,? or \w+ \(|$|, \w+,)", meant[name]) for name, word in words.items()
    )


def notation(metric: Metric, options: dict[str, Any]) -> str:
    given = {
        name: value
        for name, value in options.items()
        if name in metric.own and name not in ("k", "class") and value is not None
        if (name, value) not in (("average", "binary"), ("classes", "all"))
    }
    inside = ", ".join(f"{name}={value}" for name, value in given.items())
    return metric.name + (f"({inside})" if inside else "") + (f"@{options['k']}" if options.get("k") else "")


def close(got: Any, wanted: float | None) -> bool:
    return wanted is not None and math.isclose(got, wanted, rel_tol=1e-9, abs_tol=1e-12)


# --- rows ---


def table(numeric: bool) -> list[dict[str, Any]]:
    """Rows with ties, of labels 0 and 1 or of numbers; no score is also a label."""
    draw = random.Random(7)
    labels, scores = (
        ([0.5, 1.0, 2.0, 3.5, 7.0], [0.4, 1.2, 2.2, 3.0, 5.5])
        if numeric
        else ([0.0, 1.0], [0.1, 0.2, 0.35, 0.5, 0.6, 0.9])
    )
    rows = []
    for _ in range(16):
        label, score = draw.choice(labels), draw.choice(scores)
        row = {"label": label, "score": score, "w": draw.choice([0.5, 1.0, 2.0])}
        row |= {name: draw.uniform(0.2, 1) for name in COLUMNS}
        row |= {"lower": score - draw.random(), "upper": score + draw.random()}
        row |= {"low": score - 1, "middle": score, "high": score + 0.7, "against": draw.choice(scores)}
        row |= {"treatment": draw.randrange(2), "sensitive": draw.choice("xyz"), "example": draw.randrange(5)}
        rows.append(row)
    return rows


def of_rows(rows: list[dict], options: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """The symbols of rows and the domains of their indices."""
    levels = sorted({row["score"] for row in rows}, reverse=True)
    default = options.get("threshold", 0.5)
    observed = [Observation(row["label"] == 1, row["label"], row["score"], row["w"], row) for row in rows]

    def weight(of: Any) -> float:
        return math.fsum(row["w"] for row in rows if of(row))

    def mean(column: str) -> float:
        return math.fsum(row["w"] * row[column] for row in rows) / weight(lambda _: True)

    def count(positive: bool, predicted: bool) -> Any:
        return lambda t=default: weight(
            lambda row: (row["label"] == 1) == positive and (row["score"] >= t) == predicted
        )

    def rate(part: Any, rest: Any) -> Any:
        return lambda t=default: 0.0 if t == math.inf else part(t) / (part(t) + rest(t))

    def rank(value: float) -> float:
        column = "label" if any(row["label"] == value for row in rows) else "score"
        values = [row[column] for row in rows]
        return sum(other < value for other in values) + (values.count(value) + 1) / 2

    def in_top(arm: int, positive: bool) -> Any:
        def top(share: float) -> float:
            scored = [
                o._replace(positive=o.cells["treatment"] == arm and (o.positive or not positive))
                for o in observed
            ]
            return found(scored, share * weight(lambda _: True))

        return top

    tp, fp, fn, tn = count(True, True), count(False, True), count(True, False), count(False, False)
    treated = {(arm, positive): in_top(arm, positive) for arm in (0, 1) for positive in (True, False)}
    bins = bins_of(observed, int(options["bins"]), options["equal"]) if "equal" in options else []
    weights = [math.fsum(o.weight for o in of_bin) for of_bin in bins]
    means = {
        name: [
            math.fsum(o.weight * value(o) for o in of_bin) / total
            for of_bin, total in zip(bins, weights, strict=True)
        ]
        for name, value in (("y", lambda o: o.positive), ("s", lambda o: o.score))
    }
    symbols = {
        "n": len(rows),
        "y": lambda i: rows[i]["label"],
        "where": lambda i: float(rows[i]["column"] > 0.5),
        "s": lambda i, *level: rows[i][LEVELS[round(level[0], 9)] if level else "score"],
        "w": lambda i: rows[i]["w"],
        "W": lambda *b: weights[int(b[0]) - 1] if b else weight(lambda _: True),
        "Y": lambda *arm: treated[arm[0], True](arm[1]) if arm else weight(lambda row: row["label"] == 1),
        "T": lambda arm, share: treated[arm, False](share),
        "bar y": lambda *b: means["y"][int(b[0]) - 1] if b else mean("label"),
        "bar s": lambda *b: means["s"][int(b[0]) - 1] if b else mean("score"),
        "hat y": lambda i: float(rows[i]["score"] >= default),
        "t": lambda *place: (math.inf, *levels)[int(place[0])] if place else default,
        "TP": tp,
        "FP": fp,
        "FN": fn,
        "TN": tn,
        "TPR": rate(tp, fn),
        "FPR": rate(fp, tn),
        "TNR": rate(tn, fp),
        "PPV": rate(tp, fp),
        "NPV": rate(tn, fn),
        "H": lambda limit: found(observed, limit),
        "M": len(LEVELS),
        "ρ": lambda level, error: max(level * error, (level - 1) * error),
        "rank": rank,
        "median": lambda values: quantile([(v, row["w"]) for v, row in zip(values, rows, strict=True)], 0.5),
        **{name: lambda i, name=name: rows[i][name] for name in COLUMNS},
        "τ": options.get("quantile", options.get("q")),
        "β": options.get("beta"),
        "α": options.get("alpha"),
        "δ": options.get("delta"),
        "ε": options.get("eps"),
        "ξ": options.get("power"),
        "takes arguments": {"TP", "FP", "FN", "TN", "TPR", "FPR", "PPV", "H", "ρ", "rank", "Y", "T"},
    }
    here = range(len(rows))
    domains = {"i": here, "j": here, "t": levels, "l": range(1, len(levels) + 1), "τ": LEVELS}
    return symbols, {**domains, "x": [row["label"] for row in rows], "B": range(1, len(bins) + 1)}


OVER_ROWS = [
    metric
    for metric in catalog().values()
    if metric.grain in ("rows", "score levels", "bins of scores") and metric.name not in IN_WORDS
]


@pytest.mark.parametrize("metric", OVER_ROWS, ids=lambda metric: metric.macro)
def test_rows(metric: Metric) -> None:
    rows = table(metric.name in REGRESSION - oracles.DECIDED)
    for options in calls(metric):
        symbols, domains = of_rows(rows, options)
        named = {name: value for name, value in options.items() if name not in COLUMNS}
        named |= {"bins": len(domains["B"])}  # a bin without rows is none
        got = Formula(metric.formula, symbols, domains, named).value()
        weight = None if metric.name == "spearman" else "w"
        assert close(got, oracles.value(notation(metric, options), rows, weight=weight)), options


# --- lists ---

GAINS = {
    "exponential": lambda y: 2 ** max(y, 0) - 1,
    "linear": lambda y: max(y, 0),
    "binary": lambda y: y >= 1,
}
LENGTH, USERS, BELOW = 7, range(6), 99
EXPOSURE = {formula.__name__ for formula in oracles.exposure.METRICS}
WITHOUT_TRUTH = {"pass", "pass_all", "gauc", "label_ranking_loss", "top_k_accuracy", *EXPOSURE}


def lists() -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Lists without ties, and a truth with grades, items that are not listed, and items that nobody judged."""
    draw = random.Random(5)
    rows = [{"q": q, "item": item, "score": draw.random()} for q in USERS for item in range(LENGTH)]
    judged = [(row["q"], row["item"]) for row in rows if draw.random() < 0.8]
    judged += [(q, item) for q in USERS for item in range(10, 13)]
    truth = [
        {"q": q, "item": item, "label": draw.choice([-1, 0, 0, 1, 2, 3]), "own": draw.choice([0.5, 1, 2])}
        for q, item in judged
    ]
    for row in truth:
        row["propensity"] = 0.5 / row["own"]
    return rows, truth


def of_list(rows: list[dict], truth: list[dict], q: int, options: dict[str, Any]) -> dict[str, Any]:
    """The symbols of one list."""
    known = {row["item"]: row for row in truth if row["q"] == q}
    listed = sorted((row for row in rows if row["q"] == q), key=lambda row: -row["score"])
    labels = [known.get(row["item"], {"label": -0.5})["label"] for row in listed]
    items = {row["item"] for row in listed}
    ideal = sorted(
        [*labels, *(row["label"] for item, row in known.items() if item not in items)], reverse=True
    )
    own = [known.get(row["item"], {"own": 0})["own"] for row in listed]
    if options.get("propensity"):
        own = [min(2 * weight, options["clip"]) for weight in own]
    relevant = [row for row in known.values() if row["label"] >= 1]
    weighed = options.get("item_weight") or options.get("propensity")

    def at(values: list[float]) -> Any:
        return lambda r: values[int(r) - 1] if r <= len(values) else -1

    def above(values: list[float], r: float, is_such: Any) -> int:
        return sum(map(is_such, values[: int(min(r, BELOW))]))

    return {
        "n": LENGTH,
        "k": options.get("k") or math.inf,
        "w": 1,
        "y": at(labels),
        "y*": at(ideal),
        "s": lambda r: listed[int(r) - 1]["score"],
        "z": at([row["item"] % 2 for row in listed]),
        "rel": lambda r: float(at(labels)(r) >= 1),
        "h": lambda r: above(labels, r, lambda y: y >= 1),
        "R": len(relevant),
        "v": lambda r: 1 if not weighed else own[int(r) - 1] if r <= LENGTH else 0,
        "V": math.fsum(row["own"] for row in relevant) if options.get("item_weight") else len(relevant),
        "g": GAINS.get(options.get("gain", "")),
        "O": sum(0 <= y < 1 for y in ideal),
        "o": lambda r: above(labels, r - 1, lambda y: 0 <= y < 1),
        "J": lambda r: above(labels, r - 1, lambda y: y != -0.5),
        "p": options.get("p"),
        "b": options.get("log_base"),
        "β": options.get("beta"),
    }


OVER_LISTS = [
    metric
    for metric in catalog().values()
    if metric.grain == "lists" and metric.name not in IN_WORDS | OF_SUBTOPICS
]


@pytest.mark.parametrize("metric", OVER_LISTS, ids=lambda metric: metric.macro)
def test_lists(metric: Metric) -> None:
    rows, truth = lists()
    if metric.name in WITHOUT_TRUTH:
        known = {(row["q"], row["item"]): row["label"] for row in truth}
        rows = [{**row, "label": max(known.get((row["q"], row["item"]), 0), 0), "own": 1} for row in rows]
        rows = [{**row, "sensitive": row["item"] % 2} for row in rows]
    given = {"group": "q", "item": "item", "max_grade": 3}
    given |= {} if metric.name in WITHOUT_TRUTH else {"truth": truth}
    read = rows if metric.name in WITHOUT_TRUTH else truth
    for options in calls(metric):
        if metric.name == "map" and options["item_weight"] and options["denominator"] == "capped":
            continue  # refused with a cutoff
        symbols = {q: of_list(rows, read, q, options) for q in USERS}
        counted = [q for q in USERS if not _is_empty(metric, symbols[q])]
        if not counted:
            continue
        domains = {"r": range(1, LENGTH + 1), "j": range(1, LENGTH + 1), "q": counted, "z": (0, 1)}
        named = {name: value for name, value in options.items() if name not in ("k", "item_weight")}
        formula = Formula(
            metric.formula,
            {"lists": symbols, "takes arguments": {"g"}},
            domains,
            {**named, "max_grade": 3, "longest": 12, "cutoff": options.get("k")},
        )
        over_lists = metric.name in ("gauc", "gmap")
        lists_counted = 1 if options.get("average") == "sum" else len(counted)
        got = formula.value() if over_lists else sum(formula.value(q=q) for q in counted) / lists_counted
        assert close(got, oracles.value(notation(metric, options), rows, **given)), options


def _is_empty(metric: Metric, of: dict[str, Any]) -> bool:
    hits = of["h"](BELOW)
    if metric.name in ("gauc", "label_ranking_loss"):
        return hits in (0, LENGTH)
    if metric.name in ("pass", "pass_all"):
        return of["k"] > LENGTH
    if metric.name == "disparate_treatment_ratio":
        return len({of["z"](r) for r in range(1, LENGTH + 1) if of["y"](r) > 0}) < 2
    never_empty = dict.fromkeys(("judged", *EXPOSURE), False)
    return {**never_empty, "average_rank": not hits}.get(metric.name, not of["R"])


@pytest.mark.parametrize("name", sorted(OF_SUBTOPICS))
def test_subtopics(name: str) -> None:
    draw = random.Random(8)
    rows, _ = lists()
    serves = {
        (q, item): set(draw.sample("abcd", draw.randrange(4))) for q in USERS for item in range(LENGTH + 2)
    }
    truth = [
        {"q": q, "item": item, "topic": topic, "label": 1}
        for (q, item), topics in serves.items()
        for topic in topics
    ]

    def of(q: int) -> dict[str, Any]:
        order = sorted((row for row in rows if row["q"] == q), key=lambda row: -row["score"])
        ranked = [serves[q, row["item"]] for row in order]
        return {
            "S": lambda *r: (
                ranked[int(r[0]) - 1]
                if r
                else set().union(*(topics for (one, _), topics in serves.items() if one == q))
            )
        }

    for k, alpha in ((2, 0.5), (5, 0.3)):
        symbols = {"lists": {q: of(q) for q in USERS}, "k": k, "α": alpha, "takes arguments": ()}
        domains = {"σ": "abcd", "j": range(1, LENGTH + 1)}
        formula = Formula(catalog()[f"metric_{name}"].formula, symbols, domains, {"ideal": None})
        got = sum(formula.value(q=q) for q in USERS) / len(USERS)
        asked = f"err_ia(alpha={alpha})@{k}" if name == "err_ia" else f"{name}@{k}"
        wanted = oracles.value(asked, rows, group="q", item="item", truth=truth, subtopic="topic")
        assert close(got, wanted), asked


# --- items ---


@pytest.mark.slow
@pytest.mark.parametrize(
    "metric", [m for m in catalog().values() if m.grain == "items"], ids=lambda metric: metric.macro
)
def test_items(metric: Metric) -> None:
    draw = random.Random(3)
    rows = [
        {"q": q, "item": item, "score": draw.random(), "label": draw.choice([0, 1])}
        for q in USERS
        for item in draw.sample(range(12), draw.choice([2, 4, 6]))
    ]
    shelf = [{"item": item, "kind": draw.choice("ab")} for item in range(14)]
    history = [{"q": draw.choice([*USERS, 8, 9]), "item": int(draw.triangular(0, 9, 1))} for _ in range(40)]
    kinds = {row["item"]: row["kind"] for row in shelf}
    popular = Counter(row["item"] for row in history)
    users = {(row["q"], row["item"]) for row in history}
    for options in calls(metric):
        k = options.get("k") or math.inf
        ranked = {
            u: sorted((row for row in rows if row["q"] == u), key=lambda row: -row["score"])[
                : int(min(k, BELOW))
            ]
            for u in USERS
        }
        tops = {u: {row["item"] for row in top} for u, top in ranked.items()}
        by_label = {
            u: sorted((row for row in rows if row["q"] == u), key=lambda row: (-row["label"], row["item"]))
            for u in USERS
        }
        symbols = {
            "p": options.get("p"),
            "lists": {
                u: {
                    "K": len(top),
                    "X": lambda r, top=top, other=by_label[u]: len(
                        {row["item"] for row in top[: int(r)]} & {row["item"] for row in other[: int(r)]}
                    ),
                    "rel": lambda r, top=top: top[int(r) - 1]["label"],
                    "a": lambda r, top=top: top[int(r) - 1]["item"],
                }
                for u, top in ranked.items()
            },
            "𝒰": set(USERS),
            "𝒟": {row["q"] for row in history},
            "ℐ": set(kinds),
            "L": lambda u, tops=tops: tops.get(u, set()),
            "x": lambda a, tops=tops: sum(a in top for top in tops.values()),
            "N": lambda *a: popular[a[0]] if a else len(history),
            "U": lambda *a: (
                sum(item == a[0] for _, item in users) if a else len({row["q"] for row in history})
            ),
            "d": lambda a, b: float(kinds[a] != kinds[b]),
            "takes arguments": {"d"},
        }
        domains = {"u": [*USERS, 8, 9], "a": range(14), "r": range(1, 13)}
        if metric.name != "user_coverage":
            domains["u"] = USERS
        got = Formula(
            metric.formula,
            symbols,
            domains,
            {**options, "k": options.get("k") or 1, "longest": BELOW, "cutoff": options.get("k")},
        ).value()
        tables = {"catalog": shelf, "history": history, "category": "kind"}
        wanted = oracles.value(notation(metric, options), rows, group="q", item="item", **tables)
        assert close(got, wanted), options


# --- classes and subsets ---

CLASSES = (1, 2, 3)


@pytest.mark.parametrize("name", ["balanced_accuracy", "mcc", "kappa", "accuracy", "error_rate"])
def test_predicted_classes(name: str) -> None:
    draw = random.Random(2)
    rows = [
        {"label": draw.choice(CLASSES), "told": draw.choice([1, 1, 3]), "w": draw.choice([0.5, 1, 2])}
        for _ in range(15)
    ]

    def weight(of: Any) -> float:
        return math.fsum(row["w"] for row in rows if of(row))

    def hits(c: int) -> float:
        return weight(lambda row: row["label"] == c == row["told"])

    def labelled(c: int) -> float:
        return weight(lambda row: row["label"] == c)

    symbols = {
        "y": lambda i: rows[i]["label"],
        "hat y": lambda i: rows[i]["told"],
        "w": lambda i: rows[i]["w"],
        "W": weight(lambda _: True),
        "TP": hits,
        "Y": labelled,
        "𝒴": {row["label"] for row in rows},
        "TPR": lambda c: hits(c) / labelled(c),
        "hat Y": lambda c: weight(lambda row: row["told"] == c),
        "takes arguments": (),
    }
    domains = {"i": range(15), "j": range(15), "c": CLASSES}
    metric = catalog()[f"metric_{name}"]
    form = "with prediction=" if name in ("balanced_accuracy", "mcc") else None
    for weights in ("linear", "quadratic", None) if name == "kappa" else (None,):
        got = Formula(metric.formula, symbols, domains, {"weights": weights}, form).value()
        asked = f"{name}(weights={weights})" if weights else name
        assert close(got, oracles.value(asked, rows, prediction="told", weight="w")), weights


@pytest.mark.slow
@pytest.mark.parametrize(
    "name",
    [
        *("multiclass_log_loss", "multiclass_brier", "multiclass_auc", "multiclass_average_precision"),
        *("set_coverage", "set_size", "size_stratified_coverage"),
    ],
)
def test_scored_classes(name: str) -> None:
    draw = random.Random(4)
    examples = [
        Example(
            draw.choice(CLASSES), {c: draw.choice([0.1, 0.3, 0.6]) for c in CLASSES}, draw.choice([0.5, 1, 2])
        )
        for _ in range(14)
    ]

    def labelled(*classes: int) -> float:
        return math.fsum(example.weight for example in examples if example.true in classes)

    symbols = {
        "y": lambda i: examples[i].true,
        "w": lambda i: examples[i].weight,
        "ε": 0.2,
        "Y": labelled,
        "s": lambda i, c: examples[i].scores[c],
        "t": 0.3,
        "takes arguments": (),
    }
    sizes = [sum(score >= 0.3 for score in example.scores.values()) for example in examples]
    by_size = [[i for i in range(14) if sizes[i] == size] for size in set(sizes)]
    domains = {"i": range(14), "j": range(14), "c": CLASSES, "z": by_size}
    calls: list[dict[str, Any]] = [{"eps": 0.2} if name == "multiclass_log_loss" else {}]
    if name.startswith("s"):
        calls = [{"threshold": 0.3}]
    if name == "multiclass_auc":
        calls = [{"method": "ovo", "average": average} for average in ("macro", "weighted")]
    if name == "multiclass_average_precision":
        calls = [{"average": average} for average in ("macro", "weighted")]
    formula = catalog()[f"metric_{name}"].formula
    for options in calls:
        got = Formula(formula, symbols, domains, options).value()
        assert close(got, oracles.SCORED[name](examples, **options)), options


@pytest.mark.parametrize(
    "metric", [m for m in catalog().values() if m.grain == "subsets of rows"], ids=lambda metric: metric.macro
)
def test_subsets(metric: Metric) -> None:
    rows = table(numeric=False)
    multilabel = metric.name.startswith("multilabel") or metric.name == "subset_accuracy"
    options: dict[str, Any] = {} if multilabel else {"sensitive": "sensitive"}
    averages = ("macro", "weighted", "samples", "micro") if "average" in metric.own else (None,)
    for row in rows:
        row["w"] = 1.0 + row["example"] if multilabel else row["w"]
    for average in averages:
        options |= {"average": average} if average else {}
        decided = oracles.decided(rows, "label", "score", None, "example", "sensitive", "w", None, {})
        by_example = average == "samples" or metric.name == "subset_accuracy"
        kinds = [(row.example if by_example else row.item) * (average != "micro") for row in decided]
        subsets = [
            frozenset(i for i, kind in enumerate(kinds) if kind == one) for one in dict.fromkeys(kinds)
        ]

        def count(positive: bool, predicted: bool, of: Any = decided) -> Any:
            such = {i for i, row in enumerate(of) if (row.positive, row.predicted) == (positive, predicted)}
            return lambda z: math.fsum(of[i].weight for i in z & such)

        def share(part: Any, rest: Any) -> Any:
            return lambda z: part(z) / (part(z) + rest(z)) if part(z) + rest(z) else 0.0

        tp, fp, fn, tn = count(True, True), count(False, True), count(True, False), count(False, False)
        symbols = {
            "y": lambda i, of=decided: of[i].positive,
            "hat y": lambda i, of=decided: of[i].predicted,
            "TP": tp,
            "FP": fp,
            "FN": fn,
            "TPR": share(tp, fn),
            "FPR": share(fp, tn),
            "PPV": share(tp, fp),
            "SR": lambda z, a=tp, b=fp, c=fn, d=tn: (a(z) + b(z)) / (a(z) + b(z) + c(z) + d(z)),
            "w": lambda z, of=decided: of[min(z)].weight if isinstance(z, frozenset) else of[z].weight,
            "β": options.get("beta", 1),
            "takes arguments": (),
        }
        domains = {"z": subsets, "i": range(len(decided))}
        got = Formula(metric.formula, symbols, domains, {"average": average}).value()
        assert close(got, oracles.SUBSETS[metric.name](decided, **options)), options
