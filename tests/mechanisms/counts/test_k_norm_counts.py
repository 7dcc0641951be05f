"""Exact L-infinity noise: the law by enumeration, the sampler against it, the loss."""

from __future__ import annotations

from itertools import product
from math import comb

import numpy as np
import pytest
from scipy import stats

from dpcore import Loss, Neighbors, SeededNoise, SystemNoise
from dpcore.errors import InvalidArgument
from dpcore.mechanisms.counts.k_norm_counts import KNormCounts, _log_differences, uniform_below
from tests.statistical.fit import FALSE_ALARM, chi_square_p


@pytest.mark.parametrize("noise", [SeededNoise(3), SystemNoise()])
def test_every_number_is_equally_likely(noise: SeededNoise | SystemNoise) -> None:
    counts = np.bincount(uniform_below(7, 20_000, noise), minlength=7)
    assert chi_square_p(counts, np.full(7, 1 / 7)) > FALSE_ALARM
    tilted = np.array([1.3] + [1.0] * 6)
    assert chi_square_p(counts, tilted / tilted.sum()) < FALSE_ALARM


def test_the_last_incomplete_turn_is_drawn_again() -> None:
    class Late:
        """First the last of 2^52 numbers, then the first."""

        answers = (1.0 - 2.0**-53, 0.0)
        asked = 0

        def uniform(self, size: int) -> np.ndarray:
            self.asked += 1
            return np.full(size, self.answers[self.asked - 1])

    source = Late()
    assert uniform_below(3, 1, source).tolist() == [0]  # type: ignore[arg-type]
    assert source.asked == 2


def test_one_choice() -> None:
    assert uniform_below(1, 3, SeededNoise(0)).tolist() == [0, 0, 0]


@pytest.mark.parametrize("power", [1, 2, 5, 60])
def test_differences_rebuild_the_polynomial(power: int) -> None:
    differences = np.exp(_log_differences(power)) if power < 9 else None
    if differences is None:
        assert np.isfinite(_log_differences(power)).all()
        return
    for k in range(6):
        rebuilt = sum(a * comb(k, j) for j, a in enumerate(differences))
        assert rebuilt == pytest.approx((2 * k + 1) ** power)


@pytest.mark.parametrize("size, epsilon", [(1, 0.7), (2, 0.7), (8, 0.2), (100, 1.0)])
def test_the_mixture_is_the_law_of_the_radius(size: int, epsilon: float) -> None:
    mechanism = KNormCounts(epsilon=epsilon)
    logs = _log_differences(size) + mechanism._log_stage(size)
    shares = np.exp(logs - logs.max())
    shares /= shares.sum()
    k = np.arange(0, int(3 * size / epsilon + 80 / epsilon))
    mixed = sum(
        share * stats.nbinom.pmf(k - j, j + 1, -np.expm1(-epsilon))
        for j, share in enumerate(shares)
    )
    law = -epsilon * k + size * np.log(2 * k + 1)
    law = np.exp(law - law.max())
    np.testing.assert_allclose(mixed, law / law.sum(), atol=1e-12)


def test_enumerated_noise_falls_by_epsilon_for_each_step_of_the_norm() -> None:
    """Sum over radii of the chance of each point, exactly as the sampler makes it."""
    epsilon, size = 0.8, 2
    k = np.arange(200)
    law = np.exp(-epsilon * k) * (2 * k + 1.0) ** size
    law /= law.sum()
    inside = law / (2 * k + 1.0) ** size
    for z in product(range(-3, 4), repeat=size):
        norm = max(map(abs, z))
        for step in product((-1, 0, 1), repeat=size):
            moved = max(abs(a + b) for a, b in zip(z, step, strict=True))
            ratio = np.log(inside[norm:].sum() / inside[moved:].sum())
            assert abs(ratio) <= epsilon + 1e-9
    assert np.log(inside[2:].sum() / inside[3:].sum()) == pytest.approx(epsilon)


@pytest.mark.few(1)
@pytest.mark.parametrize("noise", [SeededNoise(5), SystemNoise()])
def test_draws_follow_the_law(noise: SeededNoise | SystemNoise) -> None:
    mechanism, value = KNormCounts(epsilon=0.8), np.array([10, -4])
    draws = np.array([mechanism.draw(value, noise) - value for _ in range(2500)])
    places = np.arange(-25, 26)
    norms = np.maximum(np.abs(places)[:, np.newaxis], np.abs(places))
    observed = np.zeros(norms.shape, dtype=np.int64)
    np.add.at(observed, tuple((np.clip(draws, -25, 25) + 25).T), 1)
    for factor, fits in ((1.0, True), (0.7, False), (1.3, False)):
        chance = np.exp(-0.8 * factor * norms)
        p = chi_square_p(observed.ravel(), (chance / chance.sum()).ravel())
        assert (p > FALSE_ALARM) is fits, factor


def test_sensitivity_stretches_the_noise() -> None:
    wide = KNormCounts(epsilon=1, linf_sensitivity=3, neighbors=Neighbors.REPLACE)
    assert float(wide.rate) == pytest.approx(1 / 3)
    assert wide.loss == Loss(1)


def test_empty_and_shape() -> None:
    mechanism = KNormCounts(epsilon=1)
    assert mechanism.draw(np.zeros(0, dtype=np.int64), SeededNoise(0)).shape == (0,)
    assert mechanism.draw(np.zeros((2, 3), dtype=np.int64), SeededNoise(0)).shape == (2, 3)


def test_bad_arguments_are_named() -> None:
    with pytest.raises(InvalidArgument, match="epsilon"):
        KNormCounts(epsilon=0)
    with pytest.raises(InvalidArgument, match="linf_sensitivity"):
        KNormCounts(epsilon=1, linf_sensitivity=0)
    with pytest.raises(InvalidArgument, match="integers"):
        KNormCounts(epsilon=1).draw(np.zeros(2), SeededNoise(0))  # type: ignore[arg-type]
