"""Pages in a headless Chromium: nothing is fetched or refused, names are text, and everyone can read them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import sqlmetrics as sm
from support.browser import Seen, broken_rules, chromium, needs_chromium
from support.report_pages import HOSTILE, METRICS, MODELS, ROLES, days, hostile_rows, months

pytestmark = [needs_chromium, pytest.mark.slow]
Opened = Callable[..., tuple[Any, Seen]]

#: what a reader sees of the names: signs that act on a text are written out, and a blank name is in quotes
SHOWN = [*HOSTILE[:-2], "\\u202etxt\\x00\\x1b[31m", '""']


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a page of hostile names, and one of a state over days."""
    made = tmp_path_factory.mktemp("pages")
    hostile = sm.report(hostile_rows(), METRICS, title=HOSTILE[0], curves="calibration", **ROLES)
    hostile.save(made / "hostile.html")
    daily = sm.state(days(), ["auc", "mrr"], period="day", label="clicked", score="p", group="user")
    sm.report(daily, ["auc", "mrr"], title="Six days").save(made / "state.html")
    return made


@pytest.fixture(scope="module")
def opened() -> Iterator[Opened]:
    with chromium() as function:
        yield function


@pytest.mark.parametrize(
    ("name", "width", "scheme"),
    [
        ("hostile.html", 360, "light"),
        ("hostile.html", 1280, "dark"),
        ("state.html", 360, "dark"),
        ("state.html", 1280, "light"),
    ],
)
def test_page_is_whole_and_open_to_all(
    folder: Path, opened: Opened, name: str, width: int, scheme: str
) -> None:
    page, seen = opened(viewport={"width": width, "height": 900}, color_scheme=scheme)
    url = (folder / name).as_uri()
    page.goto(url)
    assert page.evaluate("document.scripts.length") == 0
    assert page.evaluate("document.documentElement.scrollWidth") == width
    page.evaluate("document.querySelectorAll('details').forEach(folded => folded.open = true)")
    assert page.evaluate("document.documentElement.scrollWidth") == width
    if name == "hostile.html":  # which has all parts; the rules take seconds
        assert broken_rules(page) == []
    assert (seen.errors, seen.requests) == ([], [url])
    page.context.close()


def test_names_of_data_are_text(folder: Path, opened: Opened) -> None:
    page, seen = opened(viewport={"width": 1280, "height": 900})
    page.goto((folder / "hostile.html").as_uri())
    texts = set(
        page.evaluate("[...document.querySelectorAll('th')].map(head => head.firstChild?.textContent ?? '')")
    )
    assert {*SHOWN, *MODELS, *METRICS, ROLES["by"]} <= texts
    assert page.title() == HOSTILE[0]
    assert page.evaluate("[...document.querySelectorAll('img, iframe, link, object, i, u')].length") == 0
    drawn = set(page.evaluate("[...document.querySelectorAll('svg text')].map(text => text.textContent)"))
    assert {HOSTILE[0], *MODELS} <= drawn
    assert seen.errors == []
    page.context.close()


