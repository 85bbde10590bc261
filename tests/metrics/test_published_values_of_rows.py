"""Values of metrics of rows that other tools print in their documentation."""

import pytest

from support.worked import Worked, check, named, scored

# scikit-learn 1.9, docstrings of sklearn.metrics; the matrix of decisions gives each of its cells.
REGRESSION = scored([3, -0.5, 2, 7], [2.5, 0, 2, 8])
LOGARITHMS = scored([3, 5, 2.5, 7], [2.5, 5, 4, 8])
WITH_A_ZERO = scored([1, 0, 2.4, 7], [1.2, 0.1, 2.4, 8])
EPSILON = 2.220446049250313e-16
COUNTS = scored([2, 0, 1, 4], [0.5, 0.5, 2, 2])
AMOUNTS = scored([2, 0.5, 1, 4], [0.5, 0.5, 2, 2])
DEVIANCES = scored([0.5, 1, 2.5, 7], [1, 1, 5, 3.5])
QUANTILES = scored([1, 2, 3], [1, 3, 3])
CELLS = scored([0, 1, 0, 1], [1, 1, 1, 0])
BALANCE = scored([0, 1, 0, 0, 1, 0], [0, 1, 0, 0, 0, 1])

# torchmetrics 1.9, docstrings of torchmetrics.functional.regression.
SIZES = scored([1, 10, 1e6], [0.9, 15, 1.2e6])
LOG_COSH = scored([2.5, 5, 4, 8], [3, 5, 2.5, 7])

# MADlib, documentation of the prediction metrics: pairs of prediction and observation.
MADLIB = scored([53.1, 34.2, 65.4, 82.1], [37.5, 12.3, 74.2, 91.1])

# Wikipedia, Diagnostic testing example: 30 patients with bowel cancer and 2000 without.
PATIENTS = scored([1, 1, 0, 0], [1, 0, 1, 0], [20, 10, 180, 1820])

