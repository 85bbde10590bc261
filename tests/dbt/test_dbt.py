"""The dbt package: integration_tests/ builds on DuckDB and PostgreSQL, compiles for warehouses, with the SQL of Python.

Needs the extra `dbt`; an adapter that is not installed is skipped. dbt runs in this process: a start takes seconds.
"""

from __future__ import annotations

import csv
import importlib.util
import json
import math
import os
import re
import shutil
import subprocess
import textwrap
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import cache, partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import jinja2
import pytest

import sqlmetrics as sm
from oracles import drift as oracle
from sqlmetrics.book.templates import macros
from support.engines.tables import as_dicts
from support.paths import ROOT
from support.postgres_server import postgres_server

BUILT = ["duckdb", "postgres"]
COMPILED = ["snowflake", "bigquery", "clickhouse"]
#: what dbt puts in front of its SQL where a model is ephemeral, Python does not
EPHEMERAL = {"ephemeral", "first_day"}
#: For other variables dbt parses the whole project, so tests share them, and each has a folder for what was parsed.
UNTIL = ("--vars", "{until: 2026-05-01}")
OTHERS = ("--vars", "{since: 2026-05-02, strategy: merge, lacking: true}")
FOLDERS = {UNTIL[1]: "target_until", OTHERS[1]: "target_others"}

if importlib.util.find_spec("dbt.cli") is None:
    pytest.skip("dbt is not installed: pip install '.[dbt]'", allow_module_level=True)

# Jinja reads a macro once, not twice for each project
importlib.import_module("dbt_common.tests").enable_test_caching()


@dataclass
class Project:
    """A project of its own for an adapter: dbt keeps what it parsed and made in the folder."""

    folder: Path
    adapter: str

    def dbt(self, *arguments: str) -> Any:
        """Runs a command of dbt; its result, whether it succeeded or not."""
        from dbt.cli.main import dbtRunner

        where = ["--project-dir", str(self.folder), "--profiles-dir", str(self.folder)]
        kept = [word for name in arguments if name in FOLDERS for word in ("--target-path", FOLDERS[name])]
        return dbtRunner().invoke([*arguments, *where, *kept, "--target", self.adapter, "--quiet"])

    def statuses(self, *arguments: str) -> dict[str, str]:
        """What became of each node, by name."""
        done = self.dbt(*arguments)
        assert done.exception is None, done.exception
        return {result.node.name: str(result.status) for result in done.result.results}

    def compiled(self) -> dict[str, str]:
        """The models as dbt compiled them last, by name."""
        found = (self.folder / "target" / "compiled").glob("*/models/*.sql")
        return {path.stem: path.read_text().strip() for path in found}

    @property
    def manifest(self) -> dict[str, Any]:
        return json.loads((self.folder / "target" / "manifest.json").read_text())


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Project]:
    """A copy of integration_tests/ beside the package, with the package installed by `local: ../`."""

    @cache
    def made(adapter: str) -> Project:
        if importlib.util.find_spec(f"dbt.adapters.{adapter}") is None:
            pytest.skip(f"no adapter of dbt for {adapter}: pip install dbt-{adapter}")
        package = tmp_path_factory.mktemp(adapter)
        shutil.copy(ROOT / "dbt_project.yml", package)
        (package / "sql").symlink_to(ROOT / "sql")
        made_here = shutil.ignore_patterns("target", "logs", "dbt_packages", "package-lock.yml")
        shutil.copytree(ROOT / "integration_tests", package / "integration_tests", ignore=made_here)
        project = Project(package / "integration_tests", adapter)
        assert project.dbt("deps").success
        return project

    return made


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> Iterator[pytest.MonkeyPatch]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DBT_SEND_ANONYMOUS_USAGE_STATS", "false")
        patch.chdir(tmp_path_factory.mktemp("started_here"))  # dbt leaves a log where it is started
        yield patch


@dataclass
class Built:
    """The project after `dbt build`: what became of its nodes, its models as SQL, and a way to ask the database."""

    project: Project
    statuses: dict[str, str]
    compiled: dict[str, str]
    ask: Callable[[str], list[dict]]


