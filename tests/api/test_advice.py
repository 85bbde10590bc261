"""Code that an error proposes gives the right number when it is followed, on the data that the error is about.

What is proposed for columns of another type is followed on each engine by tests/engines/connections/test_advice.py.
"""

import ast
import math
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pandas as pd
import pytest

import sqlmetrics as sm
from sqlmetrics.cli.spelled import spelled
from support.errors import told

ROOT = Path(__file__).parents[2]
#: code in a message: an expression, an option with its value, a notation, a part of an array
CODE = re.compile(
    r"sm\.sql\((?!\.\.\.\))|\bpass \w+='|\b(?:gain|paired|denominator)=\w|write '?\w*[@(]|write \w+=\{"
    r"|write [^;]*@|\{\"|\[:, |written sm|as a list"
)
ROWS = [
    {
        "g": "ab"[i % 2],
        "i": i,
        "y": [3, 0, 1, 2, 0, 1][i % 6],
        "p": (i * 5 % 12) / 12,
        "q": i / 12,
        "c": "xyz"[i % 3],
    }
    for i in range(12)
]
LISTS = {"label": "y", "score": "p", "group": "g"}
SCORED_CLASSES = [{"y": ["cat", "dog"][i % 2], "probs": [i / 12, 1 - i / 12]} for i in range(12)]


def mean(values: Any) -> float:
    values = list(values)
    return sum(values) / len(values)


def ranked(group: str) -> list[int]:
    """The labels of a list, the highest score first."""
    return [row["y"] for row in sorted(ROWS, key=lambda row: -row["p"]) if row["g"] == group]


def dcg(grades: list[float]) -> float:
    return sum(grade / math.log2(rank + 1) for rank, grade in enumerate(grades, 1))


def ndcg_binary(k: int) -> float:
    """Over the ideal order of relevant items alone, as many as the cutoff."""
    return mean(dcg([float(y > 0) for y in ranked(g)[:k]]) / dcg([1.0] * k) for g in "ab")


def precision_sums(group: str, k: int) -> float:
    hits = [y > 0 for y in ranked(group)]
    return sum(sum(hits[: rank + 1]) / (rank + 1) for rank, hit in enumerate(hits[:k]) if hit)


def in_notation(message: str) -> str:
    """The notation that a message tells to write."""
    return re.search(r"write '?([^';]+)'?(?: without @)?(?:$|;)", message)[1]


def evaluated(metric: Any, **facts: Any) -> float:
    return sm.evaluate(ROWS, {"value": metric}, **{**LISTS, **facts}).value("value")


def weighted(metric: str) -> float:
    return sm.evaluate([{**row, "w": 1} for row in ROWS], {"value": metric}, positive=1, **LISTS).value(
        "value"
    )


def expression(message: str) -> Any:
    return eval(re.search(r"sm\.sql\(.*\)", message)[0], {"sm": sm})


HUGE = [{"y": 600, "p": 0.5, "g": 1}, {"y": 1, "p": 0.25, "g": 1}]
LISTED = pd.DataFrame({"g": ["a", "b"], "i": [["s", "t", "u"], ["v", "w"]]})
JUDGED = [{"g": "a", "i": "t", "y": 1}, {"g": "b", "i": "v", "y": 1}]


def unnested(message: str) -> float:
    """The mean reciprocal rank of lists in arrays, from the query that the message proposes."""
    # the query reads a variable of the caller's by this name
    rows = eval(re.search(r"duckdb\.sql\(.*\)", message)[0], {"duckdb": duckdb, "data": LISTED})
    facts = {"group": "g", "item": "item", "score": sm.sql("-place"), "label": "y"}
    truth = [{"g": row["g"], "item": row["i"], "y": row["y"]} for row in JUDGED]
    return sm.evaluate(rows, "mrr", truth=truth, **facts).value("mrr")


def share_of(category: str) -> float:
    kept = [row["y"] > 1 for row in ROWS if row["c"] == category]
    return mean(kept)


PETS = ["cat", "dog", "cat"]
OF_PETS = [[0.5, 0.25, 0.25], [0.125, 0.75, 0.125], [0.25, 0.25, 0.5]]
#: a column for each class, and one of them all
WIDE = [
    {"y": pet, "p_cat": cat, "p_dog": dog, "p_owl": owl, "p": [cat, dog]}
    for pet, (cat, dog, owl) in zip(PETS, OF_PETS, strict=True)
]


