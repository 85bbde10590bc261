"""explain_difference: where it starts, where it ends, and that each step is one option."""

import random

import pytest

import sqlmetrics as sm
from sqlmetrics.book.catalog import find
from sqlmetrics.book.conventions import convention_names, options_of

FACTS = {"label": "label", "score": "score", "group": "group", "item": "item"}


def rows(seed: int) -> list[dict]:
    """Lists with ties, grades, and some without anything relevant."""
    draw = random.Random(seed)
    return [
        {"group": q, "item": i, "label": draw.choice([0, 1, 3]) if q else 0, "score": draw.randrange(4) / 4}
        for q in range(6)
        for i in range(draw.randint(2, 9))
    ]


def asked(data, metric, convention, **facts):
    name = None if convention == "default" else convention
    [row] = sm.evaluate(data, {"value": metric}, convention=name, **FACTS, **facts).to_dicts()
    return row["value"]


@pytest.mark.slow
@pytest.mark.parametrize("metric", ["ndcg@3", "precision@3", "map@5", "ndcg(on_empty=one)@2"])
def test_from_one_convention_to_another(metric):
    data, facts = rows(1), {"ties": "item"} if metric == "map@5" else {}
    macro = find(metric.split("@")[0].split("(")[0], with_cutoff=True).macro
    names = ["default", *(name for name in convention_names() if options_of(name, macro) is not None)]
    values = {name: asked(data, metric, name, **facts) for name in names}
    for first, second in zip(names, [*names[1:], names[0]], strict=True):
        steps = sm.explain_difference(data, metric, first, second, **FACTS, **facts).to_dicts()
        assert [steps[0]["value"], steps[-1]["value"]] == pytest.approx([values[first], values[second]])
        assert steps[0]["option"] == first
        assert sum(step["change"] for step in steps[1:]) == pytest.approx(values[second] - values[first])
        options = [step["option"] for step in steps[1:]]
        assert len(set(options)) == len(options)
        assert all(step["before"] != step["after"] for step in steps[1:])


@pytest.mark.slow
def test_each_step_is_the_metric_as_it_would_be_asked():
    data = rows(2)
    steps = sm.explain_difference(data, "ndcg@3", "trec_eval", "lightgbm", **FACTS).to_dicts()
    assert [(step["option"], step["before"], step["after"]) for step in steps] == [
        ("trec_eval", None, None),
        ("gain", "linear", "exponential"),
        ("on_empty", "zero", "one"),
        ("on_missing", "skip", "zero"),
        ("ties", "text desc", "item"),
    ]
    notations = [
        ("ndcg(gain=linear, on_empty=zero, on_missing=skip)@3", "text desc"),
        ("ndcg(on_empty=zero, on_missing=skip)@3", "text desc"),
        ("ndcg(on_empty=one, on_missing=skip)@3", "text desc"),
        ("ndcg(on_empty=one)@3", "text desc"),
        ("ndcg(on_empty=one)@3", "item"),
    ]
    expected = [asked(data, notation, "default", ties=ties) for notation, ties in notations]
    assert [step["value"] for step in steps] == pytest.approx(expected)
    assert (
        len({round(value, 9) for value in expected}) == 4
    )  # no list is missing: that step alone moves nothing


@pytest.mark.slow
def test_missing_lists_and_rows():
    truth = [{"group": q, "item": i, "label": 1} for q in range(4) for i in range(3)]
    data = [{"group": q, "item": i, "score": 1 - i} for q in range(3) for i in range(5, -1, -1)]
    steps = sm.explain_difference(data, "recall@1", "trec_eval", "ranx", truth=truth, **FACTS).to_dicts()
    assert [(step["option"], step["value"]) for step in steps] == [
        ("trec_eval", pytest.approx(1 / 3)), ("on_missing", pytest.approx(1 / 4)), ("ties", pytest.approx(1 / 4)),
    ]  # fmt: skip
    facts = {"label": "y", "score": "p"}
    rows = [{"y": 0, "p": 1.0}, {"y": 1, "p": 0.5}]
    steps = sm.explain_difference(rows, "log_loss", "default", "sklearn", **facts).to_dicts()
    assert [step["option"] for step in steps] == ["default", "eps"]
    assert sm.explain_difference(rows, "auc", "sklearn", "xgboost", **facts).to_dicts() == [
        {"option": "sklearn", "before": None, "after": None, "value": 0.0, "change": None}
    ]


@pytest.mark.parametrize(
    ("words", "facts", "message"),
    [
        (("ndcg@3", "trec", "lightgbm"), {}, "Unknown convention 'trec'. Did you mean 'trec_eval'? Known: default, "),
        (("gauc", "default", "lightgbm"), {}, "lightgbm has no gauc; it has auc, average_precision, "),
        (("ndgc@3", "default", "lightgbm"), {}, "Unknown metric 'ndgc'. Did you mean 'ndcg'?"),
        (("ndcg@3", "default", "lightgbm"), {"item": None}, "convention='lightgbm' has ties='item', which needs item="),
        (("ndcg@3", "default", "sklearn"), {"score": {"a": "score"}}, "takes one score"),
    ],
)  # fmt: skip
def test_refusals(words, facts, message):
    with pytest.raises(sm.SqlMetricsError) as refused:
        sm.explain_difference(rows(0), *words, **{**FACTS, **facts})
    assert message in str(refused.value)
