"""Scenes of metrics that read columns of their own: forecasts, policies, treatments, people, classes with scores."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from support.fuzz.call import Call
from support.fuzz.scenes import asked, lists
from support.fuzz.tables import MOST_ROWS, NUMBERS, PROBABILITIES, WEIGHTS, Rows

QUANTILES = (
    "'0.1: low, 0.5: mid, 0.9: high'",
    "'0.9: high, 0.1: low'",
    "'0.25: low, 0.75: high'",
    "0.5: mid",
)
#: Each takes one of its options.
FORECASTS = st.one_of(
    st.sampled_from(["coverage(lower=low, upper=high)", "interval_width(lower=low, upper=high)"]),
    st.sampled_from(
        ["coverage(lower=mid, upper=mid)", "mase(naive_error=scale)", "relative_mae(naive=other)"]
    ),
    st.sampled_from(["", ", alpha=0.5", ", alpha=0.02"]).map(
        "interval_score(lower=low, upper=high{})".format
    ),
    st.builds("{}(quantiles={})".format, st.sampled_from(["wis", "crps"]), st.sampled_from(QUANTILES)),
    st.builds(
        "quantile_loss(quantiles={}{})".format,
        st.sampled_from(QUANTILES),
        st.sampled_from(["", ", average=sum"]),
    ),
)
CLIPS = st.sampled_from(["", "", ", clip=0.75", ", clip=1", ", clip=10"])
POLICIES = st.one_of(
    st.builds("{}(propensity=chance{})".format, st.sampled_from(["ips", "snips"]), CLIPS),
    CLIPS.map("doubly_robust(propensity=chance, predicted=told, expected=value{})".format),
    st.sampled_from(["win_rate(against=other)", "win_rate(against=score)"]),
)
UPLIFTS = st.one_of(
    st.sampled_from(["qini(treatment=treated)", "auuc(treatment=treated)", "uplift(treatment=treated)"]),
    st.sampled_from([0.001, 0.1, 0.5, 0.7, 1]).map("uplift(treatment=treated, share={})".format),
)
THRESHOLDS = st.sampled_from(["", "", ", threshold=0.3", ", threshold=0", ", threshold=0.75"])
#: A threshold is of scores.
DECIDED = (
    "demographic_parity_difference",
    "demographic_parity_ratio",
    "equal_opportunity_difference",
    "equal_opportunity_ratio",
    "equalized_odds_difference",
    "equalized_odds_ratio",
)
GAPS = st.one_of(
    st.builds(
        "{}(sensitive={}{})".format, st.sampled_from(DECIDED), st.sampled_from(["sex", "age"]), THRESHOLDS
    ),
    st.sampled_from(["selection_rate", "selection_rate(threshold=0.3)"]),
)
MULTILABEL = st.one_of(
    st.builds(
        "multilabel_{}(average={}{}{})".format,
        st.sampled_from(["precision", "recall", "f1", "jaccard"]),
        st.sampled_from(["macro", "micro", "samples", "weighted"]),
        THRESHOLDS,
        st.sampled_from(["", ", zero_division=1"]),
    ).filter(lambda notation: "zero" not in notation or "macro" in notation or "samples" in notation),
    st.sampled_from(["subset_accuracy", "subset_accuracy(threshold=0.3)"]),
)
OF_CLASSES = st.one_of(
    st.builds(
        "multiclass_auc(method={}, average={})".format,
        st.sampled_from(["ovr", "ovo"]),
        st.sampled_from(["macro", "weighted"]),
    ),
    st.just("multiclass_auc(method=ovr, average=micro)"),
    st.sampled_from(["macro", "weighted", "micro"]).map("multiclass_average_precision(average={})".format),
    st.sampled_from(["multiclass_log_loss", "multiclass_log_loss(eps=0.2)", "multiclass_brier"]),
    st.sampled_from([1, 2, 3, 50]).map("top_k_accuracy@{}".format),
    st.builds(
        "{}_ece(bins={}, equal={})".format,
        st.sampled_from(["top_label", "classwise"]),
        st.sampled_from([1, 3, 10]),
        st.sampled_from(["width", "count"]),
    ),
    st.builds(
        "{}(threshold={})".format,
        st.sampled_from(["set_coverage", "set_size", "size_stratified_coverage"]),
        st.sampled_from([0, 0.25, 0.375, 1]),
    ),
)
CLASSES: tuple[list[Any], ...] = (["cat", "dog", "it's"], [0, 1, 2, 5], [0, 1], ["b", "a"])


@st.composite
def families(draw: st.DrawFn, most: int = 3) -> Call:
    """A call of up to `most` metrics of one family."""
    return draw(draw(st.sampled_from([forecasts, policies, treated, people, labels, scored, tabled]))(most))


@st.composite
def sliced(draw: st.DrawFn, columns: dict[str, Any], most: int = MOST_ROWS) -> Rows:
    """Rows of some columns, with a weight and slices."""
    row = {
        **columns,
        "u": draw(st.sampled_from(WEIGHTS)),
        "part": st.sampled_from(["x", "y", None]),
        "side": st.sampled_from([1, 2]),
        "day": st.sampled_from(["mon", "tue"]),
    }
    return draw(st.lists(st.fixed_dictionaries(row), min_size=1, max_size=most))


def chosen(notations: Any, most: int) -> st.SearchStrategy[list[str]]:
    """Some notations, each of them once."""
    return st.lists(notations, min_size=1, max_size=most, unique=True)


#: So few numbers that labels lie on the ends of intervals, some of which have no width.
FEW = (st.sampled_from([0.0, 1.0]), st.sampled_from([-1.0, 0.0, 0.5, 2.0]))


@st.composite
def forecasts(draw: st.DrawFn, most: int) -> Call:
    """Intervals and quantiles of a number, which do not cross, and the errors of a naive forecast."""
    number = draw(st.sampled_from([*NUMBERS, *FEW, *FEW]))
    scale = st.sampled_from([0.5, 1.0, 3.0])
    three = st.lists(number, min_size=3, max_size=3)
    found = draw(sliced({"label": number, "score": number, "other": number, "scale": scale, "three": three}))
    rows = []
    for row in found:
        low, mid, high = sorted(row.pop("three"))
        rows.append({**row, "low": low, "mid": mid, "high": high})
    read = ["low", "mid", "high", "scale", "other"]
    metrics = draw(chosen(FORECASTS, most))
    return draw(asked(rows, {"label": "label"}, PER_ROW, (), most, metrics=metrics, read=read))


PER_ROW = ["evaluate", "evaluate", "state", "compare"]


@st.composite
def policies(draw: st.DrawFn, most: int) -> Call:
    """Rewards of logged actions, with the chances of both policies and estimates of a model."""
    chance = st.sampled_from([0.1, 0.2, 0.5, 1.0])
    share = draw(st.sampled_from(PROBABILITIES))
    columns = {"label": draw(st.sampled_from(NUMBERS)), "chance": chance, "told": share, "value": share}
    rows = draw(sliced({**columns, "score": share, "other": share}))
    metrics = draw(chosen(POLICIES, most))
    read = ["chance", "told", "value"]
    return draw(asked(rows, {"label": "label"}, PER_ROW, (), most, metrics=metrics, read=read))


@st.composite
def treated(draw: st.DrawFn, most: int) -> Call:
    """Rows of an experiment, with ties, and arms or classes that may not occur."""
    arm = draw(st.sampled_from([st.sampled_from([0, 1]), st.booleans(), st.just(1)]))
    score = draw(st.sampled_from(NUMBERS + PROBABILITIES))
    rows = draw(sliced({"label": st.sampled_from([0, 1]), "treated": arm, "score": score, "other": score}))
    metrics = draw(chosen(UPLIFTS, most))
    return draw(asked(rows, {"label": "label"}, PER_ROW[:1], (), most, metrics=metrics, read=["treated"]))


@st.composite
def people(draw: st.DrawFn, most: int) -> Call:
    """Decisions about people: a score, or a predicted class, whose threshold is no one's choice."""
    names = draw(st.sampled_from([[0, 1], ["no", "yes"]]))
    share = draw(st.sampled_from(PROBABILITIES))
    columns = {
        "label": st.sampled_from(names),
        "sex": st.sampled_from(["f", "m", None]),
        "age": st.sampled_from([20, 30, 40]),
    }
    facts: dict[str, Any] = {"label": "label"}
    if names[0] == "no" or draw(st.booleans()):
        columns["predicted"] = st.sampled_from(names)
        facts |= {"prediction": "predicted"} | ({"positive": "yes"} if names[0] == "no" else {})
    else:
        columns |= {"score": share, "other": share}
    gaps = GAPS.filter(lambda notation: "prediction" not in facts or "threshold" not in notation)
    metrics = draw(chosen(gaps, most))
    return draw(asked(draw(sliced(columns)), facts, PER_ROW[:1], (), most, metrics=metrics))


