"""Metrics of items: values that peers publish, what must not change a number, and what is told of bad tables."""

from pathlib import Path

import duckdb
import pyarrow as pa
import pyarrow.parquet
import pytest

import sqlmetrics as sm
from conformance.cases.items import (
    BY_KIND,
    CATALOG,
    DISTANCES,
    EVERY,
    HISTORY,
    JUDGED,
    TABLES,
    TIED,
    drawn,
    unlabelled,
)
from oracles import value
from support.errors import assert_told, told, words_of
from support.paths import DATA

CALL = {"score": "score", "group": "user", "item": "item"}


def table(users: str, items: str, ranks: str | None = None, **more: list) -> list[dict]:
    """Rows of one letter or digit a user and item; without ranks in ranked order."""
    ranks = ranks or "".join(str(n) for n in range(len(users)))
    return [
        {
            "user": u,
            "item": i,
            "score": -int(rank),
            **{column: values[n] for column, values in more.items()},
        }
        for n, (u, i, rank) in enumerate(zip(users, items, ranks, strict=True))
    ]


def past(users: str, items: str) -> list[dict]:
    return [{"user": u, "item": i} for u, i in zip(users, items, strict=True)]


# RecTools 0.19, docstrings: recommendations with ranks, previous interactions; values by user.
MIUF = (table("12233", "32312", "11212"), past("1123", "1211"))
POPULAR = (table("1122233", "1231232", "1212312"), past("112233", "121312"))
SERENDIPITY = (
    table("1122344", "1223323", "1212112", label=[1, 1, 1, 1, 0, 1, 0]),
    past("11223", "12121"),
)
# recommenders 1.2, tests/unit/recommenders/evaluation/conftest.py, diversity_data.
DIVERSE = (table("112233", "352512"), past("11122333", "12434345"))
PUBLISHED = [
    ("novelty@1", *MIUF, (1.5849625 + 1.5849625 + 0) / 3, "RecTools, MeanInvUserFreq"),
    ("novelty@3", *MIUF, (1.5849625 + 1.5849625 + 0.79248125) / 3, "RecTools, MeanInvUserFreq"),
    ("average_popularity@1", *POPULAR, (3 + 1 + 1) / 3, "RecTools, AvgRecPopularity"),
    ("average_popularity@3", *POPULAR, (2.5 + 2 + 1.5) / 3, "RecTools, AvgRecPopularity"),
    ("serendipity@1", *SERENDIPITY, (0 + 0.25 + 0 + 0.25) / 4, "RecTools, Serendipity"),
    ("serendipity@2", *SERENDIPITY, (0 + 0.5 + 0 + 0.125) / 4, "RecTools, Serendipity"),
    ("catalog_coverage", *DIVERSE, 0.8, "recommenders, catalog_coverage"),
    ("exposure_entropy", *DIVERSE, 1.9183, "recommenders, distributional_coverage"),
    ("novelty(popularity=interactions)", *DIVERSE, 2.83333, "recommenders, novelty"),
]


@pytest.mark.parametrize(
    ("notation", "rows", "history", "published", "source"), PUBLISHED, ids=[case[0] for case in PUBLISHED]
)
def test_published_values(notation, rows, history, published, source):
    catalog = past("....", "1234") if "Serendipity" in source else history
    facts = {"label": "label"} if "label" in rows[0] else {}
    [row] = sm.evaluate(rows, {"x": notation}, **CALL, **facts, history=history, catalog=catalog).to_dicts()
    assert row["x"] == pytest.approx(published, abs=1e-5)


@pytest.mark.parametrize(("k", "published"), [(2, (1.0 + 0) / 2), (3, (4 / 3 + 0) / 2)])
def test_published_diversity(k, published):
    """RecTools, IntraListDiversity: Hamming distances of items 1 to 4 with features 00, 01, 11 and 00."""
    features = {"1": "00", "2": "01", "3": "11", "4": "00"}
    distances = [
        {"item_a": a, "item_b": b, "distance": sum(x != y for x, y in zip(one, other, strict=True))}
        for a, one in features.items()
        for b, other in features.items()
        if a < b
    ]
    rows = table("11122", "12314", "12312")
    [row] = sm.evaluate(rows, {"x": f"diversity@{k}"}, **CALL, distances=distances).to_dicts()
    assert row["x"] == pytest.approx(published, rel=1e-12)


def values(rows, metrics=EVERY, **facts):
    named = {f"m{i}": notation for i, notation in enumerate(metrics)}
    report = sm.evaluate(rows, named, **{"label": "label", "score": "score", **BY_KIND, **TABLES, **facts})
    return [{notation: row[name] for name, notation in named.items()} for row in report.to_dicts()]


