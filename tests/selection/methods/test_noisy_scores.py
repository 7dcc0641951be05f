"""Noisy scores: the exact loss of what is released, on every neighbour of a small domain."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from dpcore import Neighbors, SeededNoise
from dpcore.privacy import Loss
from dpcore.release import Gate, open_gate
from dpcore.selection import select_features
from dpcore.selection.methods.noisy_scores import METHOD, noisy_scores
from dpcore.selection.problem import SelectionProblem


def test_everything_stays_at_no_cost() -> None:
    picked = select_features(np.zeros((2, 4)), method="none")
    assert picked.selected.tolist() == [0, 1, 2, 3]
    assert picked.scores is None
    assert picked.charges == ()
    assert not METHOD[1].spends


BOUND = 2

ROWS = [np.array(row) for row in product((0, 1), repeat=3) if sum(row) <= BOUND]


class Watched(Gate):
    """A gate that remembers the mechanism."""

    def release(self, mechanism, value, *, label):  # type: ignore[no-untyped-def]
        object.__setattr__(self, "mechanism", mechanism)
        return super().release(mechanism, value, label=label)


def problem(counts: np.ndarray, neighbors: Neighbors, whole: bool = True) -> SelectionProblem:
    return SelectionProblem(
        scores=counts.astype(float),
        sensitivity=1,
        l1_sensitivity=neighbors.pick(add_remove=BOUND, replace=2 * BOUND),
        monotone=False,
        whole=whole,
        neighbors=neighbors,
        top_k=1,
    )


@pytest.mark.parametrize("whole", [True, False])
@pytest.mark.parametrize("neighbors", list(Neighbors))
def test_loss_over_all_neighbours(neighbors: Neighbors, whole: bool) -> None:
    gate = open_gate(Loss("0.8"), neighbors=neighbors, noise=SeededNoise(0))
    watched = Watched(gate.ledger, gate.noise)
    noisy_scores(problem(np.zeros(3), neighbors, whole), loss=Loss("0.8"), gate=watched)
    scale = float(watched.mechanism.scale)  # type: ignore[attr-defined]
    zero = np.zeros(3)
    pairs = neighbors.pick(
        add_remove=[(zero, row) for row in ROWS],
        replace=[(one, other) for one in ROWS for other in ROWS],
    )
    # The largest log-ratio of Laplace densities is the L1 distance of the centres over the scale.
    losses = [np.abs(one - other).sum() / scale for one, other in pairs]
    assert max(losses) <= 0.8 + 1e-12
    reached = neighbors.pick(add_remove=0.8, replace=0.6)  # three features hold no four changes
    assert max(losses) == pytest.approx(reached)


def test_one_charge_of_everything() -> None:
    gate = open_gate(Loss("0.8"), noise=SeededNoise(0))
    noisy_scores(problem(np.zeros(3), Neighbors.ADD_REMOVE), loss=Loss("0.8"), gate=gate)
    assert [charge.loss for charge in gate.charges] == [Loss("0.8")]
