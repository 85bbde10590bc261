"""Each convention against the library it is named after, run on the same random data."""

import numpy
import pytest
import pytrec_eval
from sklearn import metrics as sklearn

import sqlmetrics as sm
from sqlmetrics.book.catalog import catalog
from sqlmetrics.book.conventions import options_of, ties_of
from sqlmetrics.book.templates import macros
from support.boosters import CUTOFFS, lightgbm_reports, xgboost_reports
from support.evaluated import evaluated
from support.peers import as_rows, compare, judged_and_listed, random_lists, random_rows, rows_of
from support.seeds import seeds

SEEDS = seeds(5, 30)
LISTED = {"group": "group", "item": "item"}


@pytest.mark.slow
@pytest.mark.parametrize("positive", [None, 2])
@pytest.mark.parametrize("seed", SEEDS)
def test_trec_eval(seed, positive):
    """trec_eval takes the topics that are in both files."""
    qrels, run, facts = judged_and_listed(seed, levels=5)
    names = {
        "map": "map", "mrr": "recip_rank", "ndcg": "ndcg", "r_precision": "Rprec", "bpref": "bpref", "infap": "infAP",
    }  # fmt: skip
    for k in CUTOFFS:
        names |= {
            f"map@{k}": f"map_cut_{k}", f"ndcg@{k}": f"ndcg_cut_{k}", f"precision@{k}": f"P_{k}",
            f"recall@{k}": f"recall_{k}", f"hit_rate@{k}": f"success_{k}",
        }  # fmt: skip
    cut = ",".join(map(str, CUTOFFS))
    measures = [f"{measure}.{cut}" for measure in ("map_cut", "ndcg_cut", "P", "recall", "success")]
    evaluator = pytrec_eval.RelevanceEvaluator(
        qrels,
        {"map", "recip_rank", "ndcg", "Rprec", "bpref", "infAP", "gm_map", *measures},
        relevance_level=positive or 1,
    )
    topics = evaluator.evaluate(run).values()
    expected = {ours: numpy.mean([topic[peer] for topic in topics]) for ours, peer in names.items()}
    expected["gmap"] = numpy.exp(numpy.mean([topic["gm_map"] for topic in topics]))
    compare(expected, convention="trec_eval", positive=positive, **facts)


@pytest.mark.parametrize("two_tables", [False, True])
@pytest.mark.parametrize("seed", SEEDS)
def test_ties_of_numbered_items_of_trec_eval(seed, two_tables):
    """trec_eval compares document ids as texts: 9 is above 10."""
    draw = numpy.random.default_rng(seed)
    lists = {str(topic): draw.choice(range(1, 1500), 30, replace=False).tolist() for topic in range(6)}
    rows = [
        {
            "group": topic,
            "item": item,
            "label": int(draw.integers(0, 4)),
            "score": int(draw.integers(0, 3)) / 4,
        }
        for topic, items in lists.items()
        for item in items
    ]
    of = {topic: [row for row in rows if row["group"] == topic] for topic in lists}
    qrels = {topic: {str(row["item"]): row["label"] for row in of[topic]} for topic in lists}
    run = {topic: {str(row["item"]): row["score"] for row in of[topic]} for topic in lists}
    names = {
        "map": "map",
        "mrr": "recip_rank",
        "ndcg": "ndcg",
        "ndcg@10": "ndcg_cut_10",
        "recall@5": "recall_5",
    }
    topics = pytrec_eval.RelevanceEvaluator(qrels, {"map", "recip_rank", "ndcg", "ndcg_cut.10", "recall.5"})
    expected = {
        ours: numpy.mean([topic[peer] for topic in topics.evaluate(run).values()])
        for ours, peer in names.items()
    }
    truth = [{key: row[key] for key in ("group", "item", "label")} for row in rows] if two_tables else None
    if two_tables:
        rows = [{key: row[key] for key in ("group", "item", "score")} for row in rows]
    compare(expected, rows, truth=truth, **LISTED, convention="trec_eval")


