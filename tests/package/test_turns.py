"""Engines that share cases: each case is on DuckDB and on two others, the same ones in every run."""

from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from support.engines import KNOWN
from support.few import few_cases, few_cases_on
from support.turns import not_in_turn


@dataclass(eq=False)
class Item:
    """What turns read of an item of pytest, which is equal to itself alone."""

    engine: str
    marks: tuple[str, ...]
    path: Path = Path("test_some.py")
    originalname: str = "test_some"

    @property
    def callspec(self) -> Any:
        return SimpleNamespace(params={"engine": self.engine})

    def get_closest_marker(self, name: str) -> bool | None:
        return name in self.marks or None


def kept(engine: str, cases: int, *few: str, marks: tuple[str, ...] = ()) -> list[int]:
    """The places of the cases that an engine takes."""
    items: list[Any] = [Item(engine, marks) for case in range(cases)]
    return [place for place, out in enumerate(not_in_turn(items, list(few))) if not out]


def test_each_case_is_on_duckdb_a_light_and_a_slow_engine() -> None:
    taken = {engine: kept(engine, 14) for engine in KNOWN}
    assert taken["duckdb"] == list(range(14))
    assert sorted(taken["sqlite"] + taken["postgres"]) == list(range(14))
    assert sorted(case for engine in KNOWN[3:] for case in taken[engine]) == list(range(14))
    assert taken["spark"] == [5, 11]


def test_of_few_cases_each_engine_takes_one() -> None:
    assert [kept(engine, 1) for engine in KNOWN] == [[0]] * len(KNOWN)
    assert [kept(engine, 2) for engine in KNOWN[1:]] == [[0], [1]] + [[0], [1]] * 3


def test_a_slow_test_is_on_duckdb_a_light_and_a_slow_engine() -> None:
    taking = [engine for engine in KNOWN if kept(engine, 1, marks=("slow",))]
    assert taking[0] == "duckdb"
    assert taking[1] in KNOWN[1:3]
    assert taking[2] in KNOWN[3:]
    assert len(taking) == 3


def test_samples_say_themselves_what_an_engine_of_few_cases_takes() -> None:
    assert kept("spark", 6, "spark", marks=("sample",)) == list(range(6))
    assert kept("spark", 6, marks=("sample",)) == [5]


def test_few_cases_have_every_notation_on_each_group() -> None:
    of_engine = {engine: {case.name for case in few_cases_on(engine)} for engine in KNOWN}
    assert of_engine["duckdb"] == {case.name for case in few_cases()}
    for group in (KNOWN[1:3], KNOWN[3:6], KNOWN[6:]):
        assert set().union(*(of_engine[engine] for engine in group)) == of_engine["duckdb"]
