"""The version stands in several files, and conda's recipe names the requirements again: they agree."""

from __future__ import annotations

import re

from ruamel.yaml import YAML

import sqlmetrics as sm
from support.paths import ROOT

#: where the version stands -> the text around it
VERSIONS = {
    "pyproject.toml": r'^version = "(.+)"$',
    "dbt_project.yml": r"^version: (.+)$",
    "integration_tests/dbt_project.yml": r"^version: (.+)$",
    "CITATION.cff": r"^version: (.+)$",
    "conda/recipe.yaml": r'^  version: "(.+)"$',
    "sql/plan/statement.sql": r"macro package_version\(\) -%\}(.+?)\{%",
}
#: packages that have another name there
CONDA = {"duckdb": "python-duckdb"}


def test_files_have_one_version() -> None:
    found = {
        path: re.findall(text, (ROOT / path).read_text(encoding="utf-8"), re.MULTILINE)
        for path, text in VERSIONS.items()
    }
    # dbt takes a candidate as Semantic Versioning writes it
    of_dbt = re.sub(r"(?=(?:a|b|rc)\d)", "-", sm.__version__)
    assert found == {
        path: [of_dbt if path.endswith("dbt_project.yml") else sm.__version__] for path in VERSIONS
    }


def test_the_recipe_of_conda_requires_what_the_wheel_requires() -> None:
    project = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    [listed] = re.findall(r"^dependencies = \[\n(.*?)^\]", project, re.DOTALL | re.MULTILINE)
    wanted = [re.fullmatch(r"(\w+)(>=.+)", one).groups() for one in re.findall(r'"(.+)"', listed)]
    recipe = YAML(typ="safe", pure=True).load(ROOT / "conda" / "recipe.yaml")
    python = re.findall(r'^requires-python = ">=(.+)"', project, re.MULTILINE)
    assert [recipe["context"]["python_min"]] == python
    made = [f"{CONDA.get(name, name)} {least}" for name, least in wanted]
    assert sorted(recipe["requirements"]["run"]) == sorted(["python >=${{ python_min }}", *made])
    script = re.findall(r"^\[project.scripts\]\n(.+)$", project, re.MULTILINE)
    assert recipe["build"]["python"]["entry_points"] == [one.replace('"', "") for one in script]
