"""Fewer points of a curve, from which its picture looks the same."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pyarrow as pa

STRIPS = 500  #: into which a picture is cut along its first axis, each narrower than a pixel
MOST_POINTS = 4 * STRIPS  #: of one curve that are drawn


def most_points(table: pa.Table, keys: Sequence[str]) -> int:
    """The points of the longest curve.

    Args:
        table: the points of all curves.
        keys: the columns that identify a curve.
    """
    if not keys or len(table) <= MOST_POINTS:
        return len(table)
    import pyarrow.compute as pc

    counts = table.group_by(list(keys)).aggregate([([], "count_all")]).column("count_all")
    return int(pc.max(counts).as_py())


def thinned(table: pa.Table, keys: Sequence[str], x: str, y: str) -> pa.Table:
    """At most `MOST_POINTS` points of each curve.

    Of each strip the first and the last point stay, and one of the least and one of the greatest height. So within
    a strip the line through them has the heights of the curve, and what lies between two strips is drawn as it
    is: no point of either line is farther than 1 / `STRIPS` of the width beside the other.

    Args:
        table: the points of all curves, each in its order, in which `x` never falls.
        keys: the columns that identify a curve.
        x: the column of the first axis, from 0 to 1.
        y: the column of the other.
    """
    import pyarrow as pa
    import pyarrow.compute as pc

    row, strip = "sm_curve_row", "sm_curve_strip"
    strips = pc.min_element_wise(pc.floor(pc.multiply(table.column(x), float(STRIPS))), STRIPS - 1.0)
    points = table.select([*keys, y])
    points = points.append_column(strip, strips).append_column(row, pa.array(range(len(table)), pa.int64()))
    places = []
    by_height = points.filter(pc.is_valid(points.column(y))).sort_by([(y, "ascending"), (row, "ascending")])
    for ordered in (points, by_height):
        ends = ordered.group_by([*keys, strip], use_threads=False).aggregate([(row, "first"), (row, "last")])
        places += [ends.column(f"{row}_first"), ends.column(f"{row}_last")]
    kept = pc.unique(pa.concat_arrays([place.combine_chunks() for place in places]))
    return table.take(kept.sort())
