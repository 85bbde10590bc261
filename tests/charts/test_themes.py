"""Colours of charts: seen on both grounds, and told apart by the colour-blind."""

import pytest

from sqlmetrics.charts.themes import HEAT, INKS, PALETTE


def channels(colour: str) -> list[float]:
    parts = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    return [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]


def contrast(one: str, other: str) -> float:
    """WCAG 2.2, contrast ratio."""
    light = [
        sum(w * c for w, c in zip((0.2126, 0.7152, 0.0722), channels(x), strict=True)) for x in (one, other)
    ]
    return (max(light) + 0.05) / (min(light) + 0.05)


def test_colours_are_seen_on_both_grounds() -> None:
    """WCAG 2.2, 1.4.11 and 1.4.3: 3 for graphics, 4.5 for text."""
    for theme in ("light", "dark"):
        ground, text, quiet, _ = INKS[theme]  # type: ignore[index]
        assert min(contrast(colour, ground) for colour in PALETTE) >= 3
        assert min(contrast(text, ground), contrast(quiet, ground)) >= 4.5
    assert contrast(HEAT[0], "#1b1f24") >= 4.5
    assert contrast(HEAT[-1], "#ffffff") >= 4.5


#: Machado, Oliveira and Fernandes (2009), doi:10.1109/TVCG.2009.113: what is left of linear light without a cone.
WITHOUT = {
    "none": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "red": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "green": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
}


def lab(light: list[float]) -> tuple[float, float, float]:
    """CIE L*a*b* of linear light."""
    matrix = ((0.4124, 0.3576, 0.1805), (0.2126, 0.7152, 0.0722), (0.0193, 0.1192, 0.9505))
    white = (0.9505, 1.0, 1.089)
    x, y, z = (
        max(sum(m * max(c, 0) for m, c in zip(row, light, strict=True)) / w, 0.008856) ** (1 / 3)
        for row, w in zip(matrix, white, strict=True)
    )
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


@pytest.mark.parametrize("cone", WITHOUT)
def test_the_colour_blind_tell_models_apart(cone: str) -> None:
    seen = [
        lab([sum(m * c for m, c in zip(row, channels(colour), strict=True)) for row in WITHOUT[cone]])
        for colour in PALETTE
    ]
    near = min(
        sum((a - b) ** 2 for a, b in zip(one, other, strict=True)) ** 0.5
        for place, one in enumerate(seen)
        for other in seen[:place]
    )
    assert near > 15
