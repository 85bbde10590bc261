"""What goes into each command, and what it answers."""

import inspect
import io
import json
import math
import re

import duckdb
import pyarrow
import pyarrow.csv
import pyarrow.parquet
import pytest

import sqlmetrics as sm
from sqlmetrics.book.catalog import catalog, curves
from sqlmetrics.book.templates import macros
from sqlmetrics.cli import program
from sqlmetrics.given.arrays import ROLES as ARRAYS
from support.command_line import AUC, FACTS, ROLES, SEARCH, printed, refused

GATES = {"fail_under", "fail_over", "fail_null", "fail_on"}
VERDICTS = {"fail_unless"}
SETTINGS = {"threads", "memory_limit", "temp_directory"}  # of the DuckDB that the command opens


@pytest.mark.parametrize(
    ("command", "function", "python_only", "command_only"),
    [
        ("evaluate", sm.evaluate, {"dialect", *ARRAYS}, {"format", "output", "facts", *GATES}),
        ("per-group", sm.per_group, {"dialect"}, {"format", "output", "facts"}),
        ("report", sm.report, {"dialect", "progress", *ARRAYS}, {"output", "facts"}),
        ("trec", sm.trec, set(), {"format", "output", *GATES}),
        ("sql", sm.render, set(), set()),
        ("sql compare", sm.render_compare, set(), set()),
        ("sql per-group", sm.render_per_group, set(), set()),
        ("leaderboard", sm.leaderboard, {"dialect"}, {"format", "output", "facts"}),
        ("plan-labels", sm.plan_labels, {"dialect"}, {"format", "output", "facts"}),
        ("sql plan-labels", sm.render_plan_labels, set(), set()),
        ("sql draw-labels", sm.render_draw_labels, set(), set()),
        ("agreement", sm.agreement, {"dialect"}, {"format", "output"}),
        ("sql agreement", sm.render_agreement, set(), set()),
        ("sql leaderboard", sm.render_leaderboard, set(), set()),
        ("sql curve", sm.render_curve, set(), set()),
        ("sql state", sm.render_state, set(), set()),
        ("sql finish", sm.render_finish, set(), set()),
        ("sql class-report", sm.render_class_report, set(), set()),
        ("sql confusion-matrix", sm.render_confusion_matrix, set(), set()),
        ("explain-difference", sm.explain_difference, {"dialect"}, {"format", "output"}),
        ("confusion-matrix", sm.confusion_matrix, {"dialect"}, {"format", "output", "facts"}),
        ("class-report", sm.class_report, {"dialect"}, {"format", "output", "facts"}),
        (
            "compare",
            sm.compare,
            {"dialect", *ARRAYS} - {"y_pred"},
            {"format", "output", "facts", *GATES, *VERDICTS},
        ),
        ("finish", sm.finish, {"dialect"}, {"format", "output", *GATES}),
    ],
)
def test_options_are_those_of_the_python_call(command, function, python_only, command_only):
    options = {p.name: p for p in program.command_line().commands[command].params}
    parameters = inspect.signature(function).parameters
    command_only |= SETTINGS if "connection" in parameters else set()
    assert set(options) == (set(parameters) - python_only) | command_only
    positional = {"data", "state", "kind", "run", "qrels", "metric", "first", "second"}
    for name in set(parameters) - python_only - positional:
        assert "--" + name.replace("_", "-") in options[name].opts
        if parameters[name].default is not inspect.Parameter.empty:
            assert (options[name].default or None) == (parameters[name].default or None), name


def test_explain_difference_is_that_of_python(run):
    words = ("explain-difference", SEARCH, "ndcg@10", "default", "sklearn", *ROLES, "--format", "json")
    explained = sm.explain_difference(SEARCH, "ndcg@10", "default", "sklearn", **FACTS)
    assert json.loads(printed(run, *words))["rows"] == explained.to_dicts()


def check_rows(text, compared):
    """Sums that threads add up differ in their last digits."""
    for row, expected in zip(json.loads(text)["rows"], json.loads(compared.to_json())["rows"], strict=True):
        assert row == pytest.approx(expected)


