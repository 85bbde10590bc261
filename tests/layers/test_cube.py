"""Cube's own compiler takes a file, and the SQL that it makes of it gives what `evaluate` gives."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

import duckdb
import pytest
from ruamel.yaml import YAML

import sqlmetrics as sm
from support.layers import BY, FACTS, METRICS, ROWS, compare, expected, stored
from support.paths import TESTS

MODULES = TESTS / "node_modules"
pytestmark = pytest.mark.skipif(
    shutil.which("node") is None or not MODULES.is_dir(),
    reason="needs Cube's compiler: make tests/node_modules/.stamp",
)
COLUMNS = {name: f"daily_state__{name.lower().replace(' ', '_')}" for name in METRICS}
MODEL, COUNTRY, DEVICE = "daily_state.model", "daily_state.country", "daily_state.device_s_type"


def compiled(folder: Path, model: str, *queries: dict[str, Any]) -> Any:
    """The SQL of queries, with parameters; what the compiler refuses it with, as a text."""
    (folder / "model.yml").write_text(model)
    (folder / "queries.json").write_text(json.dumps(queries))
    done = subprocess.run(
        ["node", TESTS / "support" / "cube_sql.cjs", folder / "model.yml", folder / "queries.json"],
        capture_output=True,
        check=False,
        text=True,
        env={**os.environ, "NODE_PATH": str(MODULES)},
    )
    return json.loads(done.stdout.splitlines()[-1]) if done.returncode == 0 else done.stderr


def asked(database: Path, statement: str, parameters: list[Any]) -> list[dict[str, Any]]:
    with duckdb.connect(str(database)) as on:
        return on.sql(statement, params=parameters).to_arrow_table().to_pylist()


@pytest.mark.slow
def test_slices_periods_and_conditions(tmp_path: Path) -> None:
    state = stored(tmp_path / "shop.duckdb")
    model = sm.semantic(state, METRICS, table="main.daily_state", format="cube")
    measures = [column.replace("__", ".", 1) for column in COLUMNS.values()]
    in_two = {"member": COUNTRY, "operator": "equals", "values": ["DE", "FR"]}
    months = {"dimension": "daily_state.daily_state_day", "granularity": "month"}
    answers = compiled(
        tmp_path,
        model,
        {"measures": measures, "dimensions": [MODEL]},
        {"measures": measures, "dimensions": [COUNTRY, DEVICE, MODEL]},
        {"measures": measures, "dimensions": [MODEL], "timeDimensions": [months], "filters": [in_two]},
        {"measures": ["daily_state.ndcg_10", "daily_state.n_rows"]},
    )
    rows = [asked(tmp_path / "shop.duckdb", *answer) for answer in answers]
    names = [name.replace(".", "__") for name in (COUNTRY, DEVICE, MODEL)]
    compare(rows[0], names[2:], COLUMNS, expected([]))
    compare(rows[1], names, COLUMNS, expected(BY))
    of_months = [{**row, "month": f"{row['daily_state__daily_state_day_month']:%Y-%m}"} for row in rows[2]]
    by_month = {"month": sm.sql("strftime(day, '%Y-%m')")}
    compare(of_months, ["month", names[2]], COLUMNS, expected(by_month, where="country in ('DE', 'FR')"))
    # two models together are none
    assert rows[3] == [{"daily_state__ndcg_10": None, "daily_state__n_rows": 2 * 10_569}]


@pytest.mark.slow
def test_the_compiler_refuses_a_wrong_file(tmp_path: Path) -> None:
    """That the test above takes a file says something."""
    model = sm.semantic(stored(tmp_path / "shop.duckdb"), "log_loss", table="daily_state", format="cube")
    wrong = compiled(tmp_path, model.replace('type: "count_distinct"', 'type: "distinct"'))
    assert "must be one of" in wrong
    assert "sm_unfit_9" in compiled(
        tmp_path, model.replace("{sm_unfit_1}", "{sm_unfit_9}"), {"measures": ["daily_state.log_loss"]}
    )


HOSTILE = [
    "it's",
    'a "quote"',
    "back\\slash",
    "two\nlines",
    "ünï",
    "no",
    "a: b",
    "- x",
    "#",
    "%s",
    "$1",
    "`y`",
]


@pytest.mark.slow
def test_names_of_any_text(tmp_path: Path) -> None:
    """Slices by columns of such names: a name is in quotes, and nothing of it is read as anything else."""
    with duckdb.connect(str(tmp_path / "shop.duckdb")) as on:
        rows = on.sql(ROWS).to_arrow_table()
        for name in HOSTILE:
            rows = rows.append_column(name, rows["country"])
        state = sm.state(rows, "log_loss", period="day", by=HOSTILE, **FACTS).to_arrow()
        on.execute("create table daily_state as from state")
    model = sm.semantic(state, "log_loss", table="daily_state", format="cube")
    [cube] = YAML(typ="safe", pure=True).load(model)["cubes"]
    names = {one["title"]: one["name"] for one in cube["dimensions"]}
    assert set(HOSTILE) < set(names)
    queries = [
        {"measures": ["daily_state.log_loss"], "dimensions": [f"daily_state.{names[name]}", MODEL]}
        for name in HOSTILE
    ]
    wanted = {key: {"log_loss": values["log_loss"]} for key, values in expected(["country"]).items()}
    for name, answer in zip(HOSTILE, compiled(tmp_path, model, *queries), strict=True):
        keys = [f"daily_state__{names[name]}", "daily_state__model"]
        got = asked(tmp_path / "shop.duckdb", *answer)
        compare(got, keys, {"log_loss": "daily_state__log_loss"}, wanted)
