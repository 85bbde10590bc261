"""The sources of the site: pages of the repository with links, tables and formulas, and the pages that are made."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from generate.examples import ASSETS
from generate.formulas import with_formulas
from generate.tables import conventions_table, example_data, metrics_table

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
LINK = re.compile(r"\[((?:[^\]`]|`[^`]*`)*)\]\(([^)\s#]+)(#[^)\s]*)?\)")
HOLE = re.compile(r"^<!-- made: (.+) -->$", re.MULTILINE)


def sources() -> dict[str, Path]:
    """The pages and files of the repository that the site has, by their path in the site."""
    pages = [path for path in DOCS.rglob("*") if path.is_file() and "node_modules" not in path.parts]
    found = {
        path.relative_to(DOCS).as_posix(): path
        for path in pages
        if "generate" not in path.parts and _is_shown(path)
    }
    further = [ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md", *(ROOT / "sql").rglob("README.md")]
    return found | {path.relative_to(ROOT).as_posix(): path for path in further}


def _is_shown(path: Path) -> bool:
    return path.suffix in {".md", ".csv", ".css", ".js", ".svg", ".png"}


def filled(page: str) -> str:
    """A page with what is made in place of its holes."""
    made = {"metrics": metrics_table, "conventions": conventions_table}

    def fill(hole: re.Match[str]) -> str:
        name = hole[1]
        return made[name]() if name in made else example_data((ASSETS / name).read_text(encoding="utf-8"))

    return HOLE.sub(fill, page)


def linked(page: str, place: str, known: dict[str, Path]) -> str:
    """A page whose links to other pages of the repository lead to their places in the site.

    A link to a file that the site does not have becomes the name of that file.

    Args:
        page: the text.
        place: the path of the page in the site.
        known: the pages of the site, as `sources` has them.
    """
    places = {path.resolve(): name for name, path in known.items()}
    folder = known[place].parent

    def moved(link: re.Match[str]) -> str:
        label, target, anchor = link[1], link[2], link[3] or ""
        path = (folder / target).resolve()
        path = path / "README.md" if path.is_dir() else path
        if "://" in target or not path.is_file():
            return link[0]
        if path not in places:
            return label if "`" in label else f"`{label}`"
        return f"[{label}]({os.path.relpath(places[path], PurePosixPath(place).parent)}{anchor})"

    return LINK.sub(moved, page)


def written() -> Iterator[tuple[str, bytes]]:
    """The files of the repository as the site takes them."""
    known = sources()
    for place, path in known.items():
        if path.suffix == ".md":
            page = filled(linked(path.read_text(encoding="utf-8"), place, known))
            yield place, with_formulas(page).encode()
        else:
            yield place, path.read_bytes()
