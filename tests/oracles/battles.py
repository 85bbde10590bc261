"""The models of Bradley and Terry (1952) and Davidson (1970) as they write them, maximized by scipy."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from scipy.optimize import minimize

#: The first model, the second, and who won: model_a, model_b or tie.
Battle = tuple[str, str, str]


def strengths(battles: Iterable[Battle]) -> dict[str, float]:
    """The log of the worth of each model, with mean 0."""
    battles = list(battles)
    models = sorted({model for a, b, _ in battles for model in (a, b)})
    ties = any(winner == "tie" for *_, winner in battles)

    def surprise(values: np.ndarray) -> float:
        worth, nu = dict(zip(models, np.exp(values), strict=False)), np.exp(values[-1]) if ties else 0
        total = 0.0
        for a, b, winner in battles:
            tied = nu * np.sqrt(worth[a] * worth[b])
            of = {"model_a": worth[a], "model_b": worth[b], "tie": tied}[winner]
            total -= np.log(of / (worth[a] + worth[b] + tied))
        return float(total + np.sum(values[: len(models)]) ** 2)

    found = minimize(surprise, np.zeros(len(models) + ties), method="BFGS", options={"gtol": 1e-9})
    values = found.x[: len(models)]
    return dict(zip(models, (values - values.mean()).tolist(), strict=True))
