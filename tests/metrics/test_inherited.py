"""Headers that leave out what is said elsewhere."""

from __future__ import annotations

from collections import Counter

import pytest

from sqlmetrics.book.catalog import catalog, curves
from sqlmetrics.book.inherited import completed, head_of_file, named_same
from sqlmetrics.book.signatures import macros_of, signature
from sqlmetrics.book.templates import macro_files, macros, sql_files

ENTRIES = [*catalog().values(), *curves().values()]
WRITTEN = {
    entry.macro: macros_of(sql_files()[macro_files()[entry.macro]])[entry.macro].doc for entry in ENTRIES
}
SAME = {name: named for name, doc in WRITTEN.items() if (named := named_same(doc))}


def values(notation: str) -> list[str]:
    """The SQL of the columns of a metric, without the metric's own name."""
    facts = {"label": "y", "score": "s", "group": "g", "item": "i", "positive": 1}
    plan = macros("duckdb")["plan"]([notation], interval=0.95, **facts)
    columns = plan["result"]["columns"]
    return [str(column["value"]).replace(columns[0]["name"], "its_value") for column in columns]


@pytest.mark.parametrize("macro", SAME)
def test_a_metric_that_is_another_by_its_header_is_that_metric(macro: str) -> None:
    """With another definition or default, the inherited facts would be wrong."""
    notation, other = SAME[macro]
    cutoff = "@10" if "k" in catalog()[macro].parameters else ""
    assert other in catalog()
    assert values(catalog()[macro].name + cutoff) == values(notation.removesuffix("@k") + cutoff)


def test_a_header_has_what_it_inherits() -> None:
    found = signature("metric_sensitivity")
    assert "  threshold: rows that score at least this" in found.doc  # from parameters.sql
    assert "\nErrors: a label other than 0 and 1" in found.doc  # from tpr
    assert "\nSource: scikit-learn, recall_score" in found.doc  # from recall, by way of tpr
    assert "The same as `tpr`." in found.doc
    assert found.formula == signature("metric_recall").formula != ""
    assert "Aliases:" not in found.doc  # recall_score is a name of recall alone


def test_the_nearest_text_counts() -> None:
    own = "X.\n\nArgs:\n  b: own\nSame as: y\nUnit: none"
    same = "Y.\n\nArgs:\n  b: of y\n  a: of y\nUnit: share\nRange: [0, 1]"
    file = "F.\n\nArgs:\n  c, d: of the file\nRange: [0, 2]\nErrors: of the file,\n  on two lines"
    assert completed(own, ["a", "b", "d"], same, [file]) == (
        "X.\n\nThe same as `y`.\n\nArgs:\n  a: of y\n  b: own\n  c, d: of the file\n"
        "Range: [0, 1]\nUnit: none\nErrors: of the file,\n  on two lines"
    )


def test_the_comment_of_a_macro_is_not_that_of_its_file() -> None:
    assert head_of_file("{# A file. #}\n\n{# A macro. #}\n{% macro x() %}") == "A file."
    assert head_of_file("{# A macro. #}\n{% macro x() %}") == ""


def test_a_parameter_is_explained_once_in_the_same_words() -> None:
    """The first comment of a file explains it for the file's metrics, metrics/parameters.sql for all files."""
    heads = [
        head_of_file(text) for path, text in sql_files().items() if path.startswith(("metrics/", "curves/"))
    ]
    lines = Counter(line for doc in [*heads, *WRITTEN.values()] for line in doc.splitlines())
    often = [line for line, n in lines.items() if n > 3 and line.startswith("  ") and line[2] != " "]
    assert [line for line in often if "Formula" not in line and ": " in line] == []
