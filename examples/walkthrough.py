"""Two rankers of a shop's search, side by side: `python examples/walkthrough.py`."""

from pathlib import Path

import sqlmetrics as sm

SEARCH = Path(__file__).with_name("search.parquet")

# What both questions have in common: facts about the data.
facts = {"label": "grade", "group": "query_id", "positive": 1, "max_grade": 4}

# Is the new ranker better than the old one, and in every country?
report = sm.evaluate(
    SEARCH,
    ["auc", "gauc", "ndcg@10", "map@10", "mrr", "err@10", "log_loss"],
    score={"new": "score", "old": "score_b"},
    by=["country"],
    **facts,
)
print(report)

# What was counted, and how many queries had nothing relevant to show or tied scores.
print(report.audit)

# The old ranker's scores are whole percents. Ties count with their average over every order; here is what
# the luckiest and the unluckiest order would have given.
for ties in ("best", "average", "worst"):
    [row] = sm.evaluate(SEARCH, ["ndcg@10", "mrr"], score="score_b", ties=ties, **facts).to_dicts()
    print(f"{ties:>8}: nDCG@10 {row['ndcg_10']:.4f}, MRR {row['mrr']:.4f}")
