"""What dbt's MetricFlow computes from a file over a stored state is what `evaluate` computes from the rows."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Iterator
from typing import Any

import pytest

import sqlmetrics as sm
from support.layers import BY, METRICS, compare, expected, stored

if importlib.util.find_spec("dbt_metricflow") is None:
    pytest.skip("MetricFlow is not installed: pip install '.[layers]'", allow_module_level=True)

PROJECT = {
    "dbt_project.yml": "{name: shop, version: 0.1.0, config-version: 2, profile: shop}",
    "profiles.yml": "shop: {target: here, outputs: {here: {type: duckdb, path: 'PATH'}}}",
    # the state is there already
    "models/daily_state.sql": "{{ config(materialized='view', alias='read_state') }} select * from main.daily_state",
    "models/days.sql": "select cast(range as date) as day_of from range(date '2026-01-01', date '2027-01-01',"
    " interval 1 day)",
    "models/days.yml": "models: [{name: days, time_spine: {standard_granularity_column: day_of},"
    " columns: [{name: day_of, granularity: day}]}]",
}
COLUMNS = {name: name.lower().replace(" ", "_") for name in METRICS}
ALL = tuple(COLUMNS.values())
Ask = Callable[..., list[dict[str, Any]]]


@pytest.fixture(scope="module")
def ask(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Ask]:
    """Asks MetricFlow in a project with the file: metrics by dimensions."""
    from dbt.cli.main import dbtRunner
    from dbt_metricflow.cli.cli_configuration import CLIConfiguration
    from metricflow.engine.metricflow_engine import MetricFlowQueryRequest

    folder = tmp_path_factory.mktemp("shop")
    state = stored(folder / "shop.duckdb")
    (folder / "models").mkdir()
    for name, text in PROJECT.items():
        (folder / name).write_text(text.replace("PATH", str(folder / "shop.duckdb")))
    (folder / "models" / "semantic.yml").write_text(sm.semantic(state, METRICS, table="daily_state"))
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DBT_SEND_ANONYMOUS_USAGE_STATS", "false")
        patch.chdir(folder)
        done = dbtRunner().invoke(["run", "--quiet", "--profiles-dir", str(folder)])
        assert done.success, done.exception
        setup = CLIConfiguration()
        setup.setup(folder, folder, configure_file_logging=False)

        def asked(*by: str, metrics: Any = ALL, where: Any = ()) -> list[dict[str, Any]]:
            table = setup.mf.query(
                MetricFlowQueryRequest.create(
                    metric_names=metrics, group_by_names=by, where_constraints=where
                )
            ).result_df
            return [dict(zip(table.column_names, row, strict=True)) for row in table.rows]

        yield asked


MODEL, COUNTRY, DEVICE = "daily_state__model", "daily_state__country", "daily_state__device_s_type"


def test_slices(ask: Ask) -> None:
    compare(ask(MODEL), [MODEL], COLUMNS, expected([]))
    compare(ask(COUNTRY, MODEL), [COUNTRY, MODEL], COLUMNS, expected(["country"]))
    both = expected(BY)
    compare(ask(COUNTRY, DEVICE, MODEL), [COUNTRY, DEVICE, MODEL], COLUMNS, both)


def test_periods_and_conditions(ask: Ask) -> None:
    """Months, of some slices: a roll-up of both that the state does not hold."""
    where = [f"{{{{ Dimension('{COUNTRY}') }}}} in ('DE', 'FR')"]
    rows = [
        {**row, "month": f"{row['metric_time__month']:%Y-%m}"}
        for row in ask("metric_time__month", MODEL, where=where)
    ]
    months = {"month": sm.sql("strftime(day, '%Y-%m')")}
    wanted = expected(months, where="country in ('DE', 'FR')")
    assert {month for month, _ in wanted} == {"2026-05", "2026-06"}
    compare(rows, ["month", MODEL], COLUMNS, wanted)


def test_models_together_have_no_value(ask: Ask) -> None:
    """The rows of two models are not those of one; counts are of both."""
    [row] = ask(metrics=["ndcg_10", "daily_state_n_rows"])
    assert row == {"ndcg_10": None, "daily_state_n_rows": 2 * 10_569}
