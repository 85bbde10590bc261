"""Models have one form in every call: a list of columns, or a mapping of names to columns, one of them the baseline."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import sqlmetrics as sm

ROWS = [
    {
        "y": int(i * 5 % 11 < 4),
        "a": i % 7 / 7,
        "b": i % 5 / 5,
        "c": i % 3 / 3,
        "u": i % 12,
        "d": "xy"[i % 24 > 11],
    }
    for i in range(120)
]
LISTED = ["a", "b", "c"]
NAMED = {"new": "b", "old": "a", "third": "c"}
FACTS: dict[str, Any] = {"label": "y", "group": "u"}


def same(one: Any, other: Any) -> bool:
    """Whether two results have the same rows, but for rounding."""
    return one.to_dicts() == [pytest.approx(row) for row in other]


@pytest.mark.parametrize(
    "asked",
    [
        lambda score: sm.evaluate(ROWS, ["auc", "ndcg@3"], score=score, **FACTS),
        lambda score: sm.per_group(ROWS, "ndcg@3", score=score, **FACTS),
        lambda score: sm.curve(ROWS, "roc(points=5)", label="y", score=score),
        lambda score: sm.render("rows", "auc", label="y", score=score),
        lambda score: sm.render_curve("rows", "roc", label="y", score=score),
    ],
)
def test_a_list_names_each_model_by_its_column(asked: Callable[[Any], Any]) -> None:
    found, expected = asked(LISTED), asked({"a": "a", "b": "b", "c": "c"})
    assert asked(tuple(LISTED)) == expected if isinstance(expected, str) else same(found, expected)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("score", "baseline", "candidate", "columns"),
    [
        (LISTED, "a", None, {"b": "b", "c": "c"}),
        (LISTED, "b", "c", {"c": "c"}),
        (NAMED, "old", None, {"new": "b", "third": "c"}),
        (NAMED, "third", ["old", "new"], {"old": "a", "new": "b"}),
    ],
)
def test_a_comparison_names_models(
    score: Any, baseline: str, candidate: Any, columns: dict[str, str]
) -> None:
    column = score[baseline] if isinstance(score, dict) else baseline
    by_names = sm.compare(
        ROWS, ["mae", "ndcg@3"], score=score, baseline=baseline, candidate=candidate, **FACTS
    )
    by_columns = sm.compare(ROWS, ["mae", "ndcg@3"], baseline=column, candidate=columns, **FACTS)
    assert same(by_names, by_columns)
    assert [row["candidate"] for row in by_names if row["metric"] == "mae"] == [*columns]
    asked = {"score": score, "baseline": baseline, "candidate": candidate, **FACTS}
    assert f"when 1 then '{baseline}'" in sm.render_compare("rows", "mae", pairs="all", **asked)


@pytest.mark.slow
def test_all_pairs_of_named_models() -> None:
    found = sm.compare(ROWS, "mae", score=NAMED, baseline="old", pairs="all", **FACTS)
    assert [(row["baseline"], row["candidate"]) for row in found] == [
        ("old", "new"), ("old", "third"), ("new", "third")
    ]  # fmt: skip


@pytest.mark.slow
def test_sizes_and_slices_of_named_models() -> None:
    asked = {"label": "y", "by": "d"}
    by_columns = sm.sample_size(ROWS, "brier", baseline="a", candidate={"new": "b"}, n=100, **asked)
    by_names = sm.sample_size(ROWS, "brier", score=NAMED, baseline="old", candidate="new", n=100, **asked)
    assert same(by_names, by_columns)
    alone = sm.sample_size(ROWS, "brier", score=NAMED, baseline="old", n=100, **asked)
    arms = sm.sample_size(ROWS, "brier", baseline="a", n=100, **asked)
    assert same(alone, arms)
    asked |= {"min_units": 2}
    expected = sm.find_slices(ROWS, "brier", baseline="a", candidate="b", **asked)
    two = {"old": "a", "new": "b"}
    assert same(sm.find_slices(ROWS, "brier", score=two, baseline="old", **asked), expected)
    found = sm.find_slices(ROWS, "brier", score=NAMED, baseline="old", candidate="new", **asked)
    assert same(found, expected)


@pytest.mark.parametrize(
    ("call", "told"),
    [
        (
            {"score": NAMED, "baseline": "a"},
            "baseline= names no model: 'a'. Models: new, old, third",
        ),
        ({"score": NAMED, "baseline": "old", "candidate": "b"}, "candidate= names no model: 'b'"),
        ({"score": LISTED, "baseline": "a", "candidate": "a"}, "'a' is named twice"),
        (
            {"score": LISTED, "baseline": "a", "candidate": {"x": "b"}},
            "candidate= takes names of models of score=",
        ),
        ({"score": ["a"], "baseline": "a"}, "score= has no model beside the baseline, 'a'"),
        ({"score": "a", "baseline": "a"}, "score= of a comparison has several models"),
        ({"score": ["a", "b", "a"], "baseline": "a"}, "score= lists 'a' twice"),
        (
            {"score": ["a", 3], "baseline": "a"},
            "score= lists columns, such as ['score_a', 'score_b'], got ['a', 3]",
        ),
        ({"baseline": "a"}, "pass a column, or all models as score=['score_a', 'score_b']"),
        (
            {"score": LISTED, "baseline": "a", "other": ROWS},
            "other= has the candidates, whose columns are baseline=",
        ),
    ],
)
def test_models_that_are_none(call: dict[str, Any], told: str) -> None:
    with pytest.raises(sm.SqlMetricsError) as refused:
        sm.compare(ROWS, "mae", **call, **FACTS)
    assert told in str(refused.value)


def test_slices_compare_two_models() -> None:
    with pytest.raises(sm.SqlMetricsError, match="name one of new, third as candidate="):
        sm.find_slices(ROWS, "brier", score=NAMED, baseline="old", label="y", by="d", min_units=2)


#: each row is that of one model; names that are numbers, or alike but for their case
LONG = [
    {"run": name, "y": row["y"], "p": row[column], "u": row["u"], "d": row["d"]}
    for name, column in {"b": "b", "A": "a", "7": "c"}.items()
    for row in ROWS
]
OF_LONG = {"7": "c", "A": "a", "b": "b"}  # in the order of their names
TABLES = {name: [row for row in LONG if row["run"] == name] for name in OF_LONG}
WIDE = {"score": OF_LONG}
ASKED: dict[str, Callable[..., Any]] = {
    "evaluate": lambda data, **m: sm.evaluate(data, ["auc", "ndcg@3"], by="d", **m, **FACTS),
    "per_group": lambda data, **m: sm.per_group(data, "ndcg@3", **m, **FACTS),
    "curve": lambda data, **m: sm.curve(data, "roc(points=5)", label="y", **m),
    "compare": lambda data, **m: sm.compare(data, ["auc", "ndcg@3"], baseline="b", **m, **FACTS),
    "all pairs": lambda data, **m: sm.compare(
        data, "mae", baseline="7", candidate=["b", "A"], pairs="all", **m, **FACTS
    ),
    "sample_size": lambda data, **m: sm.sample_size(
        data, "ndcg@3", baseline="A", candidate="b", difference=0.1, **m, **FACTS
    ),
}


@pytest.mark.parametrize("call", ASKED)
def test_rows_and_tables_of_models_are_as_their_columns(call: str) -> None:
    ask = ASKED[call]
    expected = ask(ROWS, **WIDE)
    assert same(ask(LONG, score="p", models="run"), expected)
    assert same(ask(TABLES, score="p"), expected)
    assert same(ask(LONG, score="p", models={"run": ["7", "A", "b"]}), expected)


def test_names_in_a_column_of_numbers_and_of_an_expression() -> None:
    numbered = [{**row, "run": 10 + "7Ab".index(row["run"])} for row in LONG]
    found = sm.evaluate(numbered, "auc", models="run", score="p", label="y")
    assert found["model"] == ["10", "11", "12"]
    named = sm.evaluate(LONG, "auc", models=sm.sql("'run ' || lower(run)"), score="p", label="y")
    assert named["model"] == ["run 7", "run a", "run b"]
    assert named["auc"] == found["auc"]


def test_models_without_a_score() -> None:
    """Predicted classes, a row for each model."""
    rows = [{**row, "hit": row["p"] > 0.5} for row in LONG]
    found = sm.evaluate(rows, "accuracy", models="run", prediction="hit", label="y")
    expected = sm.evaluate(LONG, "accuracy(threshold=0.500001)", models="run", score="p", label="y")
    assert found["model"] == ["7", "A", "b"]
    assert found["accuracy"] == expected["accuracy_threshold_0_500001"]
    of_tables = sm.evaluate(
        {"x": rows, "y": rows}, "accuracy", prediction="hit", label="y", by="run", total=False
    )
    assert of_tables["accuracy"] == [value for value in found["accuracy"] for _ in range(2)]


def test_runs_of_different_lists() -> None:
    """A list that one run lacks is said, or left out of both."""
    fewer = [row for row in LONG if not (row["run"] == "b" and row["u"] == 3)]
    asked = {"models": "run", "baseline": "A", "candidate": "b", "score": "p", **FACTS}
    with pytest.raises(
        sm.DataError, match="1 of 12 groups have a value of ndcg_3 for one of 'A' and 'b' alone"
    ):
        sm.compare(fewer, "ndcg@3", **asked)
    [row] = sm.compare(fewer, "ndcg@3", on_unpaired="intersection", **asked).to_dicts()
    left = [row for row in ROWS if row["u"] != 3]
    [expected] = sm.compare(left, "ndcg@3", score={"A": "a", "b": "b"}, baseline="A", **FACTS).to_dicts()
    assert (row["n_pairs"], row["n_unpaired"]) == (11, 1)
    assert row["difference"] == pytest.approx(expected["difference"])


def test_two_samples_of_one_table() -> None:
    facts = {"label": "y", "paired": False, "baseline": "A"}
    found = sm.compare(LONG, "auc", models={"run": ["A", "b"]}, score="p", **facts)
    assert same(sm.compare({name: TABLES[name] for name in "Ab"}, "auc", score="p", **facts), found)
    assert (found["n_baseline"], found["n_candidate"]) == ([120], [120])


def test_files_of_models(tmp_path: Path) -> None:
    """Of text files, of which one has the columns in another order."""
    import pyarrow.csv

    paths = {}
    for name, rows in TABLES.items():
        columns = list(rows[0])[:: -1 if name == "A" else 1]
        paths[name] = tmp_path / f"{name}.csv"
        table = pyarrow.Table.from_pylist([{column: row[column] for column in columns} for row in rows])
        pyarrow.csv.write_csv(table, paths[name])
    found = sm.evaluate({name: str(path) for name, path in paths.items()}, "ndcg@3", score="p", **FACTS)
    assert same(found, sm.evaluate(ROWS, "ndcg@3", **WIDE, **FACTS))


KEYED = [{"k": i, "y": 1, "p": 1} for i in range(1500)]
MIXED = {**TABLES, "b": [{"y": "x", "p": 1}]}
SIMPLE: dict[str, Any] = {"score": "p", "label": "y"}


def evaluated(data: Any, **asked: Any) -> Any:
    return sm.evaluate(data, "mae", **{**SIMPLE, **asked})


def compared(data: Any, **asked: Any) -> Any:
    return sm.compare(data, "mae", **{**SIMPLE, "baseline": "A", **asked})


@pytest.mark.parametrize(
    ("ask", "data", "asked", "told"),
    [
        (compared, LONG, {"models": "run"}, "Models with rows of their own need group="),
        (compared, TABLES, {}, "Models with rows of their own need group="),
        (
            compared,
            LONG,
            {"models": "run", "group": "u", "baseline": "a"},
            "baseline= names no model: 'a'. Models: 7, A, b",
        ),
        (
            compared,
            LONG,
            {"models": "run", "group": "u", "other": LONG},
            "other= has the candidates",
        ),
        (evaluated, LONG, {"models": "rnu"}, "Did you mean 'run'?"),
        (evaluated, LONG, {"models": {"run": ["a"]}}, "does not hold 'a'. It holds: 7, A, b"),
        (evaluated, LONG, {"models": {"run": []}}, "with the names of models there"),
        (evaluated, LONG, {"models": {"run": ["A", "A"]}}, "names each model once"),
        (evaluated, LONG, {"models": "run", "score": ["p", "u"]}, "score= is one column where models= names"),
        (evaluated, LONG, {"models": "p", "where": "p < 0"}, "names no model, since no row is there"),
        (evaluated, [{**LONG[0], "run": None}], {"models": "run"}, "is NULL in 1 rows"),
        (evaluated, KEYED, {"models": "k"}, "has more than 1,000 values"),
        (evaluated, TABLES, {"models": "run"}, "leave it out where each model has a table"),
        (evaluated, TABLES, {"score": "q"}, "Column 'q' (score=) is not in"),
        (evaluated, MIXED, {}, "in both tables it has to be of one kind"),
        (evaluated, {1: ROWS}, {}, "names each model by a text"),
    ],
)
def test_models_that_cannot_be_told_apart(
    ask: Callable[..., Any], data: Any, asked: dict[str, Any], told: str
) -> None:
    with pytest.raises(sm.SqlMetricsError) as refused:
        ask(data, **asked)
    assert told in str(refused.value)


def test_calls_of_one_table_and_statements_without_rows() -> None:
    with pytest.raises(sm.SqlMetricsError, match="state takes one table, got one for each of 7, A, b"):
        sm.state(TABLES, "mae", by="d", period="u", **SIMPLE)
    with pytest.raises(sm.SqlMetricsError, match="name the models, models="):
        sm.render("t", "mae", models="run", **SIMPLE)


MANY = [
    {
        "c": "abc"[u % 3], "d": u % 2, "u": u, "i": i, "y": int((u * 7 + i * 5) % 11 < 4),
        "a": (u * 31 + i * 17) % 101 / 101,
        "b": (u * 13 + i * 29) % 97 / 97 + (0.4 if (u * 7 + i * 5) % 11 < 4 and u % 3 else 0),
    }
    for u in range(300) for i in range(3)
]  # fmt: skip
LONG_OF_MANY = [{**row, "run": name, "p": row[name]} for row in MANY for name in "ab"]
TABLES_OF_MANY = {name: [row for row in LONG_OF_MANY if row["run"] == name] for name in "ab"}
SEARCHED: dict[str, Any] = {"by": ["c", "d"], "min_units": 20, "label": "y"}


def _without_rows(found: sm.Slices) -> list[dict[str, Any]]:
    return [{name: row[name] for name in row if name != "n_rows"} for row in found.to_dicts()]


@pytest.mark.parametrize("metrics", [["mrr", "auc", "mae"], "rmse"])
def test_slices_of_the_difference_of_rows_and_tables_of_models(metrics: Any) -> None:
    """Lists, rows of a key and placements of AUC are paired by group=; both models' rows are counted."""
    asked = {**SEARCHED, "group": "u", "baseline": "a"}
    expected = sm.find_slices(MANY, metrics, score=["a", "b"], **asked)
    near = [pytest.approx(row) for row in _without_rows(expected)]
    for found in (
        sm.find_slices(LONG_OF_MANY, metrics, score="p", models="run", **asked),
        sm.find_slices(TABLES_OF_MANY, metrics, score="p", candidate="b", **asked),
    ):
        assert _without_rows(found) == near
        assert found["n_rows"] == [2 * n for n in expected["n_rows"]]


