"""Text files and standard input on the command line: types come from roles, and a mistake is one sentence."""

import json

import pytest

from support.command_line import printed, refused
from support.text_files import EARLY, csv_of, lines_of, tsv_of

ROLES = ["--label", "y", "--score", "s"]
FORMS = {
    "csv": csv_of,
    "tabs": tsv_of,
    "spaces": lambda rows: csv_of(rows, "  "),
    "json": json.dumps,
    "jsonl": lines_of,
}
LATE = [{"q": 1, "y": 1, "s": 1}] * EARLY + [{"q": 1, "y": 1, "s": 0.9}, {"q": 2, "y": 0, "s": 0.6}]


@pytest.mark.slow
@pytest.mark.parametrize("form", FORMS)
def test_standard_input_that_changes_late(run, form):
    words = ("evaluate", "-", "-m", "auc,mae", *ROLES, "--format", "json")
    [row] = json.loads(printed(run, *words, stdin=FORMS[form](LATE).encode()))["rows"]
    assert row["auc"] == 1
    assert row["mae"] == pytest.approx((0.1 + 0.6) / len(LATE))


@pytest.mark.slow
def test_keys_of_standard_input(run):
    rows = [{"q": key, "y": 1, "s": 0.9} for key in ("3.1", "3.10", "guest")]
    words = ("evaluate", "-", "-m", "mrr", *ROLES, "--group", "q", "--format", "json")
    assert json.loads(printed(run, *words, stdin=csv_of(rows).encode()))["rows"][0]["n_groups"] == 3


@pytest.mark.slow
def test_an_expression_and_a_condition(run, tmp_path):
    path = tmp_path / "rows.csv"
    path.write_text(csv_of([{"a": 1, "b": 0, "y": 1}] * EARLY + [{"a": 1, "b": 0.4, "y": 1}] * 2))
    words = ("evaluate", str(path), "-m", "mse", "--label", "y", "--score", "sql:a - b", "--format", "json")
    [row] = json.loads(printed(run, *words))["rows"]
    assert row["mse"] == pytest.approx(2 * 0.16 / (EARLY + 2))
    assert json.loads(printed(run, *words, "--where", "b = 0"))["rows"][0]["n_rows"] == EARLY


@pytest.mark.slow
def test_a_text_that_is_no_number(run, tmp_path):
    path = tmp_path / "rows.csv"
    text = csv_of([{"y": 1, "s": 1}] * EARLY + [{"y": 0, "s": "n/a"}])
    path.write_text(text)
    for given, stdin, name in ((str(path), b"", str(path)), ("-", text.encode(), "standard input")):
        err = refused(run, "evaluate", given, "-m", "auc", *ROLES, stdin=stdin, status=3)
        assert err.startswith(
            f"Error: Column 's' (--score) has to be numbers, and line 21,002 of {name} has 'n/a';"
        )
        assert len(err.splitlines()) == 1


@pytest.mark.slow
@pytest.mark.parametrize("text", [b"", b"y,s\n", b"y,s"])
def test_a_file_without_rows(run, text, tmp_path):
    path = tmp_path / "none.csv"
    path.write_bytes(text)
    assert refused(run, "evaluate", str(path), "-m", "auc", *ROLES, status=3) == f"Error: {path} has no row\n"
    if text:
        err = refused(run, "evaluate", "-", "-m", "auc", *ROLES, stdin=text, status=3)
        assert err == "Error: standard input has no row\n"


def test_standard_input_that_cannot_be_read(run):
    err = refused(run, "evaluate", "-", "-m", "auc", *ROLES, stdin=b'{"y": 1,\n{"y": 2', status=3)
    assert "standard input" in err
    assert "input.json" not in err
