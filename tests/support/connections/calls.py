"""What tests of connections ask again and again."""

import pytest

import sqlmetrics as sm


def compared(here: sm.Report, there: sm.Report, keys: list[str]) -> None:
    """That two results are the same but for the order of their rows: engines sort texts and NULL as they do."""

    def by_key(report: sm.Report) -> dict:
        return {tuple(map(str, map(row.get, keys))): row for row in report.to_dicts()}

    expected, found = by_key(here), by_key(there)
    assert len(found) == len(there)
    assert found.keys() == expected.keys()
    for key, row in expected.items():
        assert found[key] == {
            name: pytest.approx(cell, rel=1e-9, abs=1e-12) if isinstance(cell, float) else cell
            for name, cell in row.items()
        }
    for field in here.to_arrow().schema:
        if field.name not in keys:
            assert there.to_arrow().schema.field(field.name) == field


def refusal(words: str, **facts):
    """The error of a call that is refused."""
    with pytest.raises(sm.SqlMetricsError, match=words) as refused:
        sm.evaluate(**{"data": "preds", "metrics": "auc", "label": "yes", "score": "p", **facts})
    return refused.value
