"""What README has from the project: the names of the metrics and a picture. `python -m generate.readme` makes them."""

from __future__ import annotations

import functools
import re

import sqlmetrics as sm
from generate.notebooks import NOTEBOOKS, executed, text_of
from generate.outputs import pages, renewed
from generate.site import DOCS, ROOT
from generate.tables import names_table

README = ROOT / "README.md"
PICTURE = DOCS / "assets" / "report.svg"
DARK_PICTURE = PICTURE.with_name("report-dark.svg")  #: in place of it on a dark page (site.css)
NAMES = re.compile(r"(?<=<!-- metrics: made by make readme -->\n).*(?=<!-- end of metrics -->)", re.DOTALL)
SHOWN = re.compile(r"!\[[^]]*\](?=\((?:docs/)?assets/report\.svg\))")


def with_names(page: str) -> str:
    """A page with the names of the metrics between its marks, and with the numbers of the picture beside it."""
    page = NAMES.sub(lambda _: f"\n{names_table()}\n\n", page)
    return SHOWN.sub(lambda _: f"![{picture().description.replace('[', '(').replace(']', ')')}]", page)


@functools.cache
def picture() -> sm.Chart:
    """The chart that README and the first page show."""
    report = sm.evaluate(
        ROOT / "examples" / "search.parquet",
        ["auc", "ndcg@10"],
        score={"new": "score", "old": "score_b"},
        by="country",
        interval=0.95,
        label="grade",
        group="query_id",
        positive=1,
    )
    return report.plot()


if __name__ == "__main__":
    PICTURE.write_text(picture().svg(), encoding="utf-8")
    DARK_PICTURE.write_text(picture().svg("dark"), encoding="utf-8")
    for path in pages():
        path.write_text(with_names(renewed(path.read_text(encoding="utf-8"))), encoding="utf-8")
    for path in NOTEBOOKS:
        path.write_text(text_of(executed(path)), encoding="utf-8")
