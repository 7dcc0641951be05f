"""Joint histograms: the law, the loss in low dimension, the grid, and what it is worth."""

from __future__ import annotations

import math
from decimal import Decimal
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from scipy import stats

from dpcore import Loss, Neighbors, SeededNoise, SystemNoise
from dpcore.errors import InvalidArgument
from dpcore.mechanisms import Geometric
from dpcore.mechanisms.counts.k_norm_histograms import (
    KNormHistograms,
    _log_weights,
    _Numbers,
    _piece,
    log_volume,
    points_of_slices,
    similar_sizes,
)
from tests.statistical.fit import FALSE_ALARM, chi_square_p, continuous_p


def octahedron(size: int, count: int) -> np.ndarray:
    rng = np.random.default_rng(0)
    magnitudes = rng.dirichlet(np.ones(size + 1), count)[:, :size]
    return magnitudes * rng.choice([-1.0, 1.0], size=(count, size))


@pytest.mark.parametrize("size", [2, 3, 5, 12])
def test_volume_is_the_density_of_the_sum(size: int) -> None:
    sums = octahedron(size, 40_000).sum(axis=1)
    edges = np.linspace(-1, 1, 41)
    fine = np.linspace(-1, 1, 4001)[1:-1]
    density = np.exp(log_volume(size, fine))
    mass = np.histogram(fine, edges, weights=density)[0]
    observed = np.histogram(sums, edges)[0]
    assert chi_square_p(observed, mass / mass.sum()) > FALSE_ALARM
    other = np.histogram(fine, edges, weights=np.exp(log_volume(size + 1, fine)))[0]
    assert chi_square_p(observed, other / other.sum()) < FALSE_ALARM


@pytest.mark.parametrize("size", [2, 7, 60])
def test_volume_is_even_log_concave_and_largest_at_zero(size: int) -> None:
    logs = log_volume(size, np.linspace(-0.9, 0.9, 37))
    np.testing.assert_allclose(logs, logs[::-1], atol=1e-9)
    assert logs.argmax() == 18 or size == 2
    assert (np.diff(logs, 2) <= 1e-9).all()


def test_one_entry_is_its_sum_so_the_volume_is_that_of_a_point() -> None:
    assert log_volume(1, np.array([-0.4, 0.0, 0.9])).tolist() == [0.0, 0.0, 0.0]


@pytest.mark.parametrize("total", [-0.4, 0.0, 0.3, 0.9])
@pytest.mark.parametrize("size", [1, 2, 5, 30])
def test_points_lie_in_the_slice(size: int, total: float) -> None:
    noise = SeededNoise(1)
    for _ in range(20):
        (point,) = points_of_slices([size], total, noise)
        assert point.sum() == pytest.approx(total)
        assert np.abs(point).sum() <= 1 + 1e-12


@pytest.mark.parametrize("size, tries", [(1, 0), (16, 200)])
def test_numbers_are_drawn_at_once_and_none_in_vain(size: int, tries: int) -> None:
    """Each point takes one number, two for each cell and two for each try, in that order."""

    class Counting(SeededNoise):
        asked = 0, 0

        def uniform(self, size: int) -> np.ndarray:
            self.asked = self.asked[0] + 1, self.asked[1] + size
            return super().uniform(size)

    noise = Counting(5)
    points_of_slices([size] * 20, 0.3, noise)
    calls, numbers = noise.asked
    beyond = numbers - 20 * (1 + 2 * size)
    assert calls <= (10 if tries else 1)
    assert 0 <= beyond <= 2 * tries
    assert beyond % 2 == 0
    # One point after the other takes the same numbers.
    apart, together = SeededNoise(5), SeededNoise(5)
    one_by_one = [points_of_slices([size], 0.3, apart)[0] for _ in range(20)]
    np.testing.assert_array_equal(one_by_one, points_of_slices([size] * 20, 0.3, together))
    assert apart.uniform(1) == together.uniform(1)


@pytest.mark.few(1)
@pytest.mark.parametrize("noise", [SeededNoise(2), SystemNoise()])
@pytest.mark.parametrize("total", [-0.6, 0.2])
def test_points_of_three_entries_are_uniform(
    noise: SeededNoise | SystemNoise, total: float
) -> None:
    """Given its first entry, the other two of a point fill an interval: its length, by a grid."""
    draws = np.array([points_of_slices([3], total, noise)[0] for _ in range(4000)])
    grid = np.linspace(-1, 1, 2001)
    # |b| + |t - a - b| <= 1 - |a| has length 1 - |a| where |t - a| fits in it.
    length = np.where(np.abs(total - grid) <= 1 - np.abs(grid), 1 - np.abs(grid), 0.0)
    cdf = np.cumsum(length) / length.sum()
    for entry in draws.T:
        assert continuous_p(entry, lambda a: np.interp(a, grid, cdf)) > FALSE_ALARM
    assert continuous_p(1.3 * draws[:, 0], lambda a: np.interp(a, grid, cdf)) < FALSE_ALARM


