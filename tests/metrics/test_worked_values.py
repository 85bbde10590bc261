"""Worked examples of the textbook kind: the arithmetic stands beside each, so that a reader can redo it."""

import pytest

from support.worked import Worked, check, named, ranking, scored, tied_list, with_unlisted

TWO_TERM_AP = ranking("q1", [1, 1, 0, 0, 1, 0, 0]) + ranking("q2", [0, 1, 1, 0, 0, 1, 1])
FIRST_HITS = ranking("q1", [0, 0, 1]) + ranking("q2", [0, 1, 0]) + ranking("q3", [1, 0, 0])


def hits_of(group: str, hits: int, relevant: int) -> tuple[list, list]:
    """A list of 10 with so many hits among so many relevant items."""
    return with_unlisted(ranking(group, [1] * hits + [0] * (10 - hits)), {group: [1] * (relevant - hits)})


POOLED = [hits_of("a", 6, 10), hits_of("b", 5, 12), hits_of("c", 4, 8)]
POOLED_PREDICTIONS = [row for predictions, _ in POOLED for row in predictions]
POOLED_TRUTH = [row for _, truth in POOLED for row in truth]

POOL = with_unlisted(ranking("q", [3, 2, 3, 0, 1, 2]), {"q": [3, 0]})
IDEAL_POOL = ranking("q", [3, 3, 3, 2, 2, 1, 0, 0])

NATURAL = {
    "one": ranking("q", [3, 2, 3, 0, 1, 2, 2]),
    "other": ranking("q", [2, 2, 3, 1, 2, 3, 1]),
    "ideal of one": ranking("q", [3, 3, 2, 2, 2, 1, 0]),
    "ideal of other": ranking("q", [3, 3, 2, 2, 2, 1, 1]),
    "both": ranking("q1", [3, 2, 3, 0, 1, 2, 2]) + ranking("q2", [2, 2, 3, 1, 2, 3, 1]),
}

RESIDUALS = scored([1.5, 2.1, 3.3, -4.7, -2.3, 0.75], [0.5, 1.5, 2.1, -2.2, 0.1, -0.5])

# One fraud in a thousand, and a model that never says so.
FRAUD = scored([1] + [0] * 999, [0.0] * 1000)

NO_GAIN = ranking("q1", [2, 1]) + ranking("q2", [0, 0, 0])

# AUC by list: all tied; 1 of 7 pairs tied and 2 right; 13 of 15 right; 1 of 7 tied; two of one class.
USERS = (
    tied_list("u1", [1, 1, 1, 1, 0, 0, 0, 0], [5] * 8)
    + tied_list("u2", [0, 0, 0, 0, 0, 1, 0, 0], [9, 8, 7, 6, 5, 5, 4, 3])
    + tied_list("u3", [1, 1, 1, 1, 0, 0, 1, 0], [9, 8, 7, 6, 5, 4, 3, 2])
    + tied_list("u4", [0, 0, 0, 0, 0, 0, 0, 1], [9, 8, 7, 6, 5, 4, 3, 3])
    + tied_list("u5", [1] * 8, range(8))
    + tied_list("u6", [0] * 8, range(8))
)
OF_USERS = (1 / 2, (2 + 1 / 2) / 7, 13 / 15, (1 / 2) / 7)

ONE_OF_R = with_unlisted(ranking("q", [1, 0, 1, 0, 0]), {"q": [1] * 8})
UNTIED = {"ties": "worst"}

