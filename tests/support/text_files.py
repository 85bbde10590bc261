"""Text files whose first rows do not tell the types of all, in each form that is read."""

import gzip
import json

EARLY = 21_000  # rows that fill the sample from which DuckDB takes the types of a text file


def csv_of(rows, gap=","):
    names = list(dict.fromkeys(name for row in rows for name in row))
    lines = [names, *([str(row.get(name, "")) for name in names] for row in rows)]
    return "".join(gap.join(line) + "\n" for line in lines)


def tsv_of(rows):
    return csv_of(rows, "\t")


def lines_of(rows):
    return "".join(json.dumps(row) + "\n" for row in rows)


FORMS = {
    "rows.csv": csv_of,
    "rows.tsv": tsv_of,
    "rows.txt": csv_of,
    "rows.csv.gz": csv_of,
    "rows.json": json.dumps,
    "rows.jsonl": lines_of,
    "rows.ndjson.gz": lines_of,
}
BOTH = ["rows.csv", "rows.jsonl"]


def written(folder, rows, name="rows.csv"):
    """A file of rows in the form that its name tells."""
    text = FORMS[name](rows).encode()
    (folder / name).write_bytes(gzip.compress(text) if name.endswith(".gz") else text)
    return str(folder / name)


#: scores and weights are whole for more rows than the sample has
LATE = [
    *[{"y": 1, "s": 1, "w": 1}] * EARLY,
    *[{"y": 1, "s": 0.9, "w": 1.5}] * 30,
    *[{"y": 0, "s": 0.6, "w": 1}] * 30,
]
