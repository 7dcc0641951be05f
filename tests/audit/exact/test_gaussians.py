"""Gaussian noise on running counts, against the formula of the analytic Gaussian mechanism."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import norm

from dpcore.audit import Pair, exact_loss
from dpcore.audit.exact.gaussians import gaussian_epsilon
from dpcore.mechanisms import GaussianPrefixes


@pytest.mark.parametrize("shift", [0.1, 1.0, 3.0])
@pytest.mark.parametrize("delta", [1e-8, 1e-3])
def test_delta_is_needed_at_that_epsilon_and_not_above(shift: float, delta: float) -> None:
    epsilon = gaussian_epsilon(shift, delta)
    needed = norm.cdf(shift / 2 - epsilon / shift) - np.exp(epsilon) * norm.cdf(
        -shift / 2 - epsilon / shift
    )
    assert needed == pytest.approx(delta, rel=1e-6)


def test_no_shift_costs_nothing() -> None:
    assert gaussian_epsilon(0.0, 1e-6) == 0.0
    assert gaussian_epsilon(1e-9, 1e-6) == 0.0


@pytest.mark.parametrize("epsilon, delta", [(1, 1e-6), (0.3, 1e-9)])
def test_running_counts_keep_their_loss_without_much_slack(epsilon: float, delta: float) -> None:
    made, here = GaussianPrefixes(epsilon=epsilon, delta=delta), np.zeros(8, dtype=np.int64)
    losses = [
        exact_loss(made, Pair(here=here, there=np.eye(8, dtype=np.int64)[cell], words=""))
        for cell in range(8)
    ]
    assert 0.5 * epsilon < max(losses) <= epsilon
