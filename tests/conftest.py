"""The `engine` fixture: a test that asks for it runs once on every engine of `--engines`."""

import os
import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from zlib import crc32

import pytest

from conformance.cases import Case
from support.engines import KNOWN, LIGHT, Engine, NoEngineError, asked, gaps, open_engine
from support.few import few_cases_on
from support.turns import not_in_turn

pytest_plugins = ["support.one_metric", "support.ran"]
# ranx would compile for minutes what takes milliseconds on lists of tests; the same code runs without
os.environ.setdefault("NUMBA_DISABLE_JIT", "1")
# where asserts of helpers are, so that they show what differs
pytest.register_assert_rewrite(
    *(f"support.{name}" for name in ("command_line", "compared", "connections", "errors", "peers", "worked"))
)


def pytest_addoption(parser: pytest.Parser) -> None:
    default = ",".join(LIGHT)
    known = ",".join(KNOWN)
    parser.addoption("--engines", default=default, help=f"some of {known}, or all; default: {default}")
    parser.addoption("--long", action="store_true", help="run what is marked long, too: more random data")
    parser.addoption("--snapshots", action="store_true", help="renew the statements that are kept")
    parser.addoption(
        "--few-cases",
        default="",
        help="engines on which test_metric takes a few cases that have every notation, and files their samples",
    )
    parser.addoption("--turns", action="store_true", help="engines beside DuckDB share the cases of a test")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "engine" in metafunc.fixturenames:
        metafunc.parametrize(
            "engine", asked(metafunc.config.getoption("engines")), indirect=True, scope="session"
        )


@pytest.hookimpl(tryfirst=True)  # before pytest-xdist reads the groups
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Marks the gaps of engines, and leaves out what takes too long on them."""
    mark_gaps(config, items)
    short = not config.getoption("long")
    slow = config.getoption("few_cases").split(",")
    # what is asked of one metric is asked of every engine
    if short and config.getoption("turns") and not config.getoption("metric"):
        leave_out(config, items, not_in_turn(items, slow))
    names = {engine: {case.name for case in few_cases_on(engine)} for engine in slow if engine}
    samples = samples_of_files(items)
    left_out = [
        (short and item.get_closest_marker("long") is not None)
        or is_left_out(item, names)
        or is_beside(item, slow, samples)
        for item in items
    ]
    leave_out(config, items, left_out)
    for item in items:
        name = group(item)
        if name and item.get_closest_marker("xdist_group") is None:
            item.add_marker(pytest.mark.xdist_group(name))


def group(item: pytest.Item) -> str | None:
    """What one worker of pytest-xdist runs, so that it is made once: a slow engine, the formulas of a case."""
    params = item.callspec.params if hasattr(item, "callspec") else {}
    engine, case = params.get("engine"), params.get("case")
    named = item.path.stem.removeprefix("test_")
    if named in KNOWN or (engine in KNOWN and engine not in LIGHT):
        name = named if named in KNOWN else engine
        # two sessions of Spark plan at once; most of its time is planning, which takes one core
        return f"{name} {crc32(item.nodeid.encode()) % 2}" if name == "spark" else name
    if isinstance(case, Case):
        return f"case {case.name}".replace("@", " at ")
    return None


def leave_out(config: pytest.Config, items: list[pytest.Item], left_out: list[bool]) -> None:
    """Takes items out of a run."""
    config.hook.pytest_deselected(items=[item for item, out in zip(items, left_out, strict=True) if out])
    items[:] = [item for item, out in zip(items, left_out, strict=True) if not out]


def is_left_out(item: pytest.Item, names: dict[str, set[str]]) -> bool:
    """Cases that slow engines do not run."""
    if not hasattr(item, "callspec") or item.originalname != "test_metric":
        return False
    few = names.get(item.callspec.params.get("engine"))
    return few is not None and item.callspec.params["case"].name not in few


def samples_of_files(items: list[pytest.Item]) -> dict[Path, set[str]]:
    """What stands for a file on a slow engine: of each test that is marked as a sample, its first case."""
    samples: dict[Path, dict[tuple[str, str], str]] = {}
    for item in items:
        if item.get_closest_marker("sample"):
            test = (item.originalname, item.callspec.params["engine"])
            samples.setdefault(item.path, {}).setdefault(test, item.nodeid)
    return {path: set(tests.values()) for path, tests in samples.items()}


def is_beside(item: pytest.Item, slow: list[str], samples: dict[Path, set[str]]) -> bool:
    """Whether a slow engine leaves a test to the samples of its file."""
    return (
        hasattr(item, "callspec")
        and item.callspec.params.get("engine") in slow
        and item.nodeid not in samples.get(item.path, {item.nodeid})
    )


def mark_gaps(config: pytest.Config, items: list[pytest.Item]) -> None:
    """What an engine cannot do has to fail: a gap that closed is a mistake in the list of gaps."""
    known = {
        name: {re.compile(test): why for test, why in gaps(name).items()}
        for name in asked(config.getoption("engines"))
    }
    for item in items:
        callspec = getattr(item, "callspec", None)
        for test, why in known.get(callspec.params.get("engine", ""), {}).items() if callspec else ():
            if test.search(item.nodeid):
                item.add_marker(pytest.mark.xfail(reason=why, strict=True))


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
