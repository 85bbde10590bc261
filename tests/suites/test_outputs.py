"""What a suite writes: JUnit XML by its schema, Markdown and JSON."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from lxml import etree

from sqlmetrics.suites.outputs import FORMATS
from sqlmetrics.suites.read import suite_of
from sqlmetrics.suites.run import Checked, checked
from support.paths import ROOT


@pytest.fixture(scope="module")
def failing(write: Callable[..., Path]) -> Checked:
    return checked(suite_of(write(baseline={"model": "old", "gates": ["auc >= 0.9"]})))


@pytest.mark.slow
def test_junit_is_valid(failing: Checked) -> None:
    tree = etree.fromstring(FORMATS["junit"](failing).encode())
    schema = etree.XMLSchema(etree.parse(ROOT / "tests" / "support" / "junit.xsd"))
    schema.assertValid(tree)
    assert [suite.get("name") for suite in tree] == ["gates", "baseline"]
    assert (tree.get("tests"), tree.get("failures")) == (str(len(failing.outcomes)), "3")
    assert next(case.get("name") for case in tree.iter("testcase")) == "auc >= 0.1, country=DE, model new"
    messages = [failure.get("message") for failure in tree.iter("failure")]
    assert messages == [str(one) for one in failing.parts["baseline"]]


@pytest.mark.slow
def test_names_of_the_data_are_text(folder: Path, write: Callable[..., Path]) -> None:
    names = ["<b>&\"'", "a|b*c_", "nul\\u0000", "\ufffe", "\x1b[31m"]
    rows = [{"s": name, "y": y, "p": 0.5 + y / 3} for name in names for y in (0, 1)]
    (folder / "hostile.json").write_text(json.dumps(rows))
    facts = {"label": "y", "score": "p"}
    result = checked(suite_of(write(data="hostile.json", facts=facts, slices=["s"], gates=["auc > 1"])))
    tree = etree.fromstring(FORMATS["junit"](result).encode())
    assert len(list(tree.iter("failure"))) == len(names) + 1
    shown = [case.get("name") for case in tree.iter("testcase")]
    assert "auc > 1, s=<b>&\"'" in shown
    assert "\x1b" not in FORMATS["markdown"](result) + FORMATS["table"](result)
    assert r"s=a\|b\*c" in FORMATS["markdown"](result)


@pytest.mark.slow
def test_markdown_begins_with_the_verdict_and_what_fails(
    failing: Checked, write: Callable[..., Path]
) -> None:
    text = FORMATS["markdown"](failing).splitlines()
    assert text[0] == "## 3 of 7 checks fail"
    assert [line.endswith("| false |") for line in text[4:8]] == [True] * 3 + [False]
    assert FORMATS["markdown"](checked(suite_of(write()))).startswith("## 8 checks hold\n")


def test_json_has_all_numbers(failing: Checked) -> None:
    written = json.loads(FORMATS["json"](failing))
    assert written["holds"] is False
    assert written["report"] == failing.report.to_dicts()
    assert len(written["comparison"]) == 3
    assert [gate["holds"] for gate in written["gates"]] == [one.holds for one in failing.outcomes]
