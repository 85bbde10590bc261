"""`state` and `finish` as a user calls them: files, merging, refusals."""

from __future__ import annotations

import json
import random
import re
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
import pyarrow.compute as pc
import pytest

import sqlmetrics as sm
from sqlmetrics.book.templates import dialects
from sqlmetrics.given.facts_of_state import ROLES
from support.errors import assert_told, told

DRAW = random.Random(7)
ROWS = [
    {
        "day": f"2026-06-0{day}", "country": DRAW.choice(["de", "fr", None]), "user": f"{day}{DRAW.choice('abc')}",
        "item": item, "clicked": DRAW.random() < 0.3, "grade": DRAW.randrange(5), "p": DRAW.randrange(1, 20) / 20,
    }
    for day in range(1, 7)
    for item in range(20)
]  # fmt: skip
FACTS: dict[str, Any] = {"label": "clicked", "score": "p", "group": "user"}
METRICS = ["auc", "ks", "average_precision", "log_loss", "ndcg@5", "gauc", "brier", "r2", "ece"]


def of_day(day: int) -> list[dict]:
    return [row for row in ROWS if row["day"] == f"2026-06-0{day}"]


def state_of(rows: Any, metrics: Any = METRICS, **more: Any) -> sm.State:
    return sm.state(rows, metrics, **{**FACTS, "period": "day", "by": "country", **more})


def compare(finished: sm.Report, direct: sm.Report) -> None:
    """The same rows and columns; what a state counts besides comes on top.

    `state` counts graded rows for its own note. `finish` does not read this count, since older states lack it.
    """
    assert len(finished) == len(direct)
    for row, other in zip(finished.to_dicts(), direct.to_dicts(), strict=True):
        for name, value in other.items():
            if name == "rows_graded":
                continue
            assert row[name] == (pytest.approx(value, rel=1e-12) if isinstance(value, float) else value), name


@pytest.mark.slow
def test_states_of_days_in_any_order() -> None:
    states = [state_of(of_day(day)) for day in range(1, 7)]
    for order in (states, states[::-1], [*states[3:], *states[:3]]):
        for by in (None, "country", ["day", "country"], "day"):
            compare(sm.finish(order, METRICS, by=by), sm.evaluate(ROWS, METRICS, by=by, **FACTS))
    compare(sm.finish(state_of(ROWS), METRICS), sm.evaluate(ROWS, METRICS, **FACTS))


@pytest.mark.slow
def test_files_of_days(tmp_path: Path) -> None:
    for day in range(1, 7):
        state_of(of_day(day)).write(tmp_path / f"{day}.parquet")
    for files in (str(tmp_path / "*.parquet"), [str(tmp_path / f"{day}.parquet") for day in range(1, 7)]):
        compare(sm.finish(files, METRICS, by="country"), sm.evaluate(ROWS, METRICS, by="country", **FACTS))
    june = sm.finish(str(tmp_path / "*.parquet"), METRICS, where="day between '2026-06-02' and '2026-06-04'")
    compare(june, sm.evaluate([*of_day(2), *of_day(3), *of_day(4)], METRICS, **FACTS))


@pytest.mark.slow
def test_a_state_in_a_table() -> None:
    with duckdb.connect() as connection:
        days = state_of(ROWS, connection=connection).to_arrow()
        connection.register("arrow", days)
        connection.execute("create table daily as from arrow")
        compare(sm.finish("daily", METRICS, connection=connection), sm.evaluate(ROWS, METRICS, **FACTS))


@pytest.mark.slow
def test_expressions_of_periods_and_names_of_metrics() -> None:
    half = sm.sql("case when day < '2026-06-04' then 'first' else 'second' end")
    named = {"quality": "ndcg@5", "p at 0.3": "precision(threshold=0.3)"}
    state = sm.state(ROWS, ["precision(threshold=0.3)", "ndcg@5"], period="day", **FACTS)
    compare(sm.finish(state, named, by=half), sm.evaluate(ROWS, named, by=half, **FACTS))


