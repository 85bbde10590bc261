"""make new-metric NAME=... KIND=row|list: the skeleton of a metric. It is refused until its formula is written."""

from __future__ import annotations

import re
import sys

from sqlmetrics.book.templates import macro_files
from support.paths import ROOT

HEADER = """{#
  FILL IN: what it is, in a sentence.

  Formula: FILL IN
  Returns: float
  Better: higher
  Range: FILL IN
  Unit: share
  Undefined: FILL IN
  Traps: FILL IN
  Source: FILL IN
  Example: NAME
#}
{% macro metric_NAME(plan) -%}
    {%- do sqlmetrics.refuse_metric(plan, 'write its formula in sql/metrics/NAME.sql and delete this line') -%}
"""
MACROS = {
    "row": """    {%- do return(sqlmetrics.row_mean(plan, 'NAME', 'FILL IN: over {label} and {score}')) -%}
""",
    "list": """    {%- set grade = sqlmetrics.grade_of(plan) -%}
    {%- set sum = sqlmetrics.item_sum(plan, none, 'NAME', grade ~ ' * (FILL IN: over {tie_first}, {tie_last})') -%}
    {%- set best = sqlmetrics.grade_sum(plan, 'best_NAME', grade ~ ' * (FILL IN: over {n}, {judged_through})') -%}
    {%- do return(sqlmetrics.list_metric(plan, sum, best, sqlmetrics.undefined_if(plan, best ~ ' = 0'), **kwargs)) -%}
""",
}
UNWRITTEN = 'raise NotImplementedError("write the formula of NAME from its source")\n\n\n'
#: kind -> (file, the line that the text is written before, the text)
PLACES = {
    "row": [
        (
            "oracles/regression.py",
            "METRICS = (\n",
            f"def NAME(rows: list[Observation]) -> float | None:\n    {UNWRITTEN}",
        ),
        ("oracles/regression.py", "    *(mse, ", "    NAME,\n"),
        ("conformance/cases/rows.py", '    *("median_absolute_error", ', '    "NAME",\n'),
    ],
    "list": [
        (
            "oracles/graded.py",
            "METRICS = {\n",
            f"def NAME(order: Order, one: RankedList, o: SimpleNamespace) -> Parts:\n    {UNWRITTEN}",
        ),
        ("oracles/graded.py", '    "idcg": (idcg,', '    "NAME": (NAME, nothing_relevant),\n'),
        ("conformance/cases/lists.py", "    *CUTOFFS,\n", '    "NAME",\n'),
    ],
}


def main(name: str, kind: str) -> None:
    """Writes the macro into a file of its own, and the oracle and the case beside those of others."""
    if not re.fullmatch("[a-z][a-z0-9_]*", name) or f"metric_{name}" in macro_files() or kind not in PLACES:
        sys.exit("write make new-metric NAME=... KIND=row or list; the name is new, of a-z, 0-9 and _")
    path = ROOT / "sql" / "metrics" / f"{name}.sql"
    macro = f"{HEADER}{MACROS[kind]}{{%- endmacro %}}\n"
    path.write_text(macro.replace("NAME", name), encoding="utf-8")
    for file, before, text in PLACES[kind]:
        place = ROOT / "tests" / file
        old = place.read_text(encoding="utf-8")
        if before not in old:
            sys.exit(f"tests/{file} has no line {before.strip()!r}; name another in PLACES of this tool")
        place.write_text(old.replace(before, text.replace("NAME", name) + before, 1), encoding="utf-8")
    files = " ".join(sorted({f"tests/{file}" for file, *_ in PLACES[kind]}))
    print(f"Fill in sql/metrics/{name}.sql and {files}; git diff shows where.")


if __name__ == "__main__":
    main(*sys.argv[1:])
