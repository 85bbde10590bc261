"""What goes into each command, and what it answers."""

import inspect
import io
import json

import duckdb
import pyarrow
import pyarrow.csv
import pyarrow.parquet
import pytest
import typer

import sqlmetrics as sm
from command_line.calls import AUC, FACTS, SEARCH, printed
from sqlmetrics import cli


@pytest.mark.parametrize(
    ("command", "function", "python_only", "command_only"),
    [
        ("evaluate", sm.evaluate, {"connection"}, {"format", "output"}),
        ("sql", sm.render, set(), set()),
        ("confusion-matrix", sm.confusion_matrix, {"connection"}, {"format", "output"}),
        ("class-report", sm.class_report, {"connection"}, {"format", "output"}),
    ],
)
def test_options_are_those_of_the_python_call(command, function, python_only, command_only):
    options = {p.name: p for p in typer.main.get_command(cli.app).commands[command].params}
    parameters = inspect.signature(function).parameters
    assert set(options) - command_only == set(parameters) - python_only
    for name in set(parameters) - python_only - {"data"}:
        assert "--" + name.replace("_", "-") in options[name].opts
        if parameters[name].default is not inspect.Parameter.empty:
            assert (options[name].default or None) == (parameters[name].default or None), name


# --- evaluate: what goes in


def test_every_option_reaches_the_python_call(run, monkeypatch):
    seen = {}

    def evaluate(data, metrics, **options):
        seen.update(options, data=data, metrics=metrics)
        raise sm.SqlMetricsError("enough")

    monkeypatch.setattr(sm, "evaluate", evaluate)
    line = (
        "--metrics auc --metrics best=ndcg(gain=linear,ideal=full)@10 --label grade --score new=score"
        " --score score_b --group query_id --item product_id --weight w --by country,device --by day"
        " --no-total --prediction grade --max-grade 4 --positive 1 --ties best --on-bad-rows drop"
    )
    run("evaluate", SEARCH, *line.split(), "--truth", SEARCH)
    assert isinstance(seen.pop("connection"), duckdb.DuckDBPyConnection)
    assert seen == {
        "data": SEARCH,
        "metrics": {"auc": "auc", "best": "ndcg(gain=linear,ideal=full)@10"},
        "label": "grade",
        "score": {"new": "score", "score_b": "score_b"},
        "group": "query_id",
        "item": "product_id",
        "weight": "w",
        "by": ["country", "device", "day"],
        "total": False,
        "truth": SEARCH,
        "prediction": "grade",
        "max_grade": 4,
        "positive": 1,
        "ties": "best",
        "on_bad_rows": "drop",
    }


def test_expressions_stand_wherever_a_column_does(run):
    out = printed(
        run,
        "evaluate",
        SEARCH,
        *("--metrics", "auc", "--label", "sql:grade > 0", "--score", "half=sql:score / 2"),
        *("--by", "sql:substr(country, 1, 1)", "--format", "json"),
    )
    rows = json.loads(out)
    assert [row["substr(country, 1, 1)"] for row in rows] == ["D", "E", "F", "I", "N", None]
    [expected] = sm.evaluate(SEARCH, "auc", **FACTS).to_dicts()
    assert rows[-1]["model"] == "half"
    assert rows[-1]["auc"] == pytest.approx(expected["auc"])


@pytest.fixture
def kinds():
    """The example as it may come in by a pipe."""
    table = pyarrow.parquet.read_table(SEARCH)
    parquet, csv = io.BytesIO(), io.BytesIO()
    pyarrow.parquet.write_table(table, parquet)
    pyarrow.csv.write_csv(table, csv)
    return {
        "parquet": parquet.getvalue(),
        "csv": csv.getvalue(),
        "semicolons": csv.getvalue().replace(b",", b";"),
        "json": json.dumps(table.to_pylist()).encode(),
        "json lines": "\n".join(json.dumps(row) for row in table.to_pylist()).encode(),
    }


