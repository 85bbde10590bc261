"""The results behind a page."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from sqlmetrics.results.audited import ClassTable, Comparison, Curve
from sqlmetrics.results.report import ListReport, Report, Result

LEVEL = 0.95  #: the confidence level of a comparison if the page has no intervals
POWER = 0.8  #: the probability with which `minimum_detectable` of a comparison would have been found


@dataclass
class Results:
    """What the statements of a page returned."""

    report: Report
    comparison: Comparison | None = None
    classes: ClassTable | None = None  #: the confusion matrix of all data
    curves: dict[str, Curve] = field(default_factory=dict)  #: by notation
    lists: ListReport | None = None  #: of one metric
    trend: Report | None = None  #: by the date or the period alone
    for_intervals: str = ""  #: how to get the intervals that the page lacks
    left_out: list[str] = field(default_factory=list)  #: why the page lacks a part, a sentence each

    def statements(self) -> Iterator[tuple[str, Result]]:
        """The results, each with a title of its statement."""
        yield "Metrics", self.report
        if self.comparison is not None:
            yield "Comparison of models", self.comparison
        if self.lists is not None:
            yield "Metrics of each list", self.lists
        if self.classes is not None:
            yield "Confusion matrix", self.classes
        for kind, points in self.curves.items():
            yield f"Curve {kind}", points
        if self.trend is not None and self.trend is not self.report:
            yield "Metrics over time", self.trend
