"""Points in time: dates, and texts that are days, months, quarters or weeks."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from datetime import date, datetime, timezone

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


def written(text: str) -> str | None:
    """How a text of a month, quarter or week is written."""
    return next((form for form, (span, _) in SPANS.items() if span.fullmatch(text)), None)


def form_of(texts: Iterable[str]) -> str:
    """How an axis writes days: as the texts are written, if they are alike."""
    forms = {written(text) for text in texts}
    [form] = forms if len(forms) == 1 else [None]
    return form or "%Y-%m-%d"
