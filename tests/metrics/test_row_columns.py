"""Metrics that name further columns of a row: values of peers, bad input, and every function that reads rows."""

from __future__ import annotations

from typing import Any

import pytest

import sqlmetrics as sm
from conformance.cases.columns import experiment, forecasts, logged
from support.evaluated import evaluated

FORECASTS = forecasts(0, 30)
EXPERIMENT = experiment(1, 30, 1000, 0.8)
THREE = "'0.1: q1, 0.5: q5, 0.9: q9'"

# Computed by the peers over these tables. scoringrules 0.10: interval_score, crps_quantile, quantile_score.
# scikit-uplift 0.5.1: qini_auc_score, uplift_auc_score, uplift_at_k(strategy="overall").
OF_SCORINGRULES = {
    "interval_score(lower=q1, upper=q9, alpha=0.2)": 5.841666666666667,
    f"crps(quantiles={THREE})": 0.6616666666666665,
    "quantile_loss(quantiles='0.9: q9')": 0.21916666666666665,
}
OF_SCIKIT_UPLIFT = {
    "qini(treatment=treated)": -0.05114724227083777,
    "auuc(treatment=treated)": -0.09595401941823267,
    "uplift(treatment=treated, share=0.5)": -0.11111111111111116,
}


@pytest.mark.parametrize(
    ("rows", "values"),
    [(FORECASTS, OF_SCORINGRULES), (EXPERIMENT, OF_SCIKIT_UPLIFT)],
    ids=["forecasts", "uplift"],
)
def test_values_of_peers(rows: list[dict[str, Any]], values: dict[str, float]) -> None:
    assert evaluated([*values], rows) == pytest.approx(values, rel=1e-12)


@pytest.mark.slow
def test_equal_groups_are_equal_whatever_the_rounding_of_their_weights() -> None:
    """The perfect order ends with the smaller of two groups: 0.001 and 1.001 - 1 are one size."""
    rows = [(0, 0, 0.0, 0), (0, 1, 0.25, 1), (1, 0, 0.0, 1), (1, 1, 0.0, 1000)]
    values = [
        sm.evaluate(
            [{"y": y, "t": t, "s": s, "w": w / unit} for y, t, s, w in rows],
            {"auuc": "auuc(treatment=t)"}, label="y", score="s", weight="w",
        ).value("auuc")
        for unit in (1, 1000)
    ]  # fmt: skip
    assert values[0] == pytest.approx(values[1], rel=1e-9)


