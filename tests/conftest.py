"""The `engine` fixture: a test that asks for it runs once on every engine of `--engines`."""

import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack

import pytest

from conformance.parity import summary
from engines import KNOWN, LIGHT, Engine, NoEngineError, gaps, open_engine


def pytest_addoption(parser: pytest.Parser) -> None:
    default = ",".join(LIGHT)
    known = ",".join(KNOWN)
    parser.addoption("--engines", default=default, help=f"some of {known}, or all; default: {default}")
    parser.addoption("--snapshots", action="store_true", help="renew the statements that are kept")
    parser.addoption(
        "--few-cases", action="store_true", help="test_metric on a few cases that have every notation"
    )


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "engine" in metafunc.fixturenames:
        metafunc.parametrize("engine", asked(metafunc.config), indirect=True, scope="session")


def asked(config: pytest.Config) -> list[str]:
    """The engines of `--engines`."""
    option = config.getoption("engines")
    names = KNOWN if option == "all" else option.split(",")
    if not set(names) <= set(KNOWN):
        raise pytest.UsageError(f"--engines takes some of {','.join(KNOWN)}, or all; got {option}")
    return names


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Marks the gaps of engines, and leaves out what `--few-cases` does not ask for."""
    mark_gaps(config, items)
    if config.getoption("few_cases"):
        from conformance.few import few_cases

        names = {case.name for case in few_cases()}
        many = [item for item in items if case_of(item) not in (None, *names)]
        config.hook.pytest_deselected(items=many)
        items[:] = [item for item in items if case_of(item) in (None, *names)]


def case_of(item: pytest.Item) -> str | None:
    """The name of the case of a test_metric."""
    params = item.callspec.params if getattr(item, "originalname", "") == "test_metric" else {}
    return params["case"].name if params else None


def mark_gaps(config: pytest.Config, items: list[pytest.Item]) -> None:
    """What an engine cannot do has to fail: a gap that closed is a mistake in the list of gaps."""
    known = {name: {re.compile(test): why for test, why in gaps(name).items()} for name in asked(config)}
    for item in items:
        callspec = getattr(item, "callspec", None)
        for test, why in known.get(callspec.params.get("engine", ""), {}).items() if callspec else ():
            if test.search(item.nodeid):
                item.add_marker(pytest.mark.xfail(reason=why, strict=True))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """How far the engines are from plain Python."""
    lines = summary()
    if lines:
        terminalreporter.section("engines against plain Python")
        terminalreporter.write("\n".join([*lines, ""]))


@pytest.fixture(scope="session")
def opened() -> Iterator[Callable[[str], Engine]]:
    """Opens an engine when a test first asks for it and keeps it to the end of the session."""
    engines: dict[str, Engine] = {}
    with ExitStack() as stack:

        def get(name: str) -> Engine:
            if name not in engines:
                engines[name] = stack.enter_context(open_engine(name))
            return engines[name]

        yield get


@pytest.fixture(scope="session")
def engine(request: pytest.FixtureRequest, opened: Callable[[str], Engine]) -> Engine:
    """One of the engines of `--engines`."""
    try:
        return opened(request.param)
    except NoEngineError as missing:
        pytest.skip(str(missing))
