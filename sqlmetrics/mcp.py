"""An MCP server over standard input and output: agents ask for metrics of files in the folders that the user names.

It only reads. Paths lead into the folders, and DuckDB itself may open nothing else. No text of a call is run as SQL.
"""

from __future__ import annotations

import functools
import glob
import inspect
import json
import os
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import sqlmetrics as sm
from sqlmetrics.engines.files import files_of, no_file, unescaped
from sqlmetrics.errors import DataError, SqlMetricsError, did_you_mean
from sqlmetrics.given.arrays import ROLES
from sqlmetrics.options import OPTIONS

INSTRUCTIONS = (
    "Metrics of predictions, with a defined treatment of ties, empty lists, single classes and NaN. Look a metric up"
    " by `metrics` and `describe` before you ask for it. A null is a number that does not exist, and the notes of a"
    " result say what was left out: report both."
)
#: Options that name a file besides the data; `other` is a second table of `compare`.
FILES = {*(name for name, option in OPTIONS.items() if option.written == "FILE"), "other"}
#: What a call cannot say: SQL, arrays, and where statements run.
WITHHELD = {
    *(name for name, option in OPTIONS.items() if option.written == "SQL"),
    *ROLES,
    "connection",
    "dialect",
}


def serve(folders: Iterable[Path]) -> None:
    """Answers until standard input ends.

    Raises:
        SqlMetricsError: a path that is not a folder; the library `mcp` is not installed.
    """
    named = [*folders]
    for folder in named:
        if not os.path.isdir(folder):  # noqa: PTH112 - a Path raises an error if the name is too long
            raise SqlMetricsError(
                f"'{folder}' is not a folder; name the folders whose files may be read: sqlmetrics mcp data"
            )
    roots = [*dict.fromkeys(Path(os.path.realpath(folder)) for folder in named)]
    try:
        from mcp.server import MCPServer
        from mcp.server.mcpserver.tools import Tool
        from mcp.types import CallToolResult, TextContent, ToolAnnotations
    except ImportError as error:
        raise SqlMetricsError("mcp needs a library: pip install 'sqlmetrics[mcp]'") from error

    def refusal(sentence: str) -> Any:
        return CallToolResult(content=[TextContent(type="text", text=sentence)], is_error=True)

    served = []
    for tool in tools(roots):
        answered, reads = _with_sentences(tool, refusal), ToolAnnotations(read_only_hint=True)
        served.append(Tool.from_function(answered, annotations=reads, structured_output=False))
        # an option beside `options` would be dropped without a word
        arguments = served[-1].fn_metadata.arg_model
        arguments.model_config["extra"] = "forbid"
        arguments.model_rebuild(force=True)
    MCPServer(
        "sqlmetrics", version=sm.__version__, instructions=INSTRUCTIONS, log_level="WARNING", tools=served
    ).run()


def tools(roots: list[Path]) -> list[Callable[..., str]]:
    """The tools over some folders. Each returns text; JSON where it has rows."""

    def metrics(word: str = "") -> str:
        """Lists the metrics, or those with a word in their name, aliases or description, as JSON."""
        rows = sm.metrics().to_dicts()
        return json.dumps(
            [row for row in rows if word.lower() in json.dumps(row, default=str).lower()], default=str
        )

    def describe(name: str) -> str:
        """Explains a metric: meaning, parameters, range, formula, traps and source."""
        return sm.describe(name)

    def evaluate(
        data: str | list[str], metrics: str | list[str], options: dict[str, Any] | None = None
    ) -> str:
        """Computes metrics over files, as JSON: rows, and notes of what was left out."""
        return _asked(sm.evaluate, roots, data, metrics, options)

    def compare(
        data: str | list[str], metrics: str | list[str], options: dict[str, Any] | None = None
    ) -> str:
        """Tests whether models differ by more than chance, as JSON: differences, intervals and p-values."""
        return _asked(sm.compare, roots, data, metrics, options)

    def find_slices(
        data: str | list[str], metrics: str | list[str], options: dict[str, Any] | None = None
    ) -> str:
        """Finds the slices in which a model is worse or better than elsewhere, as JSON."""
        return _asked(sm.find_slices, roots, data, metrics, options)

    def render(relation: str, metrics: str | list[str], options: dict[str, Any] | None = None) -> str:
        """Writes the SQL that computes metrics of a table, in any dialect. It is not run."""
        return sm.render(relation, metrics, **(options or {}))

    for tool, function in ((evaluate, sm.evaluate), (compare, sm.compare), (find_slices, sm.find_slices)):
        of_files = f"data: paths, folders or globs below {_listed(roots)}."
        tool.__doc__ = f"{tool.__doc__}\n\n{of_files}\n{_options_of(function)}"
    render.__doc__ = f"{render.__doc__}\n\n{_options_of(sm.render, withheld=set())}"
    return [metrics, describe, evaluate, compare, find_slices, render]