@pytest.mark.slow
def test_models() -> None:
    facts = {**FACTS, "score": {"new": "p", "old": sm.sql("1 - p")}}
    state = sm.state(ROWS, ["auc", "mrr"], period="day", by="country", **facts)
    compare(
        sm.finish(state, ["auc", "mrr"], by="country"),
        sm.evaluate(ROWS, ["auc", "mrr"], by="country", **facts),
    )


def test_a_slice_may_be_called_model() -> None:
    rows = [{**row, "model": row["country"]} for row in ROWS]
    state = state_of(rows, "auc", by="model")
    compare(sm.finish(state, "auc", by="model"), sm.evaluate(rows, "auc", by="model", **FACTS))


@pytest.mark.slow
@pytest.mark.parametrize(
    "facts",
    [
        {"label": "grade", "positive": 2},
        {"label": "grade", "positive": 2, "ties": "worst", "item": "item"},
        {"label": "grade", "positive": 1, "convention": "trec_eval", "item": "item", "max_grade": 4},
    ],
    ids=str,
)
def test_facts_are_kept_in_the_state(facts: dict[str, Any], tmp_path: Path) -> None:
    facts = {**FACTS, **facts}
    metrics = ["auc", "ndcg@5", "map"]
    sm.state(ROWS, metrics, period="day", **facts).write(tmp_path / "s.parquet")
    compare(sm.finish(str(tmp_path / "s.parquet"), metrics), sm.evaluate(ROWS, metrics, **facts))


@pytest.mark.slow
@pytest.mark.parametrize(
    "kind", ["roc", "precision_recall", "gain", "calibration", "calibration(equal=count)"]
)
def test_curves(kind: str) -> None:
    state = state_of(ROWS, ["auc", "ece"])
    for by in (None, "country"):
        finished = sm.finish_curve(state, kind, by=by)
        compare(finished, sm.curve(ROWS, kind, label="clicked", score="p", by=by))
        assert finished.audit.to_dicts()[0]["n_rows"] > 0


def test_bins_have_a_bound_and_few_rows() -> None:
    rows = [{**row, "p": row["p"] * 0.9 + i / 10_000} for i, row in enumerate(ROWS)]
    exact = sm.evaluate(rows, "auc", **FACTS).to_dicts()[0]["auc"]
    state = sm.state(rows, "auc(bins=5)", period="day", **FACTS)
    assert len(state) <= 6 * 6 + 6  # bins of six days, and a row for each day
    [row] = sm.finish(state, "auc(bins=5)").to_dicts()
    assert 0 < abs(row["auc_bins_5"] - exact) <= row["auc_bins_5_error_bound"]


@pytest.mark.slow
def test_bad_rows() -> None:
    broken = [*ROWS, {**ROWS[0], "p": None}, {**ROWS[1], "day": None}, {**ROWS[2], "p": float("nan")}]
    assert_told(told(state_of, broken), "2 of 123 rows have a NULL, NaN or infinite score|on_bad_rows='drop'")
    assert_told(told(state_of, [*ROWS, broken[-2]]), "1 of 121 rows have a NULL period")
    state = state_of(broken, on_bad_rows="drop")
    assert "rows dropped: 3 (on_bad_rows='drop')" in repr(state)
    [row], [other] = (sm.finish(made, METRICS).to_dicts() for made in (state, state_of(ROWS)))
    counts = {"n_rows": 123, "rows_dropped": 3, "rows_bad_score": 2, "rows_bad_period": 1}
    for name, value in {**other, **counts}.items():
        assert row[name] == (pytest.approx(value, rel=1e-12) if isinstance(value, float) else value), name


def test_what_no_state_holds() -> None:
    for metric, why in (
        ("median_absolute_error", "a quantile needs the rows in their order"),
        ("spearman", "a rank is one among the rows of all periods"),
        ("d2_tweedie", "it measures rows by a mean of all periods"),
        ("exposure_entropy@5", "it counts items and users of all lists together"),
    ):
        words = f"sqlmetrics.{metric}: no state of periods makes it, since {why}; evaluate"
        assert_told(told(state_of, ROWS, metric, label="grade", item="item"), words)
    macro = "f1(average=macro)"
    assert_told(
        told(state_of, ROWS, macro, prediction="clicked"), f"sqlmetrics.{macro}|its sums are by class"
    )


