"""The playground in a browser: native numbers, files that stay on the computer, and pages that everybody can use."""

from __future__ import annotations

import gzip
import json
import math
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import duckdb
import pytest

import sqlmetrics as sm
from generate.examples import ASSETS, shell_examples
from support.browser import broken_rules, browser, needs_chromium, watched
from support.paths import ROOT
from support.site import built_site, served

pytestmark = [needs_chromium, pytest.mark.xdist_group("site"), pytest.mark.slow]
SEARCH = ROOT / "examples" / "search.parquet"
EXAMPLES = [call for calls in shell_examples().values() for call in calls]
LABEL, NUMBER = "<script>alert(1)</script>", "a \"b\" 'c' <img src=x onerror=alert(2)>"
RUN = ".run .run-button"
SHOWN = 50  # rows of a result
RESULTS = """() => [...document.querySelectorAll('.run-table table')].map(table => ({
    names: [...table.querySelectorAll('th')].map(cell => cell.textContent),
    rows: [...table.querySelectorAll('tbody tr')].map(row => [...row.cells].map(cell =>
        cell.className === 'run-null' ? null : cell.querySelector('data')?.value ?? cell.textContent)),
}))"""


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with served(built_site()) as found:
        yield found


@pytest.fixture(scope="module")
def opened() -> Iterator[Any]:
    with browser(viewport={"width": 360, "height": 800}) as (page, _):
        yield page


@pytest.fixture
def example(opened: Any, address: str) -> Any:
    return shown(opened, f"{address}metrics/auc.html")


@pytest.fixture
def own_file(opened: Any, address: str) -> Any:
    return shown(opened, f"{address}playground/index.html")


def shown(page: Any, address: str) -> Any:
    """Opens a page, unless it is open: DuckDB starts once for all tests of a page."""
    if page.url != address:
        page.goto(address)
    return page


def ran(page: Any, script: str | None = None) -> list[dict[str, Any]]:
    """Runs a script, by default the one that stands there, and reads its results."""
    if script is not None:
        if not page.locator(".run textarea").count():
            page.click(RUN)
            done(page)
        page.fill(".run textarea", script)
    page.click(RUN)
    done(page)
    return page.evaluate(RESULTS)


def done(page: Any) -> None:
    page.wait_for_function(f"!document.querySelector('{RUN}').disabled", timeout=180_000)


def taken(page: Any, path: Path) -> str:
    """Gives the page a file. Returns what it says of it."""
    page.set_input_files("#own-file input[type=file]", path)
    page.wait_for_function("!document.querySelector('#own-file input').disabled", timeout=180_000)
    return page.inner_text("#own-file > .run-status")


def agree(one: str | None, other: Any) -> bool:
    if one is None or other is None:
        return one is None and other is None
    if isinstance(other, (int, float)):
        return math.isclose(float(one), other, rel_tol=1e-12, abs_tol=1e-12)
    return one == str(other)


def check_examples(page: Any, library: Path, examples: list[str]) -> None:
    """Every value of every example is that of the native DuckDB."""
    library.write_bytes(
        gzip.decompress((built_site() / "playground" / "sqlmetrics.duckdb.gzipped").read_bytes())
    )
    found = ran(page, "\n".join(examples))
    assert page.locator(".run-error").all_inner_texts() == []
    with duckdb.connect() as native:
        native.execute(f"attach '{library}' as m (read_only)")
        native.execute(f"create table predictions as from read_csv('{ASSETS / 'predictions.csv'}')")
        native.execute("set search_path = 'memory,m'")
        for call, result in zip(examples, found, strict=True):
            rows = native.execute(call).fetchall()
            assert result["names"] == [column[0] for column in native.description], call
            shown = result["rows"]
            assert len(shown) == min(len(rows), SHOWN), call
            for row in shown:  # a GROUP BY has no order, a curve is told by all its values
                place = next((i for i, one in enumerate(rows) if all(map(agree, row, one))), None)
                assert place is not None, (call, row, rows)
                rows.pop(place)


def test_examples_have_native_numbers(example: Any, tmp_path: Path) -> None:
    check_examples(example, tmp_path / "library.duckdb", EXAMPLES[::6])


@pytest.mark.long
def test_all_examples_have_native_numbers(example: Any, tmp_path: Path) -> None:
    check_examples(example, tmp_path / "library.duckdb", EXAMPLES)