def _with_sentences(tool: Callable[..., str], refusal: Callable[[str], Any]) -> Callable[..., Any]:
    """A tool that answers a mistake of a call by our sentence, without advice that only Python can follow."""

    @functools.wraps(tool)
    def answered(*args: Any, **kwargs: Any) -> Any:
        try:
            return tool(*args, **kwargs)
        except (SqlMetricsError, TypeError) as error:
            return refusal(str(error).partition(" An expression is written sm.sql(")[0])

    return answered


def _asked(
    function: Callable[..., Any], roots: list[Path], data: Any, metrics: Any, options: dict[str, Any] | None
) -> str:
    """The result of a public function over files of the folders, as JSON."""
    import duckdb

    known = _names_of(function, WITHHELD)
    given = dict(options or {})
    for name in given:
        if name not in known:
            raise SqlMetricsError(
                f"'{name}' is no option of this tool.{did_you_mean(name, known)} Known: {', '.join(known)}"
            )
    given |= {name: within(roots, given[name]) for name in FILES & given.keys()}
    with duckdb.connect() as connection:
        # DuckDB compares what a call names, in which signs of a glob are escaped
        places = {text for root in map(str, roots) for text in (root, glob.escape(root))}
        quoted = ", ".join("'" + text.replace("'", "''") + "'" for text in sorted(places))
        connection.execute(f"set allowed_directories = [{quoted}]")
        connection.execute("set enable_external_access = false")
        return str(function(within(roots, data), metrics, connection=connection, **given).to_json())


def within(roots: list[Path], paths: Any) -> list[str]:
    """The files of paths, folders or globs, which lie below the folders, also behind links.

    Raises:
        DataError: no file.
        SqlMetricsError: a path out of the folders.
    """
    given = [paths] if isinstance(paths, str) else paths
    if not isinstance(given, list) or not all(isinstance(path, str) for path in given):
        raise SqlMetricsError(f"data are paths of files below {_listed(roots)}, got {paths!r}")
    return [file for path in given for file in _found(roots, path)]


def _found(roots: list[Path], path: str) -> list[str]:
    places = [Path(os.path.normpath(Path(glob.escape(str(root))) / path)) for root in roots]
    inside = dict.fromkeys(place for place in places if any(_is_below(place, root) for root in roots))
    found = [[*files_of(str(place))] for place in inside]
    if sum(map(bool, found)) > 1:
        raise SqlMetricsError(f"'{path}' is in several of the folders; write its whole path")
    files = [Path(os.path.realpath(unescaped(file))) for some in found for file in some]
    if not inside or not all(any(file.is_relative_to(root) for root in roots) for file in files):
        raise SqlMetricsError(f"'{path}' leads out of the folders that may be read: {_listed(roots)}")
    if not files:
        raise DataError(f"{no_file(path)} below {_listed(roots)}")
    return [glob.escape(str(file)) for file in files]


def _is_below(place: Path, root: Path) -> bool:
    return place.is_relative_to(root) or place.is_relative_to(glob.escape(str(root)))


def _listed(roots: list[Path]) -> str:
    return ", ".join(f"'{root}'" for root in roots)


def _names_of(function: Callable[..., Any], withheld: set[str]) -> list[str]:
    parameters = inspect.signature(function).parameters.values()
    return [each.name for each in parameters if each.kind is each.KEYWORD_ONLY and each.name not in withheld]


def _options_of(function: Callable[..., Any], withheld: set[str] = WITHHELD) -> str:
    """What the options of a tool may hold: the arguments of its function, with their sentences."""
    lines = [
        f"  {name}" + (f": {OPTIONS[name].sentence}" if name in OPTIONS else "")
        for name in _names_of(function, withheld)
    ]
    return "\n".join(["options: an object of arguments, columns by their names:", *lines])
