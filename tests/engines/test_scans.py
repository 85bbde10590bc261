"""How often an engine reads the data in the plan of one statement: its own `explain` is counted."""

import re

import pytest

import sqlmetrics as sm
from support.engines import Engine

ROWS = [
    {"y": float(i % 3 == 0), "s": (i * 37 % 20) / 20, "g": f"u{i % 7}", "country": ["de", "fr"][i % 2]}
    for i in range(60)
]
ROLES = {"label": "y", "score": "s", "group": "g", "by": "country"}
# A metric of each grain: rows, score levels, lists, and lists with the rank of the first relevant item.
GRAINS = {
    "rows": ["log_loss"],
    "levels": ["auc", "ks"],
    "lists": ["gauc", "ndcg@10", "map@10"],
    "hits": ["mrr"],
}

#: What a scan of the data is called in a plan, and how many scans a grain has at most; `all` are the three grains in
#: one statement. Numbering the slices is one of them. DataFusion shares nothing between stages: it scans the data and
#: the slices for each path from the result to them. Spark computes an exchange once that occurs several times.
SCANS = {
    "duckdb": (r"(?i)\bseq[_ ]scan\b", {"rows": 2, "levels": 3, "lists": 4, "hits": 5, "all": 6}),
    "postgres": (r"Scan on data\b", {"rows": 1, "levels": 1, "lists": 1, "hits": 1, "all": 1}),
    "datafusion": (r"\bDataSourceExec\b", {"rows": 5, "levels": 15, "lists": 7, "hits": 8, "all": 18}),
    "spark": (
        r"\b(?:LocalTableScan|Scan ExistingRDD|Scan Arrow)\b",
        {"rows": 2, "levels": 3, "lists": 3, "hits": 4, "all": 6},
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("grain", ["rows", "levels", "lists", "hits", "all"])
def test_a_plan_scans_the_data_few_times(grain: str, engine: Engine) -> None:
    if engine.name not in SCANS:
        pytest.skip("its `explain` is not counted")
    metrics = GRAINS.get(grain) or [metric for several in GRAINS.values() for metric in several]
    statement = sm.render("data", metrics, dialect=engine.dialect, **ROLES)
    rows = engine.query(f"explain {statement}", {"data": ROWS})
    plan = "\n".join(str(value) for row in rows for value in row.values())
    scan, limits = SCANS[engine.name]
    assert 1 <= len(re.findall(scan, plan)) <= limits[grain]
