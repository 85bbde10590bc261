"""How results are shown: in a terminal, in a notebook, as Markdown, and in files of text."""

import csv
import datetime
import html.parser
import io
import json
import math
import re
import sys
import time
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

import sqlmetrics as sm
from support.inputs import FACTS, ROLES, ROWS

HOSTILE = [
    "a|b",
    "two\nlines",
    "`code`",
    "*bold*",
    "_soft_",
    "<b>",
    "[x](y)",
    "\x1b[31mred",
    "\x9b2J",
    "\u202eolleh",
]


def sliced(names: list[str]) -> sm.Report:
    """A report with a slice for each name."""
    rows = [{**row, "slice": name} for name in names for row in ROWS]
    return sm.evaluate(rows, "auc", by="slice", **{**ROLES, **FACTS})


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_slice_is_one_line_and_no_command_to_a_terminal(name: str) -> None:
    report = sliced([name])
    shown = repr(report)
    assert len(shown.splitlines()) == len(repr(sliced(["plain"])).splitlines())
    assert all(character.isprintable() for character in shown.replace("\n", ""))
    assert report.to_dicts()[0]["slice"] == name


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_name_of_a_metric(name: str) -> None:
    report = sm.evaluate(ROWS, {name: "auc"}, **{**ROLES, **FACTS})
    assert all(character.isprintable() for character in repr(report).replace("\n", ""))
    assert "<b>" not in report._repr_html_()
    assert report.to_markdown().count("\n") == 2


