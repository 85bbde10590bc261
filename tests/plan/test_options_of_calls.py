"""Which option serves which call: signatures, refusals and statements agree with `sql/plan/options.sql`."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import pytest

import sqlmetrics as sm
from sqlmetrics.book.signatures import parameters, signature
from sqlmetrics.book.templates import macros
from sqlmetrics.options import OPTIONS
from support.errors import told

WORDS = macros("duckdb")
TAKEN: dict[str, list[str]] = WORDS.arguments_of_calls()
DEFAULTS: dict[str, Any] = WORDS.defaults_of_options()

LISTS = {"label": "y", "score": "s", "group": "g"}
ROWS = {"label": "y", "score": "s"}
TRUTH = {**LISTS, "item": "i", "truth": "judged"}
#: option -> a value, and a metric with the other options that let it change a statement
CHANGED: dict[str, tuple[Any, str, dict[str, Any]]] = {
    "label": ("z", "log_loss", ROWS),
    "score": ("t", "log_loss", ROWS),
    "prediction": ("p", "accuracy", {"label": "y", "score": "s"}),
    "class_scores": ({"a": "p_a", "b": "p_b"}, "multiclass_log_loss", {"label": "y"}),
    "weight": ("w", "log_loss", ROWS),
    "group": ("h", "mrr", LISTS),
    "item": ("i", "mrr", LISTS),
    "by": ("c", "log_loss", ROWS),
    "total": (False, "log_loss", {**ROWS, "by": "c"}),
    "total_of": ("slices", "log_loss", {**ROWS, "by": "c"}),
    "total_name": ("all", "log_loss", {**ROWS, "by": "c"}),
    "where": ("d > 0", "log_loss", ROWS),
    "read_once": (True, "log_loss", ROWS),
    "score_levels": ("counted", "auc", ROWS),
    "max_grade": (3, "err@3", LISTS),
    "positive": (2, "mrr", LISTS),
    "ties": ("worst", "mrr", LISTS),
    "convention": ("sklearn", "ndcg@3", LISTS),
    "on_duplicate": ("first", "mrr", {**LISTS, "item": "i"}),
    "unjudged": ("not_relevant", "mrr", LISTS),
    "truth": ("judged", "mrr", {**LISTS, "item": "i"}),
    "truth_by": (["c"], "mrr", {**TRUTH, "by": ["c", "d"]}),
    "subtopic": ("v", "mrr", TRUTH),
    "on_extra": ("error", "mrr", TRUTH),
    "catalog": ("items", "catalog_coverage@3", {**LISTS, "item": "i"}),
    "history": ("past", "novelty@3", {**LISTS, "item": "i"}),
    "distances": ("far", "diversity@3", {**LISTS, "item": "i"}),
    "category": ("kind", "diversity@3", {**LISTS, "item": "i", "catalog": "items"}),
    "interval": (0.9, "log_loss", ROWS),
    "interval_method": ("exact", "accuracy", {**ROWS, "interval": 0.9}),
    "tightest_at": (1000, "accuracy", {**ROWS, "interval": 0.9, "interval_method": "anytime"}),
    "n_resamples": (50, "ks", {**ROWS, "interval": 0.9}),
    "soft": (True, "log_loss", ROWS),
    "period": ("day", "log_loss", ROWS),
    "made_where": ("d > 1", "log_loss", ROWS),
}
#: what a call needs besides, and its own way to say what the table of options says of other calls
NEEDED: dict[str, dict[str, Any]] = {
    "compare": {"score": ["s", "t"], "baseline": "s"},
    "leaderboard": {"score": ["s", "t"]},
    "sample_size": {"score": ["s", "t"], "baseline": "s", "candidate": "t", "n": 50},
    "plan_labels": {"gold": "h", "by": "c", "budget": 50},
    "draw_labels": {"gold": "h", "by": "c", "budget": 50, "key": "id"},
    "curve": {"kind": "roc", **ROWS},
    "confusion_matrix": {"label": "y", "prediction": "p"},
    "class_report": {"label": "y", "prediction": "p"},
    "find_slices": {"by": "c"},
    "explain_change": {"by": "c", "period": "day", "before": "1", "after": "2"},
    "drift": {"columns": "c", "reference": "past"},
    "state": {"period": "day"},
    "finish": {"period": "day"},
    "finish_long": {"period": "day"},
    "finish_curve": {"kind": "roc", "period": "day", **ROWS},
    "mcnemar": {"label": "y", "baseline": "s", "candidate": "t"},
    "two_proportions": {"label": "y", "category": "c"},
    "chi_square": {"column": "c"},
    "bradley_terry": {},
    "agreement": {"measures": "gwet", "item": "i", "rater": "r", "value": "v"},
}
#: options of Python alone: what comes after the statement reads them
IN_PYTHON = {("bradley_terry", "interval")}
#: what an option of a call needs besides
BESIDE: dict[tuple[str, str], dict[str, Any]] = {
    ("compare", "n_resamples"): {"test": "bootstrap"},
    ("compare", "tightest_at"): {"test": "anytime"},
    ("compare", "period"): {"of_state": True},
    ("compare", "made_where"): {"of_state": True, "period": "day"},
    ("explain_change", "made_where"): {"of_state": True},
    ("drift", "made_where"): {"of_state": True, "made_period": "day"},
    ("drift", "period"): {"reference": None, "before": "1", "after": "2"},
    ("confusion_matrix", "score"): {"prediction": None},
    ("confusion_matrix", "positive"): {"prediction": None, "score": "s"},
    # lists are drawn by group=
    **{
        ("draw_labels", option): {"key": None}
        for option in (
            "group",
            "item",
            "max_grade",
            "ties",
            "convention",
            "on_duplicate",
            "unjudged",
            "positive",
        )
    },
}
OF_TESTS = [call for call in TAKEN if call not in WORDS]  # of dbt, which render nothing outside of it
CALLS = [call for call in TAKEN if call not in OF_TESTS]


def rendered(call: str, metric: str, **given: Any) -> str:
    """The statement of a call without its stamp, or why there is none."""
    own = signature(call).parameters
    asked = {"metrics": metric, "metric": metric, "relation": "t"}
    arguments = {name: value for name, value in asked.items() if name in own} | given
    try:
        return str(WORDS[call](**arguments)).partition("\n")[2]
    except sm.SqlMetricsError as error:
        return f"refused: {error}"


def base(call: str, others: dict[str, Any]) -> dict[str, Any]:
    """What a call is given besides an option."""
    return {name: other for name, other in others.items() if name in TAKEN[call]} | NEEDED.get(call, {})


@pytest.mark.slow
@pytest.mark.parametrize("call", CALLS)
def test_an_option_that_is_taken_changes_the_statement(call: str) -> None:
    """In at least one case: of the metric beside it, or of lists."""
    plain: dict[str, str] = {}

    def changes(option: str, metric: str, others: dict[str, Any]) -> bool:
        given = base(call, others) | BESIDE.get((call, option), {})
        found = rendered(call, metric, **{**given, option: CHANGED[option][0]})
        given.pop(option, None)
        key = f"{metric} {given}"  # many options have one statement without them
        plain[key] = plain.get(key) or rendered(call, metric, **given)
        return not found.startswith("refused") and found != plain[key]

    passed_over = [
        option
        for option, (_, *case) in CHANGED.items()
        if option in TAKEN[call] and option not in NEEDED.get(call, {})
        if not any(changes(option, metric, others) for metric, others in (case, ("mrr", LISTS)))
    ]
    assert passed_over == []


@pytest.mark.slow
@pytest.mark.parametrize("call", CALLS)
def test_an_option_that_is_not_taken_is_refused(call: str) -> None:
    """By macros, which dbt calls; Python's functions do not declare it."""
    declared = {
        option
        for name in (call, f"render_{call}")
        if hasattr(sm, name)
        for option in inspect.signature(getattr(sm, name)).parameters
    }
    for option, (value, metric, others) in CHANGED.items():
        if option in TAKEN[call]:
            continue
        refused = rendered(call, metric, **{**base(call, others), option: value})
        start, _, taken = refused.partition(" It takes: ")
        why = WORDS.why_not_taken(call, option) or "leave it out"
        assert start == f"refused: {call} takes no {option}=; {why}."
        assert option not in taken.split(", ")
        assert option not in declared or option not in OPTIONS or (call, option) in IN_PYTHON


