"""What `evaluate` gives back: the numbers, what they were counted on, and the SQL that ran."""

from __future__ import annotations

import html
import os
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from sqlmetrics.errors import counted
from sqlmetrics.files import replaced
from sqlmetrics.frame import Frame, shown

if TYPE_CHECKING:
    import pyarrow as pa
    from rich.table import Table

NOTES = {
    "rows_dropped": "rows dropped: {} (on_bad_rows='drop')",
    "rows_zero_target": "rows of label 0, left out of percentage errors: {}",
    "rows_without_truth": "rows left out, their group has no truth: {}",
    "rows_unjudged": "rows left out, nobody judged them: {} (unjudged='drop')",
    "rows_duplicate": "rows left out, their group has the item already: {} (on_duplicate='first')",
    "n_unjudged": "listed items that nobody judged: {}",
    "classes_never_predicted": "classes never predicted, whose precision counts 0 in a mean: {}",
    "classes_without_label": "classes without a label, whose recall counts 0 in a mean: {}",
    "groups_empty": "groups without a relevant item: {}",
    "groups_single_class": "groups of a single class: {}",
    "groups_missing": "groups missing from the predictions: {}",
    "groups_tied": "groups with tied scores: {}",
}


class Result(Frame):
    """What a statement gave: rows of slices, and of all of them together.

    Attributes:
        by: the columns of the slices.
        sql: the statement that ran.
    """

    def __init__(self, table: pa.Table, by: list[str], sql: str) -> None:
        super().__init__(table)
        self.sql = sql
        self.by = by

    def _visible(self) -> list[str]:
        return [name for name in self.columns if name != "is_total"]

    def _cells(self) -> tuple[list[str], list[list[str]]]:
        header, rows = super()._cells()
        if "is_total" in self.columns:
            for cells, total in zip(rows, self._table.column("is_total").to_pylist(), strict=True):
                if total:
                    cells[: len(self.by)] = ["all", *[""] * (len(self.by) - 1)]
        return header, rows


class Report(Result):
    """The result of `evaluate`: one row a slice (and model), one column a metric, and the counts beside them."""

    def __init__(
        self,
        table: pa.Table,
        by: list[str],
        counts: list[str],
        metrics: list[str],
        sql: str,
        notes: Sequence[str] = (),
        ends: Sequence[str] = (),
    ) -> None:
        super().__init__(table, by, sql)
        self._counts = counts
        self._metrics = metrics
        self.further = list(notes)
        self._ends = list(ends)  # of intervals

    @property
    def keys(self) -> list[str]:
        """The columns that say which slice and model a row is of."""
        return [name for name in self.columns if name not in (*self._counts, *self._metrics, *self._ends)]

    @property
    def audit(self) -> Frame:
        """The counts of each slice: rows, rows dropped and why, groups, groups that are empty, missing or tied."""
        return Frame(self._table.select([*self.keys, *self._counts]))

    def long(self) -> Frame:
        """One row a slice, model and metric: the keys, `metric`, `value`, and of intervals `low` and `high`."""
        import pyarrow as pa

        rows, metrics = self._table.num_rows, self._metrics
        each = pa.array([row for row in range(rows) for _ in metrics], pa.int64())
        columns: dict[str, pa.Array] = {key: self._table.column(key).take(each) for key in self.keys}
        columns["metric"] = pa.array(metrics * rows, pa.string())
        for name, suffix in (("value", ""), *((end, f"_{end}") for end in ("low", "high") if self._ends)):
            known = [metric + suffix if metric + suffix in self.columns else None for metric in metrics]
            values = [row.get(column) for row in self._table.to_pylist() for column in known]
            columns[name] = pa.array(values, pa.float64())
        return Frame(pa.table(columns))

    def _total(self) -> list[dict[str, Any]]:
        """The rows that count everything once, one a model."""
        rows = self._table.to_pylist()
        return [row for row in rows if row["is_total"]] if "is_total" in self.columns else rows

    def count(self, name: str) -> int:
        """A count over all slices, of the model for which it is largest."""
        models: dict[Any, int] = {}
        for row in self._total():
            # without a row, what the counts are joined to has none
            models[row.get("model")] = models.get(row.get("model"), 0) + (row[name] or 0)
        return max(models.values(), default=0)

    def _visible(self) -> list[str]:
        shown_counts = [name for name in ("n_rows", "n_groups") if name in self._counts]
        keys = [key for key in self.keys if key != "is_total"]
        return [*keys, *shown_counts, *self._metrics]

    def _cells(self) -> tuple[list[str], list[list[str]]]:
        header, rows = super()._cells()
        for place, metric in enumerate(header):
            if {f"{metric}_low", f"{metric}_high"} <= {*self._ends}:
                for cells, row in zip(rows, self._table.to_pylist(), strict=True):
                    if row[f"{metric}_low"] is not None:
                        ends = ", ".join(shown(row[f"{metric}_{end}"]) for end in ("low", "high"))
                        cells[place] += f" [{ends}]"
        return header, rows

    def notes(self) -> list[str]:
        """The counts that a reader should know of and the metrics that have no value, a line each."""
        total = self._total()
        null = [metric for metric in self._metrics if any(row[metric] is None for row in total)]
        lines = [f"undefined here: {counted(null, 10)} (sqlmetrics show NAME says when)"] if null else []
        return noted(self.count, self._counts) + lines + self.further


