"""The program: all commands together, and what becomes of mistakes."""

from __future__ import annotations

import io
import re
import shlex
import sys
from pathlib import Path
from typing import Annotated, NoReturn

import typer

import sqlmetrics
from sqlmetrics.cli.commands import add_commands
from sqlmetrics.files import forget_standard_output, reason
from sqlmetrics.output import print_catalog
from sqlmetrics.shell import shell_macros

app = typer.Typer(
    help="Metrics of classifiers, rankers and regressions over a file of predictions, computed by DuckDB.",
    epilog="First look: sqlmetrics demo",
    no_args_is_help=True,
    add_completion=False,
    # plain text, for help and usage errors alike
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


add_commands(app)


@app.command("list", help="List the metrics.")
def _list(
    grain: Annotated[
        str | None,
        typer.Argument(
            metavar="[GRAIN]",
            help="Only those over rows, levels, lists ..., with their options.",
            show_default=False,
        ),
    ] = None,
) -> None:
    print_catalog(grain)


@app.command("show", help="Show a metric: parameters, range, source.")
def _show(name: Annotated[str, typer.Argument(metavar="NAME", help="Such as ndcg or recall@10.")]) -> None:
    print(sqlmetrics.describe(name))


@app.command("macros", help="Print the metrics as macros of a DuckDB shell, where `.read FILE` makes them.")
def _macros(
    schema: Annotated[
        str | None, typer.Option(metavar="NAME", help="The schema to make them in: metrics.auc(...).")
    ] = None,
    temporary: Annotated[
        bool, typer.Option("--temporary", help="Make them for one session, as over a read-only database.")
    ] = False,
) -> None:
    print(shell_macros(schema, temporary).rstrip())


DEMO = (
    "--metrics auc,gauc,ndcg@10,map@10,mrr,err@10,log_loss --by country",
    "--label grade --score new=score --score old=score_b --group query_id --item product_id",
    "--positive 1 --max-grade 4",
)


@app.command("demo", help="Compare two rankers on an embedded search log.")
def _demo(context: typer.Context) -> None:
    command = ["evaluate", shlex.quote(_example())]
    print(" \\\n    ".join([" ".join(["sqlmetrics", *command]), *DEMO]) + "\n", flush=True)
    context.find_root().command.main(shlex.split(" ".join([*command, *DEMO])), standalone_mode=False)
    print("\nNext: your own file in place of this one, --by device, or `sqlmetrics list` for more metrics.")


def _example() -> str:
    """The example's path, short where it lies below the working directory."""
    here = Path(sqlmetrics.__file__).parent
    folder = here if (here / "examples").is_dir() else here.parent
    file = folder / "examples" / "search.parquet"
    return str(file.relative_to(Path.cwd()) if file.is_relative_to(Path.cwd()) else file)


def main() -> None:
    """Runs the command line; a mistake of the user's is one message on standard error and status 2."""
    if isinstance(sys.stdout, io.TextIOWrapper) and not sys.stdout.isatty():
        sys.stdout.reconfigure(encoding="utf-8")  # files and pipes have one encoding on every system
    try:
        try:
            app(prog_name="sqlmetrics")
        finally:
            if sys.stdout is not None:
                sys.stdout.flush()
    except sqlmetrics.SqlMetricsError as error:
        # The library's messages name the Python call; only expressions and switches are written differently here.
        message = re.sub(r"sm\.sql\((['\"])(.*)\1\)", r"'sql:\2'", str(error))
        message = re.sub(r"\b(total|paired)=False", r"--no-\1", message)
        _end(message)
    except BrokenPipeError:  # the reader has seen enough; nothing is left to flush at exit
        forget_standard_output()
    except OSError as error:
        forget_standard_output()
        _end(f"Cannot read or write {error.filename or 'standard output'}: {reason(error)}")
    except RuntimeError as error:
        if "interrupted" not in str(error):  # what DuckDB makes of Ctrl-C
            raise
        raise SystemExit(130) from None


def _end(message: str) -> NoReturn:
    """Ends the program with one message."""
    print(f"Error: {message}", file=sys.stderr)
    raise SystemExit(2) from None
