"""Links of a site that lead nowhere, and what is loaded from another host."""

from __future__ import annotations

from pathlib import Path

from generate.links import links, loaded_from_elsewhere
from generate.site import linked, sources

PAGE = """<link rel="stylesheet" href="style.css"><h1 id="top">One</h1>
<a href="two.html#there">good</a> <a href="two.html#gone">an anchor</a> <a href="three.html">a page</a>
<a href="#top">here</a> <a href="https://example.org/x">outside</a>"""


def test_broken_and_outer_links(tmp_path: Path) -> None:
    (tmp_path / "one.html").write_text(PAGE)
    (tmp_path / "two.html").write_text('<h2 id="there">Two</h2><a href="/one.html#top">from the root</a>')
    assert links(tmp_path) == (["one.html: three.html", "one.html: two.html#gone"], ["https://example.org/x"])
    assert loaded_from_elsewhere(tmp_path) == []


def test_what_is_loaded_from_another_host(tmp_path: Path) -> None:
    scripts = (
        '<script src="https://cdn.example.org/a.js"></script><link rel="icon" href="//example.org/i.png">'
    )
    (tmp_path / "one.html").write_text(scripts)
    (tmp_path / "style.css").write_text("@font-face { src: url('https://fonts.example.org/f.woff2') }")
    assert len(loaded_from_elsewhere(tmp_path)) == 3


def test_links_to_files_that_the_site_lacks_become_names() -> None:
    known = sources()
    page = "[rules](../CONTRIBUTING.md#add-a-metric), [test_names.py](../tests/api/test_names.py), [`x`](../Makefile)"
    assert linked(page, "security.md", known) == "[rules](CONTRIBUTING.md#add-a-metric), `test_names.py`, `x`"
    assert (
        linked("[the page](glossary.md)", "security.md", known) == "[the page](glossary.md)"
    )  # strict mode refuses it
