"""The gate: what has to pass before a change is merged. A part that is proven for what it reads now is not run again.

    .ci/run                  runs the parts that are not proven, and `make check`
    .ci/run --write          also writes the keys of what passed into .ci/proven
    .ci/run --all --write    skips nothing: `make prove`

A part is proven if .ci/proven has its key. The key is a hash of
- the files of the working tree that the part may read: all, but those that it leaves out;
- its command;
- the versions of Python, of each package that its environment has installed, and of the other programs that it runs;
- the names and sizes of the data beside the repository.

Where metrics were added since the keys were written, and a part reads no other change, it runs the tests that ask for
these metrics. Parts that look at all metrics at once (IN_FULL) run whole: they see that no other metric has changed.

That a part reads no more is watched while it runs (watch/sitecustomize.py). Of a part that reads what it leaves out, no
key is written, and --write fails.
"""

from __future__ import annotations

import argparse
import functools
import hashlib
import os
import re
import shlex
import signal
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from threading import Lock
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
PROVEN = ROOT / ".ci" / "proven"
CLOSING = re.compile(r"^=* ?(?=.*(?:passed|failed|error)).* in [0-9.]+s.*$", re.MULTILINE)

#: What a part leaves out: beginnings of paths, with * for anything. `!` takes one back; the last that fits decides.
PAGES = (
    "docs/ benchmarks/ .github/ .pre-commit-config.yaml AGENTS.md CHANGELOG.md CITATION.cff CODE_OF_CONDUCT.md "
    "CONTRIBUTING.md README.md SECURITY.md sql/*README.md sqlmetrics/.agents/"
)
# a result knows the class of its chart, and `semantic` that of a layer
CHARTS = (
    "sqlmetrics/charts/ !sqlmetrics/charts/__init__.py !sqlmetrics/charts/chart.py !sqlmetrics/charts/of.py "
    "!sqlmetrics/charts/themes.py sqlmetrics/pages/"
)
LAYERS = "sqlmetrics/layers/ !sqlmetrics/layers/__init__.py !sqlmetrics/layers/layer.py"
NUMBERS = f"{PAGES} {CHARTS} {LAYERS} sqlmetrics/cli/ sqlmetrics/suites/"

# tests/support has the formulas of the documentation, and the schema of suites
OF_SUPPORT = (
    f"{NUMBERS} !docs/generate/__init__.py !docs/generate/formulas.py "
    "!sqlmetrics/suites/__init__.py !sqlmetrics/suites/schema.py"
)
OF_NAMES = f"{NUMBERS} !docs/coming-from/ !docs/generate/"
OF_PAGES = f"{OF_NAMES} !docs/tutorials/spark.md !docs/howto/clickhouse.md !sqlmetrics/layers/"
OF_KILLS = f"{PAGES} {CHARTS}"
OF_SHELLS = f"{OF_KILLS} sqlmetrics/cli/ sqlmetrics/suites/"
# what tests/engines imports: suites, which import the command line
OF_ENGINES = f"{NUMBERS} !sqlmetrics/cli/__init__.py !sqlmetrics/suites/"
#: Tests of all that is public, with charts, pages and the command line; the parts of their folders do without.
CALLS = " ".join(f"tests/{name}.py" for name in (
    "api/test_advice", "api/test_drift", "api/test_hostile_methods", "api/test_hostile_values", "api/test_names",
    "api/test_options", "api/test_plan", "api/test_tracebacks", "api/test_zones", "engines/connections/test_options",
))  # fmt: skip
KILLS = "tests/faults/test_kills.py"  # of the command line
#: what reads pages of docs/ or files of layers, with Spark
OF_SPARK = "tests/engines/test_names_of_spark.py tests/engines/test_pages_of_spark_and_clickhouse.py"


def without(files: str, folder: str) -> str:
    """A folder, for pytest, and that it leaves out files of another part."""
    return " ".join([folder, *(f"--ignore={file}" for file in files.split() if file.startswith(folder))])


@dataclass(frozen=True)
class Part:
    """Some tests of the gate. `leaves_out=None` reads all; other parts leave out the tests of others, too."""

    name: str
    tests: str
    leaves_out: str | None
    make: str = "test-all"
    needs: str = ".venv/test.stamp"  # what make sets up; the first is the environment
    programs: str = ""  # beside Python, each with the option that prints its version

    @property
    def command(self) -> list[str]:
        """How make runs it; two targets name their tests themselves."""
        tests = [] if self.make in ("test-dbt", "test-doors") else [f"TESTS={self.tests}"]
        return ["make", "--no-print-directory", *self.make.split(), *tests]


