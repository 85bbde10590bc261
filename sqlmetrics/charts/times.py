"""Points in time: dates, and texts that are days, months, quarters or weeks."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from datetime import date, datetime, timedelta, timezone
from math import ceil
from typing import Any

MOST_SPANS = 5  #: between the ticks of an axis
DAY = re.compile(r"\d{4}-\d{2}-\d{2}([ T]\d{2}:\d{2}.*)?")
#: texts of longer spans, as an axis of Vega writes them, with their first day
SPANS: dict[str, tuple[re.Pattern[str], Callable[[int, int], date]]] = {
    "%Y-%m": (re.compile(r"(\d{4})-(\d{2})"), lambda year, month: date(year, month, 1)),
    "%Y-Q%q": (re.compile(r"(\d{4})-Q([1-4])"), lambda year, quarter: date(year, 3 * quarter - 2, 1)),
    "%G-W%V": (re.compile(r"(\d{4})-W(\d{2})"), lambda year, week: date.fromisocalendar(year, week, 1)),
}


def is_time(value: object) -> bool:
    """Whether a value is a date or a text of one.

    >>> [is_time(text) for text in ("2026-05-31", "2026-05", "2026-Q2", "2026-W22", "2026-13", "2026")]
    [True, True, True, True, False, False]
    """
    if not isinstance(value, str):
        return isinstance(value, date)
    try:
        return bool((DAY.fullmatch(value) or written(value)) and instant(value))
    except ValueError:
        return False


def instant(value: object) -> datetime:
    """A date as an instant of UTC, in which the axis is drawn: no reader's time zone moves a day.

    >>> instant("2026-Q2").date(), instant("2026-W01").date()
    (datetime.date(2026, 4, 1), datetime.date(2025, 12, 29))
    """
    if isinstance(value, str):
        form = written(value)
        if form is None:
            value = datetime.fromisoformat(value)
        else:
            span, first_day = SPANS[form]
            value = first_day(*map(int, span.fullmatch(value).groups()))  # type: ignore[union-attr]
    if not isinstance(value, date):
        raise TypeError("no date")
    at = value if isinstance(value, datetime) else datetime(value.year, value.month, value.day)
    return at.replace(tzinfo=timezone.utc) if at.tzinfo is None else at.astimezone(timezone.utc)


def in_time(values: Iterable[object]) -> list[Any]:
    """Times in their order, each once; periods that are numbers or other texts in that of their values, null left out.

    >>> in_time(["2026-Q2", None, "2026-01", "2026-Q2"]), in_time([10, 9])
    (['2026-01', '2026-Q2'], [9, 10])
    """
    known = list({repr(value): value for value in values if value is not None}.values())
    try:
        return sorted(known, key=instant)
    except (TypeError, ValueError):
        return sorted(known, key=lambda value: (isinstance(value, str), value))


def ticks(first: datetime, last: datetime, form: str) -> list[datetime]:
    """At most six days of an axis, from the first on, equally many days, weeks, months or quarters apart.

    >>> [f"{tick:%m-%d}" for tick in ticks(datetime(2026, 3, 1), datetime(2026, 3, 28), "%Y-%m-%d")]
    ['03-01', '03-07', '03-13', '03-19', '03-25']
    >>> [f"{tick:%Y-%m}" for tick in ticks(datetime(2025, 11, 1), datetime(2026, 5, 1), "%Y-%m")]
    ['2025-11', '2026-01', '2026-03', '2026-05']
    """
    months = {"%Y-%m": 1, "%Y-Q%q": 3}.get(form)
    if months:
        spans = ((last.year - first.year) * 12 + last.month - first.month) // months
        step = max(ceil(spans / MOST_SPANS), 1) * months
        places = [first.year * 12 + first.month - 1 + place for place in range(0, spans * months + 1, step)]
        return [first.replace(year=place // 12, month=place % 12 + 1) for place in places]
    days = 7 if form == "%G-W%V" else 1
    spans = (last - first).days // days
    step = max(ceil(spans / MOST_SPANS), 1) * days
    return [first + timedelta(place) for place in range(0, spans * days + 1, step)]


def written(text: str) -> str | None:
    """How a text of a month, quarter or week is written."""
    return next((form for form, (span, _) in SPANS.items() if span.fullmatch(text)), None)


def form_of(texts: Iterable[str]) -> str:
    """How an axis writes days: as the texts are written, if they are alike."""
    forms = {written(text) for text in texts}
    [form] = forms if len(forms) == 1 else [None]
    return form or "%Y-%m-%d"