def brier_of(*classes: str) -> float:
    """The sum over some classes of the squared errors, a mean over the rows."""
    return mean(sum((row[f"p_{name}"] - (row["y"] == name)) ** 2 for name in classes) for row in WIDE)


def of_classes(mapping: str, **more: str) -> float:
    """The same, from the classes that a message proposes."""
    found = sm.evaluate(
        WIDE, "multiclass_brier", label="y", class_scores={**ast.literal_eval(mapping), **more}
    )
    return found.value("multiclass_brier")


TWO = np.array([[0.75, 0.25], [0.5, 0.5], [0.125, 0.875], [0.625, 0.375]])
OF_TWO = [0, 1, 1, 1]


def wins(labels: list[int], scores: list[float]) -> float:
    """The AUC by its definition."""
    positive, negative = (
        [score for score, label in zip(scores, labels, strict=True) if label == side] for side in (1, 0)
    )
    return mean((p > n) + (p == n) / 2 for p in positive for n in negative)


#: an item that is not relevant, and three tied ones across rank 3
TIES = [{"g": 1, "y": y, "p": p} for y, p in ((0, 0.75), (1, 0.5), (0, 0.5), (1, 0.5))]


def hits_of_ties(ties: str | None = None) -> float:
    metric = {"value": "map(denominator=hits)@3"}
    return sm.evaluate(TIES, metric, **LISTS, **({"ties": ties} if ties else {})).value("value")


ALONE = {"g": "c", "i": 12, "y": 1, "p": 0.5, "q": 0.5, "c": "x"}


def compared(metric: str = "mrr", **facts: Any) -> float:
    """The difference of two models in two tables, of which one has a further list."""
    facts = {"label": "y", "group": "g", "positive": 1, **facts}
    return sm.compare([*ROWS, ALONE], metric, baseline="p", candidate="q", other=ROWS, **facts)[0][
        "difference"
    ]


def on_board(**facts: Any) -> float:
    """The value of the first of two models in two tables, of which one has a further list."""
    facts = {"label": "y", "score": "p", "group": "g", "positive": 1, **facts}
    return sm.leaderboard({"old": [*ROWS, ALONE], "new": ROWS}, "mrr", **facts)["value"][0]


def reciprocal(group: str, score: str) -> float:
    listed = sorted((row for row in ROWS if row["g"] == group), key=lambda row: -row[score])
    return 1 / next(rank for rank, row in enumerate(listed, 1) if row["y"] >= 1)


