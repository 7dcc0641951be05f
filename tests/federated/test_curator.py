"""The trusted curator."""

from __future__ import annotations

import numpy as np
import pytest

from dpcore import Ledger, Loss, SeededNoise, SystemNoise
from dpcore.errors import InvalidArgument, NotPrivate
from dpcore.federated import Plan, TrustedCurator
from tests.federated._parties import exact, parties, records


def test_exact_counts_are_those_of_all_records() -> None:
    whole = records(100, classes=2)
    counts = exact(parties(7, classes=2), classes=2).sums(np.arange(32))
    for one in (0, 1):
        cells = whole.cells[whole.classes == one]
        assert counts[one].tolist() == [(cells <= point).sum() for point in range(32)]


def test_noise_is_stored_and_charged_once() -> None:
    ledger = Ledger(Loss(1))
    curator = TrustedCurator(parties(3), Plan(depth=5, epsilon=1), ledger=ledger)
    assert curator.sums([1, 5, 1]).tolist() == curator.sums([1, 5, 1]).tolist()
    assert ledger.spent == Loss(1)
    assert not curator.simulated
    assert curator.full_noises == 1.0


def test_the_curator_sees_every_record() -> None:
    seen = exact(parties(3)).seen["curator"]
    assert sorted(seen.tolist()) == sorted(records(100).cells.tolist())


def test_parties_send_their_records_once() -> None:
    curator = exact(parties(4))
    before = curator.traffic.by_kind()
    curator.sums([3])
    assert curator.traffic.by_kind() == before
    assert before["records"][0] == 4


@pytest.mark.parametrize("points", [[], [32], [-1], [0.5], [[1]]])
def test_points_off_the_grid_are_refused(points: list) -> None:
    with pytest.raises(InvalidArgument, match="points"):
        exact(parties(2)).sums(points)


def test_exact_counts_are_for_simulations() -> None:
    with pytest.raises(NotPrivate):
        TrustedCurator(parties(2), Plan(depth=5, epsilon=None), noise=SystemNoise())
    assert exact(parties(2)).charges == ()
    assert TrustedCurator(parties(2), Plan(depth=5, epsilon=1), noise=SeededNoise(1)).simulated