@pytest.mark.parametrize("call", CALLS)
def test_a_default_is_taken_everywhere(call: str) -> None:
    """Facts that are stored once may say more than a call reads, as long as they say nothing."""
    _, metric, others = CHANGED["by"]
    given = base(call, others)
    further = {name: value for name, value in DEFAULTS.items() if name not in TAKEN[call]}
    assert rendered(call, metric, **given, **further) == rendered(call, metric, **given)


def python(call: str) -> Callable[..., Any]:
    """The function of Python that takes what a macro takes."""
    named = {"evaluate": "render", "evaluate_long": "render", "finish_long": "render_finish"}
    rendering = named.get(call, f"render_{call}")
    return getattr(sm, rendering, None) or getattr(sm, call)


@pytest.mark.parametrize("call", [call for call in CALLS if call != "finish_curve"])
def test_signatures_of_python_follow_the_table(call: str) -> None:
    """Python decides itself how scores are read, and whether data is stored."""
    declared = {
        name for name in inspect.signature(python(call)).parameters if name in TAKEN[call] or name in OPTIONS
    }
    own = {"relation", "dialect", "on_bad_rows", "connection"}
    assert set(TAKEN[call]) - {"read_once", "score_levels", *own} <= declared
    assert declared - own <= set(TAKEN[call])


