"""Engines that take turns: each case is on DuckDB and on several others, the same ones in every run."""

from types import SimpleNamespace
from typing import Any

from support.engines import KNOWN
from support.turns import not_in_turn


def item(case: int, engine: str, turns: bool) -> Any:
    return SimpleNamespace(
        path="test_some.py",
        name="test_some",
        originalname="test_some",
        callspec=SimpleNamespace(params={"engine": engine}),
        get_closest_marker=lambda _: turns or None,
    )


def test_each_case_is_on_several_engines() -> None:
    pairs = [(case, engine) for engine in KNOWN for case in range(10)]
    kept = [
        pair
        for pair, out in zip(pairs, not_in_turn([item(*pair, turns=True) for pair in pairs]), strict=True)
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
    assert not_in_turn([item(case, "spark", turns=True) for case in range(6)]) == [
        True, True, False, True, True, False,
    ]  # fmt: skip


def test_other_tests_take_all() -> None:
    assert not any(not_in_turn([item(case, "spark", turns=False) for case in range(6)]))
