"""The commands under headings, and the commands of two words: `sqlmetrics sql compare`."""

from __future__ import annotations

from typing import Any

from typer.core import TyperGroup

from sqlmetrics.book.catalog import is_metric
from sqlmetrics.errors import SqlMetricsError

#: what a command was called before; it works, and the help does not show it
FORMER = {"slices": "find-slices", "sql-slices": "sql find-slices"}


def in_words(args: list[str]) -> list[str]:
    """The words of a call, whose first is a command. `sql` takes no argument, so a word after it belongs to the name.

    >>> in_words(["sql", "compare", "-m", "auc"]), in_words(["sql-compare"]), in_words(["sql", "evaluate"])
    (['sql compare', '-m', 'auc'], ['sql compare'], ['sql'])
    """
    if not args:
        return args
    first, *others = args
    if first == "sql" and others and not others[0].startswith("-"):
        first = "sql" if others[0] == "evaluate" else f"sql-{others[0]}"
        others = others[1:]
    first = FORMER.get(first, first)
    return [f"sql {first[4:]}" if first.startswith("sql-") else first, *others]


def no_word_of_sql(word: str, command: str | None = "sql") -> SqlMetricsError:
    """The error for a word behind a command of SQL, which takes none."""
    if is_metric(word):
        return SqlMetricsError(f"'{word}' is a metric; write sqlmetrics {command} -m {word} --relation TABLE")
    return SqlMetricsError(
        f"sqlmetrics {command} reads no file such as '{word}'; it prints a statement over a table of an engine, which"
        " is written --relation TABLE"
    )


class Groups(TyperGroup):
    """All commands; each is shown below the heading that it was added with."""

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """As Click's.

        Raises:
            SqlMetricsError: the name of a metric in the place of a command; a file or a metric after `sql`.
        """
        words = in_words(args)
        after = words[0].removeprefix("sql ") if words and words[0] not in self.commands else ""
        if (
            words
            and after not in ("", words[0])
            and (is_metric(after) or not after.replace("-", "").isalpha())
        ):
            raise no_word_of_sql(after)
        if words and words[0] not in self.commands and is_metric(words[0]):
            raise SqlMetricsError(
                f"'{words[0]}' is a metric and no command; write sqlmetrics evaluate DATA -m {words[0]}, or sqlmetrics"
                f" show {words[0]}"
            )
        return super().resolve_command(ctx, words)

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Writes the commands below their headings."""
        headings: dict[str, list[Any]] = {}
        for command in self.commands.values():
            headings.setdefault(command.rich_help_panel, []).append(command)  # type: ignore[attr-defined]
        for heading, commands in headings.items():
            with formatter.section(heading):
                width = formatter.width - 6 - max(len(one.name) for one in commands)
                formatter.write_dl([(one.name, one.get_short_help_str(width)) for one in commands])
