"""A value that no parameter foresees ends in a result or in one SqlMetricsError, in every parameter of every function.

The parameters come from the signatures. Each gets every value of `values` once, in a small call that is valid
otherwise. `tests/api/test_state_security.py` has hostile contents of states.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any
from zlib import crc32

import duckdb
import pytest

import sqlmetrics as sm
from sqlmetrics.errors import printable

#: values that are tried inside a list and a mapping, too, where a parameter takes such
INSIDE = ("none", "empty text", "empty list", "negative", "nul", "surrogate", "integer keys")
FUNCTIONS = sorted(
    name
    for name in sm.__all__
    if inspect.isfunction(getattr(sm, name)) and inspect.signature(getattr(sm, name)).parameters
)
#: parameter -> the functions that have it
SHARED: dict[str, list[str]] = {}
for _name in FUNCTIONS:
    for _parameter in inspect.signature(getattr(sm, _name)).parameters:
        SHARED.setdefault(_parameter, []).append(_name)
ROWS = [
    {"u": u, "i": i, "y": (u + i) % 2, "p": i / 3 + u / 10, "q": u / 3 - i / 10, "c": (u * i) % 2, "w": 1 + i}
    for u in range(3)
    for i in range(3)
]
TRUTH = [{"u": u, "i": i, "y": (u + i) % 2, "t": i % 2} for u in range(3) for i in range(3)]
ITEMS = [{"i": i, "k": i % 2} for i in range(4)]
DISTANCES = [{"item_a": a, "item_b": b, "distance": 0.5} for a in range(4) for b in range(a)]
BATTLES = [
    {"model_a": a, "model_b": b, "winner": "model_a", "c": a, "w": 1} for a, b in ("xy", "yz", "zx", "yx")
]
LISTS = {"score": "p", "group": "u", "item": "i"}


def values(folder: Path) -> dict[str, Any]:
    """The hostile values by name."""
    return {
        "none": None,
        "empty text": "",
        "blank": " ",
        "empty list": [],
        "empty dict": {},
        "zero": 0,
        "negative": -1,
        "nan": float("nan"),
        "infinite": float("inf"),
        "decimal": Decimal("0.5"),
        "huge": 10**400,
        "true": True,
        "bytes": b"y",
        "complex": 1j,
        "object": object(),
        "nul": "y\0z",
        "surrogate": "y\udc80",
        "long text": "y" * 300,
        "quotes": """y'"`]z""",
        "lines": "y\nz\r\x1b[31m",
        "holes": "{score} %s %(y)s {{ 1 }} {% do %} {0} $1",
        "list": ["y", "y"],
        "nested list": [["y"], [1, [None]]],
        "tuple of none": (None,),
        "iterator": iter(["y"]),
        "integer keys": {1: 2, "1": 3},
        "nested dict": {"sql": "y", "b": {"a": []}},
        "broken sql": sm.sql("y) from ("),
        "absent file": folder / "absent.parquet",
        "folder": folder,
        "nobody's home": "~nobody-of-this-name/y",
    }


