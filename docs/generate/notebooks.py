"""The notebooks of `examples/`, run: `make readme` stores what their cells print and show.

A cell runs in the folder of the notebook, and gives what it prints, then the value of its last expression. Of a value
the text and the picture are stored, and no HTML or specification, which are long.
"""

from __future__ import annotations

import ast
import contextlib
import io
import json
from pathlib import Path
from typing import Any

from generate.outputs import folder
from generate.site import ROOT

NOTEBOOKS = sorted((ROOT / "examples").glob("*.ipynb"))
STORED = ("image/svg+xml", "text/plain")


def read(path: Path) -> dict[str, Any]:
    """A notebook as it is stored."""
    notebook: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return notebook


def executed(path: Path) -> dict[str, Any]:
    """A notebook with the outputs of its cells; raises what a cell raises."""
    notebook = read(path)
    names: dict[str, Any] = {}
    with folder(path.parent):
        for cell in notebook["cells"]:
            if cell["cell_type"] == "code":
                cell["outputs"] = _outputs("".join(cell["source"]), names)
    return notebook


def _outputs(code: str, names: dict[str, Any]) -> list[dict[str, Any]]:
    tree = ast.parse(code)
    last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
    printed, value = io.StringIO(), None
    with contextlib.redirect_stdout(printed):
        exec(compile(tree, "cell", "exec"), names)
        if isinstance(last, ast.Expr):
            value = eval(compile(ast.Expression(last.value), "cell", "eval"), names)
    outputs: list[dict[str, Any]] = []
    if printed.getvalue():
        outputs.append({"name": "stdout", "output_type": "stream", "text": _lines(printed.getvalue())})
    if value is not None:
        outputs.append({"data": _shown(value), "metadata": {}, "output_type": "display_data"})
    return outputs


def _shown(value: Any) -> dict[str, list[str]]:
    bundle = value._repr_mimebundle_() if hasattr(value, "_repr_mimebundle_") else {"text/plain": repr(value)}
    return {kind: _lines(bundle[kind]) for kind in STORED if kind in bundle}


def _lines(text: str) -> list[str]:
    return text.splitlines(keepends=True)


def text_of(notebook: dict[str, Any]) -> str:
    """The file of a notebook, as Jupyter writes it."""
    return json.dumps(notebook, indent=1, ensure_ascii=False) + "\n"
