"""Commands that refuse an option which is written twice, of which Click takes the last one, or as others call it."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import typer
from typer.core import TyperCommand

from sqlmetrics.cli.groups import no_word_of_sql
from sqlmetrics.errors import SqlMetricsError
from sqlmetrics.keywords import elsewhere
from sqlmetrics.options import OPTIONS


class Once(TyperCommand):
    """A command whose options of one value are written once."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """As Click's.

        Raises:
            SqlMetricsError: an option of one value that is written again; one that is missing; one that other libraries
                call so; a switch with a value.
        """
        known = {option for parameter in self.params for option in parameter.opts}
        for name in (arg.partition("=")[0] for arg in args):
            if name not in known and name.startswith("-") and (why := self._unknown(name, known)):
                raise SqlMetricsError(f"No such option: {name}; {why}")
        self._refuse_values_of_switches(args)
        _, rest, order = self.make_parser(ctx).parse_args([*args])
        if rest and "--relation" in known:
            raise no_word_of_sql(rest[0], self.name)
        for option in {*order}:
            several = getattr(option, "multiple", True) or getattr(option, "is_flag", False)
            if order.count(option) > 1 and not several:
                written = max(option.opts, key=len)
                raise SqlMetricsError(f"{written} is written {order.count(option)} times; write it once")
        try:
            return super().parse_args(ctx, args)
        except typer.BadParameter as error:
            if error.param is None or not hasattr(error, "param_type"):  # a value that is wrong
                raise
            raise self._missing(ctx, error.param) from None

    def _unknown(self, name: str, known: set[str]) -> str:
        """What to write in place of an option that the command does not have; empty text if that is not known."""
        names = {parameter.name for parameter in self.params}
        word = name.removeprefix("--").replace("-", "_")
        if name in ("-m", "--metrics") and {"metric", "first", "second"} <= names:
            return (
                "the metric and two conventions are words after the data, such as sqlmetrics explain-difference"
                " data.parquet ndcg@10 default trec_eval"
            )
        if name in ("-m", "--metrics") and "kind" in names:
            return "the curve is a word; write sqlmetrics curve data.parquet roc"
        if not name.startswith("--"):
            return ""
        if "state" in names and word in OPTIONS:
            return "the data are a state, which holds its columns and options"
        if word == "score" and "--prediction" in known:
            return "a class is predicted from a score p by --prediction 'sql:p >= 0.5'"
        meant = f"--{elsewhere(word)}"
        return f"here it is {meant}" if meant in known else ""

    def _refuse_values_of_switches(self, args: list[str]) -> None:
        switches = {
            option
            for parameter in self.params
            if getattr(parameter, "is_flag", False)
            for option in (*parameter.opts, *parameter.secondary_opts)
        }
        for arg, following in pairwise([*args, ""]):
            name, _, value = arg.partition("=")
            if name in switches and (value or following).lower() in ("true", "false"):
                raise SqlMetricsError(f"{name} is a switch and takes no value; write {name}, or leave it out")

    def _missing(self, ctx: Any, parameter: Any) -> SqlMetricsError:
        """The error for a parameter that is missing: what to write, and the first sentence of its help."""
        value = parameter.metavar or "VALUE"
        pieces = [
            piece.replace("{", "").replace("}", "")
            for piece in self.collect_usage_pieces(ctx)
            if not piece.startswith("[")
        ]
        name, written = f"argument '{value}'", " ".join([ctx.command_path, *pieces])
        if parameter.param_type_name == "option":
            short, long = min(parameter.opts, key=len), max(parameter.opts, key=len)
            name, written = f"option '{long}'", f"{short} {value}"
        meaning = parameter.help.split(". ")[0].rstrip(".")
        return SqlMetricsError(f"Missing {name}; write {written} ({meaning})")