BROWSER = {
    "needs": ".venv/test.stamp browser tests/node_modules/.stamp",
    "programs": "node:--version chromium:--version",
}
OLDEST = {"make": "test-oldest", "needs": ".venv-oldest/test.stamp"}
# ENGINE_TESTS of the Makefile
FOLDERS = "change conformance dbt drift engines inference metrics search"
ENGINES = " ".join(f"tests/{folder}" for folder in FOLDERS.split())
ENGINES += "".join(f" --ignore={file}" for file in OF_SPARK.split())
FEW = "FEW=bigquery,clickhouse,datafusion,mysql,snowflake,spark"  # cases in which every notation stands
WITH_JAVA = {"needs": ".venv-engines/test.stamp servers", "programs": "java:-version mariadbd:--version"}

#: One after the other, with two processes of tests each.
FIRST = [
    Part("docs", "tests/docs docs/generate", "benchmarks/", **BROWSER),
    Part("package", "tests/package", None),
    Part("pages", "tests/charts tests/pages", f"{PAGES} sqlmetrics/cli/ sqlmetrics/suites/", **BROWSER),
    Part("cli", "tests/cli tests/suites tests/layers", f"{PAGES} !docs/gates.md !docs/suite.schema.json", **BROWSER),
    Part("calls", f"sqlmetrics {CALLS}", PAGES),
    Part("api", f"{without(CALLS, 'tests/api')} tests/dbt", f"{PAGES} {CHARTS} sqlmetrics/cli/ sqlmetrics/suites/"),
    Part("shell", f"tests/duckdb_macros tests/doors {without(KILLS, 'tests/faults')}", OF_SHELLS),
    Part("kills", KILLS, OF_KILLS),
    # what renders a macro: tests of errors do, too
    Part("plan", "tests/plan", f"{NUMBERS} !tests/api/test_errors"),
    Part("numbers", "tests/conformance tests/oracles tests/support", OF_SUPPORT),
    Part("metrics", "tests/metrics", NUMBERS),
    Part("inference", "tests/inference", NUMBERS),
    Part("searches", "tests/change tests/drift tests/search", NUMBERS),
    Part("peers", "tests/peers", OF_NAMES),
    Part("engines", without(f"{CALLS} {OF_SPARK}", "tests/engines"), OF_ENGINES),
    Part("numbers on the oldest DuckDB", "tests/conformance tests/engines/test_engines.py "
         "tests/engines/test_nan_in_files.py", NUMBERS, **OLDEST),
    Part("shell on the oldest DuckDB", f"tests/duckdb_macros {without(KILLS, 'tests/faults')}", OF_SHELLS, **OLDEST),
    Part("kills on the oldest DuckDB", KILLS, OF_KILLS, **OLDEST),
]  # fmt: skip
#: Beside these, with one process.
BESIDE = [
    Part(
        "dbt",
        "tests/dbt tests/layers",
        f"{NUMBERS} !sqlmetrics/layers/ !docs/dbt.md !sql/",
        "test-dbt",
        ".venv-dbt/test.stamp",
    ),
    Part("doors", "tests/doors", OF_SHELLS, "test-doors", ".venv-doors/test.stamp"),
]
#: At the end, with the machine to itself.
LAST = [
    Part("other engines", ENGINES, OF_ENGINES, f"test-engines {FEW}", **WITH_JAVA),
    Part("names and pages of Spark", OF_SPARK, OF_PAGES, "test-engines ENGINES=spark", **WITH_JAVA),
]  # fmt: skip
PARTS = [*FIRST, *BESIDE, *LAST]
#: Where a metric is added: the beginnings of paths.
ADDED = (
    "sql/metrics/", "sql/schema.yml", "sql/plan/aliases.sql", "sql/plan/directions.sql", "sql/plan/definitions.sql",
    "sql/plan/grains_of_metrics.sql", "sql/plan/ranges.sql",
    "tests/oracles/", "tests/conformance/cases/", "tests/statements.json",
    *(path for path in PAGES.split() if "*" not in path),
)  # fmt: skip
IN_FULL = ["docs", "package", "calls", "api", "plan", "numbers", "dbt", "doors"]
#: Is run in any case: lint, and a few tests of everything.
CHECK = Part("check", "tests", None, "check")
#: Of an environment while it is set up, and of the file of keys.
LOCKS: defaultdict[str, Lock] = defaultdict(Lock)