def calls(folder: Path) -> dict[str, list[dict[str, Any]]]:
    """One or more valid calls of each function."""
    run, qrels, evals = folder / "a.run", folder / "a.qrels", folder / "evals.jsonl"
    evals.write_text('{"sample": "a", "value": 1}\n')
    run.write_text("1 Q0 a 1 2.5 x\n1 Q0 b 2 1.5 x\n")
    qrels.write_text("1 0 a 1\n1 0 b 0\n")
    stored = folder / "report.json"
    stored.write_text(sm.evaluate(ROWS, "brier", label="y", score="p").to_json())
    classes = {"data": ROWS, "label": "y", "prediction": "c"}
    with_truth = {"truth": TRUTH, "label": "y", **LISTS}
    rendered = {"label": "y", **LISTS}
    of_a_table = {"relation": "t", "label": "y"}
    of_brier = {"data": ROWS, "metrics": "brier", "label": "y", "score": "p"}
    of_days = {"metrics": "brier", "period": "u", "label": "y", "score": "p"}
    sliced = sm.state(ROWS, **of_days | {"period": "y", "by": "c"})
    return {
        "agreement": [
            {"data": ROWS, "measures": "gwet", "item": "u", "rater": "i", "value": "c"},
            {"data": ROWS, "measures": "cohen", "raters": ["y", "c"]},
        ],
        "bradley_terry": [{"data": BATTLES, "cluster": "c", "weight": "w"}],
        "check": [],  # below, since its gates have no keyword
        "chi_square": [{"data": ROWS, "column": "y", "other": "c"}, {"data": ROWS, "column": "y"}],
        "class_report": [classes],
        "compare": [
            {"data": ROWS, "metrics": "brier", "baseline": "p", "candidate": "q", "label": "y", "weight": "w"}
        ],
        "sample_size": [
            {
                "data": ROWS,
                "metrics": "brier",
                "baseline": "p",
                "candidate": "q",
                "label": "y",
                "difference": 0.1,
            },
            {"data": ROWS, "metrics": "brier", "baseline": "p", "label": "y", "n": 9},
        ],
        "confusion_matrix": [classes],
        "curve": [{"kind": "roc", "data": ROWS, "label": "y", "score": "p"}],
        "data": [{"data": ROWS, "label": "y", "score": "p"}],
        "describe": [{"name": "auc"}],
        "drift": [
            {"data": ROWS, "reference": ROWS, "columns": "p", "by": "c"},
            {"data": ROWS, "columns": "p", "period": "y", "before": 0, "after": 1},
            {"data": sliced, "columns": "c", "before": 0, "after": 1},
            {"data": sliced, "reference": sliced, "columns": "c"},
        ],
        "example": [{"name": "search"}],
        "evaluate": [
            of_brier,
            {"metrics": "auc", "y_true": [0, 1], "y_score": [0.1, 0.2]},
            {"data": ROWS, "metrics": "mrr", "subtopic": "t", **with_truth},
            {
                "data": ROWS,
                "metrics": "diversity@2",
                "catalog": ITEMS,
                "history": TRUTH,
                "distances": DISTANCES,
                **LISTS,
            },
        ],
        "explain_difference": [
            {"data": ROWS, "metric": "mrr", "first": "default", "second": "trec_eval", "label": "y", **LISTS}
        ],
        "explain_change": [
            {
                "data": ROWS,
                "metric": "brier",
                "label": "y",
                "score": "p",
                "by": "c",
                "period": "y",
                "before": 0,
                "after": 1,
            }
        ],
        "find_slices": [{**of_brier, "by": "c", "min_units": 1}],
        "finish": [{"state": sm.state(ROWS, **of_days), "metrics": "brier"}],
        "semantic": [
            {"state": sm.state(ROWS, **of_days), "metrics": "brier", "table": "t", "format": "cube"}
        ],
        "finish_curve": [{"kind": "roc", "state": sm.state(ROWS, **of_days | {"metrics": "auc"})}],
        "install": [],  # below
        "leaderboard": [{"data": ROWS, "metrics": "brier", "label": "y", "score": ["p", "q"]}],
        "mcnemar": [{"data": ROWS, "label": "y", "baseline": "c", "candidate": "y"}],
        "per_group": [{"data": ROWS, "metrics": "mrr", "label": "y", **LISTS}],
        "plan_labels": [{**of_brier, "gold": "c", "by": "i", "budget": 2}],
        "read_evals": [{"path": evals}],
        "read_qrels": [{"path": qrels}],
        "read_report": [{"path": stored}],
        "read_run": [{"path": run}],
        "render": [
            {"metrics": "auc", "relation": "t", "label": "y", "score": "p"},
            {"metrics": "mrr", "relation": "t", "truth": "j", "by": "c", "truth_by": "c", **rendered},
        ],
        "render_agreement": [{"relation": "t", "measures": "gwet", "item": "u", "rater": "i", "value": "c"}],
        "render_bradley_terry": [{"relation": "t", "cluster": "c", "weight": "w"}],
        "render_class_report": [{**of_a_table, "prediction": "c"}],
        "render_sample_size": [{"metrics": "brier", "baseline": "p", "candidate": "q", "n": 9, **of_a_table}],
        "render_compare": [
            {"metrics": "brier", "baseline": "p", "candidate": "q", "weight": "w", **of_a_table},
            {"metrics": "brier", "baseline": "p", "candidate": "q", "other": "s", "item": "i", **of_a_table},
        ],
        "render_confusion_matrix": [{**of_a_table, "prediction": "c"}],
        "render_curve": [{"kind": "roc", "relation": "t", "label": "y", "score": "p"}],
        "render_drift": [
            {"relation": "t", "reference": "s", "columns": "p", "by": "c", "numeric": "p"},
            {
                "relation": "t",
                "reference": "s",
                "columns": "c",
                "of_state": True,
                "made_period": "u",
                "made_where": "y > 0",
            },
        ],
        "render_finish": [{"relation": "t", **of_days}],
        "render_explain_change": [
            {
                "metric": "brier",
                "relation": "t",
                "label": "y",
                "score": "p",
                "by": "c",
                "period": "d",
                "before": 1,
                "after": 2,
            }
        ],
        "render_find_slices": [{"metrics": "brier", "relation": "t", "label": "y", "score": "p", "by": "c"}],
        "render_leaderboard": [{"metrics": "brier", "score": ["p", "q"], **of_a_table}],
        "render_per_group": [{"metrics": "mrr", "relation": "t", **rendered}],
        "render_plan_labels": [{"metrics": "brier", "score": "p", "gold": "c", "budget": 2, **of_a_table}],
        "render_draw_labels": [
            {"metrics": "brier", "score": "p", "gold": "c", "by": "i", "budget": 2, "key": "u", **of_a_table},
            {"metrics": "mrr", "gold": "c", "budget": 2, **rendered, "relation": "t"},
        ],
        "render_state": [{"relation": "t", **of_days}],
        "report": [
            {
                **of_brier,
                "baseline": None,
                "curves": [],
                "title": None,
                "by": None,
                "where": None,
                "interval": None,
                "progress": False,
            }
        ],
        "score_function": [{"metric": "auc"}],
        "scorer": [{"metric": "auc"}],
        "state": [{"data": ROWS, **of_days}],
        "trec": [{"run": run, "qrels": qrels, "metrics": "map"}],
        "two_proportions": [{"data": ROWS, "label": "y", "category": "c"}],
    }


