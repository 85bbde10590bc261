"""--where, and names of expressions, at the command line."""

import json

import pytest

import sqlmetrics as sm
from support.command_line import AUC, FACTS, ROLES, SEARCH, printed, refused

INITIAL = "substr(country, 1, 1)"
JSON = ("--format", "json")


@pytest.mark.slow
def test_rows_and_slices(run):
    words = ("--by", f"initial=sql:{INITIAL}", "--by", "land=country", "--where", "country in ('DE', 'FR')")
    got = json.loads(printed(run, "evaluate", SEARCH, *AUC, *words, *JSON))["rows"]
    by = {"initial": sm.sql(INITIAL), "land": "country"}
    expected = sm.evaluate(SEARCH, "auc", by=by, where="country in ('DE', 'FR')", **FACTS).to_dicts()
    assert [row["initial"] for row in got] == ["D", "F", None]
    assert [row["land"] for row in got] == ["DE", "FR", None]
    assert [row["auc"] for row in got] == pytest.approx([row["auc"] for row in expected])
    shown = printed(run, "evaluate", SEARCH, *AUC, "--where", "country = 'DE'")
    assert shown.splitlines()[-1] == "only rows where country = 'DE'"


@pytest.mark.slow
def test_columns_and_expressions_with_commas(run):
    got = json.loads(printed(run, "evaluate", SEARCH, *AUC, "--by", "device,sql:lower(country)", *JSON))[
        "rows"
    ]
    assert [*got[0]][:2] == ["device", "lower(country)"]
    got = json.loads(printed(run, "evaluate", SEARCH, *AUC, "--by", "device,land=country", *JSON))["rows"]
    assert [*got[0]][:2] == ["device", "land"]


@pytest.mark.slow
def test_lists_and_periods(run, tmp_path):
    words = ("--group", "query=sql:query_id * 10", "--where", "query_id < 5", "-m", "mrr", *JSON)
    roles = tuple(word for word in ROLES if word not in ("--group", "query_id"))
    got = json.loads(printed(run, "per-group", SEARCH, *roles, *words))["rows"]
    assert [row["query"] for row in got] == [10 * number for number in range(1, len(got) + 1)]
    state = str(tmp_path / "state.parquet")
    kept = ("--period", "kind=sql:upper(device)", "--where", "country = 'DE'", "--output", state)
    printed(run, "state", SEARCH, *AUC, *kept)
    finished = json.loads(printed(run, "finish", state, "-m", "auc", "--by", "kind", *JSON))["rows"]
    german = sm.evaluate(SEARCH, "auc", by={"kind": sm.sql("upper(device)")}, where="country = 'DE'", **FACTS)
    assert [row["kind"] for row in finished] == german["kind"]
    assert [row["auc"] for row in finished] == pytest.approx(german["auc"])
    told = ("--period", "kind", "--made-where", "country = 'DE'")
    assert "country = ''DE''" in printed(run, "sql", "finish", "--relation", "s", "-m", "auc", *ROLES, *told)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--where", "country"], "--where country is text and has to be true or false of each row"),
        (["--where", "cuontry = 'DE'"], '"cuontry" not found'),
        (["--where", "grade > 1)"], "a ')' that closes nothing"),
        (["--where", ""], "--where takes an SQL condition such as"),
        (["--by", "a=country,a=device"], "Two slices are named 'a'; write --by name=column"),
        (["--by", "a=contry"], "Did you mean 'country'?"),
        (["--by", "auc=country"], "Two result columns would be named 'auc'"),
        (["--by", "grade==1"], "An expression is written 'sql:grade==1'"),
        (["--by", "grade>=1"], "An expression is written 'sql:grade>=1'"),
    ],
)
def test_a_mistake_is_one_message(run, words, message):
    assert message in refused(run, "evaluate", SEARCH, *AUC, *words)
