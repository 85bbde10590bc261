"""`Comparison.to_latex`: the table of a paper, with the letters of the models that are worse."""

import sqlmetrics as sm

#: 40 lists: `good` ranks the relevant item first, `poor` last, `same` as `good` does
ROWS = [
    {
        "q": q,
        "day": q // 20,
        "y": int(i == 0),
        "good": 0.9 - i / 4,
        "same": 0.8 - i / 4,
        "poor": i / 4 if q % 8 else 0.9 - i / 4,
    }
    for q in range(40)
    for i in range(4)
]
FACTS = {"label": "y", "group": "q"}


def lines(comparison: sm.Comparison) -> list[str]:
    return [line.removesuffix(r" \\") for line in comparison.to_latex().splitlines() if " & " in line]


def test_letters_are_those_of_worse_models() -> None:
    models = {"a_b": "good", "same": "same", "poor": "poor"}
    asked = {**FACTS, "score": models, "baseline": "poor", "pairs": "all", "correction": "holm"}
    compared = sm.compare(ROWS, ["mrr", "gauc"], **asked)
    poor = compared.to_dicts()[0]["baseline_value"]
    header, *found = lines(compared)
    assert header == r" & model & mrr & gauc"
    assert found[0].startswith(f"a & poor & {poor:.4f} & ")
    for line, (letter, name) in zip(found[1:], (("b", r"a\_b"), ("c", "same")), strict=True):
        assert line == rf"{letter} & {name} & 1.0000\textsuperscript{{a}} & 1.0000\textsuperscript{{a}}"
    assert "with p of at most 0.05" in compared.to_latex()


def test_slices_one_baseline_and_metrics_without_direction() -> None:
    asked = {**FACTS, "baseline": "poor", "candidate": "good"}
    compared = sm.compare(ROWS, ["mrr", "selection_rate"], by="day", interval=0.999, **asked)
    header, *found = lines(compared)
    assert header == r" & day & model & mrr & selection\_rate"
    assert [line.split(" & ")[1] for line in found] == ["0", "0", "1", "1", "all", "all"]
    assert all(r"\textsuperscript{a}" in line.split(" & ")[3] for line in found[1::2])
    assert not any("super" in line.split(" & ")[4] for line in found)
    differences = compared.to_latex(models=False)
    assert r"baseline value & candidate value & difference" in differences
    assert "minimum detectable" in differences
    assert "superscript" not in differences


def test_letters_of_many_models() -> None:
    models = {f"m{i}": sm.sql("good" if i == 27 else "poor") for i in range(28)}
    compared = sm.compare(ROWS, "mrr", score=models, baseline="m27", **FACTS)
    *_, last = lines(compared)
    assert last.startswith("ab & m26 &")
    assert (
        lines(compared)[1]
        == r"a & m27 & 1.0000\textsuperscript{"
        + ",".join(sorted([*"bcdefghijklmnopqrstuvwxyz", "aa", "ab"]))
        + "}"
    )
