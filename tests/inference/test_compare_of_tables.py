"""Models compared whose rows stand in two tables: paired by group, or as two samples, on every engine."""

from __future__ import annotations

import math
import random
import statistics
from collections.abc import Iterator
from typing import Any

import pytest

import sqlmetrics as sm
from oracles.ends import Sample
from oracles.intervals_of_auc import sample
from oracles.samples import error_and_df
from oracles.two_samples import difference, of_units
from sqlmetrics.book.templates import macros
from support.compared import SLEEP, UNDEFINED, close, drawn
from support.engines import Engine

Rows = list[dict[str, Any]]
FACTS: dict[str, Any] = {"label": "y", "group": "u"}


def ran(engine: Engine, one: Rows, two: Rows, metrics: Any, candidate: Any = "s", **facts: Any) -> Rows:
    facts = {"label": "y", "other": "two", **facts}
    sql = macros(engine.dialect).compare("one", metrics, "s", candidate, **facts)
    return engine.query(str(sql), {"one": one, "two": two})


def samples(engine: Engine, one: Rows, two: Rows, metrics: Any, **facts: Any) -> Rows:
    return ran(engine, one, two, metrics, paired=False, **facts)


def model(rows: Rows, score: str) -> Rows:
    """The table of one model, which calls its score s; in another order, which is of no matter."""
    kept = [{**{x: row[x] for x in ("u", "part", "y", "w")}, "s": row[score]} for row in rows]
    return kept if score == "a" else kept[::-1]


def parts(*tables: Rows) -> Iterator[tuple[str | None, list[Rows]]]:
    """Each slice of tables, and the total."""
    for part in ("x", "y", None):
        yield part, [[row for row in rows if part in (None, row["part"])] for rows in tables]


def two_samples(seed: int) -> tuple[Rows, Rows]:
    """Lists of different users and of different numbers."""
    one, two = model(drawn(seed), "a"), model(drawn(seed + 100, lists=35), "b")
    return one, [{**row, "u": row["u"] + 1000} for row in two]


def check_welch(row: dict[str, Any], a: list[float], b: list[float]) -> None:
    """All that scipy says of the means of two samples."""
    stats = pytest.importorskip("scipy.stats")
    expected, pooled = (stats.ttest_ind(b, a, equal_var=equal) for equal in (False, True))
    reach = stats.t.isf(0.025, expected.df)
    statistic = min(expected.statistic, pooled.statistic, key=abs)
    error = (statistics.fmean(b) - statistics.fmean(a)) / statistic
    close(row["baseline_value"], statistics.fmean(a))
    close(row["candidate_value"], statistics.fmean(b))
    close(row["difference"], statistics.fmean(b) - statistics.fmean(a))
    close(row["statistic"], statistic)
    close(row["p_value"], 2 * stats.t.sf(abs(statistic), expected.df))
    close(row["low"], row["difference"] - reach * error)
    close(row["high"], row["difference"] + reach * error)
    close(
        row["minimum_detectable"], (stats.t.isf(0.025, expected.df) + stats.t.isf(0.2, expected.df)) * error
    )
    assert (row["test"], row["n_baseline"], row["n_candidate"]) == ("welch", len(a), len(b))


def check_shares(row: dict[str, Any], one: Sample, two: Sample, limits: Any = (0, 1), **of: Any) -> None:
    """Of values with two limits."""
    close(row["baseline_value"], one.value)
    close(row["candidate_value"], two.value)
    expected = difference(one, two, limits, **of)
    for name, value in expected._asdict().items():
        beyond = name == "minimum_detectable" and value > limits[1] - limits[0]
        close(row[name], None if beyond else value)


def check_units(row: dict[str, Any], a: list[float], b: list[float]) -> None:
    """Of means of units that have two limits."""
    check_shares(row, of_units(a), of_units(b))
    assert (row["test"], row["n_baseline"], row["n_candidate"]) == ("welch", len(a), len(b))


PAIRED = ["ndcg@3", "gauc(weight=impressions)", "mae", "rmse", "recall(average=micro)@2"]