@pytest.mark.parametrize("seed", SEEDS)
def test_lists_of_sklearn(seed):
    lists = random_lists(seed, grades=4)
    expected = {}
    for k in (None, *CUTOFFS):
        for name, peer in (("ndcg", sklearn.ndcg_score), ("dcg", sklearn.dcg_score)):
            values = [peer([labels], [scores], k=k) for labels, scores in lists.values()]
            expected[name if k is None else f"{name}@{k}"] = numpy.mean(values)
    compare(expected, rows_of(lists), group="group", convention="sklearn")


@pytest.mark.slow
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("seed", SEEDS)
def test_rows_of_sklearn(seed, weighted):
    data = random_rows(seed)
    label, score = data["label"], data["score"]
    given = {"sample_weight": data["weight"] if weighted else None}
    decided = score >= 0.5
    expected = {
        "log_loss": sklearn.log_loss(label, score, labels=[0, 1], **given),
        "brier": sklearn.brier_score_loss(label, score, **given),
        "accuracy": sklearn.accuracy_score(label, decided, **given),
        "precision": sklearn.precision_score(label, decided, zero_division=0, **given),
        "precision(threshold=2)": sklearn.precision_score(label, score > 2, zero_division=0, **given),
        "recall": sklearn.recall_score(label, decided, zero_division=0, **given),
        "f1": sklearn.f1_score(label, decided, zero_division=0, **given),
        "f_beta(beta=2)": sklearn.fbeta_score(label, decided, beta=2, zero_division=0, **given),
        "error_rate": sklearn.zero_one_loss(label, decided, **given),
        "mcc": sklearn.matthews_corrcoef(label, decided, **given),
        "jaccard": sklearn.jaccard_score(label, decided, zero_division=0, **given),
        "mape": sklearn.mean_absolute_percentage_error(label, score, **given),
        "pinball": sklearn.mean_pinball_loss(label, score, **given),
        "pinball(quantile=0.2)": sklearn.mean_pinball_loss(label, score, alpha=0.2, **given),
        "msle": sklearn.mean_squared_log_error(label, score, **given),
        "rmsle": sklearn.root_mean_squared_log_error(label, score, **given),
        "tweedie_deviance": sklearn.mean_tweedie_deviance(label, score, power=0, **given),
        "mse": sklearn.mean_squared_error(label, score, **given),
        "rmse": sklearn.root_mean_squared_error(label, score, **given),
        "mae": sklearn.mean_absolute_error(label, score, **given),
    }
    if len(set(label.tolist())) == 2:
        precision, recall, _ = sklearn.precision_recall_curve(label, score, **given)
        expected |= {
            "pr_auc": sklearn.auc(recall, precision),
            "auc(max_fpr=0.3)": sklearn.roc_auc_score(label, score, max_fpr=0.3, **given),
            "auc": sklearn.roc_auc_score(label, score, **given),
            "average_precision": sklearn.average_precision_score(label, score, **given),
            "r2": sklearn.r2_score(label, score, **given),
            "explained_variance": sklearn.explained_variance_score(label, score, **given),
            "d2_tweedie": sklearn.d2_tweedie_score(label, score, **given),
            "balanced_accuracy": sklearn.balanced_accuracy_score(label, decided, **given),
            "kappa": sklearn.cohen_kappa_score(label, decided, **given),
            **dict(
                zip(
                    ("tn", "fp", "fn", "tp"),
                    sklearn.confusion_matrix(label, decided, **given).flat,
                    strict=True,
                )
            ),
        }
    compare(expected, as_rows(data), weight="weight" if weighted else None, convention="sklearn")
    amounts = {**data, "label": label + 0.5, "score": score + 0.25}
    pair = amounts["label"], amounts["score"]
    expected = {
        "poisson_deviance": sklearn.mean_poisson_deviance(*pair, **given),
        "gamma_deviance": sklearn.mean_gamma_deviance(*pair, **given),
    }
    if not weighted:  # scikit-learn has weighted these in more than one way
        expected |= {
            "median_absolute_error": sklearn.median_absolute_error(*pair),
            "max_error": sklearn.max_error(*pair),
        }
        if len(set(label.tolist())) == 2:
            expected["d2_absolute_error"] = sklearn.d2_absolute_error_score(*pair)
            expected["d2_pinball"] = sklearn.d2_pinball_score(*pair)
    compare(expected, as_rows(amounts), weight="weight" if weighted else None, convention="sklearn")


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("seed", SEEDS)
def test_lists_of_lightgbm(seed, weighted):
    """An item of the list is its place: LightGBM's ties stand as they came."""
    lists = random_lists(seed, grades=4, longest=30)
    if weighted:
        # LightGBM counts an empty list 1, whatever its weight, and divides by all weights: no mean of anything.
        lists = {group: of_list for group, of_list in lists.items() if any(of_list[0])} or {"q": ([1], [0.5])}
    weights = {group: number % 4 + 1 if weighted else 1 for number, group in enumerate(lists)}
    sizes = [len(labels) for labels, _ in lists.values()]
    expected = lightgbm_reports(
        "lambdarank",
        ["ndcg", "map"],
        [label for labels, _ in lists.values() for label in labels],
        [score for _, scores in lists.values() for score in scores],
        group=sizes,
        weight=numpy.repeat(list(weights.values()), sizes) if weighted else None,
    )
    rows = [{**row, "weight": weights[row["group"]]} for row in rows_of(lists)]
    compare(expected, rows, **LISTED, weight="weight", convention="lightgbm")


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("seed", SEEDS)
def test_rows_of_lightgbm(seed, weighted):
    data = random_rows(seed)
    data["score"] = (data["score"] + 0.5) / 10  # the log-odds of 0 and 1 are no floats
    given = {"weight": data["weight"]} if weighted else {}
    facts = {"weight": "weight"} if weighted else {}
    names = {"binary_logloss": "log_loss", "auc": "auc", "average_precision": "average_precision"}
    if len(set(data["label"].tolist())) < 2:
        names = {"binary_logloss": "log_loss"}  # of a single class LightGBM says 1
    odds = numpy.log(data["score"] / (1 - data["score"]))
    reported = lightgbm_reports("binary", list(names), data["label"], odds, **given)
    compare({names[n]: v for n, v in reported.items()}, as_rows(data), convention="lightgbm", **facts)
    names = {
        "l2": "mse",
        "rmse": "rmse",
        "l1": "mae",
        "mape": "mape",
        "quantile": "pinball",
        "huber": "huber",
    }
    data["label"], data["score"] = data["label"] * 1.75, data["score"] * 8
    reported = lightgbm_reports("l2", list(names), data["label"], data["score"], **given)
    expected = {ours: reported[peer] for peer, ours in names.items()}
    compare(expected, as_rows(data), convention="lightgbm", **facts)