@functools.cache
def leaves_out(part: Part) -> list[str]:
    """Beginnings of paths, in their order."""
    if part.leaves_out is None:
        return [".ci/proven"]
    tests = {
        f"{test}/" for other in FIRST for test in other.tests.split() if re.fullmatch(r"tests/\w+", test)
    }
    own = [
        f"!{path}"
        for test in re.findall(r"(?<!=)\btests/[\w/.]+", part.tests)
        for path in (test, *(f"{folder}/conftest.py" for folder in Path(test).parents))
    ]
    # of these every run of pytest knows
    shared = [
        "!tests/conformance/cases/",
        "!tests/conformance/__init__.py",
        "!tests/oracles/",
        "!tests/support/",
    ]
    return [".ci/", *sorted(tests), *part.leaves_out.split(), *own, *shared]


def may_read(part: Part, path: str) -> bool:
    """Whether a file is in the key of a part."""
    for rule in reversed(leaves_out(part)):
        if fnmatchcase(path, f"{rule.removeprefix('!')}*"):
            return rule.startswith("!")
    return True


def output(*command: str, **options: Any) -> tuple[int, str]:
    """The status of a command, and what it printed."""
    done = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          errors="replace", **options)  # fmt: skip
    return done.returncode, done.stdout


def git(*command: str) -> tuple[int, str]:
    """The same of git, in a tree that may be another user's."""
    return output("git", "-c", "safe.directory=*", *command)


def tree() -> dict[str, str]:
    """The files of the working tree that git does not ignore, committed or not, and a hash of each; not the keys."""
    status, listed = git("ls-files", "-z", "--cached", "--others", "--exclude-standard")
    if status:  # a copy without git has no keys, so that all parts run
        print(f"nothing is proven here: {listed}", flush=True)
        return {}
    paths = sorted({*listed.split("\0")} - {".ci/proven"})
    return {path: blob((ROOT / path).read_bytes()) for path in paths if (ROOT / path).is_file()}


def blob(content: bytes) -> str:
    """The hash of a file, as git computes it."""
    return hashlib.sha1(b"blob %d\0" % len(content) + content).hexdigest()


def added_metrics(part: Part, files: dict[str, str], versions: list[str]) -> list[str]:
    """The metrics that were added since the keys were written; none if a part reads another change since then."""
    commit = git("log", "-1", "--format=%H", "--", ".ci/proven")[1].strip()
    listed = git("ls-tree", "-r", "-z", commit)[1].split("\0")[:-1] if commit else []
    old = {path: entry.split()[2] for entry, path in (line.split("\t") for line in listed)}
    if part.name in IN_FULL or [key(part, old, versions)] != proven().get(part.name, [])[:1]:
        return []
    found: set[str] = set()
    for path in sorted({*files, *old}):
        if not may_read(part, path) or files.get(path) == old.get(path):
            continue
        if path not in files or not path.startswith(ADDED):
            return []
        before = git("show", f"{commit}:{path}")[1].splitlines() if path in old else []
        after = (ROOT / path).read_text(encoding="utf-8").splitlines()
        rest = iter(after)
        if not all(line in rest for line in before):  # lines were taken or changed
            return []
        if path.startswith("sql/metrics/"):
            names = [
                re.findall(r"macro metric_(\w+?)(?:_at)?\(", "\n".join(lines)) for lines in (before, after)
            ]
            found |= {*names[1]} - {*names[0]}
    return sorted(found)


def versions(part: Part) -> list[str]:
    """What else decides: Python, packages, programs, data."""
    ask = (
        "import sys, platform, importlib.metadata as m; print(sys.version, platform.system(), platform.machine())\n"
        "print(*sorted({f'{d.name}=={d.version}' for d in m.distributions()}), sep='\\n')"
    )
    python = f"exec {part.needs.split('/')[0]}/bin/python -c {shlex.quote(ask)}"
    programs = [word.replace(":", " ") for word in part.programs.split()]
    told = [output("sh", "-c", command)[1] for command in (python, *programs)]
    # a program may say more than its version, such as the size of the memory
    found = told[:1] + [" ".join(re.findall(r"\d+(?:\.\d+)+[\w+-]*", text)) for text in told[1:]]
    if "node_modules" in part.needs:
        found += [
            lock.read_text(encoding="utf-8")
            for lock in sorted(ROOT.glob("*/node_modules/.package-lock.json"))
        ]
    data = ROOT.parent / "shared" / "data"
    return found + [
        f"{path.name} {path.stat().st_size}" for path in sorted(data.rglob("*")) if path.is_file()
    ]


def key(part: Part, files: dict[str, str], versions: list[str]) -> str:
    """What a part reads, as a hash."""
    read = [f"{path} {content}" for path, content in files.items() if may_read(part, path)]
    return hashlib.sha256("\n".join([*part.command, *read, *versions]).encode()).hexdigest()[:20]


def set_up(part: Part) -> None:
    """Environments and programs. If this fails, so does the part, which asks for them again."""
    with LOCKS[part.needs.split()[0]]:
        output("make", "--no-print-directory", *part.needs.split())