@pytest.mark.slow
@pytest.mark.parametrize("test", ["t", "wilcoxon"])
def test_two_tables_are_as_one(test: str, engine: Engine) -> None:
    """The same rows in a table of two scores, or in two tables of one score each."""
    rows = drawn(1)
    metrics = PAIRED if test == "t" else PAIRED[:3]
    asked = {"by": ["part"], "weight": "w", "test": test, **FACTS}
    got = ran(engine, model(rows, "a"), model(rows, "b"), metrics, **asked)
    sql = macros(engine.dialect).compare("given", metrics, "a", "b", **asked)
    expected = engine.query(str(sql), {"given": rows})
    assert len(got) == 3 * len(metrics)
    for row, other in zip(got, expected, strict=True):
        assert (row.pop("candidate"), other.pop("candidate")) == ("s", "b")
        assert row.keys() == other.keys()
        for name, value in row.items():
            if isinstance(value, float):
                close(value, other[name])
            else:
                assert value == other[name]


@pytest.mark.slow
def test_several_candidates_of_one_table(engine: Engine) -> None:
    rows = drawn(2)
    two = [{**row, "s": row["b"]} for row in rows]
    for paired in (True, False):
        asked = {"paired": paired, "correction": "holm", **FACTS}
        got = ran(engine, model(rows, "a"), two, "gauc", {"s": "s", "chance": "c"}, **asked)
        assert [row["candidate"] for row in got] == ["s", "chance"]
        assert all(row["p_value"] <= row["p_adjusted"] <= 1 for row in got)
        for row, column in zip(got, "bc", strict=True):
            [alone] = ran(engine, model(rows, "a"), model(rows, column), "gauc", paired=paired, **FACTS)
            close(row["p_value"], alone["p_value"])


@pytest.mark.slow
def test_groups_of_one_table_alone(engine: Engine) -> None:
    rows = drawn(3)
    one = [row for row in model(rows, "a") if row["u"] not in (1, 2)]
    two = [row for row in model(rows, "b") if row["u"] != 50]
    common = [row for row in rows if row["u"] not in (1, 2, 50)]
    for row in ran(engine, one, two, ["mae", "rmse"], **FACTS):
        assert (row["n_pairs"], row["n_unpaired"]) == (57, 3)
        assert [row[name] for name in UNDEFINED] == [None] * 5
    [row] = ran(engine, one, two, "mae", on_unpaired="intersection", **FACTS)
    [expected] = ran(engine, model(common, "a"), model(common, "b"), "mae", **FACTS)
    for name in ("baseline_value", "candidate_value", "difference", *UNDEFINED, "n_pairs", "wins"):
        close(row[name], expected[name])


def recommended() -> tuple[Rows, Rows, Rows]:
    draw = random.Random(4)
    truth = [{"u": u, "i": i, "y": 1} for u in range(20) for i in draw.sample(range(12), 3)]
    one, two = (
        [{"u": u, "i": i, "s": draw.random()} for u in range(users) for i in draw.sample(range(12), 8)]
        for users in (18, 19)
    )
    return one, two, truth


@pytest.mark.slow
@pytest.mark.parametrize("paired", [True, False])
def test_recommendations_in_two_tables(paired: bool, engine: Engine) -> None:
    """What was listed differs, and a user that a table lacks counts 0 for it."""
    one, two, truth = recommended()
    sql = macros(engine.dialect).compare(
        "one", "recall@3", "s", "s", other="two", paired=paired, truth="relevant", item="i", **FACTS
    )
    [row] = engine.query(str(sql), {"one": one, "two": two, "relevant": truth})
    a, b = (
        [
            value["recall_3"]
            for value in sm.per_group(rows, "recall@3", score="s", truth=truth, item="i", **FACTS).to_dicts()
        ]
        for rows in (one, two)
    )
    if paired:
        close(row["p_value"], pytest.importorskip("scipy.stats").ttest_rel(b, a).pvalue)
        assert (row["n_pairs"], row["n_unpaired"]) == (20, 0)
    else:
        check_units(row, a, b)


