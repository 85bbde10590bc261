"""`explain_change` against its definition, on every engine: metrics of rows and lists, tables, states."""

from __future__ import annotations

import math
import random
from typing import Any

import pytest

from oracles import change as oracle
from sqlmetrics.book.templates import macros
from support.compared import close
from support.engines import Engine

Rows = list[dict[str, Any]]
FACTS = {"label": "y", "score": "p"}
PERIODS = {"period": "day", "before": "3", "after": "4"}
PARTS = ("mix", "rate", "effect")


def data(seed: int = 1) -> Rows:
    """Lists of rows in three periods. One slice is new, one is gone, one has a single list, and one is NULL."""
    draw, rows = random.Random(seed), []
    for u in range(150):
        day = draw.choice([3, 3, 4, 4, 5])
        of = {
            "day": day,
            "c": draw.choice(["a", "a", "b", None, "gone" if day == 3 else "it's new"]),
            "d": draw.choice(["x", "y", "y"]),
        }
        of["c"] = "single" if u == 7 else of["c"]
        for _ in range(draw.randint(1, 4)):
            y = int(draw.random() < (0.6 if day == 4 else 0.4))
            p = round(min(0.95, max(0.05, draw.gauss(0.3 + 0.4 * y, 0.2))), 3)
            rows.append({"u": u, **of, "y": y, "p": p, "w": 1 + u % 3})
    return rows


def log_loss(row: dict[str, Any]) -> float:
    return -math.log(row["p"] if row["y"] else 1 - row["p"])


#: the numerator and the denominator of a row
OF_ROWS: dict[str, Any] = {
    "log_loss": (log_loss, lambda row: 1),
    "precision": (lambda row: row["y"] * (row["p"] >= 0.5), lambda row: int(row["p"] >= 0.5)),
    "wape": (lambda row: abs(row["y"] - row["p"]), lambda row: row["y"]),
    "crps(quantiles='0.1: p')": (
        lambda row: 2 * max(0.1 * (row["y"] - row["p"]), 0.9 * (row["p"] - row["y"])),
        lambda row: 1,
    ),
}


def period(row: dict[str, Any]) -> str | None:
    return {3: "before", 4: "after"}.get(row["day"])


def units(rows: Rows, metric: str, by: list[str], weight: str | None = None) -> list[oracle.Unit]:
    """The rows of both periods as units."""
    n, d = OF_ROWS[metric]
    return [
        oracle.Unit(
            tuple(row[name] for name in by),
            str(period(row)),
            n(row) * (row[weight] if weight else 1),
            d(row) * (row[weight] if weight else 1),
        )
        for row in rows
        if period(row)
    ]


def together(of_rows: list[oracle.Unit], lists: list[Any]) -> list[oracle.Unit]:
    """The units of rows, added up by list, slice and period."""
    found: dict[Any, oracle.Unit] = {}
    for unit, name in zip(of_rows, lists, strict=True):
        key = name, unit.slice, unit.period
        n, d = (found[key].n, found[key].d) if key in found else (0, 0)
        found[key] = unit._replace(n=n + unit.n, d=d + unit.d)
    return list(found.values())


def check(
    got: Rows, of: list[oracle.Unit], by: list[str], base: str = "midpoint", intervals: bool = True
) -> None:
    """The rows of a result against the definition, their order and their sum."""
    expected = oracle.explained(of, base)
    keys = ["all" if row["is_total"] else tuple(row[name] for name in by) for row in got]
    assert sorted(map(repr, keys)) == sorted(map(repr, expected))
    parts = ("mix", "rate", "interaction", "effect") if base == "before" else PARTS
    for key, row in zip(keys, got, strict=True):
        for part in parts:
            ends = ("low", "high") if part == "effect" else (f"{part}_low", f"{part}_high")
            close(row[part], expected[key][part])
            for end in ends if intervals else ():
                close(row[end], expected[key][end], 1e-6)
        for period in oracle.SIDES:
            for name in ("share", "value", *(["n_units"] if intervals else [])):
                close(row[f"{name}_{period}"], expected[key][f"{name}_{period}"])
        assert abs(sum(row[part] for part in parts[:-1]) - row["effect"]) < 1e-12
    *slices, total = got
    assert keys[-1] == "all"
    assert [abs(row["effect"]) for row in slices] == sorted(
        (abs(row["effect"]) for row in slices), reverse=True
    )
    for part in parts:
        assert abs(math.fsum(row[part] for row in slices) - total[part]) < 1e-12
    assert abs(total["effect"] - (total["value_after"] - total["value_before"])) < 1e-12


