"""The commands of tests of counts: `chi-square`, `two-proportions` and `mcnemar`."""

from __future__ import annotations

from typing import Annotated

import typer

import sqlmetrics
from sqlmetrics import arguments
from sqlmetrics.output import chosen, deliver

commands = typer.Typer()


@commands.command(
    "chi-square",
    help="Test counts: are two columns independent, or has one column the expected shares (Pearson's chi-square)?"
    f"\n\n{arguments.EXPRESSION_HELP}",
)
def _chi_square(
    data: arguments.Data,
    column: Annotated[str, typer.Option(metavar="COLUMN", help="The categories of a row.")],
    other: Annotated[
        str | None, typer.Option(metavar="COLUMN", help="The categories of a second column.")
    ] = None,
    expected: Annotated[
        str | None,
        typer.Option(
            metavar="CATEGORY=SHARE,...",
            help="Without --other: the expected share or count of every category. [default: equal shares]",
        ),
    ] = None,
    weight: arguments.Count = None,
    by: arguments.By = None,
    total: arguments.Total = True,
    on_bad_rows: arguments.OnBadRows = "error",
    format: arguments.AskedFormat = None,
    output: arguments.Output = None,
) -> None:
    form, slices = chosen(format, output, data), arguments.columns(by)
    tested = sqlmetrics.chi_square(
        arguments.data(data),
        **arguments.roles(column=column, other=other, weight=weight),
        expected=arguments.shares(expected),
        by=slices,
        total=total,
        on_bad_rows=on_bad_rows,
        connection=arguments.connection(),
    )
    deliver(tested, form, output, keys=len(slices))


@commands.command(
    "two-proportions",
    help=f"Compare the share of positive rows in two categories.\n\n{arguments.EXPRESSION_HELP}",
)
def _two_proportions(
    data: arguments.Data,
    label: Annotated[str, typer.Option(metavar="COLUMN", help="Whether a row is positive.")],
    category: Annotated[str, typer.Option(metavar="COLUMN", help="A column with two values.")],
    interval: Annotated[float, typer.Option(help="The confidence level of the interval.")] = 0.95,
    weight: arguments.Count = None,
    positive: arguments.Positive = None,
    by: arguments.By = None,
    total: arguments.Total = True,
    on_bad_rows: arguments.OnBadRows = "error",
    format: arguments.AskedFormat = None,
    output: arguments.Output = None,
) -> None:
    form, slices = chosen(format, output, data), arguments.columns(by)
    tested = sqlmetrics.two_proportions(
        arguments.data(data),
        **arguments.roles(label=label, category=category, weight=weight),
        interval=interval,
        positive=arguments.number_or_text(positive),
        by=slices,
        total=total,
        on_bad_rows=on_bad_rows,
        connection=arguments.connection(),
    )
    deliver(tested, form, output, keys=len(slices))


@commands.command(
    "mcnemar",
    help="Compare two classifiers on the same rows: which is right more often (McNemar's test)?"
    f"\n\n{arguments.EXPRESSION_HELP}",
)
def _mcnemar(
    data: arguments.Data,
    label: Annotated[str, typer.Option(metavar="COLUMN", help="The class of a row.")],
    baseline: Annotated[str, typer.Option(metavar="COLUMN", help="The class that one classifier predicts.")],
    candidate: Annotated[str, typer.Option(metavar="COLUMN", help="The class that the other predicts.")],
    interval: Annotated[float, typer.Option(help="The confidence level of the interval.")] = 0.95,
    weight: arguments.Count = None,
    by: arguments.By = None,
    total: arguments.Total = True,
    on_bad_rows: arguments.OnBadRows = "error",
    format: arguments.AskedFormat = None,
    output: arguments.Output = None,
) -> None:
    form, slices = chosen(format, output, data), arguments.columns(by)
    tested = sqlmetrics.mcnemar(
        arguments.data(data),
        **arguments.roles(label=label, baseline=baseline, candidate=candidate, weight=weight),
        interval=interval,
        by=slices,
        total=total,
        on_bad_rows=on_bad_rows,
        connection=arguments.connection(),
    )
    deliver(tested, form, output, keys=len(slices))