@pytest.mark.slow
@pytest.mark.parametrize("weight", [None, "w"])
@pytest.mark.parametrize(
    "kind",
    [
        *("roc", "precision_recall", "gain", "net_benefit", "calibration", "calibration(bins=3)"),
        "calibration(bins=3, equal=count)",
    ],
)
def test_a_state_holds_a_curve_as_it_is_told(kind: str, weight: str | None) -> None:
    """A state that was made for other metrics: the metrics that the error names are those that hold the curve."""
    rows = [{"day": 1, "y": i % 3 % 2, "s": i * 7 % 11 / 11, "w": 1 + i % 2} for i in range(40)]
    roles = {"label": "y", "score": "s", "weight": weight}
    message = told(sm.finish_curve, sm.state(rows, "mrr", period="day", group="w", **roles), kind)
    if weight is not None and kind.startswith("calibration"):
        assert message.endswith(
            f"does not hold {kind}; no state of weighted rows does, and curve computes it from the rows"
        )
        assert sm.curve(rows, kind, **roles).to_dicts()
        return
    [named] = re.findall(r"make the state for (.*), too$", message)
    state = sm.state(rows, named.split(" and "), period="day", **roles)
    for got, want in zip(
        sm.finish_curve(state, kind).to_dicts(), sm.curve(rows, kind, **roles).to_dicts(), strict=True
    ):
        assert got == pytest.approx(want, nan_ok=True)


@pytest.mark.slow
def test_what_a_state_lacks() -> None:
    state = state_of(ROWS, ["log_loss", "ndcg@5"])
    assert_told(
        told(sm.finish, state, ["log_loss", "auc", "ndcg@10"]),
        "the data does not hold what is needed for auc, ndcg@10|make the state for it, too",
    )
    assert_told(
        told(sm.finish_curve, state, "roc"), "the data does not hold roc; make the state for auc, too"
    )
    assert_told(told(sm.finish, ROWS, "auc"), "the data is no state; sm.state(...) makes one")
    assert_told(
        told(sm.finish, state, "log_loss", by="contry"), "Column 'contry' (by=)|Did you mean 'country'?"
    )
    older = state_of(of_day(1), ["log_loss"])
    assert_told(
        told(sm.finish, [older, state_of(of_day(2), ["log_loss", "auc"])], "auc"),
        "3 rows of the state were made for other metrics and lack sums",
    )


@pytest.mark.slow
def test_a_metric_that_came_later() -> None:
    """A table without the new columns dropped them; the old metrics are finished, the new one is refused."""
    older, newer = state_of(of_day(1), ["log_loss", "auc"]), state_of(of_day(2), ["log_loss", "auc", "gauc"])
    dropped = newer.to_arrow().select(older.columns)
    table = pa.concat_tables([dropped, state_of(of_day(3)).to_arrow()], promote_options="permissive")
    rows = [*of_day(2), *of_day(3)]
    compare(sm.finish(table, ["log_loss", "auc"]), sm.evaluate(rows, ["log_loss", "auc"], **FACTS))
    lacking = "rows of the state were made for other metrics and lack sums"
    assert_told(told(sm.finish, table, ["auc", "gauc"]), lacking)


@pytest.mark.slow
@pytest.mark.parametrize("dialect", dialects())
def test_statements_have_no_percent_sign(dialect: str) -> None:
    """It begins a parameter in some drivers, so that a statement could not go with parameters of the user."""
    facts = {"label": "y", "score": "s", "group": "g", "period": "day", "by": "country", "dialect": dialect}
    metrics = ["auc", "log_loss", "ndcg@5", "r2", "auc(bins=5)"]
    assert "%" not in sm.render_finish("daily", metrics, **facts)


def test_states_of_different_facts_are_not_mixed() -> None:
    one, other = (
        state_of(of_day(day), "auc", label="grade", positive=positive) for day, positive in ((1, 1), (2, 3))
    )
    assert_told(told(sm.finish, [one, other], "auc"), "made with different facts|together: positive")


