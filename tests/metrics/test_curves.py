"""Curves as tables: against scikit-learn, against plain Python on every engine, and what Python adds."""

from __future__ import annotations

import math
import statistics
from collections.abc import Callable
from itertools import groupby
from typing import Any

import numpy
import pyarrow
import pytest
from sklearn import calibration as sklearn_calibration
from sklearn import metrics as sklearn

import sqlmetrics as sm
from conformance.cases.tables import BAD, TIED, UNTIED, drawn, weighted
from oracles import calibration_error, decisions, levels, uplift
from oracles.classification import precision, recall, specificity
from oracles.observations import Observation, weighed
from sqlmetrics.api.documentation import describe
from sqlmetrics.book.catalog import curves
from sqlmetrics.book.templates import macros
from support.engines import Engine
from support.lines import Line, farthest, farthest_beside
from support.peers import as_rows, random_rows
from support.seeds import seeds

Rows = list[dict[str, Any]]
SEEDS = seeds(6, 30)
ROLES = {"label": "label", "score": "score"}


def points(kind: str, rows: Rows, **facts: Any) -> Rows:
    return sm.curve(pyarrow.Table.from_pylist(rows), kind, **ROLES, **facts).to_dicts()


def column(found: Rows, name: str) -> list[Any]:
    return [point[name] for point in found]


def close(values: Any) -> Any:
    return pytest.approx([float(value) for value in values], rel=1e-9, abs=1e-12)


# --- scikit-learn on random rows with many ties


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("seed", SEEDS)
def test_roc_against_scikit_learn(seed: int, weighted: bool) -> None:
    data = random_rows(seed)
    if data["label"].all() or not data["label"].any():
        pytest.skip("one class")
    weights = {"sample_weight": data["weight"]} if weighted else {}
    fpr, tpr, thresholds = sklearn.roc_curve(data["label"], data["score"], drop_intermediate=False, **weights)
    found = points("roc", as_rows(data), weight="weight" if weighted else None)
    assert column(found, "fpr") == close(fpr)
    assert column(found, "tpr") == close(tpr)
    assert column(found, "threshold")[0] is None
    assert column(found, "threshold")[1:] == close(thresholds[1:])


def test_det_against_scikit_learn() -> None:
    data = random_rows(3)
    fpr, fnr, thresholds = sklearn.det_curve(data["label"], data["score"], drop_intermediate=False)
    found = {point["threshold"]: (point["fpr"], point["fnr"]) for point in points("det", as_rows(data))}
    for each, *rates in zip(thresholds, fpr, fnr, strict=True):
        assert found[None if math.isinf(each) else each] == pytest.approx(rates)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("seed", SEEDS)
def test_corners_of_roc_are_the_same_line(seed: int, weighted: bool) -> None:
    """scikit-learn drops points between equal steps only; here all those on a straight line go."""
    rows, weight = as_rows(random_rows(seed)), "weight" if weighted else None
    every, corners = points("roc", rows, weight=weight), points("roc(points=corners)", rows, weight=weight)
    if None in (every[-1]["fpr"], every[-1]["tpr"]):
        pytest.skip("one class")
    line = [(point["fpr"], point["tpr"]) for point in every]
    turns = [
        here
        for before, here, after in zip(line, line[1:], line[2:], strict=False)
        if not math.isclose(
            (here[0] - before[0]) * (after[1] - here[1]),
            (here[1] - before[1]) * (after[0] - here[0]),
            abs_tol=1e-12,
        )
    ]
    assert [(point["fpr"], point["tpr"]) for point in corners] == [line[0], *turns, line[-1]]
    assert all(point in every for point in corners)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("seed", SEEDS)
def test_precision_recall_against_scikit_learn(seed: int, weighted: bool) -> None:
    data = random_rows(seed)
    if not data["label"].any():
        pytest.skip("nothing positive")
    weights = {"sample_weight": data["weight"]} if weighted else {}
    precisions, recalls, thresholds = sklearn.precision_recall_curve(data["label"], data["score"], **weights)
    found = points("precision_recall", as_rows(data), weight="weight" if weighted else None)
    # From the lowest score up, and one point more: precision 1 at recall 0, of no threshold.
    assert column(found, "precision")[::-1] == close(precisions[:-1])
    assert column(found, "recall")[::-1] == close(recalls[:-1])
    assert column(found, "threshold")[::-1] == close(thresholds)