@pytest.fixture(scope="module", params=BUILT)
def built(
    request: pytest.FixtureRequest, project: Callable[[str], Project], environment: pytest.MonkeyPatch
) -> Iterator[Built]:
    with ExitStack() as stack:
        made = project(request.param)
        if made.adapter == "postgres":
            socket, user, _ = (
                part.split("=")[1] for part in stack.enter_context(postgres_server()).split(" ")
            )
            environment.setenv("PGHOST", socket)
            environment.setenv("PGUSER", user)
        else:
            environment.setenv("DUCKDB_PATH", str(made.folder / "built.duckdb"))
        yield Built(made, made.statuses("build"), made.compiled(), asking(made))


def asking(project: Project) -> Callable[[str], list[dict]]:
    """Gives the rows of a statement."""

    def ask(statement: str) -> list[dict]:
        if project.adapter == "postgres":
            import psycopg

            with psycopg.connect(
                host=os.environ["PGHOST"], user=os.environ["PGUSER"], dbname="postgres"
            ) as on:
                return as_dicts(on.execute(statement))
        import duckdb

        with duckdb.connect(str(project.folder / "built.duckdb")) as on:
            return as_dicts(on.execute(statement))

    return ask


def test_project_builds(built) -> None:
    """Models, their values against plain Python (`agrees_...`), unit tests, and generic tests that pass."""
    statuses = built.statuses
    assert set(statuses.values()) == {"success", "pass"}
    assert {"half_of_a_tied_pair", "broken_data_give_null_and_a_count"} <= set(statuses)
    kinds = Counter(name.split("_")[0] for name in statuses)
    assert (kinds["agrees"], kinds["passes"], kinds["fails"]) == (17, 13, 0)


def test_tests_on_a_source(built) -> None:
    """Every test of the package, with limits, a condition and a truth that is a source as well."""
    statuses = built.project.statuses("test", "--select", "source:shop")
    assert len(statuses) == 6
    assert set(statuses.values()) == {"pass"}


def seed(name: str) -> list[dict[str, str]]:
    with (ROOT / "integration_tests" / "seeds" / f"{name}.csv").open() as file:
        return list(csv.DictReader(file))


def schema(project: Project, suffix: str = "") -> str:
    return {"duckdb": "main", "postgres": "sqlmetrics"}[project.adapter] + suffix


def test_failing_tests_show_why(built) -> None:
    """Rows that explain the failure: slice, metric, value, limits and counts."""
    project, ask = built.project, built.ask
    statuses = project.statuses("test", "--selector", "must_fail")
    assert len(statuses) == 12
    assert set(statuses.values()) == {"fail"}
    shown = {name: ask(f"select * from {schema(project, '_dbt_test__audit')}.{name}") for name in statuses}

    def of(name: str, *columns: str) -> list[tuple]:
        return sorted(
            tuple(str(row[column]) if column == "day" else row[column] for column in columns)
            for row in shown[name]
        )

    limits = ("metric", "value", "lower_limit", "upper_limit")
    assert of("fails_bad_rows", "day", "n_rows", "rows_bad_score") == [("2026-05-02", 3, 1)]
    assert of("fails_demands_of_a_metric", "day", "rows_bad_score", "rows_duplicate", "rows_not_binary") == [
        ("2026-05-02", 1, 0, 0), ("2026-05-03", 0, 1, 0), ("2026-05-04", 0, 0, 1),
    ]  # fmt: skip
    assert of("fails_repeated_item", "query_id", "product_id", "n_rows") == [("q3", "a", 2)]
    # wrong by its one pair; of one class only; with a label that is none
    assert of("fails_at_least", "day", *limits, "is_total") == [
        ("2026-05-02", "auc", 0.0, 0.7, None, 0),
        ("2026-05-03", "auc", None, 0.7, None, 0),
        ("2026-05-04", "auc", None, 0.7, None, 0),
    ]
    [(metric, value, lower, upper)] = of("fails_at_most", *limits)
    assert (metric, lower, upper) == ("rmse", None, 0.5)
    squares = [0.1**2, 0.1**2, 0.8**2, 0.7**2, 0.2**2, 0.4**2, 0.5**2, 1.5**2]
    assert value == pytest.approx((sum(squares) / 8) ** 0.5, rel=1e-12)
    [(metric, value, lower, upper)] = of("fails_within_reference", *limits)
    assert (metric, value) == ("base_rate", 4 / 9)
    assert (lower, upper) == pytest.approx((0.15, 0.25), rel=1e-12)
    # the fourth day has nothing to be compared with, since the third has no value, but has none itself
    assert of("fails_within_period", "day", *limits) == [
        ("2026-05-02", "auc", 0.0, 0.9, 1.1),
        ("2026-05-03", "auc", None, -0.1, 0.1),
        ("2026-05-04", "auc", None, None, None),
    ]
    moved = of(
        "fails_no_drift", "column_name", "n_current", "n_reference", "measure", "drift_value", "upper_limit"
    )
    [now, then] = ([row["query_id"] for row in seed(name)] for name in ("broken", "predictions"))
    psi = oracle.of_column(now, then)["psi"]
    assert moved[0] == ("query_id", 9, len(then), "psi", pytest.approx(psi, rel=1e-12), 0.25)
    # its days were not made of a part of the predictions
    unfit = ("drift_value", "states_of_other_facts", "periods_repeated")
    slices = {(row["day"], row["country"]) for row in seed("predictions")}
    assert of("fails_no_drift_of_a_state", *unfit) == [(None, 2 * len(slices), 0)]
    # the ends and differences of `evaluate` and `compare` over the rows
    facts = {"label": "grade", "group": ["day", "query_id"], "item": "product_id", "by": "country"}
    rows, models = (
        str(ROOT / "integration_tests" / "seeds" / "predictions.csv"),
        {"new": "score", "old": "score_b"},
    )
    lows = sm.evaluate(rows, "ndcg@3", score=models, interval=0.95, **facts).to_dicts()
    low = {(row["country"], row["model"]): row["ndcg_3_low"] for row in lows}
    assert of("fails_low_ends_of_a_state", "country", "model", "value_low", "lower_limit") == [
        ("DE", "old", pytest.approx(low["DE", "old"], rel=1e-9), 0.2)
    ]
    compared = sm.compare(rows, "ndcg@3", baseline="old", score=models, **facts).to_dicts()
    [difference] = [row["low"] for row in compared if row["country"] == "FR"]
    assert of("fails_difference_of_a_state", "country", "candidate", "low", "lower_limit", "n_pairs") == [
        ("FR", "new", pytest.approx(difference, rel=1e-9), -0.2, 3)
    ]
    assert of("fails_without_rows", "day", *limits, "n_rows", "is_total") == [
        ("None", "auc", None, 0.0, None, 0, 1)
    ]