def older(state: sm.State) -> pa.Table:
    """The state as version 1 wrote it: which roles were given, not which columns they are; no rows of periods."""
    table = state.to_arrow()
    said = [text and json.loads(text) for text in table.column("sm_facts").to_pylist()]
    for facts in filter(None, said):
        del facts["version"]
        facts.update({role: facts[role] is not None for role in ROLES})
    place = table.column_names.index("sm_facts")
    texts = pa.array([facts and json.dumps(facts) for facts in said])
    table = table.set_column(place, "sm_facts", texts)
    return table.filter(pc.not_equal(table.column("sm_grain"), "periods"))


@pytest.mark.slow
def test_states_of_different_columns_are_not_mixed() -> None:
    first = state_of(of_day(1), "auc")
    rows = [{**row, "bought": row["grade"] > 2, "q": 1 - row["p"]} for row in of_day(2)]
    for facts, words in (
        ({"label": "bought"}, "label ('bought', 'clicked')"),
        ({"score": "q"}, "score ('p', 'q')"),
        (
            {"score": sm.sql("1 - q"), "label": "bought"},
            "label ('bought', 'clicked'), score ('(1 - q)', 'p')",
        ),
        ({"group": "item"}, "group ('item', 'user')"),
        ({"score": {"new": "p"}}, "models (False, True)"),
    ):
        refused = told(sm.finish, [first, state_of(rows, "auc", **facts)], "auc")
        assert_told(refused, f"made with different facts|together: {words}")


@pytest.mark.slow
def test_models_have_their_own_scores() -> None:
    """A state may have other models than another one, but a model has one score in all of them."""
    rows = [{**row, "q": row["grade"] / 4} for row in ROWS]
    days = [[row for row in rows if row["day"] == f"2026-06-0{day}"] for day in (1, 2)]
    first = state_of(days[0], "auc", score={"new": "p", "old": "q"})
    second = state_of(days[1], "auc", score={"new": "p"})
    found = {row["model"]: row["auc"] for row in sm.finish([first, second], "auc").to_dicts()}
    both = [*days[0], *days[1]]
    assert found["new"] == pytest.approx(sm.evaluate(both, "auc", **FACTS).to_dicts()[0]["auc"])
    assert found["old"] == pytest.approx(
        sm.evaluate(days[0], "auc", **{**FACTS, "score": "q"}).to_dicts()[0]["auc"]
    )
    other = state_of(days[1], "auc", score={"new": "q"})
    assert_told(told(sm.finish, [first, other], "auc"), "different facts|together: score ('p', 'q')")


@pytest.mark.slow
def test_states_of_an_older_version() -> None:
    """They say which roles were given, not which columns these are: that much is checked."""
    days = [[{**row, "w": 0.5} for row in of_day(day)] for day in (1, 2)]
    for facts in ({}, {"score": {"new": "p", "old": sm.sql("1 - p")}}, {"weight": "w"}):
        states = [state_of(day, METRICS, **facts) for day in days]
        expected = sm.finish(states, METRICS, by="country")
        now, then = [state.to_arrow() for state in states], [older(state) for state in states]
        for tables in (then, [then[0], now[1]], [now[0], then[1]]):
            table = pa.concat_tables(tables, promote_options="permissive")
            compare(sm.finish(table, METRICS, by="country"), expected)
            assert sm.finish_curve(table, "roc").to_dicts()
    plain = state_of(days[1])
    for other in (older(plain), plain.to_arrow()):
        table = pa.concat_tables([then[0], other], promote_options="permissive")
        assert_told(told(sm.finish, table, "auc"), "different facts|together: weight (False, True)")


def test_a_state_of_a_later_version() -> None:
    table = state_of(of_day(1), "auc").to_arrow()
    place = table.column_names.index("sm_facts")
    for version, words in (
        (3, "was made by a later sqlmetrics|has version 3|reads versions 1 to 2; update sqlmetrics"),
        (1, "version is 1, which has to be 2"),
        ("2", "version is '2', which has to be 2"),
        (None, "version is None, which has to be 2"),
    ):
        texts = [
            text
            and json.dumps({**json.loads(text), "version": version, **({"more": 1} if version == 3 else {})})
            for text in table.column("sm_facts").to_pylist()
        ]
        assert_told(told(sm.finish, table.set_column(place, "sm_facts", pa.array(texts)), "auc"), words)