@pytest.mark.parametrize(("strategy", "equal"), [("uniform", "width"), ("quantile", "count")])
@pytest.mark.parametrize("seed", SEEDS)
def test_calibration_against_scikit_learn(seed: int, strategy: str, equal: str) -> None:
    """No score lies on an edge, and the bins divide the rows evenly: there the two definitions meet."""
    draw = numpy.random.default_rng(seed)
    data = {"score": draw.random(60), "label": draw.integers(0, 2, 60)}
    rates, means = sklearn_calibration.calibration_curve(
        data["label"], data["score"], n_bins=6, strategy=strategy
    )
    found = points(f"calibration(bins=6, equal={equal})", as_rows(data))
    assert column(found, "positive_rate") == close(rates)
    assert column(found, "mean_score") == close(means)


@pytest.mark.parametrize(
    ("positives", "rows", "expected"), [(81, 263, (0.25529, 0.36621)), (0, 20, (0.0, 0.16113))]
)
def test_published_wilson_intervals(positives: int, rows: int, expected: tuple[float, float]) -> None:
    """Newcombe (1998), Two-sided confidence intervals for the single proportion, table I: 81/263 and 0/20."""
    table = [{"label": int(i < positives), "score": 0.5} for i in range(rows)]
    [point] = points("calibration(bins=1)", table)
    assert (point["positive_rate_low"], point["positive_rate_high"]) == pytest.approx(expected, abs=5.1e-6)


@pytest.mark.parametrize("chance", [0.5, 0.6, 0.75, 0.9, 0.95, 0.975, 0.995, 0.9995, 0.99995, 0.9999995])
def test_quantiles_of_the_normal_distribution(chance: float) -> None:
    expected = statistics.NormalDist().inv_cdf(chance)
    assert macros("duckdb")["normal_critical_value"](chance) == pytest.approx(
        expected, abs=1e-12 if chance < 0.99999 else 1e-10
    )


# --- fewer points, beside all of them


def shapes(seed: int) -> dict[str, tuple[Any, Any]]:
    """Scores whose curves are smooth, bent, stairs or jumps, as slices."""
    draw = numpy.random.default_rng(seed)
    labels = 1.0 * (draw.random(700) < 0.3)
    blocks = numpy.repeat(
        1.0 * (draw.random(40) < 0.5), draw.integers(1, 40, 40)
    )  # stairs of steps of any size
    return {
        "smooth": (labels, labels * 0.8 + draw.normal(size=700)),
        "perfect": (labels, labels + 0.5 * draw.random(700)),
        "wrong": (labels, -labels + 0.5 * draw.random(700)),
        "tied": (labels, numpy.round(labels * 0.8 + draw.normal(size=700))),
        "stairs": (blocks, -numpy.arange(len(blocks))),
        "few": (labels[:5], draw.random(5)),
    }


def of_shapes(seed: int, kind: str) -> dict[str, Rows]:
    rows = [
        {"shape": name, "label": bool(label), "score": float(score)}
        for name, (labels, scores) in shapes(seed).items()
        for label, score in zip(labels, scores, strict=True)
    ]
    found = points(kind, rows, by="shape", total=False)
    return {name: list(part) for name, part in groupby(found, lambda point: point["shape"])}


@pytest.mark.slow
@pytest.mark.parametrize("most", [4, 13, 50, 200])
@pytest.mark.parametrize("seed", seeds(2, 20))
def test_no_point_of_a_roc_curve_is_far_from_the_line_through_fewer(seed: int, most: int) -> None:
    every, fewer = of_shapes(seed, "roc"), of_shapes(seed, f"roc(points={most})")
    for shape, curve in every.items():
        kept = fewer[shape]
        assert len(kept) <= most
        assert (kept[0], kept[-1]) == (curve[0], curve[-1])
        assert all(point in curve for point in kept)
        if curve[-1]["fpr"] is None or curve[-1]["tpr"] is None:
            continue
        line = [(point["fpr"], point["tpr"]) for point in kept]
        worst = farthest([(point["fpr"], point["tpr"]) for point in curve], line)
        assert worst <= math.sqrt(2) / (most - 2) * (1 + 1e-6), shape


