"""What charts share: names as text, the largest slices.

Names come from data and may hold anything. They are values in a specification, never names of its fields, so that no
dot, bracket or quote of a name becomes part of an expression of Vega.
"""

from __future__ import annotations

import datetime
import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from sqlmetrics.book.notation import column_name
from sqlmetrics.errors import SqlMetricsError, counted, did_you_mean, printable
from sqlmetrics.table.cells import named, shown, unused

Key = tuple[Any, ...]

MOST_PANELS = 12  #: small pictures in a chart
MOST_SLICES = 40  #: rows of a chart of dots
CUT = 80  #: characters of a name inside a sentence or title
LONGEST = 300  #: characters of any name


def text_of(value: Any) -> str:
    """A value of a slice as text. Numbers have no commas, since they may be years or keys."""
    if isinstance(value, float):
        return f"{value:.6g}"
    if isinstance(value, datetime.datetime):
        return value.isoformat(" ", "auto").removesuffix(" 00:00:00")
    return named(cut(value, LONGEST) if isinstance(value, str) else value)


def cut(text: str, most: int = CUT) -> str:
    """A text on one line of at most so many characters, in which each is one that XML may hold."""
    plain = printable(text[: most + 1]).replace("\ufffe", "\\ufffe").replace("\uffff", "\\uffff")
    return plain if len(plain) <= most else plain[: most - 1] + "…"


def listed(names: Sequence[str]) -> str:
    """Names in a sentence.

    >>> listed(["auc", "ndcg@10", "mrr"])
    'auc, ndcg@10 and mrr'
    """
    shown = [cut(name) for name in names]
    return cut(f"{', '.join(shown[:-1])} and {shown[-1]}") if len(shown) > 1 else shown[0]


def of_each(names: Sequence[str], said: Sequence[str]) -> str:
    """A sentence about each metric; of several, each begins with the name of its metric.

    >>> of_each(["auc"], ["from 0.7 to 0.8"]), of_each(["auc", "mrr"], ["all 0.7", "all 0.5"])
    ('from 0.7 to 0.8', 'auc: all 0.7. mrr: all 0.5')
    """
    if len(names) == 1:
        return said[0]
    return ". ".join(f"{cut(name)}: {sentence}" for name, sentence in zip(names, said, strict=True))


def names_of(keys: Iterable[Key], taken: Iterable[str] = ()) -> dict[str, str]:
    """The text of each slice by `repr` of its key. Slices of the same text, such as 1 and '1', are numbered.

    Args:
        keys: the slices; one without columns is all rows.
        taken: texts that mean something else.
    """
    used = {*taken}
    named = {repr(key): key for key in keys}
    return {name: unused(" · ".join(map(text_of, key)), used) for name, key in named.items()}


def in_order(keys: Iterable[Key]) -> list[Key]:
    """Keys of one column in the order of their values, null last."""
    return sorted(keys, key=lambda key: (key[0] is None, "" if key[0] is None else key[0]))


def number(value: Any) -> float | None:
    """A value as a number of JSON."""
    return None if value is None or not math.isfinite(value) else float(value)


def interval_text(value: float | None, low: float | None, high: float | None) -> str:
    """A value with its interval, for people."""
    ends = f" [{shown(low)}, {shown(high)}]" if low is not None and high is not None else ""
    return shown(value) + ends


def chosen(asked: str | Sequence[str] | None, known: Sequence[str], most: int = MOST_PANELS) -> list[str]:
    """The metrics that were asked for, by their columns or notations; all by default.

    Args:
        asked: the argument of `plot`.
        known: the metrics of the result.
        most: how many fit into the chart.

    Raises:
        SqlMetricsError: no metric has the name; none is asked for; more than a chart shows.
    """
    if not (asked is None or isinstance(asked, (str, list, tuple))):
        raise SqlMetricsError(f"metric= takes a name or a list of names, got {asked!r}")
    names = list(known) if asked is None else [asked] if isinstance(asked, str) else list(asked)
    for place, name in enumerate(names):
        if name not in known and isinstance(name, str) and column_name(name) in known:
            names[place] = column_name(name)
        elif name not in known:
            near = did_you_mean(str(name), known)
            raise SqlMetricsError(
                f"No metric of the result is named {name!r}.{near} Metrics: {counted(known)}"
            )
    if not names:
        raise SqlMetricsError(f"metric= names no metric; it takes some of {counted(known)}")
    names = list(dict.fromkeys(names))
    if len(names) > most:
        raise SqlMetricsError(
            f"{len(names)} metrics do not fit into a chart; pass at most {most} to metric=, such as"
            f" metric={names[:3]}"
        )
    return names


def check_slices(slices: object) -> None:
    """Checks the argument `slices` of `plot`.

    Raises:
        SqlMetricsError: it is neither True nor False.
    """
    if not isinstance(slices, bool):
        raise SqlMetricsError(f"slices must be True or False, got {slices!r}")


def largest(keys: Iterable[Key], sizes: Mapping[str, int], most: int) -> tuple[list[Key], str]:
    """The slices with the most rows, each once, in their order, and a sentence about those that are left out.

    Args:
        keys: the slices; rows of one slice may repeat it.
        sizes: the rows of each slice, by `repr` of its key.
        most: how many are kept.
    """
    named = {repr(key): key for key in keys}
    if len(named) <= most:
        return list(named.values()), ""
    kept = {*sorted(named, key=lambda name: -sizes.get(name, 0))[:most]}
    largest_keys = [key for name, key in named.items() if name in kept]
    return largest_keys, f"the {most} largest of {len(named):,} slices"


def sizes_of(rows: Iterable[Mapping[str, Any]], by: Sequence[str]) -> dict[str, int]:
    """The rows of each slice by `repr` of its key, those of all models together."""
    sizes: dict[str, int] = {}
    for row in rows:
        key = repr(key_of(row, by))
        sizes[key] = sizes.get(key, 0) + (row["n_rows"] or 0)
    return sizes


def key_of(row: Mapping[str, Any], by: Sequence[str]) -> Key:
    """The slice of a row."""
    return tuple(row[name] for name in by)


def spread(places: Sequence[int], most: int) -> list[int]:
    """At most so many of some places, evenly spread; the first and the last stay."""
    if len(places) <= most:
        return list(places)
    return [places[round(step * (len(places) - 1) / (most - 1))] for step in range(most)]
