"""The commands that call a public function, in the order of the help."""

from __future__ import annotations

import functools

import typer

import sqlmetrics
from sqlmetrics.book.catalog import curves
from sqlmetrics.cli.command import add_command

EXPRESSIONS = "A column is its name, or an SQL expression written as 'sql:clicks > 0'."


def _column(sentence: str) -> typer.models.OptionInfo:
    info: typer.models.OptionInfo = typer.Option(metavar="COLUMN", help=sentence)
    return info


COUNTS = {
    "weight": _column("The column of counts, if a row stands for several."),
    "interval": typer.Option(help="The confidence level of the interval."),
}
CLASSES = {"label": _column("The class of a row."), "prediction": _column("The predicted class.")}
PERIOD = {
    "period": typer.Option(
        metavar="[NAME=]PERIOD", help="The column of the period, such as a day; name=column names it."
    )
}
FINISHED = {"period": _column("The column of the state that holds the period.")}
GROUP = {
    "group": typer.Option(
        metavar="[NAME=]GROUP",
        help="The column of the list that a row belongs to: query, user, session; name=column names it.",
    )
}
WHERE = {"where": typer.Option(metavar="SQL", help="The periods and slices to use: \"day >= '2026-06-01'\".")}
MADE_WHERE = {"made_where": typer.Option(metavar="SQL", help="The --where of `state`, if it had one.")}
KIND = typer.Argument(metavar="KIND", help="Such as roc, 'calibration(bins=20, equal=count)', gain.")
COMPARED = {
    "baseline": _column("The score with which others are compared."),
    "candidate": typer.Option(
        metavar="[NAME=]COLUMN", help="Another score; may be given again, name=column names the model."
    ),
    "other": typer.Option(
        metavar="FILE", help="A second table that holds the candidates; its groups are paired by key."
    ),
    "paired": typer.Option(
        help="Whether --other holds the same groups, rather than other users or another week."
    ),
    "interval": typer.Option(metavar="LEVEL", help="The confidence level of the interval of the difference."),
    "test": typer.Option(
        help="t (the default; DeLong's for AUC), wilcoxon, sign, randomisation, or bootstrap (for all)."
    ),
    "correction": typer.Option(help="Correction of the p-values of several candidates: holm or bh."),
    "power": typer.Option(help="The probability of detecting a difference of minimum_detectable."),
    "n_resamples": typer.Option(help="The number of draws of the randomisation test and the bootstrap."),
    "on_unpaired": typer.Option(
        help="A group with a value for only one model: error, or intersection to compare the others."
    ),
}
SEARCHED = {
    "by": typer.Option(
        metavar="COLUMNS",
        help="The columns whose values make slices, with commas between them; may be given again.",
    ),
    "score": _column("The score of one model."),
    "baseline": _column("Instead of --score: the score of the model with which another is compared."),
    "candidate": _column("The score of this other model."),
    "depth": typer.Option(help="The most columns that make a slice, 1 to 3."),
    "min_units": typer.Option(help="The fewest rows, or lists, of a slice and of its rest."),
    "numeric": typer.Option(
        metavar="COLUMNS", help="Columns of --by that are numbers, besides those by type."
    ),
    "bins": typer.Option(help="The number of bins of a number."),
    "dates": typer.Option(metavar="COLUMNS", help="Columns of --by that are dates, besides those by type."),
    "dates_by": typer.Option(help="The slices of a date."),
    "max_values": typer.Option(help="A column keeps this many values; the others are one, (other)."),
    "interval": typer.Option(
        metavar="LEVEL", help="The confidence level of intervals; the rest is that of tests."
    ),
}
DRIFTED = {
    "reference": typer.Option(
        metavar="FILE", help="A second table, or of a state another one: the rows to compare with."
    ),
    "columns": typer.Option(
        metavar="COLUMNS",
        help="The columns to compare. [default: numbers, text and booleans of both tables; of a state its slices]",
    ),
    "period": _column("Instead of --reference: a column with the period of a row; a state knows its own."),
    "before": typer.Option(metavar="VALUE", help="The value of --period whose rows are the reference."),
    "after": typer.Option(metavar="VALUE", help="The value of --period whose rows are the current ones."),
    "numeric": typer.Option(
        metavar="COLUMNS", help="Columns of --columns that are numbers, besides those by type."
    ),
    "bins": typer.Option(help="The number of bins of a number."),
}
REFERENCE = typer.Option(metavar="SQL", help="A table name or a query: the rows to compare with.")
EXPLAINED = {
    "metric": typer.Option("--metric", "-m", metavar="METRIC", help="Such as log_loss or ndcg@10."),
    "by": typer.Option(
        metavar="COLUMNS", help="The columns of the slices, with commas between them; may be given again."
    ),
    "period": _column("The column of the period, such as a day; a state knows its own."),
    "before": typer.Option(metavar="PERIOD", help="The value of --period in the earlier period."),
    "after": typer.Option(metavar="PERIOD", help="Its value in the later period."),
    "reference": typer.Option(
        metavar="FILE", help="Instead of these three: a second table, the period before."
    ),
    "base": typer.Option(help="What is weighed by: the mean of both periods, or the period before."),
    "score": _column("The score of the model."),
    "interval": typer.Option(metavar="LEVEL", help="The confidence level of the intervals."),
}
DATA_OR_STATE = typer.Argument(metavar="DATA", help="As for `evaluate`, or files that `state` wrote.")
#: of a statement over a state
OF_STATE = {
    **MADE_WHERE,
    "of_state": typer.Option(help="Whether the relation is a state."),
    "made_period": _column("The column of the state that holds the period, if --period is another."),
}
OTHER = typer.Option(metavar="SQL", help="A table name or a query: the candidates, for groups paired by key.")
#: what a statement reads: tables of the engine, by name or as queries
IN_SQL = {
    "relation": typer.Option(metavar="SQL", help="A table name or a query."),
    "dialect": typer.Option(help="The engine that the statement is for."),
    "truth": typer.Option(metavar="SQL", help="A table name or a query: the relevant items."),
    "catalog": typer.Option(metavar="SQL", help="A table name or a query: items to recommend."),
    "history": typer.Option(metavar="SQL", help="A table name or a query: past interactions."),
    "distances": typer.Option(metavar="SQL", help="A table name or a query: item_a, item_b, distance."),
}


