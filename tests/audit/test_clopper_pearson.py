"""Confidence limits: exact coverage, by summing binomials."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import binom

from dpcore.audit.clopper_pearson import loss_bound, lower_limit, upper_limit


@pytest.mark.parametrize("chance", [0.003, 0.2, 0.5, 0.99])
@pytest.mark.parametrize("risk", [0.2, 1e-3])
def test_limits_miss_with_at_most_the_risk(chance: float, risk: float) -> None:
    n = 60
    hits, weights = np.arange(n + 1), binom(n, chance).pmf(np.arange(n + 1))
    low, high = lower_limit(hits, n, risk), upper_limit(hits, n, risk)
    assert weights[low > chance].sum() <= risk
    assert weights[high < chance].sum() <= risk
    # And they are limits of that risk, not of a tenth of it.
    assert binom(n, low[30]).sf(29) == pytest.approx(risk)
    assert binom(n, high[30]).cdf(30) == pytest.approx(risk)


def test_ends() -> None:
    assert lower_limit(np.array([0]), 10, 0.1)[0] == 0.0
    assert upper_limit(np.array([10]), 10, 0.1)[0] == 1.0


def test_loss_bound_covers() -> None:
    """Over all pairs of counts, the bound exceeds the true log-ratio with at most the risk."""
    n, p, q, risk = 40, 0.6, 0.3, 0.05
    hits = np.arange(n + 1)
    here, there = np.meshgrid(hits, hits, indexing="ij")
    chance = np.outer(binom(n, p).pmf(hits), binom(n, q).pmf(hits))
    bounds = loss_bound(here, there, n, risk=risk)
    assert chance[bounds > np.log(p / q)].sum() <= risk
    excused = loss_bound(here, there, n, risk=risk, delta=0.3)
    assert (excused <= bounds).all()
    assert chance[excused > np.log((p - 0.3) / q) + 1e-12].sum() <= risk
