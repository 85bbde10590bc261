"""The results of the public functions: the values, the counts behind them, and the SQL that ran."""

from __future__ import annotations

import math
import os
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from sqlmetrics.book.notation import column_name
from sqlmetrics.charts.of import chart_of
from sqlmetrics.errors import SqlMetricsError, counted, public
from sqlmetrics.files import replaced
from sqlmetrics.results.notes import noted
from sqlmetrics.results.papers import in_words
from sqlmetrics.results.tracked import part_of, path_of
from sqlmetrics.results.undefined import undefined_here, without_interval
from sqlmetrics.table.cells import Cells, as_given, column_of_names, shown
from sqlmetrics.table.frame import Frame, in_json

if TYPE_CHECKING:
    import pyarrow as pa

    from sqlmetrics.book.plan import Statement
    from sqlmetrics.charts.chart import Chart


#: the key of the metadata of a table that says which columns are slices and metrics
MARK = b"sqlmetrics"


class Computed(Frame):
    """The table of a statement.

    Attributes:
        sql: the statement that ran. Its first line has its hash, and the version of sqlmetrics that wrote it.
    """

    def __init__(
        self, table: pa.Table, sql: str, given: Iterable[str] = (), whole: Iterable[str] = ()
    ) -> None:
        super().__init__(table, given, whole)
        self.sql = sql

    @property
    def version(self) -> str:
        """The version of sqlmetrics that wrote the statement."""
        return self._stamp[2].rstrip(",")

    @property
    def statement_hash(self) -> str:
        """The hash of the statement: results of one hash were computed by the same SQL."""
        return self._stamp[4]

    @property
    def _stamp(self) -> list[str]:
        """The words of the first line: -- sqlmetrics 0.1.0, statement 0123456789ab."""
        return self.sql.partition("\n")[0].split()


class Result(Computed):
    """The result of a statement: rows of slices, and of all slices together.

    Attributes:
        by: the columns of the slices.
    """

    def __init__(
        self,
        table: pa.Table,
        by: list[str],
        sql: str,
        statement: Statement | None = None,
        notes: Sequence[str] = (),
    ) -> None:
        given, whole = (by, ()) if statement is None else (statement.given, statement.whole)
        super().__init__(table, sql, given, whole)
        if statement is not None:
            self.statement = statement
        self.by = by
        self.further = list(notes)

    def to_json(self) -> str:
        """The result as a JSON object, in full precision.

        `rows` is a list of objects. `notes` are the lines below the printed table. `sqlmetrics` is the version and
        `statement_hash` the hash of the statement. A report has `by` and `metrics` besides, the columns of its slices
        and metrics, so that `read_report` reads it. The rows of `per_group` are lists; `counts` are those over all
        lists, an object for each model.

        >>> import json
        >>> import sqlmetrics as sm
        >>> report = sm.evaluate([{"y": 1, "p": 0.8}, {"y": 0, "p": 0.3}], "auc", label="y", score="p")
        >>> written = json.loads(report.to_json())
        >>> list(written), written["rows"][0]["auc"]
        (['sqlmetrics', 'statement_hash', 'notes', 'by', 'metrics', 'rows'], 1.0)
        """
        return in_json({**self._head_in_json(), "rows": self._rows_in_json()})

    def to_latex(self) -> str:
        r"""All rows as a LaTeX `tabular`, with rounded values as they are printed, and the notes below.

        Metrics have their notations, and counts are words. It needs `\usepackage{booktabs}`.

        >>> import sqlmetrics as sm
        >>> rows = [{"y": 1, "p": 0.8, "q": 1}, {"y": 0, "p": 0.3, "q": 1}]
        >>> print(sm.evaluate(rows, "ndcg@10", label="y", score="p", group="q").to_latex().splitlines()[2])
        rows & groups & ndcg@10 \\
        """
        return self._for_paper(self._cells()).latex()

    def _for_paper(self, cells: Cells) -> Cells:
        return in_words(cells, self.statement, self.by) if hasattr(self, "statement") else cells

    def _head_in_json(self) -> dict[str, Any]:
        return {
            "sqlmetrics": self.version,
            "statement_hash": self.statement_hash,
            "notes": self._spelled_notes(),
        }

    def _visible(self) -> list[str]:
        return [name for name in self.columns if name != "is_total"]

    def _text_of(self, name: str, values: list[Any]) -> list[str]:
        return column_of_names(values) if name in self.by else super()._text_of(name, values)

    def _texts(self, rows: pa.Table) -> dict[str, list[str]]:
        texts = super()._texts(rows)
        if "is_total" in self.columns:
            for row, total in enumerate(rows.column("is_total").to_pylist()):
                for place, name in enumerate(self.by if total else ()):
                    called = rows.column(name)[row].as_py()  # by total_name=
                    texts[name][row] = called or ("" if place else "all")
        return texts

    def _last(self) -> int:
        """How many of the printed rows are the last ones: the totals, where they fit."""
        totals = self._table.column("is_total").to_pylist().count(True) if "is_total" in self.columns else 0
        return totals if 0 < totals <= super()._last() else super()._last()


