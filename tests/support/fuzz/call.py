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
    metrics: list[str]  #: of a curve: its notation
    rows: Rows
    facts: dict[str, Any]
    tables: dict[str, Rows]  #: truth, catalog, history and distances
    form: str  #: one of `FORMS`
    plain: bool = (
        True  #: whether no number is so large that squares overflow, which engines treat differently
    )

    def __repr__(self) -> str:
        return self.written()

    def named(self) -> dict[str, str]:
        """The metrics by the names of their columns."""
        return {f"m{i}": notation for i, notation in enumerate(self.metrics)}

    def written(self) -> str:
        """The Python that makes the call."""
        rows = literal(self.rows)
        before = WRITES_PARQUET.format(rows=rows) if self.form == "parquet" else ""
        data = FORMS[self.form].format(rows=rows)
        facts = {**self.facts, **self.tables}
        if self.function == "curve":
            return f"{before}sm.curve({self.metrics[0]!r}, {data}{arguments(facts)})"
        if self.function != "state":
            return f"{before}sm.{self.function}({data}, {self.named()}{arguments(facts)})"
        by = arguments({"by": facts.get("by")})
        made = f"sm.state({data}, {self.named()}{arguments(facts)})"
        return f"{before}sm.finish({made}, {self.named()}{by})"


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
