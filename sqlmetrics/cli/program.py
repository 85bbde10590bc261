"""The program: all commands, and how errors are reported."""

from __future__ import annotations

import copy
import functools
import io
import os
import shlex
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Annotated, Any, Literal, NoReturn, get_args

import typer

import sqlmetrics
from sqlmetrics.api.example import folder
from sqlmetrics.book.catalog import GRAINS
from sqlmetrics.cli.commands import BOOK, GATED, STATEMENTS, add_commands
from sqlmetrics.cli.complete import notations, of
from sqlmetrics.cli.groups import Groups, in_words
from sqlmetrics.cli.listed import print_catalog, print_metric
from sqlmetrics.cli.once import Once
from sqlmetrics.cli.settings import MemoryLimit, TempDirectory, Threads, taken
from sqlmetrics.cli.spelled import options_of, spelled
from sqlmetrics.files import forget_standard_output, reason, require_standard_output
from sqlmetrics.shell.database import write_database
from sqlmetrics.shell.install import shell_macros

TextFormat = Literal["table", "json"]
SuiteFormat = Literal["table", "markdown", "json", "junit"]

app = typer.Typer(
    cls=Groups,
    help="Metrics of classifiers, rankers and regressions over a file of predictions, computed by DuckDB.",
    epilog="First look: sqlmetrics demo",
    no_args_is_help=True,
    # plain text for help and usage errors
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)


def _version(asked: bool) -> None:
    if asked:
        print(sqlmetrics.__version__)
        raise typer.Exit


@app.callback()
def _root(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version and exit.")
    ] = False,
) -> None: ...


@app.command("list", cls=Once, rich_help_panel=BOOK, help="List the metrics.")
def _list(
    word: Annotated[
        str | None,
        typer.Argument(
            metavar="[WORD]",
            help="Only those over rows, levels, lists ..., or with a word such as calibration in their name, an alias"
            " or their description; with their options.",
            autocompletion=of(lambda: GRAINS),
            show_default=False,
        ),
    ] = None,
    over: Annotated[
        str | None,
        typer.Option(
            metavar="KIND",
            help="Only those over rows, levels, lists ...; WORD is then a word.",
            autocompletion=of(lambda: GRAINS),
        ),
    ] = None,
    format: Annotated[
        TextFormat, typer.Option(metavar="|".join(get_args(TextFormat)), help="What to print.")
    ] = "table",
) -> None:
    print_catalog(word, over, format == "json")


@app.command("show", cls=Once, rich_help_panel=BOOK, help="Show a metric: parameters, range, source.")
def _show(
    name: Annotated[
        str, typer.Argument(metavar="NAME", help="Such as ndcg or recall@10.", autocompletion=notations)
    ],
    format: Annotated[
        TextFormat, typer.Option(metavar="|".join(get_args(TextFormat)), help="What to print.")
    ] = "table",
) -> None:
    if format == "json":
        print_metric(name)
        return
    require_standard_output()
    print(sqlmetrics.describe(name))


@app.command(
    "macros",
    cls=Once,
    rich_help_panel=STATEMENTS,
    help="Print the metrics as macros of a DuckDB shell, where `.read FILE` makes them.\n\n"
    "With --database they are written to a file for `attach 'FILE' as m (read_only)`, and called m.auc(...).",
)
def _macros(
    schema: Annotated[
        str | None, typer.Option(metavar="NAME", help="The schema to make them in: metrics.auc(...).")
    ] = None,
    temporary: Annotated[
        bool, typer.Option("--temporary", help="Make them for one session, as over a read-only database.")
    ] = False,
    database: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write a DuckDB database that holds them.")
    ] = None,
) -> None:
    if database is not None:
        if temporary:
            raise sqlmetrics.SqlMetricsError(
                "A database file holds no temporary macros; leave out --temporary or --database"
            )
        write_database(database, schema)
        return
    require_standard_output()
    print(shell_macros(schema, temporary).rstrip())


@app.command(
    "check",
    cls=Once,
    rich_help_panel=GATED,
    help="Hold the metrics of a suite, a file in YAML, against its limits.\n\nStatus 1: a limit is missed; 2: the suite"
    " or the call is wrong; 3: data cannot be read. Paths in a suite are relative to its file.",
)
def _check(
    suite: Annotated[Path, typer.Argument(metavar="SUITE", help="Such as suite.yml.")],
    format: Annotated[
        SuiteFormat, typer.Option(metavar="|".join(get_args(SuiteFormat)), help="What to print.")
    ] = "table",
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Check the suite and print its SQL; only columns are read.")
    ] = False,
    threads: Threads = None,
    memory_limit: MemoryLimit = None,
    temp_directory: TempDirectory = None,
) -> None:
    from sqlmetrics.cli.suite import check

    words = {"threads": threads, "memory_limit": memory_limit, "temp_directory": temp_directory}
    check(suite, format, dry_run, taken(words))


