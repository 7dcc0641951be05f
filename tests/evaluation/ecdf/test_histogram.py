"""Histograms with shift noise: exact without noise, and accurate over any range of bins."""

from __future__ import annotations

import json

import numpy as np
import pytest

from dpcore import Ledger, Loss, SeededNoise
from dpcore.errors import DataError, InvalidArgument
from dpcore.evaluation import HistogramRelease, private_histogram
from dpcore.evaluation.ecdf import ecdf_methods

BINS = 256
EDGES = np.arange(1, BINS + 1)
VALUES = np.random.default_rng(4).integers(1, BINS + 1, 20_000)
EXACT = np.bincount(VALUES, minlength=BINS + 1)[1:]
# From the 64th bin to the 192nd.
RANGE = slice(63, 192)


def errors(method: str, draws: int = 400, epsilon: float = 0.1) -> np.ndarray:
    """Errors of every bin in units of 1 / epsilon, shape (draws, bins)."""
    return epsilon * np.array([
        private_histogram(
            VALUES, edges=EDGES, epsilon=epsilon, method=method, smoothing=None,
            neighbors="replace", noise=SeededNoise(seed),
        ).counts - EXACT
        for seed in range(draws)
    ])  # fmt: skip


@pytest.mark.parametrize("method", ecdf_methods())
@pytest.mark.parametrize("neighbors", ["add-remove", "replace"])
def test_almost_without_noise_it_is_the_histogram(method: str, neighbors: str) -> None:
    found = private_histogram(
        VALUES, edges=EDGES, epsilon=10_000, method=method, neighbors=neighbors,
        noise=SeededNoise(0),
    )  # fmt: skip
    np.testing.assert_allclose(found.counts, EXACT, atol=0.02)
    assert found.edges.tolist() == EDGES.tolist()


def test_noise_shifts_records_and_makes_none() -> None:
    """The errors of all bins cancel, and those of a few next to one another nearly do."""
    np.testing.assert_allclose(errors("hierarchical", draws=50).sum(axis=1), 0.0, atol=1e-6)
    drawn = errors("tree")
    neighbours = [np.corrcoef(drawn[:, bin_], drawn[:, bin_ + 1])[0, 1] for bin_ in (30, 100, 201)]
    assert max(neighbours) < 0.0


@pytest.mark.slow
def test_a_range_of_bins_is_as_accurate_as_its_two_edges() -> None:
    """Closed form for independent noise on k of N bins, 8 k (1 - k / N); far less for shifts."""
    k = RANGE.stop - RANGE.start
    flat, shift = (
        errors(method)[:, RANGE].sum(axis=1).var() for method in ("flat", "hierarchical")
    )
    expected = 8.0 * k * (1.0 - k / BINS)
    # A ratio of variances over 400 draws: six of its standard deviations; 30 % in scale is beyond.
    assert abs(flat / expected - 1.0) < 0.45
    assert not any(abs(factor**2 * flat / expected - 1.0) < 0.45 for factor in (0.6, 1.4))
    assert shift < 0.8 * flat


@pytest.mark.slow
def test_one_bin_of_the_tree_has_the_noise_of_the_nodes_that_its_edges_do_not_share() -> None:
    """Between the bins 128 and 129 no node but the root is shared: 2 L nodes of 2 (L + 1)^2."""
    levels = 8
    variance = errors("tree", draws=1_500)[:, 128].var()
    expected = 2 * levels * 2.0 * (levels + 1) ** 2
    assert 0.75 < variance / expected < 1.25
    assert not any(0.75 < factor**2 * variance / expected < 1.25 for factor in (0.7, 1.3))


def test_smoothed_counts_are_never_negative_and_add_up_to_the_public_number() -> None:
    found = private_histogram(
        VALUES, edges=EDGES, epsilon=0.05, neighbors="replace", noise=SeededNoise(1)
    )
    assert found.counts.min() >= 0.0
    assert found.counts.sum() == pytest.approx(VALUES.size)
    assert found.simulated


def test_all_ranges_lie_in_their_bands() -> None:
    share = np.append(0.0, np.cumsum(EXACT) / EXACT.sum())
    held = 0
    for seed in range(60):
        found = private_histogram(VALUES, edges=EDGES, epsilon=0.2, noise=SeededNoise(seed))
        ranges = [(first, last) for first in (0, 17, 63, 128) for last in (128, 150, 191, 255)]
        inside = []
        for first, last in ranges:
            low, _, high = found.share_between(first, last)
            inside.append(low <= share[last + 1] - share[first] <= high)
        held += all(inside)
    # Nominally at least 90 %: fewer than 41 of 60 has odds below 1e-6.
    assert held >= 41


def test_json_round_trip() -> None:
    found = private_histogram(VALUES, edges=EDGES, epsilon=1, noise=SeededNoise(1))
    text = found.to_json()
    again = HistogramRelease.from_json(text)
    assert json.loads(text)["counts"] == again.counts.tolist() == found.counts.tolist()
    assert (again.to_json(), again.charges, again.simulated) == (text, found.charges, True)
    assert again.share_between(3, 9) == found.share_between(3, 9)
    for other in ("", "3", "{}", '{"ecdf": 3}', found.ecdf.to_json()):
        with pytest.raises(DataError, match="^this is not an exported histogram"):
            HistogramRelease.from_json(other)


def test_a_range_of_one_bin_and_of_all() -> None:
    found = private_histogram(VALUES, edges=EDGES, epsilon=1, noise=SeededNoise(0))
    low, share, high = found.share_between(5, 5)
    assert low <= share <= high
    assert share * max(found.ecdf.total, 1.0) == pytest.approx(found.counts[5])
    assert found.share_between(0, BINS - 1) == (1.0, 1.0, 1.0)
    for first, last in ((-1, 3), (4, 3), (0, BINS)):
        with pytest.raises(InvalidArgument):
            found.share_between(first, last)


@pytest.mark.parametrize("neighbors", ["add-remove", "replace"])
def test_golden_charge(neighbors: str) -> None:
    ledger = Ledger(Loss(1), neighbors)
    found = private_histogram(
        VALUES, edges=EDGES, epsilon=1, neighbors=neighbors, ledger=ledger, noise=SeededNoise(0)
    )
    assert [(c.label, c.mechanism, c.loss) for c in found.charges] == [
        ("counts on levels", "TentCounts", Loss(1))
    ]
    assert found.charges == ledger.charges
