"""The notebooks of `examples/`: their cells run and print what is stored below them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from generate.notebooks import NOTEBOOKS, executed, read, text_of
from generate.site import ROOT


def _texts(notebook: dict[str, Any]) -> list[list[str]]:
    """What each cell prints and shows, without the pictures, which are drawn anew with each vl-convert."""
    outputs = [cell.get("outputs", []) for cell in notebook["cells"]]
    return [["".join(one.get("text") or one["data"]["text/plain"]) for one in cell] for cell in outputs]


def _pictures(notebook: dict[str, Any]) -> list[int]:
    """The numbers of the cells that show a picture."""
    outputs = [cell.get("outputs", []) for cell in notebook["cells"]]
    return [
        i for i, cell in enumerate(outputs) if any("image/svg+xml" in one.get("data", {}) for one in cell)
    ]


@pytest.mark.slow
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_cells_print_what_is_stored(path: Path) -> None:
    stored, again = read(path), executed(path)
    assert _texts(again) == _texts(stored), "write it anew: make readme"
    assert _pictures(again) == _pictures(stored), "write it anew: make readme"


def test_each_role_has_a_notebook() -> None:
    roles = ["analyst", "analytics_engineer", "data_scientist", "llm_evaluations", "search_engineer"]
    assert [path.stem for path in NOTEBOOKS] == roles
    index = (ROOT / "docs" / "index.md").read_text(encoding="utf-8")
    assert [path.name for path in NOTEBOOKS if f"examples/{path.name}" not in index] == []


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebooks_are_small_and_of_the_format(path: Path) -> None:
    notebook = read(path)
    assert text_of(notebook) == path.read_text(encoding="utf-8")
    assert path.stat().st_size < 150_000
    assert (notebook["nbformat"], notebook["nbformat_minor"]) == (4, 5)
    assert notebook["cells"][0]["cell_type"] == "markdown"
    ids = [cell["id"] for cell in notebook["cells"]]
    assert len(set(ids)) == len(ids)
    code = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    assert all({"execution_count", "outputs"} <= set(cell) for cell in code)


def test_an_output_that_changed_is_seen(tmp_path: Path) -> None:
    """A value is shown as text, a print before it; a cell that ends in a statement shows nothing."""
    sources = ["x = 1\n", "print('said')\nx + 1", "None"]
    cells = [{"cell_type": "code", "source": [source], "outputs": []} for source in sources]
    path = tmp_path / "one.ipynb"
    path.write_text(json.dumps({"cells": cells}), encoding="utf-8")
    assert _texts(executed(path)) == [[], ["said\n", "2"], []]
