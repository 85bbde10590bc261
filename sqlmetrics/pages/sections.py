"""The sections of a page, in the order in which a reader asks."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from markupsafe import Markup

from sqlmetrics.charts.lists import drawn_of_lists
from sqlmetrics.charts.of import chart_of
from sqlmetrics.charts.parts import MOST_PANELS, MOST_SLICES
from sqlmetrics.errors import printable
from sqlmetrics.pages import tables
from sqlmetrics.pages.answers import answers
from sqlmetrics.pages.asked import Asked
from sqlmetrics.pages.content import Content, Fact, Section, Statement, Subject
from sqlmetrics.pages.definitions import definition, settings
from sqlmetrics.pages.figures import NARROW, figure
from sqlmetrics.pages.results import POWER, Results
from sqlmetrics.pages.tables import Cell, Table
from sqlmetrics.pages.verdicts import percent, verdict

MOST = 8  #: the metrics of which slices and trends are drawn
OPEN_ROWS = 8  #: of a table of slices, longer ones of which are folded
CURVE = 210  #: pixels of the side of a curve, four of which stand beside each other
OPEN_IN_A_ROW = 3  #: the charts beside each other that are not folded


def content(about: Subject, found: Results) -> Content:
    """The page of some results."""
    makers: tuple[Callable[[Subject, Results], Section | None], ...] = (
        _measured,
        _dropped,
        _metrics,
        _compared,
        _slices,
        _trend,
        _classes,
        _curves,
        _lists,
        _defined,
        _statements,
    )
    sections = [section for make in makers if (section := make(about, found)) is not None]
    return Content(about.title, answers(about, found), sections)


def _measured(about: Subject, found: Results) -> Section:
    report, options = found.report, about.options
    rows = report.count("n_rows")
    dropped = report.count("rows_dropped") if "rows_dropped" in report.columns else 0
    facts = [Fact("Data", about.data)]
    facts.append(Fact("Rows", f"{rows - dropped:,}" + (f" of {rows:,}" if dropped else "")))
    if "n_groups" in report.columns:
        facts.append(
            Fact(f"Lists ({options.group})" if options.group else "Lists", f"{report.count('n_groups'):,}")
        )
    if report.by:
        slices = len({repr([row[name] for name in report.by]) for row in tables.slice_rows(report)})
        facts.append(Fact(f"Slices by {', '.join(report.by)}", f"{slices:,}"))
    if about.baseline is not None:
        facts.append(Fact("Models", f"{', '.join(about.candidates)}, {about.baseline} (the baseline)"))
    facts += _period(found)
    return Section("measured", "What was measured", facts=facts, notes=[*map(about.spelled, found.left_out)])


def _period(found: Results) -> Iterator[Fact]:
    if found.trend is not None:
        [name] = found.trend.by
        values = [row[name] for row in tables.slice_rows(found.trend) if row[name] is not None]
        if values:
            ends = (
                f"{tables.named(min(values))} to {tables.named(max(values))}"
                if len(set(values)) > 1
                else tables.named(values[0])
            )
            yield Fact(f"Period ({name})", ends)


def _dropped(about: Subject, found: Results) -> Section:
    notes = [_sentence(about.spelled(note)) for note in found.report.notes()]
    lines = [] if notes else ["Nothing was left out: every row and every list counts in every metric."]
    of_slices = [row for row in found.report if found.report.by and not row.get("is_total")]
    if any(row[one.column] is None for row in of_slices for one in about.asked):
        lines = ["A dash is a metric that is undefined in a slice, as auc is where only one class occurs."]
    counts = tables.of_counts(found.report)
    return Section("dropped", "What was left out, and why", lines=lines, notes=notes, folded=[counts])


def _sentence(note: str) -> str:
    """A note that begins with a capital."""
    return note[:1].upper() + note[1:]


def _further(about: Subject, notes: list[str], found: Results) -> list[str]:
    """The notes of a result that the page has not said yet."""
    return [_sentence(about.spelled(note)) for note in notes if note not in found.report.notes()]


def _metrics(about: Subject, found: Results) -> Section:
    level = about.options.interval
    lines = []
    if any(name.endswith("_low") for name in found.report.columns) and level:
        lines.append(
            f"Below each value stands its {percent(level)} interval: the range of values that fit the data."
        )
    if "n_gold" in found.report.columns:
        lines.append(
            f"The labels are those of a judge ({about.options.label}). People ({about.options.gold}) labelled"
            f" {found.report.count('n_gold'):,} rows; each value is what they would find on all rows."
        )
    section = Section(
        "metrics", "Metrics", lines=lines, tables=[tables.of_metrics(found.report, about.asked)]
    )
    for place, family in enumerate(_cutoffs(about.asked)):
        if len(family) > MOST_SLICES:
            section.lines.append(
                f"The chart of {family[0].metric.name} shows the first {MOST_SLICES} cutoffs."
            )
        columns = [one.column for one in family[:MOST_SLICES]]
        chart = found.report.plot(columns, slices=False)
        numbers = tables.of_metrics(found.report, family)
        numbers = replace(numbers, caption=f"{family[0].metric.name} by cutoff")
        section.figures.append(figure(chart, numbers, f"k{place}"))
    return section


def _cutoffs(asked: list[Asked]) -> Iterator[list[Asked]]:
    """The metrics that differ in their cutoff alone, two or more together."""
    families: dict[str, list[Asked]] = {}
    for one in asked:
        if "k" in one.given:
            rest = {name: value for name, value in one.given.items() if name != "k"}
            families.setdefault(f"{one.metric.macro} {rest}", []).append(one)
    for family in families.values():
        if len({one.given["k"] for one in family}) > 1:
            yield sorted(family, key=lambda one: one.given["k"])


def _compared(about: Subject, found: Results) -> Section | None:
    comparison = found.comparison
    if comparison is None:
        return None
    level = about.level
    known = {one.column: one for one in about.asked}
    rows = tables.total_rows(comparison)
    verdicts = [
        verdict(row, one.name, str(about.baseline), one.better, level, POWER)
        for row in rows
        for one in [known[row["metric"]]]
    ]
    units = "lists" if about.options.group else "rows"
    lines = [
        f"Each model is compared with {about.baseline} on the same {units}.",
        f"A verdict follows from the {percent(level)} interval of the difference: better or worse if it excludes 0.",
    ]
    if "margin" in comparison.columns:
        lines.append(
            "Equivalent comes first: the interval lies within the margin, the smallest difference that matters. Not"
            " worse: it holds 0, but nothing as bad as the margin."
        )
    if len(rows) > 1:
        lines.append(
            f"Each interval stands for itself. Of many comparisons of equal models, about {percent(1 - level)}"
            " show a difference by chance."
        )
    lines.append(
        "The lines on top go further: a difference is more than chance explains if its p-value, corrected by Holm's"
        f" method for all models, metrics and slices, is at most {1 - level:.4g}."
    )
    section = Section("compared", "Models compared", reading=lines, verdicts=verdicts)
    notes = [note for note in comparison.notes() if not note.startswith("p_adjusted")]  # a column not shown
    section.notes = _further(about, notes, found)
    numbers = tables.of_differences(comparison, about.asked, str(about.baseline))
    caption = f"Differences and their {percent(level)} intervals"
    drawn = list(dict.fromkeys(row["metric"] for row in rows))[:MOST_PANELS]
    if len(drawn) < len({row["metric"] for row in rows}):
        section.lines.append(f"The chart shows the first {MOST_PANELS} metrics.")
    chart = comparison.plot(drawn, slices=False)
    section.figures.append(figure(chart, numbers, "compared", caption))
    return section


def _slices(about: Subject, found: Results) -> Section | None:
    report = found.report
    if not report.by:
        return None
    section = Section("slices", f"Slices by {', '.join(report.by)}")
    model = about.candidates[0] if about.candidates else None
    all_tables = [tables.of_slices(report, about.asked, model)]
    if found.comparison is not None:
        all_tables += [
            tables.of_slice_differences(found.comparison, about.asked, candidate)
            for candidate in about.candidates
        ]
        section.reading.append(
            "A difference in a slice is marked better or worse if its interval excludes 0. With many slices, expect"
            " some marks by chance."
        )
    for one_table in all_tables:
        (section.folded if len(one_table.rows) > OPEN_ROWS else section.tables).append(one_table)
    if report is not found.trend:  # which draws the same
        known = [
            one
            for one in about.asked[:MOST]
            if any(row[one.column] is not None for row in tables.slice_rows(report))
        ]
        drawn = [
            figure(report.plot(one.column), tables.behind_slices(report, one, model), f"slice{place}")
            for place, one in enumerate(known)
        ]
        opened = 1 if any(one.wide for one in drawn) else OPEN_IN_A_ROW
        section.figures, section.further = drawn[:opened], drawn[opened:]
        if len(about.asked) > MOST:
            section.lines.append(f"Charts show the first {MOST} metrics.")
    return section


def _classes(about: Subject, found: Results) -> Section | None:
    if found.classes is None:
        return None
    section = Section(
        "classes", "Classes and predictions", notes=_further(about, found.classes.notes(), found)
    )
    section.lines.append("A row of the picture is a label. Its shares are those of the rows of the label.")
    numbers = tables.of_matrix(found.classes, "Cells of the confusion matrix")
    section.figures.append(figure(found.classes.plot(), numbers, "classes"))
    return section


def _curves(about: Subject, found: Results) -> Section | None:
    if not found.curves:
        return None
    section = Section("curves", "Curves and calibration")
    if found.report.by:
        section.lines.append("Curves are those of all data; slices are not drawn.")
    most = CURVE if len(found.curves) > 1 else NARROW
    for place, points in enumerate(found.curves.values()):
        section.figures.append(
            figure(chart_of(points, False, found.report), points, f"curve{place}", most=most)
        )
    return section


def _lists(about: Subject, found: Results) -> Section | None:
    lists = found.lists
    if lists is None:
        return None
    one = next(each for each in about.asked if each.column in lists.columns)
    section = Section("lists", "List by list", notes=_further(about, lists.notes(), found))
    pairs = [
        tables.of_lists(lists, one, str(about.options.group), str(about.baseline), candidate)
        for candidate in about.candidates
    ]
    section.folded = [pair for pair in pairs if pair is not None] or [
        tables.of_worst_lists(lists, one, str(about.options.group))
    ]
    section.figures.append(figure(lists.plot(one.column), drawn_of_lists(lists, one.column), "lists"))
    return section


def _trend(about: Subject, found: Results) -> Section | None:
    trend = found.trend
    if trend is None:
        return None
    [name] = trend.by
    section = Section("trend", f"Over time, by {name}")
    section.reading.append(
        "A metric turned where its values before and after differ by more than chance explains. Chance is what the"
        " intervals say, or the values vary by if that is more; it is corrected for all places, metrics and models"
        " looked at (Bonferroni). It is back at its level if the last values differ from the first by no more. In the"
        " test a value counts the less, the wider its interval is; the averages are plain means of the values."
    )
    drawn = [
        figure(trend.plot(one.column), tables.in_order(trend, one), f"trend{place}")
        for place, one in enumerate(about.asked[:MOST])
    ]
    section.figures, section.further = drawn[:OPEN_IN_A_ROW], drawn[OPEN_IN_A_ROW:]
    return section


def _defined(about: Subject, found: Results) -> Section:
    over_lists = any(one.metric.grain == "lists" for one in about.asked)
    rows = [list(map(Cell, setting)) for setting in settings(about.options, over_lists)]
    options = Table("Options of the call", ["option", "value", "meaning"], [False] * 3, rows)
    section = Section("defined", "Definitions")
    section.lines.append("These choices decide the numbers. Other tools may define the same name otherwise.")
    section.definitions = [definition(one, about.options.convention) for one in about.asked]
    section.folded = [options] if rows else []
    return section


def _statements(about: Subject, found: Results) -> Section:
    return Section(
        "sql",
        "SQL that ran",
        lines=["A hash is the same for the same statement, so that two pages can be compared."],
        statements=[Statement(title, one.statement_hash, _sql(one.sql)) for title, one in found.statements()],
    )


def _sql(text: str) -> Markup:
    """A statement, whose lines stay lines, and whose many quotes take no more room than they need."""
    lines = (printable(line) for line in text.splitlines())
    return Markup(
        "\n".join(line.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;") for line in lines)
    )