#: a part of the message, the call that it refuses, what the message leads to, and the number that is right
Entry = tuple[str, Callable[[], Any], Callable[[str], float], float]
FOLLOWED: list[Entry] = [
    (
        "An expression is written sm.sql(",
        lambda: evaluated("base_rate", label="y > 1"),
        lambda message: evaluated("base_rate", label=expression(message)),
        mean(row["y"] > 1 for row in ROWS),
    ),
    (
        "is several metrics; write them as a list",
        lambda: evaluated("mrr,rmse"),
        lambda message: sm.evaluate(ROWS, eval(message.split("as a list, ")[1]), **LISTS, positive=1).value("rmse"),
        math.sqrt(mean((row["y"] - row["p"]) ** 2 for row in ROWS)),
    ),
    (
        "needs a cutoff; write '",
        lambda: evaluated("alpha_ndcg"),
        lambda message: evaluated(in_notation(message).replace("alpha_ndcg", "ndcg(gain=binary, ideal=cutoff)")),
        ndcg_binary(10),
    ),
    (
        "normalized=true counts relevant items; write gain=binary beside it",
        lambda: evaluated("rbp(normalized=true)@2", positive=1, max_grade=3),
        lambda message: evaluated(f"rbp(normalized=true, {re.search('gain=binary', message)[0]})@2", positive=1),
        mean(sum(0.8**rank * (y > 0) for rank, y in enumerate(ranked(g)[:2])) / 1.8 for g in "ab"),
    ),
    (
        "takes no cutoff; write '",
        lambda: evaluated("rmse@5", positive=1),
        lambda message: evaluated(in_notation(message), positive=1),
        math.sqrt(mean((row["y"] - row["p"]) ** 2 for row in ROWS)),
    ),
    (
        "ideal=cutoff needs a cutoff and gain=binary; write ndcg(gain=binary, ideal=cutoff)@10",
        lambda: evaluated("ndcg(ideal=cutoff)"),
        lambda message: evaluated(in_notation(message).replace("@10", "@2")),
        ndcg_binary(2),
    ),
    (
        "denominator=cutoff needs a cutoff; write map(denominator=cutoff)@10",
        lambda: evaluated("map(denominator=cutoff)"),
        lambda message: evaluated(in_notation(message).replace("@10", "@3")),
        mean(precision_sums(g, 3) / 3 for g in "ab"),
    ),
    (
        "has no capped denominator; write map(item_weight=",
        lambda: weighted("map(item_weight=w)@3"),
        lambda message: weighted(in_notation(message)),
        mean(precision_sums(g, 3) / sum(y > 0 for y in ranked(g)) for g in "ab"),
    ),
    (
        "has no capped denominator; write recall(item_weight=",
        lambda: weighted("recall(item_weight=w, denominator=capped)@3"),
        lambda message: weighted(in_notation(message)),
        mean(sum(y > 0 for y in ranked(g)[:3]) / sum(y > 0 for y in ranked(g)) for g in "ab"),
    ),
    (
        "pass gain=linear or gain=binary",
        lambda: sm.evaluate(HUGE, "ndcg(gain=exponential)", **LISTS),
        lambda message: sm.evaluate(HUGE, {"value": "ndcg(gain=linear)"}, **LISTS).value("value"),
        1.0,
    ),
    (
        "pass positive= to say from which label on a row is positive",
        lambda: evaluated("auc", group=None),
        lambda message: evaluated("brier", group=None, positive=2),
        mean(((row["y"] >= 2) - row["p"]) ** 2 for row in ROWS),
    ),
    (
        "pass on_bad_rows='drop' to leave them out",
        lambda: sm.evaluate([*ROWS, {**ROWS[0], "p": None}], "mse", label="y", score="p"),
        lambda message: sm.evaluate(
            [*ROWS, {**ROWS[0], "p": None}], "mse", label="y", score="p", on_bad_rows="drop"
        ).value("mse"),
        mean((row["y"] - row["p"]) ** 2 for row in ROWS),
    ),
    (
        'models with names of their own are written score={"a": "score_a", "b": "score_b"}',
        lambda: sm.evaluate(ROWS, "mse", label="y", score=["p", "p"]),
        lambda message: sm.evaluate(ROWS, "mse", label="y", score={"a": "p", "b": "q"}).value("mse", model="b"),
        mean((row["y"] - row["q"]) ** 2 for row in ROWS),
    ),
    (
        'score={} names no model; write score={"model a": "score_a"}',
        lambda: sm.evaluate(ROWS, "mse", label="y", score={}),
        lambda message: sm.evaluate(ROWS, "mse", label="y", score={"model a": "p"}).value("mse", model="model a"),
        mean((row["y"] - row["p"]) ** 2 for row in ROWS),
    ),
    (
        " = ...", # of two_proportions
        lambda: sm.two_proportions(ROWS, "y", "c", positive=2),
        lambda message: sm.two_proportions(
            ROWS, "y", sm.sql(expression(message).replace("...", "'x'")), positive=2
        )[0]["rate_second"],
        share_of("x"),
    ),
    (
        "is text; pass positive='...', the text of a positive row",
        lambda: evaluated("brier", label="c", group=None),
        lambda message: evaluated("brier", label="c", group=None, positive="x"),
        mean(((row["c"] == "x") - row["p"]) ** 2 for row in ROWS),
    ),
    (
        "pass one column of it, such as ",
        lambda: sm.evaluate(metrics="mse", y_true=[1, 0], y_pred=pd.DataFrame([[0.25, 0.75], [0.5, 0.5]])),
        lambda message: sm.evaluate(
            metrics="mse",
            y_true=[1, 0],
            y_score=eval(message.split("such as ")[1], {"frame": pd.DataFrame([[0.25, 0.75], [0.5, 0.5]])}),
        ).value("mse"),
        mean([(1 - 0.75) ** 2, 0.5**2]),
    ),
    (
        "; data with a row for each item is ",
        lambda: sm.evaluate(LISTED, "mrr", group="g", item="i", score="i", truth=JUDGED, label="y"),
        unnested,
        mean([1 / 2, 1]),
    ),
    (
        "pass on_unpaired='intersection' to take both over",
        lambda: compared(),
        lambda message: compared(on_unpaired="intersection"),
        mean(reciprocal(g, "q") - reciprocal(g, "p") for g in "ab"),
    ),
    (
        "pass on_unpaired='intersection' to rank all on the",
        lambda: on_board(),
        lambda message: on_board(on_unpaired="intersection"),
        mean(reciprocal(g, "p") for g in "ab"),
    ),
    (
        "such as other users or another week, pass paired=False",
        lambda: compared(group=None),
        lambda message: compared(group=None, metric="mse", paired=False),
        mean((row["y"] - row["q"]) ** 2 for row in ROWS)
        - mean((row["y"] - row["p"]) ** 2 for row in [*ROWS, ALONE]),
    ),
    (
        "; for others pass data with class_scores={",
        lambda: sm.evaluate(metrics="multiclass_brier", y_true=PETS, y_score=OF_PETS),
        lambda message: of_classes(message.split("class_scores=")[1], owl="p_owl"),
        brier_of("cat", "dog", "owl"),
    ),
    (
        " numbers; a column for each class is written ",
        lambda: sm.evaluate(
            WIDE, "multiclass_brier", label="y", class_scores={"column": "p_cat", "classes": ["cat", "dog"]}
        ),
        lambda message: of_classes(message.split("is written class_scores=")[1]),
        brier_of("cat", "dog"),
    ),
    (
        "class_scores= names a column of arrays; write its classes too, as {",
        lambda: sm.render("t", "multiclass_brier", label="y", class_scores="p"),
        lambda message: of_classes(message.split("too, as ")[1]),
        brier_of("cat", "dog"),
    ),
    (
        "; of two classes pass one column, such as array[:, 1]",
        lambda: sm.evaluate(metrics="auc", y_true=OF_TWO, y_score=TWO),
        lambda message: sm.evaluate(
            metrics="auc", y_true=OF_TWO, y_score=eval(message.split("such as ")[1], {"array": TWO})
        ).value("auc"),
        wins(OF_TWO, [second for _, second in TWO.tolist()]),
    ),
    (
        "; pass positive='...', the text of a positive row", # of a prediction
        lambda: evaluated("selection_rate", label="c", prediction="c", score=None, group=None),
        lambda message: evaluated(
            "selection_rate", label="c", prediction="c", score=None, group=None, positive="x"
        ),
        mean(row["c"] == "x" for row in ROWS),
    ),
    (
        "has no closed form with denominator=hits; pass ties='worst', 'best' or 'item'",
        hits_of_ties,
        lambda message: 100 * hits_of_ties("worst") + hits_of_ties("best"),
        # relevant at rank 3 alone, or at ranks 2 and 3
        100 * (1 / 3) + (1 / 2 + 2 / 3) / 2,
    ),
    (
        "an expression is no mapping but SQL, in Python score=sm.sql(",
        lambda: evaluated("mse", score={"sql": "p"}),
        lambda message: evaluated("mse", score=expression(message)),
        mean((row["y"] - (1 - row["p"])) ** 2 for row in ROWS),
    ),
    (
        "which is no class; pass a score as score=, or the class that it decides, such as prediction=sm.sql(",
        lambda: evaluated("accuracy", label=sm.sql("y % 2"), prediction="p", score=None, group=None),
        lambda message: evaluated(
            "accuracy", label=sm.sql("y % 2"), prediction=expression(message), score=None, group=None
        ),
        mean(row["y"] % 2 == (row["p"] >= 0.5) for row in ROWS),
    ),
    (
        "A class of class_scores= is",
        lambda: sm.evaluate(SCORED_CLASSES, "multiclass_brier", label="y", class_scores="probs"),
        lambda message: sm.evaluate(SCORED_CLASSES, "multiclass_brier", label="y", class_scores={
            "column": "probs", "classes": re.findall("cat|dog", message.partition('"classes"')[2])
        }).value("multiclass_brier"),
        mean(2 * (1 - row["probs"][row["y"] == "dog"]) ** 2 for row in SCORED_CLASSES),
    ),
]  # fmt: skip