@pytest.mark.slow
def test_compare_is_that_of_python(run):
    words = ("--label", "grade", "--group", "query_id", "--positive", "1", "--baseline", "score")
    asked = (
        "compare",
        SEARCH,
        "--metrics",
        "ndcg@10,rmse",
        *words,
        "--by",
        "country",
        "--correction",
        "holm",
    )
    others = ("--candidate", "score_b", "--candidate", "product=sql:score * score_b")
    facts = {name: value for name, value in FACTS.items() if name != "score"}
    compared = sm.compare(
        SEARCH, ["ndcg@10", "rmse"], baseline="score", by="country", correction="holm", **facts,
        candidate={"score_b": "score_b", "product": sm.sql("score * score_b")},
    )  # fmt: skip
    check_rows(printed(run, *asked, *others, "--format", "json"), compared)
    models = ("--score", "score", "--score", "score_b", "--score", "product=sql:score * score_b")
    check_rows(printed(run, *asked, *models, "--format", "json"), compared)
    assert "names no model: 'score_c'" in refused(run, *asked, *models, "--candidate", "score_c")
    assert "is the column of the baseline" in refused(run, *asked, "--candidate", "score")
    for flag, paired in (("--paired", True), ("--no-paired", False)):
        words = (*asked, "--candidate", "score_b", "--other", SEARCH, flag, "--format", "json")
        compared = sm.compare(
            SEARCH, ["ndcg@10", "rmse"], baseline="score", by="country", correction="holm", **facts,
            candidate="score_b", other=SEARCH, paired=paired,
        )  # fmt: skip
        check_rows(printed(run, *words), compared)
    sign = (*asked, "--candidate", "score_b", "--other", SEARCH, "--no-paired", "--test", "sign")
    assert "with --no-paired the test is Welch's" in refused(run, *sign)


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
        " --no-total --prediction grade --max-grade 4 --positive 1 --ties best --convention trec_eval"
        " --on-bad-rows drop --category country --subtopic country"
        " --on-extra error --on-duplicate first --unjudged drop"
        " --interval 0.9 --interval-method bootstrap --n-resamples 50"
    )
    tables = ("truth", "catalog", "history", "distances")
    run("evaluate", SEARCH, *line.split(), *(word for name in tables for word in (f"--{name}", SEARCH)))
    assert isinstance(seen.pop("connection"), duckdb.DuckDBPyConnection)
    expected = {
        "data": SEARCH,
        "metrics": {"auc": "auc", "best": "ndcg(gain=linear,ideal=full)@10"},
        "label": "grade",
        "score": {"new": "score", "score_b": "score_b"},
        "group": "query_id",
        "item": "product_id",
        "weight": "w",
        "by": ["country", "device", "day"],
        "total": False,
        **dict.fromkeys(tables, SEARCH),
        "category": "country",
        "prediction": "grade",
        "subtopic": "country",
        "max_grade": 4,
        "positive": 1,
        "ties": "best",
        "convention": "trec_eval",
        "on_extra": "error",
        "on_duplicate": "first",
        "unjudged": "drop",
        "on_bad_rows": "drop",
        "interval": 0.9,
        "interval_method": "bootstrap",
        "n_resamples": 50,
    }
    assert {name: seen[name] for name in expected} == expected


@pytest.mark.slow
def test_expressions_stand_wherever_a_column_does(run):
    out = printed(
        run,
        "evaluate",
        SEARCH,
        *("--metrics", "auc", "--label", "sql:grade > 0", "--score", "half=sql:score / 2"),
        *("--by", "sql:substr(country, 1, 1)", "--format", "json"),
    )
    rows = json.loads(out)["rows"]
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
        "spaces": csv.getvalue().replace(b",", b"  ").replace(b'"', b""),
        "semicolons": csv.getvalue().replace(b",", b";"),
        "json": json.dumps(table.to_pylist()).encode(),
        "json lines": "\n".join(json.dumps(row) for row in table.to_pylist()).encode(),
    }


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["parquet", "csv", "spaces", "semicolons", "json", "json lines"])
def test_standard_input_counts_as_the_file_would(run, kinds, kind):
    expected = printed(run, "evaluate", SEARCH, *AUC)
    assert printed(run, "evaluate", "-", *AUC, stdin=kinds[kind]) == expected