def test_the_table_names_arguments_of_macros() -> None:
    facts = parameters("facts")
    for call, names in TAKEN.items():
        own = parameters(call if call in WORDS else f"test_{call}")
        further = {*facts, *parameters("compare_plan"), *parameters("drift_plan"), *own}
        further |= {
            *parameters("sample_size_plan"),
            *parameters("plan_of_labels"),
            *parameters("plan_of_draw"),
        }
        assert set(names) <= further, call
        assert len(names) == len(set(names)), call
    shared = [name for name in DEFAULTS if name in facts and name not in ("label",)]
    empty = [name for name in shared if facts[name] != DEFAULTS[name]]
    assert empty == []


#: an option that is passed over without another one
ALONE = [
    ("auc", {"truth_by": ["c"], "by": "c"}, "truth_by= needs truth="),
    ("mrr", {"group": "g", "item": "i", "subtopic": "v"}, "subtopic= needs truth="),
    ("mrr", {"group": "g", "truth": "judged"}, "truth= needs group= and item="),
    ("mrr", {"group": "g", "on_extra": "error"}, "on_extra='error' needs truth="),
    ("mrr", {"group": "g", "on_duplicate": "first"}, "on_duplicate='first' needs item="),
    ("auc", {"category": "kind"}, "category= needs catalog="),
    ("auc", {"ties": "worst"}, "ties= needs group="),
    ("auc", {"interval_method": "logit"}, "interval_method= needs interval="),
    ("auc", {"tightest_at": 500}, "tightest_at= needs interval_method='anytime'"),
    ("auc", {"n_resamples": 500}, "n_resamples= needs interval="),
    ("auc", {"total_name": "all"}, "total_name= needs by= and total="),
    ("auc", {"by": "c", "total": False, "total_name": "all"}, "total_name= needs by= and total="),
]  # fmt: skip


def test_the_usual_value_needs_nothing() -> None:
    assert rendered("evaluate", "auc", **ROWS, ties="average") == rendered("evaluate", "auc", **ROWS)


#: what a call says in the words of its own table
MEANT = [
    (
        "compare", "mrr", {**LISTS, "score": None, "baseline": "s", "candidate": "t", "n_resamples": 50},
        "n_resamples= is the number of draws of test='randomisation' and 'bootstrap'; leave it out",
    ),
    (
        "compare", "mrr", {**LISTS, "score": None, "baseline": "s", "candidate": "t", "tightest_at": 500},
        "tightest_at= is the number of units at which intervals of test='anytime' are tightest; pass this test, or",
    ),
    (
        "explain_change", "brier", {**ROWS, **NEEDED["explain_change"], "of_state": True, "interval": 0.9},
        "A state has no sums of squares, and so no intervals; leave interval= out",
    ),
    ("evaluate", "log_loss", {**ROWS, "total": 5}, "total must be true or false, got 5"),
    ("evaluate", "log_loss", {**ROWS, "by": "c", "total_name": ""}, "total_name must be a text such as 'all'"),
]  # fmt: skip


@pytest.mark.parametrize(("call", "metric", "given", "message"), MEANT)
def test_what_means_nothing_beside_other_options(call: str, metric: str, given: dict, message: str) -> None:
    assert rendered(call, metric, **given).startswith(f"refused: {message}")


@pytest.mark.parametrize(("metric", "given", "message"), ALONE)
def test_an_option_needs_the_one_without_which_it_means_nothing(
    metric: str, given: dict[str, Any], message: str
) -> None:
    assert rendered("evaluate", metric, **ROWS, **given).startswith(f"refused: {message}")
    assert told(sm.render, "t", metric, **ROWS, **given).startswith(message)


@pytest.mark.parametrize(
    ("call", "word", "meant"),
    [
        ("evaluate", "lable", "label"),
        ("evaluate", "max_grades", "max_grade"),
        ("evaluate", "group_by", "by"),
        ("evaluate", "pos_label", "positive"),
        ("state", "confidence", None),  # it takes no interval=
        ("evaluate", "threshold", None),
        ("no_drift", "label", None),  # an option of others
    ],
)
def test_what_an_unknown_argument_may_mean(call: str, word: str, meant: str | None) -> None:
    said = f". Did you mean '{meant}'?" if meant else "; leave it out."
    assert f"{call} takes no {word}={said} It takes: " in told(WORDS.options_taken, call, {word: "x"})
