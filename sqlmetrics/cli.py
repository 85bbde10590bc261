"""The command line: options carry the names of the Python call."""

from __future__ import annotations

import io
import re
import shlex
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, NoReturn

import typer

import sqlmetrics
from sqlmetrics import arguments
from sqlmetrics.catalog import check_curve, curves
from sqlmetrics.commands import compare, counts, states
from sqlmetrics.files import forget_standard_output, reason
from sqlmetrics.output import chosen, deliver, print_catalog
from sqlmetrics.report import Result
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


@app.command(
    "evaluate", help=f"Compute metrics over data, by slice and in total.\n\n{arguments.EXPRESSION_HELP}"
)
def _evaluate(
    data: arguments.Data,
    metrics: arguments.Metrics,
    label: arguments.Label = None,
    score: arguments.Score = None,
    group: arguments.Group = None,
    item: arguments.Item = None,
    weight: arguments.Weight = None,
    by: arguments.By = None,
    total: arguments.Total = True,
    truth: arguments.Truth = None,
    subtopic: arguments.Subtopic = None,
    catalog: Annotated[
        str | None, typer.Option(metavar="FILE", help="The items that could be recommended.")
    ] = None,
    history: Annotated[
        str | None, typer.Option(metavar="FILE", help="Past interactions: group and item.")
    ] = None,
    distances: Annotated[
        str | None, typer.Option(metavar="FILE", help="Distances of items: item_a, item_b and distance.")
    ] = None,
    category: arguments.Category = None,
    prediction: arguments.Prediction = None,
    max_grade: arguments.MaxGrade = None,
    positive: arguments.Positive = None,
    ties: arguments.Ties = None,
    convention: arguments.Convention = None,
    on_extra: arguments.OnExtra = "drop",
    on_duplicate: arguments.OnDuplicate = "error",
    unjudged: arguments.Unjudged = None,
    interval: arguments.Interval = None,
    interval_method: arguments.IntervalMethod = None,
    n_resamples: arguments.Resamples = 200,
    on_bad_rows: arguments.OnBadRows = "error",
    format: arguments.AskedFormat = None,
    output: arguments.Output = None,
) -> None:
    form = chosen(format, output, data, truth, catalog, history, distances)
    slices, models = arguments.columns(by), arguments.scores(score)
    report = sqlmetrics.evaluate(
        arguments.data(data),
        arguments.notations(metrics),
        score=models,
        by=slices,
        **arguments.roles(
            label=label,
            group=group,
            item=item,
            weight=weight,
            subtopic=subtopic,
            prediction=prediction,
            category=category,
        ),
        total=total,
        truth=arguments.table(truth),
        catalog=arguments.table(catalog),
        history=arguments.table(history),
        distances=arguments.table(distances),
        max_grade=max_grade,
        positive=arguments.number_or_text(positive),
        ties=ties,
        convention=convention,
        on_extra=on_extra,
        on_duplicate=on_duplicate,
        unjudged=unjudged,
        interval=interval,
        interval_method=interval_method,
        n_resamples=n_resamples,
        on_bad_rows=on_bad_rows,
        connection=arguments.connection(),
    )
    deliver(report, form, output, keys=len(slices) + isinstance(models, dict))


def _add_class_table(name: str, ask: Callable[..., Result], about: str) -> None:
    """A command for a table of classes."""

    @app.command(name, help=f"{about}\n\n{arguments.EXPRESSION_HELP}")
    def _command(
        data: arguments.Data,
        label: Annotated[str, typer.Option(metavar="COLUMN", help="The class of a row.")],
        prediction: Annotated[str, typer.Option(metavar="COLUMN", help="The predicted class.")],
        weight: arguments.Weight = None,
        by: arguments.By = None,
        total: arguments.Total = True,
        on_bad_rows: arguments.OnBadRows = "error",
        format: arguments.AskedFormat = None,
        output: arguments.Output = None,
    ) -> None:
        form, slices = chosen(format, output, data), arguments.columns(by)
        table = ask(
            arguments.data(data),
            **arguments.roles(label=label, prediction=prediction, weight=weight),
            by=slices,
            total=total,
            on_bad_rows=on_bad_rows,
            connection=arguments.connection(),
        )
        deliver(table, form, output, keys=len(slices) + 1)


_add_class_table(
    "confusion-matrix",
    sqlmetrics.confusion_matrix,
    "Count how often which class was predicted for which label.",
)
_add_class_table("class-report", sqlmetrics.class_report, "Compute precision, recall and F1 of every class.")


app.registered_commands.extend(compare.commands.registered_commands)
app.registered_commands.extend(counts.commands.registered_commands)


