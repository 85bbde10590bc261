"""Engines that take turns: each case is on DuckDB and on several others, the same ones in every run."""

from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

from support.engines import KNOWN
from support.turns import not_in_turn


@dataclass(eq=False)
class Item:
    """What turns read of an item of pytest, which is equal to itself alone."""

    engine: str
    marks: tuple[str, ...]
    path: str = "test_some.py"
    originalname: str = "test_some"

    @property
    def callspec(self) -> Any:
        return SimpleNamespace(params={"engine": self.engine})

    def get_closest_marker(self, name: str) -> bool | None:
        return name in self.marks or None


def item(engine: str, *marks: str) -> Any:
    return Item(engine, marks)


def test_each_case_is_on_several_engines() -> None:
    pairs = [(case, engine) for engine in KNOWN for case in range(10)]
    kept = [
        pair
        for pair, out in zip(pairs, not_in_turn([item(pair[1], "turns") for pair in pairs], []), strict=True)
        if not out
    ]
    for case in range(10):
        engines = [engine for of, engine in kept if of == case]
        assert engines[0] == "duckdb"
        assert 3 <= len(engines) <= 4
    for engine in KNOWN[1:]:
        assert [of for of, on in kept if on == engine] == list(range(KNOWN.index(engine) % 3, 10, 3))


def test_one_engine_alone_takes_the_same_cases() -> None:
    """As in a run with other engines, which each worker makes anew."""
    assert not_in_turn([item("spark", "turns") for case in range(6)], []) == [
        True, True, False, True, True, False,
    ]  # fmt: skip


def test_other_tests_take_all() -> None:
    assert not any(not_in_turn([item("spark") for case in range(6)], ["mysql"]))
    assert not any(not_in_turn([item("spark", "sample") for case in range(6)], ["spark"]))


def test_slow_engines_take_turns_in_every_test() -> None:
    """A sixth of the cases, so that each case is on one of the six; and of few one."""
    slow = KNOWN[3:]
    kept = {
        engine: [
            place for place, out in enumerate(not_in_turn([item(engine) for i in range(12)], slow)) if not out
        ]
        for engine in slow
    }
    assert kept["spark"] == [2, 8]
    assert sorted(case for cases in kept.values() for case in cases) == list(range(12))
    for engine, case in (("spark", 0), ("snowflake", 1)):
        assert not_in_turn([item(engine) for i in range(2)], [engine]) == [case != 0, case != 1]
        assert not_in_turn([item(engine)], [engine]) == [False]
