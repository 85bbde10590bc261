"""Random lists for properties that hold for all data."""

from __future__ import annotations

from typing import Any

from hypothesis import settings
from hypothesis import strategies as st

FACTS = {"label": "label", "score": "score", "group": "list", "positive": 1, "max_grade": 4}

Rows = list[dict[str, Any]]

# Few scores and lists, so that ties, lists of one item and lists without a relevant one come often.
row_lists = st.lists(
    st.fixed_dictionaries(
        {
            "list": st.sampled_from("abcde"),
            "label": st.sampled_from([0, 0, 0, 1, 2, 4]),
            "score": st.sampled_from([0.0, 0.125, 0.25, 0.5, 0.75, 1.0]),
        }
    ),
    min_size=1,
    max_size=25,
)


def tables(rows: st.SearchStrategy[Rows]) -> st.SearchStrategy[list[Rows]]:
    """What a property is tried on: several tables, which one statement evaluates as slices."""
    return st.lists(rows, min_size=10, max_size=12)


#: the smallest tables, then random ones
some = settings(max_examples=2, deadline=None)
