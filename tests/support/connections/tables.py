"""The tables that every connection under test has."""

from contextlib import closing

from support.engines.tables import quoted

ROWS = [
    {
        "y": i * 7 // 3 % 3,
        "yes": i % 4 == 0,
        "word": ["click", "view", "it's"][i % 3],
        "guess": ["click", "view"][i % 2],
        "p": (i * 37 % 20) / 20,  # with ties
        "q": (i * 53 % 101) / 101,
        "g": f"u{i % 7}",
        "i": i,
        "w": 0.5 + i % 7,
        "day": i % 2,
        "country": ["de", None, "fr"][i % 3],
        "weekend": i % 2 == 0,
    }
    for i in range(60)
]
TRUTH = [{"g": f"u{g}", "i": i, "y": (g + i) % 3} for g in range(9) for i in range(g, 70, 7)]
TABLES = {
    "preds": ROWS,
    "truth": TRUTH,
    "items": [{"i": i, "kind": "even" if i % 2 == 0 else "odd"} for i in range(80)],
    "past": [{"g": f"u{i % 5}", "i": i % 40} for i in range(90)],
    "My Table": ROWS,
    "order": ROWS,
    'qu"ote': [{'x"; drop table preds; --': row["y"] > 0, "P Q": row["p"], "p`": row["g"]} for row in ROWS],
    "broken": [{"y": 1, "p": 0.5, "word": "a"}, {"y": 0, "p": None, "word": "b"}],
}
TYPES = {bool: "boolean", int: "bigint", float: "double precision", str: "text"}

ROLES = {"label": "y", "group": "g", "item": "i", "weight": "w", "positive": 1, "max_grade": 2}
METRICS = [
    *("auc", "gauc", "ndcg@3", "ndcg", "map@10", "mrr", "err@5", "recall@5", "log_loss", "rmse", "r2", "f1"),
    *("average_precision", "ks", "ece", "median_absolute_error"),
]


def literal(value: object) -> str:
    if isinstance(value, str):
        return "'" + value.replace("'", "''") + "'"
    return "null" if value is None else str(value)


def fill(connection, named=quoted) -> None:
    """Makes the tables; `named` gives a name as SQL."""
    with closing(connection.cursor()) as cursor:
        for name, rows in TABLES.items():
            kinds = {
                column: TYPES[next(type(row[column]) for row in rows if row[column] is not None)]
                for column in rows[0]
            }
            listed = ", ".join(f"{named(column)} {kind}" for column, kind in kinds.items())
            cursor.execute(f"create table {named(name)} ({listed})")
            values = ", ".join(f"({', '.join(map(literal, row.values()))})" for row in rows)
            cursor.execute(f"insert into {named(name)} values {values}")
