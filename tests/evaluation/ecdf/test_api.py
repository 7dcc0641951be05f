"""private_ecdf: arguments, accounts, and that what must stay private does."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpcore import Ledger, Loss, Neighbors, SeededNoise, SystemNoise
from dpcore.data.counting import ScoreHistogram
from dpcore.errors import (
    BudgetExceeded,
    InvalidArgument,
    MovablePart,
    NeighborsMismatch,
    UnknownMethod,
)
from dpcore.evaluation.ecdf.api import SMOOTHINGS, private_ecdf, smooth
from dpcore.evaluation.ecdf.cell_counts import CellCounts, ecdf_of_scores
from dpcore.evaluation.ecdf.hierarchical import log_grid, uniform_grid
from dpcore.postprocess.smoothing import smooth_p1, smooth_p2
from dpcore.privacy import Part

NOISY = st.lists(st.floats(-1e6, 1e6), min_size=2, max_size=60)


@pytest.mark.parametrize("smoothing", [name for name in SMOOTHINGS if name])
@given(noisy=NOISY, total=st.floats(1, 1e6))
def test_shares_are_a_distribution_function(smoothing, noisy, total):
    shares = smooth(np.array(noisy), total, smoothing)
    assert (np.diff(shares) >= 0.0).all()
    assert shares[0] >= 0.0
    assert shares[-1] == 1.0


def test_p1_and_p2_are_eq_3():
    noisy = np.array([2.0, 5.0, 3.0, 9.0, 7.0])
    for name, solver in (("p1", smooth_p1), ("p2", smooth_p2)):
        np.testing.assert_allclose(smooth(noisy, 8.0, name)[:-1], solver(noisy, 8.0)[:-1] / 8.0)


def test_none_only_divides():
    assert smooth(np.array([3.0, -1.0]), 2.0, None).tolist() == [1.5, -0.5]


def test_another_name_is_refused():
    with pytest.raises(InvalidArgument, match="smoothing must be one of 'isotonic'"):
        smooth(np.array([1.0, 2.0]), 2.0, "p3")


GRID = uniform_grid(0, 1, 65)


def values(n=5000, seed=0):
    return np.random.default_rng(seed).beta(2, 5, n)


def test_at_a_large_epsilon_the_curve_is_the_truth():
    truth = CellCounts.from_values(values(), GRID).cdf
    for neighbors in Neighbors:
        curve = private_ecdf(
            values(), grid=GRID, epsilon=1000, neighbors=neighbors, noise=SeededNoise(0)
        )
        np.testing.assert_allclose(curve.cdf, truth, atol=1e-3)


@pytest.mark.parametrize("grid", [GRID, log_grid(1e-3, 1, 50)])
def test_values_and_their_counts_give_the_same_release(grid):
    from_values = private_ecdf(values(), grid=grid, epsilon=1, noise=SeededNoise(4))
    cells = CellCounts.from_values(values(), grid)
    from_counts = private_ecdf(cells, epsilon=1, noise=SeededNoise(4))
    assert from_values.to_json() == from_counts.to_json()


def test_scores_of_a_histogram():
    scores = values()
    histogram = ScoreHistogram.from_arrays((scores > 0.3).astype(int), scores)
    cells = ecdf_of_scores(histogram, "positives", points=512)
    curve = private_ecdf(cells, epsilon=100, noise=SeededNoise(0))
    np.testing.assert_allclose(curve.cdf, cells.cdf, atol=0.01)


def test_the_ledger_is_charged_once_for_the_part():
    ledger = Ledger(Loss(1))
    for label in "01":
        part = Part("class", label)
        private_ecdf(values(), grid=GRID, epsilon=1, ledger=ledger, part=part, noise=SeededNoise(0))
    # Disjoint classes compose by maximum.
    assert ledger.spent == Loss(1)
    assert [str(charge.part) for charge in ledger.charges] == ["class=0", "class=1"]


def test_what_the_ledger_cannot_afford_is_not_drawn():
    ledger = Ledger(Loss("0.5"))
    with pytest.raises(BudgetExceeded):
        private_ecdf(values(), grid=GRID, epsilon=1, ledger=ledger, noise=SeededNoise(0))
    assert ledger.charges == ()


def test_the_ledger_must_count_in_the_same_relation():
    with pytest.raises(NeighborsMismatch):
        private_ecdf(values(), grid=GRID, epsilon=1, ledger=Ledger(Loss(1)), neighbors="replace")


def test_real_noise_is_not_a_simulation():
    curve = private_ecdf(values(100), grid=GRID, epsilon=1)
    assert curve.simulated is False
    other = private_ecdf(values(100), grid=GRID, epsilon=1, noise=SystemNoise())
    assert not np.array_equal(curve.noisy, other.noisy)


def test_add_remove_hides_the_number_of_records():
    curve = private_ecdf(values(), grid=GRID, epsilon="0.5", noise=SeededNoise(3))
    assert curve.total != 5000
    public = private_ecdf(
        values(), grid=GRID, epsilon="0.5", noise=SeededNoise(3), neighbors="replace"
    )
    assert public.total == 5000


def test_an_extreme_value_changes_one_cell_only():
    """Values beyond the grid are clipped, so no record can reach farther than its cell."""
    ordinary, outlier = values(50), values(50)
    outlier[7] = 1e300
    first, second = (CellCounts.from_values(v, GRID).counts for v in (ordinary, outlier))
    assert np.abs(first - second).sum() == 2


@pytest.mark.parametrize("arguments, message", [
    ({"epsilon": 0}, "epsilon must be positive"),
    ({"confidence": 1}, "confidence must be between 0.5 and 0.99"),
    ({"smoothing": "p3"}, "smoothing must be one of"),
    ({"grid": None}, "grid must be public and given"),
    ({"grid": [1, 0]}, r"grid\[1\] must be finite and above the point before it, got 0"),
    ({"structure": "hats"}, "structure must be one of"),
    ({"depth": 3}, "depth must be left out"),
    ({"neighbors": "swap"}, "neighbors must be"),
])  # fmt: skip
def test_wrong_arguments_are_named(arguments, message):
    with pytest.raises(InvalidArgument, match=message):
        private_ecdf(values(10), **({"grid": GRID, "epsilon": 1} | arguments))


def test_a_grid_beside_counts_is_refused():
    cells = CellCounts.from_values(values(10), GRID)
    with pytest.raises(InvalidArgument, match="grid must be left out beside CellCounts"):
        private_ecdf(cells, grid=GRID, epsilon=1)


def test_an_unknown_method_is_refused():
    with pytest.raises(UnknownMethod, match="ECDF method"):
        private_ecdf(values(10), grid=GRID, epsilon=1, method="forest")


@pytest.mark.parametrize("part", ["positives", "negatives"])
def test_the_size_of_one_class_is_never_taken_as_public(part):
    """A record that changes class changes the size, which replace releases would give away."""
    cells = ecdf_of_scores(ScoreHistogram.from_arrays([0, 0, 1], [0.1, 0.4, 0.8]), part, points=8)
    with pytest.raises(MovablePart, match=part):
        private_ecdf(cells, epsilon=1, neighbors="replace", noise=SeededNoise(0))
    assert private_ecdf(cells, epsilon=1, noise=SeededNoise(0)).cdf.size == 8


@pytest.mark.parametrize("odd", [float("nan"), "high", None])
@pytest.mark.parametrize("neighbors", ["add-remove", "replace"])
def test_with_real_noise_no_record_makes_an_error(odd, neighbors):
    values = [0.1, 0.5, 0.9] * 10
    for one in ([*values, odd], values):
        ledger = Ledger(Loss(1), neighbors)
        curve = private_ecdf(one, grid=[0.5, 1.0], epsilon=1, neighbors=neighbors, ledger=ledger)
        assert ledger.spent == Loss(1)
        assert neighbors == "add-remove" or curve.total == len(one)
    with pytest.raises(InvalidArgument, match=r"^values\[30\] must be a number"):
        private_ecdf([*values, odd], grid=[0.5, 1.0], epsilon=1, noise=SeededNoise(1))


def test_counting_that_fails_was_charged_with_real_noise(monkeypatch):
    """Where memory ends tells how many rows there are."""
    given = [0.5]

    def fail(values, grid):
        if values is given:
            raise MemoryError
        return counted(values, grid)

    counted = CellCounts.from_values
    monkeypatch.setattr(CellCounts, "from_values", fail)
    ledger = Ledger(Loss(2))
    with pytest.raises(MemoryError):
        private_ecdf(given, grid=[0.5, 1.0], epsilon=1, ledger=ledger)
    assert ledger.spent == Loss(1)
    with pytest.raises(InvalidArgument, match="grid"):
        private_ecdf(given, epsilon=1, ledger=ledger)
    assert ledger.spent == Loss(1)


@pytest.mark.parametrize("name, given", [("scale", "log-odds"), ("bounds", (0, 9))])
def test_counts_have_their_scale_already(name, given):
    cells = ecdf_of_scores(ScoreHistogram.from_arrays([0, 1], [0.1, 0.9]))
    with pytest.raises(InvalidArgument, match=f"^{name} must be left out beside CellCounts"):
        private_ecdf(cells, epsilon=1, noise=SeededNoise(1), **{name: given})