def test_a_script_its_errors_and_its_kinds_of_values(example: Any) -> None:
    script = """
        create or replace table t as select ';' as semicolon; -- not here; nor /* here;
        select semicolon, 9007199254740993 as big, 1.50::decimal(9, 2) as d, null as n, 1e-9 as small, [1, 2] as l,
            date '2026-01-02' as day, timestamp '2026-01-02 03:04:05' as time, 'nan'::double as x, '<b>' as html
        from t;
        from range(1000000);
    """
    _, values, numbers = ran(example, script)
    assert values["rows"] == [
        [
            ";",
            "9007199254740993",
            "1.5",
            None,
            "1e-9",
            "[1,2]",
            "2026-01-02",
            "2026-01-02T03:04:05.000Z",
            "NaN",
            "<b>",
        ]
    ]
    assert len(numbers["rows"]) == SHOWN
    assert "The first 50 rows" in example.inner_text(".run")
    assert [result["rows"] for result in ran(example, "select 1; from nowhere; select 2")] == [
        [["1"]],
        [["2"]],
    ]
    assert "Table with name nowhere does not exist" in example.inner_text(".run-error")
    assert ran(example, " -- nothing; here") == []
    assert "no statement" in example.inner_text(".run")
    assert ran(example, "select auc(2, 0.5)") == []
    assert "1 rows have a label that is neither 0 nor 1" in example.inner_text(".run-error")
    texts = "create or replace temp table t as select 'yes' as label, 0.5 as score;"
    texts += "create or replace temp table spaced as select 1 as y, '0,5' as \"model score\";"
    called = "from gauc('t', label := 'label', score := 'score', \"group\" := 'label')"
    for asked, words in (
        ("select auc(label, score) from t", "Column 'label' has to be numbers, and a row has 'yes'; try_cast(label as"),
        (called, "The label has to be numbers, and a row has 'yes'; try_cast(column as double) makes NULL"),
        ("select auc(label >= 1, score) from t", "A column is text, and a number is compared with it; try_cast("),
    ):  # fmt: skip
        ran(example, f"{texts} {asked}")
        assert example.inner_text(".run-error").startswith(words)
    ran(example, f'{texts} select auc(y, "model score") from spaced')
    assert 'try_cast("model score" as double)' in example.inner_text(".run-error")


