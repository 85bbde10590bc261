"""uncertainty-calibration, the library of Kumar et al. (2019), on the same random probabilities and bins."""

import numpy
import pytest

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