def test_drift_of_a_state_is_that_of_its_rows(built) -> None:
    [row] = built.ask(f"select * from {schema(built.project)}.moved")
    then, now = (
        [row["country"] for row in seed("predictions") if row["day"] == day]
        for day in ("2026-05-01", "2026-05-02")
    )
    assert (row["n_current"], row["n_reference"], row["periods_repeated"]) == (len(now), len(then), 0)
    for measure, value in oracle.of_column(now, then).items():
        assert row[measure] == pytest.approx(value, rel=1e-12), measure


def test_days_of_a_state_come_one_by_one(built) -> None:
    """A run reads the days that it is told; a day that comes again takes the place of what was there of it."""
    project, ask = built.project, built.ask
    whole = ask(f"select * from {schema(project)}.from_state")

    def run(*options: str) -> list[dict]:
        assert set(project.statuses("run", "--select", "daily_state", "from_state", *options).values()) == {
            "success"
        }
        return ask(f"select * from {schema(project)}.from_state")

    first = run("--full-refresh", *UNTIL)
    assert first != whole
    for options in (OTHERS, OTHERS, ("--full-refresh",)):
        for row, direct in zip(run(*options), whole, strict=True):
            for name, value in direct.items():
                near = pytest.approx(value, rel=1e-12) if isinstance(value, float) else value
                assert row[name] == near, name


def test_a_metric_that_a_state_lacks_is_named(built) -> None:
    """Before the engine misses a column of the state."""
    done = built.project.dbt("run", "--select", "lacks_a_sum", *OTHERS)
    [result] = done.result.results
    assert result.status == "error"
    assert "daily_state" in result.message
    assert (
        "does not hold what is needed for mrr; make the state for it, too, with on_schema_change"
        in result.message
    )


@pytest.mark.parametrize("strategy", [(), OTHERS], ids=["delete+insert", "merge"])
def test_a_total_with_a_name_is_a_key(built, strategy: tuple[str, ...]) -> None:
    """Of a model that is made again and of a snapshot of it, and so is the slice of NULL."""
    project, ask = built.project, built.ask
    chosen = ("--select", "kept_by_country", *strategy)
    for _ in range(3):
        assert set(project.statuses("run", *chosen).values()) == {"success"}
        assert set(project.statuses("snapshot", "--select", "metrics_of_countries").values()) == {"success"}
    for table in ("kept_by_country", "metrics_of_countries"):
        slices = [row["country"] for row in ask(f"select country from {schema(project)}.{table}")]
        assert sorted(slices) == ["(null)", "DE", "all"], table
    labels = [row["clicked"] == "true" for row in seed("predictions")]
    [total] = ask(f"select * from {schema(project)}.kept_by_country where is_total = 1")
    assert (total["country"], total["n_rows"]) == ("all", len(labels))


