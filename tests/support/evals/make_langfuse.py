"""Makes scores as Langfuse's API returns them, by the types of its SDK: python make_langfuse.py FOLDER.

It runs where the SDK is installed (pip install langfuse). The service itself writes exports; no server runs here.
"""

import csv
import datetime
import json
import sys
from pathlib import Path

import langfuse.api as api

folder = Path(sys.argv[1]).resolve()
folder.mkdir(parents=True, exist_ok=True)
time = datetime.datetime(2026, 11, 1, 12, tzinfo=datetime.timezone.utc)
rows = []
for place in range(6):
    common = {
        "id": f"score-{place}", "trace_id": f"trace-{place}", "timestamp": time, "created_at": time,
        "updated_at": time, "environment": "default", "metadata": {},
    }  # fmt: skip
    made = [
        api.Score_Numeric(**common, name="helpful", value=place / 5, source="EVAL", data_type="NUMERIC"),
        api.Score_Boolean(**common, name="right", value=float(place % 3 > 0), string_value=str(place % 3 > 0),
                          source="ANNOTATION", data_type="BOOLEAN"),
        api.Score_Categorical(**common, name="tone", value=0, source="API",
                              string_value="polite" if place % 2 else "curt", data_type="CATEGORICAL"),
    ]  # fmt: skip
    rows += [json.loads(score.json(by_alias=True, exclude_none=True)) for score in made]

page = {"data": rows, "meta": {"page": 1, "limit": 50, "totalItems": len(rows), "totalPages": 1}}
(folder / "scores.json").write_text(json.dumps(page) + "\n")
names = list(dict.fromkeys(name for row in rows for name in row))
with (folder / "scores.csv").open("w", newline="") as file:
    written = csv.DictWriter(file, names)
    written.writeheader()
    written.writerows(
        {name: json.dumps(v) if isinstance(v, dict) else v for name, v in row.items()} for row in rows
    )