@pytest.mark.parametrize("group", [None, "u"])
def test_slices_of_one_model(group: str | None) -> None:
    asked = {**SEARCHED, "group": group}
    expected = [
        pytest.approx(row) for row in sm.find_slices(MANY, ["auc", "mae"], score="b", **asked).to_dicts()
    ]
    long = sm.find_slices(LONG_OF_MANY, ["auc", "mae"], score="p", models={"run": ["b"]}, **asked)
    one = {"b": TABLES_OF_MANY["b"]}
    assert long.to_dicts() == expected == sm.find_slices(one, ["auc", "mae"], score="p", **asked).to_dicts()


def test_a_search_of_models_says_what_it_needs() -> None:
    asked = {**SEARCHED, "score": "p", "models": "run"}
    with pytest.raises(sm.SqlMetricsError, match=r"by its name in models= or its table alone. Models: a, b"):
        sm.find_slices(LONG_OF_MANY, "mae", **asked)
    with pytest.raises(sm.SqlMetricsError, match="Models with rows of their own need group="):
        sm.find_slices(LONG_OF_MANY, "mae", baseline="a", **asked)
    fewer = [row for row in LONG_OF_MANY if row["run"] == "a" or row["u"] > 3]
    for metric in ("mrr", "mae", "auc"):
        with pytest.raises(
            sm.DataError, match=r"^\d groups count for one of the two models alone; leave them out"
        ):
            sm.find_slices(fewer, metric, baseline="a", group="u", **asked)
    moved = [{**row, "c": "z"} if row["run"] == "b" and row["u"] == 5 else row for row in LONG_OF_MANY]
    with pytest.raises(sm.DataError, match="1 groups have several values of a column of by="):
        sm.find_slices(moved, "mae", baseline="a", group="u", **asked)


