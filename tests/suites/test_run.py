"""The outcomes of a suite are those of the Python functions."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable
from pathlib import Path

import duckdb
import pytest

import sqlmetrics as sm
from sqlmetrics.suites.outputs import FORMATS
from sqlmetrics.suites.read import suite_of
from sqlmetrics.suites.run import checked, statements
from support.errors import told
from support.paths import ROOT

FACTS = {"label": "y", "by": "country"}
MODELS = {"new": "new", "old": "old"}


@pytest.mark.slow
def test_values_and_limits(write: Callable[..., Path], folder: Path) -> None:
    found = checked(suite_of(write())).parts["gates"]
    report = sm.evaluate(folder / "rows.parquet", ["auc", "brier"], score=MODELS, **FACTS)
    expected = [row["auc"] for row in report] + [row["brier"] for row in report if row["is_total"]]
    assert [one.value for one in found] == pytest.approx(expected)
    assert all(one.holds for one in found)


@pytest.mark.slow
def test_data_may_be_a_folder(write: Callable[..., Path], folder: Path) -> None:
    """Beside the suite, whatever signs its own folder has in its name."""
    for name in ("plain", "of [2026]"):
        there = folder / name
        (there / "scores" / "part=1").mkdir(parents=True)
        shutil.copy(folder / "rows.parquet", there / "scores" / "part=1")
        path = shutil.copy(write(data="scores/"), there)
        values = [one.value for one in checked(suite_of(Path(path))).parts["gates"]]
        assert values == pytest.approx([one.value for one in checked(suite_of(write())).parts["gates"]])


def test_facts_in_a_file_and_a_table_for_each_model(write: Callable[..., Path], folder: Path) -> None:
    """The paths of facts start at their file; one gate is a text."""
    (folder / "of").mkdir(exist_ok=True)
    (folder / "of" / "facts.yml").write_text("label: y\nscore: new\ntotal: false\n")
    rows = folder / "rows.parquet"
    tables = {"all": "rows.parquet", "DE": "of/DE.parquet"}
    duckdb.sql(f"from '{rows}' where country = 'DE'").to_parquet(str(folder / "of" / "DE.parquet"))
    baseline = {"model": "all", "paired": False, "gates": "auc >= -0.9"}
    asked = write(
        data=tables,
        facts="of/facts.yml",
        metrics=["auc"],
        slices=["day"],
        gates="auc >= 0",
        baseline=baseline,
    )
    suite = suite_of(asked)
    found, models = checked(suite), {name: folder / file for name, file in tables.items()}
    facts = {"label": "y", "score": "new", "by": "day", "total": False}
    assert found.report.to_dicts() == sm.evaluate(models, "auc", **facts).to_dicts()
    compared = sm.compare(models, "auc", baseline="all", paired=False, **facts)
    assert found.comparison is not None
    assert found.comparison.to_dicts() == compared.to_dicts()
    assert [name for name, _ in statements(suite)] == ["metrics", "baseline"]
    output = write(facts="of/facts.yml", outputs={"json": "of/facts.yml"})
    assert "is a file that is read" in told(suite_of, output)


@pytest.mark.slow
def test_a_baseline_has_verdicts(write: Callable[..., Path], folder: Path) -> None:
    gates = ["auc is not worse", {"gate": "brier is equivalent", "slices": False}, "brier <= 0.5"]
    baseline = {"model": "old", "margin": {"auc": 0.3, "brier": 0.2}, "gates": gates}
    found = checked(suite_of(write(baseline=baseline))).parts["baseline"]
    asked = {"baseline": "old", "candidate": "new", "margin": {"auc": 0.3, "brier": 0.2}, **FACTS}
    compared = sm.compare(folder / "rows.parquet", ["auc", "brier"], **asked)
    verdicts = {(row["metric"], row["country"]): row["verdict"] for row in compared}
    assert [one.holds for one in found[:3]] == [
        verdicts["auc", country] in ("better", "equivalent", "not worse") for country in ("DE", "FR", None)
    ]
    assert found[3].holds == (verdicts["brier", None] == "equivalent")
    assert (found[3].slice, found[3].of) == ("all", "verdict")
    for other in (
        {"gates": ["auc is better"]},
        {"reference": {"report": "r.json", "gates": ["auc is better"]}},
    ):
        assert "The gate 'auc is better' is one of a comparison; write it below baseline" in told(
            suite_of, write(**other)
        )
    without = {"model": "old", "gates": ["auc is better"]}
    assert "needs a margin of auc" in told(suite_of, write(baseline=without))


def test_a_verdict_needs_the_margin_of_its_metric(write: Callable[..., Path]) -> None:
    """Without one no model is equivalent, and none not worse but a better one; better is beside 0."""
    baseline = {"model": "old", "margin": {"brier": 0.2}}
    for gate in ("auc is not worse", "auc is equivalent"):
        refused = told(suite_of, write(baseline={**baseline, "gates": ["brier is better", gate]}))
        assert f"The gate '{gate}' needs a margin of auc, the smallest difference that matters" in refused
        assert "write below baseline: margin: {auc: NUMBER}" in refused
        assert "suite.yml:" in refused
    suite_of(write(baseline={**baseline, "gates": ["auc is better", "brier is equivalent"]}))


@pytest.mark.slow
def test_a_baseline_is_a_yardstick(write: Callable[..., Path], folder: Path) -> None:
    """Its own values have no limits; of the differences, the intervals have."""
    baseline = {
        "model": "old",
        "interval": 0.9,
        "gates": ["auc >= -0.002", {"gate": "brier <= 0.1", "slices": False}],
    }
    result = checked(suite_of(write(baseline=baseline, fail_null=True)))
    assert {one.model for one in result.parts["gates"]} == {"new"}
    compared = sm.compare(
        folder / "rows.parquet",
        ["auc", "brier"],
        baseline="old",
        candidate={"new": "new"},
        interval=0.9,
        **FACTS,
    )
    lows = [row["low"] for row in compared if row["metric"] == "auc"]
    highs = [row["high"] for row in compared if row["metric"] == "brier" and row["is_total"]]
    assert [one.value for one in result.parts["baseline"]] == pytest.approx(lows + highs)
    assert [one.holds for one in result.parts["baseline"]] == [low >= -0.002 for low in lows] + [
        highs[0] <= 0.1
    ]
    assert {one.of for one in result.outcomes} == {"value", "difference"}


def test_what_a_baseline_cannot_take(write: Callable[..., Path]) -> None:
    facts = {"label": "y", "score": MODELS, "prediction": "y"}
    suite = suite_of(write(facts=facts, baseline={"model": "old", "gates": ["auc >= 0"]}))
    assert "baseline compares scores, and takes no prediction" in told(checked, suite)


@pytest.mark.slow
def test_changes_since_a_stored_report(write: Callable[..., Path], folder: Path) -> None:
    reference = {"report": "before.json", "gates": ["auc >= -0.01"]}
    now = sm.evaluate(folder / "rows.parquet", ["auc", "brier"], score=MODELS, **FACTS)
    before = [{**row, "auc": row["auc"] + 0.02 * (row["country"] == "DE")} for row in now]
    suite = suite_of(write(reference=reference))
    for stored in (before, {"rows": before}, {"report": before}):
        (folder / "before.json").write_text(json.dumps(stored))
        found = checked(suite).parts["reference"]
        assert [one.slice for one in found if not one.holds] == ["country=DE"] * 2
        assert str(next(one for one in found if not one.holds)).startswith(
            "country=DE, model new: auc changed by -0.02"
        )
    # what a suite wrote is a reference, too
    (folder / "before.json").write_text(FORMATS["json"](checked(suite_of(write()))))
    assert [one.value for one in checked(suite).parts["reference"]] == pytest.approx([0] * 6, abs=1e-12)


@pytest.mark.slow
def test_slices_that_are_new_are_noted(write: Callable[..., Path], folder: Path) -> None:
    report = sm.evaluate(folder / "rows.parquet", "auc", score=MODELS, **FACTS).to_dicts()
    suite = suite_of(write(reference={"report": "before.json", "gates": ["auc >= -0.01"]}))
    old = [row for row in report if row["country"] != "FR"]
    (folder / "before.json").write_text(json.dumps(old))
    result = checked(suite)
    assert len(result.parts["reference"]) == 4
    assert "and not held against it: country=FR model new, country=FR model old" in result.notes[0]
    for broken, words in (
        ([{**row, "country": "XX", "is_total": False} for row in old], "none of the rows of today's result"),
        ([{"auc": 0.5}], "has no column country, is_total, model"),
        ([{**row, "auc": "high"} for row in old], "has no numbers of auc"),
        (
            [{key: row[key] for key in ("country", "model", "is_total")} for row in old],
            "has no numbers of auc",
        ),
        ([], "is no report"),
        (3, "is no report"),
    ):
        (folder / "before.json").write_text(json.dumps(broken))
        assert words in told(checked, suite), words


@pytest.mark.slow
def test_changes_since_a_state(write: Callable[..., Path], folder: Path) -> None:
    made = sm.state(folder / "rows.parquet", "auc", period="day", score=MODELS, **FACTS)
    made.write(folder / "state.parquet")
    reference = {"state": "state.parquet", "where": "day < 2", "gates": ["auc >= -0.05"]}
    result = checked(suite_of(write(reference=reference)))
    before = sm.finish(made, "auc", by="country", where="day < 2")
    changes = [now["auc"] - then["auc"] for now, then in zip(result.report, before, strict=True)]
    assert [one.value for one in result.parts["reference"]] == pytest.approx(changes)
    other = {"metrics": ["auc", "ece"], "gates": None, "reference": {**reference, "gates": ["ece <= 0.1"]}}
    suite = suite_of(write(**other))
    assert "does not hold what is needed for ece" in told(checked, suite)


@pytest.mark.slow
def test_a_state_in_place_of_data(write: Callable[..., Path], folder: Path) -> None:
    """Ends of intervals, comparisons and changes of days have gates, as those of Python have."""
    made = sm.state(folder / "rows.parquet", ["brier"], period="day", score=MODELS, intervals=True, **FACTS)
    made.write(folder / "kept.parquet")
    asked = {
        "data": None,
        "state": "kept.parquet",
        "facts": {"interval": 0.9, "where": "day >= 1"},
        "metrics": ["brier"],
        "gates": ["brier_low >= 0.05", {"gate": "brier_high <= 0.4", "slices": False}],
        "baseline": {"model": "old", "gates": ["brier <= 0.01"], "interval": 0.8},
        "reference": {"state": "kept.parquet", "where": "day < 1", "gates": ["brier <= 0.2"]},
    }
    suite = suite_of(write(**asked))
    result = checked(suite)
    report = sm.finish(made, "brier", by="country", interval=0.9, where="day >= 1").to_dicts()
    compared = sm.compare(made, "brier", baseline="old", by="country", interval=0.8, where="day >= 1")
    new = [row for row in report if row["model"] == "new"]
    expected = [row["brier_low"] for row in new] + [new[-1]["brier_high"]]
    assert [one.value for one in result.parts["gates"]] == pytest.approx(expected)
    assert [one.value for one in result.parts["baseline"]] == pytest.approx(compared["high"])
    rows = sm.evaluate(
        folder / "rows.parquet", "brier", score=MODELS, interval=0.9, where="day >= 1", **FACTS
    ).to_dicts()
    assert [row["brier_low"] for row in report] == pytest.approx([row["brier_low"] for row in rows])
    assert len(result.parts["reference"]) == 3
    assert [name for name, _ in statements(suite)] == ["metrics", "baseline", "reference"]
    assert dict(statements(suite))["metrics"] == result.report.sql
    nobody = write(**{**asked, "baseline": {"model": "none", "gates": ["brier <= 0"]}})
    assert "'none'" in told(checked, suite_of(nobody))
    sm.state(folder / "rows.parquet", "brier", period="day", score=MODELS, **FACTS).write(
        folder / "sums.parquet"
    )
    assert "does not hold what the interval of brier is made of" in told(
        checked, suite_of(write(**{**asked, "state": "sums.parquet"}))
    )


@pytest.mark.slow
def test_dry_run_writes_the_statements_that_run(write: Callable[..., Path]) -> None:
    suite = suite_of(
        write(baseline={"model": "old", "gates": ["auc >= 0"], "test": "bootstrap", "n_resamples": 20})
    )
    result = checked(suite)
    assert result.comparison is not None
    assert dict(statements(suite)) == {"metrics": result.report.sql, "baseline": result.comparison.sql}
    broken = suite_of(write(facts={"label": "z", "score": "new"}))
    assert "Column 'z' (label=)" in told(lambda: list(statements(broken)))


def test_limits_on_the_good_side_are_noted(write: Callable[..., Path]) -> None:
    result = checked(suite_of(write(gates=["brier >= 0"])))
    assert result.notes == [
        "a lower brier is better, so 'brier >= 0' fails good models; 'brier <= 0' fails bad ones"
    ]


@pytest.mark.slow
def test_the_suite_of_the_documentation_runs(tmp_path: Path) -> None:
    [text] = re.findall(r"```yaml\n(.*?)```", (ROOT / "docs" / "gates.md").read_text(), flags=re.DOTALL)
    shutil.copy(ROOT / "examples" / "search.parquet", tmp_path)
    (tmp_path / "suite.yml").write_text(text)
    result = checked(suite_of(tmp_path / "suite.yml"))
    assert all(one.holds for one in result.outcomes)
    assert (len(result.parts["gates"]), len(result.parts["baseline"])) == (13, 12)


def test_data_may_be_logs_of_evaluations(write: Callable[..., Path]) -> None:
    """Their models, samples and scorers are known, as in other calls; the names of models may be those of files."""
    logs = ROOT / "tests" / "support" / "evals" / "inspect"
    files = {"old": str(logs / "small.eval"), "new": str(logs / "large.eval")}
    mean = {"metrics": {"mean": "mean(column=value, better=higher)"}, "facts": {}, "slices": None}
    baseline = {"model": "old", "gates": "mean >= -0.5"}
    named = suite_of(write(data=files, gates="mean >= 0.2", baseline=baseline, **mean))
    found, evals = checked(named), sm.read_evals(files)
    of_new = [row["mean"] for row in sm.evaluate(evals) if row["model"] == "new"]
    assert [one.value for one in found.parts["gates"]] == pytest.approx(of_new)
    assert found.comparison is not None
    assert found.comparison["difference"] == pytest.approx(sm.compare(evals, baseline="old")["difference"])
    assert [name for name, _ in statements(named)] == ["metrics", "baseline"]
    folder = suite_of(
        write(data=str(logs / "*.eval"), gates="mean >= 0", **mean | {"facts": {"on_bad_rows": "drop"}})
    )
    assert "scorer" in checked(folder).report.columns
