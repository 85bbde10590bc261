"""The names of other libraries, on the pages of docs/coming-from/ and as aliases: each run on random data."""

from __future__ import annotations

import contextlib
import re
from typing import Any

import ir_measures
import numpy
import pytest
import pytrec_eval
import scipy.stats
from sklearn import metrics as sklearn

import sqlmetrics as sm
from generate.libraries import names
from sqlmetrics.catalog import catalog
from sqlmetrics.templates import macros
from support.evaluated import evaluated
from support.peers import compare, judged_and_listed, random_lists, rows_of
from support.seeds import seeds

SEEDS = seeds(1, 10)


def table(library: str) -> list[tuple[str, str]]:
    """Their names and ours, of one library."""
    found = [(name.theirs, name.ours) for name in names() if name.library == library]
    assert len(found) >= 9
    return found


def data_of_sklearn(seed: int) -> dict[str, Any]:
    """The arrays that the page names."""
    draw = numpy.random.default_rng(seed)
    y = draw.permutation([0, 1] * 30)
    p = (0.3 * y + 0.7 * draw.random(60)).clip(0.01, 0.99)
    t = draw.gamma(3, 1, 60)
    return {
        "y": y,
        "p": p,
        "d": (p >= 0.5).astype(int),
        "t": t,
        "f": t * draw.uniform(0.5, 1.5, 60),
        "c": draw.integers(0, 3, 60),
        "e": draw.integers(0, 3, 60),
    }


def facts_of(call: str, arrays: dict[str, Any]) -> dict[str, Any]:
    """Our facts for a call: its first two arguments are the label and the score, or the class and its prediction."""
    label, second = call.partition("(")[2].rstrip(")").split(", ")[:2]
    pairs = zip(arrays[label].tolist(), arrays[second].tolist(), strict=True)
    rows = [{"label": a, "second": b} for a, b in pairs]
    if label == "c":
        return {"rows": [{**row, "score": 0.0} for row in rows], "prediction": "second"}
    score = arrays["p"].tolist() if second == "d" else [row["second"] for row in rows]
    return {"rows": [{"label": row["label"], "score": s} for row, s in zip(rows, score, strict=True)]}


def counting_empty_lists(notation: str) -> str:
    """A notation in which a list without a relevant item counts 0, as in these libraries."""
    name, options, cutoff = re.fullmatch(r"(\w+)(?:\((.*)\))?(@\d+)?", notation).groups()
    return f"{name}({', '.join(filter(None, [options, 'on_empty=zero']))}){cutoff or ''}"


def aliases(library: str) -> dict[str, str]:
    """The names of a library in the comments above metrics, each with what to write here."""
    found = [alias for metric in catalog().values() for alias in metric.aliases if alias.library == library]
    return {alias.name: alias.notation or alias.name for alias in found}


@pytest.mark.parametrize("library", ["sklearn", "ranx", "ir_measures"])
def test_names_on_the_pages_are_taken_or_answered(library: str) -> None:
    """A name that differs in nothing is taken. Of others the answer has a notation that makes it the same."""
    parse, ours = macros("duckdb")["parse_notation"], {metric.name for metric in catalog().values()}
    for row in names():
        asked = re.sub(r"\((?:y, p|y, d|t, f|c, e)\)$", "", row.theirs)
        if row.library != library or "(" in asked or asked.partition("@")[0].lower() in ours:
            continue
        if not row.differs:
            assert parse(asked) == parse(row.ours), asked
            continue
        with contextlib.suppress(sm.SqlMetricsError):  # where the names are those of other defaults
            assert parse(asked)["name"] == parse(row.ours)["name"], asked


@pytest.mark.slow
@pytest.mark.parametrize("seed", SEEDS)
def test_names_of_scikit_learn(seed: int) -> None:
    """Calls over the same arrays are asked together."""
    arrays = data_of_sklearn(seed)
    lists = {name: pair for name, pair in random_lists(seed, grades=4).items() if any(pair[0])}
    asked: dict[str, dict[str, float]] = {}
    left = aliases("scikit-learn")
    for call, ours in table("sklearn"):
        given = ", ".join(call.partition("(")[2].rstrip(")").split(", ")[:2])
        if given == "relevance, scores":
            each = [{"relevance": [labels], "scores": [scores]} for labels, scores in lists.values()]
            value = numpy.mean([eval(call, {**vars(sklearn), **pair}) for pair in each])
        else:
            value = eval(call, {**vars(sklearn), **arrays})
        asked.setdefault(given, {})[ours] = value
        plain, at = call.partition("(")[0], call.partition("k=")[2].rstrip(")")
        ours = left.pop(plain + "[@k]" if at else plain, None)
        if ours is not None and at:
            asked[given][ours.replace("[@k]", f"@{at}")] = value
        elif ours is not None:
            asked[given][ours] = eval(f"{plain}({given})", {**vars(sklearn), **arrays})
    assert not left
    compare(asked.pop("relevance, scores"), rows_of(lists), group="group")
    assert len(asked) == 4
    for given, expected in asked.items():
        compare(expected, **facts_of(f"({given})", arrays))


def close(peer: float) -> Any:
    return None if numpy.isnan(peer) else pytest.approx(peer, abs=1e-9)


