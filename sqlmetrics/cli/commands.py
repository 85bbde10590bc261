"""The commands that call a public function, in the order of the help."""

from __future__ import annotations

import functools
from typing import Any

import typer

import sqlmetrics
from sqlmetrics.book.catalog import curve_names
from sqlmetrics.cli.command import add_command
from sqlmetrics.options import Option

Own = dict[str, Any]
EXPRESSIONS = "A column is its name, or an SQL expression written as 'sql:clicks > 0'."

# headings of the help
MEASURED = "Measure"
COMPARING = "Compare, with error bars"
SEARCHING = "Find out why"
GATED = "Day by day, and in gates"
STATEMENTS = "SQL for any engine"
BOOK = "The book of metrics"

COUNTS: Own = {
    "weight": Option("The column of counts, if a row stands for several.", "COLUMN"),
    "interval": Option("The confidence level of the interval."),
}
CLASSES: Own = {
    "label": Option("The class of a row.", "COLUMN"),
    "prediction": Option("The predicted class.", "COLUMN"),
}
CELLS: Own = {
    **CLASSES,
    "threshold": Option("Instead of --prediction: from which value of --score on it is 1. [default: 0.5]"),
}
PERIOD: Own = {
    "period": Option("The column of the period, such as a day; name=column names it.", "[NAME=]PERIOD")
}
INTERVALS: Own = {"intervals": Option("Keep what `finish --interval` needs, too.")}
FINISHED: Own = {"period": Option("The column of the state that holds the period.", "COLUMN")}
GROUP: Own = {
    "group": Option(
        "The column of the list that a row belongs to: query, user, session; name=column names it.",
        "[NAME=]GROUP",
    )
}
WHERE: Own = {"where": Option("The periods and slices to use: \"day >= '2026-06-01'\".", "SQL")}
MADE_WHERE: Own = {"made_where": Option("The --where of `state`, if it had one.", "SQL")}
KIND = typer.Argument(metavar="KIND", help="Such as roc, 'calibration(bins=20, equal=count)', gain.")
MARGIN = Option(
    "The smallest difference that matters, of all metrics or of each; adds a verdict; may be given again.",
    "NUMBER|METRIC=NUMBER,...",
)
BAND = Option(
    "pointwise (the default) holds the curve in a point, simultaneous in all at once; needs --interval."
)
COMPARED: Own = {
    "baseline": Option("The model with which others are compared: a column, or a name of --score.", "COLUMN"),
    "candidate": Option(
        "Another model; may be given again, name=column names it. With --score a name; all others by default.",
        "[NAME=]COLUMN",
    ),
    "other": Option("A second table that holds the candidates; its groups are paired by key.", "FILE"),
    "paired": Option("Whether --other holds the same groups, rather than other users or another week."),
    "interval": Option("The confidence level of the interval of the difference.", "LEVEL"),
    "test": Option(
        "t (the default; DeLong's for AUC), wilcoxon, sign, randomisation, bootstrap (for all), or anytime"
        " (may be looked at every day)."
    ),
    "pairs": Option("The models to compare: each candidate with the baseline, or all with each other."),
    "correction": Option("Correction of the p-values of a family of tests: holm or bh."),
    "family": Option(
        "The tests that are corrected together: of each metric (and slice), or all of the result. [default: metric]"
    ),
    "margin": MARGIN,
    "power": Option("The probability of detecting a difference of minimum_detectable."),
    "n_resamples": Option("The number of draws of the randomisation test and the bootstrap."),
    "on_unpaired": Option(
        "A group with a value for only one model: error, or intersection to compare the others."
    ),
}
RATED: Own = {
    "measures": typer.Option(
        "--measures",
        "-m",
        metavar="LIST",
        help="The measures, such as 'krippendorff(level=ordinal)',gwet,cohen,percent.",
    ),
    "item": Option("What was rated.", "COLUMN"),
    "rater": Option("Who rated it; a row is a rating.", "COLUMN"),
    "value": Option("The rating.", "COLUMN"),
    "raters": Option(
        "Instead of --rater and --value: a column for each rater, with commas between them.", "COLUMNS"
    ),
    "interval": Option("The confidence level of the intervals.", "LEVEL"),
}
RANKED: Own = {
    "interval": Option("The confidence level of intervals, and of all ranks together.", "LEVEL"),
    "on_unpaired": Option("A group that some model lacks: error, or intersection to rank on the others."),
}
SIZED: Own = {
    "baseline": Option("A model: the column of its score, or a name of --score.", "COLUMN"),
    "candidate": Option(
        "Another model on the same rows; without it, two arms with data of their own.", "[NAME=]COLUMN"
    ),
    "difference": Option(
        "The difference to detect, of all metrics or of each; may be given again.", "NUMBER|METRIC=NUMBER,..."
    ),
    "n": Option("Instead of --difference: a number of units. What do they detect?"),
    "power": Option("The probability of detecting the difference."),
    "interval": Option("A confidence level; 1 less the level is the level of the test.", "LEVEL"),
}
LABELLED: Own = {
    "budget": Option("How many rows, or lists, people shall label besides those that they labelled."),
    "interval": Option("The confidence level of the interval whose width is expected.", "LEVEL"),
}
DRAWN: Own = {
    **LABELLED,
    "key": Option("The column that identifies a row; may be given again.", "KEY"),
    "seed": Option("Another number draws other rows."),
}
SEARCHED: Own = {
    "by": Option(
        "The columns whose values make slices, with commas between them; may be given again.", "COLUMNS"
    ),
    "baseline": Option(
        "The model with which another is compared: a column in place of --score, or a name of it.",
        "COLUMN",
    ),
    "candidate": Option("This other model.", "COLUMN"),
    "depth": Option("The most columns that make a slice, 1 to 3."),
    "min_units": Option("The fewest rows, or lists, of a slice and of its rest."),
    "numeric": Option("Columns of --by that are numbers, besides those by type.", "COLUMNS"),
    "bins": Option("The number of bins of a number."),
    "dates": Option("Columns of --by that are dates, besides those by type.", "COLUMNS"),
    "dates_by": Option("The slices of a date."),
    "max_values": Option("A column keeps this many values; the others are one, (other)."),
    "interval": Option("The confidence level of intervals; the rest is that of tests.", "LEVEL"),
}
DRIFTED: Own = {
    "reference": Option("A second table, or of a state another one: the rows to compare with.", "FILE"),
    "columns": Option(
        "The columns to compare. [default: numbers, text and booleans of both tables; of a state its slices]",
        "COLUMNS",
    ),
    "period": Option(
        "Instead of --reference: a column with the period of a row; a state knows its own.", "COLUMN"
    ),
    "before": Option("The value of --period whose rows are the reference.", "VALUE"),
    "after": Option("The value of --period whose rows are the current ones.", "VALUE"),
    "numeric": Option("Columns of --columns that are numbers, besides those by type.", "COLUMNS"),
    "bins": Option("The number of bins of a number."),
}
REFERENCE = Option("A table name or a query: the rows to compare with.", "SQL")
EXPLAINED: Own = {
    "metric": typer.Option("--metric", "-m", metavar="METRIC", help="Such as log_loss or ndcg@10."),
    "by": Option("The columns of the slices, with commas between them; may be given again.", "COLUMNS"),
    "period": Option("The column of the period, such as a day; a state knows its own.", "COLUMN"),
    "before": Option("The value of --period in the earlier period.", "PERIOD"),
    "after": Option("Its value in the later period.", "PERIOD"),
    "reference": Option("Instead of these three: a second table, the period before.", "FILE"),
    "base": Option("What is weighed by: the mean of both periods, or the period before."),
    "score": Option("The score of the model.", "COLUMN"),
    "interval": Option("The confidence level of the intervals.", "LEVEL"),
}
DATA_OR_STATE = typer.Argument(metavar="DATA", help="As for `evaluate`, or files that `state` wrote.")
#: of a statement over a state
OF_STATE: Own = {
    **MADE_WHERE,
    "of_state": Option("Whether the relation is a state."),
    "made_period": Option("The column of the state that holds the period, if --period is another.", "COLUMN"),
}
OTHER = Option("A table name or a query: the candidates, for groups paired by key.", "SQL")
#: what a statement reads: tables of the engine, by name or as queries
IN_SQL: Own = {
    "relation": Option("A table name or a query.", "SQL"),
    "dialect": Option("The engine that the statement is for."),
    "truth": Option("A table name or a query: the relevant items.", "SQL"),
    "catalog": Option("A table name or a query: items to recommend.", "SQL"),
    "history": Option("A table name or a query: past interactions.", "SQL"),
    "distances": Option("A table name or a query: item_a, item_b, distance.", "SQL"),
}


