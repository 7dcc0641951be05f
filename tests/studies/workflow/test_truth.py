"""Exact test figures."""

import numpy as np
import pytest

from dpcore.aggregates import ScoreHistogram
from dpcore.studies.workflow import Performance, Truth


def test_auc_is_that_of_the_scores():
    performance = Performance(ScoreHistogram.from_arrays([0, 0, 1, 1], [0.1, 0.6, 0.4, 0.9]), 0.75)
    assert performance.auc == pytest.approx(0.75)
    assert performance.auc is performance.auc


def test_the_curve_is_the_pair_of_rates():
    performance = Performance(ScoreHistogram.empty(), None)
    fpr, tpr = np.array([0.0, 1.0]), np.array([0.0, 1.0])
    truth = Truth(
        fpr=fpr,
        tpr=tpr,
        area=0.0,
        model=performance,
        noise_free=None,
        reference=None,
        n_train=0,
        n_test=0,
    )
    assert truth.curve[0] is fpr
    assert truth.curve[1] is tpr