@pytest.mark.slow
@pytest.mark.parametrize("gap", [" ", "  ", "\t", ","])
def test_lines_of_label_list_and_score_without_a_header(run, gap):
    # The mean of nDCG@k over lists, where one without gain counts 0: 1/log2(3), 0 and 1.
    lines = ["1 q1 0.5", "0 q1 0.9", "0 007 0.1", "2 q3 -1e-3"]
    words = ("--label", "column0", "--group", "column1", "--score", "column2", "--format", "json")
    stdin = "\n".join(lines).replace(" ", gap).encode()
    [row] = json.loads(printed(run, "evaluate", "-", "-m", "ndcg(on_empty=zero)@10", *words, stdin=stdin))[
        "rows"
    ]
    assert row["n_groups"] == 3
    assert row["ndcg_on_empty_zero_10"] == pytest.approx((1 / math.log2(3) + 0 + 1) / 3)


@pytest.mark.slow
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
        [row] = json.loads(printed(run, *words, "--positive", positive))["rows"]
        assert row["base_rate"] == pytest.approx(1 / 3)


# --- the other commands


def test_sql_prints_the_statement_alone(run):
    out = printed(
        run,
        *("sql", "--relation", "predictions", "--dialect", "postgres", "--metrics", "auc,gauc"),
        *("--label", "y", "--score", "p", "--group", "user", "--by", "day", "--score-levels", "counted"),
    )
    expected = sm.render(
        "predictions",
        ["auc", "gauc"],
        dialect="postgres",
        label="y",
        score="p",
        group="user",
        by=["day"],
        score_levels="counted",
    )
    assert out.strip() == expected.strip()


def test_sql_of_other_calls_is_that_of_python(run):
    table = ("--relation", "p", "--dialect", "sqlite", "--label", "y", "--by", "day")
    said = {"dialect": "sqlite", "label": "y", "by": ["day"]}
    lists = (*table, "--metrics", "mrr", "--group", "u")
    compared = {
        "baseline": "a",
        "candidate": {"new": "b"},
        "other": "q",
        "group": "u",
        "test": "sign",
        **said,
    }
    words = ("--baseline", "a", "--candidate", "new=b", "--other", "q", "--test", "sign")
    classes = {**said, "prediction": "c"}
    for call, expected in (
        (("sql", "compare", *lists, *words), sm.render_compare("p", ["mrr"], **compared)),
        (
            ("sql", "per-group", *lists, "--score", "s"),
            sm.render_per_group("p", ["mrr"], score="s", group="u", **said),
        ),
        (("sql", "curve", "roc", *table, "--score", "s"), sm.render_curve("p", "roc", score="s", **said)),
        (
            ("sql", "state", *table, "-m", "mae", "--score", "s", "--period", "month"),
            sm.render_state("p", ["mae"], period="month", score="s", **said),
        ),
        (
            (
                "sql",
                "finish",
                *table,
                "-m",
                "mae",
                "--score",
                "s",
                "--period",
                "month",
                "--where",
                "month > 3",
            ),
            sm.render_finish("p", ["mae"], period="month", where="month > 3", score="s", **said),
        ),
        (("sql", "class-report", *table, "--prediction", "c"), sm.render_class_report("p", **classes)),
        (
            ("sql", "confusion-matrix", *table, "--prediction", "c"),
            sm.render_confusion_matrix("p", **classes),
        ),
    ):
        assert printed(run, *call).strip() == expected.strip(), call


