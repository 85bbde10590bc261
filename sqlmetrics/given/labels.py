"""The columns of label and prediction: whether their kinds serve what is asked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from sqlmetrics.book.plan import Plan, Statement
from sqlmetrics.errors import SqlMetricsError
from sqlmetrics.given.advice import expression, to_classes, to_items, to_numbers, to_positive
from sqlmetrics.given.columns import Columns, is_list, is_no_number, sql

CLASSES = ("text", "a number", "a boolean")  #: kinds of columns; two different kinds cannot be compared
BINARY = {"a number", "a boolean"}  #: but for these, where true is 1


@dataclass(frozen=True)
class Labels:
    """The columns of label and prediction, with their kinds: text, a number, a boolean, a type or unknown."""

    label: str | None
    kind: str
    prediction: str | None
    predicted: str
    positive: float | str | None
    class_scores: bool  #: whether classes have scores, of which the label names one
    columns: Columns  #: the columns of the label's table
    called: Mapping[str, str]  #: the names of the caller's arguments for label and prediction

    def booleans(self, statement: Statement) -> list[str]:
        """The result columns that hold labels or predictions, if these are booleans."""
        kinds = {"label": self.kind, "prediction": self.predicted}
        return [column.name for column in statement.results if column.of and kinds[column.of] == "a boolean"]

    def check(self, plan: Plan) -> None:
        """Checks that a plan can use label and prediction of these kinds.

        Raises:
            SqlMetricsError: it cannot.
        """
        label, text = f"Label column '{self.label}'", self.kind == "text"
        kinds = {self.kind, self.predicted} - {""}
        if len(kinds) > 1 and kinds & {*CLASSES} and not plan.unlike_classes and kinds != BINARY:
            raise SqlMetricsError(
                f"{label} is {self.kind} and prediction column '{self.prediction}' is {self.predicted},"
                f" which cannot be compared{self._made_alike()}"
            )
        if plan.numeric_label or (self.prediction is None and not self.class_scores):
            self._check_number(plan)
        self._check_decision(plan)
        if text and plan.class_places:
            raise SqlMetricsError(
                f"{label} is text, which has no order to tell how far two classes are apart;"
                " pass classes as numbers, or leave out weights= of kappa"
            )
        self._check_named(plan)

    def _check_number(self, plan: Plan) -> None:
        """Checks a label that is read as a number, or compared with a positive one."""
        label = f"Label column '{self.label}'"
        text = self.kind == "text" and not isinstance(self.positive, str)
        if text and not plan.reads_positive:
            raise SqlMetricsError(
                f"{label} is text and has to be numbers{to_numbers(self.columns, str(self.label))}"
            )
        if text:
            averages = ", or average= for more than two classes" if self.prediction is not None else ""
            averages = "" if plan.unlike_classes else averages
            way = to_positive(self.columns, str(self.label), self.called["label"], averages)
            raise SqlMetricsError(f"{label} is text; {way}")
        if is_list(self.kind):
            raise SqlMetricsError(
                f"{label} is a list ({self.kind}) and has to be one value in each row"
                f"{to_items(self.columns, str(self.label))}"
            )
        if is_no_number(self.kind):
            raise SqlMetricsError(
                f"{label} is {self.kind} and has to be numbers, booleans or text;"
                " an expression is written label=sm.sql('...')"
            )

    def _check_named(self, plan: Plan) -> None:
        """Checks the classes that notations name."""
        for kind in plan.named_classes:
            if self.kind in CLASSES and self.kind != kind and {self.kind, self.predicted, kind} != BINARY:
                if self.class_scores:
                    raise SqlMetricsError(
                        f"A class of class_scores= is {kind}, but label column '{self.label}' is {self.kind}; name the"
                        ' classes as the label has them, {"cat": "p_cat"}, or of a column of arrays'
                        ' {"column": "p", "classes": ["cat", "dog"]}'
                    )
                if plan.unlike_classes:
                    raise SqlMetricsError(
                        f"A category of expected= is {kind}, but column '{self.label}' is {self.kind}"
                    )
                hint = "; quotes make it text, class='1'" if self.kind == "text" else ""
                raise SqlMetricsError(
                    f"class= is {kind}, but label column '{self.label}' is {self.kind}{hint}"
                )

    def _check_decision(self, plan: Plan) -> None:
        """Checks a prediction that is read as a number: is it at least 1, or `positive`?"""
        if not plan.numeric_prediction:
            return
        prediction = f"Prediction column '{self.prediction}' is {self.predicted}"
        if self.predicted == "text" and not isinstance(self.positive, str):
            raise SqlMetricsError(f"{prediction}; pass positive='...', the text of a positive row")
        if is_no_number(self.predicted):
            raise SqlMetricsError(
                f"{prediction} and has to be numbers, booleans or text;"
                " an expression is written prediction=sm.sql('...')"
            )

    def _made_alike(self) -> str:
        """How label and prediction of two kinds can be compared."""
        label = (self.called["label"], str(self.label), self.columns)
        prediction = (self.called["prediction"], str(self.prediction), self.columns)
        if isinstance(self.label, sql) or isinstance(self.prediction, sql):
            role, name, columns = prediction if isinstance(self.label, sql) else label
            if "a boolean" in (self.kind, self.predicted) and columns.kind(name) == "text":
                text = columns.written("is_the_text", columns[name], "...")
                return f"; write {role}={expression(text)}, with the text that stands for true"
            return "; write both as texts, as numbers or as booleans"
        if self.kind == "text":
            return to_classes(*label, *prediction)
        if self.predicted == "text":
            return to_classes(*prediction, *label)
        return ""
