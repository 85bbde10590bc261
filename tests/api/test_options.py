"""Options are declared once: signatures, documentation, command line and macros say the same of them."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Mapping
from typing import Any, Literal, get_type_hints

import pytest

import sqlmetrics as sm
from sqlmetrics.api.compare import Correction, Family, OnUnpaired, Pairs, Test
from sqlmetrics.book import catalog
from sqlmetrics.book.conventions import convention_names
from sqlmetrics.book.signatures import parameters
from sqlmetrics.book.templates import macros
from sqlmetrics.cli import program
from sqlmetrics.given.arrays import ROLES
from sqlmetrics.given.facts import named_facts, opened
from sqlmetrics.given.reads import Reads
from sqlmetrics.options import OPTIONS, Convention, CurveKind, Key, Names, Options, choices
from support import dbt_schema

HINTS = get_type_hints(Options)
DEFAULTS = Options()
REQUIRED = inspect.Parameter.empty
#: the options that macros get
OF_MACROS = [name for name, option in OPTIONS.items() if not option.python_only]
#: the public functions that take options, with what may be passed to them by keyword alone
TAKEN = {
    name: {
        parameter.name: parameter
        for parameter in inspect.signature(getattr(sm, name), eval_str=True).parameters.values()
        if parameter.kind is parameter.KEYWORD_ONLY
    }
    for name in sm.__all__
    if inspect.isfunction(getattr(sm, name)) and not name.startswith(("read_", "install", "example"))
}
IN_SQL = (str | None, None)
IN_DIALECT = {"dialect": (str, "duckdb")}  # which follows from no connection
NAMED_GROUP = {"group": (Key | Mapping[str, str], None)}  # a column of the result
OF_CLASSES = {"label": (str, REQUIRED), "prediction": (str, REQUIRED)}
OF_CELLS = {"label": (str, REQUIRED)}  # a score may stand for the prediction
# columns to search, and always an interval
SEARCHED = {"by": (Names, REQUIRED), "interval": (float, 0.95)}
ONE_SCORE = {"score": (str | None, None)}
#: options that a function declares otherwise: function -> option -> type and default
DIFFERENT: dict[str, dict[str, tuple[Any, Any]]] = {
    "render": {**dict.fromkeys(("truth", "catalog", "history", "distances"), IN_SQL), **IN_DIALECT},
    "render_class_report": {**OF_CLASSES, **IN_DIALECT},
    "render_compare": {"interval": (float, 0.95), "n_resamples": (int, 1000), "truth": IN_SQL, **IN_DIALECT},
    "render_sample_size": {"interval": (float, 0.95), "truth": IN_SQL, **IN_DIALECT},
    "render_confusion_matrix": {**OF_CELLS, **IN_DIALECT},
    "find_slices": SEARCHED,
    "render_drift": IN_DIALECT,
    "render_find_slices": {**SEARCHED, **IN_DIALECT},
    "explain_change": {**SEARCHED, **ONE_SCORE},
    "render_explain_change": {**SEARCHED, **ONE_SCORE, **IN_DIALECT},
    "render_curve": IN_DIALECT,
    "render_per_group": {"truth": IN_SQL, **NAMED_GROUP, **IN_DIALECT},
    "render_leaderboard": {"interval": (float, 0.95), "truth": IN_SQL, **IN_DIALECT},
    "leaderboard": {"interval": (float, 0.95)},
    "plan_labels": {"interval": (float, 0.95), **ONE_SCORE},
    "render_plan_labels": {"interval": (float, 0.95), **ONE_SCORE, **IN_DIALECT},
    "render_draw_labels": {"interval": (float, 0.95), **ONE_SCORE, **IN_DIALECT},
    "render_state": IN_DIALECT,
    "render_finish": IN_DIALECT,
    "per_group": NAMED_GROUP,
    # comparisons always have an interval, and tests by draws need more of them
    "compare": {"interval": (float, 0.95), "n_resamples": (int, 1000)},
    "sample_size": {"interval": (float, 0.95)},
    "report": {"interval": (float | None, 0.95)},  # a page has intervals
    "agreement": {"interval": (float, 0.95)},
    "render_agreement": {"interval": (float, 0.95), **IN_DIALECT},
    "bradley_terry": {"interval": (float, 0.95)},
    "render_bradley_terry": IN_DIALECT,
    "mcnemar": {"interval": (float, 0.95)},
    "two_proportions": {"interval": (float, 0.95)},
    "confusion_matrix": OF_CELLS,
    "class_report": OF_CLASSES,
    "explain_difference": {"score": IN_SQL},  # one model
    "trec": {"positive": (int | None, None)},  # grades are integers
}


@pytest.mark.parametrize("function", TAKEN)
def test_signatures(function: str) -> None:
    declared = {name: (HINTS[name], getattr(DEFAULTS, name)) for name in OPTIONS if name in TAKEN[function]}
    said = {name: (TAKEN[function][name].annotation, TAKEN[function][name].default) for name in declared}
    assert said == declared | DIFFERENT.get(function, {})


def test_evaluate_and_render_take_every_option() -> None:
    assert {*TAKEN["evaluate"], *TAKEN["render"]} == {*OPTIONS, *ROLES}


def explained(function: Callable[..., Any]) -> dict[str, str]:
    """The arguments that a docstring explains."""
    section = (inspect.getdoc(function) or "").split("Args:\n")[1].split("\n\n")[0]
    found = re.findall(r"^    (\w+(?:, \w+)*): (.*(?:\n {8}.*)*)", section, flags=re.MULTILINE)
    return {name: " ".join(text.split()) for names, text in found for name in names.split(", ")}


def test_docstrings_explain_every_option() -> None:
    known = explained(sm.evaluate)
    assert set(known) == {*TAKEN["evaluate"], "data", "metrics"}
    assert set(TAKEN["render"]) - set(known) <= {*explained(sm.render), "truth_by"}


def test_macros_take_and_explain_every_option() -> None:
    taken = parameters("facts")
    assert [name for name in OF_MACROS if name not in taken] == []
    empty = {"by": [], "truth_by": []}  # None for Python, as any iterable will do
    assert {name: taken[name] for name in OF_MACROS} == {
        name: empty.get(name, getattr(DEFAULTS, name)) for name in OF_MACROS
    }
    assert [name for name in OF_MACROS if name not in dbt_schema.arguments("evaluate")] == []


def test_every_option_reaches_the_macros() -> None:
    named = named_facts("t", Options(dialect="duckdb"))
    with opened([{"y": 1}], Options(), reads=Reads()) as given:
        assert [name for name in OF_MACROS if name not in named or name not in given.facts] == []
    assert named_facts("t", Options(dialect="duckdb", n_resamples=7))["n_resamples"] == 7


#: conventions are many, and `conventions()` lists them
CHOICES = [(name, choices(HINTS[name])) for name in OPTIONS if choices(HINTS[name]) and name != "convention"]


@pytest.mark.parametrize(("name", "words"), CHOICES)
def test_words_of_a_choice_are_explained_everywhere(name: str, words: tuple[str, ...]) -> None:
    texts = [OPTIONS[name].sentence]
    if name != "on_bad_rows":  # Python's own
        texts.append(dbt_schema.arguments("evaluate")[name])
    texts.append(({**explained(sm.render), **explained(sm.evaluate)})[name])
    for text in texts:
        assert [word for word in words if word not in text] == [], text


def refusal(call: Callable[..., Any], *args: Any, **kwargs: Any) -> str:
    with pytest.raises(sm.SqlMetricsError) as refused:
        call(*args, **kwargs)
    return str(refused.value)


@pytest.mark.parametrize(("name", "words"), CHOICES)
def test_words_of_a_choice_are_those_that_are_allowed(name: str, words: tuple[str, ...]) -> None:
    facts: dict[str, Any] = {"relation": "t", "item": "i", "interval": 0.9, "truth": "j", "group": "g"}
    if name == "on_bad_rows":
        refused = refusal(sm.evaluate, [{"y": 1}], "auc", on_bad_rows="bogus")
        assert set(re.findall(r"'(\w+)'", refused)) - {"bogus"} == set(words)
        return
    words_of_sql = macros("duckdb")
    question = words_of_sql["question"]()
    if "Allowed: " in (refused := refusal(words_of_sql["facts"], question, **facts, **{name: "bogus"})):
        assert refused.split("Allowed: ")[1].split(", ") == list(words)
    for word in words:
        assert words_of_sql["facts"](question, **facts, **{name: word})[name] == word
        assert word in refused


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("test", Test),
        ("correction", Correction),
        ("on_unpaired", OnUnpaired),
        ("pairs", Pairs),
        ("family", Family),
    ],
)
def test_words_of_a_choice_of_compare(name: str, kind: Any) -> None:
    rows = [{"y": 1, "p": 0.5, "q": 0.4, "g": 1}]
    roles = {"label": "y", "group": "g", "baseline": "p", "candidate": "q"}
    refused = refusal(sm.compare, rows, "mrr", **roles, **{name: "bogus"})
    assert refused.split("Allowed: ")[1].split(", ") == list(choices(kind))
    assert choices(TAKEN["compare"][name].annotation) == choices(kind)
    assert [word for word in choices(kind) if f"`{word}`" not in explained(sm.compare)[name]] == []


def test_words_of_conventions_and_curves_are_those_of_the_macros() -> None:
    assert list(choices(HINTS["convention"])) == convention_names()
    assert set(choices(CurveKind)) == set(catalog.curves())
    for name in ("curve", "render_curve", "finish_curve"):
        assert inspect.signature(getattr(sm, name), eval_str=True).parameters["kind"].annotation == CurveKind
    for name in ("first", "second"):
        taken = inspect.signature(sm.explain_difference, eval_str=True).parameters[name].annotation
        assert taken == Convention | Literal["default"]


@pytest.mark.parametrize(("command", "function"), [("evaluate", "evaluate"), ("sql", "render")])
def test_command_line_says_what_is_declared(command: str, function: str) -> None:
    shown = {option.name: option for option in program.command_line().commands[command].params}
    own = {*DIFFERENT.get(function, {}), "connection"}
    for name in [name for name in TAKEN[function] if name in OPTIONS and name not in own]:
        if name == "dialect" and name not in shown:
            continue
        assert shown[name].help == OPTIONS[name].sentence
        if (words := choices(HINTS[name])) and OPTIONS[name].written is None:
            assert shown[name].metavar == "|".join(words)