def test_long_names_are_not_cut_off_at_the_edge(tmp_path: Path, opened: Opened) -> None:
    names = ["United States of America, incl. territories", "WWWWWWWWWWWWWWWWWWWWWWWW", "2026-05-01"]
    rows = [{"y": i % 2, "p": i / 60, "place": names[i // 20]} for i in range(60)]
    sm.report(rows, "auc", by="place", curves=[], label="y", score="p").save(tmp_path / "long.html")
    page, _ = opened(viewport={"width": 1200, "height": 900})
    page.goto((tmp_path / "long.html").as_uri())
    hidden = """[...document.querySelectorAll('.chart')].flatMap(chart =>
        [...chart.querySelectorAll('svg text')].filter(
            text => getComputedStyle(chart.querySelector('svg')).overflow != 'visible'
                || text.getBoundingClientRect().left < chart.getBoundingClientRect().left
        ).map(text => text.textContent))"""
    assert page.evaluate(hidden) == []
    lines = "[...document.querySelectorAll('tbody th')].find(cell => cell.textContent == '2026-05-01').offsetHeight"
    assert page.evaluate(lines) < 60
    page.context.close()


def test_tables_fit_a_phone_and_a_chart_alone_has_no_empty_card(tmp_path: Path, opened: Opened) -> None:
    facts: dict[str, Any] = {"label": "clicked", "score": ["old", "new"], "by": "country", "curves": "roc"}
    sm.report(months(), ["auc", "average_precision"], **facts).save(tmp_path / "countries.html")
    page, _ = opened(viewport={"width": 360, "height": 800})
    page.goto((tmp_path / "countries.html").as_uri())
    cut = """[...document.querySelectorAll('caption')].filter(one => one.checkVisibility()).filter(one =>
        one.getBoundingClientRect().right > one.closest('.scroll').getBoundingClientRect().right).length"""
    assert page.evaluate(cut) == 0
    lines = """Math.max(...[...document.querySelectorAll('td small')].filter(one => one.checkVisibility())
        .map(one => one.offsetHeight / parseFloat(getComputedStyle(one).lineHeight)))"""
    assert round(page.evaluate(lines)) == 2
    page.set_viewport_size({"width": 1280, "height": 900})
    empty = """[...document.querySelectorAll('figure')].filter(one => one.checkVisibility()).map(one =>
        one.offsetWidth - [...one.querySelectorAll('svg')].reduce((sum, svg) => sum + svg.clientWidth, 0))"""
    assert max(page.evaluate(empty)) < 400
    page.context.close()


def test_the_first_screen_answers_and_a_phone_shows_whole_charts(tmp_path: Path, opened: Opened) -> None:
    facts: dict[str, Any] = {"label": "clicked", "score": ["old", "new"], "by": ["country", "month"]}
    sm.report(months(fall=2.5), ["auc", "average_precision"], **facts).save(tmp_path / "months.html")
    page, _ = opened(viewport={"width": 1280, "height": 800})
    page.goto((tmp_path / "months.html").as_uri())
    assert page.evaluate("document.querySelector('.answers').getBoundingClientRect().bottom") < 500
    assert page.evaluate("document.documentElement.scrollHeight") < 5000  # of pages that had 12,000
    page.set_viewport_size({"width": 360, "height": 800})
    cut = """[...document.querySelectorAll('svg')].filter(svg => svg.checkVisibility()).filter(svg => {
        const [own, frame] = [svg, svg.closest('.chart')].map(one => one.getBoundingClientRect());
        return own.width < 150 || own.left < frame.left - 1 || own.right > frame.right + 1;
    }).length"""
    for folded in (False, True):
        page.evaluate("open => document.querySelectorAll('details').forEach(one => one.open = open)", folded)
        assert page.evaluate(cut) == 0
        assert page.evaluate("document.documentElement.scrollWidth") == 360
    page.context.close()


def test_ids_are_unique_and_every_chart_is_named(folder: Path, opened: Opened) -> None:
    page, _ = opened()
    page.goto((folder / "hostile.html").as_uri())
    ids = page.evaluate("[...document.querySelectorAll('[id]')].map(one => one.id)")
    assert len(ids) == len(set(ids))
    named = page.evaluate(
        """[...document.querySelectorAll('svg')].map(svg => [
            svg.getAttribute('aria-labelledby').split(' ').map(id => document.getElementById(id).textContent),
            svg.closest('figure').querySelectorAll('details tbody tr').length])"""
    )
    assert len(named) >= 5
    assert all(title and about and rows for (title, about), rows in named)
    links = page.evaluate("[...document.querySelectorAll('nav a')].map(a => a.hash.slice(1))")
    assert links[:3] == ["measured", "dropped", "metrics"]
    assert set(links) <= set(ids)
    page.context.close()


def test_policy_refuses_what_a_page_never_has(folder: Path, opened: Opened) -> None:
    page, seen = opened()
    page.goto((folder / "state.html").as_uri())
    page.evaluate(
        """() => {
            const script = document.createElement('script');
            script.textContent = 'window.ran = true';
            document.body.append(script);
            const image = document.createElement('img');
            image.src = 'https://example.com/x.png';
            document.body.append(image);
            document.body.setAttribute('style', 'opacity: 0.5');
        }"""
    )
    page.wait_for_timeout(100)
    assert page.evaluate("[window.ran, getComputedStyle(document.body).opacity]") == [None, "1"]
    assert len(seen.errors) == 3
    assert all("Content Security Policy" in error for error in seen.errors)
    page.context.close()


def test_themes_and_print(folder: Path, opened: Opened) -> None:
    page, _ = opened(viewport={"width": 688, "height": 970}, color_scheme="dark")  # A4 less its margins
    page.goto((folder / "state.html").as_uri())
    colours = """[getComputedStyle(document.body).backgroundColor,
        getComputedStyle(document.querySelector('svg text')).fill]"""
    assert page.evaluate(colours) == ["rgb(20, 23, 28)", "rgb(232, 234, 237)"]
    page.emulate_media(media="print")
    assert page.evaluate(colours) == ["rgb(255, 255, 255)", "rgb(27, 31, 36)"]
    right = """Math.max(...[...document.querySelectorAll('main *')].filter(one => one.checkVisibility())
        .map(one => one.getBoundingClientRect().right))"""
    assert page.evaluate(right) <= 688
    assert len(page.pdf(format="A4")) > 10_000
    page.context.close()


def test_keyboard_opens_what_is_folded(folder: Path, opened: Opened) -> None:
    page, _ = opened()
    page.goto((folder / "state.html").as_uri())
    for _ in range(200):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.tagName") == "SUMMARY":
            break
    opening = "document.activeElement.parentElement.open"
    assert page.evaluate(opening) is False
    page.keyboard.press("Enter")
    assert page.evaluate(opening) is True
    page.keyboard.press("Tab")  # the table inside, which keys can scroll
    assert page.evaluate("document.activeElement.className") == "scroll"
    page.context.close()