class Report(Result):
    """The result of `evaluate`: one row for each slice (and model), with the metrics and the counts."""

    def __init__(
        self,
        table: pa.Table,
        by: list[str],
        counts: list[str],
        metrics: list[str],
        statement: Statement,
        notes: Sequence[str] = (),
        ends: Sequence[str] = (),
    ) -> None:
        said = {MARK: in_json({"by": by, "metrics": metrics})}
        super().__init__(table.replace_schema_metadata(said), by, statement.text, statement, notes)
        self._counts = counts
        self._metrics = metrics
        self._ends = list(ends)  # of intervals

    def __float__(self) -> float:
        """The value of a result with one row and one metric: `float(evaluate(data, "auc", ...))`; NaN for null.

        Raises:
            SqlMetricsError: several rows or metrics.
        """
        if len(self) != 1 or len(self._metrics) != 1:
            raise SqlMetricsError(
                f"float() is of one number, and the result has {len(self):,} rows and {len(self._metrics)} metrics;"
                " value('auc') is one of them"
            )
        [value] = self[self._metrics[0]]
        return math.nan if value is None else float(value)

    def _head_in_json(self) -> dict[str, Any]:
        return {**super()._head_in_json(), "by": self.by, "metrics": self._metrics}

    @public
    def changes_since(self, earlier: Any) -> Frame:
        """What changed since an earlier report, metric by metric.

        Args:
            earlier: a `Report`, what `read_report` read, or the path of a report in JSON or Parquet.

        Returns:
            A table with a row for each slice, model and metric of both reports: their columns as text, `is_total`,
            `metric`, `before`, `after`, `change`, and `relative_change` (as a share of the size of `before`). What only
            one of them has is null in the other. It says nothing of chance: `explain_change` and `compare` do.

        Raises:
            SqlMetricsError: no report; one of other slices or models, or without a metric in common.

        >>> import sqlmetrics as sm
        >>> days = [[{"y": i % 2, "p": (i * k) % 7 / 7} for i in range(20)] for k in (3, 4)]
        >>> old, new = (sm.evaluate(rows, ["auc", "brier"], label="y", score="p") for rows in days)
        >>> [(row["metric"], round(row["change"], 3)) for row in new.changes_since(old)]
        [('auc', 0.23), ('brier', -0.121)]
        """
        from sqlmetrics.results.stored import changes

        return changes(self, earlier)

    @public
    def __getitem__(self, name: Any) -> Any:
        """As of a `Frame`. A metric has its notation as a name, too: `report["ndcg@10"]`."""
        if isinstance(name, str) and name not in self.columns:
            column = column_name(name)
            name = column if column in self._metrics else name
        return super().__getitem__(name)

    @property
    def metrics(self) -> list[str]:
        """The columns of the metrics."""
        return self._metrics

    @property
    def keys(self) -> list[str]:
        """The columns that name the slice and model of a row."""
        return [name for name in self.columns if name not in (*self._counts, *self._metrics, *self._ends)]

    @property
    def audit(self) -> Frame:
        """The counts of each slice: rows, rows dropped and why, groups; empty, missing and tied groups."""
        return Result(self._table.select([*self.keys, *self._counts]), self.by, self.sql)

    @public
    def value(self, name: str, **of: Any) -> Any:
        """One value: of the whole data, or of the slice and model that are named.

        >>> import sqlmetrics as sm
        >>> rows = [{"y": i % 2, "p": i / 8, "day": i // 4} for i in range(8)]
        >>> report = sm.evaluate(rows, ["auc", "brier"], label="y", score="p", by="day")
        >>> report.value("auc"), report.value("auc", day=1)
        (0.625, 0.75)

        Args:
            name: a column of the report, such as a metric or a count, or the notation of a metric: `ndcg@10`.
            of: the columns of the slice, and `model`, with a value each; without slices the total is meant.

        Raises:
            SqlMetricsError: no column or no row is meant, or several rows are.
        """
        values = self[str(name)]  # a number would be that of a row
        for key in of:
            self[key]  # the error of a wrong name lists the names there are
        total = "is_total" in self.columns and not any(key in of for key in self.by)
        found = [
            value
            for row, value in zip(self, values, strict=True)
            if all(row[key] == wanted for key, wanted in of.items())
            and ("is_total" not in row or row["is_total"] == total)
        ]
        if len(found) != 1:
            named = ", ".join(f"{key}={wanted!r}" for key, wanted in of.items()) or "no slice and model"
            keys = [key for key in self.keys if key != "is_total"]
            rows = [row for row in self if not row.get("is_total")]
            hints = [
                f"{key}= takes {counted(dict.fromkeys(repr(row[key]) for row in rows), 10)}" for key in keys
            ]
            hints += [f"without {counted(self.by)} the total is meant"] if "is_total" in self.columns else []
            raise SqlMetricsError(f"{len(found)} rows have {named}, where one is meant; {'; '.join(hints)}")
        return found[0]

    def flat(self) -> dict[str, float]:
        """The metrics by name, as trackers take them: `mlflow.log_metrics(report.flat())`.

        A metric of the whole data has its own name, that of a slice or model those of the slice and model
        behind it: `auc`, `auc/DE`, `auc/all/new`, `auc/null`. A slice or model whose text is `all`, `null` or empty
        is `auc/country-all/new`, since the total has its name. Characters that MLflow refuses, such as `=`, are
        `_`, and a name that is taken has a number behind it. Metrics without a value are left out.
        """

        def part(row: dict[str, Any], key: str) -> str:
            if key in self.by and row.get("is_total", False):
                return "all"
            return "null" if row[key] is None else part_of(key, as_given(row[key]))

        keys = [key for key in self.keys if key != "is_total"]
        found: dict[str, float] = {}
        used: set[str] = set()
        for row in self:
            total = row.get("is_total", False)
            place = [] if set(keys) <= {*self.by} and total else [part(row, key) for key in keys]
            known = [name for name in self._metrics if row[name] is not None]
            found |= {path_of(name, place, used): row[name] for name in known}
        return found

    def long(self) -> Frame:
        """One row for each slice, model and metric: keys, `metric`, `value`; with intervals `low`, `high`."""
        import pyarrow as pa

        metrics, rows = self._metrics, self._table.to_pylist()
        each = pa.array([row for row in range(len(rows)) for _ in metrics], pa.int64())
        columns: dict[str, pa.Array] = {key: self._table.column(key).take(each) for key in self.keys}
        columns["metric"] = pa.array(metrics * len(rows), pa.string())
        for name, suffix in (("value", ""), *((end, f"_{end}") for end in ("low", "high") if self._ends)):
            values = [row.get(metric + suffix) for row in rows for metric in metrics]
            columns[name] = pa.array(values, pa.float64())
        return Result(pa.table(columns), self.by, self.sql)

    @public
    def plot(
        self, metric: str | Sequence[str] | None = None, slices: bool = True, against: str | None = None
    ) -> Chart:
        """A chart of the metrics, with their intervals.

        Slices are dots, the worst first, and the total is a dashed line. Two columns of slices make a heat map,
        dates and the periods of a state a line. Without slices, metrics that differ by cutoff alone make a line
        over cutoffs. Models have a colour each. Of very many slices, the largest are shown, and the chart says so.

        >>> import sqlmetrics as sm
        >>> rows = [{"y": i % 2, "p": i / 8, "day": i // 4} for i in range(8)]
        >>> sm.evaluate(rows, "auc", label="y", score="p", by="day").plot().description
        'auc by day: all 0.6250; from 0.7500 (0) to 0.7500 (1); higher is better'

        Args:
            metric: the metrics to show, by their columns or notations; all by default.
            slices: False shows the totals alone.
            against: a metric for the other axis, such as a cost: models are points, a panel for each slice, and a
                dashed line leads along those that no other model beats in both. Of a metric without a better
                direction the higher value counts as better, and the lower one in `against`.

        Raises:
            SqlMetricsError: no metric has this name, or more metrics than a chart can show; no total.
        """
        return chart_of(self, metric, slices, against)

    def _total(self, *columns: str) -> list[dict[str, Any]]:
        """Some columns, or all, of rows that together count all data once: the totals, or all slices without them."""
        read = [name for name in ("is_total", *columns) if name in self.columns] if columns else self.columns
        rows = self._table.select(read).to_pylist()
        return [row for row in rows if row["is_total"]] if "is_total" in self.columns else rows

    def hide(self, counts: list[str]) -> None:
        """Leaves out counts that notes alone read."""
        self._table = self._table.drop_columns(counts)
        self._counts = [name for name in self._counts if name not in counts]

    @public
    def count(self, name: str) -> int:
        """A count over all slices, for the model with the largest count."""
        require_count(name, self._counts)
        models: dict[Any, int] = {}
        for row in self._total("model", name):
            # the counts are null if there are no rows
            models[row.get("model")] = models.get(row.get("model"), 0) + (row[name] or 0)
        return max(models.values(), default=0)

    def _visible(self) -> list[str]:
        shown_counts = [
            name for name in ("n_rows", "n_groups", "n_gold", "n_gold_groups") if name in self._counts
        ]
        keys = [key for key in self.keys if key != "is_total"]
        return [*keys, *shown_counts, *self._metrics]

    def _intervals(self, rows: pa.Table) -> dict[str, list[str]]:
        return {
            metric: intervals_of(rows, f"{metric}_low", f"{metric}_high")
            for metric in self._metrics
            if {f"{metric}_low", f"{metric}_high"} <= {*self._ends}
        }

    def notes(self) -> list[str]:
        """The counts that a reader should know, and the metrics without a value and why, one line each."""
        of_all = self._total()
        metrics = [name for name in self._metrics if name in self.statement.notations]
        reasons = undefined_here(of_all, metrics, self.statement.notations, self.statement.weighted)
        can_end = {column.name for column in self.statement.results if column.interval}
        ends = {name: (f"{name}_low", f"{name}_high") for name in self._metrics if f"{name}_low" in can_end}
        open_ends = without_interval(of_all, ends)
        return [*noted(self.count, self._counts, in_n_rows=True), *reasons, *open_ends, *self.further]