def heights(curve: Rows) -> Line:
    """A precision-recall curve in steps, as it is drawn: precision holds from the recall before it."""
    steps = [(0.0, curve[0]["precision"])]
    for point in curve:
        steps += [(steps[-1][0], point["precision"]), (point["recall"], point["precision"])]
    return steps


@pytest.mark.slow
@pytest.mark.parametrize("most", [4, 13, 50, 200])
@pytest.mark.parametrize("seed", seeds(2, 20))
def test_fewer_points_of_precision_and_recall_have_the_heights_of_all(seed: int, most: int) -> None:
    every, fewer = of_shapes(seed, "precision_recall"), of_shapes(seed, f"precision_recall(points={most})")
    for shape, curve in every.items():
        kept = fewer[shape]
        assert len(kept) <= most
        assert (kept[0], kept[-1]) == (curve[0], curve[-1])
        assert all(point in curve for point in kept)
        if curve[-1]["recall"] is None:
            continue
        for extreme in (min, max):
            assert extreme(column(kept, "precision")) == extreme(column(curve, "precision"))
        drawn, whole = heights(kept), heights(curve)
        for line, other in ((whole, drawn), (drawn, whole)):
            assert farthest_beside(line, other) <= 4 / (most - 3) * (1 + 1e-6), shape


# --- plain Python, on every engine


def observed(rows: Rows, weight: str | None) -> list[Observation]:
    return [
        Observation(bool(row["label"]), row["label"], row["score"], row[weight] if weight else 1, row)
        for row in rows
    ]


def roc(rows: list[Observation]) -> list[tuple]:
    def fpr(threshold: float) -> float | None:
        of_negatives = specificity(rows, threshold)
        return None if of_negatives is None else 1 - of_negatives

    start = (None, 0.0 if fpr(0) is not None else None, 0.0 if recall(rows, 0) is not None else None)
    return [start, *((t, fpr(t), recall(rows, t)) for t in levels.thresholds(rows))]


def detection_errors(rows: list[Observation]) -> list[tuple]:
    def missed(threshold: float) -> float | None:
        positive = [row for row in rows if row.positive]
        weight = math.fsum(row.weight for row in positive)
        return math.fsum(row.weight for row in positive if row.score < threshold) / weight if weight else None

    begin, *found = roc(rows)
    return [(*begin[:2], missed(math.inf)), *((t, fpr, missed(t)) for t, fpr, _ in found)]


def precision_recall(rows: list[Observation]) -> list[tuple]:
    return [(t, precision(rows, t), recall(rows, t)) for t in levels.thresholds(rows)]


def of_parts(curve: list[tuple], along: Callable[[tuple], float | None], parts: int) -> list[list[tuple]]:
    """The points of a curve in parts of the same growth, a little wider, so that the end belongs to the last."""
    place = {point: math.floor((parts - 1e-6) * (along(point) or 0)) for point in curve}
    return [list(part) for _, part in groupby(curve, place.get)]


def roc_of_6_points(rows: list[Observation]) -> list[tuple]:
    def growth(point: tuple) -> float | None:
        return None if None in point[1:] else (point[1] + point[2]) / 2

    start, *curve = roc(rows)
    kept = [point for part in of_parts(curve, growth, 2) for point in dict.fromkeys((part[0], part[-1]))]
    return [start, *kept]


def precision_recall_of_9_points(rows: list[Observation]) -> list[tuple]:
    kept = []
    for part in of_parts(precision_recall(rows), lambda point: point[2], 2):
        ends = {part[0], part[-1], min(part, key=lambda p: p[1]), max(part, key=lambda p: p[1])}
        kept += [point for point in part if point in ends]
    return kept


def decided(rows: list[Observation], threshold: float, fp: float = 1, fn: float = 1) -> tuple:
    """What deciding score >= threshold gives, each number from the rows."""
    true, false, missed, right = (
        weighed(rows, lambda row, p=p, s=s: row.positive == p and (row.score >= threshold) == s)
        for p, s in ((True, True), (False, True), (True, False), (False, False))
    )
    everything = weighed(rows, lambda _: 1)
    ratio = lambda a, b: a / b if b else None  # noqa: E731
    return (
        *(threshold, true, false, missed, right, (true + false) / everything, ratio(true, true + false)),
        *(
            ratio(true, true + missed),
            ratio(right, right + false),
            ratio(2 * true, 2 * true + false + missed),
        ),
        fp * false + fn * missed,
        (true - false * threshold / (1 - threshold)) / everything if 0 <= threshold < 1 else None,
    )


