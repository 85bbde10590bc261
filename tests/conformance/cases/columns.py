"""Metrics that read further columns of a row: forecasts, logged policies, opponents; and what decisions cost."""

from __future__ import annotations

import random

from conformance.cases.tables import BAD, GIVEN, GRADED, TIED, UNTIED, Case, Rows, weighted, weighted_lists

THREE = "'0.1: q1, 0.5: q5, 0.9: q9'"
FORECASTS = [
    *("coverage(lower=q1, upper=q9)", "interval_width(lower=q1, upper=q9)", "coverage(lower=q5, upper=q5)"),
    *("interval_score(lower=q1, upper=q9)", "interval_score(lower=q1, upper=q9, alpha=0.2)"),
    *(f"quantile_loss(quantiles={THREE})", f"quantile_loss(quantiles={THREE}, average=sum)"),
    *(f"wis(quantiles={THREE})", "wis(quantiles='0.9: q9, 0.1: q1')", "wis(quantiles=0.5: q5)"),
    *(f"crps(quantiles={THREE})", "crps(quantiles='0.25: q1, 0.5: q5, 0.9: q9')"),
    *("mase(naive_error=q9)", "relative_mae(naive=q1)", "relative_mae(naive=label)"),
]
COLUMNS = [
    *("mean(column=q1)", "mean(column=label)", "total(column=q9)", "total(column=score)"),
    *("quantile(column=q1)", "quantile(column=q9, q=0.9)", "quantile(column=label, q=0.25)"),
    "quantile(column=q5, q=0.001)",
    *("rate(where='q1 > 1')", "rate(where='q9 <= 2.25')", "rate(where='label >= 5', better=lower)"),
    *(
        "mean(column=q1, better=higher)",
        "total(column=q9, better=lower)",
        "quantile(column=q1, better=lower)",
    ),
]
POLICIES = [
    *("ips(propensity=chance)", "ips(propensity=chance, clip=1.5)"),
    *("snips(propensity=chance)", "snips(propensity=chance, clip=0.75)"),
    "doubly_robust(propensity=chance, predicted=told, expected=value)",
    "doubly_robust(propensity=chance, predicted=told, expected=value, clip=1)",
    *("win_rate(against=other)", "win_rate(against=score)"),
]
DECISIONS = [
    *("cost", "cost(threshold=0.25, fp=2, fn=0.5)", "cost(threshold=0.5, fp=0)"),
    *("net_benefit", "net_benefit(threshold=0)", "net_benefit(threshold=0.25)", "net_benefit(threshold=0.9)"),
]
UPLIFTS = [
    *("qini(treatment=treated)", "auuc(treatment=treated)", "uplift(treatment=treated)"),
    *(f"uplift(treatment=treated, share={share})" for share in (0.001, 0.5, 1)),
]
PASSES = [
    *("pass@1", "pass@2", "pass@3", "pass@6", "pass@7", "pass(average=micro)@2"),
    *("pass(on_empty=zero)@4", "pass(weight=impressions)@3"),
    *("pass_all@1", "pass_all@2", "pass_all@3", "pass_all@7", "pass_all(average=micro)@2"),
    *("pass_all(on_empty=zero)@4", "pass_all(weight=impressions)@3"),
]


def forecasts(seed: int, size: int) -> Rows:
    """Quarters, so that labels often lie on the ends of intervals, which may have no width."""
    draw = random.Random(seed)
    rows = []
    for _ in range(size):
        middle = draw.randint(4, 12) / 4
        row = {"label": draw.randint(0, 16) / 4, "score": middle, "q5": middle, "part": draw.choice("xy")}
        rows.append({**row, "q1": middle - draw.randint(0, 3) / 4, "q9": middle + draw.randint(0, 3) / 4})
    return rows


def logged(seed: int, size: int) -> Rows:
    """Rewards of logged actions, with the probabilities of both policies and a model's estimates."""
    draw = random.Random(seed)
    return [
        {
            "label": draw.choice([0.0, 1.0, 2.5, -1.0]),
            "score": draw.choice([0.0, 0.2, 0.5, 0.9]),
            "chance": draw.choice([0.1, 0.2, 0.5, 1.0]),
            "told": draw.random(),
            "value": draw.random(),
            "other": draw.choice([0.2, 0.5]),
            "part": draw.choice(["x", "y", None]),
        }
        for _ in range(size)
    ]


def experiment(seed: int, size: int, levels: int, rate: float = 0.5) -> Rows:
    """Rows of an experiment, with ties."""
    draw = random.Random(seed)
    return [
        {
            "label": int(draw.random() < rate),
            "score": draw.randrange(levels) / 8,
            "treated": draw.randrange(2),
            "part": draw.choice(["x", "y", None]),
        }
        for _ in range(size)
    ]


CASES = [
    Case("forecasts", FORECASTS, forecasts(0, 30), by="part"),
    Case("forecasts, weights", FORECASTS, weighted(forecasts(1, 12)), facts={"weight": "w"}),
    Case("forecasts, one row", FORECASTS, forecasts(2, 1)),
    Case("columns", COLUMNS, forecasts(3, 30), by="part"),
    Case("columns, weights", COLUMNS, weighted(forecasts(4, 12)), facts={"weight": "w"}),
    Case("columns, one row", COLUMNS, forecasts(5, 1)),
    Case("policies", POLICIES, logged(0, 30), by="part"),
    Case("policies, weights", POLICIES, weighted(logged(1, 12)), facts={"weight": "w"}),
    Case("policies, no logged action", POLICIES, [{**row, "score": 0.0} for row in logged(2, 6)]),
    Case("costs", DECISIONS, [{**row, "part": i % 3} for i, row in enumerate(TIED)], by="part"),
    Case("costs, weights", DECISIONS, weighted(UNTIED), facts={"weight": "w"}),
    Case("uplift", UPLIFTS, experiment(0, 40, 9), by="part"),
    Case("uplift, mostly positive", UPLIFTS, experiment(1, 30, 1000, 0.8)),
    Case("uplift, mostly negative", UPLIFTS, experiment(2, 30, 1000, 0.2)),
    Case("uplift, weights", UPLIFTS, weighted(experiment(3, 20, 6)), facts={"weight": "w"}, by="part"),
    Case(
        "uplift, tenths as weights",
        UPLIFTS,
        [{**r, "w": 0.1} for r in experiment(4, 20, 999)],
        facts={"weight": "w"},
    ),
    Case("uplift, all tied", UPLIFTS, experiment(5, 9, 1)),
    Case("uplift, nothing positive", UPLIFTS, experiment(6, 9, 5, 0)),
    Case("uplift, all positive", UPLIFTS, experiment(7, 9, 5, 1)),
    Case("uplift, no control", UPLIFTS, [{**row, "treated": 1} for row in experiment(8, 9, 5)]),
    Case(
        "uplift, no order is better than a random one",
        UPLIFTS,
        [{"label": 1 - arm, "score": 0.5, "treated": arm, "w": 1e-10, "part": "x"} for arm in (0, 1)],
        facts={"weight": "w"},
    ),
    Case("uplift, booleans", UPLIFTS, [{**r, "treated": r["treated"] > 0} for r in experiment(9, 20, 5)]),
    Case("attempts", PASSES, TIED, facts=GIVEN),
    Case("attempts, graded", PASSES, [*GRADED, *BAD], facts={**GIVEN, "positive": 2}),
    Case("attempts, weights", PASSES, weighted_lists(TIED), facts={**GIVEN, "weight": "w"}),
]