def nearly(expected):
    return {name: v if v is None else pytest.approx(v, rel=1e-12, abs=1e-12) for name, v in expected.items()}


@pytest.mark.slow
def test_the_order_of_rows_and_tables_changes_nothing():
    backwards = {name: rows[::-1] for name, rows in TABLES.items()}
    assert values(TIED[::-1], **backwards) == [nearly(values(TIED)[0])]


@pytest.mark.slow
def test_several_models_are_each_alone():
    rows = [{**row, "other": (7 * n) % 5} for n, row in enumerate(TIED)]
    one, other = values(rows, score={"one": "score", "other": "other"})
    assert [one] == [nearly(values(rows)[0])]
    assert [other] == [nearly(values(rows, score="other")[0])]


@pytest.mark.slow
def test_models_and_a_truth():
    rows = [{**row, "other": (7 * n) % 5} for n, row in enumerate(unlabelled(TIED))]
    one, other = values(rows, score={"one": "score", "other": "other"}, truth=JUDGED)
    assert [one] == [nearly(values(rows, truth=JUDGED)[0])]
    assert [other] == [nearly(values(rows, score="other", truth=JUDGED)[0])]


@pytest.mark.slow
def test_users_of_the_truth_lie_in_its_slices():
    region = {"u": "n", "v": "n", "w": "s", "unserved": "s", "z": "n"}
    truth = [{**row, "region": region[row["list"]]} for row in JUDGED]
    rows = unlabelled(TIED)
    # the last slice has the lists without a truth, and no value
    *slices, unknown, total = values(rows, truth=truth, by="region")
    assert set(unknown.values()) == {None}
    assert [total] == [nearly(values(rows, truth=truth)[0])]
    for name, of_slice in zip("ns", slices, strict=True):
        alone = [row for row in truth if row["region"] == name]
        assert [of_slice] == [nearly(values(rows, truth=alone)[0])]


def test_a_list_of_all_items_once_is_even():
    rows = [
        {"list": f"q{q}", "item": f"i{(q + i) % 6}", "score": -i, "label": 1}
        for q in range(6)
        for i in range(3)
    ]
    catalog = [{"item": f"i{i}", "kind": i} for i in range(6)]
    metrics = ["exposure_gini@3", "exposure_entropy@3", "catalog_coverage@3", "diversity@3"]
    [row] = values(rows, metrics, catalog=catalog)
    assert list(row.values()) == pytest.approx([0, 2.584962500721156, 1, 1], abs=1e-12)  # log2 of 6


@pytest.mark.slow
def test_tables_may_be_files_and_queries(tmp_path: Path):
    for name, rows in {"rows": TIED, **TABLES}.items():
        pyarrow.parquet.write_table(pa.Table.from_pylist(rows), tmp_path / f"{name}.parquet")
    files = {name: str(tmp_path / f"{name}.parquet") for name in TABLES}
    assert values(str(tmp_path / "rows.parquet"), **files) == [nearly(values(TIED)[0])]
    with duckdb.connect() as connection:
        for name, rows in {"catalog": CATALOG, "past": HISTORY}.items():
            connection.register("sent", pa.Table.from_pylist(rows))
            connection.execute(f"create table {name} as from sent")
        named = {"catalog": "catalog", "history": "select * from past"}
        assert values(TIED, **named, connection=connection) == [nearly(values(TIED)[0])]