@pytest.mark.slow
@pytest.mark.sample
def test_sleep_of_different_patients(engine: Engine) -> None:
    """R's t.test(extra ~ group, data = sleep)."""
    one, two = ([{"y": 0.0, "s": hours} for hours in drug] for drug in SLEEP)
    [row] = samples(engine, one, two, "bias")
    close(row["statistic"], 1.8608134674868526)
    close(row["p_value"], 0.0793941401873583)
    close(row["difference"], 1.58)
    critical = (row["high"] - row["difference"]) / (row["difference"] / row["statistic"])
    stats = pytest.importorskip("scipy.stats")
    close(critical, stats.t.isf(0.025, 17.776473516178488))


@pytest.mark.slow
@pytest.mark.parametrize("metric", ["ndcg@10", "map", "gauc(weight=uniform)", "dcg@5"])
def test_lists_of_two_samples(metric: str, engine: Engine) -> None:
    one, two = two_samples(5)
    got = samples(engine, one, two, metric, group="u", by=["part"])
    for row, (part, tables) in zip(got, parts(one, two), strict=True):
        assert row["part"] == part
        values = []
        for rows in tables:
            lists = sm.per_group(rows, {"x": metric}, score="s", **FACTS).to_dicts()
            values.append([one["x"] for one in lists if one["x"] is not None])
        (check_welch if metric == "dcg@5" else check_units)(row, *values)


@pytest.mark.slow
def test_rows_of_two_samples(engine: Engine) -> None:
    one, two = two_samples(6)
    got = samples(engine, one, two, ["mae", "brier", "accuracy(threshold=0.5)"], by=["part"])
    losses = [
        lambda row: abs(row["y"] - row["s"]),
        lambda row: (row["y"] - row["s"]) ** 2,
        lambda row: float((row["s"] >= 0.5) == row["y"]),
    ]
    expected = [(part, loss, tables) for part, tables in parts(one, two) for loss in losses]
    for row, (part, loss, tables) in zip(got, expected, strict=True):
        assert row["part"] == part
        check = check_welch if row["metric"] == "mae" else check_units
        check(row, *([loss(one) for one in rows] for rows in tables))


def linearised(rows: Rows, weight: Any) -> tuple[float, float, int]:
    """The weighted mean error of rows, its variance over their groups, and the number of those."""
    units: dict[Any, list[float]] = {}
    for row in rows:
        unit = units.setdefault(row["u"], [0, 0])
        unit[0] += weight(row) * abs(row["y"] - row["s"])
        unit[1] += weight(row)
    n, d = (math.fsum(unit[place] for unit in units.values()) for place in (0, 1))
    m = len(units)
    return n / d, m / (m - 1) * math.fsum((x - n / d * w) ** 2 for x, w in units.values()) / d**2, m


@pytest.mark.slow
def test_groups_of_rows_in_two_samples(engine: Engine) -> None:
    """The rows of a group need not be independent: the groups are the units."""
    stats = pytest.importorskip("scipy.stats")
    one, two = two_samples(7)
    [row] = samples(engine, one, two, "mae", weight="w", group="u")
    (a, v, m), (b, w, n) = (linearised(rows, lambda row: row["w"]) for rows in (one, two))
    error, df = error_and_df(v, m, w, n)
    close(row["statistic"], (b - a) / error)
    close(row["p_value"], 2 * stats.t.sf(abs(b - a) / error, df))
    close(row["high"], b - a + stats.t.isf(0.025, df) * error)
    assert (row["n_baseline"], row["n_candidate"]) == (m, n)


@pytest.mark.slow
def test_functions_of_sums_of_two_samples(engine: Engine) -> None:
    """The root of a mean spreads as the mean does, divided by twice the root."""
    stats = pytest.importorskip("scipy.stats")
    one, two = two_samples(8)
    [row] = samples(engine, one, two, "rmse")
    squares = [[(row["y"] - row["s"]) ** 2 for row in rows] for rows in (one, two)]
    a, b = (math.sqrt(statistics.fmean(each)) for each in squares)
    v, w = (statistics.variance(each) / len(each) / (4 * statistics.fmean(each)) for each in squares)
    m, n = map(len, squares)
    error, df = error_and_df(v, m, w, n)
    close(row["statistic"], (b - a) / error)
    close(row["p_value"], 2 * stats.t.sf(abs(b - a) / error, df))


