"""The same random probabilities in uncertainty-calibration, the library of Kumar et al. (2019), and in statsmodels."""

import numpy
import pytest
import statsmodels.api as statsmodels

from support.peers import as_rows, compare
from support.seeds import seeds

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("seed", seeds(3))
def test_calibration_errors_of_kumar(seed):
    calibration = pytest.importorskip("calibration", reason="uncertainty-calibration is not installed")
    draw = numpy.random.default_rng(seed)
    score = draw.random(150)
    label = (draw.random(150) < score ** (1, 1.5)[seed % 2]).astype(int)
    expected = {}
    for bins in (4, 15, 60):
        edges = [*numpy.linspace(0, 1, bins + 1)[1:]]
        binned = calibration.utils.bin(list(zip(score, label, strict=True)), edges)
        squared = calibration.utils.plugin_ce(binned) ** 2, calibration.utils.unbiased_square_ce(binned)
        expected |= {
            f"brier_reliability(bins={bins})": squared[0],
            f"rms_calibration_error(bins={bins})": squared[0] ** 0.5,
            f"debiased_calibration_error(bins={bins})": max(squared[1], 0) ** 0.5,
        }
    compare(expected, as_rows({"label": label, "score": score}))


@pytest.mark.parametrize("seed", seeds(3))
def test_recalibration_of_statsmodels(seed):
    draw = numpy.random.default_rng(seed)
    logit = draw.normal(-1 - seed, 1.5, 300)
    label = (draw.random(300) < 1 / (1 + numpy.exp(0.5 - 0.6 * logit))).astype(int)
    weight = draw.integers(1, 4, 300)
    line = statsmodels.GLM(
        label, statsmodels.add_constant(logit), statsmodels.families.Binomial(), freq_weights=weight
    ).fit(tol=1e-14)
    shift = statsmodels.GLM(
        label, numpy.ones(300), statsmodels.families.Binomial(), offset=logit, freq_weights=weight
    ).fit(tol=1e-14)
    expected = {"calibration_slope": line.params[1], "calibration_intercept": shift.params[0]}
    rows = as_rows({"label": label, "score": 1 / (1 + numpy.exp(-logit)), "weight": weight})
    compare(expected, rows, weight="weight")