# fmt: off
PUBLISHED = [
    Worked("scikit-learn, median_absolute_error", "median_absolute_error", 0.5, REGRESSION),
    Worked("scikit-learn, explained_variance_score", "explained_variance", 0.957173447537473, REGRESSION),
    Worked("scikit-learn, max_error", "max_error", 1, scored([3, 2, 7, 1], [4, 2, 7, 1])),
    Worked("scikit-learn, mean_absolute_percentage_error", "mape", 0.3273809523809524, REGRESSION),
    Worked("scikit-learn, division by epsilon", f"mape(zero_target={EPSILON})", 112589990684262.48, WITH_A_ZERO),
    Worked("the rest of the same", "mape", (0.2 + 0 + 1 / 7) / 3, WITH_A_ZERO),
    Worked("scikit-learn, mean_squared_log_error", "msle", 0.03973012298459379, LOGARITHMS),
    Worked("scikit-learn, root_mean_squared_log_error", "rmsle", 0.1993, LOGARITHMS, digits=4),
    Worked("scikit-learn, mean_poisson_deviance", "poisson_deviance", 1.42605, COUNTS, digits=4),
    Worked("scikit-learn, mean_tweedie_deviance", "tweedie_deviance(power=1)", 1.42605, COUNTS, digits=4),
    Worked("scikit-learn, mean_gamma_deviance", "gamma_deviance", 1.05685, AMOUNTS, digits=4),
    Worked("scikit-learn, mean_pinball_loss", "pinball(quantile=0.1)", 0.1 / 3, scored([1, 2, 3], [0, 2, 3])),
    Worked("scikit-learn, mean_pinball_loss", "pinball(quantile=0.9)", 0.9 / 3, scored([1, 2, 3], [0, 2, 3])),
    Worked("scikit-learn, d2_tweedie_score", "d2_tweedie", 0.2855, DEVIANCES, digits=3),
    Worked("scikit-learn, d2_tweedie_score", "d2_tweedie(power=1)", 0.4875, DEVIANCES, digits=3),
    Worked("scikit-learn, d2_tweedie_score", "d2_tweedie(power=2)", 0.6305, DEVIANCES, digits=3),
    Worked("scikit-learn, d2_pinball_score", "d2_pinball", 0.5, QUANTILES),
    Worked("scikit-learn, d2_pinball_score", "d2_pinball(quantile=0.9)", 2 / 3, QUANTILES),
    Worked("scikit-learn, d2_pinball_score", "d2_pinball(quantile=0.1)", -2, QUANTILES),
    Worked("scikit-learn, d2_absolute_error_score", "d2_absolute_error", 0.7645, REGRESSION, digits=3),
    Worked("scikit-learn, d2_absolute_error_score", "d2_absolute_error", -1, scored([1, 2, 3], [3, 2, 1])),
    Worked("scikit-learn, confusion_matrix", "tn", 0, CELLS),
    Worked("scikit-learn, confusion_matrix", "fp", 2, CELLS),
    Worked("scikit-learn, confusion_matrix", "fn", 1, CELLS),
    Worked("scikit-learn, confusion_matrix", "tp", 1, CELLS),
    Worked("scikit-learn, matthews_corrcoef", "mcc", -1 / 3, scored([1, 1, 1, 0], [1, 0, 1, 1])),
    Worked("scikit-learn, balanced_accuracy_score", "balanced_accuracy", 0.625, BALANCE),
    Worked("scikit-learn, jaccard_score", "jaccard", 2 / 3, scored([0, 1, 1], [1, 1, 1])),
    Worked("torchmetrics, mean_absolute_percentage_error", "mape", 0.2667, SIZES, digits=4),
    Worked("torchmetrics, symmetric_mean_absolute_percentage_error", "smape", 0.2290, SIZES, digits=4),
    Worked("torchmetrics, log_cosh_error", "log_cosh", 0.3523, LOG_COSH, digits=4),
    Worked("torchmetrics, pearson_corrcoef", "pearson", 0.9849, REGRESSION, digits=4),
    Worked("torchmetrics, spearman_corrcoef", "spearman", 1, REGRESSION),
    Worked("Keras, LogCosh", "log_cosh", 0.108445205, scored([0, 1, 0, 0], [1, 1, 0, 0]), digits=7),
    Worked("Keras, LogCosh of the first pair", "log_cosh", 0.21689041, scored([0, 1], [1, 1]), digits=7),
    Worked("Keras, concordance_correlation", "concordance", 0.97560976, scored([0, 1, 0.5], [0.1, 0.9, 0.5]), digits=8),
    Worked("Keras, concordance_correlation", "concordance", 0.98765432, scored([1, 1, 0.2], [1, 0.9, 0.2]), digits=8),
    Worked("MADlib, mean_abs_perc_error", "mape", 0.294578793636013, MADLIB),
    # Wikipedia, Cohen's kappa: 50 proposals read by two readers, 20 and 15 of them alike.
    Worked("Wikipedia, Cohen's kappa", "kappa", 0.4, scored([1, 1, 0, 0], [1, 0, 1, 0], [20, 5, 10, 15])),
    Worked("PMC5587785, table 2", "mcc", 0.41, scored([1, 0, 0], [1, 1, 0], [9, 7, 3]), digits=2),
    *(
        Worked("Wikipedia, diagnostic testing", notation, expected, PATIENTS, digits=digits)
        for notation, expected, digits in [
            ("sensitivity", 0.667, 3), ("tpr", 0.667, 3), ("tnr", 0.91, 3), ("fpr", 0.09, 3), ("fnr", 0.333, 3),
            ("npv", 0.9945, 4), ("false_discovery_rate", 0.9, 3), ("false_omission_rate", 0.0055, 4),
        ]
    ),
]
# fmt: on


@pytest.mark.parametrize("worked", PUBLISHED, ids=named)
def test_published_value(worked):
    check(worked)