@pytest.mark.slow
def test_a_period_that_is_there_twice(tmp_path: Path) -> None:
    """Its rows would count twice: within one table, from two files, of one slice or of different ones."""
    days = [state_of(of_day(day), ["auc", "mrr"]) for day in (1, 2)]
    for number, made in enumerate([*days, days[0]]):
        made.write(tmp_path / f"{number}.parquet")
    twice = pa.concat_tables([days[0].to_arrow(), days[1].to_arrow(), days[0].to_arrow()])
    for state in ([days[0], *days], twice, str(tmp_path / "*.parquet")):
        for metric in ("auc", "mrr"):
            assert_told(
                told(sm.finish, state, metric),
                "slices of periods are more than once|keep one state of each period",
            )
        assert_told(told(sm.finish_curve, state, "roc"), "slices of periods are more than once")
        compare(sm.finish(state, "auc", where="day = '2026-06-02'"), sm.finish(days[1], "auc"))
    german, french = (
        state_of([row for row in of_day(1) if row["country"] == c], "auc") for c in ("de", "fr")
    )
    assert_told(told(sm.finish, [german, french], "auc"), "1 periods are in the state more than once")
    whole = state_of(of_day(1), "auc", by=None)
    assert_told(told(sm.finish, [german, whole], "auc"), "1 periods are in the state more than once")
    assert_told(
        told(sm.finish, [german, whole], "auc", where="country = 'de'"),
        "periods are in the state more than once",
    )
    models = [state_of(of_day(1), "auc", score={name: "p"}) for name in ("old", "new", "old")]
    assert len(sm.finish(models[:2], "auc")) == 2
    assert_told(told(sm.finish, models, "auc"), "slices of periods are more than once")
    old = pa.concat_tables([older(days[0]), older(days[1]), older(days[0])])
    assert_told(told(sm.finish, old, "auc"), "slices of periods are more than once")
    without = [{**row, "day": None} for row in of_day(3)[:2]]
    broken = [state_of([*of_day(day), *without], "auc", on_bad_rows="drop") for day in (1, 2)]
    assert sm.finish(broken, "auc").to_dicts()[0]["rows_bad_period"] == 4
    named = [
        state_of([{**row, "a, b": row["country"]} for row in of_day(day)], "auc", by="a, b") for day in (1, 2)
    ]
    assert sm.finish(named, "auc").to_dicts()[0]["auc"] == sm.finish(days, "auc").to_dicts()[0]["auc"]


@pytest.mark.slow
def test_lists_in_several_slices() -> None:
    rows = [{**row, "device": "xy"[row["item"] % 2]} for row in ROWS]
    state = state_of(rows, ["auc", "mrr"], by=["country", "device"])
    compare(sm.finish(state, "auc", by="device"), sm.evaluate(rows, "auc", by="device", **FACTS))
    assert_told(
        told(sm.finish, state, "mrr", by="device"),
        "groups lie in several slices of the state, whose parts do not add up|with just these by=",
    )
    half = sm.sql("day < '2026-06-04'")
    for by in (None, ["device", "country"], "day", ["country", half, "device"]):
        compare(sm.finish(state, "mrr", by=by), sm.evaluate(rows, "mrr", by=by, **FACTS))