def every_threshold(rows: list[Observation]) -> list[tuple]:
    return [decided(rows, t) for t in levels.thresholds(rows)]


def three_thresholds(rows: list[Observation]) -> list[tuple]:
    return [decided(rows, t, 0.5, 3) for t in (1.5, 0.5, 0)]


def thresholds_of_quarters(rows: list[Observation]) -> list[tuple]:
    """The scores of the rows in which a quarter of them ends, each once."""
    everything, cuts = weighed(rows, lambda _: 1), []
    for quarter in range(1, 5):
        reached = lambda t: weighed(rows, lambda row: row.score >= t)  # noqa: E731
        cuts.append(next(t for t in levels.thresholds(rows) if reached(t) > quarter / 4 * everything - 1e-9))
    return [decided(rows, t) for t in dict.fromkeys(cuts)]


def residuals(rows: list[Observation]) -> list[tuple]:
    """The labels and errors of the rows of each bin."""
    found = []
    for part in calibration_error.bins_of(rows, 4, "count"):
        scores, size = sorted(row.score for row in part), weighed(part, lambda _: 1)
        means = [
            weighed(part, what) / size
            for what in (
                lambda row: row.score,
                lambda row: row.label,
                lambda row: row.score - row.label,
                lambda row: abs(row.score - row.label),
                lambda row: (row.score - row.label) ** 2,
            )
        ]
        found.append((scores[0], scores[-1], size, *means[:-1], math.sqrt(means[-1])))
    return found


def gain(rows: list[Observation]) -> list[tuple]:
    everything, cut = weighed(rows, lambda _: 1), []
    for quantile in range(1, 5):
        share = quantile / 4
        least = next(
            t
            for t in levels.thresholds(rows)
            if weighed(rows, lambda row, t=t: row.score >= t) > share * everything - 1e-9
        )
        cut.append((quantile, share, least, levels.capture(rows, share), levels.lift(rows, share)))
    return cut


def wilson(rate: float, rows: float, z: float) -> tuple[float, float]:
    """Wilson (1927): the shares p that are z standard errors away, the roots of (rate - p)^2 = z^2 p (1 - p) / n."""
    a, b, c = 1 + z * z / rows, -2 * rate - z * z / rows, rate * rate
    root = math.sqrt(max(0.0, b * b - 4 * a * c))
    return (-b - root) / (2 * a), (-b + root) / (2 * a)


def net_benefit_of_8_steps(rows: list[Observation]) -> list[tuple]:
    everyone = [row._replace(score=1) for row in rows]
    steps = [step / 8 for step in range(1, 8)]
    return [(t, decisions.net_benefit(rows, t), decisions.net_benefit(everyone, t), 0) for t in steps]


def qini_of_labels(rows: list[Observation]) -> list[tuple]:
    """With every other score treated, as the tables have it."""
    points = uplift.curve(uplift.levels(rows, "treated"), uplift.qini_height)
    both = all(uplift.treated_and_others(uplift.counts(rows, "treated")))
    (everything, end), known = points[-1], [None, *levels.thresholds(rows)]
    found = []
    for threshold, (n, added) in zip(known, points, strict=True):
        share = n / everything
        heights = (float(added), float(end * share)) if both else (None, None)
        found.append((threshold, float(share), *heights))
    return found


def calibration_by(equal: str):
    def calibration(rows: list[Observation]) -> list[tuple]:
        found = []
        for part in calibration_error.bins_of(rows, 4, equal):
            size, mean = weighed(part, lambda _: 1), weighed(part, lambda row: row.score)
            rate = weighed(part, lambda row: row.positive) / size
            effective = size**2 / math.fsum(row.weight**2 for row in part)
            found.append((size, mean / size, rate, *wilson(rate, effective, 1.959963984540054)))
        return found

    return calibration