@app.command(
    "trec",
    help="Compute metrics of TREC runs against qrels, as trec_eval defines them.\n\n"
    "A run has lines 'topic Q0 docno rank score tag', qrels have lines 'topic 0 docno rel', both plain or gzipped.",
)
def _trec(
    run: Annotated[
        list[str],
        typer.Argument(metavar="RUN", help="Run files; name=file names a run, otherwise its tag does."),
    ],
    qrels: Annotated[str, typer.Argument(metavar="QRELS", help="The judgements.")],
    metrics: arguments.Metrics,
    per_topic: Annotated[bool, typer.Option("--per-topic", "-q", help="A row for each topic.")] = False,
    complete: Annotated[
        bool, typer.Option("--complete", "-c", help="Topics of the qrels that a run lacks count 0.")
    ] = False,
    positive: Annotated[
        int | None, typer.Option("--positive", "-l", help="From which grade on a document is relevant.")
    ] = None,
    max_grade: arguments.MaxGrade = None,
    format: arguments.AskedFormat = None,
    output: arguments.Output = None,
) -> None:
    form = chosen(format, output, [text.partition("=")[2] for text in run], run, qrels)
    report = sqlmetrics.trec(
        arguments.runs(run),
        qrels,
        arguments.notations(metrics),
        per_topic=per_topic,
        complete=complete,
        positive=positive,
        max_grade=max_grade,
    )
    deliver(report, form, output, keys=("run" in report.columns) + per_topic)


@app.command(
    "curve",
    help=f"The points of a curve, by slice and in total: {', '.join(curves())}.\n\n{arguments.EXPRESSION_HELP}",
)
def _curve(
    kind: Annotated[
        str, typer.Argument(metavar="KIND", help="Such as roc, 'calibration(bins=20, equal=count)', gain.")
    ],
    data: arguments.Data,
    label: arguments.Label = None,
    score: arguments.Score = None,
    weight: arguments.Weight = None,
    by: arguments.By = None,
    total: arguments.Total = True,
    positive: arguments.Positive = None,
    on_bad_rows: arguments.OnBadRows = "error",
    format: arguments.AskedFormat = None,
    output: arguments.Output = None,
) -> None:
    check_curve(kind)  # before the data: a file may stand in its place
    form = chosen(format, output, data)
    slices, models = arguments.columns(by), arguments.scores(score)
    points = sqlmetrics.curve(
        kind,
        arguments.data(data),
        score=models,
        by=slices,
        **arguments.roles(label=label, weight=weight),
        total=total,
        positive=arguments.number_or_text(positive),
        on_bad_rows=on_bad_rows,
        connection=arguments.connection(),
    )
    deliver(points, form, output, keys=len(slices) + isinstance(models, dict))


@app.command(
    "per-group",
    help=f"Compute metrics of lists for each list; a screen shows the first ones.\n\n{arguments.EXPRESSION_HELP}",
)
def _per_group(
    data: arguments.Data,
    metrics: arguments.Metrics,
    label: arguments.Label = None,
    score: arguments.Score = None,
    group: arguments.Group = None,
    item: arguments.Item = None,
    weight: arguments.Weight = None,
    by: arguments.By = None,
    truth: arguments.Truth = None,
    subtopic: arguments.Subtopic = None,
    max_grade: arguments.MaxGrade = None,
    positive: arguments.Positive = None,
    ties: arguments.Ties = None,
    convention: arguments.Convention = None,
    on_extra: arguments.OnExtra = "drop",
    on_duplicate: arguments.OnDuplicate = "error",
    unjudged: arguments.Unjudged = None,
    on_bad_rows: arguments.OnBadRows = "error",
    format: arguments.AskedFormat = None,
    output: arguments.Output = None,
) -> None:
    form = chosen(format, output, data, truth)
    slices, models = arguments.columns(by), arguments.scores(score)
    report = sqlmetrics.per_group(
        arguments.data(data),
        arguments.notations(metrics),
        score=models,
        by=slices,
        **arguments.roles(label=label, group=group, item=item, weight=weight, subtopic=subtopic),
        truth=arguments.table(truth),
        max_grade=max_grade,
        positive=arguments.number_or_text(positive),
        ties=ties,
        convention=convention,
        on_extra=on_extra,
        on_duplicate=on_duplicate,
        unjudged=unjudged,
        on_bad_rows=on_bad_rows,
        connection=arguments.connection(),
    )
    deliver(report, form, output, keys=len(slices) + isinstance(models, dict) + 1)


app.registered_commands.extend(states.commands.registered_commands)