def hostile(function: str, folder: Path) -> Iterator[tuple[dict[str, Any], str, str, Any]]:
    """Valid calls, each with a parameter, the name of a value and the value.

    The first call of a function walks every parameter, a further one those that no earlier call has. `report` walks
    those of its call; it hands the others to `evaluate`, which has them.
    """
    parameters = inspect.signature(getattr(sm, function)).parameters
    walked: set[str] = set()
    for call in calls(folder)[function]:
        for parameter in [
            parameters[name]
            for name in (call if walked or function == "report" else parameters)
            if name not in walked
        ]:
            for name, value in offered(str(parameter.annotation), call.get(parameter.name, "y"), folder):
                if value is not parameter.default:
                    yield call, parameter.name, name, value
        walked |= call.keys()


def offered(kind: str, valid: Any, folder: Path) -> Iterator[tuple[str, Any]]:
    """The values for a parameter of a type, by name; `valid` is a value that it takes."""
    plain = values(folder)
    yield from plain.items()
    for name in INSIDE:
        if any(several in kind for several in ("Iterable", "Sequence", "Names", "Metrics", "Paths", "Any")):
            yield f"list of {name}", [plain[name]]
        if any(several in kind for several in ("Mapping", "Score", "Metrics")):
            yield f"mapping of {name}", {"m": plain[name]}
            if plain[name].__hash__:
                yield f"mapping by {name}", {plain[name]: valid}


def is_in_turn(function: str, parameter: str, value: str) -> bool:
    """Whether a value is tried on a function: of an option that functions share, on a third of them, which differ."""
    sharing = SHARED[parameter]
    return len(sharing) < 3 or (sharing.index(function) + crc32(f"{parameter} {value}".encode())) % 3 == 0


def fault(function: str, call: dict[str, Any]) -> str | None:
    """What is wrong with the end of a call; None for a result, and for one error of one line without our SQL."""
    try:
        repr(getattr(sm, function)(**call))
    except sm.SqlMetricsError as error:
        message = str(error)
        if (
            type(error) in (sm.SqlMetricsError, sm.DataError)
            and message.strip()
            and message == printable(message)
        ):
            return message[:200] if "sm_" in message or len(message) > 1200 else None
        return repr(message[:200])
    except Exception as error:
        return f"{type(error).__name__}: {error!s:.200}"
    return None


