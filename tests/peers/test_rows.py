"""scikit-learn and scipy on the same random rows: decisions, probabilities, numbers and amounts, weighted or not."""

import numpy
import pytest
import scipy.special
import scipy.stats
from sklearn import metrics as sklearn

from support.peers import as_rows, compare, random_rows
from support.seeds import seeds

SEEDS = seeds(8)
AVERAGED = hasattr(sklearn, "d2_brier_score")  # from 1.8 on a quantile is the mean of the two middle values
pytestmark = pytest.mark.filterwarnings("ignore::UserWarning", "ignore::RuntimeWarning")


def weights_of(data, weighted):
    return ({"sample_weight": data["weight"]}, "weight") if weighted else ({}, None)


@pytest.mark.slow
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("seed", SEEDS)
def test_decisions_against_scikit_learn(seed, weighted):
    data = random_rows(seed, positives=(0.05, 0.4)[seed % 2])
    weights, column = weights_of(data, weighted)
    expected = {}
    for threshold in (0.25, 0.5, 1):
        label, decision = data["label"], (data["score"] >= threshold).astype(int)
        cells = sklearn.confusion_matrix(label, decision, labels=[0, 1], **weights)
        (tn, fp), (fn, tp) = cells
        asked = f"threshold={threshold}"
        expected |= {
            f"{name}({asked})": cell for name, cell in zip(("tn", "fp", "fn", "tp"), cells.flat, strict=True)
        }
        recall, specificity = (hit / all_ if all_ else None for hit, all_ in ((tp, tp + fn), (tn, tn + fp)))
        both = recall is not None and specificity is not None
        kappa = sklearn.cohen_kappa_score(label, decision, labels=[0, 1], **weights)
        likelihood = sklearn.class_likelihood_ratios(label, decision, labels=[0, 1], **weights)
        npv = sklearn.precision_score(1 - label, 1 - decision, zero_division=0, **weights)
        expected |= {
            f"tpr({asked},zero_division=0)": sklearn.recall_score(
                label, decision, zero_division=0, **weights
            ),
            f"npv({asked},zero_division=0)": npv,
            f"jaccard({asked},zero_division=0)": sklearn.jaccard_score(
                label, decision, zero_division=0, **weights
            ),
            f"mcc({asked},zero_division=0)": sklearn.matthews_corrcoef(label, decision, **weights),
            f"kappa({asked})": None if numpy.isnan(kappa) else kappa,
            f"balanced_accuracy({asked})": sklearn.balanced_accuracy_score(label, decision, **weights)
            if both
            else None,
            f"informedness({asked})": sklearn.balanced_accuracy_score(
                label, decision, adjusted=True, **weights
            )
            if both
            else None,
            f"balanced_accuracy({asked},adjusted=true)": sklearn.balanced_accuracy_score(
                label, decision, adjusted=True, **weights
            )
            if both
            else None,
            **{
                f"{kind}_likelihood_ratio({asked})": None if numpy.isnan(of_kind) else of_kind
                for kind, of_kind in zip(("positive", "negative"), likelihood, strict=True)
            },
            f"fpr({asked})": None if specificity is None else 1 - specificity,
            f"fnr({asked})": None if recall is None else 1 - recall,
        }
    compare(expected, as_rows(data), weight=column)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("seed", SEEDS)
def test_probabilities_against_scikit_learn(seed, weighted):
    data = random_rows(seed)
    data["label"][:2] = 0, 1
    data["score"] = (data["score"] + 0.01) / 1.02
    weights, column = weights_of(data, weighted)
    label, score = data["label"], data["score"]
    base = numpy.full(label.size, numpy.average(label, weights=data["weight"] if weighted else None))
    loss, of_base = (sklearn.log_loss(label, p, **weights) for p in (score, base))
    brier, brier_of_base = (sklearn.brier_score_loss(label, p, **weights) for p in (score, base))
    expected = {
        "hinge": sklearn.hinge_loss(label, score, **weights),
        "rig": sklearn.d2_log_loss_score(label, score, **weights),
        "base_log_loss": of_base,
        "normalized_entropy": loss / of_base,
        "brier_skill": 1 - brier / brier_of_base,
    }
    compare(expected, as_rows(data), weight=column)


