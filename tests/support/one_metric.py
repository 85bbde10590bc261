"""pytest --metric NAME: the tests that ask for a metric, and of a case its notations of that metric alone."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import pytest

from conformance.cases import Case
from sqlmetrics.book.catalog import Metric, catalog
from sqlmetrics.errors import did_you_mean


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--metric", metavar="NAME", help="only what is asked of a metric, such as ndcg, or of several: auc,ks"
    )


def pytest_configure(config: pytest.Config) -> None:
    names = asked(config)
    known = sorted({metric.name for metric in catalog().values()}) if names else []
    for name in names:
        if name not in known:
            raise pytest.UsageError(f"There is no metric '{name}'.{did_you_mean(name, known)}")


def asked(config: pytest.Config) -> list[str]:
    """The names of metrics."""
    return config.getoption("metric").split(",") if config.getoption("metric") else []


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    names = asked(config)
    if not names:
        return
    kept = [item for item in items if narrowed(item, names)]
    if items and not kept and not hasattr(config, "workerinput"):
        raise pytest.UsageError(
            f"No test of these asks for '{','.join(names)}'; a case is a line in tests/conformance/cases/"
        )
    config.hook.pytest_deselected(items=[item for item in items if item not in kept])
    items[:] = kept


def narrowed(item: pytest.Item, names: list[str]) -> bool:
    """Whether a parameter of a test is of one of the metrics. What has several notations keeps those of the metrics."""
    params = item.callspec.params if hasattr(item, "callspec") else {}
    found = {parameter: of_metric(parameter, value, names) for parameter, value in params.items()}
    params.update({parameter: left for parameter, left in found.items() if left})
    return any(found.values())


def of_metric(parameter: str, value: Any, names: list[str]) -> Any:
    """What is of a metric in the parameter of a test; nothing if it is none of that metric."""
    if isinstance(value, Case):
        metrics = of_metric("notations", value.metrics, names)
        return replace(value, metrics=metrics) if metrics else None
    if parameter == "notations":
        return [notation for notation in value if of_metric("", notation, names)]
    if isinstance(value, Metric):
        return value if value.name in names else None
    named = isinstance(value, str) and re.fullmatch(
        rf"(metric_)?({'|'.join(names)})(\(.*\))?(@\d+)?", value, re.DOTALL
    )
    return value if named else None
