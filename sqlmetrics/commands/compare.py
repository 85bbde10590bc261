"""The command `compare`."""

from __future__ import annotations

from typing import Annotated

import typer

import sqlmetrics
from sqlmetrics import arguments
from sqlmetrics.errors import SqlMetricsError
from sqlmetrics.output import chosen, deliver

commands = typer.Typer()


@commands.command(
    "compare",
    help="Compare models: is the difference of a metric real, list by list or row by row?"
    f"\n\n{arguments.EXPRESSION_HELP}",
)
def _compare(
    data: arguments.Data,
    metrics: arguments.Metrics,
    baseline: Annotated[str, typer.Option(metavar="COLUMN", help="The score that others are compared with.")],
    candidate: Annotated[
        list[str],
        typer.Option(metavar="COLUMN", help="Another score; again for another, name=column names the model."),
    ],
    other: Annotated[
        str | None,
        typer.Option(
            metavar="FILE", help="A second table, in which the candidates stand; groups are paired."
        ),
    ] = None,
    paired: Annotated[
        bool,
        typer.Option(help="Whether --other holds the same groups, and not other users or another week."),
    ] = True,
    label: arguments.Label = None,
    group: arguments.Group = None,
    item: arguments.Item = None,
    weight: arguments.Weight = None,
    by: arguments.By = None,
    total: arguments.Total = True,
    truth: arguments.Truth = None,
    subtopic: arguments.Subtopic = None,
    max_grade: arguments.MaxGrade = None,
    positive: arguments.Positive = None,
    ties: arguments.Ties = None,
    convention: arguments.Convention = None,
    on_extra: arguments.OnExtra = "drop",
    on_duplicate: arguments.OnDuplicate = "error",
    unjudged: arguments.Unjudged = None,
    interval: Annotated[
        float, typer.Option(metavar="LEVEL", help="The confidence level of the interval of the difference.")
    ] = 0.95,
    test: Annotated[
        str | None,
        typer.Option(
            help="t (by default; DeLong's for AUC), wilcoxon, sign, randomisation, or bootstrap (for all)."
        ),
    ] = None,
    correction: Annotated[
        str | None, typer.Option(help="Of the p-values of several candidates: holm or bh.")
    ] = None,
    power: Annotated[
        float, typer.Option(help="The chance to find a difference of minimum_detectable.")
    ] = 0.8,
    n_resamples: Annotated[
        int, typer.Option(help="How often the randomisation test and the bootstrap draw.")
    ] = 1000,
    on_unpaired: Annotated[
        str,
        typer.Option(
            help="A group that has a value for one model alone: error, or intersection to take the others."
        ),
    ] = "error",
    on_bad_rows: arguments.OnBadRows = "error",
    format: arguments.AskedFormat = None,
    output: arguments.Output = None,
) -> None:
    form, slices, models = (
        chosen(format, output, data, other, truth),
        arguments.columns(by),
        arguments.scores(candidate, "--candidate"),
    )
    if models is None:
        raise SqlMetricsError("--candidate takes a column")
    compared = sqlmetrics.compare(
        arguments.data(data),
        arguments.notations(metrics),
        baseline=arguments.column(baseline),
        candidate=models,
        other=arguments.table(other),
        paired=paired,
        **arguments.roles(label=label, group=group, item=item, weight=weight, subtopic=subtopic),
        by=slices,
        total=total,
        truth=arguments.table(truth),
        max_grade=max_grade,
        positive=arguments.number_or_text(positive),
        ties=ties,
        convention=convention,
        on_extra=on_extra,
        on_duplicate=on_duplicate,
        unjudged=unjudged,
        interval=interval,
        test=test,
        correction=correction,
        power=power,
        n_resamples=n_resamples,
        on_unpaired=on_unpaired,
        on_bad_rows=on_bad_rows,
        connection=arguments.connection(),
    )
    deliver(compared, form, output, keys=len(slices) + 2)