def asked(engine: Engine, tables: dict[str, Rows], metric: str, by: list[str], **further: Any) -> Rows:
    return engine.query(str(macros(engine.dialect).explain_change("given", metric, by, **further)), tables)


@pytest.mark.slow
@pytest.mark.sample
@pytest.mark.parametrize("base", ["midpoint", "before"])
def test_rows(base: str, engine: Engine) -> None:
    """Two columns are crossed; a ratio has units that do not count."""
    rows = data()
    metric = "precision" if base == "midpoint" else "log_loss"
    by = ["c", "d"] if base == "midpoint" else ["c"]
    got = asked(engine, {"given": rows}, metric, by, base=base, **PERIODS, **FACTS)
    check(got, units(rows, metric, by), by, base)
    assert {row["n_rows_before"] for row in got if row["is_total"]} == {sum(row["day"] == 3 for row in rows)}
    assert got[-1]["n_rows"] == sum(row["day"] < 5 for row in rows)


def test_periods_may_be_booleans(engine: Engine) -> None:
    rows = [{**row, "late": row["day"] == 4} for row in data() if row["day"] != 5]
    got = asked(engine, {"given": rows}, "log_loss", ["c"], period="late", before=False, after=True, **FACTS)
    check(got, units(rows, "log_loss", ["c"]), ["c"])


@pytest.mark.parametrize("metric", ["wape", "crps(quantiles='0.1: p')"])
def test_weights(metric: str, engine: Engine) -> None:
    rows = data()
    got = asked(engine, {"given": rows}, metric, ["c"], weight="w", **PERIODS, **FACTS)
    check(got, units(rows, metric, ["c"], "w"), ["c"])


@pytest.mark.parametrize("base", ["midpoint", "before"])
def test_a_slice_without_a_divisor(base: str, engine: Engine) -> None:
    """Its labels are all 0 in one period, or in both: no value there, but its errors are of the whole."""
    rows = [
        {**row, "y": 0} if (row["c"], row["day"]) in {("a", 4), ("b", 3), (None, 3), (None, 4)} else row
        for row in data()
    ]
    got = asked(engine, {"given": rows}, "wape", ["c"], base=base, **PERIODS, **FACTS)
    check(got, units(rows, "wape", ["c"]), ["c"], base)


@pytest.mark.slow
@pytest.mark.sample
def test_lists_of_two_tables(engine: Engine) -> None:
    """Lists are units: of a metric of lists, where one without a relevant item does not count, and of one of rows."""
    rows = data()
    earlier, later = ([row for row in rows if row["day"] == day] for day in (3, 4))
    tables, lists = {"given": later, "earlier": earlier}, [row["u"] for row in rows if period(row)]
    given = {"reference": "earlier", "group": "u", **FACTS}
    got = asked(engine, tables, "log_loss", ["c", "d"], **given)
    check(got, together(units(rows, "log_loss", ["c", "d"]), lists), ["c", "d"])
    of_lists = []
    for u in dict.fromkeys(lists):
        one = sorted((row for row in rows if row["u"] == u), key=lambda row: (-row["p"], row["y"]))
        first = next((1 / rank for rank, row in enumerate(one, 1) if row["y"]), None)
        values = (0.0, 0.0) if first is None else (first, 1.0)
        of_lists.append(oracle.Unit((one[0]["c"],), str(period(one[0])), *values))
    got = asked(engine, tables, "mrr", ["c"], ties="worst", **given)
    check(got, of_lists, ["c"])


