"""The built site: it loads nothing from elsewhere, its links lead somewhere, and its pages can be read by everybody."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest

from generate.links import links, loaded_from_elsewhere
from sqlmetrics.book.catalog import catalog, curves
from support.browser import Seen, broken_rules, browser, needs_chromium
from support.site import built_site, served

pytestmark = [pytest.mark.xdist_group("site"), pytest.mark.slow]
WIDTHS = (360, 1280)
PAGES = (
    "index.html",
    "metrics/brier.html",
    "metrics/map.html",
    "notation.html",
    "coming-from/scikit-learn.html",
)


def test_every_metric_and_curve_has_a_page() -> None:
    of_metrics = {path.stem for path in (built_site() / "metrics").glob("*.html")} - {"index"}
    assert of_metrics == {macro.removeprefix("metric_") for macro in catalog()}
    assert {path.stem for path in (built_site() / "curves").glob("*.html")} == set(curves())


def test_links_lead_somewhere() -> None:
    broken, outside = links(built_site())
    assert broken == []
    assert all(address.startswith("https://") for address in outside)


def test_language_models_find_every_page() -> None:
    """llms.txt: a title, a summary and links, which lead to pages; llms-full.txt: the texts themselves."""
    index, full = (
        (built_site() / name).read_text(encoding="utf-8") for name in ("llms.txt", "llms-full.txt")
    )
    assert index.startswith("# sqlmetrics\n\n> ")
    linked = re.findall(r"^- \[.+?\]\(([^)]+)\)", index, re.MULTILINE)
    assert len(linked) > len(catalog()) + len(curves())
    assert [path for path in linked if not (built_site() / path).is_file()] == []
    assert "\n## ndcg[@k]\n" in full
    assert "# Conventions that change numbers" in full
    assert "<!-- made:" not in full


def test_nothing_is_loaded_from_elsewhere() -> None:
    assert loaded_from_elsewhere(built_site()) == []


@pytest.fixture(scope="module")
def seen() -> Iterator[tuple[Any, Seen, str]]:
    """A page of a browser, what it did, and the address of the site."""
    with served(built_site()) as address, browser() as (page, done):
        yield page, done, address


@needs_chromium
@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("path", PAGES)
def test_pages_fit_and_are_accessible(seen: tuple[Any, Seen, str], path: str, width: int) -> None:
    page, done, address = seen
    page.set_viewport_size({"width": width, "height": 800})
    page.goto(address + path, wait_until="networkidle")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    if width == max(WIDTHS):
        assert broken_rules(page) == []
    assert done.errors == []
    assert [request for request in done.requests if not request.startswith(address)] == []


@needs_chromium
def test_search_finds_a_metric(seen: tuple[Any, Seen, str]) -> None:
    page, _, address = seen
    page.set_viewport_size({"width": 1280, "height": 800})
    page.goto(address, wait_until="networkidle")
    page.keyboard.press("Control+k")
    page.keyboard.type("expected reciprocal rank")
    page.locator("a[href*='metrics/err.html']:visible").first.wait_for()


@needs_chromium
@pytest.mark.parametrize("path", ["metrics/brier.html", "metrics/map.html"])
def test_formulas_are_laid_out(seen: tuple[Any, Seen, str], path: str) -> None:
    """The browser sets a fraction, and assistive technology finds the formula, which scrolls by keyboard."""
    page, _, address = seen
    page.set_viewport_size({"width": 360, "height": 800})
    page.goto(address + path, wait_until="networkidle")
    above, below = (page.locator(f"math mfrac > :nth-child({n})").first.bounding_box() for n in (1, 2))
    assert above["y"] + above["height"] <= below["y"] + 1
    assert abs(above["x"] + above["width"] / 2 - below["x"] - below["width"] / 2) < 2
    formula = page.get_by_role("group", name="Formula")
    assert formula.get_by_role("math").count() > 0
    formula.focus()
    assert formula.evaluate("element => element === document.activeElement")
