"""Writes the sources of the site into a folder: `python -m generate FOLDER`. `make docs` builds the site from them."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import yaml

from generate import llms, metric_pages, playground, reference, site
from generate.tables import page_name
from sqlmetrics.book.catalog import by_task, curves


def write(folder: Path) -> None:
    """Writes the pages to FOLDER/pages, and FOLDER/mkdocs.yml, whose navigation has the pages that are made."""
    shutil.rmtree(folder, ignore_errors=True)
    made = dict(metric_pages.pages()) | dict(reference.pages())
    files = dict(site.written()) | {place: page.encode() for place, page in made.items()}
    for place, content in files.items():
        path = folder / "pages" / place
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    playground.write(folder / "pages" / "playground")
    settings = yaml.safe_load((site.DOCS / "mkdocs.yml").read_text(encoding="utf-8"))
    settings["nav"] = _expanded(settings["nav"])
    for name, text in llms.files(settings).items():
        (folder / "pages" / name).write_text(text, encoding="utf-8")
    (folder / "mkdocs.yml").write_text(yaml.safe_dump(settings, sort_keys=False), encoding="utf-8")


def _expanded(nav: list) -> list:
    """The navigation, where `metrics/` stands for the pages of metrics by task, and `curves/` for those of curves."""
    folders = {
        "metrics/": [
            {task: [{metric.notation: f"metrics/{page_name(metric)}"} for metric in metrics]}
            for task, metrics in by_task().items()
        ],
        "curves/": [{curve.notation: f"curves/{page_name(curve)}"} for curve in curves().values()],
    }
    found = []
    for entry in nav:
        [(title, target)] = entry.items() if isinstance(entry, dict) else [(None, entry)]
        if isinstance(target, list):
            found.append({title: _expanded(target)})
        elif target in folders:
            found += folders[target]
        else:
            found.append(entry)
    return found


if __name__ == "__main__":
    write(Path(sys.argv[1]))
