"""What a run proved, so that two runs can be compared: a pytest plugin, and the comparison of its files.

pytest --ran=FILE                          notes it; with -n, each worker writes FILE.gw0 and so on
python -m support.ran BEFORE... -- AFTER...       prints what one has and the other has not
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import sys
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

import pytest

#: engine -> differences from the formulas, relative to values above 1
DIFFERENCES: dict[str, list[float]] = {}
#: engine, number of values and largest difference, of this process or of each worker
FOUND: list[tuple[str, int, float]] = []
#: "engine | case | notation" -> number of values that were compared with a formula
CHECKED: Counter[str] = Counter()
#: engine -> statement and tables, as a hash -> how often it ran
STATEMENTS: dict[str, Counter[str]] = defaultdict(Counter)
ITEMS: dict[str, dict[str, Any]] = {}


def checked(engine: str, case: str, notation: str, part: Any, got: float | None, value: float | None) -> None:
    """Notes that a value of an engine was compared with a formula."""
    CHECKED[f"{engine} | {case} | {notation}"] += 1
    if got is not None and value is not None:
        DIFFERENCES.setdefault(engine, []).append(abs(got - value) / max(1.0, abs(value)))


def cpu() -> float:
    """Seconds of CPU of this process and of its children that ended."""
    spent = os.times()
    return spent.user + spent.system + spent.children_user + spent.children_system


# --- the plugin


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--ran", metavar="FILE", help="a file for what this run proves")


def pytest_configure(config: pytest.Config) -> None:
    """Has each engine count the statements that it runs."""
    if not config.getoption("ran"):
        return
    from support.engines import Engine

    made = Engine.__init__

    def counting(self: Engine, name: str, dialect: str, query: Any) -> None:
        def counted(sql: str, tables: dict[str, Any]) -> Any:
            STATEMENTS[name][hashlib.sha256(f"{sql}\0{tables!r}".encode()).hexdigest()[:16]] += 1
            return query(sql, tables)

        made(self, name, dialect, counted)

    Engine.__init__ = counting  # type: ignore[method-assign]


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Any:
    before = cpu()
    yield
    ITEMS.setdefault(item.nodeid, {})["cpu"] = round(cpu() - before, 4)


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    if report.when == "call" or report.outcome != "passed":
        ITEMS.setdefault(report.nodeid, {})["outcome"] = report.outcome


def pytest_sessionfinish(session: pytest.Session) -> None:
    FOUND.extend((engine, len(found), max(found)) for engine, found in DIFFERENCES.items())
    if hasattr(session.config, "workeroutput"):
        session.config.workeroutput["found"] = FOUND
    name = session.config.getoption("ran")
    if name:
        worker = getattr(session.config, "workerinput", {}).get("workerid")
        found = {"items": ITEMS, "checked": CHECKED, "statements": STATEMENTS, "cpu": cpu()}
        Path(f"{name}.{worker}" if worker else name).write_text(json.dumps(found), encoding="utf-8")


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    FOUND.extend(map(tuple, getattr(node, "workeroutput", {}).get("found", ())))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """How far the engines are from plain Python."""
    if FOUND:
        terminalreporter.section("engines against plain Python")
    for name in dict.fromkeys(engine for engine, _, _ in FOUND):
        counts, largest = zip(*[found[1:] for found in FOUND if found[0] == name], strict=True)
        terminalreporter.line(f"{name:12}{sum(counts):>8,} values, largest difference {max(largest):.1e}")


# --- the comparison


def read(names: list[str]) -> dict[str, Any]:
    """The files of a run as one."""
    run: dict[str, Any] = {"items": {}, "checked": set(), "statements": defaultdict(set), "cpu": 0.0}
    for name in names:
        found = json.loads(Path(name).read_text(encoding="utf-8"))
        run["items"] |= found["items"]
        run["cpu"] += found["cpu"]
        run["checked"] |= set(found.get("checked", ()))
        # before there was this plugin each notation of a case was an item
        of_old = (re.search(r"::test_metric\[(\w+)-(.*)\]$", nodeid) for nodeid in found["items"])
        run["checked"] |= {f"{match[1]} | {match[2]}" for match in of_old if match and " | " in match[2]}
        for engine, statements in found["statements"].items():
            run["statements"][engine] |= set(statements)
    return run


def described(run: dict[str, Any]) -> list[str]:
    """The numbers of a run."""
    parts = [checked.split(" | ", 2) for checked in run["checked"]]
    lines = [f"items {len(run['items'])}, CPU {run['cpu']:.0f} s"]
    for engine in sorted({part[0] for part in parts} | set(run["statements"])):
        cases = {part[1] for part in parts if part[0] == engine}
        notations = {part[2] for part in parts if part[0] == engine}
        compared = sum(part[0] == engine for part in parts)
        lines.append(
            f"{engine}: {len(cases)} cases, {len(notations)} notations, {compared} of a case and a notation, "
            f"{len(run['statements'][engine])} statements"
        )
    return lines


def main() -> None:
    words = sys.argv[1:]
    middle = words.index("--")
    before, after = read(words[:middle]), read(words[middle + 1 :])
    for title, run in (("before", before), ("after", after)):
        print(f"{title}:", *described(run), sep="\n  ")
    lost = sorted(before["checked"] - after["checked"])
    print(f"notations of cases on engines that only the first has: {len(lost)}", *lost[:20], sep="\n  ")
    for engine in sorted(before["statements"]):
        one, other = before["statements"][engine], after["statements"][engine]
        print(f"{engine}: {len(one - other)} statements only before, {len(other - one)} only after")


if __name__ == "__main__":
    main()
