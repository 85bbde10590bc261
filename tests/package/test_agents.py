"""Questions for agents: the oracle and sqlmetrics agree on the right numbers. The skill's examples run."""

from __future__ import annotations

import importlib.util
import json
import re
import subprocess
import sys
from types import ModuleType
from typing import Any

import pytest

import sqlmetrics as sm
from support.paths import ROOT

AGENTS = ROOT / "benchmarks" / "agents"
SKILL = ROOT / "sqlmetrics" / ".agents" / "skills" / "sqlmetrics" / "SKILL.md"
RIGHT = json.loads((AGENTS / "right.json").read_text(encoding="utf-8"))
OF_LISTS = {"label": "grade", "group": "query", "score": "score_a"}
OF_USERS = {"label": "clicked", "group": "user"}
STARS = {"label": "stars", "score": "score"}
OF_RATERS = {**STARS, "group": "user"}
#: Questions that a value of `evaluate` answers: file, facts, and for each question its metric or count.
EVALUATED: list[tuple[str, dict[str, Any], dict[str, str]]] = [
    (
        "ties",
        {"label": "clicked", "score": "score_a"},
        {
            "ties-1": "auc",
            "ties-5": "average_precision",
            "ties-7": "precision(threshold=0.5)",
            "ties-8": "best_f1",
        },
    ),
    ("ties", {"label": "clicked", "score": "score_b"}, {"ties-2": "auc", "ties-6": "ks"}),
    ("ties", {"label": "clicked", "score": "score_a", "where": "country = 'DE'"}, {"ties-3": "auc"}),
    (
        "lists",
        OF_LISTS,
        {
            "lists-1": "ndcg@5",
            "lists-2": "ndcg(on_empty=zero)@5",
            "lists-3": "ndcg(gain=linear)@5",
            "lists-4": "mrr",
            "lists-5": "mrr(on_empty=zero)",
            "lists-6": "precision@3",
            "lists-7": "recall@3",
            "lists-9": "groups_empty",
            "lists-10": "hit_rate@1",
        },
    ),
    ("lists", {**OF_LISTS, "score": "score_b"}, {"lists-8": "map"}),
    ("classes", {"label": "sold", "score": "score"}, {"classes-1": "auc"}),
    (
        "classes",
        {"label": "sold", "score": "score", "group": "shop"},
        {"classes-4": "gauc(weight=uniform)", "classes-5": "groups_single_class"},
    ),
    (
        "classes",
        {"label": "sold", "score": "score", "where": "shop = 'north'"},
        {"classes-2": "auc", "classes-7": "recall(threshold=0.5)"},
    ),
    (
        "classes",
        {"label": "sold", "score": "score", "where": "shop = 'south'"},
        {"classes-3": "auc", "classes-6": "log_loss", "classes-8": "recall(threshold=0.5)"},
    ),
    (
        "gaps",
        {"label": "clicked", "score": "score", "on_bad_rows": "drop"},
        {
            "gaps-1": "auc",
            "gaps-2": "rows_dropped",
            "gaps-3": "brier",
            "gaps-4": "log_loss",
            "gaps-5": "base_rate",
            "gaps-6": "accuracy(threshold=0.5)",
        },
    ),
    ("ratings", {**STARS, "positive": 4}, {"ratings-1": "auc"}),
    ("ratings", {**STARS, "positive": 5}, {"ratings-2": "auc"}),
    ("ratings", STARS, {"ratings-3": "rmse", "ratings-4": "mae"}),
    ("ratings", {**OF_RATERS, "positive": 4}, {"ratings-5": "precision@3"}),
    ("ratings", {**OF_RATERS, "positive": 5}, {"ratings-6": "mrr", "ratings-7": "groups_empty"}),
    ("ratings", OF_RATERS, {"ratings-8": "ndcg(gain=linear)@5"}),
    ("users", {"label": "clicked", "score": "score_a"}, {"users-1": "auc"}),
    (
        "users",
        {**OF_USERS, "score": "score_a"},
        {
            "users-2": "gauc(weight=uniform)",
            "users-3": "gauc",
            "users-4": "gauc(weight=pairs)",
            "users-5": "n_groups",
            "users-6": "groups_single_class",
        },
    ),
    ("looks", {"label": "clicked", "score": "score_a"}, {"looks-1": "auc"}),
    ("looks", {"label": "clicked", "score": "score_a", "group": "day"}, {"looks-2": "gauc(weight=uniform)"}),
    ("looks", {"label": "clicked", "score": "score_a", "where": "day <= '2026-05-07'"}, {"looks-3": "auc"}),
    (
        "late",
        {"label": "sold", "score": "predicted"},
        {"late-1": "mae", "late-2": "rmse", "late-3": "bias", "late-4": "wape", "late-5": "max_error"},
    ),
]
COUNTS = {"groups_empty", "groups_single_class", "rows_dropped", "n_groups"}


