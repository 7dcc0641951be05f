"""ROC curves over every trust model."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.metrics import roc_auc_score

from dpcore import SeededNoise
from dpcore.errors import InvalidArgument
from dpcore.federated import TRUST_MODELS, FederatedEcdf, FederatedRoc, federated_roc, federation

GRID = np.linspace(1 / 64, 1.0, 64)
RNG = np.random.default_rng(1)
LABELS = RNG.integers(0, 2, 300)
SCORES = GRID[np.clip(RNG.normal(24 + 16 * LABELS, 12), 0, 63).astype(int)]


def roc(trust: str, epsilon: object) -> FederatedRoc:
    formed = federation(
        [SCORES[one::4] for one in range(4)],
        grid=GRID,
        classes=[LABELS[one::4] for one in range(4)],
        epsilon=epsilon,
        trust=trust,
        noise=SeededNoise(1),
    )
    return federated_roc(FederatedEcdf(formed, GRID))


@pytest.mark.parametrize("trust", TRUST_MODELS)
def test_without_noise_it_is_the_curve_of_the_scores(trust: str) -> None:
    curve = roc(trust, None)
    assert curve.auc == pytest.approx(roc_auc_score(LABELS, SCORES))
    for fpr, tpr, at in zip(curve.fpr, curve.tpr, curve.thresholds, strict=True):
        assert fpr == pytest.approx((SCORES[LABELS == 0] > at).mean())
        assert tpr == pytest.approx((SCORES[LABELS == 1] > at).mean())


@pytest.mark.parametrize("trust", TRUST_MODELS)
def test_a_noisy_curve_is_still_one(trust: str) -> None:
    curve = roc(trust, "0.5")
    for rates in (curve.fpr, curve.tpr):
        assert (rates[0], rates[-1]) == (0.0, 1.0)
        assert (np.diff(rates) >= 0).all()
    assert 0 < curve.auc < 1
    assert curve.simulated
    assert str(curve.charges[0].loss) == "epsilon 0.5"


def test_one_class_has_no_curve() -> None:
    formed = federation([SCORES], grid=GRID, epsilon=1, trust="trusted-curator")
    with pytest.raises(InvalidArgument, match="classes must be two"):
        federated_roc(FederatedEcdf(formed, GRID))
