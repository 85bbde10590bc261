"""In a Jupyter kernel: one output a cell, an error of a few lines, and completion of public names."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from jupyter_client.manager import start_new_kernel

import sqlmetrics as sm
from support.paths import ROOT

OUTPUTS = ("stream", "display_data", "execute_result", "error")
START = f"""
import sys
sys.path.insert(0, {str(ROOT)!r})
import sqlmetrics as sm
rows = [{{"y": n % 2, "p": n / 9, "day": n % 3}} for n in range(10)]
report = sm.evaluate(rows, ["auc", "count"], label="y", score="p", by="day")
"""


@pytest.fixture(scope="module")
def kernel() -> Iterator[Any]:
    manager, client = start_new_kernel(kernel_name="python3")
    try:
        yield client
    finally:
        client.stop_channels()
        manager.shutdown_kernel(now=True)


@pytest.fixture(scope="module")
def run(kernel: Any) -> Callable[[str], list[tuple[str, Any]]]:
    """Runs a cell: the kind and content of each of its outputs."""

    def cell(code: str) -> list[tuple[str, Any]]:
        found: list[tuple[str, Any]] = []
        kernel.execute_interactive(
            code, timeout=60, output_hook=lambda said: found.append((said["msg_type"], said["content"]))
        )
        return [(kind, content) for kind, content in found if kind in OUTPUTS]

    assert cell(START) == []
    return cell


@pytest.mark.slow
def test_print_is_one_output_of_text(run: Callable[[str], list[tuple[str, Any]]]) -> None:
    [(kind, content)] = run("print(report)")
    assert kind == "stream"
    assert content["text"].splitlines()[-1].split() == ["all", "10", "0.6000", "10"]


@pytest.mark.slow
def test_a_result_is_one_output_of_text_and_html(run: Callable[[str], list[tuple[str, Any]]]) -> None:
    [(kind, content)] = run("report")
    assert kind == "execute_result"
    assert set(content["data"]) == {"text/plain", "text/html"}
    assert content["data"]["text/html"].startswith("<table>")


@pytest.mark.slow
@pytest.mark.parametrize(
    "code",
    [
        'sm.evaluate(rows, "acu", label="y", score="p")',
        'sm.evaluate(rows, "auc", label=sm.sql("nonsense(y)"), score="p")',
        'sm.evaluate(rows, "auc", lable="y", score="p")',
        'report.value("auc", day=9)',
    ],
)
def test_an_error_shows_the_line_of_the_user(run: Callable[[str], list[tuple[str, Any]]], code: str) -> None:
    [(kind, content)] = run(code)
    assert kind == "error"
    lines = re.sub(r"\x1b\[[0-9;]*m", "", "\n".join(content["traceback"])).splitlines()
    assert [line for line in lines if line.startswith("----> ")] == [f"----> 1 {code}"]
    assert len([line for line in lines if line.startswith("File ")]) == 1, (
        lines
    )  # that of the public function
    assert len(lines) < 15, lines


@pytest.mark.slow
def test_completion_shows_public_names(kernel: Any, run: Callable[[str], list[tuple[str, Any]]]) -> None:
    matches = kernel.complete("sm.", reply=True, timeout=60)["content"]["matches"]
    assert sorted(matches) == sorted(sm.__all__)