def relation(project: Project, name: str) -> str:
    """A model's or seed's relation, as dbt writes it."""
    [node] = [node for node in project.manifest["nodes"].values() if node["name"] == name]
    return node["relation_name"]


def rendered(project: Project, path: Path) -> str:
    """A model, with the macros of Python instead of those of dbt."""
    dialect = macros(project.adapter)
    environment = jinja2.Environment(undefined=jinja2.StrictUndefined)
    environment.globals.update(
        ref=lambda name: relation(project, name),
        source=lambda _, name: relation(project, name),
        config=lambda **_: "",
        var=lambda _, default: default,
        adapter={"quote": dialect["sql_quote"]},
        sqlmetrics=dialect,
    )
    return environment.from_string(path.read_text()).render()


def same_as_in_python(project: Project, compiled: dict[str, str]) -> None:
    ours = {name: statement for name, statement in compiled.items() if name not in EPHEMERAL}
    assert len(ours) >= 10
    for name, statement in ours.items():
        assert statement == rendered(project, project.folder / "models" / f"{name}.sql").strip(), name
    # names are quoted by Python, and so they are in this model
    facts: dict[str, Any] = {
        "label": "clicked", "group": "query_id", "by": ["day", "country"],
        "score": {"new": "score", "mean": sm.sql("score_b / 2 + score / 2")},
    }  # fmt: skip
    metrics = ["auc", "ndcg@3", "precision(threshold=0.45)"]
    relation_name = relation(project, "predictions")
    if (
        project.adapter != "snowflake"
    ):  # where Python folds a name, as the engine does, and adapter.quote keeps it
        assert ours["quoted"] == sm.render(relation_name, metrics, dialect=project.adapter, **facts)


def test_sql_is_that_of_python(built) -> None:
    same_as_in_python(built.project, built.compiled)


def test_models_run_without_rows(built) -> None:
    """`--empty` puts a query with a name of its own in place of a relation. It comes last: the models stay empty."""
    project, ask = built.project, built.ask
    assert set(project.statuses("run", "--empty").values()) == {"success"}
    [row] = ask(f"select * from {schema(project)}.ephemeral")
    assert (row["n_rows"], row["auc"]) == (0, None)


@pytest.mark.parametrize("adapter", COMPILED)
def test_sql_of_warehouses_is_that_of_python(
    adapter: str, project: Callable[[str], Project], environment: pytest.MonkeyPatch
) -> None:
    """Real dispatch and quoting, without a warehouse."""
    made = project(adapter)
    statuses = made.statuses("compile", "--no-populate-cache", "--no-introspect")
    assert set(statuses.values()) == {"success"}
    same_as_in_python(made, made.compiled())


def test_documentation_is_in_the_manifest(built) -> None:
    known = built.project.manifest["macros"]
    evaluate, test = known["macro.sqlmetrics.evaluate"], known["macro.sqlmetrics.test_metric_within"]
    assert "{{ sqlmetrics.evaluate(ref('predictions')" in evaluate["description"]
    assert {"relation", "metrics", "label", "by", "truth"} <= {
        argument["name"] for argument in evaluate["arguments"]
    }
    assert all(argument["description"] for argument in evaluate["arguments"] + test["arguments"])
    assert "Burges" in known["macro.sqlmetrics.metric_ndcg"]["description"]
    ours = [macro for macro in known.values() if macro["package_name"] == "sqlmetrics"]
    assert all(bool(macro["description"]) == macro["docs"]["show"] for macro in ours)
    shown = {macro["name"] for macro in ours if macro["docs"]["show"]}
    assert {"evaluate", "test_metric_within", "metric_ndcg", "curve_of_roc"} <= shown
    assert not shown & {"plan", "sql_double", "default__sql_double", "row_mean"}