@pytest.mark.slow
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("seed", SEEDS)
def test_lists_of_xgboost(seed, weighted):
    lists = random_lists(seed, grades=4, longest=30)
    if weighted:  # see LightGBM
        lists = {group: of_list for group, of_list in lists.items() if any(of_list[0])} or {"q": ([1], [0.5])}
    weights = {group: number % 4 + 1 for number, group in enumerate(lists)}
    names = [f"ndcg@{k}" for k in CUTOFFS]
    for labels in (lambda grades: grades, lambda grades: [int(grade > 0) for grade in grades]):
        data = {group: (labels(grades), scores) for group, (grades, scores) in lists.items()}
        reported = xgboost_reports(
            "rank:ndcg",
            ["ndcg", *names],
            [label for labels, _ in data.values() for label in labels],
            [score for _, scores in data.values() for score in scores],
            [len(labels) for labels, _ in data.values()],
            list(weights.values()) if weighted else None,
        )
        rows = [{**row, "weight": weights[row["group"]]} for row in rows_of(data)]
        expected = {name.replace("pre@", "precision@"): value for name, value in reported.items()}
        compare(expected, rows, **LISTED, weight="weight" if weighted else None, convention="xgboost")
        # the others take 0 and 1 alone
        names = [f"{name}@{k}" for name in ("ndcg", "map", "pre") for k in CUTOFFS] + ["map"]


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("seed", SEEDS)
def test_rows_of_xgboost(seed, weighted):
    """XGBoost works in single precision where a loss is summed; its AUC is exact."""
    data = random_rows(seed)
    data["score"] = (data["score"] + 0.5) / 10
    facts = {"weight": "weight"} if weighted else {}
    weight = data["weight"] if weighted else None
    odds = numpy.log(data["score"] / (1 - data["score"]))
    reported = xgboost_reports("binary:logistic", ["logloss", "auc"], data["label"], odds, weight=weight)
    compare({"log_loss": reported["logloss"]}, as_rows(data), 1e-5, convention="xgboost", **facts)
    if len(set(data["label"].tolist())) == 2:
        compare({"auc": reported["auc"]}, as_rows(data), convention="xgboost", **facts)
    reported = xgboost_reports(
        "reg:squarederror", ["rmse", "mae", "rmsle"], data["label"], data["score"], weight=weight
    )
    compare(reported, as_rows(data), 1e-5, convention="xgboost", **facts)


