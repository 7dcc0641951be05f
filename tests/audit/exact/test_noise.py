"""Perturbed regressions stay within their loss."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from scipy.stats import norm

from dpcore import Guarantee, Loss
from dpcore.audit import Pair, Target, exact_loss, mechanism_target
from dpcore.audit.exact.noise import (
    density_loss,
    epsilon_at,
    gaussian_epsilon,
    loss_of_fixed_outputs,
    worst_smooth_loss,
)
from dpcore.audit.mechanism_cases import mechanism_cases
from dpcore.mechanisms import (
    BlockObjective,
    GaussianPrefixes,
    Geometric,
    ObjectivePerturbation,
    PublishedSmoothMedians,
    SmoothMedians,
)
from dpcore.mechanisms.counts.additive import KNormCounts
from dpcore.mechanisms.regression.perturbation import OutputPerturbation
from dpcore.mechanisms.smooth.cauchy import cauchy_loss, cauchy_rate
from dpcore.privacy import Neighbors


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
        exact_loss(made, Pair(d=here, d_prime=np.eye(8, dtype=np.int64)[cell], words=""))
        for cell in range(8)
    ]
    assert 0.5 * epsilon < max(losses) <= epsilon


def pair(here: object, there: object) -> Pair:
    return Pair(d=np.array(here), d_prime=np.array(there), words="")


def test_k_norms_cost_the_largest_change() -> None:
    assert exact_loss(KNormCounts(epsilon=1), pair([1, 1], [2, 0])) == pytest.approx(1)
    assert exact_loss(KNormCounts(epsilon=1), pair([1, 1], [3, 1])) == pytest.approx(2)


def counting(cap: int) -> Target:
    """Publishes a count as it is, up to a cap."""

    def sample(data: Any, trials: int, noise: Any) -> np.ndarray:
        return np.full((trials, 1), min(int(data), cap), dtype=np.float64)

    return Target(
        name="count",
        loss=Loss(1),
        guarantee=Guarantee.broken("no noise"),
        neighbors=Neighbors.ADD_REMOVE,
        sample=sample,
    )


@pytest.mark.parametrize("cap, loss", [(10, math.inf), (3, 0.0)])
def test_only_outputs_that_differ_give_the_data_away(cap: int, loss: float) -> None:
    assert loss_of_fixed_outputs(counting(cap), Pair(d=3, d_prime=4, words="")) == loss


def test_noise_is_another_matter() -> None:
    pair = Pair(d=np.array([3]), d_prime=np.array([4]), words="")
    assert loss_of_fixed_outputs(mechanism_target(Geometric(epsilon=1)), pair) is None


def test_smooth_noise_with_delta() -> None:
    here, there = np.log([0.5, 0.5]), np.log([0.9, 0.1])
    assert epsilon_at(0.0, here, there) == pytest.approx(math.log(5))
    # 0.9 - 0.5 e^x and 0.5 - 0.1 e^x are both at most 0.1.
    assert epsilon_at(0.1, here, there) == pytest.approx(math.log(4))


def test_cauchy_densities_and_the_hyperbolic_distance() -> None:
    for shift, scale, other in [(1, 1, 1), (0.2, 1, 3), (2, 0.5, 0.4)]:
        assert density_loss(shift, scale, other) == pytest.approx(
            cauchy_loss(shift, scale, other), abs=1e-6
        )
    # A tenth less noise than the exact rate gives is too little.
    assert worst_smooth_loss(0.5, cauchy_rate(1, 0.5)) <= 1 + 1e-9
    assert worst_smooth_loss(0.5, 1.1 * cauchy_rate(1, 0.5)) > 1.05


def worst(mechanism: type[Any], neighbors: Neighbors) -> float:
    return max(
        loss
        for case in mechanism_cases(mechanism, neighbors)
        for pair in case.pairs
        if (loss := exact_loss(case.mechanism, pair)) is not None
    )


@pytest.mark.parametrize("neighbors", list(Neighbors))
def test_medians(neighbors: Neighbors) -> None:
    assert 0.3 < worst(SmoothMedians, neighbors) <= 1.0
    assert worst(PublishedSmoothMedians, neighbors) > 1.1
    two = SmoothMedians(epsilon=1, positions=np.linspace(0.0, 1.0, 9), cuts=np.array([0, 4, 8]))
    counts = np.arange(9)
    assert exact_loss(two, Pair(d=counts, d_prime=counts, words="", neighbors=neighbors)) is None


@pytest.mark.few(1)
@pytest.mark.parametrize("mechanism", [BlockObjective, ObjectivePerturbation, OutputPerturbation])
def test_half_the_noise_costs_more(mechanism: type[Any], monkeypatch: pytest.MonkeyPatch) -> None:
    rate = mechanism.rate.fget
    monkeypatch.setattr(mechanism, "rate", property(lambda self: 2 * rate(self)))
    assert worst(mechanism, Neighbors.ADD_REMOVE) > 1.2


@pytest.mark.spanning
@pytest.mark.parametrize("neighbors", list(Neighbors))
@pytest.mark.parametrize("mechanism", [BlockObjective, ObjectivePerturbation, OutputPerturbation])
def test_regressions(mechanism: type[Any], neighbors: Neighbors) -> None:
    assert 0.2 < worst(mechanism, neighbors) <= 1.0
