"""Colours, fonts and lines of charts."""

from __future__ import annotations

from typing import Any, Literal, get_args

from sqlmetrics.errors import SqlMetricsError

Theme = Literal["light", "dark", "page"]

#: Colours of models. The colour-blind can distinguish them. Each has a contrast of 3 to white and to the dark ground.
PALETTE = ("#2f78c4", "#d55e00", "#269982", "#6640ff", "#cc003d", "#7373ff", "#3f758c", "#53734b")
#: Shapes and dashes of models, for readers and prints without colours.
SHAPES = (
    "circle",
    "square",
    "triangle-up",
    "diamond",
    "cross",
    "triangle-down",
    "triangle-right",
    "triangle-left",
)
DASHES = ((1, 0), (6, 2), (2, 2), (8, 2, 2, 2), (4, 4), (1, 3), (10, 3), (5, 1, 1, 1))
#: Colours of a heat map, from its least to its greatest value; both themes show them.
HEAT = ("#eaf2fb", "#a9cbec", "#5e9fd6", "#2a6cae", "#0e3f77")
#: Colours of a heat map of values that are best at a target, from far below it to far above it.
DIVERGING = ("#9c4500", "#e39a5c", "#f4f1ee", "#7fb0dd", "#1d5a9c")
DARK_INK, LIGHT_INK = "#1b1f24", "#ffffff"  #: of numbers in cells
QUIET = "#808891"  #: of rules and bands, which stand back behind the data

# ground, text, quiet text, lines of the grid
INKS: dict[Theme, tuple[str, str, str, str]] = {
    "light": ("#ffffff", "#1b1f24", "#57606a", "#e4e8ec"),
    "dark": ("#14181d", "#e9edf1", "#a3adb8", "#2c333b"),
    "page": ("transparent", "currentColor", "currentColor", "#80808040"),
}
FONT = "system-ui, 'Segoe UI', 'Helvetica Neue', Arial, sans-serif"


def config(theme: Theme) -> dict[str, Any]:
    """The configuration of Vega-Lite for a theme.

    Args:
        theme: `light`; `dark`; or `page`, which has no ground and takes the colour of the text around it.

    Raises:
        SqlMetricsError: an unknown theme.
    """
    if theme not in get_args(Theme):
        raise SqlMetricsError(f"theme= takes {', '.join(get_args(Theme))}, got {theme!r}")
    ground, text, quiet, line = INKS[theme]
    plain = {"labelFontSize": 12, "titleFontSize": 12, "titleFontWeight": "normal", "titleColor": quiet}
    return {
        "aria": False,  # the chart has one description; a label on each mark would be read one by one
        "background": ground,
        "font": FONT,
        "padding": 8,
        "concat": {"spacing": 28},
        "view": {"stroke": None},
        "title": {
            "anchor": "start", "color": text, "fontSize": 14, "fontWeight": 600, "limit": 560, "offset": 10,
            "subtitleColor": quiet, "subtitleFontSize": 12, "subtitlePadding": 4,
        },
        "axis": {
            **plain, "domainColor": line, "gridColor": line, "tickColor": line, "labelColor": quiet,
            "labelLimit": 190, "titleLimit": 300, "titlePadding": 8, "tickCount": 5, "labelSeparation": 8,
            "domain": False, "ticks": False, "labelPadding": 6,
        },
        "legend": {
            **plain, "labelColor": text, "labelLimit": 220, "titleLimit": 220, "orient": "top",
            "symbolStrokeWidth": 2, "symbolOpacity": 1, "symbolSize": 70,
        },
        "range": {
            "category": list(PALETTE), "symbol": list(SHAPES), "heatmap": list(HEAT), "ramp": list(HEAT),
        },
        "text": {"color": text, "fontSize": 12},
        "rule": {"color": text},
    }  # fmt: skip