# fmt: off
WORKED = [
    Worked("hits at 1 and 2 of 5 listed, R 3: (1/1 + 2/2) / min(3, 5)", "map@5", 2 / 3,
           *with_unlisted(ranking("q", [1, 1, 0, 0, 0]), {"q": [1]})),
    Worked("hits at 1 3 6 9 10, R 5", "map", (1 + 2 / 3 + 3 / 6 + 4 / 9 + 5 / 10) / 5,
           ranking("q", [1, 0, 1, 0, 0, 1, 0, 0, 1, 1])),
    Worked("13/15 = (1 + 1 + 3/5) / 3", "map", 13 / 15, TWO_TERM_AP[:7]),
    Worked("47/84 = (1/2 + 2/3 + 3/6 + 4/7) / 4", "map", 47 / 84, TWO_TERM_AP[7:]),
    Worked("mean of 13/15 and 47/84", "map", 599 / 840, TWO_TERM_AP),
    Worked("first hits at 3, 2, 1", "mrr", 11 / 18, FIRST_HITS),
    Worked("6 + 5 + 4 hits of 10 + 12 + 8 relevant", "recall(average=micro)@10", 15 / 30,
           POOLED_PREDICTIONS, POOLED_TRUTH),
    Worked("6 + 5 + 4 hits of 10 users' items each", "precision(average=micro)@10", 15 / 30,
           POOLED_PREDICTIONS, POOLED_TRUTH),
    Worked("6/10, 5/12, 4/8", "recall@10", (6 / 10 + 5 / 12 + 4 / 8) / 3, POOLED_PREDICTIONS, POOLED_TRUTH),
    # The denominators of AP on 1 0 1 0 0 with R = 10.
    Worked("AP@5 over R", "map(denominator=relevant)@5", (1 + 2 / 3) / 10, *ONE_OF_R),
    Worked("AP@5 over min(R, k)", "map@5", (1 + 2 / 3) / 5, *ONE_OF_R),
    Worked("AP@5 over k", "map(denominator=cutoff)@5", (1 + 2 / 3) / 5, *ONE_OF_R),
    Worked("AP@5 over hits", "map(denominator=hits)@5", (1 + 2 / 3) / 2, *ONE_OF_R, facts=UNTIED),
    # Graded lists, linear gain.
    Worked("3 2 3 0 1 2", "dcg(gain=linear)@6", 6.861127, *POOL, digits=6),
    Worked("ideal of 3 2 3 0 1 2, with 3 and 0 judged besides", "dcg(gain=linear)@6", 8.384055, IDEAL_POOL,
           digits=6),
    Worked("3 and 0 judged besides", "idcg(gain=linear)@6", 8.384055, *POOL, digits=6),
    Worked("6.861127 / 8.384055", "ndcg(gain=linear)@6", 0.818354, *POOL, digits=6),
    Worked("3 1 2 3 2", "cg(gain=linear)@5", 11, ranking("q", [3, 1, 2, 3, 2])),
    Worked("3 1 2 3 2", "dcg(gain=linear)@5", 6.696665, ranking("q", [3, 1, 2, 3, 2]), digits=6),
    Worked("ideal of 3 1 2 3 2", "dcg(gain=linear)@5", 7.140995, ranking("q", [3, 3, 2, 2, 1]), digits=6),
    Worked("ideal of 3 1 2 3 2", "idcg(gain=linear)@5", 7.140995, ranking("q", [3, 1, 2, 3, 2]), digits=6),
    Worked("6.696665 / 7.140995", "ndcg(gain=linear)@5", 0.937778, ranking("q", [3, 1, 2, 3, 2]), digits=6),
    # Gain 2^label - 1 over the natural log, as in Burges et al. (2005).
    Worked("3 2 3 0 1 2 2", "dcg(log_base=e)@7", 21.421516, NATURAL["one"], digits=6),
    Worked("its ideal", "dcg(log_base=e)@7", 22.686817, NATURAL["ideal of one"], digits=6),
    Worked("its ideal", "idcg(log_base=e)@7", 22.686817, NATURAL["one"], digits=6),
    Worked("21.421516 / 22.686817", "ndcg@7", 0.944227, NATURAL["one"], digits=6),
    Worked("2 2 3 1 2 3 1", "dcg(log_base=e)@7", 18.482089, NATURAL["other"], digits=6),
    Worked("its ideal", "dcg(log_base=e)@7", 23.167716, NATURAL["ideal of other"], digits=6),
    Worked("its ideal", "idcg(log_base=e)@7", 23.167716, NATURAL["other"], digits=6),
    Worked("18.482089 / 23.167716", "ndcg@7", 0.797752, NATURAL["other"], digits=6),
    Worked("mean of 0.944227 and 0.797752", "ndcg@7", 0.870990, NATURAL["both"], digits=6),
    Worked("perfect, and a list without gain that counts 0", "ndcg(on_empty=zero)@10", 1 / 2, NO_GAIN),
    Worked("perfect, and a list without gain that counts 1", "ndcg(on_empty=one)@10", 1, NO_GAIN),
    Worked("perfect, and a list without gain that is left out", "ndcg@10", 1, NO_GAIN),
    Worked("3 2 3 1 of 3: .875 + .125 (.375 / 2 + .625 (.875 / 3 + .125 (.125 / 4)))", "err",
           0.875 + 0.125 * (0.375 / 2 + 0.625 * (0.875 / 3 + 0.125 * 0.125 / 4)), ranking("q", [3, 2, 3, 1]),
           facts={"max_grade": 3}),
    Worked("3 2 3 1 of 3", "err", 0.921529, ranking("q", [3, 2, 3, 1]), digits=6, facts={"max_grade": 3}),
    # Rows and pairs.
    Worked("six residuals", "rmse", 1.651893, RESIDUALS, digits=6),
    Worked("999 of 1000 are right", "accuracy", 0.999, FRAUD),
    Worked("999 of 1000 are right", "error_rate", 0.001, FRAUD),
    Worked("every pair is tied", "auc", 0.5, FRAUD),
    Worked("no fraud is found", "recall", 0.0, FRAUD),
    Worked("nothing is called fraud", "precision", None, FRAUD),
    Worked("pairs 1, 1/2 for a tie, 0", "auc", (1 + 1 / 2 + 0) / 3, scored([1, 0, 0, 0], [2, 1, 2, 3])),
    Worked("0.5, 5/14, 13/15, 1/14; two lists of one class", "gauc", sum(OF_USERS) / 4, USERS),
    Worked("lists of one length", "gauc(weight=uniform)", 0.4488095238, USERS, digits=10),
    Worked("4, 1, 5 and 1 positives", "gauc(weight=positives)",
           (4 * OF_USERS[0] + OF_USERS[1] + 5 * OF_USERS[2] + OF_USERS[3]) / 11, USERS),
    Worked("16, 7, 15 and 7 pairs", "gauc(weight=pairs)", (8 + 2.5 + 13 + 0.5) / 45, USERS),
    Worked("no pair counts 0", "gauc(on_empty=zero)", sum(OF_USERS) / 6, USERS),
]
# fmt: on


@pytest.mark.parametrize("worked", WORKED, ids=named)
def test_worked_value(worked):
    check(worked)
