"""The scripts and files of the playground: DuckDB for a browser, the macros, and what the page says of each metric."""

from __future__ import annotations

import gzip
import json
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from generate.site import DOCS
from sqlmetrics.book.catalog import Metric, catalog
from sqlmetrics.book.templates import macros
from sqlmetrics.shell.database import write_database
from sqlmetrics.shell.install import shell_macros

MODULES = DOCS / "node_modules"
DUCKDB = MODULES / "@duckdb" / "duckdb-wasm" / "dist"
SCRIPTS = ["run.mjs", "own_file.mjs", "parquet.mjs"]
SIGNATURE = re.compile(r"^create or replace macro (\w+)\((.*?)\) as( table)?", re.MULTILINE)
COLUMNS = ("data", "label", "grade", "score", "group")
#: the numbers of lists that the form asks for
NUMBERS = ("k", "max_grade")


def write(folder: Path) -> None:
    """Writes the folder `playground` of the site; needs docs/node_modules, which `make browser` installs."""
    folder.mkdir(parents=True, exist_ok=True)
    command = [MODULES / ".bin" / "esbuild", *SCRIPTS, "--bundle", "--splitting", "--format=esm", "--minify"]
    command += ["--log-level=error", f"--outdir={folder.resolve()}"]
    subprocess.run(list(map(str, command)), cwd=DOCS / "playground", check=True)
    (folder / "duckdb-worker.js").write_bytes((DUCKDB / "duckdb-browser-eh.worker.js").read_bytes())
    parquet = MODULES / "parquet-wasm" / "esm" / "parquet_wasm_bg.wasm"
    (folder / "parquet.wasm").write_bytes(parquet.read_bytes())
    library = folder / "sqlmetrics.duckdb"
    write_database(library)
    for path in (DUCKDB / "duckdb-eh.wasm", library):
        name = path.name.replace("duckdb-eh.wasm", "duckdb.wasm")
        (folder / f"{name}.gzipped").write_bytes(gzip.compress(path.read_bytes(), 6, mtime=0))
    library.unlink()
    (folder / "metrics.json").write_text(json.dumps(list(_metrics())), encoding="utf-8")


def _metrics() -> Iterator[dict[str, Any]]:
    """The metrics that the form offers: aggregates over rows, tables over lists, without further numbers."""
    signatures: dict[tuple[str, bool], dict[str, Any]] = {}
    for name, arguments, table in SIGNATURE.findall(shell_macros()):
        parts = [part.partition(" := ") for part in arguments.split(", ")]
        form = {part.strip('"'): default for part, _, default in parts}
        signatures.setdefault((name, bool(table)), form)
    for metric in sorted(catalog().values(), key=lambda metric: metric.name):
        entry = {"macro": metric.macro, "name": metric.name}
        aggregate = macros("duckdb")["shell_aggregate_name"](entry)
        lists = metric.grain == "lists"
        name = metric.macro.removeprefix("metric_") if lists else aggregate
        form = signatures.get((name, lists))
        if form is None or any(not form[part] and part not in (*COLUMNS, *NUMBERS) for part in form):
            continue
        yield {
            "macro": name,
            "over": metric.grain,
            "label": _label(metric),
            "columns": [part for part in form if part in COLUMNS],
            "options": [part for part in form if part in NUMBERS],
            "summary": metric.summary,
        }


def _label(metric: Metric) -> str:
    """What a metric takes for a label: a class, which is 0 or 1, or a grade or number, which stays as it is."""
    facts = {"group": "g"} if metric.grain == "lists" else {}
    plan = macros("duckdb")["plan"](
        [metric.example], relation="p", label="y", score="s", max_grade=4, **facts
    )
    checks = {check["name"] for check in plan["result"]["checks"].values()}
    return "class" if checks & {"rows_not_binary", "rows_graded"} else "number"
