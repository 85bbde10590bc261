"""The result of `leaderboard`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlmetrics.charts.of import chart_of
from sqlmetrics.errors import SqlMetricsError, counted, public
from sqlmetrics.results.audited import Audited
from sqlmetrics.results.few import of_few
from sqlmetrics.results.papers import table_of_board
from sqlmetrics.results.report import Report, Result, intervals_of
from sqlmetrics.table.frame import Frame

if TYPE_CHECKING:
    import pyarrow as pa

    from sqlmetrics.charts.chart import Chart

RIVAL = "rival_"


class Leaderboard(Audited):
    """The result of `leaderboard`: one row for each slice, metric and model, the best first.

    The printed table shows value and rank with their intervals. Conversions and files have every column.
    """

    def __init__(self, table: pa.Table, audited: Report, units: str) -> None:
        import pyarrow as pa
        import pyarrow.compute as pc

        #: what is tested: rows or groups
        self.units = units
        columns = table.column_names
        #: the columns that name a row: slice, metric and model
        self._keys = columns[: columns.index("model") + 1]
        rivals = [name for name in columns[len(self._keys) :] if name == "rival" or name.startswith(RIVAL)]
        first: dict[str, int] = {}
        for row, key in enumerate(zip(*(table.column(name).to_pylist() for name in self._keys), strict=True)):
            first.setdefault(repr(key), row)
        super().__init__(table.take(pa.array(first.values(), pa.int64())).drop_columns(rivals), audited)
        pairs = table.filter(pc.is_valid(table.column("rival"))).select([*self._keys, *rivals])
        self._pairs = pairs.rename_columns(
            [*self._keys, *(name.removeprefix(RIVAL) for name in pairs.column_names[len(self._keys) :])]
        )

    @property
    def pairs(self) -> Frame:
        """Each model against each other one: `difference` (its value less the rival's), `p_value`, `p_adjusted`.

        >>> import sqlmetrics as sm
        >>> rows = [{"y": i % 2, "old": i / 8, "new": i % 2} for i in range(8)]
        >>> board = sm.leaderboard(rows, "mae", score=["old", "new"], label="y")
        >>> [(row["model"], row["rival"], row["difference"]) for row in board.pairs]
        [('new', 'old', -0.4375), ('old', 'new', 0.4375)]
        """
        return Result(self._pairs, [], self.sql)

    @public
    def mean_ranks(self) -> Frame:
        """Models over several tasks, which are the slices: a row for each metric and model, the least mean rank first.

        Columns: `mean_value`; `mean_rank`; `tied_with_best`, 1 if the mean rank is within `critical_difference`
        (Nemenyi's, at the level of the ranks) of the least; `n_tasks`, and `tasks_left_out` on which some model has no
        rank; `friedman_p_value`, of Friedman's test that all models are alike. Each task counts the same.

        >>> import sqlmetrics as sm
        >>> rows = [{"task": t, "model": m, "loss": t * j + 1} for t in range(1, 7) for j, m in enumerate("ab")]
        >>> loss = "mean(column=loss, better=lower)"
        >>> board = sm.leaderboard(rows, loss, models="model", group="task", by="task")
        >>> [(row["model"], row["mean_rank"], row["n_tasks"]) for row in board.mean_ranks()]
        [('a', 1.0, 6), ('b', 2.0, 6)]

        Raises:
            SqlMetricsError: the leaderboard has no slices.
        """
        if not self.by:
            raise SqlMetricsError(
                "Mean ranks are over tasks; pass by=, the column of the tasks, to leaderboard"
            )
        from sqlmetrics.results.mean_ranks import rows_of_mean_ranks  # with statistics, which imports slowly

        return Frame.from_dicts(rows_of_mean_ranks(self))

    @public
    def plot(self) -> Chart:
        """A chart of ranks with their intervals, a picture for each metric and slice.

        >>> import sqlmetrics as sm
        >>> rows = [{"y": i % 2, "old": i / 8, "new": i % 2} for i in range(8)]
        >>> sm.leaderboard(rows, "mae", score=["old", "new"], label="y").plot().description
        'Ranks of 2 models by mae: new is first; not told from it: none'
        """
        return chart_of(self)

    @public
    def to_latex(self, models: bool = True) -> str:
        r"""A LaTeX `tabular` as papers have it: a row for each model, with value and ranks of each metric.

        Superscripts beside a value are the letters of the models that are worse. It needs `\usepackage{booktabs}`.

        >>> import sqlmetrics as sm
        >>> rows = [{"y": i % 2, "old": i / 8, "new": i % 2} for i in range(8)]
        >>> board = sm.leaderboard(rows, "mae", score=["old", "new"], label="y")
        >>> print(board.to_latex().splitlines()[4])
        a & new & 0.0000\textsuperscript{b} & 1 to 1 \\

        Args:
            models: False gives a row for each metric and model, as it is printed.
        """
        return table_of_board(self).latex() if models else super().to_latex()

    def _visible(self) -> list[str]:
        hidden = ("low", "high", "rank_low", "rank_high", "n_unpaired")
        return [name for name in self.columns if name not in hidden]

    def _intervals(self, rows: pa.Table) -> dict[str, list[str]]:
        ranks = zip(*(rows.column(name).to_pylist() for name in ("rank_low", "rank_high")), strict=True)
        return {
            "value": intervals_of(rows, "low", "high"),
            "rank": ["" if low is None else f"[{low}, {high}]" for low, high in ranks],
        }

    def notes(self) -> list[str]:
        """The counts that a reader should know, and which models have no rank, one line each."""
        rows = self._table.to_pylist()
        without = [row["model"] for row in rows if row["rank"] is None]
        lines = [f"no rank without a value: {counted(dict.fromkeys(without))}"] if without else []
        lost: dict[str, int] = {}
        for row in rows:
            lost[row["model"]] = max(lost.get(row["model"], 0), row["n_unpaired"] or 0)
        if any(lost.values()):
            of = ", ".join(f"{count:,} of {model}" for model, count in lost.items() if count)
            lines.append(f"{self.units} left out, since some model lacks them: {of}")
        units = [row["n_units"] for row in rows if row["n_units"]]
        if units and min(units) < 2:
            lines.append("no test of fewer than two units: every rank is possible")
        elif "rows_bad_group" in self.audit.columns:
            lines += of_few("groups", units, len(rows), "a test")
        level = f"{100 * (self.statement.interval or 0.95):.15g}"
        return [
            *super().notes(), *lines, f"all ranks of a metric lie in their intervals together, at {level} %",
        ]  # fmt: skip