@pytest.mark.slow
@pytest.mark.parametrize("group", [None, "u"])
def test_auc_of_two_samples(group: str | None, engine: Engine) -> None:
    one, two = two_samples(9)
    got = samples(engine, one, two, ["auc", "gini", "mae"], by=["part"], group=group)
    for number, (part, tables) in enumerate(parts(one, two)):
        a, b = (
            sample([{"label": row["y"], "score": row["s"], "u": row["u"]} for row in rows], group)
            for rows in tables
        )
        auc, gini, mae = got[3 * number : 3 * number + 3]
        assert (auc["part"], auc["test"], mae["test"]) == (part, "delong", "welch")
        check_shares(auc, a, b, by_units=False)
        a, b = (Sample(2 * of.value - 1, 4 * of.variance, of.skew, of.units) for of in (a, b))
        check_shares(gini, a, b, (-1, 1), by_units=False)
        counts = [len({row["u"] for row in rows} if group else rows) for rows in tables]
        assert [auc["n_baseline"], auc["n_candidate"]] == counts


@pytest.mark.slow
@pytest.mark.parametrize("group", [None, "u"])
def test_a_perfect_sample_is_no_certain_one(group: str | None, engine: Engine) -> None:
    """Three positive rows above all others say little; the difference ends within its range."""
    one = [{"u": i, "y": int(i % 20 == 0), "s": i * 7919 % 100 / 100} for i in range(60)]
    two = [{"u": i, "y": int(i % 20 == 0), "s": float(i % 20 == 0)} for i in range(60)]
    for tables in ((one, two), (two, two)):
        a, b = (
            sample([{"label": row["y"], "score": row["s"], "u": row["u"]} for row in rows], group)
            for rows in tables
        )
        got = samples(engine, *tables, ["auc", "gini", "accuracy(threshold=0.5)"], group=group)
        check_shares(got[0], a, b, by_units=False)
        for row, width in zip(got, (1, 2, 1), strict=True):
            assert -width <= row["low"] < row["difference"] <= row["high"] <= width
            assert (row["low"] <= 0 <= row["high"]) == (row["p_value"] > 0.05)
    assert [row["difference"] for row in got] == [0, 0, 0]


@pytest.mark.slow
def test_a_sample_of_one_unit_and_of_none(engine: Engine) -> None:
    one, two = (
        [{"u": u, "y": u % 2, "s": u / 7, "part": "x"} for u in range(6)],
        [{"u": 0, "y": 1, "s": 0.5, "part": "y"}],
    )
    for row in samples(engine, one, two, ["mae", "auc"]):
        assert [row[name] for name in UNDEFINED] == [None] * 5
        assert (row["n_baseline"], row["n_candidate"]) == (6, 1)
    for row in samples(engine, one, two, ["mae"], by=["part"], total=False):
        sizes = (6, 0) if row["part"] == "x" else (0, 1)
        assert (row["n_baseline"], row["n_candidate"], row["difference"], row["p_value"]) == (
            *sizes,
            None,
            None,
        )
        assert (row["baseline_value"] is None) == (sizes[0] == 0)


@pytest.mark.slow
def test_samples_that_do_not_vary(engine: Engine) -> None:
    """Not by what rounding makes of equal values, either; of one sample alone the other tells."""
    one, two = ([{"y": 0.0, "s": s} for _ in range(n)] for s, n in ((0.1, 49), (0.3, 37)))
    [row] = samples(engine, one, two, "mae")
    close(row["difference"], 0.2)
    assert [row[name] for name in UNDEFINED] == [None] * 5
    stats = pytest.importorskip("scipy.stats")
    two = [{**row, "s": n / 36} for n, row in enumerate(two)]
    [row] = samples(engine, one, two, "mae")
    close(row["p_value"], stats.ttest_1samp([row["s"] for row in two], 0.1).pvalue)