def proven() -> dict[str, list[str]]:
    """Part -> key, when, seconds, what passed."""
    lines = PROVEN.read_text(encoding="utf-8").splitlines() if PROVEN.exists() else []
    return {name: rest for name, *rest in (line.split(" | ") for line in lines if not line.startswith("#"))}


def write(name: str, *line: str) -> None:
    """Sets the line of a part."""
    with LOCKS["proven"]:
        lines = {**proven(), name: list(line)}
        head = "# Made by make prove: part | key of what it reads | when it passed | seconds | tests\n"
        PROVEN.write_text(head + "".join(" | ".join([name, *lines[name]]) + "\n" for name in sorted(lines)))


def overread(part: Part, files: dict[str, str], log: Path) -> list[str]:
    """What a part read of what it leaves out; a compiled file stands for its source."""
    names = log.read_text(encoding="utf-8", errors="replace").splitlines() if log.exists() else []
    sources = {re.sub(r"__pycache__/([^/.]+)\.[^/]*$", r"\1.py", name) for name in names}
    return sorted(
        name for name in sources & set(files) if not may_read(part, name) and not name.startswith(".ci/")
    )


def run(part: Part, files: dict[str, str], metrics: list[str] | None = None) -> tuple[bool, str, list[str]]:
    """Runs a part; whether it passed, what it printed, and what it read of what its key leaves out.

    Args:
        metrics: runs what is asked of these alone, which may be nothing
    """
    asked = [f"METRIC={','.join(metrics)}"] if metrics else []
    print(" ".join([part.name, *asked, "..."]), flush=True)
    with tempfile.TemporaryDirectory() as folder:
        path = os.pathsep.join(filter(None, [str(ROOT / ".ci" / "watch"), os.environ.get("PYTHONPATH")]))
        surroundings = {**os.environ, "GATE_READS": f"{folder}/reads", "PYTHONPATH": path}
        status, text = output(*part.command, *asked, env=surroundings)
        more = overread(part, files, Path(folder) / "reads")
    if more:
        text += f"{part.name} read what its key leaves out (see .ci/gate.py): {', '.join(more[:20])}\n"
    print(text, end="", flush=True)
    passed = not status and bool(CLOSING.search(text))
    return passed or (bool(asked) and "no tests ran in" in text), text, more


def decide(part: Part, files: dict[str, str], options: argparse.Namespace) -> tuple[bool, str]:
    """Runs a part or skips it; whether all is well, and what pytest said."""
    set_up(part)
    found, start = versions(part), time.monotonic()
    before, now = proven().get(part.name), key(part, files, found)
    if before and before[0] == now and files and not options.all:
        when, seconds, tests = before[1:]
        print(f"skipped {part.name}: all that it reads is as on {when}, {tests} in {seconds} s", flush=True)
        return True, ""
    metrics = [] if options.all else added_metrics(part, files, found)
    passed, text, more = run(part, files, metrics)
    if options.write and more:
        return False, text
    if passed and options.write and tree() == files and not metrics:
        tests = re.sub(r"^=* *(.*) in [0-9.]+s.*", r"\1", CLOSING.findall(text)[-1])
        write(part.name, now, time.strftime("%Y-%m-%d"), f"{time.monotonic() - start:.0f}", tests)
    return passed, text


def beside(files: dict[str, str], options: argparse.Namespace) -> list[tuple[bool, str]]:
    """Sets up what later parts need, while the first tests run, and runs the tests of one process."""
    for part in PARTS:
        set_up(part)
    return [decide(part, files, options) for part in BESIDE]


def main() -> int:
    """Runs the parts."""
    parser = argparse.ArgumentParser(prog=".ci/run", description=(__doc__ or "").split("\n\n")[0])
    parser.add_argument("--all", action="store_true", help="run what is proven, too")
    parser.add_argument("--write", action="store_true", help="write the keys of what passed into .ci/proven")
    options, files = parser.parse_args(), tree()
    signal.signal(
        signal.SIGINT, signal.default_int_handler
    )  # a shell ignores it for what runs in the background
    check = run(CHECK, files)[:2]
    with ThreadPoolExecutor(1) as pool:
        others = pool.submit(beside, files, options)
        done = [decide(part, files, options) for part in FIRST]
        done += others.result()
    done += [*(decide(part, files, options) for part in LAST), check]
    # once more: extension modules may speak after pytest, while the interpreter ends
    print(*(line for _, text in done for line in CLOSING.findall(text)[-1:]), sep="\n")
    return 0 if all(passed for passed, _ in done) else 1


if __name__ == "__main__":
    sys.exit(main())