@pytest.mark.parametrize(("metric", "group"), [("mae", None), ("mrr", "u")])
def test_a_change_of_one_model(metric: str, group: str | None) -> None:
    facts = {"by": "c", "label": "y", "score": "p", "group": group}
    periods = {"period": "d", "before": 0, "after": 1}
    one, models = TABLES_OF_MANY["b"], {"run": ["b"]}
    expected = [pytest.approx(row) for row in sm.explain_change(one, metric, **facts, **periods).to_dicts()]
    assert sm.explain_change(LONG_OF_MANY, metric, models=models, **facts, **periods).to_dicts() == expected
    assert sm.explain_change({"b": one}, metric, **facts, **periods).to_dicts() == expected
    before, after = ([row for row in LONG_OF_MANY if row["d"] == day] for day in (0, 1))
    found = sm.explain_change(after, metric, reference=before, models=models, **facts)
    assert found.to_dicts() == expected
    with pytest.raises(sm.SqlMetricsError, match=r"explains one model at a time: .*Models: a, b"):
        sm.explain_change(LONG_OF_MANY, metric, models="run", **facts, **periods)
    with pytest.raises(sm.SqlMetricsError, match="a state is of one model; leave it out"):
        sm.render_explain_change("t", metric, of_state=True, models=models, **facts, **periods)


