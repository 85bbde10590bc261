"""Open data with the facts about them: plans are made and run here."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sqlmetrics.book.plan import Plan, Statement, planned, written
from sqlmetrics.errors import SqlMetricsError
from sqlmetrics.given.conditions import check_condition
from sqlmetrics.given.labels import Labels
from sqlmetrics.given.zones import zone_of
from sqlmetrics.table.types import typed

if TYPE_CHECKING:
    import pyarrow as pa

    from sqlmetrics.engines.protocol import Relation, Session
    from sqlmetrics.given.reads import Reads


@dataclass(frozen=True)
class Opened:
    """Open data, and the facts about it."""

    session: Session
    relation: Relation
    reads: Reads  #: the columns that are read of each table
    by: list[str]  #: the columns of by=, as the user named them
    facts: dict[str, Any]  #: the arguments of the macro `facts`
    labels: Labels  #: the columns of label and prediction
    booleans: list[str]  #: the columns of by= that are booleans

    def plan(self, macro: str, **asked: Any) -> Plan:
        """The plan that a macro makes from these facts and further arguments.

        Raises:
            SqlMetricsError: the macro rejects a fact or argument, or the plan does not fit the labels.
        """
        plan = planned(self.session.dialect, macro, **asked, **self.facts)
        self.labels.check(plan)
        for condition in plan.conditions:
            check_condition(self.session, self.relation, condition)
        return plan

    def note_zone(self, *said: Any) -> None:
        """Notes the time zone of the session, if a column of dates, or an expression of one, is an instant."""
        zone = zone_of(self.session, self.relation, self.session.columns(self.relation), said)
        self.facts["zone"] = zone or self.facts["zone"]

    def scores_repeat(self) -> bool:
        """Whether every score has few distinct values for its number of rows, judged by a sample."""
        score = self.facts["score"]
        scores = [*score.values()] if isinstance(score, dict) else [score]
        if not all(isinstance(column, str) for column in scores):  # of other tables, or none
            return False
        return all(self.session.repeats(self.relation, column) for column in {*scores})

    def run(self, plan: Plan) -> tuple[pa.Table, Statement]:
        """Runs a plan: its result, and the statement."""
        statement = written(plan, self.session.files, self.session.lacking)
        return self.result(statement), statement

    def result(self, statement: Statement) -> pa.Table:
        """The result of a statement, with the same names and types on every engine."""
        try:
            table = self.session.query(statement.asked, self.relation.name)
        except SqlMetricsError as error:
            error.sql = statement.text
            raise
        return typed(table, statement, [*self.booleans, *self.labels.booleans(statement)])
