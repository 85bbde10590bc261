"""Names of metrics that trackers of experiments take, such as MLflow, which reads them as paths."""

from __future__ import annotations

import re
from collections.abc import Sequence

from sqlmetrics.table.cells import MEANT, unused

REFUSED = re.compile(r"[^\w.\- ]")
RESERVED = (*MEANT, "", ".", "..")  #: texts that mean something else in a path


def part_of(column: str, text: str) -> str:
    """The text of a slice or model as a part of a path.

    >>> part_of("country", "DE"), part_of("country", "a/b=c"), part_of("country", "all")
    ('DE', 'a_b_c', 'country-all')
    """
    return REFUSED.sub("_", f"{column}-{text}" if text in RESERVED else text)


def path_of(metric: str, parts: Sequence[str], used: set[str]) -> str:
    """The name of a metric and slice, which is added to `used`. One that is taken has a number behind it.

    >>> used = set()
    >>> [path_of("val/auc", [part], used) for part in ("a_b", "a_b", "c")]
    ['val/auc/a_b', 'val/auc/a_b_2', 'val/auc/c']
    """
    plain = "/".join([*(REFUSED.sub("_", each) for each in metric.split("/")), *parts])
    return unused(plain, used, "{}_{}")