#: messages with code that is no advice for data, and why
ELSEWHERE = {
    "made_period= and made_where=": "of a macro of dbt",
    "takes one column in a text": "of a macro of dbt",
    "names a column of ours": "for who writes a macro",
    "There is no column to compare": "no code: three dots",
    "has to be numbers, booleans or text; an expression": "no code: three dots",
    "names no run": "files of TREC: tests/api/test_trec.py",
    "name one of them, metrics=": "files of TREC: tests/api/test_trec.py",
    "have the same tag": "files of TREC: tests/api/test_trec.py",
    "paired=False is for models on different data": "names the argument that lacks",
    "is of pairs": "names what is left out",
    "needs the rows, and a state keeps the pairs": "names what is left out",
    "is of corrected p-values": "names an argument that lacks",
    "compares models on the same data": "names what is left out",
    "pass test='bootstrap'": "its numbers are random: tests/inference",
    "that do not fall, such as gain=0:1:3:7": "an example of a form",
    "write err_ia(ideal=": "as ndcg(ideal=cutoff) above",
    "names no log; write": "logs: tests/api/test_evals.py",
    "give each log a name of its own": "logs: tests/api/test_evals.py",
    "of a column that is 1 for a right answer": "followed in tests/inference/test_leaderboard.py",
    "pass numbers in the order of the scale": "an example of a form",
    "reads the rows, and a state keeps their sums": "followed in tests/conformance/test_moments.py",
}


