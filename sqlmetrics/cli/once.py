"""Commands that refuse an option which is written twice, of which Click takes the last one, or as others call it."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from typer.core import TyperCommand

from sqlmetrics.errors import SqlMetricsError
from sqlmetrics.keywords import elsewhere
from sqlmetrics.options import OPTIONS


class Once(TyperCommand):
    """A command whose options of one value are written once."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """As Click's.

        Raises:
            SqlMetricsError: an option of one value that is written again; one that other libraries call so; a switch
                with a value.
        """
        known = {option for parameter in self.params for option in parameter.opts}
        of_state = any(parameter.name == "state" for parameter in self.params)
        for name in (arg.partition("=")[0] for arg in args):
            word = name.removeprefix("--").replace("-", "_")
            if not name.startswith("--") or name in known:
                continue
            if of_state and word in OPTIONS:
                raise SqlMetricsError(
                    f"No such option: {name}; the data are a state, which holds its columns and options"
                )
            meant = f"--{elsewhere(word)}"
            if meant in known:
                raise SqlMetricsError(f"No such option: {name}; here it is {meant}")
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
        _, _, order = self.make_parser(ctx).parse_args([*args])
        for option in {*order}:
            several = getattr(option, "multiple", True) or getattr(option, "is_flag", False)
            if order.count(option) > 1 and not several:
                written = max(option.opts, key=len)
                raise SqlMetricsError(f"{written} is written {order.count(option)} times; write it once")
        return super().parse_args(ctx, args)