@pytest.mark.slow
def test_a_condition_on_slices() -> None:
    """Lists that it would divide are refused; whole periods, and slices as they are, are not."""
    state = state_of(ROWS, ["auc", "mrr"])
    german = [row for row in ROWS if row["country"] == "de"]
    of_germany: dict[str, Any] = {"where": "country = 'de' -- alone"}
    compare(sm.finish(state, "auc", **of_germany), sm.evaluate(german, "auc", **FACTS))
    compare(
        sm.finish(state, ["auc", "mrr"], by="country", total=False, **of_germany),
        sm.evaluate(german, ["auc", "mrr"], by="country", total=False, **FACTS),
    )
    for where in (
        "country = 'de'",
        "country is null",
        "country is not null",
        "country = 'de' and day = '2026-06-01'",
    ):
        for more in ({}, {"by": "country"}, {"by": "day", "total": False}):
            refused = told(sm.finish, state, "mrr", where=where, **more)
            assert_told(
                refused, "leaves out slices, and metrics of lists are made of whole periods|'day' alone"
            )
    early = [row for row in ROWS if row["day"] < "2026-06-03"]
    compare(sm.finish(state, "mrr", where="day < '2026-06-03'"), sm.evaluate(early, "mrr", **FACTS))
    models = state_of(ROWS, "mrr", by=None, score={"one": "p", "other": "grade"})
    [found] = [
        row for row in sm.finish(models, "mrr", where="model = 'one'").to_dicts() if row["model"] == "one"
    ]
    assert found == {**sm.finish(models, "mrr").to_dicts()[0], "periods_divided": 0}


def test_conditions_that_are_none() -> None:
    state = state_of(ROWS, "auc")
    for where in ("", " ", 5, ["day > '2026'"]):
        assert_told(told(sm.finish, state, "auc", where=where), "where= takes an SQL condition such as")
    for call in (
        lambda **more: sm.finish(state, "auc", **more),
        lambda **more: sm.finish_curve(state, "roc", **more),
    ):
        assert_told(told(call, where="day > '2027'"), "where=\"day > '2027'\" leaves no row of the data")


@pytest.mark.slow
def test_lists_of_states() -> None:
    weighted = state_of([{**row, "w": 0.5} for row in of_day(2)], "auc", weight="w")
    assert_told(
        told(sm.finish, [state_of(of_day(1), "auc"), weighted], "auc"), "different facts|together: weight"
    )
    dated = sm.state([{**row, "day": 2} for row in of_day(2)], "auc", period="day", by="country", **FACTS)
    assert_told(told(sm.finish, [state_of(of_day(1), "auc"), dated], "auc"), "columns of different types")
    days = tuple(state_of(of_day(day), "auc") for day in (2, 1))
    compare(sm.finish(days, "auc"), sm.evaluate(of_day(1) + of_day(2), "auc", **FACTS))
    assert_told(told(sm.finish, [days[0], days[1].to_pandas()], "auc"), "A list of states|got DataFrame")
    other = state_of(of_day(3), "auc", by=None)
    assert_told(
        told(sm.finish, [days[0], other], "auc", by="country"),
        "Column 'country' (by=) is no slice|by= takes day",
    )
    assert_told(
        told(sm.finish, days[0], "auc", by="sm_score"), "is no slice of the data|by= takes day, country"
    )


@pytest.mark.parametrize("facts", [None, "{", "{}", "1"])
def test_what_looks_like_a_state(facts: Any) -> None:
    rows = [{**row, "sm_facts": facts} for row in state_of(ROWS, "auc").to_dicts()]
    assert_told(told(sm.finish, rows, "auc"), "the data is no state")


@pytest.mark.slow
def test_columns_that_a_state_lacks_are_told() -> None:
    """A column of the statement, also of its counts, is missing or no number: one sentence instead of the engine's."""
    metrics = ["auc", "ndcg@5"]
    table = state_of(ROWS, metrics).to_arrow()
    for name in table.column_names:
        lacking = table.drop_columns([name])
        for by in (None, "country"):
            try:
                sm.finish(lacking, metrics, by=by)
            except sm.SqlMetricsError as error:
                assert "Error:" not in str(error), (name, error)  # noqa: PT017 - an engine's own error
    assert_told(
        told(sm.finish, table.drop_columns(["sm_n_groups"]), metrics), "not hold what is needed for ndcg@5;"
    )
    assert_told(
        told(sm.finish, table.drop_columns(["sm_n_rows"]), "auc"), "does not hold what is needed for auc"
    )
    for name in ("sm_n_rows", "sm_positives", "sm_level_rows", "sm_n_groups", "sm_rows_bad_score"):
        place = table.column_names.index(name)
        for values in (["x"] * len(table), [{"a": 1}] * len(table)):
            broken = table.set_column(place, name, pa.array(values))
            assert_told(
                told(sm.finish, broken, metrics), f"is no state: its column {name} is|has to be numbers"
            )
            if name == "sm_level_rows":
                assert_told(told(sm.finish_curve, broken, "roc"), f"is no state: its column {name} is")