@pytest.mark.slow
def test_a_p_value_is_never_zero(engine: Engine) -> None:
    one, two = ([{"y": 0.0, "s": s + u % 2 * 1e-9} for u in range(400)] for s in (0.0, 1.0))
    [row] = samples(engine, one, two, "mae")
    assert 0 < row["p_value"] < 1e-200


@pytest.mark.slow
def test_broken_data_of_one_table(engine: Engine) -> None:
    one, two = two_samples(10)
    two[0]["s"] = 7.0
    broken, sound = samples(engine, one, two, ["brier", "mae"])
    assert (broken["difference"], broken["p_value"], broken["n_baseline"]) == (None, None, None)
    assert broken["rows_not_probability"] == 1
    assert sound["p_value"] is not None


@pytest.mark.slow
def test_the_door() -> None:
    """Frames, and names of tables and queries on a connection."""
    duckdb = pytest.importorskip("duckdb")
    pandas = pytest.importorskip("pandas")
    rows = drawn(11)
    one, two = pandas.DataFrame(model(rows, "a")), pandas.DataFrame(model(rows, "b"))
    asked: dict[str, Any] = {"baseline": "s", "candidate": {"new": "s"}, "by": "part", **FACTS}
    report = sm.compare(one, ["ndcg@3", "mae"], other=two, **asked)
    expected = sm.compare(rows, ["ndcg@3", "mae"], **{**asked, "baseline": "a", "candidate": {"new": "b"}})
    for row, other in zip(report.to_dicts(), expected.to_dicts(), strict=True):
        close(row.pop("p_value"), other.pop("p_value"))
        assert (row["candidate"], row["n_pairs"], row["wins"]) == ("new", other["n_pairs"], other["wins"])
    connection = duckdb.connect()
    connection.execute("create table one as select * from one")
    connection.register("second", two)
    there = sm.compare("one", ["ndcg@3", "mae"], other="select * from second", connection=connection, **asked)
    assert [row["wins"] for row in there.to_dicts()] == [row["wins"] for row in report.to_dicts()]
    apart = sm.compare(one, "auc", other=two, paired=False, **asked)
    assert apart.columns[-3:] == ["n_baseline", "n_candidate", "minimum_detectable"]
    assert "n_baseline" in repr(apart)
    one["y"], two["y"] = one["y"] == 1, two["y"] == 1
    assert sm.compare(one, "auc", other=two, paired=False, **asked).to_dicts()[-1]["metric"] == "auc"


@pytest.mark.slow
def test_notes_of_samples() -> None:
    one, two = two_samples(12)
    asked: dict[str, Any] = {"baseline": "s", "candidate": "s", "label": "y", "paired": False}
    report = sm.compare(one, "mae", other=two[:1], **asked)
    assert "no test of fewer than two units of a model" in repr(report)
    alike = [{**row, "s": row["y"]} for row in one]
    assert "no test where nothing varies" in repr(sm.compare(alike, "mae", other=alike, **asked))