@pytest.mark.slow
@pytest.mark.parametrize("seed", SEEDS)
def test_ranx(seed):
    """A run made comparable, as ranx calls it: a query that it lacks is an empty list. Ties have no order there."""
    ranx = pytest.importorskip("ranx")
    qrels, run, facts = judged_and_listed(seed, levels=0)
    names = {"mrr": "mrr", "map": "map", "ndcg": "ndcg", "dcg": "dcg", "r_precision": "r-precision"}
    for k in CUTOFFS:
        names |= {
            f"{name}@{k}": f"{name}@{k}"
            for name in ("mrr", "map", "ndcg", "dcg", "precision", "recall", "f1", "hit_rate")
        }
    peer = ranx.evaluate(ranx.Qrels(qrels), ranx.Run(run), list(names.values()), make_comparable=True)
    compare({ours: peer[name] for ours, name in names.items()}, convention="ranx", **facts)


def test_what_is_written_beats_the_convention():
    rows = [{"group": "a", "item": i, "label": y, "score": 0.5} for i, y in ((1, 0), (2, 2), (3, 1))]
    asked = "ndcg(gain=exponential)@2"
    assert evaluated([asked], rows, convention="trec_eval", **LISTED) == evaluated(
        [asked], rows, ties="item desc", **LISTED
    )
    worst = evaluated(["ndcg@2"], rows, convention="trec_eval", ties="worst", **LISTED)
    linear = evaluated(["ndcg(gain=linear)@2"], rows, ties="worst", **LISTED)
    assert list(worst.values()) == list(linear.values())


def test_a_metric_that_the_library_lacks_keeps_its_defaults_and_is_noted():
    rows = [{"g": "a", "i": i, "label": i % 2, "score": 0.5} for i in range(4)]
    report = sm.evaluate(
        rows, ["mrr", "gauc"], label="label", score="score", group="g", item="i", convention="trec_eval"
    )
    assert report.notes() == ["not in trec_eval, by our defaults: gauc"]


# --- what a convention is


STATED = [
    (name, macro)
    for name, convention in macros("duckdb")["conventions"]().items()
    for macro in [*convention["lists"], *convention["others"]]
]


@pytest.mark.slow
def test_a_convention_is_nothing_but_options_that_could_be_written(subtests):
    for name, macro in STATED:
        with subtests.test(name, macro=macro):
            metric, options = catalog()[f"metric_{macro}"], options_of(name, f"metric_{macro}")
            example = macros("duckdb")["parse_notation"](metric.example)["params"]
            cutoff = f"@{example['k']}" if "k" in example else ""
            example = {
                option: value for option, value in example.items() if option != "k" and option not in options
            }
            facts = {"label": "y", "score": "p", "group": "g", "item": "i", "positive": 1, "max_grade": 1}
            facts |= {"catalog": "c", "history": "h"} if metric.grain == "items" else {}
            # the one metric that has no average over ties
            ties = "item" if options.get("denominator") == "hits" else None
            under, written = (
                sm.render(
                    "t",
                    {
                        "x": f"{metric.name}({', '.join(f'{o}={value}' for o, value in given.items())}){cutoff}"
                    },
                    **more,
                    **facts,
                )
                for given, more in (
                    (example, {"convention": name, "ties": ties}),
                    ({**options, **example}, {"ties": ties or ties_of(name)}),
                )
            )
            # the heads say what was asked
            assert under.partition("\nwith")[2] == written.partition("\nwith")[2] != ""