ITEMS = {"score": "score", "group": "list", "item": "item"}
HALF = DISTANCES[:3]
REFUSED = [
    ("catalog_coverage@3", {}, "catalog_coverage@3: needs catalog=|history= serves"),
    ("exposure_gini@3", {"catalog": CATALOG[:3]}, "3 recommended items are not in catalog="),
    ("catalog_coverage", {"catalog": [*CATALOG, {"item": None}]}, "1 item of catalog= is NULL"),
    ("catalog_coverage", {"catalog": [{"id": "a"}]}, "Column 'item' (item=) is not in the catalog"),
    (
        "catalog_coverage",
        {"catalog": [{"item": 1}]},
        """Column 'item' (item=) is text in the data and a number in the catalog|sm.sql('cast("item" as varchar)')""",
    ),
    ("novelty@3", {}, "novelty@3: needs history=|group= and item="),
    ("novelty@3", {"history": [*HISTORY, {"list": "u"}]}, "1 rows of history= have a NULL group or item"),
    ("novelty@3", {"history": CATALOG}, "Column 'list' (group=) is not in the history"),
    ("novelty(popularity=items)", {"history": HISTORY}, "popularity must be one of users, interactions"),
    ("long_tail_share(head=2)@3", {"history": HISTORY}, "head must be a number >= 0 and <= 1, got 2"),
    ("average_popularity@0", {"history": HISTORY}, "k must be an integer >= 1, got 0"),
    ("diversity@3", {}, "needs category=, a column of catalog=, or distances="),
    ("diversity@3", {"category": "kind"}, "category= needs catalog="),
    ("diversity@3", {**TABLES, "category": "sort"}, "Column 'sort' (category=) is not in the catalog"),
    ("diversity@3", {**TABLES, "category": "kind", "distances": DISTANCES}, "distances=|not both"),
    (
        "diversity@3",
        {"category": "kind", "catalog": [*CATALOG[1:], {"item": "b", "kind": "other"}]},
        "2 recommended items have no category (category=) in catalog=, or several",
    ),
    ("diversity@3", {"distances": HALF}, "4 groups|without a distance >= 0 in distances=, or with two"),
    (
        "diversity@3",
        {"distances": [*DISTANCES, {**DISTANCES[0], "distance": 9.0}]},
        "2 groups|without a distance >= 0 in distances=, or with two",
    ),
    ("diversity@3", {"distances": [{"item_a": "a", "item_b": "b"}]}, "Column 'distance' (distances=)"),
    ("serendipity@3", TABLES, "serendipity@3: needs label="),
    ("user_coverage@3", {}, "user_coverage@3: needs truth= or history="),
    ("user_coverage@3", {"history": HISTORY, "by": "label"}, "with by= it needs truth="),
    ("personalization@3", {"group": None}, "personalization@3: needs group="),
    ("personalization@3", {"weight": "score"}, "a metric of items takes no weight="),
    ("personalization@3", {"truth": JUDGED}, "personalization@3: needs label="),
    ("novelty(weight=uniform)@3", {"history": HISTORY}, "Unknown parameter 'weight' of novelty"),
]


@pytest.mark.parametrize(("notation", "facts", "words"), REFUSED, ids=words_of(REFUSED))
def test_refusals(notation, facts, words):
    assert_told(told(sm.evaluate, TIED, notation, **{**ITEMS, **facts}), words)


@pytest.mark.parametrize(
    ("texts", "numbers", "advice"),
    [
        (["1", "2", "7"], [1, 2, 7, 9], """sm.sql('cast("item" as varchar)')"""),
        (["1", "b", "7"], [1, 2, 7, 9], """sm.sql('cast("item" as varchar)')"""),
        (["1", "02", "7"], [1, 2, 7, 9], """sm.sql('cast("item" as bigint)')"""),
        (["1", "2", "7"], [1.0, 2.0, 7.0, 9.0], """sm.sql('cast("item" as bigint)')"""),
        (["1.5", "2", "7"], [1.5, 2.0, 7.0, 9.0], """sm.sql('try_cast("item" as double)')"""),
    ],
)
def test_advice_for_items_of_two_types_works(texts, numbers, advice):
    rows = [{"list": n % 2, "item": text, "score": n} for n, text in enumerate(texts)]
    facts = {**ITEMS, "catalog": [{"item": number} for number in numbers]}
    message = told(sm.evaluate, rows, "catalog_coverage", **facts)
    assert_told(
        message, f"Column 'item' (item=) is text in the data and a number in the catalog|item={advice}"
    )
    facts["item"] = eval(message.split("write item=")[1], {"sm": sm})
    if "b" in texts:  # no expression makes it an item of the catalog
        message = told(sm.evaluate, rows, "catalog_coverage", **facts)
        assert_told(message, "1 recommended items are not in catalog=")
        return
    known = {float(text) for text in texts} & {float(number) for number in numbers}
    [found] = sm.evaluate(rows, "catalog_coverage", **facts).to_dicts()
    assert found["catalog_coverage"] == pytest.approx(len(known) / len(numbers))


def test_no_advice_for_items_that_no_number_is():
    facts = {**ITEMS, "catalog": [{"item": 1.0}]}
    message = told(sm.evaluate, TIED, "catalog_coverage", **facts)
    assert_told(
        message,
        "Column 'item' (item=) is text in the data and a number in the catalog|no number is a text such",
    )


@pytest.mark.parametrize("beside", [[], ["ndcg@3"]], ids=["alone", "beside lists"])
def test_an_item_twice_in_a_list(beside):
    rows = [*TIED, {**TIED[0], "score": -9.0}]
    message = told(sm.evaluate, rows, ["exposure_entropy@1", *beside], **ITEMS, label="label")
    assert_told(message, "1 rows repeat an item of their group|a list has each item once")


