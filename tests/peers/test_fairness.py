"""fairlearn on the same random decisions."""

from typing import Any

import numpy
import pytest
from fairlearn import metrics as fairlearn

import sqlmetrics as sm
from support.seeds import seeds

GAPS = [
    f"{rate}_{gap}"
    for rate in ("demographic_parity", "equal_opportunity", "equalized_odds")
    for gap in ("difference", "ratio")
]


@pytest.mark.slow
@pytest.mark.parametrize("seed", seeds(3))
def test_gaps(seed: int) -> None:
    draw = numpy.random.default_rng(seed)
    sex = draw.choice(["f", "m", "x"], 200)
    label = (draw.random(200) < 0.4).astype(int)
    decision = (0.3 * label + 0.2 * (sex == "f") + draw.random(200) > 0.8).astype(int)
    weight = draw.integers(1, 7, 200) / 2
    further: dict[str, Any] = {"sensitive_features": sex, "sample_weight": weight}
    expected = {name: getattr(fairlearn, name)(label, decision, **further) for name in GAPS}
    expected["selection_rate"] = fairlearn.selection_rate(label, decision, sample_weight=weight)
    data = {"y": label, "d": decision, "sex": sex, "w": weight}
    asked = {name: f"{name}(sensitive=sex)" if name in GAPS else name for name in expected}
    [row] = sm.evaluate(data, asked, label="y", prediction="d", weight="w").to_dicts()
    assert {name: row[name] for name in expected} == pytest.approx(expected, rel=1e-12, abs=1e-12)
