"""Both examples break the promise at every epsilon."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from dpcore.curves.selection.cluster_odds import cluster_odds

EPSILONS = [Fraction(1, 10), Fraction(1), Fraction(5)]


def test_probabilities_at_epsilon_1() -> None:
    found = cluster_odds(EPSILONS[1:2])
    assert found.alone == pytest.approx([0.295], abs=5e-4)
    assert found.above == pytest.approx([0.99996], abs=5e-6)
    assert found.below == pytest.approx([9.3e-8], rel=0.02)
    assert found.loss == pytest.approx([16.2], abs=0.05)


def test_the_promise_is_broken_where_epsilon_is_large_enough_for_the_noise() -> None:
    found = cluster_odds(EPSILONS)
    assert (found.alone > 0.1).all()
    assert (found.loss[1:] > 10 * found.epsilons[1:]).all()
    assert (np.diff(found.below) < 0).all()


def test_nothing_asked() -> None:
    assert cluster_odds([]).alone.size == 0