BROKEN = [
    ("catalog_coverage@3", {"catalog": CATALOG[:3]}, "items_not_in_catalog_3", 3),
    ("serendipity", {**TABLES, "catalog": CATALOG[1:]}, "items_not_in_catalog", 1),
    ("exposure_gini", {"catalog": [*CATALOG, {"item": None}]}, "catalog_bad_items", 1),
    ("novelty@3", {"history": [*HISTORY, {"list": None, "item": "a"}]}, "history_bad_rows", 1),
    ("diversity", {"catalog": CATALOG[1:], "category": "kind"}, "items_without_category", 1),
    (
        "diversity@3",
        {"distances": HALF},
        "groups_without_distance_3",
        4,
    ),  # b and c of u and v, b and d of z, a and x of w
]


@pytest.mark.parametrize(("notation", "facts", "count", "times"), BROKEN, ids=[case[2] for case in BROKEN])
def test_broken_tables_give_null_and_a_count(notation, facts, count, times, engine):
    tables = {name: rows for name, rows in facts.items() if name != "category"}
    statement = sm.render(
        "rows_given", {"value": notation, "sound": "exposure_entropy"}, dialect=engine.dialect, **ITEMS,
        label="label", **facts | {name: name for name in tables},
    )  # fmt: skip
    [row] = engine.query(statement, {"rows_given": TIED, **tables})
    assert (row["value"], row[count]) == (None, times)
    assert row["sound"] == pytest.approx(value("exposure_entropy", TIED, **ITEMS))


def test_empty_tables(engine):
    """No past and no catalogue: nothing to compare with, and no division by zero."""
    metrics = {"a": "novelty@3", "b": "catalog_coverage@3", "c": "exposure_gini@3", "d": "user_coverage@3"}
    statement = sm.render(
        "rows_given", metrics, dialect=engine.dialect, **ITEMS,
        catalog="select * from rows_given where 1 = 0", history="select * from rows_given where 1 = 0",
    )  # fmt: skip
    [row] = engine.query(statement, {"rows_given": TIED})
    assert [row[name] for name in metrics] == [None] * 4


def test_nothing_is_recommended(engine):
    metrics = {f"m{i}": notation for i, notation in enumerate(EVERY) if "user_coverage" not in notation}
    statement = sm.render(
        "select * from rows_given where 1 = 0", metrics, dialect=engine.dialect, **BY_KIND, label="label",
        score="score", **{name: name for name in TABLES},
    )  # fmt: skip
    [row] = engine.query(statement, {"rows_given": TIED, **TABLES})
    assert {row[name] for name in metrics} == {None}


@pytest.mark.parametrize("seed", range(10, 16))
def test_personalization_is_the_mean_over_pairs_of_users(seed):
    """Against scikit-learn's cosine similarity of users, lists of all lengths."""
    import numpy
    from sklearn.metrics.pairwise import cosine_similarity

    rows, _ = drawn(seed)
    users, items = sorted({row["list"] for row in rows}), sorted({row["item"] for row in rows})
    shown = numpy.zeros((len(users), len(items)))
    for row in rows:
        shown[users.index(row["list"]), items.index(row["item"])] = 1
    pairs = cosine_similarity(shown)[numpy.triu_indices(len(users), 1)]
    [row] = sm.evaluate(rows, "personalization", **ITEMS).to_dicts()
    assert row["personalization"] == pytest.approx(1 - pairs.mean(), rel=1e-12)


MOVIELENS = DATA / "movielens"


@pytest.mark.slow
@pytest.mark.skipif(not MOVIELENS.is_dir(), reason="the real data are not beside the project")
@pytest.mark.parametrize("model", ["mf_with_popularity", "popularity"])
def test_real_recommendations(model):
    """All at once, against the formulas in plain Python, with ties at the cut and users without recommendations."""
    read = {
        name: str(MOVIELENS / f"{name}.parquet") for name in ("recommendations", "train", "items", "truth")
    }
    rows = duckdb.sql(f"from '{read['recommendations']}' where model = '{model}'").to_arrow_table()
    catalog = duckdb.sql(
        f"select item_id, substr(title, 1, 1) as kind from '{read['items']}'"
    ).to_arrow_table()
    past = pyarrow.parquet.read_table(read["train"])
    truth = pyarrow.parquet.read_table(read["truth"])
    facts = {"label": "rating", "score": "score", "group": "user_id", "item": "item_id", "positive": 4}
    metrics = [f"{notation.split('@')[0]}@10" for notation in EVERY if notation.endswith("@50")]
    tables = {"catalog": catalog, "history": past, "truth": truth}
    [row] = sm.evaluate(rows, metrics, **facts, **tables, category="kind").to_dicts()
    given = {name: table.to_pylist() for name, table in tables.items()}
    for notation in metrics:
        expected = value(notation, rows.to_pylist(), **facts, **given, category="kind")
        assert row[notation.replace("@", "_")] == pytest.approx(expected, rel=1e-9), notation
