"""Noise of one law for several one-hot blocks: its density, and draws that follow it."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from scipy import stats

from dpcore import SeededNoise
from dpcore.errors import InvalidArgument
from dpcore.mechanisms.regression.signed_blocks import SignedBlocks
from dpcore.mechanisms.samplers.norm_noise import LaplaceVector
from tests.statistical.fit import FALSE_ALARM, continuous_p

SIZES = [(1,), (3,), (1, 1), (2, 2), (1, 2, 3)]
# The mean of so many squares is off by 3.7 % of the expected one: the tolerances below are five of
# its deviations, and noise of another scale, by 30 %, is off by half of it.
DRAWS = 4_000


@cache
def drawn(sizes: tuple[int, ...]) -> np.ndarray:
    """At a scale of 4; what each of them says is looked at more than once."""
    law, noise = SignedBlocks(rate=0.25, sizes=sizes), SeededNoise(1)
    return np.array([law.sample(noise) for _ in range(DRAWS)])


def norms(law: SignedBlocks, points: np.ndarray) -> np.ndarray:
    """P + N, block by block."""
    blocks = np.split(points, np.cumsum(law.sizes)[:-1], axis=1)
    above, below = (
        np.max([np.clip(sign * one, 0, None).sum(axis=1) for one in blocks], axis=0)
        for sign in (1, -1)
    )
    return np.asarray(above + below)


@pytest.mark.parametrize("sizes", SIZES)
def test_the_norm_of_draws_is_gamma(sizes: tuple[int, ...]) -> None:
    found = norms(SignedBlocks(rate=0.25, sizes=sizes), drawn(sizes))
    for factor in (0.8, 1.0, 1.25):
        p = continuous_p(factor * found, stats.gamma(sum(sizes), scale=4.0).cdf)
        assert (p > FALSE_ALARM) is (factor == 1.0), factor


@pytest.mark.parametrize("sizes", SIZES)
def test_draws_over_their_norm_are_as_those_of_uniform_points(sizes: tuple[int, ...]) -> None:
    """Uniform points of the unit ball, by rejection from the cube: the same second moments."""
    law, rng = SignedBlocks(rate=0.25, sizes=sizes), np.random.default_rng(0)
    cube = rng.uniform(-1, 1, size=(200_000, sum(sizes)))
    inside = cube[norms(law, cube) <= 1]
    size = sum(sizes)
    expected = (inside**2).mean(axis=0) * (size + 1) * (size + 2) * 16
    np.testing.assert_allclose(law.column_variances, expected, rtol=0.05)
    found = drawn(sizes)
    np.testing.assert_allclose((found**2).mean(axis=0), law.column_variances, rtol=0.18)
    # The norm, whose law is above, is expected to have a square of 16 D (D + 1): told apart from it
    # variances are known to 12 %, by as many deviations.
    shape = found / norms(law, found)[:, np.newaxis]
    told = law.column_variances / (16 * size * (size + 1))
    np.testing.assert_allclose((shape**2).mean(axis=0), told, rtol=0.12)
    # Entries of one block repel one another, those of two go together.
    known = inside / norms(law, inside)[:, np.newaxis]
    np.testing.assert_allclose(shape.T @ shape / DRAWS, known.T @ known / len(known), atol=0.03)
    assert np.abs(found.mean(axis=0) / np.sqrt(law.column_variances)).max() < 0.08


def test_one_block_follows_laplace() -> None:
    law, noise = SignedBlocks(rate=0.5, sizes=(4,)), SeededNoise(1)
    plain = LaplaceVector(rate=0.5, dimension=4)
    np.testing.assert_allclose(law.column_variances, plain.column_variances, rtol=1e-6)
    vector = np.array([1.0, -2.0, 0.5, 0.0])
    assert law.log_density(vector) == pytest.approx(plain.log_density(vector))
    for entry in np.array([law.sample(noise) for _ in range(2_000)]).T:
        assert continuous_p(entry, stats.laplace(scale=2.0).cdf) > FALSE_ALARM


def test_many_pairs_have_a_sixth_of_the_variance_of_independent_noise() -> None:
    alone = 20**2 * LaplaceVector(rate=1.0, dimension=2).variance * 20
    assert SignedBlocks(rate=1.0, sizes=(2,) * 20).variance == pytest.approx(alone / 6, rel=0.2)


@pytest.mark.parametrize("arguments", [{"rate": 0}, {"sizes": ()}, {"sizes": (2, 0)}])
def test_bad_arguments_are_named(arguments: dict[str, object]) -> None:
    with pytest.raises(InvalidArgument, match=next(iter(arguments))):
        SignedBlocks(**({"rate": 1.0, "sizes": (2,)} | arguments))  # type: ignore[arg-type]
