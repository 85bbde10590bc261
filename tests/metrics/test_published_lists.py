"""What papers, documentation and trec_eval print for the further metrics of lists."""

import pytest

import sqlmetrics as sm
from support.paths import DATA
from support.trec import TREC
from support.worked import Worked, check, judged, named, ranking, recommended, sparse_ranking

COLLECTION = DATA / "trec"

# ranx, documentation of RBP and Moffat and Zobel (2008), section 4: relevant at 1 2 6 11 17 of 20.
PERSISTENT = sparse_ranking("q", 20, dict.fromkeys([1, 2, 6, 11, 17], 1))

# RecTools, PartialAUC, example of its docstring: three users; every listed pair, and what is relevant.
RECTOOLS = (
    recommended(u1=[1, 2], u2=[3, 1, 2], u3=[3, 2]),
    judged(u1={1: 1, 2: 1}, u2={1: 1, 3: 1}, u3={1: 1, 2: 1}),
)

# Buckley and Voorhees (2004): of R = 3 relevant and 5 judged others, the relevant have 0, 1 and 3 above.
PREFERENCES = ranking("q", [1, 0, 1, 0, 0, 1, 0, 0])

# MIND, mrr_score of the evaluation script: sum(1 / rank of a click) / clicks.
CLICKS = ranking("a", [0, 1, 0, 1]) + ranking("b", [1, 0, 0])

# fmt: off
PUBLISHED = [
    Worked("Moffat and Zobel, p = 0.5", "rbp(p=0.5)", 0.7661, PERSISTENT, digits=4, facts={"max_grade": 1}),
    Worked("Moffat and Zobel, p = 0.8", "rbp(p=0.8)", 0.4526, PERSISTENT, digits=4, facts={"max_grade": 1}),
    Worked("Moffat and Zobel, p = 0.95", "rbp(p=0.95)", 0.1881, PERSISTENT, digits=4, facts={"max_grade": 1}),
    Worked("half the grade, half the RBP", "rbp(p=0.8)", 0.4526 / 2, PERSISTENT, digits=4, facts={"max_grade": 2}),
    Worked("below 20 ranks all is unknown", "rbp_residual(p=0.8)", 0.8**20, PERSISTENT),
    Worked("below 5 ranks all is unknown", "rbp_residual(p=0.8)@5", 0.8**5, PERSISTENT),
    Worked("RecTools, PartialAUC", "pauc@1", (1 + 1 + 0) / 3, *RECTOOLS),
    Worked("RecTools, PartialAUC", "pauc@3", (1 + 1 + 1 / 3) / 3, *RECTOOLS),
    Worked("0, 1 and 3 of 3 above", "bpref", (1 + 2 / 3 + 0) / 3, PREFERENCES),
    Worked("MIND, mrr_score", "mrr_all", ((1 / 2 + 1 / 4) / 2 + 1) / 2, CLICKS),
    Worked("ranks 2, 4 and 1", "average_rank", (3 + 1) / 2, CLICKS),
    Worked("ranks 2, 4 and 1", "average_rank(average=micro)", 7 / 3, CLICKS),
    # trec_eval 10, test/out.test.a: means over three topics.
    Worked("trec_eval", "r_precision", 0.2174, *TREC, digits=4),
    Worked("trec_eval", "gmap", 0.1051, *TREC, digits=4),
    Worked("trec_eval", "interpolated_map(reach=nearest)", 0.1962, *TREC, digits=4),
    Worked("trec_eval", "interpolated_precision(recall=0,reach=nearest)", 0.4665, *TREC, digits=4),
    Worked("trec_eval", "interpolated_precision(recall=0.1,reach=nearest)", 0.3885, *TREC, digits=4),
    Worked("trec_eval", "interpolated_precision(recall=0.5,reach=nearest)", 0.2184, *TREC, digits=4),
    Worked("trec_eval", "interpolated_precision(recall=1,reach=nearest)", 0.0312, *TREC, digits=4),
    Worked("trec_eval", "success@5", 0.3333, *TREC, digits=4),
    Worked("trec_eval", "rbp(p=0.9,gain=binary)", 0.3234, *TREC, digits=4),
]
# fmt: on
TREC_EVAL = {
    "r_precision": "Rprec",
    "bpref": "bpref",
    "infap": "infAP",
    "interpolated_map(reach=nearest)": "11pt_avg",
    **{
        f"interpolated_precision(recall={i / 10}, reach=nearest)": f"iprec_at_recall_{i / 10:.2f}"
        for i in range(11)
    },
    **{f"success@{k}": f"success_{k}" for k in (1, 5, 10)},
    **{f"judged@{k}": f"unj_{k}" for k in (5, 10, 20)},
    "rbp(p=0.9,gain=binary)": "rbp",
}  # fmt: skip


@pytest.mark.parametrize("worked", PUBLISHED, ids=named)
def test_published_value(worked):
    check(worked)


def trec_file(name: str, columns: dict[str, tuple[int, type]]) -> list[dict]:
    lines = (COLLECTION / name).read_text().splitlines()
    return [{key: kind(line.split()[at]) for key, (at, kind) in columns.items()} for line in lines]


@pytest.mark.slow
@pytest.mark.skipif(
    not COLLECTION.is_dir(), reason="the test collection of trec_eval is not beside the project"
)
def test_collection_of_trec_eval() -> None:
    """By topic and on average, to the four decimals that it prints; items that nobody judged included."""
    run = trec_file("results.test", {"topic": (0, str), "item": (2, str), "score": (4, float)})
    qrels = trec_file("qrels.test", {"topic": (0, str), "item": (2, str), "label": (3, int)})
    printed = [line.split() for line in (COLLECTION / "out.test.aq").read_text().splitlines()]
    report = sm.evaluate(
        run, {name: notation for notation, name in TREC_EVAL.items()} | {"gm_map": "gmap"},
        truth=qrels, label="label", score="score", group="topic", item="item", by="topic", ties="item desc",
    )  # fmt: skip
    computed = {"all" if row["is_total"] else row["topic"]: row for row in report.to_dicts()}
    compared = 0
    for name, topic, value in printed:
        if topic in computed and name in computed[topic]:
            expected = 1 - float(value) if name.startswith("unj") else float(value)
            assert computed[topic][name] == pytest.approx(expected, abs=0.51e-4), (name, topic)
            compared += 1
    assert compared == 4 * len(TREC_EVAL) + 1
    assert computed["all"]["n_unjudged"] == sum(
        (row["topic"], row["item"]) not in {(q["topic"], q["item"]) for q in qrels} for row in run
    )