SIZES = (2, 3, 2)


def drawn(
    mechanism: KNormHistograms, groups: int, noise: SeededNoise | SystemNoise
) -> list[np.ndarray]:
    """Noise of each histogram, shape (groups, cells)."""
    value = np.zeros((groups, sum(mechanism.sizes)), dtype=np.int64)
    return np.split(mechanism.draw(value, noise), np.cumsum(mechanism.sizes)[:-1], axis=1)


def norm(blocks: list[np.ndarray]) -> np.ndarray:
    return np.max([np.abs(block).sum(axis=1) for block in blocks], axis=0)


@pytest.mark.few(1)
@pytest.mark.parametrize("noise", [SeededNoise(4), SystemNoise()])
def test_the_norm_is_gamma_and_all_sums_are_alike(noise: SeededNoise | SystemNoise) -> None:
    mechanism = KNormHistograms(epsilon=0.5, sizes=SIZES)
    blocks = drawn(mechanism, 1200, noise)
    # A density exp(-rate m) over shells of volume ~ m^(D-1).
    for factor, fits in ((1.0, True), (0.7, False), (1.3, False)):
        law = stats.gamma(mechanism.dimension, scale=factor / mechanism.rate)
        assert (continuous_p(norm(blocks), law.cdf) > FALSE_ALARM) is fits, factor
    sums = np.array([block.sum(axis=1) for block in blocks])
    assert np.abs(sums - sums[0]).max() < 1e-4


def test_two_histograms_of_two_cells_follow_the_density() -> None:
    """Three free numbers: the sum, and the first cell of each; here the law of the sum."""
    mechanism = KNormHistograms(epsilon=1, sizes=(2, 2))
    blocks = drawn(mechanism, 4000, SeededNoise(7))
    # Given t, cells a with |a| + |t - a| <= m fill an interval of length m if m >= |t|, else none:
    # the density of t is t^2 exp(-|t|) and the integral over m > |t| of exp(-m) * d(m^2)/dm.
    grid = np.linspace(-40, 40, 8001)
    density = (grid**2 + 2 * np.abs(grid) + 2) * np.exp(-np.abs(grid))
    cdf = np.cumsum(density) / density.sum()
    sums = blocks[0].sum(axis=1)
    assert continuous_p(sums, lambda t: np.interp(t, grid, cdf)) > FALSE_ALARM
    assert continuous_p(1.3 * sums, lambda t: np.interp(t, grid, cdf)) < FALSE_ALARM


@pytest.mark.few(1)
@pytest.mark.parametrize("sizes", [(2, 2), (4, 4, 5), (20,)])
def test_the_spread_of_the_sum_is_the_noise_s_own(sizes: tuple[int, ...]) -> None:
    mechanism = KNormHistograms(epsilon=0.5, sizes=sizes)
    sums = drawn(mechanism, 2500, SeededNoise(3))[0].sum(axis=1)
    assert sums.std() == pytest.approx(mechanism.sum_spread, rel=0.15)
    wider = KNormHistograms(epsilon=1, sizes=sizes).sum_spread
    assert wider == pytest.approx(mechanism.sum_spread / 2, rel=1e-10)


def classes_of(records: list[tuple[int, ...]]) -> np.ndarray:
    """Histograms of two classes; a record is (class, cell, cell)."""
    value = np.zeros((2, 5), dtype=np.int64)
    for label, first, second in records:
        value[label, first] += 1
        value[label, 2 + second] += 1
    return value


@pytest.mark.parametrize("neighbors", list(Neighbors))
def test_log_density_moves_by_epsilon_over_all_neighbours(neighbors: Neighbors) -> None:
    mechanism = KNormHistograms(epsilon="0.9", sizes=(2, 3), neighbors=neighbors)
    domain = list(product(range(2), range(2), range(3)))
    with_one = [classes_of([record]) for record in domain]
    others = [classes_of([])] if neighbors is Neighbors.ADD_REMOVE else with_one
    where = np.random.default_rng(0).normal(size=(40, 2, 5)) * 3

    def log_density(shift: np.ndarray, noise: np.ndarray) -> float:
        return -mechanism.rate * float(norm(np.split(noise - shift, [2], axis=1)).sum())

    worst = max(
        abs(log_density(one, point) - log_density(other, point))
        for one in with_one
        for other in others
        for point in [*where, one, other]
    )
    assert worst == pytest.approx(0.9)