DECIDED = [
    "threshold",
    "tp",
    "fp",
    "fn",
    "tn",
    "selected",
    "precision",
    "recall",
    "specificity",
    "f1",
    "cost",
]
DECIDED += ["net_benefit"]
KINDS = {
    "det": (detection_errors, ["threshold", "fpr", "fnr"]),
    "roc": (roc, ["threshold", "fpr", "tpr"]),
    "precision_recall": (precision_recall, ["threshold", "precision", "recall"]),
    "roc(points=6)": (roc_of_6_points, ["threshold", "fpr", "tpr"]),
    "precision_recall(points=9)": (precision_recall_of_9_points, ["threshold", "precision", "recall"]),
    "net_benefit(steps=8)": (
        net_benefit_of_8_steps,
        ["threshold", "net_benefit", "treat_all", "treat_none"],
    ),
    "qini(treatment=treated)": (qini_of_labels, ["threshold", "share", "added", "random"]),
    "thresholds": (every_threshold, DECIDED),
    "thresholds(at='0, 1.5, 0.5', cost_fp=0.5, cost_fn=3)": (three_thresholds, DECIDED),
    "thresholds(quantiles=4)": (thresholds_of_quarters, DECIDED),
    "residuals(bins=4)": (
        residuals,
        ["lower", "upper", "bin_rows", "mean_score", "mean_label", "bias", "mae", "rmse"],
    ),
    "gain(quantiles=4)": (gain, ["quantile", "share", "threshold", "capture", "lift"]),
    **{
        f"calibration(bins=4, equal={equal})": (
            calibration_by(equal),
            ["bin_rows", "mean_score", "positive_rate", "positive_rate_low", "positive_rate_high"],
        )
        for equal in ("width", "count")
    },
}
TABLES = {
    "untied": (UNTIED, {}),
    "tied": (TIED, {}),
    "one class": ([{**row, "label": 1} for row in UNTIED], {}),
    "nothing positive": ([{**row, "label": 0} for row in TIED], {}),
    "one row": (UNTIED[:1], {}),
    "all tied": ([{**row, "score": 0.5} for row in TIED], {}),
    "weights": (weighted(TIED), {"weight": "w"}),
    "weights, untied": (weighted(UNTIED), {"weight": "w"}),
    "weights of tenths": ([{**row, "w": 0.1} for row in UNTIED], {"weight": "w"}),
    "slices": ([{**row, "part": i % 3 or None} for i, row in enumerate(TIED)], {"by": "part"}),
    "slices and weights": (
        [{**row, "part": i % 2} for i, row in enumerate(weighted(TIED))],
        {"by": "part", "weight": "w"},
    ),
    "no total": ([{**row, "part": i % 2} for i, row in enumerate(TIED)], {"by": "part", "total": False}),
    "drawn": ([{**row, "label": row["label"] > 0} for row in drawn(3, 9)], {}),
}


TABLES = {
    name: ([{**row, "treated": i % 2} for i, row in enumerate(rows)], facts)
    for name, (rows, facts) in TABLES.items()
}
#: The tables of curves of fewer points, which are those of the whole curve but for the last stage, and of curves whose
#: heights are metrics with cases of their own.
TABLES_OF_FEWER = ("one class", "weights of tenths", "slices and weights", "drawn")
FEWER = ("points", "steps", "treatment")


@pytest.mark.parametrize(
    ("table", "kind"),
    [
        (table, kind)
        for table in TABLES
        for kind in KINDS
        if table in TABLES_OF_FEWER or not any(word in kind for word in FEWER)
    ],
)
def test_curve(kind: str, table: str, engine: Engine) -> None:
    rows, facts = TABLES[table]
    formula, names = KINDS[kind]
    statement = sm.render_curve("predictions", kind, dialect=engine.dialect, **ROLES, **facts)
    found = engine.query(statement, {"predictions": rows})
    by = facts.get("by")
    parts = [(part, False) for part in dict.fromkeys(row[by] for row in rows)] if by else []
    if facts.get("total", True):
        parts.append((None, True))
    for part, total in parts:
        mine = [point for point in found if not by or not parts[-1][1] or bool(point["is_total"]) == total]
        mine = [point for point in mine if total or point[by] == part]
        of_part = [row for row in rows if total or row[by] == part]
        expected = formula(observed(of_part, facts.get("weight")))
        assert [[point[name] for name in names] for point in mine] == [
            [value if value is None else pytest.approx(value, rel=1e-9, abs=1e-12) for value in point]
            for point in expected
        ]


