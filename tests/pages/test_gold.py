"""A page of labels by a judge that people correct: the corrected value beside the judge's and that of people."""

from __future__ import annotations

import random
import re
from typing import Any

import pytest

import sqlmetrics as sm
from sqlmetrics.table.cells import shown


@pytest.mark.slow
def test_the_corrected_value_stands_beside_that_of_the_judge() -> None:
    draw, rows = random.Random(4), []
    for i in range(200):
        y = int(draw.random() < 0.6)
        judge = y if draw.random() < 0.8 else 1 - y
        rows.append({"j": judge, "h": y if i < 40 else None, "p": draw.random(), "q": draw.random()})
    asked: dict[str, Any] = {"label": "j", "gold": "h", "score": {"one": "p", "two": "q"}}
    page = re.sub(r"<[^>]+>", " ", sm.report(rows, "accuracy", **asked).html)
    assert "People (h) labelled 40 rows" in page
    assert "Curves, lists and classes are left out" in page
    for row in sm.evaluate(rows, "accuracy", **asked).to_dicts():
        texts = [shown(row[f"accuracy{part}"]) for part in ("", "_judge", "_gold")]
        assert re.search(rf"{texts[0]} .* to\s.* {texts[1]} .*{texts[2]}", page.replace("\n", " "))
    compared = sm.compare(rows, "accuracy", baseline="one", candidate="two", **asked).to_dicts()[0]
    assert shown(abs(compared["difference"])) in page
