"""The options of commands that fail where a metric misses a limit."""

from __future__ import annotations

import inspect
import sys
from typing import Annotated, Any, Literal

import typer

from sqlmetrics.book.catalog import split_notations
from sqlmetrics.cli.settings import parameter
from sqlmetrics.errors import SqlMetricsError, printable
from sqlmetrics.gates import VERDICTS, Gate, against_direction, lines_of, number, outcomes, parsed
from sqlmetrics.results.audited import Comparison
from sqlmetrics.results.report import Report

FailOn = Literal["every", "total"]
RULES = {"fail_under": ">=", "fail_over": "<="}  #: what a value has to be


def options_of_gates(compared: bool) -> list[inspect.Parameter]:
    """The parameters of a command.

    Args:
        compared: True for a comparison, whose limits are those of the interval of the difference.
    """
    what = "the interval of its difference reaches" if compared else "the metric is"
    limits = "METRIC=NUMBER"
    under = typer.Option(metavar=limits, help=f"End with status 1 if {what} under the number.")
    over = typer.Option(metavar=limits, help=f"End with status 1 if {what} over the number.")
    null = typer.Option(help="End with status 1 if a metric has no value.")
    on = typer.Option(
        metavar="every|total", help="The rows that count: every slice and model, or the total of each model."
    )
    verdict = typer.Option(
        metavar="'METRIC is VERDICT'",
        help=f"End with status 1 if the verdict of --margin is another one. Verdicts: {', '.join(VERDICTS)}.",
    )
    return [
        parameter("fail_under", Annotated[list[str] | None, under]),
        parameter("fail_over", Annotated[list[str] | None, over]),
        *([parameter("fail_unless", Annotated[list[str] | None, verdict])] if compared else []),
        parameter("fail_null", Annotated[bool, null], False),
        parameter("fail_on", Annotated[FailOn, on], "every"),
    ]


def asked_of(words: dict[str, Any]) -> tuple[list[Gate], bool]:
    """The gates in the words of a command, which are taken out of them, and whether a null fails.

    Raises:
        SqlMetricsError: not a metric and a number, or a verdict.
    """
    slices = words.pop("fail_on") == "every"
    gates = []
    for option, rule in RULES.items():
        for text in words.pop(option) or []:
            for one in split_notations(text):
                metric, equals, limit = (part.strip() for part in one.rpartition("="))
                if not (metric and equals):
                    written = f"--{option.replace('_', '-')}"
                    raise SqlMetricsError(
                        f"{written} takes a metric and a number, such as auc=0.7; got '{one}'"
                    )
                gates.append(Gate(metric, rule, number(limit, one), slices))
    for text in words.pop("fail_unless", None) or []:
        gate = parsed(text, slices)
        if not gate.verdict:
            raise SqlMetricsError(
                f"--fail-unless takes a metric and a verdict, such as 'auc is not worse'; got '{text}'"
            )
        gates.append(gate)
    return gates, words.pop("fail_null")


def failures(result: Report | Comparison, gates: list[Gate], fail_null: bool) -> list[str]:
    """The lines to print: a line for each gate that fails, and notes.

    Raises:
        SqlMetricsError: the result has no such metric.
    """
    if not (gates or fail_null):
        return []
    return [
        *(f"Failed: {line}" for line in lines_of(outcomes(result, gates, fail_null))),
        *(
            f"Note: a {better} {gate.metric} is better, so {_written(gate)} fails good models;"
            f" {_written(turned)} fails bad ones"
            for gate, turned, better in against_direction(gates, result.statement.notations)
        ),
    ]


def _written(gate: Gate) -> str:
    """A gate as an option."""
    option = next(option for option, rule in RULES.items() if rule == gate.rule)
    return f"--{option.replace('_', '-')} {gate.metric}={gate.limit:.15g}"


def end(lines: list[str]) -> None:
    """Prints the lines on standard error, and ends the program with status 1 if one is a failure."""
    for line in lines:
        print(printable(line), file=sys.stderr)
    if any(line.startswith("Failed: ") for line in lines):
        raise SystemExit(1)
