"""Commands that refuse an option which is written twice; Click takes the last one and drops the others."""

from __future__ import annotations

from typing import Any

from typer.core import TyperCommand

from sqlmetrics.errors import SqlMetricsError


class Once(TyperCommand):
    """A command whose options of one value are written once."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """As Click's.

        Raises:
            SqlMetricsError: an option of one value that is written again.
        """
        _, _, order = self.make_parser(ctx).parse_args([*args])
        for option in {*order}:
            several = getattr(option, "multiple", True) or getattr(option, "is_flag", False)
            if order.count(option) > 1 and not several:
                written = max(option.opts, key=len)
                raise SqlMetricsError(f"{written} is written {order.count(option)} times; write it once")
        return super().parse_args(ctx, args)
