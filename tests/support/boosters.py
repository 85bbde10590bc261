"""LightGBM and XGBoost as judges: what they report of given scores, without a tree."""

import lightgbm
import numpy
import pytest

CUTOFFS = (1, 3, 10, 100)


def lightgbm_reports(objective, names, label, score, **given):
    """What LightGBM reports of scores that come from elsewhere: no tree, the scores as the start."""
    data = lightgbm.Dataset(
        numpy.arange(len(label)).reshape(-1, 1), label, init_score=numpy.array(score, float), **given
    )
    parameters = {
        "objective": objective, "metric": names, "eval_at": list(CUTOFFS), "min_data_in_leaf": 1, "min_data_in_bin": 1,
        "feature_pre_filter": False, "boost_from_average": False, "num_threads": 1, "verbosity": -1,
    }  # fmt: skip
    return {name: value for _, name, value, _ in lightgbm.Booster(parameters, data).eval_train()}


def xgboost_reports(objective, names, label, score, group=None, weight=None):
    """What XGBoost reports of scores that come from elsewhere: no tree, the scores as the margin to start from."""
    xgboost = pytest.importorskip("xgboost")
    data = xgboost.DMatrix(numpy.zeros((len(label), 1)), label, weight=None if group else weight)
    if group:
        data.set_group(group)
        if weight is not None:
            data.set_weight(weight)
    data.set_base_margin(numpy.array(score, numpy.float32))
    booster = xgboost.Booster({"objective": objective, "eval_metric": names}, [data])
    pairs = [part.rsplit(":", 1) for part in booster.eval(data, "").split("\t")[1:]]
    return {name.removeprefix("-"): float(value) for name, value in pairs}