def random_numbers(seed, offset=0.0):
    """Numbers with ties, around a label that may lie far from 0."""
    draw = numpy.random.default_rng(seed)
    size = int(draw.integers(4, 80))
    label = offset + numpy.round(draw.normal(0, 3, size), 1)
    score = numpy.round(label + draw.normal(0.5, 2, size) * draw.integers(0, 2, size), 1)
    return {
        "label": label,
        "score": score,
        "weight": draw.integers(0, 7, size) / 2 + (numpy.arange(size) < 2),
    }


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("seed", SEEDS)
def test_numbers_against_scikit_learn(seed, weighted):
    data = random_numbers(seed, offset=10.0 * (seed % 4))
    weights, column = weights_of(data, weighted)
    pair = data["label"], data["score"]
    expected = {
        "explained_variance": sklearn.explained_variance_score(*pair, **weights),
        "mape(zero_target=2.220446049250313e-16)": sklearn.mean_absolute_percentage_error(*pair, **weights),
        "d2_tweedie": sklearn.d2_tweedie_score(*pair, power=0, **weights),
    }
    for quantile in (0.1, 0.5, 0.75):
        asked = f"pinball(quantile={quantile})"
        expected[asked] = sklearn.mean_pinball_loss(*pair, alpha=quantile, **weights)
        if AVERAGED:
            expected[f"d2_{asked}"] = sklearn.d2_pinball_score(*pair, alpha=quantile, **weights)
    if AVERAGED or not weighted:
        expected["median_absolute_error"] = sklearn.median_absolute_error(*pair, **weights)
        expected["d2_absolute_error"] = sklearn.d2_absolute_error_score(*pair, **weights)
    if not weighted:
        expected |= {
            "max_error": sklearn.max_error(*pair),
            "pearson": scipy.stats.pearsonr(*pair).statistic,
            "spearman": scipy.stats.spearmanr(*pair).statistic,
            "kendall_tau": scipy.stats.kendalltau(*pair).statistic,
        }
    compare(expected, as_rows(data), weight=column)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("seed", SEEDS)
def test_amounts_against_scikit_learn(seed, weighted):
    data = random_numbers(seed)
    data["label"], data["score"] = (numpy.exp(data[name] / 3) for name in ("label", "score"))
    weights, column = weights_of(data, weighted)
    pair = data["label"], data["score"]
    expected = {
        "msle": sklearn.mean_squared_log_error(*pair, **weights),
        "rmsle": sklearn.root_mean_squared_log_error(*pair, **weights),
        "poisson_deviance": sklearn.mean_poisson_deviance(*pair, **weights),
        "gamma_deviance": sklearn.mean_gamma_deviance(*pair, **weights),
    }
    for power in (0, 1, 1.5, 2, 3):
        expected |= {
            f"tweedie_deviance(power={power})": sklearn.mean_tweedie_deviance(*pair, power=power, **weights),
            f"d2_tweedie(power={power})": sklearn.d2_tweedie_score(*pair, power=power, **weights),
        }
    compare(expected, as_rows(data), weight=column)


@pytest.mark.parametrize("seed", SEEDS)
def test_huber_and_log_cosh_against_scipy(seed):
    data = random_numbers(seed)
    error = data["score"] - data["label"]
    compare(
        {
            "huber": scipy.special.huber(1, error).mean(),
            "huber(delta=2.5)": scipy.special.huber(2.5, error).mean(),
            "log_cosh": (numpy.logaddexp(error, -error) - numpy.log(2)).mean(),
        },
        as_rows(data),
    )
