"""The charts of a page: SVG that stands in the page, and the numbers behind it."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from markupsafe import Markup, escape

from sqlmetrics.pages.tables import Table, of_frame
from sqlmetrics.table.frame import Frame

if TYPE_CHECKING:
    from sqlmetrics.charts.chart import Chart

#: a tag, whose attributes may be changed; a text between tags may look like an attribute
TAG = re.compile(r"<[a-z][^>]*>")
#: a tenth of a pixel is enough
LONG_NUMBER = re.compile(r"(\d+\.\d)\d+")
#: what the page says once for all pictures
NEEDLESS = re.compile(r' font-family="[^"]*"| opacity="1"')
ID = re.compile(r'( id="|url\(#)')


@dataclass(frozen=True)
class Figure:
    """A chart of a page."""

    title: str
    description: str
    svg: Markup
    numbers: Table
    wide: bool  #: whether it takes the whole width


def figure(chart: Chart, numbers: Frame | Table, place: str, caption: str | None = None) -> Figure:
    """A chart as it stands in a page.

    Args:
        chart: the chart.
        numbers: what it shows.
        place: the name of the chart in the page, which makes ids unique.
        caption: what stands below the title, instead of the description of the chart.
    """
    title, description = chart.title, chart.description
    drawn = replace(chart, spec={name: part for name, part in chart.spec.items() if name != "title"}).svg(
        "page"
    )
    head, body = drawn.split(">", 1)
    width, height = (float(re.search(rf' {side}="([\d.]+)"', head)[1]) for side in ("width", "height"))  # type: ignore[index]
    body = TAG.sub(lambda tag: ID.sub(rf"\1{place}-", LONG_NUMBER.sub(r"\1", NEEDLESS.sub("", tag[0]))), body)
    named = f"{place}-chart", f"{place}-about"
    opening = (
        f'<svg role="img" aria-labelledby="{named[0]} {named[1]}" width="{width:g}" height="{height:g}"'
        f' viewBox="0 0 {width:g} {height:g}">'
        f'<title id="{named[0]}">{escape(title)}</title><desc id="{named[1]}">{escape(description)}</desc>'
    )
    table = numbers if isinstance(numbers, Table) else of_frame(numbers, f"Numbers: {title}")
    said = description.removeprefix(f"{title}: ") if caption is None else caption
    return Figure(title, said, Markup(opening + body), table, width > 560)