def test_printed_sql_runs(run):
    out = printed(run, "sql", "--relation", f"(from '{SEARCH}')", *AUC)
    result = duckdb.sql(out)
    [expected] = sm.evaluate(SEARCH, "auc", **FACTS).to_dicts()
    assert dict(zip(result.columns, result.fetchall()[0], strict=True))["auc"] == pytest.approx(
        expected["auc"]
    )


@pytest.mark.parametrize("width", [80, 120])
def test_list_has_a_line_for_every_metric_and_fits_into_the_window(run, monkeypatch, width):
    monkeypatch.setenv("COLUMNS", str(width))
    out = printed(run, "list")
    assert max(map(len, out.splitlines())) <= width
    entries = out.partition("One in full")[0].splitlines()
    first_words = [line.split()[0] for line in entries if line.startswith("  ")]
    assert sorted(first_words) == sorted(row["metric"] for row in sm.metrics().to_dicts())


@pytest.mark.parametrize("grain", ["rows", "levels", "score levels", "bins of scores", "lists"])
def test_list_of_one_grain_has_its_metrics_in_full(run, monkeypatch, grain):
    monkeypatch.setenv("COLUMNS", "80")
    out = printed(run, "list", grain)
    assert max(map(len, out.splitlines())) <= 80
    words = " ".join(out.split())
    for row in sm.metrics().to_dicts():
        entry = " ".join(f"{row['metric']} {row['parameters']} {row['description']}".split())
        assert (entry in words) == (grain in row["grain"])


def listed(run, *words):
    """The metrics, then the curves, that a list has with their options."""
    metrics, _, drawn = printed(run, "list", *words).partition("Curves\n")
    return tuple(
        [line.split()[0] for line in part.splitlines() if re.match("  \\S", line)]
        for part in (metrics, drawn)
    )


def test_list_of_a_word(run):
    """In a name, an alias or a description, in any case, with a space or an underscore."""
    calibration = [
        *("calibration_intercept", "calibration_slope", "copc"),
        *("debiased_calibration_error", "ece", "mce", "rms_calibration_error"),
        *("classwise_ece", "top_label_ece"),
    ]
    assert listed(run, "calibration") == (calibration, ["calibration"])
    assert listed(run, "MATTHEWS_corrcoef") == (["mcc"], [])
    assert listed(run, "reciprocal rank") == (["err[@k]", "mrr[@k]", "mrr_all[@k]"], [])
    assert listed(run, "reciprocal_rank") == listed(run, "reciprocal rank")
    assert listed(run, "diagram") == ([], ["calibration"])
    assert "One in full: sqlmetrics show calibration" in printed(run, "list", "diagram")


def test_list_over_a_kind(run):
    kind = printed(run, "list", "--over", "lists")
    assert kind == printed(run, "list", "lists")
    assert "No metric over 'rows' has 'lists' in" in refused(run, "list", "lists", "--over", "rows")  # a word
    assert listed(run, "precision", "--over", "levels") == (
        ["average_precision", "break_even", "pr_auc", "precision_at_recall", "recall_at_precision"],
        [],
    )


def test_list_for_programs_has_the_rows_of_python(run):
    whole = sm.metrics().to_dicts()
    assert json.loads(printed(run, "list", "--format", "json")) == whole
    over = [row for row in whole if row["grain"] == "lists"]
    assert json.loads(printed(run, "list", "--over", "lists", "--format", "json")) == over
    found = json.loads(printed(run, "list", "calibration", "--format", "json"))
    assert sorted(row["metric"] for row in found) == sorted(listed(run, "calibration")[0])


