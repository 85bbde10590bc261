"""A chart: a Vega-Lite specification, shown by notebooks, and drawn as a picture by vl-convert."""

from __future__ import annotations

import html
import json
import os
import re
import sys
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import Any

from sqlmetrics.charts.themes import Theme, config
from sqlmetrics.errors import SqlMetricsError, public
from sqlmetrics.files import replaced

SCHEMA = "https://vega.github.io/schema/vega-lite/v5.json"
VERSION = "5.20"  #: of Vega-Lite, for pictures
SVG = "http://www.w3.org/2000/svg"
MIME = "application/vnd.vegalite.v5+json"
GEOMETRY = {
    "d",
    "height",
    "transform",
    "viewBox",
    "width",
    "x",
    "x1",
    "x2",
    "y",
    "y1",
    "y2",
}  #: attributes of SVG
#: a file that opens without a network: it runs no script and loads nothing, and a wide picture shrinks to the screen
FILE = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="{scheme}">
<title>{title}</title>
<style>svg {{ max-width: 100%; height: auto }}</style>
{picture}
</html>
"""
PLACE = re.compile(r"-?\d+\.\d{3,}(?:e-?\d+)?")  #: more digits than can be seen, of which the last may vary


@dataclass(frozen=True, repr=False)
class Chart:
    """A chart of a result, made by the `plot()` of the result.

    A notebook shows it. Pictures need `pip install 'sqlmetrics[report]'`.

    >>> import sqlmetrics as sm
    >>> rows = [{"y": 1, "p": 0.9}, {"y": 0, "p": 0.4}, {"y": 1, "p": 0.4}]
    >>> sm.curve(rows, "roc", label="y", score="p").plot()
    <Chart: ROC curve>
    """

    spec: dict[str, Any]  #: the specification, a dict of Vega-Lite 5, with the numbers in it

    @property
    def title(self) -> str:
        """The title, as it stands in the chart."""
        return str(self.spec["title"]["text"])

    @property
    def description(self) -> str:
        """What the chart shows in one sentence, with its main numbers, for readers who do not see it."""
        return str(self.spec["description"])

    def __repr__(self) -> str:
        return f"<Chart: {self.title}>"

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, Any]:
        # a notebook draws the specification; nbconvert and GitHub, which cannot, show the picture
        picture = {"image/svg+xml": self.svg()} if find_spec("vl_convert") else {}
        return {MIME: self.spec, **picture, "text/plain": self.description}

    @public
    def show(self) -> None:
        """Shows the chart: in a notebook below the cell, elsewhere in the browser, from a temporary file.

        Raises:
            SqlMetricsError: vl-convert is not installed, outside a notebook.
        """
        shell = sys.modules["IPython"].get_ipython() if "IPython" in sys.modules else None
        if hasattr(shell, "kernel"):
            from IPython.display import display

            display(self)  # type: ignore[no-untyped-call,unused-ignore]
            return
        import tempfile
        import webbrowser

        path = Path(tempfile.mkdtemp(prefix="sqlmetrics-")) / "chart.html"
        self.save(path, "page")
        webbrowser.open(path.as_uri())

    @public
    def svg(self, theme: Theme = "light") -> str:
        """The chart as SVG, for a file or to stand in a page; it has no script, style or link.

        Args:
            theme: `light`; `dark`; or `page`, which has no ground and takes the colour of the text around it.

        Raises:
            SqlMetricsError: vl-convert is not installed; an unknown theme.
        """
        vl_convert = _vl_convert()
        drawn = str(vl_convert.vegalite_to_svg(self._themed(theme), vl_version=VERSION, allowed_base_urls=[]))
        return _tidied(drawn, self.description)

    @public
    def png(self, theme: Theme = "light", scale: float = 2) -> bytes:
        """The chart as a PNG image.

        Args:
            theme: `light` or `dark`.
            scale: pixels of the image for a pixel of the chart; 2 suits screens of today.

        Raises:
            SqlMetricsError: vl-convert is not installed; an unknown theme; a scale that is no number from 0.1 to 10.
        """
        if isinstance(scale, bool) or not isinstance(scale, (int, float)) or not 0.1 <= scale <= 10:
            raise SqlMetricsError(f"scale= takes a number from 0.1 to 10, got {scale!r}")
        return self._image("png", theme, scale)

    @public
    def save(self, path: str | os.PathLike[str], theme: Theme = "light") -> None:
        """Writes the chart to a file: `.svg`, `.png`, `.pdf`, `.html` or `.json` (the specification).

        The HTML file has the picture in it: it runs no script and loads nothing.

        Args:
            path: the file to write. An old file is replaced when the new one is complete.
            theme: as for `svg`; with `page`, an HTML file is light or dark as its reader's browser is.

        Raises:
            SqlMetricsError: another suffix; the file cannot be written; the errors of `svg` and `png`.
        """
        suffix = Path(path).suffix.lower() if isinstance(path, (str, os.PathLike)) else None
        if suffix == ".png":
            content = self.png(theme)
        elif suffix == ".pdf":
            content = self._image("pdf", theme, 1)
        elif suffix == ".svg":
            content = self.svg(theme).encode()
        elif suffix in (".html", ".htm"):
            scheme, title = "light dark" if theme == "page" else theme, html.escape(self.title)
            content = FILE.format(scheme=scheme, title=title, picture=self.svg(theme)).encode()
        elif suffix == ".json":
            content = json.dumps(self._themed(theme), indent=1, ensure_ascii=False).encode()
        else:
            raise SqlMetricsError(f"A chart is saved as .svg, .png, .pdf, .html or .json, got {str(path)!r}")
        with replaced(path) as file:
            file.write(content)

    def _image(self, form: str, theme: Theme, scale: float) -> bytes:
        if theme == "page":
            raise SqlMetricsError("An image has no page around it; theme= of an image takes light or dark")
        spec, draw = self._themed(theme), getattr(_vl_convert(), f"vegalite_to_{form}")
        return bytes(draw(spec, vl_version=VERSION, scale=scale, allowed_base_urls=[]))

    def _themed(self, theme: Theme) -> dict[str, Any]:
        return {**self.spec, "config": config(theme)}


def _tidied(drawn: str, description: str) -> str:
    """A picture that is one image to a screen reader, and whose ids occur in no other picture of a page."""
    import hashlib
    from xml.etree import ElementTree

    own = "sm" + hashlib.sha256(PLACE.sub(_rounded, drawn).encode()).hexdigest()[:12] + "_"
    root = ElementTree.fromstring(drawn)
    for element in root.iter():
        element.tag = element.tag.removeprefix(f"{{{SVG}}}")
        for name, value in list(element.attrib.items()):
            if name in ("role", "class", "pointer-events") or name.startswith("aria-"):
                del element.attrib[name]
            elif name == "id":
                element.set(name, own + value)
            elif value.startswith("url(#"):
                element.set(name, value.replace("url(#", f"url(#{own}", 1))
            elif name in GEOMETRY:
                element.set(name, PLACE.sub(_rounded, value))
    root.attrib = {"xmlns": SVG, "role": "img", "aria-label": description, **root.attrib}
    return ElementTree.tostring(root, encoding="unicode")


def _rounded(found: re.Match[str]) -> str:
    """A place in pixels, to the hundredth."""
    return f"{float(found[0]):.2f}".rstrip("0").rstrip(".")


def _vl_convert() -> ModuleType:
    try:
        import vl_convert
    except ImportError as error:
        raise SqlMetricsError(
            "Pictures of charts need vl-convert: pip install 'sqlmetrics[report]'"
        ) from error
    return vl_convert


def chart(
    title: str, description: str, panels: list[dict[str, Any]], columns: int = 2, note: str = ""
) -> Chart:
    """A chart of one or several panels.

    Args:
        title: stands above the chart.
        description: one sentence, with the main numbers.
        panels: specifications of Vega-Lite, each with its own data.
        columns: panels beside each other.
        note: stands below the title; the one panel's own note by default.
    """
    heading: dict[str, Any] = {"text": title}
    if len(panels) == 1:
        [body] = panels
        note = note or body.get("title", {}).get("subtitle", "")
    else:
        body, heading["offset"] = {"concat": panels, "columns": columns}, 16
    if note:
        heading["subtitle"] = note
    shown = f"{description}; shows {note}" if note and len(panels) > 1 else description
    return Chart(
        {"$schema": SCHEMA, "description": shown, "config": config("light"), **body, "title": heading}
    )