def add_commands(app: typer.Typer, called: str | None) -> None:
    """Adds the commands to the program, with the options of one, or of all for None."""
    add = functools.partial(add_command, app, called, MEASURED)
    add(sqlmetrics.evaluate, f"Compute metrics over data, by slice and in total.\n\n{EXPRESSIONS}")
    add(
        sqlmetrics.trec,
        "Compute metrics of TREC runs against qrels, as trec_eval defines them.\n\n"
        "A run has lines 'topic Q0 docno rank score tag', qrels have lines 'topic 0 docno rel', both plain or gzipped."
        " -m takes trec_eval's names, too: ndcg_cut_10, P.5,10, official, all_trec. trec_eval's order, the judgements"
        " first, works as well.",
        run=typer.Argument(
            metavar="RUN", help="Run files; name=file names a run, otherwise the tag of its first line does."
        ),
        qrels=typer.Argument(metavar="QRELS", help="The judgements."),
        baseline=typer.Option(
            "--baseline", "--compare", metavar="NAME", help="The run with which the others are compared."
        ),
        per_topic=typer.Option("--per-topic", "-q", help="Add a row for each topic."),
        judged_only=typer.Option("--judged-only", "-J", help="Leave out of the runs what nobody judged."),
        max_docs=typer.Option("--max-docs", "-M", help="Read the best documents of a topic, this many."),
        complete=typer.Option("--complete", "-c", help="Count topics of the qrels that a run lacks as 0."),
        positive=typer.Option("--positive", "-l", help="The least grade of a relevant document."),
        version=Option("The version of trec_eval, 10 or 9; pytrec_eval and ir_measures have 9."),
    )
    add(
        sqlmetrics.per_group,
        f"Compute metrics of lists for each list; a screen shows the first lists.\n\n{EXPRESSIONS}",
        keys=1,
        **GROUP,
    )
    add(
        sqlmetrics.curve,
        f"Compute the points of a curve, by slice and in total: {', '.join(curve_names())}.\n\n{EXPRESSIONS}",
        kind=KIND,
        band=BAND,
    )
    add(
        sqlmetrics.confusion_matrix,
        f"Count how often each class was predicted for each label.\n\n{EXPRESSIONS}",
        keys=1,
        **CELLS,
    )
    add(
        sqlmetrics.class_report,
        f"Compute precision, recall and F1 of every class.\n\n{EXPRESSIONS}",
        keys=1,
        **CLASSES,
    )
    add(
        sqlmetrics.report,
        "Write a page of metrics: with intervals, slices, models compared, and curves.\n\n"
        f"sqlmetrics report data.parquet -m auc --label y --score s --output report.html. {EXPRESSIONS}",
        data=DATA_OR_STATE,
        baseline=Option("The model with which the others are compared, by default the first.", "NAME"),
        curves=Option("The curves to draw, such as roc,calibration; none for no curve.", "KINDS"),
        title=Option("The title of the page.", "TEXT"),
        margin=MARGIN,
    )
    add(
        sqlmetrics.agreement,
        "Measure how far raters agree: Krippendorff's alpha, Fleiss' and Cohen's kappa, Gwet's AC1 and AC2."
        f"\n\n{EXPRESSIONS}",
        keys=1,
        **RATED,
    )
    add = functools.partial(add_command, app, called, COMPARING)
    add(
        sqlmetrics.compare,
        f"Compare models: is the difference of a metric real, list by list or row by row?\n\n{EXPRESSIONS}",
        keys=2,
        data=DATA_OR_STATE,
        **COMPARED,
    )
    add(
        sqlmetrics.leaderboard,
        f"Rank models: the value of each, its rank, and the ranks that it may have.\n\n{EXPRESSIONS}",
        keys=1,
        **RANKED,
    )
    add(
        sqlmetrics.sample_size,
        "Plan a comparison from a pilot: how many rows, lists or groups detect a difference?"
        f"\n\n{EXPRESSIONS}",
        keys=1,
        **SIZED,
    )
    add(
        sqlmetrics.plan_labels,
        "Plan labels by people from a pilot: how many in which slice make the corrected interval narrowest?"
        f"\n\n{EXPRESSIONS}",
        keys=1,
        **LABELLED,
    )
    add(
        sqlmetrics.mcnemar,
        "Compare two classifiers on the same rows: which is right more often (McNemar's test)?"
        f"\n\n{EXPRESSIONS}",
        **COUNTS,
        label=Option("The class of a row.", "COLUMN"),
        baseline=Option("The class predicted by one classifier.", "COLUMN"),
        candidate=Option("The class predicted by the other classifier.", "COLUMN"),
    )
    add(
        sqlmetrics.two_proportions,
        f"Compare the share of positive rows in two categories.\n\n{EXPRESSIONS}",
        **COUNTS,
        label=Option("The column that says if a row is positive.", "COLUMN"),
        category=Option("A column with two values.", "COLUMN"),
    )
    add(
        sqlmetrics.chi_square,
        "Test counts: are two columns independent, or has one column the expected shares (Pearson's chi-square)?"
        f"\n\n{EXPRESSIONS}",
        weight=COUNTS["weight"],
        column=Option("The categories of a row.", "COLUMN"),
        other=Option("The categories of a second column.", "COLUMN"),
        expected=Option(
            "Without --other: the expected share or count of every category. [default: equal shares]",
            "CATEGORY=SHARE,...",
        ),
    )
    add(
        sqlmetrics.bradley_terry,
        f"Rank models from battles, such as votes of an arena, with intervals of strengths and ranks.\n\n{EXPRESSIONS}",
        **COUNTS,
        model_a=Option("The first model of a battle.", "COLUMN"),
        model_b=Option("The second model of a battle.", "COLUMN"),
        winner=Option("The column that holds model_a, model_b or tie.", "COLUMN"),
        cluster=Option("What battles share, such as their prompt.", "COLUMN"),
    )
    add = functools.partial(add_command, app, called, SEARCHING)
    add(
        sqlmetrics.find_slices,
        "Find the slices in which a model is worse or better than in the rest, or a candidate than a baseline."
        f"\n\n{EXPRESSIONS}",
        name="find-slices",
        keys=2,
        **SEARCHED,
    )
    add(
        sqlmetrics.explain_change,
        "Explain why a metric moved from one period to another: by slices, whose shares and values changed."
        f"\n\n{EXPRESSIONS}",
        keys=1,
        **EXPLAINED,
        data=DATA_OR_STATE,
    )
    add(
        sqlmetrics.drift,
        f"Compare each column with a reference, or two periods: did the data move?\n\n{EXPRESSIONS}",
        keys=2,
        **DRIFTED,
        data=DATA_OR_STATE,
    )
    add = functools.partial(add_command, app, called, GATED)
    add(
        sqlmetrics.state,
        "Reduce data to a state, from which `finish` computes metrics of any range of periods.\n\n"
        f"Write it with --output FILE.parquet, such as a file for each day. {EXPRESSIONS}",
        keys=1,
        **PERIOD,
        **INTERVALS,
    )
    add(
        sqlmetrics.finish,
        f"Compute metrics from states, by slice and in total.\n\n{EXPRESSIONS}",
        state=typer.Argument(metavar="STATE", help="Files that `state` wrote, or globs."),
        **WHERE,
    )
    add(
        sqlmetrics.semantic,
        "Print metrics of a state as a file of a semantic layer, from which BI tools compute them for any slices.\n\n"
        "sqlmetrics semantic daily.parquet -m ndcg@10,log_loss --table daily_state > models/semantic.yml",
        state=typer.Argument(metavar="STATE", help="Files that `state` wrote, or globs."),
        table=Option("What the tool reads: the dbt model of the state, or its table.", "NAME"),
        format=Option(
            "metricflow is dbt's, ossie the open format (before: Open Semantic Interchange); the last two are views."
        ),
    )
    add = functools.partial(add_command, app, called, STATEMENTS)
    add(
        sqlmetrics.render,
        f"Print the SQL that computes metrics, for any dialect.\n\n{EXPRESSIONS}",
        name="sql",
        **IN_SQL,
    )
    for name, function, own in (
        ("compare", sqlmetrics.render_compare, {**COMPARED, **FINISHED, **OF_STATE, "other": OTHER}),
        ("leaderboard", sqlmetrics.render_leaderboard, RANKED),
        ("agreement", sqlmetrics.render_agreement, RATED),
        ("sample-size", sqlmetrics.render_sample_size, SIZED),
        ("plan-labels", sqlmetrics.render_plan_labels, LABELLED),
        ("draw-labels", sqlmetrics.render_draw_labels, DRAWN),
        ("find-slices", sqlmetrics.render_find_slices, SEARCHED),
        ("drift", sqlmetrics.render_drift, {**DRIFTED, **OF_STATE, "reference": REFERENCE}),
        (
            "explain-change",
            sqlmetrics.render_explain_change,
            {
                **EXPLAINED,
                **OF_STATE,
                "reference": Option("A table name or a query: the period before.", "SQL"),
            },
        ),
        ("per-group", sqlmetrics.render_per_group, GROUP),
        ("curve", sqlmetrics.render_curve, {"kind": KIND, "band": BAND}),
        ("class-report", sqlmetrics.render_class_report, CLASSES),
        ("confusion-matrix", sqlmetrics.render_confusion_matrix, CELLS),
        ("state", sqlmetrics.render_state, {**PERIOD, **INTERVALS}),
        ("finish", sqlmetrics.render_finish, {**FINISHED, **WHERE, **MADE_WHERE}),
    ):
        add(
            function,
            f"Print the SQL of `{name}`, for any dialect.\n\n{EXPRESSIONS}",
            name=f"sql {name}",
            **{**IN_SQL, **own},
        )
    add = functools.partial(add_command, app, called, BOOK)
    add(
        sqlmetrics.explain_difference,
        "Compute a metric under two conventions, and the change that each option makes.\n\nA convention is a library,"
        f" such as trec_eval or lightgbm, or default for sqlmetrics itself. {EXPRESSIONS}",
        keys=3,
        metric=typer.Argument(metavar="NOTATION", help="Such as ndcg@10."),
        first=typer.Argument(metavar="FIRST", help="The first convention."),
        second=typer.Argument(metavar="SECOND", help="The second convention."),
        score=Option("The score of the model.", "COLUMN"),
    )
