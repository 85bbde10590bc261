"""Data of which pages are made, with names that a page must show as text, and how tests read a page."""

from __future__ import annotations

import html
import random
import re
from typing import Any

import pytest

import sqlmetrics as sm
from sqlmetrics.engines.duckdb import Session

LONG = "x" * 300
#: names that would break a page, or another page, if they were not text
HOSTILE = (
    "<script>alert(1)</script>",
    "</svg></style></title>",
    LONG,
    "שלום עולם",
    "🎉 <img src=x onerror=alert(1)>",
    "\"'&amp;`${1}{{ 7*7 }}{% x %}",
    "\u202etxt\x00\x1b[31m",
    "",
)
MODELS = {"<b onload='alert(1)'>old": "s <1>", "</script>new": 's "2"'}
METRICS = {"auc": "auc", "<u>ndcg</u>": "ndcg@3", "log_loss": "log_loss"}
ROLES: dict[str, Any] = {"label": "<label>", "group": "list </td>", "by": "slice <script>", "score": MODELS}


def hostile_rows() -> list[dict[str, Any]]:
    """Lists whose every name is hostile; the second model is the better one."""
    drawn = random.Random(1)
    rows = []
    for number in range(48):
        for _ in range(5):
            label = drawn.random() < 0.4
            rows.append(
                {
                    "<label>": int(label),
                    "s <1>": drawn.random(),
                    's "2"': min(0.3 * label + 0.7 * drawn.random(), 1.0),
                    "list </td>": f"<i>{number}</i>",
                    "slice <script>": HOSTILE[number % len(HOSTILE)],
                }
            )
    return rows


def days(count: int = 6) -> list[dict[str, Any]]:
    """Clicks of some days, with their scores."""
    drawn = random.Random(2)
    rows = []
    for day in range(count):
        for user in range(20):
            for _ in range(4):
                label = drawn.random() < 0.3
                score = round(min(0.2 * label + 0.8 * drawn.random(), 1.0), 2)
                rows.append({"day": f"2026-06-{day + 1:02}", "user": user, "clicked": int(label), "p": score})
    return rows


def months(fall: float = 0.0) -> list[dict[str, Any]]:
    """Clicks of two models in four months of three countries; `new` is worse in DE by `fall` from March on."""
    drawn = random.Random(4)
    rows = []
    for month in ("2026-04", "2026-02", "2026-03", "2026-01"):
        for country in ("FR", "DE", "IT"):
            broken = country == "DE" and month >= "2026-03"
            for n in range(150):
                label = n % 3 == 0
                new = drawn.gauss((1.5 - fall * broken) * label, 1)
                row = {"month": month, "country": country, "clicked": int(label), "new": new}
                rows.append({**row, "old": drawn.gauss(1.5 * label, 1)})
    return rows


def answered(page: str) -> dict[str, str]:
    """The lines on top of a page, by question."""
    found = re.findall(r'<dt>([^<]*)</dt><dd dir="auto">([^<]*)</dd>', page.split("<nav")[0])
    return {question: html.unescape(text) for question, text in found}


class Read:
    """A page as text, and the statements that its making ran."""

    def __init__(self, page: sm.Page, statements: list[str]) -> None:
        self.html, self.statements = page.html, statements

    def section(self, name: str) -> str:
        """The text of a section, one line for each block or cell; empty if the page lacks it."""
        found = re.search(rf'<section id="{name}".*?</section>', self.html, re.DOTALL)
        text = re.sub(r"<svg.*?</svg>", "", found[0], flags=re.DOTALL) if found else ""
        text = text.replace("\N{NO-BREAK SPACE}", " ")
        return "\n".join(line for part in re.split(r"<[^>]*>", text) if (line := html.unescape(part).strip()))


def read(monkeypatch: pytest.MonkeyPatch, *args: Any, **kwargs: Any) -> Read:
    """A page, and the statements over data that its making ran."""
    statements: list[str] = []
    query = Session.query
    with monkeypatch.context() as patch:
        patch.setattr(
            Session, "query", lambda self, text, name: statements.append(text) or query(self, text, name)
        )
        page = sm.report(*args, **kwargs)
    return Read(page, statements)
