"""Ratings without positive=: a note says which labels counted as relevant, and no value changes."""

import pytest

import sqlmetrics as sm

RATINGS = [
    {"user": user, "item": item, "day": 1, "rating": (3 * user + item) % 5, "score": (7 * item + user) % 11}
    for user in range(3)
    for item in range(5)
]
N_GRADED = sum(row["rating"] > 1 for row in RATINGS)
NOTE = (
    f"rows with a label above 0 other than 1: {N_GRADED}; labels from 1 on count as relevant;"
    " change it with positive="
)
CALL = {"label": "rating", "score": "score", "group": "user"}
BINARY = [
    *(
        "map@3",
        "mrr",
        "mrr_all",
        "hit_rate@2",
        "success@2",
        "precision@2",
        "recall@2",
        "f1@2",
        "r_precision",
        "gmap",
    ),
    *("average_rank", "bpref", "pauc@2", "interpolated_map", "ndcg(gain=binary)", "ndcg(weight=positives)"),
]
GRADED = ["ndcg@3", "dcg", "idcg", "cg@2", "err@3", "rbp", "r_score", "ndcg(weight=impressions)"]


@pytest.mark.parametrize("metric", BINARY)
def test_a_metric_of_relevance_notes_ratings(metric: str) -> None:
    report = sm.evaluate(RATINGS, metric, **CALL)
    assert NOTE in report.notes()
    [row] = report.to_dicts()
    assert row["rows_graded"] == N_GRADED
    [said] = sm.evaluate(RATINGS, metric, positive=1, **CALL).to_dicts()
    name = report.columns[-1]
    assert row[name] == said[name] is not None


def test_metrics_of_grades_do_not() -> None:
    report = sm.evaluate(RATINGS, GRADED, max_grade=4, **CALL)
    assert "rows_graded" not in report.columns
    assert not [note for note in report.notes() if "relevant is" in note]


def test_no_note_if_positive_is_given_or_labels_are_plain() -> None:
    assert "rows_graded" not in sm.evaluate(RATINGS, "map", positive=2, **CALL).columns
    plain = [{**row, "rating": row["rating"] > 2} for row in RATINGS]
    signed = [{**row, "rating": 1 if row["rating"] > 2 else -1} for row in RATINGS]
    for rows in (plain, signed):
        assert not [note for note in sm.evaluate(rows, "map", **CALL).notes() if "relevant is" in note]


@pytest.mark.slow
def test_every_call_that_averages_lists_notes_ratings() -> None:
    """Also `per_group`, `compare`, `state`, a bootstrap and a second table."""
    assert NOTE in sm.per_group(RATINGS, "map", **CALL).notes()
    models = {key: value for key, value in CALL.items() if key != "score"}
    assert NOTE in sm.compare(RATINGS, "map", baseline="item", candidate="score", **models).notes()
    assert NOTE in sm.state(RATINGS, "map", period="day", **CALL).notes()
    drawn = sm.evaluate(RATINGS, "gmap", interval=0.9, n_resamples=20, **CALL)
    assert NOTE in drawn.notes()
    by_user = sm.evaluate(RATINGS, "map", by="user", **CALL)
    assert NOTE in by_user.notes()
    listed = [{key: row[key] for key in ("user", "item", "score")} for row in RATINGS[:7]]
    assert NOTE in sm.evaluate(listed, "map", item="item", truth=RATINGS, **CALL).notes()


def test_subtopics_of_rated_items() -> None:
    truth = [{**row, "topic": row["item"] % 2} for row in RATINGS]
    found = sm.evaluate(RATINGS, "subtopic_recall@2", item="item", truth=truth, subtopic="topic", **CALL)
    assert NOTE in found.notes()