@pytest.mark.parametrize(
    "kind", [*(kind for kind in KINDS if "residuals" not in kind), "roc(points=corners)"]
)
def test_broken_data_give_null_and_a_count(kind: str, engine: Engine) -> None:
    rows = [{"label": 2.0, "score": 0.5}, {"label": 1.0, "score": 1.5}, {"label": 0.0, "score": None}]
    rows = [{**row, "treated": i % 2} for i, row in enumerate(rows)]
    statement = sm.render_curve("predictions", kind, dialect=engine.dialect, **ROLES)
    found = engine.query(statement, {"predictions": rows})
    for point in found:
        assert (point["n_rows"], point["rows_bad_score"], point["rows_not_binary"]) == (3, 1, 1)
        assert all(point[name] is None for name in KINDS.get(kind, KINDS["roc"])[1])


@pytest.mark.parametrize(
    "kind", ["precision_recall", "roc", "gain", "calibration", "net_benefit", "thresholds", "residuals"]
)
def test_rows_of_which_none_can_be_used(kind: str, engine: Engine) -> None:
    statement = sm.render_curve("predictions", kind, dialect=engine.dialect, **ROLES, by="part")
    rows = [{"label": 1, "score": None, "part": "a"}, {"label": 1, "score": 0.5, "part": "b"}]
    [none, *others] = engine.query(statement, {"predictions": rows})
    assert (none["part"], none["rows_dropped"]) == ("a", 1)
    known = ("part", "is_total", "treat_none")
    assert [name for name, cell in none.items() if cell is not None and name not in known] == [
        name for name in none if name.startswith(("n_rows", "rows_"))
    ]
    assert {one["part"] for one in others if one["is_total"] in (False, 0)} == {"b"}


# --- what Python and the command line add


@pytest.mark.parametrize("kind", curves())
def test_documentation_says_what_a_reader_needs(kind: str) -> None:
    text = describe(kind)
    for word in ("Returns:", "Undefined:", "Errors:", "Source:", "Example:"):
        assert word in text
    for parameter in curves()[kind].parameters:
        assert f"  {parameter}: " in text
    assert points(curves()[kind].example, TABLES["untied"][0])


def test_models_slices_and_total() -> None:
    rows = [{**row, "other": 1 - row["score"], "part": i % 2} for i, row in enumerate(UNTIED)]
    table = pyarrow.Table.from_pylist(rows)
    found = sm.curve(table, "roc", label="label", score={"a": "score", "b": "other"}, by="part")
    assert found.columns == ["part", "is_total", "model", "threshold", "fpr", "tpr"]
    keys = [key for key, _ in groupby(found.to_dicts(), lambda p: (p["part"], p["is_total"], p["model"]))]
    parts = [(0, False), (1, False), (None, True)]
    assert keys == [(*part, model) for part in parts for model in "ab"]
    assert [row["n_rows"] for row in found.audit.to_dicts()] == [6, 6, 6, 6, 12, 12]
    assert found.to_text().splitlines()[-1].split()[0] == "all"
    assert "order by" in found.sql


def test_the_area_under_the_curve_is_the_metric() -> None:
    rows = [{**row, "label": row["label"] > 0} for row in drawn(5, 9)]
    [row] = sm.evaluate(rows, ["auc", "pr_auc(method=trapezoid,start=one)"], **ROLES).to_dicts()
    found = points("roc(points=corners)", rows)
    assert sklearn.auc(column(found, "fpr"), column(found, "tpr")) == pytest.approx(row["auc"], rel=1e-12)
    found = points("precision_recall", rows)
    area = sklearn.auc([0, *column(found, "recall")], [1, *column(found, "precision")])
    assert area == pytest.approx(row["pr_auc_method_trapezoid_start_one"], rel=1e-12)


