"""`llms.txt`, an index of the site for language models, and `llms-full.txt`, its texts in one file (https://llmstxt.org)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import sqlmetrics as sm
from generate.examples import entries
from generate.site import ROOT, filled, sources
from generate.tables import page_name
from sqlmetrics.book.catalog import catalog

SKILL = ROOT / "sqlmetrics" / ".agents" / "skills" / "sqlmetrics" / "SKILL.md"


def files(settings: dict[str, Any]) -> dict[str, str]:
    """Both files by their names in the site.

    Args:
        settings: those of the site, with the whole navigation
    """
    head = f"# {settings['site_name']}\n\n> {settings['site_description']}.\n\n"
    # above the index there are no headings
    rules = re.sub(r"^## (.*)$", r"**\1**", _rules(), flags=re.MULTILINE)
    index = "\n".join(_index(settings["nav"]))
    return {"llms.txt": f"{head}{rules}{index}\n", "llms-full.txt": f"{head}{_rules()}\n{_texts()}"}


def _rules() -> str:
    """How to use the package, from the skill in it: what stands below its title."""
    return SKILL.read_text(encoding="utf-8").split("\n# sqlmetrics\n\n", 1)[1] + "\n"


def _index(nav: list[Any]) -> Iterator[str]:
    """A heading for each part of the navigation, and a line for each page with what it is about."""
    about = {_place(macro): metric.summary for macro, metric in entries().items()}
    heading = None
    for part, title, target in _pages(nav):
        if part != heading:
            heading = part
            yield f"\n## {part}\n"
        summary = f": {about[target]}" if target in about else ""
        place = target.replace("README.md", "index.md").removesuffix(".md")
        yield f"- [{title}]({place}.html){summary}"


def _place(macro: str) -> str:
    return f"{'metrics' if macro in catalog() else 'curves'}/{page_name(entries()[macro])}"


def _pages(nav: list[Any], part: str | None = None) -> Iterator[tuple[str, str, str]]:
    """Part, title and path of each page."""
    for entry in nav:
        [(title, target)] = entry.items() if isinstance(entry, dict) else [("All of them", entry)]
        if isinstance(target, list):
            yield from _pages(target, part or title)
        else:
            yield part or title, title, target


def _texts() -> str:
    """The pages for users that are written by hand, and what `describe` says of each metric and curve."""
    written = {
        place: path for place, path in sources().items() if path.suffix == ".md" and _is_of_users(path)
    }
    pages = [filled(path.read_text(encoding="utf-8")) for _, path in sorted(written.items())]
    names = dict.fromkeys(metric.notation for metric in entries().values())
    return (
        "\n\n".join([*pages, "# The metrics and curves", *(f"## {sm.describe(name)}" for name in names)])
        + "\n"
    )


def _is_of_users(path: Path) -> bool:
    return "decisions" not in path.parts and path.name not in ("CONTRIBUTING.md", "CHANGELOG.md", "README.md")
