"""The commands that call a public function, in the order of the help."""

from __future__ import annotations

import functools

import typer

import sqlmetrics
from sqlmetrics.catalog import curves
from sqlmetrics.cli.command import add_command

EXPRESSIONS = "A column is its name, or an SQL expression written as 'sql:clicks > 0'."


def _column(sentence: str) -> typer.models.OptionInfo:
    info: typer.models.OptionInfo = typer.Option(metavar="COLUMN", help=sentence)
    return info


COUNTS = {
    "weight": _column("The column of counts, where a row stands for many."),
    "interval": typer.Option(help="The confidence level of the interval."),
}
CLASSES = {"label": _column("The class of a row."), "prediction": _column("The predicted class.")}


def add_commands(app: typer.Typer) -> None:
    """Adds the commands to the program."""
    add = functools.partial(add_command, app)
    add(
        "evaluate", sqlmetrics.evaluate, f"Compute metrics over data, by slice and in total.\n\n{EXPRESSIONS}"
    )
    add(
        "confusion-matrix",
        sqlmetrics.confusion_matrix,
        f"Count how often which class was predicted for which label.\n\n{EXPRESSIONS}",
        keys=1,
        **CLASSES,
    )
    add(
        "class-report",
        sqlmetrics.class_report,
        f"Compute precision, recall and F1 of every class.\n\n{EXPRESSIONS}",
        keys=1,
        **CLASSES,
    )
    add(
        "compare",
        sqlmetrics.compare,
        f"Compare models: is the difference of a metric real, list by list or row by row?\n\n{EXPRESSIONS}",
        keys=2,
        baseline=_column("The score that others are compared with."),
        candidate=typer.Option(
            metavar="[NAME=]COLUMN", help="Another score; again for another, name=column names the model."
        ),
        other=typer.Option(
            metavar="FILE", help="A second table, in which the candidates stand; groups are paired."
        ),
        paired=typer.Option(
            help="Whether --other holds the same groups, and not other users or another week."
        ),
        interval=typer.Option(
            metavar="LEVEL", help="The confidence level of the interval of the difference."
        ),
        test=typer.Option(
            help="t (by default; DeLong's for AUC), wilcoxon, sign, randomisation, or bootstrap (for all)."
        ),
        correction=typer.Option(help="Of the p-values of several candidates: holm or bh."),
        power=typer.Option(help="The chance to find a difference of minimum_detectable."),
        n_resamples=typer.Option(help="How often the randomisation test and the bootstrap draw."),
        on_unpaired=typer.Option(
            help="A group that has a value for one model alone: error, or intersection to take the others."
        ),
    )
    add(
        "chi-square",
        sqlmetrics.chi_square,
        "Test counts: are two columns independent, or has one column the expected shares (Pearson's chi-square)?"
        f"\n\n{EXPRESSIONS}",
        weight=COUNTS["weight"],
        column=_column("The categories of a row."),
        other=_column("The categories of a second column."),
        expected=typer.Option(
            metavar="CATEGORY=SHARE,...",
            help="Without --other: the expected share or count of every category. [default: equal shares]",
        ),
    )
    add(
        "two-proportions",
        sqlmetrics.two_proportions,
        f"Compare the share of positive rows in two categories.\n\n{EXPRESSIONS}",
        **COUNTS,
        label=_column("Whether a row is positive."),
        category=_column("A column with two values."),
    )
    add(
        "mcnemar",
        sqlmetrics.mcnemar,
        "Compare two classifiers on the same rows: which is right more often (McNemar's test)?"
        f"\n\n{EXPRESSIONS}",
        **COUNTS,
        label=_column("The class of a row."),
        baseline=_column("The class that one classifier predicts."),
        candidate=_column("The class that the other predicts."),
    )
    add(
        "trec",
        sqlmetrics.trec,
        "Compute metrics of TREC runs against qrels, as trec_eval defines them.\n\n"
        "A run has lines 'topic Q0 docno rank score tag', qrels have lines 'topic 0 docno rel', both plain or gzipped.",
        run=typer.Argument(metavar="RUN", help="Run files; name=file names a run, otherwise its tag does."),
        qrels=typer.Argument(metavar="QRELS", help="The judgements."),
        per_topic=typer.Option("--per-topic", "-q", help="A row for each topic."),
        complete=typer.Option("--complete", "-c", help="Topics of the qrels that a run lacks count 0."),
        positive=typer.Option("--positive", "-l", help="From which grade on a document is relevant."),
    )
    add(
        "curve",
        sqlmetrics.curve,
        f"The points of a curve, by slice and in total: {', '.join(curves())}.\n\n{EXPRESSIONS}",
        kind=typer.Argument(metavar="KIND", help="Such as roc, 'calibration(bins=20, equal=count)', gain."),
    )
    add(
        "per-group",
        sqlmetrics.per_group,
        f"Compute metrics of lists for each list; a screen shows the first ones.\n\n{EXPRESSIONS}",
        keys=1,
    )
    add(
        "state",
        sqlmetrics.state,
        "Reduce data to what `finish` needs to compute metrics of any range of periods.\n\n"
        f"Write it with --output FILE.parquet, a file for each day, say. {EXPRESSIONS}",
        keys=1,
        period=_column("The day, or whatever is finished together."),
    )
    add(
        "finish",
        sqlmetrics.finish,
        f"Compute metrics from states, by slice and in total.\n\n{EXPRESSIONS}",
        state=typer.Argument(metavar="STATE", help="Files that `state` wrote, or globs."),
        where=typer.Option(metavar="SQL", help="Which periods and slices: \"day >= '2026-06-01'\"."),
    )
    add(
        "sql",
        sqlmetrics.render,
        f"Print the SQL that computes metrics, for any dialect.\n\n{EXPRESSIONS}",
        relation=typer.Option(metavar="SQL", help="A table name or a query."),
        dialect=typer.Option(help="Where the statement is to run."),
        truth=typer.Option(metavar="SQL", help="A table name or a query: what was relevant."),
        catalog=typer.Option(metavar="SQL", help="A table name or a query: items to recommend."),
        history=typer.Option(metavar="SQL", help="A table name or a query: past interactions."),
        distances=typer.Option(metavar="SQL", help="A table name or a query: item_a, item_b, distance."),
    )
    add(
        "explain-difference",
        sqlmetrics.explain_difference,
        "Compute a metric under two conventions, and which option moves it.\n\nA convention is a library, such as"
        f" trec_eval or lightgbm, or default for sqlmetrics itself. {EXPRESSIONS}",
        keys=3,
        metric=typer.Argument(metavar="METRIC", help="Such as ndcg@10."),
        first=typer.Argument(metavar="FIRST", help="The convention to start from."),
        second=typer.Argument(metavar="SECOND", help="The convention to come to."),
        score=_column("What the model said."),
    )
