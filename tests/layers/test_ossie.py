"""A file of Apache Ossie has its schema, and the SQL that azem makes of it gives what `evaluate` gives."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb
import pytest
from ruamel.yaml import YAML

import sqlmetrics as sm
from support.layers import BY, METRICS, compare, expected, stored

if importlib.util.find_spec("azem") is None:
    pytest.skip("azem is not installed: pip install '.[layers]'", allow_module_level=True)

COLUMNS = {name: name.lower().replace(" ", "_") for name in METRICS}
MODEL, COUNTRY, DEVICE, DAY = (
    f"daily_state.{name}" for name in ("model", "country", "device_s_type", "daily_state_day")
)
ALL = tuple(COLUMNS.values())
Ask = Callable[..., list[dict[str, Any]]]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("shop")
    state = stored(made / "shop.duckdb")
    (made / "model.yml").write_text(sm.semantic(state, METRICS, table="daily_state", format="ossie"))
    return made


@pytest.fixture(scope="module")
def ask(folder: Path) -> Ask:
    """Asks for metrics by dimensions: azem writes the SQL, which DuckDB runs."""
    from azem.compiler import compile_query
    from azem.model.loader import SemanticModel

    model = SemanticModel.from_file(folder / "model.yml")

    def asked(*by: str, metrics: Any = ALL, **more: Any) -> list[dict[str, Any]]:
        statement = compile_query(
            model, {"metrics": list(metrics), "dimensions": list(by), **more}, "postgres"
        )
        with duckdb.connect(str(folder / "shop.duckdb")) as on:
            return on.sql(statement).to_arrow_table().to_pylist()

    return asked


def test_schema(folder: Path) -> None:
    """The JSON Schema of Ossie, which azem holds, and what azem checks besides: names, references, SQL."""
    from azem.model.validate import validate_document

    document = YAML(typ="safe", pure=True).load(folder / "model.yml")
    assert validate_document(document) == []
    assert "dataset" in str(validate_document({**document, "dataset": []}))


def test_slices_and_conditions(ask: Ask) -> None:
    compare(ask(MODEL), ["model"], COLUMNS, expected([]))
    compare(ask(COUNTRY, DEVICE, MODEL), ["country", "device_s_type", "model"], COLUMNS, expected(BY))
    some = [
        {"field": COUNTRY, "op": "in", "value": ["DE", "FR"]},
        {"field": DAY, "op": "between", "value": ["2026-05-20", "2026-06-08"]},
    ]
    where = "country in ('DE', 'FR') and day between '2026-05-20' and '2026-06-08'"
    compare(ask(MODEL, filters=some), ["model"], COLUMNS, expected([], where=where))


def test_models_together_have_no_value(ask: Ask) -> None:
    [row] = ask(metrics=["ndcg_10", "n_rows"])
    assert (row["ndcg_10"], row["n_rows"]) == (None, 2 * 10_569)