class Cells(html.parser.HTMLParser):
    """The texts of the cells of a page, and its tags."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.cells: list[str] = []
        self.tags: set[str] = set()
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.tags.add(tag)

    def handle_data(self, data: str) -> None:
        self.cells.append(data)


@pytest.mark.parametrize("name", HOSTILE)
def test_html_shows_the_name_and_has_no_tag_of_it(name: str) -> None:
    page = Cells(sliced([name])._repr_html_())
    assert page.tags == {"table", "thead", "tbody", "tr", "th", "td"}
    assert name.encode("unicode_escape").decode() in page.cells


@pytest.mark.parametrize("name", HOSTILE)
def test_markdown_shows_the_name_as_text(name: str) -> None:
    markdown = pytest.importorskip("markdown_it").MarkdownIt("commonmark").enable(["table", "strikethrough"])
    page = Cells(markdown.render(sliced([name]).to_markdown()))
    assert page.tags == {"table", "thead", "tbody", "tr", "th", "td"}
    assert name.encode("unicode_escape").decode() in page.cells


def test_markdown_keeps_plain_names_as_they_are() -> None:
    rows = [{**row, "the slice": "new_user [a, b]"} for row in ROWS]
    report = sm.evaluate(rows, ["ndcg@10"], by="the slice", interval=0.95, **{**ROLES, **FACTS})
    header, _, first, *_ = report.to_markdown().splitlines()
    assert header == "| the slice | n_rows | n_groups | ndcg_10 |"
    assert first.startswith("| new_user [a, b] | ")


BAD = [*ROWS, {**ROWS[0], "p": None}]


def test_markdown_has_the_notes_below_the_table() -> None:
    report = sm.evaluate(BAD, "auc", on_bad_rows="drop", **{**ROLES, **FACTS})
    table, notes = report.to_markdown().split("\n\n")
    assert table.startswith("| n_rows |")
    assert notes == "- rows dropped: 1, which n_rows counts (on_bad_rows='drop')"


@pytest.mark.slow
def test_csv_and_json_have_the_counts() -> None:
    rows = [{**row, "q": row["p"] and 1 - row["p"], "c": row["y"]} for row in BAD]
    roles = {"label": "y", "by": "g", "on_bad_rows": "drop"}
    results = {
        "curve": sm.curve(rows, "roc", score="p", positive=1, **roles),
        "compare": sm.compare(rows, "mae", baseline="p", candidate="q", **roles),
        "class_report": sm.class_report(
            [{**row, "c": None} for row in rows[:1]] + rows, prediction="c", **roles
        ),
    }
    for name, result in results.items():
        audit = {(row["g"], row["is_total"]): row for row in result.audit.to_dicts()}
        assert sum(row["rows_dropped"] for row in audit.values()) == 2, name
        written = json.loads(result.to_json())["rows"]
        assert len(written) == len(result)
        for row, plain in zip(written, result.to_dicts(), strict=True):
            assert row == {**plain, **audit[row["g"], row["is_total"]]}
        header, *lines = csv.reader(io.StringIO(result.to_csv()))
        assert header == list(written[0])
        assert [line[header.index("n_rows")] for line in lines] == [str(row["n_rows"]) for row in written]


def test_json_has_the_notes_and_who_made_it() -> None:
    report = sm.evaluate(BAD, "auc", on_bad_rows="drop", **{**ROLES, **FACTS})
    assert json.loads(report.to_json()) == {
        "sqlmetrics": sm.__version__,
        "statement_hash": report.statement_hash,
        "notes": ["rows dropped: 1, which n_rows counts (on_bad_rows='drop')"],
        "by": [],
        "metrics": ["auc"],
        "rows": report.to_dicts(),
    }


def test_json_of_lists_has_the_counts_of_each_model_once() -> None:
    rows = [{"y": n % 2, "a": n / 8, "b": None if n == 3 else n / 9, "g": n // 4} for n in range(8)]
    facts = {"label": "y", "score": {"a": "a", "b": "b"}, "group": "g"}
    lists = sm.per_group(rows, "mrr", on_bad_rows="drop", **facts)  # type: ignore[arg-type]
    written = json.loads(lists.to_json())
    assert written["rows"] == lists.to_dicts()
    assert written["counts"] == lists.audit.to_dicts()
    assert [(row["model"], row["rows_dropped"]) for row in written["counts"]] == [("a", 0), ("b", 1)]


def test_json_has_no_nan() -> None:
    rows = [{"y": n % 2, "p": n / 8, "by": float("nan") if n < 4 else math.inf} for n in range(8)]
    text = sm.evaluate(pa.Table.from_pylist(rows), "auc", label="y", score="p", by="by").to_json()
    written = json.loads(text, parse_constant=pytest.fail)
    assert {row["by"] for row in written["rows"]} == {"nan", "inf", None}


@pytest.mark.slow
def test_a_state_in_json_is_a_table_that_finish_reads(tmp_path: Path) -> None:
    state = sm.state(ROWS, "auc", period="day", label="y", score="p", positive=1)
    (tmp_path / "state.json").write_text(state.to_json())
    finished = sm.finish(str(tmp_path / "state.json"), "auc")
    assert finished.value("auc") == sm.finish(state, "auc").value("auc")


# --- how much of a table is printed


@pytest.mark.slow
def test_fifty_rows_are_printed_and_all_are_written() -> None:
    rows = [{"y": n % 2, "p": n / 1e5} for n in range(100_000)]
    curve = sm.curve(rows, "roc", label="y", score="p")
    shown, page = repr(curve), curve._repr_html_()
    hidden = f"... {len(curve) - 50:,} more rows; conversions and files have all"
    first, last = shown.splitlines()[2:27], shown.splitlines()[28:53]
    assert shown.splitlines()[27].split() == ["...", "...", "..."]
    assert shown.splitlines()[53:] == [hidden]
    assert f"<p>{hidden}</p>" in page
    assert page.count("<tr>") == 1 + 25 + 1 + 25
    started = time.process_time()
    whole = curve.to_text().splitlines()
    assert time.process_time() - started < 5  # 16 s through a console
    assert [line.split() for line in whole[2:27]] == [line.split() for line in first]
    assert [line.split() for line in whole[-25:]] == [line.split() for line in last]
    assert len(whole) - 2 == len(curve.to_csv().splitlines()) - 1 == len(curve)
    assert len(curve.to_markdown().splitlines()) == len(curve) + 2


@pytest.mark.parametrize(("slices", "shown"), [(49, 50), (50, 51), (300, 51)])
def test_totals_are_printed_whatever_the_number_of_slices(slices: int, shown: int) -> None:
    rows = [{"y": n % 2, "p": n % 3, "q": n % 5, "by": n // 2} for n in range(2 * slices)]
    lines = repr(sm.evaluate(rows, "mae", label="y", score="p", by="by")).splitlines()[2:]
    totals = [line for line in lines if line.split()[0] == "all"]
    assert [line.split()[1] for line in totals] == [str(2 * slices)]
    assert len([line for line in lines if "more rows" not in line]) == shown
    models = repr(sm.evaluate(rows, "mae", label="y", score={"a": "p", "b": "q"}, by="by")).splitlines()
    assert [line.split()[1] for line in models if line.split()[0] == "all"] == ["a", "b"]


def test_the_metrics_are_printed_without_a_gap() -> None:
    assert len(repr(sm.metrics()).splitlines()) == len(sm.metrics()) + 2


def test_a_wide_sign_keeps_the_columns_in_line() -> None:
    lines = {line.split()[0]: line for line in repr(sliced(["日本", "plain"])).splitlines()[2:]}
    assert lines["日本"].index("0.") == lines["plain"].index("0.") - 2  # two signs of two places each


def test_a_narrow_terminal_gets_the_table_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [{"y": n % 2, "p": n / 9, "year": 2025 + n // 4, "place": "ab"[n % 4 // 2]} for n in range(8)]
    metrics = ["auc", "log_loss", "brier", "base_rate"]
    report = sm.evaluate(rows, metrics, by=["year", "place"], label="y", score="p")
    assert repr(report) == report.to_text()
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    monkeypatch.setenv("COLUMNS", "50")
    heads = [line.split() for line in repr(report).splitlines() if line.startswith("year")]
    assert max(map(len, repr(report).splitlines()[:-1])) <= 50
    assert [head[:2] for head in heads] == [["year", "place"]] * 2
    assert [name for head in heads for name in head[2:]] == ["n_rows", *metrics]
    assert len(report.to_text().splitlines()[0]) > 50  # as a file has it


# --- values

DAY = datetime.datetime(2026, 6, 1)
GIVEN = [
    ([2025, 2026], ["2025", "2026"]),
    ([10_000_000_001, 10_000_000_002], ["10000000001", "10000000002"]),
    ([0.5, 1.0], ["0.5", "1"]),
    ([False, True], ["false", "true"]),
    ([DAY.date(), DAY.date() + datetime.timedelta(1)], ["2026-06-01", "2026-06-02"]),
    ([DAY, DAY + datetime.timedelta(1)], ["2026-06-01", "2026-06-02"]),
    ([DAY, DAY + datetime.timedelta(hours=1)], ["2026-06-01 00:00:00", "2026-06-01 01:00:00"]),
    ([None, "b"], ["null", "b"]),
    (["null", "all"], ['"null"', '"all"']),
    (["-", '"null"'], ["-", '""null""']),
]


@pytest.mark.parametrize(("values", "shown"), GIVEN)
def test_values_of_the_data_are_shown_as_they_are(values: list[Any], shown: list[str]) -> None:
    """A year has no comma, a day no hour."""
    rows = [{"y": n % 2, "p": n / 8, "by": values[n // 4]} for n in range(8)]
    report = sm.evaluate(rows, "auc", label="y", score="p", by="by")
    found = [re.split(r"\s{2,}", line.strip())[0] for line in repr(report).splitlines()[2:-1]]
    assert sorted(found) == sorted(shown)  # the engine decides where NULL comes


def test_classes_lists_and_models_are_shown_as_they_are() -> None:
    rows = [{"y": 2025 + n % 2, "c": 2025, "u": 1_000_001, "p": n / 8} for n in range(8)]
    classes = sm.confusion_matrix(rows, label="y", prediction="c")
    assert [line.split()[:2] for line in repr(classes).splitlines()[2:]] == [
        ["2025", "2025"],
        ["2026", "2025"],
    ]
    lists = sm.per_group(rows, "mrr", label=sm.sql("y - 2025"), score="p", group="u")
    assert repr(lists).splitlines()[2].split()[0] == "1000001"
    report = sm.evaluate(rows, "mae", label="y", score="p", by=["c"])
    assert list(report.flat()) == ["mae/2025", "mae"]
    assert {line.split()[0] for line in repr(report.audit).splitlines()[2:]} == {"2025", "all"}


def test_counts_are_integers_unless_weights_make_them_fractions() -> None:
    rows = [{"y": n % 2, "c": n % 2, "p": n / 8, "w": 1.0 + n % 2, "half": 0.5 + n % 2} for n in range(7)]
    shown = repr(sm.evaluate(rows, ["count", "tp", "auc", "accuracy"], label="y", score="p")).splitlines()
    assert shown[2].split() == ["7", "7", "1", "0.5000", "0.4286"]
    for weight, of_ones in (("w", "6"), ("half", "4.5000")):
        table = sm.confusion_matrix(rows, label="y", prediction="c", weight=weight)
        assert repr(table).splitlines()[-1].split()[2] == of_ones
    assert repr(sm.evaluate(rows[:2], "auc", label="y", score="p")).splitlines()[2].split() == ["2", "1.0000"]


# --- further formats


def test_an_interval_is_small_in_html() -> None:
    report = sm.evaluate(ROWS, "mae", label="y", score="p", interval=0.9)
    [row] = report
    low, high = (f"{row[f'mae_{end}']:.4f}" for end in ("low", "high"))
    assert f'<td style="text-align:right">{row["mae"]:.4f} <small>[{low}, {high}]</small></td>' in (
        report._repr_html_()
    )
    assert f"{row['mae']:.4f} [{low}, {high}]" in repr(report)


def test_csv_for_a_spreadsheet_has_no_formula() -> None:
    names = ["=1+1", "+1", "-1", "@sum(a)", "\tx", "\nx", "\uff1d1", "plain", "a=b", "é", "a;=1+1"]
    text = sliced(names).to_csv(excel=True)
    assert text.encode().startswith(b"\xef\xbb\xbf")
    header, *lines = csv.reader(io.StringIO(text.removeprefix("\ufeff")))
    assert {line[0] for line in lines if line[1] == "False"} == {
        "'=1+1", "'+1", "'-1", "'@sum(a)", "'\tx", "'\nx", "'\uff1d1", "plain", "a=b", "é", "a;=1+1",
    }  # fmt: skip
    assert '"a;=1+1"' in text  # in quotes, or a spreadsheet that divides at semicolons would compute it
    named = sm.evaluate(ROWS, {"=cmd()": "bias"}, **{**ROLES, **FACTS})
    header, line = csv.reader(io.StringIO(named.to_csv(excel=True).removeprefix("\ufeff")))
    assert header[-1] == "'=cmd()"
    assert float(line[-1]) == named.value("=cmd()") < 0  # a negative number is one
    assert {line[0] for line in csv.reader(io.StringIO(sliced(names).to_csv()))} >= set(names)


def test_latex_escapes_names_and_has_the_notes() -> None:
    rows = [{**row, "s": r"50% & #1_{x} [a] \sin ~^$"} for row in BAD]
    facts = {"by": "s", "on_bad_rows": "drop", **ROLES, **FACTS}
    report = sm.evaluate(rows, {"x_y": "bias"}, **facts)
    items = [{"y": place % 3, "p": place, "g": place // 4} for place in range(8)]
    graded = sm.evaluate(items, "mrr", label="y", score="p", group="g")
    assert "change it with positive=" in " ".join(graded.notes())
    assert "positive" not in graded.to_latex()
    name = r"50\% \& \#1\_\{x\} {[}a] \textbackslash{}sin \textasciitilde{}\textasciicircum{}\$"
    assert report.to_latex().splitlines() == [
        r"\begin{tabular}{lrr}",
        r"\toprule",
        r"s & rows & x\_y \\",
        r"\midrule",
        name + rf" & 9 & $-${-report.value('x_y'):.4f} \\",
        rf"all & 9 & $-${-report.value('x_y'):.4f} \\",
        r"\bottomrule",
        r"\multicolumn{3}{l}{\footnotesize rows dropped: 1, which n\_rows counts} \\",
        r"\end{tabular}",
    ]