class Audited(Result):
    """Several rows for each slice (and model), and the counts of the slice apart from them."""

    def __init__(self, table: pa.Table, audited: Report) -> None:
        super().__init__(table, audited.by, audited.sql)
        self._audited = audited

    @property
    def audit(self) -> Frame:
        """The counts of each slice: rows, rows dropped and why."""
        return self._audited.audit

    def notes(self) -> list[str]:
        """The counts that a reader should know of, a line each."""
        return noted(self._audited.count, self._audited.audit.columns) + self._audited.further


class Curve(Audited):
    """The result of `curve`: one row a point of the curve of each slice (and model)."""


class ClassTable(Audited):
    """The result of `confusion_matrix` and `class_report`: rows of classes for each slice."""


class CountTest(Audited):
    """The result of `chi_square`, `two_proportions` and `mcnemar`: one row a slice."""


class Comparison(Audited):
    """The result of `compare`: one row a slice, metric and candidate.

    As a table it shows the difference with its interval; conversions and files have every column.
    """

    def _visible(self) -> list[str]:
        hidden = ("is_total", "relative_difference", "low", "high", "test", "statistic", "n_unpaired")
        return [name for name in self.columns if name not in (set(hidden) - {*self.by})]

    def _cells(self) -> tuple[list[str], list[list[str]]]:
        header, rows = super()._cells()
        place = header.index("difference")
        for cells, row in zip(rows, self._table.to_pylist(), strict=True):
            if row["low"] is not None:
                cells[place] += f" [{shown(row['low'])}, {shown(row['high'])}]"
        return header, rows

    def notes(self) -> list[str]:
        """The counts that a reader should know of, and why a row has no p-value, a line each."""
        rows = self._table.to_pylist()
        pairs = "n_pairs" in self.columns
        counted = [
            min(row[name] or 0 for name in (["n_pairs"] if pairs else ["n_baseline", "n_candidate"]))
            for row in rows
        ]
        unpaired = max((row["n_unpaired"] or 0 for row in rows), default=0) if pairs else 0
        units = "groups" if "rows_bad_group" in self.audit.columns else "rows"
        alike = any(
            row["difference"] is not None and row["p_value"] is None and n > 1
            for row, n in zip(rows, counted, strict=True)
        )
        same = "all pairs differ by the same" if pairs else "nothing varies"
        return [
            *super().notes(),
            *([f"{units} left out, one of two models has no value there: {unpaired:,}"] if unpaired else []),
            *(
                [f"no test of fewer than two {'pairs' if pairs else 'units of a model'}"]
                if any(n < 2 for n in counted)
                else []
            ),
            *([f"no test where {same}"] if alike else []),
        ]