@pytest.fixture(scope="module")
def copies(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("files")
    rows = duckdb.sql(f"from '{SEARCH}'")
    rows.write_parquet(str(made / "zstd.parquet"), compression="zstd")
    rows.write_csv(str(made / "search.csv"))
    (made / "search.json").write_text(json.dumps(rows.to_arrow_table().to_pylist()))
    (made / "search.jsonl").write_text("\n".join(map(json.dumps, rows.to_arrow_table().to_pylist())))
    return made


MORE = {
    "zstd.parquet": ("brier", "rmse", "gauc", "map", "err"),
    "search.csv": (),
    "search.json": (),
    "search.jsonl": (),
}


@pytest.mark.parametrize("name", MORE)
def test_a_file_has_the_numbers_of_evaluate(own_file: Any, copies: Path, name: str) -> None:
    assert "10,569 rows, 7 columns" in taken(own_file, copies / name)
    form = {"label": "grade", "score": "score", "by": "country", "group": "query_id"}
    for role, column in form.items():
        own_file.select_option(f"#own-file [name={role}]", column)
    own_file.fill("#own-file [name=positive]", "1")
    for macro in MORE[name]:
        own_file.check(f"#own-file [value={macro}]")
    results = ran(own_file)
    assert own_file.locator(".run-error").all_inner_texts() == []
    facts = form | {"positive": 1, "max_grade": 4}
    names = {"err": "err@10", "map": "map@10"}
    asked = {"auc": "auc", "ndcg": "ndcg@10"} | {macro: names.get(macro, macro) for macro in MORE[name]}
    report = sm.evaluate(SEARCH, asked, **facts).to_dicts()
    expected = {row["country"] or "all": row for row in report}
    compared = set()
    for result in results:
        for row in result["rows"]:
            for metric, value in zip(result["names"], row, strict=True):
                if metric in {*asked, "n_groups"}:
                    compared.add((row[0], metric))
                    assert agree(value, expected[row[0]][metric]), (row[0], metric)
    assert len(compared) == 6 * len([*asked, "n_groups"])


def test_slices_and_lists_of_numbers_are_what_is_written(own_file: Any, tmp_path: Path) -> None:
    path = tmp_path / "versions.csv"
    lists = [("3.1", "01", 1, 0.9), ("3.1", "01", 0, 0.1), ("3.10", "1", 0, 0.8), ("3.10", "1", 1, 0.2)]
    path.write_text("\n".join(["app,session,y,p", *(",".join(map(str, row)) for row in lists)]))
    assert "4 rows, 4 columns" in taken(own_file, path)
    for role, column in {"label": "y", "score": "p", "by": "app", "group": "session"}.items():
        own_file.select_option(f"#own-file [name={role}]", label=column)
    areas, ranks = (result["rows"] for result in ran(own_file))
    assert [row[:2] for row in areas] == [["3.1", "1"], ["3.10", "0"], ["all", "0.75"]]
    assert [row[0] for row in ranks] == ["3.1", "3.10", "all"]
    assert sm.evaluate(path, "ndcg@10", label="y", score="p", group="session").value("n_groups") == 2


def test_names_and_values_are_text(own_file: Any, tmp_path: Path) -> None:
    path = tmp_path / "hostile.csv"
    names = ", ".join(f'"{name.replace(chr(34), chr(34) * 2)}"' for name in (LABEL, NUMBER, "slice"))
    slices = f"['<b>&amp;', 'שלום', '{'x' * 300}']"
    rows = duckdb.sql(
        f"from (select i % 2, i / 9, {slices}[1 + i // 3] from range(9) as numbers (i)) as hostile ({names})"
    )
    rows.write_csv(str(path))
    taken(own_file, path)
    own_file.select_option("#own-file [name=label]", LABEL)
    own_file.select_option("#own-file [name=score]", NUMBER)
    own_file.select_option("#own-file [name=by]", "slice")
    own_file.select_option("#own-file [name=group]", "slice")
    rows, lists = ran(own_file)
    report = sm.evaluate(path, ["auc", "ndcg@10"], label=LABEL, score=NUMBER, by="slice", group="slice")
    expected = {row["slice"] or "all": row for row in report.to_dicts()}
    assert {row[0]: float(row[1]) for row in rows["rows"]} == pytest.approx(
        {name: row["auc"] for name, row in expected.items()}, rel=1e-12
    )
    assert {row[0]: float(row[1]) for row in lists["rows"]} == pytest.approx(
        {name: row["ndcg_10"] for name, row in expected.items()}, rel=1e-12
    )
    assert own_file.locator("#own-file :is(script, img)").count() == 0
    assert own_file.evaluate("document.documentElement.scrollWidth") <= 360
    assert broken_rules(own_file) == []


def test_rows_that_are_left_out_are_counted(own_file: Any, tmp_path: Path) -> None:
    """Those that evaluate would refuse, beside metrics of rows and of lists; no line says that there are none."""
    path = tmp_path / "lacking.csv"
    path.write_text("y,p,q\ntrue,0.9,a\nfalse,0.3,a\ntrue,0.2,a\nfalse,,a\n,,b\n,0.1,b\ntrue,0.5,\n")
    taken(own_file, path)
    own_file.select_option("#own-file [name=group]", "q")
    ran(own_file)
    two = ["2 rows without a label are left out.", "1 row without a score is left out."]
    lines = own_file.locator(".run-table > p").all_inner_texts()
    assert lines == [*two, *two, "1 row without a list is left out."]
    whole = tmp_path / "whole.csv"
    whole.write_text("y,p\ntrue,0.9\nfalse,0.3\n")
    taken(own_file, whole)
    assert ran(own_file)[0]["rows"] == [["1", "0", "0"]]
    assert own_file.locator(".run-table > p").count() == 0


def test_an_error_leaves_the_other_results(own_file: Any, tmp_path: Path) -> None:
    """Grades have no auc, which names the field that says so, and ndcg."""
    path = tmp_path / "grades.csv"
    path.write_text("grade,p,q\n3,0.9,a\n0,0.3,a\n1,0.2,b\n")
    taken(own_file, path)
    own_file.select_option("#own-file [name=group]", "q")
    [ranks] = ran(own_file)
    assert ranks["names"][0] == "ndcg"
    said = own_file.inner_text(".run-error")
    assert "neither 0 nor 1" in said
    assert said.endswith("Fill in above: A row is positive from this label on")
    own_file.fill("#own-file [name=positive]", "1")
    assert len(ran(own_file)) == 2


@pytest.mark.parametrize(
    ("content", "label", "score"),
    [
        ("id,clicked,p\n1,0,0.5\n2,1,0.7\n", "clicked", "p"),
        ("id,bought,margin\n1,true,0.5\n2,false,0.7\n", "bought", "margin"),
        ("p,y\n0.5,1\n0.7,0\n", "y", "p"),
        ("a,b\n0.5,0.25\n0.7,0.75\n", "", ""),
    ],
)
def test_label_and_score_are_guessed_or_asked_for(
    own_file: Any, tmp_path: Path, content: str, label: str, score: str
) -> None:
    path = tmp_path / "guessed.csv"
    path.write_text(content)
    taken(own_file, path)
    chosen = [own_file.input_value(f"#own-file [name={role}]") for role in ("label", "score")]
    assert chosen == [label, score]
    results = ran(own_file)
    assert (len(results) > 0) == bool(label)
    if not label:
        assert "Choose the columns of label and score" in own_file.input_value(".run textarea")
        own_file.select_option("#own-file [name=label]", "b")
        own_file.select_option("#own-file [name=score]", "a")
        assert "auc" in own_file.input_value(".run textarea")


REFUSED = {
    "empty.csv": (b"", "empty.csv is empty"),
    "header.csv": (b"y,p\n", "has no rows"),
    "data.xlsx": (b"PK", "data.xlsx does not end in .parquet"),
    "not.parquet": (b"y,p\n1,0.5\n", "not.parquet cannot be read as Parquet"),
    "broken.json": (b'[{"y": 1,', "neither an array of objects nor an object a line"),
    "list.json": (b"[[1, 2]]", "neither an array of objects nor an object a line"),
    "big.json": (b'{"id": 9007199254740993, "y": 1}', "id has whole numbers above 2^53"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_a_file_that_is_refused(own_file: Any, tmp_path: Path, name: str) -> None:
    content, said = REFUSED[name]
    path = tmp_path / name
    path.write_bytes(content)
    assert said in taken(own_file, path)
    assert not own_file.is_visible("#own-file form")


def test_a_large_file_is_refused(own_file: Any, tmp_path: Path) -> None:
    with (tmp_path / "large.parquet").open("wb") as file:
        file.truncate(201_000_000)
    assert "has 201 MB. This page takes at most 200 MB" in taken(own_file, tmp_path / "large.parquet")


def test_the_example_by_keyboard(own_file: Any) -> None:
    own_file.focus(".own-file-drop button")
    own_file.keyboard.press("Enter")
    own_file.wait_for_selector("#own-file form:not([hidden])")
    own_file.focus(".run textarea")
    own_file.keyboard.press("Control+End")
    own_file.keyboard.type("select 42 as answer")
    own_file.keyboard.press("Control+Enter")
    own_file.wait_for_selector(".run-table >> text=answer")
    assert own_file.evaluate(RESULTS)[-1]["rows"] == [["42"]]


def test_nothing_goes_to_another_host(example: Any) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        other.setblocking(False)
        address = f"http://127.0.0.1:{other.getsockname()[1]}/"
        for script in (
            f"from read_csv('{address}predictions.csv')",
            f"set custom_extension_repository = '{address}'; install json; load json",
        ):
            ran(example, script)
            assert example.locator(".run-error").count() == 1
        assert example.evaluate("address => fetch(address).catch(() => 'refused')", address) == "refused"
        with pytest.raises(BlockingIOError):  # nobody has called
            other.accept()


def test_pages_load_little_and_without_an_error(opened: Any, address: str) -> None:
    context = opened.context.browser.new_context()
    page = context.new_page()
    seen = watched(page)
    page.goto(f"{address}metrics/auc.html")
    assert not [request for request in seen.requests if "duckdb" in request]
    page.focus(RUN)
    page.keyboard.press("Enter")
    page.wait_for_selector(".run-table", timeout=180_000)
    assert broken_rules(page) == []
    paths = {request.removeprefix(address) for request in seen.requests}
    loaded = [path for path in paths if path.startswith("playground/")]
    assert sum((built_site() / path).stat().st_size for path in loaded) < 10e6
    page.goto(f"{address}playground/index.html")
    assert broken_rules(page) == []
    assert seen.errors == []
    assert all(request.startswith((address, "blob:")) for request in seen.requests)
    context.close()
