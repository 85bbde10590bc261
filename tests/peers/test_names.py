"""The names of other libraries on the pages of docs/coming-from/: each is run on random data, and taken or answered."""

from __future__ import annotations

import re
from typing import Any

import ir_measures
import numpy
import pytest
from sklearn import metrics as sklearn

import sqlmetrics as sm
from generate.libraries import CODE, PAGES, names
from sqlmetrics.book.catalog import catalog, check
from sqlmetrics.book.templates import macros
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


@pytest.mark.parametrize("library", ["sklearn", "ranx", "ir_measures"])
def test_names_on_the_pages_are_taken(library: str) -> None:
    """A name is one of ours, or an alias of the metric that its row names, with the options of that notation."""
    parse, ours = macros("duckdb")["parse_notation"], {metric.name for metric in catalog().values()}
    for row in names():
        asked = re.sub(r"\((?:y, p|y, d|t, f|c, e)\)$", "", row.theirs)
        if row.library != library or "(" in asked or asked.partition("@")[0].lower() in ours:
            continue
        if asked in ("alpha_DCG@10", "α_DCG@10"):  # at a cutoff of 1 ndeval has a rule of its own
            with pytest.raises(sm.SqlMetricsError, match=re.escape(row.ours)):
                parse(asked)
            continue
        taken, written = parse(asked), parse(row.ours)
        assert taken["pinned"], asked
        assert taken["name"] == written["name"], asked
        assert written["params"].items() <= taken["params"].items(), asked


def test_names_without_a_counterpart_are_refused_with_what_there_is() -> None:
    text = (
        (PAGES / "ranx-and-ir-measures.md")
        .read_text(encoding="utf-8")
        .partition("| ir_measures | instead |")[2]
    )
    absent = [name for row in text.splitlines() if row for name in CODE.findall(row.split(" | ")[0])]
    ours = {metric.name for metric in catalog().values()}
    asked = [name for name in absent if re.split("[(@]", name)[0].lower() not in ours]
    assert len(asked) >= 15
    for name in asked:
        with pytest.raises(sm.SqlMetricsError, match=f"^Metric '{name.partition('@')[0]}' is .*"):
            check(name)


@pytest.mark.slow
@pytest.mark.parametrize("seed", SEEDS)
def test_names_of_scikit_learn(seed: int) -> None:
    """Calls over the same arrays are asked together."""
    arrays = data_of_sklearn(seed)
    lists = {name: pair for name, pair in random_lists(seed, grades=4).items() if any(pair[0])}
    asked: dict[str, dict[str, float]] = {}
    for call, ours in table("sklearn"):
        given = ", ".join(call.partition("(")[2].rstrip(")").split(", ")[:2])
        if given == "relevance, scores":
            each = [{"relevance": [labels], "scores": [scores]} for labels, scores in lists.values()]
            value = numpy.mean([eval(call, {**vars(sklearn), **pair}) for pair in each])
        else:
            value = eval(call, {**vars(sklearn), **arrays})
        asked.setdefault(given, {})[ours] = value
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


@pytest.mark.slow
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


@pytest.mark.slow
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


@pytest.mark.slow
@pytest.mark.parametrize("seed", SEEDS)
def test_names_of_ranx(seed: int) -> None:
    ranx = pytest.importorskip("ranx", reason="ranx is not installed")
    qrels, run, facts = judged_and_listed(seed, levels=0)
    known = table("ranx")
    values = ranx.evaluate(
        ranx.Qrels(qrels), ranx.Run(run), [name for name, _ in known], make_comparable=True
    )
    compare({counting_empty_lists(ours): values[name] for name, ours in known}, **facts)


def of_ir_measures(known: list[tuple[str, str]], qrels: Any, run: Any) -> dict[str, float]:
    """The values of their names, by our notations."""
    measures = {ours: ir_measures.parse_measure(theirs) for theirs, ours in known}
    values = ir_measures.calc_aggregate(list(measures.values()), qrels, run)
    return {counting_empty_lists(ours): values[measure] for ours, measure in measures.items()}


def has_subtopics(name: str) -> bool:
    return name.startswith(("α", "alpha", "ERR_IA", "nERR_IA", "StRecall"))


@pytest.mark.slow
@pytest.mark.parametrize("seed", SEEDS)
def test_names_of_ir_measures(seed: int) -> None:
    """Two measures are rounded to five decimals, those of gdeval; MS MARCO's RR@k sorts ties ascending."""
    qrels, run, facts = judged_and_listed(seed, levels=5)
    known = [pair for pair in table("ir_measures") if not has_subtopics(pair[0])]
    rounded = [pair for pair in known if pair[0].startswith("ERR") or "exp-log2" in pair[0]]
    ascending = [pair for pair in known if pair[0] == "RR@10"]
    others = [pair for pair in known if pair not in rounded + ascending]
    assert (len(rounded), len(ascending)) == (2, 1)
    compare(of_ir_measures(others, qrels, run), ties="text desc", **facts)
    compare(of_ir_measures(ascending, qrels, run), ties="item", **facts)
    untied_qrels, untied_run, untied = judged_and_listed(seed, levels=0)
    compare(of_ir_measures(rounded, untied_qrels, untied_run), tolerance=1e-4, max_grade=4, **untied)


@pytest.mark.slow
@pytest.mark.parametrize("seed", SEEDS)
def test_names_of_ir_measures_for_subtopics(seed: int) -> None:
    pytest.importorskip("pyndeval", reason="pyndeval, TREC's ndeval, is not installed")
    _, run, facts = judged_and_listed(seed, levels=5)
    truth = [
        {**row, "subtopic": subtopic}
        for n, row in enumerate(facts["truth"])
        for subtopic in "abcd"[n % 3 :: 2]
    ]
    judgements = [ir_measures.Qrel(r["group"], r["item"], r["label"], r["subtopic"]) for r in truth]
    known = [pair for pair in table("ir_measures") if has_subtopics(pair[0])]
    assert len(known) == 7
    taken = of_ir_measures(known, judgements, run)
    compare(taken, **facts | {"truth": truth, "subtopic": "subtopic", "ties": "item"})
