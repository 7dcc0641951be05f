"""Counts under overlapping tents: calibration, shape, inputs."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from dpcore import Loss, Neighbors, SeededNoise
from dpcore.errors import InvalidArgument
from dpcore.mechanisms import TentCounts
from dpcore.postprocess.tents import tent_sums
from tests.mechanisms._recorder import query, worst_loss


@pytest.mark.parametrize("spacings", [(), (1,), (3,), (2, 5), (2, 4, 9)])
@pytest.mark.parametrize("neighbors", Neighbors)
@pytest.mark.parametrize("cells", [2, 7, 24])
def test_the_worst_loss_is_epsilon(spacings, neighbors, cells):
    """Over every pair of neighbours on a small domain, and reached where tents do not overlap."""
    epsilon = Fraction(7, 10)
    mechanism = TentCounts(epsilon=epsilon, spacings=spacings, neighbors=neighbors)
    loss = worst_loss(mechanism, cells)
    assert loss <= epsilon
    far_apart = all(2 * spacing <= cells for spacing in spacings)
    if neighbors is Neighbors.ADD_REMOVE or far_apart:
        assert loss == epsilon
    assert mechanism.loss == Loss(epsilon)


def test_the_query_is_the_cells_and_the_tents():
    counts = np.array([4, 0, 3, 9, 1, 2])
    answer, scales = query(TentCounts(epsilon=2, spacings=(2,)), counts)
    assert answer.tolist() == [*counts, *tent_sums(counts, 2)]
    # Two levels share epsilon 2; a tent's unit is 4.
    assert scales.tolist() == [1] * 6 + [4] * 3


def test_noise_has_the_declared_scale():
    mechanism = TentCounts(epsilon="0.1", spacings=(4,))
    noisy = mechanism.draw(np.zeros(4000, dtype=np.int64), SeededNoise(0))
    for noise, scale in (
        (noisy.cells, mechanism.cell_scale),
        (noisy.tents[0], mechanism.tent_scale(4)),
    ):
        ratio = noise.var() / (2 * float(scale) ** 2)
        assert 0.8 < ratio < 1.2
        assert not 0.8 < ratio * 0.7**2 < 1.2
        assert not 0.8 < ratio * 1.3**2 < 1.2


def test_a_spacing_is_a_positive_whole_number():
    with pytest.raises(InvalidArgument, match="spacings"):
        TentCounts(epsilon=1, spacings=(3, 0))


@pytest.mark.parametrize(
    "counts", [np.zeros(2), np.zeros((2, 2), dtype=int), np.zeros(0, dtype=int)]
)
def test_unusable_counts_are_refused(counts):
    with pytest.raises(InvalidArgument, match="a vector of integers"):
        TentCounts(epsilon=1).draw(counts, SeededNoise(0))