@app.command(
    "sql", help=f"Print the SQL that computes metrics, for any dialect.\n\n{arguments.EXPRESSION_HELP}"
)
def _sql(
    metrics: arguments.Metrics,
    relation: Annotated[str, typer.Option(metavar="SQL", help="A table name or a query.")],
    dialect: Annotated[str, typer.Option(help="Where the statement is to run.")] = "duckdb",
    label: arguments.Label = None,
    score: arguments.Score = None,
    group: arguments.Group = None,
    item: arguments.Item = None,
    weight: arguments.Weight = None,
    by: arguments.By = None,
    total: arguments.Total = True,
    truth: Annotated[
        str | None, typer.Option(metavar="SQL", help="A table name or a query: what was relevant.")
    ] = None,
    truth_by: Annotated[
        list[str] | None, typer.Option(metavar="COLUMNS", help="Those of --by that the truth has.")
    ] = None,
    subtopic: arguments.Subtopic = None,
    prediction: arguments.Prediction = None,
    catalog: Annotated[
        str | None, typer.Option(metavar="SQL", help="A table name or a query: items to recommend.")
    ] = None,
    history: Annotated[
        str | None, typer.Option(metavar="SQL", help="A table name or a query: past interactions.")
    ] = None,
    distances: Annotated[
        str | None, typer.Option(metavar="SQL", help="A table name or a query: item_a, item_b, distance.")
    ] = None,
    category: arguments.Category = None,
    max_grade: arguments.MaxGrade = None,
    positive: arguments.Positive = None,
    ties: arguments.Ties = None,
    convention: arguments.Convention = None,
    on_extra: arguments.OnExtra = "drop",
    on_duplicate: arguments.OnDuplicate = "error",
    unjudged: arguments.Unjudged = None,
    interval: arguments.Interval = None,
    interval_method: arguments.IntervalMethod = None,
    n_resamples: arguments.Resamples = 200,
    score_levels: Annotated[
        str, typer.Option(help="counted where scores take few values; the numbers are the same.")
    ] = "sorted",
) -> None:
    statement = sqlmetrics.render(
        arguments.notations(metrics),
        relation,
        dialect=dialect,
        score=arguments.scores(score),
        by=arguments.columns(by),
        **arguments.roles(
            label=label,
            group=group,
            item=item,
            weight=weight,
            subtopic=subtopic,
            prediction=prediction,
            category=category,
        ),
        total=total,
        truth=truth,
        truth_by=arguments.columns(truth_by),
        catalog=catalog,
        history=history,
        distances=distances,
        max_grade=max_grade,
        positive=arguments.number_or_text(positive),
        ties=ties,
        convention=convention,
        on_extra=on_extra,
        on_duplicate=on_duplicate,
        unjudged=unjudged,
        interval=interval,
        interval_method=interval_method,
        n_resamples=n_resamples,
        score_levels=score_levels,
    )
    print(statement.strip())


@app.command(
    "explain-difference",
    help="Compute a metric under two conventions, and which option moves it.\n\nA convention is a library, such as"
    f" trec_eval or lightgbm, or default for sqlmetrics itself. {arguments.EXPRESSION_HELP}",
)
def _explain_difference(
    data: Annotated[str, typer.Argument(metavar="DATA", help="Parquet, CSV or JSON: a file, a glob, or -.")],
    metric: Annotated[str, typer.Argument(metavar="METRIC", help="Such as ndcg@10.")],
    first: Annotated[str, typer.Argument(metavar="FIRST", help="The convention to start from.")],
    second: Annotated[str, typer.Argument(metavar="SECOND", help="The convention to come to.")],
    label: arguments.Label = None,
    score: Annotated[str | None, typer.Option(metavar="COLUMN", help="What the model said.")] = None,
    group: arguments.Group = None,
    item: arguments.Item = None,
    weight: arguments.Weight = None,
    truth: arguments.Truth = None,
    max_grade: arguments.MaxGrade = None,
    positive: arguments.Positive = None,
    ties: arguments.Ties = None,
    on_bad_rows: arguments.OnBadRows = "error",
    format: arguments.AskedFormat = None,
    output: arguments.Output = None,
) -> None:
    form = chosen(format, output, data, truth)
    explained = sqlmetrics.explain_difference(
        arguments.data([data]),
        metric,
        first,
        second,
        **arguments.roles(label=label, score=score, group=group, item=item, weight=weight),
        truth=arguments.table(truth),
        max_grade=max_grade,
        positive=arguments.number_or_text(positive),
        ties=ties,
        on_bad_rows=on_bad_rows,
        connection=arguments.connection(),
    )
    deliver(explained, form, output, keys=3)


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
def _demo() -> None:
    command = ["evaluate", shlex.quote(_example())]
    print(" \\\n    ".join([" ".join(["sqlmetrics", *command]), *DEMO]) + "\n", flush=True)
    app(shlex.split(" ".join([*command, *DEMO])), standalone_mode=False)
    print("\nNext: your own file in place of this one, --by device, or `sqlmetrics list` for more metrics.")


def _example() -> str:
    """The example's path, short where it lies below the working directory."""
    here = Path(__file__).parent
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
