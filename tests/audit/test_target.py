"""Targets: batches have the law of single draws."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import ks_2samp

from dpcore.audit import mechanism_target, one_by_one
from dpcore.audit.pair import Pair
from dpcore.mechanisms import Exponential, Geometric, Laplace
from dpcore.noise import SeededNoise
from dpcore.privacy import Neighbors


@pytest.mark.parametrize("mechanism", [Geometric(epsilon=1), Laplace(epsilon=1)])
def test_a_batch_is_many_draws(mechanism: Geometric | Laplace) -> None:
    target, value = mechanism_target(mechanism), np.array([3, -2])
    batch = target.sample(value, 2000, SeededNoise(1))
    noise = SeededNoise(2)
    single = np.stack([mechanism.draw(value, noise) for _ in range(2000)])
    assert batch.shape == single.shape
    for column in (0, 1):
        # Ties only make the test more cautious; another scale is noticed.
        assert ks_2samp(batch[:, column], single[:, column]).pvalue > 1e-6
        assert ks_2samp(batch[:, column] * 1.5, single[:, column]).pvalue < 1e-6
    assert abs(np.corrcoef(batch.T)[0, 1]) < 0.12


def test_others_are_drawn_one_by_one_and_read() -> None:
    target = mechanism_target(
        Exponential(epsilon=100), name="pick", read=lambda index: np.eye(3)[index]
    )
    assert target.name == "pick"
    assert target.sample(np.array([0.0, 9.0, 1.0]), 2, SeededNoise(0)).tolist() == [[0, 1, 0]] * 2
    assert target.proven


def test_one_by_one_shares_the_stream() -> None:
    sample = one_by_one(lambda data, noise: noise.uniform(1) + data)
    rows = sample(5, 3, SeededNoise(0))
    assert np.unique(rows).size == 3


def test_a_pair_states_its_relation() -> None:
    assert Pair(here=0, there=1, words="", neighbors=Neighbors.REPLACE).neighbors == "replace"
