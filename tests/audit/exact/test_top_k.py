"""Laws of the largest of noisy scores, against closed forms and draws."""

from __future__ import annotations

import math

import numpy as np
import pytest

from dpcore.audit import Pair, exact_loss
from dpcore.audit.exact.top_k import pieces, top_sets
from dpcore.mechanisms import CanonicalTop, ExponentialPeeling, JointTop, OneShot
from dpcore.noise import SeededNoise


def test_quadrature() -> None:
    x, weights = pieces(np.linspace(-80, 80, 81))
    density = np.exp(-np.abs(x) / 2.0) / 4.0
    assert (weights * density).sum() == pytest.approx(1.0, abs=1e-12)
    assert (weights * density)[x > 4].sum() == pytest.approx(np.exp(-2.0) / 2.0, abs=1e-12)


def pair(here: object, there: object) -> Pair:
    return Pair(here=np.array(here), there=np.array(there), words="")


def test_subsets_are_tight_where_the_gap_is_wide() -> None:
    wide = pair([0.0, 0.0, 40.0], [1.0, 0.0, 40.0])
    for k in (1, 2):
        assert exact_loss(ExponentialPeeling(epsilon=1, k=k, monotone=True), wide) <= 1.0
    assert exact_loss(CanonicalTop(epsilon=1, k=1, monotone=True), wide) <= 1.0
    assert exact_loss(JointTop(epsilon=1, k=1, monotone=True), wide) <= 1.0


def test_tops_of_two_candidates_in_closed_form() -> None:
    """The one behind by g is first with chance e^-g / 2."""
    assert top_sets(np.array([0.0, 2.0]), 1, 1.0)[(0,)] == pytest.approx(math.exp(-2) / 2)
    law = top_sets(np.array([0.0, 2.0, 1.0, 5.0]), 2, 1.5)
    assert sum(law.values()) == pytest.approx(1.0, abs=1e-10)


@pytest.mark.parametrize("mechanism", [OneShot, ExponentialPeeling])
def test_laws_are_those_of_the_draws(mechanism: type) -> None:
    """Single candidates by chance, within six standard errors."""
    made, scores = mechanism(epsilon=2, k=1), np.array([0.0, 1.0, 3.0])
    noise, seen = SeededNoise(0), np.zeros(3)
    for _ in range(4000):
        seen[made.draw(scores, noise)] += 1
    scale = made.cell_scale * made.grid.cell
    if mechanism is OneShot:
        law = [top_sets(scores, 1, scale)[(place,)] for place in range(3)]
    else:
        law = np.exp(scores / scale) / np.exp(scores / scale).sum()
    assert (np.abs(seen / 4000 - law) < 6 * np.sqrt(0.25 / 4000)).all()
