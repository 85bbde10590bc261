"""The formula of each metric in symbols: it has MathML, and docs/notation.md and the metric explain what it names."""

from __future__ import annotations

import re
from collections.abc import Iterator
from xml.etree import ElementTree

import pytest

import sqlmetrics as sm
from generate.formulas import INLINE, mathml, with_formulas
from generate.headers import arguments, parts
from generate.site import DOCS
from sqlmetrics.book.catalog import Metric, catalog
from sqlmetrics.options import OPTIONS
from support.dbt_schema import SCHEMA
from support.site import built_site

NOTATION = (DOCS / "notation.md").read_text(encoding="utf-8")
#: the parts of the notation that metrics of a grain use; metrics of other grains are over rows
PARTS = {"lists": {"Lists"}, "items": {"Lists", "Items"}}
OVER_ROWS = {"Rows", "Decisions and thresholds", "Classes and subsets", "Experiments"}
FUNCTIONS = {"ln", "log", "exp", "cosh", "max", "min"}
WORDS = {"if", "otherwise", "with", "without a cutoff", "all other classes as one", "each other class"}
each_metric = pytest.mark.parametrize("metric", catalog().values(), ids=lambda metric: metric.macro)


def tree(latex: str) -> ElementTree.Element:
    """The row of a formula's MathML."""
    return ElementTree.fromstring(re.sub(r' xmlns="[^"]*"', "", mathml(latex)))[0]


def words(element: ElementTree.Element) -> set[str]:
    """The letters and names in a formula."""
    found = {" ".join((leaf.text or "").split()) for leaf in element.iter() if leaf.tag in ("mi", "mtext")}
    return {word for word in found if re.search(r"\w", word)}


def base(element: ElementTree.Element) -> ElementTree.Element:
    """A symbol without its indices and accents."""
    return base(element[0]) if len(element) else element


def defined(row: ElementTree.Element) -> Iterator[str]:
    """What an equation says to be equal to something, with its arguments."""
    shown = list(row)
    for place, element in enumerate(shown):
        if element.text == "=" and place:
            start = place - 1
            if shown[start].text == ")":
                start = max(i for i in range(start) if shown[i].text == "(") - 1
            yield from words(base_of(shown[start:place]))


def base_of(elements: list[ElementTree.Element]) -> ElementTree.Element:
    """The symbol that elements start with, and what is in brackets behind it."""
    row = ElementTree.Element("mrow")
    row.extend([base(elements[0]), *elements[1:]])
    return row


def tables(page: str) -> dict[str, dict[str, str]]:
    """The tables of the notation by heading: what stands in the second column, by that in the first."""
    found = {}
    for section in page.split("\n## ")[1:]:
        rows = re.findall(r"^\| (\$.*?) \| (.*) \|$", section, re.MULTILINE)
        found[section.split("\n")[0]] = dict(rows)
    return found


def symbols(sections: set[str]) -> set[str]:
    cells = [cell for name, table in tables(NOTATION).items() if name in sections for cell in table]
    return {word for cell in cells for latex in INLINE.findall(cell) for word in words(tree(latex))}


def test_every_metric_has_a_formula() -> None:
    assert [metric.macro for metric in catalog().values() if not metric.formula] == []


def test_a_command_without_mathml_is_named() -> None:
    with pytest.raises(ValueError, match=r"\\nosuch has no MathML, in the formula \\nosuch a"):
        mathml(r"\nosuch a")


@each_metric
def test_symbols_are_explained(metric: Metric) -> None:
    rows = [tree(equation) for equation in metric.formula]
    known = symbols({*PARTS.get(metric.grain, OVER_ROWS), "Options with a symbol"})
    own = {name for row in rows for name in defined(row)}
    named = {word for row in rows for word in words(row)}
    assert {word for word in named - known - own - FUNCTIONS - WORDS if not _is_option(word, metric)} == set()


def _is_option(word: str, metric: Metric) -> bool:
    """Whether a name is an option of the metric or of the call; of `name=value`, whether it has this value."""
    name, equal, value = word.removeprefix("with ").partition("=")
    meant = arguments(parts(metric.doc)[1].get("Args", "")).get(name)
    if meant is None:
        return name in OPTIONS and not value
    return not equal or re.search(rf"\b{value}\b", meant) is not None


@each_metric
def test_options_are_those_of_the_metric(metric: Metric) -> None:
    """A symbol that stands for an option needs that option; an own option is in the formula, or in the notation."""
    of_symbols = {
        symbol: set(re.findall(r"`(\w+)`", meaning))
        for cell, meaning in tables(NOTATION)["Options with a symbol"].items()
        for symbol in words(tree(INLINE.findall(cell)[0]))
    }
    named = {word for equation in metric.formula for word in words(tree(equation))}
    over_thresholds = {"t"}  # an index, too
    for symbol in (named & set(of_symbols)) - over_thresholds:
        assert of_symbols[symbol] & {*metric.parameters}, symbol
    explained = {*re.findall(r"`(\w+)=?`", NOTATION), *(word.partition("=")[0] for word in named)}
    assert set(metric.own) - explained == set()


@each_metric
def test_what_is_of_one_list_says_so(metric: Metric) -> None:
    assert ("q" in words(tree(metric.formula[0]))) == (metric.grain == "lists")


def test_terminals_and_dbt_show_no_latex() -> None:
    for metric in catalog().values():
        assert "\\" not in metric.doc
    assert "\\frac" not in sm.describe("mse") + SCHEMA.read_text(encoding="utf-8")


@pytest.mark.slow
@pytest.mark.xdist_group("site")
def test_pages_have_the_formula_and_lead_to_the_notation() -> None:
    for metric in catalog().values():
        page = (built_site() / "metrics" / f"{metric.macro.removeprefix('metric_')}.html").read_text("utf-8")
        assert page.count("<math ") == len(metric.formula), metric.macro
        assert 'href="../notation.html"' in page


@pytest.mark.slow
@pytest.mark.xdist_group("site")
def test_pages_written_by_hand_have_formulas_in_line() -> None:
    page = (built_site() / "notation.html").read_text("utf-8")
    assert page.count("<math ") == len(INLINE.findall(NOTATION)) > 100
    assert "$`" not in page
    assert with_formulas("$`a`$ is").endswith("</math></span> is")
