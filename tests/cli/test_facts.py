"""`--facts FILE`: the facts of a file are those of Python, options replace them, and a wrong one is one sentence."""

import json

import duckdb
import pytest

import sqlmetrics as sm
from support.command_line import SEARCH, printed, refused

FACTS = {"label": "grade", "score": {"new": "score", "old": "score_b"}, "group": "query_id", "positive": 1}
YAML = "label: grade\nscore: {new: score, old: score_b}\ngroup: query_id\npositive: 1\n"
SUITE = "data: x.parquet\nmetrics: [auc]\ngates: [auc > 0]\nfacts:\n  " + YAML.replace("\n", "\n  ").rstrip()


def rows(text: str) -> list[dict[str, object]]:
    return json.loads(text)["rows"]


@pytest.mark.parametrize("written", [YAML, SUITE, "facts: " + json.dumps(FACTS)])
def test_facts_of_a_file_are_those_of_python(run, tmp_path, written):
    file = tmp_path / "facts.yml"
    file.write_text(written)
    search = sm.data(SEARCH, **FACTS)
    said = (SEARCH, "--facts", str(file), "-m", "ndcg@10", "--format", "json")
    assert rows(printed(run, "evaluate", *said)) == search.evaluate("ndcg@10").to_dicts()
    compared = json.loads(search.compare("ndcg@10", baseline="old").to_json())["rows"]
    assert rows(printed(run, "compare", *said, "--baseline", "old")) == compared
    replaced = search.evaluate("ndcg@10", score="score_b", positive=2).to_dicts()
    assert rows(printed(run, "evaluate", *said, "--score", "score_b", "--positive", "2")) == replaced


def test_tables_stand_beside_the_file_of_the_facts(run, tmp_path, monkeypatch):
    (tmp_path / "conf").mkdir()
    duckdb.sql("select 1 u, 2 i, 1 y").to_parquet(str(tmp_path / "conf" / "truth.parquet"))
    listed = tmp_path / "listed.csv"
    listed.write_text("u,i,p\n1,1,0.9\n1,2,0.4\n")
    (tmp_path / "conf" / "facts.yml").write_text(
        "label: y\nscore: p\ngroup: u\nitem: i\ntruth: truth.parquet\n"
    )
    monkeypatch.chdir(tmp_path)
    said = ("listed.csv", "-m", "mrr", "--facts", "conf/facts.yml", "--format", "json")
    assert rows(printed(run, "evaluate", *said))[0]["mrr"] == 0.5
    over = refused(run, "evaluate", *said[:-2], "--output", "conf/truth.parquet")
    assert "is a file that is read" in over


@pytest.mark.parametrize(
    ("written", "message"),
    {
        "an unknown fact": ("label: grade\nlable: x", "2: 'lable' is no key of the facts. Did you mean 'label'"),
        "of a suite": ("facts:\n  label: 3", "facts.yml:2: facts.label is 3, and has to be text"),
        "a list": ("- label", "facts.yml:1: facts are a mapping, such as label: clicked"),
        "empty": ("", "facts.yml:1: facts are a mapping"),
        "no YAML": ("label: [", "it is not YAML"),
        "a column that is missing": ("label: zz\nscore: score", "Column 'zz' (--label) is not in"),
        "a choice": ("label: grade\nties: never", "facts.yml:2: ties is 'never'"),
    }.values(),
)  # fmt: skip
def test_a_wrong_fact_is_one_sentence(run, tmp_path, written, message):
    (tmp_path / "facts.yml").write_text(written)
    said = ("evaluate", SEARCH, "-m", "auc", "--positive", "1", "--facts", str(tmp_path / "facts.yml"))
    assert message in refused(run, *said)


def test_facts_that_a_command_cannot_take(run, tmp_path):
    """Which rows count must not be lost; what is required may come from the file."""
    (tmp_path / "facts.yml").write_text("models: device\nlabel: grade\nscore: score\nprediction: score\n")
    said = (SEARCH, "--facts", str(tmp_path / "facts.yml"))
    lost = refused(run, "drift", *said, "--reference", SEARCH)
    assert "drift takes no models=, which is a fact of these data" in lost
    (tmp_path / "facts.yml").write_text("label: grade\nprediction: grade\n")
    assert printed(run, "class-report", *said, "--format", "csv").startswith("class,")


def test_a_table_for_each_model(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name, step in (("lr", 7), ("gbm", 5)):
        made = f"select i % 2 as y, (i * {step} % 11) / 11 as p, i // 8 as u from range(160) as t(i)"
        duckdb.sql(made).to_parquet(f"{name}.parquet")
    (tmp_path / "day=1").mkdir()
    duckdb.sql("select 1 as y, 0.5 as p").to_parquet("day=1/part.parquet")
    facts = {"label": "y", "score": "p", "group": "u"}
    words = ("-m", "mrr", "--label", "y", "--score", "p", "--group", "u", "--format", "json")
    tables = {"lr": "lr.parquet", "gbm": "gbm.parquet"}
    named = ("lr=lr.parquet", "gbm=gbm.parquet")
    assert rows(printed(run, "evaluate", *named, *words)) == sm.evaluate(tables, "mrr", **facts).to_dicts()
    compared = json.loads(sm.compare(tables, "mrr", baseline="lr", **facts).to_json())["rows"]
    assert rows(printed(run, "compare", *named, *words, "--baseline", "lr")) == compared
    assert (
        rows(printed(run, "evaluate", "day=1/part.parquet", "-m", "brier", *words[2:6], *words[-2:]))[0][
            "n_rows"
        ]
        == 1
    )
    for asked, message, status in (
        (("lr=lr.parquet", "gbm=gbm.paruet"), "No file matches 'gbm=gbm.paruet'", 3),
        (("lr=lr.parquet", "gbm.parquet"), "'gbm.parquet' names no model, as others do; write name=gbm.parquet", 2),
        (("lr=lr.parquet", "lr=gbm.parquet"), "Two tables are named 'lr'", 2),
        ((*named, "--output", "gbm.parquet"), "is a file that is read", 2),
    ):  # fmt: skip
        assert message in refused(run, "evaluate", *asked, *words, status=status)
