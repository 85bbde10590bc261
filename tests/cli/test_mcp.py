"""`sqlmetrics mcp`, asked by the client of the official SDK over standard input and output."""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path
from typing import Any

import pytest

import sqlmetrics as sm
from sqlmetrics.mcp import tools, within
from support.command_line import refused
from support.processes import surroundings

ROWS = "q,y,p,r\n" + "".join(
    f"{i // 4},{i % 3 % 2},{(i * 7) % 10 / 10},{(i * 3) % 10 / 10}\n" for i in range(80)
)
FACTS = {"label": "y", "score": ["p", "r"], "group": "q"}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of data, with a link that leads out of it, beside a file that nobody may read."""
    top = tmp_path_factory.mktemp("served")
    (top / "data").mkdir()
    (top / "data" / "rows.csv").write_text(ROWS)
    (top / "secret.csv").write_text(ROWS)
    (top / "data" / "link.csv").symlink_to(top / "secret.csv")
    return top / "data"


def asked(folder: Path, *calls: tuple[str, dict[str, Any]]) -> tuple[list[Any], list[Any]]:
    """The tools of a server over a folder, and its answers to some calls."""
    mcp = pytest.importorskip("mcp", reason="needs the extra mcp")
    parameters = mcp.StdioServerParameters(
        command=sys.executable, args=["-m", "sqlmetrics", "mcp", str(folder)], env=dict(surroundings())
    )

    async def talk() -> tuple[list[Any], list[Any]]:
        async with mcp.Client(parameters) as client:
            listed = await client.list_tools()
            return listed.tools, [await client.call_tool(name, given) for name, given in calls]

    return asyncio.run(talk())


@pytest.mark.slow
def test_client_asks_every_tool(folder: Path) -> None:
    data = {"data": "rows.csv", "metrics": ["auc", "ndcg@3"]}
    listed, answers = asked(
        folder,
        ("metrics", {"word": "calibration"}),
        ("describe", {"name": "ndcg"}),
        ("evaluate", {**data, "options": FACTS}),
        ("compare", {**data, "options": {**FACTS, "baseline": "r"}}),
        (
            "find_slices",
            {**data, "metrics": "auc", "options": {"label": "y", "score": "p", "by": "q", "min_units": 2}},
        ),
        (
            "render",
            {"relation": "t", "metrics": "auc", "options": {"label": "y", "score": "p", "dialect": "spark"}},
        ),
        ("evaluate", {**data, "options": {**FACTS, "label": "z"}}),
        ("evaluate", {**data, "data": "../secret.csv"}),
    )
    assert [tool.name for tool in listed] == [
        "metrics",
        "describe",
        "evaluate",
        "compare",
        "find_slices",
        "render",
    ]
    assert all(tool.annotations.read_only_hint for tool in listed)
    texts = [answer.content[0].text for answer in answers]
    assert [answer.is_error for answer in answers] == [False] * 6 + [True] * 2
    assert {"ece", "mce"} <= {metric["metric"] for metric in json.loads(texts[0])}
    assert texts[1] == sm.describe("ndcg")
    rows = str(folder / "rows.csv")
    assert json.loads(texts[2])["rows"] == sm.evaluate(rows, data["metrics"], **FACTS).to_dicts()
    compared = json.loads(sm.compare(rows, data["metrics"], baseline="r", **FACTS).to_json())["rows"]
    for row, expected in zip(json.loads(texts[3])["rows"], compared, strict=True):
        assert row == pytest.approx(expected)
    assert "rows" in json.loads(texts[4])
    assert texts[5] == sm.render("t", "auc", label="y", score="p", dialect="spark")
    assert texts[6] == f"Column 'z' (label=) is not in {rows}. Columns: q, y, p, r."
    assert texts[7] == f"'../secret.csv' leads out of the folders that may be read: '{folder}'"


@pytest.mark.parametrize("path", ["../secret.csv", "link.csv", "*.csv", "/etc/passwd", "~/x.csv/../../../x"])
def test_what_leads_out_is_refused(folder: Path, path: str) -> None:
    with pytest.raises(sm.SqlMetricsError, match="leads out of the folders that may be read"):
        within([folder], path)
    evaluate = tools([folder])[2]
    with pytest.raises(sm.SqlMetricsError, match="leads out of the folders that may be read"):
        evaluate("rows.csv", "recall@3", {"label": "y", "score": "p", "group": "q", "truth": path})


def test_a_file_in_several_folders_is_named_whole(tmp_path: Path) -> None:
    roots = [tmp_path / "it's", tmp_path / "b[c]"]
    for root in roots:
        root.mkdir()
        (root / "rows.csv").write_text(ROWS)
    evaluate = tools(roots)[2]
    with pytest.raises(sm.SqlMetricsError, match="is in several of the folders; write its whole path"):
        evaluate("rows.csv", "auc", {"label": "y", "score": "p"})
    for root in roots:
        answer = evaluate(str(root / "rows.csv"), "auc", {"label": "y", "score": "p"})
        assert json.loads(answer)["rows"][0]["n_rows"] == 80


@pytest.mark.slow
def test_an_option_beside_the_options_is_refused(folder: Path) -> None:
    call = {"data": "rows.csv", "metrics": "auc", "options": {"label": "y", "score": "p"}, "by": "q"}
    _, (answer,) = asked(folder, ("evaluate", call))
    assert answer.is_error
    assert "by" in answer.content[0].text


@pytest.mark.parametrize(
    "path", ["https://host/x.csv", "select 1", "missing.csv", "read_csv('/etc/passwd')", "y\0z", "y" * 300]
)
def test_data_are_files(folder: Path, path: str) -> None:
    with pytest.raises(sm.DataError, match=r"No file matches .* below"):
        within([folder], path)


@pytest.mark.parametrize(
    ("option", "value"),
    [("where", "true"), ("connection", "x"), ("y_true", [1]), ("labl", "y"), ("dialect", "spark")],
)
def test_unknown_option_is_refused(folder: Path, option: str, value: Any) -> None:
    evaluate = tools([folder])[2]
    with pytest.raises(sm.SqlMetricsError, match=f"'{option}' is no option of this tool"):
        evaluate("rows.csv", "auc", {"label": "y", "score": "p", option: value})


@pytest.mark.parametrize("word", ["none", "y" * 300, "y\nz\x1b[31m"])
def test_what_is_not_a_folder(run, word: str) -> None:
    assert "is not a folder; name the folders whose files may be read" in refused(run, "mcp", word)