class ListReport(Result):
    """The result of `per_group`: one row for each list (and slice and model), one column for each metric.

    The printed table shows the first and the last rows. Conversions and files have all rows.
    """

    def __init__(
        self,
        table: pa.Table,
        by: list[str],
        audit: pa.Table,
        statement: Statement,
        notes: Sequence[str] = (),
    ) -> None:
        super().__init__(table, by, statement.text, statement, notes)
        self._audit = audit

    def hide(self, counts: list[str]) -> None:
        """Leaves out counts that notes alone read."""
        self._audit = self._audit.drop_columns(counts)

    @property
    def audit(self) -> Frame:
        """The counts over all lists, by model: rows, rows dropped and why, groups that are empty or tied."""
        return Frame(self._audit)

    def _head_in_json(self) -> dict[str, Any]:
        return {**super()._head_in_json(), "counts": self.audit.to_dicts()}

    @public
    def plot(self, metric: str | None = None) -> Chart:
        """A chart of how the values of lists are distributed; of two models, the differences list by list.

        The lists of all slices are shown together.

        >>> import sqlmetrics as sm
        >>> rows = [{"u": i // 2, "y": i % 2, "old": i % 2, "new": i % 3} for i in range(8)]
        >>> lists = sm.per_group(rows, "mrr", label="y", score={"old": "old", "new": "new"}, group="u")
        >>> lists.plot().title
        'mrr list by list: new less old'

        Args:
            metric: the metric to show, by its column or notation; the first by default.

        Raises:
            SqlMetricsError: no metric has this name.
        """
        return chart_of(self, metric)

    @public
    def count(self, name: str) -> int:
        """A count over all lists, for the model with the largest count."""
        require_count(name, self._audit.column_names)
        # the counts are null if there are no rows
        return max((count or 0 for count in self._audit.column(name).to_pylist()), default=0)

    def notes(self) -> list[str]:
        """The counts that a reader should know, one line each."""
        return noted(self.count, self._audit.column_names) + self.further