def module(name: str) -> ModuleType:
    """A file of benchmarks/agents, which is no package."""
    spec = importlib.util.spec_from_file_location(f"agents_{name}", AGENTS / f"{name}.py")
    assert spec
    assert spec.loader
    found = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(found)
    return found


def data(name: str) -> str:
    return str(AGENTS / "data" / f"{name}.csv")


def evaluated(name: str, facts: dict[str, Any], asked: dict[str, str]) -> dict[str, float | None]:
    metrics = {f"m{i}": metric for i, metric in enumerate(asked.values()) if metric not in COUNTS}
    [row] = sm.evaluate(data(name), metrics or "mrr", **facts).to_dicts()
    return {
        question: row[metric if metric in COUNTS else f"m{i}"]
        for i, (question, metric) in enumerate(asked.items())
    }


def compared() -> dict[str, float]:
    """The answers that compare two models."""
    two = ["score_a", "score_b"]
    ties = sm.compare(data("ties"), "auc", label="clicked", score=two, baseline="score_b").to_dicts()
    lists = sm.compare(data("lists"), "ndcg@5", **{**OF_LISTS, "score": two}, baseline="score_b").to_dicts()
    users = sm.compare(
        data("users"), "gauc(weight=uniform)", score=two, baseline="score_a", test="t", **OF_USERS
    ).to_dicts()
    return {
        "ties-4": ties[0]["difference"],
        "lists-11": lists[0]["p_value"],
        "lists-12": lists[0]["wins"],
        "users-7": users[0]["difference"],
        "users-8": users[0]["p_value"],
    }


def by_day() -> dict[str, float]:
    facts = {"label": "clicked", "by": "day", "total": False}
    days = sm.evaluate(data("looks"), ["auc", "brier"], score=["score_a", "score_b"], **facts).to_dicts()
    largest = max(days, key=lambda row: (row["n_rows"], row["model"] == "score_b"))
    above, seen = {}, {"score_a": 0.0, "score_b": 0.0}
    for row in sorted(days, key=lambda row: (str(row["day"]), row["model"])):
        seen[row["model"]] += row["brier"] * row["n_rows"]
        above[str(row["day"])] = seen["score_b"] > seen["score_a"]
    below = [day for day in above if not above[day]]
    return {
        "looks-4": largest["auc"],
        "looks-5": min(int(day[-2:]) for day in above if day > max(below, default="")),
    }


@pytest.mark.slow
def test_each_question_has_the_number_of_the_oracle() -> None:
    questions = json.loads((AGENTS / "questions.json").read_text(encoding="utf-8"))
    assert module("oracle").right() == RIGHT
    assert [question["id"] for question in questions] == [*RIGHT]
    assert len(RIGHT) == 60


@pytest.mark.slow
def test_sqlmetrics_answers_every_question() -> None:
    answers = {name: value for each in EVALUATED for name, value in evaluated(*each).items()}
    answers |= compared() | by_day()
    assert module("check").checked(answers, RIGHT) == {}


def check(*words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(AGENTS / "check.py"), *words]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_checker_counts_mistakes(tmp_path) -> None:
    answers = tmp_path / "answers.json"
    rounded = {"ties-2": round(RIGHT["ties-2"], 7)}
    some = {**RIGHT, **rounded, "ties-1": 0.5, "classes-2": 0, "lists-11": RIGHT["lists-11"] * 1.01}
    del some["late-1"]
    answers.write_text(json.dumps(some))
    done = check(str(answers))
    assert done.returncode == 1
    assert "all      56 of 60" in done.stdout
    mistakes = re.findall(r"^([a-z]+-\d+):", done.stdout, re.MULTILINE)
    assert mistakes == ["ties-1", "lists-11", "classes-2", "late-1"]


@pytest.mark.parametrize(
    ("content", "message"), [("[1]", "an object of ids"), ('{"tie-1": 1}', "got ['tie-1']"), ("{", "as JSON")]
)
def test_checker_refuses_what_is_no_answer(tmp_path, content, message) -> None:
    answers = tmp_path / "answers.json"
    answers.write_text(content)
    done = check(str(answers))
    assert (done.returncode, done.stdout) == (2, "")
    assert message in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.slow
def test_skill_is_a_skill_whose_examples_run(monkeypatch) -> None:
    """Agents look for `name` and `description`, and copy the examples."""
    monkeypatch.chdir(ROOT)
    text = SKILL.read_text(encoding="utf-8")
    head = dict(re.findall(r"^(\w+): (.+)$", text.split("---")[1], re.MULTILINE))
    assert head["name"] == SKILL.parent.name
    assert 50 < len(head["description"]) <= 1024
    assert len(text.splitlines()) < 200
    namespace: dict[str, Any] = {}
    for block in re.findall(r"^```python\n(.*?)^```", text, re.MULTILINE | re.DOTALL):
        exec(compile(block, "SKILL.md", "exec"), namespace)