#: the names of libraries in headers -> their conventions
LIBRARIES = {
    "trec_eval": "trec_eval", "scikit-learn": "sklearn", "LightGBM": "lightgbm", "XGBoost": "xgboost", "Spark": "spark",
    "ranx": "ranx", "torchmetrics": "torchmetrics", "RecBole": "recbole", "RecTools": "rectools",
}  # fmt: skip
#: metrics of a source that no option makes those of the library
UNLIKE = {
    ("sklearn", "quantile_loss"): "mean_pinball_loss takes one level",
    ("sklearn", "tpr"): "its recall has no such name",
    ("sklearn", "sensitivity"): "its recall has no such name",
    ("torchmetrics", "rms_calibration_error"): "its calibration_error takes norm=l2, which is a metric here",
    ("ranx", "cg"): "its hits are the cg of binary gains, which is a name of its own",
    ("rectools", "diversity"): "a list of one item has 0 there, and is left out here",
}


def test_a_convention_lists_what_headers_say_of_its_library(subtests):
    """A metric whose header names a library as its source is not noted as one that the library lacks."""
    for macro in catalog():
        with subtests.test(macro):
            said = catalog()[macro].doc.replace("\n    ", " ").splitlines()
            said = " ".join(line for line in said if line.strip().startswith(("Source:", "Aliases:")))
            for library, convention in LIBRARIES.items():
                if library in said and (convention, macro.removeprefix("metric_")) not in UNLIKE:
                    assert options_of(convention, macro) is not None, f"{convention}: {said}"


@pytest.mark.parametrize("seed", SEEDS)
def test_skills_of_sklearn(seed):
    data = random_rows(seed)
    data["label"][:2] = 0, 1  # one class has no skill
    data["score"][2:4] = 0, 1  # where scikit-learn clips
    expected = {
        "rig": sklearn.d2_log_loss_score(data["label"], data["score"], labels=[0, 1]),
        "brier_skill": sklearn.d2_brier_score(data["label"], data["score"], labels=[0, 1]),
    }
    compare(expected, as_rows(data), convention="sklearn")
    report = sm.evaluate(as_rows(data), list(expected), label="label", score="score", convention="sklearn")
    assert [note for note in report.notes() if "sklearn" in note] == []


@pytest.mark.parametrize(("name", "hint"), [("trec", " Did you mean 'trec_eval'?"), (3, "")])
def test_an_unknown_convention(name, hint):
    message = f"Unknown convention {name!r}.{hint} Known: trec_eval, sklearn, lightgbm, "
    with pytest.raises(sm.SqlMetricsError) as refused:
        sm.evaluate([{"y": 1, "p": 0.5}], "auc", label="y", score="p", convention=name)
    assert str(refused.value).startswith(message)
    with pytest.raises(sm.SqlMetricsError, match=f"Unknown convention '{name}'. Known: trec_eval, "):
        macros("duckdb")["evaluate"]("t", ["auc"], label="y", score="p", convention=name)


def test_ties_by_item_are_asked_of_lists_alone():
    rows = [{"label": label, "score": 0.5, "group": 1} for label in (0, 1)]
    assert evaluated(["auc"], rows, convention="lightgbm") == {"auc": 0.5}
    with pytest.raises(sm.SqlMetricsError, match="convention='lightgbm' has ties='item', which needs item="):
        evaluated(["ndcg@3"], rows, group="group", convention="lightgbm")


@pytest.mark.slow
def test_conventions_are_told():
    assert "  trec_eval: on_empty=zero, on_missing=skip, gain=linear, ties=text desc" in sm.describe("ndcg")
    told = {(row["convention"], row["metric"]): row for row in sm.conventions().to_dicts()}
    assert told["recbole", "gauc"]["options"] == "weight=positives"
    assert told["sklearn", "auc"] == {"convention": "sklearn", "metric": "auc", "ties": None, "options": ""}
