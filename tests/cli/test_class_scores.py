"""--class-scores, given once for each class."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.command_line import printed, refused


@pytest.fixture
def call(tmp_path: Path) -> list[str]:
    path = tmp_path / "rows.csv"
    path.write_text("y,p0,p1\n1,0.25,0.75\n0,0.5,0.5\n")
    return ["evaluate", str(path), "-m", "multiclass_brier", "--label", "y"]


def test_classes_are_numbers_or_texts(run, call: list[str]) -> None:
    assert "0.3125" in printed(run, *call, "--class-scores", "0=p0", "--class-scores", "1=p1")
    message = refused(run, *call, "--class-scores", "'0'=p0", "--class-scores", "'1'=p1")
    assert "A class of --class-scores is text, but label column 'y' is a number" in message


def test_a_column_alone_is_one_of_arrays(run, call: list[str]) -> None:
    message = refused(run, *call, "--class-scores", "p0")
    assert "is a number and has to be arrays of numbers" in message
    assert "a column for each class is written --class-scores cat=p_cat --class-scores dog=p_dog" in message


@pytest.mark.parametrize("words", [["=p0"], ["0="], ["0=p0", "0=p1"]])
def test_what_is_no_class_and_column(run, call: list[str], words: list[str]) -> None:
    message = refused(run, *call, *(part for word in words for part in ("--class-scores", word)))
    assert "--class-scores takes class=column, once for each class" in message
