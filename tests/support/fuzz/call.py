"""A random call, and the Python that makes it again."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

Rows = list[dict[str, Any]]

#: The forms that data may have, each as Python writes it.
FORMS = {
    "dicts": "{rows}",
    "arrow": "pyarrow.Table.from_pylist({rows})",
    "pandas": "pandas.DataFrame({rows})",
    "polars": "polars.DataFrame({rows})",
    "parquet": "'rows.parquet'",
}
WRITES_PARQUET = "pyarrow.parquet.write_table(pyarrow.Table.from_pylist({rows}), 'rows.parquet')\n"


@dataclass(frozen=True)
class Call:
    """A call of a public function; `facts` are its keyword arguments but for tables, which are rows."""

    function: str  #: state means state and finish
    metrics: list[
        str
    ]  #: of a curve and of explain_change: one notation; of drift and tables of classes: none
    rows: Rows
    facts: dict[str, Any]
    tables: dict[str, Rows]  #: truth, catalog, history, distances, and the reference of a change
    form: str  #: one of `FORMS`
    plain: bool = (
        True  #: whether no number is so large that squares overflow, which engines treat differently
    )

    def __repr__(self) -> str:
        return self.written()

    def named(self) -> dict[str, str]:
        """The metrics by the names of their columns."""
        return {f"m{i}": notation for i, notation in enumerate(self.metrics)}

    def written(self, data: str | None = None) -> str:
        """The Python that makes the call, or that over other data."""
        rows = literal(self.rows)
        before = WRITES_PARQUET.format(rows=rows) if self.form == "parquet" else ""
        data = FORMS[self.form].format(rows=rows) if data is None else data
        facts = arguments({**self.facts, **self.tables})
        if self.function == "state":
            by = arguments({"by": self.facts.get("by")})
            return f"{before}sm.finish(sm.state({data}, {self.named()}{facts}), {self.named()}{by})"
        return f"{before}sm.{self.function}({', '.join(self.placed(data, repr))}{facts})"

    def placed(self, data: Any, form: Any = lambda asked: asked) -> list[Any]:
        """The arguments without a name: the data and the metrics, these in a form."""
        if self.function in ("curve", "explain_change"):
            return [data, form(self.metrics[0])]
        return [data, form(self.named())] if self.metrics else [data]


def arguments(facts: dict[str, Any]) -> str:
    """Keyword arguments, as written after others."""
    return "".join(f", {name}={literal(value)}" for name, value in facts.items() if value is not None)


def literal(value: Any) -> str:
    """A value as Python writes it; `repr` has no literal for NaN and infinity."""
    if isinstance(value, float) and not math.isfinite(value):
        return f"float('{value}')"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key!r}: {literal(cell)}" for key, cell in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(literal, value)) + "]"
    return repr(value)