@pytest.mark.parametrize("kind", ["parquet", "csv", "semicolons", "json", "json lines"])
def test_standard_input_counts_as_the_file_would(run, kinds, kind):
    expected = printed(run, "evaluate", SEARCH, *AUC)
    assert printed(run, "evaluate", "-", *AUC, stdin=kinds[kind]) == expected


def test_files_globs_and_several_files(run, tmp_path):
    table = pyarrow.parquet.read_table(SEARCH)
    for name, part in (("a", table.slice(0, 5000)), ("b", table.slice(5000))):
        pyarrow.parquet.write_table(part, tmp_path / f"{name}.parquet")
    expected = printed(run, "evaluate", SEARCH, *AUC)
    assert printed(run, "evaluate", str(tmp_path / "*.parquet"), *AUC) == expected
    files = [str(tmp_path / "a.parquet"), str(tmp_path / "b.parquet")]
    assert printed(run, "evaluate", *files, *AUC) == expected


def test_text_labels_and_numbers_in_quotes(run, tmp_path):
    file = tmp_path / "p.csv"
    file.write_text("y,p\nclick,0.9\nnone,0.2\n1,0.1\n")
    words = (
        "evaluate",
        str(file),
        "--metrics",
        "base_rate",
        "--label",
        "y",
        "--score",
        "p",
        "--format",
        "json",
    )
    for positive in ("click", "'1'"):
        [row] = json.loads(printed(run, *words, "--positive", positive))
        assert row["base_rate"] == pytest.approx(1 / 3)


# --- the other commands


def test_sql_prints_the_statement_alone(run):
    out = printed(
        run,
        *("sql", "--relation", "predictions", "--dialect", "postgres", "--metrics", "auc,gauc"),
        *("--label", "y", "--score", "p", "--group", "user", "--by", "day", "--score-levels", "counted"),
    )
    expected = sm.render(
        ["auc", "gauc"],
        "predictions",
        dialect="postgres",
        label="y",
        score="p",
        group="user",
        by=["day"],
        score_levels="counted",
    )
    assert out.strip() == expected.strip()


def test_printed_sql_runs(run):
    out = printed(run, "sql", "--relation", f"(from '{SEARCH}')", *AUC)
    result = duckdb.sql(out)
    [expected] = sm.evaluate(SEARCH, "auc", **FACTS).to_dicts()
    assert dict(zip(result.columns, result.fetchall()[0], strict=True))["auc"] == pytest.approx(
        expected["auc"]
    )


@pytest.mark.parametrize("width", [80, 120])
def test_list_names_every_metric_and_fits_into_the_window(run, monkeypatch, width):
    monkeypatch.setenv("COLUMNS", str(width))
    out = printed(run, "list")
    assert max(map(len, out.splitlines())) <= width
    first_words = [line.split()[0] for line in out.splitlines() if line.startswith("  ") and line[2] != " "]
    assert sorted(first_words) == sorted(row["metric"] for row in sm.metrics().to_dicts())


def test_show_prints_the_documentation(run):
    assert printed(run, "show", "ndcg").strip() == sm.describe("ndcg").strip()


def test_demo_prints_the_command_it_runs_and_both_rankers_by_country(run, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    out = printed(run, "demo")
    for name in (
        "auc",
        "gauc",
        "ndcg_10",
        "map_10",
        "mrr",
        "err_10",
        "log_loss",
        "country",
        "new",
        "old",
        "Next:",
    ):
        assert name in out
    command, _, table = out.partition("\n\n")
    words = command.replace("\\\n", "").split()[1:]
    assert table.startswith(printed(run, *words))


def test_version(run):
    assert printed(run, "--version").strip() == sm.__version__


@pytest.mark.parametrize("command", ["evaluate", "sql", "list", "show", "demo"])
def test_help_is_plain_text(run, command):
    out = printed(run, command, "--help")
    assert out.startswith(f"Usage: sqlmetrics {command}")
    assert "─" not in out
