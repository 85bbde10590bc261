"""Random searches of slices, explanations of changes and drifts. A list has one value of each column of slices."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from support.fuzz.call import Call, Rows
from support.fuzz.notations import Asked, notations
from support.fuzz.scenes import ASKED_FOR, INSTALLED, NOT_AMOUNTS
from support.fuzz.searched import CONDITION, LISTS, ROWS
from support.fuzz.tables import named_by_metrics, with_holes

#: No probability of 0 or 1, of which a log loss is the greatest there is and the variance mere rounding.
SHARES = (
    st.sampled_from([0.125, 0.25, 0.5, 0.75]),
    st.integers(1, 19).map(lambda twentieth: twentieth / 20),
    st.integers(1, 999).map(lambda mille: mille / 1000),
)
COLUMNS = {
    "c": st.sampled_from(["a", "a", "b", "it's", "rare", None]),
    "d": st.sampled_from(["u", "u", "v", None]),
    "x": st.sampled_from([None, -1.5, 0.0, 1.0, 2.0, 2.0, 3.25, 8.0, float("nan"), float("inf")]),
    "day": st.sampled_from(["mon", "tue", "tue", "mon", "wed"]),
    "side": st.sampled_from([1, 2]),
    "w": st.sampled_from([1.0, 1.0, 2.5, 0.0, 0.5]),
}
#: Checks that these data fail.
BROKEN = (*ASKED_FOR, *NOT_AMOUNTS, "groups_", "examples_")
FACTS = {"label": "label", "score": "score"}
PERIODS = {"period": "day", "before": "mon", "after": "tue"}


@st.composite
def searches(draw: st.DrawFn, most: int = 3) -> Call:
    """A search, an explanation or a drift."""
    return draw(draw(st.sampled_from([found, found, explained, explained, drifted]))(most))


@st.composite
def units(draw: st.DrawFn, in_lists: bool, name: str = "q") -> Rows:
    """Rows, each alone or in lists of up to four."""
    share = draw(st.sampled_from(SHARES))
    of_row = st.fixed_dictionaries(
        {"label": st.sampled_from([0, 1]), "score": share, "other": share, "u": COLUMNS["w"]}
    )
    size = st.lists(of_row, min_size=1, max_size=4 if in_lists else 1)
    of_list = st.fixed_dictionaries({**COLUMNS, "rows": size})
    most = 24 if in_lists else 48
    lists = draw(st.lists(of_list, min_size=draw(st.integers(1, most)), max_size=most))
    return [
        {
            **named_by_metrics(i),
            "list": f"{name}{i}",
            **{key: cell for key, cell in one.items() if key != "rows"},
            **row,
        }
        for i, one in enumerate(lists)
        for row in one["rows"]
    ]


@st.composite
def metrics_of(draw: st.DrawFn, function: str, facts: dict[str, Any], most: int) -> list[str]:
    """Metrics of which it is known what a unit adds to them, and at times any."""
    known = [*ROWS, *(LISTS if "group" in facts else ())]
    if function == "explain_change":
        known = [one for one in known if one != "rmse"]  # a root
    elif "weight" not in facts:
        known += ["auc", "gini"]
    if draw(st.integers(0, 2)):
        return draw(st.lists(st.sampled_from(known), min_size=1, max_size=most, unique=True))
    read = ("label", "score", "baseline", "candidate", "group", "weight")
    few = {name: fact for name, fact in facts.items() if name in read} | {"by": ["c"]}
    few |= PERIODS if function == "explain_change" else {}
    return draw(notations(Asked(function, few, BROKEN), most))


@st.composite
def found(draw: st.DrawFn, most: int) -> Call:
    """A search of slices, of one model or of two."""
    in_lists = draw(st.booleans())
    rows = draw(units(in_lists))
    by = draw(st.lists(st.sampled_from(["c", "d", "x"]), min_size=1, max_size=3, unique=True))
    facts = {**FACTS, "by": by, "min_units": draw(st.integers(2, 6)), **draw(common(in_lists, rows))}
    facts["depth"] = draw(st.integers(1, 3))
    facts["max_values"] = draw(st.integers(1, 4))
    if "x" in by:
        facts |= {"numeric": ["x"], "bins": draw(st.integers(2, 5))}
    if draw(st.booleans()):
        del facts["score"]
        facts |= {"baseline": "score", "candidate": "other"}
    metrics = draw(metrics_of("find_slices", facts, most))
    return draw(holed("find_slices", metrics, rows, facts, {}))


@st.composite
def explained(draw: st.DrawFn, most: int) -> Call:
    """The change of one metric between two days or two tables."""
    in_lists = draw(st.booleans())
    rows, tables = draw(units(in_lists)), {}
    facts = {
        **FACTS,
        "by": draw(st.sampled_from([["c"], ["d"], ["c", "d"]])),
        **draw(common(in_lists, rows)),
    }
    if draw(st.booleans()):
        facts |= PERIODS
    else:
        tables = {"reference": draw(units(in_lists, "p"))}
    if draw(st.booleans()):
        facts["base"] = "before"
    metrics = draw(metrics_of("explain_change", facts | {name: name for name in tables}, 1))
    return draw(holed("explain_change", metrics, rows, facts, tables))


@st.composite
def drifted(draw: st.DrawFn, most: int) -> Call:
    """The values of columns in two days or two tables."""
    rows, tables = draw(units(False)), {}
    of_all = ["c", "d", "x", "score", "side"]
    columns = draw(st.lists(st.sampled_from(of_all), min_size=1, max_size=3, unique=True))
    numeric = [name for name in columns if name in ("x", "score", "side")]
    facts: dict[str, Any] = {"columns": columns, "numeric": numeric, "bins": draw(st.integers(2, 5))}
    if draw(st.booleans()):
        facts |= PERIODS
    else:
        tables = {"reference": draw(units(False))}
    left = [name for name in ("c", "d") if name not in columns]
    if left and draw(st.booleans()):
        facts |= {"by": left[:1], "total": draw(st.booleans())}
    if draw(st.integers(0, 3)) == 0:
        facts["where"] = CONDITION
    return Call("drift", [], rows, facts, tables, draw(st.sampled_from(INSTALLED)))


@st.composite
def common(draw: st.DrawFn, in_lists: bool, rows: Rows) -> dict[str, Any]:
    """Lists, weights, a condition and a level."""
    facts: dict[str, Any] = {"group": "list"} if in_lists else {}
    if draw(st.integers(0, 2)) == 0:
        facts["weight"] = "w" if in_lists else "u"
    if draw(st.integers(0, 3)) == 0 and any(row["side"] == 1 for row in rows):
        facts["where"] = CONDITION
    if draw(st.integers(0, 3)) == 0:
        facts["interval"] = 0.8
    return facts


@st.composite
def holed(
    draw: st.DrawFn, function: str, metrics: list[str], rows: Rows, facts: Any, tables: dict[str, Rows]
) -> Call:
    """The call, at times over rows that cannot be used."""
    named = (facts.get(role) for role in ("label", "score", "baseline", "candidate", "weight"))
    before, rows = rows, draw(with_holes(rows, [name for name in named if name]))
    facts |= {"on_bad_rows": "drop"} if rows is not before else {}
    return Call(function, metrics, rows, facts, tables, draw(st.sampled_from(INSTALLED)))
