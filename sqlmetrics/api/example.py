"""`example`: the small data sets that come with the package."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from sqlmetrics.errors import SqlMetricsError, counted, did_you_mean, public

if TYPE_CHECKING:
    import pyarrow as pa


@public
def example(name: str) -> pa.Table:
    """A small data set that comes with the package, to try metrics on.

    Args:
        name: `search`: 600 queries of a shop, a row for each product that was shown: `query_id`, `product_id`,
            `country`, `device`, the `grade` of relevance from 0 to 4, and two models' probabilities that a product is
            relevant, that is of grade 1 or more: `score` of the newer model, `score_b` of the older one.

    Raises:
        SqlMetricsError: an unknown name.

    >>> search = example("search")
    >>> search.num_rows, search.column_names[:3]
    (10569, ['query_id', 'product_id', 'country'])
    """
    import pyarrow.parquet

    files = {file.stem: file for file in sorted(folder().glob("*.parquet"))}
    if not isinstance(name, str) or name not in files:
        raise SqlMetricsError(f"Unknown example {name!r}.{did_you_mean(name, files)} Known: {counted(files)}")
    return pyarrow.parquet.read_table(files[name])


def folder() -> Path:
    """The folder of the examples: within an installed package, or beside it in a checkout."""
    package = Path(__file__).parents[1]
    inside = package / "examples"
    return inside if inside.is_dir() else package.parent / "examples"
