"""The charts of a page: SVG that stands in the page, and the numbers behind it."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from markupsafe import Markup, escape

from sqlmetrics.pages.tables import Table, of_frame
from sqlmetrics.table.frame import Frame

if TYPE_CHECKING:
    from sqlmetrics.charts.chart import Chart

NARROW = 320  #: pixels of a panel, so that a phone shows it whole
LINE = 60  #: characters that fit above a panel
LOW = 100  #: pixels of a panel that stays as high as it is
LONG = 80  #: characters of a description that is folded
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
    panels: list[Markup]  #: a picture each, which the page places as it has room
    numbers: Table
    wide: bool  #: whether it takes the whole width

    @property
    def long(self) -> bool:
        """Whether the description is folded."""
        return len(self.description) > LONG


def figure(
    chart: Chart, numbers: Frame | Table, place: str, caption: str | None = None, most: int = NARROW
) -> Figure:
    """A chart as it stands in a page.

    Args:
        chart: the chart.
        numbers: what it shows.
        place: the name of the chart in the page, which makes ids unique.
        caption: what stands below the title, instead of the description of the chart.
        most: the pixels of a panel from side to side.
    """
    title, description = chart.title, chart.description
    whole = {name: part for name, part in chart.spec.items() if name not in ("title", "concat", "columns")}
    specs = [{**whole, **panel, **_heading(panel)} for panel in chart.spec.get("concat", [{}])]
    several = len(specs) > 1
    pictures = [
        _picture(
            replace(chart, spec=_narrow(spec, most)),
            f"{place}-{number}" if several else place,
            f"{title}, {number} of {len(specs)}" if several else title,
            description if number == 1 else spec["title"]["text"],
        )
        for number, spec in enumerate(specs, 1)
    ]
    table = numbers if isinstance(numbers, Table) else of_frame(numbers, f"Numbers: {title}")
    said = description.removeprefix(f"{title}: ") if caption is None else caption
    widest = max(width for width, _ in pictures)
    return Figure(title, said, [drawn for _, drawn in pictures], table, several or widest > 560)


def _heading(panel: dict[str, Any]) -> dict[str, Any]:
    """The heading of a panel, whose parts have a line each where they are wider than a phone."""
    heading = panel.get("title")
    if heading is None or len(heading.get("subtitle", "")) <= LINE:
        return {}
    below = heading["subtitle"]
    return {"title": {**heading, "subtitle": below.split(" — ") if isinstance(below, str) else below}}


def _narrow(spec: dict[str, Any], most: int) -> dict[str, Any]:
    """A panel that is at most so wide, with its proportions unless it is low; one of cells is as wide as these need."""
    if "vconcat" in spec:
        return {**spec, "vconcat": [_narrow(part, most) for part in spec["vconcat"]]}
    width, height = spec.get("width"), spec.get("height")
    if not isinstance(width, (int, float)) or width <= most:
        return spec
    if isinstance(height, (int, float)) and height > LOW:
        height = round(height * most / width)
    return {**spec, "width": most, "height": height}


def _picture(chart: Chart, place: str, title: str, about: str) -> tuple[float, Markup]:
    """The width of a picture, and its SVG with a name and a description for those who do not see it."""
    head, body = chart.svg("page").split(">", 1)
    width, height = (float(re.search(rf' {side}="([\d.]+)"', head)[1]) for side in ("width", "height"))  # type: ignore[index]
    body = TAG.sub(lambda tag: ID.sub(rf"\1{place}-", LONG_NUMBER.sub(r"\1", NEEDLESS.sub("", tag[0]))), body)
    named = f"{place}-chart", f"{place}-about"
    opening = (
        f'<svg role="img" aria-labelledby="{named[0]} {named[1]}" width="{width:g}" height="{height:g}"'
        f' viewBox="0 0 {width:g} {height:g}">'
        f'<title id="{named[0]}">{escape(title)}</title><desc id="{named[1]}">{escape(about)}</desc>'
    )
    return width, Markup(opening + body)
