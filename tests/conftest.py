"""The `engine` fixture: a test that asks for it runs once on every engine of `--engines`."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack

import pytest

from engines import OPEN, Engine
from postgres_server import NoPostgresError

KNOWN = ",".join(OPEN)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--engines", default=KNOWN, help=f"the engines to test; default: {KNOWN}")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "engine" in metafunc.fixturenames:
        names = metafunc.config.getoption("engines").split(",")
        if not set(names) <= set(OPEN):
            raise pytest.UsageError(f"--engines takes some of {KNOWN}, got {','.join(names)}")
        metafunc.parametrize("engine", names, indirect=True, scope="session")


@pytest.fixture(scope="session")
def opened() -> Iterator[Callable[[str], Engine]]:
    """Opens an engine when a test first asks for it and keeps it to the end of the session."""
    engines: dict[str, Engine] = {}
    with ExitStack() as stack:

        def get(name: str) -> Engine:
            if name not in engines:
                engines[name] = stack.enter_context(OPEN[name]())
            return engines[name]

        yield get


@pytest.fixture(scope="session")
def engine(request: pytest.FixtureRequest, opened: Callable[[str], Engine]) -> Engine:
    """One of the engines of `--engines`."""
    try:
        return opened(request.param)
    except NoPostgresError as missing:
        pytest.skip(str(missing))