def test_show_for_programs(run):
    [auc] = json.loads(printed(run, "show", "auc", "--format", "json"))
    known = catalog()["metric_auc"]
    assert (auc["metric"], auc["grain"], auc["better"], auc["range"], auc["unit"]) == (
        "auc", "score levels", "higher", "[0, 1]", "share",
    )  # fmt: skip
    assert auc["parameters"] == [{"name": n, "required": False, "default": None} for n in ("max_fpr", "bins")]
    assert {alias["name"] for alias in auc["aliases"]} >= {"roc_auc_score", "AUROC"}
    assert auc["formula"] == known.formula
    assert f"auc\n\n{auc['documentation']}" == sm.describe("auc")
    [cutoff] = json.loads(printed(run, "show", "P_10", "--format", "json"))
    assert cutoff["metric"] == "precision@k"
    assert {"name": "k", "required": True, "default": None} in cutoff["parameters"]
    [curve] = json.loads(printed(run, "show", "roc", "--format", "json"))
    assert list(curve) == ["metric", "description", "parameters", "documentation"]
    assert "sqlmetrics drift" in refused(run, "show", "psi", "--format", "json")


@pytest.mark.slow
def test_every_metric_is_shown_for_programs(run):
    for metric in [*catalog().values(), *curves().values()]:
        name = metric.name + "@10" * metric.needs_cutoff
        shown = json.loads(printed(run, "show", name, "--format", "json"))
        assert metric.notation in [entry["metric"] for entry in shown]  # net_benefit is a curve, too


def test_show_prints_the_documentation(run):
    assert printed(run, "show", "ndcg").strip() == sm.describe("ndcg").strip()


@pytest.mark.slow
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


@pytest.mark.parametrize("command", ["evaluate", "trec", "sql", "list", "show", "demo"])
def test_help_is_plain_text(run, command):
    out = printed(run, command, "--help")
    assert out.startswith(f"Usage: sqlmetrics {command}")
    assert "─" not in out


@pytest.mark.slow
def test_tests_of_counts(run, tmp_path):
    data = tmp_path / "throws.csv"
    data.write_text("side,late,n\nheads,0,3\nheads,1,9\ntails,1,7\n")
    coin = ("chi-square", str(data), "--column", "side", "--weight", "n", "--format", "csv")
    assert printed(run, *coin, "--expected", "heads=12,tails=7").splitlines()[1].startswith("0.0,1,1.0,")
    assert "0.0,1,1.0," in printed(run, *coin, "--expected", "heads=12", "--expected", "tails=7")
    assert "'heads' twice" in refused(run, *coin, "--expected", "heads=1,tails=2", "--expected", "heads=2")
    assert printed(run, *coin, "--other", "late").splitlines()[1].split(",")[1] == "1"
    proportions = printed(
        run, "two-proportions", str(data), "--label", "late", "--category", "side", "--weight", "n"
    )
    assert "0.2500" in proportions
    classifiers = (
        "mcnemar",
        str(data),
        "--label",
        "late",
        "--baseline",
        "late",
        "--candidate",
        "sql:1 - late",
    )
    assert (
        printed(run, *classifiers, "--weight", "n", "--format", "csv")
        .splitlines()[1]
        .startswith("0.0,19.0,0.0,")
    )
    assert "heads=0.5,tails=0.5; got 'heads'" in refused(run, *coin, "--expected", "heads")


@pytest.mark.parametrize("name", ["a,b", "a, (b", "x),auc", "(,"])
def test_metrics_in_one_text_may_quote_a_class_with_a_comma(run, tmp_path, name):
    file = tmp_path / "t.csv"
    pyarrow.csv.write_csv(pyarrow.table({"y": [name, "z"], "p": [name, name]}), file)
    metrics = f"accuracy,best=recall(class='{name}'), recall( class = \"{name}\" )"
    out = printed(
        run, "evaluate", str(file), "-m", metrics, "--label", "y", "--prediction", "p", "--format", "json"
    )
    (row,) = json.loads(out)["rows"]
    assert list(row.values())[-3:] == [0.5, 1, 1]


def test_functions_that_answers_name_are_commands() -> None:
    """The command line writes `sqlmetrics.chi_square` of an answer as `sqlmetrics chi-square`."""
    answers = " ".join(macros("duckdb")["absent_names"]().values())
    named = {name.replace("_", "-") for name in re.findall(r"sqlmetrics\.(\w+)", answers)}
    assert {"drift", "chi-square"} <= named <= {*program.command_line().commands}