@pytest.mark.sample
@pytest.mark.parametrize("metric", ["precision", "crps(quantiles='0.1: p')"])
def test_a_state(metric: str, engine: Engine) -> None:
    """From a state the same effects, without intervals; its slices are rolled up."""
    rows = data()
    facts = {"period": "day", "by": ["c", "d"], **FACTS}
    made = engine.query(
        str(macros(engine.dialect).state("given", ["log_loss", metric], **facts)), {"given": rows}
    )
    got = asked(engine, {"given": made}, metric, ["c"], of_state=True, **PERIODS, **FACTS)
    assert not {"low", "mix_low", "n_units_before"} & {*got[0]}
    check(got, units(rows, metric, ["c"]), ["c"], intervals=False)


def test_a_state_of_several_models_gives_nulls_and_a_count(engine: Engine) -> None:
    """The rows of several models are not added up: a state says whether it has several."""
    made = engine.query(
        str(
            macros(engine.dialect).state(
                "given", "log_loss", label="y", score={"one": "p", "two": "p"}, period="day", by="c"
            )
        ),
        {"given": data()},
    )
    got = asked(engine, {"given": made}, "log_loss", ["c"], of_state=True, **PERIODS, **FACTS)
    assert {row[part] for row in got for part in (*PARTS, "value_after", "share_before")} == {None}
    assert got[-1]["states_of_other_facts"] > 0


def test_broken_data_give_nulls_and_a_count(engine: Engine) -> None:
    rows = data()
    rows[5] = dict(rows[5], day=3, p=1.5)
    got = asked(engine, {"given": rows}, "log_loss", ["d"], **PERIODS, **FACTS)
    assert {row[part] for row in got for part in (*PARTS, "value_after", "share_before", "low")} == {None}
    assert got[-1]["rows_not_probability"] == 1


def test_a_period_without_rows_gives_nulls(engine: Engine) -> None:
    got = asked(engine, {"given": data()}, "log_loss", ["d"], **{**PERIODS, "after": "9"}, **FACTS)
    assert {row[part] for row in got for part in (*PARTS, "value_after", "low")} == {None}
    assert got[-1]["n_rows_after"] == 0


@pytest.mark.slow
def test_lists_that_lie_in_two_slices_are_counted(engine: Engine) -> None:
    """A list in two periods is two lists, and no fault."""
    rows = [dict(row, u=row["u"] % 100 if row["c"] == "a" else row["u"]) for row in data()]
    several = {
        (row["u"], row["day"])
        for row in rows
        for other in rows
        if (row["u"], row["day"]) == (other["u"], other["day"]) and row["d"] != other["d"] and period(row)
    }
    got = asked(engine, {"given": rows}, "mrr", ["d"], group="u", **PERIODS, **FACTS)
    assert {row["groups_divided"] for row in got} == {len(several)}
    assert several
    assert {row["effect"] for row in got} == {None}
    apart = [dict(row, u=row["u"] % 50, d="x") for row in data()]
    got = asked(engine, {"given": apart}, "mrr", ["d"], group="u", **PERIODS, **FACTS)
    assert got[-1]["groups_divided"] == 0
    assert got[-1]["effect"] is not None


@pytest.mark.parametrize("base", ["midpoint", "before"])
@pytest.mark.parametrize(
    ("value", "before", "after"),
    [(0.3, "xy", "xxxyyy"), (0.7, "yyx", "yyyxxx"), (0.9, "xx", "xy")],
)
def test_units_that_are_all_alike_vary_by_nothing(
    value: float, before: str, after: str, base: str, engine: Engine
) -> None:
    """Not by the rounding of sums, which would be an interval without width or none at all."""
    rows = [{"day": 3, "c": c, "y": 0.0, "p": value, "w": 1 + 4 * i} for i, c in enumerate(before)]
    rows += [{"day": 4, "c": c, "y": 0.0, "p": value + 0.1 * (i % 3), "w": 1} for i, c in enumerate(after)]
    got = asked(engine, {"given": rows}, "mae", ["c"], base=base, weight="w", **PERIODS, **FACTS)
    of = [oracle.Unit((row["c"],), str(period(row)), row["p"] * row["w"], row["w"]) for row in rows]
    check(got, of, ["c"], base)
