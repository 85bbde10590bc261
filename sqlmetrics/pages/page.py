"""The page as HTML: the results in sections, and the sections in a template."""

from __future__ import annotations

import base64
import functools
import hashlib
import re
from pathlib import Path
from typing import Any

import jinja2
from markupsafe import Markup, escape

from sqlmetrics.errors import printable
from sqlmetrics.pages.content import Subject
from sqlmetrics.pages.results import Results
from sqlmetrics.pages.sections import content
from sqlmetrics.pages.verdicts import when

CODE = re.compile("`([^`]*)`")  #: code in the documentation of a metric


@functools.cache
def _environment() -> jinja2.Environment:
    """Templates in which every value is escaped, and every text is free of characters that act on the page."""

    def safe(value: Any) -> Any:
        return printable(value) if isinstance(value, str) and not isinstance(value, Markup) else value

    made = jinja2.Environment(
        loader=jinja2.FileSystemLoader(Path(__file__).parent),
        autoescape=True,
        finalize=safe,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters["code"] = lambda text: Markup(CODE.sub(r"<code>\1</code>", str(escape(text))))
    return made


def _policy(style: str) -> str:
    """The content security policy: nothing is loaded and nothing runs; the one style is known by its hash."""
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    return f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"


def as_html(about: Subject, found: Results) -> str:
    """The page of some results as HTML."""
    style = (Path(__file__).parent / "page.css").read_text(encoding="utf-8")
    shown = content(about, found)
    return (
        _environment()
        .get_template("page.html")
        .render(
            title=shown.title,
            answers=shown.answers,
            sections=shown.sections,
            version=about.version,
            made=when(about.made),
            style=Markup(style),
            policy=_policy(style),
        )
    )