def add_commands(app: typer.Typer) -> None:
    """Adds the commands to the program."""
    add = functools.partial(add_command, app)
    add(
        "evaluate", sqlmetrics.evaluate, f"Compute metrics over data, by slice and in total.\n\n{EXPRESSIONS}"
    )
    add(
        "confusion-matrix",
        sqlmetrics.confusion_matrix,
        f"Count how often each class was predicted for each label.\n\n{EXPRESSIONS}",
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
        **COMPARED,
    )
    add(
        "slices",
        sqlmetrics.find_slices,
        "Find the slices in which a model is worse or better than in the rest, or a candidate than a baseline."
        f"\n\n{EXPRESSIONS}",
        keys=2,
        **SEARCHED,
    )
    add(
        "drift",
        sqlmetrics.drift,
        f"Compare each column with a reference, or two periods: did the data move?\n\n{EXPRESSIONS}",
        keys=2,
        **DRIFTED,
        data=DATA_OR_STATE,
    )
    add(
        "explain-change",
        sqlmetrics.explain_change,
        "Explain why a metric moved from one period to another: by slices, whose shares and values changed."
        f"\n\n{EXPRESSIONS}",
        keys=1,
        **EXPLAINED,
        data=DATA_OR_STATE,
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
        label=_column("The column that says if a row is positive."),
        category=_column("A column with two values."),
    )
    add(
        "mcnemar",
        sqlmetrics.mcnemar,
        "Compare two classifiers on the same rows: which is right more often (McNemar's test)?"
        f"\n\n{EXPRESSIONS}",
        **COUNTS,
        label=_column("The class of a row."),
        baseline=_column("The class predicted by one classifier."),
        candidate=_column("The class predicted by the other classifier."),
    )
    add(
        "report",
        sqlmetrics.report,
        "Write a page of metrics: with intervals, slices, models compared, and curves.\n\n"
        f"sqlmetrics report data.parquet -m auc --label y --score s --output report.html. {EXPRESSIONS}",
        data=DATA_OR_STATE,
        baseline=typer.Option(
            metavar="NAME", help="The model with which the others are compared, by default the first."
        ),
        curves=typer.Option(
            metavar="KINDS", help="The curves to draw, such as roc,calibration; none for no curve."
        ),
        title=typer.Option(metavar="TEXT", help="The title of the page."),
    )
    add(
        "trec",
        sqlmetrics.trec,
        "Compute metrics of TREC runs against qrels, as trec_eval defines them.\n\n"
        "A run has lines 'topic Q0 docno rank score tag', qrels have lines 'topic 0 docno rel', both plain or gzipped."
        " -m takes trec_eval's names, too: ndcg_cut_10, P.5,10.",
        run=typer.Argument(
            metavar="RUN", help="Run files; name=file names a run, otherwise the tag of its first line does."
        ),
        qrels=typer.Argument(metavar="QRELS", help="The judgements."),
        per_topic=typer.Option("--per-topic", "-q", help="Add a row for each topic."),
        complete=typer.Option("--complete", "-c", help="Count topics of the qrels that a run lacks as 0."),
        positive=typer.Option("--positive", "-l", help="The least grade of a relevant document."),
        version=typer.Option(help="The version of trec_eval, 10 or 9; pytrec_eval and ir_measures have 9."),
    )
    add(
        "curve",
        sqlmetrics.curve,
        f"Compute the points of a curve, by slice and in total: {', '.join(curves())}.\n\n{EXPRESSIONS}",
        kind=KIND,
    )
    add(
        "per-group",
        sqlmetrics.per_group,
        f"Compute metrics of lists for each list; a screen shows the first lists.\n\n{EXPRESSIONS}",
        keys=1,
        **GROUP,
    )
    add(
        "state",
        sqlmetrics.state,
        "Reduce data to a state, from which `finish` computes metrics of any range of periods.\n\n"
        f"Write it with --output FILE.parquet, such as a file for each day. {EXPRESSIONS}",
        keys=1,
        **PERIOD,
    )
    add(
        "finish",
        sqlmetrics.finish,
        f"Compute metrics from states, by slice and in total.\n\n{EXPRESSIONS}",
        state=typer.Argument(metavar="STATE", help="Files that `state` wrote, or globs."),
        **WHERE,
    )
    add(
        "semantic",
        sqlmetrics.semantic,
        "Print metrics of a state as a file of a semantic layer, from which BI tools compute them for any slices.\n\n"
        "sqlmetrics semantic daily.parquet -m ndcg@10,log_loss --table daily_state > models/semantic.yml",
        state=typer.Argument(metavar="STATE", help="Files that `state` wrote, or globs."),
        table=typer.Option(
            metavar="NAME", help="What the tool reads: the dbt model of the state, or its table."
        ),
        format=typer.Option(
            help="metricflow is dbt's, ossie the open format (before: Open Semantic Interchange)."
        ),
    )
    add(
        "sql",
        sqlmetrics.render,
        f"Print the SQL that computes metrics, for any dialect.\n\n{EXPRESSIONS}",
        **IN_SQL,
    )
    for name, function, own in (
        ("compare", sqlmetrics.render_compare, {**COMPARED, "other": OTHER}),
        ("slices", sqlmetrics.render_find_slices, SEARCHED),
        ("drift", sqlmetrics.render_drift, {**DRIFTED, **OF_STATE, "reference": REFERENCE}),
        (
            "explain-change",
            sqlmetrics.render_explain_change,
            {
                **EXPLAINED,
                **OF_STATE,
                "reference": typer.Option(metavar="SQL", help="A table name or a query: the period before."),
            },
        ),
        ("per-group", sqlmetrics.render_per_group, GROUP),
        ("curve", sqlmetrics.render_curve, {"kind": KIND}),
        ("class-report", sqlmetrics.render_class_report, CLASSES),
        ("confusion-matrix", sqlmetrics.render_confusion_matrix, CLASSES),
        ("state", sqlmetrics.render_state, PERIOD),
        ("finish", sqlmetrics.render_finish, {**FINISHED, **WHERE, **MADE_WHERE}),
    ):
        add(
            f"sql-{name}",
            function,
            f"Print the SQL of `{name}`, for any dialect.\n\n{EXPRESSIONS}",
            **{**IN_SQL, **own},
        )
    add(
        "explain-difference",
        sqlmetrics.explain_difference,
        "Compute a metric under two conventions, and the change that each option makes.\n\nA convention is a library,"
        f" such as trec_eval or lightgbm, or default for sqlmetrics itself. {EXPRESSIONS}",
        keys=3,
        metric=typer.Argument(metavar="NOTATION", help="Such as ndcg@10."),
        first=typer.Argument(metavar="FIRST", help="The first convention."),
        second=typer.Argument(metavar="SECOND", help="The second convention."),
        score=_column("The score of the model."),
    )
