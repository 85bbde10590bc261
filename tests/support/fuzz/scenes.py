"""Random calls. A scene is a kind of data and what is said of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from importlib.util import find_spec
from typing import Any

from hypothesis import strategies as st

from sqlmetrics.book.catalog import curves
from support.fuzz.call import FORMS, Call
from support.fuzz.notations import Asked, notations, options
from support.fuzz.tables import (
    AMOUNTS,
    EXTREMES,
    NUMBERS,
    PROBABILITIES,
    SCORES,
    Rows,
    classes,
    columns,
    examples,
    judgements,
    past,
    with_holes,
)

INSTALLED = [form for form in FORMS if form not in ("pandas", "polars") or find_spec(form)]
#: Checks that data fail unless they are made for them, or that options ask for.
OF_CLASSES = ("groups_without_one_class", "examples_")
ASKED_FOR = ("rows_zero_target", "groups_undefined", "groups_missing")
NOT_AMOUNTS = ("rows_score_not_positive", "rows_negative_label", "rows_label_not_positive")
TESTS = [None, None, None, None, "t", "wilcoxon", "sign", "randomisation", "bootstrap", "anytime"]
PER_ROW = ["evaluate", "evaluate", "state", "compare", "curve"]
PER_LIST = ["evaluate", "evaluate", "evaluate", "state", "compare", "per_group"]


@st.composite
def calls(draw: st.DrawFn, most: int = 3) -> Call:
    """A call of up to `most` metrics."""
    scene = draw(st.sampled_from(SCENES))
    return draw(scene(most))


@st.composite
def binary(draw: st.DrawFn, most: int) -> Call:
    """Labels of 0 and 1 and a probability, in lists or not."""
    labels = draw(st.sampled_from([st.sampled_from([0, 1]), st.booleans(), st.sampled_from([0]), st.just(1)]))
    rows = draw(columns(labels, draw(st.sampled_from(PROBABILITIES))))
    in_lists = draw(st.booleans())
    facts = {"label": "label", **draw(lists(in_lists))}
    if in_lists:
        facts["max_grade"] = 1
    return draw(asked(rows, facts, PER_LIST if in_lists else PER_ROW, NOT_AMOUNTS, most))


@st.composite
def graded(draw: st.DrawFn, most: int) -> Call:
    """Grades in lists, and any score."""
    grades = draw(st.sampled_from([st.sampled_from([0, 0, 1, 2, 4]), st.sampled_from([0, 3]), st.just(2)]))
    rows = draw(columns(grades, draw(st.sampled_from(SCORES))))
    facts = {"label": "label", **draw(lists(True)), "max_grade": 4, "positive": draw(st.sampled_from([1, 2]))}
    broken = ("rows_not_probability", "rows_below_log", *NOT_AMOUNTS)
    return draw(asked(rows, facts, PER_LIST, broken, most))


@st.composite
def numbers(draw: st.DrawFn, most: int) -> Call:
    """A number predicted for a number."""
    kind = draw(st.sampled_from([*NUMBERS, *AMOUNTS]))
    broken = () if kind in AMOUNTS else ("rows_below_log", *NOT_AMOUNTS)
    rows = draw(columns(kind, kind))
    return draw(asked(rows, {"label": "label"}, PER_ROW[:-1], ("rows_not", *broken), most))


@st.composite
def extremes(draw: st.DrawFn, most: int) -> Call:
    """Numbers whose squares overflow, in Python and engines too: the answer may be NULL, but not NaN."""
    rows = draw(columns(EXTREMES, EXTREMES))
    broken = ("rows_not", "rows_below_log", *NOT_AMOUNTS)
    call = draw(asked(rows, {"label": "label"}, ["evaluate"], broken, most))
    return replace(call, plain=False)


@st.composite
def judged(draw: st.DrawFn, most: int) -> Call:
    """Recommendations and a truth, with subtopics or with a catalogue and a past."""
    aspects = draw(st.booleans())
    rows = draw(columns(st.just(0), draw(st.sampled_from(SCORES))))
    rows = [{name: cell for name, cell in row.items() if name not in ("label", "v")} for row in rows]
    tables = {"truth": draw(judgements(rows, aspects))} | ({} if aspects else draw(past(rows)))
    facts = {"label": "label", **draw(lists(True)), "item": "item", "max_grade": 4, "positive": 1}
    facts |= {"subtopic": "aspect"} if aspects else {"category": "kind"}
    functions = ["evaluate", "evaluate", "compare", "per_group"] if aspects else ["evaluate"]
    broken = ("rows_not_probability", "rows_below_log", *NOT_AMOUNTS)
    return draw(asked(rows, facts, functions, broken, most, tables))


@st.composite
def listed(draw: st.DrawFn, most: int) -> Call:
    """Recommendations with labels, a catalogue and a past."""
    rows = draw(columns(st.sampled_from([0, 1]), draw(st.sampled_from(PROBABILITIES))))
    facts = {"label": "label", **draw(lists(True)), "item": "item", "max_grade": 1, "category": "kind"}
    return draw(asked(rows, facts, ["evaluate"], NOT_AMOUNTS, most, draw(past(rows))))


@st.composite
def classified(draw: st.DrawFn, most: int) -> Call:
    """A predicted class."""
    names = draw(st.sampled_from([["cat", "dog", "it's"], [0, 1, 2, 5], [0, 1]]))
    rows = draw(classes(names))
    text = isinstance(names[0], str)
    facts: dict[str, Any] = {"label": "label", "prediction": "predicted"}
    if draw(st.booleans()):
        facts["positive"] = names[1]
    return draw(asked(rows, facts, ["evaluate"], (), most, text=text))


@st.composite
def scored_classes(draw: st.DrawFn, most: int) -> Call:
    """Scores of every class of an example."""
    rows = draw(examples(draw(st.sampled_from([["cat", "dog", "it's"], [1, 2]]))))
    facts = {"label": "label", "group": "list", "item": "item", "max_grade": 1}
    return draw(asked(rows, facts, ["evaluate"], NOT_AMOUNTS, most, of_classes=True))


SCENES = [
    binary,
    binary,
    graded,
    graded,
    numbers,
    numbers,
    extremes,
    judged,
    listed,
    classified,
    scored_classes,
]


@st.composite
def lists(draw: st.DrawFn, in_lists: bool) -> dict[str, Any]:
    """What is said of lists, if there are any."""
    if not in_lists:
        return {}
    ties = draw(st.sampled_from([None, None, "average", "worst", "best", "item", "item desc", "text desc"]))
    facts = {"group": "list"}
    if (ties or "").endswith(("item", "desc")) or draw(st.booleans()):
        facts["item"] = "item"
    return facts | ({"ties": ties} if ties else {})


@st.composite
def asked(
    draw: st.DrawFn,
    rows: Rows,
    facts: dict[str, Any],
    functions: list[str],
    broken: tuple[str, ...],
    most: int,
    tables: dict[str, Rows] | None = None,
    text: bool = False,
    of_classes: bool = False,
    metrics: list[str] | None = None,
    read: Sequence[str] = (),
) -> Call:
    """A call over rows: its function, weights, models, slices, an interval, rows that cannot be used.

    Args:
        metrics: what is asked, if it is not drawn from the catalogue.
        read: the columns that these metrics name, some of which a row needs.
    """
    function, form = draw(st.sampled_from(functions)), draw(st.sampled_from(INSTALLED))
    weight = "w" if "group" in facts else "u"
    facts = {**facts, **({"weight": weight} if draw(st.integers(0, 2)) == 0 else {})}
    facts |= draw(models(function)) if not {"prediction", "class_scores"} & {*facts} else {}
    facts |= draw(further(function, rows, facts, tables))
    named = (facts.get(role) for role in ("label", "score", "prediction", "group", "weight"))
    roles = [*(name for name in named if isinstance(name, str)), *read]
    if not tables and function != "compare":
        before, rows = rows, draw(with_holes(rows, roles))
        facts |= {"on_bad_rows": "drop"} if rows is not before else {}
    if metrics is not None:
        pass
    elif function == "curve":
        known = sorted(curves().values(), key=lambda curve: curve.name)
        kind = draw(st.sampled_from(known))
        metrics = [draw(options(kind))]
        if kind.name in ("roc", "precision_recall") and draw(st.booleans()):
            facts |= {"interval": 0.95, "band": draw(st.sampled_from([None, "pointwise", "simultaneous"]))}
    else:
        plans = facts | {name: name for name in tables or {}}
        broken = (*broken, *ASKED_FOR, *(() if of_classes else OF_CLASSES))
        metrics = draw(notations(Asked(function, plans, broken, text), most))
    return Call(function, metrics, rows, facts, tables or {}, form)


@st.composite
def models(draw: st.DrawFn, function: str) -> dict[str, Any]:
    """The column of the score, or of each model."""
    if function == "compare":
        both = {"baseline": "score", "candidate": "other"}
        test = draw(st.sampled_from(TESTS))
        drawn = {"n_resamples": 40} if test in ("randomisation", "bootstrap") else {}
        return both | ({"test": test} if test else {}) | drawn | {"on_unpaired": "intersection"}
    if function == "state" or draw(st.integers(0, 3)):
        return {"score": "score"}
    return {"score": {"new": "score", "old": "other"}}


@st.composite
def further(draw: st.DrawFn, function: str, rows: Rows, facts: dict[str, Any], tables: Any) -> dict[str, Any]:
    """Slices, an interval, the period of a state, a condition on rows."""
    found: dict[str, Any] = {}
    if function == "state":
        found["period"] = "day"
    elif function == "evaluate" and draw(st.integers(0, 7)) == 0:
        found |= {"interval": draw(st.sampled_from([0.95, 0.8])), "n_resamples": 20}
    if draw(st.integers(0, 3)) == 0 and any(row["side"] == 1 for row in rows):
        found["where"] = "side = 1"
    whole = function == "state" and "group" in facts
    by = draw(st.sampled_from([None, None, ["side"], *([] if whole else [["part"], ["part", "side"]])]))
    if by and not (tables and "truth" in tables):
        found["by"] = by
        if function not in ("per_group", "state") and draw(st.integers(0, 3)) == 0:
            found["total"] = False
    return found
