"""The repaired method of Vaidya et al.: exact sums, sensitivity of the roots, the exact law."""

from __future__ import annotations

from itertools import combinations_with_replacement

import numpy as np
import pytest

from dpcore import Loss, Neighbors
from dpcore.models.naive_bayes.moments import vaidya
from tests.models._records import ReplayGate, released_by_neighbours, training
from tests.models.naive_bayes._fitted import NUMBER, check_normal_law, run, two_normals


def test_much_epsilon_gives_means_and_deviations() -> None:
    check_normal_law(vaidya, Loss(10_000))


def test_golden_charges() -> None:
    charges = run(vaidya, two_normals(50)[0], Loss(3), allocation=2.0)[1]
    assert charges == {label: Loss(1) for label in ("class sizes", "means", "standard deviations")}


def test_no_record_moves_a_root_by_the_width_of_the_bounds() -> None:
    values = (0.0, 2.5, 5.0, 10.0)
    worst = 0.0
    for size in range(5):
        for members in combinations_with_replacement(values, size):
            data = [training([((v,), 0) for v in members], 1, NUMBER)]
            data += [training([((v,), 0) for v in (*members, w)], 1, NUMBER) for w in values]
            sums, roots = zip(*(one.sums_and_roots for one in data), strict=True)
            worst = max(worst, *(float(np.abs(root - roots[0]).max()) for root in roots))
            assert max(float(np.abs(one - sums[0]).max()) for one in sums) <= 1
    assert 1.7 < worst < 2


def test_the_noise_of_roots_is_made_for_little_more_than_a_record_moves() -> None:
    """One at the upper bound, beside so many at the lower: nearly the whole width."""
    seen = []
    for members in ([0.0] * 2000, [*[0.0] * 2000, 10.0]):
        gate = ReplayGate(Neighbors.ADD_REMOVE)
        vaidya(
            training([((v,), 0) for v in members], 1, NUMBER), loss=Loss(3), gate=gate, allocation=2
        )
        seen.append(gate.released["standard deviations"])
    (mechanism, one), (_, other) = seen
    assert 0.999 < float(np.abs(other - one).sum()) / mechanism.l1_sensitivity < 1


@pytest.mark.parametrize("neighbors", list(Neighbors))
def test_the_noise_is_made_for_all_that_a_record_moves(neighbors: Neighbors) -> None:
    seen = released_by_neighbours(
        lambda some, gate: vaidya(some, loss=Loss(3), gate=gate, allocation=2), neighbors
    )
    (mechanism, one), (_, other) = (released["means"] for released in seen)
    assert np.abs(one - other).sum() == mechanism.l1_sensitivity
    deviations, _ = seen[0]["standard deviations"]
    assert deviations.l1_sensitivity == 2 * mechanism.l1_sensitivity


def test_an_empty_class_is_nothing() -> None:
    sums, roots = training([((3.0,), 1)], 2, NUMBER).sums_and_roots
    assert sums[0].tolist() == roots[0].tolist() == [0.0]
