"""How far apart two drawn lines are."""

from __future__ import annotations

import math

import numpy

Line = list[tuple[float, float]]


def ends_of(line: Line) -> tuple[numpy.ndarray, ...]:
    """The ends of each piece of a line: x and y of the first, x and y of the second."""
    x, y = numpy.array(line).T
    return x[:-1], y[:-1], x[1:], y[1:]


def farthest(points: Line, line: Line) -> float:
    """The greatest distance of some points from a line."""
    x0, y0, x1, y1 = ends_of(line)
    x, y = numpy.array(points).T[:, :, None]
    dx, dy = x1 - x0, y1 - y0
    length = numpy.maximum(dx**2 + dy**2, 1e-300)
    share = numpy.clip(((x - x0) * dx + (y - y0) * dy) / length, 0, 1)
    return float(numpy.hypot(x0 + share * dx - x, y0 + share * dy - y).min(axis=1).max())


def farthest_beside(points: Line, line: Line) -> float:
    """How far beside some points a line of steps has their heights, at most."""
    x0, y0, x1, y1 = ends_of(line)
    x, y = numpy.array(points).T[:, :, None]
    passes = (numpy.minimum(y0, y1) - 1e-12 <= y) & (y <= numpy.maximum(y0, y1) + 1e-12)
    beside = numpy.maximum(numpy.minimum(x0, x1) - x, x - numpy.maximum(x0, x1))
    return float(numpy.where(passes, numpy.maximum(beside, 0), math.inf).min(axis=1).max())
