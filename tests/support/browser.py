"""A headless Chromium for tests of pages, and what a page did in it."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
AXE = Path(__file__).parents[2] / "docs" / "node_modules" / "axe-core" / "axe.min.js"
# Chromium looks for its makers' servers at every start unless it is told not to.
QUIET = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
]
QUIET += ["--disable-component-update", "--disable-sync"]

needs_chromium = pytest.mark.skipif(CHROMIUM is None, reason="needs Chromium: make browser")


@dataclass
class Seen:
    """What pages said and fetched."""

    errors: list[str] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)


@contextmanager
def chromium() -> Iterator[Callable[..., tuple[Any, Seen]]]:
    """A headless Chromium, as a function that opens a page in a context of its own and notes what the page does.

    The function takes options of a Playwright context, such as `viewport` and `color_scheme`.
    """
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=CHROMIUM, args=QUIET)

        def opened(**context: Any) -> tuple[Any, Seen]:
            page = started.new_context(**context).new_page()
            return page, watched(page)

        try:
            yield opened
        finally:
            started.close()


@contextmanager
def browser(**context: Any) -> Iterator[tuple[Any, Seen]]:
    """A page of a headless Chromium, and what it did.

    Args:
        context: options of a Playwright context, such as `viewport` and `color_scheme`.
    """
    with chromium() as opened:
        yield opened(**context)


def watched(page: Any) -> Seen:
    """What a page does from now on."""
    seen = Seen()
    page.on("console", lambda message: seen.errors.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: seen.errors.append(str(error)))
    page.on("request", lambda request: seen.requests.append(request.url))
    return seen


def broken_rules(page: Any) -> list[str]:
    """The rules of accessibility that a page breaks, with the elements that break them."""
    page.evaluate(AXE.read_text())  # not a script element, which a page's policy may forbid
    found = page.evaluate("axe.run()")["violations"]
    return [f"{rule['id']}: {[node['html'][:200] for node in rule['nodes']]}" for rule in found]