class ListReport(Result):
    """The result of `per_group`: one row a list (and slice and model), one column a metric.

    A table of many lists is shown by its first rows; conversions and files have them all.
    """

    HEAD = 20  #: the rows that are shown

    def __init__(self, table: pa.Table, by: list[str], audit: pa.Table, sql: str) -> None:
        super().__init__(table, by, sql)
        self._audit = audit

    @property
    def audit(self) -> Frame:
        """The counts over all lists, a row a model: rows, rows dropped and why, groups that are empty or tied."""
        return Frame(self._audit)

    def count(self, name: str) -> int:
        """A count over all lists, of the model for which it is largest."""
        return max(self._audit.column(name).to_pylist(), default=0)

    def __rich__(self) -> Table:
        return Frame(self._table.slice(0, self.HEAD)).__rich__()

    def _repr_html_(self) -> str:
        notes = "".join(f"<p>{html.escape(note)}</p>" for note in self.notes())
        return Frame(self._table.slice(0, self.HEAD))._repr_html_() + notes

    def notes(self) -> list[str]:
        """How many rows are not shown, and the counts that a reader should know of, a line each."""
        more = len(self) - self.HEAD
        return [
            *([f"... {more:,} more rows"] if more > 0 else []),
            *noted(self.count, self._audit.column_names),
        ]


class State(Frame):
    """The result of `state`: a table to keep, from which `finish` makes metrics of any range of periods.

    Attributes:
        sql: the statement that ran.
    """

    HEAD = 10  #: the rows that are shown

    def __init__(self, table: pa.Table, sql: str) -> None:
        super().__init__(table)
        self.sql = sql

    def write(self, path: str | os.PathLike[str]) -> None:
        """Writes the state as a Parquet file; files of several periods lie beside each other.

        Args:
            path: where to write; what is there is replaced when all is written.

        Raises:
            SqlMetricsError: the file cannot be written; what was there before stays.
        """
        import pyarrow.parquet

        with replaced(path) as file:
            pyarrow.parquet.write_table(self._table, file)

    def count(self, name: str) -> int:
        """A count over all periods and slices, of the model for which it is largest."""
        import pyarrow as pa
        import pyarrow.compute as pc

        bad = [column for column in self.columns if column.startswith("sm_rows_bad_")]
        columns = bad if name == "rows_dropped" else [f"sm_{name}"]
        once = self._table.filter(pc.is_in(self._table.column("sm_grain"), pa.array(["rows", "whole lists"])))
        models = ["model"] if "model" in self.columns else []
        sums = once.group_by(models, use_threads=False).aggregate([(column, "sum") for column in columns])
        of_models = sums.select([f"{column}_sum" for column in columns]).to_pylist()
        return int(max((sum(count or 0 for count in row.values()) for row in of_models), default=0))

    def __rich__(self) -> Table:
        return Frame(self._table.slice(0, self.HEAD).select(self._visible())).__rich__()

    def _repr_html_(self) -> str:
        return Frame(self._table.slice(0, self.HEAD).select(self._visible()))._repr_html_()

    def _visible(self) -> list[str]:
        """The columns before the sums."""
        return self.columns[: self.columns.index("sm_grain") + 1]

    def notes(self) -> list[str]:
        """How many rows and columns are not shown, and the counts that a reader should know of, a line each."""
        hidden = len(self.columns) - len(self._visible())
        known = ["rows_dropped", *(name.removeprefix("sm_") for name in self.columns)]
        return [f"... {len(self):,} rows, {hidden} more columns", *noted(self.count, known)]


def noted(count: Callable[[str], int], names: list[str]) -> list[str]:
    """The counts that a reader should know of, a line each."""
    numbers = [(name, count(name)) for name in NOTES if name in names]
    return [NOTES[name].format(f"{number:,}") for name, number in numbers if number]