def test_changes_lie_where_the_noise_does() -> None:
    for one in product(range(2), range(2), range(3)):
        value = classes_of([one])
        assert (value[:, :2].sum(axis=1) == value[:, 2:].sum(axis=1)).all()


@pytest.mark.slow
@pytest.mark.parametrize("sizes, gain", [((4,) * 7, 1.6), ((5,) * 12, 1.5), ((10,) * 8, 1.2)])
def test_it_is_worth_more_epsilon_than_geometric_noise(sizes: tuple[int, ...], gain: float) -> None:
    """How many times smaller a cell's noise is than with L1 sensitivity len(sizes)."""
    value = np.zeros((150, sum(sizes)), dtype=np.int64)
    joint = KNormHistograms(epsilon=1, sizes=sizes)
    geometric = Geometric(epsilon=1, l1_sensitivity=len(sizes))
    ours = joint.draw(value, SeededNoise(0)).std()
    assert geometric.draw(value, SeededNoise(0)).std() / ours > gain
    assert ours == pytest.approx(joint.spreads[0], rel=0.12)


def test_output_lies_on_the_grid_whatever_the_counts() -> None:
    mechanism, value = KNormHistograms(epsilon=1, sizes=(3, 4)), np.full((2, 7), 123)
    noisy = mechanism.draw(value, SeededNoise(0))
    np.testing.assert_array_equal(noisy * 2**20, np.rint(noisy * 2**20))
    same = mechanism.draw(0 * value, SeededNoise(0))
    np.testing.assert_array_equal(noisy - same, value)


def test_no_groups_and_huge_counts() -> None:
    mechanism = KNormHistograms(epsilon=1, sizes=(2, 2))
    assert mechanism.draw(np.zeros((0, 4), dtype=np.int64), SeededNoise(0)).shape == (0, 4)
    huge = mechanism.draw(np.full((1, 4), 2**62), SeededNoise(0))
    assert (huge > 2**40).all()


def test_noise_that_would_be_cut_off_is_refused() -> None:
    """At 1e-12 three draws in four reached 2^61 cells, where they stopped: count and all."""
    with pytest.raises(InvalidArgument, match="larger epsilon"):
        KNormHistograms(epsilon="1e-12", sizes=(3, 4)).draw(
            np.zeros((1, 7), dtype=np.int64), SystemNoise()
        )
    for epsilon, sizes in (("1e-9", (3, 4)), ("1e-7", (16,) * 500)):
        widest = KNormHistograms(epsilon=epsilon, sizes=sizes)
        drawn = widest.draw(np.zeros((3, sum(sizes)), dtype=np.int64), SystemNoise())
        assert 2.0**20 < np.abs(drawn).max() < 2.0**40


@pytest.mark.parametrize("cells", [1, 30, 1_000, 30_000])
def test_the_radius_of_what_is_not_refused_ends_below_the_cut(cells: int) -> None:
    """Under Gamma laws of every shape one in e^512 is farther out than 2^61 cells."""
    least = Fraction(cells + 513, 2**40) + Fraction(cells, 2**45)
    mechanism = KNormHistograms(epsilon=least, sizes=(cells,))
    mechanism.draw(np.zeros((0, cells), dtype=np.int64), SystemNoise())
    reach, shape = 2.0**41 * mechanism.rate, mechanism.dimension + 1
    # Chernoff's bound.
    assert reach - shape - shape * np.log(reach / shape) > 512
    with pytest.raises(InvalidArgument, match="larger epsilon"):
        KNormHistograms(epsilon=mechanism.epsilon * Fraction(99, 100), sizes=(cells,)).draw(
            np.zeros((0, cells), dtype=np.int64), SystemNoise()
        )


@pytest.mark.parametrize("sizes", [(2,), (3, 30, 4, 4, 31), (1, 1)])
def test_similar_sizes_keeps_every_histogram_once(sizes: tuple[int, ...]) -> None:
    runs = similar_sizes(sizes)
    assert sorted(place for run, _ in runs for place in run) == list(range(len(sizes)))
    for run, weight in runs:
        chosen = [sizes[place] for place in run]
        assert max(chosen) <= 1.6 * min(chosen)
        assert weight > 0


