"""The commands of states: `state` makes one of data, `finish` metrics of it."""

from __future__ import annotations

from typing import Annotated

import typer

import sqlmetrics
from sqlmetrics import arguments
from sqlmetrics.output import chosen, deliver

commands = typer.Typer()


@commands.command(
    "state",
    help="Reduce data to what `finish` needs to compute metrics of any range of periods.\n\n"
    f"Write it with --output FILE.parquet, a file for each day, say. {arguments.EXPRESSION_HELP}",
)
def _state(
    data: arguments.Data,
    metrics: arguments.Metrics,
    period: Annotated[str, typer.Option(metavar="COLUMN", help="The day, or whatever is finished together.")],
    label: arguments.Label = None,
    score: arguments.Score = None,
    group: arguments.Group = None,
    item: arguments.Item = None,
    weight: arguments.Weight = None,
    by: arguments.By = None,
    prediction: arguments.Prediction = None,
    max_grade: arguments.MaxGrade = None,
    positive: arguments.Positive = None,
    ties: arguments.Ties = None,
    convention: arguments.Convention = None,
    on_duplicate: arguments.OnDuplicate = "error",
    unjudged: arguments.Unjudged = None,
    on_bad_rows: arguments.OnBadRows = "error",
    format: arguments.AskedFormat = None,
    output: arguments.Output = None,
) -> None:
    form = chosen(format, output, data)
    slices = arguments.columns(by)
    made = sqlmetrics.state(
        arguments.data(data),
        arguments.notations(metrics),
        period=arguments.column(period),
        score=arguments.scores(score),
        by=slices,
        **arguments.roles(label=label, group=group, item=item, weight=weight, prediction=prediction),
        max_grade=max_grade,
        positive=arguments.number_or_text(positive),
        ties=ties,
        convention=convention,
        on_duplicate=on_duplicate,
        unjudged=unjudged,
        on_bad_rows=on_bad_rows,
        connection=arguments.connection(),
    )
    deliver(made, form, output, keys=len(slices) + 1)


@commands.command(
    "finish", help=f"Compute metrics from states, by slice and in total.\n\n{arguments.EXPRESSION_HELP}"
)
def _finish(
    data: Annotated[list[str], typer.Argument(metavar="STATE", help="Files that `state` wrote, or globs.")],
    metrics: arguments.Metrics,
    by: arguments.By = None,
    total: arguments.Total = True,
    where: Annotated[
        str | None, typer.Option(metavar="SQL", help="Which periods and slices: \"day >= '2026-06-01'\".")
    ] = None,
    format: arguments.AskedFormat = None,
    output: arguments.Output = None,
) -> None:
    form = chosen(format, output, data)
    slices = arguments.columns(by)
    report = sqlmetrics.finish(
        arguments.data(data),
        arguments.notations(metrics),
        by=slices,
        total=total,
        where=where,
        connection=arguments.connection(),
    )
    deliver(report, form, output, keys=len(slices) + ("model" in report.columns))