@pytest.mark.slow
def test_every_function_is_called(tmp_path: Path) -> None:
    """1,000 calls are far fewer than there are; a walk that finds no parameters would pass in silence."""
    known = calls(tmp_path)
    assert sorted(known) == FUNCTIONS
    assert [name for name, valid in known.items() for call in valid if fault(name, call)] == []
    assert sum(1 for name in known for _ in hostile(name, tmp_path)) > 4_000


@pytest.mark.slow
@pytest.mark.parametrize("function", FUNCTIONS)
def test_a_hostile_value_is_one_error(function: str, tmp_path: Path, pytestconfig: pytest.Config) -> None:
    every = pytestconfig.getoption("long")
    found = [
        f"{parameter}={name}: {wrong}"
        for call, parameter, name, value in hostile(function, tmp_path)
        if (every or is_in_turn(function, parameter, name))
        and (wrong := fault(function, {**call, parameter: value}))
    ]
    assert found == []


@pytest.mark.slow
def test_numbers_of_other_types() -> None:
    """Those of numpy, decimals and fractions count as Python's own."""
    numpy = pytest.importorskip("numpy")
    # several threads add the resamples up in any order, which moves a last digit
    alone = duckdb.connect(config={"threads": 1})
    facts = {"data": ROWS, "label": "y", "baseline": "p", "candidate": "q", "connection": alone}
    plain = {"positive": 1, "interval": 0.5, "power": 0.75, "n_resamples": 20}
    asked = {"metrics": ["ks", "auc"], "test": "bootstrap", **facts}
    expected = sm.compare(**asked, **plain).to_dicts()
    for other in (
        {"positive": Decimal(1), "interval": Decimal("0.5"), "power": Decimal("0.75")},
        {"positive": Fraction(1), "interval": Fraction(1, 2), "power": Fraction(3, 4)},
        {"positive": numpy.int8(1), "interval": numpy.float32(0.5), "power": numpy.float64(0.75)}
        | {"n_resamples": numpy.int64(20)},
    ):
        assert sm.compare(**asked | plain | other).to_dicts() == expected


@pytest.mark.slow
def test_check(tmp_path: Path) -> None:
    """Each gate that fails has a line of its own; any other refusal is one line."""
    report = sm.evaluate(ROWS, "mae", label="y", score="p", by="c")
    compared = sm.compare(ROWS, "mae", label="y", baseline="p", candidate="q")
    forms = ("mae >= {}", "{} >= 0", "mae {} 1", "mae({}) <= 9", "mae <= 9, {}")
    lines: list[str] = []
    for value in values(tmp_path).values():
        gates = [value, *(form.format(value) for form in forms)]
        for result, gate in [
            (value, "mae <= 9"),
            *((one, gate) for one in (report, compared) for gate in gates),
        ]:
            for options in ({}, {"slices": value}, {"fail_null": value}):
                try:
                    repr(sm.check(result, gate, **options))
                except sm.GateError as error:
                    lines += str(error).splitlines()
                except sm.SqlMetricsError as error:
                    lines.append(str(error))
    assert len(lines) > 500
    assert [line for line in lines if line != printable(line) or len(line) > 1200] == []


@pytest.mark.slow
def test_install(tmp_path: Path) -> None:
    """It takes two seconds, so that hostile names of a schema alone are tried."""
    plain = values(tmp_path)
    for name in ("zero", "blank", "bytes", "object", "nul", "surrogate", "lines", "empty dict"):
        assert fault("install", {"connection": plain[name]}) is None
        assert fault("install", {"connection": duckdb.connect(), "schema": plain[name]}) is None
    connection = duckdb.connect()
    assert fault("install", {"connection": connection, "schema": plain["quotes"]}) is None
    [(value,)] = connection.sql(
        """select "y'""`]z".auc(y, p) from (values (1, 0.9), (0, 0.4)) as t (y, p)"""
    ).fetchall()
    assert value == 1
