"""A page of arrays in place of data, and of models in rows of their own."""

from __future__ import annotations

import numpy as np
import pytest

import sqlmetrics as sm


@pytest.mark.slow
def test_a_page_of_arrays() -> None:
    y, p, q = (np.array([i * step % 7 / 7 for i in range(60)]) for step in (3, 4, 5))
    page = sm.report(metrics="auc", baseline="old", curves=[], y_true=y > 0.5, y_score={"new": p, "old": q})
    assert "old" in page.html


@pytest.mark.slow
def test_a_page_of_models_in_rows_of_their_own() -> None:
    rows = [
        {"run": run, "q": i // 5, "y": i % 5 == 1, "p": i * step % 7}
        for run, step in (("a", 2), ("b", 3))
        for i in range(200)
    ]
    facts = {"label": "y", "score": "p", "group": "q", "curves": []}
    page = sm.report(rows, "mrr", models="run", baseline="b", **facts)
    tables = {run: [row for row in rows if row["run"] == run] for run in "ba"}
    assert "Comparison" in page.html
    assert "Comparison" in sm.report(tables, "mrr", baseline="b", **facts).html
