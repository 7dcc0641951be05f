"""The classical methods: exact without noise, and the variance of every sum in closed form."""

from __future__ import annotations

import numpy as np
import pytest

from dpcore import Loss, Neighbors, SeededNoise
from dpcore.evaluation.ecdf import ecdf_methods
from dpcore.mechanisms.counts.tree_counts import inverse_haar
from dpcore.privacy import Ledger
from dpcore.release import Gate
from tests.mechanisms._recorder import Recorder

POINTS, DEPTH = 13, 4


def binary(neighbors):
    digits = np.array([bin(i).count("1") for i in range(1, POINTS + 1)])
    if neighbors is Neighbors.REPLACE:
        digits[-1] = 0  # the total is public
    return digits * 2.0 * neighbors.pick(add_remove=DEPTH + 1, replace=2 * DEPTH) ** 2


def flat(neighbors):
    i = np.arange(1, POINTS + 1)
    return neighbors.pick(add_remove=2.0 * i, replace=8.0 * i * (POINTS - i) / POINTS)


def haar(neighbors):
    sums = np.cumsum(inverse_haar(np.eye(2**DEPTH, dtype=np.int64))[:, :POINTS], axis=1)
    return (
        2.0 * (neighbors.pick(add_remove=1, replace=2) * (1 + DEPTH)) ** 2 * (sums**2).sum(axis=0)
    )


def tree(neighbors):
    moved = neighbors.pick(add_remove=3, replace=DEPTH + 1)
    return np.full(POINTS, 2.0 * (DEPTH + 1) * moved**2)


@pytest.mark.spanning
@pytest.mark.parametrize("formula", [binary, flat, haar, tree])
@pytest.mark.parametrize("neighbors", Neighbors)
def test_variance_of_each_sum(formula, neighbors):
    method = ecdf_methods()[formula.__name__]
    noise, nothing = SeededNoise(2), np.zeros(POINTS, dtype=np.int64)
    drawn = 0.01 * np.array([
        method.run(nothing, loss=Loss("0.01"), gate=Gate(Ledger(neighbors=neighbors), noise))
        for _ in range(3000)
    ])  # fmt: skip
    expected = formula(neighbors)
    random = expected > 0
    np.testing.assert_array_equal(drawn[:, ~random], 0.0)
    ratio = (drawn[:, random] ** 2).mean(axis=0) / expected[random]
    assert ((ratio > 0.8) & (ratio < 1.2)).all()
    for factor in (0.7, 1.3):
        assert not ((ratio * factor**2 > 0.8) & (ratio * factor**2 < 1.2)).any()


@pytest.mark.parametrize("name", ["binary", "flat", "haar", "tree"])
@pytest.mark.parametrize("neighbors", Neighbors)
@pytest.mark.parametrize("points", [2, 3, 8, 13])
def test_without_noise_the_sums_are_exact(name, neighbors, points):
    counts = np.arange(1, points + 1) ** 2
    gate = Gate(Ledger(neighbors=neighbors), Recorder())
    sums = ecdf_methods()[name].run(counts, loss=Loss(1), gate=gate)
    np.testing.assert_allclose(sums, np.cumsum(counts))