@pytest.mark.slow
@pytest.mark.parametrize("test", ["t", "wilcoxon"])
def test_quantiles_of_groups(test: str, engine: Engine) -> None:
    """Each model has its quantiles in its table; a group has the mean loss of its rows."""
    stats = pytest.importorskip("scipy.stats")
    draw = random.Random(15)
    rows = [{"u": i // 2, "y": draw.random(), "s": 0.5} for i in range(80)]
    one, two = (
        [{**row, "low": draw.random() / 2, "high": 0.5 + draw.random() / 2} for row in rows] for _ in "ab"
    )

    def losses(table: Rows) -> list[float]:
        of_rows = [
            max(level * (row["y"] - row[name]), (1 - level) * (row[name] - row["y"]))
            for row in table for level, name in ((0.1, "low"), (0.8, "high"))
        ]  # fmt: skip
        return [statistics.fmean(of_rows[i : i + 4]) for i in range(0, len(of_rows), 4)]

    before, after = losses(one), losses(two)
    [row] = ran(engine, one, two, "quantile_loss(quantiles='0.1: low, 0.8: high')", group="u", test=test)
    close(row["difference"], statistics.fmean(after) - statistics.fmean(before))
    assert row["wins"] == sum(b < a for a, b in zip(before, after, strict=True))
    expected = (
        stats.ttest_rel(after, before)
        if test == "t"
        else stats.wilcoxon(after, before, method="approx", correction=False)
    )
    close(row["p_value"], expected.pvalue)


REFUSED: list[tuple[dict[str, Any], str]] = [
    ({"candidate": "scoer"}, r"Column 'scoer' \(candidate=\) is not in other="),
    ({"baseline": "scoer"}, r"Column 'scoer' \(baseline=\) is not in the data"),
    ({"by": "day"}, r"Column 'day' \(by=\) is not in other="),
    ({"weight": "v"}, r"Column 'v' \(weight=\) is not in other="),
    (
        {"group": "name"},
        r"'name' \(group=\) is a number in the data .*, which cannot be compared; write group=",
    ),
    ({"metrics": "gauc(weight=v)"}, "'v' is neither impressions, .* nor a column"),
    (
        {"group": None, "metrics": "mae"},
        "Models with rows of their own need group=, the key .* pass paired=False",
    ),
    ({"candidate": {"baseline": "s"}}, "Two models are named 'baseline'"),
    ({"paired": False, "test": "sign"}, "test='sign' is of pairs; with paired=False the test is Welch's"),
    ({"paired": False, "on_unpaired": "intersection"}, "on_unpaired='intersection' is of pairs"),
    ({"paired": False, "other": None, "candidate": "v"}, "paired=False is for models on different data"),
    ({"paired": "no"}, "paired must be true or false"),
    (
        {"paired": False, "metrics": "pearson", "group": None},
        "'pearson' cannot be compared over different data",
    ),
    (
        {"paired": False, "metrics": "auc(bins=10)", "group": None},
        r"'auc\(bins=10\)' cannot be .* auc and gini$",
    ),
    ({"test": "welch"}, "test: 'welch' is not known"),
    ({"paired": False, "interval": 95}, "interval must be a number from 0.000001 to 0.999999"),
]


@pytest.mark.parametrize(("facts", "message"), REFUSED)
def test_refused(facts: dict[str, Any], message: str) -> None:
    rows = drawn(13)
    one = [{**row, "v": 1, "day": "x", "name": row["u"]} for row in model(rows, "a")]
    two = [{**row, "name": str(row["u"])} for row in model(rows, "b")]
    asked = {"metrics": "ndcg@3", "baseline": "s", "candidate": "s", "other": two, **FACTS, **facts}
    with pytest.raises(sm.SqlMetricsError, match=message):
        sm.compare(one, **asked)


@pytest.mark.slow
def test_groups_of_one_table_are_refused_until_told() -> None:
    rows = drawn(14)
    one, two = model(rows, "a"), [row for row in model(rows, "b") if row["u"] != 3]
    asked: dict[str, Any] = {"other": two, "baseline": "s", "candidate": "s", **FACTS}
    message = r"1 of 60 groups have a value of mae in one of the two tables alone; pass on_unpaired="
    with pytest.raises(sm.SqlMetricsError, match=message):
        sm.compare(one, "mae", **asked)
    assert sm.compare(one, "mae", on_unpaired="intersection", **asked).to_dicts()[0]["n_pairs"] == 59


def test_a_semicolon_after_other() -> None:
    """A query becomes a part of the statement."""
    asked = {"baseline": "a", "candidate": "b", "label": "y", "group": "u"}
    plain = sm.render_compare("one", "mrr", other="select * from two", **asked)
    assert sm.render_compare("one", "mrr", other="select * from two;\n", **asked) == plain
    with pytest.raises(sm.SqlMetricsError, match="other takes a table name or a query, got ''"):
        sm.render_compare("one", "mrr", other="", **asked)