@pytest.mark.slow
def test_pass_at_k_is_the_hit_rate_of_lists_in_any_order() -> None:
    rows = [{"label": int(i % 5 < 2), "problem": i // 7} for i in range(28)]
    [found] = sm.evaluate(rows, ["pass@3"], label="label", group="problem").to_dicts()
    tied = [{**row, "score": 0} for row in rows]
    [same] = sm.evaluate(tied, ["hit_rate@3"], label="label", score="score", group="problem").to_dicts()
    assert found["pass_3"] == pytest.approx(same["hit_rate_3"], rel=1e-12)
    assert (found["n_groups"], "groups_tied" in found) == (4, False)
    assert [row["pass_3"] for row in sm.per_group(rows, "pass@3", label="label", group="problem")]


@pytest.mark.parametrize("metrics", [["pass@2", "auc"], ["auc", "pass@2"], ["pass@2", "ndcg@2"]])
def test_other_metrics_beside_pass_at_k_need_their_score(metrics: list[str]) -> None:
    rows = [{"label": i % 2, "problem": i // 4} for i in range(8)]
    with pytest.raises(sm.SqlMetricsError, match="needs score="):
        sm.evaluate(rows, metrics, label="label", group="problem")


INTERVAL = "coverage(lower=q1, upper=q9)"
DR = "doubly_robust(propensity=chance, predicted=told, expected=value)"
BAD_INPUT = [
    ("coverage", "coverage: needs lower=, the name of a column"),
    ("coverage(lower=q1)", "needs upper=, the name of a column"),
    ("coverage(lower=q1, upper=q99)", "upper='q99' is no column of the data. Columns: label, score"),
    ("coverage(lower=q1, upper=part)", "upper='part' is text and has to be a number"),
    ("coverage(lower=q9, upper=q1)", r"28 rows have a lower end \(q9\) above the upper end \(q1\)"),
    ("interval_score(lower=q1, upper=q9, alpha=0)", "alpha must be a number > 0 and <= 1, got 0"),
    ("wis", "needs quantiles=, levels and their columns: quantiles='0.1: q10"),
    ("wis(quantiles=q5)", "quantiles= takes levels in (0, 1) and their columns, .* got 'q5'"),
    ("wis(quantiles='1: q5')", "quantiles= takes levels in .* got '1: q5'"),
    ("wis(quantiles='0.1: q1, 0.5: q5')", "has 0.1 without its opposite 0.9; crps takes any levels"),
    ("crps(quantiles='0.1: q1, 0.1: q5')", "has the level 0.1 twice"),
    ("crps(quantiles='0.1: ')", "needs quantiles=, the name of a column"),
    ("mase(naive_error=zero)", r"30 rows have a naive_error \(zero\) of 0 or less"),
    ("cost(fp=-1)", "fp must be a number >= 0, got -1"),
    ("net_benefit(threshold=1)", "threshold must be below 1"),
    ("ips(propensity=q5)", r"a propensity \(q5\) outside \(0, 1\]|a score outside \[0, 1\]"),
    ("qini(treatment=q5)", "neither 0 nor 1"),
    ("pass@201", "k must be an integer >= 1 and <= 200, got 201"),
]


@pytest.mark.parametrize(("notation", "message"), BAD_INPUT)
def test_bad_input_is_one_sentence(notation: str, message: str) -> None:
    rows = [{**row, "zero": 0.0} for row in FORECASTS]
    message = message.replace("levels in (0, 1)", r"levels in \(0, 1\)")
    with pytest.raises(sm.SqlMetricsError, match=message):
        sm.evaluate(rows, notation, label="label", score="score", group="part")


def test_one_call_reads_one_treatment() -> None:
    rows = [{**row, "other": 1 - row["treated"]} for row in EXPERIMENT]
    with pytest.raises(sm.SqlMetricsError, match="one call reads one treatment="):
        evaluated(["qini(treatment=treated)", "auuc(treatment=other)"], rows)


def test_rows_without_a_named_number_are_refused_or_left_out() -> None:
    rows = [{**FORECASTS[0], "q1": None}, {**FORECASTS[0], "q9": float("nan")}, *FORECASTS]
    facts = {"label": "label", "score": "score"}
    with pytest.raises(sm.SqlMetricsError, match="2 of 32 rows have a NULL, NaN or infinite 'q1' or 'q9';"):
        sm.evaluate(rows, INTERVAL, **facts)
    [dropped] = sm.evaluate(rows, {"m": INTERVAL, "mae": "mae"}, **facts, on_bad_rows="drop").to_dicts()
    [expected] = sm.evaluate(FORECASTS, {"m": INTERVAL, "mae": "mae"}, **facts).to_dicts()
    assert (dropped["m"], dropped["mae"], dropped["rows_dropped"]) == (expected["m"], expected["mae"], 2)


def test_names_with_other_characters_are_quoted() -> None:
    rows = [{"y": 1, "0.1": 0.5, "Upper, end": 2}, {"y": 3, "0.1": 0.5, "Upper, end": 2}]
    assert sm.evaluate(rows, {"m": "coverage(lower='0.1', upper='Upper, end')"}, label="y").value("m") == 0.5


@pytest.mark.slow
def test_a_state_keeps_sums_under_the_names_of_their_columns() -> None:
    rows = [{**row, "day": f"2026-01-0{1 + i % 3}"} for i, row in enumerate(FORECASTS)]
    metrics = {
        "covered": INTERVAL,
        "wis": f"wis(quantiles={THREE})",
        "mase": "mase(naive_error=q9)",
        "mae": "mae",
    }
    facts = {"label": "label", "score": "score"}
    state = sm.state(rows, metrics, period="day", by="part", **facts)
    [*_, found] = sm.finish(state, metrics).to_dicts()
    [expected] = sm.evaluate(rows, metrics, **facts).to_dicts()
    assert {name: found[name] for name in metrics} == pytest.approx(
        {name: expected[name] for name in metrics}
    )
    with pytest.raises(sm.SqlMetricsError, match="does not hold what is needed for coverage"):
        sm.finish(state, {"m": "coverage(lower=q5, upper=q9)"})
    long = {f"q_{'x' * 40}": 0.0, f"r_{'x' * 40}": 1.0}
    with pytest.raises(sm.SqlMetricsError, match="is longer than 55 characters"):
        sm.state(
            [{**row, **long} for row in rows],
            "coverage(lower={}, upper={})".format(*long),
            period="day",
            **facts,
        )


@pytest.mark.slow
def test_policies_are_compared_by_their_scores() -> None:
    rows = [{**row, "old": 0.3} for row in logged(3, 60)]
    found = sm.compare(rows, {"dr": DR}, label="label", baseline="old", candidate="score").to_dicts()[0]
    for side, score in (("baseline", "old"), ("candidate", "score")):
        alone = sm.evaluate(rows, {"dr": DR}, label="label", score=score, interval=0.95).to_dicts()[0]
        assert found[f"{side}_value"] == pytest.approx(alone["dr"], rel=1e-12)
    assert found["low"] < found["difference"] < found["high"]


@pytest.mark.slow
def test_a_search_of_slices_reads_named_columns() -> None:
    rows = [{**row, "part": row["part"] or "z"} for row in logged(4, 800)]
    found = sm.find_slices(
        rows, "ips(propensity=chance)", label="label", score="score", by="part", min_units=10
    ).to_dicts()
    [x] = [row["value"] for row in found if row["slice"] == "part = x"]
    alone = sm.evaluate(
        rows, {"m": "ips(propensity=chance)"}, label="label", score="score", where="part = 'x'"
    )
    assert abs(x - alone.value("m")) < 0.3  # half of the rows