class State(Computed):
    """The result of `state`: a table to keep, from which `finish` computes metrics of any range of periods.

    Its column `sm_made_by` has the version of sqlmetrics and the hash of the statement.
    """

    SHOWN = 10  # a state is a table to keep, rather than to read

    def __init__(self, table: pa.Table, statement: Statement, notes: Sequence[str] = ()) -> None:
        super().__init__(table, statement.text, statement.given)
        self.further = list(notes)

    @public
    def write(self, path: str | os.PathLike[str]) -> None:
        """Writes the state as a Parquet file. `finish` reads files of several periods together.

        Args:
            path: the file to write. An old file is replaced when the new one is complete.

        Raises:
            SqlMetricsError: the file cannot be written; an old file is unchanged.
        """
        import pyarrow.parquet

        with replaced(path) as file:
            pyarrow.parquet.write_table(self._table, file)

    @public
    def count(self, name: str) -> int:
        """A count over all periods and slices, for the model with the largest count."""
        import pyarrow as pa
        import pyarrow.compute as pc

        fields = [field for field in self._table.schema if field.name.startswith("sm_")]
        # a column without a value may have no type
        numbers = [
            field for field in fields if pa.types.is_primitive(field.type) or pa.types.is_null(field.type)
        ]
        require_count(name, ["rows_dropped", *(field.name.removeprefix("sm_") for field in numbers)])
        if not self._table.num_rows:
            return 0
        bad = [column for column in self.columns if column.startswith("sm_rows_bad_")]
        columns = bad if name == "rows_dropped" else [f"sm_{name}"]
        once = self._table.filter(pc.is_in(self._table.column("sm_grain"), pa.array(["rows", "whole lists"])))
        models = ["model"] if "model" in self.columns else []
        sums = once.group_by(models, use_threads=False).aggregate([(column, "sum") for column in columns])
        of_models = sums.select([f"{column}_sum" for column in columns]).to_pylist()
        return int(max((sum(count or 0 for count in row.values()) for row in of_models), default=0))

    def _text_of(self, name: str, values: list[Any]) -> list[str]:
        return column_of_names(values) if name in self._given else super()._text_of(name, values)

    def _visible(self) -> list[str]:
        """The columns before the sums."""
        return self.columns[: self.columns.index("sm_grain") + 1]

    def notes(self) -> list[str]:
        """What the table does not show, and the counts that a reader should know, one line each."""
        known = ["rows_dropped", *(name.removeprefix("sm_") for name in self.columns)]
        hidden = len(self.columns) - len(self._visible())
        period = self.columns[0]
        periods = len(self._table.column(period).drop_null().unique())
        return [
            f"sums of {periods:,} period{'s' * (periods != 1)} ({period}), in {hidden} more columns",
            "write them to a Parquet file; sm.finish(...) computes metrics of any of its periods",
            *noted(self.count, known),
            *self.further,
        ]


def intervals_of(rows: pa.Table, low: str, high: str) -> list[str]:
    """The intervals between the values of two columns as text; an empty text without an interval."""
    ends = zip(rows.column(low).to_pylist(), rows.column(high).to_pylist(), strict=True)
    return ["" if end == (None, None) else f"[{shown(end[0])}, {shown(end[1])}]" for end in ends]


def require_count(name: object, known: Sequence[str]) -> None:
    """Checks that a result has a count.

    Raises:
        SqlMetricsError: it has none of this name.
    """
    if not isinstance(name, str) or name not in known:
        raise SqlMetricsError(f"No count is named {name!r:.200}. Counts: {counted(known)}")
