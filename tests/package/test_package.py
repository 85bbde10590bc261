"""The wheel carries all it needs: built from the sdist, installed where nothing else is, and used."""

import json
import os
import subprocess
import sys
import venv
import zipfile
from pathlib import Path

import pytest

from support.paths import ROOT

SEARCH = ROOT / "examples" / "search.parquet"

# one wheel, built once
pytestmark = [pytest.mark.package, pytest.mark.xdist_group("package"), pytest.mark.slow]

EVALUATE = f"""
import json
import sqlmetrics as sm
roles = dict(label="grade", score="score", group="query_id", positive=1)
report = sm.evaluate({str(SEARCH)!r}, ["auc", "ndcg@10"], **roles)
print(json.dumps([sm.__file__, report.to_dicts(), sm.example("search").num_rows]))
"""


def run(*command: str | Path, cwd: Path) -> str:
    """What a command printed, run without this process's Python settings, with a cache below its folder."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    environment["XDG_CACHE_HOME"] = str(cwd / "cache")
    done = subprocess.run(command, cwd=cwd, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, f"{command}:\n{done.stdout}{done.stderr}"
    return done.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """The wheel as `python -m build` makes it: the sdist first, then the wheel from that."""
    folder = tmp_path_factory.mktemp("dist")
    run(sys.executable, "-m", "build", "--no-isolation", "--outdir", folder, ROOT, cwd=folder)
    [wheel] = folder.glob("*.whl")
    return wheel


@pytest.fixture(scope="module")
def installed(wheel, tmp_path_factory):
    """The scripts folder of an environment that holds the wheel and what it requires."""
    folder = tmp_path_factory.mktemp("environment")
    venv.create(folder, with_pip=True)
    scripts = folder / ("Scripts" if os.name == "nt" else "bin")
    run(scripts / "python", "-m", "pip", "install", "--quiet", wheel, cwd=folder)
    return scripts


def test_wheel_holds_the_package_and_every_sql_file(wheel):
    names = set(zipfile.ZipFile(wheel).namelist())
    sql = {f"sqlmetrics/{file.relative_to(ROOT).as_posix()}" for file in ROOT.glob("sql/**/*.sql")}
    modules = {file.relative_to(ROOT).as_posix() for file in ROOT.glob("sqlmetrics/**/*.py")}
    pages = {f"sqlmetrics/pages/{file}" for file in ("page.html", "parts.html", "page.css")}
    assert sql
    assert names >= sql | modules | pages | {"sqlmetrics/py.typed", "sqlmetrics/examples/search.parquet"}
    assert "sqlmetrics/.agents/skills/sqlmetrics/SKILL.md" in names
    assert {name.split("/")[0] for name in names} == {
        "sqlmetrics",
        wheel.name.split("-py3")[0] + ".dist-info",
    }


def test_installed_package_evaluates_a_file(installed, tmp_path):
    file, [row], shipped = json.loads(run(installed / "python", "-c", EVALUATE, cwd=tmp_path))
    assert Path(file).is_relative_to(installed.parent)
    assert 0.7 < row["auc"] < 0.8
    assert 0.5 < row["ndcg_10"] < 0.8
    assert shipped == 10_569


def test_installed_command_runs(installed, tmp_path):
    assert "ndcg" in run(installed / "sqlmetrics", "list", cwd=tmp_path)
    assert "auc" in run(installed / "sqlmetrics", "demo", cwd=tmp_path)


def test_installed_command_starts_from_its_cache(installed, tmp_path):
    first = run(installed / "sqlmetrics", "list", cwd=tmp_path)
    kept = {file: file.stat().st_mtime_ns for file in tmp_path.glob("cache/sqlmetrics/*")}
    assert kept
    assert run(installed / "sqlmetrics", "list", cwd=tmp_path) == first
    assert {file: file.stat().st_mtime_ns for file in tmp_path.glob("cache/sqlmetrics/*")} == kept