def test_bad_rows() -> None:
    rows = [*TIED, *BAD[:4]]
    with pytest.raises(sm.SqlMetricsError, match="1 of 24 rows have a NULL, NaN or infinite label"):
        points("roc", rows)
    found = sm.curve(pyarrow.Table.from_pylist(rows), "roc", **ROLES, on_bad_rows="drop")
    assert found.to_dicts() == points("roc", TIED)
    assert found.audit.to_dicts()[0]["rows_dropped"] == 4
    assert found.notes() == ["rows dropped: 4 (on_bad_rows='drop')"]


@pytest.mark.parametrize(
    ("kind", "facts", "message"),
    [
        ("rok", {}, "Unknown curve 'rok'. Did you mean 'roc'?"),
        ("auc", {}, "Unknown curve 'auc'"),
        (None, {}, "A curve is text"),
        ("roc@10", {}, "roc: takes no cutoff"),
        ("roc(bins=3)", {}, "Unknown parameter 'bins' of roc"),
        ("roc(points=some)", {}, "points must be all, corners or an integer from 4 to 100000, got some"),
        ("roc(points=3)", {}, "points must be all, corners or an integer from 4 to 100000, got 3"),
        ("roc(points=true)", {}, "points must be all, corners or an integer from 4 to 100000, got true"),
        (
            "precision_recall(points=corners)",
            {},
            "points must be all or an integer from 4 to 100000, got corners",
        ),
        ("calibration(bins=0)", {}, "bins must be an integer >= 1"),
        ("calibration(equal=size)", {}, "equal must be one of width, count"),
        ("calibration(interval=95)", {}, "interval must be a number"),
        ("gain(quantiles=0)", {}, "quantiles must be an integer >= 1"),
        ("roc", {"score": None}, "needs score="),
        ("roc", {"label": "y"}, "Column 'y' (label=) is not in the data"),
        ("roc", {"by": "fpr"}, "Two result columns would be named 'fpr'"),
        ("roc", {"on_bad_rows": "skip"}, "on_bad_rows must be 'error' or 'drop'"),
    ],
)
def test_mistakes(kind: Any, facts: dict[str, Any], message: str) -> None:
    rows = [{"label": 1, "score": 0.5, "fpr": 1}]
    with pytest.raises(sm.SqlMetricsError) as error:
        sm.curve(rows, kind, **{**ROLES, **facts})
    assert message in str(error.value)


def test_values_that_a_curve_cannot_take() -> None:
    with pytest.raises(sm.SqlMetricsError, match=r"1 row.* neither 0 nor 1, such as 3"):
        points("roc", [{"label": 3, "score": 0.5}, {"label": 1, "score": 0.5}])
    with pytest.raises(sm.SqlMetricsError, match=r"outside \[0, 1\], such as 2"):
        points("calibration", [{"label": 0, "score": 2.0}])
    with pytest.raises(sm.SqlMetricsError, match="no row"):
        sm.curve(pyarrow.table({"label": [1], "score": [0.5]})[:0], "roc", **ROLES)


def test_edges_of_bins() -> None:
    rows = [{"label": 0, "score": score} for score in (0, 0.1, 0.2, 0.25, 0.3, 1)]

    def edges(notation: str) -> list[tuple]:
        return [(p["bin"], p["lower"], p["upper"], p["bin_rows"]) for p in points(notation, rows)]

    assert edges("calibration(bins=4)") == [(1, 0, 0.25, 3), (2, 0.25, 0.5, 2), (4, 0.75, 1, 1)]
    assert edges("calibration(bins=3, equal=count)") == [(1, 0, 0.1, 2), (2, 0.2, 0.25, 2), (3, 0.3, 1, 2)]


def test_the_data_come_first() -> None:
    rows = [{"label": i % 2, "score": i / 7} for i in range(9)]
    expected = sm.curve(rows, "roc", **ROLES).to_dicts()
    with pytest.warns(FutureWarning, match=r"curve\(data, 'roc'\)") as told:
        assert sm.curve("roc", rows, **ROLES).to_dicts() == expected
    assert told[0].filename == __file__
    assert sm.curve(kind="roc", data=rows, **ROLES).to_dicts() == expected
    with pytest.raises(sm.SqlMetricsError, match="Unknown curve 'rok'"):
        sm.curve(rows, "rok", **ROLES)
    with pytest.raises(sm.SqlMetricsError, match=r"A curve is text .* got 5"):
        sm.curve(rows, 5, **ROLES)
