"""The result of a suite as text: for people, as Markdown, JSON and JUnit XML."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from xml.etree import ElementTree

from sqlmetrics.errors import printable
from sqlmetrics.gates import Outcome, table_of
from sqlmetrics.suites.run import Checked
from sqlmetrics.table.frame import Frame

NOT_XML = re.compile("[\ufffe\uffff]")  # besides what `printable` escapes


def as_table(checked: Checked) -> str:
    """The report, the comparison and the gates, for people."""
    return "\n\n".join(map(repr, _tables(checked)))


def as_markdown(checked: Checked) -> str:
    """A summary: the verdict, the gates, those that fail first, then the numbers."""
    failed, every = sum(not one.holds for one in checked.outcomes), len(checked.outcomes)
    verdict = f"{failed} of {every} checks fail" if failed else f"{every} checks hold"
    *numbers, gates = _tables(checked)
    return "\n\n".join([f"## {verdict}", *(table.to_markdown() for table in (gates, *numbers))])


def as_json(checked: Checked) -> str:
    """All numbers. A later suite may refer to the file."""
    gates = [
        {"part": part, **row}
        for part, found in checked.parts.items()
        for row in table_of(found, []).to_dicts()
    ]
    content = {
        "suite": checked.name,
        "holds": all(one.holds for one in checked.outcomes),
        "gates": gates,
        "notes": checked.notes,
        "by": checked.report.by,
        "metrics": checked.report.metrics,
        "report": checked.report.to_dicts(),
        "comparison": [] if checked.comparison is None else checked.comparison.to_dicts(),
    }
    return json.dumps(content, indent=2, default=str, ensure_ascii=False)


def as_junit(checked: Checked) -> str:
    """JUnit XML: a test suite for each part, a test case for each gate and row."""
    root = ElementTree.Element("testsuites", {"name": _text(checked.name), **_counts(checked.outcomes)})
    for part, found in checked.parts.items():
        suite = ElementTree.SubElement(root, "testsuite", {"name": part, **_counts(found)})
        for one in found:
            case = ElementTree.SubElement(
                suite, "testcase", classname=_text(checked.name), name=_text(_named(one))
            )
            if not one.holds:
                ElementTree.SubElement(case, "failure", type="gate", message=_text(str(one)))
    ElementTree.indent(root)
    return ElementTree.tostring(root, encoding="unicode", xml_declaration=True)


FORMATS: dict[str, Callable[[Checked], str]] = {
    "table": as_table,
    "markdown": as_markdown,
    "json": as_json,
    "junit": as_junit,
}


def _tables(checked: Checked) -> list[Frame]:
    """The report, the comparison, and the gates, those that fail first."""
    comparison = [] if checked.comparison is None else [checked.comparison]
    first = sorted(checked.outcomes, key=lambda one: one.holds)
    return [checked.report, *comparison, table_of(first, checked.notes)]


def _named(one: Outcome) -> str:
    """A test case: the gate, and the row."""
    gate = f"{one.metric} is not null" if one.gate is None else str(one.gate)
    return ", ".join(filter(None, [gate, one.slice, one.model and f"model {one.model}"]))


def _counts(found: list[Outcome]) -> dict[str, str]:
    failed = sum(not one.holds for one in found)
    return {"tests": str(len(found)), "failures": str(failed), "errors": "0"}


def _text(text: str) -> str:
    return NOT_XML.sub("�", printable(text))
