"""The page of each metric: its examples run and give what it shows."""

from __future__ import annotations

import functools
import json
import re
import shlex
import textwrap
from types import SimpleNamespace
from typing import Any

import duckdb
import pytest

import sqlmetrics as sm
from generate.examples import ASSETS, entries, example, shell_examples_of, values_by_convention
from generate.libraries import names
from generate.metric_pages import page
from generate.outputs import run
from generate.tables import page_name
from sqlmetrics.book.catalog import Metric, catalog
from sqlmetrics.book.jinja import environment
from sqlmetrics.book.templates import macros
from support.site import built_site

pytestmark = [pytest.mark.xdist_group("site"), pytest.mark.slow]


@pytest.fixture(scope="module")
def tables() -> duckdb.DuckDBPyConnection:
    """A connection with the macros, and with the data of the examples as tables."""
    connection = duckdb.connect()
    sm.install(connection)
    for path in ASSETS.glob("*.csv"):
        connection.execute(f"create table {path.stem} as from '{path}'")
    return connection


def source(metric: Metric) -> str:
    """The page of a metric or a curve before it is built."""
    folder = "metrics" if metric.macro in catalog() else "curves"
    return (built_site().parent / "pages" / folder / page_name(metric)).read_text(encoding="utf-8")


@functools.cache
def pages() -> dict[str, str]:
    """The pages by macro, as they are made."""
    return {macro: page(metric) for macro, metric in entries().items()}


def test_python_is_the_call_whose_result_is_shown() -> None:
    """The text is run with a stand-in that records the call; the result on the page is that of this call."""
    for macro, metric in entries().items():
        shown = example(macro)
        calls: list[tuple[Any, ...]] = []

        def record(*given: Any, into: list[tuple[Any, ...]] = calls, **facts: Any) -> None:
            into.append((*given, facts))

        code = shown.python.removeprefix("import sqlmetrics as sm\n")
        exec(code, {"sm": SimpleNamespace(evaluate=record, curve=record), "print": lambda _: None})
        asked = (shown.data, [metric.example]) if shown.call == "evaluate" else (metric.example, shown.data)
        assert calls == [(*asked, shown.facts)]
        text = source(metric)
        assert textwrap.indent(shown.python, "    ") in text
        assert str(shown.result).splitlines()[0] in text


def test_commands_ask_the_same() -> None:
    for macro, metric in entries().items():
        shown = example(macro)
        words = shlex.split(shown.command)
        given = {
            words[i][2:].replace("-", "_"): words[i + 1]
            for i in range(len(words))
            if words[i].startswith("--")
        }
        assert given == {name: str(value) for name, value in shown.facts.items()}
        assert metric.example in words


def test_a_command_of_each_kind_prints_the_result(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(ASSETS)
    kinds = {(one.call, one.data, str(one.facts)): one for one in map(example, entries())}
    assert len(kinds) > 10
    for shown in kinds.values():
        run(shown.command + " --format json")
        printed = json.loads(capsys.readouterr().out)
        rows = printed if isinstance(printed, list) else printed["rows"]
        assert len(rows) == len(shown.result.to_dicts())


def test_dbt_gives_the_same_value(tables: duckdb.DuckDBPyConnection) -> None:
    for macro in catalog():
        shown = example(macro)
        template = environment().from_string(shown.dbt)
        sql = template.render(sqlmetrics=macros("duckdb"), ref=lambda name: name)
        rows = tables.execute(sql)
        names = [column[0] for column in rows.description]
        [value] = [row[names.index(shown.result.columns[-1])] for row in rows.fetchall()]
        assert value == pytest.approx(shown.result.to_dicts()[0][shown.result.columns[-1]], rel=1e-12), macro


def test_examples_of_the_shell_run(tables: duckdb.DuckDBPyConnection) -> None:
    calls = [call for metric in entries().values() for call in shell_examples_of(metric)]
    assert len(calls) > 120
    for call in calls:
        assert tables.execute(call).fetchall(), call


def test_the_run_element_holds_an_example_and_its_macro() -> None:
    text = source(catalog()["metric_auc"])
    found = re.findall(r'<div class="run" data-macro="(\w+)" markdown>\n\n```sql\n(.*?)\n```\n\n</div>', text)
    assert found == [("auc", call) for call in shell_examples_of(catalog()["metric_auc"])]


def test_values_of_libraries_are_those_of_their_convention() -> None:
    given = example("metric_ndcg").given | {"item": "item"}
    for convention, value in values_by_convention()["metric_ndcg"].items():
        of = {} if convention == "default" else {"convention": convention}
        [shown] = sm.evaluate(ASSETS / "predictions.csv", ["ndcg@3"], **given, **of).flat().values()
        assert shown == pytest.approx(value, rel=1e-12)


def test_a_page_says_what_differs_in_other_libraries() -> None:
    of_auc, of_mape = pages()["metric_auc"], pages()["metric_mape"]
    hivemall, sklearn = (
        "[Hivemall](../coming-from/hivemall.md)",
        "[`sklearn`](../coming-from/scikit-learn.md)",
    )
    evidently = "[evidently](../coming-from/evidently.md)"
    assert f"| {hivemall} | `auc` | `auc` | rows have to arrive in the order of the score there |" in of_auc
    assert f"| {sklearn} | `roc_auc_score(y, p, max_fpr=0.1)` | `auc(max_fpr=0.1)` | nothing |" in of_auc
    assert "| `lightgbm` | the defaults |" in of_auc
    assert f"| {evidently} | `MAPE` | `mape` | a fraction here, a percentage there |" in of_mape
    # the page of a metric has no row above, to which such words could refer
    assert [name.differs for name in names() if re.search(r"\bthe (rest the )?same\b", name.differs)] == []


def test_tables_have_no_empty_cells() -> None:
    for macro, text in pages().items():
        rows = [line for line in text.splitlines() if line.startswith("|")]
        assert [row for row in rows if re.search(r"\|\s*\|", row)] == [], macro


def test_a_page_without_a_run_says_why() -> None:
    """Run stands beside examples of the DuckDB shell. The library of macros lacks some metrics."""
    without = {macro for macro, metric in entries().items() if not shell_examples_of(metric)}
    assert {"metric_pass_at", "metric_spearman", "metric_novelty"} < without
    for macro, text in pages().items():
        said = "[macros for a DuckDB shell](../howto/duckdb-shell.md) have no function for" in text
        assert said == (macro in without)
        assert ('<div class="run"' in text) == (macro not in without)


def test_a_metric_without_data_says_where_to_add_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("generate.examples.FACTS", ())
    with pytest.raises(LookupError, match="add facts to FACTS"):
        example.__wrapped__("metric_auc")


def test_markdown_of_headers_shows_their_signs() -> None:
    texts = "\n".join(map(source, catalog().values()))
    outside = re.sub(r"```.*?```|`[^`\n]*`|<math .*?</math>", "", texts, flags=re.DOTALL)
    assert re.findall(r"<(?!/?div\b|!--)\w+", outside) == []