@pytest.mark.parametrize("pairs", ["baseline", "all"])
def test_a_comparison_without_a_baseline_names_the_models(pairs: Any) -> None:
    for data, asked, names in (
        (ROWS, {"score": NAMED}, "new, old, third"),
        (LONG, {"score": "p", "models": "run"}, "7, A, b"),
        (TABLES, {"score": "p"}, "7, A, b"),
    ):
        with pytest.raises(sm.SqlMetricsError, match=rf"needs baseline=, .* Models: {names}$"):
            sm.compare(data, "mae", pairs=pairs, **asked, **FACTS)


@pytest.mark.parametrize("path", ["/tmp/a.csv", "s3://b/x.parquet", "data/x.csv"])
def test_a_path_is_no_name_of_sql(path: str) -> None:
    with pytest.raises(sm.SqlMetricsError, match=f"in quotes it is one of DuckDB: relation '{path}'"):
        sm.render(path, "auc", **SIMPLE)
    assert f"from '{path}'" in sm.render(f"'{path}'", "auc", **SIMPLE)
    sm.render(f"select 1 / 2 as y, 1/2 as p from '{path}'", "auc", **SIMPLE)


@pytest.mark.parametrize("of", ["pandas", "polars", "lists"])
def test_a_table_of_any_kind_for_each_model(of: str) -> None:
    tables: Any = {"old": ROWS[:60], "new": ROWS[60:]}
    if of != "lists":
        frames = pytest.importorskip(of, exc_type=ImportError)
        tables = {name: frames.DataFrame(rows) for name, rows in tables.items()}
    found = sm.evaluate(tables, "auc", label="y", score="a")
    assert found["auc"] == pytest.approx(
        [sm.evaluate(rows, "auc", label="y", score="a").value("auc") for rows in (ROWS[:60], ROWS[60:])]
    )


def test_models_without_scores() -> None:
    """What reads no score is drawn by a bootstrap, and kept in a state, of each model."""
    rows = [{**row, "model": "pq"[i % 2], "day": i // 60} for i, row in enumerate(ROWS)]
    for metric in ("mean(column=a)", "base_rate"):
        asked = {"models": "model", "label": "y"}
        drawn = sm.evaluate(rows, {"m": metric}, interval=0.95, interval_method="bootstrap", **asked)
        for model, row in zip("pq", drawn, strict=True):
            own = [each for each in rows if each["model"] == model]
            (alone,) = sm.evaluate(own, {"m": metric}, label="y", interval=0.95)
            assert row["m"] == pytest.approx(alone["m"])
            assert row["m_low"] == pytest.approx(alone["m_low"], abs=0.05)
        finished = sm.finish(sm.state(rows, [metric], period="day", **asked), {"m": metric})
        assert finished["m"] == pytest.approx(drawn["m"])
    with pytest.raises(sm.SqlMetricsError, match="soft=True needs label="):
        sm.evaluate(rows, "mean(column=a)", soft=True)