@app.command(
    "mcp",
    cls=Once,
    rich_help_panel=BOOK,
    help="Answer agents by the Model Context Protocol, on standard input and output.\n\nThey look metrics up and ask"
    " for numbers of the files below FOLDER. Nothing is written, and nothing else is read.",
)
def _mcp(
    folders: Annotated[list[Path], typer.Argument(metavar="FOLDER", help="The folders that may be read.")],
) -> None:
    from sqlmetrics.mcp import serve

    serve(folders)


DEMO = (
    "--metrics auc,gauc,ndcg@10,map@10,mrr,err@10,log_loss --by country",
    "--label grade --score new=score --score old=score_b --group query_id --item product_id",
    "--positive 1 --max-grade 4",
)


@app.command("demo", rich_help_panel=BOOK, help="Compare two rankers on an embedded search log.")
def _demo() -> None:
    require_standard_output()
    command = ["evaluate", shlex.quote(_example())]
    print(" \\\n    ".join([" ".join(["sqlmetrics", *command]), *DEMO]) + "\n", flush=True)
    command_line("evaluate").main(shlex.split(" ".join([*command, *DEMO])), standalone_mode=False)
    print("\nNext: your own file in place of this one, --by device, or `sqlmetrics list` for more metrics.")


def _example() -> str:
    """The path of the example, relative if it lies below the working directory, which may be deleted."""
    file = folder() / "search.parquet"
    with suppress(FileNotFoundError, ValueError):
        return str(file.relative_to(Path.cwd()))
    return str(file)


@contextmanager
def _stopped_by_signals() -> Iterator[None]:
    """Stops at SIGTERM as at a Ctrl-C, so that no temporary file is left; the status is the shell's."""
    status = [130]

    def stop(number: int, frame: Any) -> None:
        status[0] = 128 + number
        raise KeyboardInterrupt

    def again(ignored: Any) -> None:
        # Python ignores an exception of a callback, such as that of a lock of imports
        if ignored.exc_type is not KeyboardInterrupt:
            sys.__unraisablehook__(ignored)
        else:
            threading.Timer(0.01, signal.raise_signal, [status[0] - 128]).start()

    before = signal.signal(signal.SIGTERM, stop)
    sys.unraisablehook = again
    try:
        yield
    except (KeyboardInterrupt, SystemExit) as end:
        # Typer has turned a KeyboardInterrupt into status 130
        if isinstance(end, SystemExit) and end.code != 130:
            raise
        raise SystemExit(status[0]) from None
    finally:
        signal.signal(signal.SIGTERM, before)
        sys.unraisablehook = sys.__unraisablehook__


@functools.cache
def command_line(called: str | None = None) -> Any:
    """The program as Click knows it. To read the options of all commands takes longer than most commands.

    Args:
        called: the command whose options are read, by default all.
    """
    built = copy.copy(app)
    built.registered_commands = []
    add_commands(built, called)
    built.registered_commands += app.registered_commands
    return typer.main.get_command(built)


def main() -> None:
    """Runs the command line. An error ends it with one message on standard error.

    The status is 3 if data cannot be read or are broken, and 2 for any other error of a call. It is 1 if a gate
    fails.
    """
    with _stopped_by_signals():
        _run()


def _run() -> None:
    if isinstance(sys.stdout, io.TextIOWrapper):
        if sys.stdout.isatty():  # which may know fewer characters than the data
            sys.stdout.reconfigure(errors="backslashreplace")
        else:  # files and pipes have one encoding on every system
            sys.stdout.reconfigure(encoding="utf-8")
    # a shell that completes a command gives its words in the environment
    name = None if "_SQLMETRICS_COMPLETE" in os.environ else [*in_words(sys.argv[1:]), ""][0]
    try:
        try:
            command_line(name)(prog_name="sqlmetrics")
        finally:
            if sys.stdout is not None:
                sys.stdout.flush()
    except sqlmetrics.SqlMetricsError as error:
        called = command_line(name).commands.get(name)
        message = spelled(str(error), options_of(called.params if called else []))
        _end(message, 3 if isinstance(error, sqlmetrics.DataError) else 2)
    except BrokenPipeError:  # the reader, such as head, is done; nothing must be flushed at exit
        forget_standard_output()
    except OSError as error:
        forget_standard_output()
        _end(f"Cannot read or write {error.filename or 'standard output'}: {reason(error)}")
    except RuntimeError as error:
        if "interrupted" not in str(error):  # DuckDB raises RuntimeError on Ctrl-C
            raise
        raise SystemExit(130) from None


def _end(message: str, status: int = 2) -> NoReturn:
    """Ends the program with one error message."""
    print(f"Error: {message}", file=sys.stderr)
    raise SystemExit(status) from None
