"""The links of a built site: those that lead nowhere, and those that leave it.

`python -m generate.links SITE` prints both.
"""

from __future__ import annotations

import html
import posixpath
import re
import sys
from pathlib import Path
from urllib.parse import unquote

LINK = re.compile(r'<a\b[^>]*?\shref="([^"]*)"')
ANCHOR = re.compile(r'\s(?:id|name)="([^"]*)"')
#: What a page loads: scripts, styles, pictures, frames, fonts.
LOADED = re.compile(
    r'<(?:script|img|iframe|source|audio|video)\b[^>]*?\ssrc="([^"]*)"|<link\b[^>]*?>|url\(([^)]*)\)'
)
HREF = re.compile(r'\shref="([^"]*)"')
ELSEWHERE = re.compile(r"(?:https?:)?//")


def links(site: Path) -> tuple[list[str], list[str]]:
    """The broken links inside a site, each with its page, and the addresses outside it."""
    texts = {
        path.relative_to(site).as_posix(): path.read_text(encoding="utf-8") for path in site.rglob("*.html")
    }
    anchors = {page: {html.unescape(name) for name in ANCHOR.findall(text)} for page, text in texts.items()}
    broken, outside = set(), set()
    for page, text in texts.items():
        for link in {html.unescape(found) for found in LINK.findall(text)}:
            if ELSEWHERE.match(link):
                outside.add(link)
            elif not _leads(link, page, site, anchors):
                broken.add(f"{page}: {link}")
    return sorted(broken), sorted(outside)


def _leads(link: str, page: str, site: Path, anchors: dict[str, set[str]]) -> bool:
    """Whether a link inside the site leads to a file, and to a place on it."""
    target, _, anchor = link.partition("#")
    folder = "" if target.startswith("/") else posixpath.dirname(page)
    place = posixpath.normpath(posixpath.join(folder, unquote(target).lstrip("/"))) if target else page
    place = "index.html" if place == "." else place
    if place not in anchors:
        return (site / place).is_file() and not anchor
    return not anchor or unquote(anchor) in anchors[place]


def loaded_from_elsewhere(site: Path) -> list[str]:
    """What the pages and styles of a site load from another host."""
    found = set()
    for path in [*site.rglob("*.html"), *site.rglob("*.css")]:
        for match in LOADED.finditer(path.read_text(encoding="utf-8")):
            href = HREF.search(match[0])
            address = match[1] or match[2] or (href[1] if href and 'rel="canonical"' not in match[0] else "")
            if ELSEWHERE.match(address.strip("'\"")):
                found.add(f"{path.relative_to(site)}: {address}")
    return sorted(found)


if __name__ == "__main__":
    broken, outside = links(Path(sys.argv[1]))
    print("\n".join(["Outside the site, not fetched:", *outside, "Broken:", *broken]))
    sys.exit(bool(broken))