@st.composite
def labels(draw: st.DrawFn, most: int) -> Call:
    """A row an example and label, of which several may be true; each example has some of the labels, once."""
    share, of_list = draw(st.sampled_from(PROBABILITIES)), draw(st.sampled_from(WEIGHTS))
    rows = []
    for example in range(draw(st.integers(1, 6))):
        whole = {
            "list": f"e{example}",
            "w": draw(of_list),
            "part": draw(st.sampled_from(["x", "y", None])),
            "side": 1 + example % 2,
            "day": "mon" if example % 3 else "tue",
        }
        for item in draw(st.lists(st.sampled_from("abcd"), min_size=1, max_size=4, unique=True)):
            of_item = {"item": item, "label": draw(st.sampled_from([0, 1]))}
            rows.append({**whole, **of_item, "score": draw(share), "other": draw(share)})
    facts = {"label": "label", **draw(lists(True)), "item": "item"}
    return draw(asked(rows, facts, PER_ROW[:1], (), most, metrics=draw(chosen(MULTILABEL, most))))


@st.composite
def scored(draw: st.DrawFn, most: int) -> Call:
    """A row an example with a column for the score of each class; a class may never be true."""
    names = draw(st.sampled_from(CLASSES))
    share = draw(st.sampled_from(PROBABILITIES))
    columns = {f"p_{i}": share for i in range(len(names))}
    rows = draw(sliced({"label": st.sampled_from(names), **columns}))
    facts: dict[str, Any] = {"label": "label", "class_scores": dict(zip(names, columns, strict=True))}
    if draw(st.integers(0, 3)) == 0:
        facts["ties"] = draw(st.sampled_from(["worst", "best", "average"]))
    metrics = draw(chosen(OF_CLASSES, most))
    return draw(asked(rows, facts, PER_ROW[:1], (), most, metrics=metrics, read=[*columns]))


@st.composite
def tabled(draw: st.DrawFn, most: int) -> Call:
    """The table of all classes; it is of no metric."""
    names = st.sampled_from(draw(st.sampled_from(CLASSES)))
    rows = draw(sliced({"label": names, "predicted": names}))
    facts = {"label": "label", "prediction": "predicted"}
    return draw(asked(rows, facts, ["class_report", "confusion_matrix"], (), most, metrics=[]))