@pytest.mark.parametrize(
    ("call", "message"),
    [
        ("evaluate('p', ['aucc'], label='y', score='s')", "Unknown metric 'aucc'. Did you mean 'auc'? Names like it:"),
        ("evaluate('p', 'auc', lable='y', score='s')", "evaluate takes no lable=. Did you mean 'label'? It takes: "),
        ("evaluate('p', 'auc', score='s')", "sqlmetrics.auc: needs label=, the column of the label"),
        ("evaluate('p', 'auc', label='y', score=['s', 's'])", "score= lists 's' twice; models with names"),
        ("evaluate('p', 'auc', label='y', score='s', by=[{'sql': 'a'}])", "{'sql': ..., 'alias': ...}"),
        ("evaluate('p', {'a': 'auc'}, label='y', score='s', by='a')", "Two result columns would be named 'a'"),
        ("evaluate('p', 'auc', label='y', score='s', where='y) or (y')", "a ')' that closes nothing"),
        ("evaluate('p', 'auc', label='y', score='s', by={'month': 3})", "expressions with names as {'month': "),
        ("evaluate('p', 'NumQ', label='y', score='s', group='g')", "Metric 'NumQ' is a count, not a metric"),
        ("evaluate('p', 'psi', label='y', score='s')", "two tables or periods, which sqlmetrics.drift does"),
        ("evaluate('p', 'accuracy@5', label='y', score='s')", "Metric 'accuracy@5' is top_k_accuracy@5 here"),
        ("curve('p', 'rok', label='y', score='s')", "Unknown curve 'rok'. Did you mean 'roc'? Known: calibration, "),
        ("per_group('p', 'auc', label='y', score='s', group='g')", "per_group takes metrics of lists"),
        ("evaluate('p', none, label='y', score='s')", "No metric was asked for. Pass at least one"),
        ("evaluate('p', 'auc', label='y', score='s', by=3)", "by= takes columns, or expressions as"),
        (
            "evaluate('p', 'auc', label='y', score='s', by='a, b')",
            "by= takes one column in a text, got 'a, b'; write several as a list, by=['a', 'b']",
        ),
        ("evaluate(p, 'auc', label='y', score='s')", "What is read must be a relation, the name of a table"),
        ("chi_square('p')", "sqlmetrics.chi_square: column= takes a column or an SQL expression, got"),
        ("two_proportions('p', 'y')", "sqlmetrics.two_proportions: category= takes a column or"),
    ],
)  # fmt: skip
def test_mistakes_are_compile_errors(call: str, message: str, compiled_inline) -> None:
    assert message in compiled_inline(f"{{{{ sqlmetrics.{call} }}}}")


@pytest.fixture(scope="module")
def compiled_inline(
    project: Callable[[str], Project], environment: pytest.MonkeyPatch
) -> Callable[[str], str]:
    """What dbt says of a model's text."""
    made = project("duckdb")

    def said(text: str) -> str:
        from dbt.cli.main import dbtRunner

        heard: list[str] = []
        runner = dbtRunner(callbacks=[lambda event: heard.append(event.info.msg)])
        where = ["--project-dir", str(made.folder), "--profiles-dir", str(made.folder)]
        assert not runner.invoke(["compile", "--quiet", *where, "--inline", text]).success
        return "\n".join(heard)

    return said


@pytest.fixture(scope="module")
def parsed(tmp_path_factory: pytest.TempPathFactory, environment: pytest.MonkeyPatch) -> Path:
    """A project that uses the package: the repository's root, with tests/, models of integration_tests/ and all."""
    folder = tmp_path_factory.mktemp("parsed")
    (folder / "dbt_project.yml").write_text("name: shop\nversion: 1.0.0\nprofile: sqlmetrics\n")
    (folder / "packages.yml").write_text(f"packages:\n  - local: {ROOT}\n")
    # beside the profile, whose change has dbt parse all anew; each test starts in its own project
    profile = (ROOT / "integration_tests" / "profiles.yml").read_text()
    (folder / "profiles.yml").write_text(re.sub(r"path: .*", "path: built.duckdb", profile, count=1))
    (folder / "macros").mkdir()
    (folder / "models").mkdir()
    rows = [("a", 1, 0.5), ("b", 0, 0.25), ("a", 2, 3.0), ("b", 4, 1.0)]
    selects = [f"select '{name}' as list, {label} as y, {score} as s" for name, label, score in rows]
    (folder / "models" / "rows.sql").write_text(" union all ".join(selects))
    for command in ("deps", "parse"):
        assert Project(folder, "duckdb").dbt(command).success
    return folder