def test_a_slice_that_is_none() -> None:
    """The sums of a state are no slices."""
    state = state_of(ROWS, "auc")
    message = told(sm.finish, state, "auc", by="nope")
    assert_told(message, "Column 'nope' (by=) is not in the data|Columns: day, country. An")
    assert_told(told(sm.finish, state, "auc", by="sm_scores"), "Columns: day, country. An")


def test_paths_that_are_none() -> None:
    state = state_of(ROWS, "auc")
    for path in (None, 5, b"x", [], ""):
        assert_told(told(state.write, path), "Cannot write '")


@pytest.mark.slow
@pytest.mark.parametrize("name", ["a\nb", "a\r\nb", "a\tb", "a\x1fb", 'a"b', "a\\", "a\\nb"])
def test_names_of_periods_are_read_again(name: str, tmp_path: Path) -> None:
    """The facts of the state are JSON, whatever the name has."""
    rows = [{**row, name: row["day"]} for row in ROWS]
    made = state_of(rows, "auc", period=name, label=sm.sql("clicked -- or\n or false"))
    made.write(tmp_path / "s.parquet")
    [text] = {row["sm_facts"] for row in made.to_dicts() if row["sm_facts"]}
    assert json.loads(text, strict="\x1f" not in name)["period"] == name
    compare(
        sm.finish(str(tmp_path / "s.parquet"), "auc", by=name), sm.evaluate(rows, "auc", by=name, **FACTS)
    )


def test_arguments() -> None:
    assert_told(
        told(sm.state, ROWS, "auc", period="dya", **FACTS), "Column 'dya' (period=)|Did you mean 'day'?"
    )
    assert_told(
        told(sm.state, ROWS, "acu", period="day", **FACTS), "Unknown metric 'acu'. Did you mean 'auc'?"
    )
    assert_told(
        told(state_of, [{**row, "p": row["p"] * 3} for row in ROWS], "log_loss"),
        "rows have a score outside [0, 1], such as",
    )
    assert_told(
        told(sm.state, ROWS, "auc", period="day", by="day", **FACTS),
        "Two result columns would be named 'day'",
    )
    assert_told(told(state_of, [], "auc"), "The data has no row")


def test_messages_without_an_example_have_no_hole() -> None:
    """A state does not keep the offending value."""
    made = sm.render_state("select 1 as y, 2 as p, 3 as day", "log_loss", period="day", label="y", score="p")
    state = duckdb.sql(made).to_arrow_table()
    assert_told(told(sm.finish, state, "log_loss"), "1 rows have a score outside [0, 1], but log_loss takes")


@pytest.mark.slow
@pytest.mark.parametrize("bad", [float("nan"), float("inf")])
def test_a_sum_that_is_no_finite_number_is_no_sum(bad: float) -> None:
    """Divided by an infinite sum, a metric would be 0; a count of NaN has no integer."""
    metrics = ["mse", "mrr", "auc", "pearson"]
    table = state_of(ROWS, metrics).to_arrow()
    spoilt = (
        "sm_squared_error",
        "sm_weights",
        "sm_mrr_counted",
        "sm_negatives",
        "sm_score_score_deviation",
        "sm_score",
    )
    for column in (*spoilt, "sm_rows_not_binary"):
        place = table.column_names.index(column)
        values = [None if value is None else bad for value in table.column(column).to_pylist()]
        broken = table.set_column(place, column, pa.array(values, pa.float64()))
        with pytest.raises(sm.SqlMetricsError, match="hold sums that are NaN or infinite"):
            sm.finish(broken, metrics)
    # the last of them is a check of auc alone
    [*_, row] = sm.finish(broken, ["mse", "mrr"]).to_dicts()
    assert None not in row.values()
