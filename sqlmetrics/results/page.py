"""The result of `report`: a page."""

from __future__ import annotations

import html
import os
from collections.abc import Callable
from contextvars import ContextVar
from dataclasses import dataclass

from sqlmetrics.errors import SqlMetricsError, printable, public
from sqlmetrics.files import replaced

#: what writes the sentences of a page as its caller writes options, who may be on the command line
SPELLED: ContextVar[Callable[[str], str]] = ContextVar("SPELLED", default=str)


def check_suffix(path: str | os.PathLike[str]) -> None:
    """Refuses a name that says that a page is something else than HTML.

    Raises:
        SqlMetricsError: the name does not end in .html or .htm.
    """
    if isinstance(path, (str, os.PathLike)) and not os.fsdecode(path).lower().endswith((".html", ".htm")):
        raise SqlMetricsError(f"A page is HTML; end '{printable(os.fsdecode(path))}' in .html")


@dataclass(frozen=True, repr=False)
class Page:
    """The result of `report`: one static HTML file that runs no script and loads nothing.

    A notebook shows it in a frame.

    Attributes:
        html: the page.
    """

    html: str

    @public
    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the page to a file.

        Args:
            path: the file to write, such as `report.html`. An old file is replaced when the new one is complete.

        Raises:
            SqlMetricsError: the name does not end in .html or .htm; the file cannot be written. An old file is
                unchanged.
        """
        check_suffix(path)
        with replaced(path) as file:
            file.write(self.html.encode())

    def __repr__(self) -> str:
        return f"<Page of {len(self.html.encode()):,} bytes: save it with .save('report.html')>"

    def _repr_html_(self) -> str:
        # a frame of its own, so that the styles of the page and of the notebook do not mix
        return f'<iframe title="Report" sandbox srcdoc="{html.escape(self.html)}" width="100%" height="800"></iframe>'