@pytest.fixture
def shop(parsed: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    """A copy of it, with what dbt parsed."""
    from dbt.adapters.duckdb.connections import DuckDBConnectionManager

    shutil.copytree(parsed, tmp_path, symlinks=True, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    DuckDBConnectionManager.close_all_connections()  # of another project, whose database has the same name
    return Project(tmp_path, "duckdb")


def test_a_project_that_uses_the_package_gets_macros_alone(shop: Project) -> None:
    call = "{{ sqlmetrics.evaluate(ref('rows'), 'rmse', label='y', score='s') }}"
    (shop.folder / "models" / "rmse.sql").write_text(call)
    listed = shop.dbt("ls", "--warn-error")
    assert listed.success, listed.exception
    assert sorted(listed.result) == ["shop.rmse", "shop.rows"]


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """The address of a server of a folder's files."""
    handler = partial(SimpleHTTPRequestHandler, directory=str(folder))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


@pytest.mark.skipif(not (ROOT / ".git").exists(), reason="an archive is made by git")
def test_the_archive_of_a_commit_installs(shop: Project, tmp_path_factory: pytest.TempPathFactory) -> None:
    """What `tarball:` names for a tag: dbt fetches and unpacks it, and the package lacks nothing."""
    folder = tmp_path_factory.mktemp("archives")
    archive = ["git", "archive", "--prefix=sqlmetrics-0.1.0/", "-o", folder / "sqlmetrics.tar.gz", "HEAD"]
    subprocess.run(archive, cwd=ROOT, check=True)
    with served(folder) as address:
        named = f"{{tarball: {address}/sqlmetrics.tar.gz, name: sqlmetrics}}"
        (shop.folder / "packages.yml").write_text(f"packages: [{named}]")
        shutil.rmtree(shop.folder / "dbt_packages")
        (shop.folder / "package-lock.yml").unlink()
        assert shop.dbt("deps").success
    package = shop.folder / "dbt_packages" / "sqlmetrics"
    assert not package.is_symlink()
    # dbt reads dbt_project.yml and sql/; the others build the wheel
    kept = {"CHANGELOG.md", "CITATION.cff", "LICENSE", "README.md", "SECURITY.md", "dbt_project.yml", "examples",
            "pyproject.toml", "sql", "sqlmetrics"}  # fmt: skip
    assert {path.name for path in package.iterdir()} == kept
    call = "{{ sqlmetrics.evaluate(ref('rows'), 'rmse', label='y', score='s') }}"
    (shop.folder / "models" / "rmse.sql").write_text(call)
    assert set(shop.statuses("build").values()) == {"success"}
    [row] = asking(shop)("select rmse from main.rmse")
    assert row["rmse"] == pytest.approx(math.sqrt((0.5**2 + 0.25**2 + 1 + 3**2) / 4), rel=1e-12)


def blocks(language: str) -> list[str]:
    """The examples of docs/dbt.md in a language."""
    return re.findall(rf"^```{language}\n(.*?)^```", (ROOT / "docs" / "dbt.md").read_text(), re.M | re.S)


#: the metric and the primitives of docs/dbt.md, and further metrics
OWN = """
{% macro metric_best_grade(plan, k=none) -%}
    {%- set best = sqlmetrics.item_sum(plan, k, 'best', '{label}') -%}
    {%- do return(sqlmetrics.list_metric(plan, best, '1', '1 = 0', **kwargs)) -%}
{%- endmacro %}

{# The project's own definition goes before that of the package. #}
{% macro metric_base_rate(plan) -%}
    {%- do return(sqlmetrics.row_mean(plan, 'sold', 'case when {label} >= 2 then 1 else 0 end')) -%}
{%- endmacro %}
""" + "\n".join(blocks("jinja"))


def test_metrics_and_primitives_of_a_project(shop: Project) -> None:
    (shop.folder / "macros" / "own.sql").write_text(OWN)
    metrics = ["rmsre", "best_grade@2", "base_rate", "msle"]
    call = f"{{{{ sqlmetrics.evaluate(ref('rows'), {metrics}, label='y', score='s', group='list', interval=0.9) }}}}"
    (shop.folder / "models" / "own.sql").write_text(call)
    test = "sqlmetrics.metric_at_most: {arguments: {metric: rmsre, value: 1, label: y, score: s}}"
    (shop.folder / "models" / "schema.yml").write_text(f"models: [{{name: rows, data_tests: [{{{test}}}]}}]")
    assert set(shop.statuses("build").values()) == {"success", "pass"}
    [row] = asking(shop)("select * from main.own")
    assert row["rmsre"] == pytest.approx(math.sqrt((0.5**2 + 0.5**2 + 0.75**2) / 3), rel=1e-12)
    assert row["rmsre_low"] < row["rmsre"] < row["rmsre_high"]
    assert (row["best_grade_2"], row["base_rate"]) == (3.5, 0.5)
    logs = [(math.log1p(y) - math.log1p(s)) ** 2 for y, s in [(1, 0.5), (0, 0.25), (2, 3.0), (4, 1.0)]]
    assert row["msle"] == pytest.approx(sum(logs) / 4, rel=1e-12)
    assert "* 0.6931471805599453" in shop.compiled()["own"]


def test_a_name_of_a_library_has_its_definition(shop: Project) -> None:
    """That of the notation it stands for, whatever the convention."""
    names = {
        "ndcg_cut.2": "ndcg(gain=linear, on_empty=zero, on_missing=skip)@2", "AP": "map(on_empty=zero)",
        "IPrec@0.5": "interpolated_precision(recall=0.5, reach=tenth, on_empty=zero)",
        "mean_pinball_loss": "pinball(quantile=0.5)",
    }  # fmt: skip
    facts = "label='y', score='s', group='list', ties='average', convention='lightgbm'"
    for model, metrics in (("named", {f"v{n}": name for n, name in enumerate(names)}),
                           ("written", {f"v{n}": name for n, name in enumerate(names.values())})):  # fmt: skip
        call = f"{{{{ sqlmetrics.evaluate(ref('rows'), {metrics}, {facts}) }}}}"
        (shop.folder / "models" / f"{model}.sql").write_text(call)
    assert set(shop.statuses("build", "--select", "rows", "named", "written").values()) == {"success"}
    assert asking(shop)("select * from main.named") == asking(shop)("select * from main.written")


def test_metrics_of_a_project_are_proposed(shop: Project) -> None:
    (shop.folder / "macros" / "own.sql").write_text(OWN)
    (shop.folder / "models" / "own.sql").write_text(
        "{{ sqlmetrics.evaluate(ref('rows'), 'rmsr', label='y', score='s') }}"
    )
    done = shop.dbt("compile")
    assert "Unknown metric 'rmsr'. Did you mean 'rmsre'? Names like it: rmse, " in str(done.exception)


def test_an_adapter_without_a_dialect_is_refused(shop: Project, environment: pytest.MonkeyPatch) -> None:
    """The defaults would be taken in silence. A macro in the project says that it knows better."""
    from dbt.context import providers

    call = "{{ sqlmetrics.evaluate(ref('rows'), 'rmse', label='y', score='s') }}"
    (shop.folder / "models" / "rmse.sql").write_text(call)
    with environment.context() as patch:
        patch.setattr(providers, "get_adapter_type_names", lambda _: ["unheard"])
        offline = ("compile", "--no-populate-cache", "--no-introspect")
        refused = str(shop.dbt(*offline).exception)
        assert "has no dialect for the adapter 'duckdb'. Known: bigquery, clickhouse, databricks," in refused
        assert "trino. For another engine write the macro duckdb__sql_dialect and the primitives" in refused
        own = "{% macro unheard__sql_dialect() -%}unheard{%- endmacro %}"
        (shop.folder / "macros" / "own.sql").write_text(own)
        assert set(shop.statuses(*offline).values()) == {"success"}


#: the two days of its seed
DAYS = ("--event-time-start", "2026-05-01", "--event-time-end", "2026-05-03")


@pytest.fixture
def paged(shop: Project) -> Project:
    """A project with the seed of docs/dbt.md, and the tests below it."""
    (shop.folder / "seeds").mkdir()
    [seed], [kinds] = blocks("csv"), [block for block in blocks("yaml") if block.startswith("seeds:")]
    tests = [
        block.removeprefix("data_tests:\n") for block in blocks("yaml") if block.startswith("data_tests:")
    ]
    (shop.folder / "seeds" / "predictions.csv").write_text(seed)
    (shop.folder / "seeds" / "schema.yml").write_text(
        f"{kinds}    data_tests:\n{textwrap.indent(''.join(tests), '    ')}"
    )
    return shop


def test_the_page_is_a_project(paged: Project) -> None:
    """All its models, macros and tests, one after the other; no value is missing."""
    named = {
        "microbatch": "models/daily_state",
        "interval=0.95": "models/from_state",
        "where mrr": "tests/mrr",
    }
    (paged.folder / "tests").mkdir()
    (paged.folder / "macros" / "own.sql").write_text("\n".join(blocks("jinja")))
    [tests] = [block for block in blocks("yaml") if block.startswith("models:")]
    (paged.folder / "models" / "schema.yml").write_text(tests)
    for number, block in enumerate(block for block in blocks("sql") if "{{" in block):
        name = next((name for part, name in named.items() if part in block), f"models/model_{number}")
        (paged.folder / f"{name}.sql").write_text(block)
    statuses = paged.statuses("build", *DAYS)
    assert set(statuses.values()) == {"success", "pass"}
    models = [name for name in statuses if name.startswith("model_")]
    assert len(models) >= 4
    for name in [*models, "from_state"]:
        rows = asking(paged)(f"select * from main.{name} where is_total = 0")
        assert rows
        assert [name for row in rows for name, value in row.items() if value is None] == []


@pytest.mark.parametrize(
    ("now", "failed"),
    [
        ("score='score', group", "is a state of one model, and score= names"),
        ("score={'new': 'score', 'old': 'score_b'}, intervals=false, group", "with intervals=true"),
    ],
)
def test_tests_of_several_models_need_a_state_of_them(paged: Project, now: str, failed: str) -> None:
    """Of a state of one model, or without the pairs of its models, before the engine misses a column."""
    [model] = [block for block in blocks("sql") if "microbatch" in block]
    [tests] = [block for block in blocks("yaml") if block.startswith("models:")]
    model = model.replace(", intervals=true", "").replace(
        "score={'new': 'score', 'old': 'score_b'}, group", now
    )
    (paged.folder / "models" / "daily_state.sql").write_text(model)
    (paged.folder / "models" / "schema.yml").write_text(tests)
    done = paged.dbt("build", "--select", "predictions", "daily_state", *DAYS)
    refused = [str(result.message) for result in done.result.results if str(result.status) == "error"]
    assert len(refused) == 2
    for message in refused:
        assert "daily_state" in message
        assert failed in message


def test_a_state_grows_by_batches(paged: Project) -> None:
    """The model of docs/dbt.md: a batch replaces its day, and a day without the sums of a new metric is counted."""
    shop = paged
    [model] = [block for block in blocks("sql") if "microbatch" in block]
    facts = "label='clicked', score={'new': 'score', 'old': 'score_b'}, group='user_id', by='country'"
    asked = {"daily": "['mrr', 'ndcg@10']", "more": "['mrr', 'ndcg@10', 'recall@10']"}
    models = shop.folder / "models"
    (models / "daily.sql").write_text(model)
    for name, metrics in asked.items():
        (models / f"of_{name}.sql").write_text(
            f"{{{{ sqlmetrics.finish(ref('daily'), {metrics}, period='day', {facts}) }}}}"
        )
    (models / "direct.sql").write_text(
        f"{{{{ sqlmetrics.evaluate(ref('predictions'), {asked['more']}, {facts}) }}}}"
    )

    def run(*select: str, days: tuple[str, str] = ("2026-05-01", "2026-05-05")) -> None:
        batches = ("--event-time-start", days[0], "--event-time-end", days[1])
        assert set(shop.statuses("build", "--select", *select, *batches).values()) <= {"success", "pass"}

    def same(name: str, *metrics: str) -> None:
        rows, direct = (asking(shop)(f"select * from main.{table}") for table in (f"of_{name}", "direct"))
        for row, expected in zip(rows, direct, strict=True):
            assert [row[metric] for metric in metrics] == pytest.approx(
                [expected[metric] for metric in metrics], rel=1e-12, nan_ok=False
            )

    run("predictions", "direct", "daily", "of_daily")
    same("daily", "mrr", "ndcg_10")
    run("daily", "of_daily")  # every day comes again
    same("daily", "mrr", "ndcg_10")
    (models / "daily.sql").write_text(model.replace("'ndcg@10'", "'ndcg@10', 'recall@10'"))
    run("daily", "of_more", days=("2026-05-02", "2026-05-03"))
    total, _ = asking(shop)("select * from main.of_more where is_total = 1")
    assert (total["recall_10"], total["states_incomplete"] > 0) == (None, True)
    run("daily", "of_more", days=("2026-05-01", "2026-05-05"))
    same("more", "mrr", "ndcg_10", "recall_10")
    assert set(shop.dbt("ls", "--select", "tag:metrics", "--resource-type", "model").result) == {"shop.daily"}