@pytest.mark.parametrize(
    ("words", "refused", "follow", "right"), FOLLOWED, ids=[entry[0] for entry in FOLLOWED]
)
def test_what_is_proposed_is_right(
    words: str, refused: Callable[[], Any], follow: Callable[[str], float], right: float
) -> None:
    message = told(refused)
    assert words in message
    assert follow(message) == pytest.approx(right)


def messages() -> Iterator[tuple[str, str]]:
    """The texts of errors in the package and of refusals in the macros, each with its file."""
    for path in sorted((ROOT / "sqlmetrics").rglob("*.py")):
        if "cli" in path.parts or "suites" in path.parts:
            continue
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Raise) or (isinstance(node, ast.Return) and path.name == "advice.py"):
                texts = [
                    (each.lineno, each.col_offset, each.value)
                    for each in ast.walk(node)
                    if isinstance(each, ast.Constant) and isinstance(each.value, str)
                ]
                yield path.name, "".join(text for *_, text in sorted(texts))
    for path in sorted((ROOT / "sql").rglob("*.sql")):
        for call in re.findall(
            r"sqlmetrics\.(?:refuse|refuse_metric|require)\((.*?)\n? *\) ?-?}}", path.read_text(), re.DOTALL
        ):
            yield path.name, "".join("".join(pair) for pair in re.findall(r""""([^"]*)"|'([^']*)'""", call))


@pytest.mark.slow
def test_each_message_with_code_is_followed() -> None:
    """A new message that proposes code needs an entry in FOLLOWED."""
    known, said = [words for words, *_ in FOLLOWED] + [*ELSEWHERE], list(messages())
    assert [words for words in ELSEWHERE if not any(words in text for _, text in said)] == []
    lacking = [
        (name, text)
        for name, text in said
        if CODE.search(text) and not any(words in text for words in known) and name != "advice.py"
    ]
    assert lacking == []


def test_advice_on_the_command_line() -> None:
    options = {"score": "--score", "on_bad_rows": "--on-bad-rows"}
    for message, words in (
        (
            "write score=sm.sql('try_cast(\"p\" as double)')",
            """write --score 'sql:try_cast("p" as double)'""",
        ),
        (
            'sm.sql("""replace("p", \',\', \'.\')""") reads',
            r""""sql:replace(\"p\", ',', '.')" reads""",
        ),
        ("An expression is written sm.sql('y > 0')", "An expression is written 'sql:y > 0'"),
        ("score= takes a column name or sm.sql(...)", "--score takes a column name or 'sql:...'"),
    ):
        assert spelled(message, options) == words
