"""Regressions: rows lie in the set that the mechanism was promised."""

from __future__ import annotations

import numpy as np
import pytest

from dpcore.audit.mechanism_cases import mechanism_cases, mechanism_classes
from dpcore.privacy import Neighbors


@pytest.mark.parametrize("name", ["Geometric", "TreeCounts"])
def test_count_pairs_differ_by_one_record(name: str) -> None:
    for neighbors in Neighbors:
        (case,) = mechanism_cases(mechanism_classes()[name], neighbors)
        for pair in case.pairs:
            change = np.ravel(pair.d_prime) - np.ravel(pair.d)
            assert np.abs(change).sum() == neighbors.pick(add_remove=1, replace=2)
            assert change.sum() == neighbors.pick(add_remove=1, replace=0)


@pytest.mark.parametrize("neighbors", list(Neighbors))
def test_one_record_and_its_largest_summand(neighbors: Neighbors) -> None:
    (case,) = mechanism_cases(mechanism_classes()["GroupTotals"], neighbors)
    for pair in case.pairs:
        counts = np.abs(pair.d_prime.positives - pair.d.positives).sum()
        sums = np.abs(pair.d_prime.offsets - pair.d.offsets)
        assert counts == neighbors.pick(add_remove=1, replace=2)
        assert sums.max() == case.mechanism.unit


@pytest.mark.parametrize("neighbors", list(Neighbors))
def test_a_record_is_in_one_cell_of_every_histogram(neighbors: Neighbors) -> None:
    (case,) = mechanism_cases(mechanism_classes()["KNormHistograms"], neighbors)
    (pair,) = case.pairs
    change = pair.d_prime - pair.d
    assert (pair.d_prime >= 0).all()
    for part in np.split(change, np.cumsum(case.mechanism.sizes)[:-1], axis=1):
        assert part.sum() == neighbors.pick(add_remove=1, replace=0)
        assert np.abs(part).max() == 1


@pytest.mark.parametrize("neighbors", list(Neighbors))
def test_running_counts_of_neighbours(neighbors: Neighbors) -> None:
    (case,) = mechanism_cases(mechanism_classes()["RecursiveQuantiles"], neighbors)
    for pair in case.pairs:
        change = np.diff(pair.d_prime) - np.diff(pair.d)
        assert np.abs(change).sum() == neighbors.pick(add_remove=1, replace=2)
        assert (np.diff(pair.d_prime) >= 0).all()


@pytest.mark.parametrize("neighbors", list(Neighbors))
def test_one_number(neighbors: Neighbors) -> None:
    (case,) = mechanism_cases(mechanism_classes()["SmoothCauchy"], neighbors)
    for pair in case.pairs:
        more = pair.d_prime.columns.size - pair.d.columns.size
        assert more == neighbors.pick(add_remove=1, replace=0)
        assert np.abs(pair.d_prime.columns).max(initial=0.0) <= 1.0


@pytest.mark.parametrize("neighbors", list(Neighbors))
def test_rows_are_no_longer_than_promised(neighbors: Neighbors) -> None:
    for name, longest in (("ObjectivePerturbation", 1.0), ("BlockObjective", np.sqrt(2.0))):
        (case,) = mechanism_cases(mechanism_classes()[name], neighbors)
        for pair in case.pairs:
            for rows, targets in (pair.d, pair.d_prime):
                assert rows.shape[0] == targets.shape[0]
                assert np.linalg.norm(rows, axis=1).max() <= longest
            more = pair.d_prime[0].shape[0] - pair.d[0].shape[0]
            assert more == neighbors.pick(add_remove=1, replace=0)
