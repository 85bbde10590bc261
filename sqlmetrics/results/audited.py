"""The results with several rows for each slice: curves, comparisons, tables of classes and tests of counts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from sqlmetrics.book.catalog import of_notation
from sqlmetrics.charts.of import chart_of
from sqlmetrics.errors import counted, public
from sqlmetrics.results.few import of_few
from sqlmetrics.results.notes import noted
from sqlmetrics.results.papers import table_of_models
from sqlmetrics.results.report import Report, Result, intervals_of
from sqlmetrics.table.cells import column_of_names
from sqlmetrics.table.frame import Frame

if TYPE_CHECKING:
    import pyarrow as pa

    from sqlmetrics.charts.chart import Chart


class Audited(Result):
    """A result with several rows for each slice (and model). The counts of the slice are in `audit`.

    CSV and JSON have these counts as columns, the same in all rows of the slice.
    """

    def __init__(self, table: pa.Table, audited: Report) -> None:
        super().__init__(table, audited.by, audited.sql, audited.statement)
        self._audited = audited

    @property
    def audit(self) -> Frame:
        """The counts of each slice: rows, rows dropped and why."""
        return self._audited.audit

    def _with_counts(self) -> pa.Table:
        import pyarrow as pa

        keys, audit = self._audited.keys, self._audited.audit.to_arrow()
        places = {repr(key): place for place, key in enumerate(_rows_of(audit, keys))}
        each = pa.array([places[repr(key)] for key in _rows_of(self._table, keys)], pa.int64())
        counts = audit.drop_columns(keys).take(each)
        # a row may have its own n_rows; the count of the data then has its name in the statement
        names = [f"{name}_of_data" if name in self.columns else name for name in counts.column_names]
        return pa.table([*self._table.columns, *counts.columns], [*self.columns, *names])

    def notes(self) -> list[str]:
        """The counts that a reader should know, one line each."""
        return noted(self._audited.count, self._audited.audit.columns) + self._audited.further


class Curve(Audited):
    """The result of `curve`: one row for each point of the curve of each slice (and model).

    Attributes:
        kind: the notation of the curve.
        band: the level and the kind of its band, such as `95 % band, pointwise`; empty without `interval=`.
    """

    def __init__(self, table: pa.Table, audited: Report, kind: str, band: str = "") -> None:
        super().__init__(table, audited)
        self.kind = kind
        self.band = band

    @public
    def plot(self, slices: bool = True) -> Chart:
        """A chart of the curve: models in one picture, a small picture for the total and for each slice.

        Of very many slices, the largest are shown, and the chart says so. Of a curve of more than 2,000 points so
        many are drawn that no other lies beside their line by more than a 500th of the width. With `interval=` a
        ribbon shows the band of each model; that of a precision-recall curve is the region in which precision and
        recall of some threshold may lie together.

        >>> import sqlmetrics as sm
        >>> rows = [{"y": 1, "p": 0.9}, {"y": 0, "p": 0.4}, {"y": 1, "p": 0.4}]
        >>> sm.curve(rows, "roc(points=200)", label="y", score="p").plot().description
        'ROC curve: true positive rate 0.5000 at false positive rate 0.0000'

        Args:
            slices: False shows the totals alone.

        Raises:
            SqlMetricsError: a calibration curve of more than 2,000 bins; no total.
        """
        return chart_of(self, slices)


class ClassTable(Audited):
    """The result of `confusion_matrix` and `class_report`: rows of classes for each slice."""

    @public
    def plot(self, slices: bool = True) -> Chart:
        """A chart: counts and shares of the confusion matrix, or precision, recall and F1 of each class.

        There is a picture for the total and for each slice. Of very many slices or classes, the largest are
        shown, and the chart says so.

        >>> import sqlmetrics as sm
        >>> rows = [{"y": "cat", "p": "cat"}, {"y": "cat", "p": "dog"}, {"y": "dog", "p": "dog"}]
        >>> sm.confusion_matrix(rows, label="y", prediction="p").plot().description
        'Confusion matrix: 2 of 3 rows are predicted right; the most common mistake is dog for cat (1)'

        Args:
            slices: False shows the total alone.

        Raises:
            SqlMetricsError: no total.
        """
        return chart_of(self, slices)

    def _text_of(self, name: str, values: list[Any]) -> list[str]:
        classes = ("label", "prediction", "class")
        return column_of_names(values) if name in classes else super()._text_of(name, values)


class CountTest(Audited):
    """The result of `chi_square`, `two_proportions` and `mcnemar`: one row for each slice."""


class Comparison(Audited):
    """The result of `compare`: one row for each slice, metric and candidate.

    The printed table shows the difference with its interval. Conversions and files have every column.
    """

    order: Sequence[
        str
    ] = ()  #: the names of all models as they were given, those that are not compared as well

    @public
    def plot(self, metric: str | Sequence[str] | None = None, slices: bool = True) -> Chart:
        """A forest plot: the differences with their intervals.

        Grey bars reach as far as a difference can be without being detected (`minimum_detectable`).

        >>> import sqlmetrics as sm
        >>> rows = [{"y": i % 2, "old": i / 8, "new": i % 2} for i in range(8)]
        >>> sm.compare(rows, "mae", baseline="old", candidate="new", label="y").plot().description
        'new against old: mae differs by -0.4375 [-0.6935, -0.1815], p = 0.0049'

        Args:
            metric: the metrics to show; all by default.
            slices: False shows the totals alone.

        Raises:
            SqlMetricsError: no metric has this name, or more metrics than a chart can show; no total.
        """
        return chart_of(self, metric, slices)

    @public
    def to_latex(self, models: bool = True) -> str:
        r"""A LaTeX `tabular` as papers have it: a row for each model, a column for each metric.

        Superscripts beside a value are the letters of the models that are worse. It needs `\usepackage{booktabs}`.

        >>> import sqlmetrics as sm
        >>> rows = [{"y": i % 2, "old": i / 8, "new": i % 2} for i in range(8)]
        >>> compared = sm.compare(rows, "mae", baseline="old", candidate="new", label="y")
        >>> print(compared.to_latex().splitlines()[5])
        b & new & 0.0000\textsuperscript{a} \\

        Args:
            models: False gives a row for each difference, with its interval, as it is printed.
        """
        return self._for_paper(table_of_models(self)).latex() if models else super().to_latex()

    def _visible(self) -> list[str]:
        hidden = (
            "is_total",
            "relative_difference",
            "low",
            "high",
            "test",
            "statistic",
            "n_unpaired",
            "margin",
        )
        return [name for name in self.columns if name not in (set(hidden) - {*self.by})]

    def _intervals(self, rows: pa.Table) -> dict[str, list[str]]:
        return {"difference": intervals_of(rows, "low", "high")}

    def notes(self) -> list[str]:
        """The counts that a reader should know, and why a row has no p-value or interval, one line each."""
        rows = self._table.to_pylist()
        pairs = "n_pairs" in self.columns
        of_units = ["n_pairs"] if pairs else ["n_baseline", "n_candidate"]
        numbers = [min(row[name] or 0 for name in of_units) for row in rows]
        unpaired = max((row["n_unpaired"] or 0 for row in rows), default=0) if pairs else 0
        units = "groups" if "rows_bad_group" in self.audit.columns else "rows"
        alike = [
            row["metric"]
            for row, n in zip(rows, numbers, strict=True)
            if row["difference"] is not None and row["p_value"] is None and n > 1
        ]
        beyond = [
            row["metric"] for row in rows if row["low"] is not None and row["minimum_detectable"] is None
        ]
        few = "pairs" if pairs else "units of a model"
        same = "all pairs differ by the same, as those of identical models do" if pairs else "nothing varies"
        too_few = any(
            row["test"] == "bootstrap" and row["p_value"] is not None and row["low"] is None for row in rows
        )
        notes = {
            f"{units} left out, one of two models has no value there: {unpaired:,}": unpaired > 0,
            f"no test of fewer than two {few}": any(n < 2 for n in numbers),
            f"no test where {same}: {counted(dict.fromkeys(alike))}": bool(alike),
            "no interval at this level from so few resamples; ask for more": too_few,
            "no difference in the range of the metric is large enough to be detected by so few: "
            f"{counted(dict.fromkeys(beyond))}": bool(beyond),
        }
        tested = [n for row, n in zip(rows, numbers, strict=True) if row["p_value"] is not None]
        lines = [note for note, holds in notes.items() if holds]
        lines += of_few("groups", tested, len(rows), "a test") if units == "groups" else []
        return super().notes() + lines + self._corrected(rows)

    def _corrected(self, rows: list[dict[str, Any]]) -> list[str]:
        """Over which tests the p-values are corrected."""
        if self.statement.corrected is None:
            return []
        correction, family = self.statement.corrected
        name = {"holm": "Holm's", "bh": "Benjamini and Hochberg's"}[correction]
        tested = [
            repr([row[key] for key in (*self.by, "metric")]) for row in rows if row["p_value"] is not None
        ]
        counts = sorted(Counter(tested).values()) or [0]
        most = f"{'' if counts[0] == counts[-1] else 'up to '}{counts[-1]:,}"
        if family == "all" or counts[-1] == len(tested):
            return [f"p_adjusted is {name}, over all {len(tested):,} p-values of the result"]
        of = "metric and slice" if self.by else "metric"
        wider = f"family='all' takes all {len(tested):,} together"
        return [f"p_adjusted is {name}, over the {most} p-values of each {of}; {wider}"]


class Sizes(Audited):
    """The result of `sample_size`: one row for each slice, metric and candidate."""

    def _visible(self) -> list[str]:
        return [name for name in self.columns if name not in ({"is_total", "n_unpaired"} - {*self.by})]

    def notes(self) -> list[str]:
        """The counts that a reader should know, and why a row has no size, one line each."""
        rows = self._table.to_pylist()
        reasons = {
            "no size from a pilot of fewer than two units, or whose units are alike": [
                row for row in rows if row["minimum_detectable"] is None and row["n"] is None
            ],
            "so few units detect no difference in the range of the metric": [
                row for row in rows if row["difference"] is None and row["n"] is not None
            ],
            "no size up to 1e15 units": [
                row for row in rows if row["minimum_detectable"] and row["difference"] and row["n"] is None
            ],
            "the range leaves no room for so large an improvement on the pilot": [
                row for row in rows if not self._has_room(row)
            ],
        }
        lines = [
            f"{why}: {counted(dict.fromkeys(row['metric'] for row in found))}"
            for why, found in reasons.items()
            if found
        ]
        if "rows_bad_group" in self.audit.columns:
            lines += of_few("groups", [row["n_pilot"] or 0 for row in rows], len(rows), "a size")
        return super().notes() + lines

    def _has_room(self, row: dict[str, Any]) -> bool:
        """Whether a better value by the difference is within the range of the metric."""
        metric = of_notation(self.statement.notations[row["metric"]])
        size, value = row["difference"], row["baseline_value"]
        if size is None or value is None:
            return True
        better = {"higher": value + size, "lower": value - size}.get(metric.better.direction, value)
        return bool(metric.range.low <= better + 1e-12 and better - 1e-12 <= metric.range.high)


def _rows_of(table: pa.Table, names: list[str]) -> list[tuple[Any, ...]]:
    columns = [table.column(name).to_pylist() for name in names]
    return list(zip(*columns, strict=True)) if columns else [()] * len(table)