def test_loss_and_bad_arguments() -> None:
    assert KNormHistograms(epsilon="0.3", sizes=(2,)).loss == Loss("0.3")
    with pytest.raises(InvalidArgument, match="sizes"):
        KNormHistograms(epsilon=1, sizes=())
    with pytest.raises(InvalidArgument, match="epsilon"):
        KNormHistograms(epsilon=0, sizes=(2,))
    mechanism = KNormHistograms(epsilon=1, sizes=(2, 2))
    with pytest.raises(InvalidArgument, match="groups, 4"):
        mechanism.draw(np.zeros((1, 3), dtype=np.int64), SeededNoise(0))
    with pytest.raises(InvalidArgument, match="integers"):
        mechanism.draw(np.zeros((1, 4)), SeededNoise(0))  # type: ignore[arg-type]


class Given(SeededNoise):
    """Uniform numbers as they are given."""

    def __init__(self, *numbers: float) -> None:
        super().__init__(0)
        self.numbers = list(numbers)

    def uniform(self, size: int) -> np.ndarray:
        return np.array([self.numbers.pop(0) for _ in range(size)])


CELL = 2.0**-52


@pytest.mark.parametrize(
    "weights, numbers, place",
    [
        # Far below the first cell of a uniform number lies all of the first piece.
        ([2.0**-60, 1.0], [0.5 * CELL, 0.999 * 2.0**-8], 0),
        ([2.0**-60, 1.0], [0.5 * CELL, 1.001 * 2.0**-8], 1),
        ([1.0, 2.0**-60], [1.0 - 0.5 * CELL, 1.0 - 1.001 * 2.0**-8], 0),
        ([1.0, 2.0**-60], [1.0 - 0.5 * CELL, 1.0 - 0.999 * 2.0**-8], 1),
        # A third lies a third into its cell, and in the cell of that.
        ([1.0, 2.0], [(2**52 // 3 + 0.5) * CELL, 0.3], 0),
        ([1.0, 2.0], [(2**52 // 3 + 0.5) * CELL, 0.4], 1),
        ([1.0, 2.0], [(2**52 // 3 + 0.5) * CELL, (2**52 // 3 + 0.5) * CELL, 0.3], 0),
        ([1.0, 2.0], [(2**52 // 3 + 0.5) * CELL, (2**52 // 3 + 0.5) * CELL, 0.4], 1),
        # Between two cells nothing is in doubt.
        ([1.0, 1.0], [0.5 - 0.5 * CELL], 0),
        ([1.0, 1.0], [0.5 + 0.5 * CELL], 1),
        ([1.0, 1.0, 0.0], [1.0 - 0.5 * CELL], 1),
        ([0.0, 1.0], [0.5 * CELL], 1),
    ],
)
def test_pieces_have_chances_in_exact_proportion(
    weights: list[float], numbers: list[float], place: int
) -> None:
    noise = Given(*numbers)
    below = np.cumsum(weights).tolist()
    assert _piece(np.array(weights), below, _Numbers(noise, 1)) == place
    assert noise.numbers == []


def _exact_logs(size: int, share: Fraction) -> list[Decimal]:
    """Logarithms of the volumes of the pieces, by exact integrals of (t + m)^(k-1) m^(n-k-1)."""
    half, volumes = (1 - share) / 2, []
    for k in range(1, size):
        terms = (
            math.comb(k - 1, j) * share ** (k - 1 - j) * half ** (size - k + j) / (size - k + j)
            for j in range(k)
        )
        ways = Fraction(math.comb(size, k), math.factorial(k - 1) * math.factorial(size - k - 1))
        volumes.append(ways * sum(terms))
    volumes.append(share ** (size - 1) / math.factorial(size - 1))
    return [Decimal(one.numerator).ln() - Decimal(one.denominator).ln() for one in volumes]


@pytest.mark.parametrize("size", [2, 5, 16, 40])
def test_what_volumes_are_off_by_is_paid_for(size: int) -> None:
    """Twice over in a density that adds up to one, and twice that between two data sets."""
    off = 0.0
    for share in (1e-9, 0.01, 0.3, 0.9, 1.0 - 1e-9):
        found = _log_weights(size, np.array([share]))[0].tolist()
        exact = _exact_logs(size, Fraction(share))
        off = max(off, *(abs(float(Decimal(a) - b)) for a, b in zip(found, exact, strict=True)))
    mechanism = KNormHistograms(epsilon=Fraction(1, 2**20), sizes=(size,))
    paid = 2.0**-20 - mechanism.rate
    assert 0.0 < 4.0 * off < paid < 1e4 * off
    assert mechanism.loss == Loss(Fraction(1, 2**20))