#: arrays as `data_of_sklearn` has them: nothing is positive, one class, a constant label
DEGENERATE: list[dict[str, list[float]]] = [
    {"y": [0, 0, 0], "p": [0.25, 0.5, 0.75], "d": [0, 1, 1], "c": [0, 0, 0], "e": [0, 0, 0]},
    {"y": [1, 1, 1], "p": [0.25, 0.5, 0.125], "d": [0, 1, 0], "c": [0, 0, 0], "e": [0, 1, 0]},
    {"t": [2.0, 2.0, 2.0], "f": [1.0, 2.0, 3.0]},
    {"t": [2.0, 2.0, 2.0], "f": [3.0, 3.0, 3.0]},
    {"t": [2.0, 2.0, 2.0], "f": [2.0, 2.0, 2.0]},
]


@pytest.mark.parametrize("arrays", DEGENERATE, ids=range(len(DEGENERATE)))
@pytest.mark.filterwarnings("ignore")
def test_null_here_is_where_scikit_learn_has_a_number(arrays: dict[str, list[float]]) -> None:
    """Under its convention we have its numbers of data that decide nothing, or the page says that we have none."""
    arrays = {name: numpy.array(values) for name, values in arrays.items()}
    wrong = []
    for row in names():
        given = row.theirs.partition("(")[2].rstrip(")").split(", ")[:2]
        if row.library != "sklearn" or not {*given} <= {*arrays}:
            continue
        try:
            # as here, one class is one of two
            binary = {"labels": [0, 1]} if row.ours == "log_loss" else {}
            peer = eval(row.theirs[:-1] + ", **binary)", {**vars(sklearn), **arrays, "binary": binary})
        except ZeroDivisionError:
            peer = numpy.nan
        facts = facts_of(row.theirs, arrays)
        ours = evaluated([row.ours], facts.pop("rows"), convention="sklearn", **facts)[row.ours]
        null = ours is None and not numpy.isnan(peer)
        if row.differs.endswith("null here") if null else ours == close(peer):
            continue
        wrong.append(f"{row.theirs} is {peer}, {row.ours} is {ours}")
    assert wrong == []


@pytest.mark.parametrize("seed", SEEDS)
def test_multilabel_means_weighted_by_no_example(seed: int) -> None:
    """Null here, as the page says, whatever zero_division says."""
    draw = numpy.random.default_rng(seed)
    decided = draw.integers(0, 2, (5, 3))
    rows = [
        {"label": 0, "score": float(decision), "group": example, "item": label}
        for (example, label), decision in numpy.ndenumerate(decided)
    ]
    for name in ("precision", "recall", "f1", "jaccard"):
        peer = getattr(sklearn, f"{name}_score")
        for zero in (0, 1):
            options = f"average=weighted, zero_division={zero}"
            of_peer = peer(numpy.zeros_like(decided), decided, average="weighted", zero_division=zero)
            assert numpy.isfinite(of_peer)
            asked = f"multilabel_{name}({options})"
            assert evaluated([asked], rows, group="group", item="item", convention="sklearn") == {asked: None}


@pytest.mark.parametrize("seed", SEEDS)
def test_names_of_ranx(seed: int) -> None:
    ranx = pytest.importorskip("ranx", reason="ranx is not installed")
    qrels, run, facts = judged_and_listed(seed, levels=0)
    known = table("ranx")
    values = ranx.evaluate(
        ranx.Qrels(qrels), ranx.Run(run), [name for name, _ in known], make_comparable=True
    )
    compare({counting_empty_lists(ours): values[name] for name, ours in known}, **facts)


@pytest.mark.parametrize("seed", SEEDS)
def test_names_of_ir_measures(seed: int) -> None:
    qrels, run, facts = judged_and_listed(seed, levels=5)
    known = [*table("ir_measures")]
    known += [
        (name.replace("[@k]", "").replace("@k", "@5"), ours) for name, ours in aliases("ir_measures").items()
    ]
    values = ir_measures.pytrec_eval.calc_aggregate(
        [ir_measures.parse_measure(name) for name, _ in known], qrels, run
    )
    expected = {
        counting_empty_lists(ours.replace("[@k]", "").replace("@k", "@5")): values[
            ir_measures.parse_measure(name)
        ]
        for name, ours in known
    }
    compare(expected, ties="text desc", **facts)


@pytest.mark.parametrize("seed", SEEDS)
def test_names_of_trec_eval(seed: int) -> None:
    qrels, run, facts = judged_and_listed(seed, levels=5)
    known = {
        name.replace("_k", "_5"): ours.replace("_k", "_5") for name, ours in aliases("trec_eval").items()
    }
    assert len(known) >= 6
    measured = pytrec_eval.RelevanceEvaluator(qrels, {re.sub("_5$", ".5", name) for name in known}).evaluate(
        run
    )
    expected = {
        counting_empty_lists(ours.replace("@k", "@5")): sum(of[name] for of in measured.values()) / len(qrels)
        for name, ours in known.items()
    }
    compare(expected, ties="text desc", **facts)


@pytest.mark.parametrize("seed", SEEDS)
def test_names_of_scipy(seed: int) -> None:
    arrays = data_of_sklearn(seed)
    expected = {
        ours: getattr(scipy.stats, name)(arrays["t"], arrays["f"]).statistic
        for name, ours in aliases("SciPy").items()
    }
    assert len(expected) == 2
    compare(expected, **facts_of("(t, f)", arrays))
